//! `ludex replay`: plays joint moves from a file and shows every state on the way.

use crate::engine::EngineArg;
use crate::failure::Failure;
use crate::session::Plan;
use crate::{Outcome, Session};
use ludex::compile::Job;
use ludex::reason::{Move, StateMachine, View, find_move, view};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Play the joint moves of a file and show every state: facts, legal moves, terminal, goals.
#[derive(clap::Args)]
#[command(after_help = "\
The file has one joint move on a line: a move for each role, in the order of the roles, with tabs \
between them. Empty lines are skipped.

With --json each state is one object on a line. Facts and moves are then in canonical text (one \
S-expression, lower case, single spaces); a digest is the first 16 hexadecimal digits of the SHA-256 \
of the sorted lines.

Examples:
  ludex replay tictactoe --moves match.txt
  printf '(mark 2 2)\\tnoop\\n' | ludex replay tictactoe --moves - --json")]
pub struct Args {
    /// A file, the name of a bundled game, or - for standard input.
    game: String,
    /// The file with the joint moves, or - for standard input.
    #[arg(long, value_name = "FILE")]
    moves: String,
    #[command(flatten)]
    engine: EngineArg,
}

const PLAN: Plan = Plan::long(&["state_digest", "n_facts", "legal", "joint", "terminal"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    if args.game == "-" && args.moves == "-" {
        let why = "error: the rules and the moves cannot both come from standard input";
        return Err(Failure::Misuse(why.into()));
    }
    let lines = read_moves(&args.moves)?;
    session.each(std::slice::from_ref(&args.game), &PLAN, |game| {
        let mut compiled = args.engine.compile(game, session)?;
        compiled.run(Replay { lines: &lines, session })?
    })
}

/// A line of the file, with its place for messages.
pub struct Line {
    place: String,
    moves: Vec<String>,
}

pub fn read_moves(file: &str) -> Result<Vec<Line>, Failure> {
    let text = match file {
        "-" => std::io::read_to_string(std::io::stdin()),
        file => std::fs::read_to_string(file),
    };
    let text = text.map_err(|e| Failure::Input(format!("error: {file} cannot be read: {e}")))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let line = |(i, line): (usize, &str)| Line {
        place: format!("{file}:{}", i + 1),
        moves: line.split('\t').map(|m| m.trim().to_string()).collect(),
    };
    Ok(lines.map(line).collect())
}

struct Replay<'a> {
    lines: &'a [Line],
    session: &'a Session,
}

impl Job for Replay<'_> {
    type Answer = Outcome;

    fn run<G: StateMachine>(self, game: &mut G) -> Outcome {
        let mut state = game.initial();
        for (number, line) in self.lines.iter().enumerate() {
            let seen = view(game, &state);
            self.session.budget().check()?;
            match joint(&seen, line) {
                Ok(moves) => {
                    self.show(number, &seen, Some(&moves))?;
                    state = game.next(&state, &moves);
                }
                // The state explains the message.
                Err(failure) => {
                    self.show(number, &seen, None)?;
                    return Err(failure);
                }
            }
        }
        let last = view(game, &state);
        self.session.budget().check()?;
        self.show(self.lines.len(), &last, None)
    }
}

/// The legal moves that a line means, or what is wrong with it.
pub fn joint(seen: &View, line: &Line) -> Result<Vec<Move>, Failure> {
    let bad = |message: String| Failure::Input(format!("{}: error: {message}", line.place));
    if seen.terminal {
        return Err(bad("the match is over, the state is terminal; take this line out".into()));
    }
    let (given, roles) = (line.moves.len(), seen.roles.len());
    if given != roles {
        let names = seen.roles.join(", ");
        return Err(bad(format!(
            "{given} moves for the {roles} roles {names}; write one for each, with tabs between"
        )));
    }
    let each = line.moves.iter().zip(&seen.legal).zip(&seen.roles);
    each.map(|((text, legal), role)| {
        let names = || legal.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" ");
        let illegal = || format!("`{text}` is not a legal move of {role}; legal are: {}", names());
        find_move(legal, text).ok_or_else(|| bad(illegal()))
    })
    .collect()
}

impl Replay<'_> {
    /// The last state is shown without a joint move and with its goals.
    fn show(&self, number: usize, seen: &View, joint: Option<&[Move]>) -> Outcome {
        let joint = joint.map(|moves| {
            let texts = moves.iter().zip(&seen.legal).map(|(m, legal)| text_of(legal, *m));
            texts.collect::<Vec<_>>()
        });
        match self.session.json {
            true => self.session.line(&object(seen, joint)),
            false => self.print(number, seen, joint),
        }
    }

    fn print(&self, number: usize, seen: &View, joint: Option<Vec<&str>>) -> Outcome {
        let mut out = self.session.out();
        let end = if seen.terminal { ", terminal" } else { "" };
        writeln!(out, "state {number}: {} facts{end}", seen.facts.len())?;
        seen.facts.iter().try_for_each(|fact| writeln!(out, "  {fact}"))?;
        for (role, legal) in seen.roles.iter().zip(&seen.legal) {
            let names: Vec<&str> = legal.iter().map(|(_, name)| name.as_str()).collect();
            writeln!(out, "legal for {role}: {}", names.join(" "))?;
        }
        for (role, goal) in seen.roles.iter().zip(&seen.goals) {
            match goal {
                Some(goal) => writeln!(out, "goal of {role}: {goal}")?,
                None => writeln!(out, "goal of {role}: not exactly one value")?,
            }
        }
        if let Some(joint) = joint {
            writeln!(out, "played: {}\n", joint.join("  "))?;
        }
        Ok(())
    }
}

fn text_of(legal: &[(Move, String)], wanted: Move) -> &str {
    let found = legal.iter().find(|(m, _)| *m == wanted);
    &found.expect("a move of the list").1
}

fn object(seen: &View, joint: Option<Vec<&str>>) -> Value {
    let counts = seen.roles.iter().zip(&seen.legal);
    let legal = counts.map(|(role, legal)| (role.to_lowercase(), json!(legal.len())));
    let last = joint.is_none();
    let joint = joint.map(|joint| joint.iter().map(|m| m.to_lowercase()).collect::<Vec<_>>());
    let mut object = json!({
        "state_digest": seen.state_digest(),
        "n_facts": seen.facts.len(),
        "legal": legal.collect::<Map<_, _>>(),
        "legal_digest": seen.legal_digest(),
        "joint": joint,
        "terminal": seen.terminal,
    });
    if last {
        object["goals"] = json!(seen.goals);
    }
    object
}
