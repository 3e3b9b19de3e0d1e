//! The same groups as nauty finds, on random and structured graphs (feature `nauty`).
#![cfg(feature = "nauty")]

mod families;

use families::*;
use ludex_graph::nauty::agrees;
use ludex_graph::{Graph, automorphisms, canonical};

fn compare(graph: &Graph) {
    assert!(agrees(graph), "{} vertices", graph.len());
    let group = automorphisms(graph, &|| false).expect("no limit");
    let form = canonical(graph, &|| false).expect("no limit");
    assert_eq!(form.automorphisms.order, group.order);
}

#[test]
fn groups_agree_with_nauty() {
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
    assert_eq!(graphs.len(), 2033);
    graphs.iter().for_each(compare);
}
