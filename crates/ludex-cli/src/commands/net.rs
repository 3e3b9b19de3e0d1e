//! `ludex net`: the propositional network of a game.

use crate::{Outcome, Session};
use ludex::ground::Ground;
use ludex::net::Net;
use serde_json::json;
use std::io::Write;

/// Show the propositional network of a game: base, input and view propositions, gates, depth, recursion.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex net tictactoe
  ludex net --json *.kif
  ludex net tictactoe --dot | dot -Tsvg > net.svg")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Print the network in the language of Graphviz.
    #[arg(long)]
    dot: bool,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    args.games.iter().try_for_each(|game| show(args, session, game))
}

fn show(args: &Args, session: &Session, game: &str) -> Outcome {
    let clock = || session.budget.seconds();
    let start = clock();
    let rules = session.load(game)?.rules;
    let read = clock();
    let ground = Ground::new(&rules, &session.budget)?;
    let grounded = clock();
    let net = Net::new(&ground, &session.budget)?;
    let done = clock();
    if args.dot {
        return Ok(write!(session.out(), "{}", net.dot())?);
    }
    let object = json!({
        "game": net.name,
        "bases": net.bases.len(),
        "inputs": net.inputs.len(),
        "views": ground.view_count(),
        "gates": net.gate_count(),
        "depth": net.depth(),
        "recursive_components": net.components.len(),
        "ground_rules": ground.len(),
        "stages": {"read": read - start, "ground": grounded - read, "net": done - grounded},
    });
    if session.json {
        return session.line(&object);
    }
    writeln!(
        session.out(),
        "{}: {} bases, {} inputs, {} views, {} gates, depth {}, {} recursive components \
         ({:.3} s: {:.3} read, {:.3} ground, {:.3} net)",
        net.name,
        net.bases.len(),
        net.inputs.len(),
        ground.view_count(),
        net.gate_count(),
        net.depth(),
        net.components.len(),
        done - start,
        read - start,
        grounded - read,
        done - grounded,
    )?;
    Ok(())
}
