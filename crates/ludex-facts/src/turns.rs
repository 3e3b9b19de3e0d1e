//! `Invariants` -> `TurnOrder`: who has a choice when, as far as it is proved.

use crate::invariants::{InvariantKind, Invariants};
use crate::prove::Verdict;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnOrder {
    /// Per role the bases of which one is true wherever it has a choice; none where that is not known.
    pub choosing: Vec<Option<Vec<usize>>>,
    /// The bases that say whose turn it is, in the order in which they follow each other.
    pub order: Option<Vec<usize>>,
}

impl TurnOrder {
    pub fn of(found: &Invariants) -> TurnOrder {
        let mut turns = TurnOrder { choosing: vec![None; found.net.roles.len()], order: None };
        for i in found.found.iter().filter(|i| matches!(i.verdict, Verdict::Proved { .. })) {
            match i.kind {
                InvariantKind::Turn => turns.choosing[i.about[0]] = Some(i.about[1..].to_vec()),
                InvariantKind::Alternation => turns.order = Some(i.about.clone()),
                _ => {}
            }
        }
        turns
    }
}
