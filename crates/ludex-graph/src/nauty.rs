//! The groups that nauty finds, to compare with (feature `nauty`).

use crate::{Graph, automorphisms};
use nauty_Traces_sys::{SparseGraph, optionblk, sparsegraph, sparsenauty, statsblk};
use num_bigint::BigUint;

/// The order that nauty finds: a number and a power of ten, rounded, with the number of orbits. (Traces,
/// its younger sister, joins orbits that no automorphism joins in some rule graphs.)
fn nauty(graph: &Graph) -> (f64, i32, i32) {
    let n = graph.len();
    let mut sparse = SparseGraph::new(n, 2 * graph.edges());
    let mut at = 0;
    for v in 0..n {
        sparse.v[v] = at;
        sparse.d[v] = graph.degree(v as u32) as _;
        for &w in graph.neighbours(v as u32) {
            sparse.e[at] = w as _;
            at += 1;
        }
    }
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by_key(|&v| graph.colour(v));
    let mut lab: Vec<_> = order.iter().map(|&v| v as _).collect();
    let ends = |i: usize| i + 1 == n || graph.colour(order[i]) != graph.colour(order[i + 1]);
    let mut ptn: Vec<_> = (0..n).map(|i| !ends(i) as _).collect();
    let mut orbits = vec![0; n];
    let mut options = optionblk { getcanon: 0, defaultptn: 0, ..optionblk::default_sparse() };
    let mut stats = statsblk::default();
    let mut raw: sparsegraph = (&mut sparse).into();
    // nauty writes into the arrays above, which live longer than the call.
    unsafe {
        sparsenauty(
            &mut raw,
            lab.as_mut_ptr(),
            ptn.as_mut_ptr(),
            orbits.as_mut_ptr(),
            &mut options,
            &mut stats,
            std::ptr::null_mut(),
        );
    }
    (stats.grpsize1, stats.grpsize2, stats.numorbits)
}

/// The leading digits of a number, as nauty gives them.
fn rounded(order: &BigUint) -> (f64, i32) {
    let text = order.to_string();
    let digits = text.len().min(16);
    let exponent = (text.len() - digits) as i32;
    (text[..digits].parse().expect("digits"), exponent)
}

/// Whether both find a group of the same order with equally many orbits.
pub fn agrees(graph: &Graph) -> bool {
    let mut group = automorphisms(graph, &|| false).expect("no limit");
    let (m, e, orbits) = nauty(graph);
    let (ours, exponent) = rounded(&group.order);
    let (a, b) = (m.log10() + e as f64, ours.log10() + exponent as f64);
    (a - b).abs() < 1e-9 && group.orbits.lists().len() as i32 == orbits
}
