//! States and moves of the reasoner as terms of the rules, and back: any set of facts is a state.

use super::{FactState, Interp};
use crate::{Move, Role};
use ludex_gdl::rules::{Term, TermId};

impl Interp {
    pub fn fact_terms(&self, state: &FactState) -> Vec<Term> {
        state.0.iter().map(|f| self.term(*f)).collect()
    }

    pub fn move_term(&self, m: Move) -> Term {
        self.term(m.0)
    }

    pub fn role_term(&self, role: Role) -> Term {
        self.term(self.roles[role])
    }

    /// The state with these facts, reachable or not.
    pub fn state_of(&mut self, facts: &[Term]) -> FactState {
        let mut all: Vec<u32> = facts.iter().map(|t| self.number(t)).collect();
        all.sort_unstable();
        all.dedup();
        FactState(all.into())
    }

    pub fn move_of(&mut self, t: &Term) -> Move {
        Move(self.number(t))
    }

    fn term(&self, t: u32) -> Term {
        self.machine.store.all_terms().to_term(TermId(t))
    }

    fn number(&mut self, t: &Term) -> u32 {
        let Term::App(f, args) = t else { unreachable!("a ground term") };
        let args: Vec<u32> = args.iter().map(|t| self.number(t)).collect();
        let store = &mut self.machine.store;
        if args.is_empty() {
            return store.constant(*f);
        }
        let functor = store.functor(*f, args.len());
        store.build(functor, |i| args[i])
    }
}
