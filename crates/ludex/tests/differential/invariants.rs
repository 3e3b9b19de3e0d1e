//! What is proved of a game holds in every state that is reached; what is refuted fails at the end of its line.

use crate::graph::{Graph, Seen};
use crate::subject::{Failure, Stop, Subject, failed};
use ludex::facts::invariants::{InvariantKind, Invariants};
use ludex::facts::lemmas::Lemma;
use ludex::prove::Verdict;

const PART: &str = "invariants";

pub fn check(subject: &Subject, found: &Invariants) -> Result<(), Failure> {
    for invariant in &found.found {
        let wrong = |how: &str| Err(failed(PART, format!("{how}: {}", found.text(invariant))));
        let said = (invariant.kind, &invariant.about[..]);
        match &invariant.verdict {
            Verdict::Proved { .. } if !holds(subject, said) => return wrong("proved"),
            Verdict::Refuted { moves } => match subject.play(moves) {
                Some(line) if fails_at(subject, said, &line) => {}
                _ => return wrong("refuted"),
            },
            _ => {}
        }
    }
    Ok(())
}

/// What all analyses together have proved.
pub fn lemmas(subject: &Subject) -> Result<(), Failure> {
    let Some(known) = subject.knowledge.known() else { return Ok(()) };
    for (number, Lemma { kind, about, by, .. }) in known.iter().enumerate() {
        if !holds(subject, (*kind, about)) {
            return Err(failed("lemmas", format!("proved by {by}: {}", known.text(number))));
        }
    }
    Ok(())
}

/// What is said, and of what.
type Said<'a> = (InvariantKind, &'a [usize]);

/// A state and the bases that hold in it.
struct Place<'a> {
    facts: &'a [String],
    seen: &'a Seen,
}

/// Whether an invariant of single states holds in one; those of steps hold in each.
fn holds_in(subject: &Subject, (kind, about): Said, place: &Place) -> bool {
    let is = |b: &usize| place.facts.binary_search(&subject.net().bases[*b].name).is_ok();
    let count = || about.iter().filter(|b| is(b)).count();
    let Seen { terminal, legal, goals } = place.seen;
    match kind {
        InvariantKind::ExactlyOne => count() == 1,
        InvariantKind::AtMostOne => count() <= 1,
        InvariantKind::AtLeastOne | InvariantKind::SomeOf => count() >= 1,
        InvariantKind::AlwaysTrue => count() == 1,
        InvariantKind::AlwaysFalse => count() == 0,
        InvariantKind::Equivalent => count() != 1,
        InvariantKind::Implies => !is(&about[0]) || is(&about[1]),
        InvariantKind::OnlyWith(n) => !about[..n].iter().any(is) || about[n..].iter().any(is),
        InvariantKind::NeverWith(n) => !about[..n].iter().any(is) || !about[n..].iter().any(is),
        InvariantKind::Turn => *terminal || legal[about[0]].len() <= 1 || about[1..].iter().any(is),
        InvariantKind::Mobility => *terminal || !legal[about[0]].is_empty(),
        InvariantKind::OneGoal => !terminal || goals[about[0]].is_some(),
        InvariantKind::ConstantSum(sum) => {
            !terminal || goals.iter().copied().sum::<Option<i32>>() == Some(sum)
        }
        InvariantKind::Persistent
        | InvariantKind::NeverReturns
        | InvariantKind::Alternation
        | InvariantKind::Termination(_) => true,
    }
}

fn holds(subject: &Subject, (kind, about): Said) -> bool {
    let is = |facts: &[String], b: usize| facts.binary_search(&subject.net().bases[b].name).is_ok();
    let steps = || subject.graph.steps().map(|(from, _, to)| (&from.facts[..], &to.facts[..]));
    match kind {
        InvariantKind::Persistent => {
            steps().all(|(from, to)| !is(from, about[0]) || is(to, about[0]))
        }
        InvariantKind::NeverReturns => {
            steps().all(|(from, to)| is(from, about[0]) || !is(to, about[0]))
        }
        InvariantKind::Alternation => steps().all(|(from, to)| {
            let at = about.iter().position(|b| is(from, *b));
            at.is_none_or(|at| is(to, about[(at + 1) % about.len()]))
        }),
        InvariantKind::Termination(most) => {
            longest(&subject.graph).is_some_and(|steps| steps <= most)
        }
        _ => {
            let mut places = subject.graph.proper();
            places.all(|(node, seen)| {
                holds_in(subject, (kind, about), &Place { facts: &node.facts, seen })
            })
        }
    }
}

fn fails_at(subject: &Subject, said: Said, line: &[Stop]) -> bool {
    let (last, before) = line.split_last().expect("the first state");
    if matches!(said.0, InvariantKind::Termination(_)) {
        return before.iter().any(|stop| stop.facts == last.facts);
    }
    !holds_in(subject, said, &Place { facts: &last.facts, seen: &last.seen })
}

/// The length of the longest match; none where play comes back to a state.
fn longest(graph: &Graph) -> Option<usize> {
    fn from(graph: &Graph, at: usize, known: &mut [Option<Option<usize>>]) -> Option<usize> {
        if let Some(known) = known[at] {
            return known;
        }
        // Met again before it is known: play comes back.
        known[at] = Some(None);
        let node = &graph.states[at];
        let over = node.seen.as_ref().is_none_or(|s| s.terminal);
        let mut longest = 0;
        for step in node.steps.iter().filter(|_| !over) {
            longest = longest.max(1 + from(graph, step.to, known)?);
        }
        known[at] = Some(Some(longest));
        Some(longest)
    }
    from(graph, 0, &mut vec![None; graph.states.len()])
}
