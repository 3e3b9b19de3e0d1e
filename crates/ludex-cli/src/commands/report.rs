//! `ludex report`: all that is found out about games, as one page that needs nothing else.

pub mod html;
mod sections;

use super::draw::{check_free, write_file};
use crate::failure::Failure;
use crate::session::MEMORY;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::{Allowance, Budget};
use ludex::picture::Picture;
use ludex::reason::Random;
use ludex::symmetry::same::hash;
use ludex_answers::{Meter, ReportFile, ReportSection};
use std::path::{Path, PathBuf};

/// Write a page about a game: board, proofs, symmetries, value, a match and more.
#[derive(clap::Args)]
#[command(after_help = "\
The page is one file that needs no server and nothing from elsewhere: send it, or open it from disk. Each \
part has the time of --seconds; what a limit cut short says so on the page. The file is written anew as \
each part is done.

Examples:
  ludex report tictactoe -o report.html
  ludex report connectfour reversi --seconds 0.5 -o two.html")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// The page to write.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite the file if it exists.
    #[arg(long)]
    force: bool,
    /// CPU seconds for each part.
    #[arg(long, value_name = "S", default_value_t = 4.0)]
    seconds: f64,
    /// The seed of the random match.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
    /// Write the board of the initial state to a file of its own, too.
    #[arg(long, value_name = "FILE", requires = "force")]
    picture: Option<PathBuf>,
}

/// Parts of a page with a time of their own, and what is needed beside them, as a multiple of it.
const PARTS: f64 = 13.0;
/// Seconds for the first state where nothing else is there to show.
const GLIMPSE: f64 = 1.0;
/// Seconds that a page may take at least, so that a large game has one.
const LEAST: f64 = 10.0;
/// States of the match that is shown.
const LONGEST: usize = 80;

/// All that is known of a game by now.
pub struct GameAccount {
    pub name: String,
    pub roles: Vec<String>,
    pub kind: String,
    /// The same for every guise of the rules.
    pub hash: Option<String>,
    /// The states of a random match, the initial one first.
    pub shown: Vec<Picture>,
    pub sections: Vec<Section>,
    pub done: bool,
}

/// A part of the page.
pub struct Section {
    pub told: ReportSection,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// The answer as text for people.
    pub text: String,
    /// Drawn beside it.
    pub picture: Option<String>,
}

/// The roles, the pictures of the states, and whether roles move at once, where that is known.
type ShownMatch = (Vec<String>, Vec<Picture>, Option<bool>);

pub fn run(args: &Args, session: &Session) -> Outcome {
    check_free(&args.output, args.force)?;
    let mut accounts: Vec<GameAccount> = Vec::new();
    let seconds = (args.seconds * PARTS).max(LEAST);
    let allowance = Allowance { seconds: Some(seconds), bytes: Some(MEMORY) };
    session.answer_each(&args.games, allowance, ReportFile::unknown, |game| {
        let game = session.load(game)?;
        let budget = session.budget();
        let meter = Meter::new(&game, &budget);
        let account = args.begin(&game, session)?;
        accounts.push(account);
        args.write(&accounts)?;
        for part in sections::PARTS {
            let seconds = budget.lasting(args.seconds);
            let section = part.of(&game, session, &seconds);
            let account = accounts.last_mut().expect("just begun");
            account.sections.push(section);
            session.hold(account.told(&args.output, meter.account()));
            args.write(&accounts)?;
            if budget.check().is_err() {
                break;
            }
        }
        let account = accounts.last_mut().expect("just begun");
        account.done = account.sections.len() == sections::PARTS.len();
        let told = account.told(&args.output, meter.account());
        args.write(&accounts)?;
        session.give(told)
    })
}

impl Args {
    /// The board and a random match; where no engine is ready in half of the time, the first state alone, and where
    /// that takes too long, that it does.
    fn begin(&self, game: &Game, session: &Session) -> Result<GameAccount, Failure> {
        let budget = session.budget();
        let played = self.random_match(game, &budget.lasting(self.seconds * PARTS / 2.0));
        let (roles, shown, at_once) = played.unwrap_or_else(|_| {
            let glimpse = game.glimpse(&budget.lasting(self.seconds.max(GLIMPSE)));
            let (roles, picture, caption) = match glimpse {
                Ok(first) => (first.roles, first.picture, "the beginning"),
                Err(_) => (vec![], Picture::default(), "stopped: the first state took too long"),
            };
            (roles, vec![Picture { caption: caption.into(), ..picture }], None)
        });
        if let (Some(file), Some(first)) = (&self.picture, shown.first()) {
            write_file(file, &Picture { caption: String::new(), ..first.clone() }.svg())?;
        }
        let kind = match (roles.len(), at_once) {
            (0, _) => "not known".to_string(),
            (1, _) => "puzzle".to_string(),
            (n, Some(true)) => format!("{n} roles, moves at once"),
            (n, Some(false)) => format!("{n} roles, one moves at a time"),
            (n, None) => format!("{n} roles"),
        };
        Ok(GameAccount {
            name: game.name().into(),
            roles,
            kind,
            hash: hash(game.rules(), &budget.lasting(self.seconds)).ok(),
            shown,
            sections: vec![],
            done: false,
        })
    }

    /// The roles, the states of a random match, and whether roles move at once in it.
    fn random_match(&self, game: &Game, budget: &Budget) -> Result<ShownMatch, Failure> {
        let mut position = game.position(budget)?;
        let mut random = Random::new(self.seed);
        let (mut shown, mut at_once, mut played) = (Vec::new(), false, String::new());
        loop {
            let mut picture = position.picture(budget)?;
            let over = position.is_terminal();
            picture.caption = caption(shown.len(), &played, &position);
            shown.push(picture);
            let choosing = (0..position.roles().len()).filter(|r| position.legal(*r).len() > 1);
            at_once |= choosing.count() > 1;
            if over || shown.len() >= LONGEST || budget.check().is_err() {
                break;
            }
            let choice = |role: usize| {
                let count = position.legal(role).len();
                position.legal(role).nth(random.below(count.max(1))).map(String::from)
            };
            let moves: Option<Vec<String>> = (0..position.roles().len()).map(choice).collect();
            let Some(moves) = moves else { break };
            played = moves.join("  ");
            let joint: Vec<&str> = moves.iter().map(String::as_str).collect();
            let Ok(next) = position.after(&joint) else { break };
            position = next;
        }
        Ok((position.roles().to_vec(), shown, Some(at_once)))
    }

    /// Writes the page as it is now, so that it is whole at any time.
    fn write(&self, accounts: &[GameAccount]) -> Outcome {
        let draft = self.output.with_extension("part");
        write_file(&draft, &html::page(accounts))?;
        let bad = |e| Failure::unwritable(self.output.display(), e);
        std::fs::rename(&draft, &self.output).map_err(bad)
    }
}

fn caption(number: usize, played: &str, position: &ludex::Position) -> String {
    let goal = |(role, goal): (&String, &Option<i32>)| match goal {
        Some(goal) => format!("{role} {goal}"),
        None => role.clone(),
    };
    let goals: Vec<String> = position.roles().iter().zip(position.goals()).map(goal).collect();
    let end = match position.is_terminal() {
        true => format!(" · over: {}", goals.join(", ")),
        false => String::new(),
    };
    match number {
        0 => format!("the beginning{end}"),
        _ => format!("{number}: {played}{end}"),
    }
}

impl GameAccount {
    fn told(&self, file: &Path, account: ludex_answers::Account) -> ReportFile {
        let stopped: &[&str] = match self.done {
            false => &["sections"],
            true if self.roles.is_empty() => &["roles"],
            true => &[],
        };
        ReportFile {
            game: self.name.clone(),
            file: file.display().to_string(),
            roles: self.roles.clone(),
            kind: Some(self.kind.clone()),
            hash: self.hash.clone(),
            states: self.shown.len(),
            sections: self.sections.iter().map(|s| s.told.clone()).collect(),
            account: account.cut(stopped, Some(ludex_answers::StoppedBy::TimeLimit)),
        }
    }
}
