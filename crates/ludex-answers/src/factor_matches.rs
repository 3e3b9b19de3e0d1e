//! What `factor --matches` answers: when games fall apart in random matches, and into what.

use crate::account::{Account, Meter, answers};
use crate::factor::{ApartIs, DEEPEST, patterns};
use crate::fault::Unanswered;
use ludex::Game;
use ludex_facts::factor::{Exactness, FactorKind, Factors};
use ludex_facts::latches::finally;
use ludex_facts::lemmas::Lemmas;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_net::Net;
use ludex_reason::{Move, Random, StateMachine};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Random matches of a game, and what it fell into.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactorMatches {
    pub game: String,
    pub factors_at_first: usize,
    /// The number of matches that was asked for.
    pub asked: usize,
    pub matches: Vec<FactorMatch>,
    #[serde(flatten)]
    pub account: Account,
}

/// A match, and what was found as soon as there was more than at first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactorMatch {
    /// Steps of the match.
    pub length: usize,
    /// The step at which there was more; none if there never was.
    pub at: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FactorKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factors: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<ApartIs>,
    /// The numbers of facts of the factors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<usize>,
    /// The facts of each factor by relation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<Vec<String>>,
    /// Did a limit end it?
    pub cut: bool,
}

answers!(FactorMatches);

impl FactorMatches {
    /// Plays at random and factors every position in which more is final than in the one before.
    pub fn of(
        game: &Game,
        asked: usize,
        seed: u64,
        lemma_seconds: f64,
        budget: &Budget,
    ) -> Result<FactorMatches, Unanswered> {
        let meter = Meter::new(game, budget);
        let net = game.knowledge().net(budget)?;
        let knowledge = game.knowledge();
        let factors_at_first = knowledge.factors(budget, lemma_seconds)?.factors.len();
        let mut run = Run {
            machine: Scalar::within(net, budget)?,
            known: knowledge.lemmas(budget)?,
            first: factors_at_first,
            random: Random::new(seed),
            budget,
        };
        let mut matches = Vec::new();
        while matches.len() < asked && budget.check().is_ok() {
            let mut one = FactorMatch::default();
            one.cut = run.play(&mut one).is_err();
            matches.push(one);
        }
        let complete = matches.len() == asked && !matches.iter().any(|m| m.cut);
        let stopped: &[&str] = if complete { &[] } else { &["matches"] };
        let account = meter.account().cut(stopped, budget.check().err());
        Ok(FactorMatches { game: game.name().into(), factors_at_first, asked, matches, account })
    }

    fn apart(&self) -> impl Iterator<Item = (usize, usize)> {
        self.matches.iter().filter_map(|m| m.at.zip(m.factors))
    }

    /// The columns of `row`.
    pub const HEADER: &str = "\tfalls apart in\tof matches\tearliest after\tinto";

    /// In how many of how many matches, after how many steps at the earliest, into how many factors at
    /// most.
    pub fn row(&self) -> String {
        let (earliest, most) = (self.apart().map(|a| a.0).min(), self.apart().map(|a| a.1).max());
        let complete = self.account.complete;
        let nothing = if complete { "none" } else { "stopped" };
        let text = |n: Option<usize>| n.map_or(nothing.to_string(), |n| n.to_string());
        let short = if complete { "" } else { " (short)" };
        let (apart, played) = (self.apart().count(), self.matches.len());
        format!("\t{apart}\t{played}{short}\t{}\t{}", text(earliest), text(most))
    }
}

struct Run<'a> {
    known: Arc<Lemmas>,
    machine: Scalar,
    first: usize,
    random: Random,
    budget: &'a Budget,
}

impl Run<'_> {
    fn play(&mut self, one: &mut FactorMatch) -> Result<(), Stop> {
        let (mut state, mut closed) = (self.machine.initial(), Vec::new());
        let net = self.known.net.clone();
        while !self.machine.terminal(&state) && one.length < DEEPEST {
            self.budget.check()?;
            let now = facts(&net, &state);
            let finally = finally(&net, &now).bases;
            if one.at.is_none() && finally != closed {
                let found = Factors::find(&net, &now, &self.known, self.budget)?;
                let more = found.kind != FactorKind::Single && found.factors.len() > self.first;
                if more && found.verify(3, 50, self.budget).is_ok() {
                    one.note(&found);
                }
            }
            closed = finally;
            let Some(joint) = self.joint(&state) else { break };
            state = self.machine.next(&state, &joint);
            one.length += 1;
        }
        Ok(())
    }

    fn joint(&mut self, state: &State) -> Option<Vec<Move>> {
        let (machine, random) = (&mut self.machine, &mut self.random);
        let roles = machine.roles();
        let pick = |role| {
            let mut legal = Vec::new();
            machine.legal(state, role, &mut legal);
            (!legal.is_empty()).then(|| legal[random.below(legal.len())])
        };
        (0..roles).map(pick).collect()
    }
}

fn facts(net: &Net, state: &State) -> Vec<bool> {
    state.values(net.bases.len())
}

impl FactorMatch {
    /// The game falls apart at the present step.
    fn note(&mut self, found: &Factors) {
        (self.at, self.kind) = (Some(self.length), Some(found.kind));
        self.factors = Some(found.factors.len());
        self.exact = Some(match found.exact {
            Exactness::Exact => ApartIs::Exact,
            Exactness::Conditional(_) => ApartIs::Conditional,
            Exactness::Heuristic(_) => ApartIs::Heuristic,
        });
        self.facts = found.factors.iter().map(|f| f.bases.len()).collect();
        self.patterns = found.factors.iter().map(|f| patterns(&found.net, &f.bases)).collect();
    }
}

/// Factors of a match that are shown to people.
const SHOWN: usize = 9;

impl fmt::Display for FactorMatches {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (first, played, apart) =
            (self.factors_at_first, self.matches.len(), self.apart().count());
        let number = if first == 1 { "one game".into() } else { format!("{first} factors") };
        writeln!(f, "{}: {number} at first, more in {apart} of {played} matches", self.game)?;
        for (number, one) in self.matches.iter().enumerate() {
            let (steps, number) = (one.length, number + 1);
            let cut = if one.cut { ", where a limit ended it" } else { "" };
            let (Some(at), Some(factors), Some(kind)) = (one.at, one.factors, one.kind) else {
                writeln!(f, "match {number}: not in {steps} steps{cut}")?;
                continue;
            };
            writeln!(
                f,
                "match {number}: after {at} of {steps} steps{cut} {factors} factors, {kind}"
            )?;
            for factor in one.patterns.iter().take(SHOWN) {
                writeln!(f, "  {}", factor.join(" "))?;
            }
        }
        if !self.account.complete {
            writeln!(f, "a limit ended this list: {played} of {} matches", self.asked)?;
        }
        Ok(())
    }
}
