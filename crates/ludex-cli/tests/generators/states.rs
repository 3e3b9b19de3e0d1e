//! The reachable states of a game, and whether a map of roles, facts and moves commutes with the rules in them.

use crate::reader::{Thing, parts};
use ludex::interp::{FactState, Interp};
use ludex::reason::{Joints, Move, Random, StateMachine};
use ludex::rules::{Rules, Symbols, Term};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// Joint moves that are followed from a state, and those that are made on both sides, at the most.
const FOLLOWED: usize = 300;
const COMPARED: usize = 12;

pub struct Game {
    interp: Interp,
    symbols: Symbols,
    roles: Vec<String>,
    random: Random,
}

impl Game {
    pub fn new(rules: &Rules) -> Game {
        let interp = Interp::new(rules).expect("rules that run");
        let roles = (0..interp.roles()).map(|r| interp.role_text(r)).collect();
        Game { interp, symbols: rules.symbols.clone(), roles, random: Random::new(7) }
    }

    /// The reachable states, the nearest first, up to so many, and whether these are all.
    pub fn reachable(&mut self, most: usize) -> (Vec<FactState>, bool) {
        let first = self.interp.initial();
        let mut seen: HashSet<FactState> = [first.clone()].into();
        let (mut found, mut open, mut cut) = (Vec::new(), VecDeque::from([first]), false);
        while let Some(state) = open.pop_front() {
            let over = self.interp.terminal(&state);
            found.push(state);
            let last = &found[found.len() - 1];
            let joints = self.joints(last, FOLLOWED);
            cut |= joints.len() == FOLLOWED;
            for joint in joints.into_iter().filter(|_| !over) {
                let next = self.interp.next(last, &joint);
                if seen.insert(next.clone()) {
                    open.push_back(next);
                }
            }
            if found.len() == most && !open.is_empty() {
                return (found, false);
            }
        }
        (found, !cut)
    }

    /// Some joint moves, all where they are no more than `most`.
    fn joints(&mut self, state: &FactState, most: usize) -> Vec<Vec<Move>> {
        let mut joints: Vec<Vec<Move>> = Joints::of(&mut self.interp, state).take(4_000).collect();
        while joints.len() > most {
            let one = self.random.below(joints.len());
            joints.swap_remove(one);
        }
        joints
    }

    pub fn assert_symmetry(
        &mut self,
        states: &[FactState],
        image: &dyn Fn(&Thing) -> Thing,
        name: &str,
    ) {
        for state in states {
            let there = self.image_state(state, image);
            let facts = self.interp.fact_texts(state);
            let role_images: Vec<usize> = self.roles.iter().map(|r| self.role(r, image)).collect();
            let told = |what: &str| format!("{name}: {what} in the image of {}", facts.join(" "));
            assert_eq!(
                self.interp.terminal(state),
                self.interp.terminal(&there),
                "{}",
                told("terminal")
            );
            let mut moves = Vec::new();
            for (role, &to) in role_images.iter().enumerate() {
                let (here, goal) = (self.legal(state, role), self.interp.goal(state, role));
                let theirs = self.legal(&there, to);
                let ours: BTreeSet<String> =
                    here.values().map(|text| self.move_image(role, text, image)).collect();
                assert_eq!(ours, theirs.values().cloned().collect(), "{}", told("legal"));
                assert_eq!(goal, self.interp.goal(&there, to), "{}", told("goal"));
                moves.push((here, theirs));
            }
            for joint in self.joints(state, COMPARED) {
                let mut image_joint = joint.clone();
                for (role, mv) in joint.iter().enumerate() {
                    let text = self.move_image(role, &moves[role].0[mv], image);
                    let found = moves[role].1.iter().find(|(_, t)| **t == text);
                    image_joint[role_images[role]] = *found.expect("a legal move").0;
                }
                let next = self.interp.next(state, &joint);
                let after = self.image_state(&next, image);
                let after = self.interp.fact_texts(&after);
                let theirs = self.interp.next(&there, &image_joint);
                assert_eq!(after, self.interp.fact_texts(&theirs), "{}", told("next"));
            }
            assert_eq!(self.interp.problem(), None, "{name}");
        }
    }

    fn legal(&mut self, state: &FactState, role: usize) -> BTreeMap<Move, String> {
        let mut moves = Vec::new();
        self.interp.legal(state, role, &mut moves);
        moves.into_iter().map(|m| (m, self.interp.move_text(role, m))).collect()
    }

    fn role(&self, role: &str, image: &dyn Fn(&Thing) -> Thing) -> usize {
        let Thing::Role(to) = image(&Thing::Role(role.into())) else { unreachable!() };
        self.roles.iter().position(|r| *r == to).unwrap_or_else(|| panic!("{to} is no role"))
    }

    fn move_image(&self, role: usize, text: &str, image: &dyn Fn(&Thing) -> Thing) -> String {
        let of = Thing::Move(self.roles[role].clone(), text.into());
        let Thing::Move(_, to) = image(&of) else { unreachable!() };
        to
    }

    fn image_state(&mut self, state: &FactState, image: &dyn Fn(&Thing) -> Thing) -> FactState {
        let facts = self.interp.fact_texts(state).into_iter().map(|f| image(&Thing::Fact(f)));
        let term = |fact| match fact {
            Thing::Fact(text) => self.term(&text),
            _ => unreachable!("a fact"),
        };
        let facts: Vec<Term> = facts.map(term).collect();
        self.interp.state_of(&facts)
    }

    fn term(&self, text: &str) -> Term {
        let (name, args) = parts(text);
        let symbol = self.symbols.find(&name.to_lowercase());
        let symbol = symbol.unwrap_or_else(|| panic!("{name} is no name of the game"));
        Term::App(symbol, args.iter().map(|a| self.term(a)).collect())
    }
}
