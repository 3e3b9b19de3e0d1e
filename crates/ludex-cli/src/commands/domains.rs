//! `ludex domains`: what the arguments of predicates and functions can be.

use crate::failure::Failure;
use crate::session::{AllOrPart, SOON};
use crate::{Outcome, Session};
use ludex::domains::DomainGraph;
use ludex::rules::Rules;
use ludex_answers::{DomainCounts, DomainGraphText, InstanceLists};
use std::io::Write;

/// Show which values the arguments of every relation and function can have.
///
/// With the number of instances: by the domain graph, after its reduction, and reachable from the
/// initial state.
#[derive(clap::Args)]
#[command(after_help = "\
A few clauses that are not a whole game have domains, too.

Examples:
  ludex domains tictactoe
  ludex domains tictactoe --graph
  ludex domains tictactoe --dot | dot -Tsvg > domains.svg
  ludex domains blocksworld --reduce")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Print the vertices and edges of the domain graph.
    #[arg(long, group = "what")]
    graph: bool,
    /// Print the domain graph in the language of Graphviz.
    #[arg(long, group = "what")]
    dot: bool,
    /// Print the instances that the reduction leaves.
    #[arg(long, group = "what")]
    reduce: bool,
    /// Print the instances that are reachable.
    #[arg(long, group = "what")]
    reachable: bool,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.answer_each(&args.games, SOON, DomainCounts::unknown, |name| {
        let budget = session.budget();
        let game = match session.load_all_or_part(name)? {
            AllOrPart::All(game) => game,
            AllOrPart::Part(rules) => return args.part(&rules, session),
        };
        match () {
            _ if args.graph => session.give(DomainGraphText::of(&game, &budget)),
            _ if args.dot => draw(game.rules(), session),
            _ if args.reduce => {
                let make = || InstanceLists::reduced(&game, &budget);
                session.give(session.kept(&game, "domains reduce", make)?)
            }
            _ if args.reachable => {
                let make = || InstanceLists::reachable(&game, &budget);
                session.give(session.kept(&game, "domains reachable", make)?)
            }
            _ => {
                let hold = &mut |found| session.hold(found);
                let make = || Ok::<_, Failure>(DomainCounts::of(&game, &budget, hold));
                session.give(session.kept(&game, "domains", make)?)
            }
        }
    })
}

impl Args {
    fn part(&self, rules: &Rules, session: &Session) -> Outcome {
        let budget = session.budget();
        match () {
            _ if self.graph => session.give(DomainGraphText::of_part(rules, &budget)),
            _ if self.dot => draw(rules, session),
            _ if self.reduce => session.give(InstanceLists::reduced_part(rules, &budget)?),
            _ if self.reachable => Err(Failure::input(
                "part-of-a-game",
                "what is reachable is a question about a whole game",
            )),
            _ => {
                let hold = &mut |found| session.hold(found);
                session.give(DomainCounts::of_part(rules, &budget, hold))
            }
        }
    }
}

fn draw(rules: &Rules, session: &Session) -> Outcome {
    Ok(write!(session.out(), "{}", DomainGraph::new(rules).dot(rules))?)
}
