//! Games that end after the same number of steps whatever is played: two boards that take one mark each in every
//! step, the first of which that is full ends the game. Then the end is a matter of the clock.

use super::blocks::support;
use super::kind::FactorKind;
use super::phases::over;
use super::{Ending, Factors};
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_net::circuit::Circuit;
use ludex_net::fold::copy;
use ludex_net::{Base, Lit, Net};
use ludex_reason::{Joints, StateMachine};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// States of a factor that are visited, and steps that are counted.
const MOST_STATES: usize = 10_000;
const MOST_STEPS: usize = 200;

impl Factors {
    /// The number of steps of every match, where each factor alone is over after so many, and the first of
    /// them ends the game.
    pub(crate) fn length(&self, budget: &Budget) -> Result<Option<usize>, Stop> {
        let Ending::Any(ends) = &self.ending else { return Ok(None) };
        if self.kind != FactorKind::Synchronous || !self.ends_alone() {
            return Ok(None);
        }
        let mut first = usize::MAX;
        for k in ends {
            match length_of(&self.factors[*k].net, budget)? {
                Some(steps) => first = first.min(steps),
                None => return Ok(None),
            }
        }
        Ok(Some(first).filter(|steps| *steps <= MOST_STEPS))
    }

    /// Is the end a disjunction of conditions on one factor each?
    fn ends_alone(&self) -> bool {
        let net = &self.net;
        let Some((_, _, false)) = net.gate_of(net.terminal) else { return false };
        net.operands(net.terminal, false).iter().all(|part| {
            let reads = support(&net.gates, *part);
            let own = |bases: &[usize]| reads.iter().all(|b| bases.contains(b));
            self.factors.iter().any(|factor| own(&factor.bases))
        })
    }
}

/// After how many steps a game is over, if that is the same in every match of few states.
fn length_of(net: &Net, budget: &Budget) -> Result<Option<usize>, Stop> {
    let mut game = Scalar::within(Arc::new(net.clone()), budget)?;
    let (mut now, mut seen) = (vec![game.initial()], 1);
    for steps in 0..=MOST_STEPS {
        let ends = now.iter().filter(|state| game.terminal(state)).count();
        if ends > 0 || now.is_empty() || seen > MOST_STATES {
            return Ok((ends > 0 && ends == now.len()).then_some(steps));
        }
        let mut next: FxHashSet<State> = FxHashSet::default();
        for state in &now {
            budget.check()?;
            for joint in Joints::of(&mut game, state) {
                next.insert(game.next(state, &joint));
            }
        }
        now = next.into_iter().collect();
        seen += now.len();
    }
    Ok(None)
}

/// The game with facts that count its steps, which end it after so many.
pub fn with_clock(net: &Net, steps: usize) -> Net {
    let (facts, ticks) = (net.bases.len(), steps + 1);
    let moves: Vec<usize> = (0..net.roles.len()).map(|r| net.inputs_of(r).len()).collect();
    let mut circuit = Circuit::new(facts + ticks, &moves);
    let leaves = facts + net.inputs.len();
    let given = |g: usize| {
        let moved = if g <= facts { g } else { g + ticks };
        (g <= leaves).then(|| Lit::new(moved, false))
    };
    let became = copy(net, &mut circuit, given);
    let mut timed = over(net, &circuit, &became);
    timed.bases.extend((0..ticks).map(|i| Base {
        name: format!("(steps {i})"),
        initial: i == 0,
        next: if i == 0 { Lit::FALSE } else { Lit::new(facts + i, false) },
    }));
    timed.terminal = Lit::new(facts + ticks, false);
    timed
}
