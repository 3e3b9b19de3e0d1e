//! Both solvers against trying every assignment, with assumptions and clauses that come later; and their
//! limits.

use crate::batsat::Batsat;
use crate::cadical::Cadical;
use crate::{SatAnswer, Solver};
use std::cell::Cell;
use std::rc::Rc;

const VARIABLES: i32 = 8;

/// Numbers that look random (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }

    fn lit(&mut self) -> i32 {
        let variable = self.below(VARIABLES as u64) as i32 + 1;
        if self.below(2) == 0 { variable } else { -variable }
    }
}

fn true_in(model: u32, lit: i32) -> bool {
    (model >> (lit.abs() - 1) & 1 == 1) == (lit > 0)
}

fn satisfiable(clauses: &[Vec<i32>], assumed: &[i32]) -> bool {
    (0..1u32 << VARIABLES).any(|model| {
        let holds = |lit: &i32| true_in(model, *lit);
        assumed.iter().all(holds) && clauses.iter().all(|clause| clause.iter().any(holds))
    })
}

fn agrees_with_trying<S: Solver>() {
    let mut numbers = Numbers(88172645463325252);
    let [mut models, mut refuted] = [0; 2];
    for _ in 0..200 {
        let mut solver = S::new(Box::new(|| false));
        (0..VARIABLES).for_each(|_| _ = solver.fresh());
        let mut clauses: Vec<Vec<i32>> = Vec::new();
        for _ in 0..40 {
            let clause: Vec<i32> = (0..3).map(|_| numbers.lit()).collect();
            solver.clause(clause.iter().copied());
            clauses.push(clause);
            let assumed: Vec<i32> = (0..numbers.below(4)).map(|_| numbers.lit()).collect();
            let expected = satisfiable(&clauses, &assumed);
            match solver.solve(&assumed, 100_000) {
                SatAnswer::Sat => {
                    assert!(expected, "{clauses:?} {assumed:?}");
                    let holds = |lit: &i32| solver.holds(*lit);
                    assert!(assumed.iter().all(holds));
                    assert!(clauses.iter().all(|clause| clause.iter().any(holds)));
                    models += 1;
                }
                SatAnswer::Unsat => {
                    assert!(!expected, "{clauses:?} {assumed:?}");
                    let needed = assumed.iter().copied().filter(|lit| solver.needed(*lit));
                    assert!(!satisfiable(&clauses, &needed.collect::<Vec<i32>>()));
                    refuted += 1;
                }
                SatAnswer::Unknown => panic!("nothing stopped it"),
            }
        }
    }
    assert!(models > 1000 && refuted > 1000, "{models} {refuted}");
}

/// So many pigeons and one hole less: hard for every solver of this kind.
fn pigeons<S: Solver>(solver: &mut S, pigeons: usize) {
    let rows: Vec<Vec<i32>> =
        (0..pigeons).map(|_| (1..pigeons).map(|_| solver.fresh()).collect()).collect();
    rows.iter().for_each(|row| solver.clause(row.iter().copied()));
    for hole in 0..pigeons - 1 {
        for (i, a) in rows.iter().enumerate() {
            rows[..i].iter().for_each(|b| solver.clause([-a[hole], -b[hole]]));
        }
    }
}

fn ends_at_its_limits<S: Solver>() {
    let asked = Rc::new(Cell::new(0));
    let count = asked.clone();
    let stop = move || {
        count.set(count.get() + 1);
        count.get() > 20
    };
    let mut solver = S::new(Box::new(stop));
    pigeons(&mut solver, 12);
    assert_eq!(solver.solve(&[], i32::MAX), SatAnswer::Unknown);
    assert!(asked.get() > 20);
    let mut solver = S::new(Box::new(|| false));
    pigeons(&mut solver, 12);
    assert_eq!(solver.solve(&[], 200), SatAnswer::Unknown);
    let mut solver = S::new(Box::new(|| false));
    pigeons(&mut solver, 5);
    assert_eq!(solver.solve(&[], 1_000_000), SatAnswer::Unsat);
}

#[test]
fn cadical_agrees_with_trying() {
    agrees_with_trying::<Cadical>();
}

#[test]
fn batsat_agrees_with_trying() {
    agrees_with_trying::<Batsat>();
}

#[test]
fn cadical_ends_at_its_limits() {
    ends_at_its_limits::<Cadical>();
}

#[test]
fn batsat_ends_at_its_limits() {
    ends_at_its_limits::<Batsat>();
}
