//! `ludex factor --matches`: when games fall apart in random matches, and into what.

use super::{DEEPEST, patterns};
use crate::{Outcome, Session};
use ludex::budget::Stop;
use ludex::facts::factor::{Factors, Kind};
use ludex::facts::latches::finally;
use ludex::game::{Game, Move, Random};
use ludex::machine::{Scalar, State};
use ludex::net::Net;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;

/// A match: its length, and what was found as soon as there was more than at first.
struct Match {
    steps: usize,
    apart: Option<(usize, Factors)>,
}

/// Plays at random and factors every position in which more is final than in the one before.
pub fn in_matches(net: Net, matches: usize, seed: u64, session: &Session) -> Outcome {
    let initial: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
    let first = Factors::find(&net, &initial, &session.budget)?.factors.len();
    let net = Arc::new(net);
    let mut machine = Scalar::new(net.clone());
    let mut random = Random::new(seed);
    let mut all = Vec::new();
    for _ in 0..matches {
        match play(&net, &mut machine, first, &mut random, session) {
            Ok(one) => all.push(one),
            Err(_) => break,
        }
    }
    report(&net, first, &all, session)?;
    session.budget.check().map_err(Into::into)
}

fn play(
    net: &Net,
    machine: &mut Scalar,
    first: usize,
    random: &mut Random,
    session: &Session,
) -> Result<Match, Stop> {
    let mut state = machine.initial();
    let (mut steps, mut apart, mut known) = (0, None, Vec::new());
    while !machine.terminal(&state) && steps < DEEPEST {
        session.budget.check()?;
        let now = facts(net, &state);
        let finally = finally(net, &now).bases;
        if apart.is_none() && finally != known {
            let found = Factors::find(net, &now, &session.budget)?;
            let more = found.kind != Kind::Single && found.factors.len() > first;
            apart =
                (more && found.verify(3, 50, &session.budget)?.is_ok()).then_some((steps, found));
        }
        known = finally;
        let Some(joint) = joint(machine, &state, random) else { break };
        state = machine.next(&state, &joint);
        steps += 1;
    }
    Ok(Match { steps, apart })
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

fn report(net: &Net, first: usize, all: &[Match], session: &Session) -> Outcome {
    if session.json {
        let one = |m: &Match| match &m.apart {
            Some((at, f)) => json!({"length": m.steps, "at": at, "kind": f.kind.to_string(),
                "factors": f.factors.len(), "exact": f.exact.parts().0, "facts": sizes(f)}),
            None => json!({"length": m.steps, "at": null}),
        };
        let list: Vec<Value> = all.iter().map(one).collect();
        return session
            .line(&json!({"game": net.name, "factors_at_first": first, "matches": list}));
    }
    let mut out = session.out();
    let apart = all.iter().filter(|m| m.apart.is_some()).count();
    let number = if first == 1 { "one game".into() } else { format!("{first} factors") };
    writeln!(out, "{}: {number} at first, more in {apart} of {} matches", net.name, all.len())?;
    for (number, Match { steps, apart }) in all.iter().enumerate() {
        match apart {
            Some((at, f)) => {
                let factors = f.factors.len();
                writeln!(
                    out,
                    "match {}: after {at} of {steps} steps {factors} factors, {}",
                    number + 1,
                    f.kind
                )?;
                for factor in f.factors.iter().take(9) {
                    writeln!(out, "  {}", patterns(&f.net, &factor.bases).join(" "))?;
                }
            }
            None => writeln!(out, "match {}: not in {steps} steps", number + 1)?,
        }
    }
    Ok(())
}

/// The numbers of facts of the factors.
fn sizes(found: &Factors) -> Vec<usize> {
    found.factors.iter().map(|f| f.bases.len()).collect()
}
