//! A net -> how fast random matches are played side by side, where the page runs.

use crate::Trouble;
use ludex::budget::Budget;
use ludex::machine::sliced::{Backend, Sliced};
use ludex::net::Net;
use serde::Serialize;

/// Seconds that are measured, the most matches in them, and steps after which a match is given up.
const MEASURED: f64 = 0.5;
const MATCHES: u64 = 1 << 22;
const LONGEST: u64 = 10_000;

/// Random matches by the clock of the budget.
#[derive(Serialize)]
pub struct MatchPace {
    pub transitions_per_second: f64,
    pub transitions: u64,
    pub playouts: u64,
    /// Matches that run side by side, and on what.
    pub lanes: usize,
    pub backend: String,
}

impl MatchPace {
    pub fn measure(net: &Net, budget: &Budget) -> Result<MatchPace, Trouble> {
        let mut sliced = Sliced::new(net, Backend::best(), budget)?;
        sliced.bound = LONGEST;
        let from = budget.seconds();
        let mut more = |_: &_| budget.seconds() - from < MEASURED;
        let totals = sliced.run_while(1, MATCHES, &mut more, budget)?;
        let seconds = (budget.seconds() - from).max(1e-9);
        Ok(MatchPace {
            transitions_per_second: (totals.transitions as f64 / seconds).round(),
            transitions: totals.transitions,
            playouts: totals.playouts,
            lanes: sliced.lanes(),
            backend: sliced.backend().to_string(),
        })
    }

    pub fn text(&self) -> String {
        let MatchPace { transitions_per_second, lanes, backend, .. } = self;
        format!(
            "{transitions_per_second} transitions a second, {lanes} matches side by side ({backend})\n"
        )
    }
}
