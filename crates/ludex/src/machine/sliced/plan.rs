//! `Net` -> `Plan`: for every phase the circuits of a step, as blocks ready for a back end.
//!
//! A step in a phase is: `end` (which lanes are terminal), `goals` where lanes ended, `count` (the
//! legal moves of every role), a random rank for every role in every lane, and `next`.

use super::blocks::{Blocks, blocks};
use super::choice::Choice;
use super::graph::{Graph, Import};
use super::phases::Phases;
use crate::game::Role;
use crate::net::{Lit, Net};

/// A place in memory that holds one word, one bit for each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// A base in the present state.
    Now(u32),
    /// A base in the next state.
    Next(u32),
    /// Anything else.
    Work(u32),
}

/// The parts of a step, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    End,
    Goals,
    Count,
    Next,
}

/// Where the choice of one role's move is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    pub role: Role,
    /// Work slots of the highest rank (the number of legal moves less one), in binary.
    pub highest: u32,
    /// Work slots of the rank that is drawn.
    pub rank: u32,
    pub bits: u32,
}

pub struct Phase {
    /// Known bases, which have no slots in this phase.
    pub known: Vec<Option<bool>>,
    pub draws: Vec<Draw>,
    /// Blocks of `End` and `Goals`, and of `Count` and `Next`.
    pub after: Blocks,
    pub before: Blocks,
}

pub struct Plan {
    pub phases: Vec<Phase>,
    /// Per role the goal values and the work slots of their propositions.
    pub goals: Vec<Vec<(i32, u32)>>,
    pub work_slots: usize,
}

/// The work slot of the terminal lanes, and that of lanes in which a role has no legal move.
pub const TERMINAL: u32 = 0;
pub const STUCK: u32 = 1;

impl Plan {
    /// `inputs`: of a cell, as the back end computes them.
    pub fn new(net: &Net, phases: &Phases, inputs: usize) -> Plan {
        let mut slots = Slots { next: 2, most: 2 };
        let goals: Vec<Vec<(i32, u32)>> =
            net.goals.iter().map(|values| slots.goals(values)).collect();
        let first = slots.next;
        let phases = (0..phases.period())
            .map(|phase| {
                slots.next = first;
                let after = after(net, &phases.values[phase], &goals, inputs, &mut slots);
                slots.next = first;
                before(net, phases, phase, inputs, &mut slots, after)
            })
            .collect();
        Plan { phases, goals, work_slots: slots.most as usize }
    }
}

impl Phase {
    pub fn part(&self, part: Part) -> (&Blocks, usize) {
        match part {
            Part::End => (&self.after, 0),
            Part::Goals => (&self.after, 1),
            Part::Count => (&self.before, 0),
            Part::Next => (&self.before, 1),
        }
    }
}

struct Slots {
    next: u32,
    most: u32,
}

impl Slots {
    fn take(&mut self, n: usize) -> u32 {
        let first = self.next;
        self.next += n as u32;
        self.most = self.most.max(self.next);
        first
    }

    fn goals(&mut self, values: &[(i32, Lit)]) -> Vec<(i32, u32)> {
        let first = self.take(values.len());
        values.iter().zip(first..).map(|((value, _), slot)| (*value, slot)).collect()
    }
}

fn base_lits(graph: &mut Graph, known: &[Option<bool>]) -> Vec<Lit> {
    let lit = |(base, value): (usize, &Option<bool>)| match value {
        Some(false) => Lit::FALSE,
        Some(true) => Lit::TRUE,
        None => graph.var(Slot::Now(base as u32)),
    };
    known.iter().enumerate().map(lit).collect()
}

/// `End` and `Goals`.
fn after(
    net: &Net,
    known: &[Option<bool>],
    goals: &[Vec<(i32, u32)>],
    inputs: usize,
    slots: &mut Slots,
) -> Blocks {
    let mut graph = Graph::new();
    let bases = base_lits(&mut graph, known);
    let mut import = Import::new(net, &bases);
    let mut slot = || Slot::Work(slots.take(1));
    let end = vec![(import.lit(&mut graph, net.terminal, &mut slot), Slot::Work(TERMINAL))];
    let pairs = net.goals.iter().flatten().zip(goals.iter().flatten());
    let goals = pairs
        .map(|((_, lit), (_, at))| (import.lit(&mut graph, *lit, &mut slot), Slot::Work(*at)))
        .collect();
    blocks(&graph, &[end, goals], inputs, &mut slot)
}

/// `Count` and `Next`.
fn before(
    net: &Net,
    phases: &Phases,
    phase: usize,
    inputs: usize,
    slots: &mut Slots,
    after: Blocks,
) -> Phase {
    let known = &phases.values[phase];
    let known_next = &phases.values[(phase + 1) % phases.period()];
    let mut graph = Graph::new();
    let bases = base_lits(&mut graph, known);
    let mut import = Import::new(net, &bases);
    let mut step = Step { net, slots, draws: Vec::new(), count: Vec::new(), stuck: Vec::new() };
    for role in 0..net.roles.len() {
        step.role(&mut graph, &mut import, role);
    }
    let Step { mut count, stuck, draws, .. } = step;
    count.push((graph.any(&stuck), Slot::Work(STUCK)));
    let mut slot = || Slot::Work(slots.take(1));
    let mut next = Vec::new();
    for (base, _) in known_next.iter().enumerate().filter(|(_, value)| value.is_none()) {
        let lit = import.lit(&mut graph, net.bases[base].next, &mut slot);
        next.push((lit, Slot::Next(base as u32)));
    }
    let before = blocks(&graph, &[count, next], inputs, &mut slot);
    Phase { known: known.clone(), draws, after, before }
}

struct Step<'a> {
    net: &'a Net,
    slots: &'a mut Slots,
    draws: Vec<Draw>,
    count: Vec<(Lit, Slot)>,
    stuck: Vec<Lit>,
}

impl Step<'_> {
    /// The choice of one role's move.
    fn role(&mut self, graph: &mut Graph, import: &mut Import, role: usize) {
        let mut open = Vec::new();
        let mut legal = Vec::new();
        for input in self.net.inputs_of(role) {
            let slots = &mut *self.slots;
            let mut slot = || Slot::Work(slots.take(1));
            let lit = import.lit(graph, self.net.inputs[input].legal, &mut slot);
            import.set_input(input, Lit::FALSE);
            if lit != Lit::FALSE {
                open.push(input);
                legal.push(lit);
            }
        }
        let picked = match legal.len() {
            0 | 1 => vec![Lit::TRUE; legal.len()],
            _ => self.choose(graph, role, &legal),
        };
        if legal.len() < 2 {
            self.stuck.push(!legal.first().copied().unwrap_or(Lit::FALSE));
        }
        for (input, lit) in open.into_iter().zip(picked) {
            import.set_input(input, lit);
        }
    }

    fn choose(&mut self, graph: &mut Graph, role: Role, legal: &[Lit]) -> Vec<Lit> {
        let choice = Choice::new(graph, legal);
        let bits = choice.rank_bits;
        let draw = Draw {
            role,
            highest: self.slots.take(bits),
            rank: self.slots.take(bits),
            bits: bits as u32,
        };
        let any = graph.any(&choice.count());
        self.stuck.push(!any);
        let mut borrow = Lit::TRUE;
        for (i, bit) in choice.count().into_iter().take(bits).enumerate() {
            let lit = graph.xor(bit, borrow);
            borrow = graph.and(!bit, borrow);
            self.count.push((lit, Slot::Work(draw.highest + i as u32)));
        }
        let rank: Vec<Lit> =
            (0..bits).map(|i| graph.var(Slot::Work(draw.rank + i as u32))).collect();
        self.draws.push(draw);
        choice.pick(graph, &rank)
    }
}
