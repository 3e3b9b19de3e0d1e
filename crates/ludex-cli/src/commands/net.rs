//! `ludex net`: the propositional network of a game.

use crate::session::{Answer, Plan, STOPPED};
use crate::{Outcome, Session};
use ludex::ground::Ground;
use ludex::net::Net;
use serde_json::{Value, json};
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

const PLAN: Plan = Plan::soon(&[
    "bases",
    "inputs",
    "views",
    "gates",
    "depth",
    "recursive_components",
    "ground_rules",
    "stages",
]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.each(&args.games, &PLAN, |game| show(args, session, game))
}

fn show(args: &Args, session: &Session, game: &str) -> Outcome {
    let budget = session.budget();
    let mut clock = vec![budget.seconds()];
    let game = session.load(game)?;
    clock.push(budget.seconds());
    let ground = game.knowledge().ground(&budget)?;
    clock.push(budget.seconds());
    session.draft(&Counted { ground: &ground, net: None, clock: clock.clone() })?;
    let net = game.knowledge().net(&budget)?;
    clock.push(budget.seconds());
    if args.dot {
        return Ok(write!(session.out(), "{}", net.dot())?);
    }
    session.tell(&Counted { ground: &ground, net: Some(&net), clock })
}

struct Counted<'a> {
    ground: &'a Ground,
    /// None while it is being made.
    net: Option<&'a Net>,
    /// The moments at which the stages began and ended.
    clock: Vec<f64>,
}

impl Counted<'_> {
    fn seconds(&self, stage: usize) -> Option<f64> {
        Some(self.clock.get(stage + 1)? - self.clock[stage])
    }
}

impl Answer for Counted<'_> {
    fn object(&self) -> Value {
        let Counted { ground, net, .. } = self;
        let missing = ["bases", "inputs", "gates", "depth", "recursive_components"];
        json!({
            "game": ground.name,
            "bases": net.map(|n| n.bases.len()),
            "inputs": net.map(|n| n.inputs.len()),
            "views": ground.view_count(),
            "gates": net.map(|n| n.gate_count()),
            "depth": net.map(|n| n.depth()),
            "recursive_components": net.map(|n| n.components.len()),
            "ground_rules": ground.len(),
            "stages": {"read": self.seconds(0), "ground": self.seconds(1), "net": self.seconds(2)},
            "stopped": if net.is_none() { missing.to_vec() } else { vec![] },
        })
    }

    fn print(&self, session: &Session) -> Outcome {
        let Counted { ground, net, clock } = self;
        let Some(net) = net else {
            let (name, rules, views) = (&ground.name, ground.len(), ground.view_count());
            let line = format!("{name}: {rules} ground rules, {views} views; net {STOPPED}");
            return Ok(writeln!(session.out(), "{line}")?);
        };
        let stages: Vec<f64> = clock.windows(2).map(|w| w[1] - w[0]).collect();
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
            clock[3] - clock[0],
            stages[0],
            stages[1],
            stages[2],
        )?;
        Ok(())
    }
}
