//! `Rules` -> `Ground`: the ground instances of the rules over all reachable atoms, simplified.
//!
//! Reachable is meant relaxed: the least set of atoms with negation of what changes dropped, `true`
//! from `init` and `next`, `does` from `legal`. It contains every atom that is ever true in a match.

mod ports;
mod simplify;

pub use crate::instances::{GroundLiteral, NotGround};
pub use ports::{BasePort, InputPort, Ports};

use crate::instances::{Instances, Rows};
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Rel, Relation, Rules, Symbols, Term, TermId, Terms};
use std::fmt;

/// The ground rules of a game.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The game's name.
    pub name: String,
    pub symbols: Symbols,
    pub terms: Terms,
    /// The roles, in the order of the rules.
    pub roles: Vec<TermId>,
    /// Every atom that is not decided: those of `true` and `does` are given, the others follow from
    /// the rules. Atoms of `next`, `legal`, `goal` and `terminal` are there even if they always hold.
    pub atoms: Vec<GroundAtom>,
    args: Vec<TermId>,
    rules: Rows,
    /// Whether a fact holds in the initial state, by atom (false for all that is not `true(...)`).
    pub initial: Vec<bool>,
    relations: Vec<Relation>,
}

/// A ground atom. The arguments are `Ground::args`.
#[derive(Clone, Copy, Debug)]
pub struct GroundAtom {
    pub rel: Rel,
    start: u32,
    end: u32,
}

impl Ground {
    pub fn new(rules: &Rules, budget: &Budget) -> Result<Ground, NotGround> {
        budget.begin("grounding", 0);
        let found = Instances::of_game(rules, budget)?;
        budget.begin("simplifying", 0);
        Ok(simplify::simplify(rules, found, budget)?)
    }

    /// Whether an atom is of a relation that a pass has made to split rules.
    pub fn is_part(&self, atom: &GroundAtom) -> bool {
        self.relations.get(atom.rel.index()).is_none_or(|r| r.auxiliary)
    }

    pub fn args(&self, atom: &GroundAtom) -> &[TermId] {
        &self.args[atom.start as usize..atom.end as usize]
    }

    /// The rules: head and conditions. Rules of one head are neighbours.
    pub fn rules(&self) -> impl Iterator<Item = (usize, &[GroundLiteral])> {
        (0..self.rules.heads.len()).map(|i| (self.rules.heads[i] as usize, self.rules.body(i)))
    }

    /// The number of rules.
    pub fn len(&self) -> usize {
        self.rules.heads.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of view propositions (003): atoms of the rules that are no facts and no moves.
    pub fn view_count(&self) -> usize {
        let is_view = |a: &&GroundAtom| !a.rel.is_given() && a.rel.index() < self.relations.len();
        self.atoms.iter().filter(is_view).count()
    }

    pub fn term_text(&self, t: TermId) -> String {
        self.terms.text(&self.symbols, t, false)
    }

    /// A ground term as a term of the rules, with the same symbols.
    pub fn to_term(&self, t: TermId) -> Term {
        self.terms.to_term(t)
    }

    pub fn atom_text(&self, atom: usize) -> String {
        let atom = &self.atoms[atom];
        let name = match self.relations.get(atom.rel.index()) {
            Some(relation) => self.symbols.name(relation.name).to_string(),
            None => format!("part_{}", atom.rel.index() - self.relations.len()),
        };
        let args: String =
            self.args(atom).iter().map(|t| format!(" {}", self.term_text(*t))).collect();
        if args.is_empty() { name } else { format!("({name}{args})") }
    }
}

/// The ground rules are a game themselves.
impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for role in &self.roles {
            writeln!(f, "(role {})", self.term_text(*role))?;
        }
        for (atom, _) in self.initial.iter().enumerate().filter(|(_, i)| **i) {
            writeln!(f, "(init {})", self.term_text(self.args(&self.atoms[atom])[0]))?;
        }
        for (head, body) in self.rules() {
            if body.is_empty() {
                writeln!(f, "{}", self.atom_text(head))?;
                continue;
            }
            write!(f, "(<= {}", self.atom_text(head))?;
            for l in body {
                let text = self.atom_text(l.atom());
                if l.negated() { write!(f, " (not {text})")? } else { write!(f, " {text}")? }
            }
            writeln!(f, ")")?;
        }
        Ok(())
    }
}
