//! `Lists`: relations that are mere lists of facts, and rules in which what they say is put in place.

use super::unfold::put;
use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// A rule has no more instances than this for what only its lists mention.
const MOST_INSTANCES: usize = 64;
/// Copies of lists of facts have no more facts than this together.
const MOST_COPIES: usize = 20_000;

/// Relations that are mere lists of facts, with these.
pub struct Lists(FxHashMap<Rel, Vec<Rule>>);

impl Lists {
    pub fn of(rules: &Rules) -> Lists {
        let mut facts: FxHashMap<Rel, Vec<Rule>> = FxHashMap::default();
        let mut derived: FxHashSet<Rel> = FxHashSet::default();
        for rule in rules.rules.iter().filter(|r| !r.head.rel.is_keyword()) {
            match rule.body.is_empty() && rule.head.args.iter().all(Term::is_ground) {
                true => facts.entry(rule.head.rel).or_default().push(rule.clone()),
                false => drop(derived.insert(rule.head.rel)),
            }
        }
        facts.retain(|rel, _| !derived.contains(rel));
        let lists = Lists(facts);
        let asked = |rule: &Rule| -> usize { rule.body.iter().map(|l| lists.size(l)).sum() };
        match rules.rules.iter().map(asked).sum::<usize>() > MOST_COPIES {
            true => Lists(FxHashMap::default()),
            false => lists,
        }
    }

    pub fn has(&self, rel: Rel) -> bool {
        self.0.contains_key(&rel)
    }

    fn size(&self, literal: &Literal) -> usize {
        literal.atom().and_then(|a| self.0.get(&a.rel)).map_or(0, Vec::len)
    }

    /// A rule once for every value of the variables that only its lists mention: so much is said of
    /// each of these values by itself.
    pub fn instances(&self, rule: Rule) -> Vec<Rule> {
        let mut done = Vec::new();
        let mut open = vec![rule.clone()];
        while let Some(next) = open.pop() {
            match self.local(&next) {
                Some((variable, values)) => {
                    let given = |value: &Term| self.given(&next, variable, value);
                    open.extend(values.iter().filter_map(given));
                }
                None => done.push(next),
            }
            if open.len() + done.len() > MOST_INSTANCES {
                return vec![rule];
            }
        }
        done
    }

    /// A variable that only lists mention, with its values in one of them.
    fn local(&self, rule: &Rule) -> Option<(u32, Vec<Term>)> {
        let is_list = |l: &Literal| l.atom().is_some_and(|a| self.0.contains_key(&a.rel));
        let mut elsewhere: FxHashSet<u32> = FxHashSet::default();
        rule.head.for_each_var(&mut |v| elsewhere.extend([v]));
        let others = rule.body.iter().filter(|l| !is_list(l));
        others.for_each(|l| l.for_each_var(&mut |v| elsewhere.extend([v])));
        let asked = rule.body.iter().filter_map(|l| match l {
            Literal::Pos(a) => Some((a, self.0.get(&a.rel)?)),
            _ => None,
        });
        for (atom, list) in asked {
            for (i, term) in atom.args.iter().enumerate() {
                let Term::Var(v) = term else { continue };
                if !elsewhere.contains(v) {
                    let fitting = list.iter().filter(|fact| fits(&atom.args, &fact.head.args));
                    let mut values: Vec<Term> = fitting.map(|f| f.head.args[i].clone()).collect();
                    values.sort_unstable();
                    values.dedup();
                    return Some((*v, values));
                }
            }
        }
        None
    }

    /// The rule where a variable has a value; none where it cannot fire.
    fn given(&self, rule: &Rule, variable: u32, value: &Term) -> Option<Rule> {
        let mut rule = rule.clone();
        for literal in &mut rule.body {
            let (Literal::Pos(a) | Literal::Neg(a)) = literal else { continue };
            a.args.iter_mut().for_each(|t| *t = put(t, variable, value));
        }
        let known = |l: &Literal| {
            let atom = l.atom().filter(|a| a.args.iter().all(Term::is_ground))?;
            let list = self.0.get(&atom.rel)?;
            let holds = list.iter().any(|fact| fact.head.args == atom.args);
            Some(holds == matches!(l, Literal::Pos(_)))
        };
        if rule.body.iter().any(|l| known(l) == Some(false)) {
            return None;
        }
        rule.body.retain(|l| known(l).is_none());
        Some(rule)
    }

    /// Rules in which every place that asks a list has a list of its own.
    pub fn copied(&self, mut all: Vec<Rule>, names: &mut Rules) -> Vec<Rule> {
        all.retain(|rule| !self.0.contains_key(&rule.head.rel));
        let mut copies = Vec::new();
        for literal in all.iter_mut().flat_map(|rule| &mut rule.body) {
            let (Literal::Pos(atom) | Literal::Neg(atom)) = literal else { continue };
            let Some(list) = self.0.get(&atom.rel) else { continue };
            let name = names.symbols.name(names.relation(atom.rel).name).to_string();
            atom.rel = names.new_relation(&name, atom.args.len());
            let (rel, args) = (atom.rel, &atom.args);
            let copy = |fact: &Rule| {
                let head = Atom { rel, args: fact.head.args.clone() };
                Rule { head, ..fact.clone() }
            };
            copies.extend(list.iter().filter(|fact| fits(args, &fact.head.args)).map(copy));
        }
        all.extend(copies);
        all
    }
}

/// Whether a fact may be what an atom with variables asks for.
fn fits(asked: &[Term], fact: &[Term]) -> bool {
    asked.iter().zip(fact).all(|(a, f)| !a.is_ground() || a == f)
}
