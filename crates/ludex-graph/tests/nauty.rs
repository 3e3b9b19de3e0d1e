//! The same groups as Traces finds, on random and structured graphs (feature `nauty`).
#![cfg(feature = "nauty")]

mod families;

use families::*;
use ludex_graph::{Graph, automorphisms, canonical};
use nauty_Traces_sys::{SparseGraph, Traces, TracesOptions, TracesStats, sparsegraph};
use num_bigint::BigUint;

/// The order that Traces finds: a number and a power of ten, rounded, with the number of orbits.
fn traces(graph: &Graph) -> (f64, i32, i32) {
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
    let mut options = TracesOptions { getcanon: 0, defaultptn: 0, ..TracesOptions::default() };
    let mut stats = TracesStats::default();
    let mut raw: sparsegraph = (&mut sparse).into();
    // Traces writes into the arrays above, which live longer than the call.
    unsafe {
        Traces(
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

/// The leading digits of a number, as Traces gives them.
fn rounded(order: &BigUint) -> (f64, i32) {
    let text = order.to_string();
    let digits = text.len().min(16);
    let exponent = (text.len() - digits) as i32;
    (text[..digits].parse().expect("digits"), exponent)
}

fn compare(graph: &Graph) {
    let mut group = automorphisms(graph, &|| false).expect("no limit");
    let (m, e, orbits) = traces(graph);
    let (ours, exponent) = rounded(&group.order);
    let (a, b) = (m.log10() + e as f64, ours.log10() + exponent as f64);
    assert!((a - b).abs() < 1e-9, "10^{a} and 10^{b}: {} vertices", graph.len());
    assert_eq!(group.orbits.lists().len() as i32, orbits);
    let form = canonical(graph, &|| false).expect("no limit");
    assert_eq!(form.automorphisms.order, group.order);
}

#[test]
fn groups_agree_with_traces() {
    let mut graphs = vec![
        petersen(),
        cube(8),
        grid(40, 40),
        shrikhande(),
        rook(9),
        paley(101),
        tree(12),
        star(3000),
        cfi(&cube(3), false),
        cfi(&petersen(), true),
        union(&[cycle(3), cycle(3), cycle(6), cycle(4), cycle(5)]),
        union(&[shrikhande(), rook(4), shrikhande(), rook(4)]),
        union(&vec![petersen(); 30]),
    ];
    let mut random = Random(17);
    for i in 0..2000 {
        let n = 3 + random.below(60);
        let edges = random.below(3 * n) as usize;
        graphs.push(random.graph(n, edges, 1 + i % 3));
    }
    for i in 0..20 {
        graphs.push(random.graph(5000, 2500 + 500 * i, 1));
    }
    println!("{} graphs", graphs.len());
    graphs.iter().for_each(compare);
}
