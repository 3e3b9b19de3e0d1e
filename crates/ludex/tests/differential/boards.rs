//! Invariants, and projections: those that are proved give the same set in every state; refuting lines end where they do not.

use crate::invariants;
use crate::rules::Term;
use crate::subject::{Failure, Subject, failed, refused};
use crate::watch::limited;
use ludex::budget::{Budget, Stop};
use ludex::facts::boards::{ProjectionVerdict, RelationBoards};
use ludex::interp::Problem;
use std::collections::BTreeSet;

const PART: &str = "boards";

pub fn boards(subject: &Subject) -> Result<(), Failure> {
    let knowledge = &subject.knowledge;
    let (budget, all) = (Budget::unlimited(), f64::INFINITY);
    let bases = knowledge.bases(&budget).map_err(|p| refused(PART, p))?;
    let boards = limited(|budget| knowledge.boards(budget, all, &mut |_| ()));
    let boards = match boards {
        // On a busy machine there may be no time to begin.
        Err(Problem::Stopped(_)) => return Ok(()),
        boards => boards.map_err(|why| refused(PART, why))?,
    };
    let stopped = Budget::unlimited();
    stopped.stop(Stop::Time);
    let invariants = knowledge.invariants(&stopped).map_err(|why| refused(PART, why))?;
    invariants::check(subject, &invariants)?;
    boards.relations.iter().try_for_each(|r| check(subject, &bases.facts, r))
}

fn check(subject: &Subject, all: &[String], relation: &RelationBoards) -> Result<(), Failure> {
    let wrong = |places: &[usize], what: &str| {
        failed(PART, format!("{} {places:?} {what}", relation.relation))
    };
    for projection in &relation.projections {
        let places = &projection.places;
        let project = |facts: &[String]| projected(facts, relation, places);
        let whole = project(all);
        match &projection.answer {
            ProjectionVerdict::Proved { .. } | ProjectionVerdict::Visited { .. } => {
                let mut states = subject.graph.states.iter().filter(|n| n.proper);
                if let Some(node) = states.find(|n| project(&n.facts) != whole) {
                    let what = format!("is not invariant in {:?}", node.facts);
                    return Err(wrong(places, &what));
                }
            }
            ProjectionVerdict::Refuted { moves } => {
                let line = subject.play(moves);
                let line = line.ok_or_else(|| wrong(places, "is refuted by no line of play"))?;
                if project(&line.last().expect("the first state").facts) == whole {
                    return Err(wrong(places, "holds at the end of the line that refutes it"));
                }
            }
            ProjectionVerdict::NotInitial { .. } => {
                if project(&subject.graph.states[0].facts) == whole {
                    return Err(wrong(places, "holds at first"));
                }
            }
            ProjectionVerdict::Undecided { .. } | ProjectionVerdict::Unknown => {}
        }
    }
    for places in &relation.partial {
        for node in subject.graph.states.iter().filter(|n| n.proper) {
            let facts = node.facts.iter().filter(|f| parts(f, relation).is_some()).count();
            if projected(&node.facts, relation, places).len() != facts {
                let what = format!("holds two facts a place in {:?}", node.facts);
                return Err(wrong(places, &what));
            }
        }
    }
    Ok(())
}

/// The values of some arguments (from 1) of the facts of a relation.
fn projected(
    facts: &[String],
    relation: &RelationBoards,
    places: &[usize],
) -> BTreeSet<Vec<String>> {
    let args = facts.iter().filter_map(|f| parts(f, relation));
    args.map(|args| places.iter().map(|p| args[p - 1].clone()).collect()).collect()
}

/// The arguments of a fact of a relation.
fn parts(fact: &str, relation: &RelationBoards) -> Option<Vec<String>> {
    match Term::read(fact) {
        Term::App(name, args) if name == relation.relation && args.len() == relation.arity => {
            Some(args.iter().map(Term::to_string).collect())
        }
        _ => None,
    }
}
