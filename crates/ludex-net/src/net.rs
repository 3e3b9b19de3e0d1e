//! `Ground` -> `Net`: the propositional network (paper 003, section 2), a circuit with shared structure.
//!
//! Gates stand in topological order: an operand has a smaller number than its gate, except inside a
//! recursive component, whose gates are evaluated together to their least fixpoint from all false.
//! Inside a component operands that belong to it are never negated, so the fixpoint exists. Gates of
//! components have kinds of their own, so that nobody takes them for functions of what they read.

mod build;
pub mod circuit;
mod cone;
mod evaluate;
mod known;
pub mod fold;
mod live;
mod show;
mod factor;
mod gate_index;
mod moves;

pub use circuit::Circuit;
pub use cone::Readers;
pub use evaluate::NoBase;
pub use factor::{Gates, factored};
pub use known::{Known, KnownGates};

use crate::ground::Ground;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::is_chance;
use ludex_reason::Role;

/// A gate or its negation: `2 * gate + negated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(pub u32);

impl Lit {
    pub const FALSE: Lit = Lit(0);
    pub const TRUE: Lit = Lit(1);

    pub fn new(gate: usize, negated: bool) -> Lit {
        Lit((gate as u32) << 1 | negated as u32)
    }

    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Gate 0 alone.
    False,
    /// Gates `1..=bases`, in order.
    Base(u32),
    /// Gates `bases+1..=bases+inputs`, in order.
    Input(u32),
    And(Lit, Lit),
    Or(Lit, Lit),
    /// In a recursive component. Its value agrees with those of its operands, but does not follow
    /// from them: gates that only hold each other up are false.
    LoopAnd(Lit, Lit),
    /// The same for a disjunction.
    LoopOr(Lit, Lit),
}

impl Gate {
    /// What a gate reads, in a loop or not; none for leaves.
    pub fn operands(self) -> Option<(Lit, Lit)> {
        match self {
            Gate::False | Gate::Base(_) | Gate::Input(_) => None,
            Gate::And(a, b) | Gate::Or(a, b) | Gate::LoopAnd(a, b) | Gate::LoopOr(a, b) => {
                Some((a, b))
            }
        }
    }

    pub fn is_loop(self) -> bool {
        matches!(self, Gate::LoopAnd(..) | Gate::LoopOr(..))
    }
}

/// A base proposition.
#[derive(Clone, Debug)]
pub struct Base {
    /// KIF text as the author wrote the names, without `true`.
    pub name: String,
    pub initial: bool,
    /// Its transition: the value in the next state.
    pub next: Lit,
}

/// An input proposition `does(role, move)`.
#[derive(Clone, Debug)]
pub struct Input {
    pub role: Role,
    /// KIF text of the move.
    pub name: String,
    pub legal: Lit,
}

/// The network of a game. Bases are sorted by name, inputs by role and then name.
/// `legal`, `terminal` and `goals` do not depend on inputs; the transitions mean what the rules say
/// where every role makes exactly one move, and anything elsewhere.
#[derive(Clone, Debug)]
pub struct Net {
    pub name: String,
    pub roles: Vec<String>,
    pub bases: Vec<Base>,
    pub inputs: Vec<Input>,
    pub gates: Vec<Gate>,
    /// Ranges of gates that are evaluated together to a least fixpoint, ascending, disjoint: all
    /// `LoopAnd` and `LoopOr` gates, and no others.
    pub components: Vec<std::ops::Range<usize>>,
    pub terminal: Lit,
    /// Per role, the goal values that can occur, ascending, with their propositions.
    pub goals: Vec<Vec<(i32, Lit)>>,
}

impl Net {
    pub fn new(ground: &Ground, budget: &Budget) -> Result<Net, Stop> {
        budget.begin("network", 0);
        build::build(ground, budget)
    }

    /// The role that moves by chance.
    pub fn chance(&self) -> Option<Role> {
        self.roles.iter().position(|role| is_chance(role))
    }

    pub fn base_lit(&self, base: usize) -> Lit {
        Lit::new(1 + base, false)
    }

    pub fn input_lit(&self, input: usize) -> Lit {
        Lit::new(1 + self.bases.len() + input, false)
    }

    /// The numbers of a role's inputs.
    pub fn inputs_of(&self, role: Role) -> std::ops::Range<usize> {
        let start = self.inputs.partition_point(|i| i.role < role);
        start..self.inputs.partition_point(|i| i.role <= role)
    }
}
