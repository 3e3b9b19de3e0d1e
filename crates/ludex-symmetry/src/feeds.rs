//! The constants that can reach an argument of a keyword: goal values and the names of roles.
//!
//! An argument that holds a variable is fed by the places of that variable in the body, and those by
//! the heads of their rules; facts of the state come from `init` and `next`, moves from `legal`.

use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Symbol, Term};
use rustc_hash::FxHashSet;

/// An argument of a relation, or of the function of a fluent or a move; deeper places count as the
/// argument around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ArgumentPlace {
    Relation(Rel, usize),
    Fluent(Symbol, usize),
    Move(Symbol, usize),
    /// A fluent or move as a whole.
    AnyFluent,
    AnyMove,
}

/// The constants that may stand as argument `arg` of the relation, sorted.
pub fn constants(rules: &Rules, rel: Rel, arg: usize) -> Vec<Symbol> {
    let mut feeds = Feeds { rules, seen: FxHashSet::default(), found: FxHashSet::default() };
    feeds.follow(ArgumentPlace::Relation(rel, arg));
    let mut found: Vec<Symbol> = feeds.found.into_iter().collect();
    found.sort_unstable();
    found
}

struct Feeds<'a> {
    rules: &'a Rules,
    seen: FxHashSet<ArgumentPlace>,
    found: FxHashSet<Symbol>,
}

impl Feeds<'_> {
    fn follow(&mut self, first: ArgumentPlace) {
        let mut open = vec![first];
        let rules = self.rules;
        while let Some(place) = open.pop() {
            if !self.seen.insert(place) {
                continue;
            }
            for rule in &rules.rules {
                for term in terms_at(&rule.head, place) {
                    self.constants_of(term);
                    term.for_each_var(&mut |v| places_of(rule, v, &mut open));
                }
            }
        }
    }

    fn constants_of(&mut self, term: &Term) {
        if let Term::App(f, args) = term {
            if args.is_empty() {
                self.found.insert(*f);
            }
            args.iter().for_each(|t| self.constants_of(t));
        }
    }
}

/// The terms that a head puts at a place.
fn terms_at(head: &Atom, place: ArgumentPlace) -> Vec<&Term> {
    let inside = |t: &'_ Term, f: Symbol| matches!(t, Term::App(g, _) if *g == f);
    let source = match (place, head.rel) {
        (ArgumentPlace::Relation(rel, arg), own) if rel == own => {
            return head.args.get(arg).into_iter().collect();
        }
        (
            ArgumentPlace::Fluent(..) | ArgumentPlace::AnyFluent,
            Rel::INIT | Rel::NEXT | Rel::BASE,
        ) => head.args.first(),
        (ArgumentPlace::Move(..) | ArgumentPlace::AnyMove, Rel::LEGAL | Rel::INPUT) => {
            head.args.get(1)
        }
        _ => None,
    };
    let Some(term) = source else { return vec![] };
    match (place, term) {
        (ArgumentPlace::Fluent(f, arg) | ArgumentPlace::Move(f, arg), Term::App(_, args))
            if inside(term, f) =>
        {
            args.get(arg).into_iter().collect()
        }
        (ArgumentPlace::AnyFluent | ArgumentPlace::AnyMove, _) | (_, Term::Var(_)) => vec![term],
        _ => vec![],
    }
}

/// The places in a body that bind a variable.
fn places_of(rule: &Rule, v: u32, open: &mut Vec<ArgumentPlace>) {
    let holds = |t: &Term| {
        let mut found = false;
        t.for_each_var(&mut |w| found |= w == v);
        found
    };
    for literal in &rule.body {
        let Literal::Pos(atom) = literal else { continue };
        for (i, term) in atom.args.iter().enumerate().filter(|(_, t)| holds(t)) {
            let nested = |place: fn(Symbol, usize) -> ArgumentPlace, any: ArgumentPlace| match term
            {
                Term::Var(_) => vec![any],
                Term::App(f, args) => {
                    let with = args.iter().enumerate().filter(|(_, t)| holds(t));
                    with.map(|(j, _)| place(*f, j)).collect()
                }
            };
            match (atom.rel, i) {
                (Rel::TRUE, _) => {
                    open.extend(nested(ArgumentPlace::Fluent, ArgumentPlace::AnyFluent))
                }
                (Rel::DOES, 0) => open.push(ArgumentPlace::Relation(Rel::ROLE, 0)),
                (Rel::DOES, _) => open.extend(nested(ArgumentPlace::Move, ArgumentPlace::AnyMove)),
                (rel, i) => open.push(ArgumentPlace::Relation(rel, i)),
            }
        }
    }
}
