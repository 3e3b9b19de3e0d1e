//! The rules of all general joint moves of a covering -> fewer: where the move of a role makes no
//! difference, it is not asked for.

use super::joint::Joint;
use super::simplify::{Simple, drop_subsumed};
use ludex_gdl::rules::{Literal, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Roles beyond this number are not tried in all combinations.
const ALL_SUBSETS: usize = 6;

/// `rules[j]` are those of `joints[j]`.
pub fn merge(rules: Vec<Vec<Simple>>, joints: &[Joint]) -> Vec<Simple> {
    let roles = joints.first().map_or(0, |j| j.does.len());
    let mut merged: Vec<Simple> = Vec::new();
    let mut seen: FxHashSet<Simple> = FxHashSet::default();
    let mut covered: Vec<Vec<bool>> = rules.iter().map(|r| vec![false; r.len()]).collect();
    for set in subsets(roles) {
        let mut groups: FxHashMap<Simple, Vec<(usize, usize)>> = FxHashMap::default();
        for (j, rules) in rules.iter().enumerate() {
            for (i, rule) in rules.iter().enumerate() {
                if let Some(key) = without(rule, &set) {
                    groups.entry(key).or_default().push((j, i));
                }
            }
        }
        let mut complete: Vec<(Vec<(usize, usize)>, Simple)> = groups
            .into_iter()
            .map(|(key, members)| (members, key))
            .filter(|(members, key)| is_complete(members, key, joints))
            .collect();
        complete.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        for (members, key) in complete {
            if members.iter().all(|(j, i)| covered[*j][*i]) {
                continue;
            }
            members.iter().for_each(|(j, i)| covered[*j][*i] = true);
            if seen.insert(key.clone()) {
                merged.push(key);
            }
        }
    }
    for (rules, covered) in rules.into_iter().zip(covered) {
        let left = rules.into_iter().zip(covered).filter(|(_, covered)| !covered);
        merged.extend(left.map(|(rule, _)| rule));
    }
    drop_subsumed(&mut merged);
    merged
}

/// Sets of roles whose moves are left away, the largest first.
fn subsets(roles: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = Vec::new();
    if roles <= ALL_SUBSETS {
        for bits in 1u32..1 << roles {
            all.push((0..roles).filter(|r| bits >> r & 1 == 1).collect());
        }
    } else {
        all.push((0..roles).collect());
        for r in 0..roles {
            all.push((0..roles).filter(|o| *o != r).collect());
            all.push(vec![r]);
        }
    }
    all.sort_by_key(|set| std::cmp::Reverse(set.len()));
    all
}

/// The rule without what these roles do, unless it needs their moves.
fn without(rule: &Simple, set: &[usize]) -> Option<Simple> {
    let mut key = rule.clone();
    let mut vars: Vec<u32> = Vec::new();
    for role in set {
        let atom = key.does[*role].take()?;
        let before = vars.len();
        let Term::App(_, args) = &atom.args[1] else { return None };
        for arg in args {
            match arg {
                Term::Var(v) if !vars.contains(v) => vars.push(*v),
                _ => return None,
            }
        }
        debug_assert!(vars.len() == before + args.len());
        atom.args[0].is_ground().then_some(())?;
    }
    let mut asked = false;
    let mut note = |v: u32| asked |= vars.contains(&v);
    key.fluent.for_each_var(&mut note);
    key.does.iter().flatten().for_each(|a| a.for_each_var(&mut note));
    key.rest.iter().for_each(|l: &Literal| l.for_each_var(&mut note));
    (!asked).then_some(key)
}

/// Do the members stand for all joint moves, at least two, that the key allows?
fn is_complete(members: &[(usize, usize)], key: &Simple, joints: &[Joint]) -> bool {
    let mut having: Vec<usize> = members.iter().map(|m| m.0).collect();
    having.dedup();
    let allows = |joint: &&Joint| {
        let mut roles = key.does.iter().enumerate();
        roles.all(|(k, does)| match does {
            None => true,
            Some(atom) => match &atom.args[1] {
                Term::App(f, args) => joint.name(k) == Some((*f, args.len())),
                Term::Var(_) => joint.name(k).is_none(),
            },
        })
    };
    having.len() >= 2 && having.len() == joints.iter().filter(allows).count()
}
