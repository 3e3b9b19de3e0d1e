//! What a block shows after a step: observation, mask, ends, who moves, and the moves that were made.

use super::EnvCircuits;
use super::block::{EnvBlock, EnvRoom};
use super::shown::{write_lanes, write_numbers, write_rows};
use crate::env_settings::{EnvRows, EnvSettings, MaskOf};
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
        let of = |role: Role, action: usize| of_role(code, legal, role, action);
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
            let inputs = &given[code.inputs[*role].clone()];
            write_numbers(
                inputs.len(),
                |a| inputs[a],
                self.lanes,
                &mut rows.made[place..],
                players,
            );
        }
    }

    /// Writes the numbers of moves that were drawn, as a step takes them; 0 where a match is over.
    #[inline(always)]
    pub(super) fn tell_drawn(
        &mut self,
        code: &EnvCircuits,
        settings: &EnvSettings,
        room: &mut EnvRoom<W>,
        actions: &mut [i32],
    ) {
        actions.fill(0);
        let (picked, movers, players) = (&*room.picked.words(), &self.movers, &self.players);
        if settings.at_once {
            for (place, role) in players.iter().enumerate() {
                let inputs = &picked[code.inputs[*role].clone()];
                let out = &mut actions[place..];
                write_numbers(inputs.len(), |a| inputs[a], self.lanes, out, players.len());
            }
            return;
        }
        let column = |action: usize| {
            let each = players.iter().zip(movers);
            each.fold(Word::ZERO, |any, (role, mover)| {
                any | (of_role(code, picked, *role, action) & *mover)
            })
        };
        write_numbers(code.actions(), column, self.lanes, actions, 1);
    }
}

/// The word of a role's action, or none where it has no such action.
#[inline(always)]
fn of_role<const W: usize>(
    code: &EnvCircuits,
    words: &[Word<W>],
    role: Role,
    action: usize,
) -> Word<W> {
    let inputs = &code.inputs[role];
    if action < inputs.len() { words[inputs.start + action] } else { Word::ZERO }
}
