//! What `frame` answers: frame rules rewritten into rules for what becomes false.

use crate::account::{Account, Meter, answers};
use crate::fault::Unanswered;
use ludex::Game;
use ludex::compile::Means;
use ludex::frame::{Basis, Covering, Frame, FrameReach, TranslationSteps, covering, translate};
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Rel, Rule, Rules};
use ludex_gdl::syntax::Syntax;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Rules that say what becomes false (`fnext`) instead of what persists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FrameRules {
    pub game: String,
    /// The joint moves that are told apart.
    pub covering: Covering,
    /// Their number.
    pub joint_moves: Option<usize>,
    /// The number of all rules.
    pub rules: Option<usize>,
    pub fnext: Vec<String>,
    /// Rules of relations that `fnext` needs.
    pub auxiliary: Vec<String>,
    pub next: Vec<String>,
    pub notes: Vec<String>,
    #[serde(flatten)]
    pub account: Account,
    /// The rules as people read them.
    pub text: String,
}

/// Every step from the frame rules to the rules for what becomes false.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FrameSteps {
    pub game: String,
    pub covering: Covering,
    #[serde(flatten)]
    pub steps: TranslationSteps,
    /// The simplified rules.
    pub fnext: Vec<String>,
    #[serde(flatten)]
    pub account: Account,
}

answers!(FrameRules, FrameSteps);

/// What is translated, and how it is written.
#[derive(Debug)]
pub struct FrameQuestion {
    pub covering: Covering,
    pub basis: Basis,
    pub syntax: Syntax,
    /// Write only the rules that are new.
    pub changes: bool,
}

impl FrameRules {
    /// `grounding` is what may be spent on proofs that joint moves are impossible.
    pub fn of(
        game: &Game,
        question: &FrameQuestion,
        budget: &Budget,
        grounding: &Budget,
    ) -> Result<FrameRules, Unanswered> {
        let meter = Meter::new(game, budget);
        let FrameQuestion { covering, basis, syntax, changes } = question;
        let frame = match basis {
            Basis::Names => game.frame(*covering, Means { whole: budget, grounding })?,
            basis => Arc::new(translate(game.knowledge(), *covering, basis, budget, grounding)?),
        };
        let texts = |wanted: &dyn Fn(Rel) -> bool| -> Vec<String> {
            let rules = frame.rules.rules.iter().filter(|r| wanted(r.head.rel));
            let text = |r: &Rule| part(&frame, |o| std::ptr::eq(o, r)).text(*syntax);
            rules.map(|r| text(r).trim_end().to_string()).collect()
        };
        let rules = match changes {
            true => part(&frame, |r| frame.is_new(r.head.rel)).text(*syntax),
            false => frame.rules.text(*syntax),
        };
        let mark = if *syntax == Syntax::Kif { ";" } else { "%" };
        let notes: String = frame.notes.iter().map(|note| format!("{mark} {note}\n")).collect();
        Ok(FrameRules {
            game: frame.rules.name.clone(),
            covering: *covering,
            joint_moves: Some(frame.joints),
            rules: Some(frame.rules.rules.len()),
            fnext: texts(&|rel| rel == frame.fnext),
            auxiliary: texts(&|rel| frame.is_new(rel) && rel != frame.fnext),
            next: texts(&|rel| rel == Rel::NEXT),
            notes: frame.notes.clone(),
            account: meter.account().cut_if(&["joint_moves", "fnext"], frame.stopped),
            text: notes + &rules,
        })
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> FrameRules {
        let parts = ["covering", "joint_moves", "rules", "fnext", "auxiliary", "next", "notes"];
        FrameRules { game: game.into(), account: Account::unknown(&parts), ..FrameRules::default() }
    }
}

impl FrameSteps {
    /// As `FrameRules::of`.
    pub fn of(
        game: &Game,
        question: &FrameQuestion,
        budget: &Budget,
        grounding: &Budget,
    ) -> Result<FrameSteps, Unanswered> {
        let meter = Meter::new(game, budget);
        let rules = FrameRules::of(game, question, budget, grounding)?;
        let reach = FrameReach::new(game.rules(), budget)?;
        let moves = covering(game.knowledge(), question.covering, &reach, budget, grounding)?;
        let steps = TranslationSteps::new(game.rules(), &question.basis, &moves, &reach, budget)?;
        let account = meter.account().cut_if(&["joint_moves"], moves.stopped);
        let (game, covering) = (game.name().into(), question.covering);
        Ok(FrameSteps { game, covering, steps, fnext: rules.fnext, account })
    }
}

impl fmt::Display for FrameSteps {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let steps = &self.steps;
        writeln!(f, "frame rules, next(f) <- true(f) & does & cond:")?;
        for (i, rule) in steps.frame_rules.iter().enumerate() {
            writeln!(f, "r{}: f = {}", i + 1, rule.fluent)?;
            writeln!(f, "    does = {{{}}}", rule.does.join(", "))?;
            writeln!(f, "    cond = {{{}}}", rule.cond.join(", "))?;
        }
        writeln!(f, "{} covering, general joint moves:", self.covering)?;
        for (i, joint) in steps.joint_moves.iter().enumerate() {
            let (does, differ) = (joint.does.join(", "), joint.inequalities.join(", "));
            writeln!(f, "M{0} = {{{does}}}, I_M{0} = {{{differ}}}", i + 1)?;
        }
        writeln!(f, "translation basis: {} with this covering", steps.basis.join(", "))?;
        for step in &steps.translations {
            let (atom, joint) = (&step.atom, step.joint_move);
            if step.unifiers.is_empty() {
                writeln!(f, "no frame rule speaks of {atom} and M{joint}")?;
            }
            for unifier in &step.unifiers {
                let equations = unifier.equations.join(" ");
                let rule = unifier.frame_rule;
                writeln!(f, "U_r{rule}({atom}, M{joint}): {equations}")?;
                writeln!(f, "r{rule}*({atom}, M{joint}): {}", steps.rewritten(step, unifier))?;
            }
            writeln!(f, "T_G({atom}, M{joint}):\n{}", step.first_order)?;
        }
        writeln!(f, "simplified:")?;
        self.fnext.iter().try_for_each(|rule| writeln!(f, "{rule}"))
    }
}

/// Some of the rules, by themselves.
fn part(frame: &Frame, wanted: impl Fn(&Rule) -> bool) -> Rules {
    let mut rules = frame.rules.clone();
    rules.rules = frame.rules.rules.iter().filter(|r| wanted(r)).cloned().collect();
    rules
}

impl fmt::Display for FrameRules {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}
