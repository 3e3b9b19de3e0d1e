//! Conjunctions of any number of literals, hashed and simplified with what is known of legal play.
//!
//! A disjunction is a negated conjunction. In every step each role makes exactly one move, and a legal
//! one; so the conditions that a legal move implies need not be tested again, and "one of these moves"
//! is "none of the others".

use super::Lit;
use rustc_hash::FxHashMap;

/// A node of the logic. Literals are numbered as in a net: node 0 is false, then bases, then inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Leaf,
    And(Box<[Lit]>),
}

pub struct Logic {
    pub nodes: Vec<Node>,
    index: FxHashMap<Box<[Lit]>, u32>,
    /// Per node, the role whose move it is.
    role_of: Vec<u32>,
    /// Per role, its inputs, ascending.
    inputs: Vec<Vec<Lit>>,
    /// What follows from each input being done, sorted; empty for all but inputs.
    implied: FxHashMap<Lit, Vec<Lit>>,
}

const NO_ROLE: u32 = u32::MAX;
/// Above this number, conjunctions are grouped by their commonest literal in one go.
const MANY: usize = 300;
/// How deep conditions of a legal move are looked for.
const DEPTH: usize = 6;

impl Logic {
    /// The leaves: bases, then the inputs with their roles.
    pub fn new(bases: usize, roles: usize, inputs: &[usize]) -> Logic {
        let mut role_of = vec![NO_ROLE; 1 + bases];
        let mut of_role = vec![Vec::new(); roles];
        for (i, role) in inputs.iter().enumerate() {
            role_of.push(*role as u32);
            of_role[*role].push(Lit::new(1 + bases + i, false));
        }
        Logic {
            nodes: vec![Node::Leaf; role_of.len()],
            index: FxHashMap::default(),
            role_of,
            inputs: of_role,
            implied: FxHashMap::default(),
        }
    }

    /// A leaf that stands for an atom of a recursive component.
    pub fn leaf(&mut self) -> Lit {
        self.nodes.push(Node::Leaf);
        Lit::new(self.nodes.len() - 1, false)
    }

    /// Takes an input away: its move is never legal.
    pub fn never(&mut self, input: Lit) {
        let role = self.role_of[input.gate()] as usize;
        self.inputs[role].retain(|i| *i != input);
    }

    /// Notes that an input is done only where `legal` holds.
    pub fn requires(&mut self, input: Lit, legal: Lit) {
        let mut implied = Vec::new();
        self.conditions(legal, DEPTH, &mut implied);
        implied.sort_unstable();
        implied.dedup();
        self.implied.insert(input, implied);
    }

    fn conditions(&self, lit: Lit, depth: usize, out: &mut Vec<Lit>) {
        out.push(lit);
        if let (Node::And(lits), false, true) = (&self.nodes[lit.gate()], lit.negated(), depth > 0)
        {
            lits.iter().for_each(|l| self.conditions(*l, depth - 1, out));
        }
    }

    pub fn or(&mut self, lits: Vec<Lit>) -> Lit {
        !self.and(lits.into_iter().map(|l| !l).collect())
    }

    pub fn and(&mut self, mut lits: Vec<Lit>) -> Lit {
        if !self.by_moves(&mut lits) || !tidy(&mut lits) {
            return Lit::FALSE;
        }
        match lits[..] {
            [] => Lit::TRUE,
            [one] => one,
            _ => self.node(lits),
        }
    }

    fn node(&mut self, lits: Vec<Lit>) -> Lit {
        let next = self.nodes.len() as u32;
        let lits: Box<[Lit]> = lits.into();
        let node = *self.index.entry(lits.clone()).or_insert(next);
        if node == next {
            self.nodes.push(Node::And(lits));
        }
        Lit::new(node as usize, false)
    }

    fn role(&self, lit: Lit) -> Option<usize> {
        self.role_of.get(lit.gate()).filter(|r| **r != NO_ROLE).map(|r| *r as usize)
    }

    /// Uses that each role makes exactly one move, a legal one. False: the literals exclude each other.
    fn by_moves(&mut self, lits: &mut Vec<Lit>) -> bool {
        if lits.iter().all(|l| self.role(*l).is_none()) {
            return true;
        }
        for done in lits.clone() {
            let Some(role) = self.role(done).filter(|_| !done.negated()) else { continue };
            let rival = |l: &Lit| *l != done && self.role(*l) == Some(role);
            if lits.iter().any(|l| rival(l) && !l.negated()) {
                return false;
            }
            lits.retain(|l| !rival(l));
            if let Some(implied) = self.implied.get(&done) {
                if lits.iter().any(|l| self.follows(!*l, implied, 2)) {
                    return false;
                }
                lits.retain(|l| *l == done || !self.follows(*l, implied, 2));
            }
        }
        (0..self.inputs.len()).all(|role| self.others(role, lits))
    }

    /// Whether a literal is among the implied ones, or a gate over them.
    fn follows(&self, lit: Lit, implied: &[Lit], depth: usize) -> bool {
        if implied.binary_search(&lit).is_ok() {
            return true;
        }
        let Node::And(lits) = &self.nodes[lit.gate()] else { return false };
        depth > 0
            && lits.len() <= 16
            && match lit.negated() {
                false => lits.iter().all(|l| self.follows(*l, implied, depth - 1)),
                true => lits.iter().any(|l| self.follows(!*l, implied, depth - 1)),
            }
    }

    /// "None of these moves of the role", where these are most of them, is "one of the others".
    fn others(&mut self, role: usize, lits: &mut Vec<Lit>) -> bool {
        let is_not = |l: &Lit| l.negated() && self.role(*l) == Some(role);
        let mut not: Vec<Lit> = lits.iter().filter(|l| is_not(l)).map(|l| !*l).collect();
        not.sort_unstable();
        not.dedup();
        let all = self.inputs[role].len();
        if not.len() * 2 <= all || not.len() < 2 {
            return true;
        }
        lits.retain(|l| !is_not(l));
        let others: Vec<Lit> =
            self.inputs[role].iter().copied().filter(|l| not.binary_search(l).is_err()).collect();
        match others[..] {
            [] => return false,
            [one] => lits.push(one),
            _ => {
                let none = self.node(others.into_iter().map(|l| !l).collect());
                lits.push(!none);
            }
        }
        true
    }

    /// The disjunction of conjunctions, with common literals taken out.
    pub fn sum(&mut self, mut cubes: Vec<Vec<Lit>>) -> Lit {
        cubes.retain_mut(|c| self.by_moves(c) && tidy(c));
        cubes.sort();
        cubes.dedup();
        absorb(&mut cubes);
        if cubes.iter().any(|c| c.is_empty()) {
            return Lit::TRUE;
        }
        let mut terms = Vec::new();
        if cubes.len() > MANY {
            for (common, with) in by_commonest(&mut cubes) {
                terms.push(self.product(common, with));
            }
        }
        while let Some(common) = most_common(&cubes).filter(|_| cubes.len() <= MANY) {
            let (with, without): (Vec<_>, Vec<_>) =
                cubes.into_iter().partition(|c| c.binary_search(&common).is_ok());
            terms.push(self.product(common, with));
            cubes = without;
        }
        for cube in cubes {
            terms.push(self.and(cube));
        }
        self.or(terms)
    }

    /// A literal and the sum of what is left of the conjunctions that contain it.
    fn product(&mut self, common: Lit, cubes: Vec<Vec<Lit>>) -> Lit {
        let rest = cubes.into_iter().map(|c| c.into_iter().filter(|l| *l != common).collect());
        let rest = self.sum(rest.collect());
        self.and(vec![common, rest])
    }
}

/// Takes out groups of conjunctions, each put to the literal that is most common in all of them.
fn by_commonest(cubes: &mut Vec<Vec<Lit>>) -> Vec<(Lit, Vec<Vec<Lit>>)> {
    let mut counts: FxHashMap<Lit, usize> = FxHashMap::default();
    cubes
        .iter()
        .filter(|c| c.len() > 1)
        .flatten()
        .for_each(|l| *counts.entry(*l).or_insert(0) += 1);
    let key = |c: &[Lit]| {
        let best = c.iter().max_by_key(|l| (counts.get(l), std::cmp::Reverse(**l)));
        best.copied().filter(|l| c.len() > 1 && counts[l] > 1).unwrap_or(Lit::FALSE)
    };
    let mut keyed: Vec<(Lit, Vec<Lit>)> = cubes.drain(..).map(|c| (key(&c), c)).collect();
    keyed.sort();
    let mut groups = Vec::new();
    for group in keyed.chunk_by(|a, b| a.0 == b.0) {
        let of_group = group.iter().map(|x| x.1.clone());
        match group[0].0 {
            Lit::FALSE => cubes.extend(of_group),
            _ if group.len() == 1 => cubes.extend(of_group),
            common => groups.push((common, of_group.collect())),
        }
    }
    groups
}

/// Sorts literals and drops repetitions and constants. False: they exclude each other.
fn tidy(lits: &mut Vec<Lit>) -> bool {
    lits.sort_unstable();
    lits.dedup();
    lits.retain(|l| *l != Lit::TRUE);
    lits.first() != Some(&Lit::FALSE) && lits.windows(2).all(|w| w[0] != !w[1])
}

/// Drops conjunctions that contain another one.
fn absorb(cubes: &mut Vec<Vec<Lit>>) {
    let single: Vec<Lit> = cubes.iter().filter(|c| c.len() == 1).map(|c| c[0]).collect();
    cubes.retain(|c| c.len() == 1 || c.iter().all(|l| single.binary_search(l).is_err()));
    if cubes.len() <= 200 {
        let all = cubes.clone();
        let within = |a: &[Lit], b: &[Lit]| a.iter().all(|l| b.binary_search(l).is_ok());
        cubes.retain(|c| !all.iter().any(|a| a.len() < c.len() && within(a, c)));
    }
}

/// The literal of most conjunctions, if it is in at least two with more than one literal.
fn most_common(cubes: &[Vec<Lit>]) -> Option<Lit> {
    let mut all: Vec<Lit> = cubes.iter().filter(|c| c.len() > 1).flatten().copied().collect();
    all.sort_unstable();
    let groups = all.chunk_by(|a, b| a == b);
    let best = groups.max_by_key(|g| (g.len(), std::cmp::Reverse(g[0])))?;
    (best.len() > 1).then(|| best[0])
}
