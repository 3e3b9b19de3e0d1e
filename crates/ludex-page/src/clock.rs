//! `Keeper`: the clock of all budgets, and the thread that ends what has used up its own.

use ludex::budget::{Allowance, Budget, Stop};
use std::sync::{Arc, Mutex, OnceLock, Weak};
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
    given: Arc<Mutex<Vec<Budget>>>,
    /// Bytes of the whole program.
    bytes: u64,
}

impl Keeper {
    pub fn start(bytes: u64) -> Keeper {
        let keeper = Keeper { given: Arc::default(), bytes };
        let given = Arc::downgrade(&keeper.given);
        let thread = std::thread::Builder::new().name("keeper".into());
        thread.spawn(move || watch(&given)).expect("a thread can be started");
        keeper
    }

    /// A budget of its own of so many seconds on the wall. It is watched until it is stopped.
    pub fn budget(&self, lasting: f64) -> Budget {
        let whole = Budget::new(seconds);
        let allowed = Allowance { seconds: Some(lasting), bytes: Some(self.bytes) };
        let part = whole.within(allowed);
        self.given.lock().expect("no panic while held").push(part.clone());
        part
    }

    /// Whether so much memory is in use that what is only kept should go.
    pub fn is_short(&self) -> bool {
        used() > self.bytes / 2
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Ends all work.
    pub fn stop(&self) {
        let given = self.given.lock().expect("no panic while held");
        given.iter().for_each(|budget| budget.stop(Stop::Interrupted));
    }
}

fn watch(given: &Weak<Mutex<Vec<Budget>>>) {
    while let Some(given) = given.upgrade() {
        let bytes = used();
        given.lock().expect("no panic while held").retain(|budget| {
            budget.enforce(bytes);
            budget.check().is_ok()
        });
        drop(given);
        std::thread::sleep(TICK);
    }
}
