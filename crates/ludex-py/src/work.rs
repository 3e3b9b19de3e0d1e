//! Long work for Python: in a thread of its own, without the lock of the interpreter, within limits, ended by Ctrl-C.

use ludex::budget::{Budget, Stop};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Between two looks at clock, memory and signals.
const TICK: Duration = Duration::from_millis(10);
/// Bytes that work may add to the process where no other limit is set.
pub const MEMORY: u64 = 4_000_000_000;

/// What a piece of work may use.
#[derive(Clone, Copy)]
pub struct Limits {
    /// By the clock on the wall.
    pub time: Option<Duration>,
    /// Bytes that are added to the process: what a learner keeps beside it does not count.
    pub memory: u64,
}

impl Limits {
    /// Seconds and megabytes as Python gives them.
    pub fn new(time: Option<f64>, memory: Option<f64>) -> PyResult<Limits> {
        let seconds = |s: f64| Duration::try_from_secs_f64(s);
        let wrong = |_| PyValueError::new_err("time is a number of seconds, 0 or more");
        let time = time.map(seconds).transpose().map_err(wrong)?;
        let memory = match memory {
            Some(megabytes) if megabytes > 0.0 => (megabytes * 1e6) as u64,
            Some(_) => {
                return Err(PyValueError::new_err("memory is a number of megabytes above 0"));
            }
            None => MEMORY,
        };
        Ok(Limits { time, memory })
    }

    /// No limit of time.
    pub fn none() -> Limits {
        Limits { time: None, memory: MEMORY }
    }

    pub fn seconds(&self) -> f64 {
        self.time.map_or(f64::INFINITY, |time| time.as_secs_f64())
    }
}

/// Does the work within limits. What it returns after a limit struck is its answer; Ctrl-C is an exception.
pub fn run<T: Send>(
    py: Python,
    limits: Limits,
    work: impl FnOnce(&Budget) -> T + Send,
) -> PyResult<T> {
    py.detach(|| watched(limits, work))
}

fn watched<T: Send>(limits: Limits, work: impl FnOnce(&Budget) -> T + Send) -> PyResult<T> {
    let budget = Budget::new(cpu_seconds);
    let (done, ended) = channel::<()>();
    std::thread::scope(|scope| {
        let own = &budget;
        let thread = scope.spawn(move || {
            let _done = done;
            work(own)
        });
        let (start, before, mut signal) = (Instant::now(), memory(), None);
        while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            enforce(&budget, limits, start.elapsed(), memory().saturating_sub(before));
            if signal.is_none() {
                signal = Python::attach(|py| py.check_signals()).err();
            }
            if signal.is_some() {
                budget.stop(Stop::Interrupted);
            }
        }
        let answer = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        signal.map_or(Ok(answer), Err)
    })
}

fn enforce(budget: &Budget, limits: Limits, elapsed: Duration, used: u64) {
    if limits.time.is_some_and(|time| elapsed >= time) {
        budget.stop(Stop::Time);
    }
    if used > limits.memory {
        budget.stop(Stop::Memory);
    }
    budget.enforce(used);
}

/// Bytes of the process.
fn memory() -> u64 {
    memory_stats::memory_stats().map_or(0, |m| m.physical_mem as u64)
}

fn cpu_seconds() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64()
}
