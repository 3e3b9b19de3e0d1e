//! How the factors of a game are played: all at once, by choice, one after the other, one per role.

use super::Analysis;
use super::blocks::{BaseBlocks, support};
use super::links::MoveParts;
use crate::fluents::parts as words;
use ludex_net::{Lit, Net};
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FactorKind {
    /// The game does not fall apart.
    #[default]
    Single,
    /// Every step is a step of every factor (conjoined games).
    Synchronous,
    /// A role chooses in which factor it plays.
    #[serde(rename = "by choice")]
    ByChoice,
    /// One factor is played after the other.
    Serial,
    /// Every role plays a factor of its own.
    #[serde(rename = "per role")]
    PerRole,
}

impl fmt::Display for FactorKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            FactorKind::Single => "single",
            FactorKind::Synchronous => "synchronous",
            FactorKind::ByChoice => "by choice",
            FactorKind::Serial => "serial",
            FactorKind::PerRole => "per role",
        })
    }
}

impl Analysis {
    pub fn kind(&mut self, net: &Net) -> FactorKind {
        let roots: Vec<usize> =
            self.blocks.lists().iter().map(|l| l[0]).map(|b| self.blocks.find(b)).collect();
        if self.cut.is_some() || self.in_order(&roots) {
            return FactorKind::Serial;
        }
        if net.roles.len() > 1 && owners(&roots, &self.parts).is_some() {
            return FactorKind::PerRole;
        }
        match self.parts.iter().any(chooses) {
            true => FactorKind::ByChoice,
            false => FactorKind::Synchronous,
        }
    }

    /// Is every block played in phases of its own, one after the other?
    fn in_order(&self, roots: &[usize]) -> bool {
        let phases = |root: &usize| -> Vec<usize> {
            let touches = |p: &&MoveParts| p.rows.iter().flatten().any(|e| e.0 == *root);
            self.parts.iter().filter(touches).map(|p| p.phase).collect()
        };
        let mut spans: Vec<(usize, usize)> = Vec::new();
        for root in roots {
            let phases = phases(root);
            let (Some(first), Some(last)) = (phases.iter().min(), phases.iter().max()) else {
                continue;
            };
            spans.push((*first, *last));
        }
        spans.sort_unstable();
        self.forward && spans.len() > 1 && spans.windows(2).all(|w| w[0].1 < w[1].0)
    }
}

/// Has the role moves in two blocks that no move of it touches both?
pub fn chooses(parts: &MoveParts) -> bool {
    let mut sets: Vec<Vec<usize>> =
        parts.rows.iter().map(|row| row.iter().map(|e| e.0).collect()).collect();
    sets.sort_unstable();
    sets.dedup();
    let mut touched: Vec<usize> = sets.concat();
    touched.sort_unstable();
    touched.dedup();
    let apart = |a: &usize, b: &usize| !sets.iter().any(|s| s.contains(a) && s.contains(b));
    touched.iter().any(|a| touched.iter().any(|b| apart(a, b)))
}

/// The one role that plays in each block, where several roles do; none where two play in one.
fn owners(roots: &[usize], parts: &[MoveParts]) -> Option<Vec<usize>> {
    let owner = |root: &usize| {
        let touches = |p: &&MoveParts| p.rows.iter().flatten().any(|e| e.0 == *root);
        let roles: FxHashSet<usize> = parts.iter().filter(touches).map(|p| p.role).collect();
        roles.iter().next().copied().filter(|_| roles.len() == 1)
    };
    let owners: Vec<usize> = roots.iter().map(owner).collect::<Option<_>>()?;
    owners.iter().any(|role| *role != owners[0]).then_some(owners)
}

/// Unites the blocks among which a role chooses where no other plays: to the others they are one game, which
/// falls apart by itself.
pub fn unite_by_owner(blocks: &mut BaseBlocks, parts: &[MoveParts]) {
    let roots: Vec<usize> = blocks.lists().iter().map(|l| l[0]).collect();
    let roots: Vec<usize> = roots.into_iter().map(|b| blocks.find(b)).collect();
    let Some(owners) = owners(&roots, parts) else { return };
    for role in parts.iter().filter(|p| chooses(p)).map(|p| p.role) {
        let own = roots.iter().zip(&owners).filter(|(_, owner)| **owner == role);
        blocks.unite_all(&own.map(|(root, _)| *root).collect::<Vec<_>>());
    }
}

/// Unites all blocks but the one that decides a cut, of which a base is given.
pub fn first_and_rest(net: &Net, cut: usize, blocks: &mut BaseBlocks) -> usize {
    let own = support(&net.gates, Lit::new(cut, false));
    let first = own.into_iter().find(|b| !blocks.is_shared(*b)).expect("a cut reads a block");
    let roots: Vec<usize> = blocks.lists().iter().map(|l| l[0]).collect();
    let first = blocks.find(first);
    let rest: Vec<usize> = roots.into_iter().filter(|r| *r != first).collect();
    blocks.unite_all(&rest);
    first
}

/// The bases of the blocks that no move touches.
pub fn idle(blocks: &mut BaseBlocks, parts: &[MoveParts]) -> Vec<usize> {
    let rows = parts.iter().flat_map(|p| p.rows.iter().flatten());
    let touched: FxHashSet<usize> = rows.map(|e| e.0).collect();
    blocks.lists().into_iter().filter(|l| !touched.contains(&l[0])).flatten().collect()
}

/// The roots of the blocks that a goal or the end depends on.
pub fn relevant(net: &Net, blocks: &mut BaseBlocks) -> FxHashSet<usize> {
    let goals = net.goals.iter().flatten().map(|g| g.1);
    let bases = goals.chain([net.terminal]).flat_map(|lit| support(&net.gates, lit));
    let own: Vec<usize> = bases.filter(|b| !blocks.is_shared(*b)).collect();
    own.into_iter().map(|b| blocks.find(b)).collect()
}

/// Gathers buttons: blocks that matter for nobody, and in which every role has but one thing to do
/// instead of something elsewhere, by what they have in common with one that does matter. A block
/// that matters is a factor even if it is no more than a button (Figure 1 of the paper).
pub fn gather(net: &Net, blocks: &mut BaseBlocks, parts: &[MoveParts]) {
    let relevant = relevant(net, blocks);
    let mut most: FxHashMap<usize, usize> = FxHashMap::default();
    for parts in parts {
        let mut seen: FxHashMap<usize, FxHashSet<u32>> = FxHashMap::default();
        for (block, part) in parts.rows.iter().flatten() {
            seen.entry(*block).or_default().insert(*part);
        }
        for (block, kinds) in seen {
            let most = most.entry(block).or_default();
            *most = kinds.len().max(*most);
        }
    }
    let roots: Vec<usize> = blocks.lists().iter().map(|l| l[0]).collect();
    let together = |root: usize| {
        let mut rows = parts.iter().flat_map(|p| &p.rows);
        rows.any(|row| row.len() > 1 && row.iter().any(|e| e.0 == root))
    };
    let button = |root: &usize| most.get(root).is_none_or(|n| *n <= 1) && !together(*root);
    let (matter, rest): (Vec<usize>, Vec<usize>) = roots.iter().partition(|r| relevant.contains(r));
    let rest: Vec<usize> = rest.into_iter().filter(button).collect();
    if rest.len() > 1 {
        gather_idle(net, blocks, &matter, &rest);
    }
}

/// Gathers buttons that matter for nobody: by the argument that sets a block of the same relation that
/// does matter apart, or else all together.
fn gather_idle(net: &Net, blocks: &mut BaseBlocks, matter: &[usize], rest: &[usize]) {
    let word = |b: usize| words(&net.bases[b].name);
    let lists = blocks.lists();
    let list_of = |root: usize| lists.iter().find(|l| l[0] == root).expect("a block");
    let mut groups: FxHashMap<Option<(String, usize, String)>, Vec<usize>> = FxHashMap::default();
    for root in rest {
        let (name, args) = word(*root);
        let mark = (0..args.len()).find(|a| {
            matter.iter().any(|m| {
                let same: Vec<Vec<String>> = list_of(*m)
                    .iter()
                    .map(|b| word(*b))
                    .filter(|w| w.0 == name && w.1.len() == args.len())
                    .map(|w| w.1)
                    .collect();
                same.len() > 1
                    && same.iter().all(|s| s[*a] == same[0][*a])
                    && same[0][*a] != args[*a]
            })
        });
        let key = mark.map(|a| (name, a, args[a].clone()));
        groups.entry(key).or_default().push(*root);
    }
    for group in groups.values() {
        blocks.unite_all(group);
    }
}
