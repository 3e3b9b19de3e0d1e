//! `Net` -> the net of the same game in which who can win at once does, and lets nobody win who can help it.
//!
//! Decisive and anti-decisive moves (Teytaud and Teytaud, 2010) as circuits: the end of the game is a function
//! of the state, the next state one of the state and a move, so that a move wins at once is a function of the
//! state, too. Put together once more it tells which moves let the next one win. Only `legal` differs from
//! that of the game, so every machine of this net plays random matches that look ahead, and knows nothing of it.
//! Most gates are shared: a move changes little.

use super::turns::Turns;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::fold::{constant, copy, through};
use ludex_net::{Base, Circuit, Input, Lit, Net};
use ludex_reason::Role;

/// Gates that are gone through at the most, for all moves together.
const MOST_WORK: usize = 40_000_000;
/// A net may become so many times as large, if it was not small, and has at most so many gates then.
const GROWTH: usize = 40;
const SMALL: usize = 2_000;
const LARGEST: usize = 150_000;

/// None where play is alone, or where the circuit would be far larger.
pub fn decisive(net: &Net, budget: &Budget) -> Result<Option<Net>, Stop> {
    let (ends, steps) = (ends(net), steps(net));
    let work = net.inputs.len() * (ends.gates.len() + steps.gates.len());
    let loops = !ends.components.is_empty() || !steps.components.is_empty();
    if net.roles.len() < 2 || work > MOST_WORK || loops {
        return Ok(None);
    }
    let mut circuit = Circuit::of(net);
    let others = others(net, &mut circuit);
    let mut look = Lookahead { net, others, circuit, budget };
    let after = look.after(&steps)?;
    let wins = look.wins(&ends, &after)?;
    let taking = look.taking(&wins);
    let Some(avoiding) = look.avoiding(&wins, &after)? else { return Ok(look.within(taking)) };
    Ok(look.within(avoiding).or_else(|| look.within(taking)))
}

/// By input, whether it is made while another decides: the move of those who wait; where roles move at once the
/// first one that is legal stands for all of them.
fn others(net: &Net, circuit: &mut Circuit) -> Vec<Lit> {
    if let Some(waiting) = Turns::guess(net).waiting {
        let waits = |(i, input): (usize, &Input)| constant(waiting[input.role] == i);
        return net.inputs.iter().enumerate().map(waits).collect();
    }
    let mut before = vec![Lit::FALSE; net.roles.len()];
    let first = |input: &Input| {
        let before = &mut before[input.role];
        let first = circuit.and(input.legal, !*before);
        *before = circuit.or(*before, input.legal);
        first
    };
    net.inputs.iter().map(first).collect()
}

/// What tells the ends alone.
fn ends(net: &Net) -> Net {
    let bases = net.bases.iter().map(|base| Base { next: Lit::FALSE, ..base.clone() });
    let mut ends = Net { bases: bases.collect(), inputs: illegal(net), ..net.clone() };
    ends.sweep_dead();
    ends
}

/// What tells the next state alone.
fn steps(net: &Net) -> Net {
    let goals = vec![Vec::new(); net.roles.len()];
    let mut steps = Net { inputs: illegal(net), terminal: Lit::FALSE, goals, ..net.clone() };
    steps.sweep_dead();
    steps
}

fn illegal(net: &Net) -> Vec<Input> {
    net.inputs.iter().map(|input| Input { legal: Lit::FALSE, ..input.clone() }).collect()
}

struct Lookahead<'a> {
    net: &'a Net,
    /// By input, whether it is made while another role decides.
    others: Vec<Lit>,
    circuit: Circuit,
    budget: &'a Budget,
}

impl Lookahead<'_> {
    /// By input, what every base becomes by that move.
    fn after(&mut self, steps: &Net) -> Result<Vec<Vec<Lit>>, Stop> {
        let net = self.net;
        let first = 1 + net.bases.len();
        let mut all = Vec::with_capacity(net.inputs.len());
        for (input, Input { role, .. }) in net.inputs.iter().enumerate() {
            self.budget.check()?;
            let others = &self.others;
            let made = |i: usize| match net.inputs[i].role == *role {
                true => constant(i == input),
                false => others[i],
            };
            let leaf = |gate: usize| match gate {
                0 => Some(Lit::FALSE),
                _ if gate < first => Some(Lit::new(gate, false)),
                _ if gate < first + net.inputs.len() => Some(made(gate - first)),
                _ => None,
            };
            let became = copy(steps, &mut self.circuit, leaf);
            all.push(steps.bases.iter().map(|base| through(&became, base.next)).collect());
        }
        Ok(all)
    }

    /// By input, whether it wins all there is at once.
    fn wins(&mut self, ends: &Net, after: &[Vec<Lit>]) -> Result<Vec<Lit>, Stop> {
        let mut wins = Vec::with_capacity(after.len());
        for (input, state) in self.net.inputs.iter().zip(after) {
            self.budget.check()?;
            let became = copy(ends, &mut self.circuit, |gate| leaf(state, gate, ends));
            let goal = |(_, goal): &(i32, Lit)| through(&became, *goal);
            let Some((best, rest)) = ends.goals[input.role].split_last() else {
                wins.push(Lit::FALSE);
                continue;
            };
            // Two goals at once are none.
            let mut all = vec![input.legal, through(&became, ends.terminal), goal(best)];
            all.extend(rest.iter().map(|other| !goal(other)));
            wins.push(self.circuit.and_all(all));
        }
        Ok(wins)
    }

    /// By role, whether it can win at once.
    fn any(&mut self, wins: &[Lit]) -> Vec<Lit> {
        let of = |role: Role| self.net.inputs_of(role);
        let roles = 0..self.net.roles.len();
        let lits: Vec<Vec<Lit>> = roles.map(|role| wins[of(role)].to_vec()).collect();
        lits.into_iter().map(|lits| self.circuit.or_all(lits)).collect()
    }

    /// By input, whether it is made where wins are.
    fn taking(&mut self, wins: &[Lit]) -> Vec<Lit> {
        let any = self.any(wins);
        let net = self.net;
        let inputs = net.inputs.iter().zip(wins);
        let taken = inputs.map(|(input, win)| {
            let free = self.circuit.or(*win, !any[input.role]);
            self.circuit.and(input.legal, free)
        });
        taken.collect()
    }

    /// The same where no win is let in, either; none where that becomes too large.
    fn avoiding(&mut self, wins: &[Lit], after: &[Vec<Lit>]) -> Result<Option<Vec<Lit>>, Stop> {
        let net = self.net;
        let any = self.any(wins);
        let danger = self.any_as_net(&any);
        if danger.gates.len() * net.inputs.len() > MOST_WORK {
            return Ok(None);
        }
        let mut safe = Vec::with_capacity(after.len());
        for (input, state) in net.inputs.iter().zip(after) {
            self.budget.check()?;
            if self.circuit.gates.len() > 4 * self.most() {
                return Ok(None);
            }
            let became = copy(&danger, &mut self.circuit, |gate| leaf(state, gate, &danger));
            let others = (0..net.roles.len()).filter(|role| *role != input.role);
            let lost = others.map(|role| through(&became, danger.goals[role][0].1)).collect();
            let lost = self.circuit.or_all(lost);
            safe.push(self.circuit.and(input.legal, !lost));
        }
        let any_safe = self.any(&safe);
        let avoiding = net.inputs.iter().enumerate().map(|(i, input)| {
            let circuit = &mut self.circuit;
            let free = circuit.or(safe[i], !any_safe[input.role]);
            let quiet = circuit.and(!any[input.role], free);
            let made = circuit.or(wins[i], quiet);
            circuit.and(input.legal, made)
        });
        Ok(Some(avoiding.collect()))
    }

    /// What tells whether roles can win at once, alone.
    fn any_as_net(&self, any: &[Lit]) -> Net {
        let net = self.net;
        let bases = net.bases.iter().map(|base| Base { next: Lit::FALSE, ..base.clone() });
        let mut danger = Net {
            bases: bases.collect(),
            inputs: illegal(net),
            terminal: Lit::FALSE,
            goals: any.iter().map(|lit| vec![(0, *lit)]).collect(),
            gates: self.circuit.gates.clone(),
            components: self.circuit.components.clone(),
            ..net.clone()
        };
        danger.sweep_dead();
        danger
    }

    fn most(&self) -> usize {
        LARGEST.min(GROWTH * self.net.gates.len().max(SMALL))
    }

    /// The net with these legal moves, if it is not too large.
    fn within(&self, legal: Vec<Lit>) -> Option<Net> {
        let net = self.net;
        let inputs = net.inputs.iter().zip(legal);
        let chance = net.chance();
        let legal = |(input, legal): (&Input, Lit)| match Some(input.role) == chance {
            true => input.clone(),
            false => Input { legal, ..input.clone() },
        };
        let mut new = Net {
            inputs: inputs.map(legal).collect(),
            gates: self.circuit.gates.clone(),
            components: self.circuit.components.clone(),
            ..net.clone()
        };
        new.sweep_dead();
        (new.gates.len() <= self.most()).then_some(new)
    }
}

/// A leaf of a net in a state, where nobody moves.
fn leaf(state: &[Lit], gate: usize, net: &Net) -> Option<Lit> {
    match gate {
        0 => Some(Lit::FALSE),
        _ if gate <= state.len() => Some(state[gate - 1]),
        _ => (gate <= state.len() + net.inputs.len()).then_some(Lit::FALSE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scalar, State};
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;
    use ludex_net::ground::Ground;
    use ludex_reason::{Move, StateMachine};

    fn net(text: &str) -> Net {
        let rules = Rules::read(&Source::new("a game", text), None).map_err(|r| r.complaints);
        let budget = Budget::unlimited();
        Net::new(&Ground::new(&rules.unwrap().0, &budget).unwrap(), &budget).unwrap()
    }

    fn legal(machine: &mut Scalar, state: &State, role: Role) -> Vec<Move> {
        let mut legal = Vec::new();
        machine.legal(state, role, &mut legal);
        legal
    }

    /// What whoever is to move after these moves can do, on both machines.
    fn choices(machines: &mut [Scalar; 2], moves: &[&str]) -> [Vec<String>; 2] {
        let game = &mut machines[0];
        let mut state = game.initial();
        for text in moves {
            let made = |role: Role| {
                let legal = legal(game, &state, role);
                let named = legal.iter().find(|m| game.move_text(role, **m) == *text);
                *named.unwrap_or(&legal[0])
            };
            let joint: Vec<Move> = (0..2).map(made).collect();
            state = game.next(&state, &joint);
        }
        let role = moves.len() % 2;
        [0, 1].map(|machine| {
            let legal = legal(&mut machines[machine], &state, role);
            legal.into_iter().map(|m| machines[machine].move_text(role, m)).collect()
        })
    }

    #[test]
    fn wins_are_made_and_prevented() {
        let net = net(include_str!("../../../games/tictactoe.kif"));
        let decisive = decisive(&net, &Budget::unlimited()).unwrap().expect("a small game");
        let machines = &mut [Scalar::new(net.into()), Scalar::new(decisive.into())];
        let [plain, quiet] = choices(machines, &["(mark 2 2)", "(mark 1 1)"]);
        assert_eq!((plain.len(), &quiet), (7, &plain));
        let threat = ["(mark 1 1)", "(mark 3 3)", "(mark 1 2)", "(mark 3 2)"];
        let [plain, prevented] = choices(machines, &threat[..3]);
        assert_eq!((plain.len(), &prevented[..]), (6, &["(mark 1 3)".into()][..]));
        assert_eq!(choices(machines, &threat)[1], ["(mark 1 3)"]);
        // Who is lost may do anything.
        let lost = ["(mark 1 1)", "(mark 1 2)", "(mark 3 3)", "(mark 2 1)", "(mark 3 1)"];
        let [plain, any] = choices(machines, &lost);
        assert_eq!((plain.len(), &any), (4, &plain));
    }
}
