//! `FrameDraft`: the rules under construction, with auxiliary relations for conditions under quantifiers.

use super::transition::names;
use ludex_gdl::rules::{Atom, Literal, Rel, Relation, Rule, Rules, Term, fresh_name};
use ludex_gdl::rules::{renumber, renumber_literal};
use ludex_gdl::source::Span;
use rustc_hash::FxHashMap;

pub struct FrameDraft {
    pub rules: Rules,
    /// Rules of the game itself come first.
    first: usize,
    /// The auxiliary relations by what defines them.
    known: FxHashMap<(Vec<Term>, Vec<Literal>), Rel>,
}

/// Which variables stand for what: see `Transition`.
#[derive(Clone, Copy)]
pub struct VariableNames<'a> {
    pub moves: u32,
    pub locals: u32,
    /// Names of the variables from `locals` on.
    pub own: &'a [String],
}

impl FrameDraft {
    pub fn new(rules: Rules) -> FrameDraft {
        let first = rules.rules.len();
        FrameDraft { rules, first, known: FxHashMap::default() }
    }

    /// An auxiliary relation over these terms, true where the body is.
    pub fn auxiliary(&mut self, args: Vec<Term>, body: Vec<Literal>, vars: VariableNames) -> Rel {
        let rel = Rel(self.rules.relations.len() as u32);
        let rule = finish(Atom { rel, args }, body, vars);
        let key = (rule.head.args.clone(), rule.body.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        // Many are not used in the end: names are given then.
        let name = self.rules.relation(Rel::TRUE).name;
        self.rules.relations.push(Relation { name, arity: key.0.len(), auxiliary: true });
        self.rules.rules.push(rule);
        self.known.insert(key, rel);
        rel
    }

    /// The rules of the game that are kept, the new ones, and the auxiliary ones that these use.
    pub fn into_rules(mut self, keep: impl Fn(usize) -> bool, fnext: Vec<Rule>) -> Rules {
        let made = self.rules.rules.split_off(self.first);
        let mut at = 0..;
        self.rules.rules.retain(|_| keep(at.next().expect("numbers do not end")));
        let game = self.rules.rules.len();
        self.rules.rules.extend(fnext);
        let mut next = game;
        while next < self.rules.rules.len() {
            let body: Vec<Rel> = self.rules.rules[next]
                .body
                .iter()
                .filter_map(Literal::atom)
                .map(|a| a.rel)
                .collect();
            for rel in body {
                let new = made.iter().find(|r| r.head.rel == rel);
                if let Some(rule) = new
                    .filter(|r| !self.rules.rules[game..].iter().any(|o| o.head.rel == r.head.rel))
                {
                    let name = fresh_name(&self.rules.symbols, "kept");
                    self.rules.relations[rel.index()].name = self.rules.symbols.intern(&name);
                    self.rules.rules.push(rule.clone());
                }
            }
            next += 1;
        }
        self.drop_unused();
        self.rules.stratify().expect("new rules are only asked by each other");
        self.rules
    }

    /// Relations without rules that nobody asks go; the others move up.
    fn drop_unused(&mut self) {
        let made: Vec<u32> = self.known.values().map(|r| r.0).collect();
        let used =
            |r: u32| !made.contains(&r) || self.rules.rules.iter().any(|rule| rule.head.rel.0 == r);
        let kept: Vec<bool> = (0..self.rules.relations.len() as u32).map(used).collect();
        let mut new = 0;
        let numbers: Vec<u32> = kept
            .iter()
            .map(|k| {
                let n = new;
                new += *k as u32;
                n
            })
            .collect();
        let mut at = kept.iter();
        self.rules.relations.retain(|_| *at.next().expect("one each"));
        let renumber = |a: &mut Atom| a.rel = Rel(numbers[a.rel.index()]);
        for rule in &mut self.rules.rules {
            renumber(&mut rule.head);
            rule.body.iter_mut().for_each(|l| match l {
                Literal::Pos(a) | Literal::Neg(a) => renumber(a),
                Literal::Distinct(..) => {}
            });
        }
    }
}

/// A rule with its variables numbered and named in the order of appearance.
pub fn finish(mut head: Atom, mut body: Vec<Literal>, vars: VariableNames) -> Rule {
    let fluent = names(vars.moves, vars.moves);
    let mut numbers: Vec<u32> = Vec::new();
    let mut used: Vec<String> = Vec::new();
    let mut letters = names(0, 200).into_iter().filter(|n| !fluent.contains(n));
    let mut number = |v: &mut u32| {
        let at = numbers.iter().position(|w| w == v).unwrap_or_else(|| {
            numbers.push(*v);
            let name = match *v {
                v if v < vars.moves => fluent[v as usize].clone(),
                v if v < vars.locals => letters.next().expect("enough letters"),
                v => vars.own[(v - vars.locals) as usize].clone(),
            };
            used.push(unique(name, &used));
            used.len() - 1
        });
        *v = at as u32;
    };
    head.args.iter_mut().for_each(|t| renumber(t, &mut number));
    body.iter_mut().for_each(|l| renumber_literal(l, &mut number));
    Rule { head, body, vars: used, span: Span::default() }
}

fn unique(name: String, used: &[String]) -> String {
    let free = |n: &String| used.iter().all(|u| !u.eq_ignore_ascii_case(n));
    let mut others = (1..).map(|i| format!("{name}_{i}"));
    if free(&name) { name } else { others.find(free).expect("numbers do not end") }
}
