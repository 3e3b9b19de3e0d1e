//! `Talk`: what a seat and its workers tell each other, behind one lock.

use super::Clock;
use super::grounds::AnswerGrounds;
use ludex_gdl::budget::{Budget, Memory, Stop};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

/// How often a waiting seat looks at its clock.
const LOOK: Duration = Duration::from_millis(2);

/// Workers in the order in which they get ready; a later one is better. Once there is a better one, the
/// first only follows, in case all others fail, and those between end.
pub const WORKERS: usize = 3;

pub struct Talk {
    /// Its whole ends all work of the seat.
    pub memory: Memory,
    /// Ends work that is of no use once the best worker is ready.
    pub makeshift: Budget,
    /// Ends with the first question.
    pub opening: Budget,
    /// Ends where nothing has to be learned, since the game is solved.
    pub learning: Budget,
    /// The length of the start clock, once somebody waits for it.
    start: OnceLock<f64>,
    said: Mutex<Said>,
    changed: Condvar,
}

/// What is taken for the length of a start clock that nobody tells, or that does not end.
const START: f64 = 10.0;

/// There is nobody who can play, because of this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReady(pub String);

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotReady {}

#[derive(Default)]
struct Said {
    over: bool,
    history: Arc<Vec<Vec<String>>>,
    /// Counts questions and their ends.
    asked: u64,
    /// The question that waits for an answer, and the seconds that there are for it.
    question: Option<(Budget, f64)>,
    /// What stops pondering.
    idle: Option<Budget>,
    workers: [TalkWorker; WORKERS],
}

#[derive(Default)]
struct TalkWorker {
    state: WorkerState,
    /// What helps it has been found out, or never will be.
    prepared: bool,
    /// Nothing more is learned for it.
    learned: bool,
    /// Nothing is left to think about in the initial state.
    idle: bool,
    answer: Option<SeatAnswer>,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum WorkerState {
    #[default]
    Preparing,
    Ready,
    /// Why it cannot play (any more).
    Gone(String),
}

/// A move for the question with the number `asked`.
#[derive(Clone, Debug)]
pub struct SeatAnswer {
    pub asked: u64,
    /// None: no move is legal.
    pub text: Option<String>,
    /// The worker will not find a better one.
    pub last: bool,
    pub thoughts: String,
    pub grounds: AnswerGrounds,
}

/// What a worker has to do.
pub enum Task {
    /// Find a move after a history.
    Answer(Question),
    /// Think about the state after a history, until the budget is stopped.
    Ponder(Question),
    End,
}

pub struct Question {
    pub asked: u64,
    pub history: Arc<Vec<Vec<String>>>,
    pub budget: Budget,
    /// The time that there is, in all.
    pub seconds: f64,
    /// Any legal move will do: a better worker thinks.
    pub lightly: bool,
}

impl Talk {
    pub fn new(memory: Memory) -> Talk {
        let makeshift = memory.whole.part();
        let (opening, learning) = (memory.growth.part(), memory.growth.part());
        let (start, said, changed) = (OnceLock::new(), Mutex::default(), Condvar::new());
        Talk { memory, makeshift, opening, learning, start, said, changed }
    }

    fn lock(&self) -> MutexGuard<'_, Said> {
        // No code panics while it holds the lock; if it did, what was said would still be whole.
        self.said.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    // The side of the seat.

    /// Waits until the best worker has nothing left to prepare or to think about, or none is left (an error),
    /// or time is up: to the last moment while nobody could answer a question. Without an end of the time
    /// nobody waits for thoughts.
    pub fn wait_ready(&self, clock: &Clock) -> Result<(), NotReady> {
        let endless = clock.seconds.is_infinite();
        let _ = self.start.set(if endless { START } else { clock.seconds });
        let mut said = self.lock();
        loop {
            let gone = |w: &&TalkWorker| matches!(w.state, WorkerState::Gone(_));
            let ready = |w: &TalkWorker| w.state == WorkerState::Ready;
            let time = if said.workers.iter().any(ready) { &clock.think } else { &clock.answer };
            let best = said.workers.iter().rev().find(|w| !gone(w));
            match best {
                None => return Err(NotReady(said.workers[0].why())),
                Some(w) if ready(w) && w.prepared && (w.idle || endless) => return Ok(()),
                _ if said.over || time.check().is_err() => return Ok(()),
                _ => said = self.wait(said),
            }
        }
    }

    /// Asks for a move after a history and waits for it; none where none is known in time. Who asks
    /// what is being asked already waits for the same answer.
    pub fn ask(&self, history: Vec<Vec<String>>, clock: &Clock) -> Option<SeatAnswer> {
        self.opening.stop(Stop::Time);
        let mut said = self.lock();
        if said.question.is_none() || *said.history != history {
            said.settle();
            said.history = Arc::new(history);
            self.changed.notify_all();
        }
        let asked = said.asked;
        let question = || (self.memory.whole.part(), clock.seconds);
        let (budget, _) = said.question.get_or_insert_with(question).clone();
        let best = loop {
            if clock.think.check().is_err() {
                budget.stop(Stop::Time);
            }
            let best = said.best(asked).cloned();
            let ended = said.over || said.asked != asked || clock.answer.check().is_err();
            if ended || best.as_ref().is_some_and(|b| b.last) || said.nobody() {
                break best;
            }
            said = self.wait(said);
        };
        budget.stop(Stop::Time);
        if said.asked == asked {
            said.settle();
            self.changed.notify_all();
        }
        best
    }

    pub fn end(&self) {
        let mut said = self.lock();
        said.over = true;
        said.settle();
        self.memory.whole.stop(Stop::Interrupted);
        self.changed.notify_all();
    }

    fn wait<'a>(&self, said: MutexGuard<'a, Said>) -> MutexGuard<'a, Said> {
        let waited = self.changed.wait_timeout(said, LOOK);
        waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0
    }

    // The side of the workers.

    /// A worker can play; one before it thinks no more.
    pub fn ready(&self, worker: usize) {
        let mut said = self.lock();
        said.workers[worker].state = WorkerState::Ready;
        said.stop_idle();
        if worker + 1 == WORKERS {
            self.makeshift.stop(Stop::Interrupted);
        }
        self.changed.notify_all();
    }

    /// Waits until the first worker can play or is gone, or until a moment: large rules must not keep
    /// the one from answering that is ready soonest.
    pub fn let_first(&self, until: f64) {
        let mut said = self.lock();
        let preparing = |said: &Said| said.workers[0].state == WorkerState::Preparing;
        while !said.over && preparing(&said) && self.memory.whole.seconds() < until {
            said = self.wait(said);
        }
    }

    /// How long the start clock is.
    pub fn start_seconds(&self) -> f64 {
        self.start.get().copied().unwrap_or(START)
    }

    /// Nothing more is being found out for a worker.
    pub fn prepared(&self, worker: usize) {
        self.lock().workers[worker].prepared = true;
        self.changed.notify_all();
    }

    /// Nothing more is being learned for a worker.
    pub fn learned(&self, worker: usize) {
        self.lock().workers[worker].learned = true;
        self.changed.notify_all();
    }

    /// Waits until nothing more is being learned for a worker, or the budget is stopped.
    pub fn wait_learned(&self, worker: usize, budget: &Budget) {
        let mut said = self.lock();
        while !said.over && !said.workers[worker].learned && budget.check().is_ok() {
            said = self.wait(said);
        }
    }

    /// A worker has nothing to think about before the first question.
    pub fn idle(&self, worker: usize) {
        self.lock().workers[worker].idle = true;
        self.changed.notify_all();
    }

    pub fn gone(&self, worker: usize, why: String) {
        self.lock().workers[worker].state = WorkerState::Gone(why);
        self.changed.notify_all();
    }

    pub fn tell(&self, worker: usize, answer: SeatAnswer) {
        self.lock().workers[worker].answer = Some(answer);
        self.changed.notify_all();
    }

    /// Waits for something to do. `done` is the last question that was answered, `pondered` the last
    /// number under which there is nothing left to ponder.
    pub fn task(&self, worker: usize, done: Option<u64>, pondered: Option<u64>) -> Task {
        let mut said = self.lock();
        loop {
            let lightly = said.workers[worker + 1..].iter().any(|w| w.state == WorkerState::Ready);
            if said.over || (lightly && worker > 0) {
                return Task::End;
            }
            let (asked, history) = (said.asked, said.history.clone());
            match &said.question {
                Some((budget, seconds)) if done != Some(asked) => {
                    let (budget, seconds) = (budget.clone(), *seconds);
                    return Task::Answer(Question { asked, history, budget, seconds, lightly });
                }
                None if pondered != Some(asked) => {
                    let budget = said.idle.get_or_insert_with(|| self.memory.whole.part()).clone();
                    let seconds = f64::INFINITY;
                    return Task::Ponder(Question { asked, history, budget, seconds, lightly });
                }
                _ => {
                    let waited = self.changed.wait(said);
                    said = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
                }
            }
        }
    }
}

impl TalkWorker {
    /// Why it is gone.
    fn why(&self) -> String {
        match &self.state {
            WorkerState::Gone(why) => why.clone(),
            _ => String::new(),
        }
    }
}

impl Said {
    /// Ends the question in hand and what goes on beside it.
    fn settle(&mut self) {
        self.asked += 1;
        if let Some((budget, _)) = self.question.take() {
            budget.stop(Stop::Time);
        }
        self.stop_idle();
    }

    fn stop_idle(&mut self) {
        if let Some(idle) = self.idle.take() {
            idle.stop(Stop::Time);
        }
    }

    /// The answer of the best worker that has one.
    fn best(&self, asked: u64) -> Option<&SeatAnswer> {
        let answers = self.workers.iter().filter_map(|w| w.answer.as_ref());
        // Of equals the last one is taken.
        answers.filter(|a| a.asked == asked).max_by_key(|a| a.last)
    }

    fn nobody(&self) -> bool {
        self.workers.iter().all(|w| matches!(w.state, WorkerState::Gone(_)))
    }
}
