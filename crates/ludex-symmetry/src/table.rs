//! `SymmetryMap`: a symmetry as dense tables of roles, bases and inputs, numbered as in the net.

use super::logic::{Logic, LogicNode, Settled};
use ludex_gdl::rules::{Term, TermId};
use ludex_graph::{Perm, SparsePerm};
use ludex_net::ground::Ground;
use ludex_net::{Lit, Net};
use rustc_hash::FxHashMap;

/// The image of every role, base and input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymmetryMap {
    pub roles: Vec<u32>,
    pub bases: Vec<u32>,
    pub inputs: Vec<u32>,
}

/// What becomes of the terms of roles, facts and moves.
pub(crate) struct TermMap<'a> {
    pub role: &'a dyn Fn(&Term) -> Term,
    pub fact: &'a dyn Fn(&Term) -> Term,
    pub action: &'a dyn Fn(&Term) -> Term,
}

impl SymmetryMap {
    /// From an automorphism of the net's graph, whose first vertices are roles, bases and inputs.
    pub(crate) fn of_vertices(logic: &Logic, perm: &SparsePerm) -> SymmetryMap {
        let (r, b, i) = (logic.roles.len(), logic.bases.len(), logic.inputs.len());
        let mut all: Vec<u32> = (0..(r + b + i) as u32).collect();
        for &(v, w) in perm.0.iter().filter(|m| (m.0 as usize) < r + b + i) {
            all[v as usize] = w;
        }
        let part = |from: usize, to: usize| all[from..to].iter().map(|v| v - from as u32).collect();
        SymmetryMap { roles: part(0, r), bases: part(r, r + b), inputs: part(r + b, r + b + i) }
    }

    /// From maps of terms; none where they lead out of the facts and moves that are reachable, or mix what
    /// is settled with what is not. What is settled stays where it is.
    pub(crate) fn of_terms(map: &TermMap, ground: &Ground, logic: &Logic) -> Option<SymmetryMap> {
        let text = |t: &TermId| ground.to_term(*t);
        let number: FxHashMap<Term, u32> = numbered(logic.roles.iter().map(text));
        let roles = logic.roles.iter().map(|t| number.get(&(map.role)(&text(t))).copied());
        let roles: Vec<u32> = roles.collect::<Option<_>>()?;
        let number: FxHashMap<Term, u32> = numbered(logic.bases.iter().map(text));
        let image = |t: &TermId| number.get(&(map.fact)(&text(t))).copied();
        let bases = logic.bases.iter().map(image);
        let bases = beside(&logic.settled.bases, |value| value.is_some(), bases)?;
        let all = logic.inputs.iter();
        let number: FxHashMap<(u32, Term), u32> = numbered(all.map(|(r, t)| (*r as u32, text(t))));
        let image =
            |(r, t): &(usize, TermId)| number.get(&(roles[*r], (map.action)(&text(t)))).copied();
        let never = |value: Option<bool>| value == Some(false);
        let inputs = beside(&logic.settled.inputs, never, logic.inputs.iter().map(image))?;
        Some(SymmetryMap { roles, bases, inputs })
    }

    pub fn is_identity(&self) -> bool {
        [&self.roles, &self.bases, &self.inputs]
            .into_iter()
            .all(|p| p.iter().enumerate().all(|(i, &x)| i as u32 == x))
    }

    pub(crate) fn fixes_roles(&self) -> bool {
        self.roles.iter().enumerate().all(|(i, &x)| i as u32 == x)
    }

    /// One permutation of roles, bases and inputs, in this order.
    pub fn perm(&self) -> Perm {
        let (r, b) = (self.roles.len() as u32, self.bases.len() as u32);
        let roles = self.roles.iter().copied();
        let bases = self.bases.iter().map(|x| x + r);
        let inputs = self.inputs.iter().map(|x| x + r + b);
        Perm(roles.chain(bases).chain(inputs).collect())
    }

    pub fn of_perm(perm: &Perm, roles: usize, bases: usize) -> SymmetryMap {
        let part =
            |from: usize, to: usize| perm.0[from..to].iter().map(|v| v - from as u32).collect();
        SymmetryMap {
            roles: part(0, roles),
            bases: part(roles, roles + bases),
            inputs: part(roles + bases, perm.0.len()),
        }
    }

    /// A state, one bit per base, moved by the symmetry.
    pub fn state(&self, state: &[bool]) -> Vec<bool> {
        moved(&self.bases, state)
    }

    /// Whether the tables, taken on through all conjunctions, give the same game. Nothing can be said
    /// this way where more than that must be mapped. `live`: the nodes that matter.
    pub fn keeps(&self, logic: &Logic, live: &[bool]) -> Option<bool> {
        if !logic.follows_leaves() {
            return None;
        }
        let mut image: Vec<usize> = Vec::with_capacity(logic.nodes.len());
        let lit = |image: &[usize], l: Lit| Lit::new(image[l.gate()], l.negated());
        for (number, (node, live)) in logic.nodes.iter().zip(live).enumerate() {
            image.push(match node {
                // Nothing depends on it, so it need not have an image.
                _ if !live => usize::MAX >> 2,
                LogicNode::And(lits) if lits.iter().all(|l| image[l.gate()] == l.gate()) => number,
                LogicNode::False => 0,
                LogicNode::Base(b) => 1 + self.bases[*b] as usize,
                LogicNode::Input(i) => 1 + self.bases.len() + self.inputs[*i] as usize,
                LogicNode::And(lits) => {
                    let mut mapped: Vec<Lit> = lits.iter().map(|l| lit(&image, *l)).collect();
                    mapped.sort_unstable();
                    match logic.index.get(mapped.as_slice()) {
                        Some(n) => *n,
                        None => return Some(false),
                    }
                }
                LogicNode::Count(set, numbers) => {
                    let nodes = logic.counts.sets[*set as usize].iter();
                    let mut mapped: Vec<usize> = nodes.map(|n| image[*n]).collect();
                    mapped.sort_unstable();
                    match logic.counts.find(&mapped, numbers) {
                        Some(n) => n,
                        None => return Some(false),
                    }
                }
                LogicNode::Recursive(_) | LogicNode::Gathering(..) => {
                    unreachable!("all follows leaves")
                }
            });
        }
        let goal = |&(r, v, l): &(usize, i64, Lit)| (self.roles[r] as usize, v, lit(&image, l));
        let mut goals: Vec<_> = logic.goals.iter().map(goal).collect();
        goals.sort_unstable();
        let same = |to: &[u32], of: &[Lit]| {
            of.iter().enumerate().all(|(i, l)| of[to[i] as usize] == lit(&image, *l))
        };
        Some(
            same(&self.bases, &logic.next)
                && same(&self.inputs, &logic.legal)
                && lit(&image, logic.terminal) == logic.terminal
                && goals == logic.goals,
        )
    }

    /// Whether the symmetry commutes with legal, next, terminal and goal in one state and for one set
    /// of moves, by evaluating the net on both sides. That what is settled stays so is not asked: it may be proved
    /// for states that play reaches and moves that are legal there.
    pub fn commutes(&self, net: &Net, settled: &Settled, bases: &[bool], inputs: &[bool]) -> bool {
        let here = net.evaluate(bases, inputs);
        let there = net.evaluate(&moved(&self.bases, bases), &moved(&self.inputs, inputs));
        let same = |a, b| Net::holds(&here, a) == Net::holds(&there, b);
        let next = (0..bases.len())
            .filter(|i| settled.bases[*i].is_none())
            .all(|i| same(net.bases[i].next, net.bases[self.bases[i] as usize].next));
        let legal = (0..inputs.len())
            .all(|i| same(net.inputs[i].legal, net.inputs[self.inputs[i] as usize].legal));
        let value = |goals: &[(i32, ludex_net::Lit)], values: &[bool]| -> Vec<i32> {
            goals.iter().filter(|g| Net::holds(values, g.1)).map(|g| g.0).collect()
        };
        let goals = (0..net.roles.len()).all(|r| {
            value(&net.goals[r], &here) == value(&net.goals[self.roles[r] as usize], &there)
        });
        next && legal && goals && same(net.terminal, net.terminal)
    }
}

/// Images of what does not stay where it is; an image has to be settled as what it is an image of.
fn beside(
    settled: &[Option<bool>],
    stays: impl Fn(Option<bool>) -> bool,
    images: impl Iterator<Item = Option<u32>>,
) -> Option<Vec<u32>> {
    let fits = |(i, image): (usize, Option<u32>)| {
        let (value, image) = (settled[i], image?);
        let same = settled[image as usize] == value;
        same.then_some(if stays(value) { i as u32 } else { image })
    };
    images.enumerate().map(fits).collect()
}

fn numbered<K: std::hash::Hash + Eq>(items: impl Iterator<Item = K>) -> FxHashMap<K, u32> {
    items.enumerate().map(|(i, k)| (k, i as u32)).collect()
}

fn moved(images: &[u32], bits: &[bool]) -> Vec<bool> {
    let mut out = vec![false; bits.len()];
    images.iter().zip(bits).for_each(|(&to, &bit)| out[to as usize] = bit);
    out
}
