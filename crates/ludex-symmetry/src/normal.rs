//! `Rules` -> `Normal`: rules of the same meaning in which harmless differences of writing are gone.
//!
//! Removed: rules that never fire or that another rule subsumes, literals that always hold, relations
//! that no keyword needs, second names of a relation, and the inside of terms that no rule looks into
//! (`f(a)` for `a`). Every step keeps the meaning for all states and moves, not only reachable ones.

use super::subsume::{is_variable_renaming, subsumes};
use super::twins::{Twin, twins};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Rules in normal form.
#[derive(Clone, Debug)]
pub struct Normal {
    pub rules: Rules,
    /// Ground terms that stand as constants of their own, with the constant.
    pub opaque: FxHashMap<Term, Symbol>,
    /// The rules that put facts and moves there (`init`, `base`, `input`), whether kept or not.
    pub sources: Vec<Rule>,
    /// What was changed, in words, for people.
    pub notes: Vec<String>,
}

/// Which rules are kept whatever they are good for: those of `roots`, and what they need.
pub fn normalise(rules: &Rules, roots: &[Rel], budget: &Budget) -> Result<Normal, Stop> {
    let mut normal = Normal::as_written(rules.clone());
    normal.close_opaque_terms();
    normal.collect_sources();
    normal.keep_needed(roots);
    for _ in 0..20 {
        budget.check()?;
        let before = normal.size();
        normal.simplify_bodies();
        normal.drop_undefined();
        normal.drop_subsumed(budget)?;
        normal.merge_relations(budget);
        normal.keep_needed(roots);
        if normal.size() == before {
            break;
        }
    }
    Ok(normal)
}

impl Normal {
    /// The rules as they are.
    pub fn as_written(rules: Rules) -> Normal {
        let mut normal =
            Normal { rules, opaque: FxHashMap::default(), sources: vec![], notes: vec![] };
        normal.collect_sources();
        normal
    }

    fn collect_sources(&mut self) {
        let source = |r: &&Rule| matches!(r.head.rel, Rel::INIT | Rel::BASE | Rel::INPUT);
        self.sources = self.rules.rules.iter().filter(source).cloned().collect();
    }

    fn size(&self) -> (usize, usize) {
        (self.rules.rules.len(), self.rules.rules.iter().map(|r| r.body.len()).sum())
    }

    fn text(&self, rule: &Rule) -> String {
        self.rules.rule_text(rule)
    }

    /// Drops the rules that none of the roots needs.
    fn keep_needed(&mut self, roots: &[Rel]) {
        let needed = self.rules.needed_by(roots);
        for rule in self.rules.rules.iter().filter(|r| !needed[r.head.rel.index()]) {
            if !rule.head.rel.is_keyword() {
                self.notes.push(format!("not needed: {}", self.rules.rule_text(rule)));
            }
        }
        self.rules.rules.retain(|r| needed[r.head.rel.index()]);
    }

    /// Turns ground terms into constants where no rule looks into a term with their function.
    fn close_opaque_terms(&mut self) {
        let mut opened: FxHashSet<(Symbol, usize)> = FxHashSet::default();
        let mut ground: FxHashSet<Term> = FxHashSet::default();
        for rule in &self.rules.rules {
            for_each_term(rule, &mut |t, fluent| {
                let Term::App(f, args) = t else { return };
                if args.is_empty() {
                    return;
                }
                match !fluent && t.is_ground() {
                    true => drop(ground.insert(t.clone())),
                    false => drop(opened.insert((*f, args.len()))),
                }
            });
        }
        let mut closed: Vec<Term> =
            ground.into_iter().filter(|t| !looks_into(t, &opened)).collect();
        let Some(any) = self.rules.rules.first().cloned() else { return };
        closed.sort_by_key(|t| self.rules.term_text(t, &any));
        for term in closed {
            let text = self.rules.term_text(&term, &any);
            self.notes.push(format!("as a constant: {text}"));
            let symbol = self.rules.symbols.intern(&text);
            self.opaque.insert(term, symbol);
        }
        if self.opaque.is_empty() {
            return;
        }
        let opaque = &self.opaque;
        self.rules.rules.iter_mut().for_each(|r| map_terms(r, &|t| close(t, opaque)));
    }

    fn simplify_bodies(&mut self) {
        let facts: FxHashSet<Atom> = self.facts();
        let rules = std::mem::take(&mut self.rules.rules);
        for mut rule in rules {
            match simplify(&mut rule, &facts) {
                true => self.rules.rules.push(rule),
                false => self.notes.push(format!("never fires: {}", self.text(&rule))),
            }
        }
    }

    fn facts(&self) -> FxHashSet<Atom> {
        let fact = |r: &&Rule| r.body.is_empty() && r.head.args.iter().all(Term::is_ground);
        self.rules.rules.iter().filter(fact).map(|r| r.head.clone()).collect()
    }

    /// A relation without rules holds nowhere.
    fn drop_undefined(&mut self) {
        let defined: FxHashSet<Rel> = self.rules.rules.iter().map(|r| r.head.rel).collect();
        let given = |rel: Rel| matches!(rel, Rel::TRUE | Rel::DOES) || defined.contains(&rel);
        for rule in &mut self.rules.rules {
            rule.body.retain(|l| !matches!(l, Literal::Neg(a) if !given(a.rel)));
        }
        let fires = |r: &Rule| r.body.iter().all(|l| l.atom().is_none_or(|a| given(a.rel)));
        for rule in self.rules.rules.iter().filter(|r| !fires(r)) {
            self.notes.push(format!("never fires: {}", self.rules.rule_text(rule)));
        }
        self.rules.rules.retain(fires);
    }

    fn drop_subsumed(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut by_head: FxHashMap<Rel, Vec<usize>> = FxHashMap::default();
        for (i, rule) in self.rules.rules.iter().enumerate() {
            by_head.entry(rule.head.rel).or_default().push(i);
        }
        let mut dead = vec![false; self.rules.rules.len()];
        for group in by_head.values() {
            self.mark_subsumed(group, &mut dead, budget)?;
        }
        for (rule, _) in self.rules.rules.iter().zip(&dead).filter(|(_, dead)| **dead) {
            self.notes.push(format!("said by another rule: {}", self.rules.rule_text(rule)));
        }
        let mut dead = dead.into_iter();
        self.rules.rules.retain(|_| !dead.next().expect("one per rule"));
        Ok(())
    }

    /// Marks the rules of one relation that a rule not marked subsumes.
    fn mark_subsumed(
        &self,
        group: &[usize],
        dead: &mut [bool],
        budget: &Budget,
    ) -> Result<(), Stop> {
        let rule = |i: usize| &self.rules.rules[i];
        let is_fact =
            |i: usize| rule(i).body.is_empty() && rule(i).head.args.iter().all(Term::is_ground);
        let mut facts: FxHashSet<&Atom> = FxHashSet::default();
        for &i in group.iter().filter(|&&i| is_fact(i)) {
            dead[i] = !facts.insert(&rule(i).head);
        }
        for &i in group {
            dead[i] |= !is_fact(i) && facts.contains(&rule(i).head);
        }
        let general: Vec<usize> = group.iter().copied().filter(|&i| !is_fact(i)).collect();
        if general.len() * group.len() > 4_000_000 {
            return Ok(());
        }
        for &i in &general {
            budget.check()?;
            for &j in group {
                if i != j && !dead[i] && !dead[j] && subsumes(rule(i), rule(j)) {
                    dead[j] = true;
                }
            }
        }
        Ok(())
    }

    /// Replaces relations that only rename another one, or that have the same rules as another.
    fn merge_relations(&mut self, budget: &Budget) {
        while let Some((from, to, order)) = self.second_name() {
            self.replace(from, to, &order);
        }
        for (from, to, order) in twins(&self.rules, &|| budget.check().is_err()) {
            self.replace(from, to, &order);
        }
    }

    fn replace(&mut self, from: Rel, to: Rel, order: &[usize]) {
        let name = |rel: Rel| self.rules.symbols.name(self.rules.relation(rel).name).to_string();
        self.notes.push(format!("another name of {}: {}", name(to), name(from)));
        self.rules.rules.retain(|r| r.head.rel != from);
        for rule in &mut self.rules.rules {
            for literal in &mut rule.body {
                rename(literal, from, to, order);
            }
        }
    }

    /// A relation with a lone rule that says it is another one.
    fn second_name(&self) -> Option<Twin> {
        let mut by_head: BTreeMap<Rel, Vec<&Rule>> = BTreeMap::new();
        for rule in self.rules.rules.iter().filter(|r| !r.head.rel.is_keyword()) {
            by_head.entry(rule.head.rel).or_default().push(rule);
        }
        by_head.iter().find_map(|(&rel, rules)| {
            let (to, order) = renames(rules, rel)?;
            Some((rel, to, order))
        })
    }
}

/// Calls `f` on every term and the terms inside it; true for the term of a fluent or a move itself.
fn for_each_term(rule: &Rule, f: &mut impl FnMut(&Term, bool)) {
    fn inside(t: &Term, outer: bool, f: &mut impl FnMut(&Term, bool)) {
        f(t, outer);
        if let Term::App(_, args) = t {
            args.iter().for_each(|t| inside(t, false, f));
        }
    }
    let mut atom = |a: &Atom| a.args.iter().for_each(|t| inside(t, a.rel.is_keyword(), f));
    atom(&rule.head);
    for literal in &rule.body {
        match literal {
            Literal::Pos(a) | Literal::Neg(a) => atom(a),
            Literal::Distinct(..) => {}
        }
    }
    for literal in &rule.body {
        if let Literal::Distinct(a, b) = literal {
            inside(a, false, f);
            inside(b, false, f);
        }
    }
}

/// Whether a rule looks into a term with this function, or into one around which it stands.
fn looks_into(t: &Term, opened: &FxHashSet<(Symbol, usize)>) -> bool {
    matches!(t, Term::App(f, args) if opened.contains(&(*f, args.len())))
}

/// The term with its opaque parts as constants.
pub fn close(t: &Term, opaque: &FxHashMap<Term, Symbol>) -> Term {
    match (opaque.get(t), t) {
        (Some(symbol), _) => Term::App(*symbol, vec![]),
        (None, Term::App(f, args)) => {
            Term::App(*f, args.iter().map(|t| close(t, opaque)).collect())
        }
        (None, Term::Var(_)) => t.clone(),
    }
}

fn map_terms(rule: &mut Rule, f: &dyn Fn(&Term) -> Term) {
    let atom = |a: &mut Atom| a.args.iter_mut().for_each(|t| *t = f(t));
    atom(&mut rule.head);
    for literal in &mut rule.body {
        match literal {
            Literal::Pos(a) | Literal::Neg(a) => atom(a),
            Literal::Distinct(a, b) => (*a, *b) = (f(a), f(b)),
        }
    }
}

/// Drops literals that repeat or always hold; false if the rule can be dropped.
fn simplify(rule: &mut Rule, facts: &FxHashSet<Atom>) -> bool {
    rule.body.retain(|l| !holds(l, facts));
    rule.body.iter_mut().for_each(|l| {
        if let Literal::Distinct(a, b) = l
            && b < a
        {
            std::mem::swap(a, b);
        }
    });
    let mut seen = FxHashSet::default();
    rule.body.retain(|l| seen.insert(l.clone()));
    let contradicts = |l: &Literal| match l {
        Literal::Distinct(a, b) => a == b,
        Literal::Neg(a) => facts.contains(a) || seen.contains(&Literal::Pos(a.clone())),
        Literal::Pos(a) => *a == rule.head,
    };
    !rule.body.iter().any(contradicts)
}

fn holds(l: &Literal, facts: &FxHashSet<Atom>) -> bool {
    match l {
        Literal::Pos(a) => facts.contains(a),
        Literal::Neg(_) => false,
        Literal::Distinct(a, b) => never_equal(a, b),
    }
}

/// Whether two terms differ in a function that both have at the same place.
fn never_equal(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::App(f, xs), Term::App(g, ys)) => {
            f != g || xs.len() != ys.len() || xs.iter().zip(ys).any(|(x, y)| never_equal(x, y))
        }
        _ => false,
    }
}

/// The relation that a lone rule `p(X, Y) :- q(Y, X)` gives a second name to.
fn renames(rules: &[&Rule], rel: Rel) -> Option<(Rel, Vec<usize>)> {
    let [rule] = rules else { return None };
    let [Literal::Pos(atom)] = rule.body.as_slice() else { return None };
    let fits = !matches!(atom.rel, Rel::TRUE | Rel::DOES)
        && atom.rel != rel
        && is_variable_renaming(&rule.head.args, &atom.args);
    let place = |t: &Term| rule.head.args.iter().position(|h| h == t);
    fits.then(|| (atom.rel, atom.args.iter().filter_map(place).collect()))
}

fn rename(literal: &mut Literal, from: Rel, to: Rel, order: &[usize]) {
    if let Literal::Pos(a) | Literal::Neg(a) = literal
        && a.rel == from
    {
        *a = Atom { rel: to, args: order.iter().map(|&i| a.args[i].clone()).collect() };
    }
}
