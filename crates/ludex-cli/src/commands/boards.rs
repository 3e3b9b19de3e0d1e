//! `ludex boards`: the boards of a game, from invariant projections.

mod clingo;
pub mod lattice;

use crate::failure::Failure;
use crate::moves::JointMoves;
use crate::output::write_new;
use crate::session::SOON;
use crate::{Outcome, Session};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ludex::facts::boards::{Verify, program};
use ludex::{Game, Position};
use ludex_answers::{BoardSubject, Boards, BoardsInMatch, OneProjection, ProjectionAt, Status};
use std::io::Write;

/// Find the boards of a game: arguments of facts that are places of a board.
#[derive(clap::Args)]
#[command(after_help = "\
The projection <r,{1,2}> of a relation r on its arguments 1 and 2 is invariant if it gives the same set \
in every reachable state; maximal ones are boards. A partial board has at most one fact for each place. \
What is only seen in samples is marked so.

--verify literal is the paper's program as printed (any state, at most one action a role), exact has \
exactly one action a role, lemmas (the default) adds all that was proved of the game before.

Examples:
  ludex boards tictactoe
  ludex boards connectfour --all
  ludex boards tictactoe --verify literal --json
  ludex boards tictactoe --projection 'cell{1,3}' --tuples
  ludex boards tictactoe --project 'cell{1,3}' --moves '(mark 2 2); (mark 1 3)'
  ludex boards tictactoe --projection 'cell{1,2}' --asp | clingo
  ludex boards tictactoe --match
  ludex boards eightpuzzle --svg lattice.svg")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(value_name = "GAME", required = true)]
    games: Vec<String>,
    /// How a projection is verified; the default is with lemmas (--asp writes the literal program).
    #[arg(long, value_name = "HOW", value_parser = verify_parser())]
    verify: Option<Verify>,
    /// Show every projection that was verified and what came out.
    #[arg(long)]
    all: bool,
    /// Only this projection, such as 'cell{1,2}'.
    #[arg(long, visible_alias = "project", value_name = "PROJECTION")]
    projection: Option<String>,
    /// Print the tuples that the projection gives in the first position.
    #[arg(long, requires = "projection")]
    tuples: bool,
    /// The same in the position after these joint moves: a file as for `ludex replay`, or joint moves separated
    /// by semicolons.
    #[arg(long, value_name = "MOVES", requires = "projection")]
    moves: Option<String>,
    /// Print the program of the paper's Figure 4 for the projection.
    #[arg(long, requires = "projection")]
    asp: bool,
    /// Verify with this program instead of the solver that is built in.
    #[arg(long, value_name = "SOLVER", value_parser = ["clingo"])]
    solver: Option<String>,
    /// Let players search a match, and tell which state of their searches refuted which projection.
    #[arg(long = "match", conflicts_with_all = ["projection", "verify", "solver", "all"])]
    in_match: bool,
    /// With --match, iterations of a player's search a move.
    #[arg(long, value_name = "N", default_value_t = 100, requires = "in_match")]
    iterations: u64,
    /// Draw the lattice of the projections of every relation into this file, which must not exist yet.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["projection", "in_match"])]
    svg: Option<String>,
}

/// Moves of a match that players search.
const LONGEST_MATCH: usize = 200;

/// What tells the answer from others about the game.
pub fn question(verify: Verify) -> String {
    format!("boards {verify}")
}

fn verify_parser() -> impl TypedValueParser<Value = Verify> {
    let values = PossibleValuesParser::new(["literal", "exact", "lemmas"]);
    values.map(|name| name.parse().expect("a name of the list"))
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.answer_each(&args.games, SOON, Boards::unknown, |game| {
        let game = session.load(game)?;
        if args.in_match {
            let thinking = (args.iterations, LONGEST_MATCH);
            let make = || BoardsInMatch::of(&game, thinking, &session.budget());
            return session.give(session.kept(&game, &format!("boards {thinking:?}"), make)?);
        }
        match &args.projection {
            Some(projection) => args.one(projection, &game, session),
            None => {
                let found = args.boards(&game, session)?;
                if let Some(file) = &args.svg {
                    write_new(file, &lattice::lattices(&found))?;
                }
                let all = args.all;
                session.give_as(found, move |found| shown(found, all))
            }
        }
    })
}

impl Args {
    fn verify(&self) -> Verify {
        self.verify.unwrap_or(Verify::Lemmas)
    }

    fn boards(&self, game: &Game, session: &Session) -> Result<Boards, Failure> {
        let (budget, all) = (session.budget(), self.all);
        if self.solver.is_some() {
            let subject = BoardSubject::new(game, &budget)?;
            return clingo::boards(&subject, self.verify(), session);
        }
        let hold = &mut |found| session.hold_as(found, move |found| shown(found, all));
        let make = || Boards::of(game, self.verify(), session.share(), &budget, hold);
        Ok(session.kept(game, &question(self.verify()), make)?)
    }

    /// One projection: its program, or what is found out about it.
    fn one(&self, text: &str, game: &Game, session: &Session) -> Outcome {
        let budget = session.budget();
        let subject = BoardSubject::new(game, &budget)?;
        let (relation, arity, places) = subject.projection(text)?;
        if self.tuples || self.moves.is_some() {
            let position = self.position(game, session)?;
            return session.give(ProjectionAt::of(&position, &relation, &places, &budget)?);
        }
        if self.asp {
            let verify = self.verify.unwrap_or(Verify::Literal);
            let lemmas = subject.lemmas(verify)?;
            let assumed = clingo::assumed(verify, lemmas.as_deref());
            let BoardSubject { net, bases, .. } = &subject;
            let of = (relation.as_str(), arity);
            let text = program(game.rules(), net, bases, of, &places, assumed);
            return Ok(write!(session.out(), "{text}")?);
        }
        let found = OneProjection::of(&self.boards(game, session)?, &relation, &places);
        let refuted = found.status == Status::Refuted;
        session.give(found)?;
        if refuted { Err(Failure::Refuted) } else { Ok(()) }
    }
}

impl Args {
    /// The position whose tuples are asked for.
    fn position(&self, game: &Game, session: &Session) -> Result<Position, Failure> {
        let first = game.position(&session.budget())?;
        let Some(moves) = &self.moves else { return Ok(first) };
        let given = JointMoves::read(moves)?;
        given.iter().try_fold(first, |position, (i, joint)| {
            let moves: Vec<&str> = joint.split('\t').collect();
            position.after(&moves).map_err(|why| given.fault(i, why.to_string()))
        })
    }
}

/// The text for people; with all projections if they are asked for.
fn shown(found: &Boards, all: bool) -> String {
    let projections = if all { found.projections() } else { String::new() };
    format!("{}{projections}{}", found.head(), found.rest())
}
