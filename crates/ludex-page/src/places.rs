//! `Places`: connections at a time. For one more than there is room for, the oldest that is silent goes.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use tokio::task::AbortHandle;

/// All connections.
#[derive(Default)]
pub struct Places {
    /// The oldest first.
    taken: Mutex<Vec<Seat>>,
}

struct Seat {
    busy: Arc<AtomicBool>,
    task: AbortHandle,
}

impl Places {
    /// Makes room for a connection; not where all are busy.
    pub fn make_room(&self, most: usize) -> bool {
        let mut taken = self.taken.lock().expect("no panic while held");
        taken.retain(|seat| !seat.task.is_finished());
        if taken.len() < most {
            return true;
        }
        let silent = taken.iter().position(|seat| !seat.busy.load(Relaxed));
        if let Some(at) = silent {
            taken.remove(at).task.abort();
        }
        silent.is_some()
    }

    pub fn take(&self, busy: Arc<AtomicBool>, task: AbortHandle) {
        self.taken.lock().expect("no panic while held").push(Seat { busy, task });
    }
}
