//! `Field`: the scalar machine as a search sees it: states, who has a choice there, and what follows.

use ludex_gdl::budget::{Budget, Stop};
use ludex_knowledge::Knowledge;
use ludex_machine::{Scalar, State};
use ludex_net::ground::NotGround;
use ludex_reason::{Move, Role, StateMachine};

#[derive(Clone)]
pub struct Field {
    pub machine: Scalar,
    pub roles: usize,
    /// The role that moves by chance.
    pub chance: Option<Role>,
    legal: Vec<Vec<Move>>,
    /// States that are not terminal where a role had no move.
    pub stuck: u64,
    /// Ends where a role had no goal value, or several.
    pub without_goal: u64,
}

/// The joint moves of a state and the states after them.
#[derive(Default)]
pub struct Expansion {
    /// One after the other, a move for each role.
    pub joints: Vec<Move>,
    pub states: Vec<State>,
    /// The roles with more than one legal move.
    pub choosers: Vec<Role>,
}

impl Field {
    /// A field of a game that has a net.
    pub fn new(knowledge: &Knowledge, budget: &Budget) -> Result<Field, Stop> {
        let machine = knowledge.scalar(budget).map_err(NotGround::stop)?;
        let machine = Scalar::clone(&machine);
        let net = machine.net();
        let roles = net.roles.len();
        let chance = net.chance();
        let legal = vec![vec![]; roles];
        Ok(Field { machine, roles, chance, legal, stuck: 0, without_goal: 0 })
    }

    /// The joint moves of a state that is not terminal, the last role's going round fastest; the
    /// states after them are not made yet. False where a role has no move.
    pub fn joints(&mut self, state: &State, out: &mut Expansion) -> bool {
        out.joints.clear();
        out.states.clear();
        out.choosers.clear();
        let mut count = 1;
        for role in 0..self.roles {
            self.legal[role].clear();
            self.machine.legal(state, role, &mut self.legal[role]);
            count *= self.legal[role].len();
            if self.legal[role].len() > 1 {
                out.choosers.push(role);
            }
        }
        for n in 0..count {
            let mut rest = n;
            let mut every = count;
            for legal in &self.legal {
                every /= legal.len();
                out.joints.push(legal[rest / every]);
                rest %= every;
            }
        }
        self.stuck += (count == 0) as u64;
        count > 0
    }

    /// Makes the states after the joint moves.
    pub fn states(&mut self, state: &State, out: &mut Expansion) {
        out.states.clear();
        for joint in out.joints.chunks(self.roles) {
            out.states.push(self.machine.next(state, joint));
        }
    }

    /// The goals at an end; where there is not exactly one value it counts as 0. Chance needs none.
    pub fn goals(&mut self, state: &State) -> Vec<i32> {
        (0..self.roles).map(|role| self.goal(state, role)).collect()
    }

    pub fn goal(&mut self, state: &State, role: Role) -> i32 {
        let goal = self.machine.goal(state, role);
        self.without_goal += (goal.is_none() && self.chance != Some(role)) as u64;
        goal.unwrap_or(0)
    }
}

impl Expansion {
    pub fn joint(&self, child: usize, roles: usize) -> &[Move] {
        &self.joints[child * roles..(child + 1) * roles]
    }

    /// Leaves away joint moves, before states are made.
    pub fn retain(&mut self, roles: usize, keep: &[bool]) {
        let mut at = 0;
        self.joints.retain(|_| {
            at += 1;
            keep[(at - 1) / roles]
        });
    }
}
