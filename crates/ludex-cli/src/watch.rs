//! The thread beside the work: it raises the budget's flag at a limit and draws the progress bar.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ludex::budget::{Budget, Stop};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(10);
/// A job that is done sooner shows no bar.
const BAR_AFTER: Duration = Duration::from_secs(1);
/// How long work may go on after a limit, to print what it has, before the program is ended.
const GRACE: Duration = Duration::from_secs(10);

/// Limits of a piece of work.
#[derive(Clone, Copy)]
pub struct Limits {
    pub time: Option<Duration>,
    /// Bytes.
    pub memory: Option<u64>,
}

/// Clones share everything.
#[derive(Clone)]
pub struct Watch {
    budget: Budget,
    limits: Limits,
    start: Instant,
    /// Pieces of the work with smaller limits of their own, and the moments at which they began.
    parts: Arc<Mutex<Vec<(Budget, Instant, Limits)>>>,
    bar: ProgressBar,
    /// No bar is wanted (any more).
    hidden: Arc<AtomicBool>,
    /// The program waits for its user.
    idle: Arc<AtomicBool>,
}

impl Watch {
    pub fn start(budget: &Budget, limits: Limits) -> Watch {
        let watch = Watch {
            budget: budget.clone(),
            limits,
            start: Instant::now(),
            parts: Arc::default(),
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            hidden: Arc::new(AtomicBool::new(!std::io::stderr().is_terminal())),
            idle: Arc::default(),
        };
        let (on_ctrl_c, beside) = (watch.clone(), watch.clone());
        // Without the handler Ctrl-C ends the program at once, which is a fair second best.
        let _ = ctrlc::set_handler(move || on_ctrl_c.interrupt());
        let thread = std::thread::Builder::new().name("watch".into());
        thread.spawn(move || beside.run()).expect("a thread can be started");
        watch
    }

    pub fn memory_limit(&self) -> Option<u64> {
        self.limits.memory
    }

    /// A budget for a part of the work, with limits of its own from now on.
    pub fn part(&self, limits: Limits) -> Budget {
        let part = self.budget.part();
        let mut parts = self.parts.lock().expect("no panic while held");
        parts.push((part.clone(), Instant::now(), limits));
        part
    }

    /// Waits for something outside the program; until it comes there is no work to end first.
    pub fn while_idle<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.idle.store(true, Relaxed);
        let answer = wait();
        self.idle.store(false, Relaxed);
        answer
    }

    /// Takes the bar away for good: the answer is being written.
    pub fn hide_progress(&self) {
        if !self.hidden.swap(true, Relaxed) {
            self.bar.finish_and_clear();
        }
    }

    /// The first Ctrl-C asks the work to end, so that it can print what it has; the second ends it.
    fn interrupt(&self) {
        if self.idle.load(Relaxed) || self.budget.check() == Err(Stop::Interrupted) {
            self.end_at_once(Stop::Interrupted);
        }
        self.budget.stop(Stop::Interrupted);
    }

    fn run(&self) {
        loop {
            std::thread::sleep(TICK);
            let used = memory_stats::memory_stats().map_or(0, |m| m.physical_mem as u64);
            self.parts.lock().expect("no panic while held").retain(|(budget, start, limits)| {
                stop_at_limit(budget, start.elapsed(), used, limits);
                budget.check().is_ok()
            });
            let elapsed = self.start.elapsed();
            stop_at_limit(&self.budget, elapsed, used, &self.limits);
            self.end_work_that_does_not_stop(elapsed, used);
            if elapsed >= BAR_AFTER && !self.hidden.load(Relaxed) {
                self.draw();
            }
        }
    }

    /// Work that goes on to fill memory after it was asked to end would take the machine with it.
    fn end_work_that_does_not_stop(&self, elapsed: Duration, used: u64) {
        let grace = if self.idle.load(Relaxed) { Duration::ZERO } else { GRACE };
        if self.limits.time.is_some_and(|limit| elapsed >= limit.saturating_add(grace)) {
            self.end_at_once(Stop::Time);
        }
        if self.limits.memory.is_some_and(|limit| used > limit.saturating_add(limit / 2)) {
            self.end_at_once(Stop::Memory);
        }
    }

    fn end_at_once(&self, stop: Stop) {
        self.hide_progress();
        // Nobody is left to tell if this fails.
        let _ = writeln!(std::io::stderr(), "{stop}");
        std::process::exit(3);
    }

    fn draw(&self) {
        let (stage, done, total) = self.budget.progress();
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let template = match total {
            0 => "{spinner} {msg} {human_pos} [{elapsed}]",
            _ => "{spinner} {msg} {wide_bar} {human_pos}/{human_len} [{elapsed}, {eta} left]",
        };
        self.bar.set_style(ProgressStyle::with_template(template).expect("a valid template"));
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.set_message(stage);
        self.bar.tick();
    }
}

fn stop_at_limit(budget: &Budget, elapsed: Duration, used: u64, limits: &Limits) {
    if limits.time.is_some_and(|limit| elapsed >= limit) {
        budget.stop(Stop::Time);
    }
    if limits.memory.is_some_and(|limit| used > limit) {
        budget.stop(Stop::Memory);
    }
}
