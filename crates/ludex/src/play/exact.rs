//! `Exact`: the solver at work beside a search, on the states of a match.
//!
//! It uses what makes small games of large ones: factors, symmetries, latches, all of the state that is
//! solved: what has its final value there is folded in first, so that a game may fall apart that did not
//! before. What it finds is a line of best play; as long as the match follows that line nothing has to
//! be searched. Where the line ends with mixed moves one of them is drawn. A role that plays alone also
//! has use for a line that is not known to be best, since nobody can keep it from what that is worth.

use ludex_facts::latches::finally;
use ludex_gdl::budget::{Budget, Proving};
use ludex_knowledge::Knowledge;
use ludex_machine::{Scalar, State};
use ludex_net::Net;
use ludex_reason::{Move, Random, Role, StateMachine};
use ludex_search::Options;
use ludex_search::solve::{Mixed, Settings, Solution, Subject, Symmetry, Value, solve};
use std::sync::Arc;

/// Memory for tables and states.
const BYTES: usize = 256 << 20;

/// A solver beside a match.
pub struct Exact {
    knowledge: Arc<Knowledge>,
    net: Arc<Net>,
    settings: Settings,
    /// States of the line and the joint moves made there.
    line: Vec<(State, Vec<Move>)>,
    worth: LineWorth,
    /// The turn from which on it is worth a try, and how many turns to wait after a vain one.
    next_try: usize,
    pause: usize,
    /// States of other matches from which on best play is known, once they were asked for.
    recalled: Option<Vec<(State, Vec<Move>)>>,
    /// The facts that could still change at the last try.
    open: usize,
    /// What mixed moves are drawn with.
    random: Random,
}

/// What a line is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LineWorth {
    /// No other is worth more.
    Best,
    /// This goal, which is certain.
    Certain(i32),
}

/// A game of which this share (or less) of the facts that could change still can is worth a new try.
const SHARE: (usize, usize) = (3, 4);
/// Gates of nets that are looked at in every turn.
const LARGEST: usize = 200_000;

impl Exact {
    /// One that has not begun.
    pub fn new(knowledge: Arc<Knowledge>, net: Arc<Net>, options: &Options) -> Exact {
        let symmetry = if options.symmetry { Symmetry::States } else { Symmetry::None };
        let settings = Settings {
            symmetry,
            factoring: options.factoring,
            bytes: BYTES,
            ..Settings::default()
        };
        let open = net.bases.len();
        let (line, worth) = (vec![], LineWorth::Best);
        let random = Random::new(options.seed);
        let (next_try, pause, recalled) = (0, 1, None);
        Exact { knowledge, net, settings, line, worth, next_try, pause, recalled, open, random }
    }

    /// Takes over states from which on best play is known, and the joint moves made there; asks once.
    pub fn recall(&mut self, known: impl FnOnce() -> Vec<(State, Vec<Move>)>) {
        self.recalled.get_or_insert_with(known);
    }

    /// The line of best play, where it is known.
    pub fn best_line(&self) -> &[(State, Vec<Move>)] {
        if self.worth == LineWorth::Best { &self.line } else { &[] }
    }

    /// The joint moves of the line from a state on, where it is on one, and what that is worth.
    pub fn best(&self, state: &State) -> Option<(LineWorth, Vec<Vec<Move>>)> {
        if let Some(here) = self.line.iter().position(|(at, _)| at == state) {
            let line = self.line[here..].iter().map(|(_, joint)| joint.clone());
            return Some((self.worth, line.collect()));
        }
        let known = self.recalled.iter().flatten().find(|(at, _)| at == state)?;
        Some((LineWorth::Best, vec![known.1.clone()]))
    }

    /// Whether best play is known from a state on.
    pub fn knows(&self, state: &State) -> bool {
        self.best(state).is_some_and(|(worth, _)| worth == LineWorth::Best)
    }

    /// Whether to solve the state of a turn: after vain tries more and more turns are left out, unless
    /// much of the game has got its final value since.
    fn is_due(&self, turn: usize, open: usize) -> bool {
        turn >= self.next_try || open * SHARE.1 <= self.open * SHARE.0
    }

    /// Vain tries so far do not count any more.
    pub fn try_again(&mut self) {
        (self.next_try, self.pause) = (0, 1);
    }

    /// Solves the state of a turn, if that is worth a try; true where best play is known from there on.
    /// `proving` is the part of the budget for proofs about the game.
    pub fn solve(&mut self, turn: usize, state: &State, budget: &Budget, proving: Proving) -> bool {
        let values = state.values(self.net.bases.len());
        let open = self.open_in(&values);
        if self.knows(state) || !self.is_due(turn, open) {
            return self.knows(state);
        }
        let (knowledge, net) = (self.knowledge.clone(), self.net.clone());
        let subject = Subject { knowledge, net, state: values };
        let solution = solve(&subject, &self.settings, budget, proving);
        self.open = open;
        self.take_up(state, solution);
        if !self.knows(state) {
            (self.next_try, self.pause) = (turn + self.pause, self.pause * 2);
        }
        self.knows(state)
    }

    /// The facts that can still change from a state on; of large nets the old number, since that takes
    /// long to find out.
    fn open_in(&self, state: &[bool]) -> usize {
        match self.net.gates.len() <= LARGEST {
            true => finally(&self.net, state).bases.iter().filter(|b| b.is_none()).count(),
            false => self.open,
        }
    }

    /// Keeps the line of a solution, if there is one and none that is worth as much.
    fn take_up(&mut self, state: &State, solution: Solution) {
        let (best, alone) = (solution.complete && solution.is_safe, self.net.roles.len() == 1);
        let (line, goal) = self.followed(state, solution);
        if line.is_empty() || !(best || alone) {
            return;
        }
        let worth = if best { LineWorth::Best } else { LineWorth::Certain(goal) };
        let better = match (worth, self.best(state)) {
            (LineWorth::Certain(new), Some((LineWorth::Certain(old), _))) => new > old,
            (LineWorth::Certain(_), Some((LineWorth::Best, _))) => false,
            _ => true,
        };
        if better {
            (self.line, self.worth) = (line, worth);
        }
    }

    /// The states along the line of a solution, mixed moves drawn at its end, and the first role's goal
    /// there.
    fn followed(&mut self, from: &State, solution: Solution) -> (Vec<(State, Vec<Move>)>, i32) {
        let mut machine = Scalar::new(self.net.clone());
        let mut state = from.clone();
        let step = |joint: Vec<Move>| {
            let next = machine.next(&state, &joint);
            (std::mem::replace(&mut state, next), joint)
        };
        let mut line: Vec<_> = solution.line.into_iter().map(step).collect();
        if !solution.mixed.is_empty() {
            line.push((state.clone(), self.drawn(&mut machine, &state, &solution.mixed)));
        }
        let over = machine.terminal(&state);
        (line, machine.goal(&state, 0).filter(|_| over).unwrap_or(0))
    }

    /// A joint move of a state, moves that are mixed drawn by their chances.
    fn drawn(&mut self, machine: &mut Scalar, state: &State, mixed: &Mixed) -> Vec<Move> {
        let any = |role: Role| {
            let mut legal = vec![];
            machine.legal(state, role, &mut legal);
            legal[0]
        };
        let mut joint: Vec<Move> = (0..self.net.roles.len()).map(any).collect();
        for (role, moves) in mixed {
            let at = Value::new(self.random.below(1 << 30).into(), (1 << 30).into());
            let mut below = Value::from_integer(0.into());
            let drawn = moves.iter().find(|(_, chance)| {
                below += chance;
                at < below
            });
            joint[*role] = drawn.expect("the chances add up to 1").0;
        }
        joint
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;
    use ludex_net::ground::Ground;

    /// Two counters that must both reach 3, and must not be left behind after six moves.
    const COUNTERS: &str = "(role r) (counter a) (counter b) (init (at a 0)) (init (at b 0))
        (init (step 0)) (++ 0 1) (++ 1 2) (++ 2 3) (++ 3 4) (++ 4 5) (++ 5 6)
        (legal r (up a)) (legal r (up b)) (legal r (down a)) (legal r (down b))
        (<= (next (at ?c ?m)) (does r (up ?c)) (true (at ?c ?n)) (++ ?n ?m))
        (<= (next (at ?c 0)) (does r (down ?c)))
        (<= (next (at ?c ?n)) (true (at ?c ?n)) (not (changed ?c)))
        (<= (changed ?c) (does r (up ?c)) (true (at ?c ?n)) (++ ?n ?m))
        (<= (changed ?c) (does r (down ?c)))
        (<= (next (step ?m)) (true (step ?n)) (++ ?n ?m))
        (<= terminal (true (step 6)))
        (<= (goal r 100) (true (at a 3)) (true (at b 3)))
        (<= (goal r 0) (true (at ?c ?n)) (distinct ?n 3))";

    #[test]
    fn a_match_follows_the_line_that_was_found() {
        let (net, budget) = (net(COUNTERS), Budget::unlimited());
        let mut machine = Scalar::new(net.clone());
        for factoring in [true, false] {
            let mut exact = solver(net.clone(), &Options { factoring, ..Options::default() });
            let mut state = machine.initial();
            assert!(exact.best(&state).is_none());
            assert!(exact.solve(0, &state, &budget, Proving(&budget)));
            for left in (1..=6).rev() {
                let (worth, line) = exact.best(&state).unwrap();
                assert_eq!(worth, LineWorth::Best);
                assert_eq!(line.len(), left);
                state = machine.next(&state, &line[0]);
            }
            assert!(machine.terminal(&state) && exact.best(&state).is_none());
            assert_eq!(machine.goal(&state, 0), Some(100));
        }
    }

    fn solver(net: Arc<Net>, options: &Options) -> Exact {
        Exact::new(Arc::new(Knowledge::of_net(net.clone())), net, options)
    }

    fn net(text: &str) -> Arc<Net> {
        let (rules, _) =
            Rules::read(&Source::new("a game", text), None).map_err(|r| r.complaints).unwrap();
        let budget = Budget::unlimited();
        let ground = Ground::new(&rules, &budget).unwrap();
        Arc::new(Net::new(&ground, &budget).unwrap())
    }

    /// Two lamps of which one switch turns both, until it is broken; then each has its own.
    const SWITCHES: &str = "(role r) (lamp a) (lamp b) (init whole) (init (step 0))
        (++ 0 1) (++ 1 2) (++ 2 3) (++ 3 4)
        (<= (legal r both) (true whole)) (<= (legal r break) (true whole))
        (<= (legal r (turn ?x)) (lamp ?x) (not (true whole)))
        (<= (next whole) (true whole) (not (does r break)))
        (<= (turned ?x) (lamp ?x) (does r both)) (<= (turned ?x) (does r (turn ?x)))
        (<= (next (on ?x)) (lamp ?x) (turned ?x) (not (true (on ?x))))
        (<= (next (on ?x)) (true (on ?x)) (not (turned ?x)))
        (<= (next (step ?m)) (true (step ?n)) (++ ?n ?m))
        (<= terminal (true (step 4)))
        (<= (goal r 100) (true (on a)) (true (on b)))
        (<= (goal r 0) (not (true (on a)))) (<= (goal r 0) (not (true (on b))))";

    #[test]
    fn a_game_is_factored_again_as_its_latches_close() {
        let net = net(SWITCHES);
        let mut machine = Scalar::new(net.clone());
        let (mut state, budget) = (machine.initial(), Budget::unlimited());
        let mut factors = Vec::new();
        for name in ["both", "break", "(turn a)"] {
            let values = state.values(net.bases.len());
            let subject = Subject { state: values, ..Subject::of_net(net.clone()) };
            let solution = solve(&subject, &Settings::default(), &budget, Proving(&budget));
            assert!(solution.complete);
            factors.push(solution.factors.len());
            let of_name = |i: &usize| net.inputs[*i].name == name;
            let m = (0..net.inputs.len()).find(of_name).expect("a move");
            state = machine.next(&state, &[Move(m as u32)]);
        }
        assert_eq!(factors, [0, 0, 2]);
    }

    #[test]
    fn a_role_that_plays_alone_follows_a_line_that_may_not_be_best() {
        let net = net(COUNTERS);
        let mut machine = Scalar::new(net.clone());
        let start = machine.initial();
        let mut exact = solver(net.clone(), &Options::default());
        let solution = |up: &[&str], complete: bool| {
            let input = |name: &&str| net.inputs.iter().position(|i| i.name == *name).unwrap();
            let line = up.iter().map(|name| vec![Move(input(name) as u32)]).collect();
            let mut solution = solve(
                &Subject::of_net(net.clone()),
                &Settings { factoring: false, ..Settings::default() },
                &Budget::unlimited(),
                Proving(&Budget::unlimited()),
            );
            (solution.line, solution.complete) = (line, complete);
            solution
        };
        let (a, b) = ("(up a)", "(up b)");
        exact.take_up(&start, solution(&[a, a, a, a, a, a], false));
        assert_eq!(exact.best(&start).unwrap().0, LineWorth::Certain(0));
        exact.take_up(&start, solution(&[a, a, a, b, b, b], false));
        assert_eq!(exact.best(&start).unwrap().0, LineWorth::Certain(100));
        // What is worth less does not take its place.
        exact.take_up(&start, solution(&[a, b, a, a, a, a], false));
        assert_eq!(exact.best(&start).unwrap().0, LineWorth::Certain(100));
        let unlimited = Budget::unlimited();
        assert!(!exact.knows(&start) && exact.solve(0, &start, &unlimited, Proving(&unlimited)));
    }

    /// Each shows a side of a coin; the second role wants them to be the same, heads above all.
    const COINS: &str = "(role a) (role b) (init start) (side heads) (side tails)
        (<= (legal ?r ?s) (role ?r) (side ?s))
        (<= (next (shows ?r ?s)) (does ?r ?s)) (<= terminal (true (shows a ?s)))
        (pays heads heads 10 90) (pays heads tails 70 30) (pays tails heads 70 30)
        (pays tails tails 50 50)
        (<= (goal a ?g) (true (shows a ?s)) (true (shows b ?t)) (pays ?s ?t ?g ?h))
        (<= (goal b ?h) (true (shows a ?s)) (true (shows b ?t)) (pays ?s ?t ?g ?h))";

    #[test]
    fn mixed_moves_are_drawn_by_their_chances() {
        let net = net(COINS);
        let (state, budget) = (Scalar::new(net.clone()).initial(), Budget::unlimited());
        let heads = |seed: &u64| {
            let options = Options { seed: *seed, ..Options::default() };
            let mut exact = solver(net.clone(), &options);
            assert!(exact.solve(0, &state, &budget, Proving(&budget)));
            let (worth, line) = exact.best(&state).unwrap();
            assert_eq!((worth, line.len()), (LineWorth::Best, 1));
            net.inputs[line[0][0].0 as usize].name == "heads"
        };
        // One time in four.
        assert!((15..35).contains(&(0..100).filter(heads).count()));
    }

    #[test]
    fn vain_tries_are_made_more_and_more_seldom() {
        let net = net(COUNTERS);
        let mut exact = solver(net.clone(), &Options::default());
        let state = Scalar::new(net).initial();
        let stopped = Budget::unlimited();
        stopped.stop(ludex_gdl::budget::Stop::Time);
        let open = exact.open;
        let tried = |turn: &usize| {
            exact.is_due(*turn, open) && !exact.solve(*turn, &state, &stopped, Proving(&stopped))
        };
        assert_eq!((0..20).filter(tried).collect::<Vec<_>>(), [0, 1, 3, 7, 15]);
        assert!(!exact.is_due(16, open) && exact.is_due(16, open / 2));
        exact.try_again();
        assert!(exact.is_due(0, open));
    }
}
