//! The numbers of chapter 14 of General Game Playing, for its own rules and the bundled games.

use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Rel, Rules};
use ludex_gdl::source::Source;
use ludex_net::domains::{
    Count, DomainGraph, DomainOwner, DomainVertex, Domains, Methods, reachable, reduced,
};
use ludex_net::ground::Ground;
use std::path::Path;

fn read(name: &str, text: &str) -> Rules {
    let source = Source::new(name, text);
    Rules::read(&source, None).map_err(|r| r.render(&source)).expect("a game").0
}

/// The lines without the blanks they begin with, which would make them part of the line before.
fn flat(text: &str) -> String {
    text.lines().map(|l| l.trim_start().to_string() + "\n").collect()
}

fn bundled(name: &str) -> Rules {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(name);
    read(name, &std::fs::read_to_string(path).expect("a bundled game"))
}

fn domains(rules: &Rules) -> Domains {
    let methods = Methods { reduced: true, reachable: true };
    Domains::new(rules, methods, &Budget::unlimited())
}

/// Instances by the graph, after the reduction, and reachable.
fn sizes(domains: &Domains, name: &str) -> (Count, usize, usize) {
    let entry = domains.entries.iter().find(|e| e.name == name).expect(name);
    (entry.graph, entry.reduced.expect("reduced"), entry.reachable.expect("reachable"))
}

fn finite(graph: u128, reduced: usize, reachable: usize) -> (Count, usize, usize) {
    (Count::Finite(graph), reduced, reachable)
}

fn king_rules(rest: &str) -> Rules {
    let mut text: String =
        "abcdefgh12345678".chars().map(|c| format!("coordinate({c})\n")).collect();
    for (name, values) in [("file", "abcdefgh"), ("rank", "12345678")] {
        let values: Vec<char> = values.chars().collect();
        values.windows(2).for_each(|w| text += &format!("next_{name}({},{})\n", w[0], w[1]));
    }
    text += "adjacent(X1,X2) :- next_file(X1,X2)
        adjacent(X1,X2) :- next_file(X2,X1)
        adjacent(Y1,Y2) :- next_rank(Y1,Y2)
        adjacent(Y1,Y2) :- next_rank(Y2,Y1)
        kingmove(U,V,U,Y) :- adjacent(V,Y) & coordinate(U)
        kingmove(U,V,X,V) :- adjacent(U,X) & coordinate(V)
        kingmove(U,V,X,Y) :- adjacent(U,X) & adjacent(V,Y)
        role(white)
        terminal
        goal(white,100)\n";
    read("king", &flat(&(text + rest)))
}

#[test]
fn the_chapters_king() {
    let found = domains(&king_rules("legal(white,noop)"));
    assert_eq!(sizes(&found, "coordinate"), finite(16, 16, 16));
    assert_eq!(sizes(&found, "next_file"), finite(49, 7, 7));
    assert_eq!(sizes(&found, "next_rank"), finite(49, 7, 7));
    assert_eq!(sizes(&found, "adjacent"), finite(256, 28, 28));
    // The chapter says 444, where it means the moves of a king on squares. Computable are 2 * 28 * 16
    // straight and 28 * 28 diagonal ones, since the rules themselves do not keep files and ranks apart.
    assert_eq!(sizes(&found, "kingmove"), finite(65_536, 1_680, 1_680));
}

#[test]
fn a_king_that_stands_on_squares_only() {
    // Asked for from squares (a file and a rank), 12 + 120 + 288 moves are left: 3 from a corner, 5 from
    // a border, 8 from elsewhere.
    let rules = king_rules(
        "file(X) :- next_file(X,Y)
        file(Y) :- next_file(X,Y)
        rank(X) :- next_rank(X,Y)
        rank(Y) :- next_rank(X,Y)
        init(king(e,1))
        legal(white,move(U,V,X,Y)) :- true(king(U,V)) & kingmove(U,V,X,Y)
        next(king(X,Y)) :- does(white,move(U,V,X,Y))",
    );
    let found = domains(&rules);
    assert_eq!(sizes(&found, "legal").1, 1_680);
    assert_eq!(sizes(&found, "legal").2, 420);
    assert_eq!(sizes(&found, "king"), finite(256, 256, 64));
}

/// With files and ranks kept apart the graph has the chapter's 4,096 instances. Of them 36 * 8 +
/// 24 * 5 + 4 * 3 = 420 are moves of a king; the chapter's 444 is what 6 squares from a border, and
/// not its own 5, would give.
#[test]
fn a_king_with_files_and_ranks_apart() {
    let steps: String = ["file", "rank"]
        .map(|name| {
            format!(
                "near_{name}(X,Y) :- next_{name}(X,Y)
                near_{name}(X,Y) :- next_{name}(Y,X)
                is_{name}(X) :- near_{name}(X,Y)\n"
            )
        })
        .concat();
    let found = domains(&king_rules(
        &(steps
            + "move(U,V,U,Y) :- near_rank(V,Y) & is_file(U)
            move(U,V,X,V) :- near_file(U,X) & is_rank(V)
            move(U,V,X,Y) :- near_file(U,X) & near_rank(V,Y)
            legal(white,noop)"),
    ));
    assert_eq!(sizes(&found, "move"), finite(4_096, 420, 420));
    assert_eq!((36 * 8 + 24 * 5 + 4 * 3, 36 * 8 + 24 * 6 + 4 * 3), (420, 444));
}

#[test]
fn tic_tac_toe_as_in_tables_14_1_and_14_2() {
    let rules = bundled("tictactoe.kif");
    let found = domains(&rules);
    let text = |name: &str| {
        let entry = found.entries.iter().find(|e| e.name == name).expect(name);
        entry.domain.clone()
    };
    assert_eq!(text("line"), "{x, o, b}");
    assert_eq!(text("row"), "{1, 2, 3} × {x, o, b}");
    assert_eq!(text("column"), "{1, 2, 3} × {x, o, b}");
    assert_eq!(text("diagonal"), "{x, o, b}");
    assert_eq!(text("does"), "{white, black} × {mark({1, 2, 3} × {1, 2, 3}), noop}");
    assert_eq!(text("base"), "{cell({1, 2, 3} × {1, 2, 3} × {x, o, b}), control({white, black})}");
    assert_eq!(sizes(&found, "true"), finite(29, 29, 29));
    assert_eq!(sizes(&found, "goal"), finite(6, 6, 6));
    // The table gives init only the blank cells and white's control: what the reduction leaves.
    assert_eq!(sizes(&found, "init"), finite(29, 10, 10));
}

#[test]
fn figure_14_1() {
    let rules = bundled("tictactoe.kif");
    let graph = DomainGraph::new(&rules);
    let text = |v: DomainVertex| graph.vertex_text(&rules, v);
    let edges: Vec<String> =
        graph.edges.iter().map(|(a, b)| format!("{} -> {}", text(*a), text(*b))).collect();
    for edge in ["cell -> base[1]", "x -> cell[3]", "index[1] -> cell[1]", "index[1] -> cell[2]"] {
        assert!(edges.iter().any(|e| e == edge), "{edge}");
    }
    for edge in ["base[1] -> true[1]", "input[1] -> does[1]", "input[2] -> does[2]"] {
        assert!(edges.iter().any(|e| e == edge), "{edge}");
    }
}

#[test]
fn instances_of_the_next_rule() {
    // 162 instances without the condition that M and J differ, 108 with it: counted as the atoms of
    // a relation with all variables of the rule.
    let rules = read(
        "instances",
        &flat(
            "role(white)
        role(black)
        index(1)
        index(2)
        index(3)
        base(cell(M,N,b)) :- index(M) & index(N)
        input(W,mark(J,K)) :- role(W) & index(J) & index(K)
        init(cell(M,N,b)) :- index(M) & index(N)
        legal(W,mark(J,K)) :- role(W) & true(cell(J,K,b))
        next(cell(M,N,b)) :- does(W,mark(J,K)) & true(cell(M,N,b)) & distinct(M,J)
        without(W,J,K,M,N) :- does(W,mark(J,K)) & true(cell(M,N,b))
        with(W,J,K,M,N) :- does(W,mark(J,K)) & true(cell(M,N,b)) & distinct(M,J)
        terminal
        goal(W,0) :- role(W)",
        ),
    );
    let found = domains(&rules);
    assert_eq!(sizes(&found, "without"), finite(162, 162, 162));
    assert_eq!(sizes(&found, "with"), finite(162, 108, 108));
}

#[test]
fn blank_lines_are_removed_with_their_cone() {
    let rules = bundled("tictactoe.kif");
    let ground = Ground::new(&rules, &Budget::unlimited()).expect("ground");
    let atoms: Vec<String> = (0..ground.atoms.len()).map(|a| ground.atom_text(a)).collect();
    let has = |text: &str| atoms.iter().any(|a| a == text);
    assert!(has("(line x)") && has("(row 1 x)") && has("(diagonal o)"));
    for gone in ["(line b)", "(row 1 b)", "(row 2 b)", "(row 3 b)", "(column 1 b)", "(diagonal b)"]
    {
        assert!(!has(gone), "{gone}");
    }
}

#[test]
fn the_blocks_world_exercise() {
    let rules = bundled("blocksworld.gdl");
    let found = domains(&rules);
    let budget = Budget::unlimited();
    // d: of the 19 elements of base, step(1) is no next; the graph alone cannot tell.
    assert_eq!(sizes(&found, "base").0, Count::Finite(19));
    assert_eq!(sizes(&found, "next").1, 18);
    let plus = reduced(&rules, &found.graph, &budget).expect("reduced");
    assert!(!plus.texts_without_name(&rules, Rel::NEXT).contains(&"(step 1)".to_string()));
    // e: no block is stacked on itself.
    let legal = plus.texts_without_name(&rules, Rel::LEGAL);
    assert_eq!(
        (found.graph.count(DomainOwner::Predicate(Rel::LEGAL)), legal.len()),
        (Count::Finite(18), 15)
    );
    for block in ["a", "b", "c"] {
        assert!(!legal.contains(&format!("robot (stack {block} {block})")));
    }
    // f: 27 choices of U, V and Y; 12 with U and V, and V and Y, different. The hint's 6 are the
    // choices of V and Y among them, or those with U and Y different as well.
    let rules = read("f", &exercise_f());
    let (all, found) = (domains(&rules), reachable(&rules, &budget).expect("reachable"));
    assert_eq!(sizes(&all, "f"), finite(27, 12, 12));
    let of = |name: &str| {
        Rel(rules.relations.iter().position(|r| rules.symbols.name(r.name) == name).expect(name)
            as u32)
    };
    assert_eq!(found.atoms_of(of("vy")).count(), 6);
    assert_eq!(found.atoms_of(of("all_different")).count(), 6);
}

/// The blocks world with relations for the instances of the rule of part f.
fn exercise_f() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/blocksworld.gdl");
    let text = std::fs::read_to_string(path).expect("a bundled game");
    let more = "f(U,V,Y) :- does(robot,stack(U,V)) & true(clear(Y)) & distinct(V,Y)
        vy(V,Y) :- f(U,V,Y)
        all_different(U,V,Y) :- f(U,V,Y) & distinct(U,Y)";
    text + "\n" + &flat(more)
}

#[test]
fn terms_without_end_are_counted_as_such() {
    let rules = read(
        "endless",
        &flat(
            "role(white)\ninit(n(zero))\nlegal(white,go)\nterminal :- true(n(zero))\ngoal(white,0)
        next(n(s(X))) :- true(n(X))",
        ),
    );
    let graph = DomainGraph::new(&rules);
    assert_eq!(graph.count(DomainOwner::Predicate(Rel::TRUE)), Count::Unbounded);
}
