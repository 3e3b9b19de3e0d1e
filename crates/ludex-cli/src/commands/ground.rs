//! `ludex ground`: the ground rules of a game.

use crate::session::Plan;
use crate::{Outcome, Session};
use serde_json::json;
use std::io::Write;

/// Instantiate the rules of a game over all that is reachable, and simplify them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex ground tictactoe
  ludex ground blocksworld --print")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Print the ground rules.
    #[arg(long)]
    print: bool,
}

const PLAN: Plan = Plan::soon(&["rules", "literals", "atoms"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.each(&args.games, &PLAN, |game| {
        let game = session.load(game)?;
        let budget = session.budget();
        let start = budget.seconds();
        let ground = game.knowledge().ground(&budget)?;
        let seconds = budget.seconds() - start;
        if args.print {
            return Ok(write!(session.out(), "{ground}")?);
        }
        let object = json!({
            "game": ground.name,
            "rules": ground.len(),
            "literals": ground.rules().map(|(_, body)| body.len()).sum::<usize>(),
            "atoms": ground.atoms.len(),
            "seconds": seconds,
            "stopped": [],
        });
        let text = format!(
            "{}: {} ground rules with {} conditions over {} atoms",
            ground.name, object["rules"], object["literals"], object["atoms"]
        );
        let print = |session: &Session| Ok(writeln!(session.out(), "{text}")?);
        session.tell(&(|| object.clone(), print))
    })
}
