//! `Rules` -> `Hints`: which way an argument runs over the board, from the names that the author chose.

use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Term};
use std::collections::BTreeMap;

/// Votes for the ways in which the values of an argument may run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Votes {
    pub across: u32,
    pub up: u32,
    pub down: u32,
    /// It runs up or down, no word says which.
    pub upright: u32,
}

impl Votes {
    pub fn vertical(&self) -> u32 {
        self.up + self.down + self.upright
    }
}

/// The votes of one name.
fn sense(word: &str) -> Votes {
    // `x1` and `xG` are still x.
    let word = word.trim_matches(|c: char| !c.is_ascii_alphabetic());
    let end = word.char_indices().skip(1).find(|(_, c)| !c.is_ascii_lowercase());
    let short = end.filter(|(i, _)| *i == 1).map_or(word, |(i, _)| &word[..i]);
    let word = short.to_lowercase();
    let has = |part: &str| word.contains(part);
    let vote = Votes::default();
    match word.as_str() {
        "x" | "c" | "right" | "left" | "east" | "west" => Votes { across: 1, ..vote },
        "y" => Votes { upright: 1, ..vote },
        "r" => Votes { down: 1, ..vote },
        "up" | "above" | "north" => Votes { up: 1, ..vote },
        _ if has("arrow") => vote,
        _ if has("col") || has("file") => Votes { across: 1, ..vote },
        _ if has("row") => Votes { down: 1, ..vote },
        _ if has("rank") || has("level") || has("height") || has("above") => {
            Votes { up: 1, ..vote }
        }
        _ => vote,
    }
}

/// What the names in the rules say of the arguments of one relation or function.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    pub votes: Vec<Votes>,
    /// Arguments that rules about rows or columns name together, with the votes.
    pub together: BTreeMap<Vec<usize>, Votes>,
}

/// A word in the rules says more than the name of a variable.
const WORD: u32 = 3;

impl Hints {
    pub fn new(rules: &Rules, name: &str, arity: usize) -> Hints {
        let mut hints = Hints { votes: vec![Votes::default(); arity], together: BTreeMap::new() };
        let Some(symbol) = rules.symbols.find(name) else { return hints };
        for rule in &rules.rules {
            let body = rule.body.iter().filter_map(Literal::atom);
            for atom in std::iter::once(&rule.head).chain(body) {
                let own = rules.relation(atom.rel).name == symbol && !atom.rel.is_keyword();
                let args = match atom.args.as_slice() {
                    args if own && args.len() == arity => args,
                    [Term::App(f, args)] if *f == symbol && args.len() == arity => args,
                    _ => continue,
                };
                hints.count(rules, rule, args);
            }
        }
        hints
    }

    fn count(&mut self, rules: &Rules, rule: &Rule, args: &[Term]) {
        for (i, arg) in args.iter().enumerate() {
            let Term::Var(v) = arg else { continue };
            add(&mut self.votes[i], sense(&rule.vars[*v as usize]), 1);
            for literal in &rule.body {
                let Literal::Pos(atom) = literal else { continue };
                if atom.args.len() <= 2 && mentions(atom, *v) && !atom.rel.is_keyword() {
                    add(&mut self.votes[i], sense(name(rules, atom.rel)), WORD);
                }
            }
        }
        let vote = sense(name(rules, rule.head.rel));
        let in_head = |t: &Term| matches!(t, Term::Var(v) if mentions(&rule.head, *v));
        let named: Vec<usize> = (0..args.len()).filter(|i| in_head(&args[*i])).collect();
        if vote != Votes::default() {
            add(self.together.entry(named).or_default(), vote, 1);
        }
    }
}

fn add(votes: &mut Votes, more: Votes, times: u32) {
    votes.across += more.across * times;
    votes.up += more.up * times;
    votes.down += more.down * times;
    votes.upright += more.upright * times;
}

fn name(rules: &Rules, rel: Rel) -> &str {
    rules.symbols.name(rules.relation(rel).name)
}

fn mentions(atom: &Atom, variable: u32) -> bool {
    atom.args.contains(&Term::Var(variable))
}
