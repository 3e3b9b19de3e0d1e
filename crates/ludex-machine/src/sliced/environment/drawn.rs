//! Moves that are drawn by a circuit: one move among those that are legal, in every lane.
//!
//! Mostly one player alone has a choice in a lane. Then one circuit serves all players: it chooses among the legal moves of
//! whoever moves there, and the others make their only one. Where several have a choice it runs once for each, and for
//! chance once more.

use super::EnvCircuits;
use super::block::{EnvBlock, EnvRoom, part};
use crate::sliced::plan::StepPart;
use crate::sliced::words::{Aligned, Word, WordRandom};
use ludex_net::{Base, Gate, Input, Lit, Net};
use ludex_reason::Role;

impl<const W: usize> EnvBlock<W> {
    /// Draws a legal move of every role in every lane, as the step takes them.
    #[inline(always)]
    pub(super) fn draw(&mut self, code: &EnvCircuits, room: &mut EnvRoom<W>) {
        self.draw_chance(code, room);
        if self.crowded {
            (0..self.players.len()).for_each(|place| self.draw_of(code, room, self.players[place]));
            return;
        }
        self.draw_asked(code, room);
        let given = &mut room.work.words()[code.steps.given as usize..];
        let (legal, picked) = (self.legal.words(), room.picked.words());
        for (role, mover) in self.players.iter().zip(&self.movers) {
            let inputs = code.inputs[*role].clone();
            let own = given[inputs.clone()].iter_mut().zip(&legal[inputs]).zip(&*picked);
            own.for_each(|((given, legal), picked)| {
                *given = (*picked & *mover) | (*legal & !*mover);
            });
        }
    }

    /// Picks a move of the player to move in every lane.
    #[inline(always)]
    pub(super) fn draw_asked(&mut self, code: &EnvCircuits, room: &mut EnvRoom<W>) {
        let EnvRoom { picked, pick_work, .. } = room;
        pick(code, [&mut self.asked, picked, pick_work], !self.idle, &mut self.random);
    }

    #[inline(always)]
    pub(super) fn draw_chance(&mut self, code: &EnvCircuits, room: &mut EnvRoom<W>) {
        code.chance.into_iter().for_each(|chance| self.draw_of(code, room, chance));
    }

    /// Draws a move of one role.
    #[inline(always)]
    fn draw_of(&mut self, code: &EnvCircuits, room: &mut EnvRoom<W>, role: Role) {
        let EnvRoom { work, choices, picked, pick_work, .. } = room;
        let inputs = code.inputs[role].clone();
        let (own, others) = choices.words().split_at_mut(inputs.len());
        own.copy_from_slice(&self.legal.words()[inputs.clone()]);
        others.fill(Word::ZERO);
        pick(code, [choices, picked, pick_work], !self.idle, &mut self.random);
        let given = &mut work.words()[code.steps.given as usize..][inputs.clone()];
        given.copy_from_slice(&picked.words()[..inputs.len()]);
    }

    /// Notes by action in which lanes whoever moves there may choose it.
    #[inline(always)]
    pub(super) fn find_asked(&mut self, code: &EnvCircuits) {
        let (legal, asked) = (self.legal.words(), self.asked.words());
        let mut known = 0;
        for (role, mover) in self.players.iter().zip(&self.movers) {
            let own = &legal[code.inputs[*role].clone()];
            let (shared, fresh) = asked[..own.len()].split_at_mut(known.min(own.len()));
            let (of_shared, of_fresh) = own.split_at(shared.len());
            for (asked, legal) in shared.iter_mut().zip(of_shared) {
                *asked = *asked | (*legal & *mover);
            }
            for (asked, legal) in fresh.iter_mut().zip(of_fresh) {
                *asked = *legal & *mover;
            }
            known = known.max(own.len());
        }
    }
}

/// One of the legal moves in each of these lanes. Memory: the legal moves, the one that is picked, and work.
#[inline(always)]
fn pick<const W: usize>(
    code: &EnvCircuits,
    [legal, picked, work]: [&mut Aligned<W>; 3],
    lanes: Word<W>,
    random: &mut WordRandom<W>,
) {
    part(&code.picks, legal, picked, work, StepPart::Count);
    let words = work.words();
    for draw in &code.picks.phases[0].draws {
        let bits = draw.bits as usize;
        let (highest, rank) = words[draw.highest as usize..].split_at_mut(bits);
        random.ranks(highest, lanes, &mut rank[..bits]);
    }
    part(&code.picks, legal, picked, work, StepPart::Next);
}

/// The net of one role whose states are sets of its legal moves, and whose step makes one of them. Moves have the numbers of
/// actions: those of the role that has most.
pub fn choice(net: &Net) -> Net {
    let count = (0..net.roles.len()).map(|role| net.inputs_of(role).len()).max().unwrap_or(0);
    let base = |i: usize| Base {
        name: i.to_string(),
        initial: false,
        next: Lit::new(1 + count + i, false),
    };
    let input = |i: usize| Input { role: 0, legal: Lit::new(1 + i, false), name: i.to_string() };
    let gates = std::iter::once(Gate::False)
        .chain((0..count as u32).map(Gate::Base))
        .chain((0..count as u32).map(Gate::Input));
    Net {
        name: net.name.clone(),
        roles: vec![String::new()],
        bases: (0..count).map(base).collect(),
        inputs: (0..count).map(input).collect(),
        gates: gates.collect(),
        components: vec![],
        terminal: Lit::FALSE,
        goals: vec![vec![]],
    }
}
