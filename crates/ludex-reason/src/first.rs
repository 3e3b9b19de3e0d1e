//! What the first state shows of a game that cannot be right: it is over at once, or somebody cannot move.

mod board;

use crate::interp::{Interp, Problem};
use crate::{Role, StateMachine};
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Rel, Rule, Rules, is_cause, is_chance, is_root};
use ludex_gdl::source::{Complaint, Report, Severity, Span};
use rustc_hash::FxHashSet;

/// So many rules for `terminal` are tried by themselves to find the one that holds.
const TRIED: usize = 20;

/// Adds what the first state shows to the report of the rules: below a slip of the pen that the report
/// already tells of, since that is the likely cause, and behind what is wrong with rules that the first state
/// hangs on. Whatever else the report tells comes of it, as likely as not.
pub fn first_state(rules: &Rules, report: &mut Report, budget: &Budget) -> Result<(), Problem> {
    let mut found = Report::default();
    let mut game = Interp::hasty(rules, budget)?;
    let initial = game.initial();
    let asked = if game.terminal(&initial) {
        over(rules, &mut found, budget)?;
        Rel::TERMINAL
    } else {
        stuck(&mut game, rules, &mut found);
        board::board(rules, &game.fact_terms(&initial), &mut found);
        Rel::LEGAL
    };
    game.problem().map_or(Ok(()), Err)?;
    let behind = behind(rules, asked);
    let within = |span: Span| {
        let holds = |rule: &&Rule| rule.span.start <= span.start && span.end <= rule.span.end;
        rules.rules.iter().filter(holds).any(|rule| behind.contains(&rule.head.rel))
    };
    place(found, report, |c| is_root(c) || is_cause(c) && c.span.is_none_or(within));
    Ok(())
}

/// The relations that one hangs on in the first state.
fn behind(rules: &Rules, asked: Rel) -> FxHashSet<Rel> {
    let (mut seen, mut todo) = (FxHashSet::default(), vec![asked, Rel::INIT]);
    while let Some(rel) = todo.pop() {
        if seen.insert(rel) {
            let body = rules.defining(rel).flat_map(|rule| &rule.body);
            todo.extend(body.filter_map(|literal| literal.atom()).map(|atom| atom.rel));
        }
    }
    seen
}

/// Puts what was seen below a slip of the pen that the report already tells of, or else behind what is its cause.
pub fn place(mut found: Report, report: &mut Report, is_cause: impl Fn(&Complaint) -> bool) {
    let slip = |c: &&mut Complaint| c.fix.is_some();
    match report.complaints.iter_mut().find(slip) {
        Some(cause) => cause.follows.append(&mut found.complaints),
        None if found.complaints.is_empty() => {}
        None => {
            let (causes, rest): (Vec<_>, Vec<_>) =
                report.complaints.drain(..).partition(|c| is_cause(c));
            report.complaints = [causes, found.complaints, rest].concat();
        }
    }
}

fn over(rules: &Rules, found: &mut Report, budget: &Budget) -> Result<(), Problem> {
    let holds = |rule: &Rule| -> Result<bool, Problem> {
        let mut alone = rules.clone();
        alone.rules.retain(|r| r.head.rel != Rel::TERMINAL || r.span == rule.span);
        let mut game = Interp::hasty(&alone, budget)?;
        let initial = game.initial();
        Ok(game.terminal(&initial))
    };
    let mut span = None;
    for rule in rules.defining(Rel::TERMINAL).take(TRIED) {
        if holds(rule)? {
            span = Some(rule.span);
            break;
        }
    }
    let message = "the game is over in its first state: terminal is true there";
    let hint = match span {
        Some(_) => "this rule holds at once: look at its conditions, and at init",
        None => "look at the conditions of terminal, and at init",
    };
    found.push(Severity::Warning, "over-at-start", span, message.into()).hint(hint);
    Ok(())
}

fn stuck(game: &mut Interp, rules: &Rules, found: &mut Report) {
    let initial = game.initial();
    for role in 0..game.roles() {
        let mut legal = Vec::new();
        game.legal(&initial, role, &mut legal);
        if legal.is_empty() {
            let name = game.role_text(role);
            let message = format!("{name} has no legal move in the first state");
            let hint = match is_chance(&name) {
                true => "chance needs a move too, such as noop",
                false => "a role that only waits needs a move such as noop",
            };
            let span = role_span(rules, role);
            found.push(Severity::Warning, "stuck-at-start", span, message).hint(hint);
        }
    }
}

/// Where a role is named, if roles are facts.
fn role_span(rules: &Rules, role: Role) -> Option<Span> {
    let facts: Vec<&Rule> = rules.defining(Rel::ROLE).collect();
    facts.iter().all(|r| r.body.is_empty()).then(|| facts.get(role).map(|r| r.span)).flatten()
}
