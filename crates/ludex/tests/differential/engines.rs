//! Every engine in every state that the naive evaluator has reached: facts, moves, end, goals, steps, perft.

use crate::graph::{Graph, Node, Seen};
use crate::subject::{Failure, Subject, failed, refused};
use crate::watch::limited;
use ludex::budget::Budget;
use ludex::frame::{Basis, Covering, translate};
use ludex::interp::{Interp, Problem};
use ludex::machine::sliced::{Backend, Single};
use ludex::machine::{Ask, Batch, Looks, Scalar, paths};
use ludex::net::Net;
use ludex::reason::{Move, Perft, StateMachine, perft};

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

pub fn batch(subject: &Subject) -> Result<(), Failure> {
    many("many positions", Backend::best(), subject)
}

pub fn batch_portable(subject: &Subject) -> Result<(), Failure> {
    many("many positions, portable", Backend::Portable(1), subject)
}

/// All states of the graph in one question, and all its steps in another.
fn many(name: &'static str, backend: Backend, subject: &Subject) -> Result<(), Failure> {
    let (net, nodes) = (subject.net(), &subject.graph.states);
    let budget = Budget::unlimited();
    let batch = Batch::on(net.clone(), backend, Some(0), &budget);
    let mut batch = batch.map_err(|stop| refused(name, stop))?;
    let asked: Vec<&Node> = nodes.iter().filter(|node| node.seen.is_some()).collect();
    let mut rows = Vec::new();
    for node in &asked {
        let bits = subject.bits(&node.facts);
        let bits = bits.ok_or_else(|| failed(name, format!("no state: {:?}", node.facts)))?;
        rows.resize(rows.len() + batch.words(), 0);
        let row = rows.chunks_mut(batch.words()).last().expect("just made");
        bits.iter().enumerate().for_each(|(b, value)| row[b / 64] |= (*value as u64) << (b % 64));
    }
    let mut looks = Looks::default();
    batch.look(&rows, Ask { goals: true, legal: true, count: true }, &mut looks);
    let (mut parents, mut moves, mut after) = (vec![], vec![], vec![]);
    for (position, node) in asked.iter().enumerate() {
        let legal = answers(name, net, &looks, position, node)?;
        for step in &node.steps {
            parents.push(position as u32);
            moves.extend(step.joint.iter().zip(&legal).map(|(i, moves)| moves[*i].1));
            after.push(&nodes[step.to]);
        }
    }
    let mut children = Vec::new();
    batch.follow(&rows, &parents, &moves, &mut children);
    let scalar = Scalar::new(net.clone());
    for (child, node) in children.chunks(batch.words()).zip(after) {
        same_facts(name, &scalar, &batch.state(child), node, "after a step")?;
    }
    let counted = |depth| paths(&mut batch, depth, false, &budget);
    same_counts(name, &subject.graph, counted)
}

/// Compares what is answered about a state; the legal moves by text.
fn answers(
    name: &'static str,
    net: &Net,
    looks: &Looks,
    position: usize,
    node: &Node,
) -> Result<Vec<Vec<(String, Move)>>, Failure> {
    let roles = 0..net.roles.len();
    let listed = |role| {
        let named = |m: &Move| (net.inputs[m.0 as usize].name.clone(), *m);
        let mut legal: Vec<_> = looks.legal(position, role).iter().map(named).collect();
        legal.sort();
        legal
    };
    let moves: Vec<Vec<(String, Move)>> = roles.clone().map(listed).collect();
    let own = Seen {
        terminal: looks.terminal[position],
        legal: moves.iter().map(|l| l.iter().map(|m| m.0.clone()).collect()).collect(),
        goals: looks.goals[position * roles.len()..][..roles.len()].to_vec(),
    };
    match node.seen.as_ref() == Some(&own) {
        true => Ok(moves),
        false => Err(failed(name, format!("in {:?}: {own:?} and not {:?}", node.facts, node.seen))),
    }
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
    same_counts(name, graph, |depth| perft(game, depth, false, &Budget::unlimited()))
}

fn same_counts(
    name: &'static str,
    graph: &Graph,
    count: impl FnOnce(usize) -> Perft,
) -> Result<(), Failure> {
    let expected = graph.counts(3);
    let Some(deepest) = expected.len().checked_sub(1) else { return Ok(()) };
    let found = count(deepest);
    let found: Vec<(u64, u64, u64)> =
        (0..=deepest).map(|d| (found.paths[d], found.terminals[d], found.states[d])).collect();
    match found == expected {
        true => Ok(()),
        false => Err(failed(name, format!("perft {found:?} and not {expected:?}"))),
    }
}
