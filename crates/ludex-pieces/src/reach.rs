//! Moves -> `MoveReach`: how far a piece comes on a board where nothing else stands.

use crate::field::PlaceField;
use crate::moves::{Between, CaptureUse, PieceMove};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Distances by moves on the empty board, as averages over all places.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MoveReach {
    /// Legal moves from a place.
    pub moves: f64,
    /// The part of the other places to which it can come.
    pub part: f64,
    /// The moves to one of them.
    pub distance: f64,
    /// The most moves to one of them.
    pub farthest: usize,
}

/// Larger boards are not walked over.
const MOST_PLACES: usize = 600;

impl MoveReach {
    pub fn new(field: &PlaceField, moves: &[PieceMove]) -> Option<MoveReach> {
        let places = field.places.len();
        if places > MOST_PLACES {
            return None;
        }
        let edges: Vec<Vec<usize>> = (0..places).map(|p| ends(field, moves, p)).collect();
        let count: usize = edges.iter().map(Vec::len).sum();
        let (mut reached, mut sum, mut farthest) = (0, 0, 0);
        for start in 0..places {
            for moves in distances(&edges, start).into_iter().flatten().filter(|m| *m > 0) {
                (reached, sum, farthest) = (reached + 1, sum + moves, farthest.max(moves));
            }
        }
        let pairs = (places * (places - 1)).max(1);
        (count > 0).then(|| MoveReach {
            moves: count as f64 / places as f64,
            part: reached as f64 / pairs as f64,
            distance: sum as f64 / reached as f64,
            farthest,
        })
    }
}

/// Where the moves lead that take nothing and need nothing to stand in between.
fn ends(field: &PlaceField, moves: &[PieceMove], from: usize) -> Vec<usize> {
    let free = |m: &&PieceMove| {
        let between = matches!(m.between, Between::Free | Between::Any);
        between && m.captures != CaptureUse::Only && field.allows(m, from)
    };
    let mut ends = Vec::new();
    for m in moves.iter().filter(free) {
        for direction in &m.directions {
            let steps = m.least..=m.most.unwrap_or(field.places.len() as i32);
            let along = steps.map_while(|steps| field.lattice.step(from, direction, steps));
            ends.extend(along);
        }
    }
    ends.sort_unstable();
    ends.dedup();
    ends
}

fn distances(edges: &[Vec<usize>], start: usize) -> Vec<Option<usize>> {
    let mut moves = vec![None; edges.len()];
    moves[start] = Some(0);
    let mut next = VecDeque::from([start]);
    while let Some(at) = next.pop_front() {
        for to in &edges[at] {
            if moves[*to].is_none() {
                moves[*to] = moves[at].map(|m: usize| m + 1);
                next.push_back(*to);
            }
        }
    }
    moves
}

impl PlaceField {
    fn allows(&self, m: &PieceMove, from: usize) -> bool {
        m.only_from.as_ref().is_none_or(|rule| {
            let axis = self.board.places.iter().position(|a| *a == rule.argument);
            axis.is_some_and(|axis| rule.values.contains(&self.places[from][axis]))
        })
    }
}
