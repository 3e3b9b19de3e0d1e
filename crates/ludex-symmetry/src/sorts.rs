//! `Normal` -> `Sorts`: the same rules, in which a constant has a name of its own in every sort.
//!
//! One number may be a row, a column, a step and a bit. A map of names would have to move all of them at once, and
//! so the board could not be turned without the clock. Argument positions that a variable or
//! `distinct` joins are of one sort, and a constant is another one in every sort where it stands: nothing ever
//! compares the two. Relations that are mere lists of facts get a copy for every place where they are
//! asked, since such a list says what belongs where, not that it is of one sort.

mod lists;
mod unfold;

use super::normal::{Normal, close};
use super::scrambling::{Scrambling, open};
use lists::Lists;
use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Symbol, Term};
use ludex_graph::Orbits;
use rustc_hash::FxHashMap;
use unfold::unfolded;

/// Rules with constants told apart, and the way there and back.
pub struct Sorts {
    pub normal: Normal,
    places: SortPlaces,
    /// The name of a constant in a sort, where it is not its own.
    names: FxHashMap<(Symbol, u32), Symbol>,
    /// What such names stand for.
    meanings: FxHashMap<Symbol, Symbol>,
}

/// Where a term stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum SortPlace {
    Relation(Rel, usize),
    Function(Symbol, usize, usize),
    /// Both sides of a `distinct`: the rule and the place in its body.
    Distinct(usize, usize),
}

impl Sorts {
    /// None where no constant has two sorts: the rules are as they were.
    pub fn new(normal: &Normal) -> Option<Sorts> {
        let mut normal = normal.clone();
        let lists = Lists::of(&normal.rules);
        let rules = std::mem::take(&mut normal.rules.rules);
        let instances = rules.into_iter().flat_map(|r| lists.instances(r)).collect();
        normal.rules.rules = unfolded(instances, &|rel| lists.has(rel));
        let sources = lists.copied(std::mem::take(&mut normal.sources), &mut normal.rules);
        let rules = lists.copied(std::mem::take(&mut normal.rules.rules), &mut normal.rules);
        normal.rules.rules = rules;
        let rules = normal.rules.rules.len();
        normal.rules.rules.extend(sources);
        let places = SortPlaces::of(&normal.rules);
        let mut sorts =
            Sorts { normal, places, names: Default::default(), meanings: Default::default() };
        sorts.name_constants();
        if sorts.names.is_empty() {
            return None;
        }
        let mut all = std::mem::take(&mut sorts.normal.rules.rules);
        all.iter_mut().enumerate().for_each(|(number, rule)| sorts.tell_apart(rule, number));
        sorts.normal.sources = all.split_off(rules);
        sorts.normal.rules.rules = all;
        Some(sorts)
    }

    /// The image of a role under a map of the names told apart.
    pub fn role(&self, map: &Scrambling, term: &Term) -> Term {
        self.image(map, term, SortPlace::Relation(Rel::ROLE, 0))
    }

    pub fn fact(&self, map: &Scrambling, term: &Term) -> Term {
        self.image(map, term, SortPlace::Relation(Rel::TRUE, 0))
    }

    pub fn action(&self, map: &Scrambling, term: &Term) -> Term {
        self.image(map, term, SortPlace::Relation(Rel::DOES, 1))
    }

    fn image(&self, map: &Scrambling, term: &Term, place: SortPlace) -> Term {
        let opaque = &self.normal.opaque;
        let there = map.term(&self.apart(&close(term, opaque), place));
        let back = self.meant(&there);
        open(&back, &opaque.iter().map(|(t, s)| (*s, t)).collect())
    }

    /// A name for every constant in each of its sorts. Roles and goal values keep theirs, which have a
    /// meaning.
    fn name_constants(&mut self) {
        let mut found: Vec<(Symbol, u32)> = Vec::new();
        let places = &self.places;
        for (number, rule) in self.normal.rules.rules.iter().enumerate() {
            for_each_term(rule, number, &mut |term, place| {
                if let Term::App(constant, args) = term
                    && args.is_empty()
                {
                    found.push((*constant, places.sort(place)));
                }
            });
        }
        found.sort_unstable();
        found.dedup();
        let own = [(Rel::ROLE, 0), (Rel::GOAL, 1)];
        let own = own.map(|(rel, i)| places.sort(SortPlace::Relation(rel, i)));
        let mut sorts_of: FxHashMap<Symbol, usize> = FxHashMap::default();
        found.iter().for_each(|(constant, _)| *sorts_of.entry(*constant).or_default() += 1);
        for (constant, sort) in found {
            if sorts_of[&constant] > 1 && !own.contains(&sort) {
                let name = format!("{}'{sort}", self.normal.rules.symbols.name(constant));
                let name = self.normal.rules.symbols.intern(&name);
                self.names.insert((constant, sort), name);
                self.meanings.insert(name, constant);
            }
        }
    }

    fn tell_apart(&self, rule: &mut Rule, number: usize) {
        let atom = |a: &mut Atom| {
            for (i, t) in a.args.iter_mut().enumerate() {
                *t = self.apart(t, SortPlace::Relation(a.rel, i));
            }
        };
        atom(&mut rule.head);
        for (at, literal) in rule.body.iter_mut().enumerate() {
            match literal {
                Literal::Pos(a) | Literal::Neg(a) => atom(a),
                Literal::Distinct(a, b) => {
                    let place = SortPlace::Distinct(number, at);
                    (*a, *b) = (self.apart(a, place), self.apart(b, place));
                }
            }
        }
    }

    fn apart(&self, term: &Term, place: SortPlace) -> Term {
        match term {
            Term::Var(_) => term.clone(),
            Term::App(c, args) if args.is_empty() => {
                let name = self.names.get(&(*c, self.places.sort(place)));
                Term::App(*name.unwrap_or(c), vec![])
            }
            Term::App(f, args) => {
                let inner = |i| SortPlace::Function(*f, args.len(), i);
                let args = args.iter().enumerate().map(|(i, t)| self.apart(t, inner(i)));
                Term::App(*f, args.collect())
            }
        }
    }

    fn meant(&self, term: &Term) -> Term {
        match term {
            Term::Var(_) => term.clone(),
            Term::App(f, args) => {
                let name = *self.meanings.get(f).filter(|_| args.is_empty()).unwrap_or(f);
                Term::App(name, args.iter().map(|t| self.meant(t)).collect())
            }
        }
    }
}

/// The sorts of all places.
struct SortPlaces {
    numbers: FxHashMap<SortPlace, u32>,
    /// By number: the number that stands for the sort.
    sorts: Vec<u32>,
}

impl SortPlaces {
    fn of(rules: &Rules) -> SortPlaces {
        let mut numbers: FxHashMap<SortPlace, u32> = FxHashMap::default();
        let mut joined: Vec<(u32, u32)> = Vec::new();
        let mut number = |place: SortPlace| {
            let next = numbers.len() as u32;
            *numbers.entry(place.of_kind()).or_insert(next)
        };
        for (rel, i) in [(Rel::ROLE, 0), (Rel::GOAL, 1), (Rel::TRUE, 0), (Rel::DOES, 1)] {
            number(SortPlace::Relation(rel, i));
        }
        for (at, rule) in rules.rules.iter().enumerate() {
            let mut first: FxHashMap<u32, u32> = FxHashMap::default();
            for_each_term(rule, at, &mut |term, place| {
                let here = number(place);
                if let Term::Var(v) = term {
                    joined.push((here, *first.entry(*v).or_insert(here)));
                }
            });
        }
        let mut classes = Orbits::new(numbers.len());
        for (a, b) in joined {
            classes.join(a, b);
        }
        let sorts = (0..numbers.len() as u32).map(|p| classes.find(p)).collect();
        SortPlaces { numbers, sorts }
    }

    /// A place that no rule has is a sort by itself.
    fn sort(&self, place: SortPlace) -> u32 {
        self.numbers.get(&place.of_kind()).map_or(u32::MAX, |n| self.sorts[*n as usize])
    }
}

impl SortPlace {
    /// Roles, facts and moves are the same in every keyword.
    fn of_kind(self) -> SortPlace {
        let SortPlace::Relation(rel, i) = self else { return self };
        match (rel, i) {
            (Rel::NEXT | Rel::INIT | Rel::BASE, 0) => SortPlace::Relation(Rel::TRUE, 0),
            (Rel::LEGAL | Rel::DOES | Rel::GOAL | Rel::INPUT, 0) => {
                SortPlace::Relation(Rel::ROLE, 0)
            }
            (Rel::LEGAL | Rel::INPUT, 1) => SortPlace::Relation(Rel::DOES, 1),
            _ => self,
        }
    }
}

/// Calls `f` on every term of a rule, and on those inside it, with its place.
fn for_each_term(rule: &Rule, number: usize, f: &mut impl FnMut(&Term, SortPlace)) {
    fn inside(t: &Term, place: SortPlace, f: &mut impl FnMut(&Term, SortPlace)) {
        f(t, place);
        if let Term::App(g, args) = t {
            for (i, t) in args.iter().enumerate() {
                inside(t, SortPlace::Function(*g, args.len(), i), f);
            }
        }
    }
    let atom = |a: &Atom, f: &mut _| {
        for (i, t) in a.args.iter().enumerate() {
            inside(t, SortPlace::Relation(a.rel, i), f);
        }
    };
    atom(&rule.head, f);
    for (at, literal) in rule.body.iter().enumerate() {
        match literal {
            Literal::Pos(a) | Literal::Neg(a) => atom(a, f),
            Literal::Distinct(a, b) => {
                inside(a, SortPlace::Distinct(number, at), f);
                inside(b, SortPlace::Distinct(number, at), f);
            }
        }
    }
}
