//! A few random matches: what goes wrong in them that no rule shows by itself.

mod all;
mod course;
mod values;

use crate::first::{behind, is_behind, place, why_stuck};
use crate::interp::{FactState, Interp, Problem};
use crate::{Move, Random, Role, StateMachine};
use course::FactCourse;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Rel, Rule, Rules, Term, is_cause, is_chance, is_root};
use ludex_gdl::source::{Report, Severity, Span};
use rustc_hash::FxHashSet;

/// So many matches, of so many joint moves.
const MATCHES: usize = 10;
const MOVES: usize = 300;
/// So many joint moves are told.
const TOLD: usize = 4;

/// So many facts are remembered.
const FACTS: usize = 200_000;

/// Adds to the report of the rules that a role cannot move, has no goal or several at
/// the end, that a match goes round and round, what becomes of facts that nobody can have meant, and that the best
/// goal is never reached. What the budget does not allow is not played, which is no fault.
pub fn few_matches(rules: &Rules, report: &mut Report, budget: &Budget) {
    let mut found = Report::default();
    if let Ok(mut game) = Interp::hasty(rules, budget) {
        let (mut random, mut told) = (Random::new(1), FxHashSet::default());
        let (mut courses, mut ended) = (vec![], true);
        for _ in 0..MATCHES {
            let (mut seen, mut course) = (Report::default(), FactCourse::default());
            let played = play(&mut game, rules, (&mut seen, &mut course), &mut random, budget);
            // What an engine said after a stop is not to be trusted.
            if played.is_err() || budget.check().is_err() {
                ended = false;
                break;
            }
            seen.complaints.retain(|c| told.insert((c.code, c.message.clone())));
            found.complaints.append(&mut seen.complaints);
            courses.push(course);
        }
        if ended {
            let roles: Vec<Term> = (0..game.roles()).map(|role| game.role_term(role)).collect();
            no_choice(&game, rules, &courses, &mut found);
            course::facts(rules, &roles, &courses, &mut found);
            values::facts(rules, &roles, &courses, &mut found);
            // What explains the rest comes first.
            found.complaints.sort_by_key(|c| {
                !matches!(c.code, "not-kept" | "not-ended" | "all-in-control" | "no-choice")
            });
            if found.complaints.is_empty() {
                all::best_goals(&mut game, rules, &mut found, budget);
            }
        }
    }
    // Who cannot move lacks moves: what only ends and goals hang on is not why.
    let stuck = found.complaints.first().is_some_and(|c| c.code == "no-legal-move");
    let behind = behind(rules, (Rel::LEGAL, true), &[Rel::INIT, Rel::NEXT]);
    place(found, report, |c| is_root(c) || is_cause(c) && (!stuck || is_behind(rules, &behind, c)));
}

fn play(
    game: &mut Interp,
    rules: &Rules,
    (seen, course): (&mut Report, &mut FactCourse),
    random: &mut Random,
    budget: &Budget,
) -> Result<(), Problem> {
    let (mut state, mut played, mut remembered) = (game.initial(), Vec::new(), 0);
    // The states since somebody had a choice.
    let mut forced = FxHashSet::default();
    for _ in 0..MOVES {
        budget.check()?;
        if remembered < FACTS / MATCHES {
            let facts = game.fact_terms(&state);
            remembered += facts.len();
            course.states.push(facts);
        }
        if game.terminal(&state) {
            goals(game, rules, (&state, course), (&played, seen));
            break;
        }
        let (mut joint, mut choice) = (Vec::new(), false);
        for role in 0..game.roles() {
            let mut legal = Vec::new();
            game.legal(&state, role, &mut legal);
            if legal.is_empty() {
                stuck(game, rules, (&state, role, course), (&played, seen));
                return game.problem().map_or(Ok(()), Err);
            }
            choice |= legal.len() > 1;
            if legal.len() > 1 {
                course.choosers.push(role);
            }
            joint.push(legal[random.below(legal.len())]);
        }
        if choice {
            forced.clear();
        } else if !forced.insert(state.clone()) {
            endless(game, rules, course, (&played, seen));
            break;
        }
        state = game.next(&state, &joint);
        played.push(joint);
    }
    game.problem().map_or(Ok(()), Err)
}

/// So many choices of others show that a role should have some, too.
const CHOICES: usize = 30;

/// One of several roles that never has a choice where others have many.
fn no_choice(game: &Interp, rules: &Rules, courses: &[FactCourse], seen: &mut Report) {
    let chosen =
        |role: Role| courses.iter().flat_map(|c| &c.choosers).filter(|r| **r == role).count();
    let busy = (0..game.roles()).find(|role| chosen(*role) >= CHOICES);
    let idle =
        (0..game.roles()).find(|role| chosen(*role) == 0 && !is_chance(&game.role_text(*role)));
    let (Some(busy), Some(idle)) = (busy, idle) else { return };
    let [busy, idle] = [busy, idle].map(|role| game.role_text(role));
    let message = format!(
        "{idle} never had a choice in {} random matches, and {busy} had many",
        courses.len()
    );
    let span = rule_about(rules, Rel::LEGAL, &idle, None);
    let hint = format!("is the turn handed on to {idle}?");
    seen.push(Severity::Warning, "no-choice", span, message).hint(hint);
}

fn endless(
    game: &Interp,
    rules: &Rules,
    course: &FactCourse,
    (played, seen): (&[Vec<Move>], &mut Report),
) {
    let message = "a match never ends: the same states repeat, and nobody has another move";
    let rule = rules.defining(Rel::TERMINAL).next();
    let still = course::constant(rules, course).zip(rule);
    let still = still.map(|(fact, rule)| format!("{} stays true", rules.term_text(fact, rule)));
    let hint = still.into_iter().chain([way(game, played)]).collect::<Vec<_>>().join("; ");
    let span = rule.map(|rule| rule.span);
    seen.push(Severity::Warning, "endless-match", span, message.into()).hint(hint);
}

fn stuck(
    game: &mut Interp,
    rules: &Rules,
    (state, role, course): (&FactState, Role, &FactCourse),
    (played, seen): (&[Vec<Move>], &mut Report),
) {
    let name = game.role_text(role);
    let message = format!("{name} has no legal move in a state that is not terminal");
    let why = course::lost(rules, course, Rel::LEGAL, &game.role_term(role));
    let why = why.unwrap_or_else(|| why_stuck(game, rules, state, role));
    let hint = format!("{why}; {}", way(game, played));
    let span = rule_about(rules, Rel::LEGAL, &name, None);
    seen.push(Severity::Warning, "no-legal-move", span, message).hint(hint);
}

fn goals(
    game: &mut Interp,
    rules: &Rules,
    (state, course): (&FactState, &FactCourse),
    (played, seen): (&[Vec<Move>], &mut Report),
) {
    for role in 0..game.roles() {
        let (name, mut values) = (game.role_text(role), game.goal_texts(state, role));
        values.sort_unstable();
        let message = match &values[..] {
            [] if is_chance(&name) => continue,
            [one] if one.parse::<i32>().is_ok() => continue,
            [] => format!("{name} has no goal value in a terminal state"),
            [one] => format!("the goal value of {name} is {one}, which is not an integer"),
            [first @ .., last] => format!(
                "{name} has {} goal values in a terminal state: {} and {last}",
                values.len(),
                first.join(", ")
            ),
        };
        let span = rule_about(rules, Rel::GOAL, &name, values.last().map(String::as_str));
        let why = match values.is_empty() {
            true => course::lost(rules, course, Rel::GOAL, &game.role_term(role)),
            false => None,
        };
        let hint = why.into_iter().chain([way(game, played)]).collect::<Vec<_>>().join("; ");
        seen.push(Severity::Warning, "not-one-goal", span, message).hint(hint);
    }
}

/// The moves that lead there.
fn way(game: &Interp, played: &[Vec<Move>]) -> String {
    let text = |joint: &Vec<Move>| {
        let moves = joint.iter().enumerate().map(|(role, m)| game.move_text(role, *m));
        moves.collect::<Vec<_>>().join(" ")
    };
    let last: Vec<String> = played.iter().rev().take(TOLD).rev().map(text).collect();
    match (played.len(), last.join(", ")) {
        (0, _) => "so it is in the first state".into(),
        (n, moves) if n <= TOLD => format!("seen after {moves}"),
        (n, moves) => format!("seen after {n} moves, the last of them {moves}"),
    }
}

/// A rule about a role, with this value where there is one.
fn rule_about(rules: &Rules, rel: Rel, role: &str, value: Option<&str>) -> Option<Span> {
    let names = |term: &Term, name: &str| match term {
        Term::App(f, args) => args.is_empty() && rules.symbols.name(*f).eq_ignore_ascii_case(name),
        Term::Var(_) => false,
    };
    let is_value = |rule: &&Rule| value.is_none_or(|v| names(&rule.head.args[1], v));
    let about = |rule: &&Rule| names(&rule.head.args[0], role);
    let of_value: Vec<&Rule> = rules.defining(rel).filter(is_value).collect();
    of_value.iter().find(|r| about(r)).or(of_value.first()).map(|rule| rule.span)
}
