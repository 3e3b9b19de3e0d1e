//! `ludex bench-symmetry`: what symmetries save a search, game by game.

use crate::chart::{Bar, BarChart};
use crate::output::write_new;
use crate::session::LONG;
use crate::{Outcome, Session};
use ludex::search::solve::{Cost, Savings, SavingsQuestion, Subject};
use ludex_answers::{Meter, SymmetrySavings};

/// Measure what symmetries save in a blind search of all states to a depth.
///
/// As in Figure 1 of Schiffel, "Symmetry Detection in General Game Playing": normal search, search that tries
/// one of symmetric moves, and search that recognises symmetric states; states expanded and CPU seconds. The last
/// is made once more with the paper's rule, which switches symmetries off when they have cost more than they
/// saved, by a limit.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex bench-symmetry tictactoe connectfour lightsout
  ludex bench-symmetry tictactoe --depth 5 --json
  ludex bench-symmetry tictactoe --depth 4 --positions 5 --limit 0.01
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
    /// Search from this many states along a random match, and add up.
    #[arg(long, default_value_t = 1, value_name = "N")]
    positions: usize,
    /// CPU seconds that symmetries may cost more than they save before the rule switches them off.
    #[arg(long, default_value_t = 0.5, value_name = "SECONDS")]
    limit: f64,
    /// Draw the savings as a bar chart into this file, which must not exist yet.
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
}

const TABLE: usize = 1 << 30;

pub fn run(args: &Args, session: &Session) -> Outcome {
    let mut rows: Vec<(String, Savings)> = Vec::new();
    let mut told: Vec<SymmetrySavings> = Vec::new();
    let ended = session.answer_each(&args.games, LONG, SymmetrySavings::unknown, |game| {
        let (game, budget) = (session.load(game)?, session.budget());
        let meter = Meter::new(&game, &budget);
        let net = session.net(&game)?;
        let state = net.bases.iter().map(|b| b.initial).collect();
        let subject = Subject { knowledge: game.knowledge().clone(), net, state };
        let bytes = session.memory_limit().map_or(TABLE, |m| m as usize / 2);
        let question = SavingsQuestion {
            depth: args.depth,
            most: args.states,
            positions: args.positions,
            limit: args.limit,
            bytes,
        };
        let found = Savings::measure(&subject, &question, &budget)?;
        let savings = SymmetrySavings::of(game.name(), &found, meter.account());
        rows.push((game.name().into(), found));
        if session.json {
            return session.give(savings);
        }
        told.push(savings);
        session.add_row(SymmetrySavings::table(&told).to_string())
    });
    if let Some(file) = &args.svg {
        write_new(file, &chart(&rows))?;
    }
    ended
}

/// For every game three bars, the time that pruning symmetric moves saves, recognising symmetric states, and the
/// latter as long as the rule lets it; and the states that each saves as an outline.
pub fn chart(rows: &[(String, Savings)]) -> String {
    let bars = |found: &Savings| {
        let bar = |cost: &Cost| {
            let (states, time) = cost.saved(&found.normal);
            Bar { value: time, outline: Some(states), label: format!("{:.0} %", 100.0 * time) }
        };
        [&found.moves, &found.states, &found.limited].map(bar).into()
    };
    let quarter = |quarter: i32| (f64::from(quarter) / 4.0, format!("{} %", 25 * quarter));
    let chart = BarChart {
        title: "What symmetries save (bars: time, outlines: states)",
        looks: &[
            ("symmetric moves", "#9db4c0"),
            ("symmetric states", "#2f6690"),
            ("states, with the rule", "#81a684"),
        ],
        scale: |saved| (saved + 1.0) / 2.0,
        base: 0.0,
        ticks: (-4..=4).map(quarter).collect(),
        rows: rows.iter().map(|(name, found)| (name.clone(), bars(found))).collect(),
    };
    chart.svg()
}
