//! `Net` -> `Independence`: directed paths, independent sets and Theorem 3.16 of paper 003, to the letter.
//!
//! A proposition is a base or an input. A path leads from one to another if the second is read off gates that
//! the first leads to, now or through transitions (Definition 3.1). A set is independent if no path leads into
//! it, action independent if it has no input (Definition 3.4). The largest action independent set is the
//! paper's IID (Lemma 3.12); what is left falls into the parts N_1 to N_n that nothing but IID is shared by.
//! `factor` finds more: it splits moves by what they do, which the paper does by letting a role act several
//! times a turn. `IndependentParts::of_factors` has these parts.

use crate::factor::Factors;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Gate, Lit, Net};
use std::collections::{BTreeSet, VecDeque};

/// A base or an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Proposition {
    Base(usize),
    Input(usize),
}

/// What every proposition is read by: the edges between propositions.
pub struct Independence<'n> {
    net: &'n Net,
    /// By base, what its transition reads.
    reads: Vec<Vec<Proposition>>,
}

impl<'n> Independence<'n> {
    pub fn new(net: &'n Net, budget: &Budget) -> Result<Independence<'n>, Stop> {
        let mut reads = Vec::with_capacity(net.bases.len());
        for base in &net.bases {
            budget.check()?;
            reads.push(support(net, base.next));
        }
        Ok(Independence { net, reads })
    }

    fn read_by(&self, of: Proposition) -> &[Proposition] {
        match of {
            Proposition::Base(base) => &self.reads[base],
            Proposition::Input(_) => &[],
        }
    }

    /// The smallest independent set with these propositions: all from which a path leads to one of them.
    pub fn closure(&self, of: &[Proposition]) -> Vec<Proposition> {
        let mut found: BTreeSet<Proposition> = of.iter().copied().collect();
        let mut open: Vec<Proposition> = found.iter().copied().collect();
        while let Some(at) = open.pop() {
            open.extend(self.read_by(at).iter().copied().filter(|p| found.insert(*p)));
        }
        found.into_iter().collect()
    }

    /// A shortest path from one of the first set to one of the second; none: these are disconnected.
    pub fn path(&self, from: &[Proposition], to: &[Proposition]) -> Option<Vec<Proposition>> {
        let mut open: VecDeque<Vec<Proposition>> = to.iter().map(|p| vec![*p]).collect();
        let mut seen: BTreeSet<Proposition> = BTreeSet::new();
        while let Some(path) = open.pop_front() {
            let last = *path.last().expect("it begins with one");
            for next in self.read_by(last) {
                let longer = [&path[..], &[*next]].concat();
                if from.contains(next) {
                    return Some(longer.into_iter().rev().collect());
                }
                if seen.insert(*next) {
                    open.push_back(longer);
                }
            }
        }
        None
    }

    /// The parts of the net as it is, a move being one input.
    pub fn parts(&self, budget: &Budget) -> Result<IndependentParts, Stop> {
        let bases = self.net.bases.len();
        let mut moved = vec![false; bases];
        loop {
            budget.check()?;
            let touched = |p: &Proposition| match p {
                Proposition::Base(b) => moved[*b],
                Proposition::Input(_) => true,
            };
            let more: Vec<usize> =
                (0..bases).filter(|b| !moved[*b] && self.reads[*b].iter().any(touched)).collect();
            if more.is_empty() {
                break;
            }
            more.into_iter().for_each(|b| moved[b] = true);
        }
        let mut groups = Groups::new(bases + self.net.inputs.len());
        for base in (0..bases).filter(|b| moved[*b]) {
            for read in &self.reads[base] {
                match *read {
                    Proposition::Base(b) if moved[b] => groups.unite(base, b),
                    Proposition::Base(_) => {}
                    Proposition::Input(i) => groups.unite(base, bases + i),
                }
            }
        }
        Ok(IndependentParts::of_groups(&moved, self.net.inputs.len(), &mut groups))
    }
}

/// The bases and inputs that a literal reads.
pub fn support(net: &Net, lit: Lit) -> Vec<Proposition> {
    let mut seen = vec![false; net.gates.len()];
    let (mut open, mut found) = (vec![lit.gate()], Vec::new());
    while let Some(gate) = open.pop() {
        if std::mem::replace(&mut seen[gate], true) {
            continue;
        }
        match net.gates[gate] {
            Gate::Base(b) => found.push(Proposition::Base(b as usize)),
            Gate::Input(i) => found.push(Proposition::Input(i as usize)),
            gate => {
                open.extend(gate.operands().into_iter().flat_map(|(a, b)| [a.gate(), b.gate()]))
            }
        }
    }
    found.sort_unstable();
    found
}

/// Sets that are united.
struct Groups(Vec<usize>);

impl Groups {
    fn new(size: usize) -> Groups {
        Groups((0..size).collect())
    }

    fn find(&mut self, of: usize) -> usize {
        let mut root = of;
        while self.0[root] != root {
            root = self.0[root];
        }
        self.0[of] = root;
        root
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// N_1 to N_n and IID, by base and by input. Numbered from 0.
#[derive(Clone, Debug)]
pub struct IndependentParts {
    pub count: usize,
    /// None: in IID.
    pub of_base: Vec<Option<usize>>,
    /// The parts that a move is read in: at most one where moves are not split.
    pub of_input: Vec<Vec<usize>>,
}

impl IndependentParts {
    fn of_groups(moved: &[bool], inputs: usize, groups: &mut Groups) -> IndependentParts {
        let mut roots: Vec<usize> = Vec::new();
        let mut of_base = vec![None; moved.len()];
        for base in (0..moved.len()).filter(|b| moved[*b]) {
            let root = groups.find(base);
            let number = roots.iter().position(|r| *r == root).unwrap_or_else(|| {
                roots.push(root);
                roots.len() - 1
            });
            of_base[base] = Some(number);
        }
        let of_input = (0..inputs).map(|i| {
            let root = groups.find(moved.len() + i);
            roots.iter().position(|r| *r == root).into_iter().collect()
        });
        IndependentParts { count: roots.len(), of_input: of_input.collect(), of_base }
    }

    /// The parts that were found with moves split by what they do, of the net of the factors.
    pub fn of_factors(found: &Factors) -> IndependentParts {
        let mut of_base = vec![None; found.net.bases.len()];
        let mut of_input = vec![vec![]; found.net.inputs.len()];
        for (number, factor) in found.factors.iter().enumerate() {
            factor.bases.iter().for_each(|b| of_base[*b] = Some(number));
            for (input, part) in factor.part_of.iter().enumerate() {
                if part.is_some_and(|part| !factor.elsewhere[part]) {
                    of_input[input].push(number);
                }
            }
        }
        IndependentParts { count: found.factors.len(), of_base, of_input }
    }

    /// The parts from which paths lead to a literal of now.
    pub fn of(&self, net: &Net, lit: Lit) -> BTreeSet<usize> {
        let part = |p: Proposition| match p {
            Proposition::Base(b) => self.of_base[b].into_iter().collect(),
            Proposition::Input(i) => self.of_input[i].clone(),
        };
        support(net, lit).into_iter().flat_map(part).collect()
    }

    /// The operands of Legal: that a move is legal if it is made. Where moves are split, each condition of a
    /// move by itself.
    pub fn legal(&self, net: &Net, split: bool) -> Vec<PartOperand> {
        let mut all = Vec::new();
        for (number, input) in net.inputs.iter().enumerate() {
            let role = &net.roles[input.role];
            let name = format!("legal {role} {}", input.name);
            if split {
                let operands = net.conjuncts(input.legal).into_iter();
                all.extend(operands.map(|l| PartOperand::new(&name, self.of(net, l))));
                continue;
            }
            let mut parts = self.of(net, input.legal);
            parts.extend(&self.of_input[number]);
            all.push(PartOperand::new(&name, parts));
        }
        all
    }

    /// The operands of the goal of a role: those of the conjunction that its best value is.
    pub fn goal(&self, net: &Net, role: usize) -> Vec<PartOperand> {
        let Some((value, lit)) = net.goals[role].last() else { return vec![] };
        let name = format!("goal {value} of {}", net.roles[role]);
        let operands = net.conjuncts(*lit).into_iter();
        operands.map(|l| PartOperand::new(&name, self.of(net, l))).collect()
    }

    /// The parts in which a role has moves.
    pub fn of_role(&self, net: &Net, role: usize) -> BTreeSet<usize> {
        net.inputs_of(role).flat_map(|i| self.of_input[i].iter().copied()).collect()
    }
}

/// An operand of Legal or of a goal, and the parts from which paths lead to it.
#[derive(Clone, Debug)]
pub struct PartOperand {
    pub name: String,
    pub parts: BTreeSet<usize>,
}

impl PartOperand {
    fn new(name: &str, parts: BTreeSet<usize>) -> PartOperand {
        PartOperand { name: name.into(), parts }
    }
}
