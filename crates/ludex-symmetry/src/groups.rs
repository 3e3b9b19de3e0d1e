//! `NetGroups`: the symmetries of a net, all of them and those that leave every role alone.
//!
//! First come those that the graph of the logic shows. Maps from elsewhere, from rules whose
//! constants are told apart by sort, join them (Schreier–Sims) where the group has them not.

use super::logic::Logic;
use super::net_graph::{Keep, NetSymmetries};
use super::normal::{Normal, normalise};
use super::sorts::Sorts;
use super::table::{SymmetryMap, TermMap};
use super::{RuleSymmetries, roots};
use ludex_gdl::budget::{Budget, Stop};
use ludex_graph::{Chain, Perm};
use ludex_net::Net;
use ludex_net::ground::Ground;
use ludex_reason::Random;

#[derive(Clone)]
pub struct NetGroups {
    pub all: NetSymmetries,
    /// Those that leave every role alone.
    pub roles_fixed: NetSymmetries,
    /// False where a map could not be joined because the group is too large.
    pub exact: bool,
}

impl NetGroups {
    /// The symmetries that the logic shows.
    pub fn find(logic: &Logic, keep: Keep, budget: &Budget) -> Result<NetGroups, Stop> {
        let (all, fixed) = NetSymmetries::with_and_without_roles(logic, keep, budget)?;
        let mut groups = NetGroups { all, roles_fixed: fixed, exact: true };
        for map in groups.all.generators.iter_mut().filter(|map| !map.fixes_roles()) {
            *map = easier_to_read(map, &groups.roles_fixed.generators);
        }
        Ok(groups)
    }

    /// Those that leave every role alone as the whole group.
    pub fn with_roles_fixed(&self) -> NetGroups {
        NetGroups { all: self.roles_fixed.clone(), ..self.clone() }
    }

    /// Joins symmetries that the logic may not show.
    pub fn join(&mut self, more: &[SymmetryMap], logic: &Logic, budget: &Budget) {
        let live = logic.live();
        for map in more.iter().filter(|map| map.keeps(logic, &live) != Some(true)) {
            self.exact &= self.all.join(map, budget);
            if map.fixes_roles() {
                self.exact &= self.roles_fixed.join(map, budget);
            }
        }
    }
}

/// Symmetries of the rules with constants told apart by sort, as maps of the net; each has commuted
/// with the game in random states.
pub(crate) fn sorted_maps(
    normal: &Normal,
    ground: &Ground,
    net: &Net,
    logic: &Logic,
    keep: Keep,
    budget: &Budget,
) -> Result<Vec<SymmetryMap>, Stop> {
    let again = || normalise(&normal.with_sources(), &roots(keep.state.is_some()), budget);
    let normal = if normal.opaque.is_empty() { &again()? } else { normal };
    let Some(sorts) = Sorts::new(normal) else { return Ok(vec![]) };
    let mut maps: Vec<SymmetryMap> = Vec::new();
    // Those that leave every role alone are asked for by themselves: generators of all need not be among them.
    for roles in [true, false].into_iter().filter(|roles| *roles || !keep.roles) {
        let found = RuleSymmetries::of(sorts.normal.clone(), roles, budget)?;
        for scrambling in &found.generators {
            budget.check()?;
            let map = TermMap {
                role: &|t| sorts.role(scrambling, t),
                fact: &|t| sorts.fact(scrambling, t),
                action: &|t| sorts.action(scrambling, t),
            };
            maps.extend(SymmetryMap::of_terms(&map, ground, logic));
        }
    }
    for (bases, inputs) in trials(net, logic, maps.len()) {
        budget.check()?;
        maps.retain(|map| map.commutes(net, &logic.settled, &bases, &inputs));
    }
    Ok(maps)
}

impl NetSymmetries {
    /// Adds a symmetry that the group may or may not have; false where the group is too large to say.
    fn join(&mut self, map: &SymmetryMap, budget: &Budget) -> bool {
        let stop = || budget.check().is_err();
        let perms: Vec<Perm> = self.generators.iter().map(SymmetryMap::perm).collect();
        let perm = map.perm();
        if perm.degree() * (1 + perms.len()) > 5_000_000 || self.order.bits() > 256 {
            return false;
        }
        let chain = Chain::new(perm.degree(), &perms, &[], Some(&self.order), &stop);
        let Ok(chain) = chain else { return false };
        if chain.contains(&perm) {
            return true;
        }
        let more: Vec<Perm> = perms.into_iter().chain([perm]).collect();
        let Ok(chain) = Chain::new(more[0].degree(), &more, &[], None, &stop) else { return false };
        self.generators.push(map.clone());
        self.order = chain.order();
        true
    }
}

/// A symmetry followed by such of a group's generators after which it moves less.
fn easier_to_read(map: &SymmetryMap, group: &[SymmetryMap]) -> SymmetryMap {
    let mut best = map.perm();
    let more: Vec<Perm> =
        group.iter().map(SymmetryMap::perm).flat_map(|g| [g.inverse(), g]).collect();
    if best.degree() * more.len() > 5_000_000 {
        return map.clone();
    }
    let moved = |p: &Perm| p.sparse().0.len();
    while let Some(next) = more.iter().map(|g| best.then(g)).min_by_key(moved)
        && moved(&next) < moved(&best)
    {
        best = next;
    }
    SymmetryMap::of_perm(&best, map.roles.len(), map.bases.len())
}

/// States and moves in which so many maps are tried; so few that a large net does not take long.
pub(crate) fn trials<'a>(
    net: &'a Net,
    logic: &'a Logic,
    maps: usize,
) -> impl ExactSizeIterator<Item = (Vec<bool>, Vec<bool>)> + 'a {
    let states = (30_000_000 / (net.gates.len() * maps.max(1) * 2)).clamp(2, 50);
    let mut random = Random::new(1);
    (0..states).map(move |_| state_and_moves(net, logic, &mut random))
}

/// Any set of facts with one move per role: symmetries hold for all states, reachable or not, in which
/// what is settled has its value.
fn state_and_moves(net: &Net, logic: &Logic, random: &mut Random) -> (Vec<bool>, Vec<bool>) {
    let dense = 1 + random.below(8);
    let base = |(b, settled): (usize, &Option<bool>)| {
        let drawn = (random.below(8) < dense) != (net.bases[b].initial && dense == 1);
        settled.unwrap_or(drawn)
    };
    let bases = logic.settled.bases.iter().enumerate().map(base).collect();
    let mut inputs = vec![false; net.inputs.len()];
    for role in 0..net.roles.len() {
        let range = net.inputs_of(role);
        if !range.is_empty() {
            inputs[range.start + random.below(range.len())] = true;
        }
    }
    // What is never legal is never made, so nothing depends on where it goes.
    for (i, made) in inputs.iter_mut().enumerate() {
        *made = logic.settled.inputs[i].unwrap_or(*made && logic.legal[i] != ludex_net::Lit::FALSE);
    }
    (bases, inputs)
}
