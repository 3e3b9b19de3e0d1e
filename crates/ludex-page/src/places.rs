//! `Places`: connections at a time. For one more than there is room for, the oldest that has nothing to do goes.

use std::sync::{Arc, Mutex};
use tokio::task::AbortHandle;

/// All connections.
#[derive(Default)]
pub struct Places {
    /// The oldest first.
    taken: Mutex<Vec<Seat>>,
}

struct Seat {
    work: Work,
    task: AbortHandle,
}

/// Held by a connection, with one more for each thing that is done for it.
pub type Work = Arc<()>;

impl Seat {
    fn is_silent(&self) -> bool {
        // The seat has one, and its task.
        Arc::strong_count(&self.work) <= 2
    }
}

impl Places {
    /// Makes room for a connection; not where all are busy.
    pub fn make_room(&self, most: usize) -> bool {
        let mut taken = self.taken.lock().expect("no panic while held");
        taken.retain(|seat| !seat.task.is_finished());
        if taken.len() < most {
            return true;
        }
        let silent = taken.iter().position(Seat::is_silent);
        if let Some(at) = silent {
            taken.remove(at).task.abort();
        }
        silent.is_some()
    }

    pub fn take(&self, work: Work, task: AbortHandle) {
        self.taken.lock().expect("no panic while held").push(Seat { work, task });
    }
}
