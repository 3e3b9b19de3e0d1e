//! The symmetries of one position, and which of its joint moves are symmetric (002).

use super::logic::Logic;
use super::net_graph::{Keep, NetSymmetries};
use ludex_gdl::budget::{Budget, Stop};
use ludex_graph::Orbits;
use ludex_net::Net;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// A position with the symmetries that keep it and every role.
pub struct SymmetricPosition {
    pub order: BigUint,
    pub symmetries: NetSymmetries,
    /// Classes of legal joint moves, as numbers of inputs in role order; the first stands for all.
    pub orbits: Vec<Vec<Vec<u32>>>,
    /// Not all joint moves were looked at.
    pub cut: bool,
}

/// More joint moves than this are not listed.
const MOST: usize = 100_000;

impl SymmetricPosition {
    /// `state`: one bit per base of the net.
    pub fn new(logic: &Logic, net: &Net, state: &[bool], budget: &Budget) -> Result<Self, Stop> {
        let keep = Keep { roles: true, state: Some(state) };
        let symmetries = NetSymmetries::find(logic, keep, budget)?;
        if !symmetries.complete {
            budget.check()?;
        }
        let (joint, cut) = joint_moves(net, state);
        let number: FxHashMap<&[u32], u32> =
            joint.iter().enumerate().map(|(i, j)| (j.as_slice(), i as u32)).collect();
        let mut orbits = Orbits::new(joint.len());
        for table in &symmetries.generators {
            budget.check()?;
            for (i, moves) in joint.iter().enumerate() {
                let image: Vec<u32> = moves.iter().map(|&m| table.inputs[m as usize]).collect();
                if let Some(&j) = number.get(image.as_slice()) {
                    orbits.join(i as u32, j);
                }
            }
        }
        let lists = orbits.lists();
        let orbits = lists.iter().map(|l| l.iter().map(|&i| joint[i as usize].clone()).collect());
        Ok(SymmetricPosition {
            order: symmetries.order.clone(),
            orbits: orbits.collect(),
            symmetries,
            cut,
        })
    }
}

/// The legal joint moves in order, and whether there are more.
fn joint_moves(net: &Net, state: &[bool]) -> (Vec<Vec<u32>>, bool) {
    let values = net.evaluate(state, &vec![false; net.inputs.len()]);
    let mut joint: Vec<Vec<u32>> = vec![vec![]];
    for role in 0..net.roles.len() {
        let legal = net.inputs_of(role).filter(|&i| Net::holds(&values, net.inputs[i].legal));
        let legal: Vec<u32> = legal.map(|i| i as u32).collect();
        if joint.len() * legal.len() > MOST {
            return (vec![], true);
        }
        let longer = |j: &Vec<u32>| {
            let with = |&m: &u32| j.iter().copied().chain([m]).collect();
            legal.iter().map(with).collect::<Vec<Vec<u32>>>()
        };
        joint = joint.iter().flat_map(longer).collect();
    }
    (joint, false)
}
