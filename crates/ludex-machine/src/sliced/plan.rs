//! `Net` -> `SlicedPlan`: for every phase the circuits of a step, as blocks ready for a back end.
//!
//! A step in a phase is: `end` (which lanes are terminal), `goals` where lanes ended, `count` (the
//! legal moves of every role), a random rank for every role in every lane, and `next`.

mod positions;

use super::blocks::{CodeBlocks, blocks};
use super::choice::ChoiceCircuit;
use super::graph::SlicedGraph;
use super::import::Import;
use super::phases::Phases;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Lit, Net};
use ludex_reason::Role;

/// A place in memory that holds one word, one bit for each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WordSlot {
    /// A base in the present state.
    Now(u32),
    /// A base in the next state.
    Next(u32),
    /// Anything else.
    Work(u32),
}

/// The parts of a step, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepPart {
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

/// What circuits are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Random playouts.
    Playouts,
    /// Random playouts that tell which moves were made.
    Samples,
    /// Single choices of moves.
    Choices,
    /// Questions about single states: `Count` also tells which moves are legal.
    States,
    /// Questions about many states, and steps of given moves. `Count` tells which moves are legal and
    /// counts nothing; it runs after `End`, the others on their own.
    Positions,
    /// Steps of given moves and what is seen afterwards: as for positions, but `Goals` runs after `Count`, and has what
    /// `End` and `Count` found.
    Environments,
}

impl Purpose {
    /// Moves come from outside.
    fn is_given(self) -> bool {
        matches!(self, Purpose::Positions | Purpose::Environments)
    }

    /// Whether the next state takes the place of the present one.
    pub fn is_in_place(self) -> bool {
        matches!(self, Purpose::Playouts | Purpose::Samples)
    }
}

pub struct Phase {
    /// Known bases, which have no slots in this phase.
    pub known: Vec<Option<bool>>,
    pub draws: Vec<Draw>,
    pub legal: Legal,
    /// By draw, inputs and the work slots that say after `Next` whether they were made, where the
    /// purpose is samples.
    pub made: Vec<Vec<(u32, u32)>>,
    /// The bases that goals depend on, where goals are parked.
    pub goal_bases: Vec<u32>,
    /// The first phase with the same goals, whose `Goals` this one runs, and where its slots end.
    pub goals: usize,
    goals_end: u32,
    /// The blocks of every part, and the part's number there.
    blocks: Vec<CodeBlocks>,
    places: [Option<(usize, usize)>; 4],
}

/// Per role the inputs that can be legal, by rank, and the work slots that say so: none of them
/// where the purpose is playouts.
pub type Legal = Vec<Vec<(u32, u32)>>;

/// How the parts of a step depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepShape {
    /// `Count` tells as well which lanes are terminal, because the two share much; there is no `End`.
    /// A lane then idles for a step longer when its playout ended.
    pub merged: bool,
    /// Terminal states wait, by lane, until a lane ends once more: goals are costly, and computed for
    /// many lanes at once.
    pub parked: bool,
}

pub struct SlicedPlan {
    pub phases: Vec<Phase>,
    pub shape: StepShape,
    /// Per role the goal values and the work slots of their propositions.
    pub goals: Vec<Vec<(i32, u32)>>,
    /// The work slot of the first input, where moves are given.
    pub given: u32,
    pub work_slots: usize,
    /// The next state takes the place of the present one.
    pub in_place: bool,
}

/// The work slot of the terminal lanes, and that of lanes in which a role has no legal move.
pub const TERMINAL: u32 = 0;
pub const STUCK: u32 = 1;

impl SlicedPlan {
    /// `inputs`: of a cell, as the back end computes them.
    pub fn new(
        net: &Net,
        phases: &Phases,
        inputs: usize,
        purpose: Purpose,
        budget: &Budget,
    ) -> Result<SlicedPlan, Stop> {
        let mut slots = Slots { next: 2, most: 2 };
        let goals: Vec<Vec<(i32, u32)>> =
            net.goals.iter().map(|values| slots.goals(values)).collect();
        let given = slots.take(if purpose.is_given() { net.inputs.len() } else { 0 });
        let first = slots.next;
        let shape = StepShape::of(net);
        let lits: Vec<Lit> = net.goals.iter().flatten().map(|(_, lit)| *lit).collect();
        let of_goals = cone(net, &lits);
        let mut made: Vec<Phase> = Vec::new();
        for phase in 0..phases.period() {
            slots.next = first;
            let goals = &goals;
            let builder =
                PlanBuilder { net, phases, phase, goals, given, inputs, shape, purpose, budget };
            made.push(match purpose.is_given() {
                true => builder.positions(&mut slots, first)?,
                false => {
                    let same = |other: &Phase| {
                        let known = phases.values[phase].iter().zip(&other.known);
                        known.zip(&of_goals[1..]).all(|((a, b), of_goals)| a == b || !of_goals)
                    };
                    builder.phase(&mut slots, first, made.iter().find(|other| same(other)))?
                }
            });
        }
        let (work_slots, in_place) = (slots.most as usize, purpose.is_in_place());
        Ok(SlicedPlan { phases: made, shape, goals, given, work_slots, in_place })
    }
}

impl Phase {
    fn new(known: &[Option<bool>]) -> Phase {
        Phase {
            known: known.to_vec(),
            draws: Vec::new(),
            legal: Vec::new(),
            made: Vec::new(),
            goal_bases: Vec::new(),
            goals: 0,
            goals_end: 0,
            blocks: Vec::new(),
            places: [None; 4],
        }
    }

    /// The blocks that hold a part, and its number there; none where another part does its work.
    pub fn part(&self, part: StepPart) -> Option<(&CodeBlocks, usize)> {
        self.places[part as usize].map(|(blocks, number)| (&self.blocks[blocks], number))
    }

    pub fn cells(&self) -> usize {
        let blocks = self.blocks.iter().flat_map(|blocks| blocks.parts.iter().flatten());
        blocks.map(|block| block.order.len()).sum()
    }
}

impl StepShape {
    /// Shares are counted in gates of the net.
    fn of(net: &Net) -> StepShape {
        let legal: Vec<Lit> = net.inputs.iter().map(|input| input.legal).collect();
        let goals: Vec<Lit> = net.goals.iter().flatten().map(|(_, lit)| *lit).collect();
        let next: Vec<Lit> = net.bases.iter().map(|base| base.next).collect();
        let terminal = cone(net, &[net.terminal]);
        let legal = cone(net, &legal);
        let goals = cone(net, &goals);
        let next = cone(net, &next);
        let gates = net.bases.len() + net.inputs.len() + 1..net.gates.len();
        let count = |f: &dyn Fn(usize) -> bool| gates.clone().filter(|g| f(*g)).count();
        let shared = count(&|g| terminal[g] && (legal[g] || next[g]));
        let all = count(&|g| terminal[g] || legal[g] || next[g]);
        let merged = 8 * shared > all;
        let goals_alone = count(&|g| goals[g] && (merged || !terminal[g]));
        let support = (1..=net.bases.len()).filter(|g| goals[*g]).count();
        StepShape { merged, parked: goals_alone > 4 * support }
    }
}

/// Which gates the literals depend on.
fn cone(net: &Net, roots: &[Lit]) -> Vec<bool> {
    let mut seen = vec![false; net.gates.len()];
    let mut stack: Vec<usize> = roots.iter().map(|lit| lit.gate()).collect();
    while let Some(gate) = stack.pop() {
        if !std::mem::replace(&mut seen[gate], true)
            && let Some((a, b)) = net.gates[gate].operands()
        {
            stack.extend([a.gate(), b.gate()]);
        }
    }
    seen
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

fn base_lits(graph: &mut SlicedGraph, known: &[Option<bool>]) -> Vec<Lit> {
    let lit = |(base, value): (usize, &Option<bool>)| match value {
        Some(false) => Lit::FALSE,
        Some(true) => Lit::TRUE,
        None => graph.var(WordSlot::Now(base as u32)),
    };
    known.iter().enumerate().map(lit).collect()
}

struct PlanBuilder<'a> {
    net: &'a Net,
    phases: &'a Phases,
    phase: usize,
    goals: &'a [Vec<(i32, u32)>],
    given: u32,
    inputs: usize,
    shape: StepShape,
    purpose: Purpose,
    budget: &'a Budget,
}

impl PlanBuilder<'_> {
    fn known(&self) -> &[Option<bool>] {
        &self.phases.values[self.phase]
    }

    /// `same`: the first phase with the same goals.
    fn phase(&self, slots: &mut Slots, first: u32, same: Option<&Phase>) -> Result<Phase, Stop> {
        let mut phase = Phase { goals: self.phase, ..Phase::new(self.known()) };
        let with_goals = !self.shape.merged && !self.shape.parked;
        if !self.shape.merged {
            let blocks = self.after(true, with_goals, slots, &mut Vec::new())?;
            phase.place(
                blocks,
                if with_goals { &[StepPart::End, StepPart::Goals] } else { &[StepPart::End] },
            );
        }
        if !with_goals {
            slots.next = first;
            if let Some(same) = same {
                phase.goal_bases.clone_from(&same.goal_bases);
                (phase.goals, slots.next) = (same.goals, same.goals_end);
            } else {
                let blocks = self.after(false, true, slots, &mut phase.goal_bases)?;
                phase.place(blocks, &[StepPart::Goals]);
            }
            phase.goals_end = slots.next;
        }
        if !self.shape.merged {
            // Otherwise goals are computed between `Count` and `Next`.
            slots.next = first;
        }
        let blocks = self.before(slots, &mut phase)?;
        phase.place(blocks, &[StepPart::Count, StepPart::Next]);
        Ok(phase)
    }

    /// `End`, `Goals` or both, and the bases they read.
    fn after(
        &self,
        end: bool,
        goals: bool,
        slots: &mut Slots,
        bases: &mut Vec<u32>,
    ) -> Result<CodeBlocks, Stop> {
        let net = self.net;
        let mut graph = SlicedGraph::new();
        let lits = base_lits(&mut graph, self.known());
        let mut import = Import::new(net, &lits);
        let mut slot = || WordSlot::Work(slots.take(1));
        let mut parts = Vec::new();
        let roots = net.goals.iter().flatten().filter(|_| goals).map(|(_, lit)| *lit);
        let roots = roots.chain(end.then_some(net.terminal));
        import.count_uses(&roots.collect::<Vec<_>>());
        if end {
            let lit = import.lit(&mut graph, net.terminal, &mut slot);
            parts.push(vec![(lit, WordSlot::Work(TERMINAL))]);
        }
        if goals {
            let pairs = net.goals.iter().flatten().zip(self.goals.iter().flatten());
            let lit = |((_, lit), (_, at)): (&(i32, Lit), &(i32, u32))| {
                (import.lit(&mut graph, *lit, &mut slot), WordSlot::Work(*at))
            };
            parts.push(pairs.map(lit).collect());
        }
        let roots: Vec<Lit> = parts.iter().flatten().map(|(lit, _)| *lit).collect();
        *bases = graph.bases_below(&roots);
        self.budget.check()?;
        Ok(blocks(&graph, &parts, self.inputs, &mut slot))
    }

    /// `Count` and `Next`.
    fn before(&self, slots: &mut Slots, phase: &mut Phase) -> Result<CodeBlocks, Stop> {
        let net = self.net;
        let known_next = &self.phases.values[(self.phase + 1) % self.phases.period()];
        let mut graph = SlicedGraph::new();
        let bases = base_lits(&mut graph, self.known());
        let mut import = Import::new(net, &bases);
        let follow: Vec<Lit> = (known_next.iter().zip(&net.bases))
            .filter(|(value, _)| value.is_none())
            .map(|(_, base)| base.next)
            .collect();
        let legal = net.inputs.iter().map(|input| input.legal);
        let terminal = self.shape.merged.then_some(net.terminal);
        let all = follow.iter().copied().chain(legal).chain(terminal);
        import.count_uses(&all.collect::<Vec<_>>());
        let Phase { draws, legal, made, .. } = phase;
        let purpose = self.purpose;
        let (count, stuck, next) = (Vec::new(), Vec::new(), Vec::new());
        let mut step = StepBuilder { net, slots, draws, legal, made, purpose, count, stuck, next };
        for role in 0..net.roles.len() {
            step.role(&mut graph, &mut import, role, self.budget)?;
        }
        let StepBuilder { mut count, stuck, mut next, .. } = step;
        count.push((graph.any(&stuck), WordSlot::Work(STUCK)));
        let mut slot = || WordSlot::Work(slots.take(1));
        if self.shape.merged {
            let lit = import.lit(&mut graph, net.terminal, &mut slot);
            count.push((lit, WordSlot::Work(TERMINAL)));
        }
        import.count_uses(&follow);
        import.select(&mut graph, &follow, &mut slot);
        for (base, _) in known_next.iter().enumerate().filter(|(_, value)| value.is_none()) {
            self.budget.check()?;
            let lit = import.lit(&mut graph, net.bases[base].next, &mut slot);
            let at = if purpose.is_in_place() { WordSlot::Now } else { WordSlot::Next };
            next.push((lit, at(base as u32)));
        }
        Ok(blocks(&graph, &[count, next], self.inputs, &mut slot))
    }
}

impl Phase {
    fn place(&mut self, blocks: CodeBlocks, parts: &[StepPart]) {
        for (number, part) in parts.iter().enumerate() {
            self.places[*part as usize] = Some((self.blocks.len(), number));
        }
        self.blocks.push(blocks);
    }
}

struct StepBuilder<'a> {
    net: &'a Net,
    slots: &'a mut Slots,
    draws: &'a mut Vec<Draw>,
    legal: &'a mut Legal,
    made: &'a mut Vec<Vec<(u32, u32)>>,
    purpose: Purpose,
    /// What `Count` and `Next` give besides the bases.
    count: Vec<(Lit, WordSlot)>,
    next: Vec<(Lit, WordSlot)>,
    stuck: Vec<Lit>,
}

impl StepBuilder<'_> {
    /// The choice of one role's move.
    fn role(
        &mut self,
        graph: &mut SlicedGraph,
        import: &mut Import,
        role: usize,
        budget: &Budget,
    ) -> Result<(), Stop> {
        let mut open = Vec::new();
        let mut legal = Vec::new();
        for input in self.net.inputs_of(role) {
            budget.check()?;
            let slots = &mut *self.slots;
            let mut slot = || WordSlot::Work(slots.take(1));
            let lit = import.lit(graph, self.net.inputs[input].legal, &mut slot);
            import.set_input(input, Lit::FALSE);
            if lit != Lit::FALSE {
                open.push(input);
                legal.push(lit);
            }
        }
        self.show(&open, &legal);
        let picked = match legal.len() {
            0 | 1 => vec![Lit::TRUE; legal.len()],
            _ => self.choose(graph, role, &legal),
        };
        if legal.len() < 2 {
            self.stuck.push(!legal.first().copied().unwrap_or(Lit::FALSE));
        }
        self.tell(&open, &picked);
        for (input, lit) in open.into_iter().zip(picked) {
            import.set_input(input, lit);
        }
        Ok(())
    }

    /// Gives every legal move a slot, where it is asked for.
    fn show(&mut self, open: &[usize], legal: &[Lit]) {
        let shown = if self.purpose == Purpose::States { open.len() } else { 0 };
        let first = self.slots.take(shown);
        self.count.extend(legal[..shown].iter().copied().zip((first..).map(WordSlot::Work)));
        self.legal.push(open[..shown].iter().map(|input| *input as u32).zip(first..).collect());
    }

    /// Gives every move a slot that says whether it was made, where it is asked for.
    fn tell(&mut self, open: &[usize], picked: &[Lit]) {
        if self.purpose == Purpose::Samples && open.len() > 1 {
            let first = self.slots.take(open.len());
            self.made.push(open.iter().map(|input| *input as u32).zip(first..).collect());
            self.next.extend(picked.iter().copied().zip((first..).map(WordSlot::Work)));
        }
    }

    fn choose(&mut self, graph: &mut SlicedGraph, role: Role, legal: &[Lit]) -> Vec<Lit> {
        let choice = ChoiceCircuit::new(graph, legal);
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
            self.count.push((lit, WordSlot::Work(draw.highest + i as u32)));
        }
        let rank: Vec<Lit> =
            (0..bits).map(|i| graph.var(WordSlot::Work(draw.rank + i as u32))).collect();
        self.draws.push(draw);
        let picks = choice.pick(graph, &rank);
        graph.exactly_one(&picks);
        picks.moves
    }
}
