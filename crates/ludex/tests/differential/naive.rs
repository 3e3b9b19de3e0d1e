//! `Naive`: what rules mean, stratum by stratum until nothing is new, on ground rules.

use crate::ground::{Ground, Instance};
use crate::kinds::of_moves;
use crate::rules::{Game, Name};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The facts of a state: terms by number, ascending.
pub type Facts = Vec<u32>;

pub struct Naive {
    pub ground: Ground,
    /// Instances that need neither state nor moves, then those without moves, then the rest; each by stratum.
    levels: [Vec<Vec<Instance>>; 3],
    /// What holds in every state.
    fixed: Vec<bool>,
    pub roles: Vec<u32>,
    /// Relations whose rules ask for moves, if only for such as are never legal.
    of_moves: BTreeSet<Name>,
    /// Facts that could be true, by text.
    texts: FxHashMap<String, u32>,
    relations: Words,
}

/// The numbers of the relations that make a game.
struct Words {
    truth: usize,
    does: usize,
    init: usize,
    next: usize,
    legal: usize,
    goal: usize,
    terminal: usize,
}

impl Naive {
    /// None where negation goes round in a circle, or a variable has no value.
    pub fn new(game: &Game) -> Option<Naive> {
        let mut ground = Ground::new(game)?;
        let relations = Words {
            truth: ground.relation(("true", 1)),
            does: ground.relation(("does", 2)),
            init: ground.relation(("init", 1)),
            next: ground.relation(("next", 1)),
            legal: ground.relation(("legal", 2)),
            goal: ground.relation(("goal", 2)),
            terminal: ground.relation(("terminal", 0)),
        };
        let role = ground.relation(("role", 1));
        let strata = strata(&ground)?;
        let levels = levels(&ground, &relations);
        let highest = strata.iter().max().map_or(0, |s| s + 1);
        let mut by_level = [(); 3].map(|_| vec![vec![]; highest]);
        for instance in &ground.instances {
            let relation = ground.atoms[instance.head as usize].0;
            by_level[levels[relation]][strata[relation]].push(instance.clone());
        }
        let roles = ground.atoms.iter().filter(|a| a.0 == role).map(|a| a.1[0]).collect();
        let fixed = vec![false; ground.atoms.len()];
        let facts = ground.possible(relations.truth).iter().map(|args| args[0]);
        let texts = facts.map(|f| (ground.terms.text(f), f)).collect();
        let of_moves = of_moves(&game.rules);
        let mut naive =
            Naive { ground, levels: by_level, fixed, roles, of_moves, texts, relations };
        let mut fixed = naive.fixed.clone();
        naive.close(0, &mut fixed);
        naive.fixed = fixed;
        Some(naive)
    }

    /// Adds what follows by the rules of a level.
    fn close(&self, level: usize, values: &mut [bool]) {
        for stratum in &self.levels[level] {
            let mut changed = true;
            while std::mem::take(&mut changed) {
                for rule in stratum {
                    let holds = |a: &u32| values[*a as usize];
                    if !values[rule.head as usize]
                        && rule.positive.iter().all(holds)
                        && !rule.negative.iter().any(holds)
                    {
                        values[rule.head as usize] = true;
                        changed = true;
                    }
                }
            }
        }
    }

    fn set(&self, relation: usize, args: Vec<u32>, values: &mut [bool]) {
        if let Some(atom) = self.ground.numbers.get(&(relation, args)) {
            values[*atom as usize] = true;
        }
    }

    /// The arguments of the atoms of a relation that hold.
    fn all<'a>(
        &'a self,
        relation: usize,
        values: &'a [bool],
    ) -> impl Iterator<Item = &'a [u32]> + 'a {
        let atoms = self.ground.atoms.iter().zip(values);
        atoms.filter(move |(a, holds)| a.0 == relation && **holds).map(|(a, _)| &a.1[..])
    }

    fn facts(&self, relation: usize, values: &[bool]) -> Facts {
        let mut facts: Facts = self.all(relation, values).map(|args| args[0]).collect();
        facts.sort_unstable();
        facts
    }

    pub fn initial(&self) -> Facts {
        self.facts(self.relations.init, &self.fixed)
    }

    /// Atoms of the game's own relations that depend on the state and not on the moves.
    pub fn views(&self) -> Vec<u32> {
        let own = |a: &u32| {
            let (name, _) = self.ground.relations[self.ground.atoms[*a as usize].0];
            !["true", "next", "legal", "goal", "terminal"].contains(&name)
                && !self.of_moves.contains(name)
        };
        let heads = self.levels[1].iter().flatten().map(|i| i.head).filter(own);
        let mut views: Vec<u32> = heads.collect();
        views.sort_unstable();
        views.dedup();
        views
    }

    pub fn atom_text(&self, atom: u32) -> String {
        let (relation, args) = &self.ground.atoms[atom as usize];
        let name = self.ground.relations[*relation].0;
        let args: String =
            args.iter().map(|t| format!(" {}", self.ground.terms.text(*t))).collect();
        if args.is_empty() { name.into() } else { format!("({name}{args})") }
    }

    /// Everything that holds in a state before the players move.
    pub fn state(&self, facts: &[u32]) -> Vec<bool> {
        let mut values = self.fixed.clone();
        facts.iter().for_each(|f| self.set(self.relations.truth, vec![*f], &mut values));
        self.close(1, &mut values);
        values
    }

    /// The facts with these texts; none where rules could not make one of them.
    pub fn facts_of<'a>(&self, texts: impl Iterator<Item = &'a str>) -> Option<Facts> {
        let mut facts: Facts = texts.map(|t| self.texts.get(t).copied()).collect::<Option<_>>()?;
        facts.sort_unstable();
        Some(facts)
    }

    pub fn next(&self, values: &[bool], joint: &[u32]) -> Facts {
        let mut values = values.to_vec();
        for (role, m) in self.roles.iter().zip(joint) {
            self.set(self.relations.does, vec![*role, *m], &mut values);
        }
        self.close(2, &mut values);
        self.facts(self.relations.next, &values)
    }

    pub fn legal(&self, values: &[bool], role: usize) -> Vec<u32> {
        let all = self.all(self.relations.legal, values);
        all.filter(|args| args[0] == self.roles[role]).map(|args| args[1]).collect()
    }

    pub fn terminal(&self, values: &[bool]) -> bool {
        self.all(self.relations.terminal, values).next().is_some()
    }

    /// The goal of a role where it is one number.
    pub fn goal(&self, values: &[bool], role: usize) -> Option<i32> {
        let all = self.all(self.relations.goal, values);
        let mut own = all.filter(|args| args[0] == self.roles[role]);
        let first = own.next()?;
        let value = self.ground.terms.constant(first[1])?.parse().ok()?;
        own.next().is_none().then_some(value)
    }
}

/// The stratum of every relation.
fn strata(ground: &Ground) -> Option<Vec<usize>> {
    let mut strata = vec![0; ground.relations.len()];
    let of = |atom: &u32| ground.atoms[*atom as usize].0;
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for rule in &ground.instances {
            let positive = rule.positive.iter().map(|a| strata[of(a)]);
            let negative = rule.negative.iter().map(|a| strata[of(a)] + 1);
            let least = positive.chain(negative).max().unwrap_or(0);
            if strata[of(&rule.head)] < least {
                strata[of(&rule.head)] = least;
                changed = true;
            }
        }
        if strata.iter().any(|s| *s > ground.relations.len()) {
            return None;
        }
    }
    Some(strata)
}

/// By relation: 0 where it is fixed, 1 where it depends on the state, 2 where it depends on the moves.
fn levels(ground: &Ground, words: &Words) -> Vec<usize> {
    let mut levels = vec![0; ground.relations.len()];
    (levels[words.truth], levels[words.does]) = (1, 2);
    let of = |atom: &u32| ground.atoms[*atom as usize].0;
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for rule in &ground.instances {
            let body = rule.positive.iter().chain(&rule.negative);
            let least = body.map(|a| levels[of(a)]).max().unwrap_or(0);
            if levels[of(&rule.head)] < least {
                levels[of(&rule.head)] = least;
                changed = true;
            }
        }
    }
    levels
}
