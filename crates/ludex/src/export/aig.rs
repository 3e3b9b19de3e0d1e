//! `Net` -> `Aig`: and-gates and negations, loops unrolled, with what a model checker needs to know of a match.
//!
//! Nodes are numbered as AIGER wants them: the constant false, inputs, latches, gates, each after what it
//! reads. One latch more than the net has facts says that the match is over.

use super::NotExported;
use ludex_gdl::budget::Budget;
use ludex_net::{Gate, Lit, Net};
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub struct Aig {
    pub net: Arc<Net>,
    /// The first and-gate has the number after the last latch.
    pub ands: Vec<(Lit, Lit)>,
    numbers: FxHashMap<(Lit, Lit), Lit>,
    /// Of every gate of the net.
    at: Vec<Lit>,
    /// The latch that is true once the match is over, and what makes it so.
    pub over: Lit,
    pub over_next: Lit,
    /// The joint move is legal, or the match is over.
    pub fair: Lit,
    /// By role: the match ends here with the role's best goal.
    pub best: Vec<(String, Lit)>,
}

/// Gates of an unrolled net.
const MOST: usize = 5_000_000;

impl Aig {
    pub fn new(net: &Arc<Net>, budget: &Budget) -> Result<Aig, NotExported> {
        let (inputs, bases) = (net.inputs.len(), net.bases.len());
        let over = Lit::new(1 + inputs + bases, false);
        let mut aig = Aig {
            net: net.clone(),
            ands: vec![],
            numbers: FxHashMap::default(),
            at: vec![],
            over,
            over_next: Lit::FALSE,
            fair: Lit::FALSE,
            best: vec![],
        };
        aig.at = aig.copy(budget, |aig, gate| match gate {
            Gate::Base(b) => aig.latch(b as usize),
            Gate::Input(i) => Lit::new(1 + i as usize, false),
            _ => unreachable!("a leaf"),
        })?;
        aig.watch();
        Ok(aig)
    }

    pub fn latch(&self, base: usize) -> Lit {
        Lit::new(1 + self.net.inputs.len() + base, false)
    }

    /// The number of the first gate.
    pub fn first(&self) -> usize {
        2 + self.net.inputs.len() + self.net.bases.len()
    }

    /// A literal of the net.
    pub fn of(&self, lit: Lit) -> Lit {
        on(&self.at, lit)
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match (a, b) {
            (Lit::FALSE, _) => return Lit::FALSE,
            (Lit::TRUE, b) => return b,
            _ if a == b => return a,
            _ if a == !b => return Lit::FALSE,
            _ => {}
        }
        let new = Lit::new(self.first() + self.ands.len(), false);
        let known = *self.numbers.entry((a, b)).or_insert(new);
        if known == new {
            self.ands.push((a, b));
        }
        known
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// All gates of the net over these leaves; the new literals by gate.
    pub fn copy(
        &mut self,
        budget: &Budget,
        mut leaf: impl FnMut(&Aig, Gate) -> Lit,
    ) -> Result<Vec<Lit>, NotExported> {
        let net = self.net.clone();
        let mut at = vec![Lit::FALSE; net.gates.len()];
        let mut loops = net.components.iter();
        let mut g = 1;
        while g < net.gates.len() {
            if net.gates[g].is_loop() {
                let range = loops.next().expect("every loop is in a component").clone();
                self.unroll(range.clone(), &mut at, budget)?;
                g = range.end;
                continue;
            }
            at[g] = match net.gates[g] {
                Gate::And(a, b) => self.and(on(&at, a), on(&at, b)),
                Gate::Or(a, b) => self.or(on(&at, a), on(&at, b)),
                leaf_gate => leaf(self, leaf_gate),
            };
            g += 1;
        }
        budget.check()?;
        Ok(at)
    }

    /// A least fixpoint, round by round from all false, until nothing changes.
    fn unroll(
        &mut self,
        range: std::ops::Range<usize>,
        at: &mut [Lit],
        budget: &Budget,
    ) -> Result<(), NotExported> {
        let net = self.net.clone();
        for _ in 0..=range.len() {
            budget.check()?;
            let mut changed = false;
            for g in range.clone() {
                let (a, b) = net.gates[g].operands().expect("a gate of a loop");
                let (a, b) = (on(at, a), on(at, b));
                let new = match net.gates[g] {
                    Gate::LoopAnd(..) => self.and(a, b),
                    _ => self.or(a, b),
                };
                changed |= new != at[g];
                at[g] = new;
            }
            if !changed {
                return Ok(());
            }
            if self.ands.len() > MOST {
                let why = "a recursive relation is too large to be unrolled into a circuit";
                return Err(NotExported::Unfit(why.into()));
            }
        }
        Ok(())
    }

    /// What ends a match, what is fair play, and who has won.
    fn watch(&mut self) {
        let net = self.net.clone();
        let ended = self.of(net.terminal);
        self.over_next = self.or(self.over, ended);
        let mut all = Lit::TRUE;
        for role in 0..net.roles.len() {
            let (mut one, mut more, mut illegal) = (Lit::FALSE, Lit::FALSE, Lit::FALSE);
            for i in net.inputs_of(role) {
                let (does, legal) = (Lit::new(1 + i, false), self.of(net.inputs[i].legal));
                let again = self.and(one, does);
                more = self.or(more, again);
                one = self.or(one, does);
                let wrong = self.and(does, !legal);
                illegal = self.or(illegal, wrong);
            }
            let right = self.and(one, !more);
            let right = self.and(right, !illegal);
            all = self.and(all, right);
        }
        self.fair = self.or(self.over_next, all);
        let now = self.and(!self.over, ended);
        for (role, goals) in net.goals.iter().enumerate() {
            if let Some((value, lit)) = goals.last() {
                let reached = self.of(*lit);
                let best = self.and(now, reached);
                self.best.push((format!("{} gets {value}", net.roles[role]), best));
            }
        }
    }

    /// What can be seen of a state: legal moves, the end, goals.
    pub fn outputs(&self) -> Vec<(String, Lit)> {
        let net = &self.net;
        let mut found = vec![("terminal".to_string(), self.of(net.terminal))];
        for (role, goals) in net.goals.iter().enumerate() {
            let name = |value: &i32| format!("goal {} {value}", net.roles[role]);
            found.extend(goals.iter().map(|(value, lit)| (name(value), self.of(*lit))));
        }
        for input in &net.inputs {
            let name = format!("legal {} {}", net.roles[input.role], input.name);
            found.push((name, self.of(input.legal)));
        }
        found
    }

    /// `does white (mark 1 1)`
    pub fn input_name(&self, input: usize) -> String {
        let input = &self.net.inputs[input];
        format!("does {} {}", self.net.roles[input.role], input.name)
    }
}

fn on(at: &[Lit], lit: Lit) -> Lit {
    let new = at[lit.gate()];
    if lit.negated() { !new } else { new }
}
