//! Random steps of playouts that are on their way already, each wherever it is.

use super::Lanes;
use crate::sliced::Totals;
use crate::sliced::phases::Phases;
use crate::sliced::plan::StepPart;
use crate::sliced::words::{Aligned, Word, WordRandom};

impl<const W: usize> Lanes<W> {
    /// Plays on from the states of lanes for so many steps and begins anew where a playout ends. Lanes keep in step: one
    /// whose phase is not the present one waits for it. `states` become the last ones. The stream of chance goes on.
    pub fn play_on(
        &mut self,
        states: &mut Aligned<W>,
        phases: &Phases,
        used: Word<W>,
        steps: u64,
        random: &mut WordRandom<W>,
    ) -> Totals {
        let engine = self.engine.clone();
        // 1. Every lane waits in its state for its phase.
        let mut waiting: Vec<Word<W>> =
            phases.values.iter().map(|known| in_phase(known, states.words()) & used).collect();
        for phase in 1..waiting.len() {
            let before = waiting[..phase].iter().fold(Word::ZERO, |any, lanes| any | *lanes);
            waiting[phase] = waiting[phase] & !before;
        }
        for (word, value) in self.starts.words().iter_mut().zip(&engine.initial) {
            *word = Word::splat(*value);
        }
        self.restart(0, u64::MAX, u64::MAX, 0);
        std::mem::swap(&mut self.random, random);
        self.outcomes.clear();
        self.wanted = Word::ZERO;
        let most = (0..waiting.len()).max_by_key(|phase| waiting[*phase].count());
        self.phase = most.unwrap_or(0);
        // 2. Steps, until all have joined, and all others at once.
        let first = steps.min(waiting.len() as u64);
        for _ in 0..first {
            let joins = std::mem::replace(&mut waiting[self.phase], Word::ZERO);
            self.join(states, joins);
            self.advance(1);
        }
        self.advance(steps - first);
        // 3. Ends that the last step led to.
        self.run(if engine.shape.merged { StepPart::Count } else { StepPart::End });
        self.end();
        self.settle();
        self.give_back(states, phases);
        std::mem::swap(&mut self.random, random);
        self.totals.clone()
    }

    fn join(&mut self, states: &mut Aligned<W>, joins: Word<W>) {
        for (now, state) in self.now.words().iter_mut().zip(states.words()) {
            *now = (*now & !joins) | (*state & joins);
        }
        self.live = self.live | joins;
        self.wanted = self.wanted | joins;
    }

    /// The states of lanes that played: where they are, or the initial one where a playout ended.
    fn give_back(&mut self, states: &mut Aligned<W>, phases: &Phases) {
        let (live, over) = (self.live, self.wanted & !self.live);
        let known = &phases.values[self.phase];
        let present = self.now.words().iter().zip(known);
        let all = states.words().iter_mut().zip(present).zip(&self.engine.initial);
        for ((state, (now, known)), initial) in all {
            let now = known.map_or(*now, Word::splat);
            *state = (*state & !live & !over) | (now & live) | (Word::splat(*initial) & over);
        }
    }
}

/// The lanes whose states can be in a phase of which this is known.
fn in_phase<const W: usize>(known: &[Option<bool>], states: &[Word<W>]) -> Word<W> {
    let differs = known
        .iter()
        .zip(states)
        .filter_map(|(known, state)| known.map(|value| if value { !*state } else { *state }));
    !differs.fold(Word::ZERO, |any, lanes| any | lanes)
}
