//! The thread beside the work: it raises flags at limits, draws the progress bar, and ends the program
//! with what is known where the work does not end by itself.

use crate::output::{Output, end};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use ludex::budget::{Allowance, Budget, Stop};
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(10);
/// A job that is done sooner shows no bar.
const BAR_AFTER: Duration = Duration::from_secs(1);
/// How long work may go on after a limit, to print what it has, before it is left behind.
const GRACE: Duration = Duration::from_millis(400);
/// How long the last words may take: somebody may have stopped reading.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The limits of the whole program, as the user sets them.
#[derive(Clone, Copy)]
pub struct Limits {
    /// By the clock on the wall.
    pub time: Option<Duration>,
    /// Bytes.
    pub memory: Option<u64>,
}

/// What the present game may use.
struct Present {
    budget: Budget,
    /// Where the user sets no limit.
    allowance: Allowance,
    /// When it was first seen to be stopped.
    stopped: Option<Instant>,
}

/// Clones share everything.
#[derive(Clone)]
pub struct Watch {
    whole: Budget,
    limits: Limits,
    start: Instant,
    present: Arc<Mutex<Present>>,
    /// Pieces of the work that end at a moment by the clock on the wall.
    timed: Arc<Mutex<Vec<(Budget, Instant)>>>,
    output: Arc<Mutex<Output>>,
    bar: ProgressBar,
    /// No bar is wanted (at present).
    hidden: Arc<AtomicBool>,
    /// The program waits for its user.
    idle: Arc<AtomicBool>,
    /// Nothing but an interrupt is meant to end the work.
    endless: Arc<AtomicBool>,
    /// Tells a thread that these are the last words.
    last: Sender<()>,
}

/// A thread that ends the program soon after it is told to.
fn silence() -> Sender<()> {
    let (told, tell) = channel();
    let thread = std::thread::Builder::new().name("silence".into());
    let wait = move || {
        if tell.recv().is_ok() {
            std::thread::sleep(LAST_WORDS);
            std::process::exit(3);
        }
    };
    thread.spawn(wait).expect("a thread can be started");
    told
}

impl Watch {
    pub fn start(whole: &Budget, limits: Limits, output: &Arc<Mutex<Output>>) -> Watch {
        let allowance = Allowance::default();
        let present = Present { budget: whole.clone(), allowance, stopped: None };
        let watch = Watch {
            whole: whole.clone(),
            limits,
            start: Instant::now(),
            present: Arc::new(Mutex::new(present)),
            timed: Arc::default(),
            output: output.clone(),
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
            hidden: Arc::new(AtomicBool::new(!std::io::stderr().is_terminal())),
            idle: Arc::default(),
            endless: Arc::default(),
            last: silence(),
        };
        let (on_signal, beside) = (watch.clone(), watch.clone());
        // Without the handler a signal ends the program at once, which is a fair second best.
        let _ = ctrlc::set_handler(move || on_signal.interrupt());
        let thread = std::thread::Builder::new().name("watch".into());
        thread.spawn(move || beside.run()).expect("a thread can be started");
        watch
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }

    fn present(&self) -> MutexGuard<'_, Present> {
        self.present.lock().expect("no panic while held")
    }

    /// What the present game may use.
    pub fn budget(&self) -> Budget {
        self.present().budget.clone()
    }

    /// Begins with a game, which may use so much where the user sets no limit.
    pub fn begin(&self, allowance: Allowance) {
        let allowance = Allowance {
            seconds: allowance.seconds.filter(|_| self.limits.time.is_none()),
            bytes: allowance.bytes.filter(|_| self.limits.memory.is_none()),
        };
        let budget = self.whole.within(allowance);
        *self.present() = Present { budget, allowance, stopped: None };
        self.hidden.store(!std::io::stderr().is_terminal(), Relaxed);
    }

    /// The same for work that an interrupt is meant to end.
    pub fn begin_endless(&self, allowance: Allowance) {
        self.endless.store(true, Relaxed);
        self.begin(allowance);
    }

    /// Is it a limit of the whole program that was reached, and not only the game's?
    pub fn is_over(&self) -> bool {
        self.whole.check().is_err()
    }

    /// A part of the present game's budget that ends so long from now, by the clock on the wall.
    pub fn lasting(&self, time: Duration) -> Budget {
        let part = self.budget().part();
        self.end_after(&part, time);
        part
    }

    pub fn end_after(&self, part: &Budget, time: Duration) {
        let Some(end) = Instant::now().checked_add(time) else { return };
        self.timed.lock().expect("no panic while held").push((part.clone(), end));
    }

    /// Waits for something outside the program; until it comes there is no work to end first.
    pub fn while_idle<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.idle.store(true, Relaxed);
        let answer = wait();
        self.idle.store(false, Relaxed);
        answer
    }

    /// Takes the bar away: the answer is being written.
    pub fn hide_progress(&self) {
        if !self.hidden.swap(true, Relaxed) {
            self.bar.finish_and_clear();
        }
    }

    /// Why the work ended, where, and how to go on.
    pub fn message(&self, stop: Stop) -> String {
        let stage = match self.whole.progress().0 {
            "" => String::new(),
            stage => format!(" ({stage})"),
        };
        let Present { allowance: Allowance { seconds, bytes }, budget, .. } = &*self.present();
        match (stop, seconds, bytes) {
            _ if self.is_over() => format!("{stop}{stage}"),
            _ if budget.check().is_ok() => {
                format!(
                    "stopped at its share of the time{stage}; a larger --time-limit gives it more"
                )
            }
            (Stop::Time, Some(seconds), _) => format!(
                "stopped after {seconds} CPU seconds{stage}; --time-limit 5m gives it five minutes"
            ),
            (Stop::Memory, _, Some(bytes)) => {
                let gigabytes = bytes / 1_000_000_000;
                format!("stopped at {gigabytes} GB{stage}; --memory-limit 8GB lets it use eight")
            }
            _ => format!("{stop}{stage}"),
        }
    }

    /// The first signal asks the work to end, so that it can print what it has; the second leaves it.
    fn interrupt(&self) {
        if self.idle.load(Relaxed) || self.whole.check() == Err(Stop::Interrupted) {
            self.leave(Stop::Interrupted);
        }
        self.whole.stop(Stop::Interrupted);
    }

    fn run(&self) {
        loop {
            std::thread::sleep(TICK);
            let used = memory_stats::memory_stats().map_or(0, |m| m.physical_mem as u64);
            self.enforce(used);
            self.leave_what_does_not_end(used);
            if self.start.elapsed() >= BAR_AFTER && !self.hidden.load(Relaxed) {
                self.draw();
            }
        }
    }

    fn enforce(&self, used: u64) {
        let now = Instant::now();
        self.timed.lock().expect("no panic while held").retain(|(part, end)| {
            if now >= *end {
                part.stop(Stop::Time);
            }
            part.check().is_ok()
        });
        if self.limits.time.is_some_and(|limit| self.start.elapsed() >= limit) {
            self.whole.stop(Stop::Time);
        }
        if self.limits.memory.is_some_and(|limit| used > limit) {
            self.whole.stop(Stop::Memory);
        }
        self.whole.enforce(used);
    }

    /// Work that goes on to fill memory after it was asked to end would take the machine with it.
    fn leave_what_does_not_end(&self, used: u64) {
        let (stop, since) = {
            let mut present = self.present();
            let Err(stop) = present.budget.check() else { return };
            (stop, present.stopped.get_or_insert_with(Instant::now).elapsed())
        };
        let grace = if self.idle.load(Relaxed) { Duration::ZERO } else { GRACE };
        let fills = self.limits.memory.is_some_and(|limit| used > limit.saturating_add(limit / 2));
        if since >= grace || fills {
            self.leave(stop);
        }
    }

    /// Ends the program with what is known; the work is left behind wherever it is.
    fn leave(&self, stop: Stop) -> ! {
        // Nobody is left to tell if any of these fail.
        let _ = self.last.send(());
        crate::terminal::restore();
        self.hide_progress();
        end(self.output.lock().expect("no panic while held"), |output| {
            let _ = output.deliver_all(Some(stop.into())).and_then(|()| output.close());
            if stop == Stop::Interrupted && self.endless.load(Relaxed) {
                return 0;
            }
            let _ = writeln!(std::io::stderr(), "{}", self.message(stop));
            3
        })
    }

    fn draw(&self) {
        let (stage, done, total) = self.whole.progress();
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let template = match total {
            0 if done == 0 => "{spinner} {msg} [{elapsed}]",
            0 => "{spinner} {msg} {human_pos}{prefix} [{elapsed}]",
            _ => "{spinner} {msg} {wide_bar} {human_pos}/{human_len} [{elapsed}, {eta} left]",
        };
        self.bar.set_style(ProgressStyle::with_template(template).expect("a valid template"));
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.bar.set_message(stage);
        let note = self.whole.noted();
        self.bar.set_prefix(if note.is_empty() { note } else { format!(", {note}") });
        self.bar.tick();
    }
}
