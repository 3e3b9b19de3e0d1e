//! `Block` -> batches of gates: the interpreter that runs everywhere, and the reference.
//!
//! Gates are sorted by level and kind, so that one kind is dispatched for a whole batch; slots are
//! reused by last use.

use super::blocks::{Block, CodeBlocks};
use super::memory::SlotMemory;
use super::plan::WordSlot;
use super::words::Word;
use ludex_net::Lit;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum GateKind {
    And,
    AndNot,
    Or,
    Xor,
    Copy,
    Not,
    False,
    True,
}

struct GateBatch {
    kind: GateKind,
    /// Target and operands.
    gates: Vec<[WordSlot; 3]>,
}

struct Sweep {
    batches: Vec<GateBatch>,
    /// Pairs of a new value and the slot that takes it, that of a feedback variable or of the next state.
    feedback: Vec<(WordSlot, WordSlot)>,
    repeated: bool,
}

/// A part of a step.
#[derive(Default)]
pub struct PortableProgram {
    sweeps: Vec<Sweep>,
}

/// The program of a part, and the number of work slots with those of inner gates.
pub fn program(blocks: &CodeBlocks, part: usize, work_slots: usize) -> (PortableProgram, usize) {
    let mut most = work_slots;
    let sweeps = blocks.parts[part]
        .iter()
        .map(|block| {
            let mut layout = SlotLayout::new(blocks, block, work_slots as u32);
            let sweep = layout.sweep();
            most = most.max(layout.end as usize);
            sweep
        })
        .collect();
    (PortableProgram { sweeps }, most)
}

impl PortableProgram {
    #[inline(always)]
    pub fn run<const W: usize>(&self, memory: &mut SlotMemory<W>) {
        for sweep in &self.sweeps {
            if sweep.repeated {
                sweep.feedback.iter().for_each(|(_, slot)| memory.set(*slot, Word::ZERO));
            }
            loop {
                sweep.batches.iter().for_each(|batch| batch.run(memory));
                let mut changed = Word::ZERO;
                for (new, slot) in &sweep.feedback {
                    let new = memory.get(*new);
                    changed = changed | (new ^ memory.get(*slot));
                    memory.set(*slot, new);
                }
                if !sweep.repeated || !changed.any() {
                    break;
                }
            }
        }
    }
}

impl GateBatch {
    #[inline(always)]
    fn run<const W: usize>(&self, memory: &mut SlotMemory<W>) {
        match self.kind {
            GateKind::And => self.each(memory, |a, b| a & b),
            GateKind::AndNot => self.each(memory, |a, b| !a & b),
            GateKind::Or => self.each(memory, |a, b| a | b),
            GateKind::Xor => self.each(memory, |a, b| a ^ b),
            GateKind::Copy => self.each(memory, |a, _| a),
            GateKind::Not => self.each(memory, |a, _| !a),
            GateKind::False => self.each(memory, |_, _| Word::ZERO),
            GateKind::True => self.each(memory, |_, _| Word::ONES),
        }
    }

    #[inline(always)]
    fn each<const W: usize>(
        &self,
        memory: &mut SlotMemory<W>,
        f: impl Fn(Word<W>, Word<W>) -> Word<W>,
    ) {
        for &[to, a, b] in &self.gates {
            let value = f(memory.get(a), memory.get(b));
            memory.set(to, value);
        }
    }
}

/// Finds slots for the gates of a block, level by level.
struct SlotLayout<'a> {
    blocks: &'a CodeBlocks,
    block: &'a Block,
    slot_of: FxHashMap<u32, WordSlot>,
    free: Vec<WordSlot>,
    end: u32,
}

impl<'a> SlotLayout<'a> {
    fn new(blocks: &'a CodeBlocks, block: &'a Block, end: u32) -> SlotLayout<'a> {
        SlotLayout { blocks, block, slot_of: FxHashMap::default(), free: Vec::new(), end }
    }

    fn sweep(&mut self) -> Sweep {
        let levels = self.levels();
        let mut last_level: FxHashMap<u32, usize> = FxHashMap::default();
        for (level, nodes) in levels.iter().enumerate() {
            for node in nodes {
                let cell = self.blocks.cover.cells[*node as usize].expect("a cell");
                cell.inputs().iter().for_each(|i| {
                    last_level.insert(*i, level);
                });
            }
        }
        for lit in self.block.outputs.iter().map(|(lit, _)| *lit) {
            last_level.insert(lit.gate() as u32, usize::MAX);
        }
        for (node, slot) in &self.block.kept {
            self.slot_of.insert(*node, *slot);
            last_level.insert(*node, usize::MAX);
        }
        let mut batches = Vec::new();
        let mut dying: FxHashMap<usize, Vec<u32>> = FxHashMap::default();
        for (level, nodes) in levels.iter().enumerate() {
            for node in nodes {
                let last = last_level.get(node).copied().unwrap_or(level);
                dying.entry(last).or_default().push(*node);
                self.place(*node);
            }
            batches.extend(self.level_batches(nodes));
            for node in dying.remove(&level).unwrap_or_default() {
                self.free.push(self.slot_of[&node]);
            }
        }
        let feedback = self.outputs(&mut batches);
        Sweep { batches, feedback, repeated: self.block.repeated }
    }

    fn levels(&self) -> Vec<Vec<u32>> {
        let mut level_of: FxHashMap<u32, usize> = FxHashMap::default();
        let mut levels: Vec<Vec<u32>> = Vec::new();
        for node in &self.block.order {
            let cell = self.blocks.cover.cells[*node as usize].expect("a cell");
            let inputs = cell.inputs().iter();
            let level =
                inputs.filter_map(|i| level_of.get(i)).map(|l| l + 1).max().unwrap_or_default();
            level_of.insert(*node, level);
            if levels.len() <= level {
                levels.push(Vec::new());
            }
            levels[level].push(*node);
        }
        levels
    }

    fn place(&mut self, node: u32) {
        if !self.slot_of.contains_key(&node) {
            let slot = self.fresh();
            self.slot_of.insert(node, slot);
        }
    }

    fn fresh(&mut self) -> WordSlot {
        self.free.pop().unwrap_or_else(|| {
            self.end += 1;
            WordSlot::Work(self.end - 1)
        })
    }

    fn level_batches(&self, nodes: &[u32]) -> Vec<GateBatch> {
        let mut gates: Vec<(GateKind, [WordSlot; 3])> =
            nodes.iter().map(|n| self.gate(*n)).collect();
        gates.sort_by_key(|(kind, _)| *kind);
        let runs = gates.chunk_by(|x, y| x.0 == y.0);
        runs.map(|run| GateBatch { kind: run[0].0, gates: run.iter().map(|g| g.1).collect() })
            .collect()
    }

    fn gate(&self, node: u32) -> (GateKind, [WordSlot; 3]) {
        let cell = self.blocks.cover.cells[node as usize].expect("a cell");
        let [a, b] = [cell.inputs[0], cell.inputs[1]].map(|input| self.read(input));
        let to = self.slot_of[&node];
        match cell.table {
            0b1000 => (GateKind::And, [to, a, b]),
            0b0100 => (GateKind::AndNot, [to, a, b]),
            0b0010 => (GateKind::AndNot, [to, b, a]),
            0b1110 => (GateKind::Or, [to, a, b]),
            0b0110 => (GateKind::Xor, [to, a, b]),
            other => unreachable!("table {other:#b} of a plain cover"),
        }
    }

    fn read(&self, node: u32) -> WordSlot {
        self.slot_of.get(&node).or_else(|| self.blocks.home.get(&node)).copied().expect("computed")
    }

    /// Stores the outputs, or lists them where they feed the next sweep.
    fn outputs(&mut self, batches: &mut Vec<GateBatch>) -> Vec<(WordSlot, WordSlot)> {
        let mut feedback = Vec::new();
        let mut stores = Vec::new();
        for (lit, slot) in self.block.outputs.clone() {
            // What is read of the present state is read before any of it is overwritten.
            let [_, from, _] = self.output(lit, WordSlot::Work(0));
            let early = self.block.repeated || matches!(from, WordSlot::Now(_));
            let to = match slot {
                _ if self.block.repeated => self.fresh(),
                WordSlot::Now(_) if early => self.fresh(),
                _ => slot,
            };
            let (kind, gates) = (self.output_kind(lit), vec![self.output(lit, to)]);
            let batch = GateBatch { kind, gates };
            if early {
                batches.push(batch)
            } else {
                stores.push(batch)
            }
            if to != slot {
                feedback.push((to, slot));
            }
        }
        batches.append(&mut stores);
        feedback
    }

    fn output_kind(&self, lit: Lit) -> GateKind {
        let flip = self.blocks.cover.cells[lit.gate()].is_some_and(|cell| cell.flip);
        match (lit, lit.negated() ^ flip) {
            (Lit::FALSE, _) => GateKind::False,
            (Lit::TRUE, _) => GateKind::True,
            (_, false) => GateKind::Copy,
            (_, true) => GateKind::Not,
        }
    }

    fn output(&self, lit: Lit, to: WordSlot) -> [WordSlot; 3] {
        let from = if lit.gate() == 0 { to } else { self.read(lit.gate() as u32) };
        [to, from, from]
    }
}
