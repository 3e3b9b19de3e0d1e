//! Instructions -> machine code of x86-64: AVX2 with 256 lanes or AVX-512 with 512.
//!
//! A function takes pointers to the present state, the next state and the work slots, each 128 words
//! ahead of the first so that the 256 nearest words have short addresses. The encoder knows the few
//! instructions that circuits need.

use super::plan::WordSlot;
use super::registers::{Instruction, Operand, Reg, Target, Two};

/// How many words ahead of the first slot a pointer stands.
pub const AHEAD: i32 = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    Avx2,
    Avx512,
}

impl Isa {
    /// With more than one group the code comes in stretches that stay in the nearest cache while all
    /// groups run them.
    pub fn target(self, groups: usize) -> Target {
        let stretch = if groups == 1 { usize::MAX } else { STRETCH };
        match self {
            Isa::Avx2 => Target { registers: 13, three: false, stretch },
            Isa::Avx512 => Target { registers: 30, three: true, stretch },
        }
    }

    /// The register that notes changes, after the scratch register.
    fn changed(self) -> Reg {
        self.target(1).registers + 1
    }

    fn bytes(self) -> i32 {
        match self {
            Isa::Avx2 => 32,
            Isa::Avx512 => 64,
        }
    }
}

/// Instructions in a stretch: some 16 KB, and few where tests are to see many.
const STRETCH: usize = if cfg!(test) { 10 } else { 2000 };

const RDI: Reg = 7;
const RSI: Reg = 6;
const WORK_POINTERS: [Reg; 7] = [2, 0, 1, 8, 9, 10, 11];

/// AVX2 has no NOT: this register is all ones.
const ONES: Reg = 15;

/// Appends a function for each stretch of these instructions; where they begin. A slot holds the words of
/// as many groups, one beside the other; a function computes one of them.
pub fn assemble(
    (isa, groups): (Isa, usize),
    instructions: &[Instruction],
    code: &mut Vec<u8>,
) -> Vec<usize> {
    let cut = |instruction: &Instruction| *instruction == Instruction::Cut;
    let mut assembler = Assembler { isa, groups: groups as i32, code, sweep: 0 };
    instructions.split(cut).map(|stretch| assembler.function(stretch)).collect()
}

/// An opcode with its map (1 = 0F, 2 = 0F38, 3 = 0F3A); all have prefix 66 and, in EVEX, W = 1.
#[derive(Clone, Copy)]
struct Opcode {
    map: u8,
    byte: u8,
}

const fn opcode(map: u8, byte: u8) -> Opcode {
    Opcode { map, byte }
}

const LOAD: Opcode = opcode(1, 0x6F);
const STORE: Opcode = opcode(1, 0x7F);
const AND: Opcode = opcode(1, 0xDB);
const AND_NOT: Opcode = opcode(1, 0xDF);
const OR: Opcode = opcode(1, 0xEB);
const XOR: Opcode = opcode(1, 0xEF);
/// vpcmpeqd of AVX2.
const EQUAL: Opcode = opcode(1, 0x76);
/// vpternlogq.
const THREE: Opcode = opcode(3, 0x25);
/// vptest of AVX2, vptestmq of AVX-512.
const TEST_256: Opcode = opcode(2, 0x17);
const TEST_512: Opcode = opcode(2, 0x27);

struct Assembler<'a> {
    isa: Isa,
    groups: i32,
    code: &'a mut Vec<u8>,
    /// Where the present sweep begins.
    sweep: usize,
}

impl Assembler<'_> {
    fn function(&mut self, instructions: &[Instruction]) -> usize {
        self.code.resize(self.code.len().next_multiple_of(64), 0xCC);
        let entry = self.code.len();
        if self.isa == Isa::Avx2 {
            self.op(EQUAL, ONES, ONES, Operand::Reg(ONES));
        }
        self.work_pointers();
        instructions.iter().for_each(|instruction| self.instruction(*instruction));
        // vzeroupper; ret
        self.code.extend([0xC5, 0xF8, 0x77, 0xC3]);
        entry
    }

    /// lea pointer, [rdx + distance]
    fn work_pointers(&mut self) {
        for (number, pointer) in WORK_POINTERS.iter().enumerate().skip(1) {
            let rex = if *pointer >= 8 { 0x4C } else { 0x48 };
            self.code.extend([rex, 0x8D, 0b1000_0000 | (pointer & 7) << 3 | 2]);
            self.code.extend((number as i32 * 256 * self.isa.bytes()).to_le_bytes());
        }
    }

    fn instruction(&mut self, instruction: Instruction) {
        match instruction {
            Instruction::Load(reg, slot) => self.op(LOAD, reg, 0, Operand::Slot(slot)),
            Instruction::Store(slot, reg) => self.op(STORE, reg, 0, Operand::Slot(slot)),
            Instruction::Copy(to, from) => self.op(LOAD, to, 0, Operand::Reg(from)),
            Instruction::Constant(reg, value) => self.constant(reg, value),
            Instruction::Not(to, from) => match self.isa {
                Isa::Avx2 => self.op(XOR, to, ONES, Operand::Reg(from)),
                Isa::Avx512 => self.three(0x55, to, from, Operand::Reg(from)),
            },
            Instruction::Two(kind, to, a, b) => self.op(opcode_of(kind), to, a, b),
            Instruction::Three(table, to, b, c) => self.three(table, to, b, c),
            Instruction::Sweep => {
                self.sweep = self.code.len();
                self.constant(self.isa.changed(), false);
            }
            Instruction::Update(slot, reg) => self.update(slot, reg),
            Instruction::Repeat => self.repeat(),
            Instruction::Cut => unreachable!("stretches end there"),
        }
    }

    fn constant(&mut self, reg: Reg, value: bool) {
        match (self.isa, value) {
            (_, false) => self.op(XOR, reg, reg, Operand::Reg(reg)),
            (Isa::Avx2, true) => self.op(EQUAL, reg, reg, Operand::Reg(reg)),
            (Isa::Avx512, true) => self.three(0xFF, reg, reg, Operand::Reg(reg)),
        }
    }

    fn three(&mut self, table: u8, to: Reg, b: Reg, c: Operand) {
        self.op(THREE, to, b, c);
        self.code.push(table);
    }

    fn update(&mut self, slot: WordSlot, reg: Reg) {
        let changed = self.isa.changed();
        match self.isa {
            // changed | (new ^ old)
            Isa::Avx512 => self.three(0b1111_0110, changed, reg, Operand::Slot(slot)),
            // The register of ones is lent and restored.
            Isa::Avx2 => {
                let spare = ONES;
                self.op(XOR, spare, reg, Operand::Slot(slot));
                self.op(OR, changed, changed, Operand::Reg(spare));
                self.op(EQUAL, ONES, ONES, Operand::Reg(ONES));
            }
        }
        self.op(STORE, reg, 0, Operand::Slot(slot));
    }

    fn repeat(&mut self) {
        let changed = self.isa.changed();
        match self.isa {
            Isa::Avx2 => self.op(TEST_256, changed, 0, Operand::Reg(changed)),
            Isa::Avx512 => {
                // vptestmq k1, changed, changed; kortestw k1, k1
                self.op(TEST_512, 1, changed, Operand::Reg(changed));
                self.code.extend([0xC5, 0xF8, 0x98, 0xC9]);
            }
        }
        let back = self.sweep as i64 - (self.code.len() as i64 + 6);
        self.code.extend([0x0F, 0x85]);
        self.code.extend((back as i32).to_le_bytes());
    }

    /// `reg` is ModRM's register, `second` the VEX operand (0 where there is none).
    fn op(&mut self, op: Opcode, reg: Reg, second: Reg, operand: Operand) {
        match self.isa {
            Isa::Avx2 => self.vex(op, reg, second, operand),
            Isa::Avx512 => self.evex(op, reg, second, operand),
        }
        self.code.push(op.byte);
        self.mod_rm(reg, operand);
    }

    fn vex(&mut self, op: Opcode, reg: Reg, second: Reg, operand: Operand) {
        let high = match operand {
            Operand::Reg(r) => r >= 8,
            Operand::Slot(slot) => self.address(slot).0 >= 8,
        };
        let last = (!second & 15) << 3 | 0b101;
        let not_r = if reg >= 8 { 0 } else { 0x80 };
        if op.map == 1 && !high {
            self.code.extend([0xC5, not_r | last]);
        } else {
            let not_b = if high { 0 } else { 0x20 };
            self.code.extend([0xC4, not_r | 0x40 | not_b | op.map, last]);
        }
    }

    fn evex(&mut self, op: Opcode, reg: Reg, second: Reg, operand: Operand) {
        let rm = match operand {
            Operand::Reg(r) => r,
            Operand::Slot(slot) => self.address(slot).0,
        };
        let inverted = |value: Reg, bit: u8, at: u8| (!value >> bit & 1) << at;
        let first = inverted(reg, 3, 7)
            | inverted(rm, 4, 6)
            | inverted(rm, 3, 5)
            | inverted(reg, 4, 4)
            | op.map;
        let middle = 0x80 | (!second & 15) << 3 | 0b101;
        let last = 0b0100_0000 | inverted(second, 4, 3);
        self.code.extend([0x62, first, middle, last]);
    }

    fn mod_rm(&mut self, reg: Reg, operand: Operand) {
        let reg = (reg & 7) << 3;
        let slot = match operand {
            Operand::Reg(rm) => return self.code.push(0b1100_0000 | reg | rm & 7),
            Operand::Slot(slot) => slot,
        };
        let (base, words) = self.address(slot);
        let base = base & 7;
        let offset = words * self.isa.bytes();
        let short = match self.isa {
            Isa::Avx2 => offset,
            Isa::Avx512 => words,
        };
        match i8::try_from(short) {
            Ok(short) => self.code.extend([0b0100_0000 | reg | base, short as u8]),
            Err(_) => {
                self.code.push(0b1000_0000 | reg | base);
                self.code.extend(offset.to_le_bytes());
            }
        }
    }

    /// The pointer to use for a slot, and the distance in words of a group. Work slots have further
    /// pointers, 256 words apart: rdx, then rax, rcx, r8 to r11.
    fn address(&self, slot: WordSlot) -> (Reg, i32) {
        let place = |slot: u32| slot as i32 * self.groups;
        match slot {
            WordSlot::Now(i) => (RDI, place(i) - AHEAD),
            WordSlot::Next(i) => (RSI, place(i) - AHEAD),
            WordSlot::Work(i) => {
                let number = (place(i) as usize / 256).min(WORK_POINTERS.len() - 1);
                (WORK_POINTERS[number], place(i) - 256 * number as i32 - AHEAD)
            }
        }
    }
}

fn opcode_of(kind: Two) -> Opcode {
    match kind {
        Two::And => AND,
        Two::AndNot => AND_NOT,
        Two::Or => OR,
        Two::Xor => XOR,
    }
}
