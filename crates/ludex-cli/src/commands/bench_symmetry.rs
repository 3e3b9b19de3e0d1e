//! `ludex bench-symmetry`: what symmetries save a search, game by game.

mod chart;

use crate::failure::Failure;
use crate::session::Plan;
use crate::{Outcome, Session};
use ludex::search::solve::{Cost, Savings, Subject};
use serde_json::json;
use std::io::Write;

/// Measure what symmetries save: a blind search of all states to a depth, with a transposition table.
///
/// As in Figure 1 of Schiffel, "Symmetry Detection in General Game Playing": normal search, search that tries
/// one of symmetric moves, and search that recognises symmetric states; states expanded and CPU seconds.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex bench-symmetry tictactoe connectfour lightsout
  ludex bench-symmetry tictactoe --depth 5 --json
  ludex bench-symmetry tictactoe hex3 --svg savings.svg")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Search to this depth; without it to the first at which more than --states are expanded.
    #[arg(long, value_name = "D")]
    depth: Option<usize>,
    /// See --depth.
    #[arg(long, default_value_t = 100_000, value_name = "N")]
    states: u64,
    /// Draw the savings as a bar chart into this file, which must not exist yet.
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
}

const TABLE: usize = 1 << 30;

const PLAN: Plan = Plan::long(&["depth", "whole", "order", "normal", "moves", "states"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    let mut rows: Vec<(String, Savings)> = Vec::new();
    let ended = session.each(&args.games, &PLAN, |game| {
        let game = session.load(game)?;
        let net = session.net(&game)?;
        let state = net.bases.iter().map(|b| b.initial).collect();
        let subject = Subject { knowledge: game.knowledge().clone(), net, state };
        let bytes = session.memory_limit().map_or(TABLE, |m| m as usize / 2);
        let found = Savings::measure(&subject, args.depth, args.states, bytes, &session.budget())?;
        if session.json {
            session.line(&object(game.name(), &found))?;
        }
        rows.push((game.name().into(), found));
        if session.json { Ok(()) } else { session.add_row(|| print(&rows, session)) }
    });
    if let Some(file) = &args.svg {
        let picture = chart::chart(&rows);
        let made =
            std::fs::File::create_new(file).and_then(|mut f| f.write_all(picture.as_bytes()));
        made.map_err(|e| Failure::Input(format!("error: {file} cannot be written: {e}")))?;
    }
    ended
}

fn object(name: &str, found: &Savings) -> serde_json::Value {
    let cost = |c: &Cost| {
        let (states, seconds) = c.saved(&found.normal);
        json!({"states": c.states, "cpu_seconds": c.seconds, "saved_states": states,
            "saved_time": seconds})
    };
    json!({
        "game": name,
        "depth": found.depth,
        "whole": found.whole,
        "order": found.order.to_string(),
        "finding_seconds": found.finding,
        "normal": cost(&found.normal),
        "moves": cost(&found.moves),
        "states": cost(&found.states),
    })
}

fn print(rows: &[(String, Savings)], session: &Session) -> Outcome {
    let header = [
        "game",
        "symmetries",
        "depth",
        "states",
        "seconds",
        "moves: states",
        "seconds",
        "saved",
        "time",
        "states: states",
        "seconds",
        "saved",
        "time",
    ];
    let mut table = session.table(&header, &header[1..]);
    let percent = |part: f64| format!("{:.1} %", 100.0 * part);
    for (name, found) in rows {
        let depth = format!("{}{}", found.depth, if found.whole { " (all)" } else { "" });
        let mut row = vec![name.clone(), order(found), depth];
        row.push(found.normal.states.to_string());
        row.push(format!("{:.2}", found.normal.seconds));
        for cost in [&found.moves, &found.states] {
            let (states, seconds) = cost.saved(&found.normal);
            row.push(cost.states.to_string());
            row.push(format!("{:.2}", cost.seconds));
            row.extend([percent(states), percent(seconds)]);
        }
        table.add_row(row);
    }
    session.print_table(&table)
}

/// The number of symmetries, the powers of ten of large ones.
fn order(found: &Savings) -> String {
    let digits = found.order.to_string();
    match digits.len() {
        0..8 => digits,
        n => format!("{}.{}e{}", &digits[..1], &digits[1..2], n - 1),
    }
}
