//! `Property` -> `Decision`: proved by induction or by visiting every state, refuted by a line of play.
//!
//! A refuting line comes from random play, from the solver or from the states visited; the reference
//! reasoner plays it again before it is given out.

mod unground;
mod witness;

use super::invariants::Invariants;
use super::lemmas::Lemmas;
use super::property::Property;
use super::reach::Reach;
use super::samples::Samples;
use crate::prove::Verdict;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::Rules;
use ludex_machine::{Scalar, State};
use ludex_net::ground::{Ground, NotGround};
use ludex_net::{Lit, Net};
use ludex_reason::interp::Interp;
use ludex_reason::{Joints, Move, StateMachine, find_move, view};
use std::sync::Arc;

/// What was found out about a property.
#[derive(Clone, Debug)]
pub struct Decision {
    pub verdict: Verdict,
    /// How, in words; of an open question what was tried.
    pub by: String,
    /// What the lemmas say that the proof uses.
    pub lemmas: Vec<String>,
    /// For a refuted property the joint moves that lead to where it fails, as text in role order.
    pub moves: Vec<Vec<String>>,
    /// Facts where it fails.
    pub state: Vec<String>,
    /// The limit that left the question open.
    pub stopped: Option<Stop>,
}

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The longest induction.
    pub steps: usize,
    /// How many states may be visited.
    pub states: usize,
    /// How long lemmas may be looked for.
    pub lemma_seconds: f64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { steps: 8, states: 200_000, lemma_seconds: f64::INFINITY }
    }
}

/// With what is known of the game.
pub fn decide(
    property: &Property,
    known: Option<&Lemmas>,
    effort: Effort,
    budget: &Budget,
) -> Result<Decision, NotGround> {
    let ground = Ground::new(&property.rules, budget);
    let net = match ground.and_then(|ground| Ok(Net::new(&ground, budget)?)) {
        Err(NotGround::TooLarge | NotGround::Endless) => {
            return Ok(unground::decide(property, budget));
        }
        Err(NotGround::Stopped(stop @ (Stop::Time | Stop::Memory))) => {
            return Ok(Decision::stopped("the rules were not ground yet; ", stop));
        }
        net => Arc::new(net?),
    };
    let question = PosedProperty::new(property, net);
    let Some(question) = question else {
        let by = "no state that rules can make violates it".into();
        let verdict = Verdict::Proved { k: 0, lemmas: vec![] };
        return Ok(Decision::new(verdict, by));
    };
    let decision = question.decide(known, effort, budget);
    Ok(question.confirmed(decision, &property.rules))
}

impl Decision {
    fn new(verdict: Verdict, by: String) -> Decision {
        Decision { verdict, by, lemmas: vec![], moves: vec![], state: vec![], stopped: None }
    }

    /// An open question, with what was tried.
    pub fn stopped(tried: &str, stop: Stop) -> Decision {
        let by = format!("{tried}{stop}");
        Decision { stopped: Some(stop), ..Decision::new(Verdict::Unknown { k: 0 }, by) }
    }
}

/// A property in the net of its game.
struct PosedProperty {
    net: Arc<Net>,
    /// The base that says that the property failed before the last step.
    failed: usize,
    /// Whether it is about a joint move too.
    moves: bool,
}

impl PosedProperty {
    /// None where the property cannot fail.
    fn new(property: &Property, net: Arc<Net>) -> Option<PosedProperty> {
        let failed = net.bases.iter().position(|b| b.name == property.fact)?;
        Some(PosedProperty { net, failed, moves: property.steps })
    }

    fn has_failed(&self, state: &State) -> bool {
        state.holds(self.failed)
    }

    /// Whether the property fails in a state; one with moves has failed before it.
    fn fails(&self, machine: &mut Scalar, state: &State) -> bool {
        if self.has_failed(state) || self.moves {
            return self.has_failed(state);
        }
        match Joints::of(machine, state).next() {
            Some(joint) => self.has_failed(&machine.next(state, &joint)),
            // Nobody can go on to where the fact is told.
            None => {
                let bases = state.values(self.net.bases.len());
                let values = self.net.evaluate(&bases, &vec![false; self.net.inputs.len()]);
                Net::holds(&values, self.net.bases[self.failed].next)
            }
        }
    }

    /// Tries one way after the other; a limit leaves the question open.
    fn decide(&self, known: Option<&Lemmas>, effort: Effort, budget: &Budget) -> Decision {
        let mut tried = Vec::new();
        let decision = self.ways(known, effort, budget, &mut tried);
        decision.unwrap_or_else(|stop| match stop {
            Some(stop) => {
                let tried = tried.iter().map(|way| format!("{way}, ")).collect::<String>();
                Decision::stopped(&tried, stop)
            }
            None => Decision::new(Verdict::Unknown { k: 0 }, tried.join(", ")),
        })
    }

    /// No decision where all ways were tried, or where a limit stopped one.
    fn ways(
        &self,
        known: Option<&Lemmas>,
        effort: Effort,
        budget: &Budget,
        tried: &mut Vec<String>,
    ) -> Result<Decision, Option<Stop>> {
        let nothing = || Lemmas::new(self.net.clone());
        let known = known.map_or_else(nothing, |known| known.carried_to(&self.net));
        let seconds = effort.lemma_seconds;
        let samples = Arc::new(Samples::usual(&self.net, budget)?);
        let mut found = Invariants::lasting(&known, samples, budget, seconds, &mut |_| ());
        if let Some(moves) = self.seen(&found, budget)? {
            return Ok(Decision::new(Verdict::Refuted { moves }, "a random match".into()));
        }
        tried.push(format!("{} sampled states", found.samples.states.len()));
        let verdict = self.induct(&mut found, effort.steps, budget)?;
        match &verdict {
            Verdict::Refuted { .. } => return Ok(Decision::new(verdict, "the solver".into())),
            Verdict::Proved { k, .. } => {
                let (by, lemmas) =
                    (format!("induction over {}", steps(*k)), found.lemma_texts(&verdict));
                return Ok(Decision { lemmas, ..Decision::new(verdict, by) });
            }
            Verdict::Unknown { k } => {
                let lemmas = found.prover.lemmas();
                tried.push(format!("induction over {} with {lemmas} lemmas", steps(*k)));
            }
        }
        budget.begin("visiting states", 0);
        let wrong = |machine: &mut Scalar, state: &State| self.fails(machine, state);
        let (reach, bad) = Reach::search(&self.net, effort.states, budget, wrong)?;
        let states = reach.len();
        match (bad, reach.complete) {
            (Some(bad), _) => {
                let moves = reach.line_to(bad);
                Ok(Decision::new(Verdict::Refuted { moves }, "visiting states".into()))
            }
            (None, true) => {
                let by = format!("it holds in all {states} reachable states");
                Ok(Decision::new(Verdict::Proved { k: 0, lemmas: vec![] }, by))
            }
            (None, false) => {
                tried.push(format!("the first {states} states"));
                Err(None)
            }
        }
    }

    fn induct(
        &self,
        found: &mut Invariants,
        steps: usize,
        budget: &Budget,
    ) -> Result<Verdict, Stop> {
        budget.begin("proving", 0);
        // Up to the first state where the property fails, the fact that it failed is not true.
        found.prover.add_lemma(!self.net.base_lit(self.failed));
        let holds: Lit = !self.net.bases[self.failed].next;
        match self.moves {
            true => found.prover.prove_of_steps(holds, steps),
            false => found.prover.prove(holds, steps),
        }
    }

    /// The shortest sampled line to a state in which the property fails.
    fn seen(&self, found: &Invariants, budget: &Budget) -> Result<Option<Vec<Vec<usize>>>, Stop> {
        let mut machine = Scalar::within(self.net.clone(), budget)?;
        let samples = &found.samples;
        let bad =
            (0..samples.states.len()).filter(|s| self.fails(&mut machine, &samples.states[*s]));
        Ok(bad.map(|s| samples.line_to(s)).min_by_key(Vec::len))
    }

    /// The decision with the text of its moves, if the reference reasoner sees the failure too.
    fn confirmed(&self, mut decision: Decision, rules: &Rules) -> Decision {
        let Verdict::Refuted { moves } = &decision.verdict else { return decision };
        let text = |joint: &Vec<usize>| -> Vec<String> {
            joint.iter().map(|i| self.net.inputs[*i].name.clone()).collect()
        };
        decision.moves = moves.iter().map(text).collect();
        match self.replay(&decision.moves, rules) {
            Some(state) => decision.state = state,
            None => {
                decision.verdict = Verdict::Unknown { k: 0 };
                decision.by = "the reference reasoner does not confirm the line found".into();
                decision.moves.clear();
            }
        }
        decision
    }

    /// Plays the line on the reference reasoner; the facts where the property fails.
    fn replay(&self, moves: &[Vec<String>], rules: &Rules) -> Option<Vec<String>> {
        let mut interp = Interp::new(rules).ok()?;
        let line = play(&mut interp, moves)?;
        let fact = &self.net.bases[self.failed].name;
        let last = line.last().expect("the initial state");
        let initial = interp.initial();
        let joint = Joints::of(&mut interp, last).next();
        let joint = joint.or_else(|| Joints::of(&mut interp, &initial).next()).unwrap_or_default();
        let after = if self.moves { last.clone() } else { interp.next(last, &joint) };
        let seen = interp.fact_texts(&after).contains(fact);
        let shown = if self.moves { &line[line.len().checked_sub(2)?] } else { last };
        seen.then(|| interp.fact_texts(shown))
    }
}

fn steps(k: usize) -> String {
    if k == 1 { "1 step".into() } else { format!("{k} steps") }
}

/// The states of a line of play; none where a move is not legal or the match was over before.
pub fn play<G: StateMachine>(game: &mut G, moves: &[Vec<String>]) -> Option<Vec<G::State>> {
    let mut states = vec![game.initial()];
    for joint in moves {
        let state = states.last().expect("not empty");
        let seen = view(game, state);
        let joint: Option<Vec<Move>> =
            joint.iter().zip(&seen.legal).map(|(text, legal)| find_move(legal, text)).collect();
        if seen.terminal {
            return None;
        }
        let next = game.next(state, &joint?);
        states.push(next);
    }
    Some(states)
}
