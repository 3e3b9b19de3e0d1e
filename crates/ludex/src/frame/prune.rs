//! C_D -> C_P: general joint moves that provably never happen are removed; of the others it is found which facts are
//! known where they are made.
//!
//! An instance of a general joint move can occur only where each role has a legal move of its action
//! name. The prover shows of pairs of roles, then of whole joint moves, that no reachable state has
//! that. Play is followed through terminal states, so that the covering is one for every state that
//! legal moves lead to; what stays unknown is kept.

use super::joint::{Joint, JointFacts, MoveCovering};
use ludex_facts::fluents::{Fluents, parts};
use ludex_facts::invariants::{PlaceColumns, groups};
use ludex_facts::prove::{Prover, Verdict};
use ludex_facts::samples::Samples;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Rules, Symbol, Term};
use ludex_net::{Lit, Net};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// States of random play from which lemmas are guessed.
const SAMPLES: usize = 300;
/// Conflicts that the solver may spend on one question.
const EFFORT: i32 = 20_000;
/// The depth of the induction for a single property.
const DEPTH: usize = 2;
/// Pairs of a joint move and a fact that are asked about.
const MOST_PAIRS: usize = 200;

type ActionName = (Symbol, usize);

/// What is proved before the budget ends counts; a note says that there may be more.
pub fn prune(rules: &Rules, net: &Net, mut moves: MoveCovering, budget: &Budget) -> MoveCovering {
    budget.begin("pruning", 0);
    if let Err(stop) = remove_impossible(rules, net, &mut moves, budget) {
        moves.notes.push(format!("not all joint moves were tried for pruning: {stop}"));
        moves.stopped = Some(stop);
    }
    moves
}

fn remove_impossible(
    rules: &Rules,
    net: &Net,
    moves: &mut MoveCovering,
    budget: &Budget,
) -> Result<(), Stop> {
    let mut net = net.clone();
    net.terminal = Lit::FALSE;
    let net = Arc::new(net);
    let mut prover = Prover::new(Net::clone(&net), budget);
    prover.effort = EFFORT;
    let can = abilities(rules, &net, moves, &mut prover);
    let (lemmas, facts) = lemmas(&net, &mut prover, budget)?;
    // 1. Pairs of roles, all together with the lemmas.
    let pairs: Vec<((RoleAction, RoleAction), Lit)> =
        pairs(moves).into_iter().map(|(a, b)| ((a, b), !prover.and([can[&a], can[&b]]))).collect();
    let candidates: Vec<Lit> = lemmas.iter().copied().chain(pairs.iter().map(|p| p.1)).collect();
    let proved = prover.inductive(&candidates)?;
    proved.iter().for_each(|lit| {
        prover.add_lemma(*lit);
    });
    for ((a, b), lit) in pairs {
        if proved.contains(&lit) || never(&prover, lit)? {
            let has = |joint: &Joint, p: &RoleAction| joint.name(p.0) == Some(p.1);
            moves.joints.retain(|joint| !(has(joint, &a) && has(joint, &b)));
        }
    }
    // 2. What is left, one by one.
    for joint in moves.joints.clone() {
        let all: Vec<Lit> = places(&joint).iter().map(|p| can[p]).collect();
        let lit = !prover.and(all);
        if never(&prover, lit)? {
            moves.joints.retain(|other| *other != joint);
        }
    }
    // 3. What is known where those that are left are made.
    if moves.joints.len() * facts.len() <= MOST_PAIRS {
        moves.known = known(rules, &facts, moves, &can, &mut prover)?;
    }
    Ok(())
}

/// The values of facts wherever a joint move can be made.
fn known(
    rules: &Rules,
    facts: &[usize],
    moves: &MoveCovering,
    can: &FxHashMap<RoleAction, Lit>,
    prover: &mut Prover,
) -> Result<Vec<JointFacts>, Stop> {
    let named = |b: &usize| Some((*b, term(rules, &prover.net().bases[*b].name)?));
    let facts: Vec<(usize, Term)> = facts.iter().filter_map(named).collect();
    let mut claims = Vec::new();
    for joint in &moves.joints {
        let all: Vec<Lit> = places(joint).iter().map(|p| can[p]).collect();
        let made = prover.and(all);
        for (base, _) in &facts {
            let fact = prover.net().base_lit(*base);
            claims.push([fact, !fact].map(|lit| !prover.and([made, lit])));
        }
    }
    let proved = prover.inductive(&claims.concat())?;
    let is_proved = |lit: &Lit| proved.contains(lit);
    let mut values = claims.iter();
    let of_joint = |joint: &Joint| {
        let mut known = JointFacts { joint: joint.clone(), always: vec![], never: vec![] };
        for ((_, fact), [never, always]) in facts.iter().zip(values.by_ref()) {
            match (is_proved(never), is_proved(always)) {
                (true, _) => known.never.push(fact.clone()),
                (_, true) => known.always.push(fact.clone()),
                _ => {}
            }
        }
        known
    };
    Ok(moves.joints.iter().map(of_joint).collect())
}

/// A fact whose arguments are constants.
fn term(rules: &Rules, text: &str) -> Option<Term> {
    let (name, args) = parts(text);
    let constant = |arg: &String| Some(Term::App(rules.symbols.find(arg)?, vec![]));
    Some(Term::App(rules.symbols.find(&name)?, args.iter().map(constant).collect::<Option<_>>()?))
}

/// A role and one of its action names.
type RoleAction = (usize, ActionName);

fn places(joint: &Joint) -> Vec<RoleAction> {
    (0..joint.does.len()).filter_map(|k| Some((k, joint.name(k)?))).collect()
}

/// For each role and action name, the proposition that the role has such a legal move.
fn abilities(
    rules: &Rules,
    net: &Net,
    moves: &MoveCovering,
    prover: &mut Prover,
) -> FxHashMap<RoleAction, Lit> {
    let mut can = FxHashMap::default();
    for joint in &moves.joints {
        for place in places(joint) {
            let (k, (f, arity)) = place;
            if can.contains_key(&place) {
                continue;
            }
            let role = role_in(rules, net, &joint.does[k].args[0]);
            let named = |i: &usize| {
                let (name, args) = parts(&net.inputs[*i].name);
                args.len() == arity && rules.symbols.find(&name) == Some(f)
            };
            let inputs: Vec<usize> =
                role.map_or(vec![], |r| net.inputs_of(r).filter(named).collect());
            let legal: Vec<Lit> = inputs.into_iter().map(|i| net.inputs[i].legal).collect();
            can.insert(place, prover.or(legal));
        }
    }
    can
}

fn role_in(rules: &Rules, net: &Net, role: &Term) -> Option<usize> {
    let Term::App(f, _) = role else { return None };
    net.roles.iter().position(|name| rules.symbols.find(name) == Some(*f))
}

/// Relations of which one fact, or at most one, was true in every state seen: whose turn it is, most of
/// all. Groups with a place, such as the facts about one square, are left out: they are many and hard
/// to prove, and say little about who can move.
/// With them come their facts.
fn lemmas(
    net: &Arc<Net>,
    prover: &mut Prover,
    budget: &Budget,
) -> Result<(Vec<Lit>, Vec<usize>), Stop> {
    let samples = Samples::gather(net, 1, SAMPLES, budget)?;
    let (mut lits, mut facts) = (Vec::new(), Vec::new());
    for group in groups(&Fluents::new(net), &samples) {
        if !group.family.iter().all(PlaceColumns::is_whole) {
            continue;
        }
        let bases: Vec<Lit> = group.bases.iter().map(|b| net.base_lit(*b)).collect();
        lits.push(prover.at_most_one(&bases));
        if group.always {
            lits.push(prover.or(bases));
        }
        facts.extend(group.bases);
    }
    Ok((lits, facts))
}

/// The pairs of roles with action names that occur in some joint move.
fn pairs(moves: &MoveCovering) -> Vec<(RoleAction, RoleAction)> {
    let mut all: Vec<(RoleAction, RoleAction)> = Vec::new();
    for joint in &moves.joints {
        let places = places(joint);
        for (i, a) in places.iter().enumerate() {
            all.extend(places[i + 1..].iter().map(|b| (*a, *b)));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn never(prover: &Prover, lit: Lit) -> Result<bool, Stop> {
    if lit == Lit::FALSE {
        return Ok(false);
    }
    Ok(lit == Lit::TRUE || matches!(prover.prove(lit, DEPTH)?, Verdict::Proved { .. }))
}
