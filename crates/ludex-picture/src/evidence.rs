//! `Evidence`: what a picture is planned from: the facts that can be true, and some states.

use super::order::Order;
use super::statics::StaticRelations;
use indexmap::{IndexMap, IndexSet};
use ludex_facts::fluents::parts;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_reason::{Move, Random, StateMachine};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;

/// A fact: the name of its relation and its arguments, as text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    pub name: String,
    pub args: Vec<String>,
}

impl Fact {
    pub fn new(text: &str) -> Fact {
        let (name, args) = parts(text);
        Fact { name, args }
    }

    pub fn text(&self) -> String {
        match self.args.is_empty() {
            true => self.name.clone(),
            false => format!("({} {})", self.name, self.args.join(" ")),
        }
    }
}

/// The facts of a game and some of its states.
pub struct Evidence<'a> {
    pub rules: &'a Rules,
    pub statics: StaticRelations,
    pub roles: Vec<String>,
    pub relations: Vec<DrawnRelation>,
    pub steps: Vec<SampledStep>,
}

/// A relation of the state with what is known of it.
#[derive(Clone, Debug)]
pub struct DrawnRelation {
    pub name: String,
    pub arity: usize,
    /// The facts that can be true, or else, where that is not known, those that were.
    pub facts: Vec<Vec<String>>,
    pub known: bool,
    /// For every argument its values in order.
    pub orders: Vec<Order>,
    /// The facts that were true, state by state, from the initial state on.
    pub states: Vec<Vec<Vec<String>>>,
}

/// States of random play that are looked at, and the longest match.
const STATES: usize = 60;
const LONGEST: usize = 400;
const MATCHES: usize = 6;
/// Steps that are kept for every name of a move.
const STEPS: usize = 40;

/// What was seen of random matches.
#[derive(Clone, Debug, Default)]
pub struct SampledPlay {
    /// The initial state first.
    pub states: Vec<Vec<String>>,
    pub steps: Vec<SampledStep>,
}

/// A step of a match, as text.
#[derive(Clone, Debug)]
pub struct SampledStep {
    pub before: Vec<String>,
    /// One move a role.
    pub moves: Vec<String>,
    pub after: Vec<String>,
}

/// Plays some random matches and keeps states and steps of them.
pub fn sample<G: StateMachine>(game: &mut G, budget: &Budget) -> SampledPlay {
    let mut random = Random::new(1);
    let initial = game.initial();
    let mut kept = SampledPlay { states: vec![game.fact_texts(&initial)], steps: vec![] };
    let mut counts: FxHashMap<String, usize> = FxHashMap::default();
    for _ in 0..MATCHES {
        let (states, joints) = play(game, &initial, &mut random, budget);
        let step = states.len().div_ceil((STATES - 1) / MATCHES).max(1);
        // The last states of a match show most.
        let shown = states[1..].iter().rev().step_by(step);
        kept.states.extend(shown.map(|s| game.fact_texts(s)));
        for (pair, joint) in states.windows(2).zip(&joints) {
            let text = |(role, m): (usize, &Move)| game.move_text(role, *m);
            let moves: Vec<String> = joint.iter().enumerate().map(text).collect();
            let mut rare = false;
            for name in moves.iter().map(|m| Fact::new(m).name) {
                let count = counts.entry(name).or_default();
                *count += 1;
                rare |= *count <= STEPS;
            }
            if rare {
                let [before, after] = [&pair[0], &pair[1]].map(|s| game.fact_texts(s));
                kept.steps.push(SampledStep { before, moves, after });
            }
        }
    }
    kept
}

/// The states of a random match and the joint moves between them.
fn play<G: StateMachine>(
    game: &mut G,
    initial: &G::State,
    random: &mut Random,
    budget: &Budget,
) -> (Vec<G::State>, Vec<Vec<Move>>) {
    let mut states = vec![initial.clone()];
    let mut joints = Vec::new();
    let mut legal: Vec<Move> = Vec::new();
    while states.len() <= LONGEST && budget.check().is_ok() {
        let state = states.last().expect("the initial one").clone();
        let mut joint = Vec::new();
        for role in 0..game.roles() {
            legal.clear();
            game.legal(&state, role, &mut legal);
            joint.extend(legal.get(random.below(legal.len().max(1))));
        }
        if game.terminal(&state) || joint.len() < game.roles() {
            break;
        }
        states.push(game.next(&state, &joint));
        joints.push(joint);
    }
    (states, joints)
}

impl<'a> Evidence<'a> {
    /// `possible`: the facts that can be true, as far as they are known; those of the states are added.
    pub fn new(
        rules: &'a Rules,
        statics: StaticRelations,
        roles: Vec<String>,
        possible: impl IntoIterator<Item = String>,
        seen: &SampledPlay,
    ) -> Evidence<'a> {
        let states = &seen.states;
        let mut facts: IndexMap<(String, usize), IndexSet<Vec<String>>> = IndexMap::new();
        let add = |facts: &mut IndexMap<_, IndexSet<_>>, text: &str| {
            let fact = Fact::new(text);
            facts.entry((fact.name, fact.args.len())).or_default().insert(fact.args);
        };
        possible.into_iter().for_each(|text| add(&mut facts, &text));
        let known = facts.len();
        states.iter().flatten().for_each(|text| add(&mut facts, text));
        let states: Vec<Vec<Fact>> =
            states.iter().map(|s| s.iter().map(|f| Fact::new(f)).collect()).collect();
        type Found = ((String, usize), IndexSet<Vec<String>>);
        let relation = |(number, ((name, arity), mut facts)): (usize, Found)| {
            let own = |f: &&Fact| f.name == name && f.args.len() == arity;
            let seen: Vec<&Vec<String>> =
                states.iter().flatten().filter(own).map(|f| &f.args).collect();
            (0..arity).for_each(|a| drop_far_values(&mut facts, &seen, a));
            let drawn = DrawnRelation::new(name, arity, facts, &states, &statics);
            DrawnRelation { known: number < known, ..drawn }
        };
        let relations = facts.into_iter().enumerate().map(relation).collect();
        Evidence { rules, statics, roles, relations, steps: seen.steps.clone() }
    }
}

/// Grounding lets counters run far beyond the board. Where most values of an argument were never
/// seen, only those that were are drawn.
fn drop_far_values(facts: &mut IndexSet<Vec<String>>, seen: &[&Vec<String>], argument: usize) {
    let possible: IndexSet<&String> = facts.iter().map(|f| &f[argument]).collect();
    let known: IndexSet<&String> = seen.iter().map(|f| &f[argument]).collect();
    let numbers = possible.iter().all(|v| v.parse::<i64>().is_ok());
    if numbers && known.len() > 2 && possible.len() > 2 * known.len() + 4 {
        facts.retain(|f| known.contains(&f[argument]));
    }
}

impl DrawnRelation {
    fn new(
        name: String,
        arity: usize,
        facts: IndexSet<Vec<String>>,
        states: &[Vec<Fact>],
        statics: &StaticRelations,
    ) -> DrawnRelation {
        let order = |a: usize| Order::new(facts.iter().map(|f| f[a].as_str()), statics);
        let orders = (0..arity).map(order).collect();
        let own = |f: &&Fact| f.name == name && f.args.len() == arity;
        let of_state =
            |s: &Vec<Fact>| s.iter().filter(own).map(|f| f.args.clone()).collect::<Vec<_>>();
        let states = states.iter().map(of_state).collect();
        let facts = facts.into_iter().collect();
        DrawnRelation { name, arity, facts, known: true, orders, states }
    }

    /// The values of these arguments in a fact.
    pub fn part(fact: &[String], args: &[usize]) -> Vec<String> {
        args.iter().map(|a| fact[*a].clone()).collect()
    }

    /// The combinations of values that these arguments can have.
    pub fn places(&self, args: &[usize]) -> IndexSet<Vec<String>> {
        self.facts.iter().map(|f| Self::part(f, args)).collect()
    }

    /// All combinations of the values that these arguments have.
    pub(crate) fn rectangle(&self, args: &[usize]) -> IndexSet<Vec<String>> {
        let longer = |rows: Vec<Vec<String>>, a: &usize| {
            let with = |row: &Vec<String>, v: &String| [&row[..], std::slice::from_ref(v)].concat();
            let values = &self.orders[*a].values;
            rows.iter().flat_map(|row| values.iter().map(move |v| with(row, v))).collect()
        };
        args.iter().fold(vec![vec![]], longer).into_iter().collect()
    }

    /// The combinations of values that these arguments had, where every state had the same: others are declared
    /// and never come true.
    pub(crate) fn steady(&self, args: &[usize]) -> Option<IndexSet<Vec<String>>> {
        let seen = |s: &Vec<Vec<String>>| -> IndexSet<Vec<String>> {
            s.iter().map(|f| Self::part(f, args)).collect()
        };
        let first = seen(self.states.first()?);
        let same = self.states.len() > 1 && self.states[1..].iter().all(|s| seen(s) == first);
        same.then_some(first)
    }

    /// Whether no state has two facts with the same values of these arguments, and whether every
    /// state has one for all values.
    pub fn unique(&self, args: &[usize]) -> (bool, bool) {
        let places = self.places(args).len();
        let mut always = true;
        for state in &self.states {
            let mut seen = FxHashMap::default();
            for fact in state {
                match seen.entry(Self::part(fact, args)) {
                    Entry::Occupied(_) => return (false, false),
                    Entry::Vacant(free) => free.insert(()),
                };
            }
            always &= seen.len() == places;
        }
        (true, always)
    }

    /// Whether one argument always names the line that comes after the line of another.
    pub(crate) fn is_next(&self, of: usize, next: usize) -> bool {
        let order = &self.orders[of];
        let follows = |f: &Vec<String>| {
            let after = order.index(&f[of]).and_then(|i| order.values.get(i + 1));
            after.map_or(!order.values.contains(&f[next]), |after| *after == f[next])
        };
        order.len() > 2 && self.facts.iter().all(follows)
    }

    /// The contents that were in several places, and in the same ones in all states.
    pub fn fixed(&self, place: &[usize], content: &[usize]) -> Vec<Vec<String>> {
        let at = |state: &[Vec<String>], what: &Vec<String>| -> BTreeSet<Vec<String>> {
            let own = state.iter().filter(|f| Self::part(f, content) == *what);
            own.map(|f| Self::part(f, place)).collect()
        };
        let stays = |what: &Vec<String>| {
            let first = self.states.first().map(|s| at(s, what)).unwrap_or_default();
            first.len() > 1 && self.states.iter().all(|s| at(s, what) == first)
        };
        self.places(content).into_iter().filter(stays).collect()
    }

    /// The content that more than half of so many places have in the first state.
    pub fn common(&self, content: &[usize], places: usize) -> Option<Vec<String>> {
        let first = self.states.first()?;
        let count =
            |what: &Vec<String>| first.iter().filter(|f| Self::part(f, content) == *what).count();
        self.places(content).into_iter().find(|what| 2 * count(what) > places)
    }

    /// The largest number of facts that a state had.
    pub fn most(&self) -> usize {
        self.states.iter().map(Vec::len).max().unwrap_or(0)
    }
}
