//! Pictures of many games: whole, well-formed, and with a board where a person would see one.

use ludex::budget::{Budget, Stop};
use ludex::interp::Interp;
use ludex::picture::{
    Evidence, Mark, Picture, SampledPlay, Scene, Shape, StaticRelations, page, strip,
};
use ludex::reason::{Move, Random, StateMachine};
use ludex::rules::Rules;
use ludex::source::Source;
use ludex::{Game, Position};
use ludex_testing::{bundled_games, collected_games, each, shared};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The rules of a bundled game or of a file.
fn rules(file: &Path) -> Option<Rules> {
    let text = std::fs::read(file).ok()?;
    let source = Source::new(file.to_string_lossy(), String::from_utf8_lossy(&text));
    Rules::read(&source, None).ok().map(|r| r.0)
}

fn bundled(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(name)
}

/// Rules that take longer are drawn from what is known by then, or left out.
const MOST_TIME: Duration = Duration::from_millis(700);

/// A budget that ends by itself, for what some rules make long.
fn short(time: Duration) -> Budget {
    let budget = Budget::unlimited();
    let stopped = budget.clone();
    std::thread::spawn(move || {
        std::thread::sleep(time);
        stopped.stop(Stop::Time);
    });
    budget
}

/// Some states of a random match, the initial one first.
fn states(game: &mut Interp, steps: usize, budget: &Budget) -> Vec<Vec<String>> {
    let mut random = Random::new(5);
    let mut state = game.initial();
    let mut seen = vec![game.fact_texts(&state)];
    for _ in 0..steps {
        let mut joint: Vec<Move> = Vec::new();
        for role in 0..game.roles() {
            let mut legal = Vec::new();
            game.legal(&state, role, &mut legal);
            joint.extend(legal.get(random.below(legal.len().max(1))));
        }
        if budget.check().is_err() || game.terminal(&state) || joint.len() < game.roles() {
            break;
        }
        state = game.next(&state, &joint);
        seen.push(game.fact_texts(&state));
    }
    seen
}

/// The plan of a game's pictures without proofs, and some states.
fn look(rules: &Rules, steps: usize, budget: &Budget) -> Option<(Scene, Vec<Vec<String>>)> {
    let mut game = Interp::with_budget(rules, budget).ok()?;
    let states = states(&mut game, steps, budget);
    let roles = (0..game.roles()).map(|r| game.role_text(r)).collect();
    let statics = StaticRelations::new(rules, budget);
    let possible = statics.declared.clone();
    let seen = SampledPlay { states, steps: vec![] };
    let evidence = Evidence::new(rules, statics, roles, possible, &seen);
    Some((Scene::new(&evidence, &[]), seen.states))
}

fn picture(game: &str, steps: usize) -> Picture {
    let rules = rules(&bundled(game)).unwrap();
    let (scene, states) = look(&rules, steps, &Budget::unlimited()).unwrap();
    scene.picture(states.last().unwrap())
}

fn well_formed(text: &str) -> Result<(), String> {
    roxmltree::Document::parse(text).map(|_| ()).map_err(|e| e.to_string())
}

/// Every fact is on a board or in the table: as many as there are, blanks counted by their places.
fn shown(picture: &Picture) -> usize {
    let cells = picture.panels.iter().flat_map(|p| &p.cells);
    let rows = picture.table.iter().map(|r| r.values.len().max(1));
    cells.map(|c| c.pieces.len() + c.notes.len()).sum::<usize>() + rows.sum::<usize>()
}

#[test]
fn every_game_of_the_collection_is_drawn() {
    let collected = collected_games();
    assert!(collected.is_empty() || collected.len() == 238, "{}", collected.len());
    let files: Vec<PathBuf> = bundled_games().into_iter().chain(collected).collect();
    let drawn = each(&files, |file| {
        let (scene, states) = rules(file).and_then(|r| look(&r, 8, &short(MOST_TIME)))?;
        let pictures: Vec<Picture> = states.iter().map(|s| scene.picture(s)).collect();
        for (picture, facts) in pictures.iter().zip(&states) {
            assert!(
                facts.is_empty() || shown(picture) > 0 || scene.has_board(),
                "{}",
                file.display()
            );
            well_formed(&picture.svg()).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            assert!(!picture.to_string().contains('\u{0}'));
        }
        Some(scene.has_board())
    });
    let boards = drawn.iter().filter(|board| **board == Some(true)).count();
    let drawn = drawn.iter().flatten().count();
    // How many are too large for the time depends on the machine.
    assert!(drawn * 4 > files.len() * 3, "{drawn} of {} games", files.len());
    assert!(boards * 2 > drawn, "{boards} boards in {drawn} games");
}

#[test]
fn strips_and_pages_are_well_formed() {
    let rules = rules(&bundled("connectfour.kif")).unwrap();
    let (scene, states) = look(&rules, 6, &Budget::unlimited()).unwrap();
    let pictures: Vec<Picture> = states.iter().map(|s| scene.picture(s)).collect();
    well_formed(&strip(&pictures, 3, "a & b <c>")).unwrap();
    let page = page(&pictures, "a & b");
    assert_eq!(page.matches("class=\"frame\"").count(), 7);
    assert!(page.contains("<title>a &amp; b</title>"));
    let svg = &page[page.find("<svg").unwrap()..page.find("</svg>").unwrap() + 6];
    well_formed(svg).unwrap();
}

#[test]
fn hex_has_hexagons_that_lean() {
    let picture = picture("hex3.kif", 3);
    let panel = &picture.panels[0];
    assert_eq!((panel.shape, panel.cells.len()), (Shape::Hexagon, 9));
    let at = |place: &str| panel.cells.iter().find(|c| c.place == place).unwrap().at;
    // a1 is at the bottom left; each row is half a cell further than the one below.
    assert_eq!(at("b 1").0 - at("a 1").0, 100);
    assert_eq!(at("a 2").0 - at("a 1").0, 50);
    assert!(at("a 2").1 < at("a 1").1);
}

#[test]
fn chess_stands_as_on_a_board() {
    let picture = picture("chess.kif", 0);
    let text = picture.panels[0].to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "8 r n b q k b n r");
    assert_eq!(lines[7], "1 R N B Q K B N R");
    assert_eq!(lines[8], "  a b c d e f g h");
}

#[test]
fn connect_four_falls_down() {
    let picture = picture("connectfour.kif", 1);
    let cells = &picture.panels[0].cells;
    let disc = cells.iter().find(|c| !c.pieces.is_empty()).unwrap();
    assert_eq!(disc.at.1, cells.iter().map(|c| c.at.1).max().unwrap());
}

#[test]
fn peg_solitaire_is_a_cross_of_holes() {
    let picture = picture("pegsolitaire.gdl", 0);
    let panel = &picture.panels[0];
    assert_eq!(panel.cells.len(), 33);
    assert_eq!(panel.cells.iter().filter(|c| c.marks().eq([&Mark::Peg])).count(), 32);
}

#[test]
fn boards_side_by_side_and_towers() {
    let picture = picture("multipletictactoe.gdl", 4);
    assert_eq!(picture.panels[0].frames.len(), 3);
    let blocks = self::picture("blocksworld.gdl", 0);
    let at = |name: &str| blocks.panels[0].cells.iter().find(|c| c.place == name).unwrap().at;
    // c stands on a.
    assert_eq!((at("c").0, at("c").1 + 100), at("a"));
}

/// Squares that are left are removed: neither `open` nor anything else holds there.
const ISOLATION: &str = "
    (role red) (role blue)
    (line 1) (line 2) (line 3) (line 4) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (near ?a ?a) (line ?a)) (<= (near ?a ?b) (succ ?a ?b)) (<= (near ?a ?b) (succ ?b ?a))
    (<= (init (open ?x ?y)) (line ?x) (line ?y))
    (init (at red 1 1)) (init (at blue 4 4)) (init (control red))
    (<= (taken ?x ?y) (true (at ?r ?x ?y)))
    (<= (legal ?r (go ?x ?y)) (true (control ?r)) (true (at ?r ?u ?v)) (near ?u ?x) (near ?v ?y)
        (true (open ?x ?y)) (not (taken ?x ?y)))
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (can ?r) (legal ?r (go ?x ?y)))
    (<= (next (at ?r ?x ?y)) (does ?r (go ?x ?y)))
    (<= (next (at ?r ?x ?y)) (true (at ?r ?x ?y)) (does ?r noop))
    (<= (left ?x ?y) (does ?r (go ?u ?v)) (true (at ?r ?x ?y)))
    (<= (next (open ?x ?y)) (true (open ?x ?y)) (not (left ?x ?y)))
    (<= (next (control blue)) (true (control red))) (<= (next (control red)) (true (control blue)))
    (<= terminal (true (control ?r)) (not (can ?r)))
    (<= (goal ?r 0) (true (control ?r))) (<= (goal ?r 100) (role ?r) (not (true (control ?r))))";

#[test]
fn a_square_that_is_removed_looks_removed() {
    let game = Game::from_text("isolation", ISOLATION).unwrap();
    let budget = Budget::unlimited();
    let position = game.position(&budget).unwrap();
    let after = position.after(&["(go 2 2)", "noop"]).unwrap();
    let gone = |position: &Position| -> Vec<String> {
        let picture = position.picture(&budget).unwrap();
        assert_eq!(picture.panels.len(), 1, "{picture}");
        let cells = picture.panels[0].cells.iter();
        let gone = cells.filter(|c| c.marks().any(|m| *m == Mark::Gone));
        gone.map(|c| c.place.clone()).collect()
    };
    assert_eq!(gone(&position), Vec::<String>::new());
    assert_eq!(gone(&after), ["1 1"]);
}

/// The same, where one relation tells both what is free and who is where.
fn one_relation(rules: &str) -> String {
    let words = [
        ("(at ?r ?x ?y)", "(cell ?x ?y ?r)"),
        ("(at ?r ?u ?v)", "(cell ?u ?v ?r)"),
        ("(at red 1 1)", "(cell 1 1 red)"),
        ("(at blue 4 4)", "(cell 4 4 blue)"),
        ("(open ?x ?y)", "(cell ?x ?y free)"),
        // Who stands where is a role.
        ("(true (cell ?x ?y ?r))", "(true (cell ?x ?y ?r)) (role ?r)"),
        ("(true (cell ?u ?v ?r))", "(true (cell ?u ?v ?r)) (role ?r)"),
    ];
    words.iter().fold(rules.to_string(), |text, (old, new)| text.replace(old, new))
}

#[test]
fn blanks_that_end_leave_no_square() {
    let game = Game::from_text("cells", &one_relation(ISOLATION)).unwrap();
    let budget = Budget::unlimited();
    let after = game.position(&budget).unwrap().after(&["(go 2 2)", "noop"]).unwrap();
    let picture = after.picture(&budget).unwrap();
    let gone = picture.panels[0].cells.iter().filter(|c| c.marks().any(|m| *m == Mark::Gone));
    assert_eq!(gone.map(|c| c.place.as_str()).collect::<Vec<_>>(), ["1 1"], "{picture}");
}

#[test]
fn walls_that_are_built_remove_no_square() {
    let Some(file) = shared("games/collection/racetrackcorridor.kif") else { return };
    let (scene, states) = look(&rules(&file).unwrap(), 12, &Budget::unlimited()).unwrap();
    let picture = scene.picture(states.last().unwrap());
    let cells = picture.panels.iter().flat_map(|p| &p.cells);
    let marks: Vec<&Mark> = cells.flat_map(|c| c.marks()).collect();
    assert!(marks.iter().any(|m| matches!(m, Mark::Side(_))), "{picture}");
    assert!(!marks.contains(&&Mark::Gone), "{picture}");
}

#[test]
fn tokens_that_share_a_proved_place_are_drawn_on_it() {
    let position = Game::bundled("racetokens").unwrap().position(&Budget::unlimited()).unwrap();
    let picture = position.picture(&Budget::unlimited()).unwrap();
    let cells = &picture.panels[0].cells;
    assert_eq!(cells.len(), 5, "{picture}");
    assert!(cells.iter().any(|cell| cell.pieces.len() > 1), "{picture}");
}

#[test]
fn counts_are_no_nodes_of_a_graph_of_others() {
    let Some(file) = shared("games/collection/skirmish.kif") else { return };
    let (scene, states) = look(&rules(&file).unwrap(), 20, &Budget::unlimited()).unwrap();
    let picture = scene.picture(states.last().unwrap());
    assert!(picture.table.iter().any(|row| row.name == "captureCount"), "{picture}");
}

/// Eight points round a middle one, each beside two others and the middle.
fn wheel() -> String {
    let mut rules = String::from("(role red) (role blue) (init (control red))");
    for i in 1..=8 {
        let who = if i < 5 { "red" } else { "blue" };
        rules += &format!("(init (on rim{i} {who})) (beside rim{i} rim{})", i % 8 + 1);
        rules += &format!("(beside hub rim{i})");
    }
    rules + "(init (on hub nobody))
        (<= (joined ?a ?b) (beside ?a ?b)) (<= (joined ?a ?b) (beside ?b ?a))
        (<= (legal ?r (slide ?a ?b)) (true (control ?r)) (true (on ?a ?r)) (joined ?a ?b) (true (on ?b nobody)))
        (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
        (<= (next (on ?b ?r)) (does ?r (slide ?a ?b))) (<= (next (on ?a nobody)) (does ?r (slide ?a ?b)))
        (<= (touched ?a) (does ?r (slide ?a ?b))) (<= (touched ?b) (does ?r (slide ?a ?b)))
        (<= (next (on ?a ?c)) (true (on ?a ?c)) (not (touched ?a)))
        (<= (next (control blue)) (true (control red))) (<= (next (control red)) (true (control blue)))
        (<= (can ?r) (legal ?r (slide ?a ?b)))
        (<= terminal (true (control ?r)) (not (can ?r)))
        (<= (goal ?r 0) (true (control ?r))) (<= (goal ?r 100) (role ?r) (not (true (control ?r))))"
}

#[test]
fn the_middle_of_a_wheel_is_in_its_middle() {
    let game = Game::from_text("wheel", &wheel()).unwrap();
    let budget = Budget::unlimited();
    let position = game.position(&budget).unwrap();
    let picture = position.picture(&budget).unwrap();
    let panel = &picture.panels[0];
    let at = |place: &str| panel.cells.iter().find(|c| c.place == place).unwrap().at;
    let (hub, first, fifth) = (at("hub"), at("rim1"), at("rim5"));
    assert_eq!(((first.0 + fifth.0) / 2, (first.1 + fifth.1) / 2), hub);
    assert_eq!((panel.shape, panel.edges.len()), (Shape::Node, 16));
    // Nobody is no piece.
    assert_eq!(panel.cells.iter().filter(|c| !c.pieces.is_empty()).count(), 8);
    let moves = position.move_places(0, &budget).unwrap();
    let steps: Vec<&str> = moves[0].steps.iter().map(|s| s.places[0].as_str()).collect();
    assert!(steps.len() == 2 && steps[1] == "hub", "{moves:?}");
}

#[test]
fn a_list_that_only_counts_on_is_no_board() {
    let Some(file) = shared("games/collection/hex.kif") else { return };
    let (scene, states) = look(&rules(&file).unwrap(), 20, &Budget::unlimited()).unwrap();
    let picture = scene.picture(states.last().unwrap());
    assert_eq!(picture.panels.len(), 1, "{picture}");
    assert_eq!(picture.panels[0].cells.len(), 81, "{picture}");
    assert!(picture.table.iter().any(|row| row.name == "owner"), "it is told beside");
}

#[test]
fn one_fact_that_names_all_things_is_no_place() {
    let Some(file) = shared("games/collection/pancakes6.kif") else { return };
    let (scene, states) = look(&rules(&file).unwrap(), 8, &Budget::unlimited()).unwrap();
    let picture = scene.picture(states.last().unwrap());
    assert!(picture.panels.is_empty(), "{picture}");
    assert!(picture.table.iter().any(|row| row.name == "porder"));
}

#[test]
fn what_walks_on_a_graph_is_drawn_on_it() {
    let Some(file) = shared("games/stanford/dualhamilton.kif") else { return };
    let (scene, states) = look(&rules(&file).unwrap(), 4, &Budget::unlimited()).unwrap();
    let picture = scene.picture(states.last().unwrap());
    let panel = &picture.panels[0];
    assert_eq!((panel.shape, panel.cells.len(), panel.edges.len()), (Shape::Node, 20, 30));
    assert!(panel.cells.iter().any(|c| !c.pieces.is_empty()), "{picture}");
}

#[test]
fn places_where_nothing_was_seen_are_drawn_too() {
    let Some(file) = shared("games/collection/amazons.kif") else { return };
    // What can be true is not declared, and a few matches do not visit every square.
    let (scene, states) = look(&rules(&file).unwrap(), 8, &Budget::unlimited()).unwrap();
    let picture = scene.picture(&states[0]);
    let values = |n: usize| -> BTreeSet<&str> {
        picture.panels[0].cells.iter().filter_map(|c| c.place.split(' ').nth(n)).collect()
    };
    assert_eq!(picture.panels[0].cells.len(), values(0).len() * values(1).len());
}

#[test]
fn walls_between_four_squares_stand_at_their_corner() {
    let Some(file) = shared("games/collection/hallway.kif") else { return };
    let (scene, states) = look(&rules(&file).unwrap(), 40, &Budget::unlimited()).unwrap();
    let picture = scene.picture(states.last().unwrap());
    let walls =
        states.last().unwrap().iter().filter(|f| f.starts_with("(wall ") && !f.ends_with("none)"));
    let corners = &picture.panels[0].corners;
    assert!(walls.clone().count() > 0);
    assert_eq!(corners.len(), walls.count());
    assert!(picture.to_string().contains(" between "));
}

/// A piece on a board, and walls that are built at the corners of four squares; two arguments of a wall say which
/// column and row come next.
const WALLS: &str = "
    (role you) (step 1 2) (step 2 3) (step 3 4) (index 1) (index 2) (index 3) (index 4)
    (<= (init (cell ?x ?y b)) (index ?x) (index ?y) (not (start ?x ?y))) (start 1 1) (init (cell 1 1 king))
    (<= (init (wall ?x1 ?x2 ?y1 ?y2 none)) (step ?x1 ?x2) (step ?y1 ?y2))
    (<= (legal you (place ?x1 ?x2 ?y1 ?y2)) (true (wall ?x1 ?x2 ?y1 ?y2 none)))
    (<= (legal you (go ?x ?y)) (true (cell ?x ?y b)))
    (<= (next (cell ?x ?y king)) (does you (go ?x ?y)))
    (<= (next (cell ?x ?y b)) (true (cell ?x ?y king)) (does you (go ?u ?v)))
    (<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (does you (go ?x ?y))))
    (<= (next (cell ?x ?y king)) (true (cell ?x ?y king)) (does you (place ?a ?b ?c ?d)))
    (<= (next (wall ?x1 ?x2 ?y1 ?y2 you)) (does you (place ?x1 ?x2 ?y1 ?y2)))
    (<= (next (wall ?x1 ?x2 ?y1 ?y2 you)) (true (wall ?x1 ?x2 ?y1 ?y2 you)))
    (<= (next (wall ?x1 ?x2 ?y1 ?y2 none)) (true (wall ?x1 ?x2 ?y1 ?y2 none)) (not (does you (place ?x1 ?x2 ?y1 ?y2))))
    (<= terminal (true (wall 1 2 1 2 you))) (goal you 50)";

#[test]
fn corners_that_are_proved_are_no_board_of_their_own() {
    let game = Game::from_text("walls", WALLS).unwrap();
    let budget = Budget::unlimited();
    let after = game.position(&budget).unwrap().after(&["(place 2 3 3 4)"]).unwrap();
    let picture = after.picture(&budget).unwrap();
    assert_eq!(picture.panels.len(), 1, "{picture}");
    assert_eq!(picture.panels[0].cells.len(), 16, "{picture}");
    assert_eq!(picture.panels[0].corners.len(), 1, "{picture}");
    assert_eq!(picture.panels[0].corners[0].place, "2 3 3 4");
}

#[test]
fn every_fact_and_place_can_be_found_in_the_drawing() {
    let picture = picture("tictactoe.kif", 3);
    let text = picture.svg();
    let drawing = roxmltree::Document::parse(&text).unwrap();
    let with =
        |name: &str| drawing.descendants().filter_map(|n| n.attribute(name)).collect::<Vec<_>>();
    assert_eq!(with("data-board"), ["0"]);
    assert_eq!(
        with("data-place").iter().filter(|p| **p == "2 2").count(),
        1 + usize::from(text.contains("(cell 2 2 x)") || text.contains("(cell 2 2 o)"))
    );
    // Nine squares and whose turn it is.
    assert_eq!(with("data-fact").len(), 10, "{text}");
}

#[test]
fn a_map_of_facts_is_arrows_between_places() {
    let rules = rules(&bundled("tictactoe.kif")).unwrap();
    let (scene, _) = look(&rules, 9, &Budget::unlimited()).unwrap();
    let pair = |x: u32, y: u32| (format!("(cell {x} {y} b)"), format!("(cell {} {y} b)", 4 - x));
    let pairs: Vec<(String, String)> =
        (1..4).flat_map(|x| (1..4).map(move |y| pair(x, y))).collect();
    let picture = scene.map(&pairs).unwrap();
    assert_eq!(picture.panels[0].arrows.len(), 3);
    assert!(picture.panels[0].arrows.iter().all(|a| a.both));
    let still: Vec<(String, String)> = pairs.iter().map(|p| (p.0.clone(), p.0.clone())).collect();
    assert!(scene.map(&still).is_none());
}
