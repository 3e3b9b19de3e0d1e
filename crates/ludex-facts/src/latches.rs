//! `Net` -> `Latches`: facts and views that keep their value once they have it (paper 003, section 4).
//!
//! A positive latch stays true once it is true, a negative one stays false once it is false, after
//! every legal joint move in a reachable state that is not terminal (Lemma 4.2). Facts that are
//! always true are listed as positive, facts that never become true as negative. A latch is proved by
//! the structure of the net (Lemma 4.3, with constants pushed through all gates), or else by
//! induction. In the negation case of Definition 4.4 the proof of Lemma 4.5 leaves the gate alone; we
//! take the definition's meaning: the negation of a true latch is false.

mod closure;
mod finally;
mod side_by_side;

pub use finally::{Final, finally, finally_with};
pub use side_by_side::{Folding, SideBySide, fold, fold_known};

use super::invariants::{Invariant, InvariantKind, Invariants};
use super::lemmas::{Author, Lemma, Lemmas};
use super::samples::Samples;
use crate::prove::Verdict;
use closure::Closure;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Lit, Net};
use std::sync::Arc;

#[derive(Clone)]
pub struct Latches {
    pub net: Arc<Net>,
    /// Bases, ascending.
    pub positive: Vec<usize>,
    pub negative: Vec<usize>,
    /// Those of them that needed induction, and the lemmas that it used for all of them.
    pub by_induction: Vec<(usize, LatchValue)>,
    pub lemmas: Vec<String>,
    rests_on: Vec<(InvariantKind, Vec<usize>)>,
    /// Bases that were seen neither to fall (or rise) nor proved to be latches.
    pub undecided: Vec<(usize, LatchValue)>,
    /// Why not all was tried.
    pub stopped: Option<Stop>,
    /// For every gate whether it can only rise, and whether it can only fall.
    rises: Vec<bool>,
    falls: Vec<bool>,
}

/// Which value stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LatchValue {
    True,
    False,
}

/// Conflicts that the solver may spend on one candidate.
const EFFORT: i32 = 5_000;

impl Latches {
    /// What the structure of the net shows. What is open then is undecided.
    pub fn by_structure(
        net: &Arc<Net>,
        samples: &Samples,
        budget: &Budget,
    ) -> Result<Latches, Stop> {
        let initial: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
        let constants = finally(net, &initial).bases;
        let mut found = Latches {
            net: net.clone(),
            positive: vec![],
            negative: vec![],
            by_induction: vec![],
            lemmas: vec![],
            rests_on: vec![],
            undecided: vec![],
            stopped: None,
            rises: vec![],
            falls: vec![],
        };
        found.undecided = found.look(&constants, samples, budget)?;
        Ok(found.settled())
    }

    /// What is undecided, from what is known: proofs by induction may last so many seconds.
    pub fn by_induction(
        mut self,
        known: &mut Invariants,
        seconds: f64,
        budget: &Budget,
    ) -> Latches {
        self.stopped = match self.undecided.is_empty() {
            true => None,
            false => self.induct(known, seconds, budget).err(),
        };
        self.settled()
    }

    fn settled(mut self) -> Latches {
        self.positive.sort_unstable();
        self.negative.sort_unstable();
        (self.rises, self.falls) = self.views();
        self
    }

    /// Adds what is proved here.
    pub fn teach(&self, known: &mut Lemmas) {
        let rests_on = self.rests_on.iter().filter_map(|(kind, about)| known.number(*kind, about));
        let rests_on: Vec<usize> = rests_on.collect();
        let positive = self.positive.iter().map(|b| (*b, LatchValue::True));
        for (b, value) in positive.chain(self.negative.iter().map(|b| (*b, LatchValue::False))) {
            let kind = match (value, self.net.bases[b].initial) {
                (LatchValue::True, true) => InvariantKind::AlwaysTrue,
                (LatchValue::True, false) => InvariantKind::Persistent,
                (LatchValue::False, true) => InvariantKind::NeverReturns,
                (LatchValue::False, false) => InvariantKind::AlwaysFalse,
            };
            let (by, rests_on) = match self.by_induction.contains(&(b, value)) {
                true => (Author::Latches, rests_on.clone()),
                false => (Author::Structure, vec![]),
            };
            known.add(Lemma { kind, about: vec![b], by, k: 1, rests_on });
        }
    }

    fn list(&mut self, value: LatchValue) -> &mut Vec<usize> {
        match value {
            LatchValue::True => &mut self.positive,
            LatchValue::False => &mut self.negative,
        }
    }

    /// Proves what the structure shows, and gives the candidates that are left.
    fn look(
        &mut self,
        constants: &[Option<bool>],
        samples: &Samples,
        budget: &Budget,
    ) -> Result<Vec<(usize, LatchValue)>, Stop> {
        let net = self.net.clone();
        let mut closure = Closure::new(&net, constants);
        let mut open = Vec::new();
        for (b, constant) in constants.iter().enumerate() {
            budget.check()?;
            if let Some(value) = constant {
                self.list(if *value { LatchValue::True } else { LatchValue::False }).push(b);
                continue;
            }
            let (now, next) = (net.base_lit(b), net.bases[b].next);
            for (value, now, next) in
                [(LatchValue::True, now, next), (LatchValue::False, !now, !next)]
            {
                if closure.value(now, next) == Some(true) {
                    self.list(value).push(b);
                } else if !leaves(samples, b, value) {
                    open.push((b, value));
                }
            }
        }
        Ok(open)
    }

    /// Lemmas that are missing for lack of time leave more undecided, and that is told.
    fn induct(
        &mut self,
        known: &mut Invariants,
        seconds: f64,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut used = self.take_over(known);
        let open = self.undecided.clone();
        let (prover, stopped) = (&mut known.prover, known.stopped);
        prover.effort = EFFORT;
        prover.limit(&budget.lasting(seconds));
        let mut lits = Vec::new();
        for (b, value) in &open {
            let (now, next) = (self.net.base_lit(*b), self.net.bases[*b].next);
            lits.push(match value {
                LatchValue::True => prover.or([!now, next]),
                LatchValue::False => prover.or([now, !next]),
            });
        }
        let (proved, stop) = prover.implied_in_time(&lits, true);
        let shown = lits.iter().zip(&proved).filter(|(_, p)| **p).map(|(lit, _)| *lit);
        let shown: Vec<Lit> = shown.collect();
        if !shown.is_empty() {
            // Without the time to find out which ones, all of them.
            let all = 0..prover.lemmas();
            used.extend(prover.lemmas_of(&shown, true).unwrap_or_else(|_| all.collect()));
        }
        let mut proved = proved.into_iter();
        let (proved, undecided) = open.iter().partition(|_| proved.next().expect("one each"));
        self.undecided = undecided;
        self.induced(proved);
        self.rest_on(used, known);
        self.tell_constants_once();
        match stop.or(stopped) {
            Some(stop) if !self.undecided.is_empty() => Err(stop),
            _ => Ok(()),
        }
    }

    /// Takes over what is known; gives the lemmas that it rests on.
    fn take_over(&mut self, known: &Invariants) -> Vec<usize> {
        let mut used = Vec::new();
        for i in &known.found {
            let Verdict::Proved { lemmas, .. } = &i.verdict else { continue };
            let value = match i.kind {
                InvariantKind::Persistent | InvariantKind::AlwaysTrue => LatchValue::True,
                InvariantKind::NeverReturns | InvariantKind::AlwaysFalse => LatchValue::False,
                _ => continue,
            };
            let latch = (i.about[0], value);
            if let Some(at) = self.undecided.iter().position(|open| *open == latch) {
                self.undecided.remove(at);
                self.induced(vec![latch]);
                used.extend(lemmas.iter().chain(&i.lemmas));
            }
        }
        used
    }

    fn induced(&mut self, latches: Vec<(usize, LatchValue)>) {
        for (b, value) in latches {
            self.by_induction.push((b, value));
            self.list(value).push(b);
        }
    }

    fn rest_on(&mut self, lemmas: Vec<usize>, known: &Invariants) {
        let used = |i: &&Invariant| i.lemmas.iter().any(|lemma| lemmas.contains(lemma));
        let used = known.found.iter().filter(used);
        self.rests_on = used.map(|i| (i.kind, i.about.clone())).collect();
        self.lemmas = known.lemma_texts(&Verdict::Proved { k: 1, lemmas });
    }

    /// What starts as a latch with its value keeps it for ever; the opposite is true of nothing.
    fn tell_constants_once(&mut self) {
        let net = self.net.clone();
        let (positive, negative) = (self.positive.clone(), self.negative.clone());
        self.negative.retain(|b| !(net.bases[*b].initial && positive.contains(b)));
        self.positive.retain(|b| net.bases[*b].initial || !negative.contains(b));
        let always = |b: usize| match net.bases[b].initial {
            true => positive.contains(&b),
            false => negative.contains(&b),
        };
        self.undecided.retain(|c| !always(c.0));
    }

    /// Views that are made of latches: a gate whose operands can only rise can only rise.
    fn views(&self) -> (Vec<bool>, Vec<bool>) {
        let net = &self.net;
        let size = net.gates.len();
        let (mut rises, mut falls) = (vec![true; size], vec![true; size]);
        for b in 0..net.bases.len() {
            let constant = |list: &[usize], initial| {
                net.bases[b].initial == initial && list.binary_search(&b).is_ok()
            };
            let fixed = constant(&self.positive, true) || constant(&self.negative, false);
            rises[1 + b] = fixed || self.positive.binary_search(&b).is_ok();
            falls[1 + b] = fixed || self.negative.binary_search(&b).is_ok();
        }
        for i in 0..net.inputs.len() {
            rises[1 + net.bases.len() + i] = false;
            falls[1 + net.bases.len() + i] = false;
        }
        // Inside a component all are taken to be monotone until one is seen not to be.
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (g, gate) in net.gates.iter().enumerate() {
                let Some((a, b)) = gate.operands() else { continue };
                let up = |l: Lit| if l.negated() { falls[l.gate()] } else { rises[l.gate()] };
                let down = |l: Lit| if l.negated() { rises[l.gate()] } else { falls[l.gate()] };
                let (r, f) = (up(a) && up(b), down(a) && down(b));
                changed |= (r, f) != (rises[g], falls[g]) && !net.components.is_empty();
                (rises[g], falls[g]) = (r, f);
            }
        }
        (rises, falls)
    }

    /// The value that a view keeps once it has it; none where it may change to and fro.
    pub fn stays(&self, view: Lit) -> Option<LatchValue> {
        let (mut up, mut down) = (self.rises[view.gate()], self.falls[view.gate()]);
        if view.negated() {
            std::mem::swap(&mut up, &mut down);
        }
        match (up, down) {
            (true, _) => Some(LatchValue::True),
            (_, true) => Some(LatchValue::False),
            _ => None,
        }
    }

    /// The number of gates that are latches, of all gates over the state alone.
    pub fn view_count(&self) -> usize {
        let first = 1 + self.net.bases.len() + self.net.inputs.len();
        (first..self.net.gates.len()).filter(|g| self.rises[*g] || self.falls[*g]).count()
    }
}

/// Was a base seen to lose this value?
fn leaves(samples: &Samples, base: usize, value: LatchValue) -> bool {
    let lost = match value {
        LatchValue::True => (true, false),
        LatchValue::False => (false, true),
    };
    samples.steps().any(|s| (samples.holds(s, base), samples.holds(s + 1, base)) == lost)
}
