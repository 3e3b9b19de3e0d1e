//! Symmetries of rules, tried with the reasoner: in states of random playouts a symmetry commutes with
//! legal, next, terminal and goal.

use super::{RuleSymmetries, Scrambling};
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Rules, Term};
use ludex_reason::interp::{FactState, Interp};
use ludex_reason::{Move, StateMachine};

/// States that are tried at the most.
const STATES: usize = 5;

/// What was tried before time was over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Generators that were tried at all.
    pub generators: usize,
    /// States in which all of them were.
    pub states: usize,
}

/// Tries all generators in states of one playout, as far as the budget goes; the error is the
/// generator that failed.
pub(crate) fn commute(
    rules: &Rules,
    found: &RuleSymmetries,
    budget: &Budget,
) -> Result<Tried, String> {
    let mut tried = Tried::default();
    let Ok(mut game) = Interp::with_budget(rules, budget) else { return Ok(tried) };
    let mut state = game.initial();
    for step in 0..4 * STATES {
        let joint = joint_move(&mut game, &state, step);
        if step % 4 == 0 {
            for (i, g) in found.generators.iter().enumerate() {
                let trial = MapTrial { g, found };
                let commutes = trial.commutes(&mut game, &state, joint.as_deref());
                if budget.check().is_err() {
                    return Ok(tried);
                }
                if !commutes {
                    return Err(g.to_string());
                }
                tried.generators = tried.generators.max(i + 1);
            }
            tried.states += 1;
        }
        match joint {
            Some(joint) if budget.check().is_ok() && !game.terminal(&state) => {
                state = game.next(&state, &joint)
            }
            _ => break,
        }
    }
    Ok(tried)
}

/// A legal move for every role, if each has one; which one varies with the step.
fn joint_move(game: &mut Interp, state: &FactState, step: usize) -> Option<Vec<Move>> {
    (0..game.roles())
        .map(|role| {
            let mut legal = Vec::new();
            game.legal(state, role, &mut legal);
            legal.sort_by_key(|&m| game.move_text(role, m));
            legal.get((step * 7 + role * 3) % legal.len().max(1)).copied()
        })
        .collect()
}

struct MapTrial<'a> {
    g: &'a Scrambling,
    found: &'a RuleSymmetries,
}

impl MapTrial<'_> {
    fn map(&self, t: &Term) -> Term {
        self.g.ground_term(t, &self.found.normal.opaque)
    }

    fn map_state(&self, game: &mut Interp, state: &FactState) -> FactState {
        let facts: Vec<Term> = game.fact_terms(state).iter().map(|t| self.map(t)).collect();
        game.state_of(&facts)
    }

    fn commutes(&self, game: &mut Interp, here: &FactState, joint: Option<&[Move]>) -> bool {
        let roles: Vec<Term> = (0..game.roles()).map(|r| game.role_term(r)).collect();
        let image = |r: usize| roles.iter().position(|t| *t == self.map(&roles[r]));
        let Some(role_images): Option<Vec<usize>> = (0..roles.len()).map(image).collect() else {
            return false;
        };
        let there = self.map_state(game, here);
        let same_roles = role_images.iter().enumerate().all(|(r, &s)| {
            game.goal(here, r) == game.goal(&there, s) && self.same_legal(game, here, r, &there, s)
        });
        same_roles
            && game.terminal(here) == game.terminal(&there)
            && joint.is_none_or(|joint| self.same_next(game, here, &there, joint, &role_images))
    }

    fn same_legal(
        &self,
        game: &mut Interp,
        here: &FactState,
        r: usize,
        there: &FactState,
        s: usize,
    ) -> bool {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        game.legal(here, r, &mut ours);
        game.legal(there, s, &mut theirs);
        let mut ours: Vec<Term> = ours.iter().map(|&m| self.map(&game.move_term(m))).collect();
        let mut theirs: Vec<Term> = theirs.iter().map(|&m| game.move_term(m)).collect();
        ours.sort_unstable();
        theirs.sort_unstable();
        ours == theirs
    }

    fn same_next(
        &self,
        game: &mut Interp,
        here: &FactState,
        there: &FactState,
        joint: &[Move],
        role_images: &[usize],
    ) -> bool {
        let mut mapped = joint.to_vec();
        for (r, &m) in joint.iter().enumerate() {
            let image = self.map(&game.move_term(m));
            mapped[role_images[r]] = game.move_of(&image);
        }
        let after = game.next(here, joint);
        let expected = self.map_state(game, &after);
        game.next(there, &mapped) == expected
    }
}
