//! `Hypotheses`: candidates and lemmas that proofs of single candidates assume of the state before a
//! step, and which of them each proof used.
//!
//! The candidates that are left in the end are inductive together: each has a proof that assumes
//! lemmas and candidates that are left.

use super::Prover;
use super::unroll::Unrolling;
use ludex_net::Lit;

/// Candidates and lemmas that read more gates are not looked at.
const MOST_GATES: usize = 2_000;

/// What was proved, and the lemmas that were used.
pub type ProvedLits = (Vec<Lit>, Vec<usize>);

pub struct Hypotheses {
    /// The candidates, and after them the lemmas.
    pub lits: Vec<Lit>,
    /// The bases that each reads; none where these are too many.
    pub reads: Vec<Option<Vec<usize>>>,
    /// For every base what reads it.
    readers: Vec<Vec<usize>>,
    candidates: usize,
    left: Vec<bool>,
    used: Vec<UsedHypotheses>,
}

/// The hypotheses that a proof used.
#[derive(Clone, Default)]
pub struct UsedHypotheses(Vec<usize>);

impl UsedHypotheses {
    /// Those that the last answer of the solver needed.
    pub fn of(assumed: &[(usize, i32)], state: &Unrolling) -> UsedHypotheses {
        let needed = assumed.iter().filter(|a| state.needed(a.1));
        UsedHypotheses(needed.map(|a| a.0).collect())
    }
}

impl Hypotheses {
    pub fn new(prover: &Prover, candidates: Vec<Lit>) -> Hypotheses {
        let count = candidates.len();
        let lits: Vec<Lit> = candidates.into_iter().chain(prover.lemmas.clone()).collect();
        let reads: Vec<_> = lits.iter().map(|lit| prover.net.reads(*lit, MOST_GATES)).collect();
        let mut readers = vec![vec![]; prover.net.bases.len()];
        for (i, bases) in reads.iter().enumerate() {
            bases.iter().flatten().for_each(|b| readers[*b].push(i));
        }
        let left = reads[..count].iter().map(Option::is_some).collect();
        Hypotheses {
            lits,
            reads,
            readers,
            candidates: count,
            left,
            used: vec![UsedHypotheses::default(); count],
        }
    }

    /// The candidates that are not dropped.
    pub fn left(&self) -> Vec<usize> {
        (0..self.candidates).filter(|c| self.left[*c]).collect()
    }

    pub fn is_left(&self, candidate: usize) -> bool {
        self.left[candidate]
    }

    pub fn readers(&self, base: usize) -> impl Iterator<Item = usize> {
        self.readers[base].iter().copied()
    }

    pub fn is_candidate(&self, hypothesis: usize) -> bool {
        hypothesis < self.candidates
    }

    pub fn drop(&mut self, candidate: usize) {
        self.left[candidate] = false;
    }

    /// Notes a part of the proof of a candidate.
    pub fn prove(&mut self, candidate: usize, used: UsedHypotheses) {
        self.used[candidate].0.extend(used.0);
    }

    /// Forgets the proofs that used what was dropped since; these candidates.
    pub fn unsupported(&mut self) -> Vec<usize> {
        let dropped = |i: &usize| *i < self.candidates && !self.left[*i];
        let lost = |c: &usize| self.used[*c].0.iter().any(dropped);
        let lost: Vec<usize> = self.left().into_iter().filter(lost).collect();
        lost.iter().for_each(|c| self.used[*c].0.clear());
        lost
    }

    /// The hypotheses that are left and read one of these bases, each with the solver's switch that
    /// makes it hold at step 0.
    pub fn switch_on(
        &self,
        bases: &[usize],
        switches: &mut [Option<i32>],
        state: &mut Unrolling,
    ) -> Vec<(usize, i32)> {
        let mut of: Vec<usize> = bases.iter().flat_map(|b| self.readers(*b)).collect();
        of.sort_unstable();
        of.dedup();
        of.retain(|i| !self.is_candidate(*i) || self.left[*i]);
        let mut switch = |i: usize| {
            *switches[i].get_or_insert_with(|| {
                let (switch, holds) = (state.fresh(), state.at(0, self.lits[i]));
                state.clause([-switch, holds]);
                switch
            })
        };
        of.into_iter().map(|i| (i, switch(i))).collect()
    }

    /// The candidates that are left, and the lemmas that their proofs used.
    pub fn proved(&self) -> ProvedLits {
        let left = self.left();
        let used = left.iter().flat_map(|c| &self.used[*c].0);
        let mut lemmas: Vec<usize> = used.filter_map(|i| i.checked_sub(self.candidates)).collect();
        lemmas.sort_unstable();
        lemmas.dedup();
        (left.into_iter().map(|c| self.lits[c]).collect(), lemmas)
    }
}
