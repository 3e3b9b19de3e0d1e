//! Finds the best plan of a game: plans are made from what random matches show, and measured there.

use super::code::Mode;
use super::order::{Orders, Strategy};
use super::plan::Planner;
use super::prepare::Prepared;
use super::run::FULL;
use super::sizes::RelationSizes;
use super::statics::Statics;
use super::{FactState, Interp, Problem, Queries};
use crate::{Move, Random, StateMachine};
use ludex_gdl::rules::Rel;
use std::sync::Arc;

/// How many steps and states the matches have in which plans are compared.
const FUEL: u64 = 4_000_000;
const STATES: usize = 200;
/// How many states are looked at to see how facts are spread.
const SAMPLES: usize = 20;

/// A state and the joint move that was made there, none at the end.
type Trail = Vec<(FactState, Option<Vec<Move>>)>;

impl Interp {
    /// Finds the roles, the initial state and a plan that knows only this state.
    pub(super) fn first_plan(
        &mut self,
        prepared: &Prepared,
        statics: &Statics,
    ) -> Result<(), Problem> {
        self.plan(prepared, statics, &RelationSizes::default(), Strategy::Fewest)?;
        self.find_start()?;
        let sizes = self.sizes(&[(self.initial.clone(), None)]);
        self.plan(prepared, statics, &sizes, Strategy::Fewest)
    }

    /// Finds a good plan.
    pub(super) fn tune(&mut self, prepared: &Prepared, statics: &Statics) -> Result<(), Problem> {
        // The first plan may be too bad to get far.
        let trail = self.wander()?;
        let sizes = self.sizes(&trail);
        self.plan(prepared, statics, &sizes, Strategy::Fewest)?;
        let trail = self.wander()?;
        let sizes = self.sizes(&trail);
        let mut best = (Strategy::Fewest, FULL);
        for strategy in [Strategy::Fewest, Strategy::Rank, Strategy::Search] {
            self.plan(prepared, statics, &sizes, strategy)?;
            let steps = self.measure(&trail, best.1)?;
            if steps < best.1 {
                best = (strategy, steps);
            }
        }
        if best.0 != Strategy::Search {
            self.plan(prepared, statics, &sizes, best.0)?;
        }
        Ok(())
    }

    /// Plans with what is known of sizes, which takes a while for many rules.
    fn plan(
        &mut self,
        prepared: &Prepared,
        statics: &Statics,
        sizes: &RelationSizes,
        strategy: Strategy,
    ) -> Result<(), Problem> {
        self.machine.budget.check().map_err(Problem::Stopped)?;
        let orders = Orders::new(prepared, &statics.stored, &statics.rows, sizes, strategy);
        let mut planner = Planner::new(&orders, statics.rows.clone(), &self.machine.store.functors);
        self.queries = Queries {
            role: planner.table(Rel::ROLE.0, &[], false),
            init: planner.table(Rel::INIT.0, &[], false),
            legal: planner.table(Rel::LEGAL.0, &[0], false),
            next: planner.update(Rel::NEXT),
            terminal: planner.table(Rel::TERMINAL.0, &[], true),
            goal: planner.table(Rel::GOAL.0, &[0], false),
            fnext: prepared.fnext.map(|rel| planner.update(rel)),
        };
        self.program = Arc::new(planner.finish());
        self.machine.install(&self.program);
        Ok(())
    }

    fn find_start(&mut self) -> Result<(), Problem> {
        let Interp { machine, program, queries, roles, .. } = self;
        machine.load(&[]);
        machine.answers(program, queries.role, &[], |row| roles.push(row[0]))?;
        let mut facts = Vec::new();
        machine.answers(program, queries.init, &[], |row| facts.push(row[0]))?;
        facts.sort_unstable();
        self.initial = FactState(facts.into());
        Ok(())
    }

    /// Random matches, as far as the fuel lasts.
    fn wander(&mut self) -> Result<Trail, Problem> {
        let mut random = Random::new(1);
        let mut trail = Trail::new();
        let mut moves = Vec::new();
        self.machine.fuel = FUEL;
        let mut state = self.initial.clone();
        while trail.len() < STATES && self.problem.is_none() {
            let mut joint = Vec::new();
            let over = self.terminal(&state);
            for role in 0..self.roles() {
                moves.clear();
                self.legal(&state, role, &mut moves);
                if !moves.is_empty() {
                    joint.push(moves[random.below(moves.len())]);
                }
            }
            let over = over || joint.len() < self.roles();
            let joint = (!over).then_some(joint);
            trail.push((state.clone(), joint.clone()));
            state = joint.map_or(self.initial.clone(), |joint| self.next(&state, &joint));
        }
        self.end_of_fuel()?;
        Ok(trail)
    }

    /// Out of fuel is what may happen here; a stop is passed on.
    fn end_of_fuel(&mut self) -> Result<bool, Problem> {
        self.machine.fuel = FULL;
        match self.problem.take() {
            Some(problem @ Problem::Stopped(_)) => Err(problem),
            problem => Ok(problem.is_some()),
        }
    }

    /// The steps that the questions of a trail take, if they are fewer than `most`.
    fn measure(&mut self, trail: &Trail, most: u64) -> Result<u64, Problem> {
        self.machine.fuel = most;
        let mut moves = Vec::new();
        for (state, joint) in trail {
            self.terminal(state);
            (0..self.roles()).for_each(|role| self.legal(state, role, &mut moves));
            match joint {
                Some(joint) => {
                    self.next(state, joint);
                }
                None => (0..self.roles()).for_each(|role| {
                    self.goal(state, role);
                }),
            }
            moves.clear();
            if self.problem.is_some() {
                break;
            }
        }
        let steps = most - self.machine.fuel;
        Ok(if self.end_of_fuel()? { FULL } else { steps })
    }

    /// What the tables have answered, and how the facts are spread in some of the states.
    fn sizes(&mut self, trail: &[(FactState, Option<Vec<Move>>)]) -> RelationSizes {
        let mut sizes = RelationSizes::default();
        for (table, memo) in self.program.tables.iter().zip(&self.machine.memos) {
            let arity = self.program.arities[table.relation as usize];
            if table.mode != Mode::Exists || table.columns.len() == arity {
                sizes.note_answers(table.relation, &table.columns, memo.asked, memo.found);
            }
        }
        let mut random = Random::new(2);
        for _ in 0..SAMPLES.min(trail.len()) {
            // At random, because a regular choice could always find the same player in control.
            self.load(&trail[random.below(trail.len())].0);
            sizes.sample(&self.machine.store);
        }
        sizes
    }
}
