//! What a block shows after a step: observation, mask, ends, who moves, and the moves that were made.

use super::EnvCircuits;
use super::block::{EnvBlock, EnvRoom};
use super::shown::{write_lanes, write_rows};
use crate::env_settings::{EnvRows, EnvSettings, MaskOf};
use crate::sliced::transpose::{SIDE, transpose};
use crate::sliced::words::Word;
use ludex_reason::Role;

/// Where an observation is written.
pub enum ShownIn {
    Present,
    Last,
}

/// What ended in a step.
pub struct EnvEnds<const W: usize> {
    pub terminated: Word<W>,
    pub truncated: Word<W>,
}

impl<const W: usize> EnvBlock<W> {
    #[inline(always)]
    pub(super) fn show(
        &mut self,
        code: &EnvCircuits,
        settings: &EnvSettings,
        ended: &EnvEnds<W>,
        rows: &mut EnvRows,
    ) {
        write_lanes(ended.terminated, rows.terminated);
        write_lanes(ended.truncated, rows.truncated);
        let players = rows.player.len();
        rows.player.copy_from_slice(&self.mover[..players]);
        if !rows.observation.is_empty() {
            self.observe(settings, self.lanes, ShownIn::Present, rows);
        }
        if !rows.mask.is_empty() {
            self.mask(code, settings, rows);
        }
    }

    #[inline(always)]
    pub(super) fn observe(
        &mut self,
        settings: &EnvSettings,
        lanes: usize,
        target: ShownIn,
        rows: &mut EnvRows,
    ) {
        let (columns, form) = (&settings.columns, settings.observation);
        let now = &*self.now.words();
        let column = |k: usize| match columns[k] {
            EnvSettings::NOTHING => Word::ZERO,
            base => now[base as usize],
        };
        let out = match target {
            ShownIn::Present => &mut *rows.observation,
            ShownIn::Last => &mut *rows.last,
        };
        write_rows(columns.len(), column, lanes, form, out, form.width(columns.len()));
    }

    #[inline(always)]
    pub(super) fn mask(&mut self, code: &EnvCircuits, settings: &EnvSettings, rows: &mut EnvRows) {
        let (actions, form) = (code.actions(), settings.mask);
        let width = form.width(actions);
        let (legal, movers, players) = (&*self.legal.words(), &self.movers, &self.players);
        let of = |role: Role, action: usize| {
            let inputs = &code.inputs[role];
            if action < inputs.len() { legal[inputs.start + action] } else { Word::ZERO }
        };
        match settings.mask_of {
            MaskOf::Mover => {
                let column = |action: usize| {
                    let each = players.iter().zip(movers);
                    each.fold(Word::ZERO, |any, (role, mover)| any | (of(*role, action) & *mover))
                };
                write_rows(actions, column, self.lanes, form, rows.mask, width);
            }
            MaskOf::All => {
                for (place, role) in players.iter().enumerate() {
                    let out = &mut rows.mask[place * width..];
                    let stride = width * players.len();
                    write_rows(actions, |a| of(*role, a), self.lanes, form, out, stride);
                }
            }
        }
    }

    /// Writes the numbers of the moves that are made.
    #[inline(always)]
    pub(super) fn tell_moves(
        &mut self,
        code: &EnvCircuits,
        room: &mut EnvRoom<W>,
        rows: &mut EnvRows,
    ) {
        if rows.made.is_empty() {
            return;
        }
        let given = &room.work.words()[code.steps.given as usize..];
        let players = self.players.len();
        for (place, role) in self.players.iter().enumerate() {
            let inputs = code.inputs[*role].clone();
            for first in inputs.clone().step_by(SIDE) {
                let count = (inputs.end - first).min(SIDE);
                let mut square = [Word::<W>::ZERO; SIDE];
                square[..count].copy_from_slice(&given[first..first + count]);
                transpose(&mut square);
                for lane in 0..self.lanes {
                    let bits = square[lane % SIDE].0[lane / SIDE];
                    if bits != 0 {
                        let number = first - inputs.start + bits.trailing_zeros() as usize;
                        rows.made[lane * players + place] = number as i32;
                    }
                }
            }
        }
    }
}
