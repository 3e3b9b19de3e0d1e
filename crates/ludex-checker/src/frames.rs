//! States one after the other, as clauses: `frame` t has a variable of the solver for every variable of the circuit.

use crate::Rejected;
use crate::aiger::AigerFile;
use crate::claims::{CertifiedClaim, Claims};
use std::collections::{BTreeMap, BTreeSet};
use varisat::{ExtendFormula, Lit, Solver};

pub struct Frames<'c> {
    circuit: &'c AigerFile,
    claims: &'c Claims,
    solver: Solver<'static>,
    /// By frame and variable of the circuit.
    frames: Vec<Vec<Lit>>,
}

/// What steps do to the literals of a claim: kinds of them, at most.
const MOST_KINDS: usize = 100_000;

impl<'c> Frames<'c> {
    pub fn new(circuit: &'c AigerFile, claims: &'c Claims) -> Frames<'c> {
        let mut solver = Solver::new();
        solver.enable_self_checking();
        Frames { circuit, claims, solver, frames: vec![] }
    }

    /// The literal of the circuit in a frame.
    fn at(&self, t: usize, lit: u32) -> Lit {
        let of = self.frames[t][lit as usize / 2];
        if lit & 1 == 1 { !of } else { of }
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.solver.add_clause(lits);
    }

    /// The frame after those that are there; its latches are free, but for what a step before says.
    pub fn add(&mut self, t: usize) {
        if self.frames.len() <= t {
            self.frame();
        }
    }

    fn frame(&mut self) {
        let fresh = |_| self.solver.new_lit();
        let frame: Vec<Lit> = (0..=self.circuit.variables).map(fresh).collect();
        self.frames.push(frame);
        let t = self.frames.len() - 1;
        let never = !self.at(t, 0);
        self.clause(&[never]);
        for [lit, a, b] in &self.circuit.ands {
            let [lit, a, b] = [*lit, *a, *b].map(|l| self.at(t, l));
            self.clause(&[!lit, a]);
            self.clause(&[!lit, b]);
            self.clause(&[lit, !a, !b]);
        }
    }

    /// The first frame is the first state.
    pub fn begin(&mut self) {
        self.frame();
        for latch in &self.circuit.latches {
            let lit = self.at(0, latch.lit);
            self.clause(&[if latch.initial { lit } else { !lit }]);
        }
    }

    /// A frame is not terminal, every role makes one legal move in it, and the next frame is what follows.
    pub fn step(&mut self, t: usize) {
        let over = self.at(t, self.circuit.outputs[0]);
        self.clause(&[!over]);
        for role in &self.claims.roles {
            let moves: Vec<Lit> = role.clone().map(|i| self.at(t, 2 * (1 + i as u32))).collect();
            self.clause(&moves);
            self.at_most_one(&moves);
            for (i, made) in role.clone().zip(moves) {
                let legal = self.at(t, self.circuit.outputs[1 + i]);
                self.clause(&[!made, legal]);
            }
        }
        self.frame();
        for latch in &self.circuit.latches {
            let (next, lit) = (self.at(t, latch.next), self.at(t + 1, latch.lit));
            self.clause(&[!next, lit]);
            self.clause(&[next, !lit]);
        }
    }

    /// With a variable that holds once one of the first so many does.
    fn at_most_one(&mut self, lits: &[Lit]) {
        let mut before: Option<Lit> = None;
        for lit in lits {
            let now = self.solver.new_lit();
            self.clause(&[!*lit, now]);
            if let Some(before) = before {
                self.clause(&[!before, now]);
                self.clause(&[!before, !*lit]);
            }
            before = Some(now);
        }
    }

    /// All claims about states hold in a frame.
    pub fn assume(&mut self, t: usize) {
        for (_, claim) in &self.claims.list {
            match claim {
                CertifiedClaim::Clause(lits) => {
                    let lits: Vec<Lit> = lits.iter().map(|l| self.at(t, *l)).collect();
                    self.clause(&lits);
                }
                CertifiedClaim::AtMostOne { lits, unless } => self.assume_one(t, lits, unless),
                _ => {}
            }
        }
    }

    fn assume_one(&mut self, t: usize, lits: &[u32], unless: &[u32]) {
        let unless: Vec<Lit> = unless.iter().map(|l| self.at(t, *l)).collect();
        let mut before: Option<Lit> = None;
        for lit in lits.iter().map(|l| self.at(t, *l)).collect::<Vec<_>>() {
            let now = self.solver.new_lit();
            self.clause(&[!lit, now]);
            if let Some(before) = before {
                self.clause(&[!before, now]);
                let one: Vec<Lit> = [!before, !lit].into_iter().chain(unless.clone()).collect();
                self.clause(&one);
            }
            before = Some(now);
        }
    }

    /// No claim about states fails in a frame.
    pub fn refute(&mut self, t: usize, why: &str) -> Result<(), Rejected> {
        let mut fails = Vec::new();
        for (line, claim) in &self.claims.list {
            fails.extend(self.fails(t, claim).map(|lit| (*line, lit)));
        }
        let some = self.solver.new_lit();
        let any: Vec<Lit> = fails.iter().map(|f| f.1).chain([!some]).collect();
        self.clause(&any);
        if !self.solve(&[some])? {
            self.clause(&[!some]);
            return Ok(());
        }
        let model = self.model();
        let failed = fails.iter().find(|f| model.contains(&f.1)).map_or(0, |f| f.0);
        Err(Rejected::Claim { line: failed, message: why.into() })
    }

    /// A literal that holds only where a claim about states fails.
    fn fails(&mut self, t: usize, claim: &CertifiedClaim) -> Option<Lit> {
        let fails = self.solver.new_lit();
        match claim {
            CertifiedClaim::Clause(lits) => {
                for lit in lits.iter().map(|l| self.at(t, *l)).collect::<Vec<_>>() {
                    self.clause(&[!fails, !lit]);
                }
            }
            CertifiedClaim::AtMostOne { lits, unless } => {
                for lit in unless.iter().map(|l| self.at(t, *l)).collect::<Vec<_>>() {
                    self.clause(&[!fails, !lit]);
                }
                let two = self.two(t, lits);
                self.clause(&[&[!fails], &two[..]].concat());
            }
            _ => return None,
        }
        Some(fails)
    }

    /// Literals each of which holds only where one of these does and one before it.
    fn two(&mut self, t: usize, lits: &[u32]) -> Vec<Lit> {
        let (mut before, mut found): (Option<Lit>, Vec<Lit>) = (None, vec![]);
        for lit in lits.iter().map(|l| self.at(t, *l)).collect::<Vec<_>>() {
            let now = self.solver.new_lit();
            match before {
                None => self.clause(&[!now, lit]),
                Some(before) => {
                    self.clause(&[!now, before, lit]);
                    let both = self.solver.new_lit();
                    self.clause(&[!both, before]);
                    self.clause(&[!both, lit]);
                    found.push(both);
                }
            }
            before = Some(now);
        }
        found
    }

    /// Can these literals never hold together, each in its frame?
    pub fn never(&mut self, lits: &[(usize, u32)]) -> Result<bool, Rejected> {
        let lits: Vec<Lit> = lits.iter().map(|(t, lit)| self.at(*t, *lit)).collect();
        Ok(!self.solve(&lits)?)
    }

    /// Is one of these literals true before and after every step, and does none come back once it is left? The ways
    /// from one to the other are listed.
    pub fn counts_forward(&mut self, lits: &[u32]) -> Result<bool, Rejected> {
        for t in [0, 1] {
            let none: Vec<(usize, u32)> = lits.iter().map(|l| (t, l ^ 1)).collect();
            if !self.never(&none)? {
                return Ok(false);
            }
        }
        let mut ways: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        let asked = self.solver.new_lit();
        for _ in 0..MOST_KINDS {
            if !self.solve(&[asked])? {
                return Ok(is_forward(&ways));
            }
            let model = self.model();
            let holds = |t: usize| lits.iter().copied().find(|l| model.contains(&self.at(t, *l)));
            let (Some(from), Some(to)) = (holds(0), holds(1)) else { return Ok(false) };
            ways.entry(from).or_default().insert(to);
            let other = [!asked, !self.at(0, from), !self.at(1, to)];
            self.clause(&other);
        }
        Ok(false)
    }

    /// Does the first of these sums that changes fall with every step? The kinds of steps are listed.
    pub fn falls(&mut self, sums: &[Vec<(i64, u32)>]) -> Result<bool, Rejected> {
        let lits: BTreeSet<u32> = sums.iter().flatten().map(|(_, lit)| *lit).collect();
        let mut changes: BTreeMap<u32, Lit> = BTreeMap::new();
        for lit in &lits {
            let (now, then, changed) = (self.at(0, *lit), self.at(1, *lit), self.solver.new_lit());
            self.clause(&[!changed, now, then]);
            self.clause(&[!changed, !now, !then]);
            changes.insert(*lit, changed);
        }
        let asked = self.solver.new_lit();
        for _ in 0..MOST_KINDS {
            if !self.solve(&[asked])? {
                return Ok(true);
            }
            let model = self.model();
            let holds = |t: usize, lit: u32| model.contains(&self.at(t, lit)) as i64;
            let change = |sum: &Vec<(i64, u32)>| -> i64 {
                sum.iter().map(|(w, l)| w * (holds(1, *l) - holds(0, *l))).sum()
            };
            if sums.iter().map(change).find(|c| *c != 0).is_none_or(|c| c > 0) {
                return Ok(false);
            }
            // Another kind of step: some literal changes in another way.
            let mut other = vec![!asked];
            for lit in &lits {
                match (holds(0, *lit), holds(1, *lit)) {
                    (1, 0) => other.extend([!self.at(0, *lit), self.at(1, *lit)]),
                    (0, 1) => other.extend([self.at(0, *lit), !self.at(1, *lit)]),
                    _ => other.push(changes[lit]),
                }
            }
            self.clause(&other);
        }
        Ok(false)
    }

    fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Rejected> {
        self.solver.assume(assumptions);
        self.solver.solve().map_err(failed)
    }

    fn model(&self) -> BTreeSet<Lit> {
        self.solver.model().unwrap_or_default().into_iter().collect()
    }

    /// Checks the end of the solver's proof.
    pub fn close(mut self) -> Result<(), Rejected> {
        self.solver.close_proof().map_err(failed)
    }
}

fn failed(why: varisat::solver::SolverError) -> Rejected {
    Rejected::Solver(why.to_string())
}

/// Do ways never lead back to where they came from?
fn is_forward(ways: &BTreeMap<u32, BTreeSet<u32>>) -> bool {
    let mut left: BTreeMap<u32, BTreeSet<u32>> = ways.clone();
    loop {
        // Whoever leads nowhere any more is through.
        let through: Vec<u32> = left
            .iter()
            .filter(|(_, to)| to.iter().all(|t| !left.contains_key(t)))
            .map(|w| *w.0)
            .collect();
        if through.is_empty() {
            return left.is_empty();
        }
        through.iter().for_each(|w| drop(left.remove(w)));
    }
}
