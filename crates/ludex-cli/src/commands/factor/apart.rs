//! `ludex factor --matches`: when games fall apart in random matches, and into what.

use super::{DEEPEST, patterns};
use crate::failure::Failure;
use crate::session::{NONE, STOPPED};
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::Stop;
use ludex::facts::factor::{FactorKind, Factors};
use ludex::facts::latches::finally;
use ludex::facts::lemmas::Lemmas;
use ludex::machine::{Scalar, State};
use ludex::net::Net;
use ludex::reason::{Move, Random, StateMachine};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;

/// Random matches of a game, and what it fell into.
pub struct Matches {
    net: Arc<Net>,
    /// Factors at first.
    first: usize,
    wanted: usize,
    /// The matches that were played; a limit may have cut the last of them short.
    all: Vec<Match>,
}

/// A match: its length, and what was found as soon as there was more than at first.
#[derive(Default)]
struct Match {
    steps: usize,
    apart: Option<(usize, Factors)>,
    /// Did a limit end it?
    cut: bool,
}

/// Plays at random and factors every position in which more is final than in the one before.
pub fn in_matches(
    game: &Game,
    wanted: usize,
    seed: u64,
    session: &Session,
) -> Result<Matches, Failure> {
    let (net, knowledge) = (session.net(game)?, game.knowledge());
    let first = knowledge.factors(&session.budget(), session.share())?.factors.len();
    let known = knowledge.lemmas(&session.budget())?;
    let mut machine = Scalar::within(net.clone(), &session.budget())?;
    let mut random = Random::new(seed);
    let mut found = Matches { net, first, wanted, all: Vec::new() };
    while found.all.len() < wanted && session.budget().check().is_ok() {
        let mut one = Match::default();
        one.cut = one.play(&known, &mut machine, first, &mut random, session).is_err();
        found.all.push(one);
    }
    Ok(found)
}

impl Match {
    fn play(
        &mut self,
        known: &Lemmas,
        machine: &mut Scalar,
        first: usize,
        random: &mut Random,
        session: &Session,
    ) -> Result<(), Stop> {
        let (net, mut state, mut closed) = (&known.net, machine.initial(), Vec::new());
        while !machine.terminal(&state) && self.steps < DEEPEST {
            session.budget().check()?;
            let now = facts(net, &state);
            let finally = finally(net, &now).bases;
            if self.apart.is_none() && finally != closed {
                let found = Factors::find(net, &now, known, &session.budget())?;
                let more = found.kind != FactorKind::Single && found.factors.len() > first;
                let same = || found.verify(3, 50, &session.budget()).is_ok();
                self.apart = (more && same()).then_some((self.steps, found));
            }
            closed = finally;
            let Some(joint) = joint(machine, &state, random) else { break };
            state = machine.next(&state, &joint);
            self.steps += 1;
        }
        Ok(())
    }
}

fn facts(net: &Net, state: &State) -> Vec<bool> {
    (0..net.bases.len()).map(|b| state.0[b / 64] >> (b % 64) & 1 == 1).collect()
}

fn joint(machine: &mut Scalar, state: &State, random: &mut Random) -> Option<Vec<Move>> {
    let roles = machine.roles();
    let pick = |role| {
        let mut legal = Vec::new();
        machine.legal(state, role, &mut legal);
        (!legal.is_empty()).then(|| legal[random.below(legal.len())])
    };
    (0..roles).map(pick).collect()
}

impl Matches {
    fn apart(&self) -> impl Iterator<Item = &(usize, Factors)> {
        self.all.iter().filter_map(|m| m.apart.as_ref())
    }

    /// Were all matches played to their ends?
    fn complete(&self) -> bool {
        self.all.len() == self.wanted && !self.all.iter().any(|m| m.cut)
    }

    pub fn report(&self, session: &Session) -> Outcome {
        match session.json {
            true => session.line(&self.object())?,
            false => self.print(session)?,
        }
        session.budget().check().map_err(Into::into)
    }

    fn object(&self) -> Value {
        let one = |m: &Match| {
            let mut one = match &m.apart {
                Some((at, f)) => json!({"length": m.steps, "at": at, "kind": f.kind.to_string(),
                    "factors": f.factors.len(), "exact": f.exact.parts().0, "facts": sizes(f)}),
                None => json!({"length": m.steps, "at": null}),
            };
            one["cut"] = json!(m.cut);
            one
        };
        let list: Vec<Value> = self.all.iter().map(one).collect();
        json!({"game": self.net.name, "factors_at_first": self.first, "asked": self.wanted,
            "complete": self.complete(), "matches": list})
    }

    fn print(&self, session: &Session) -> Outcome {
        let (mut out, first, played) = (session.out(), self.first, self.all.len());
        let apart = self.apart().count();
        let number = if first == 1 { "one game".into() } else { format!("{first} factors") };
        writeln!(out, "{}: {number} at first, more in {apart} of {played} matches", self.net.name)?;
        for (number, Match { steps, apart, cut }) in self.all.iter().enumerate() {
            let cut = if *cut { ", where a limit ended it" } else { "" };
            let Some((at, f)) = apart else {
                writeln!(out, "match {}: not in {steps} steps{cut}", number + 1)?;
                continue;
            };
            let (number, factors, kind) = (number + 1, f.factors.len(), f.kind);
            writeln!(
                out,
                "match {number}: after {at} of {steps} steps{cut} {factors} factors, {kind}"
            )?;
            for factor in f.factors.iter().take(9) {
                writeln!(out, "  {}", patterns(&f.net, &factor.bases).join(" "))?;
            }
        }
        if !self.complete() {
            writeln!(out, "a limit ended this list: {played} of {} matches", self.wanted)?;
        }
        Ok(())
    }

    /// In how many of how many matches, after how many steps at the earliest, into how many factors at most.
    pub fn row(&self) -> String {
        let earliest = self.apart().map(|(at, _)| *at).min();
        let most = self.apart().map(|(_, f)| f.factors.len()).max();
        let nothing = if self.complete() { NONE } else { STOPPED };
        let text = |n: Option<usize>| n.map_or(nothing.to_string(), |n| n.to_string());
        let short = if self.complete() { "" } else { " (short)" };
        let (apart, played) = (self.apart().count(), self.all.len());
        format!("\t{apart}\t{played}{short}\t{}\t{}", text(earliest), text(most))
    }
}

/// The numbers of facts of the factors.
fn sizes(found: &Factors) -> Vec<usize> {
    found.factors.iter().map(|f| f.bases.len()).collect()
}
