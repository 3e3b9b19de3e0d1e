//! `SymmetryMap` -> `Words`: what a symmetry does to facts and moves, in a text that can be read back.
//!
//! A text is a list of clauses with semicolons between them; what no clause names stays as it is.
//!
//! - `x ↔ y as roles`: roles, and their moves with them.
//! - `cell[1] ↔ cell[2], white → black`: arguments go to other places, functions to others.
//! - `1 ↔ 3, 2 → 4 → 5 → 2 in cell[1], mark[1]`: values of arguments, by the place where they stand before.
//! - `(b 1 2) → (true c), (does x (m 1)) ↔ (does x (m 2))`: single facts and moves.
//! - `and 3 more facts and 4 more moves`: what moves and is not told.
//!
//! A name means all facts and moves of that name. Where they do not go alike it is told of which it is:
//! `m/2[1]` by the number of arguments, `m[1=left][2]` by the value of an argument, `m[1] of facts`,
//! `m[1] of moves`, or `m[1] of x`, the moves of a role.

use super::families::{Family, FamilyOwner, Function, Things, function, image, is_plain};
use super::logic::Logic;
use super::table::SymmetryMap;
use ludex_gdl::rules::{Symbol, Term};
use ludex_net::ground::Ground;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A text about families of facts and moves becomes no longer than so many characters.
const LONGEST: usize = 600;
/// So many single facts and moves are shown where no family tells of them.
const SINGLE: usize = 3;
/// Longer cycles of single facts and moves are told step by step.
const SHORT_CYCLE: usize = 4;

/// A symmetry in words.
pub struct Words {
    pub text: String,
    /// Facts and moves that are not where they were, of which the text does not speak.
    pub facts_left: usize,
    pub moves_left: usize,
}

/// The names of a game.
pub(crate) struct Vocabulary<'a> {
    ground: &'a Ground,
    roles: Vec<String>,
    pub things: Things,
    /// Names that stand for functions of several arities, and functions of both facts and moves.
    several: FxHashSet<Symbol>,
    both: FxHashSet<Function>,
}

impl<'a> Vocabulary<'a> {
    pub fn new(ground: &'a Ground, logic: &Logic) -> Vocabulary<'a> {
        let bases: Vec<Term> = logic.bases.iter().map(|t| ground.to_term(*t)).collect();
        let inputs: Vec<(usize, Term)> =
            logic.inputs.iter().map(|(role, t)| (*role, ground.to_term(*t))).collect();
        let facts: FxHashSet<Function> = bases.iter().map(function).collect();
        let moves: FxHashSet<Function> = inputs.iter().map(|(_, t)| function(t)).collect();
        let both = facts.intersection(&moves).copied().collect();
        let mut arity: FxHashMap<Symbol, usize> = FxHashMap::default();
        let differs = |(f, n): &Function| *arity.entry(*f).or_insert(*n) != *n;
        let several = facts.union(&moves).copied().filter(differs).map(|(f, _)| f).collect();
        let roles = logic.roles.iter().map(|r| ground.term_text(*r)).collect();
        Vocabulary { ground, roles, things: Things { bases, inputs }, several, both }
    }

    pub fn text_of(&self, t: &Term) -> String {
        match t {
            Term::App(f, args) if args.is_empty() => self.ground.symbols.name(*f).to_string(),
            Term::App(f, args) => {
                let args: String = args.iter().map(|a| format!(" {}", self.text_of(a))).collect();
                format!("({}{args})", self.ground.symbols.name(*f))
            }
            Term::Var(_) => unreachable!("ground"),
        }
    }

    /// The words for a symmetry whose families are known: of each of them all or nothing is told.
    pub fn words(&self, table: &SymmetryMap, families: &[Family]) -> Words {
        let mut told: Vec<&Family> = families.iter().filter(|f| f.shape.is_some()).collect();
        let mut clauses = self.clauses(table, &told);
        while clauses.join("; ").chars().count() > LONGEST && !told.is_empty() {
            let last = told.iter().rposition(|f| !f.is_still()).unwrap_or(0);
            told.truncate(last);
            clauses = self.clauses(table, &told);
        }
        let is_told = |f: &Family| told.iter().any(|t| std::ptr::eq(*t, f));
        let rest: Vec<&Family> = families.iter().filter(|f| !is_told(f)).collect();
        let mut singles = Singles::new(self, table, &rest);
        let shown = singles.chains();
        clauses.extend((!shown.is_empty()).then(|| shown.join(", ")));
        let (facts_left, moves_left) = singles.left();
        clauses.extend(counted(facts_left, moves_left));
        Words { text: clauses.join("; "), facts_left, moves_left }
    }

    /// Roles, places and functions, values.
    fn clauses(&self, table: &SymmetryMap, told: &[&Family]) -> Vec<String> {
        let mut clauses = Vec::new();
        let roles = cycles(&table.roles, &|r| self.roles[r].clone());
        if !roles.is_empty() {
            clauses.push(format!("{} as roles", roles.join(", ")));
        }
        let mut named = self.renamed(told);
        named.extend(self.placed(told));
        if !named.is_empty() {
            clauses.push(named.join(", "));
        }
        let mut changes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (family, shape) in told.iter().filter_map(|f| Some((f, f.shape.as_ref()?))) {
            for (i, map) in shape.values.iter().enumerate() {
                let chains = chains(&self.texts(map));
                if !chains.is_empty() {
                    let place = format!("{}[{}]{}", self.of(family), i + 1, self.owner(family));
                    changes.entry(chains.join(", ")).or_default().push(place);
                }
            }
        }
        clauses.extend(changes.iter().map(|(text, at)| format!("{text} in {}", at.join(", "))));
        clauses
    }

    pub fn texts(&self, map: &FxHashMap<&Term, &Term>) -> BTreeMap<String, String> {
        map.iter().map(|(x, y)| (self.text_of(x), self.text_of(y))).collect()
    }

    /// Functions that become others while their arguments keep their places.
    fn renamed(&self, told: &[&Family]) -> Vec<String> {
        let mut maps: BTreeMap<(String, usize), BTreeMap<String, String>> = BTreeMap::new();
        for (family, shape) in told.iter().filter_map(|f| Some((f, f.shape.as_ref()?))) {
            let (f, arity) = family.function;
            if shape.to != f && is_plain(&shape.place) {
                let map = maps.entry((self.owner(family), arity)).or_default();
                map.insert(self.of(family), self.name((shape.to, arity)));
            }
        }
        let chains = |((owner, _), map): (&(String, usize), &BTreeMap<String, String>)| {
            chains(map).into_iter().map(|c| format!("{c}{owner}")).collect::<Vec<_>>()
        };
        maps.iter().flat_map(chains).collect()
    }

    /// Arguments that go to other places, of the same function or another.
    fn placed(&self, told: &[&Family]) -> Vec<String> {
        let mut found = Vec::new();
        for (family, shape) in told.iter().filter_map(|f| Some((f, f.shape.as_ref()?))) {
            let at = |name: &str, i: usize| format!("{name}[{}]", i + 1);
            let (name, owner) = (self.of(family), self.owner(family));
            if shape.to == family.function.0 {
                let place: Vec<u32> = shape.place.iter().map(|&p| p as u32).collect();
                let chains = cycles(&place, &|i| at(&name, i));
                found.extend(chains.iter().map(|c| format!("{c}{owner}")));
            } else if !is_plain(&shape.place) {
                let to = self.name((shape.to, family.function.1));
                let step =
                    |(i, &j): (usize, &usize)| format!("{} → {}{owner}", at(&name, i), at(&to, j));
                found.extend(shape.place.iter().enumerate().map(step));
            }
        }
        found
    }

    fn name(&self, (f, arity): Function) -> String {
        let name = self.ground.symbols.name(f);
        if self.several.contains(&f) { format!("{name}/{arity}") } else { name.to_string() }
    }

    /// The name of a family, with the value that it has at a place.
    fn of(&self, family: &Family) -> String {
        let name = self.name(family.function);
        match family.given {
            None => name,
            Some((place, value)) => format!("{name}[{}={}]", place + 1, self.text_of(value)),
        }
    }

    fn owner(&self, family: &Family) -> String {
        let both = self.both.contains(&family.function);
        match family.owner {
            FamilyOwner::Facts if both => " of facts".into(),
            FamilyOwner::Moves if both => " of moves".into(),
            FamilyOwner::Facts | FamilyOwner::Moves => String::new(),
            FamilyOwner::MovesOf(role) => format!(" of {}", self.roles[role]),
        }
    }
}

/// Facts and moves of families that are not told as such.
struct Singles<'a> {
    words: &'a Vocabulary<'a>,
    table: &'a SymmetryMap,
    /// What moves and is not told yet.
    open: Vec<(FamilyOwner, usize)>,
}

impl<'a> Singles<'a> {
    fn new(words: &'a Vocabulary<'a>, table: &'a SymmetryMap, rest: &[&Family]) -> Singles<'a> {
        let owner =
            |f: &Family| if f.owner == FamilyOwner::Facts { f.owner } else { FamilyOwner::Moves };
        let of = |f: &&Family| f.members.iter().map(|&m| (owner(f), m)).collect::<Vec<_>>();
        let mut open: Vec<(FamilyOwner, usize)> = rest.iter().flat_map(of).collect();
        let inputs = &words.things.inputs;
        // A move goes with its role, of which is told already.
        open.retain(|&(owner, m)| match owner {
            FamilyOwner::Facts => image(table, owner, m) != m,
            _ => inputs[image(table, owner, m)].1 != inputs[m].1,
        });
        Singles { words, table, open }
    }

    /// The first of them, in cycles where these are short and have no told member.
    fn chains(&mut self) -> Vec<String> {
        let mut found = Vec::new();
        while let Some(&(owner, first)) = self.open.first()
            && found.len() < SINGLE
        {
            let next = |m: usize| image(self.table, owner, m);
            let mut cycle = vec![first];
            let mut at = next(first);
            while at != first && cycle.len() < SHORT_CYCLE && self.open.contains(&(owner, at)) {
                cycle.push(at);
                at = next(at);
            }
            let names: Vec<String> = cycle.iter().map(|&m| self.text(owner, m)).collect();
            if at == first {
                found.push(cycle_text(&names));
            } else {
                found.push(format!("{} → {}", names[0], self.text(owner, next(first))));
                cycle.truncate(1);
            }
            self.open.retain(|(of, m)| *of != owner || !cycle.contains(m));
        }
        found
    }

    fn text(&self, owner: FamilyOwner, m: usize) -> String {
        let Things { bases, inputs } = &self.words.things;
        if owner != FamilyOwner::Facts {
            let (role, mv) = &inputs[m];
            return format!("(does {} {})", self.words.roles[*role], self.words.text_of(mv));
        }
        let text = self.words.text_of(&bases[m]);
        if function(&bases[m]).1 > 0 { text } else { format!("(true {text})") }
    }

    fn left(&self) -> (usize, usize) {
        let facts = self.open.iter().filter(|(owner, _)| *owner == FamilyOwner::Facts).count();
        (facts, self.open.len() - facts)
    }
}

/// How many facts and moves are not told, if there are any.
fn counted(facts: usize, moves: usize) -> Option<String> {
    let count = |(n, what): (usize, &str)| {
        let s = if n == 1 { "" } else { "s" };
        (n > 0).then(|| format!("and {n} more {what}{s}"))
    };
    let counts: Vec<String> =
        [(facts, "fact"), (moves, "move")].into_iter().filter_map(count).collect();
    (!counts.is_empty()).then(|| counts.join(" "))
}

/// Numbers by size, words by length.
pub fn natural(a: &str, b: &str) -> Ordering {
    match (a.parse::<i64>(), b.parse::<i64>()) {
        (Ok(x), Ok(y)) => x.cmp(&y),
        _ => (a.len(), a).cmp(&(b.len(), b)),
    }
}

/// A map in cycles if it is a permutation, else step by step; without what stays.
fn chains(map: &BTreeMap<String, String>) -> Vec<String> {
    let mut values: Vec<&String> = map.keys().collect();
    values.sort_by(|a, b| natural(a, b));
    let images: FxHashSet<&String> = map.values().collect();
    if images.len() < map.len() || values.iter().any(|v| !images.contains(*v)) {
        let steps = values.iter().filter(|v| map[**v] != ***v);
        return steps.map(|v| format!("{v} → {}", map[*v])).collect();
    }
    let number = |v: &String| values.iter().position(|w| *w == v).expect("a permutation") as u32;
    let images: Vec<u32> = values.iter().map(|v| number(&map[*v])).collect();
    cycles(&images, &|i| values[i].clone())
}

/// The cycles of a permutation, in words.
fn cycles(images: &[u32], name: &dyn Fn(usize) -> String) -> Vec<String> {
    let all = ludex_graph::Perm(images.to_vec()).cycles();
    let names = |c: &Vec<u32>| c.iter().map(|&i| name(i as usize)).collect::<Vec<_>>();
    all.iter().map(|c| cycle_text(&names(c))).collect()
}

fn cycle_text(names: &[String]) -> String {
    match names {
        [a, b] => format!("{a} ↔ {b}"),
        _ => format!("{} → {}", names.join(" → "), names[0]),
    }
}
