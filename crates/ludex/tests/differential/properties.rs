//! Properties made up of the game's own relations: proved ones hold wherever play goes, refuted ones fail at the
//! end of their line.

use crate::chance::Chance;
use crate::subject::{Failure, Subject, failed, refused};
use crate::watch::limited;
use ludex::facts::decide::{Effort, decide};
use ludex::facts::property::Property;
use ludex::prove::Verdict;

const PART: &str = "properties";

pub fn properties(subject: &Subject) -> Result<(), Failure> {
    let mut chance = Chance::new(subject.seed);
    // Each asks for a net of its own.
    if !chance.percent(30) {
        return Ok(());
    }
    let atoms = subject.naive.views();
    if atoms.is_empty() {
        return Ok(());
    }
    let (atom, negated) = (*chance.pick(&atoms), chance.percent(50));
    let name = subject.naive.atom_text(atom);
    let text = if negated { format!("(not {name})") } else { name };
    let property = Property::read(&text, &subject.rules);
    let property = property.map_err(|e| refused(PART, e.1.render(&e.0)))?;
    let effort = Effort { steps: 3, states: 2_000, lemma_seconds: f64::INFINITY };
    let decision =
        limited(|budget| decide(&property, subject.knowledge.known().as_deref(), effort, budget));
    let decision = decision.map_err(|why| refused(PART, why))?;
    let holds = |facts: &[u32]| subject.naive.state(facts)[atom as usize] != negated;
    let wrong = |how: &str| Err(failed(PART, format!("{text} is {how}: {}", decision.by)));
    match &decision.verdict {
        Verdict::Proved { .. } => {
            match subject.graph.proper().all(|(node, _)| holds(&node.terms)) {
                true => Ok(()),
                false => wrong("proved"),
            }
        }
        Verdict::Refuted { .. } => match subject.play_texts(&decision.moves) {
            Some(facts) if !holds(&facts) => Ok(()),
            _ => wrong("refuted"),
        },
        Verdict::Unknown { .. } => Ok(()),
    }
}
