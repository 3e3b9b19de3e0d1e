//! Many positions at once: the same answers as the scalar machine gives, one position after the other.

use ludex::budget::Budget;
use ludex::game::Bundled;
use ludex::machine::sliced::Backend;
use ludex::machine::{
    Ask, Batch, Children, Looks, Positions, Refutation, Scalar, State, ThreatFact, Threats, leaves,
    paths,
};
use ludex::net::Net;
use ludex::reason::{Move, StateMachine, perft};
use ludex::rules::Rules;
use std::sync::Arc;

/// Goes breadth first until so many joint moves were made, past terminal positions as well, and compares
/// every answer; the number of positions.
pub fn compare(net: &Arc<Net>, backend: Backend, most: usize) -> Result<usize, String> {
    let batch = Batch::on(net.clone(), backend, Some(0), &Budget::unlimited());
    let mut level = Level::new(batch.expect("no limit"));
    let mut scalar = Scalar::new(net.clone());
    let mut seen = Positions::new(level.batch.words());
    seen.insert(&level.rows, &mut vec![]);
    let (mut positions, mut left) = (0, most);
    while !level.rows.is_empty() && left > 0 {
        let fault = |why: String| format!("many positions, {backend}, after {positions}: {why}");
        left = level.check(&mut scalar, left).map_err(fault)?;
        positions += level.rows.len() / level.batch.words();
        level.descend(&mut seen);
    }
    Ok(positions)
}

struct Level {
    batch: Batch,
    rows: Vec<u64>,
    children: Vec<u64>,
}

impl Level {
    fn new(batch: Batch) -> Level {
        Level { rows: batch.initial(), batch, children: vec![] }
    }

    /// Compares a level, and up to `left` of the moves from there; what is left of them.
    fn check(&mut self, scalar: &mut Scalar, left: usize) -> Result<usize, String> {
        let words = self.batch.words();
        let mut looks = Looks::default();
        self.batch.look(&self.rows, Ask { goals: true, legal: true, count: true }, &mut looks);
        let (mut parents, mut moves) = (vec![], vec![]);
        let states: Vec<State> = self.rows.chunks(words).map(|r| self.batch.state(r)).collect();
        for (position, state) in states.iter().enumerate() {
            check_look(scalar, state, position, &looks)?;
            looks.joints(position, &mut parents, &mut moves);
        }
        let goes_on = |parent: &&u32| !looks.terminal[**parent as usize];
        let count = parents.iter().filter(goes_on).count() as u64;
        if looks.count != count {
            return Err(format!("{} moves and not {count}", looks.count));
        }
        let roles = self.batch.roles();
        parents.truncate(left);
        moves.truncate(left * roles);
        self.batch.follow(&self.rows, &parents, &moves, &mut self.children);
        let joints = parents.iter().zip(moves.chunks(roles));
        for ((parent, joint), child) in joints.zip(self.children.chunks(words)) {
            let expected = scalar.next(&states[*parent as usize], joint);
            if self.batch.state(child) != expected {
                let facts = scalar.fact_texts(&self.batch.state(child));
                return Err(format!("{facts:?} and not {:?}", scalar.fact_texts(&expected)));
            }
        }
        let mut first = 0;
        for family in parents.chunk_by(|a, b| a == b) {
            let row = &self.rows[family[0] as usize * words..][..words];
            let joints = &moves[first * roles..(first + family.len()) * roles];
            check_children(&mut self.batch, scalar, row, joints)?;
            if first == 0 {
                let rows: Vec<u64> = self.children[..family.len() * words].to_vec();
                check_threats(&mut self.batch, row, &rows)?;
            }
            first += family.len();
        }
        Ok(left - parents.len())
    }

    fn descend(&mut self, seen: &mut Positions) {
        let known = seen.len() * self.batch.words();
        seen.insert(&self.children, &mut vec![]);
        self.rows = seen.all()[known..].to_vec();
    }
}

fn check_look(
    scalar: &mut Scalar,
    state: &State,
    position: usize,
    looks: &Looks,
) -> Result<(), String> {
    let roles = scalar.roles();
    let goals: Vec<Option<i32>> = (0..roles).map(|role| scalar.goal(state, role)).collect();
    let legal = |role| {
        let mut moves: Vec<Move> = vec![];
        scalar.legal(state, role, &mut moves);
        moves
    };
    let legal: Vec<Vec<Move>> = (0..roles).map(legal).collect();
    let own: Vec<&[Move]> = (0..roles).map(|role| looks.legal(position, role)).collect();
    let own_goals = &looks.goals[position * roles..][..roles];
    let terminal = scalar.terminal(state);
    match looks.terminal[position] == terminal && own_goals == goals && own == legal {
        true => Ok(()),
        false => Err(format!("{own:?} {own_goals:?} and not {legal:?} {goals:?} {terminal}")),
    }
}

/// The children of one position are as the scalar machine has them.
fn check_children(
    batch: &mut Batch,
    scalar: &mut Scalar,
    row: &[u64],
    joints: &[Move],
) -> Result<(), String> {
    let (parent, roles, mut children) = (batch.state(row), batch.roles(), Children::default());
    batch.children(scalar, (row, joints), &mut children);
    batch.show(true, &mut children);
    let (mut own, mut moves, mut own_moves) = (vec![0; batch.words()], vec![], vec![]);
    for (child, joint) in joints.chunks(roles).enumerate() {
        let expected = scalar.next(&parent, joint);
        children.row(child, &mut own);
        let terminal = scalar.terminal(&expected);
        let mut same = batch.state(&own) == expected && children.is_terminal(child) == terminal;
        for role in 0..roles {
            moves.clear();
            own_moves.clear();
            scalar.legal(&expected, role, &mut moves);
            children.legal(child, role, &mut own_moves);
            same &= match terminal {
                true => children.goal(child, role) == scalar.goal(&expected, role),
                false => own_moves == moves,
            };
        }
        if !same {
            let facts = scalar.fact_texts(&batch.state(&own));
            return Err(format!("child {child}, {facts:?}: {own_moves:?} and not {moves:?}"));
        }
    }
    match children.len() == joints.len() / roles {
        true if roles == 2 => check_refuted(batch, scalar, (row, joints)),
        true => Ok(()),
        false => Err(format!("{} children", children.len())),
    }
}

/// The children that a reply refutes are those that the scalar machine finds.
fn check_refuted(
    batch: &mut Batch,
    scalar: &mut Scalar,
    (row, joints): (&[u64], &[Move]),
) -> Result<(), String> {
    let (parent, mut children) = (batch.state(row), Children::default());
    for (role, waiting, goals) in [(0, 0, 0..=49), (0, 1, 51..=100), (1, 0, 0..=100)] {
        batch.children(scalar, (row, joints), &mut children);
        batch.show(true, &mut children);
        let ask = Refutation { role, goals, waiting };
        let Some(refuted) = batch.refuted(&ask, &children) else { continue };
        for (child, joint) in joints.chunks(2).enumerate() {
            let state = scalar.next(&parent, joint);
            let expected = refutes(scalar, &state, &ask);
            if (refuted >> child & 1 == 1) != expected {
                return Err(format!("child {child} is refuted: {expected} is meant, {ask:?}"));
            }
        }
    }
    Ok(())
}

fn refutes(scalar: &mut Scalar, state: &State, ask: &Refutation) -> bool {
    let mut legal = [vec![], vec![]];
    (0..2).for_each(|role| scalar.legal(state, role, &mut legal[role]));
    if scalar.terminal(state) || legal[ask.waiting].len() > 1 {
        return false;
    }
    legal[0].iter().flat_map(|a| legal[1].iter().map(move |b| [*a, *b])).any(|joint| {
        let after = scalar.next(state, &joint);
        scalar.terminal(&after)
            && scalar.goal(&after, ask.role).is_some_and(|goal| ask.goals.contains(&goal))
    })
}

/// Paths that are counted in the lanes are as many as those that are listed.
#[test]
fn paths_in_lanes_are_as_many() {
    let budget = Budget::unlimited();
    for (name, depth) in [("tictactoe", 9), ("connectfour", 6), ("breakthrough", 4), ("hex3", 6)] {
        let game = ludex::Game::bundled(name).expect("it is bundled");
        let mut batch = game.batch(&budget).expect("it has a network");
        let expected = paths(&mut batch, depth, false, &budget).paths[depth];
        assert_eq!(leaves(&mut batch, depth, &budget), Ok(expected), "{name}");
    }
}

/// Facts that would be wins in the children of one position are counted as the net has them.
fn check_threats(batch: &mut Batch, row: &[u64], rows: &[u64]) -> Result<(), String> {
    let words = batch.words();
    let made =
        |own: &[u64], base: usize| (own[base / 64] & !row[base / 64]) >> (base % 64) & 1 == 1;
    // What all of them make true may be the turn, which is no fact of a lane.
    let some = |base: &usize| {
        let count = rows.chunks(words).filter(|own| made(own, *base)).count();
        count > 0 && count < rows.len() / words
    };
    let (net, bases) = (batch.net().clone(), batch.net().bases.len());
    let some: Vec<u32> = (0..bases).filter(some).map(|base| base as u32).collect();
    let need = |n: usize| (n % 2 == 1).then(|| some[n - 1]);
    let facts = some.iter().enumerate().map(|(n, base)| ThreatFact { base: *base, need: need(n) });
    let facts: Vec<ThreatFact> = facts.collect();
    for role in 0..batch.roles() {
        let counts = vec![0; rows.len() / words];
        let (rows, goals) = (rows.to_vec(), 51..=100);
        let mut threats = Threats { rows, facts: facts.clone(), role, goals, counts };
        if !batch.threats(row, &mut threats) {
            continue;
        }
        for (own, count) in threats.rows.chunks(words).zip(&threats.counts) {
            let holds = |base: u32| own[base as usize / 64] >> (base % 64) & 1 == 1;
            let wins = |fact: &&ThreatFact| {
                let has_room = fact.need.is_none_or(holds);
                let with = |base: u32| base == fact.base && has_room || holds(base);
                let holds: Vec<bool> = (0..bases as u32).map(with).collect();
                let values = net.evaluate(&holds, &vec![false; net.inputs.len()]);
                let mut goals = net.goals[role].iter().filter(|(v, _)| threats.goals.contains(v));
                Net::holds(&values, net.terminal) && goals.any(|(_, g)| Net::holds(&values, *g))
            };
            let expected = facts.iter().filter(wins).count();
            if expected != *count as usize {
                return Err(format!("{count} threats and not {expected}"));
            }
        }
    }
    Ok(())
}

#[test]
fn many_positions_of_bundled_games_are_as_each_alone() {
    let mut games = 0;
    for game in Bundled::all() {
        let source = game.source();
        let Ok((rules, _)) = Rules::read(&source, None) else {
            panic!("{} is bundled", game.name())
        };
        let net = crate::lockstep::net(&rules).unwrap().expect("small enough");
        let most = 20_000_000 / net.gates.len();
        for backend in crate::lockstep::backends() {
            let compared = compare(&net, backend, most.min(1_000));
            let positions = compared.unwrap_or_else(|why| panic!("{}: {why}", game.name()));
            assert!(positions > 1, "{}", game.name());
        }
        counts(&net, game.name());
        games += 1;
    }
    assert!(games > 30, "{games}");
}

fn first_children(batch: &mut Batch) -> Result<(), String> {
    let (row, mut looks) = (batch.initial(), Looks::default());
    batch.look(&row, Ask { legal: true, ..Ask::default() }, &mut looks);
    let (mut parents, mut moves) = (vec![], vec![]);
    looks.joints(0, &mut parents, &mut moves);
    check_children(batch, &mut Scalar::new(batch.net().clone()), &row, &moves)
}

/// Paths are counted as on the scalar machine, passes alone or not.
fn counts(net: &Arc<Net>, name: &str) {
    let budget = Budget::unlimited();
    for past_terminal in [false, true] {
        let expected = perft(&mut Scalar::new(net.clone()), 2, past_terminal, &budget);
        for fewest in [0, 8] {
            let batch = Batch::on(net.clone(), Backend::best(), Some(fewest), &budget);
            let mut batch = batch.expect("no limit");
            first_children(&mut batch).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert_eq!(paths(&mut batch, 2, past_terminal, &budget), expected, "{name}");
            if !past_terminal {
                assert_eq!(leaves(&mut batch, 2, &budget), Ok(expected.paths[2]), "{name}");
            }
        }
    }
}
