//! The thread beside the work: it raises the budget's flag at a limit and draws the progress bar.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ludex::budget::{Budget, Stop};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(10);
/// A job that is done sooner shows no bar.
const BAR_AFTER: Duration = Duration::from_secs(1);
/// How long work may go on after a limit, to print what it has, before the program is ended.
const GRACE: Duration = Duration::from_secs(10);

pub struct Watch {
    bar: ProgressBar,
    hidden: Arc<AtomicBool>,
}

impl Watch {
    pub fn start(budget: &Budget, time: Option<Duration>, memory: Option<u64>) -> Watch {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let hidden = Arc::new(AtomicBool::new(!std::io::stderr().is_terminal()));
        let watch = Watch { bar: bar.clone(), hidden: hidden.clone() };
        interrupt_on_ctrl_c(budget.clone());
        let watcher = Watcher { budget: budget.clone(), time, memory, bar, hidden };
        let thread = std::thread::Builder::new().name("watch".into());
        thread.spawn(move || watcher.run()).expect("a thread can be started");
        watch
    }

    /// Takes the bar away for good: the answer is being written.
    pub fn hide_progress(&self) {
        if !self.hidden.swap(true, Relaxed) {
            self.bar.finish_and_clear();
        }
    }
}

/// The first Ctrl-C asks the work to end, so that it can print what it has; the second ends it.
fn interrupt_on_ctrl_c(budget: Budget) {
    let pressed = AtomicUsize::new(0);
    let handler = move || {
        budget.stop(Stop::Interrupted);
        if pressed.fetch_add(1, Relaxed) > 0 {
            std::process::exit(3);
        }
    };
    // Without the handler Ctrl-C ends the program at once, which is a fair second best.
    let _ = ctrlc::set_handler(handler);
}

struct Watcher {
    budget: Budget,
    time: Option<Duration>,
    memory: Option<u64>,
    bar: ProgressBar,
    hidden: Arc<AtomicBool>,
}

impl Watcher {
    fn run(self) {
        let start = Instant::now();
        loop {
            std::thread::sleep(TICK);
            let elapsed = start.elapsed();
            self.watch_time(elapsed);
            self.watch_memory();
            if elapsed >= BAR_AFTER && !self.hidden.load(Relaxed) {
                self.draw();
            }
        }
    }

    fn watch_time(&self, elapsed: Duration) {
        let Some(limit) = self.time else { return };
        if elapsed >= limit {
            self.budget.stop(Stop::Time);
        }
        if elapsed >= limit.saturating_add(GRACE) {
            self.end_at_once(Stop::Time);
        }
    }

    /// Work that goes on to fill memory after it was asked to end would take the machine with it.
    fn watch_memory(&self) {
        let Some(limit) = self.memory else { return };
        let Some(used) = memory_stats::memory_stats() else { return };
        if used.physical_mem as u64 > limit {
            self.budget.stop(Stop::Memory);
        }
        if used.physical_mem as u64 > limit.saturating_add(limit / 2) {
            self.end_at_once(Stop::Memory);
        }
    }

    fn end_at_once(&self, stop: Stop) {
        self.bar.finish_and_clear();
        eprintln!("{stop}");
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
