//! Rules that can never fire because something they need is never true.
//!
//! A relation can be true if one of its rules can fire; a rule can fire if all its positive literals
//! can be true. `true(f(…))` can be true if a rule for `init` or `next` about f can fire, `does` if
//! one for `legal` can. The least solution is found with one counter per rule.

use super::names::NameIndex;
use super::{Check, near};
use crate::rules::{Atom, Literal, Rel, Rule, Symbol, Term};
use crate::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

pub fn fires(check: &mut Check, words: &NameIndex) {
    let rules = &check.rules.rules;
    let mut possible = Possible::default();
    let needs: Vec<Vec<(usize, usize)>> = rules.iter().map(|r| possible.needs(r)).collect();
    possible.solve(rules, &needs);
    // Rule, literal, what it needs.
    let failing: Vec<(usize, usize, usize)> = needs
        .iter()
        .enumerate()
        .filter_map(|(i, need)| {
            let (j, key) = need.iter().find(|(_, key)| !possible.can_be[*key])?;
            Some((i, *j, *key))
        })
        .collect();
    let first = check.report.complaints.len();
    failing.iter().for_each(|(i, j, _)| complain(check, *i, *j));
    // What needs a relation whose rules cannot fire follows from why they cannot.
    let mut makers: FxHashMap<usize, usize> = FxHashMap::default();
    for (at, (i, ..)) in failing.iter().enumerate() {
        for key in possible.made_by(&rules[*i].head) {
            makers.entry(key).or_insert(at);
        }
    }
    let mut told = FxHashSet::default();
    for (at, (i, j, key)) in failing.iter().enumerate() {
        match makers.get(key) {
            Some(maker) => {
                check.threads.after(first + at, first + maker);
                if let Some(Term::App(f, _)) = rules[*i].body[*j].atom().and_then(|a| a.args.last())
                {
                    check.threads.about(first + at, check.rules.symbols.name(*f));
                }
            }
            None => needs_nothing_known(check, words, first + at, (*i, *j), told.insert(*key)),
        }
    }
}

fn complain(check: &mut Check, i: usize, j: usize) {
    let rule = &check.rules.rules[i];
    let Some(atom) = rule.body[j].atom() else { return };
    let text = check.rules.atom_text(atom, rule);
    let span = check.literal_span(i, j);
    let message = format!("this rule can never fire: {text} is never true");
    let hint = match atom.rel {
        Rel::TRUE => "no init or next makes such a fact",
        Rel::DOES => "no legal gives such a move",
        _ => "no rule for it can fire",
    };
    check.warning("never-fires", span, message).hint(hint);
}

/// A rule needs what no rule at all is about: the root of what follows from it. `first`: it was not yet said.
fn needs_nothing_known(
    check: &mut Check,
    words: &NameIndex,
    complaint: usize,
    (i, j): (usize, usize),
    first: bool,
) {
    let Some(atom) = check.rules.rules[i].body[j].atom() else { return };
    let symbols = &check.rules.symbols;
    let (name, arity) = match (atom.rel, atom.args.last()) {
        (Rel::TRUE | Rel::DOES, Some(Term::App(f, args))) => (symbols.name(*f), args.len()),
        (Rel::TRUE | Rel::DOES, _) => return,
        (rel, _) => return check.threads.about(complaint, check.name(rel)),
    };
    check.threads.about(complaint, name);
    if !first {
        return;
    }
    let made = made(check, atom.rel);
    let known = made.iter().map(|m| (m.0, m.1, words.count(check.ast, m.0)));
    let Some(meant) = near::meant(name, arity, known) else {
        if let Some((_, other, _)) = made.iter().find(|m| m.0.eq_ignore_ascii_case(name)) {
            let hint = format!("{name} has {other} arguments elsewhere, here {arity}");
            check.report.complaints[complaint].hint(hint);
        }
        return;
    };
    let span = check.literal_span(i, j);
    let asked = is_asked(check, atom.rel, meant);
    if !asked && words.count(check.ast, meant) < words.count(check.ast, name) {
        let head = made.iter().find(|m| m.0 == meant).map_or(span, |m| m.2);
        let message = format!("{meant} stands nowhere else: nothing asks for it");
        check.warning("odd-name", head, message);
        check.about(meant);
        return check.did_you_mean(check.last(), (meant, name), head);
    }
    check.did_you_mean(complaint, (name, meant), span);
}

/// What init and next make, or what legal gives: name, arity, place.
fn made<'a>(check: &Check<'a>, given: Rel) -> Vec<(&'a str, usize, Span)> {
    let makes = |rel: Rel| match given {
        Rel::TRUE => matches!(rel, Rel::INIT | Rel::NEXT),
        _ => rel == Rel::LEGAL,
    };
    let heads = check.rules().filter(|(_, rule)| makes(rule.head.rel));
    heads
        .filter_map(|(i, rule)| match rule.head.args.last()? {
            Term::App(f, args) => {
                Some((check.rules.symbols.name(*f), args.len(), check.head_span(i)))
            }
            Term::Var(_) => None,
        })
        .collect()
}

/// Whether any rule asks for a fact or move of this name.
fn is_asked(check: &Check, given: Rel, name: &str) -> bool {
    let about = |atom: &Atom| match atom.args.last() {
        Some(Term::App(f, _)) => check.rules.symbols.name(*f) == name,
        _ => true,
    };
    let mut atoms = check.rules.rules.iter().flat_map(|r| &r.body).filter_map(Literal::atom);
    atoms.any(|atom| atom.rel == given && about(atom))
}

/// What can be true: relations, and for `true` and `does` each function of fact or move.
type TruthKey = (Rel, Option<(Symbol, usize)>);

#[derive(Default)]
struct Possible {
    keys: FxHashMap<TruthKey, usize>,
    can_be: Vec<bool>,
    /// The rules that wait for each key.
    waiting: Vec<Vec<u32>>,
}

impl Possible {
    /// The positive literals of a rule with their keys.
    fn needs(&mut self, rule: &Rule) -> Vec<(usize, usize)> {
        let positive = rule.body.iter().enumerate().filter_map(|(j, l)| match l {
            Literal::Pos(a) => Some((j, a)),
            _ => None,
        });
        positive.map(|(j, a)| (j, self.number(key(a)))).collect()
    }

    fn number(&mut self, key: TruthKey) -> usize {
        let next = self.can_be.len();
        let at = *self.keys.entry(key).or_insert(next);
        if at == next {
            self.can_be.push(false);
            self.waiting.push(vec![]);
        }
        at
    }

    fn solve(&mut self, rules: &[Rule], needs: &[Vec<(usize, usize)>]) {
        let mut left: Vec<usize> = needs.iter().map(Vec::len).collect();
        for (i, need) in needs.iter().enumerate() {
            need.iter().for_each(|(_, key)| self.waiting[*key].push(i as u32));
        }
        let mut ready: Vec<u32> =
            (0..rules.len() as u32).filter(|i| left[*i as usize] == 0).collect();
        while let Some(i) = ready.pop() {
            for key in self.made_by(&rules[i as usize].head) {
                if std::mem::replace(&mut self.can_be[key], true) {
                    continue;
                }
                for rule in std::mem::take(&mut self.waiting[key]) {
                    left[rule as usize] -= 1;
                    if left[rule as usize] == 0 {
                        ready.push(rule);
                    }
                }
            }
        }
    }

    /// The keys that can be true once a rule with this head fires.
    fn made_by(&self, head: &Atom) -> Vec<usize> {
        let mut made = vec![(head.rel, None)];
        let given = match head.rel {
            Rel::INIT | Rel::NEXT => Some(Rel::TRUE),
            Rel::LEGAL => Some(Rel::DOES),
            _ => None,
        };
        if let Some(given) = given {
            made.push((given, None));
            match head.args.last() {
                Some(Term::App(f, args)) => made.push((given, Some((*f, args.len())))),
                // A variable can be any fact.
                _ => {
                    return self
                        .all(given)
                        .chain(self.keys.get(&(head.rel, None)).copied())
                        .collect();
                }
            }
        }
        made.iter().filter_map(|k| self.keys.get(k).copied()).collect()
    }

    fn all(&self, rel: Rel) -> impl Iterator<Item = usize> + '_ {
        self.keys.iter().filter(move |(k, _)| k.0 == rel).map(|(_, at)| *at)
    }
}

fn key(atom: &Atom) -> TruthKey {
    let function = match (atom.rel, atom.args.last()) {
        (Rel::TRUE | Rel::DOES, Some(Term::App(f, args))) => Some((*f, args.len())),
        _ => None,
    };
    (atom.rel, function)
}
