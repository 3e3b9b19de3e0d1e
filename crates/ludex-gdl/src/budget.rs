//! What a computation may use: `Budget`, a value that a front passes in, and `Stop`, its end.
//!
//! The library has no clock and measures no memory. A front watches both (and Ctrl-C) and raises the
//! flag of the budget; long computations call `check` often, which costs one relaxed load.

use std::fmt;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// Why a computation ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Time,
    Memory,
    Interrupted,
}

/// A shared flag, a clock and a progress counter. Clones share all of them.
#[derive(Clone)]
pub struct Budget {
    shared: Arc<Shared>,
    /// The flag of a part of the work.
    part: Option<Arc<AtomicU8>>,
    clock: fn() -> f64,
}

struct Shared {
    stop: AtomicU8,
    stage: Mutex<&'static str>,
    done: AtomicU64,
    total: AtomicU64,
}

impl Budget {
    /// `clock` gives seconds since any fixed moment.
    pub fn new(clock: fn() -> f64) -> Budget {
        let shared = Shared {
            stop: AtomicU8::new(0),
            stage: Mutex::new(""),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
        };
        Budget { shared: Arc::new(shared), part: None, clock }
    }

    /// No limits and a clock that stands still: for tests and small jobs.
    pub fn unlimited() -> Budget {
        Budget::new(|| 0.0)
    }

    pub fn seconds(&self) -> f64 {
        (self.clock)()
    }

    /// Asks every computation with this budget to end. The first reason given stays.
    pub fn stop(&self, why: Stop) {
        let code = match why {
            Stop::Time => 1,
            Stop::Memory => 2,
            Stop::Interrupted => 3,
        };
        let flag = self.part.as_deref().unwrap_or(&self.shared.stop);
        let _ = flag.compare_exchange(0, code, Relaxed, Relaxed);
    }

    pub fn check(&self) -> Result<(), Stop> {
        let part = self.part.as_ref().map_or(0, |flag| flag.load(Relaxed));
        match self.shared.stop.load(Relaxed).max(part) {
            0 => Ok(()),
            1 => Err(Stop::Time),
            2 => Err(Stop::Memory),
            _ => Err(Stop::Interrupted),
        }
    }

    /// A budget for a part of the work, which ends when it is stopped itself or the whole is.
    pub fn part(&self) -> Budget {
        Budget { part: Some(Arc::new(AtomicU8::new(0))), ..self.clone() }
    }

    /// A budget of its own that nobody stops but the caller, with the same clock.
    pub fn fresh(&self) -> Budget {
        Budget::new(self.clock)
    }

    /// Begins a stage of `total` steps (0 where the number is not known).
    pub fn begin(&self, stage: &'static str, total: u64) {
        *self.shared.stage.lock().expect("no panic while held") = stage;
        self.shared.done.store(0, Relaxed);
        self.shared.total.store(total, Relaxed);
    }

    pub fn advance(&self, steps: u64) {
        self.shared.done.fetch_add(steps, Relaxed);
    }

    /// The stage, its steps done and its steps in all: for a progress bar.
    pub fn progress(&self) -> (&'static str, u64, u64) {
        let stage = *self.shared.stage.lock().expect("no panic while held");
        (stage, self.shared.done.load(Relaxed), self.shared.total.load(Relaxed))
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Stop::Time => "stopped: time limit reached",
            Stop::Memory => "stopped: memory limit reached",
            Stop::Interrupted => "stopped: interrupted",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_with_the_whole_but_not_the_whole_with_a_part() {
        let whole = Budget::unlimited();
        let part = whole.part();
        part.stop(Stop::Memory);
        assert_eq!((whole.check(), part.check()), (Ok(()), Err(Stop::Memory)));
        let other = whole.part();
        whole.stop(Stop::Time);
        assert_eq!((whole.check(), other.check()), (Err(Stop::Time), Err(Stop::Time)));
    }
}
