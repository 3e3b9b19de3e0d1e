//! `ludex factor`: the games that a game consists of.

use crate::failure::Failure;
use crate::moves;
use crate::session::SOON;
use crate::{Outcome, Session};
use ludex::Game;
use ludex_answers::{Dependence, FactorEffort, FactorMatches, FactorTheorem, Factors};
use std::io::Write;

/// Find the independent games that a game consists of.
///
/// How they are played, and whether they can be searched separately.
#[derive(clap::Args)]
#[command(after_help = "\
Kinds: synchronous (every step is a step of every factor), by choice (a role chooses where it plays), \
serial (one after the other), per role (each role plays its own), single. Every answer is checked by \
playing the factors side by side with the whole game.

Examples:
  ludex factor doubletictactoe
  ludex factor doubletictactoe --count
  ludex factor twobuttons --theorem
  ludex factor twobuttons --paths '(does player (press a))' '(pressed b)'
  ludex factor joinedtictactoe --moves match.txt
  ludex factor joinedtictactoe --matches 20 --seed 1
  ludex factor --table *.kif")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Factor the game from the position after these joint moves: a file as for `ludex replay`, or joint moves
    /// separated by semicolons.
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Count the leaves of the factors' game trees, and set their sum against their product.
    #[arg(long)]
    count: bool,
    /// With --count, count the leaves of the whole game's tree as well, which may take a long time.
    #[arg(long, requires = "count")]
    whole: bool,
    /// Play this many random matches and tell when the game falls into factors, and into which.
    #[arg(long, value_name = "N", conflicts_with_all = ["moves", "count"])]
    matches: Option<usize>,
    /// Compare the factors with the whole game in this many states, or in all if there are fewer.
    #[arg(long, value_name = "N")]
    states: Option<usize>,
    /// The seed of the random matches.
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    seed: u64,
    /// Check the conditions of Theorem 3.16 of the paper on factoring one by one: independent sets, what no
    /// move changes, legal and goal partitions.
    #[arg(long, conflicts_with_all = ["moves", "count", "matches", "table"])]
    theorem: bool,
    /// Print a directed path from one proposition to another, or that they are disconnected, and the
    /// smallest independent set with the second. A proposition is a fact, (does ROLE MOVE), or the name of a
    /// relation for all its facts.
    #[arg(
        long,
        num_args = 2,
        value_names = ["FROM", "TO"],
        conflicts_with_all = ["moves", "count", "matches", "table", "theorem"]
    )]
    paths: Option<Vec<String>>,
    /// Print a table, one line for each game; with --matches also when it falls into factors.
    #[arg(long, conflicts_with_all = ["moves", "count"])]
    table: bool,
}

/// States in which the factors are compared with the whole game, unless the user says how many.
const STATES: usize = 20_000;

pub fn run(args: &Args, session: &Session) -> Outcome {
    if args.table && !session.json {
        return args.table(session);
    }
    session.answer_each(&args.games, SOON, Factors::unknown, |game| {
        let (game, budget) = (session.load(game)?, session.budget());
        if args.theorem {
            let make = || FactorTheorem::of(&game, session.share(), &budget);
            return session.give(session.kept(&game, "factor theorem", make)?);
        }
        if let Some([from, to]) = args.paths.as_deref() {
            let make = || Dependence::of(&game, from, to, &budget);
            return session.give(session.kept(&game, &format!("factor {from} to {to}"), make)?);
        }
        if let Some(matches) = args.matches {
            return session.give(args.matches(&game, matches, session)?);
        }
        let state = match &args.moves {
            Some(file) => Some(moves::after(&*session.net(&game)?, file)?),
            None => None,
        };
        let (effort, hold) = (args.effort(session), &mut |found| session.hold(found));
        let make = || Factors::of(&game, state.as_deref(), &effort, &budget, hold);
        session.give(session.kept(&game, &args.question(state.as_deref()), make)?)
    })
}

impl Args {
    fn table(&self, session: &Session) -> Outcome {
        let matches = self.matches.map_or("", |_| FactorMatches::HEADER);
        writeln!(session.out(), "game\t{}{matches}", Factors::HEADER)?;
        session.answer_each(&self.games, SOON, Factors::unknown, |game| {
            let (game, budget) = (session.load(game)?, session.budget());
            let effort = self.effort(session);
            let make = || Factors::of(&game, None, &effort, &budget, &mut |_| ());
            let found = session.kept(&game, &self.question(None), make)?;
            let matches = match self.matches {
                Some(matches) => self.matches(&game, matches, session)?.row(),
                None => String::new(),
            };
            session
                .give_as(found, move |found| format!("{}\t{}{matches}\n", found.game, found.row()))
        })
    }

    /// What tells the answer from others about the game.
    fn question(&self, state: Option<&[bool]>) -> String {
        format!("factor {} {:?} {} {state:?}", self.count, self.states, self.whole)
    }

    fn matches(
        &self,
        game: &Game,
        matches: usize,
        session: &Session,
    ) -> Result<FactorMatches, Failure> {
        let (seed, budget) = (self.seed, session.budget());
        let make = || FactorMatches::of(game, matches, seed, session.share(), &budget);
        Ok(session.kept(game, &format!("factor matches {matches} {seed}"), make)?)
    }

    fn effort(&self, session: &Session) -> FactorEffort {
        let seconds = if self.states.is_some() { f64::INFINITY } else { session.trial_seconds() };
        FactorEffort {
            states: self.states.unwrap_or(STATES),
            seconds,
            leaves: self.count,
            whole_leaves: self.whole,
            lemma_seconds: session.share(),
        }
    }
}
