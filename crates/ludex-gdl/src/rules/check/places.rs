//! Which names can stand where: for each argument of a relation, of a fact and of a move, the constants and
//! functions that can ever be there.
//!
//! A rule fires, as far as this tells, if each of its variables has a name that all its conditions allow. What
//! this calls impossible is impossible; what it allows need not happen. Facts come from `init` and `next`,
//! moves from `legal`. The least solution is found by running rules again whenever something grew.

use crate::rules::{Atom, Literal, Rel, Rule, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A relation, or a function of facts (`true`, `base`) or moves (`does`, `input`).
pub type TruthKey = (Rel, Option<(Symbol, usize)>);
/// The outermost name of a term, with its arity.
pub type Outer = (Symbol, usize);

/// Beyond so many bits nothing is found out: the rules were made by a program.
const MOST_BITS: usize = 1 << 25;

/// Why a rule cannot fire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// This literal: nothing makes it true.
    Nothing(usize),
    /// The argument of this literal's key is never this name.
    Never(usize, usize, Outer),
    /// No value of this variable, which stands in this literal, fits all conditions.
    NoValue(usize, u32),
}

impl Obstacle {
    pub fn literal(self) -> usize {
        let (Obstacle::Nothing(j) | Obstacle::Never(j, ..) | Obstacle::NoValue(j, _)) = self;
        j
    }
}

/// A set of names, by their numbers, or all of them.
#[derive(Clone, Default)]
struct Names {
    all: bool,
    bits: Vec<u64>,
}

pub struct NamePlaces {
    names: Vec<Outer>,
    numbers: FxHashMap<Outer, usize>,
    /// By key, the names at each of its arguments; none until it can be true.
    made: FxHashMap<TruthKey, Vec<Names>>,
    /// Facts or moves that are variables can be anything: `true`, `does`.
    anything: Vec<Rel>,
    passed_over: PassedOver,
}

/// Some literals, by the numbers of their rules and their own.
pub type PassedOver = FxHashSet<(usize, usize)>;

impl NamePlaces {
    /// As if the conditions in `passed_over` held.
    pub fn of(rules: &[Rule], passed_over: PassedOver) -> NamePlaces {
        let mut places = NamePlaces::numbered(rules);
        places.passed_over = passed_over;
        let anything = rules.iter().filter(|r| matches!(r.head.args.last(), Some(Term::Var(_))));
        places.anything = anything.filter_map(|r| given(r.head.rel)).collect();
        let readers = readers(rules);
        let mut waiting: VecDeque<usize> = (0..rules.len()).collect();
        let mut is_waiting = vec![true; rules.len()];
        while let Some(i) = waiting.pop_front() {
            is_waiting[i] = false;
            for key in places.run(i, &rules[i]) {
                for reader in readers.get(&key).into_iter().flatten() {
                    if !std::mem::replace(&mut is_waiting[*reader], true) {
                        waiting.push_back(*reader);
                    }
                }
            }
        }
        places
    }

    fn numbered(rules: &[Rule]) -> NamePlaces {
        let (mut names, mut numbers) = (Vec::new(), FxHashMap::default());
        let mut slots = 0;
        for rule in rules {
            slots = slots.max(rule.head.args.len());
            let body = rule.body.iter().filter_map(Literal::atom);
            for atom in std::iter::once(&rule.head).chain(body) {
                atom.args.iter().for_each(|t| number(t, &mut names, &mut numbers));
            }
        }
        let keys = rules.iter().map(|r| r.head.rel.0).max().map_or(1, |r| r as usize + 1);
        if names.len() * keys * (slots + 1) > MOST_BITS {
            (names, numbers) = (vec![], FxHashMap::default());
        }
        NamePlaces {
            names,
            numbers,
            made: FxHashMap::default(),
            anything: vec![],
            passed_over: PassedOver::default(),
        }
    }

    /// Why a rule cannot fire, if it cannot.
    pub fn obstacle(&self, i: usize, rule: &Rule) -> Option<Obstacle> {
        self.values(i, rule).err()
    }

    /// Whether facts or moves can be anything.
    pub fn is_open(&self, rel: Rel) -> bool {
        self.anything.contains(&rel)
    }

    /// Whether anything makes what a key stands for.
    pub fn is_made(&self, key: &TruthKey) -> bool {
        self.made.contains_key(key)
    }

    /// The names at an argument of a key; none where they are not known.
    pub fn at(&self, key: &TruthKey, slot: usize) -> Option<Vec<Outer>> {
        let names = self.made.get(key)?.get(slot)?;
        let listed = |n: &usize| names.has(*n);
        (!names.all).then(|| (0..self.names.len()).filter(listed).map(|n| self.names[n]).collect())
    }

    /// Whether a term can stand at an argument of a key.
    pub fn allows(&self, key: &TruthKey, slot: usize, term: &Term) -> bool {
        let Some(names) = self.made.get(key).and_then(|slots| slots.get(slot)) else { return true };
        match outer(term).map(|o| self.numbers.get(&o)) {
            Some(Some(number)) => names.has(*number),
            _ => true,
        }
    }

    /// Whether a term of a rule, a variable or not, can stand at an argument of a key.
    pub fn fits(
        &self,
        (i, rule): (usize, &Rule),
        key: &TruthKey,
        slot: usize,
        term: &Term,
    ) -> bool {
        let Term::Var(v) = term else { return self.allows(key, slot, term) };
        let known = self.made.get(key).and_then(|slots| slots.get(slot));
        let (Some(names), Ok(values)) = (known, self.values(i, rule)) else { return true };
        let mut both = values[*v as usize].clone();
        both.meet(names);
        !both.is_empty()
    }

    /// Whether a variable of a rule can be this constant.
    pub fn can_be(&self, (i, rule): (usize, &Rule), variable: u32, constant: Symbol) -> bool {
        let told_apart = |l: &Literal| matches!(l, Literal::Distinct(..));
        let mut rule = rule.clone();
        rule.body.retain(|l| !told_apart(l));
        let values = self.values(i, &rule);
        let number = self.numbers.get(&(constant, 0));
        match (values, number) {
            (Ok(values), Some(number)) => values[variable as usize].has(*number),
            // It stands nowhere but here.
            (Ok(values), None) => values[variable as usize].all || self.names.is_empty(),
            _ => true,
        }
    }

    /// The names that each variable can have, or what keeps the rule from firing.
    fn values(&self, i: usize, rule: &Rule) -> Result<Vec<Names>, Obstacle> {
        let mut values = vec![Names { all: true, bits: vec![] }; rule.vars.len()];
        for (j, literal) in rule.body.iter().enumerate() {
            let Literal::Pos(atom) = literal else { continue };
            if self.anything.contains(&atom.rel) || self.passed_over.contains(&(i, j)) {
                continue;
            }
            let key = asked(atom);
            let slots = self.made.get(&key).ok_or(Obstacle::Nothing(j))?;
            for (at, (term, names)) in terms(atom, key).zip(slots).enumerate() {
                match term {
                    Term::Var(v) => {
                        values[*v as usize].meet(names);
                        if values[*v as usize].is_empty() {
                            return Err(Obstacle::NoValue(j, *v));
                        }
                    }
                    term if !self.allows(&key, at, term) => {
                        let name = outer(term).expect("no variable");
                        return Err(Obstacle::Never(j, at, name));
                    }
                    _ => {}
                }
            }
        }
        self.tell_apart(i, rule, &mut values)?;
        Ok(values)
    }

    /// What `distinct` takes away.
    fn tell_apart(&self, i: usize, rule: &Rule, values: &mut [Names]) -> Result<(), Obstacle> {
        for (j, literal) in rule.body.iter().enumerate() {
            let Literal::Distinct(a, b) = literal else { continue };
            let (Term::Var(v), Term::App(c, args)) = ordered(a, b) else { continue };
            let number = self.numbers.get(&(*c, 0)).filter(|_| args.is_empty());
            if let Some(number) = number.filter(|_| !self.passed_over.contains(&(i, j))) {
                values[*v as usize].remove(*number);
                if values[*v as usize].is_empty() {
                    return Err(Obstacle::NoValue(j, *v));
                }
            }
        }
        Ok(())
    }

    /// Adds what a rule makes; the keys that grew.
    fn run(&mut self, i: usize, rule: &Rule) -> Vec<TruthKey> {
        let Ok(values) = self.values(i, rule) else { return vec![] };
        let mut grown = Vec::new();
        for key in keys_made(&rule.head) {
            let mut changed = !self.made.contains_key(&key);
            let slots = self.made.entry(key).or_default();
            slots.resize(terms(&rule.head, key).count(), Names::default());
            for (slot, term) in slots.iter_mut().zip(terms(&rule.head, key)) {
                let number = outer(term).map(|o| self.numbers.get(&o));
                changed |= match (term, number) {
                    (Term::Var(v), _) => slot.join(&values[*v as usize]),
                    (_, Some(Some(number))) => slot.add(*number),
                    _ => !std::mem::replace(&mut slot.all, true),
                };
            }
            if changed {
                grown.push(key);
            }
        }
        grown
    }
}

impl Names {
    fn has(&self, number: usize) -> bool {
        self.all || self.bits.get(number / 64).is_some_and(|w| (w >> (number % 64)) & 1 == 1)
    }

    /// True if it grew.
    fn add(&mut self, number: usize) -> bool {
        if self.has(number) {
            return false;
        }
        if self.bits.len() <= number / 64 {
            self.bits.resize(number / 64 + 1, 0);
        }
        self.bits[number / 64] |= 1 << (number % 64);
        true
    }

    fn remove(&mut self, number: usize) {
        if let Some(word) = self.bits.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    fn is_empty(&self) -> bool {
        !self.all && self.bits.iter().all(|w| *w == 0)
    }

    fn meet(&mut self, other: &Names) {
        if other.all {
            return;
        }
        if std::mem::take(&mut self.all) {
            self.bits.clone_from(&other.bits);
            return;
        }
        self.bits.truncate(other.bits.len());
        self.bits.iter_mut().zip(&other.bits).for_each(|(a, b)| *a &= b);
    }

    /// True if it grew.
    fn join(&mut self, other: &Names) -> bool {
        if self.all || other.all {
            return !std::mem::replace(&mut self.all, true);
        }
        if self.bits.len() < other.bits.len() {
            self.bits.resize(other.bits.len(), 0);
        }
        let mut grew = false;
        for (a, b) in self.bits.iter_mut().zip(&other.bits) {
            grew |= *b & !*a != 0;
            *a |= b;
        }
        grew
    }
}

fn number(term: &Term, names: &mut Vec<Outer>, numbers: &mut FxHashMap<Outer, usize>) {
    let Some(name) = outer(term) else { return };
    let next = names.len();
    if *numbers.entry(name).or_insert(next) == next {
        names.push(name);
    }
    let Term::App(_, args) = term else { return };
    args.iter().for_each(|t| number(t, names, numbers));
}

pub fn outer(term: &Term) -> Option<Outer> {
    match term {
        Term::App(f, args) => Some((*f, args.len())),
        Term::Var(_) => None,
    }
}

/// Variable first.
fn ordered<'a>(a: &'a Term, b: &'a Term) -> (&'a Term, &'a Term) {
    if matches!(a, Term::Var(_)) { (a, b) } else { (b, a) }
}

/// What a rule for this relation makes true.
fn given(head: Rel) -> Option<Rel> {
    match head {
        Rel::INIT | Rel::NEXT => Some(Rel::TRUE),
        Rel::LEGAL => Some(Rel::DOES),
        _ => None,
    }
}

/// The key that an atom of a body asks for.
pub fn asked(atom: &Atom) -> TruthKey {
    match atom.rel {
        Rel::TRUE | Rel::DOES => (atom.rel, atom.args.last().and_then(outer)),
        rel => (rel, None),
    }
}

/// The keys that a rule with this head makes.
pub fn keys_made(head: &Atom) -> Vec<TruthKey> {
    let mut keys = vec![(head.rel, None)];
    let function = head.args.last().and_then(outer);
    if matches!(head.rel, Rel::BASE | Rel::INPUT) && function.is_some() {
        keys.push((head.rel, function));
    }
    if let Some(given) = given(head.rel) {
        keys.push((given, None));
        keys.extend(function.map(|f| (given, Some(f))));
    }
    keys
}

/// The terms at the arguments of a key: those of a fact or move, with the role of a move before them.
pub fn terms(atom: &Atom, key: TruthKey) -> impl Iterator<Item = &Term> {
    let (outside, inside): (&[Term], &[Term]) = match (key.1, atom.args.split_last()) {
        (Some(_), Some((Term::App(_, args), before))) => (before, args),
        _ => (&atom.args, &[]),
    };
    outside.iter().chain(inside)
}

/// By key the rules that ask for it.
fn readers(rules: &[Rule]) -> FxHashMap<TruthKey, Vec<usize>> {
    let mut readers: FxHashMap<TruthKey, Vec<usize>> = FxHashMap::default();
    for (i, rule) in rules.iter().enumerate() {
        for literal in &rule.body {
            if let Literal::Pos(atom) = literal {
                readers.entry(asked(atom)).or_default().push(i);
            }
        }
    }
    readers
}
