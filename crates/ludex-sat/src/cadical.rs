//! `Cadical`: [`Solver`] by CaDiCaL, compiled from its C++ sources.

use crate::{SatAnswer, Solver, Terminator};
use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn ludex_sat_new(
        ask: extern "C" fn(*const c_void) -> c_int,
        data: *const c_void,
    ) -> *mut c_void;
    fn ludex_sat_delete(sat: *mut c_void);
    fn ludex_sat_add(sat: *mut c_void, lit: c_int);
    fn ludex_sat_assume(sat: *mut c_void, lit: c_int);
    fn ludex_sat_solve(sat: *mut c_void, conflicts: c_int) -> c_int;
    fn ludex_sat_holds(sat: *mut c_void, lit: c_int) -> c_int;
    fn ludex_sat_failed(sat: *mut c_void, lit: c_int) -> c_int;
}

/// CaDiCaL, strong also on large questions.
pub struct Cadical {
    /// Of `ludex_sat_new`, until it is dropped.
    sat: *mut c_void,
    /// The solver asks it, so it stays where it is.
    _stop: Box<Terminator>,
    variables: i32,
    answer: SatAnswer,
}

extern "C" fn ask(data: *const c_void) -> c_int {
    // SAFETY: `data` is the terminator in the box of a `Cadical` that is solving.
    let stop = unsafe { &*data.cast::<Terminator>() };
    stop() as c_int
}

impl Solver for Cadical {
    fn new(stop: Terminator) -> Cadical {
        let stop = Box::new(stop);
        // SAFETY: the box outlives the solver, see `drop`.
        let sat = unsafe { ludex_sat_new(ask, (&raw const *stop).cast()) };
        Cadical { sat, _stop: stop, variables: 0, answer: SatAnswer::Unknown }
    }

    fn fresh(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    fn clause(&mut self, lits: impl IntoIterator<Item = i32>) {
        self.answer = SatAnswer::Unknown;
        for lit in lits {
            assert!(lit != 0 && lit.abs() <= self.variables, "{lit} is no literal");
            // SAFETY: `sat` is a solver.
            unsafe { ludex_sat_add(self.sat, lit) };
        }
        // SAFETY: the same.
        unsafe { ludex_sat_add(self.sat, 0) };
    }

    fn solve(&mut self, assumptions: &[i32], conflicts: i32) -> SatAnswer {
        for lit in assumptions {
            assert!(*lit != 0 && lit.abs() <= self.variables, "{lit} is no literal");
            // SAFETY: `sat` is a solver.
            unsafe { ludex_sat_assume(self.sat, *lit) };
        }
        // SAFETY: the same.
        self.answer = match unsafe { ludex_sat_solve(self.sat, conflicts) } {
            10 => SatAnswer::Sat,
            20 => SatAnswer::Unsat,
            _ => SatAnswer::Unknown,
        };
        self.answer
    }

    fn holds(&self, lit: i32) -> bool {
        assert!(self.answer == SatAnswer::Sat && lit != 0, "there is no model");
        // SAFETY: `sat` is a solver that has a model.
        unsafe { ludex_sat_holds(self.sat, lit) != 0 }
    }

    fn needed(&self, assumption: i32) -> bool {
        assert!(self.answer == SatAnswer::Unsat && assumption != 0, "nothing was refuted");
        // SAFETY: `sat` is a solver that has refuted its assumptions.
        unsafe { ludex_sat_failed(self.sat, assumption) != 0 }
    }
}

impl Drop for Cadical {
    fn drop(&mut self) {
        // SAFETY: it is used no more, and what it asks is dropped after it.
        unsafe { ludex_sat_delete(self.sat) };
    }
}
