//! Numbers of moves that are chosen by scores, one lane after the other.

use super::EnvCircuits;
use super::block::EnvBlock;
use crate::env_settings::EnvScores;
use crate::sliced::transpose::{SIDE, transpose};
use crate::sliced::words::Word;
use ludex_reason::Role;

impl<const W: usize> EnvBlock<W> {
    /// Chooses for the player to move, or for all. `first` is the number of the first environment.
    pub fn choose_by(
        &mut self,
        code: &EnvCircuits,
        policy: EnvScores,
        at_once: bool,
        first: usize,
        actions: &mut [i32],
    ) {
        let players = self.players.clone();
        let each = if at_once { players.len() } else { 1 };
        let words = code.actions().div_ceil(SIDE);
        let mut rows = vec![0; self.lanes * words];
        for (place, role) in players.iter().enumerate() {
            self.legal_rows(code, *role, words, &mut rows);
            for lane in 0..self.lanes {
                let asked = at_once || self.mover[lane] as Role == *role;
                let row = &rows[lane * words..][..words];
                if asked {
                    let at = lane * each + if at_once { place } else { 0 };
                    actions[at] = self.choose_one(policy, first + lane, code.actions(), row);
                }
            }
        }
    }

    fn legal_rows(&mut self, code: &EnvCircuits, role: Role, words: usize, rows: &mut [u64]) {
        let legal = &self.legal.words()[code.inputs[role].clone()];
        for w in 0..words {
            let some = &legal[(w * SIDE).min(legal.len())..((w + 1) * SIDE).min(legal.len())];
            let mut square = [Word::<W>::ZERO; SIDE];
            square[..some.len()].copy_from_slice(some);
            transpose(&mut square);
            for lane in 0..self.lanes {
                rows[lane * words + w] = square[lane % SIDE].0[lane / SIDE];
            }
        }
    }

    /// A legal move of a row, or 0 where there is none.
    fn choose_one(&mut self, policy: EnvScores, lane: usize, actions: usize, row: &[u64]) -> i32 {
        let EnvScores { scores, epsilon } = policy;
        if epsilon.is_some_and(|epsilon| self.chance.unit() < epsilon) {
            return self.any_of(row);
        }
        let start = if scores.len() > actions { lane * actions } else { 0 };
        let (mut best, mut chosen) = (f32::NEG_INFINITY, None);
        for action in ones(row) {
            let mut score = scores[start + action];
            if epsilon.is_none() {
                score -= (-self.chance.unit().max(f32::MIN_POSITIVE).ln()).ln();
            }
            if score > best || chosen.is_none() {
                (best, chosen) = (score, Some(action));
            }
        }
        chosen.unwrap_or(0) as i32
    }

    fn any_of(&mut self, row: &[u64]) -> i32 {
        let count: usize = row.iter().map(|word| word.count_ones() as usize).sum();
        let rank = self.chance.0.below(count.max(1));
        ones(row).nth(rank).unwrap_or(0) as i32
    }
}

/// A stream of chance for single lanes.
#[derive(Clone)]
pub struct LaneChance(pub ludex_reason::Random);

impl LaneChance {
    /// From 0 up to 1.
    fn unit(&mut self) -> f32 {
        (self.0.bits() >> 40) as f32 / (1u64 << 24) as f32
    }
}

/// The places of the ones.
fn ones(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(w, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let place = (left != 0).then(|| w * SIDE + left.trailing_zeros() as usize);
            left &= left.wrapping_sub(1);
            place
        })
    })
}
