//! Symmetries of rules and nets: the papers' examples, the orders that an independent program found,
//! and games in another guise.

use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_gdl::source::{Report, Source};
use ludex_gdl::syntax::{Ast, Syntax};
use ludex_net::Net;
use ludex_net::ground::Ground;
use ludex_symmetry::same::{hash, same_nets, same_rules};
use ludex_symmetry::{
    Keep, KeptStructure, Logic, NetSymmetries, OfNet, OfRules, RuleGraph, RuleSymmetries, Settled,
    Style, SymmetricGame, SymmetryQuestion, of_rules,
};
use ludex_testing::{bundled_games, shared_text};
use num_bigint::BigUint;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn read(name: &str, text: &str) -> Rules {
    let source = Source::new(name, text);
    match Rules::read(&source, None) {
        Ok((rules, _)) => rules,
        Err(report) => panic!("{}", report.render(&source)),
    }
}

fn bundled(file: &str) -> Rules {
    read(file, &bundled_text(file))
}

fn bundled_text(file: &str) -> String {
    std::fs::read_to_string(folder("games").join(file)).expect("a bundled game")
}

fn order(rules: &Rules, question: SymmetryQuestion) -> String {
    let found = RuleSymmetries::find(rules, &question, &Budget::unlimited()).expect("no limit");
    found.order.to_string()
}

fn both(rules: &Rules) -> (OfRules, OfNet) {
    let budget = Budget::unlimited();
    let found = of_rules(rules, &SymmetryQuestion::default(), &budget, &budget).expect("no limit");
    let ground = Ground::new(rules, &budget).expect("a small game");
    let net = Net::new(&ground, &budget).expect("no limit");
    let settled = Settled::of(&net, &budget).expect("no limit");
    let logic = Logic::of_settled(&ground, &settled, &budget).expect("no limit");
    let game = SymmetricGame { ground: &ground, net: &net, logic: &logic };
    let (normal, kept) = (&found.found.normal, KeptStructure::default());
    let mut groups = game.groups(normal, kept, &budget, &budget).expect("no limit");
    let on_net = game.tell(&found.found, &mut groups, &budget, &budget).expect("no limit");
    (found, on_net)
}

fn orders(rules: &Rules) -> [u32; 4] {
    let (r, n) = both(rules);
    let all = [&r.order, &r.order_fixed_roles, &n.order, &n.order_fixed_roles];
    all.map(|o| o.to_string().parse().expect("a small order"))
}

#[test]
fn orders_of_an_independent_program() {
    let Some(lines) = shared_text("oracle/symmetry.jsonl") else { return };
    let mut checked = 0;
    for line in lines.lines() {
        let entry: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let file = entry["file"].as_str().expect("a name");
        let text = match file {
            "papers: 001 exercise 3" => bundled_text("buttonsandlights.gdl"),
            "papers: 002 tic-tac-toe, completed" => bundled_text("tictactoe-symmetry.gdl"),
            _ => shared_text(&format!("games/{file}")).expect("a game"),
        };
        let rules = read(file, &text);
        let written = SymmetryQuestion { as_written: true, ..SymmetryQuestion::default() };
        let cases = [
            ("/without_init/all_roles/order", written.clone()),
            (
                "/without_init/fixed_roles/order",
                SymmetryQuestion { fix_roles: true, ..written.clone() },
            ),
            ("/with_init/all_roles/order", SymmetryQuestion { with_init: true, ..written }),
        ];
        for (place, question) in cases {
            let theirs = entry.pointer(place).expect("an order").to_string();
            assert_eq!(order(&rules, question), theirs, "{file} {place}");
        }
        checked += 1;
    }
    assert_eq!(checked, 36, "games");
}

#[test]
fn tic_tac_toe_of_the_paper() {
    let text = bundled_text("tictactoe-symmetry.gdl");
    assert_eq!(orders(&read("t", &text)), [16, 8, 16, 8]);
    // What the paper says would hide the symmetry of a and c.
    let tautology = format!("{text}\np(a) :- a \\= a.\n");
    assert_eq!(orders(&read("t", &tautology)), [16, 8, 16, 8]);
    let renamed = text.replace("cell(a,", "cell(f(a),");
    assert_ne!(renamed, text);
    assert_eq!(orders(&read("t", &renamed)), [16, 8, 16, 8]);
    let written = SymmetryQuestion { as_written: true, ..SymmetryQuestion::default() };
    assert_eq!(order(&read("t", &renamed), written), "4");
}

#[test]
fn the_net_shows_what_shared_coordinates_hide() {
    assert_eq!(orders(&bundled("tictactoe.kif")), [8, 4, 16, 8]);
    // Rows only: all orders of 1, 2 and 3, the half turn among them, but no diagonal mirror.
    let (found, on_net) = both(&bundled("tictactoe-rows.gdl"));
    assert_eq!(found.order_fixed_roles.to_string(), "6");
    let texts: Vec<String> = found.found.generators.iter().map(|g| g.to_string()).collect();
    assert!(!texts.iter().any(|t| t.contains("cell[1]")), "{texts:?}");
    assert!(!on_net.descriptions.iter().any(|d| d.text.contains("cell[1] ↔ cell[2]")));
}

#[test]
fn connect_four_has_its_mirror() {
    let (_, on_net) = both(&bundled("connectfour.kif"));
    assert_eq!(on_net.order.to_string(), "4");
    let kinds: Vec<String> = on_net.descriptions.iter().map(|d| d.to_string()).collect();
    assert!(kinds.iter().any(|k| k.starts_with("reflection of the board")), "{kinds:?}");
}

#[test]
fn exercise_three_of_the_book() {
    let graph = |text: &str, style| {
        let (rules, _) = Rules::read_part(&Source::new("part", text), None).expect("rules");
        RuleGraph::new(&rules, style, &[]).digraph().undirected()
    };
    let same = |a: &str, b: &str| {
        let pair = |style| {
            let (a, b) = (graph(a, style), graph(b, style));
            ludex_graph::isomorphism(&a, &b, &|| false).expect("no limit").is_some()
        };
        assert_eq!(pair(Style::Plain), pair(Style::Enhanced));
        pair(Style::Plain)
    };
    assert!(same("role(player).", "role(white)."));
    assert!(!same("role(player).", "index(1)."));
    assert!(same(
        "next(on(X)) :- ~true(on(X)) & does(player,toggle(X))",
        "next(p(Y)) :- does(white,q(Y)) & ~true(p(Y))"
    ));
    assert!(!same(
        "next(on(X)) :- ~true(on(X)) & does(player,toggle(X))",
        "next(p(Y)) :- does(white,q(Y)) & true(p(Y))"
    ));
    assert_eq!(orders(&bundled("buttonsandlights.gdl")), [6, 6, 6, 6]);
}

#[test]
fn goal_values_are_not_exchanged() {
    let dilemma = "
        (role a) (role b)
        (legal ?r up) (legal ?r down)
        (<= (next (played ?r ?m)) (does ?r ?m))
        (<= terminal (true (played ?r ?m)))
        (<= (goal ?r 100) (true (played ?r up)))
        (<= (goal ?r 0) (true (played ?r down)))";
    let text = dilemma.replace(
        "(legal ?r up) (legal ?r down)",
        "(<= (legal ?r up) (role ?r)) (<= (legal ?r down) (role ?r))",
    );
    let rules = read("dilemma", &text);
    // up and down would go with 100 and 0; only the roles can be exchanged.
    assert_eq!(order(&rules, SymmetryQuestion::default()), "2");
    let (_, net) = both(&rules);
    assert_eq!(
        (net.order.to_string(), net.order_fixed_roles.to_string()),
        ("2".into(), "1".into())
    );
}

#[test]
fn every_bundled_game_contains_its_rules_symmetries() {
    for file in [
        "tictactoe.kif",
        "doubletictactoe.kif",
        "lightsout.gdl",
        "hex3.kif",
        "nim.kif",
        "pegsolitaire.gdl",
        "dilemma.kif",
        "blocksworld.gdl",
        "eightpuzzle.kif",
        "threeinthree.kif",
    ] {
        let (_, net) = both(&bundled(file));
        assert!(net.contains_rules, "{file}");
    }
}

/// The rules with names, order of rules and literals, arguments and variables changed, in KIF.
fn scrambled(rules: &Rules, seed: u64) -> String {
    use ludex_gdl::rules::{Literal, Term};
    let mut seed = seed;
    let mut random = move |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n.max(1)
    };
    let goal_values = ludex_symmetry::feeds::constants(rules, ludex_gdl::rules::Rel::GOAL, 1);
    let mut turned = std::collections::BTreeMap::new();
    let mut turn =
        |name: String, n: usize| -> usize { *turned.entry((name, n)).or_insert_with(|| random(n)) };
    fn term(
        rules: &Rules,
        t: &Term,
        keep: &[ludex_gdl::rules::Symbol],
        turn: &mut dyn FnMut(String, usize) -> usize,
    ) -> String {
        match t {
            Term::Var(v) => format!("?v{}", v * 3 + 1),
            Term::App(f, args) if args.is_empty() => {
                if keep.contains(f) {
                    rules.symbols.folded(*f).into()
                } else {
                    format!("c{}", f.0 * 7)
                }
            }
            Term::App(f, args) => {
                let mut texts: Vec<String> =
                    args.iter().map(|t| term(rules, t, keep, turn)).collect();
                let n = texts.len();
                texts.rotate_left(turn(format!("f{}", f.0), n));
                format!("(f{} {})", f.0 * 5, texts.join(" "))
            }
        }
    }
    let mut lines = Vec::new();
    for rule in &rules.rules {
        let mut atom = |a: &ludex_gdl::rules::Atom| {
            let mut texts: Vec<String> =
                a.args.iter().map(|t| term(rules, t, &goal_values, &mut turn)).collect();
            let name = if a.rel.is_keyword() {
                rules.symbols.folded(rules.relation(a.rel).name).to_string()
            } else {
                let n = texts.len();
                texts.rotate_left(turn(format!("r{}", a.rel.0), n));
                format!("r{}", a.rel.0 * 11)
            };
            if texts.is_empty() { name } else { format!("({name} {})", texts.join(" ")) }
        };
        let head = atom(&rule.head);
        let mut body: Vec<String> = Vec::new();
        for l in &rule.body {
            body.push(match l {
                Literal::Pos(a) => atom(a),
                Literal::Neg(a) => format!("(not {})", atom(a)),
                Literal::Distinct(..) => String::new(),
            });
        }
        for (i, l) in rule.body.iter().enumerate() {
            if let Literal::Distinct(a, b) = l {
                let (a, b) = (
                    term(rules, a, &goal_values, &mut turn),
                    term(rules, b, &goal_values, &mut turn),
                );
                body[i] = format!("(distinct {b} {a})");
            }
        }
        body.reverse();
        lines.push(if body.is_empty() { head } else { format!("(<= {head} {})", body.join(" ")) });
    }
    lines.reverse();
    let middle = lines.len() / 3;
    lines.rotate_left(middle);
    lines.join("\n")
}

fn infix(kif: &str) -> String {
    let source = Source::new("copy", kif);
    let ast = Ast::parse(&source, Some(Syntax::Kif), &mut Report::default());
    ast.text(Syntax::Infix)
}

#[test]
fn scrambled_copies_of_bundled_games_are_recognised() {
    let budget = Budget::unlimited();
    let mut checked = 0;
    for path in bundled_games() {
        let text = std::fs::read_to_string(&path).expect("a game");
        let rules = read("game", &text);
        let copy = scrambled(&rules, checked + 1);
        let other = read("copy", &infix(&copy));
        let mapping = same_rules(&rules, &other, &budget).expect("no limit");
        assert!(mapping.is_same(), "{}: {mapping:?}", path.display());
        assert_eq!(hash(&rules, &budget), hash(&other, &budget), "{}", path.display());
        // Without one of its rules for next it is another game; another rule may say the same as one.
        let lines: Vec<&str> = copy.lines().collect();
        let without = |at: usize| {
            let rest: Vec<&str> =
                lines.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, l)| *l).collect();
            let (less, _) = Rules::read_part(&Source::new("less", rest.join("\n")), None).ok()?;
            Some(!same_rules(&rules, &less, &budget).expect("no limit").is_same())
        };
        let next = (0..lines.len()).filter(|&i| lines[i].contains("(next "));
        assert!(next.take(6).any(|i| without(i) == Some(true)), "{}", path.display());
        checked += 1;
    }
    assert!(checked >= 34, "{checked} games");
}

#[test]
fn the_same_game_written_differently() {
    let budget = Budget::unlimited();
    let text = bundled_text("buttonsandlights.gdl");
    // The goal by a relation with one rule for each light that is off.
    let end = "terminal :- true(on(1)) & true(on(2)) & true(on(3))";
    let other = text.replace(end, "terminal :- ~dark\ndark :- index(X) & ~true(on(X))");
    assert_ne!(text, other);
    let (a, b) = (read("a", &text), read("b", &other));
    assert!(!same_rules(&a, &b, &budget).expect("no limit").is_same());
    let net = |rules: &Rules| {
        let ground = Ground::new(rules, &budget).expect("small");
        let net = Net::new(&ground, &budget).expect("no limit");
        (ground, net)
    };
    let (x, y) = (net(&a), net(&b));
    let same = same_nets((&x.0, &x.1), (&y.0, &y.1), &budget).expect("no limit");
    assert!(same.is_same(), "{same:?}");
}

/// Where long conjunctions are too many to be dissolved in others, none is: not the first ones only.
#[test]
fn symmetric_parts_of_large_games_are_treated_alike() {
    const N: u32 = 2_900;
    let mut text = "(role r) (legal r wait) terminal (goal r 0)
        (<= (next (lit ?i)) (true (wired ?i)) (not dark))
        (<= dark (true (off ?i)))
        (<= (next (wired ?i)) (true (wired ?i)))
        (<= (next (off ?i)) (true (off ?i)))"
        .to_string();
    (0..N).for_each(|i| text += &format!("(init (wired {i})) (init (off {i}))"));
    let ground = Ground::new(&read("lamps", &text), &Budget::unlimited()).unwrap();
    let logic = Logic::new(&ground, &Budget::unlimited()).unwrap();
    let found = NetSymmetries::find(&logic, Keep::default(), &Budget::unlimited()).unwrap();
    let all: BigUint = (1..=N).map(BigUint::from).product();
    assert_eq!(found.order, all.pow(2));
}

#[test]
fn symmetric_states_have_one_representative() {
    use ludex_symmetry::representative::Representatives;
    let budget = Budget::unlimited();
    let mut seed = 5u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        seed >> 20
    };
    let words = |bits: &[bool]| -> Vec<u64> {
        let word = |w: &[bool]| w.iter().rev().fold(0, |x, &b| x << 1 | b as u64);
        bits.chunks(64).map(word).collect()
    };
    for (file, exact) in [
        ("tictactoe.kif", true),
        ("tictactoe-decoys.kif", true),
        ("multipletictactoe.gdl", false),
        ("doubletictactoe.kif", true),
        ("nim.kif", true),
        ("dilemma.kif", true),
    ] {
        let (_, net) = both(&bundled(file));
        let (generators, order) = (&net.state_generators, &net.order_fixed_roles);
        let of = Representatives::new(generators, order, &budget).expect("no limit");
        assert_eq!(of.is_exact(), exact, "{file} has {order} symmetries");
        let Some(bases) = generators.first().map(|g| g.bases.len()) else { continue };
        let mut equal = 0;
        for _ in 0..100 {
            let state: Vec<bool> = (0..bases).map(|_| random() % 3 == 0).collect();
            let mut image = state.clone();
            for _ in 0..1 + random() % 8 {
                image = generators[random() as usize % generators.len()].state(&image);
            }
            let (a, b) = (of.of(&words(&state)), of.of(&words(&image)));
            equal += (a == b) as usize;
            // It is a symmetric state, which is its own representative or that of another.
            let count = |w: &[u64]| w.iter().map(|x| x.count_ones()).sum::<u32>();
            assert_eq!(count(&a), count(&words(&state)));
            assert!(!exact || of.of(&a) == a, "{file}");
        }
        assert!(if exact { equal == 100 } else { equal > 90 }, "{file}: {equal}");
    }
}

/// Objects that can be exchanged at will, more than can be listed: their facts are sorted.
#[test]
fn many_interchangeable_objects_are_sorted() {
    use ludex_symmetry::representative::Representatives;
    let lamps: String = (1..=9).map(|i| format!("lamp(l{i})\ninit(off(l{i}))\n")).collect();
    let text = format!(
        "role(you)\n{lamps}
        legal(you,press(X)) :- true(off(X))
        next(on(X)) :- does(you,press(X))
        next(on(X)) :- true(on(X))
        next(off(X)) :- true(off(X)) & ~does(you,press(X))
        dark :- true(off(X))
        terminal :- ~dark
        goal(you,100) :- ~dark
        goal(you,0) :- dark"
    );
    let (_, net) = both(&read("lamps", &text));
    assert_eq!(net.order.to_string(), "362880");
    let budget = Budget::unlimited();
    let of = Representatives::new(&net.state_generators, &net.order_fixed_roles, &budget);
    let of = of.expect("no limit");
    assert!(of.is_exact());
    // As many classes of states as there are numbers of lamps that are on.
    let bases = net.state_generators[0].bases.len();
    assert_eq!(bases, 18);
    let states = (0..1u64 << 9).map(|on| of.of(&[(!on & 511) | on << 9]));
    let classes: std::collections::BTreeSet<_> = states.collect();
    assert_eq!(classes.len(), 10);
}

/// nauty finds the same groups of all rule graphs of the public collection.
#[cfg(feature = "nauty")]
#[test]
fn rule_graphs_have_the_groups_that_nauty_finds() {
    let files: Vec<PathBuf> =
        bundled_games().into_iter().chain(ludex_testing::collected_games()).collect();
    for path in &files {
        let text = std::fs::read(path).expect("a readable file");
        let rules = read("game", &String::from_utf8_lossy(&text));
        let graph = RuleGraph::new(&rules, Style::Enhanced, &[]).digraph().undirected();
        assert!(ludex_graph::nauty::agrees(&graph), "{}", path.display());
    }
    assert!(files.len() >= 34, "{} rule graphs", files.len());
}

/// A fact that is always true is a constant of the net, but the rules read it: nothing that changes
/// is exchanged with it, by a symmetry of the net or by one of the rules.
#[test]
fn facts_that_are_always_true_are_exchanged_with_no_others() {
    let read_by_the_end = "(role r) (init always) (legal r go) (goal r 0)
        (next always) (next later) (<= terminal (true always))";
    let (_, on_net) = both(&read("always.kif", read_by_the_end));
    assert_eq!(on_net.order.to_string(), "1");
    let one_of_four = "(role r) (place a) (place b) (init (road a b)) terminal (goal r 0)
        (<= (legal r (close ?x ?y)) (true (road ?x ?y)))
        (<= (next (road ?x ?y)) (place ?x) (place ?y))";
    let (_, on_net) = both(&read("roads.kif", one_of_four));
    assert!(on_net.of_rules.contains(&None));
}
