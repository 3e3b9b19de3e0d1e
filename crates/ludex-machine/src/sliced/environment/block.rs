//! `EnvBlock`: as many environments as a word has lanes, and a step of all of them.

use super::EnvCircuits;
use super::policy::LaneChance;
use super::seen::{EnvEnds, ShownIn};
use super::shown::{write_lanes, write_numbers};
use crate::env_settings::{Autoreset, EnvMoves, EnvRows, EnvSettings, IllegalMove};
use crate::sliced::backend::Backend;
#[cfg(target_arch = "x86_64")]
use crate::sliced::backend::{avx2, avx512, compiled_for};
use crate::sliced::engine::SlicedEngine;
use crate::sliced::memory::SlotMemory;
use crate::sliced::plan::{StepPart, TERMINAL};
use crate::sliced::transpose::SIDE;
use crate::sliced::words::{Aligned, Word, WordRandom};
use ludex_reason::{Random, Role};

/// Threads have blocks of their own, which share no line of memory.
#[derive(Clone)]
#[repr(align(128))]
pub struct EnvBlock<const W: usize> {
    pub(super) now: Aligned<W>,
    /// By input, the lanes in which it is legal.
    pub(super) legal: Aligned<W>,
    /// By action, the lanes in which whoever moves may choose it.
    pub(super) asked: Aligned<W>,
    /// The roles that are not chance.
    pub(super) players: Vec<Role>,
    /// By player, the lanes in which it moves; and by lane the role.
    pub(super) movers: Vec<Word<W>>,
    pub(super) mover: Vec<u8>,
    /// Lanes whose match is over.
    pub(super) idle: Word<W>,
    /// By role, the lanes in which its last move was not legal.
    pub(super) lost: Vec<Word<W>>,
    pub(super) random: WordRandom<W>,
    pub(super) chance: LaneChance,
    /// Steps of the present matches, where they are bounded.
    steps: Vec<u32>,
    /// The lanes in use.
    pub(super) lanes: usize,
    /// Several players have a choice at once in some lane.
    pub(super) crowded: bool,
}

/// Memory for the work on a block, one for each thread.
#[derive(Clone)]
pub struct EnvRoom<const W: usize> {
    next: Aligned<W>,
    pub(super) work: Aligned<W>,
    /// Legal moves to choose among, by action, what was chosen, and work on it.
    pub(super) choices: Aligned<W>,
    pub(super) picked: Aligned<W>,
    pub(super) pick_work: Aligned<W>,
}

impl<const W: usize> EnvRoom<W> {
    pub fn new(code: &EnvCircuits) -> EnvRoom<W> {
        EnvRoom {
            next: Aligned::new(code.net.bases.len()),
            work: Aligned::new(code.steps.work_slots),
            choices: Aligned::new(code.picks.initial.len()),
            picked: Aligned::new(code.picks.initial.len()),
            pick_work: Aligned::new(code.picks.work_slots),
        }
    }
}

/// What is to be done with a block.
pub struct EnvTask<'a, const W: usize> {
    pub settings: &'a EnvSettings,
    pub room: &'a mut EnvRoom<W>,
    pub work: EnvWork<'a>,
}

pub enum EnvWork<'a> {
    /// Shows the states as they are, or after a step.
    Show { moves: Option<EnvMoves<'a>>, rows: EnvRows<'a> },
    /// Draws moves and writes their numbers, as a step takes them.
    Draw(&'a mut [i32]),
}

impl<const W: usize> EnvBlock<W> {
    pub const LANES: usize = Word::<W>::LANES;

    /// All lanes in the initial state, which has not been looked at yet.
    pub fn new(code: &EnvCircuits, lanes: usize, seed: u64) -> EnvBlock<W> {
        let players: Vec<Role> = code.players().collect();
        let mut block = EnvBlock {
            now: Aligned::new(code.net.bases.len()),
            legal: Aligned::new(code.net.inputs.len()),
            asked: Aligned::new(code.picks.initial.len()),
            movers: vec![Word::ZERO; players.len()],
            mover: vec![0; Self::LANES],
            idle: Word::ZERO,
            lost: vec![Word::ZERO; code.net.roles.len()],
            random: WordRandom::new(seed),
            chance: LaneChance(Random::new(seed)),
            steps: vec![0; Self::LANES],
            lanes,
            crowded: false,
            players,
        };
        block.begin(code, Word::ONES);
        block
    }

    /// Puts lanes into the initial state.
    #[inline(always)]
    pub fn begin(&mut self, code: &EnvCircuits, fresh: Word<W>) {
        for (word, base) in self.now.words().iter_mut().zip(&code.net.bases) {
            *word = (*word & !fresh) | (Word::splat(base.initial) & fresh);
        }
        self.idle = self.idle & !fresh;
        each(fresh, Self::LANES, |lane| self.steps[lane] = 0);
    }

    pub fn seed(&mut self, seed: u64) {
        self.random = WordRandom::new(seed);
        self.chance = LaneChance(Random::new(seed));
    }

    /// The first move that is not legal.
    pub fn illegal(
        &mut self,
        code: &EnvCircuits,
        actions: &[i32],
        at_once: bool,
    ) -> Option<IllegalMove> {
        let (environment, role, action) = self.wrong_move(code, actions, at_once)?;
        let inputs = &code.inputs[role];
        let known = usize::try_from(action).ok().filter(|a| *a < inputs.len());
        let text = known.map(|a| code.net.inputs[inputs.start + a].name.clone());
        Some(IllegalMove { environment, role: code.net.roles[role].clone(), action, text })
    }

    /// Several players have a choice at once in some lane.
    pub fn is_crowded(&self) -> bool {
        self.crowded
    }

    /// Does what is to be done, compiled for the back end.
    pub fn run(&mut self, code: &EnvCircuits, task: EnvTask<W>) {
        match code.steps.backend {
            Backend::Portable(_) => self.run_here(code, task),
            // Each is compiled for its own width alone.
            // SAFETY: an engine has this back end only where `Backend::missing` found all features of the
            // list that the function is compiled for.
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 if const { W == 4 } => unsafe { self.run_avx2(code, task) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 if const { W == 8 } => unsafe { self.run_avx512(code, task) },
            _ => unreachable!("no such back end of this width here"),
        }
    }

    #[cfg(target_arch = "x86_64")]
    avx2! { compiled_for
        fn run_avx2(&mut self, code: &EnvCircuits, task: EnvTask<W>) {
            self.run_here(code, task);
        }
    }

    #[cfg(target_arch = "x86_64")]
    avx512! { compiled_for
        fn run_avx512(&mut self, code: &EnvCircuits, task: EnvTask<W>) {
            self.run_here(code, task);
        }
    }

    #[inline(always)]
    fn run_here(&mut self, code: &EnvCircuits, task: EnvTask<W>) {
        let EnvTask { settings, room, work } = task;
        match work {
            EnvWork::Show { moves, mut rows } => self.step(code, settings, room, moves, &mut rows),
            EnvWork::Draw(actions) if settings.at_once => {
                self.draw(code, room);
                actions.fill(0);
                self.tell_given(code, room, actions);
            }
            EnvWork::Draw(actions) => {
                self.draw_asked(code, room);
                actions.fill(0);
                let picked = &*room.picked.words();
                write_numbers(code.actions(), |action| picked[action], self.lanes, actions, 1);
            }
        }
    }

    /// A step, or a look at the states as they are.
    #[inline(always)]
    fn step(
        &mut self,
        code: &EnvCircuits,
        settings: &EnvSettings,
        room: &mut EnvRoom<W>,
        moves: Option<EnvMoves>,
        rows: &mut EnvRows,
    ) {
        // 1. Moves, and the states after them.
        let stepped = moves.is_some();
        if let Some(moves) = moves {
            self.choose(code, settings, room, moves);
            self.tell_given(code, room, rows.made);
            part(&code.steps, &mut self.now, &mut room.next, &mut room.work, StepPart::Next);
            self.follow(code, settings, room);
        }
        // 2. Ends and legal moves.
        part(&code.steps, &mut self.now, &mut room.next, &mut room.work, StepPart::End);
        part(&code.steps, &mut self.now, &mut room.next, &mut room.work, StepPart::Count);
        let lost = self.lost.iter().fold(Word::ZERO, |any, lost| any | *lost);
        let terminated = room.work.words()[TERMINAL as usize] | lost;
        let stuck = self.take_legal(code, room);
        // 3. Rewards.
        let fresh = if stepped { terminated & !self.idle } else { Word::ZERO };
        rows.reward.fill(0.0);
        if fresh.any() && !rows.reward.is_empty() {
            self.reward(code, settings, room, fresh, rows);
        }
        let truncated = (stuck | self.count_steps(settings, stepped)) & !terminated;
        // 4. What is over begins anew, or stays.
        let ended = EnvEnds { terminated, truncated };
        self.idle = ended.terminated | ended.truncated;
        if settings.autoreset == Autoreset::Same && stepped {
            self.restart(code, settings, rows);
        }
        self.find_movers(code);
        self.lost.iter_mut().for_each(|lost| *lost = Word::ZERO);
        self.show(code, settings, &ended, rows);
    }

    /// The moves of the step.
    #[inline(always)]
    fn choose(
        &mut self,
        code: &EnvCircuits,
        settings: &EnvSettings,
        room: &mut EnvRoom<W>,
        moves: EnvMoves,
    ) {
        match moves {
            EnvMoves::Drawn => self.draw(code, room),
            EnvMoves::Given(actions) => {
                self.draw_chance(code, room);
                let given = &mut room.work.words()[code.steps.given as usize..];
                self.give(code, actions, settings.at_once, given);
            }
        }
    }

    /// Takes the next states over; lanes that are over begin anew or stay as they are.
    #[inline(always)]
    fn follow(&mut self, code: &EnvCircuits, settings: &EnvSettings, room: &mut EnvRoom<W>) {
        let lost = self.lost.iter().fold(Word::ZERO, |any, lost| any | *lost);
        let anew = if settings.autoreset == Autoreset::Off { Word::ZERO } else { self.idle };
        let stay = (lost | self.idle) & !anew;
        let goes_on = !(anew | stay);
        let (now, next) = (self.now.words(), room.next.words());
        let all_go_on = !(anew | stay).any();
        for base in &code.steps.phases[0].open {
            let base = *base as usize;
            if all_go_on {
                now[base] = next[base];
            } else {
                let start = if code.net.bases[base].initial { anew } else { Word::ZERO };
                now[base] = (next[base] & goes_on) | (now[base] & stay) | start;
            }
        }
        if anew.any() {
            // The last step was the end; this one is the beginning, and no step of the match.
            each(anew, Self::LANES, |lane| self.steps[lane] = u32::MAX);
            self.idle = self.idle & !anew;
        }
    }

    #[inline(always)]
    fn reward(
        &mut self,
        code: &EnvCircuits,
        settings: &EnvSettings,
        room: &mut EnvRoom<W>,
        fresh: Word<W>,
        rows: &mut EnvRows,
    ) {
        part(&code.steps, &mut self.now, &mut room.next, &mut room.work, StepPart::Goals);
        let (low, high) = settings.reward;
        let worth = |goal: i32| low + (high - low) * goal as f32 / 100.0;
        let lost = self.lost.iter().fold(Word::ZERO, |any, lost| any | *lost);
        let (work, players) = (room.work.words(), self.players.len());
        for (place, role) in self.players.iter().enumerate() {
            let values = &code.steps.goals[*role];
            let (mut one, mut more) = (Word::ZERO, Word::ZERO);
            for (_, slot) in values {
                let goal = work[*slot as usize];
                more = more | (one & goal);
                one = one | goal;
            }
            let scored = one & !more & fresh & !lost;
            for (value, slot) in values {
                each(work[*slot as usize] & scored, self.lanes, |lane| {
                    rows.reward[lane * players + place] = worth(*value);
                });
            }
            each(self.lost[*role] & fresh, self.lanes, |lane| {
                rows.reward[lane * players + place] = low;
            });
            each(lost & !self.lost[*role] & fresh, self.lanes, |lane| {
                rows.reward[lane * players + place] = high;
            });
        }
    }

    /// Takes the legal moves over. Returns the lanes in which a role has no move at all.
    #[inline(always)]
    fn take_legal(&mut self, code: &EnvCircuits, room: &mut EnvRoom<W>) -> Word<W> {
        let (legal, work) = (self.legal.words(), room.work.words());
        let mut stuck = Word::ZERO;
        for open in &code.steps.phases[0].legal {
            let mut any = Word::ZERO;
            for (input, slot) in open {
                let word = work[*slot as usize];
                legal[*input as usize] = word;
                any = any | word;
            }
            stuck = stuck | !any;
        }
        stuck
    }

    /// Who moves in which lane: the player that has a choice, or else one that does something but wait, or else the
    /// first.
    #[inline(always)]
    fn find_movers(&mut self, code: &EnvCircuits) {
        let legal = self.legal.words();
        let (mut open, mut crowd) = (Word::ONES, Word::ZERO);
        for (place, role) in self.players.iter().enumerate() {
            let (mut any, mut choice) = (Word::ZERO, Word::ZERO);
            for word in &legal[code.inputs[*role].clone()] {
                choice = choice | (any & *word);
                any = any | *word;
            }
            self.movers[place] = choice & open;
            crowd = crowd | (choice & !open);
            open = open & !choice;
        }
        if let Some(waiting) = code.waiting.as_ref().filter(|_| open.any()) {
            for (place, role) in self.players.iter().enumerate() {
                let acts = open & !legal[waiting[*role]];
                self.movers[place] = self.movers[place] | acts;
                open = open & !acts;
            }
        }
        self.movers[0] = self.movers[0] | open;
        self.crowded = (crowd & !self.idle & first_lanes(self.lanes)).any();
        self.number_movers();
        self.find_asked(code);
    }

    #[inline(always)]
    fn number_movers(&mut self) {
        let first = self.players[0] as u8;
        match self.players[..] {
            [0, 1] => write_lanes(self.movers[1], &mut self.mover),
            _ => {
                self.mover.fill(first);
                for (place, role) in self.players.iter().enumerate().skip(1) {
                    let mover = &mut self.mover;
                    each(self.movers[place], Self::LANES, |lane| mover[lane] = *role as u8);
                }
            }
        }
    }

    /// Counts a step of every match, and returns those that are too long.
    #[inline(always)]
    fn count_steps(&mut self, settings: &EnvSettings, stepped: bool) -> Word<W> {
        let mut long = Word::ZERO;
        if let (Some(most), true) = (settings.max_steps, stepped) {
            for (lane, steps) in self.steps.iter_mut().enumerate() {
                *steps = steps.wrapping_add(1);
                long.0[lane / SIDE] |= ((*steps >= most) as u64) << (lane % SIDE);
            }
        }
        long
    }

    /// Puts lanes that are over into the initial state, within the same step.
    #[inline(always)]
    fn restart(&mut self, code: &EnvCircuits, settings: &EnvSettings, rows: &mut EnvRows) {
        let over = self.idle;
        if !over.any() {
            return;
        }
        if !rows.last.is_empty() {
            self.observe(settings, self.lanes, ShownIn::Last, rows);
        }
        self.begin(code, over);
        let legal = self.legal.words();
        for (word, at_start) in legal.iter_mut().zip(&code.at_start) {
            *word = (*word & !over) | (Word::splat(*at_start) & over);
        }
    }
}

#[inline(always)]
pub(super) fn part<const W: usize>(
    engine: &SlicedEngine,
    now: &mut Aligned<W>,
    next: &mut Aligned<W>,
    work: &mut Aligned<W>,
    part: StepPart,
) {
    engine.run(0, part, &mut SlotMemory::<W>::new(now, next, work));
}

/// Calls with each lane of a word that is in use.
#[inline(always)]
fn each<const W: usize>(word: Word<W>, lanes: usize, mut f: impl FnMut(usize)) {
    for (element, bits) in word.0.iter().enumerate() {
        let mut left = *bits;
        while left != 0 {
            let lane = element * SIDE + left.trailing_zeros() as usize;
            if lane >= lanes {
                return;
            }
            f(lane);
            left &= left - 1;
        }
    }
}

#[inline(always)]
fn first_lanes<const W: usize>(lanes: usize) -> Word<W> {
    Word(std::array::from_fn(|element| match lanes.saturating_sub(element * SIDE) {
        some if some < SIDE => (1 << some) - 1,
        _ => !0,
    }))
}
