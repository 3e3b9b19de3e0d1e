//! `Keeper`: the clock of all budgets, and the thread that ends what has used up its own.

use ludex::budget::{Allowance, Budget, Memory, Stop};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(10);

/// Seconds on the wall since the first call.
pub fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Milliseconds since 1970.
pub fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |d| d.as_millis() as u64)
}

/// Bytes that the program uses.
pub fn used() -> u64 {
    memory_stats::memory_stats().map_or(0, |m| m.physical_mem as u64)
}

/// Gives out budgets and watches them. Clones share everything; the thread ends with the last one.
#[derive(Clone)]
pub struct Keeper {
    given: Arc<Mutex<Vec<(u64, Budget)>>>,
    next: Arc<AtomicU64>,
    /// Bytes of the whole program.
    bytes: u64,
}

/// A budget that is watched as long as this is there. An engine that was made with it goes on after that.
pub struct Granted {
    pub budget: Budget,
    number: u64,
    keeper: Keeper,
}

impl Drop for Granted {
    fn drop(&mut self) {
        self.keeper.given().retain(|(number, _)| *number != self.number);
    }
}

impl Keeper {
    pub fn start(bytes: u64) -> Keeper {
        let keeper = Keeper { given: Arc::default(), next: Arc::default(), bytes };
        let given = Arc::downgrade(&keeper.given);
        let thread = std::thread::Builder::new().name("keeper".into());
        thread.spawn(move || watch(&given)).expect("a thread can be started");
        keeper
    }

    fn given(&self) -> MutexGuard<'_, Vec<(u64, Budget)>> {
        self.given.lock().expect("no panic while held")
    }

    /// A budget of its own of so many seconds on the wall. It ends while there is room yet: at the limit itself the
    /// program ends.
    pub fn grant(&self, lasting: f64) -> Granted {
        let allowed = Allowance { seconds: Some(lasting), bytes: Some(self.bytes / 4 * 3) };
        let budget = Budget::new(seconds).within(allowed);
        let number = self.next.fetch_add(1, Relaxed);
        self.given().push((number, budget.clone()));
        Granted { budget, number, keeper: self.clone() }
    }

    /// Whether so much memory is in use that what is only kept should go.
    pub fn is_short(&self) -> bool {
        used() > self.bytes / 2
    }

    /// What a search with a part of a budget may use.
    pub fn memory(&self, part: &Budget) -> Memory {
        let half = Allowance { seconds: None, bytes: Some(self.bytes / 2) };
        Memory { growth: part.within(half), whole: part.clone() }
    }

    /// Ends all work.
    pub fn stop(&self) {
        self.given().iter().for_each(|(_, budget)| budget.stop(Stop::Interrupted));
    }
}

fn watch(given: &Weak<Mutex<Vec<(u64, Budget)>>>) {
    while let Some(given) = given.upgrade() {
        let bytes = used();
        given.lock().expect("no panic while held").retain(|(_, budget)| {
            budget.enforce(bytes);
            budget.check().is_ok()
        });
        drop(given);
        std::thread::sleep(TICK);
    }
}
