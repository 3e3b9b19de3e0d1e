//! `ludex rulegraph`: the rule graph of a game, for people (Graphviz) and programs (JSON).

use crate::session::Plan;
use crate::{Outcome, Session};
use ludex::rules::{Rel, Rules};
use ludex::symmetry::{Normal, RuleGraph, Style, feeds, normalise};
use serde_json::json;
use std::io::Write;

/// Print the rule graph of a game: its isomorphisms are renamings of the game.
#[derive(clap::Args)]
#[command(after_help = "\
The enhanced rule graph (Schiffel, 2010) joins every rule to its head and body and has a vertex for \
every argument position. The plain one (Genesereth and Thielscher, Definition 14.2) has a vertex for \
every connective. init, base and input are left out, since symmetries hold in every state. The two \
sides of distinct are not ordered, and goal values have labels of their own.

Examples:
  ludex rulegraph buttonsandlights --dot | dot -Tsvg > rules.svg
  ludex rulegraph tictactoe --json --with-init")]
pub struct Args {
    /// A file, the name of a bundled game, or - for standard input.
    game: String,
    /// Print Graphviz text; this is also what is printed without --json.
    #[arg(long)]
    dot: bool,
    /// Follow Definition 14.2 instead of the enhanced rule graph.
    #[arg(long)]
    plain: bool,
    /// Keep the rules of init.
    #[arg(long)]
    with_init: bool,
    /// Bring the rules into normal form first.
    #[arg(long)]
    normal: bool,
}

const PLAN: Plan = Plan::soon(&["style", "vertices", "edges"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.each(std::slice::from_ref(&args.game), &PLAN, |game| show(args, game, session))
}

fn show(args: &Args, game: &str, session: &Session) -> Outcome {
    let rules = session.load_part(game)?;
    let normal = args.rules(&rules, session)?;
    let fixed = feeds::constants(&normal.with_sources(), Rel::GOAL, 1);
    let style = if args.plain { Style::Plain } else { Style::Enhanced };
    let graph = RuleGraph::new(&normal.rules, style, &fixed);
    if !session.json || args.dot {
        return Ok(write!(session.out(), "{graph}")?);
    }
    let vertices: Vec<_> = graph
        .vertices
        .iter()
        .enumerate()
        .map(|(i, v)| json!({"id": i, "label": v.label.to_string(), "name": v.name}))
        .collect();
    let style = if args.plain { "plain" } else { "enhanced" };
    session.line(&json!({
        "game": rules.name,
        "style": style,
        "vertices": vertices,
        "edges": graph.arcs,
    }))
}

impl Args {
    fn rules(&self, rules: &Rules, session: &Session) -> Result<Normal, ludex::budget::Stop> {
        let mut roots = vec![Rel::ROLE, Rel::LEGAL, Rel::NEXT, Rel::TERMINAL, Rel::GOAL];
        if self.with_init {
            roots.push(Rel::INIT);
        }
        if self.normal {
            return normalise(rules, &roots, &session.budget());
        }
        let mut normal = Normal::as_written(rules.clone());
        let left_out =
            |rel: Rel| matches!(rel, Rel::INIT | Rel::BASE | Rel::INPUT) && !roots.contains(&rel);
        normal.rules.rules.retain(|r| !left_out(r.head.rel));
        Ok(normal)
    }
}
