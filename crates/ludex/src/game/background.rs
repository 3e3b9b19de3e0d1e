//! Work on a position in a thread of its own, which can be asked at any time and stopped.

use super::{Position, Search, Thought};
use crate::compile::Refusal;
use ludex_gdl::budget::{Budget, Proving, Stop};
use ludex_reason::Role;
use ludex_search::Choice;
use ludex_search::solve::{Settings, Solution, Subject, solve};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A thread that works within a budget. It ends with the budget, or when nobody wants its answer any more.
struct Background<T> {
    budget: Budget,
    thread: Option<JoinHandle<T>>,
}

impl<T: Send + 'static> Background<T> {
    fn start(budget: &Budget, work: impl FnOnce(&Budget) -> T + Send + 'static) -> Background<T> {
        let budget = budget.part();
        let own = budget.clone();
        Background { budget, thread: Some(std::thread::spawn(move || work(&own))) }
    }

    fn is_over(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// The answer at the end of the work.
    fn answer(mut self) -> T {
        let thread = self.thread.take().expect("it is asked for once");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        if self.thread.is_some() {
            self.budget.stop(Stop::Interrupted);
        }
    }
}

/// A search that goes on until it is stopped, its budget ends, or nothing is left to find out.
pub struct Thinking {
    work: Background<Search>,
    position: Position,
    role: Role,
    best: Arc<Mutex<Option<(Choice, u64)>>>,
}

/// Iterations between two thoughts that are told.
const ROUND: u64 = 256;

impl Thinking {
    pub(super) fn of(mut search: Search, budget: &Budget) -> Thinking {
        let (position, role) = (search.position.clone(), search.role);
        let best = Arc::new(Mutex::new(search.choice()));
        let told = best.clone();
        let work = Background::start(budget, move |budget| {
            let (insights, learning) = (search.insights.clone(), budget.part());
            let knowledge = search.position.game().knowledge().clone();
            std::thread::scope(|scope| {
                scope.spawn(|| insights.gather(&knowledge, &learning));
                think(&mut search, budget, &told);
                learning.stop(Stop::Interrupted);
            });
            search
        });
        Thinking { work, position, role, best }
    }

    /// The best move so far; none where the role has no legal move.
    pub fn best(&self) -> Option<Thought> {
        let best = self.best.lock().expect("no panic while held").clone();
        best.map(|(choice, visits)| Thought::of(&self.position, self.role, &choice, visits))
    }

    /// Whether it has ended by itself.
    pub fn is_over(&self) -> bool {
        self.work.is_over()
    }

    /// Ends it. The search can go on from there.
    pub fn stop(self) -> Search {
        self.work.budget.stop(Stop::Interrupted);
        self.work.answer()
    }
}

fn think(search: &mut Search, budget: &Budget, told: &Mutex<Option<(Choice, u64)>>) {
    loop {
        let before = search.visits();
        let ended = search.think(ROUND, budget).is_err() || search.visits() == before;
        *told.lock().expect("no panic while held") = search.choice();
        if ended {
            return;
        }
    }
}

/// A solver at work.
pub struct Solving {
    work: Background<Solution>,
}

impl Solving {
    pub(super) fn start(
        position: &Position,
        settings: Settings,
        budget: &Budget,
    ) -> Result<Solving, Refusal> {
        let knowledge = position.game().knowledge().clone();
        let net = knowledge.net(budget)?;
        let holds = |name: &String| position.facts().binary_search(name).is_ok();
        let state = net.bases.iter().map(|base| holds(&base.name)).collect();
        let subject = Subject { knowledge, net, state };
        let work = Background::start(budget, move |budget| {
            solve(&subject, &settings, budget, Proving(&budget.part()))
        });
        Ok(Solving { work })
    }

    /// What it is at: the name of the stage, steps done, and steps in all where they are known.
    pub fn progress(&self) -> (&'static str, u64, u64) {
        self.work.budget.progress()
    }

    /// What is known by now, in words: the depth that is done and the bounds of the goal.
    pub fn so_far(&self) -> String {
        self.work.budget.noted()
    }

    /// Whether it has ended by itself.
    pub fn is_over(&self) -> bool {
        self.work.is_over()
    }

    /// Waits for the end.
    pub fn wait(self) -> Solution {
        self.work.answer()
    }

    /// Ends it, with what is known by now.
    pub fn stop(self) -> Solution {
        self.work.budget.stop(Stop::Interrupted);
        self.work.answer()
    }
}
