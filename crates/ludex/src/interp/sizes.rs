//! `Sizes`: how many matches a scan is expected to give, from sampled states and answered tables.

use super::store::Store;
use super::tuples::Tuples;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Sizes {
    /// By functor: the true rows in each sampled state that has any.
    facts: Vec<Vec<Tuples>>,
    widths: Vec<usize>,
    states: usize,
    all: usize,
    /// By relation and given columns: keys asked and answers found.
    answers: FxHashMap<(u32, Vec<usize>), (u64, u64)>,
}

impl Sizes {
    /// Notes the present state of the store.
    pub fn sample(&mut self, store: &Store) {
        self.states += 1;
        self.all += store.facts.len();
        self.widths = store.functors.iter().map(|f| f.tuples.width()).collect();
        self.facts.resize(store.functors.len(), Vec::new());
        for (f, functor) in store.functors.iter().enumerate() {
            let mut rows = Tuples::new(functor.tuples.width());
            for &fact in &store.facts {
                if let Some(row) = store.row_in(fact, f as u32) {
                    let values = functor.tuples.row(row);
                    rows.intern(|i| values[i]);
                }
            }
            if rows.len() > 0 {
                self.facts[f].push(rows);
            }
        }
    }

    pub fn note_answers(&mut self, relation: u32, columns: &[usize], keys: u64, answers: u64) {
        let entry = self.answers.entry((relation, columns.to_vec())).or_default();
        entry.0 += keys;
        entry.1 += answers;
    }

    /// True facts of a functor for a key of these columns.
    pub fn facts(&self, functor: u32, columns: &[usize]) -> f64 {
        let Some(samples) = self.facts.get(functor as usize).filter(|s| !s.is_empty()) else {
            // Never seen: anything between nothing and much, so after what is known to be little.
            return 3f64.powi(self.width(functor).saturating_sub(columns.len()).min(6) as i32);
        };
        let fanout = |rows: &Tuples| {
            let mut keys = Tuples::new(columns.len());
            for row in 0..rows.len() as u32 {
                let values = rows.row(row);
                keys.intern(|i| values[columns[i]]);
            }
            rows.len() as f64 / keys.len() as f64
        };
        samples.iter().map(fanout).sum::<f64>() / samples.len() as f64
    }

    fn width(&self, functor: u32) -> usize {
        self.widths.get(functor as usize).copied().unwrap_or(2)
    }

    /// Facts of a state.
    pub fn state(&self) -> f64 {
        self.all as f64 / self.states.max(1) as f64
    }

    /// Answers of a relation for a key of these columns.
    pub fn answers(&self, relation: u32, columns: &[usize], arity: usize) -> f64 {
        match self.answers.get(&(relation, columns.to_vec())) {
            Some((keys, answers)) if *keys > 0 => (*answers as f64 / *keys as f64).max(0.6),
            _ => 4f64.powi((arity - columns.len()).min(6) as i32),
        }
    }
}
