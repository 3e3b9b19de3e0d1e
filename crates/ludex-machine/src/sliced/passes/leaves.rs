//! Paths counted in the lanes: a move is made in all positions where it is legal at once, so that nothing is listed.
//!
//! Passes are then as many as different moves, however few positions share them. So it is done where the lanes are
//! well filled, by counts alone.

use super::*;

/// Cells that are computed while a child is listed and put into a lane of its own.
const LISTING: u64 = 20;
/// The most steps that are not listed.
const STEPS: usize = 4;

impl Passes {
    /// The paths of so many moves from positions, at most a passful. None where listing their children takes less, where
    /// they are in several phases, or where several roles choose at once.
    pub fn leaves(&mut self, rows: &[u64], words: usize, steps: usize) -> Option<u64> {
        let phase = phase_of(&self.frames, &rows[..words]);
        let same = rows.chunks_exact(words).all(|row| self.frames[phase].holds(row));
        if !same || !(2..=STEPS).contains(&steps) || rows.len() > self.lanes() * words {
            return None;
        }
        let mut found = None;
        let kind = PassKind::Leaves { steps, found: &mut found };
        self.width.run(Pass { phase, rows, words, kind });
        found
    }
}

/// The positions after some moves, and the moves that are legal there with the lanes where they are.
#[derive(Clone)]
pub(super) struct LaneLevel<const W: usize> {
    lanes: Aligned<W>,
    moves: Vec<(u32, Word<W>)>,
    /// The moves that were made.
    made: usize,
}

impl<const W: usize> PassLanes<W> {
    /// Of the positions in the lanes of the present state.
    #[inline(always)]
    pub(super) fn leaves(&mut self, phase: usize, lanes: usize, steps: usize) -> Option<u64> {
        while self.levels.len() <= steps {
            let lanes = Aligned::new(self.engine.initial.len());
            self.levels.push(LaneLevel { lanes, moves: vec![], made: 0 });
        }
        std::mem::swap(&mut self.now, &mut self.levels[0].lanes);
        self.list_moves(phase, 0, first::<W>(lanes));
        let found = self.pays(steps).then(|| self.count_leaves(phase, steps));
        std::mem::swap(&mut self.now, &mut self.levels[0].lanes);
        found
    }

    /// Whether moves are shared by so many positions that a pass for each takes less than a lane for each child.
    #[inline(always)]
    fn pays(&self, steps: usize) -> bool {
        let moves = &self.levels[0].moves;
        let children: u64 = moves.iter().map(|(_, lanes)| lanes.count()).sum();
        let (passes, full) = (moves.len() as u64, children / Word::<W>::LANES as u64);
        let cells = (self.engine.size.cells / self.engine.size.phases) as u64;
        let later = (1..steps as u32 - 1).map(|n| passes.saturating_pow(n));
        let below = later.fold(1, u64::saturating_add).saturating_mul(cells);
        let alone = self.engine.phases.iter().all(|p| choosing(&p.legal) < 2);
        alone && (passes - full.min(passes)).saturating_mul(below) < children * LISTING
    }

    /// The paths from the positions of the first level, whose moves are listed.
    #[inline(always)]
    fn count_leaves(&mut self, phase: usize, steps: usize) -> u64 {
        let (mut level, mut count) = (0, 0);
        let phase_of = |level: usize, all: usize| (phase + level) % all;
        loop {
            let LaneLevel { moves, made, .. } = &mut self.levels[level];
            let Some((input, lanes)) = moves.get(*made).copied() else {
                if level == 0 {
                    return count;
                }
                level -= 1;
                continue;
            };
            *made += 1;
            let all = self.engine.phases.len();
            self.make_move(phase_of(level, all), level, input);
            self.list_moves(phase_of(level + 1, all), level + 1, lanes);
            if level + 2 < steps {
                level += 1;
            } else {
                count += self.levels[level + 1].moves.iter().map(|m| m.1.count()).sum::<u64>();
            }
        }
    }

    /// Makes a move in all lanes of a level.
    #[inline(always)]
    fn make_move(&mut self, phase: usize, level: usize, input: u32) {
        let given = self.engine.given as usize + input as usize;
        self.work.words()[given] = Word::ONES;
        let [before, after] = &mut self.levels[level..level + 2] else { unreachable!("two") };
        let mut memory = SlotMemory::<W>::new(&mut before.lanes, &mut after.lanes, &mut self.work);
        self.engine.run(phase, StepPart::Next, &mut memory);
        self.work.words()[given] = Word::ZERO;
    }

    /// Lists the moves of the role that chooses, in positions of some lanes that are not over. Where nobody chooses, the
    /// first role's move stands for all.
    #[inline(always)]
    fn list_moves(&mut self, phase: usize, level: usize, mut live: Word<W>) {
        let PassLanes { engine, levels, work, next, .. } = self;
        let LaneLevel { lanes, moves, made } = &mut levels[level];
        moves.clear();
        *made = 0;
        engine.run(phase, StepPart::End, &mut SlotMemory::<W>::new(lanes, next, work));
        live = live & !work.words()[TERMINAL as usize];
        if !live.any() {
            return;
        }
        engine.run(phase, StepPart::Count, &mut SlotMemory::<W>::new(lanes, next, work));
        let (work, open) = (work.words(), &engine.phases[phase].legal);
        for role in open.iter().filter(|role| role.len() < 2) {
            live = live & role.first().map_or(Word::ZERO, |(_, slot)| work[*slot as usize]);
        }
        let chooser = open.iter().find(|role| role.len() > 1).unwrap_or(&open[0]);
        let legal = chooser.iter().map(|(input, slot)| (*input, work[*slot as usize] & live));
        moves.extend(legal.filter(|(_, lanes)| lanes.any()));
    }
}

/// The roles that may ever choose in a phase.
fn choosing(legal: &[Vec<(u32, u32)>]) -> usize {
    legal.iter().filter(|role| role.len() > 1).count()
}
