//! Solved values: the same with and without every shortcut, those of plain recursion over all states, and a
//! line that leads to them.

use crate::graph::Graph;
use crate::subject::{Failure, Subject, failed};
use crate::watch::limited;
use ludex::budget::{Budget, Proving};
use ludex::knowledge::Knowledge;
use ludex::search::solve::{self, Settings, Solution, Symmetry, solve};
use std::sync::Arc;

const PART: &str = "solve";

/// Settings that must all lead to the same values.
fn ways() -> [(&'static str, Settings); 6] {
    let all = Settings { bytes: 4_000_000, ..Settings::default() };
    [
        ("everything", all.clone()),
        (
            "nothing",
            Settings { symmetry: Symmetry::None, factoring: false, latches: false, ..all.clone() },
        ),
        ("no symmetries", Settings { symmetry: Symmetry::None, ..all.clone() }),
        ("symmetric moves", Settings { symmetry: Symmetry::Moves, ..all.clone() }),
        ("no factoring", Settings { factoring: false, ..all.clone() }),
        ("no latches", Settings { latches: false, ..all }),
    ]
}

pub fn solving(subject: &Subject) -> Result<(), Failure> {
    if !subject.graph.complete {
        return Ok(());
    }
    let mut first: Option<Solution> = None;
    for (way, settings) in &ways() {
        let state = subject.net().bases.iter().map(|b| b.initial).collect();
        let knowledge = Arc::new(Knowledge::of_net(subject.net().clone()));
        let question = solve::Subject { knowledge, net: subject.net().clone(), state };
        let budget = Budget::unlimited();
        let found = limited(|proofs| solve(&question, settings, &budget, Proving(proofs)));
        line(subject, way, &found)?;
        if found.stop.is_some() {
            continue;
        }
        let first = first.get_or_insert_with(|| found.clone());
        if (&found.values, found.complete) != (&first.values, first.complete) {
            let what = format!("{way}: {:?} and not {:?}", found.values, first.values);
            return Err(failed(PART, what));
        }
    }
    first.map_or(Ok(()), |first| measure(subject, &first))
}

/// The values as whole numbers.
fn whole(found: &Solution) -> Option<Vec<i32>> {
    let number = |v: &solve::Value| v.is_integer().then(|| v.to_string().parse().expect("digits"));
    found.values.as_ref()?.iter().map(number).collect()
}

/// A line of best play that ends is played to its end, which is worth the values.
fn line(subject: &Subject, way: &str, found: &Solution) -> Result<(), Failure> {
    let moves: Vec<Vec<usize>> =
        found.line.iter().map(|j| j.iter().map(|m| m.0 as usize).collect()).collect();
    let wrong = |what: &str| failed(PART, format!("{way}: {what}: {found:?}"));
    let stops = subject.play(&moves).ok_or_else(|| wrong("the line is none of play"))?;
    let end = &stops.last().expect("the first state").seen;
    let goals: Vec<i32> = end.goals.iter().map(|g| g.unwrap_or(0)).collect();
    match whole(found) {
        Some(values) if !moves.is_empty() && end.terminal && values != goals => {
            Err(wrong(&format!("the line leads to {goals:?}")))
        }
        _ => Ok(()),
    }
}

/// Compares with what the states themselves say.
fn measure(subject: &Subject, found: &Solution) -> Result<(), Failure> {
    let graph = &subject.graph;
    let wrong = |what: &str, measure: &dyn std::fmt::Debug| {
        Err(failed(PART, format!("{what} {measure:?} and not {:?}: {found:?}", found.values)))
    };
    if graph.roles.len() == 1 {
        let best = ends(graph).map(|goals| goals[0]).max();
        let own = whole(found).map(|v| v[0]);
        return if own == best { Ok(()) } else { wrong("the best end is worth", &best) };
    }
    match induction(graph) {
        Some(values) if whole(found).as_ref() != Some(&values) => {
            wrong("backward induction gives", &values)
        }
        Some(_) => Ok(()),
        None => match (forced(graph), whole(found)) {
            (Some((least, most)), Some(values)) if values[0] < least || values[0] > most => {
                wrong("the first role can force, and be kept to,", &(least, most))
            }
            _ => Ok(()),
        },
    }
}

/// The goals at all ends: terminal states, and those where a role cannot move. No goal counts as 0.
fn ends(graph: &Graph) -> impl Iterator<Item = Vec<i32>> + '_ {
    let over = graph.proper().filter(|(node, seen)| seen.terminal || node.steps.is_empty());
    over.map(|(_, seen)| seen.goals.iter().map(|g| g.unwrap_or(0)).collect())
}

/// What all roles get if each takes what is best for it, then worst for the others together, then least in role
/// order. None where roles choose together or play comes back.
fn induction(graph: &Graph) -> Option<Vec<i32>> {
    let mut known = vec![None; graph.states.len()];
    value(graph, 0, &mut known)
}

type Known = Option<Option<Vec<i32>>>;

fn value(graph: &Graph, at: usize, known: &mut [Known]) -> Option<Vec<i32>> {
    if let Some(known) = &known[at] {
        return known.clone();
    }
    // What is met again before it has a value comes back.
    known[at] = Some(None);
    let node = &graph.states[at];
    let seen = node.seen.as_ref().expect("a complete graph");
    if seen.terminal || node.steps.is_empty() {
        known[at] = Some(Some(seen.goals.iter().map(|g| g.unwrap_or(0)).collect()));
        return known[at].clone()?;
    }
    let choosers: Vec<usize> = (0..seen.legal.len()).filter(|r| seen.legal[*r].len() > 1).collect();
    if choosers.len() > 1 {
        return None;
    }
    let role = choosers.first().copied().unwrap_or(0);
    let mut best: Option<(_, Vec<i32>)> = None;
    for step in &node.steps {
        let found = value(graph, step.to, known)?;
        let others: i32 = found.iter().sum::<i32>() - found[role];
        let key = (found[role], -others, found.iter().map(|v| -v).collect::<Vec<_>>());
        if best.as_ref().is_none_or(|(b, _)| key > *b) {
            best = Some((key, found));
        }
    }
    known[at] = Some(best.map(|b| b.1));
    known[at].clone()?
}

/// In a game of two roles whose goals always add up to the same: what the first can force, whatever the other
/// does after it, and to what it can be kept. None for other games, or where play may not end.
fn forced(graph: &Graph) -> Option<(i32, i32)> {
    let mut sums = ends(graph).map(|goals| goals.iter().sum::<i32>());
    let sum = sums.next()?;
    if graph.roles.len() != 2 || sums.any(|s| s != sum) {
        return None;
    }
    let mut known = vec![None; graph.states.len()];
    bounds(graph, 0, &mut known)
}

type Bounds = Option<Option<(i32, i32)>>;

fn bounds(graph: &Graph, at: usize, known: &mut [Bounds]) -> Option<(i32, i32)> {
    if let Some(known) = known[at] {
        return known;
    }
    known[at] = Some(None);
    let node = &graph.states[at];
    let seen = node.seen.as_ref().expect("a complete graph");
    if seen.terminal || node.steps.is_empty() {
        let goal = seen.goals[0].unwrap_or(0);
        known[at] = Some(Some((goal, goal)));
        return known[at]?;
    }
    let mut least = vec![i32::MAX; seen.legal[0].len()];
    let mut most = vec![i32::MIN; seen.legal[1].len()];
    for step in &node.steps {
        let (low, high) = bounds(graph, step.to, known)?;
        least[step.joint[0]] = least[step.joint[0]].min(low);
        most[step.joint[1]] = most[step.joint[1]].max(high);
    }
    known[at] = Some(Some((*least.iter().max()?, *most.iter().min()?)));
    known[at]?
}
