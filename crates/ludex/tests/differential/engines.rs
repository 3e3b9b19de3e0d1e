//! Every engine in every state that the naive evaluator has reached: facts, moves, end, goals, steps, perft.

use crate::graph::{Graph, Node, Seen};
use crate::subject::{Failure, Subject, failed, refused};
use crate::watch::limited;
use ludex::budget::Budget;
use ludex::frame::{Basis, Covering, translate};
use ludex::interp::{Interp, Problem};
use ludex::machine::Scalar;
use ludex::machine::sliced::{Backend, Single};
use ludex::reason::{Move, StateMachine, perft};

pub fn interp(subject: &Subject) -> Result<(), Failure> {
    reasoner("interp", subject, Interp::new(&subject.rules))
}

/// Without any tuning.
pub fn hasty(subject: &Subject) -> Result<(), Failure> {
    let interp = Interp::hasty(&subject.rules, &Budget::unlimited());
    reasoner("interp in haste", subject, interp)
}

pub fn frame_generic(subject: &Subject) -> Result<(), Failure> {
    updating("frame, generic", Covering::Generic, subject)
}

pub fn frame_direct(subject: &Subject) -> Result<(), Failure> {
    updating("frame, direct", Covering::Direct, subject)
}

pub fn frame_pruned(subject: &Subject) -> Result<(), Failure> {
    updating("frame, pruned", Covering::Pruned, subject)
}

fn updating(name: &'static str, covering: Covering, subject: &Subject) -> Result<(), Failure> {
    let budget = Budget::unlimited();
    let basis = if subject.seed.is_multiple_of(3) { Basis::Heads } else { Basis::Names };
    let frame = limited(|proofs| translate(&subject.knowledge, covering, &basis, &budget, proofs))
        .map_err(|stop| refused(name, stop))?;
    reasoner(name, subject, Interp::updating(&frame.rules, frame.fnext, &budget))
}

fn reasoner(
    name: &'static str,
    subject: &Subject,
    interp: Result<Interp, Problem>,
) -> Result<(), Failure> {
    let mut interp = interp.map_err(|p| refused(name, p))?;
    follow(name, &mut interp, &subject.graph)?;
    interp.problem().map_or(Ok(()), |p| Err(refused(name, p)))
}

pub fn scalar(subject: &Subject) -> Result<(), Failure> {
    follow("scalar", &mut Scalar::new(subject.net().clone()), &subject.graph)
}

pub fn sliced(subject: &Subject) -> Result<(), Failure> {
    slices("sliced", Backend::best(), subject)
}

pub fn portable(subject: &Subject) -> Result<(), Failure> {
    slices("sliced, portable", Backend::Portable(1), subject)
}

fn slices(name: &'static str, backend: Backend, subject: &Subject) -> Result<(), Failure> {
    let single = Single::new(subject.net().clone(), backend, &Budget::unlimited());
    follow(name, &mut single.map_err(|stop| refused(name, stop))?, &subject.graph)
}

/// Goes all ways of the graph with an engine.
pub fn follow<G: StateMachine>(
    name: &'static str,
    game: &mut G,
    graph: &Graph,
) -> Result<(), Failure> {
    let roles: Vec<String> = (0..game.roles()).map(|r| game.role_text(r)).collect();
    if roles != graph.roles {
        return Err(failed(name, format!("roles {roles:?} and not {:?}", graph.roles)));
    }
    let mut states: Vec<Option<G::State>> = graph.states.iter().map(|_| None).collect();
    let first = game.initial();
    same_facts(name, game, &first, &graph.states[0], "at first")?;
    states[0] = Some(first);
    // A state comes before those that it leads to, but for those that were reached another way.
    for (at, node) in graph.states.iter().enumerate() {
        let (Some(seen), Some(state)) = (&node.seen, states[at].clone()) else { continue };
        let moves = look(name, game, &state, node, seen)?;
        for step in &node.steps {
            let joint: Vec<Move> = step.joint.iter().zip(&moves).map(|(i, m)| m[*i].1).collect();
            let next = game.next(&state, &joint);
            let texts: Vec<&String> =
                step.joint.iter().zip(&moves).map(|(i, m)| &m[*i].0).collect();
            let how = format!("after {texts:?} in {:?}", node.facts);
            same_facts(name, game, &next, &graph.states[step.to], &how)?;
            states[step.to].get_or_insert(next);
        }
        // Once more, after the other states.
        look(name, game, &state, node, seen)?;
    }
    counts(name, game, graph)
}

fn same_facts<G: StateMachine>(
    name: &'static str,
    game: &G,
    state: &G::State,
    node: &Node,
    how: &str,
) -> Result<(), Failure> {
    let facts = game.fact_texts(state);
    match facts == node.facts {
        true => Ok(()),
        false => Err(failed(name, format!("{how}: {facts:?} and not {:?}", node.facts))),
    }
}

/// Compares what is seen in a state; the legal moves by text.
fn look<G: StateMachine>(
    name: &'static str,
    game: &mut G,
    state: &G::State,
    node: &Node,
    seen: &Seen,
) -> Result<Vec<Vec<(String, Move)>>, Failure> {
    let mut moves = Vec::new();
    for role in 0..game.roles() {
        let mut legal = Vec::new();
        game.legal(state, role, &mut legal);
        let mut legal: Vec<(String, Move)> =
            legal.into_iter().map(|m| (game.move_text(role, m), m)).collect();
        legal.sort();
        moves.push(legal);
    }
    let own = Seen {
        terminal: game.terminal(state),
        legal: moves.iter().map(|l| l.iter().map(|m| m.0.clone()).collect()).collect(),
        goals: (0..game.roles()).map(|role| game.goal(state, role)).collect(),
    };
    match own == *seen {
        true => Ok(moves),
        false => Err(failed(name, format!("in {:?}: {own:?} and not {seen:?}", node.facts))),
    }
}

/// Positions at every depth, as far as the graph has all of them.
fn counts<G: StateMachine>(name: &'static str, game: &mut G, graph: &Graph) -> Result<(), Failure> {
    let expected = graph.counts(3);
    let Some(deepest) = expected.len().checked_sub(1) else { return Ok(()) };
    let found = perft(game, deepest, false, &Budget::unlimited());
    let found: Vec<(u64, u64, u64)> =
        (0..=deepest).map(|d| (found.paths[d], found.terminals[d], found.states[d])).collect();
    match found == expected {
        true => Ok(()),
        false => Err(failed(name, format!("perft {found:?} and not {expected:?}"))),
    }
}
