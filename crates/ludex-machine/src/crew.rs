//! `Crew`: threads that wait for short pieces of work, which may borrow from whoever hands them out.
//!
//! A step of environments can take a few microseconds, so little passes between two threads: one line of memory for each
//! helper, which who waits looks at for a while before going to sleep.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, Ordering::*};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, Thread};

/// Looks at the state before a thread goes to sleep: some ten microseconds.
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
    line: HelperLine,
    panicked: AtomicBool,
    /// Who sleeps until the piece is done.
    caller: Mutex<Option<Thread>>,
}

/// A helper's state and its piece of work, alone in their line of memory.
#[derive(Default)]
#[repr(align(128))]
struct HelperLine {
    state: AtomicU8,
    work: AtomicPtr<PieceOfWork<'static>>,
}

type PieceOfWork<'a> = &'a (dyn Fn(usize) + Sync);

/// Waits for work, awake or asleep.
const IDLE: u8 = 0;
const ASLEEP: u8 = 1;
/// Works; the caller is awake or asleep.
const BUSY: u8 = 2;
const AWAITED: u8 = 3;
const GONE: u8 = 4;

impl Crew {
    /// The caller and `threads - 1` helpers.
    pub fn new(threads: usize) -> Crew {
        Crew { helpers: (1..threads).map(Helper::new).collect() }
    }

    pub fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Does pieces `0..pieces` of the work, at most one for each thread; the caller does the first.
    pub fn run(&self, pieces: usize, work: &(dyn Fn(usize) + Sync)) {
        assert!(pieces <= self.threads(), "a thread for each piece");
        let helpers = &self.helpers[..pieces.saturating_sub(1)];
        let finish = Finish(helpers);
        helpers.iter().for_each(|helper| helper.begin(&work));
        if pieces > 0 {
            work(0);
        }
        drop(finish);
        let panicked = |helper: &Helper| helper.shared.panicked.swap(false, Relaxed);
        assert!(!helpers.iter().any(panicked), "a helper panicked");
    }

    /// Works on each of some things, at most one for each thread. Gives back what that came to.
    pub fn on_each<T: Send, R: Send>(
        &self,
        things: impl Iterator<Item = T>,
        work: impl Fn(T) -> R + Sync,
    ) -> Vec<R> {
        let padded = |thing| PaddedPiece(Mutex::new((Some(thing), None)));
        let pieces: Vec<_> = things.map(padded).collect();
        self.run(pieces.len(), &|number| {
            let (thing, came) = &mut *pieces[number].0.lock().expect("one thread each");
            *came = thing.take().map(&work);
        });
        let inside = pieces.into_iter().map(|piece| piece.0.into_inner().expect("one thread each"));
        inside.filter_map(|(_, came)| came).collect()
    }
}

/// What one thread works on, without a line of memory that another works on.
#[repr(align(128))]
struct PaddedPiece<T>(Mutex<T>);

/// Waits for the helpers when it goes.
struct Finish<'a>(&'a [Helper]);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|helper| helper.shared.await_end());
    }
}

impl Helper {
    fn new(number: usize) -> Helper {
        let shared = Arc::new(Shared::default());
        let own = shared.clone();
        let thread = std::thread::spawn(move || own.serve(number));
        Helper { shared, thread: Some(thread) }
    }

    /// Hands out a piece of work, which must last until the end of the piece was awaited.
    fn begin(&self, work: &PieceOfWork) {
        let HelperLine { state, work: place } = &self.shared.line;
        place.store(std::ptr::from_ref(work).cast_mut().cast(), Relaxed);
        self.wake_from(state.swap(BUSY, AcqRel));
    }

    fn wake_from(&self, state: u8) {
        let asleep = self.thread.as_ref().filter(|_| state == ASLEEP);
        asleep.into_iter().for_each(|thread| thread.thread().unpark());
    }
}

impl Shared {
    /// Waits until the state is no longer `from`, first awake, then asleep, which the state then says.
    fn wait(&self, from: u8, asleep: u8, before_sleep: impl FnOnce()) {
        let state = &self.line.state;
        for _ in 0..PATIENCE {
            if state.load(Acquire) != from {
                return;
            }
            std::hint::spin_loop();
        }
        before_sleep();
        if state.compare_exchange(from, asleep, AcqRel, Acquire).is_ok() {
            while state.load(Acquire) == asleep {
                std::thread::park();
            }
        }
    }

    fn await_end(&self) {
        self.wait(BUSY, AWAITED, || {
            *self.caller.lock().expect("no panic while held") = Some(std::thread::current());
        });
    }

    fn serve(&self, number: usize) {
        loop {
            self.wait(IDLE, ASLEEP, || ());
            if self.line.state.load(Acquire) == GONE {
                return;
            }
            // SAFETY: who began the piece lets the work last until its end was awaited, also when it panics itself, and the
            // state came after the place.
            let work = unsafe { &*self.line.work.load(Relaxed) };
            if catch_unwind(AssertUnwindSafe(|| work(number))).is_err() {
                self.panicked.store(true, Relaxed);
            }
            if self.line.state.swap(IDLE, AcqRel) == AWAITED {
                let caller = self.caller.lock().expect("no panic while held").take();
                caller.into_iter().for_each(|caller| caller.unpark());
            }
        }
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.wake_from(self.shared.line.state.swap(GONE, AcqRel));
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
