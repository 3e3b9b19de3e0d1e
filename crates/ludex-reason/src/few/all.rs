//! All states of a small puzzle: whether its role can ever get what its best rule for `goal` promises.

use super::course::{kind, name, read_by};
use crate::interp::{FactState, Interp};
use crate::{Joints, StateMachine};
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Literal, Rel, Rule, Rules, Term};
use ludex_gdl::source::{Report, Severity, Span};
use rustc_hash::FxHashSet;

/// So many states are looked at.
const STATES: usize = 20_000;

/// The values that ends of the game have for every role.
type GoalValues = Vec<FxHashSet<i32>>;

/// Complains where the game was seen to its ends and the best value of the role is not among them. Between
/// several roles the rules may well favour one.
pub fn best_goals(game: &mut Interp, rules: &Rules, report: &mut Report, budget: &Budget) {
    if game.roles() > 1 {
        return;
    }
    let Some((states, values)) = ends(game, budget) else { return };
    for (role, reached) in values.iter().enumerate() {
        let name = game.role_text(role);
        let Some((best, span)) = promised(rules, &game.role_term(role)) else { continue };
        if reached.is_empty() || reached.iter().any(|value| *value >= best) {
            continue;
        }
        let most = reached.iter().max().expect("not empty");
        let message = format!("{name} never gets {best}: {most} is the most, whatever is played");
        let hint = format!("all {states} states of the game were visited");
        match forgotten(rules) {
            None => {
                report.push(Severity::Warning, "unreachable-goal", Some(span), message).hint(hint);
            }
            Some((fact, span)) => {
                let lost = format!("{fact} is lost after one move: no rule for next keeps it");
                let told = report.push(Severity::Warning, "not-kept", Some(span), lost);
                told.hint(format!("{message}: {hint}"));
            }
        }
    }
}

/// A fact that a move makes, that other moves hang on, and that no rule keeps.
fn forgotten(rules: &Rules) -> Option<(&str, Span)> {
    let read = read_by(rules, Rel::LEGAL);
    let rules_of = |of| {
        rules.defining(Rel::NEXT).filter(move |r| r.head.args.first().and_then(kind) == Some(of))
    };
    let asks = |rule: &Rule, of| {
        rule.body
            .iter()
            .filter_map(Literal::atom)
            .any(|a| a.args.first().and_then(kind) == Some(of))
    };
    let begins =
        |of| rules.defining(Rel::INIT).any(|r| r.head.args.first().and_then(kind) == Some(of));
    let mut made =
        rules.defining(Rel::NEXT).filter_map(|r| Some((kind(r.head.args.first()?)?, r.span)));
    let (of, span) = made.find(|(of, _)| {
        read.contains(of) && !begins(*of) && !rules_of(*of).any(|rule| asks(rule, *of))
    })?;
    Some((name(rules, of), span))
}

/// The highest value that a rule for `goal` has for a role.
fn promised(rules: &Rules, role: &Term) -> Option<(i32, Span)> {
    let of_rule = rules.defining(Rel::GOAL).filter_map(|rule| {
        let [about, Term::App(value, args)] = &rule.head.args[..] else { return None };
        let fits = args.is_empty() && (about == role || matches!(about, Term::Var(_)));
        let value = rules.symbols.name(*value).parse().ok().filter(|_| fits)?;
        Some((value, rule.span))
    });
    of_rule.max_by_key(|(value, _)| *value)
}

/// How many states there are, and the values at their ends; none where there are too many.
fn ends(game: &mut Interp, budget: &Budget) -> Option<(usize, GoalValues)> {
    let first = game.initial();
    let mut seen: FxHashSet<FactState> = FxHashSet::from_iter([first.clone()]);
    let (mut todo, mut values) = (vec![first], vec![FxHashSet::default(); game.roles()]);
    while let Some(state) = todo.pop() {
        budget.check().ok()?;
        if game.terminal(&state) {
            for (role, values) in values.iter_mut().enumerate() {
                values.extend(game.goal(&state, role));
            }
            continue;
        }
        for joint in Joints::of(game, &state) {
            let next = game.next(&state, &joint);
            if seen.insert(next.clone()) {
                todo.push(next);
            }
            if seen.len() > STATES {
                return None;
            }
        }
    }
    game.problem().is_none().then_some((seen.len(), values))
}
