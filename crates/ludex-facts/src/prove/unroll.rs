//! `Net` -> `Unrolling`: steps of the game as clauses of a SAT solver, encoded as they are asked for.
//!
//! The bases of a step are the transitions of the step before, so no variable stands twice. Recursive
//! components are encoded by their completion; a model in which some of their gates hold each other
//! up in a circle is refused with a loop formula, so that every model given out is a real play.

use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Gate, Lit, Net};
use ludex_sat::{Sat, SatAnswer, Solver};
use std::ops::Range;

/// Where step 0 stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnrollStart {
    /// In the initial state.
    Initial,
    /// In any assignment of the bases.
    Any,
}

pub struct Unrolling<'n> {
    net: &'n Net,
    start: UnrollStart,
    solver: Sat,
    budget: Budget,
    /// A variable that is true.
    top: i32,
    /// Of new literals.
    sign: i32,
    steps: Vec<UnrolledStep>,
}

struct UnrolledStep {
    /// Variable of each gate, with sign; 0 where not encoded yet.
    vars: Vec<i32>,
    /// Components that are encoded.
    components: Vec<usize>,
    /// Is the joint move restricted to legal ones?
    moves: bool,
}

impl<'n> Unrolling<'n> {
    pub fn new(net: &'n Net, start: UnrollStart, budget: &Budget) -> Unrolling<'n> {
        let (budget, watched) = (budget.clone(), budget.clone());
        let mut solver = Sat::new(Box::new(move || watched.check().is_err()));
        let top = solver.fresh();
        solver.clause([top]);
        Unrolling { net, start, solver, budget, top, sign: 1, steps: vec![] }
    }

    /// From now on literals are tried as false first, as negations of the solver's variables. States with
    /// few facts and moves answer one question sooner; those with many refute more of many candidates.
    pub fn sparse(self) -> Unrolling<'n> {
        Unrolling { sign: -1, ..self }
    }

    pub fn fresh(&mut self) -> i32 {
        self.sign * self.solver.fresh()
    }

    pub fn clause(&mut self, lits: impl IntoIterator<Item = i32>) {
        self.solver.clause(lits);
    }

    /// The solver's literal for a literal of the net at a step.
    pub fn at(&mut self, step: usize, lit: Lit) -> i32 {
        self.encode(step, lit.gate());
        self.known(step, lit)
    }

    /// At this step a legal joint move is made: exactly one legal move per role.
    pub(crate) fn require_moves(&mut self, step: usize) {
        self.grow(step);
        if std::mem::replace(&mut self.steps[step].moves, true) {
            return;
        }
        let net = self.net;
        for role in 0..net.roles.len() {
            let mut made = Vec::new();
            for i in net.inputs_of(role) {
                let (input, legal) =
                    (self.at(step, net.input_lit(i)), self.at(step, net.inputs[i].legal));
                self.clause([-input, legal]);
                made.push(input);
            }
            self.exactly_one(&made);
        }
    }

    /// Less than that: no role makes two of the moves that are encoded, and their conditions that read
    /// no more than so many gates (`sizes`, by gate) hold.
    pub(crate) fn require_encoded(&mut self, step: usize, most: u32, sizes: &[u32]) {
        self.grow(step);
        let net = self.net;
        let first = !std::mem::replace(&mut self.steps[step].moves, true);
        for role in 0..net.roles.len() {
            let encoded = |i: &usize| self.is_encoded(step, net.input_lit(*i));
            let inputs: Vec<usize> = net.inputs_of(role).filter(encoded).collect();
            let var = |i: &usize| self.known(step, net.input_lit(*i));
            let made: Vec<i32> = inputs.iter().map(var).collect();
            for (i, input) in inputs.iter().zip(&made) {
                for condition in net.conjuncts(net.inputs[*i].legal) {
                    if sizes[condition.gate()] <= most {
                        let holds = self.at(step, condition);
                        self.clause([-input, holds]);
                    }
                }
            }
            if first && inputs.len() == net.inputs_of(role).len() {
                self.exactly_one(&made);
            } else if first {
                self.at_most_one(&made);
            }
        }
    }

    pub(crate) fn is_encoded(&self, step: usize, lit: Lit) -> bool {
        self.steps.get(step).is_some_and(|s| s.vars[lit.gate()] != 0)
    }

    fn exactly_one(&mut self, lits: &[i32]) {
        self.clause(lits.iter().copied());
        self.at_most_one(lits);
    }

    /// By a ladder: `before[i]` says that one of the first i holds.
    fn at_most_one(&mut self, lits: &[i32]) {
        let mut before = -self.top;
        for lit in lits {
            let after = self.fresh();
            self.clause([-before, -lit]);
            self.clause([-before, after]);
            self.clause([-lit, after]);
            before = after;
        }
    }

    /// Solves under assumptions, within a number of conflicts.
    pub fn solve(&mut self, assumptions: &[i32], conflicts: i32) -> Result<SatAnswer, Stop> {
        loop {
            self.budget.check()?;
            match self.solver.solve(assumptions, conflicts) {
                SatAnswer::Sat if self.refuse_circles() => (),
                SatAnswer::Unknown => return self.budget.check().map(|()| SatAnswer::Unknown),
                answer => return Ok(answer),
            }
        }
    }

    /// The value of an encoded literal in the model just found.
    pub fn holds(&self, step: usize, lit: Lit) -> bool {
        self.solver.holds(self.known(step, lit))
    }

    /// Was this assumption needed for the last `Unsat`?
    pub fn needed(&self, assumption: i32) -> bool {
        self.solver.needed(assumption)
    }

    /// The joint move made at a step of the model just found, as inputs in role order.
    pub fn joint(&self, step: usize) -> Vec<usize> {
        let made = |i: &usize| self.holds(step, self.net.input_lit(*i));
        let move_of = |r| self.net.inputs_of(r).find(made).expect("every role moves");
        (0..self.net.roles.len()).map(move_of).collect()
    }

    fn grow(&mut self, step: usize) {
        while self.steps.len() <= step {
            let vars = vec![0; self.net.gates.len()];
            self.steps.push(UnrolledStep { vars, components: vec![], moves: false });
        }
    }

    fn known(&self, step: usize, lit: Lit) -> i32 {
        let var = self.steps[step].vars[lit.gate()];
        if lit.negated() { -var } else { var }
    }

    /// Gives variables to a gate and all it needs.
    fn encode(&mut self, step: usize, gate: usize) {
        self.grow(step);
        let mut open = vec![(step, gate)];
        while let Some(&(t, g)) = open.last() {
            if self.steps[t].vars[g] != 0 {
                open.pop();
                continue;
            }
            let needs = self.needs(t, g);
            let missing = needs.iter().filter(|(t, l)| self.steps[*t].vars[l.gate()] == 0);
            let before = open.len();
            open.extend(missing.map(|(t, l)| (*t, l.gate())).collect::<Vec<_>>());
            if open.len() == before {
                open.pop();
                self.define(t, g, &needs);
            }
        }
    }

    /// The component of a gate in a loop.
    fn component(&self, gate: usize) -> usize {
        self.net.components.partition_point(|c| c.end <= gate)
    }

    /// What must be encoded before a gate: its operands, or all that its component reads.
    fn needs(&self, t: usize, gate: usize) -> Vec<(usize, Lit)> {
        match self.net.gates[gate] {
            Gate::Base(b) if t > 0 => vec![(t - 1, self.net.bases[b as usize].next)],
            Gate::And(a, b) | Gate::Or(a, b) => vec![(t, a), (t, b)],
            Gate::LoopAnd(..) | Gate::LoopOr(..) => {
                let inside = &self.net.components[self.component(gate)];
                let operands = inside.clone().flat_map(|g| operands(self.net, g));
                operands.filter(|l| !inside.contains(&l.gate())).map(|l| (t, l)).collect()
            }
            Gate::Base(_) | Gate::Input(_) | Gate::False => vec![],
        }
    }

    fn define(&mut self, t: usize, gate: usize, needs: &[(usize, Lit)]) {
        let var = match self.net.gates[gate] {
            Gate::False => -self.top,
            Gate::Base(_) if t > 0 => self.known(t - 1, needs[0].1),
            Gate::Base(b) if self.start == UnrollStart::Initial => {
                if self.net.bases[b as usize].initial { self.top } else { -self.top }
            }
            Gate::Base(_) | Gate::Input(_) => self.fresh(),
            Gate::And(a, b) => self.and(self.known(t, a), self.known(t, b)),
            Gate::Or(a, b) => -self.and(-self.known(t, a), -self.known(t, b)),
            Gate::LoopAnd(..) | Gate::LoopOr(..) => {
                return self.define_component(t, self.component(gate));
            }
        };
        self.steps[t].vars[gate] = var;
    }

    fn and(&mut self, a: i32, b: i32) -> i32 {
        if a == -self.top || b == -self.top || a == -b {
            return -self.top;
        }
        if a == self.top || a == b {
            return b;
        }
        if b == self.top {
            return a;
        }
        let var = self.fresh();
        self.clause([-var, a]);
        self.clause([-var, b]);
        self.clause([var, -a, -b]);
        var
    }

    fn define_component(&mut self, t: usize, component: usize) {
        let range = self.net.components[component].clone();
        for gate in range.clone() {
            self.steps[t].vars[gate] = self.fresh();
        }
        for gate in range {
            let var = self.steps[t].vars[gate];
            let [a, b] = operands(self.net, gate).map(|l| self.known(t, l));
            // An or is the negation of the and of the negations.
            let sign = if matches!(self.net.gates[gate], Gate::LoopAnd(..)) { 1 } else { -1 };
            self.clause([-sign * var, sign * a]);
            self.clause([-sign * var, sign * b]);
            self.clause([sign * var, -sign * a, -sign * b]);
        }
        self.steps[t].components.push(component);
    }

    /// Adds loop formulas for gates that the model holds true without outside support.
    fn refuse_circles(&mut self) -> bool {
        // A new clause ends the model, so all circles are read off first.
        let mut circles = Vec::new();
        for (t, step) in self.steps.iter().enumerate() {
            for c in &step.components {
                let unfounded = self.unfounded(t, &self.net.components[*c]);
                circles.extend((!unfounded.is_empty()).then_some((t, unfounded)));
            }
        }
        circles.iter().for_each(|(t, unfounded)| self.refuse(*t, unfounded));
        !circles.is_empty()
    }

    /// The gates of a component that are true in the model and not in its least fixpoint.
    fn unfounded(&self, t: usize, range: &Range<usize>) -> Vec<usize> {
        let mut founded = vec![false; range.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for gate in range.clone() {
                let holds = |l: Lit| match range.contains(&l.gate()) {
                    true => founded[l.gate() - range.start],
                    false => self.holds(t, l),
                };
                let [a, b] = operands(self.net, gate).map(holds);
                let value =
                    if matches!(self.net.gates[gate], Gate::LoopAnd(..)) { a && b } else { a || b };
                changed |= value && !founded[gate - range.start];
                founded[gate - range.start] |= value;
            }
        }
        let held = range.clone().filter(|g| self.holds(t, Lit::new(*g, false)));
        held.filter(|g| !founded[*g - range.start]).collect()
    }

    /// None of these gates holds unless an `or` among them has support from outside.
    fn refuse(&mut self, t: usize, unfounded: &[usize]) {
        let ors = unfounded.iter().filter(|g| matches!(self.net.gates[**g], Gate::LoopOr(..)));
        let support: Vec<i32> = ors
            .flat_map(|g| operands(self.net, *g))
            .filter(|l| unfounded.binary_search(&l.gate()).is_err())
            .map(|l| self.known(t, l))
            .collect();
        for gate in unfounded {
            let var = self.steps[t].vars[*gate];
            self.clause(support.iter().copied().chain([-var]));
        }
    }
}

fn operands(net: &Net, gate: usize) -> [Lit; 2] {
    net.gates[gate].operands().map(|(a, b)| [a, b]).expect("a component holds only gates")
}
