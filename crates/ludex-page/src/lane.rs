//! `Lane`: a queue with so many places, and `Errand`, one piece of work in it that tells what it finds.

use crate::clock::{Granted, Keeper};
use ludex::budget::{Budget, Stop};
use ludex_answers::Fault;
use ludex_sight::Trouble;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::sleep;

/// Rules nest as deep as their author likes.
const STACK: usize = 256 << 20;
/// Questions that wait in a lane; more are refused.
const LONGEST: usize = 400;
/// How often those who wait are told, and progress is.
const TELL: Duration = Duration::from_millis(250);
/// How long work that was stopped may take to say what it has.
const GRACE: Duration = Duration::from_millis(2_500);

/// So many pieces of work at a time, the others in the order in which they came.
pub struct Lane {
    places: Arc<Semaphore>,
    waiting: Mutex<VecDeque<u64>>,
    next: AtomicU64,
}

impl Lane {
    pub fn new(places: usize) -> Arc<Lane> {
        let places = Arc::new(Semaphore::new(places));
        Arc::new(Lane { places, waiting: Mutex::default(), next: AtomicU64::new(0) })
    }

    fn waiting(&self) -> MutexGuard<'_, VecDeque<u64>> {
        self.waiting.lock().expect("no panic while held")
    }

    fn join(self: &Arc<Lane>) -> Option<Ticket> {
        let number = self.next.fetch_add(1, Relaxed);
        let mut waiting = self.waiting();
        let room = waiting.len() < LONGEST;
        room.then(|| waiting.push_back(number));
        room.then(|| Ticket { lane: self.clone(), number })
    }
}

/// A place in the queue, given up when it is dropped.
struct Ticket {
    lane: Arc<Lane>,
    number: u64,
}

impl Ticket {
    fn ahead(&self) -> usize {
        self.lane.waiting().iter().take_while(|n| **n != self.number).count()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.lane.waiting().retain(|n| *n != self.number);
    }
}

/// Something that is told: its kind, and data as JSON.
pub struct Event {
    pub kind: &'static str,
    pub data: String,
}

/// What a piece of work has: its budget, and somebody who listens.
pub struct Errand {
    pub budget: Budget,
    told: Sender<Event>,
}

impl Errand {
    /// Tells something on the way; what nobody takes in time is left out.
    pub fn tell(&self, kind: &'static str, value: &impl Serialize) {
        let _ = self.told.try_send(message(kind, value));
    }
}

fn message(kind: &'static str, value: &(impl Serialize + ?Sized)) -> Event {
    Event { kind, data: serde_json::to_string(value).expect("answers are plain data") }
}

/// Does a piece of work when its turn comes and gives what it tells; it ends when nobody listens any more.
pub fn run<T: Serialize + 'static>(
    lane: &Arc<Lane>,
    keeper: &Keeper,
    seconds: f64,
    work: impl FnOnce(&Errand) -> Result<T, Trouble> + Send + 'static,
) -> Receiver<Event> {
    let (told, listen) = channel(64);
    match lane.join() {
        Some(ticket) => {
            let keeper = keeper.clone();
            tokio::spawn(async move {
                let Some(place) = wait(&ticket, &told).await else { return };
                drop(ticket);
                lead(place, keeper.grant(seconds), told, work).await;
            });
        }
        None => {
            let full = Trouble::new("busy", "too many questions wait; ask again in a while");
            let _ = told.try_send(message("error", &full.0));
        }
    }
    listen
}

/// Waits for a place; none where nobody listens any more.
async fn wait(ticket: &Ticket, told: &Sender<Event>) -> Option<OwnedSemaphorePermit> {
    let place = ticket.lane.places.clone().acquire_owned();
    tokio::pin!(place);
    loop {
        tokio::select! {
            biased;
            place = &mut place => return place.ok(),
            () = told.closed() => return None,
            () = sleep(TELL) => {
                let _ = told.try_send(message("wait", &json!({ "ahead": ticket.ahead() })));
            }
        }
    }
}

/// Leads a piece of work to its end, by itself, by its budget, or because nobody listens any more.
async fn lead<T: Serialize + 'static>(
    place: OwnedSemaphorePermit,
    granted: Granted,
    told: Sender<Event>,
    work: impl FnOnce(&Errand) -> Result<T, Trouble> + Send + 'static,
) {
    let budget = granted.budget.clone();
    let errand = Errand { budget: budget.clone(), told: told.clone() };
    let (done, mut end) = oneshot::channel();
    let thread = std::thread::Builder::new().name("errand".into()).stack_size(STACK);
    let begun = thread.spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&errand)));
        let last = match outcome {
            Ok(Ok(answer)) => message("answer", &answer),
            Ok(Err(trouble)) => message("error", &trouble.0),
            Err(_) => {
                message("error", &[Fault::new("panic", "our own mistake: the work panicked")])
            }
        };
        let _ = done.send(last);
        drop(place);
    });
    if begun.is_err() {
        let fault = Fault::new("busy", "no thread can be started; ask again in a while");
        let _ = told.send(message("error", &[fault])).await;
        return;
    }
    let mut left = GRACE;
    let last = loop {
        tokio::select! {
            biased;
            last = &mut end => break last.unwrap_or_else(|_| message("error", &Value::Null)),
            () = told.closed() => {
                budget.stop(Stop::Interrupted);
                return;
            }
            () = sleep(TELL) => {
                let (stage, done, total) = budget.progress();
                let _ = told.try_send(message("progress", &json!([stage, done, total])));
                if let Err(stop) = budget.check() {
                    left = left.saturating_sub(TELL);
                    if left.is_zero() {
                        break message("error", &[Fault::from(stop)]);
                    }
                }
            }
        }
    };
    // It is not stopped: an engine that was made in it is used again.
    drop(granted);
    let _ = told.send(last).await;
}
