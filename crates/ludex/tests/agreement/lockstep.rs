//! The engines of one game, side by side in the same states.

use ludex::budget::Budget;
use ludex::ground::{Ground, NotGround};
use ludex::interp::Interp;
use ludex::machine::Scalar;
use ludex::machine::sliced::{Backend, Single};
use ludex::net::Net;
use ludex::reason::{Random, StateMachine, View, view};
use ludex::rules::Rules;
use std::sync::Arc;

/// The network of a game; none where the rules have too many instances.
pub fn net(rules: &Rules) -> Result<Option<Arc<Net>>, String> {
    let budget = Budget::unlimited();
    let ground = match Ground::new(rules, &budget) {
        Err(NotGround::TooLarge) => return Ok(None),
        other => other.map_err(|e| e.to_string())?,
    };
    Ok(Some(Arc::new(Net::new(&ground, &budget).map_err(|e| e.to_string())?)))
}

/// The back ends of the sliced machine that are compared: the best one, and the one that plays the same on
/// every machine.
pub fn backends() -> Vec<Backend> {
    vec![Backend::best(), Backend::best().portable()]
}

pub fn sliced(net: &Arc<Net>, backend: Backend) -> Single {
    Single::new(net.clone(), backend, &Budget::unlimited()).expect("no limit")
}

/// An engine that stands in a state.
struct Walk<G: StateMachine> {
    game: G,
    state: G::State,
}

impl<G: StateMachine> Walk<G> {
    fn new(mut game: G) -> Walk<G> {
        let state = game.initial();
        Walk { game, state }
    }

    /// What is seen, the legal moves of every role sorted by their text.
    fn view(&mut self) -> View {
        let mut view = view(&mut self.game, &self.state);
        view.legal.iter_mut().for_each(|moves| moves.sort_by(|a, b| a.1.cmp(&b.1)));
        view
    }

    /// Compares what is seen with what another engine saw, then makes the moves of these ranks.
    fn follow(&mut self, seen: &View, ranks: Option<&[usize]>) -> Result<(), String> {
        let own = self.view();
        let texts = |view: &View| -> Vec<Vec<String>> {
            let moves = view.legal.iter();
            moves.map(|moves| moves.iter().map(|(_, text)| text.clone()).collect()).collect()
        };
        let same = own.facts == seen.facts
            && texts(&own) == texts(seen)
            && (&own.roles, own.terminal, &own.goals) == (&seen.roles, seen.terminal, &seen.goals);
        if !same {
            return Err(format!("{own:?}\nand not\n{seen:?}"));
        }
        if let Some(ranks) = ranks {
            let joint: Vec<_> =
                ranks.iter().zip(&own.legal).map(|(r, moves)| moves[*r].0).collect();
            self.state = self.game.next(&self.state, &joint);
        }
        Ok(())
    }
}

/// Plays random moves from the initial state on all engines; the number of states compared.
/// The sliced machine runs once for each of `backends`.
pub fn walk(
    rules: &Rules,
    net: &Arc<Net>,
    backends: &[Backend],
    plan: Plan,
) -> Result<usize, String> {
    let mut random = Random::new(plan.seed);
    let interp = Interp::new(rules).map_err(|p| p.to_string())?;
    let hasty = Interp::hasty(rules, &Budget::unlimited()).map_err(|p| p.to_string())?;
    let machines: Vec<Single> = backends.iter().map(|b| sliced(net, *b)).collect();
    let mut states = 0;
    for _ in 0..plan.playouts {
        let mut first = Walk::new(interp.clone());
        let mut hasty = Walk::new(hasty.clone());
        let mut scalar = Walk::new(Scalar::new(net.clone()));
        let mut sliced: Vec<_> = machines.iter().map(|m| Walk::new(m.clone())).collect();
        for step in 0..plan.states {
            let seen = first.view();
            if let Some(problem) = first.game.problem() {
                return Err(problem.to_string());
            }
            let stuck = seen.legal.iter().any(|moves| moves.is_empty());
            let over = (seen.terminal && !plan.past_terminal) || stuck || step + 1 == plan.states;
            let ranks: Vec<usize> = match over {
                true => vec![],
                false => seen.legal.iter().map(|moves| random.below(moves.len())).collect(),
            };
            let ranks = (!over).then_some(&ranks[..]);
            let fault = |engine: &str, why: String| format!("{engine}, step {step}: {why}");
            hasty.follow(&seen, ranks).map_err(|why| fault("in haste", why))?;
            scalar.follow(&seen, ranks).map_err(|why| fault("scalar", why))?;
            for walk in &mut sliced {
                walk.follow(&seen, ranks).map_err(|why| fault("sliced", why))?;
            }
            states += 1;
            if over {
                break;
            }
            first.follow(&seen, ranks).expect("the same engine");
        }
    }
    Ok(states)
}

/// How much of a game is played.
#[derive(Clone, Copy)]
pub struct Plan {
    pub seed: u64,
    pub playouts: usize,
    /// States of a playout, at most.
    pub states: usize,
    pub past_terminal: bool,
}
