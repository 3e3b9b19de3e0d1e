//! Implications between facts: candidates seen in samples.

use crate::samples::Samples;

/// A fact must have been true in so many states to be taken for the condition of an implication.
const LEAST_SEEN: u32 = 20;
/// The most facts whose pairs are looked at, and the most candidates.
const MOST_FACTS: usize = 1_500;
const MOST_CANDIDATES: usize = 400;

/// Pairs of bases where the second was true in every state in which the first was, and not always.
pub fn implications(samples: &Samples) -> Vec<(usize, usize)> {
    let count = |base: usize| samples.columns[base].iter().map(|w| w.count_ones()).sum::<u32>();
    let states = samples.states.len() as u32;
    let counts: Vec<u32> = (0..samples.columns.len()).map(count).collect();
    let some = |b: &usize| counts[*b] >= LEAST_SEEN && counts[*b] + LEAST_SEEN <= states;
    let facts: Vec<usize> = (0..counts.len()).filter(some).take(MOST_FACTS).collect();
    let mut found = Vec::new();
    for a in &facts {
        let within = |b: &&usize| {
            let mut words = samples.columns[*a].iter().zip(&samples.columns[**b]);
            counts[**b] > counts[*a] && words.all(|(x, y)| x & !y == 0)
        };
        found.extend(facts.iter().filter(within).map(|b| (*a, *b)));
        if found.len() > MOST_CANDIDATES {
            found.truncate(MOST_CANDIDATES);
            break;
        }
    }
    found
}
