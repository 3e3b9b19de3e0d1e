//! What a block shows after a step: observation, mask, ends, who moves, and the moves that were made.

use super::EnvCircuits;
use super::block::{EnvBlock, EnvRoom};
use super::shown::{write_lanes, write_numbers, write_rows};
use crate::env_settings::{EnvRows, EnvSettings, MaskOf};
use crate::sliced::words::Word;

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
        match settings.mask_of {
            MaskOf::Mover => {
                let asked = &*self.asked.words();
                write_rows(actions, |action| asked[action], self.lanes, form, rows.mask, width);
            }
            MaskOf::All => {
                let legal = &*self.legal.words();
                for (place, role) in self.players.iter().enumerate() {
                    let own = &legal[code.inputs[*role].clone()];
                    let column = |action: usize| own.get(action).copied().unwrap_or(Word::ZERO);
                    let out = &mut rows.mask[place * width..];
                    write_rows(actions, column, self.lanes, form, out, width * self.players.len());
                }
            }
        }
    }

    /// Writes the numbers of the moves that are made, one for each player; lanes of none are left as they are.
    #[inline(always)]
    pub(super) fn tell_given(
        &mut self,
        code: &EnvCircuits,
        room: &mut EnvRoom<W>,
        out: &mut [i32],
    ) {
        if out.is_empty() {
            return;
        }
        let given = &room.work.words()[code.steps.given as usize..];
        let players = self.players.len();
        for (place, role) in self.players.iter().enumerate() {
            let own = &given[code.inputs[*role].clone()];
            write_numbers(own.len(), |a| own[a], self.lanes, &mut out[place..], players);
        }
    }
}
