//! Made-up games: marking sets of cells, walks in graphs with and without circles, and two walks at once.

use crate::{Loaded, agreed, naive, read, values};
use ludex_reason::Random;

const MOST: usize = 20_000;

/// Rules of players that take turns, `roles` of them.
fn turns(roles: usize) -> String {
    let mut text = String::from("(init (control r0))\n");
    for r in 0..roles {
        text += &format!("(role r{r})\n");
        text += &format!("(<= (next (control r{})) (true (control r{r})))\n", (r + 1) % roles);
        text += &format!("(<= (legal r{r} noop) (not (true (control r{r}))))\n");
    }
    text
}

/// Cells are marked in turn; a role wins with all cells of one of its sets. What a draw is worth varies.
fn marking(random: &mut Random) -> String {
    let cells = 4 + random.below(2);
    let mut text = turns(2);
    for c in 0..cells {
        text += &format!("(cell c{c}) (init (free c{c}))\n");
    }
    for r in 0..2 {
        for _ in 0..1 + random.below(3) {
            let a = random.below(cells);
            let b = (a + 1 + random.below(cells - 1)) % cells;
            text += &format!("(<= (wins r{r}) (true (has r{r} c{a})) (true (has r{r} c{b})))\n");
        }
    }
    let draws = [(50, 50), (0, 0), (30, 60), (100, 0)][random.below(4)];
    text += &format!(
        "(<= (legal ?r (mark ?c)) (true (control ?r)) (true (free ?c)))
         (<= (next (has ?r ?c)) (does ?r (mark ?c)))
         (<= (next (has ?r ?c)) (true (has ?r ?c)))
         (<= (marked ?c) (does ?r (mark ?c)))
         (<= (next (free ?c)) (true (free ?c)) (not (marked ?c)))
         (<= open (true (free ?c)))
         (<= won (wins ?r))
         (<= terminal won) (<= terminal (not open))
         (<= (goal ?r 100) (wins ?r))
         (<= (goal r0 0) (wins r1)) (<= (goal r1 0) (wins r0))
         (<= (goal r0 {}) (not won)) (<= (goal r1 {}) (not won))",
        draws.0, draws.1
    );
    text
}

/// Edges of a graph; only forwards if it is to have no circle. Nodes without one are ends.
fn graph(random: &mut Random, nodes: usize, circles: bool) -> Vec<Vec<usize>> {
    let mut edges = vec![vec![]; nodes];
    for (from, list) in edges.iter_mut().enumerate() {
        let ends = from + 1 == nodes || (from > 1 && random.below(5) == 0);
        for _ in 0..if ends { 0 } else { 1 + random.below(3) } {
            let to = match circles {
                true => random.below(nodes),
                false => from + 1 + random.below(nodes - from - 1),
            };
            if to != from && !list.contains(&to) {
                list.push(to);
            }
        }
    }
    edges
}

/// Roles move one token in turn; the end decides what they get.
fn walk(random: &mut Random, roles: usize, circles: bool, sum: Option<i32>) -> String {
    let edges = graph(random, 9, circles);
    let mut text = turns(roles) + "(init (at n0))\n";
    for (from, list) in edges.iter().enumerate() {
        for to in list {
            text += &format!("(edge n{from} n{to})\n");
        }
        if list.is_empty() {
            text += &format!("(<= terminal (true (at n{from})))\n");
        }
        let own = 10 * random.below(5) as i32;
        for r in 0..roles {
            let goal = match (sum, r) {
                (Some(sum), 1) => sum - own,
                (Some(_), _) => own,
                _ => 10 * random.below(4) as i32,
            };
            text += &format!("(<= (goal r{r} {goal}) (true (at n{from})))\n");
        }
    }
    text + "(<= (legal ?r (go ?n)) (true (control ?r)) (true (at ?m)) (edge ?m ?n))
            (<= (next (at ?n)) (does ?r (go ?n)))"
}

/// Two walks at once, each step one in both; the goals are added, or both must be won.
fn two_walks(random: &mut Random, added: bool) -> String {
    let mut text = turns(2) + "(init (at a n0)) (init (at b n0))\n";
    for board in ["a", "b"] {
        for (from, list) in graph(random, 6, false).iter().enumerate() {
            for to in list {
                text += &format!("(edge {board} n{from} n{to})\n");
            }
            if list.is_empty() {
                text += &format!("(end {board} n{from}) (edge {board} n{from} n{from})\n");
            }
            let worth = if added { 10 * random.below(5) } else { 100 * random.below(2) };
            text += &format!("(worth {board} n{from} {worth})\n");
        }
    }
    text += "(<= (legal ?r (go ?x ?y)) (true (control ?r)) (true (at a ?m)) (true (at b ?n))
                 (edge a ?m ?x) (edge b ?n ?y))
             (<= (next (at a ?x)) (does ?r (go ?x ?y)))
             (<= (next (at b ?y)) (does ?r (go ?x ?y)))
             (<= terminal (true (at a ?m)) (end a ?m) (true (at b ?n)) (end b ?n))
             (<= (reached ?d ?v) (true (at ?d ?n)) (worth ?d ?n ?v))\n";
    for a in 0..5 {
        for b in 0..5 {
            let (x, y) = if added { (10 * a, 10 * b) } else { (25 * a, 25 * b) };
            let own = if added { x + y } else { 100 * (x == 100 && y == 100) as usize };
            let goals = [own, 100 - own];
            for (r, goal) in goals.iter().enumerate() {
                text += &format!("(<= (goal r{r} {goal}) (reached a {x}) (reached b {y}))\n");
            }
        }
    }
    text
}

fn measured(game: &Loaded, text: &str) -> bool {
    let all = agreed(game);
    let measure = naive::value(&mut game.reasoner(), MOST);
    if let Some(measure) = &measure {
        assert_eq!(values(&all[0]).as_ref(), Some(measure), "{text}");
    }
    measure.is_some()
}

#[test]
fn marking_games() {
    let mut random = Random::new(11);
    for _ in 0..25 {
        let text = marking(&mut random);
        assert!(measured(&read("marking", &text).expect("rules"), &text), "{text}");
    }
}

#[test]
fn walks_of_one_two_and_three_roles() {
    let mut random = Random::new(12);
    for i in 0..45 {
        let sum = if i % 2 == 0 { Some(100) } else { None };
        let roles = 1 + i % 3;
        let text = walk(&mut random, roles, false, sum.filter(|_| roles == 2));
        let Some(game) = read("walk", &text) else { continue };
        assert!(measured(&game, &text), "{text}");
    }
}

#[test]
fn two_walks_are_solved_apart() {
    let mut random = Random::new(13);
    let mut apart = 0;
    for i in 0..16 {
        let text = two_walks(&mut random, i % 2 == 0);
        let game = read("walks", &text).expect("rules");
        assert!(measured(&game, &text), "{text}");
        apart += !game.solve(&crate::settings()).factors.is_empty() as usize;
    }
    assert_eq!(apart, 16);
}

#[test]
fn walks_in_circles_end_and_give_what_can_be_forced() {
    let mut random = Random::new(14);
    let (mut open, mut decided) = (0, 0);
    for _ in 0..60 {
        let text = walk(&mut random, 2, true, Some(100));
        let Some(game) = read("circles", &text) else { continue };
        let Some((least, greatest)) = naive::forced(&mut game.reasoner(), MOST) else { continue };
        for found in agreed(&game) {
            // A scale is proved of ends that can be reached; without any the question is void.
            let Some(values) = values(&found) else { continue };
            let bounds = (values[0], 100 - values[1]);
            if least == greatest {
                assert_eq!(bounds, (least, greatest), "{text}");
                decided += 1;
            } else {
                let least = if least == i32::MIN { values[0] } else { least };
                assert_eq!(values[0], least, "{text}");
                open += 1;
            }
        }
    }
    assert_eq!((decided, open), (296, 160));
}
