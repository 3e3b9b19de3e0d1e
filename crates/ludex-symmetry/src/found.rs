//! `Rules` and `Ground` -> `Symmetries`: all that is found out about the symmetries of a game, by both
//! methods, with and without fixed roles.

use super::describe::{Description, describe};
use super::logic::Logic;
use super::net_graph::{Keep, NetSymmetries};
use super::scrambling::Scrambling;
use super::table::SymmetryMap;
use super::verify::{self, Tried};
use super::{RuleSymmetries, SymmetryQuestion, feeds};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Rel, Rules, Symbol};
use ludex_graph::{Chain, Perm};
use ludex_net::ground::Ground;
use ludex_net::{Lit, Net};
use ludex_reason::Random;
use num_bigint::BigUint;

/// The symmetries that rule graphs show.
#[derive(Clone, Debug)]
pub struct OfRules {
    pub order: BigUint,
    pub order_fixed_roles: BigUint,
    /// The orders of the rules as they are written and in normal form; the larger one is `order`.
    pub as_written: BigUint,
    pub normalised: BigUint,
    pub found: RuleSymmetries,
    /// How far the reasoner has tried the generators.
    pub tried: Tried,
}

/// The symmetries that the ground game has.
#[derive(Clone, Debug)]
pub struct OfNet {
    pub order: BigUint,
    pub order_fixed_roles: BigUint,
    /// False where the search was stopped: there may be more symmetries.
    pub complete: bool,
    pub generators: Vec<SymmetryMap>,
    /// Generators of the subgroup that leaves every role alone.
    pub state_generators: Vec<SymmetryMap>,
    pub descriptions: Vec<Description>,
    /// Per generator of the rules: its tables, unless it leads to facts or moves that never occur, or
    /// to facts that are always true from facts that are not.
    pub of_rules: Vec<Option<SymmetryMap>>,
    /// The rules' generators that act on the net are symmetries of the net.
    pub contains_rules: bool,
    /// The states in which every generator was tried on legal, next, terminal and goal.
    pub states_tried: usize,
}

/// Symmetries of the rules. Roles are fixed and not fixed in turn. `trial` is what may be spent on
/// trying the generators with the reasoner, which is slow on some games.
pub fn of_rules(
    rules: &Rules,
    question: &SymmetryQuestion,
    budget: &Budget,
    trial: &Budget,
) -> Result<OfRules, Stop> {
    let find = |as_written: bool, fix_roles: bool| {
        let fix_roles = fix_roles || question.fix_roles;
        RuleSymmetries::find(
            rules,
            &SymmetryQuestion { as_written, fix_roles, ..question.clone() },
            budget,
        )
    };
    let (written, normal) = (find(true, false)?, find(false, false)?);
    let as_written = written.order >= normal.order;
    let (written_order, normal_order) = (written.order.clone(), normal.order.clone());
    let fixed = find(as_written, true)?;
    let mut found = if as_written { written } else { normal };
    found.put_state_symmetries_first(&fixed, rules);
    let tried = match verify::commute(rules, &found, trial) {
        Ok(tried) => tried,
        Err(generator) => panic!("{} does not have the symmetry {generator}", rules.name),
    };
    budget.check()?;
    Ok(OfRules {
        order: found.order.clone(),
        order_fixed_roles: fixed.order,
        as_written: written_order,
        normalised: normal_order,
        found,
        tried,
    })
}

impl RuleSymmetries {
    /// Generators that are easier to read: those that leave roles alone, and of the rest only what
    /// exchanges roles in a way that none before it does.
    fn put_state_symmetries_first(&mut self, fixed: &RuleSymmetries, rules: &Rules) {
        let roles = feeds::constants(rules, Rel::ROLE, 0);
        let number = |c: Symbol| roles.iter().position(|r| *r == c).map(|i| i as u32);
        let on_roles = |g: &Scrambling| -> Option<Perm> {
            let images: Option<Vec<u32>> = roles.iter().map(|r| number(g.constant(*r))).collect();
            images.map(Perm)
        };
        // A role that is exchanged for something else that never is a role: leave all as it is.
        if self.generators.iter().any(|g| on_roles(g).is_none()) {
            return;
        }
        let mut rest = std::mem::take(&mut self.generators);
        rest.sort_by_key(|g| g.cycles.len());
        self.generators = fixed.generators.clone();
        let perms = rest.iter().filter_map(on_roles).collect();
        for i in new_on_roles(perms) {
            self.generators.push(rest[i].clone());
        }
    }
}

/// The numbers of the permutations that those before them do not generate.
fn new_on_roles(perms: Vec<Perm>) -> Vec<usize> {
    let mut known: Vec<Perm> = Vec::new();
    let mut chosen = Vec::new();
    for (i, perm) in perms.into_iter().enumerate().filter(|(_, p)| !p.is_identity()) {
        let chain = Chain::new(perm.degree(), &known, &[], None, &|| false);
        if chain.is_ok_and(|c| !c.contains(&perm)) {
            known.push(perm);
            chosen.push(i);
        }
    }
    chosen
}

/// What the symmetries of a net must keep.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeptStructure {
    pub roles: bool,
    pub initial: bool,
}

/// Symmetries of the ground game, checked on random states of the net. They are looked for in so many
/// seconds; what is found by then is told.
pub fn of_net(
    ground: &Ground,
    net: &Net,
    rules: &RuleSymmetries,
    keep: KeptStructure,
    budget: &Budget,
    seconds: f64,
) -> Result<OfNet, Stop> {
    let logic = Logic::new(ground, budget)?;
    let initial = logic.initial.clone();
    let keep = Keep { roles: keep.roles, state: keep.initial.then_some(&initial[..]) };
    let searching = budget.lasting(seconds);
    let (mut all, fixed) = NetSymmetries::with_and_without_roles(&logic, keep, &searching)?;
    for table in all.generators.iter_mut().filter(|t| !t.fixes_roles()) {
        *table = easier_to_read(table, &fixed.generators);
    }
    let table =
        |s: &Scrambling| SymmetryMap::of_scrambling(s, &rules.normal.opaque, ground, &logic);
    let mut of_rules: Vec<Option<SymmetryMap>> = rules.generators.iter().map(table).collect();
    let states = states_to_try(net, all.generators.len() + of_rules.len());
    let mut random = Random::new(1);
    for _ in 0..states {
        let (bases, mut inputs) = state_and_moves(net, &mut random);
        // What is never legal is never made, so nothing depends on where it goes.
        let legal = logic.legal.iter().map(|lit| *lit != Lit::FALSE);
        inputs.iter_mut().zip(legal).for_each(|(made, legal)| *made &= legal);
        budget.check()?;
        for table in &all.generators {
            assert!(table.commutes(net, &bases, &inputs), "a symmetry of {} is none", net.name);
        }
        for table in &mut of_rules {
            *table = table.take().filter(|t| t.commutes(net, &bases, &inputs));
        }
    }
    let mut group = Group { generators: all.generators, order: all.order, exact: true };
    let mut state_group = Group { generators: fixed.generators, order: fixed.order, exact: true };
    let live = logic.live();
    for table in of_rules.iter().flatten().filter(|t| t.keeps(&logic, &live) != Some(true)) {
        group.join(table, budget);
        if table.fixes_roles() {
            state_group.join(table, budget);
        }
    }
    let generators = group.generators;
    Ok(OfNet {
        order: group.order,
        complete: all.complete,
        order_fixed_roles: state_group.order,
        descriptions: describe(&generators, ground, &logic, budget)?,
        generators,
        state_generators: state_group.generators,
        contains_rules: group.exact && state_group.exact,
        of_rules,
        states_tried: states,
    })
}

/// A symmetry followed by such of a group's generators after which it moves less.
fn easier_to_read(table: &SymmetryMap, group: &[SymmetryMap]) -> SymmetryMap {
    let mut best = table.perm();
    let more: Vec<Perm> =
        group.iter().map(SymmetryMap::perm).flat_map(|g| [g.inverse(), g]).collect();
    if best.degree() * more.len() > 5_000_000 {
        return table.clone();
    }
    let moved = |p: &Perm| p.sparse().0.len();
    while let Some(next) = more.iter().map(|g| best.then(g)).min_by_key(moved)
        && moved(&next) < moved(&best)
    {
        best = next;
    }
    SymmetryMap::of_perm(&best, table.roles.len(), table.bases.len())
}

/// A group of tables that symmetries from elsewhere may join.
struct Group {
    generators: Vec<SymmetryMap>,
    order: BigUint,
    /// False once a symmetry could not be joined because the group is too large.
    exact: bool,
}

impl Group {
    /// Adds a symmetry that the group may or may not have.
    fn join(&mut self, table: &SymmetryMap, budget: &Budget) {
        let stop = || budget.check().is_err();
        let perms: Vec<Perm> = self.generators.iter().map(SymmetryMap::perm).collect();
        let perm = table.perm();
        if perm.degree() * (1 + perms.len()) > 5_000_000 || self.order.bits() > 256 {
            self.exact = false;
            return;
        }
        let chain = Chain::new(perm.degree(), &perms, &[], Some(&self.order), &stop);
        let Ok(chain) = chain else { return self.exact = false };
        if chain.contains(&perm) {
            return;
        }
        self.generators.push(table.clone());
        let more: Vec<Perm> = perms.into_iter().chain([perm]).collect();
        match Chain::new(more[0].degree(), &more, &[], None, &stop) {
            Ok(chain) => self.order = chain.order(),
            Err(_) => self.exact = false,
        }
    }
}

/// So many that a large net does not take long.
fn states_to_try(net: &Net, generators: usize) -> usize {
    (30_000_000 / (net.gates.len() * generators.max(1) * 2)).clamp(2, 50)
}

/// Any set of facts with one move per role: symmetries hold for all states, reachable or not.
fn state_and_moves(net: &Net, random: &mut Random) -> (Vec<bool>, Vec<bool>) {
    let dense = 1 + random.below(8);
    let bases = net.bases.iter().map(|b| (random.below(8) < dense) != (b.initial && dense == 1));
    let bases = bases.collect();
    let mut inputs = vec![false; net.inputs.len()];
    for role in 0..net.roles.len() {
        let range = net.inputs_of(role);
        if !range.is_empty() {
            inputs[range.start + random.below(range.len())] = true;
        }
    }
    (bases, inputs)
}
