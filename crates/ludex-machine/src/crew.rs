//! `Crew`: threads that wait for short pieces of work, which may borrow from whoever hands them out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::*};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, Thread};

/// Looks at the flag before a thread goes to sleep: some ten microseconds.
const PATIENCE: usize = 4_000;

/// The caller and its helpers.
pub struct Crew {
    helpers: Vec<Helper>,
}

struct Helper {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: AtomicU8,
    panicked: AtomicBool,
    work: Mutex<Option<PieceOfWork>>,
    caller: Mutex<Option<Thread>>,
}

const IDLE: u8 = 0;
const BUSY: u8 = 1;
const GONE: u8 = 2;

/// A piece of work and its number.
struct PieceOfWork {
    work: &'static (dyn Fn(usize) + Sync),
    number: usize,
}

impl Crew {
    /// The caller and `threads - 1` helpers.
    pub fn new(threads: usize) -> Crew {
        Crew { helpers: (1..threads).map(|_| Helper::new()).collect() }
    }

    pub fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Does pieces `0..pieces` of the work, at most one for each thread; the caller does the first.
    pub fn run(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        assert!(pieces <= self.threads(), "a thread for each piece");
        let helpers = &self.helpers[..pieces.saturating_sub(1)];
        // SAFETY: `Finish` waits until no helper uses the work any more, also when the caller's piece panics.
        let lasting: &'static (dyn Fn(usize) + Sync) = unsafe { std::mem::transmute(work) };
        let finish = Finish(helpers);
        for (helper, number) in helpers.iter().zip(1..) {
            helper.begin(PieceOfWork { work: lasting, number });
        }
        if pieces > 0 {
            work(0);
        }
        drop(finish);
        let panicked = |helper: &Helper| helper.shared.panicked.swap(false, Relaxed);
        assert!(!helpers.iter().any(panicked), "a helper panicked");
    }
}

/// Waits for the helpers when it goes.
struct Finish<'a>(&'a [Helper]);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|helper| wait(&helper.shared.state, |state| state != BUSY));
    }
}

/// Looks at a state until it is as wanted, first often, then between sleeps.
fn wait(state: &AtomicU8, wanted: impl Fn(u8) -> bool) {
    for _ in 0..PATIENCE {
        if wanted(state.load(Acquire)) {
            return;
        }
        std::hint::spin_loop();
    }
    while !wanted(state.load(Acquire)) {
        std::thread::park();
    }
}

impl Helper {
    fn new() -> Helper {
        let shared = Arc::new(Shared::default());
        let own = shared.clone();
        let thread = std::thread::spawn(move || serve(&own));
        Helper { shared, thread: Some(thread) }
    }

    fn begin(&self, work: PieceOfWork) {
        *self.shared.caller.lock().expect("no panic while held") = Some(std::thread::current());
        *self.shared.work.lock().expect("no panic while held") = Some(work);
        self.shared.state.store(BUSY, Release);
        self.wake();
    }

    fn wake(&self) {
        self.thread.as_ref().into_iter().for_each(|thread| thread.thread().unpark());
    }
}

fn serve(shared: &Shared) {
    loop {
        wait(&shared.state, |state| state != IDLE);
        if shared.state.load(Acquire) == GONE {
            return;
        }
        let work = shared.work.lock().expect("no panic while held").take();
        if let Some(PieceOfWork { work, number }) = work
            && catch_unwind(AssertUnwindSafe(|| work(number))).is_err()
        {
            shared.panicked.store(true, Relaxed);
        }
        let caller = shared.caller.lock().expect("no panic while held").take();
        shared.state.store(IDLE, Release);
        caller.into_iter().for_each(|caller| caller.unpark());
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.shared.state.store(GONE, Release);
        self.wake();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn every_piece_is_done_once() {
        let crew = Crew::new(3);
        for round in 0..2_000 {
            let done = [const { AtomicUsize::new(0) }; 3];
            crew.run(round % 4, &|piece| {
                done[piece].fetch_add(1, Relaxed);
            });
            let counts = done.map(|count| count.load(Relaxed));
            (0..3).for_each(|piece| assert_eq!(counts[piece], (piece < round % 4) as usize));
        }
    }

    #[test]
    fn a_panic_of_a_helper_reaches_the_caller_and_the_crew_goes_on() {
        let crew = Crew::new(2);
        let fails = || crew.run(2, &|piece| assert_eq!(piece, 0, "on purpose"));
        assert!(catch_unwind(AssertUnwindSafe(fails)).is_err());
        crew.run(2, &|_| ());
    }
}
