//! Facts and views that are said to keep their value do so in every step; folded games play the same.

use crate::graph::Seen;
use crate::subject::{Failure, Subject, failed, refused};
use crate::watch::limited;
use ludex::budget::Budget;
use ludex::facts::latches::{LatchValue, SideBySide, fold};
use ludex::ground::NotGround;
use ludex::net::Lit;

const PART: &str = "latches";

pub fn latches(subject: &Subject) -> Result<(), Failure> {
    let net = subject.net();
    let found = limited(|budget| subject.knowledge.latches(budget, f64::INFINITY));
    let found = match found {
        // On a busy machine there may be no time to begin.
        Err(NotGround::Stopped(_)) => return Ok(()),
        found => found.map_err(|why| refused(PART, why))?,
    };
    let listed = [(&found.positive, true), (&found.negative, false)];
    for (bases, value) in listed {
        for base in bases {
            let name = &net.bases[*base].name;
            keeps(subject, name, value, |facts, _| facts.binary_search(name).is_ok())?;
        }
    }
    let mut views: Vec<(String, Lit, Reads)> =
        vec![("terminal".into(), net.terminal, Box::new(|_, seen| seen.terminal))];
    for input in &net.inputs {
        let (role, name) = (input.role, input.name.clone());
        let what = format!("legal {role} {name}");
        let reads = move |_: &[String], seen: &Seen| seen.legal[role].binary_search(&name).is_ok();
        views.push((what, input.legal, Box::new(reads)));
    }
    for (what, lit, reads) in &views {
        if let Some(value) = found.stays(*lit) {
            keeps(subject, what, value == LatchValue::True, reads)?;
        }
    }
    Ok(())
}

/// What a view says of facts and what is seen.
type Reads = Box<dyn Fn(&[String], &Seen) -> bool>;

/// Once a view has this value it keeps it.
fn keeps(
    subject: &Subject,
    what: &str,
    value: bool,
    reads: impl Fn(&[String], &Seen) -> bool,
) -> Result<(), Failure> {
    for (from, _, to) in subject.graph.steps() {
        let (Some(before), Some(after)) = (&from.seen, &to.seen) else { continue };
        if reads(&from.facts, before) == value && reads(&to.facts, after) != value {
            let what =
                format!("{what} does not stay {value}: {:?}, then {:?}", from.facts, to.facts);
            return Err(failed(PART, what));
        }
    }
    Ok(())
}

/// What is final in a state is folded in: from there on the same game.
pub fn folding(subject: &Subject) -> Result<(), Failure> {
    const PART: &str = "folding";
    let places = subject.graph.proper().filter(|(_, seen)| !seen.terminal);
    for (node, _) in places.take(4) {
        let Some(state) = subject.bits(&node.facts) else {
            return Err(failed(PART, format!("no bases for {:?}", node.facts)));
        };
        let folding = fold(subject.net(), &state);
        let compared = folding.compare(subject.net(), 2, subject.seed, &Budget::unlimited());
        let compared = compared.map_err(|stop| refused(PART, stop))?;
        if let SideBySide::Different(why) = compared {
            return Err(failed(PART, format!("from {:?}: {why}", node.facts)));
        }
    }
    Ok(())
}
