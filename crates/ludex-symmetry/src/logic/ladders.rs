//! `Ladder`: a relation that goes through places one after the other and keeps several numbers on its way, such as
//! how many pieces of each colour there are, found in ground rules.
//!
//! Atoms have a place and a value. A step asks one place for its conditions; each says which
//! value follows from that of the places below. Where any two kinds of steps, one after the other, lead to the same
//! values in both orders, the values at the top do not depend on the order of the places: the
//! ladder is a gathering of places with their conditions, whatever order it is written in. A single number is
//! left to `counts.rs`.

use ludex_gdl::rules::{Rel, TermId};
use ludex_net::ground::{Ground, GroundLiteral};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A condition of a place, and the kind of step that it makes.
pub type RungCondition = (Vec<GroundLiteral>, u32);

#[derive(Debug)]
pub struct Ladder {
    /// Per place, the top one first.
    pub rungs: Vec<Vec<RungCondition>>,
    /// Kind, value below and value that follows.
    pub steps: Vec<(u32, u32, u32)>,
    pub values: u32,
    /// The value below all places.
    pub start: u32,
    /// Atoms of the top place with their values; only these are asked by others.
    pub tops: Vec<(usize, u32)>,
    /// Atoms of the other places.
    pub inner: Vec<usize>,
}

type Bodies = Vec<Vec<GroundLiteral>>;
/// What follows from each value below.
type Follows = FxHashMap<u32, BTreeSet<u32>>;

/// Arguments whose subsets are tried as places.
const MOST_ARGUMENTS: usize = 6;
/// Atoms of a ladder, at most.
const LARGEST: usize = 500_000;
/// Values and kinds of steps, at most.
const MOST_VALUES: usize = 20_000;
const MOST_KINDS: usize = 16;

/// The ladders with more than one number in the bodies of all atoms.
pub fn ladders(ground: &Ground, bodies: &[Bodies]) -> Vec<Ladder> {
    let mut relations: FxHashMap<Rel, Vec<usize>> = FxHashMap::default();
    for (atom, a) in ground.atoms.iter().enumerate().filter(|(_, a)| !a.rel.is_keyword()) {
        if (3..=MOST_ARGUMENTS).contains(&ground.args(a).len()) {
            relations.entry(a.rel).or_default().push(atom);
        }
    }
    let mut relations: Vec<(Rel, Vec<usize>)> = relations.into_iter().collect();
    relations.sort_unstable_by_key(|(_, atoms)| atoms[0]);
    relations.retain(|(rel, atoms)| atoms.len() <= LARGEST && goes_on(ground, bodies, *rel, atoms));
    let found =
        relations.iter().filter_map(|(rel, atoms)| of_relation(ground, bodies, *rel, atoms));
    let mut found: Vec<Ladder> = found.collect();
    let needed = needed(ground, bodies);
    found.retain(|ladder| is_asked_at_top(ladder, bodies, &needed));
    found
}

/// The atoms that rules ask for in the end: not the parts of rules that are whole again.
fn needed(ground: &Ground, bodies: &[Bodies]) -> Vec<bool> {
    let mut needed: Vec<bool> = ground.atoms.iter().map(|a| !ground.is_part(a)).collect();
    let mut open: Vec<usize> = (0..needed.len()).filter(|a| needed[*a]).collect();
    while let Some(atom) = open.pop() {
        for asked in bodies[atom].iter().flatten().map(|l| l.atom()) {
            if !std::mem::replace(&mut needed[asked], true) {
                open.push(asked);
            }
        }
    }
    needed
}

/// Whether a relation asks itself, once in a body and never negated.
fn goes_on(ground: &Ground, bodies: &[Bodies], rel: Rel, atoms: &[usize]) -> bool {
    let own = |l: &&GroundLiteral| ground.atoms[l.atom()].rel == rel;
    let plain = |body: &Vec<GroundLiteral>| {
        let mut own = body.iter().filter(own);
        !own.next().is_some_and(|l| l.negated()) && own.next().is_none()
    };
    let all = || atoms.iter().flat_map(|a| &bodies[*a]);
    all().any(|body| body.iter().any(|l| own(&l))) && all().all(plain)
}

fn of_relation(ground: &Ground, bodies: &[Bodies], rel: Rel, atoms: &[usize]) -> Option<Ladder> {
    let arity = ground.args(&ground.atoms[atoms[0]]).len();
    let mut places: Vec<u32> = (1..(1u32 << arity) - 1).collect();
    places.retain(|place| arity as u32 - place.count_ones() >= 2);
    places.sort_by_key(|place| (place.count_ones(), *place));
    places.iter().find_map(|place| {
        let rows = LadderRows::new(ground, rel, atoms, *place);
        rows.ladder(bodies, &rows.chain(bodies)?)
    })
}

/// The atoms of a relation by place and value.
struct LadderRows<'a> {
    ground: &'a Ground,
    rel: Rel,
    /// The atoms of every place.
    places: Vec<Vec<usize>>,
    place: FxHashMap<usize, u32>,
    value: FxHashMap<usize, u32>,
    values: u32,
}

impl<'a> LadderRows<'a> {
    fn new(ground: &'a Ground, rel: Rel, atoms: &[usize], mask: u32) -> LadderRows<'a> {
        let mut rows = LadderRows {
            ground,
            rel,
            places: vec![],
            place: FxHashMap::default(),
            value: FxHashMap::default(),
            values: 0,
        };
        let (mut places, mut values) = (FxHashMap::default(), FxHashMap::default());
        for &atom in atoms {
            let args = ground.args(&ground.atoms[atom]).iter().enumerate();
            let (place, value): (Vec<_>, Vec<_>) = args.partition(|(i, _)| mask >> i & 1 == 1);
            let of = |part: Vec<(usize, &TermId)>| part.iter().map(|(_, t)| **t).collect();
            let (place, value): (Vec<TermId>, Vec<TermId>) = (of(place), of(value));
            let next = places.len() as u32;
            let place = *places.entry(place).or_insert(next);
            rows.places.resize(places.len(), vec![]);
            rows.places[place as usize].push(atom);
            rows.place.insert(atom, place);
            let next = values.len() as u32;
            rows.value.insert(atom, *values.entry(value).or_insert(next));
        }
        rows.values = values.len() as u32;
        rows
    }

    /// The atom of the relation that a body asks.
    fn below(&self, body: &[GroundLiteral]) -> Option<usize> {
        let own = |l: &&GroundLiteral| self.ground.atoms[l.atom()].rel == self.rel;
        body.iter().find(own).map(|l| l.atom())
    }

    /// The places from the top down, if each asks one other and is asked by one.
    fn chain(&self, bodies: &[Bodies]) -> Option<Vec<u32>> {
        if self.places.len() < 2 || self.values as usize > MOST_VALUES {
            return None;
        }
        let mut below: Vec<Option<u32>> = vec![None; self.places.len()];
        for (place, atoms) in self.places.iter().enumerate() {
            for body in atoms.iter().flat_map(|a| &bodies[*a]) {
                let Some(asked) = self.below(body).map(|a| self.place[&a]) else { continue };
                if asked == place as u32 || below[place].is_some_and(|b| b != asked) {
                    return None;
                }
                below[place] = Some(asked);
            }
        }
        let asked: FxHashSet<u32> = below.iter().flatten().copied().collect();
        let mut tops = (0..self.places.len() as u32).filter(|p| !asked.contains(p));
        let (Some(top), None) = (tops.next(), tops.next()) else { return None };
        let chain: Vec<u32> = std::iter::successors(Some(top), |p| below[*p as usize])
            .take(self.places.len())
            .collect();
        (chain.len() == self.places.len()).then_some(chain)
    }

    fn ladder(&self, bodies: &[Bodies], chain: &[u32]) -> Option<Ladder> {
        let mut kinds: Vec<Follows> = Vec::new();
        let mut rungs: Vec<Vec<RungCondition>> = Vec::new();
        let (last, above) = chain.split_last()?;
        // 1. The kinds of steps: those of the top place see the most values.
        for place in above {
            let mut rung = Vec::new();
            for (condition, follows) in self.conditions(bodies, *place)? {
                let fits = |kind: &Follows| follows.iter().all(|(w, v)| kind.get(w) == Some(v));
                let mut fitting = (0..kinds.len()).filter(|k| fits(&kinds[*k]));
                let kind = match (fitting.next(), fitting.next()) {
                    (Some(kind), None) => kind,
                    (Some(_), Some(_)) => return None,
                    (None, _) if kinds.len() < MOST_KINDS => {
                        kinds.push(follows);
                        kinds.len() - 1
                    }
                    _ => return None,
                };
                rung.push((condition, kind as u32));
            }
            rungs.push(rung);
        }
        // 2. A step tells of every value below that has an atom: what follows from it must have one.
        for (place, rung) in above.iter().zip(&rungs) {
            let own = self.conditions(bodies, *place)?;
            let below = self.values_below(chain, *place);
            for ((_, follows), (_, kind)) in own.iter().zip(rung) {
                let told = |w: &u32| follows.get(w) == kinds[*kind as usize].get(w);
                if !below.iter().all(told) {
                    return None;
                }
            }
        }
        // 3. The lowest place makes its steps from a value that is not written.
        let lowest = self.lowest(bodies, *last)?;
        let (start, rung) = (0..self.values).find_map(|w| {
            let kind = |values: &BTreeSet<u32>| {
                let mut fitting = (0..kinds.len()).filter(|k| kinds[*k].get(&w) == Some(values));
                fitting.next().filter(|_| fitting.next().is_none()).map(|k| k as u32)
            };
            let rung = lowest.iter().map(|(c, values)| Some((c.clone(), kind(values)?)));
            Some((w, rung.collect::<Option<Vec<RungCondition>>>()?))
        })?;
        rungs.push(rung);
        if !commute(&kinds, start, rungs.len()) {
            return None;
        }
        let steps = kinds.iter().enumerate().flat_map(|(k, follows)| {
            follows.iter().flat_map(move |(w, vs)| vs.iter().map(move |v| (k as u32, *w, *v)))
        });
        let top = self.places[chain[0] as usize].iter();
        let inner = chain[1..].iter().flat_map(|p| &self.places[*p as usize]).copied();
        Some(Ladder {
            rungs,
            steps: steps.collect(),
            values: self.values,
            start,
            tops: top.map(|a| (*a, self.value[a])).collect(),
            inner: inner.collect(),
        })
    }

    /// The conditions of a place that is not the lowest, with what follows where they hold.
    fn conditions(
        &self,
        bodies: &[Bodies],
        place: u32,
    ) -> Option<Vec<(Vec<GroundLiteral>, Follows)>> {
        let mut found: FxHashMap<Vec<GroundLiteral>, Follows> = FxHashMap::default();
        for atom in &self.places[place as usize] {
            for body in &bodies[*atom] {
                let below = self.below(body)?;
                let rest = body.iter().copied().filter(|l| l.atom() != below);
                let follows = found.entry(sorted(rest)).or_default();
                follows.entry(self.value[&below]).or_default().insert(self.value[atom]);
            }
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        Some(found)
    }

    /// The conditions of the lowest place, with the values that follow.
    fn lowest(
        &self,
        bodies: &[Bodies],
        place: u32,
    ) -> Option<Vec<(Vec<GroundLiteral>, BTreeSet<u32>)>> {
        let mut found: FxHashMap<Vec<GroundLiteral>, BTreeSet<u32>> = FxHashMap::default();
        for atom in &self.places[place as usize] {
            for body in &bodies[*atom] {
                found.entry(sorted(body.iter().copied())).or_default().insert(self.value[atom]);
            }
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_unstable();
        Some(found)
    }

    /// The values that the place below this one has atoms for.
    fn values_below(&self, chain: &[u32], place: u32) -> Vec<u32> {
        let at = chain.iter().position(|p| *p == place).expect("a place of the chain");
        let below = chain.get(at + 1).map_or(&[][..], |p| &self.places[*p as usize][..]);
        below.iter().map(|a| self.value[a]).collect()
    }
}

fn sorted(body: impl Iterator<Item = GroundLiteral>) -> Vec<GroundLiteral> {
    let mut body: Vec<GroundLiteral> = body.collect();
    body.sort_unstable();
    body.dedup();
    body
}

/// Whether two steps lead to the same values in both orders, from every value to which so many steps of any kinds
/// lead, but for the last two. Then places can be exchanged one after the other, in any order.
fn commute(kinds: &[Follows], start: u32, steps: usize) -> bool {
    let after = |kind: &Follows, from: &BTreeSet<u32>| -> BTreeSet<u32> {
        from.iter().filter_map(|w| kind.get(w)).flatten().copied().collect()
    };
    let (mut seen, mut now) = (BTreeSet::from([start]), BTreeSet::from([start]));
    for _ in 2..steps {
        let next: BTreeSet<u32> = kinds.iter().flat_map(|kind| after(kind, &now)).collect();
        seen.extend(&next);
        now = next;
    }
    seen.into_iter().all(|w| {
        let once: Vec<BTreeSet<u32>> = kinds.iter().map(|k| after(k, &[w].into())).collect();
        let pairs = (0..kinds.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.into_iter().all(|(a, b)| after(&kinds[b], &once[a]) == after(&kinds[a], &once[b]))
    })
}

/// Whether only the top of a ladder is asked by others.
fn is_asked_at_top(ladder: &Ladder, bodies: &[Bodies], needed: &[bool]) -> bool {
    let inner: FxHashSet<usize> = ladder.inner.iter().copied().collect();
    let own: FxHashSet<usize> =
        ladder.inner.iter().copied().chain(ladder.tops.iter().map(|t| t.0)).collect();
    let asks = |body: &Vec<GroundLiteral>| body.iter().any(|l| inner.contains(&l.atom()));
    let others = bodies.iter().enumerate().filter(|(atom, _)| needed[*atom] && !own.contains(atom));
    !others.flat_map(|(_, bodies)| bodies).any(asks)
}
