//! `Rules` and `Ground` -> `Symmetries`: all that is found out about the symmetries of a game, by both
//! methods, with and without fixed roles.

use super::describe::{Description, describe};
use super::groups::{NetGroups, sorted_maps, trials};
use super::logic::Logic;
use super::net_graph::Keep;
use super::normal::Normal;
use super::scrambling::Scrambling;
use super::table::{SymmetryMap, TermMap};
use super::verify::{self, Tried};
use super::{RuleSymmetries, SymmetryQuestion, feeds};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Rel, Rules, Symbol, Term};
use ludex_graph::{Chain, Perm};
use ludex_net::Net;
use ludex_net::ground::Ground;
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

/// The symmetries of a net must keep these.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeptStructure {
    pub roles: bool,
    pub initial: bool,
}

/// A ground game, whose symmetries are found and told.
#[derive(Clone, Copy)]
pub struct SymmetricGame<'a> {
    pub ground: &'a Ground,
    pub net: &'a Net,
    pub logic: &'a Logic,
}

impl SymmetricGame<'_> {
    /// The symmetries that the logic shows, and those of the rules with constants told apart by sort; without
    /// the time for the latter those of the logic will do.
    pub fn groups(
        &self,
        normal: &Normal,
        kept: KeptStructure,
        budget: &Budget,
        sorting: &Budget,
    ) -> Result<NetGroups, Stop> {
        let SymmetricGame { ground, net, logic } = self;
        let keep = Keep { roles: kept.roles, state: kept.initial.then_some(&logic.initial[..]) };
        let mut groups = NetGroups::find(logic, keep, budget)?;
        let sorted = sorted_maps(normal, ground, net, logic, keep, sorting);
        groups.join(&sorted.unwrap_or_default(), logic, budget);
        Ok(groups)
    }

    /// Joins what the rules show to the groups, in the time there is for it, and tells them. Every generator is
    /// checked on random states of the net.
    pub fn tell(
        &self,
        rules: &RuleSymmetries,
        groups: &mut NetGroups,
        joining: &Budget,
        budget: &Budget,
    ) -> Result<OfNet, Stop> {
        let of_rules = self.of_rules(rules, budget)?;
        let tables: Vec<SymmetryMap> = of_rules.iter().flatten().cloned().collect();
        groups.join(&tables, self.logic, joining);
        let generators = groups.all.generators.clone();
        Ok(OfNet {
            order: groups.all.order.clone(),
            complete: groups.all.complete,
            order_fixed_roles: groups.roles_fixed.order.clone(),
            descriptions: describe(&generators, self.ground, self.logic, budget)?,
            states_tried: self.check(&generators, budget)?,
            generators,
            state_generators: groups.roles_fixed.generators.clone(),
            contains_rules: groups.exact,
            of_rules,
        })
    }

    /// Per generator of the rules its tables, unless it does not act on the net.
    fn of_rules(
        &self,
        rules: &RuleSymmetries,
        budget: &Budget,
    ) -> Result<Vec<Option<SymmetryMap>>, Stop> {
        let SymmetricGame { ground, net, logic } = self;
        let table = |s: &Scrambling| {
            let map = |t: &Term| s.ground_term(t, &rules.normal.opaque);
            let map = TermMap { role: &map, fact: &map, action: &map };
            SymmetryMap::of_terms(&map, ground, logic)
        };
        let mut found: Vec<Option<SymmetryMap>> = rules.generators.iter().map(table).collect();
        for (bases, inputs) in trials(net, logic, found.len()) {
            budget.check()?;
            for table in &mut found {
                *table = table.take().filter(|t| t.commutes(net, &logic.settled, &bases, &inputs));
            }
        }
        Ok(found)
    }

    /// In how many states the generators were tried.
    fn check(&self, generators: &[SymmetryMap], budget: &Budget) -> Result<usize, Stop> {
        let SymmetricGame { net, logic, .. } = self;
        let trials = trials(net, logic, generators.len());
        let states = trials.len();
        for (bases, inputs) in trials {
            budget.check()?;
            let commutes =
                |table: &SymmetryMap| table.commutes(net, &logic.settled, &bases, &inputs);
            assert!(generators.iter().all(commutes), "a symmetry of {} is none", net.name);
        }
        Ok(states)
    }
}
