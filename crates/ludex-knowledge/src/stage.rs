//! `Stage`: something that is made once, by whoever asks for it first.
//!
//! What a limit cut short is kept as far as it came, and goes on from there when it is asked for with
//! more time. Others who ask meanwhile wait, within their own budget.

use ludex_gdl::budget::{Budget, Stop};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// How often those who wait look at their budget.
const TICK: Duration = Duration::from_millis(5);

pub struct Stage<T> {
    name: &'static str,
    slot: Mutex<Slot<T>>,
    turned: Condvar,
}

struct Slot<T> {
    made: Option<Arc<T>>,
    complete: bool,
    /// Somebody is at work on it.
    busy: bool,
    /// How often somebody was.
    runs: usize,
}

/// What a run of a stage came to.
pub enum Made<T> {
    /// Nothing is left to do.
    Complete(T),
    /// A limit struck: this is known by then.
    Partial(T),
}

impl<T> Made<T> {
    pub fn of(complete: bool, value: T) -> Made<T> {
        if complete { Made::Complete(value) } else { Made::Partial(value) }
    }
}

impl<T> Stage<T> {
    pub fn new(name: &'static str) -> Stage<T> {
        let slot = Slot { made: None, complete: false, busy: false, runs: 0 };
        Stage { name, slot: Mutex::new(slot), turned: Condvar::new() }
    }

    /// One that is there already.
    pub fn given(name: &'static str, value: Arc<T>) -> Stage<T> {
        let slot = Slot { made: Some(value), complete: true, busy: false, runs: 0 };
        Stage { name, slot: Mutex::new(slot), turned: Condvar::new() }
    }

    /// The name, and how often it was worked on.
    pub fn runs(&self) -> (&'static str, usize) {
        (self.name, self.lock().runs)
    }

    /// What is there, made or half made.
    pub fn peek(&self) -> Option<Arc<T>> {
        self.lock().made.clone()
    }

    /// The thing itself. `make` gets what an earlier run left behind; where there is no time even to
    /// begin, that is the answer.
    pub fn get<E: From<Stop>>(
        &self,
        budget: &Budget,
        make: impl FnOnce(Option<Arc<T>>) -> Result<Made<T>, E>,
    ) -> Result<Arc<T>, E> {
        let before = {
            let mut slot = self.lock();
            while slot.busy && !slot.complete && budget.check().is_ok() {
                slot = self.turned.wait_timeout(slot, TICK).expect("no panic while held").0;
            }
            match (&slot.made, budget.check()) {
                (Some(made), _) if slot.complete => return Ok(made.clone()),
                (Some(made), Err(_)) => return Ok(made.clone()),
                (None, Err(stop)) => return Err(stop.into()),
                (_, Ok(())) => {}
            }
            slot.busy = true;
            slot.runs += 1;
            slot.made.clone()
        };
        let work = Work(self);
        let made = make(before)?;
        let mut slot = self.lock();
        let (value, complete) = match made {
            Made::Complete(value) => (value, true),
            Made::Partial(value) => (value, false),
        };
        let value = Arc::new(value);
        (slot.made, slot.complete) = (Some(value.clone()), complete);
        drop(slot);
        drop(work);
        Ok(value)
    }

    /// Puts something better in the place of what is there.
    pub fn improve(&self, value: T) {
        self.lock().made = Some(Arc::new(value));
    }

    fn lock(&self) -> MutexGuard<'_, Slot<T>> {
        self.slot.lock().expect("no panic while held")
    }
}

/// Work on a stage. However it ends, others may try.
struct Work<'a, T>(&'a Stage<T>);

impl<T> Drop for Work<'_, T> {
    fn drop(&mut self) {
        self.0.lock().busy = false;
        self.0.turned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once_for_all_who_ask() {
        let (stage, budget) = (Stage::<u32>::new("sum"), Budget::unlimited());
        let ask = || {
            let slow = |_: Option<Arc<u32>>| {
                std::thread::sleep(4 * TICK);
                Ok::<_, Stop>(Made::Complete(7))
            };
            stage.get(&budget, slow).unwrap()
        };
        let answers = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
            threads.into_iter().map(|t| *t.join().unwrap()).collect::<Vec<u32>>()
        });
        assert_eq!((answers, stage.runs()), (vec![7; 4], ("sum", 1)));
    }

    #[test]
    fn it_goes_on_from_where_a_limit_struck() {
        let stage = Stage::<u32>::new("sum");
        let more = |before: Option<Arc<u32>>| {
            let now = before.map_or(0, |b| *b) + 1;
            Ok::<_, Stop>(if now == 2 { Made::Complete(now) } else { Made::Partial(now) })
        };
        let budget = Budget::unlimited();
        assert_eq!(*stage.get(&budget, more).unwrap(), 1);
        let stopped = Budget::unlimited();
        stopped.stop(Stop::Time);
        assert_eq!(*stage.get(&stopped, more).unwrap(), 1);
        assert_eq!(*stage.get(&budget, more).unwrap(), 2);
        assert_eq!(*stage.get(&budget, more).unwrap(), 2);
        assert_eq!(stage.runs(), ("sum", 2));
    }

    #[test]
    fn a_failure_leaves_it_to_others() {
        let (stage, budget) = (Stage::<u32>::new("sum"), Budget::unlimited());
        assert_eq!(stage.get(&budget, |_| Err::<Made<u32>, _>(Stop::Memory)), Err(Stop::Memory));
        assert_eq!(stage.get(&budget, |_| Ok::<_, Stop>(Made::Complete(3))).as_deref(), Ok(&3));
    }
}
