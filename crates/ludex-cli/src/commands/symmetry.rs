//! `ludex symmetry`: the symmetries of a game, found in its rules and in its net.

use super::draw::{check_free, write_file};
use crate::failure::Failure;
use crate::moves;
use crate::session::SOON;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::Proving;
use ludex::net::Net;
use ludex::picture::strip;
use ludex::reason::canonical;
use ludex::symmetry::OfNet;
use ludex_answers::{NetPart, Symmetries, SymmetriesAt, SymmetryEffort};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Find the symmetries of a game: generators and order of the group.
///
/// Those of its rules and those of its net.
#[derive(clap::Args)]
#[command(after_help = "\
The rules give maps of names and argument positions (the rule graph). The net, the ground game, gives \
maps of facts and moves; it also shows what the text of the rules hides. What the words do not name \
stays as it is, and they say how much they leave out. With --json a generator of the net has its \
whole map of roles, facts and moves (of large games: of those that move).

Examples:
  ludex symmetry tictactoe
  ludex symmetry tictactoe --fix-roles --json
  ludex symmetry tictactoe --svg symmetries.svg
  ludex symmetry tictactoe --moves match.txt
  ludex symmetry --table *.kif
  ludex symmetry buttonsandlights --state '(on 1)'")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Only symmetries that fix every role (symmetries of states).
    #[arg(long)]
    fix_roles: bool,
    /// Only symmetries of the initial state.
    #[arg(long)]
    with_init: bool,
    /// Look at the rules only.
    #[arg(long)]
    rules_only: bool,
    /// Show the symmetries of one position and its classes of symmetric joint moves: facts, or a
    /// file of facts.
    #[arg(long, value_name = "FACTS", conflicts_with = "moves")]
    state: Option<String>,
    /// The same for the position after these joint moves: a file as for `ludex replay`, or joint moves
    /// separated by semicolons.
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Draw the generators of the net on the board, into this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["state", "moves", "rules_only"])]
    svg: Option<PathBuf>,
    /// Overwrite the file if it exists.
    #[arg(long, requires = "svg")]
    force: bool,
    /// Print a table of orders, one line for each game.
    #[arg(long, conflicts_with_all = ["svg", "state", "moves"])]
    table: bool,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    if let Some(file) = &args.svg {
        if args.games.len() > 1 {
            return Err(Failure::Misuse("error: --svg draws one game".into()));
        }
        check_free(file, args.force)?;
    }
    let table = args.table && !session.json;
    if table {
        writeln!(session.out(), "{}", Symmetries::HEADER)?;
    }
    session.answer_each(&args.games, SOON, Symmetries::unknown, |game| {
        let (game, budget) = (session.load(game)?, session.budget());
        if args.state.is_some() || args.moves.is_some() {
            return args.position(&game, session);
        }
        let (hold, effort) = (&mut |found| session.hold(found), args.effort(session));
        let mut found = None;
        let mut make = || {
            let (told, net) = Symmetries::of(&game, effort, &budget, hold)?;
            found = net;
            Ok::<_, Failure>(told)
        };
        let told = match args.svg {
            // A picture needs more than the answer.
            Some(_) => make()?,
            None => session.kept(&game, &question(&effort), make)?,
        };
        let failed = match &told.net {
            Some(NetPart::Failed { error }) => error.clone(),
            _ => String::new(),
        };
        let given = match table {
            true => session.give_as(told, |told| format!("{}\n", told.row())),
            false => session.give(told),
        };
        match (&args.svg, &found) {
            (Some(file), Some((net, _))) => draw(&game, net, file, session)?,
            (Some(_), None) => {
                return Err(Failure::TooLarge(format!("nothing was drawn: {failed}")));
            }
            _ => {}
        }
        given
    })
}

/// What tells the answer from others about the game.
pub fn question(effort: &SymmetryEffort) -> String {
    let SymmetryEffort { fix_roles, with_init, rules_only, .. } = effort;
    format!("symmetry {fix_roles} {with_init} {rules_only}")
}

impl Args {
    fn effort(&self, session: &Session) -> SymmetryEffort {
        SymmetryEffort {
            fix_roles: self.fix_roles,
            with_init: self.with_init,
            rules_only: self.rules_only,
            trial_seconds: session.trial_seconds(),
            net_seconds: session.share(),
        }
    }

    fn position(&self, game: &Game, session: &Session) -> Outcome {
        let net = session.net(game)?;
        let state = match (&self.state, &self.moves) {
            (Some(facts), _) => state_of(&net, facts)?,
            (None, Some(file)) => moves::after(&net, file)?,
            (None, None) => unreachable!("one of them is given"),
        };
        let make = || SymmetriesAt::of(game, &net, &state, &session.budget());
        session.give(session.kept(game, &format!("symmetry {state:?}"), make)?)
    }
}

/// The generators on the board, one picture each.
fn draw(game: &Game, found: &OfNet, file: &Path, session: &Session) -> Outcome {
    let name = game.name();
    let mut compiled = session.compile(game.knowledge(), None)?;
    let scene = compiled.scene(&session.trial(), Proving(&session.trial()))?;
    let Some(net) = compiled.net.as_ref() else {
        return Err(Failure::input("no-network", "the game was not ground again in time"));
    };
    let mut pictures = Vec::new();
    for (table, description) in found.generators.iter().zip(&found.descriptions) {
        let pair = |(b, to): (usize, &u32)| {
            (net.bases[b].name.clone(), net.bases[*to as usize].name.clone())
        };
        let pairs: Vec<(String, String)> = table.bases.iter().enumerate().map(pair).collect();
        if let Some(mut picture) = scene.map(&pairs) {
            picture.caption = description.to_string();
            pictures.push(picture);
        }
    }
    if pictures.is_empty() {
        let what =
            if scene.has_board() { "none of them moves a place" } else { "no board was found" };
        return Err(Failure::input("nothing-to-draw", format!("nothing to draw: {what}")));
    }
    let columns = (1..).find(|n| n * n >= pictures.len()).expect("some square is large enough");
    write_file(file, &strip(&pictures, columns, &format!("symmetries of {name}")))?;
    let number = pictures.len();
    let told =
        format!("{}: {number} of {} generators drawn", file.display(), found.generators.len());
    if session.json {
        Ok(writeln!(anstream::stderr(), "{told}")?)
    } else {
        Ok(writeln!(session.out(), "{told}")?)
    }
}

/// The state that a text of facts, or a file of facts, means.
fn state_of(net: &Net, facts: &str) -> Result<Vec<bool>, Failure> {
    let text = std::fs::read_to_string(facts).unwrap_or_else(|_| facts.to_string());
    let plain = |fact: &String| {
        let fact = canonical(fact);
        let inner = fact.strip_prefix("(true ").and_then(|f| f.strip_suffix(')'));
        inner.map(String::from).unwrap_or(fact)
    };
    let facts: Vec<String> = expressions(&text).iter().map(plain).collect();
    net.state_of(&facts).map_err(|why| Failure::input("no-fact", format!("{why} in {}", net.name)))
}

/// The top-level expressions of a text in either syntax.
pub fn expressions(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (mut depth, mut ended) = (0usize, true);
    for c in text.chars() {
        if depth == 0 && (c.is_whitespace() || c == ',') {
            ended = true;
            continue;
        }
        if std::mem::replace(&mut ended, false) {
            found.push(String::new());
        }
        found.last_mut().expect("begun").push(c);
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                ended = depth == 0;
            }
            _ => {}
        }
    }
    found
}
