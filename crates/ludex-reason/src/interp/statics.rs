//! `Statics`: the relations that depend on neither state nor moves, known or computed in advance.

use super::Problem;
use super::code::{Program, Stored, Validity};
use super::order::{Orders, Strategy};
use super::plan::Planner;
use super::prepare::Prepared;
use super::run::{FULL, Machine};
use super::sizes::RelationSizes;
use super::tuples::Tuples;

/// Beyond these limits a relation is not computed in advance but asked like any other.
const FUEL: u64 = 4_000_000;
const MOST_ROWS: usize = 400_000;

pub struct Statics {
    /// By relation: its number in `rows`.
    pub stored: Vec<Option<u32>>,
    pub rows: Vec<Stored>,
}

impl Statics {
    /// In haste nothing is computed in advance: the facts are known.
    pub fn new(
        prepared: &mut Prepared,
        machine: &mut Machine,
        haste: bool,
    ) -> Result<Statics, Problem> {
        let stored = vec![None; prepared.relations.len()];
        let mut statics = Statics { stored, rows: Vec::new() };
        let used = prepared.used();
        let order: Vec<u32> = prepared.components.iter().flatten().copied().collect();
        for r in order.into_iter().filter(|r| used[*r as usize]) {
            let relation = &mut prepared.relations[r as usize];
            let tuples = if relation.clauses.is_empty() {
                Some(std::mem::replace(&mut relation.facts, Tuples::new(relation.arity)))
            } else if haste || relation.level != Validity::Static || relation.needs.contains(&true)
            {
                None
            } else {
                statics.evaluate(r, prepared, machine)?
            };
            if let Some(tuples) = tuples {
                statics.stored[r as usize] = Some(statics.rows.len() as u32);
                statics.rows.push(Stored::new(tuples));
            }
        }
        machine.fuel = FULL;
        Ok(statics)
    }

    /// All tuples of a relation, or none where there are too many.
    fn evaluate(
        &mut self,
        relation: u32,
        prepared: &Prepared,
        machine: &mut Machine,
    ) -> Result<Option<Tuples>, Problem> {
        let sizes = RelationSizes::default();
        let orders = Orders::new(prepared, &self.stored, &self.rows, &sizes, Strategy::Search);
        let mut planner = Planner::new(&orders, self.rows.clone(), &machine.store.functors);
        let table = planner.table(relation, &[], false);
        let program: Program = planner.finish();
        machine.install(&program);
        machine.fuel = FUEL;
        let mut tuples = Tuples::new(prepared.relations[relation as usize].arity);
        let result = machine.answers(&program, table, &[], |row| {
            tuples.intern(|i| row[i]);
        });
        match result {
            Ok(()) if tuples.len() <= MOST_ROWS => Ok(Some(tuples)),
            Ok(()) | Err(Problem::TooMuch | Problem::TooDeep) => Ok(None),
            Err(problem) => Err(problem),
        }
    }
}
