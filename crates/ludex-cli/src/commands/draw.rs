//! `ludex draw`: the board of a state as a picture, a match as a strip or a page.

use super::replay::read_moves;
use super::symmetry::expressions;
use crate::engine::EngineArg;
use crate::failure::Failure;
use crate::session::SOON;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::Proving;
use ludex::compile::Job;
use ludex::picture::{Picture, Scene, page, strip};
use ludex::reason::{Random, StateMachine, View, canonical, view};
use ludex::rules::Rules;
use ludex_answers::{Account, Drawing, Meter, MoveLine};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Draw the board of a state, or all states of a match.
#[derive(clap::Args)]
#[command(after_help = "\
Rows and columns are the arguments of facts that are proved to be places; where no proof is found in \
time, those that looked like it in random matches, and the answer says so. Games without a board are \
drawn as a table of facts.

Without -o the picture goes to standard output; in a terminal, which shows no pictures, the board is drawn with \
characters. With -o a file that exists is not overwritten unless \
--force is given.

Examples:
  ludex draw chess -o board.svg
  ludex draw reversi --random 7 --steps 20 -o middle.svg
  ludex draw tictactoe --moves match.txt --strip -o match.svg
  ludex draw connectfour --random 1 --page -o match.html
  ludex draw hex --random 3 --text")]
pub struct Args {
    /// A file, the name of a bundled game, or - for standard input.
    game: String,
    /// Draw this state: facts, or a file of facts.
    #[arg(long, value_name = "FACTS", conflicts_with_all = ["moves", "random"])]
    state: Option<String>,
    /// Draw the state after these joint moves: a file as for `ludex replay`.
    #[arg(long, value_name = "FILE", conflicts_with = "random")]
    moves: Option<String>,
    /// Draw the last state of a random match.
    #[arg(long, value_name = "SEED")]
    random: Option<u64>,
    /// End the random match after this many joint moves.
    #[arg(long, value_name = "N", requires = "random", default_value_t = 1000)]
    steps: usize,
    /// Draw all states on the way, side by side.
    #[arg(long)]
    strip: bool,
    /// The number of pictures in a line of the strip.
    #[arg(long, value_name = "N", default_value_t = 5)]
    columns: usize,
    /// Write an HTML page that steps through all states on the way.
    #[arg(long, conflicts_with = "strip")]
    page: bool,
    /// Draw with characters, for the terminal.
    #[arg(long, conflicts_with_all = ["page", "strip"])]
    text: bool,
    /// The file to write.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite the file if it exists.
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    engine: EngineArg,
}

/// A state to draw: what to write above it, and its facts.
struct Shot {
    caption: String,
    facts: Vec<String>,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    if args.game == "-" && args.moves.as_deref() == Some("-") {
        let why = "error: the rules and the moves cannot both come from standard input";
        return Err(Failure::Misuse(why.into()));
    }
    let lines = args.moves.as_deref().map(read_moves).transpose()?;
    args.output.as_deref().map_or(Ok(()), |file| check_free(file, args.force))?;
    session.answer_each(std::slice::from_ref(&args.game), SOON, Drawing::unknown, |game| {
        draw(args, &session.load(game)?, lines.as_deref(), session)
    })
}

fn draw(args: &Args, game: &Game, lines: Option<&[MoveLine]>, session: &Session) -> Outcome {
    let budget = session.budget();
    let meter = Meter::new(game, &budget);
    let mut compiled = args.engine.compile_game(game, session)?;
    let name = compiled.rules.name.clone();
    let shots = match &args.state {
        Some(text) => vec![Shot { caption: name.clone(), facts: state(&compiled.rules, text)? }],
        None => compiled.run(Watch { args, lines, session, name: &name })??,
    };
    let scene = compiled.scene(&session.trial(), Proving(&session.trial()))?;
    budget.check()?;
    let document = args.document(&scene, &shots, (&name, session));
    let drawn = args.drawing(&scene, document, &shots, meter.account())?;
    session.give(Drawing { game: name, ..drawn })
}

impl Args {
    /// The number of states in the picture.
    fn drawn(&self, shots: &[Shot]) -> usize {
        if self.strip || self.page { shots.len() } else { 1 }
    }

    /// Whether the board is drawn with characters: where that is asked for, and in a terminal.
    fn in_characters(&self, session: &Session) -> bool {
        let picture = self.page || self.strip || self.output.is_some() || session.json;
        self.text || !picture && std::io::stdout().is_terminal()
    }

    fn document(&self, scene: &Scene, shots: &[Shot], (name, session): (&str, &Session)) -> String {
        let picture = |shot: &Shot| {
            let mut picture = scene.picture(&shot.facts);
            picture.caption = shot.caption.clone();
            picture
        };
        let last = || picture(shots.last().expect("a state is drawn"));
        let all = || shots.iter().map(picture).collect::<Vec<Picture>>();
        match () {
            _ if self.in_characters(session) => last().to_string(),
            _ if self.page => page(&all(), name),
            _ if self.strip => strip(&all(), self.columns, name),
            _ => last().svg(),
        }
    }

    /// The picture, written to its file if it has one.
    fn drawing(
        &self,
        scene: &Scene,
        document: String,
        shots: &[Shot],
        account: Account,
    ) -> Result<Drawing, Failure> {
        if let Some(file) = &self.output {
            write_file(file, &document)?;
        }
        Ok(Drawing {
            states: Some(self.drawn(shots)),
            boards: scene.picture(&[]).sources,
            has_board: Some(scene.has_board()),
            file: self.output.as_ref().map(|f| f.display().to_string()),
            drawing: self.output.is_none().then_some(document),
            account,
            ..Drawing::default()
        })
    }
}

/// A file that exists is not overwritten unless that is asked for.
pub fn check_free(file: &Path, force: bool) -> Outcome {
    match file.exists() && !force {
        true => {
            let why = format!("{} exists; --force overwrites it", file.display());
            Err(Failure::input("exists", why))
        }
        false => Ok(()),
    }
}

pub fn write_file(file: &Path, text: &str) -> Outcome {
    let bad = |e| Failure::unwritable(file.display(), e);
    std::fs::write(file, text).map_err(bad)
}

/// The facts that a text, or a file of facts, means, in the spelling of the rules.
fn state(rules: &Rules, facts: &str) -> Result<Vec<String>, Failure> {
    let text = std::fs::read_to_string(facts).unwrap_or_else(|_| facts.to_string());
    let mut found = Vec::new();
    for fact in expressions(&text) {
        let fact = canonical(&fact);
        let inner = fact.strip_prefix("(true ").and_then(|f| f.strip_suffix(')'));
        found.push(respell(rules, inner.unwrap_or(&fact))?);
    }
    if found.is_empty() {
        return Err(Failure::input("no-facts", format!("{facts} holds no facts")));
    }
    Ok(found)
}

fn respell(rules: &Rules, fact: &str) -> Result<String, Failure> {
    let mut out = String::new();
    for part in fact.split_inclusive([' ', '(', ')']) {
        let word = part.trim_end_matches([' ', '(', ')']);
        if !word.is_empty() {
            let unknown = || {
                let name = &rules.name;
                Failure::input(
                    "unknown-name",
                    format!("{word} in {fact} is not a name in the rules of {name}"),
                )
            };
            out.push_str(rules.symbols.name(rules.symbols.find(word).ok_or_else(unknown)?));
        }
        out.push_str(&part[word.len()..]);
    }
    Ok(out)
}

/// Plays the match whose states are drawn.
struct Watch<'a> {
    args: &'a Args,
    lines: Option<&'a [MoveLine]>,
    session: &'a Session,
    name: &'a str,
}

impl Job for Watch<'_> {
    type Answer = Result<Vec<Shot>, Failure>;

    fn run<G: StateMachine>(self, game: &mut G) -> Self::Answer {
        let mut random = Random::new(self.args.random.unwrap_or(0));
        let mut state = game.initial();
        let mut shots = Vec::new();
        let mut played = String::new();
        for number in 0.. {
            self.session.budget().check()?;
            let seen = view(game, &state);
            shots.push(Shot {
                caption: self.caption(number, &seen, &played),
                facts: seen.facts.clone(),
            });
            let over = seen.terminal || seen.legal.iter().any(Vec::is_empty);
            let moves = match self.lines {
                Some(lines) => match lines.get(number) {
                    Some(line) => line.joint(&seen)?,
                    None => break,
                },
                None if self.args.random.is_none() || over || number >= self.args.steps => break,
                None => seen.legal.iter().map(|l| l[random.below(l.len())].0).collect(),
            };
            let texts = moves.iter().enumerate().map(|(role, m)| game.move_text(role, *m));
            played = texts.filter(|t| !is_pass(t)).collect::<Vec<_>>().join("  ");
            state = game.next(&state, &moves);
        }
        self.session.budget().check()?;
        Ok(shots)
    }
}

/// Moves of roles that only wait are not worth telling.
fn is_pass(text: &str) -> bool {
    ["noop", "pass", "wait"].iter().any(|w| text.eq_ignore_ascii_case(w))
}

impl Watch<'_> {
    fn caption(&self, number: usize, seen: &View, played: &str) -> String {
        let whole = self.args.strip || self.args.page;
        let end = match seen.terminal {
            false => String::new(),
            true => {
                let goal = |(role, goal): (&String, &Option<i32>)| match goal {
                    Some(goal) => format!("{role} {goal}"),
                    None => role.clone(),
                };
                let goals: Vec<String> = seen.roles.iter().zip(&seen.goals).map(goal).collect();
                format!(" · over: {}", goals.join(", "))
            }
        };
        match (whole, number) {
            (true, 0) => format!("{}{end}", self.name),
            (true, _) => format!("{number}: {played}{end}"),
            (false, 0) => format!("{}{end}", self.name),
            (false, _) => format!("{} after {number} moves{end}", self.name),
        }
    }
}
