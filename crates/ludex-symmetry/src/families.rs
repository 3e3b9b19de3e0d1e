//! `SymmetryMap` -> `Family`s: facts and moves of one function whose images can be told all at once.

use super::table::SymmetryMap;
use ludex_gdl::rules::{Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

pub type Function = (Symbol, usize);

/// Of what a family is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FamilyOwner {
    Facts,
    Moves,
    MovesOf(usize),
}

/// Facts or moves of one function.
pub(crate) struct Family<'t> {
    pub owner: FamilyOwner,
    pub function: Function,
    /// Only those with this value of an argument.
    pub given: Option<(usize, &'t Term)>,
    /// Numbers of bases or inputs.
    pub members: Vec<usize>,
    /// What becomes of them, if that can be told of all at once.
    pub shape: Option<FamilyImage<'t>>,
}

/// The image of a function, where its arguments go, and how the values of every argument change.
#[derive(Clone, Debug)]
pub(crate) struct FamilyImage<'t> {
    pub to: Symbol,
    pub place: Vec<usize>,
    pub values: Vec<FxHashMap<&'t Term, &'t Term>>,
}

/// The facts and moves of a game, numbered as in the net.
pub(crate) struct Things {
    pub bases: Vec<Term>,
    /// Role and move.
    pub inputs: Vec<(usize, Term)>,
}

impl Things {
    /// The families of facts, then those of moves, by function.
    pub fn families(&self, table: &SymmetryMap) -> Vec<Family<'_>> {
        let facts = by_function(self.bases.iter());
        let moves = by_function(self.inputs.iter().map(|(_, t)| t));
        let mut found: Vec<Family> = Vec::new();
        for (function, members) in facts {
            let family = self.family(FamilyOwner::Facts, function, members, table);
            found.extend(self.in_parts(&family, table).unwrap_or_else(|| vec![family]));
        }
        for (function, mut members) in moves {
            members.retain(|m| self.is_told(*m, table));
            if !members.is_empty() {
                found.extend(self.families_of_moves(function, members, table));
            }
        }
        found
    }

    /// Moves that are never made stay where they are, even where their roles do not: there is nothing to tell.
    fn is_told(&self, input: usize, table: &SymmetryMap) -> bool {
        let role = |i: usize| self.inputs[i].0;
        role(table.inputs[input] as usize) == table.roles[role(input)] as usize
    }

    /// The moves of all roles together if they go alike, else those of each role.
    fn families_of_moves(
        &self,
        function: Function,
        members: Vec<usize>,
        table: &SymmetryMap,
    ) -> Vec<Family<'_>> {
        let all = self.family(FamilyOwner::Moves, function, members, table);
        if let Some(parts) = self.in_parts(&all, table) {
            return parts;
        }
        let mut by_role: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        all.members.iter().for_each(|&m| by_role.entry(self.inputs[m].0).or_default().push(m));
        let of_role = |(role, members)| {
            let family = self.family(FamilyOwner::MovesOf(role), function, members, table);
            self.in_parts(&family, table).unwrap_or_else(|| vec![family])
        };
        by_role.into_iter().flat_map(of_role).collect()
    }

    fn family(
        &self,
        owner: FamilyOwner,
        function: Function,
        members: Vec<usize>,
        table: &SymmetryMap,
    ) -> Family<'_> {
        let pair = |&m: &usize| (self.term(owner, m), self.term(owner, image(table, owner, m)));
        let pairs: Vec<Pair> = members.iter().map(pair).collect();
        let shape = shape(function, &pairs);
        Family { owner, function, given: None, members, shape }
    }

    /// A family with a shape as it is, another by the values of an argument if each part has a shape.
    fn in_parts<'t>(&'t self, family: &Family<'t>, table: &SymmetryMap) -> Option<Vec<Family<'t>>> {
        let Family { owner, function, .. } = *family;
        if family.shape.is_some() {
            return Some(vec![self.family(owner, function, family.members.clone(), table)]);
        }
        let by = |place: usize| {
            let mut by_value: BTreeMap<&Term, Vec<usize>> = BTreeMap::new();
            for &m in &family.members {
                let value = &arguments(self.term(owner, m))[place];
                by_value.entry(value).or_default().push(m);
            }
            // One value for each member would be a list of them.
            let is_few = by_value.len() > 1 && by_value.len() * 2 <= family.members.len();
            let part = |(value, members)| {
                let part = self.family(owner, function, members, table);
                part.shape.is_some().then_some(Family { given: Some((place, value)), ..part })
            };
            is_few.then(|| by_value.into_iter().map(part).collect()).flatten()
        };
        (0..function.1).find_map(by)
    }

    fn term(&self, owner: FamilyOwner, member: usize) -> &Term {
        match owner {
            FamilyOwner::Facts => &self.bases[member],
            FamilyOwner::Moves | FamilyOwner::MovesOf(_) => &self.inputs[member].1,
        }
    }
}

impl Family<'_> {
    /// Whether every member is its own image.
    pub(crate) fn is_still(&self) -> bool {
        let still = |s: &FamilyImage| {
            let values = s.values.iter().all(|map| map.iter().all(|(x, y)| x == y));
            s.to == self.function.0 && is_plain(&s.place) && values
        };
        self.shape.as_ref().is_some_and(still)
    }
}

pub fn image(table: &SymmetryMap, owner: FamilyOwner, member: usize) -> usize {
    let images = if owner == FamilyOwner::Facts { &table.bases } else { &table.inputs };
    images[member] as usize
}

pub fn function(t: &Term) -> Function {
    let Term::App(f, args) = t else { unreachable!("ground") };
    (*f, args.len())
}

fn arguments(t: &Term) -> &[Term] {
    let Term::App(_, args) = t else { unreachable!("ground") };
    args
}

fn by_function<'t>(terms: impl Iterator<Item = &'t Term>) -> BTreeMap<Function, Vec<usize>> {
    let mut found: BTreeMap<Function, Vec<usize>> = BTreeMap::new();
    terms.enumerate().for_each(|(i, t)| found.entry(function(t)).or_default().push(i));
    found
}

/// A term and its image.
type Pair<'t> = (&'t Term, &'t Term);

fn shape<'t>(from: Function, pairs: &[Pair<'t>]) -> Option<FamilyImage<'t>> {
    let (to, arity) = function(pairs.first()?.1);
    if arity != from.1 || pairs.iter().any(|(_, image)| function(image) != (to, arity)) {
        return None;
    }
    let place = places(arity, |i, j| value_map(pairs, i, j).is_some())?;
    let values = (0..arity).map(|i| value_map(pairs, i, place[i]).expect("just found")).collect();
    Some(FamilyImage { to, place, values })
}

/// What becomes of the values of argument `i` if it goes to place `j`; none if that depends on the others.
fn value_map<'t>(pairs: &[Pair<'t>], i: usize, j: usize) -> Option<FxHashMap<&'t Term, &'t Term>> {
    let mut map: FxHashMap<&Term, &Term> = FxHashMap::default();
    for (from, to) in pairs {
        let (x, y) = (&arguments(from)[i], &arguments(to)[j]);
        if *map.entry(x).or_insert(y) != y {
            return None;
        }
    }
    Some(map)
}

/// A place for every argument, each of which `fits`, its own where that does: augmenting paths.
fn places(arity: usize, fits: impl Fn(usize, usize) -> bool) -> Option<Vec<usize>> {
    if (0..arity).all(|i| fits(i, i)) {
        return Some((0..arity).collect());
    }
    let table: Vec<Vec<bool>> =
        (0..arity).map(|i| (0..arity).map(|j| fits(i, j)).collect()).collect();
    let mut taken: Vec<Option<usize>> = vec![None; arity];
    for i in 0..arity {
        if !assign(i, &table, &mut taken, &mut vec![false; arity]) {
            return None;
        }
    }
    let mut place = vec![0; arity];
    taken.iter().enumerate().for_each(|(j, i)| place[i.expect("all are assigned")] = j);
    Some(place)
}

fn assign(i: usize, fits: &[Vec<bool>], taken: &mut [Option<usize>], tried: &mut [bool]) -> bool {
    let own_first = std::iter::once(i).chain((0..fits.len()).filter(|j| *j != i));
    for j in own_first {
        if !fits[i][j] || std::mem::replace(&mut tried[j], true) {
            continue;
        }
        if taken[j].is_none_or(|other| assign(other, fits, taken, tried)) {
            taken[j] = Some(i);
            return true;
        }
    }
    false
}

pub fn is_plain(place: &[usize]) -> bool {
    place.iter().enumerate().all(|(i, &p)| i == p)
}
