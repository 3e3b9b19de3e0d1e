//! `Batsat`: [`Solver`] by batsat, in Rust, for targets without C++.

use crate::{SatAnswer, Solver, Terminator};
use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, Var, lbool};
use std::cell::Cell;

/// Batsat, as good as CaDiCaL on small questions.
pub struct Batsat {
    solver: batsat::Solver<BatsatEffort>,
    /// Used again for every clause.
    clause: Vec<Lit>,
}

/// What one question may use.
struct BatsatEffort {
    stop: Terminator,
    /// Conflicts that are left.
    conflicts: u64,
    /// Decisions until it asks again whether to stop.
    rest: Cell<u32>,
}

/// Decisions between two such questions.
const PATIENCE: u32 = 256;

impl Callbacks for BatsatEffort {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts = self.conflicts.saturating_sub(1);
        }
    }

    fn stop(&self) -> bool {
        if self.rest.get() > 0 {
            self.rest.set(self.rest.get() - 1);
            return self.conflicts == 0;
        }
        self.rest.set(PATIENCE);
        self.conflicts == 0 || (self.stop)()
    }
}

impl Solver for Batsat {
    fn new(stop: Terminator) -> Batsat {
        let effort = BatsatEffort { stop, conflicts: 0, rest: Cell::new(0) };
        Batsat { solver: batsat::Solver::new(SolverOpts::default(), effort), clause: vec![] }
    }

    fn fresh(&mut self) -> i32 {
        self.solver.new_var_default().idx() as i32 + 1
    }

    fn clause(&mut self, lits: impl IntoIterator<Item = i32>) {
        self.clause.clear();
        self.clause.extend(lits.into_iter().map(literal));
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn solve(&mut self, assumptions: &[i32], conflicts: i32) -> SatAnswer {
        let effort = self.solver.cb_mut();
        effort.conflicts = conflicts as u64;
        effort.rest.set(0);
        let assumed: Vec<Lit> = assumptions.iter().map(|lit| literal(*lit)).collect();
        match self.solver.solve_limited(&assumed) {
            answer if answer == lbool::TRUE => SatAnswer::Sat,
            answer if answer == lbool::FALSE => SatAnswer::Unsat,
            _ => SatAnswer::Unknown,
        }
    }

    fn holds(&self, lit: i32) -> bool {
        self.solver.value_lit(literal(lit)) == lbool::TRUE
    }

    fn needed(&self, assumption: i32) -> bool {
        self.solver.unsat_core_contains_var(literal(assumption).var())
    }
}

/// Batsat tries this sign of a variable first.
fn literal(lit: i32) -> Lit {
    Lit::new(Var::unsafe_from_idx(lit.unsigned_abs() - 1), lit < 0)
}
