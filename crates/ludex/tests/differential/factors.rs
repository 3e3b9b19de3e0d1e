//! Factors played side by side are the whole game, from the first state and from a later one.

use crate::subject::{Failure, Subject, failed};
use crate::watch::limited;
use ludex::budget::Budget;
use ludex::facts::factor::Factors;
use ludex::facts::lemmas::Lemmas;
use std::sync::Arc;

const PART: &str = "factors";

pub fn factors(subject: &Subject) -> Result<(), Failure> {
    let budget = Budget::unlimited();
    let places = subject.graph.proper().filter(|(_, seen)| !seen.terminal);
    for (node, _) in places.step_by(5).take(2) {
        let Some(state) = subject.bits(&node.facts) else {
            return Err(failed(PART, format!("no bases for {:?}", node.facts)));
        };
        // With nothing known, and with all that the analyses before have proved.
        let lemmas =
            [Some(Arc::new(Lemmas::new(subject.net().clone()))), subject.knowledge.known()];
        for known in lemmas.iter().flatten() {
            // Some proofs take long.
            let found = limited(|budget| Factors::find(subject.net(), &state, known, budget));
            let Ok(found) = found else { continue };
            found
                .verify(2, 40, &budget)
                .map_err(|why| failed(PART, format!("from {:?}: {why}", node.facts)))?;
        }
    }
    Ok(())
}
