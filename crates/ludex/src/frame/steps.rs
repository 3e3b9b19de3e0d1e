//! `Rules` -> `FrameSteps`: every step of the translation, as the paper names them, in KIF.

use super::joint::{Joint, MoveCovering};
use super::reach::FrameReach;
use super::rule::FrameRule;
use super::transition::{Transition, names};
use super::{Basis, frames_for, vars};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Term};
use ludex_gdl::source::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The steps from frame rules to first-order fnext rules.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TranslationSteps {
    /// The frame rules of the game.
    pub frame_rules: Vec<FrameRuleParts>,
    /// The move covering.
    pub joint_moves: Vec<JointMoveText>,
    /// The atoms of the translation basis, each with the covering.
    pub basis: Vec<String>,
    /// One for each atom and joint move.
    pub translations: Vec<TranslationStep>,
}

/// A frame rule: `next(f) <- true(f) & does & cond`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FrameRuleParts {
    /// The whole.
    pub rule: String,
    /// f.
    pub fluent: String,
    /// Its positive conditions on moves.
    pub does: Vec<String>,
    /// What is left of its conditions.
    pub cond: Vec<String>,
}

/// A general joint move and the inequalities between its roles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JointMoveText {
    /// One atom a role.
    pub does: Vec<String>,
    /// That the roles are different ones.
    pub inequalities: Vec<String>,
}

/// `T_G(a, M)` and what it is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TranslationStep {
    /// `next(f)`.
    pub atom: String,
    /// The number of the joint move, from 1.
    pub joint_move: usize,
    /// Frame rules of the atom, by number from 1.
    pub frame_rules: Vec<usize>,
    /// The most general unifiers, with the number of the frame rule.
    pub unifiers: Vec<UnifierText>,
    /// The rule itself.
    pub first_order: String,
}

/// A most general unifier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnifierText {
    /// The number of the frame rule, from 1.
    pub frame_rule: usize,
    /// What the variables are that it replaces.
    pub equations: Vec<String>,
}

/// More translations are not told one by one.
const MOST: usize = 2_000;

impl TranslationSteps {
    /// Of a basis whose atoms all have the same covering.
    pub fn new(
        rules: &Rules,
        basis: &Basis,
        moves: &MoveCovering,
        reach: &FrameReach,
        budget: &Budget,
    ) -> Result<TranslationSteps, Stop> {
        let frames = FrameRule::all(rules);
        let fluents = basis.fluents(rules, reach, &frames);
        let mut translations = Vec::new();
        for fluent in &fluents {
            for (number, joint) in moves.joints.iter().enumerate() {
                budget.check()?;
                if translations.len() < MOST {
                    translations.push(step(rules, &frames, fluent, (number, joint), moves.vars));
                }
            }
        }
        Ok(TranslationSteps {
            frame_rules: frames.iter().map(|frame| parts(rules, frame)).collect(),
            joint_moves: moves.joints.iter().map(|joint| joint_text(rules, joint)).collect(),
            basis: fluents.iter().map(|fluent| atom_text(rules, fluent)).collect(),
            translations,
        })
    }
}

impl TranslationSteps {
    /// A frame rule as it speaks of an atom and a joint move, by a unifier: the paper's r*(a, M).
    pub fn rewritten(&self, step: &TranslationStep, unifier: &UnifierText) -> String {
        let fluent = step.atom.strip_prefix("(next").unwrap_or(&step.atom);
        let joint = &self.joint_moves[step.joint_move - 1];
        let cond = &self.frame_rules[unifier.frame_rule - 1].cond;
        let parts = [&joint.does, &joint.inequalities, cond, &unifier.equations];
        let parts: Vec<String> = parts.into_iter().flatten().cloned().collect();
        format!("(<= {} (true{fluent} {})", step.atom, parts.join(" "))
    }
}

fn named(vars: Vec<String>) -> Rule {
    let head = Atom { rel: Rel::TERMINAL, args: vec![] };
    Rule { head, body: vec![], vars, span: Span::default() }
}

fn parts(rules: &Rules, frame: &FrameRule) -> FrameRuleParts {
    let own = named(frame.vars.clone());
    let literal = |l: &Literal| rules.literal_text(l, &own);
    FrameRuleParts {
        rule: rules.rule_text(&rules.rules[frame.number]),
        fluent: rules.term_text(&frame.fluent, &own),
        does: frame.does.iter().map(|a| rules.atom_text(a, &own)).collect(),
        cond: frame.cond.iter().map(literal).collect(),
    }
}

fn joint_text(rules: &Rules, joint: &Joint) -> JointMoveText {
    let most = joint.does.iter().flat_map(|a| &a.args).map(vars).max().unwrap_or(0);
    let own = named(names(0, most));
    let differ = Joint::inequalities(&joint.does);
    JointMoveText {
        does: joint.does.iter().map(|a| rules.atom_text(a, &own)).collect(),
        inequalities: differ.iter().map(|l| rules.literal_text(l, &own)).collect(),
    }
}

fn atom_text(rules: &Rules, fluent: &Term) -> String {
    let most = vars(fluent);
    format!("(next {})", rules.term_text(fluent, &named(names(most, most))))
}

fn step(
    rules: &Rules,
    frames: &[FrameRule],
    fluent: &Term,
    (number, joint): (usize, &Joint),
    width: u32,
) -> TranslationStep {
    let own: Vec<&FrameRule> = frames_for(frames, fluent).collect();
    let place = |rule: &FrameRule| frames.iter().position(|f| f.number == rule.number);
    let transition = Transition::new(frames, fluent, vars(fluent), joint, width);
    let unifiers = transition.kept.iter().map(|kept| UnifierText {
        frame_rule: place(&kept.rule).expect("one of them") + 1,
        equations: transition.equations(rules, kept),
    });
    TranslationStep {
        atom: atom_text(rules, fluent),
        joint_move: number + 1,
        frame_rules: own.iter().filter_map(|rule| Some(place(rule)? + 1)).collect(),
        unifiers: unifiers.collect(),
        first_order: transition.text(rules),
    }
}
