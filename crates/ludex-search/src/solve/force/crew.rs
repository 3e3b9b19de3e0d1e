//! Threads that ask one question together: they share a table, and put off what another is searching (ABDADA: Weill, 1996).
//!
//! Whoever is through first ends the others. What is answered is as exact as on one thread; which of equally good moves decides
//! may differ.

use super::ranks::RankTable;
use super::{Force, ForceAnswer, ForceHalt, ForceQuestion};
use ludex_machine::State;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// What threads tell each other.
pub struct ForceCrew {
    /// The keys of the states that are being searched, each at a place of its own.
    open: Vec<AtomicU64>,
    /// Whether one is through.
    through: AtomicBool,
}

const PLACES: usize = 1 << 12;
/// A shared table does not grow: it has room for so many states, and so many times as many as were searched before.
const FIRST: u64 = 1 << 16;
const MORE: u64 = 64;

impl ForceCrew {
    fn new() -> Arc<ForceCrew> {
        let open = (0..PLACES).map(|_| AtomicU64::new(0)).collect();
        Arc::new(ForceCrew { open, through: AtomicBool::new(false) })
    }

    /// Tells that a state is being searched.
    pub fn enter(&self, key: u128) {
        self.place(key).store(key as u64, Relaxed);
    }

    pub fn leave(&self, key: u128) {
        if self.is_open(key) {
            self.place(key).store(0, Relaxed);
        }
    }

    pub fn is_open(&self, key: u128) -> bool {
        self.place(key).load(Relaxed) == key as u64
    }

    pub fn is_through(&self) -> bool {
        self.through.load(Relaxed)
    }

    fn place(&self, key: u128) -> &AtomicU64 {
        &self.open[(key >> 64) as usize % PLACES]
    }
}

impl<'a> Force<'a> {
    /// A searcher for another thread, with a table of its own as long as they do not ask together.
    fn helper(&self) -> Force<'a> {
        let machines = (self.field.clone(), self.batch.clone());
        let scale = self.scale.clone();
        let mut other = Force::new(machines, self.keys.clone(), scale, self.role, 0, self.budget);
        (other.path, other.potential) = (None, self.potential.clone());
        other.saving = self.saving.again();
        other
    }

    /// Asks with all threads at once. Each may take as much work as this one.
    pub(super) fn ask_together(
        &mut self,
        state: &State,
        question: ForceQuestion,
        depth: u16,
    ) -> Result<ForceAnswer, ForceHalt> {
        let mut helpers = std::mem::take(&mut self.helpers);
        helpers.resize_with(self.threads - 1, || self.helper());
        let work = self.most.saturating_sub(self.expanded);
        if let Some(table) = Arc::get_mut(&mut self.table) {
            table.reserve(work.min(FIRST + MORE * self.expanded));
        }
        let crew = ForceCrew::new();
        helpers.iter_mut().for_each(|helper| helper.begin_with(&crew, &self.table, work));
        self.crew = Some(crew.clone());
        let search = |one: &mut Force| {
            let answer = one.search(state, question, depth);
            crew.through.store(true, Relaxed);
            answer
        };
        let search = &search;
        let answers = std::thread::scope(|scope| {
            let helpers = helpers.iter_mut();
            let others: Vec<_> =
                helpers.map(|helper| scope.spawn(move || search(helper))).collect();
            let first = search(self);
            let others = others.into_iter().map(|thread| thread.join().expect("no panic"));
            std::iter::once(first).chain(others).collect::<Vec<_>>()
        });
        self.crew = None;
        helpers.iter_mut().for_each(|helper| self.take_from(helper));
        self.helpers = helpers;
        // Those who were ended by another have nothing to say.
        let last = |answer: &Result<ForceAnswer, ForceHalt>| match answer {
            Ok(_) => 0,
            Err(ForceHalt::Enough) => 2,
            Err(_) => 1,
        };
        answers.into_iter().min_by_key(last).expect("there is this one's")
    }

    fn begin_with(&mut self, crew: &Arc<ForceCrew>, table: &Arc<RankTable>, work: u64) {
        (self.crew, self.table) = (Some(crew.clone()), table.clone());
        self.most = self.expanded.saturating_add(work);
    }

    /// Adds what a helper has counted, and takes the table from it.
    fn take_from(&mut self, helper: &mut Force) {
        (helper.crew, helper.table) = (None, Arc::new(RankTable::new(0)));
        self.expanded += std::mem::take(&mut helper.expanded);
        self.saving.saved += std::mem::take(&mut helper.saving.saved);
        self.field.stuck += std::mem::take(&mut helper.field.stuck);
        self.field.without_goal += std::mem::take(&mut helper.field.without_goal);
    }
}
