//! `Portfolio`: the reasoner with the original rules and with translated ones; the one that is the
//! fastest in a few matches is used.

use super::{Basis, Covering, Frame, FrameReach, direct, pruned};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::Rel;
use ludex_knowledge::Knowledge;
use ludex_reason::interp::{Interp, Problem, Steps};
use std::fmt;

/// Steps of random matches in which the updates are compared.
const STEPS: usize = 120;
/// The steps are timed so often, unless it takes too long; the shortest time counts.
const ROUNDS: usize = 9;
const SECONDS: f64 = 0.2;
/// Translated rules are taken if they save at least this part of the time, or of the work where the
/// clock stands still.
const SAVED_TIME: f64 = 0.05;
const SAVED_WORK: f64 = 0.25;

/// General joint moves of a large game for which proofs are tried.
const MANY: usize = 8;

/// With more rules for the next state none are translated: every fluent is compared with every rule.
const MOST_RULES: usize = 3_000;

/// How a reasoner finds the next state, with the work and the time that took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PortfolioEntry {
    /// None: the original rules.
    pub covering: Option<Covering>,
    /// Steps of the reasoner.
    pub work: u64,
    /// CPU seconds.
    pub seconds: f64,
}

/// What was tried; the first entry is the original rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Portfolio {
    /// The rules that were tried.
    pub tried: Vec<PortfolioEntry>,
    /// The entry that is used.
    pub chosen: usize,
    /// The limit at which the rest was given up.
    pub stopped: Option<Stop>,
}

/// The reasoner of a game with the cheapest rules for the update, of those that can be made in so many
/// seconds. `grounding` is what may be spent on proofs; `None`: the direct covering will do.
pub fn fastest(
    knowledge: &Knowledge,
    budget: &Budget,
    seconds: f64,
    grounding: Option<&Budget>,
) -> Result<(Interp, Portfolio), Problem> {
    let (mut interp, portfolio) = match chosen(knowledge, &budget.lasting(seconds), grounding) {
        Err(Problem::Stopped(stop)) => {
            let stopped = Some(stop);
            let portfolio = Portfolio { tried: vec![], chosen: 0, stopped };
            (Interp::hasty(knowledge.rules(), budget)?, portfolio)
        }
        chosen => chosen?,
    };
    interp.set_budget(budget);
    Ok((interp, portfolio))
}

fn chosen(
    knowledge: &Knowledge,
    budget: &Budget,
    grounding: Option<&Budget>,
) -> Result<(Interp, Portfolio), Problem> {
    let mut original = Interp::with_budget(knowledge.rules(), budget)?;
    let mut portfolio = Portfolio { tried: vec![], chosen: 0, stopped: None };
    let steps = original.sample_steps(STEPS, 1);
    let work = match (original.problem(), original.work(&steps)) {
        (Some(Problem::Stopped(stop)), _) | (_, Err(Problem::Stopped(stop))) => {
            portfolio.stopped = Some(stop);
            return Ok((original, portfolio));
        }
        (_, Ok(work)) => work,
        // The matches end in a problem that the translated rules would have as well.
        (_, Err(_)) => return Ok((original, portfolio)),
    };
    let mut engines = vec![original];
    portfolio.add(None, work);
    let (frames, stopped) = frames(knowledge, budget, grounding);
    portfolio.stopped = stopped;
    for (covering, frame) in frames {
        let Ok(mut engine) = Interp::updating(&frame.rules, frame.fnext, budget) else { continue };
        if let Ok(work) = engine.work(&steps) {
            portfolio.add(Some(covering), work);
            engines.push(engine);
        }
    }
    portfolio.time(&mut engines, &steps, budget);
    match budget.check() {
        Ok(()) => portfolio.choose(),
        // Nothing was timed to the end.
        Err(stop) => portfolio.stopped = Some(stop),
    }
    Ok((engines.swap_remove(portfolio.chosen), portfolio))
}

impl Portfolio {
    fn add(&mut self, covering: Option<Covering>, work: u64) {
        self.tried.push(PortfolioEntry { covering, work, seconds: f64::INFINITY });
    }

    /// Times the engines in turns, so that a slow moment of the computer meets them all.
    fn time(&mut self, engines: &mut [Interp], steps: &Steps, budget: &Budget) {
        let steps: Vec<_> = engines.iter_mut().map(|e| e.own_steps(steps)).collect();
        let begin = budget.seconds();
        for round in 0..ROUNDS {
            if round > 0 && (!self.timed() || budget.seconds() - begin > SECONDS) {
                return;
            }
            for ((entry, engine), steps) in self.tried.iter_mut().zip(&mut *engines).zip(&steps) {
                let start = budget.seconds();
                engine.run(steps);
                entry.seconds = entry.seconds.min(budget.seconds() - start);
            }
        }
    }

    fn timed(&self) -> bool {
        self.tried.iter().all(|e| e.seconds > 0.0)
    }

    fn choose(&mut self) {
        let timed = self.timed();
        let cost = |e: &PortfolioEntry| if timed { e.seconds } else { e.work as f64 };
        let saved = if timed { SAVED_TIME } else { SAVED_WORK };
        let mut least = cost(&self.tried[0]) * (1.0 - saved);
        for (i, entry) in self.tried.iter().enumerate().skip(1) {
            if cost(entry) < least {
                (least, self.chosen) = (cost(entry), i);
            }
        }
    }
}

/// The translations that differ, as far as the budget goes.
fn frames(
    knowledge: &Knowledge,
    budget: &Budget,
    grounding: Option<&Budget>,
) -> (Vec<(Covering, Frame)>, Option<Stop>) {
    let mut frames = Vec::new();
    let stopped = match knowledge.rules().defining(Rel::NEXT).count() {
        0..=MOST_RULES => translate_all(knowledge, budget, grounding, &mut frames).err(),
        _ => None,
    };
    (frames, stopped)
}

fn translate_all(
    knowledge: &Knowledge,
    budget: &Budget,
    grounding: Option<&Budget>,
    frames: &mut Vec<(Covering, Frame)>,
) -> Result<(), Stop> {
    let rules = knowledge.rules();
    let reach = FrameReach::new(rules, budget)?;
    let moves = direct(rules, &reach, budget)?;
    let frame = Frame::new(rules, &Basis::Names, &moves, &reach, budget)?;
    frames.push((Covering::Direct, frame));
    // Proofs are for games that are grounded soon, or have many joint moves to tell apart.
    let many = if reach.exact { 1 } else { MANY };
    let worth = moves.joints.len() > many && reach.roles().len() > 1;
    if let (Some(grounding), true) = (grounding, worth) {
        let joints = moves.joints.len();
        let moves = pruned(knowledge, moves, budget, grounding)?;
        if moves.joints.len() < joints {
            let frame = Frame::new(rules, &Basis::Names, &moves, &reach, budget)?;
            frames.push((Covering::Pruned, frame));
        }
    }
    Ok(())
}

impl fmt::Display for PortfolioEntry {
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
        let stopped = if self.stopped.is_some() { ", others: stopped" } else { "" };
        let Some(chosen) = self.tried.get(self.chosen) else {
            return write!(f, "original rules{stopped}");
        };
        let list = |text: &dyn Fn(&PortfolioEntry) -> String| {
            self.tried.iter().map(text).collect::<Vec<_>>().join(", ")
        };
        if self.timed() {
            let times = list(&|e| format!("{e} {:.1}", e.seconds * 1e6 / STEPS as f64));
            return write!(f, "{chosen} rules{stopped} (microseconds a step: {times})");
        }
        let works = list(&|e| format!("{e} {}", e.work));
        write!(f, "{chosen} rules{stopped} (work in {STEPS} steps: {works})")
    }
}
