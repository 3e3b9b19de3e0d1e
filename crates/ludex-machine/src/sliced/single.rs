//! `Single`: the sliced machine as a `StateMachine`, asked about one state at a time.
//!
//! All lanes hold the same state and run the circuits that playouts run, with one output more: which
//! moves are legal. A move is made by its rank among them, as playouts draw it.

use super::backend::Backend;
use super::engine::SlicedEngine;
use super::memory::SlotMemory;
use super::phases::Phases;
use super::plan::{Purpose, StepPart, TERMINAL};
use super::words::Aligned;
use crate::State;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use ludex_reason::{Move, Role, StateMachine, Walks};
use std::sync::Arc;

#[derive(Clone)]
pub struct Single {
    net: Arc<Net>,
    phases: Arc<Phases>,
    engine: Arc<SlicedEngine>,
    /// Words of 64 lanes in every slot.
    width: usize,
    now: Aligned<1>,
    next: Aligned<1>,
    work: Aligned<1>,
    seen: Option<SeenState>,
}

/// What the circuits said of a state.
#[derive(Clone)]
struct SeenState {
    state: State,
    phase: usize,
    terminal: bool,
    goals: Vec<Option<i32>>,
    legal: Vec<Vec<Move>>,
}

impl Single {
    /// Whole walks, compiled with this engine.
    #[inline(never)]
    pub fn walks(&mut self) -> &mut dyn Walks {
        self
    }

    pub fn new(net: Arc<Net>, backend: Backend, budget: &Budget) -> Result<Single, Stop> {
        budget.begin("code", 0);
        let phases = Phases::find(&net);
        let engine = SlicedEngine::new(&net, &phases, backend, Purpose::States, budget)?;
        let (bases, width) = (net.bases.len(), backend.lanes() / 64);
        Ok(Single {
            now: Aligned::new(bases * width),
            next: Aligned::new(bases * width),
            work: Aligned::new(engine.work_slots * width),
            phases: Arc::new(phases),
            engine: Arc::new(engine),
            seen: None,
            width,
            net,
        })
    }

    /// Why another back end runs than the one asked for.
    pub fn instead(&self) -> Option<&str> {
        self.engine.instead.as_deref()
    }

    fn run(&mut self, phase: usize, part: StepPart) {
        match self.width {
            1 => self.run_words::<1>(phase, part),
            4 => self.run_words::<4>(phase, part),
            8 => self.run_words::<8>(phase, part),
            other => unreachable!("{other} words are no width of the sliced machine"),
        }
    }

    fn run_words<const W: usize>(&mut self, phase: usize, part: StepPart) {
        let Single { engine, now, next, work, .. } = self;
        let mut memory = SlotMemory::<W>::new(now, next, work);
        engine.run(phase, part, &mut memory);
    }

    /// The answers about a state, computed where it is not the one last asked about.
    fn see(&mut self, state: &State) -> &SeenState {
        if self.seen.as_ref().is_none_or(|seen| seen.state != *state) {
            self.seen = Some(self.look(state));
        }
        self.seen.as_ref().expect("just seen")
    }

    /// Runs all parts of a step but the last.
    fn look(&mut self, state: &State) -> SeenState {
        let phase = self.phases.phase_of(|base| state.holds(base)).expect("a state of the game");
        let engine = self.engine.clone();
        for base in &engine.phases[phase].open {
            set(&mut self.now, self.width, *base, state.holds(*base as usize));
        }
        self.run(phase, StepPart::End);
        let mut terminal = self.work_value(TERMINAL);
        self.run(phase, StepPart::Goals);
        let goals = engine.goals.iter().map(|values| self.goal_among(values)).collect();
        self.run(phase, StepPart::Count);
        if engine.shape.merged {
            terminal = self.work_value(TERMINAL);
        }
        let moves = engine.phases[phase].legal.iter();
        let legal = moves.map(|moves| self.legal_among(moves)).collect();
        SeenState { state: state.clone(), phase, terminal, goals, legal }
    }

    fn goal_among(&mut self, values: &[(i32, u32)]) -> Option<i32> {
        let mut goals = values.iter().filter(|(_, slot)| self.work_value(*slot)).map(|(v, _)| *v);
        goals.next().filter(|_| goals.next().is_none())
    }

    fn legal_among(&mut self, moves: &[(u32, u32)]) -> Vec<Move> {
        moves.iter().filter(|(_, slot)| self.work_value(*slot)).map(|(m, _)| Move(*m)).collect()
    }

    fn work_value(&mut self, slot: u32) -> bool {
        get(&mut self.work, self.width, slot)
    }

    /// Writes the ranks of the moves where the circuits look for them.
    fn choose(&mut self, phase: usize, joint: &[Move]) {
        let engine = self.engine.clone();
        for draw in &engine.phases[phase].draws {
            let legal = &self.seen.as_ref().expect("just seen").legal[draw.role];
            let (count, made) = (legal.len(), joint[draw.role]);
            let rank = legal.iter().position(|m| *m == made).expect("a legal move");
            let highest = (0..draw.bits).map(|i| (self.work_value(draw.highest + i) as usize) << i);
            assert_eq!(highest.sum::<usize>() + 1, count, "moves counted and moves shown");
            for i in 0..draw.bits {
                set(&mut self.work, self.width, draw.rank + i, rank >> i & 1 == 1);
            }
        }
    }
}

/// Gives all lanes of a slot one value.
fn set(slots: &mut Aligned<1>, width: usize, slot: u32, value: bool) {
    let words = &mut slots.words()[slot as usize * width..][..width];
    words.iter_mut().for_each(|word| word.0 = [if value { !0 } else { 0 }]);
}

/// The value that all lanes of a slot have.
fn get(slots: &mut Aligned<1>, width: usize, slot: u32) -> bool {
    let words = &slots.words()[slot as usize * width..][..width];
    let first = words[0].0[0];
    assert!(first == 0 || first == !0, "lanes in one state agree");
    assert!(words.iter().all(|word| word.0[0] == first), "lanes in one state agree");
    first != 0
}

impl StateMachine for Single {
    type State = State;

    fn roles(&self) -> usize {
        self.net.roles.len()
    }

    fn initial(&mut self) -> State {
        State::of(self.net.bases.iter().map(|base| base.initial))
    }

    fn terminal(&mut self, state: &State) -> bool {
        self.see(state).terminal
    }

    fn legal(&mut self, state: &State, role: Role, out: &mut Vec<Move>) {
        out.extend_from_slice(&self.see(state).legal[role]);
    }

    fn next(&mut self, state: &State, joint: &[Move]) -> State {
        let phase = self.see(state).phase;
        self.choose(phase, joint);
        self.run(phase, StepPart::Next);
        let phases = self.phases.clone();
        let known = phases.values[(phase + 1) % phases.period()].iter().enumerate();
        State::of(known.map(|(base, value)| {
            value.unwrap_or_else(|| get(&mut self.next, self.width, base as u32))
        }))
    }

    fn goal(&mut self, state: &State, role: Role) -> Option<i32> {
        self.see(state).goals[role]
    }

    fn role_text(&self, role: Role) -> String {
        self.net.roles[role].clone()
    }

    fn move_text(&self, _: Role, m: Move) -> String {
        self.net.inputs[m.0 as usize].name.clone()
    }

    fn fact_texts(&self, state: &State) -> Vec<String> {
        let bases = self.net.bases.iter().enumerate().filter(|(base, _)| state.holds(*base));
        bases.map(|(_, base)| base.name.clone()).collect()
    }
}
