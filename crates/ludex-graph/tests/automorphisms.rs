//! Automorphism groups and canonical forms: known groups, brute force, hard and large graphs.

mod families;

use families::*;
use ludex_graph::{
    Chain, Digraph, Graph, Perm, automorphisms, canonical, isomorphism, with_stabiliser,
};
use num_bigint::BigUint;
use std::cell::Cell;

const GO_ON: &dyn Fn() -> bool = &|| false;

fn factorial(n: u32) -> BigUint {
    (1..=n).map(BigUint::from).product()
}

fn order(graph: &Graph) -> BigUint {
    let group = automorphisms(graph, GO_ON).expect("no limit");
    if graph.len() < 2000 {
        for g in group.perms() {
            assert!(graph.is_automorphism(&g.0) && !g.is_identity());
        }
    }
    group.order
}

#[test]
fn known_groups() {
    let of = |g: Graph, n: u32| assert_eq!(order(&g), BigUint::from(n));
    of(plain(0, vec![]), 1);
    of(plain(1, vec![]), 1);
    (3..20).for_each(|n| of(cycle(n), 2 * n));
    of(petersen(), 120);
    of(grid(5, 5), 8);
    of(grid(4, 7), 4);
    of(shrikhande(), 192);
    of(rook(4), 1152);
    of(rook(5), 2 * 120 * 120);
    of(paley(13), 78);
    of(paley(29), 29 * 14);
    (2..9).for_each(|d| assert_eq!(order(&cube(d)), factorial(d) << d));
    assert_eq!(order(&complete(30)), factorial(30));
    assert_eq!(order(&bipartite(7, 9)), factorial(7) * factorial(9));
    assert_eq!(order(&bipartite(8, 8)), factorial(8) * factorial(8) * 2u32);
    assert_eq!(order(&tree(10)), BigUint::from(1u32) << 511);
    assert_eq!(order(&union(&vec![petersen(); 5])), factorial(5) * BigUint::from(120u32).pow(5));
}

#[test]
fn vertices_of_one_cell_need_not_be_one_orbit() {
    let mixed = union(&[cycle(3), cycle(3), cycle(6)]);
    assert_eq!(order(&mixed), BigUint::from(6u32 * 6 * 2 * 12));
    let strong = union(&[shrikhande(), rook(4), shrikhande()]);
    assert_eq!(order(&strong), BigUint::from(192u32 * 192 * 2 * 1152));
}

#[test]
fn graphs_that_refinement_cannot_tell_apart() {
    let base = complete(4);
    let (a, b) = (cfi(&base, false), cfi(&base, true));
    assert_eq!(isomorphism(&a, &b, GO_ON), Ok(None));
    assert_eq!(order(&a), order(&b));
    let ring = plain(12, (0..12).flat_map(|i| [(i, (i + 1) % 12), (i, (i + 6) % 12)]).collect());
    let (a, b) = (cfi(&ring, false), cfi(&ring, true));
    assert_eq!(isomorphism(&a, &b, GO_ON), Ok(None));
    assert_eq!(isomorphism(&shrikhande(), &rook(4), GO_ON), Ok(None));
    assert_eq!(order(&a), BigUint::from(24u32 << 7));
}

/// The order by trying all permutations.
fn brute(graph: &Graph) -> u32 {
    fn extend(graph: &Graph, map: &mut Vec<u32>) -> u32 {
        let v = map.len() as u32;
        if v as usize == graph.len() {
            return 1;
        }
        let mut found = 0;
        for w in 0..graph.len() as u32 {
            let edge = |a: u32, b: u32| graph.neighbours(a).contains(&b);
            let fits = !map.contains(&w)
                && graph.colour(v) == graph.colour(w)
                && (0..v).all(|u| edge(u, v) == edge(map[u as usize], w));
            if fits {
                map.push(w);
                found += extend(graph, map);
                map.pop();
            }
        }
        found
    }
    extend(graph, &mut Vec::new())
}

#[test]
fn small_graphs_against_brute_force() {
    let mut random = Random(7);
    for i in 0..3000 {
        let n = 2 + i % 7;
        let edges = random.below(n * n / 2) as usize;
        let colours = 1 + random.below(2);
        let graph = random.graph(n, edges, colours);
        assert_eq!(order(&graph), BigUint::from(brute(&graph)), "{graph:?}");
    }
}

#[test]
fn chain_of_the_generators_has_the_same_order() {
    for graph in [petersen(), cube(5), rook(5), tree(5), union(&[shrikhande(), cycle(7)])] {
        let group = automorphisms(&graph, GO_ON).expect("no limit");
        let chain = Chain::new(graph.len(), &group.perms(), &[], None, GO_ON).expect("no limit");
        assert_eq!(chain.order(), group.order);
    }
}

#[test]
fn a_stabiliser_is_generated_by_the_first_generators() {
    let mut random = Random(11);
    for i in 0..300 {
        let graph = random.graph(3 + i % 5, 1 + i as usize % 6, 1);
        let fixed = [random.below(3), random.below(3)];
        let (group, order, first) = with_stabiliser(&graph, &fixed, GO_ON).expect("no limit");
        let mut colours = graph.colours().to_vec();
        fixed.iter().enumerate().for_each(|(i, v)| colours[*v as usize] = 10 + i as u32);
        assert_eq!(order, BigUint::from(brute(&graph.recoloured(colours))), "{graph:?} {fixed:?}");
        assert_eq!(group.order, BigUint::from(brute(&graph)));
        let perms = group.perms();
        let chain = |perms: &[Perm]| Chain::new(graph.len(), perms, &[], None, GO_ON);
        assert_eq!(chain(&perms[..first]).expect("no limit").order(), order);
        assert_eq!(chain(&perms).expect("no limit").order(), group.order);
    }
}

#[test]
fn a_search_that_is_stopped_has_a_part_of_the_group() {
    let mut random = Random(12);
    let (mut parts, mut looks) = (0, 0);
    for i in 0..300 {
        let graph = random.graph(4 + i % 4, 1 + i as usize % 3, 1);
        let whole = BigUint::from(brute(&graph));
        let left = Cell::new(1 + i % 20);
        let stop = || left.replace(left.get().saturating_sub(1)) == 0;
        let Ok((group, _, _)) = with_stabiliser(&graph, &[0], &stop) else { continue };
        let chain = Chain::new(graph.len(), &group.perms(), &[], None, GO_ON).expect("no limit");
        assert_eq!(chain.order(), group.order, "{graph:?}");
        assert_eq!(&whole % &group.order, BigUint::ZERO, "{graph:?}");
        assert!(!group.complete || group.order == whole, "{graph:?}");
        parts += usize::from(group.order < whole);
        looks += 1;
    }
    assert!(parts > 20 && looks > parts, "{parts} of {looks}");
}

#[test]
fn canonical_forms_of_scrambled_graphs_are_equal() {
    let mut random = Random(3);
    let mut graphs = vec![
        petersen(),
        cube(6),
        grid(9, 9),
        shrikhande(),
        rook(6),
        paley(29),
        tree(9),
        star(500),
        cfi(&cube(3), false),
        cfi(&petersen(), true),
        union(&[cycle(3), cycle(3), cycle(6), cycle(4), cycle(5)]),
        union(&[shrikhande(), rook(4), shrikhande(), rook(4)]),
        union(&[plain(30, vec![]), complete(30), cycle(30)]),
    ];
    graphs.extend((0..200).map(|i| {
        let colours = 1 + i % 3;
        let edges = random.below(60) as usize;
        random.graph(5 + i % 40, edges, colours)
    }));
    for graph in graphs {
        let form = canonical(&graph, GO_ON).expect("no limit");
        assert_eq!(form.graph, graph.relabelled(&form.label));
        for _ in 0..4 {
            let scrambled = graph.relabelled(&random.permutation(graph.len()));
            let other = canonical(&scrambled, GO_ON).expect("no limit");
            assert_eq!(form.graph, other.graph);
            assert_eq!(form.automorphisms.order, other.automorphisms.order);
            let map = form.map_to(&other).expect("equal forms");
            assert_eq!(graph.relabelled(&map), scrambled);
        }
    }
}

#[test]
fn one_edge_more_or_less_is_seen() {
    let mut random = Random(11);
    for _ in 0..100 {
        let graph = random.graph(30, 60, 1);
        let (a, b) = (random.below(30), random.below(30));
        let mut edges: Edges = Vec::new();
        for v in 0..30 {
            edges.extend(graph.neighbours(v).iter().map(|&w| (v, w)));
        }
        edges.push((a, b));
        let more = plain(30, edges);
        let found = isomorphism(&graph, &more, GO_ON).expect("no limit");
        assert_eq!(found.is_some(), graph == more);
    }
}

#[test]
fn large_graphs() {
    let leaves = 100_000;
    assert_eq!(order(&star(leaves)), factorial_fast(leaves));
    let group = automorphisms(&grid(300, 300), GO_ON).expect("no limit");
    assert_eq!(group.order, BigUint::from(8u32));
    let wide = union(&vec![tree(3); 20_000]);
    let group = automorphisms(&wide, GO_ON).expect("no limit");
    assert_eq!(group.order, factorial_fast(20_000) * (BigUint::from(8u32).pow(20_000)));
    let path = plain(500_000, (1..500_000).map(|v| (v - 1, v)).collect());
    assert_eq!(order(&path), BigUint::from(2u32));
    let random = Random(5).graph(300_000, 1_200_000, 1);
    assert!(automorphisms(&random, GO_ON).is_ok());
    assert!(canonical(&star(leaves), GO_ON).is_ok());
}

fn factorial_fast(n: u32) -> BigUint {
    let mut factors: Vec<BigUint> = (1..=n).map(BigUint::from).collect();
    while factors.len() > 1 {
        factors = factors.chunks(2).map(|c| c.iter().product()).collect();
    }
    factors.remove(0)
}

#[test]
fn a_directed_cycle_only_turns() {
    let mut ring = Digraph { colours: vec![0; 6], arcs: vec![] };
    (0..6).for_each(|i| ring.add_arc(i, (i + 1) % 6));
    assert_eq!(order(&ring.undirected()), BigUint::from(6u32));
}

#[test]
fn stops_when_asked() {
    assert!(automorphisms(&cube(4), &|| true).is_err());
    assert!(canonical(&cube(4), &|| true).is_err());
}

#[test]
fn smallest_images_against_all_elements() {
    let graph = cube(4);
    let group = automorphisms(&graph, GO_ON).expect("no limit");
    let chain = Chain::new(16, &group.perms(), &[], Some(&group.order), GO_ON).expect("no limit");
    let all = chain.elements(1000).expect("384 elements");
    assert_eq!(all.len(), 384);
    assert!(all.iter().all(|g| chain.contains(g)));
    assert!(!chain.contains(&Perm((0..16).map(|i| if i < 2 { 1 - i } else { i }).collect())));
    let mut random = Random(9);
    for _ in 0..30 {
        let mut set: Vec<u32> = random.permutation(16)[..random.below(12) as usize].to_vec();
        set.sort_unstable();
        let image = |g: &Perm| {
            let mut image: Vec<u32> = set.iter().map(|&p| g.image(p)).collect();
            image.sort_unstable();
            image
        };
        let least = all.iter().map(image).min().expect("elements");
        let (found, by) = ludex_graph::smallest_image(&chain, &set, 10_000, GO_ON)
            .expect("no limit")
            .expect("narrow enough");
        assert_eq!(found, least);
        assert_eq!(image(&by), least);
        let near = ludex_graph::greedy_image(&chain.generators(), &set);
        assert!(all.iter().any(|g| image(g) == near));
    }
}

#[test]
fn interchangeable_blocks_are_sorted() {
    // Five arms of two different vertices at a hub.
    let mut colours = vec![0];
    let mut edges = Vec::new();
    for arm in 0..5u32 {
        colours.extend([1, 2]);
        edges.extend([(0, 1 + 2 * arm), (1 + 2 * arm, 2 + 2 * arm)]);
    }
    let group = automorphisms(&Graph::new(colours, &edges), GO_ON).expect("no limit");
    let found = ludex_graph::Interchangeable::find(&group.generators);
    assert_eq!(found.classes.len(), 1);
    assert_eq!(found.classes[0].len(), 5);
    let mut forms = std::collections::BTreeSet::new();
    for bits in 0..1u32 << 10 {
        let mut state: Vec<bool> = (0..11).map(|i| i > 0 && bits >> (i - 1) & 1 == 1).collect();
        found.sort(&mut state);
        forms.insert(state);
    }
    // Multisets of five out of the four fillings of an arm.
    assert_eq!(forms.len(), 56);
}
