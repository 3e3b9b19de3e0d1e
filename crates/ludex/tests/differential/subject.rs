//! `Subject`: a game as the naive evaluator and as the library read it, and how a comparison fails.

use crate::graph::{Extent, Graph, Seen};
use crate::naive::{Facts, Naive};
use crate::rules::Game;
use ludex::budget::Budget;
use ludex::ground::NotGround;
use ludex::knowledge::Knowledge;
use ludex::net::Net;
use ludex::rules::Rules;
use ludex::source::Source;
use std::fmt;
use std::sync::Arc;

pub struct Subject {
    pub seed: u64,
    pub naive: Naive,
    pub graph: Graph,
    pub rules: Arc<Rules>,
    /// Shared by all analyses.
    pub knowledge: Knowledge,
    /// None where terms grow without a bound.
    pub net: Option<Arc<Net>>,
}

/// What differs, and in which part of the library.
#[derive(Clone, Debug)]
pub struct Failure {
    pub part: &'static str,
    pub what: String,
}

pub fn failed(part: &'static str, what: impl Into<String>) -> Failure {
    Failure { part, what: what.into() }
}

/// No answer at all.
pub fn refused(part: &'static str, why: impl fmt::Display) -> Failure {
    Failure { part, what: format!("no answer: {why}") }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.part, self.what)
    }
}

/// Games that cannot be grounded.
pub const ENDLESS: &str = "terms without a bound";

pub const EXTENT: Extent = Extent { states: 24, beyond: 6, joints: 8 };

impl Subject {
    pub fn new(game: &Game) -> Result<Subject, Failure> {
        let naive =
            Naive::new(game).ok_or_else(|| refused("naive", "the rules have no meaning"))?;
        let graph = Graph::new(&naive, EXTENT);
        let source = Source::new("game", game.to_string());
        let read = Rules::read(&source, None);
        let (rules, _) = read.map_err(|report| refused("rules", report.render(&source)))?;
        let budget = Budget::unlimited();
        let rules = Arc::new(rules);
        let knowledge = Knowledge::of_rules(rules.clone());
        let net = match knowledge.ground(&budget) {
            Err(NotGround::Endless) if game.kinds.contains(&ENDLESS) => None,
            Err(why) => return Err(refused("ground", why)),
            Ok(_) => Some(knowledge.net(&budget).map_err(|why| refused("net", why))?),
        };
        Ok(Subject { seed: game.seed, naive, graph, rules, knowledge, net })
    }

    pub fn net(&self) -> &Arc<Net> {
        self.net.as_ref().expect("asked only where there is one")
    }

    /// Whether the net has gates that rest on themselves.
    pub fn has_loops(&self) -> bool {
        self.net.as_ref().is_some_and(|net| !net.components.is_empty())
    }

    /// A state as values of the bases; none where a fact is no base.
    pub fn bits(&self, facts: &[String]) -> Option<Vec<bool>> {
        let mut bits = vec![false; self.net().bases.len()];
        for fact in facts {
            let base = self.net().bases.binary_search_by(|b| b.name.as_str().cmp(fact));
            bits[base.ok()?] = true;
        }
        Some(bits)
    }
}

/// A state on a line of play.
pub struct Stop {
    pub facts: Vec<String>,
    pub seen: Seen,
}

impl Subject {
    /// What the naive evaluator sees in a state.
    pub fn look(&self, facts: &[u32]) -> (Vec<bool>, Stop) {
        let values = self.naive.state(facts);
        let text = |t: &u32| self.naive.ground.terms.text(*t);
        let sorted = |terms: &[u32]| {
            let mut texts: Vec<String> = terms.iter().map(text).collect();
            texts.sort();
            texts
        };
        let roles = 0..self.naive.roles.len();
        let seen = Seen {
            terminal: self.naive.terminal(&values),
            legal: roles.clone().map(|r| sorted(&self.naive.legal(&values, r))).collect(),
            goals: roles.map(|r| self.naive.goal(&values, r)).collect(),
        };
        let stop = Stop { facts: sorted(facts), seen };
        (values, stop)
    }

    /// Plays a line of moves (inputs of the net in role order); none where it is no line of play.
    pub fn play(&self, moves: &[Vec<usize>]) -> Option<Vec<Stop>> {
        let text = |input: &usize| self.net().inputs[*input].name.clone();
        let texts: Vec<Vec<String>> = moves.iter().map(|j| j.iter().map(text).collect()).collect();
        let line = self.line(&texts)?;
        Some(line.iter().map(|facts| self.look(facts).1).collect())
    }

    /// The facts at the end of a line of moves.
    pub fn play_texts(&self, moves: &[Vec<String>]) -> Option<Facts> {
        self.line(moves)?.pop()
    }

    fn line(&self, moves: &[Vec<String>]) -> Option<Vec<Facts>> {
        let mut line = vec![self.naive.initial()];
        for joint in moves {
            let values = self.naive.state(line.last().expect("a state"));
            let term = |(role, text): (usize, &String)| {
                let legal = self.naive.legal(&values, role);
                legal.into_iter().find(|m| self.naive.ground.terms.text(*m) == *text)
            };
            let terms: Vec<u32> = joint.iter().enumerate().map(term).collect::<Option<_>>()?;
            if self.naive.terminal(&values) {
                return None;
            }
            line.push(self.naive.next(&values, &terms));
        }
        Some(line)
    }
}
