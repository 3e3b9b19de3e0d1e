//! `Block` -> instructions: cells in their order, values in registers by furthest next use.
//!
//! A value that must leave its register is stored once, in a slot that is reused after its last use.
//! Variables are read from memory; an operand that is used only once is not loaded first. Where the next
//! state takes the place of the present one, what is still needed of that is put in safety first.

use super::blocks::{Block, CodeBlocks};
use super::cover::LookupCell;
use super::plan::WordSlot;
use ludex_net::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

pub type Reg = u8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Reg(Reg),
    Slot(WordSlot),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Two {
    And,
    /// Not the first, and the second.
    AndNot,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    Load(Reg, WordSlot),
    Store(WordSlot, Reg),
    Copy(Reg, Reg),
    Constant(Reg, bool),
    /// The second operand, negated, into the first.
    Not(Reg, Reg),
    Two(Two, Reg, Reg, Operand),
    /// Any function of three: the first register is input 2 of the table (most significant) and
    /// becomes the result, then come input 1 and input 0.
    Three(u8, Reg, Reg, Operand),
    /// Begins a sweep: everything up to the next `Repeat` is done again while an output changed.
    Sweep,
    /// Stores a register and notes whether the slot changes.
    Update(WordSlot, Reg),
    Repeat,
    /// Ends a stretch: no register is needed beyond it.
    Cut,
}

impl Instruction {
    /// The slot that it reads or writes.
    pub fn slot(&self) -> Option<WordSlot> {
        match *self {
            Instruction::Load(_, slot)
            | Instruction::Store(slot, _)
            | Instruction::Update(slot, _)
            | Instruction::Two(_, _, _, Operand::Slot(slot))
            | Instruction::Three(_, _, _, Operand::Slot(slot)) => Some(slot),
            Instruction::Two(_, _, _, Operand::Reg(_))
            | Instruction::Three(_, _, _, Operand::Reg(_))
            | Instruction::Copy(..)
            | Instruction::Constant(..)
            | Instruction::Not(..)
            | Instruction::Sweep
            | Instruction::Repeat
            | Instruction::Cut => None,
        }
    }
}

/// What the target offers.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Registers for values; the next one is scratch.
    pub registers: u8,
    /// `Three` exists.
    pub three: bool,
    /// Straight code is cut after this many instructions.
    pub stretch: usize,
}

/// The instructions of a part, and the number of work slots with those used for spilling.
pub fn instructions(
    blocks: &CodeBlocks,
    part: usize,
    target: Target,
    work_slots: usize,
) -> (Vec<Instruction>, usize) {
    let mut out = Vec::new();
    let mut most = work_slots;
    for block in &blocks.parts[part] {
        let mut allocation = Allocation::new(blocks, block, target, work_slots, out);
        allocation.block();
        most = most.max(allocation.spill_end as usize);
        out = allocation.out;
    }
    (out, most)
}

const NEVER: u32 = u32::MAX;

struct Allocation<'a> {
    blocks: &'a CodeBlocks,
    block: &'a Block,
    target: Target,
    out: Vec<Instruction>,
    /// Where the present stretch of code begins.
    stretch: usize,
    /// Positions in the order at which a node is an input, latest first.
    uses: FxHashMap<u32, Vec<u32>>,
    outputs: FxHashMap<u32, Vec<(bool, WordSlot)>>,
    kept: FxHashMap<u32, WordSlot>,
    computed: FxHashSet<u32>,
    /// Outputs that are no cells, in place of the present state: stored at the end.
    late: Vec<(Lit, WordSlot)>,
    /// The variables of outputs that are written in place, and those that were.
    replaced: FxHashMap<WordSlot, u32>,
    lost: FxHashSet<u32>,
    held: Vec<Option<u32>>,
    reg_of: FxHashMap<u32, Reg>,
    home: FxHashMap<u32, WordSlot>,
    free_spills: Vec<u32>,
    spill_start: u32,
    spill_end: u32,
}

impl<'a> Allocation<'a> {
    fn new(
        blocks: &'a CodeBlocks,
        block: &'a Block,
        target: Target,
        work: usize,
        out: Vec<Instruction>,
    ) -> Allocation<'a> {
        let cut = |instruction: &Instruction| *instruction == Instruction::Cut;
        let mut allocation = Allocation {
            blocks,
            block,
            target,
            stretch: out.iter().rposition(cut).unwrap_or_default(),
            out,
            uses: FxHashMap::default(),
            outputs: FxHashMap::default(),
            kept: block.kept.iter().copied().collect(),
            computed: block.order.iter().copied().collect(),
            late: Vec::new(),
            replaced: FxHashMap::default(),
            lost: FxHashSet::default(),
            held: vec![None; target.registers as usize],
            reg_of: FxHashMap::default(),
            home: FxHashMap::default(),
            free_spills: Vec::new(),
            spill_start: work as u32,
            spill_end: work as u32,
        };
        allocation.find_replaced();
        for (position, node) in block.order.iter().enumerate().rev() {
            for input in allocation.cell(*node).inputs() {
                allocation.uses.entry(*input).or_default().push(position as u32);
            }
        }
        allocation
    }

    /// Finds the variables whose places are taken, and the outputs that wait for the end. What stays as it
    /// is needs nothing.
    fn find_replaced(&mut self) {
        let in_place = |slot: &WordSlot| matches!(slot, WordSlot::Now(_));
        let taken: FxHashSet<WordSlot> =
            self.block.outputs.iter().map(|output| output.1).filter(in_place).collect();
        let variables = self.blocks.home.iter().filter(|(_, slot)| taken.contains(slot));
        self.replaced = variables.map(|(node, slot)| (*slot, *node)).collect();
        for (lit, slot) in self.block.outputs.iter().filter(|output| taken.contains(&output.1)) {
            let node = lit.gate() as u32;
            let same = self.replaced.get(slot) == Some(&node) && !lit.negated();
            if !self.computed.contains(&node) && !same {
                self.late.push((*lit, *slot));
                self.uses.entry(node).or_default().push(self.block.order.len() as u32);
            }
        }
    }

    fn cell(&self, node: u32) -> LookupCell {
        self.blocks.cover.cells[node as usize].expect("only cells are computed")
    }

    fn block(&mut self) {
        if self.block.repeated {
            self.out.push(Instruction::Constant(self.target.registers, false));
            for (_, slot) in &self.block.outputs {
                self.out.push(Instruction::Store(*slot, self.target.registers));
            }
            self.out.push(Instruction::Sweep);
        }
        self.sort_outputs();
        for position in 0..self.block.order.len() {
            if !self.block.repeated && self.out.len() - self.stretch >= self.target.stretch {
                self.cut();
            }
            self.compute(position as u32, self.block.order[position]);
        }
        for (lit, slot) in std::mem::take(&mut self.late) {
            self.store_late(lit, slot);
        }
        if self.block.repeated {
            self.out.push(Instruction::Repeat);
        }
    }

    /// Leaves all values in memory.
    fn cut(&mut self) {
        for reg in 0..self.held.len() {
            if let Some(node) = self.held[reg] {
                self.leave(node, reg as Reg);
            }
        }
        self.stretch = self.out.len();
        self.out.push(Instruction::Cut);
    }

    /// Outputs of cells wait for them; constants, variables and earlier nodes are stored at once.
    fn sort_outputs(&mut self) {
        for (lit, slot) in self.block.outputs.clone() {
            let node = lit.gate() as u32;
            if self.computed.contains(&node) {
                let flip = self.cell(node).flip;
                self.outputs.entry(node).or_default().push((lit.negated() ^ flip, slot));
                continue;
            }
            if let WordSlot::Now(_) = slot {
                continue;
            }
            let scratch = self.target.registers;
            if node == 0 {
                self.out.push(Instruction::Constant(scratch, lit == Lit::TRUE));
            } else {
                self.out.push(Instruction::Load(scratch, self.blocks.home[&node]));
                if lit.negated() ^ self.is_flipped(node) {
                    self.out.push(Instruction::Not(scratch, scratch));
                }
            }
            self.store(slot, scratch);
        }
    }

    fn is_flipped(&self, node: u32) -> bool {
        self.blocks.cover.cells[node as usize].is_some_and(|cell| cell.flip)
    }

    /// Stores an output that is no cell in place of the present state.
    fn store_late(&mut self, lit: Lit, slot: WordSlot) {
        let (node, mut from) = (lit.gate() as u32, self.target.registers);
        self.uses.get_mut(&node).expect("it is used here").pop();
        if node == 0 {
            self.out.push(Instruction::Constant(from, lit == Lit::TRUE));
        } else {
            let reg = self.in_register(node, &[]);
            match lit.negated() ^ self.is_flipped(node) {
                true => self.out.push(Instruction::Not(from, reg)),
                false => from = reg,
            }
        }
        self.save(slot, &[node]);
        self.store(slot, from);
        self.drop_dead(node);
    }

    /// Keeps the variable of a slot that is about to be overwritten, where it is still needed.
    fn save(&mut self, slot: WordSlot, pinned: &[u32]) {
        if let Some(&variable) = self.replaced.get(&slot)
            && self.next_use(variable) != NEVER
        {
            self.in_register(variable, pinned);
            self.lost.insert(variable);
        }
    }

    fn store(&mut self, slot: WordSlot, reg: Reg) {
        self.out.push(match self.block.repeated {
            true => Instruction::Update(slot, reg),
            false => Instruction::Store(slot, reg),
        });
    }

    fn compute(&mut self, position: u32, node: u32) {
        let cell = self.cell(node);
        for input in cell.inputs() {
            let uses = self.uses.get_mut(input).expect("it is used here");
            while uses.last() == Some(&position) {
                uses.pop();
            }
        }
        let result = match cell.len {
            3 => self.three(&cell),
            _ => self.two(&cell),
        };
        for input in cell.inputs() {
            self.drop_dead(*input);
        }
        self.hold(node, result);
        for (negated, slot) in self.outputs.remove(&node).unwrap_or_default() {
            let mut from = result;
            self.save(slot, &[node]);
            if negated {
                from = self.target.registers;
                self.out.push(Instruction::Not(from, result));
            } else {
                self.home.entry(node).or_insert(slot);
            }
            self.store(slot, from);
        }
        if let Some(&slot) = self.kept.get(&node) {
            self.out.push(Instruction::Store(slot, result));
            self.home.insert(node, slot);
        }
        self.drop_dead(node);
    }

    fn next_use(&self, node: u32) -> u32 {
        self.uses.get(&node).and_then(|uses| uses.last()).copied().unwrap_or(NEVER)
    }

    fn home_of(&self, node: u32) -> Option<WordSlot> {
        match self.computed.contains(&node) || self.lost.contains(&node) {
            true => self.home.get(&node).copied(),
            false => self.blocks.home.get(&node).copied(),
        }
    }

    /// A function of two inputs (or one), into a register that need not hold an input.
    fn two(&mut self, cell: &LookupCell) -> Reg {
        let (mut a, mut b) = (cell.inputs[0], cell.inputs[(cell.len - 1).min(1)]);
        let mut table =
            if cell.len == 1 { cell.table & 1 | (cell.table & 2) << 2 } else { cell.table };
        let in_memory = |s: &Self, n: u32| !s.reg_of.contains_key(&n);
        let swap = match table {
            // b and not a: as it is; a and not b: the other way round.
            0b0100 => false,
            0b0010 if !self.target.three => true,
            _ => in_memory(self, a) && !in_memory(self, b),
        };
        if swap {
            (a, b) = (b, a);
            table = table & 0b1001 | (table & 0b0010) << 1 | (table & 0b0100) >> 1;
        }
        let left = self.in_register(a, &[b]);
        let right = self.operand(b, &[a]);
        let result = self.result_register(&[a, b]);
        let kind = match table {
            0b1000 => Some(Two::And),
            0b0100 => Some(Two::AndNot),
            0b1110 => Some(Two::Or),
            0b0110 => Some(Two::Xor),
            _ => None,
        };
        self.out.push(match kind {
            Some(kind) => Instruction::Two(kind, result, left, right),
            None => {
                debug_assert!(self.target.three, "tables of plain covers have names");
                // Input 2 is ignored; input 1 is a, input 0 is b.
                let swapped = table & 0b1001 | (table & 0b0010) << 1 | (table & 0b0100) >> 1;
                Instruction::Three(swapped | swapped << 4, result, left, right)
            }
        });
        result
    }

    /// A function of three inputs, one of which is overwritten.
    fn three(&mut self, cell: &LookupCell) -> Reg {
        let nodes = cell.inputs;
        // 1. The operand that may stay in memory: of those there, the one needed again last.
        let in_memory = |s: &Self, n: &u32| !s.reg_of.contains_key(n);
        let last =
            (0..3).filter(|i| in_memory(self, &nodes[*i])).max_by_key(|i| self.next_use(nodes[*i]));
        let last = last.unwrap_or_else(|| {
            // All in registers: not the one to overwrite.
            let best = (0..3).max_by_key(|i| self.overwriting_gain(nodes[*i])).expect("three");
            (best + 1) % 3
        });
        // 2. The one to overwrite.
        let others = [(last + 1) % 3, (last + 2) % 3];
        let first = *others.iter().max_by_key(|i| self.overwriting_gain(nodes[**i])).expect("two");
        let middle = 3 - last - first;
        // 3. Their registers.
        let last_operand = self.operand(nodes[last], &nodes);
        let middle_reg = self.in_register(nodes[middle], &nodes);
        let first_reg = self.consumed(nodes[first], &nodes);
        let table = permuted(cell.table, [last, middle, first]);
        self.out.push(Instruction::Three(table, first_reg, middle_reg, last_operand));
        first_reg
    }

    /// How good a node is to overwrite: dead, then in memory and needed late.
    fn overwriting_gain(&self, node: u32) -> (u8, u32) {
        let next = self.next_use(node);
        match (self.reg_of.contains_key(&node), self.home_of(node).is_some()) {
            (true, _) if next == NEVER => (3, next),
            (false, _) => (2, next),
            (true, true) => (1, next),
            (true, false) => (0, next),
        }
    }

    /// A register with the node's value that may be overwritten.
    fn consumed(&mut self, node: u32, pinned: &[u32]) -> Reg {
        match self.reg_of.get(&node).copied() {
            Some(reg) if self.next_use(node) == NEVER => {
                self.release(node);
                reg
            }
            Some(reg) => {
                let copy = self.take(pinned);
                self.out.push(Instruction::Copy(copy, reg));
                copy
            }
            None => {
                let reg = self.take(pinned);
                let slot = self.home_of(node).expect("a value is in a register or in memory");
                self.out.push(Instruction::Load(reg, slot));
                reg
            }
        }
    }

    fn in_register(&mut self, node: u32, pinned: &[u32]) -> Reg {
        if let Some(reg) = self.reg_of.get(&node) {
            return *reg;
        }
        let reg = self.take(pinned);
        let slot = self.home_of(node).expect("a value is in a register or in memory");
        self.out.push(Instruction::Load(reg, slot));
        self.hold(node, reg);
        reg
    }

    /// The node in a register where it is or soon will be of use there, else in memory.
    fn operand(&mut self, node: u32, pinned: &[u32]) -> Operand {
        if let Some(reg) = self.reg_of.get(&node) {
            return Operand::Reg(*reg);
        }
        let next = self.next_use(node);
        let worth = next != NEVER
            && (self.held.contains(&None)
                || self.held.iter().flatten().any(|n| self.next_use(*n) > next));
        match worth {
            true => Operand::Reg(self.in_register(node, pinned)),
            false => Operand::Slot(self.home_of(node).expect("in memory")),
        }
    }

    fn result_register(&mut self, inputs: &[u32]) -> Reg {
        for input in inputs {
            if let Some(reg) = self.reg_of.get(input).copied()
                && self.next_use(*input) == NEVER
            {
                self.release(*input);
                return reg;
            }
        }
        self.take(inputs)
    }

    /// A free register; a value that is needed last makes room, but none of the pinned.
    fn take(&mut self, pinned: &[u32]) -> Reg {
        if let Some(free) = self.held.iter().position(Option::is_none) {
            return free as Reg;
        }
        let candidates = (0..self.held.len())
            .filter(|r| !pinned.contains(&self.held[*r].expect("none is free")));
        let victim = candidates
            .max_by_key(|r| self.next_use(self.held[*r].expect("none is free")))
            .expect("more registers than operands");
        self.leave(self.held[victim].expect("none is free"), victim as Reg);
        victim as Reg
    }

    /// Takes a value out of its register; where it is nowhere else, it is stored.
    fn leave(&mut self, node: u32, reg: Reg) {
        if self.home_of(node).is_none() {
            let spill = self.free_spills.pop().unwrap_or_else(|| {
                self.spill_end += 1;
                self.spill_end - 1
            });
            self.home.insert(node, WordSlot::Work(spill));
            self.out.push(Instruction::Store(WordSlot::Work(spill), reg));
        }
        self.release(node);
    }

    fn hold(&mut self, node: u32, reg: Reg) {
        self.held[reg as usize] = Some(node);
        self.reg_of.insert(node, reg);
    }

    fn release(&mut self, node: u32) {
        if let Some(reg) = self.reg_of.remove(&node) {
            self.held[reg as usize] = None;
        }
    }

    fn drop_dead(&mut self, node: u32) {
        if self.next_use(node) != NEVER {
            return;
        }
        self.release(node);
        if let Some(WordSlot::Work(slot)) = self.home.get(&node).copied()
            && slot >= self.spill_start
        {
            self.home.remove(&node);
            self.free_spills.push(slot);
        }
    }
}

/// The table of a cell whose inputs are read in another order.
fn permuted(table: u8, order: [usize; 3]) -> u8 {
    let mut out = 0;
    for index in 0..8 {
        let mut old = 0;
        for (new, input) in order.iter().enumerate() {
            old |= (index >> new & 1) << input;
        }
        out |= (table >> old & 1) << index;
    }
    out
}
