//! Properties of games that are too large for a net: random matches on the reference reasoner can
//! refute them, nothing proves them.

use super::Decision;
use crate::property::Property;
use crate::prove::Verdict;
use ludex_gdl::budget::Budget;
use ludex_reason::interp::Interp;
use ludex_reason::{Move, Random, StateMachine};

/// The states that are looked at, and the longest match.
const STATES: usize = 2_000;
const LONGEST: usize = 500;

pub fn decide(property: &Property, budget: &Budget) -> Decision {
    let mut states = 0;
    let refuted = Interp::with_budget(&property.rules, budget).ok().and_then(|mut interp| {
        let mut random = Random::new(1);
        while states < STATES && budget.check().is_ok() {
            let found = play(&mut interp, property, &mut random, budget, &mut states);
            if found.is_some() {
                return found;
            }
        }
        None
    });
    refuted.unwrap_or_else(|| {
        let by =
            format!("too many ground instances for a proof, {states} states of random matches");
        Decision::new(Verdict::Unknown { k: 0 }, by)
    })
}

/// Plays a match until the property fails. The fact that tells it is true a step later.
fn play(
    interp: &mut Interp,
    property: &Property,
    random: &mut Random,
    budget: &Budget,
    states: &mut usize,
) -> Option<Decision> {
    let mut line: Vec<Vec<String>> = Vec::new();
    let mut state = interp.initial();
    while line.len() < LONGEST && budget.check().is_ok() {
        *states += 1;
        let terminal = interp.terminal(&state);
        let joint = joint(interp, &state, random)?;
        if terminal && property.steps {
            return None;
        }
        let next = interp.next(&state, &joint);
        let texts = (0..joint.len()).map(|role| interp.move_text(role, joint[role])).collect();
        line.push(texts);
        if interp.fact_texts(&next).contains(&property.fact) {
            line.truncate(line.len() - usize::from(!property.steps));
            let refuted = Verdict::Refuted { moves: vec![] };
            let state = interp.fact_texts(&state);
            return Some(Decision {
                moves: line,
                state,
                ..Decision::new(refuted, "a random match".into())
            });
        }
        if terminal {
            return None;
        }
        state = next;
    }
    None
}

fn joint(
    interp: &mut Interp,
    state: &<Interp as StateMachine>::State,
    random: &mut Random,
) -> Option<Vec<Move>> {
    let (roles, mut legal) = (interp.roles(), Vec::new());
    let choose = |role| {
        legal.clear();
        interp.legal(state, role, &mut legal);
        (!legal.is_empty()).then(|| legal[random.below(legal.len())])
    };
    (0..roles).map(choose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;

    /// A counter from 1 to 4.
    const COUNTER: &str = "(role r) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4) (legal r go)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
        (<= terminal (true (at 4))) (goal r 0)";

    fn decided(text: &str) -> Decision {
        let (rules, _) = Rules::read(&Source::new("counter", COUNTER), None).expect("rules");
        let property = Property::read(text, &rules).map_err(|_| "bad").expect("a property");
        decide(&property, &Budget::unlimited())
    }

    #[test]
    fn random_matches_refute_and_never_prove() {
        let found = decided("(not (true (at 3)))");
        assert_eq!((found.verdict.status(), found.moves.len()), ("refuted", 2));
        assert_eq!(found.state, ["(at 3)"]);
        // In the last state, which is terminal, and with a move.
        assert_eq!(decided("(not (true (at 4)))").moves.len(), 3);
        assert_eq!(decided("(not (next (at 2)))").moves.len(), 1);
        let open = decided("(<= (true (at 4)) terminal)");
        assert_eq!(open.verdict.status(), "unknown");
        assert!(open.by.contains("2000 states"), "{}", open.by);
    }
}
