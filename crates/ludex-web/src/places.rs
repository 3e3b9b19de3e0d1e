//! `Places`: who is connected and what their requests hold; the oldest silent one makes room.
//!
//! A connection is silent while nobody works for it: before its request is complete, and after it has
//! been answered. Silent ones go, the oldest first, where a new one needs their place or a request the
//! bytes that they hold, and large requests take turns. So no number of connections and no size of
//! requests keeps a small message from being read.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until};

/// Bytes of a request that are not counted: no message without rules needs more.
pub const SMALL: usize = 1 << 14;

/// Bytes of large requests, all together, that are read in a second: the match needs the processor, too.
const PACE: f64 = 100e6;
/// Shorter pauses are put off, since they would last longer than they should.
const SHORTEST: Duration = Duration::from_millis(2);

pub struct Places {
    /// Connections at a time.
    number: usize,
    /// Bytes of all requests together, beyond what is small of each.
    bytes: usize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    /// By the order in which they came.
    guests: BTreeMap<u64, Guest>,
    came: u64,
    bytes: usize,
    /// When what has been read of large requests should have been read.
    pace: Option<Instant>,
}

#[derive(Default)]
struct Guest {
    bytes: usize,
    /// It is not silent.
    answered: bool,
    /// What ends it; none before it has begun.
    task: Option<AbortHandle>,
}

/// The place of a connection, free again when dropped.
pub struct Place {
    places: Arc<Places>,
    key: u64,
}

impl Places {
    pub fn new(number: usize, bytes: usize) -> Arc<Places> {
        Arc::new(Places { number, bytes, taken: Mutex::default() })
    }

    /// Starts the talk on a connection in a place of its own, that of the oldest silent one if need be;
    /// not where all are being answered.
    pub fn admit<F>(self: &Arc<Places>, talk: impl FnOnce(Place) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        if let Some(key) = self.enter() {
            Place { places: self.clone(), key }.go_on(&Handle::current(), talk);
        }
    }

    fn enter(&self) -> Option<u64> {
        let mut taken = self.lock();
        if taken.guests.len() >= self.number && !taken.drop_oldest(|_, _| true) {
            return None;
        }
        taken.came += 1;
        let key = taken.came;
        taken.guests.insert(key, Guest::default());
        Some(key)
    }

    /// Ends the oldest silent connection, where there is one.
    pub fn drop_oldest(&self) {
        self.lock().drop_oldest(|_, _| true);
    }

    /// Nobody is being answered.
    pub fn is_silent(&self) -> bool {
        self.lock().guests.values().all(|guest| !guest.answered)
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().expect("no panic while held")
    }
}

impl Taken {
    /// Ends the oldest silent connection of some; false where there is none.
    fn drop_oldest(&mut self, of: impl Fn(u64, &Guest) -> bool) -> bool {
        let silent = |(key, guest): &(&u64, &Guest)| !guest.answered && of(**key, guest);
        let Some(key) = self.guests.iter().find(silent).map(|(key, _)| *key) else { return false };
        if let Some(task) = self.remove(key).and_then(|guest| guest.task) {
            task.abort();
        }
        true
    }

    fn remove(&mut self, key: u64) -> Option<Guest> {
        let guest = self.guests.remove(&key)?;
        self.bytes -= guest.bytes;
        Some(guest)
    }
}

impl Place {
    /// Goes on with the talk on a runtime.
    pub fn go_on<F>(self, runtime: &Handle, talk: impl FnOnce(Place) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (places, key) = (self.places.clone(), self.key);
        let task = runtime.spawn(talk(self)).abort_handle();
        match places.lock().guests.get_mut(&key) {
            Some(guest) => guest.task = Some(task),
            // It is over already, or was ended while it was between two tasks.
            None => task.abort(),
        }
    }

    /// The request holds so many bytes now; false where there is no room for them, even without the
    /// large requests that came before.
    pub fn hold(&self, bytes: usize) -> bool {
        let bytes = bytes.saturating_sub(SMALL);
        let mut taken = self.places.lock();
        let Some(held) = taken.guests.get(&self.key).map(|guest| guest.bytes) else { return false };
        while taken.bytes - held + bytes > self.places.bytes {
            if !taken.drop_oldest(|key, guest| key != self.key && guest.bytes > 0) {
                return false;
            }
        }
        taken.bytes = taken.bytes - held + bytes;
        taken.guests.get_mut(&self.key).expect("it was there").bytes = bytes;
        true
    }

    /// Waits for its turn to go on after so many bytes of a large request.
    pub async fn pause(&self, read: usize) {
        let now = Instant::now();
        let due = {
            let mut taken = self.places.lock();
            let pace = taken.pace.filter(|pace| *pace > now).unwrap_or(now);
            *taken.pace.insert(pace + Duration::from_secs_f64(read as f64 / PACE))
        };
        if due > now + SHORTEST {
            sleep_until(due).await;
        }
    }

    /// The connection is being answered, or silent again.
    pub fn set_answered(&self, answered: bool) {
        if let Some(guest) = self.places.lock().guests.get_mut(&self.key) {
            guest.answered = answered;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.lock().remove(self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;

    /// Does it where connections can be talked on.
    fn run(test: impl FnOnce()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async { test() });
    }

    /// Connections that came one after the other and stay, with the places that they have.
    fn crowd(places: &Arc<Places>, number: usize) -> Vec<Place> {
        let mut kept = vec![];
        for _ in 0..number {
            places.admit(|place| {
                kept.push(place);
                pending()
            });
        }
        kept
    }

    fn here(places: &Places) -> Vec<u64> {
        places.lock().guests.keys().copied().collect()
    }

    #[test]
    fn the_oldest_silent_one_goes() {
        run(|| {
            let places = Places::new(3, 0);
            let first = crowd(&places, 3);
            first[0].set_answered(true);
            assert!(!places.is_silent());
            let next = crowd(&places, 1);
            assert_eq!(here(&places), [1, 3, 4]);
            drop(first);
            assert_eq!(here(&places), [4], "a place is free when its talk is over");
            assert!(places.is_silent());
            places.drop_oldest();
            assert!(here(&places).is_empty() && !next[0].hold(1));
        });
    }

    #[test]
    fn those_who_are_answered_stay() {
        run(|| {
            let places = Places::new(2, 0);
            let both = crowd(&places, 2);
            both.iter().for_each(|place| place.set_answered(true));
            assert!(crowd(&places, 1).is_empty());
            both[1].set_answered(false);
            assert_eq!(crowd(&places, 1).len(), 1);
            assert_eq!(here(&places), [1], "the last one has gone by itself");
        });
    }

    #[test]
    fn large_requests_make_room_for_younger_ones() {
        run(|| {
            let places = Places::new(10, 100);
            let crowd = crowd(&places, 4);
            assert!(crowd[0].hold(SMALL), "what is small does not count");
            assert!(crowd[1].hold(SMALL + 60) && crowd[1].hold(SMALL + 50));
            assert!(crowd[2].hold(SMALL + 50));
            assert!(crowd[3].hold(SMALL + 1));
            assert_eq!(here(&places), [1, 3, 4]);
            assert!(!crowd[1].hold(0), "it is gone");
            crowd[2].set_answered(true);
            assert!(!crowd[3].hold(SMALL + 51), "one that is answered keeps its bytes");
            assert!(crowd[3].hold(SMALL + 50));
            drop(crowd);
            assert_eq!(places.lock().bytes, 0);
        });
    }
}
