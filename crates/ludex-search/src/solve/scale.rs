//! `Scale`: the outcomes of a match in the order in which one role likes them, where the other likes
//! them in the opposite order.
//!
//! In a game of constant sum that is so; also where nobody wins and nobody loses in a draw that gives
//! both nothing, as long as a role that cannot get more itself would rather see the other get less.
//! That no other outcomes are possible is proved, not assumed.

use ludex_facts::invariants::InvariantKind;
use ludex_facts::prove::{Prover, Verdict};
use ludex_gdl::budget::{Budget, Stop};
use ludex_knowledge::Knowledge;
use ludex_net::ground::NotGround;
use ludex_net::{Lit, Net};
use ludex_reason::Role;

/// Goals of both roles, the first role's worst outcome first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    pub outcomes: Vec<[i32; 2]>,
    /// Only the role's own goals count; the others' stand as 0.
    pub alone: bool,
}

/// A scale that is proved, and whether it is that every role has exactly one goal at every end.
pub struct ProvedScale {
    pub scale: Scale,
    pub one_goal: bool,
}

/// Combinations of goal values that are looked at.
const MOST: usize = 400;

impl Scale {
    /// Proves which outcomes a game of two roles can have. None where they are no scale, or where it is
    /// not proved that they are. Lemmas are looked for in so many seconds, and outcomes as long.
    pub fn find(
        knowledge: &Knowledge,
        net: &Net,
        budget: &Budget,
        seconds: f64,
    ) -> Result<Option<ProvedScale>, Stop> {
        if net.roles.len() != 2 || net.goals.iter().map(|g| g.len() + 1).product::<usize>() > MOST {
            return Ok(None);
        }
        let found = knowledge.invariants_in(budget, seconds, &mut |_| ());
        let found = found.map_err(NotGround::stop)?;
        let seen: Vec<[i32; 2]> = found
            .samples
            .goals
            .iter()
            .filter(|g| !g.is_empty())
            .map(|g| [g[0].unwrap_or(0), g[1].unwrap_or(0)])
            .collect();
        let one_goal = (0..2).all(|r| found.proved(InvariantKind::OneGoal, &[r]));
        let stuck: Vec<Role> =
            (0..2).filter(|r| !found.proved(InvariantKind::Mobility, &[*r])).collect();
        let mut prover = found.prover.clone();
        prover.limit(&budget.lasting(seconds));
        let mut possible = seen.clone();
        for (outcome, lit) in ends(net, &stuck, &mut prover) {
            if !possible.contains(&outcome) && !is_impossible(&mut prover, lit)? {
                possible.push(outcome);
            }
        }
        Ok(Scale::of(possible).map(|scale| ProvedScale { scale, one_goal }))
    }

    /// The outcomes as a scale, if they are one.
    pub fn of(mut outcomes: Vec<[i32; 2]>) -> Option<Scale> {
        outcomes.sort_by_key(|o| (o[0], -o[1]));
        outcomes.dedup();
        let opposed = outcomes.windows(2).all(|w| w[0][1] >= w[1][1]);
        (opposed && !outcomes.is_empty() && outcomes.len() < 255)
            .then_some(Scale { outcomes, alone: false })
    }

    /// The goals that a role can get at all, whatever the others get.
    pub fn of_role(net: &Net, role: Role) -> Scale {
        let mut values: Vec<i32> = net.goals[role].iter().map(|g| g.0).chain([0]).collect();
        values.sort_unstable();
        values.dedup();
        Scale { outcomes: values.into_iter().map(|v| [v, 0]).collect(), alone: true }
    }

    pub fn rank(&self, goals: [i32; 2]) -> Option<u8> {
        self.outcomes.iter().position(|o| *o == goals).map(|r| r as u8)
    }

    pub fn best(&self) -> u8 {
        (self.outcomes.len() - 1) as u8
    }

    /// What both get together, if that is always the same.
    pub fn sum(&self) -> Option<i32> {
        let sum = self.outcomes[0][0] + self.outcomes[0][1];
        self.outcomes.iter().all(|o| o[0] + o[1] == sum).then_some(sum)
    }
}

/// For every combination of goals that it is the end of a match, which also ends where one of the roles that may be
/// `stuck` has no move. A role without a goal, or with several, gets nothing.
fn ends(net: &Net, stuck: &[Role], prover: &mut Prover) -> Vec<([i32; 2], Lit)> {
    let mut over = vec![net.terminal];
    for role in stuck {
        let legal: Vec<Lit> = net.inputs_of(*role).map(|i| net.inputs[i].legal).collect();
        over.push(!prover.or(legal));
    }
    let over = prover.or(over);
    let mut of_role = |role: usize| -> Vec<(i32, Lit)> {
        let lits: Vec<Lit> = net.goals[role].iter().map(|g| g.1).collect();
        let (one, some) = (prover.at_most_one(&lits), prover.or(lits));
        let exactly = prover.and([one, some]);
        let mut goals: Vec<(i32, Lit)> =
            net.goals[role].iter().map(|(v, l)| (*v, prover.and([one, *l]))).collect();
        match goals.iter_mut().find(|g| g.0 == 0) {
            Some(nothing) => nothing.1 = prover.or([nothing.1, !exactly]),
            None => goals.push((0, !exactly)),
        }
        goals
    };
    let (first, second) = (of_role(0), of_role(1));
    let mut all = Vec::new();
    for (a, x) in &first {
        for (b, y) in &second {
            all.push(([*a, *b], prover.and([over, *x, *y])));
        }
    }
    all
}

fn is_impossible(prover: &mut Prover, lit: Lit) -> Result<bool, Stop> {
    if lit == Lit::FALSE {
        return Ok(true);
    }
    let proved = matches!(prover.prove(!lit, 2)?, Verdict::Proved { .. });
    if proved {
        prover.add_lemma(!lit);
    }
    Ok(proved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_a_scale_if_the_roles_order_them_in_opposite_ways() {
        let draw = Scale::of(vec![[100, 0], [0, 0], [0, 100], [0, 0]]).expect("a scale");
        assert_eq!(draw.outcomes, [[0, 100], [0, 0], [100, 0]]);
        assert_eq!((draw.rank([0, 0]), draw.sum()), (Some(1), None));
        assert_eq!(Scale::of(vec![[100, 0], [0, 0], [50, 50], [0, 100]]), None);
        let sum = Scale::of(vec![[50, 50], [0, 100], [100, 0]]).expect("a scale");
        assert_eq!((sum.best(), sum.sum()), (2, Some(100)));
    }
}
