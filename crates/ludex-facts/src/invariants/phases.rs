//! Phases of a game: relations that have facts only while another one has some, or has none.
//! Candidates seen in samples.

use crate::fluents::Fluents;
use crate::samples::Samples;

/// The first relation has facts only while the second has some, or only while it has none.
pub struct RelationPhase {
    pub of: usize,
    pub other: usize,
    pub some: bool,
}

/// The most relations whose pairs are looked at.
const MOST_RELATIONS: usize = 40;

/// Pairs of relations that both have facts in some states and none in others.
pub fn phases(fluents: &Fluents, samples: &Samples) -> Vec<RelationPhase> {
    let facts = |r: usize| &fluents.relations[r].facts;
    let has_facts = |r: usize| -> Vec<u64> {
        let word = |w: usize| facts(r).iter().fold(0, |bits, f| bits | samples.columns[f.base][w]);
        (0..samples.states.len().div_ceil(64)).map(word).collect()
    };
    let count = |column: &[u64]| column.iter().map(|w| w.count_ones() as usize).sum::<usize>();
    let columns = (0..fluents.relations.len()).map(|r| (r, has_facts(r)));
    let some = |(_, column): &(usize, Vec<u64>)| (1..samples.states.len()).contains(&count(column));
    let changing: Vec<(usize, Vec<u64>)> = columns.filter(some).take(MOST_RELATIONS).collect();
    let mut found = Vec::new();
    for (of, now) in &changing {
        // Of two facts groups and implications speak.
        for (other, then) in changing.iter().filter(|o| facts(*of).len() + facts(o.0).len() > 2) {
            let both: Vec<u64> = now.iter().zip(then).map(|(a, b)| a & b).collect();
            if of != other && count(&both) == count(now) {
                found.push(RelationPhase { of: *of, other: *other, some: true });
            }
            if of < other && count(&both) == 0 {
                found.push(RelationPhase { of: *of, other: *other, some: false });
            }
        }
    }
    found
}
