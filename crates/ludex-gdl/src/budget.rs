//! What a computation may use: `Budget`, a value that a front passes in, and `Stop`, its end.
//!
//! The library has no clock of its own and measures no memory. A front brings the clock, raises the flag of
//! a budget (limits, Ctrl-C) and calls `enforce` now and then, which raises those of parts with limits of
//! their own. Long computations call `check` often, which costs one relaxed load.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

/// Why a computation ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Time,
    Memory,
    Interrupted,
}

/// What a part of the work may use of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Allowance {
    /// Seconds of the budget's clock, from when the part begins.
    pub seconds: Option<f64>,
    /// Bytes of the whole program.
    pub bytes: Option<u64>,
}

impl std::error::Error for Stop {}

/// A shared flag, a clock and a progress counter. Clones share all of them.
#[derive(Clone)]
pub struct Budget {
    flag: Arc<Flag>,
    progress: Arc<Progress>,
    clock: fn() -> f64,
}

/// The part of a budget that may be spent on proofs that help a larger task; a type of its own, so that
/// it cannot be taken for the budget of the task.
#[derive(Clone, Copy)]
pub struct Proving<'a>(pub &'a Budget);

/// A clock is looked at once in so many checks.
const CHECKS_A_LOOK: u64 = 64;

/// Raised once; whoever raises it raises those of all parts.
struct Flag {
    stop: AtomicU8,
    /// Seconds that it may last, and the moment of the clock at which it ends.
    seconds: f64,
    until: f64,
    bytes: u64,
    parts: Mutex<Vec<Weak<Flag>>>,
}

#[derive(Default)]
struct Progress {
    stage: Mutex<&'static str>,
    done: AtomicU64,
    total: AtomicU64,
    /// What is known by now, for people.
    note: Mutex<String>,
}

impl Budget {
    /// `clock` gives seconds since any fixed moment.
    pub fn new(clock: fn() -> f64) -> Budget {
        let flag = Flag::new(0, (f64::INFINITY, f64::INFINITY), u64::MAX);
        Budget { flag: Arc::new(flag), progress: Arc::default(), clock }
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
        self.flag.raise(why.code());
    }

    pub fn check(&self) -> Result<(), Stop> {
        if cfg!(target_family = "wasm") {
            self.look_at_clock();
        }
        match self.flag.stop.load(Relaxed) {
            0 => Ok(()),
            1 => Err(Stop::Time),
            2 => Err(Stop::Memory),
            _ => Err(Stop::Interrupted),
        }
    }

    /// Where there are no threads nobody can enforce the limits of parts but those who ask.
    fn look_at_clock(&self) {
        static ASKED: AtomicU64 = AtomicU64::new(0);
        let often = ASKED.fetch_add(1, Relaxed).is_multiple_of(CHECKS_A_LOOK);
        if often && self.seconds() >= self.flag.until {
            self.stop(Stop::Time);
        }
    }

    /// A budget for a part of the work, which ends when it is stopped itself or this one is.
    pub fn part(&self) -> Budget {
        self.within(Allowance::default())
    }

    /// A part that may last so many seconds of the clock, from now on.
    pub fn lasting(&self, seconds: f64) -> Budget {
        self.within(Allowance { seconds: Some(seconds), bytes: None })
    }

    /// A part with limits of its own, which hold as long as somebody calls `enforce`.
    pub fn within(&self, allowance: Allowance) -> Budget {
        let seconds = allowance.seconds.unwrap_or(f64::INFINITY);
        let time = (seconds, self.flag.until.min(self.seconds() + seconds));
        let mut parts = self.flag.parts();
        let raised = self.flag.stop.load(Relaxed);
        let flag = Arc::new(Flag::new(raised, time, allowance.bytes.unwrap_or(u64::MAX)));
        parts.retain(|part| part.strong_count() > 0);
        parts.push(Arc::downgrade(&flag));
        Budget { flag, ..self.clone() }
    }

    /// How long this part may last, from when it began.
    pub fn allowed(&self) -> f64 {
        self.flag.seconds
    }

    /// Stops the parts that have used up what they may, with so many bytes in use.
    pub fn enforce(&self, bytes: u64) {
        self.flag.enforce(self.seconds(), bytes);
    }

    /// A budget of its own that nobody stops but the caller, with the same clock.
    pub fn fresh(&self) -> Budget {
        Budget::new(self.clock)
    }

    /// Begins a stage of `total` steps (0 where the number is not known).
    pub fn begin(&self, stage: &'static str, total: u64) {
        *self.progress.stage.lock().expect("no panic while held") = stage;
        self.progress.done.store(0, Relaxed);
        self.progress.total.store(total, Relaxed);
        self.note(String::new());
    }

    /// Tells what is known of the stage by now.
    pub fn note(&self, note: String) {
        *self.progress.note.lock().expect("no panic while held") = note;
    }

    pub fn advance(&self, steps: u64) {
        self.progress.done.fetch_add(steps, Relaxed);
    }

    /// What was told last of the stage; may be empty.
    pub fn noted(&self) -> String {
        self.progress.note.lock().expect("no panic while held").clone()
    }

    /// The stage, its steps done and its steps in all: for a progress bar.
    pub fn progress(&self) -> (&'static str, u64, u64) {
        let stage = *self.progress.stage.lock().expect("no panic while held");
        (stage, self.progress.done.load(Relaxed), self.progress.total.load(Relaxed))
    }
}

impl Flag {
    fn new(stop: u8, (seconds, until): (f64, f64), bytes: u64) -> Flag {
        Flag { stop: AtomicU8::new(stop), seconds, until, bytes, parts: Mutex::default() }
    }

    fn parts(&self) -> MutexGuard<'_, Vec<Weak<Flag>>> {
        self.parts.lock().expect("no panic while held")
    }

    /// The lock is held meanwhile, so that no part begins between this flag and those of the parts.
    fn raise(&self, code: u8) {
        let parts = self.parts();
        let _ = self.stop.compare_exchange(0, code, Relaxed, Relaxed);
        parts.iter().filter_map(Weak::upgrade).for_each(|part| part.raise(code));
    }

    fn enforce(&self, now: f64, bytes: u64) {
        if now >= self.until {
            self.raise(Stop::Time.code());
        }
        if bytes > self.bytes {
            self.raise(Stop::Memory.code());
        }
        self.parts().iter().filter_map(Weak::upgrade).for_each(|part| part.enforce(now, bytes));
    }
}

impl Stop {
    fn code(self) -> u8 {
        match self {
            Stop::Time => 1,
            Stop::Memory => 2,
            Stop::Interrupted => 3,
        }
    }
}

/// What ends, one after the other, as memory runs out: a front stops both at limits of its own.
#[derive(Clone)]
pub struct Memory {
    /// When this has ended nothing is begun that takes more memory, and what there is stays in use.
    pub growth: Budget,
    /// All work. `growth` is a part of it.
    pub whole: Budget,
}

impl Memory {
    /// As much as there is; with the clock of a budget that has nothing else to do with it.
    pub fn unlimited(clock: &Budget) -> Memory {
        let whole = clock.fresh();
        Memory { growth: whole.part(), whole }
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
        let small = part.part();
        part.stop(Stop::Memory);
        assert_eq!((whole.check(), part.check()), (Ok(()), Err(Stop::Memory)));
        assert_eq!(small.check(), Err(Stop::Memory));
        assert_eq!(part.part().check(), Err(Stop::Memory));
        let other = whole.part();
        whole.stop(Stop::Time);
        assert_eq!((whole.check(), other.check()), (Err(Stop::Time), Err(Stop::Time)));
        assert_eq!(small.check(), Err(Stop::Memory));
    }

    #[test]
    fn parts_end_at_limits_of_their_own() {
        let clock = || CLOCK.load(Relaxed) as f64;
        static CLOCK: AtomicU64 = AtomicU64::new(5);
        let whole = Budget::new(clock);
        let (long, short) = (whole.lasting(3.0), whole.lasting(1.0));
        let large = long.within(Allowance { seconds: None, bytes: Some(100) });
        whole.enforce(100);
        assert!([&long, &short, &large].iter().all(|part| part.check().is_ok()));
        CLOCK.store(6, Relaxed);
        whole.enforce(101);
        assert_eq!((long.check(), short.check()), (Ok(()), Err(Stop::Time)));
        assert_eq!((whole.check(), large.check()), (Ok(()), Err(Stop::Memory)));
        CLOCK.store(8, Relaxed);
        whole.enforce(0);
        assert_eq!((long.check(), large.check()), (Err(Stop::Time), Err(Stop::Memory)));
    }
}
