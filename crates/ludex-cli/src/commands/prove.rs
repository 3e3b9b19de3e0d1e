//! `ludex prove`: what holds in every reachable state of a game, found by itself or as asked.

use super::draw::{check_free, write_file};
use crate::failure::Failure;
use crate::session::SOON;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::facts::certificate::Certificate;
use ludex::facts::decide::Effort;
use ludex::facts::property::Property;
use ludex_answers::{Proved, Status};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Prove what holds in every reachable state: found automatically, or a PROPERTY.
#[derive(clap::Args)]
#[command(after_help = "\
PROPERTY is a formula in GDL over true, legal, goal, terminal, role, distinct and the relations of the \
game, in prefix form or infix: it must hold in every reachable state. With does or next in it, it must \
hold for every legal joint move in every reachable state that is not terminal. Connectives are and, or, \
not; (<= head conditions) says that the head holds wherever the conditions do. A variable stands for \
every value; it needs a condition that gives its values where the property could fail.

A certificate has the net and what is proved of it, for a checker of another make (docs/certificates.md).

Exit code 1: the property is refuted, and the moves that lead to where it fails are printed.

Examples:
  ludex prove tictactoe
  ludex prove tictactoe '(not (and (true (cell ?x ?y x)) (true (cell ?x ?y o))))'
  ludex prove tictactoe '(<= (true (cell ?x ?y b)) (legal ?r (mark ?x ?y)))'
  ludex prove tictactoe 'next(cell(X,Y,x)) :- does(white, mark(X,Y))'
  ludex prove tictactoe --certificate tictactoe.aag")]
pub struct Args {
    /// A file, the name of a bundled game, or - for standard input.
    #[arg(value_name = "GAME")]
    game: String,
    /// What to decide; without it everything that can be found is printed.
    #[arg(value_name = "PROPERTY")]
    property: Option<String>,
    /// The longest induction to try.
    #[arg(long, value_name = "K", default_value_t = Effort::default().steps)]
    steps: usize,
    /// How many states to visit where induction fails.
    #[arg(long, value_name = "N", default_value_t = Effort::default().states)]
    states: usize,
    /// Write what is proved as a certificate that `ludex-checker` checks, into this file.
    #[arg(long, value_name = "FILE", conflicts_with = "property")]
    certificate: Option<PathBuf>,
    /// Overwrite the file if it exists.
    #[arg(long, requires = "certificate")]
    force: bool,
}

/// What tells all that is proved from other answers about the game.
pub const QUESTION: &str = "prove";

pub fn run(args: &Args, session: &Session) -> Outcome {
    if let Some(file) = &args.certificate {
        check_free(file, args.force)?;
    }
    session.answer_each(std::slice::from_ref(&args.game), SOON, Proved::unknown, |game| {
        let game = session.load(game)?;
        match &args.property {
            Some(text) => args.decide(text, &game, session),
            None => {
                let hold = &mut |found| session.hold(found);
                let mut make = || Proved::of(&game, &session.budget(), hold);
                let told = match &args.certificate {
                    // The proofs are needed, not only the answer.
                    Some(_) => make()?,
                    None => session.kept(&game, QUESTION, make)?,
                };
                if let Some(file) = &args.certificate {
                    certify(&game, file, session)?;
                }
                session.give(told)
            }
        }
    })
}

/// Writes what is proved of a game.
fn certify(game: &Game, file: &Path, session: &Session) -> Outcome {
    let found = game.knowledge().invariants_in(&session.budget(), 0.0, &mut |_| ())?;
    let Some(certificate) = Certificate::of(&found) else {
        let why =
            format!("{}: no certificate: the rules have loops, which AIGER has not", game.name());
        return Err(Failure::input("no-certificate", why));
    };
    write_file(file, &certificate.text)?;
    let Certificate { facts, left_out, .. } = certificate;
    let rest = if left_out > 0 { format!(", {left_out} left out") } else { String::new() };
    Ok(writeln!(anstream::stderr(), "{}: {facts} facts certified{rest}", file.display())?)
}

impl Args {
    fn decide(&self, text: &str, game: &Game, session: &Session) -> Outcome {
        let property =
            Property::read(text, game.rules()).map_err(|told| Failure::faulty(&told.1, &told.0))?;
        let lemma_seconds = session.share();
        let effort = Effort { steps: self.steps.max(1), states: self.states, lemma_seconds };
        let hold = &mut |found| session.hold(found);
        let question = format!("prove {} {} {}", property.text, effort.steps, effort.states);
        let make = || Proved::decide(game, &property, effort, &session.budget(), hold);
        let found = session.kept(game, &question, make)?;
        let refuted = found.facts.iter().any(|fact| fact.status == Status::Refuted);
        session.give(found)?;
        if refuted { Err(Failure::Refuted) } else { Ok(()) }
    }
}
