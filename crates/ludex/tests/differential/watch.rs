//! `Watch`: a thread beside the comparison that ends the process, and says in which game, where one hangs.

use crate::rules::Game;
use ludex::budget::{Budget, Stop};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The game that is looked at and the part of the library that is asked, since when.
type Present = Option<(Instant, String, &'static str)>;

#[derive(Clone, Default)]
pub struct Watch(Arc<Mutex<Present>>);

/// No game takes nearly as long on a machine that is only busy.
const PATIENCE: Duration = Duration::from_secs(100);

impl Watch {
    pub fn begin() -> Watch {
        let watch = Watch::default();
        let present = Arc::downgrade(&watch.0);
        std::thread::spawn(move || {
            while let Some(present) = present.upgrade() {
                if let Some((since, game, part)) = &*present.lock().expect("no panic")
                    && since.elapsed() > PATIENCE
                {
                    eprintln!("no answer from {part} after {} s:\n{game}", PATIENCE.as_secs());
                    std::process::abort();
                }
                drop(present);
                std::thread::sleep(Duration::from_millis(200));
            }
        });
        watch
    }

    pub fn game(&self, game: &Game) {
        let text = format!("{}\n{game}", game.title());
        *self.0.lock().expect("no panic") = Some((Instant::now(), text, "the naive evaluator"));
    }

    /// The part of the library that is asked next.
    pub fn part(&self, name: &'static str) {
        if let Some((since, _, part)) = &mut *self.0.lock().expect("no panic") {
            (*since, *part) = (Instant::now(), name);
        }
    }
}

/// How long proofs about a game may take; what is proved by then is checked.
const PROOFS: Duration = Duration::from_millis(400);

/// Runs some work with a budget for proofs.
pub fn limited<T>(work: impl FnOnce(&Budget) -> T) -> T {
    let budget = Budget::unlimited();
    let (done, wait) = channel::<()>();
    let clock = budget.clone();
    let timer = std::thread::spawn(move || {
        if wait.recv_timeout(PROOFS) == Err(RecvTimeoutError::Timeout) {
            clock.stop(Stop::Time);
        }
    });
    let result = work(&budget);
    drop(done);
    timer.join().expect("a timer");
    result
}
