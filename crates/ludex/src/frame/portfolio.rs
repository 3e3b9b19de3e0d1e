//! `Portfolio`: the reasoner with the original rules and with translated ones; the one that takes the
//! least work in a few matches is used.

use super::{Basis, Covering, Frame, Reach, direct, pruned};
use crate::budget::{Budget, Stop};
use crate::interp::{Interp, Problem};
use crate::rules::Rules;
use std::fmt;

/// Steps of random matches in which the updates are compared.
const STEPS: usize = 60;
/// Translated rules are taken if they save at least this part of the work.
const SAVED: f64 = 0.25;

/// General joint moves of a large game for which proofs are tried.
const MANY: usize = 8;

/// How a reasoner finds the next state, with the work that took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// None: the original rules.
    pub covering: Option<Covering>,
    pub work: u64,
}

/// What was tried; the first entry is the original rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Portfolio {
    pub tried: Vec<Entry>,
    /// The entry that is used.
    pub chosen: usize,
}

/// The reasoner of a game with the cheapest rules for the update. `grounding` is what may be spent on
/// proofs; `None`: the direct covering will do.
pub fn fastest(
    rules: &Rules,
    budget: &Budget,
    grounding: Option<&Budget>,
) -> Result<(Interp, Portfolio), Problem> {
    let mut best = Interp::with_budget(rules, budget)?;
    let mut portfolio = Portfolio { tried: vec![], chosen: 0 };
    let steps = best.sample_steps(STEPS, 1);
    let least = match (best.problem(), best.work(&steps)) {
        (Some(Problem::Stopped(stop)), _) | (_, Err(Problem::Stopped(stop))) => {
            return Err(Problem::Stopped(stop));
        }
        (_, Ok(work)) => work,
        // The matches end in a problem that the translated rules would have as well.
        (_, Err(_)) => return Ok((best, portfolio)),
    };
    portfolio.tried.push(Entry { covering: None, work: least });
    let mut least = (least as f64 * (1.0 - SAVED)) as u64;
    for (covering, frame) in frames(rules, budget, grounding).map_err(Problem::Stopped)? {
        let Ok(mut engine) = Interp::updating(&frame.rules, frame.fnext, budget) else { continue };
        let Ok(work) = engine.work(&steps) else { continue };
        portfolio.tried.push(Entry { covering: Some(covering), work });
        if work < least {
            (best, least) = (engine, work);
            portfolio.chosen = portfolio.tried.len() - 1;
        }
    }
    budget.check().map_err(Problem::Stopped)?;
    Ok((best, portfolio))
}

/// The translations that differ.
fn frames(
    rules: &Rules,
    budget: &Budget,
    grounding: Option<&Budget>,
) -> Result<Vec<(Covering, Frame)>, Stop> {
    let reach = Reach::new(rules, budget)?;
    let moves = direct(rules, &reach, budget)?;
    let mut frames = Vec::new();
    let frame = Frame::new(rules, &Basis::Names, &moves, &reach, budget)?;
    frames.push((Covering::Direct, frame));
    // Proofs are for games that are grounded soon, or have many joint moves to tell apart.
    let many = if reach.exact { 1 } else { MANY };
    let worth = moves.joints.len() > many && reach.roles().len() > 1;
    if let (Some(grounding), true) = (grounding, worth) {
        let joints = moves.joints.len();
        let moves = pruned(rules, moves, budget, grounding)?;
        if moves.joints.len() < joints {
            let frame = Frame::new(rules, &Basis::Names, &moves, &reach, budget)?;
            frames.push((Covering::Pruned, frame));
        }
    }
    Ok(frames)
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.covering {
            None => f.write_str("original"),
            Some(covering) => covering.fmt(f),
        }
    }
}

impl fmt::Display for Portfolio {
    /// The rules that are used, and the work of all.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(chosen) = self.tried.get(self.chosen) else {
            return f.write_str("original rules");
        };
        let works: Vec<String> = self.tried.iter().map(|e| format!("{e} {}", e.work)).collect();
        write!(f, "{chosen} rules (work in {STEPS} steps: {})", works.join(", "))
    }
}
