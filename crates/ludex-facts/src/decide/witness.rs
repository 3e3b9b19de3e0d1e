//! Refuting lines of invariants, played again on the reference reasoner.

use super::play;
use crate::invariants::{Invariant, InvariantKind, Invariants};
use crate::prove::Verdict;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_reason::interp::Interp;
use ludex_reason::{View, view};

impl Invariants {
    /// Takes back what the reference reasoner does not see to fail before the budget ends.
    pub fn confirm(&mut self, rules: &Rules, budget: &Budget) {
        let refuted = |i: &Invariant| matches!(i.verdict, Verdict::Refuted { .. });
        if !self.found.iter().any(refuted) {
            return;
        }
        let interp = Interp::hasty(rules, budget).ok();
        for i in 0..self.found.len() {
            let Verdict::Refuted { moves } = &self.found[i].verdict else { continue };
            let line = self.texts(moves);
            let fails = interp.clone().and_then(|mut interp| {
                let states = play(&mut interp, &line)?;
                let (last, before) = states.split_last()?;
                let fails = match self.found[i].kind {
                    // Play has come back to where it was.
                    InvariantKind::Termination(_) => before.contains(last),
                    _ => self.fails(&self.found[i], &view(&mut interp, last)),
                };
                budget.check().ok().map(|()| fails)
            });
            if fails != Some(true) {
                self.found[i].verdict = Verdict::Unknown { k: 0 };
            }
        }
    }

    /// A line of play as text.
    pub fn texts(&self, moves: &[Vec<usize>]) -> Vec<Vec<String>> {
        let text = |i: &usize| self.net.inputs[*i].name.clone();
        moves.iter().map(|joint| joint.iter().map(text).collect()).collect()
    }

    /// Whether an invariant of single states fails in one.
    fn fails(&self, invariant: &Invariant, seen: &View) -> bool {
        let about = &invariant.about;
        let holds = |b: &usize| seen.facts.contains(&self.net.bases[*b].name);
        let count = || about.iter().filter(|b| holds(b)).count();
        match invariant.kind {
            InvariantKind::ExactlyOne => count() != 1,
            InvariantKind::AtMostOne => count() > 1,
            InvariantKind::AtLeastOne | InvariantKind::SomeOf | InvariantKind::AlwaysTrue => {
                count() == 0
            }
            InvariantKind::AlwaysFalse => count() == 1,
            InvariantKind::Equivalent => count() == 1,
            InvariantKind::Implies => holds(&about[0]) && !holds(&about[1]),
            InvariantKind::OnlyWith(n) => {
                about[..n].iter().any(holds) && !about[n..].iter().any(holds)
            }
            InvariantKind::NeverWith(n) => {
                about[..n].iter().any(holds) && about[n..].iter().any(holds)
            }
            InvariantKind::Mobility => !seen.terminal && seen.legal[about[0]].is_empty(),
            InvariantKind::OneGoal => seen.terminal && seen.goals[about[0]].is_none(),
            InvariantKind::ConstantSum(sum) => {
                seen.terminal && seen.goals.iter().copied().sum::<Option<i32>>() != Some(sum)
            }
            InvariantKind::Persistent
            | InvariantKind::NeverReturns
            | InvariantKind::Turn
            | InvariantKind::Alternation
            | InvariantKind::Termination(_) => false,
        }
    }
}
