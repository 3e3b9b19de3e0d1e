//! Moves given from outside, one lane after the other.

use super::EnvCircuits;
use super::block::EnvBlock;
use crate::sliced::transpose::SIDE;
use crate::sliced::words::Word;
use ludex_reason::Role;

impl<const W: usize> EnvBlock<W> {
    /// The first move that is not legal, of lanes that take moves. `actions`: one for every lane, or one for every
    /// lane and player.
    #[inline(always)]
    pub(super) fn wrong_move(
        &mut self,
        code: &EnvCircuits,
        actions: &[i32],
        at_once: bool,
    ) -> Option<(usize, Role, i32)> {
        let idle = self.idle;
        let (legal, movers) = (self.legal.words(), &self.mover);
        let players: &[Role] = &self.players;
        let each = if at_once { players.len() } else { 1 };
        for (lane, chosen) in actions.chunks_exact(each).enumerate() {
            if idle.0[lane / SIDE] >> (lane % SIDE) & 1 == 1 {
                continue;
            }
            for (place, action) in chosen.iter().enumerate() {
                let role = if at_once { players[place] } else { movers[lane] as Role };
                let inputs = &code.inputs[role];
                let known = usize::try_from(*action).is_ok_and(|a| a < inputs.len());
                if !known || !bit(&legal[inputs.start + *action as usize], lane) {
                    return Some((lane, role, *action));
                }
            }
        }
        None
    }

    /// Makes the given moves those of the step; roles that are not asked make their only one. Moves that are not legal
    /// lose: their lanes are noted by role.
    #[inline(always)]
    pub(super) fn give(
        &mut self,
        code: &EnvCircuits,
        actions: &[i32],
        at_once: bool,
        given: &mut [Word<W>],
    ) {
        self.lost.iter_mut().for_each(|lost| *lost = Word::ZERO);
        let idle = self.idle;
        let (legal, movers, players) = (self.legal.words(), &self.mover, &self.players);
        for (place, role) in players.iter().enumerate() {
            let asked = if at_once { Word::ONES } else { self.movers[place] };
            for input in code.inputs[*role].clone() {
                given[input] = legal[input] & !asked;
            }
        }
        let each = if at_once { players.len() } else { 1 };
        for (lane, chosen) in actions.chunks_exact(each).enumerate() {
            for (place, action) in chosen.iter().enumerate() {
                let role = if at_once { players[place] } else { movers[lane] as Role };
                let inputs = &code.inputs[role];
                let input = match usize::try_from(*action) {
                    Ok(action) if action < inputs.len() => inputs.start + action,
                    _ => inputs.end,
                };
                if input < inputs.end && bit(&legal[input], lane) {
                    given[input].0[lane / SIDE] |= 1 << (lane % SIDE);
                } else if !bit(&idle, lane) {
                    self.lost[role].0[lane / SIDE] |= 1 << (lane % SIDE);
                }
            }
        }
    }
}

#[inline(always)]
fn bit<const W: usize>(word: &Word<W>, lane: usize) -> bool {
    word.0[lane / SIDE] >> (lane % SIDE) & 1 == 1
}
