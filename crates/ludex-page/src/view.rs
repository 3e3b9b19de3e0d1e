//! A position as the page shows it; where that takes a while, a first sight of the game before.

use crate::lane::Errand;
use ludex::budget::Stop;
use ludex_sight::{OpenGame, Sight, Trouble, first_sight, sight};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// What is ready by then needs no first sight, which may last so many seconds.
const SOON: Duration = Duration::from_millis(60);
const HASTE: f64 = 0.2;

/// All that is seen after some moves. The first time, an engine is made for it.
pub fn view(open: &OpenGame, moves: &[Vec<String>], errand: &Errand) -> Result<Sight, Trouble> {
    if open.is_ready() || !moves.is_empty() {
        return sight(open, moves, &errand.budget);
    }
    let hasty = errand.budget.part();
    std::thread::scope(|scope| {
        let (over, wait) = channel::<()>();
        let hasty = &hasty;
        scope.spawn(move || {
            if wait.recv_timeout(SOON) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            if let (Ok(seen), Ok(())) = (first_sight(open, &hasty.lasting(HASTE)), hasty.check()) {
                errand.tell("draft", &seen);
            }
        });
        let seen = sight(open, moves, &errand.budget);
        hasty.stop(Stop::Interrupted);
        drop(over);
        seen
    })
}
