//! `ludex net`: the propositional network of a game.

use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::ground::{Ground, NotGround};
use ludex::net::Net;
use serde_json::json;

/// Show the propositional network of a game: base and input propositions, gates, depth, recursion.
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
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    for game in &args.games {
        let clock = || session.budget.seconds();
        let start = clock();
        let loaded = session.load(game)?;
        let read = clock();
        let ground = Ground::new(&loaded.rules, &session.budget).map_err(failure)?;
        let grounded = clock();
        let net = Net::new(&ground, &session.budget)?;
        let done = clock();
        let gates = net.gates.len() - 1 - net.bases.len() - net.inputs.len();
        session.line(&json!({
            "game": net.name,
            "bases": net.bases.len(),
            "inputs": net.inputs.len(),
            "gates": gates,
            "rules": ground.len(),
            "recursive_components": net.components.len(),
            "stages": {"read": read - start, "ground": grounded - read, "net": done - grounded},
        }))?;
    }
    Ok(())
}

fn failure(why: NotGround) -> Failure {
    match why {
        NotGround::Stopped(stop) => stop.into(),
        other => Failure::Input(other.to_string()),
    }
}
