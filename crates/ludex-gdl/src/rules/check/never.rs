//! Rules that can never fire because something they need is never true.
//!
//! A relation can be true if one of its rules can fire; a rule can fire if all its positive literals
//! can be true. `true(f(…))` can be true if a rule for `init` or `next` about f can fire, `does` if
//! one for `legal` can. The least solution is found with one counter per rule.

use super::Check;
use crate::rules::{Atom, Literal, Rel, Rule, Symbol, Term};
use rustc_hash::FxHashMap;

pub fn fires(check: &mut Check) {
    let rules = &check.rules.rules;
    let mut possible = Possible::default();
    let needs: Vec<Vec<(usize, usize)>> = rules.iter().map(|r| possible.needs(r)).collect();
    possible.solve(rules, &needs);
    for (i, need) in needs.iter().enumerate() {
        let Some((j, _)) = need.iter().find(|(_, key)| !possible.can_be[*key]) else { continue };
        complain(check, i, *j);
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
