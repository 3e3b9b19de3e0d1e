//! `Game` -> `Ground`: all instances of its rules, by nested loops over what could ever be true.

use crate::rules::{Atom, Game, Literal, Name, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Terms without variables, by number.
#[derive(Default)]
pub struct Terms {
    list: Vec<(Name, Vec<u32>)>,
    numbers: FxHashMap<(Name, Vec<u32>), u32>,
    depths: Vec<usize>,
}

impl Terms {
    fn number(&mut self, name: Name, args: Vec<u32>) -> u32 {
        let key = (name, args);
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        let number = self.list.len() as u32;
        let deepest = key.1.iter().map(|a| self.depths[*a as usize] + 1).max();
        self.depths.push(deepest.unwrap_or(0));
        self.list.push(key.clone());
        self.numbers.insert(key, number);
        number
    }

    pub fn text(&self, term: u32) -> String {
        let (name, args) = &self.list[term as usize];
        if args.is_empty() {
            return name.to_string();
        }
        let args: Vec<String> = args.iter().map(|a| self.text(*a)).collect();
        format!("({name} {})", args.join(" "))
    }

    /// The name of a term without arguments.
    pub fn constant(&self, term: u32) -> Option<Name> {
        let (name, args) = &self.list[term as usize];
        args.is_empty().then_some(*name)
    }
}

/// A ground rule: atoms by number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    pub head: u32,
    pub positive: Vec<u32>,
    pub negative: Vec<u32>,
}

/// A relation and its number of arguments.
pub type Relation = (Name, usize);

#[derive(Default)]
pub struct Ground {
    pub terms: Terms,
    pub relations: Vec<Relation>,
    /// Relation and arguments.
    pub atoms: Vec<(usize, Vec<u32>)>,
    pub numbers: FxHashMap<(usize, Vec<u32>), u32>,
    pub instances: Vec<Instance>,
    /// Some terms were too deep to be followed.
    pub cut: bool,
    /// By relation the arguments of the atoms that could be true.
    possible: Vec<Vec<Vec<u32>>>,
    is_possible: FxHashSet<u32>,
}

enum Pattern {
    Var(usize),
    App(Name, Vec<Pattern>),
}

/// A rule without disjunctions, its variables numbered.
struct Clause {
    head: (usize, Vec<Pattern>),
    positive: Vec<(usize, Vec<Pattern>)>,
    negative: Vec<(usize, Vec<Pattern>)>,
    distinct: Vec<(Pattern, Pattern)>,
    variables: usize,
}

/// Terms of the game that are deeper than this are left out.
const DEEPEST: usize = 40;

impl Ground {
    /// None where a variable has no value.
    pub fn new(game: &Game) -> Option<Ground> {
        let mut ground = Ground::default();
        let mut clauses = Vec::new();
        for rule in &game.rules {
            for body in rule.cases() {
                clauses.push(ground.clause(&rule.head, &body)?);
            }
        }
        // What is true comes from init and next, what is done is legal.
        let feeds = [("init", 1, "true"), ("next", 1, "true"), ("legal", 2, "does")];
        let feeds = feeds.map(|(from, arity, to)| {
            (ground.relation((from, arity)), ground.relation((to, arity)))
        });
        loop {
            let (before, mut found) = (ground.is_possible.len(), FxHashSet::default());
            for clause in &clauses {
                ground.instantiate(clause, &mut found);
            }
            for (from, to) in feeds {
                for args in ground.possible[from].clone() {
                    ground.note(to, args);
                }
            }
            if ground.is_possible.len() == before {
                ground.instances = found.into_iter().collect();
                ground.instances.sort_by(|a, b| {
                    (a.head, &a.positive, &a.negative).cmp(&(b.head, &b.positive, &b.negative))
                });
                return Some(ground);
            }
        }
    }

    pub fn relation(&mut self, relation: Relation) -> usize {
        let known = self.relations.iter().position(|r| *r == relation);
        known.unwrap_or_else(|| {
            self.relations.push(relation);
            self.possible.push(vec![]);
            self.relations.len() - 1
        })
    }

    pub fn atom(&mut self, relation: usize, args: Vec<u32>) -> u32 {
        let new = self.atoms.len() as u32;
        let number = *self.numbers.entry((relation, args.clone())).or_insert(new);
        if number == new {
            self.atoms.push((relation, args));
        }
        number
    }

    /// The arguments of all atoms of a relation that could ever be true.
    pub fn possible(&self, relation: usize) -> &[Vec<u32>] {
        &self.possible[relation]
    }

    fn note(&mut self, relation: usize, args: Vec<u32>) -> u32 {
        let atom = self.atom(relation, args.clone());
        if self.is_possible.insert(atom) {
            self.possible[relation].push(args);
        }
        atom
    }

    /// None where a variable has no value.
    fn clause(&mut self, head: &Atom, body: &[Literal]) -> Option<Clause> {
        let mut names: Vec<Name> = Vec::new();
        let (mut positive, mut negative, mut distinct) = (vec![], vec![], vec![]);
        for literal in body {
            if let Literal::Is(atom) = literal {
                positive.push(self.patterns(atom, &mut names));
            }
        }
        let variables = names.len();
        for literal in body {
            match literal {
                Literal::Not(atom) => negative.push(self.patterns(atom, &mut names)),
                Literal::Distinct(a, b) => {
                    distinct.push((pattern(a, &mut names), pattern(b, &mut names)))
                }
                Literal::Is(_) | Literal::Or(_) => {}
            }
        }
        let head = self.patterns(head, &mut names);
        let clause = Clause { head, positive, negative, distinct, variables };
        (names.len() == variables).then_some(clause)
    }

    fn patterns(&mut self, atom: &Atom, names: &mut Vec<Name>) -> (usize, Vec<Pattern>) {
        let args = atom.args.iter().map(|t| pattern(t, names)).collect();
        (self.relation((atom.name, atom.args.len())), args)
    }

    fn instantiate(&mut self, clause: &Clause, found: &mut FxHashSet<Instance>) {
        let mut bindings = Vec::new();
        self.join(clause, 0, &mut vec![None; clause.variables], &mut bindings);
        for binding in bindings {
            let args = |ground: &mut Ground, patterns: &[Pattern]| -> Vec<u32> {
                patterns.iter().map(|p| ground.build(p, &binding)).collect()
            };
            let head = args(self, &clause.head.1);
            if head.iter().any(|t| self.terms.depths[*t as usize] > DEEPEST) {
                self.cut = true;
                continue;
            }
            let apart =
                |(a, b): &(Pattern, Pattern)| self.build(a, &binding) != self.build(b, &binding);
            if !clause.distinct.iter().all(apart) {
                continue;
            }
            let mut atoms = |list: &[(usize, Vec<Pattern>)]| -> Vec<u32> {
                let number = |(relation, patterns): &(usize, Vec<Pattern>)| {
                    let args = args(self, patterns);
                    self.atom(*relation, args)
                };
                list.iter().map(number).collect()
            };
            let (positive, negative) = (atoms(&clause.positive), atoms(&clause.negative));
            let head = self.note(clause.head.0, head);
            found.insert(Instance { head, positive, negative });
        }
    }

    /// All ways to make the positive conditions from the one with this number on possible.
    fn join(
        &self,
        clause: &Clause,
        at: usize,
        binding: &mut Vec<Option<u32>>,
        found: &mut Vec<Vec<Option<u32>>>,
    ) {
        let Some((relation, patterns)) = clause.positive.get(at) else {
            return found.push(binding.clone());
        };
        for args in &self.possible[*relation] {
            let before = binding.clone();
            if patterns.iter().zip(args).all(|(p, t)| self.matches(p, *t, binding)) {
                self.join(clause, at + 1, binding, found);
            }
            *binding = before;
        }
    }

    fn matches(&self, pattern: &Pattern, term: u32, binding: &mut [Option<u32>]) -> bool {
        match pattern {
            Pattern::Var(v) => *binding[*v].get_or_insert(term) == term,
            Pattern::App(name, patterns) => {
                let (own, args) = &self.terms.list[term as usize];
                own == name
                    && args.len() == patterns.len()
                    && patterns.iter().zip(args).all(|(p, t)| self.matches(p, *t, binding))
            }
        }
    }

    fn build(&mut self, pattern: &Pattern, binding: &[Option<u32>]) -> u32 {
        match pattern {
            Pattern::Var(v) => binding[*v].expect("a safe rule"),
            Pattern::App(name, patterns) => {
                let args = patterns.iter().map(|p| self.build(p, binding)).collect();
                self.terms.number(name, args)
            }
        }
    }
}

fn pattern(term: &Term, names: &mut Vec<Name>) -> Pattern {
    match term {
        Term::Var(v) => {
            let known = names.iter().position(|n| n == v);
            Pattern::Var(known.unwrap_or_else(|| {
                names.push(v);
                names.len() - 1
            }))
        }
        Term::App(name, args) => {
            Pattern::App(name, args.iter().map(|t| pattern(t, names)).collect())
        }
    }
}
