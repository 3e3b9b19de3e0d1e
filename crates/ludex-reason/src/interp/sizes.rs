//! `RelationSizes`: how facts are spread in sampled states, and how much tables have answered.

use super::store::FactStore;
use super::tuples::Tuples;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct RelationSizes {
    /// By functor: the true rows in each sampled state.
    facts: Vec<Vec<Tuples>>,
    states: usize,
    all: usize,
    /// By relation and given columns: keys asked and answers found.
    answers: FxHashMap<(u32, Vec<usize>), (u64, u64)>,
}

/// How rows are spread over the keys of some columns.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Rows for a key that occurs.
    pub matches: f64,
    /// The part of all combinations of the columns' values that occur as keys.
    pub hits: f64,
}

impl RelationSizes {
    /// Notes the present state of the store.
    pub fn sample(&mut self, store: &FactStore) {
        self.states += 1;
        self.all += store.facts.len();
        self.facts.resize(store.functors.len(), Vec::new());
        for (f, functor) in store.functors.iter().enumerate() {
            let mut rows = Tuples::new(functor.tuples.width());
            for &fact in &store.facts {
                if let Some(row) = store.row_in(fact, f as u32) {
                    let values = functor.tuples.row(row);
                    rows.intern(|i| values[i]);
                }
            }
            self.facts[f].push(rows);
        }
    }

    pub fn note_answers(&mut self, relation: u32, columns: &[usize], keys: u64, answers: u64) {
        let entry = self.answers.entry((relation, columns.to_vec())).or_default();
        entry.0 += keys;
        entry.1 += answers;
    }

    /// The true facts of a functor by these columns.
    pub fn facts(&self, functor: u32, columns: &[usize]) -> Spread {
        match self.facts.get(functor as usize) {
            Some(samples) if samples.iter().any(|s| s.len() > 0) => Spread::of(samples, columns),
            // Never seen: somewhere between nothing and much.
            Some(samples) if !samples.is_empty() => {
                let free = samples[0].width() - columns.len();
                Spread { matches: 3f64.powi(free.min(6) as i32), hits: 0.3 }
            }
            _ => Spread { matches: 3.0, hits: 0.3 },
        }
    }

    /// Facts of a state.
    pub fn state(&self) -> f64 {
        self.all as f64 / self.states.max(1) as f64
    }

    /// Answers of a relation for a key of these columns, if it was ever asked that way.
    pub fn answers(&self, relation: u32, columns: &[usize]) -> Option<f64> {
        let (keys, answers) = *self.answers.get(&(relation, columns.to_vec()))?;
        (keys > 0).then(|| answers as f64 / keys as f64)
    }
}

impl Spread {
    /// The mean over samples of rows.
    pub fn of<'a>(samples: impl IntoIterator<Item = &'a Tuples>, columns: &[usize]) -> Spread {
        let (mut rows, mut occurring, mut n) = (0, 0, 0);
        let mut values = vec![Tuples::new(1); columns.len()];
        for sample in samples {
            let mut keys = Tuples::new(columns.len());
            for row in 0..sample.len() as u32 {
                let row = sample.row(row);
                keys.intern(|i| row[columns[i]]);
                values.iter_mut().zip(columns).for_each(|(v, c)| {
                    v.intern(|_| row[*c]);
                });
            }
            rows += sample.len();
            occurring += keys.len();
            n += 1;
        }
        let combinations: f64 = values.iter().map(|v| v.len().max(1) as f64).product();
        Spread {
            matches: rows as f64 / occurring.max(1) as f64,
            hits: occurring as f64 / n.max(1) as f64 / combinations,
        }
    }
}
