//! Games of the public collection: as reading their rules says, recombined, and folded as they are played.

use super::*;
use ludex::instances::Instances;
use ludex::reason::Random;
use ludex_testing::{games_in, shared, shared_text};

/// The words of the table of expectations for kinds. Where they leave the kind open, the rules decide.
fn expected_kind(game: &str, words: &str) -> FactorKind {
    match (game, words) {
        (_, "single game" | "single" | "NOT factorable") => FactorKind::Single,
        (_, "parallel by choice" | "parallel by choice (1 player)") => FactorKind::ByChoice,
        (_, "parallel by choice + irrelevant" | "parallel by choice, CONJUNCTIVE goal") => {
            FactorKind::ByChoice
        }
        (_, "serial" | "serial + irrelevant") => FactorKind::Serial,
        (_, "one copy per role") => FactorKind::PerRole,
        (_, words) if words.starts_with("conjoined ") => FactorKind::Synchronous,
        // Each role moves a piece of one parity in every step, the other role one of the other.
        (_, "parallel, roles swapped per board") => FactorKind::Synchronous,
        // One move on one of the tracks in every step.
        (_, "two tracks, trap") => FactorKind::ByChoice,
        // Red is in control of both boards, then black, and drops in one of them.
        ("collection/dualConnect4.kif", "two boards normal+suicide") => FactorKind::ByChoice,
        // Who is in control of one board is not of the other: both boards are played in every step.
        ("stanford/jointconnectfour.kif", "two boards normal+suicide") => FactorKind::Synchronous,
        (game, words) => panic!("{game}: nothing is known of the kind `{words}`"),
    }
}

/// Factors that matter, where the table says that some do not.
const RELEVANT: [(&str, usize); 8] = [
    // The table has boards 0 and 1 only, but there is a rule `wonAGame` for `(won 2)` as well.
    ("collection/factoringEasyTurtleBrain.kif", 3),
    ("collection/factoringMediumTurtleBrain.kif", 10),
    ("collection/factoringImpossibleTurtleBrain.kif", 10),
    ("stanford/multiplebuttonsandlights.kif", 1),
    ("stanford/multiplehamilton.kif", 1),
    ("stanford/multiplesukoshi.kif", 1),
    ("stanford/multipletictactoe.kif", 1),
    ("stanford/multiplehunter.kif", 1),
];

/// What a goal of the table is, of the whole where roles differ in nothing.
fn expected_goal(words: &str) -> Structure {
    let words = words.to_lowercase();
    let says = |all: &[&str]| all.iter().any(|w| words.contains(w));
    match () {
        () if says(&["own ", " only"]) => Structure::One,
        () if says(&["whichever", "either board"]) => Structure::Other,
        () if says(&["disjunctive", "or of "]) => Structure::Disjunction,
        () if says(&["sum", "as parallel"]) => Structure::Sum,
        () if says(&["conjunctive"]) => Structure::Conjunction,
        () => panic!("nothing is known of the goal `{words}`"),
    }
}

#[test]
fn games_are_factored_as_reading_their_rules_says() {
    let Some(table) = shared_text("oracle/factors.tsv") else { return };
    let (mut wrong, mut games) = (Vec::new(), 0);
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (game, number) = (columns[0], columns[2].parse::<usize>().expect("a number"));
        let kind = expected_kind(game, columns[1]);
        let relevant = RELEVANT.iter().find(|r| r.0 == game).map_or(number, |r| r.1);
        let net = net(&format!("../shared/games/{game}")).expect("a game");
        let found = factors(&net, &initial(&net));
        games += 1;
        let told =
            (found.kind, found.factors.len(), found.factors.iter().filter(|f| f.relevant).count());
        let goal = found.goals[0].0;
        if told != (kind, number, relevant)
            || (kind != FactorKind::Single && goal != expected_goal(columns[6]))
        {
            wrong.push(format!("{game}: {told:?} {goal}, not {:?}", (kind, number, relevant)));
        }
    }
    assert_eq!(games, 37, "games of the table");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Games that no table speaks of, as they fall apart: kind, factors, factors that matter.
const OTHERS: [(&str, FactorKind, usize, usize); 20] = [
    ("collection/asteroidsParallel.v1.kif", FactorKind::Synchronous, 2, 2),
    ("collection/asteroidsSerial.v1.kif", FactorKind::Serial, 2, 2),
    ("collection/blockerSerial.v1.kif", FactorKind::Serial, 2, 2),
    ("collection/blocksWorldSerial.v1.kif", FactorKind::Serial, 2, 2),
    ("collection/bunk_t.kif", FactorKind::Synchronous, 2, 2),
    ("collection/dualConnect4.v1.kif", FactorKind::ByChoice, 2, 2),
    ("collection/duplicateStateMedium.kif", FactorKind::ByChoice, 2, 1),
    ("collection/firefighter.kif", FactorKind::ByChoice, 3, 2),
    ("collection/hidato37.kif", FactorKind::ByChoice, 2, 2),
    ("collection/lightsOn.kif", FactorKind::ByChoice, 4, 4),
    ("collection/nim1.kif", FactorKind::ByChoice, 4, 4),
    ("collection/nim2.kif", FactorKind::ByChoice, 4, 4),
    ("collection/nim3.kif", FactorKind::ByChoice, 4, 4),
    ("collection/nim4.kif", FactorKind::ByChoice, 4, 4),
    ("collection/queens08lg.kif", FactorKind::ByChoice, 2, 1),
    ("collection/stateSpaceLarge.kif", FactorKind::ByChoice, 2, 1),
    ("collection/stateSpaceMedium.kif", FactorKind::ByChoice, 2, 1),
    ("collection/stateSpaceSmall.kif", FactorKind::ByChoice, 2, 1),
    ("collection/troublemaker02.kif", FactorKind::ByChoice, 2, 2),
    ("stanford/chinook.kif", FactorKind::Synchronous, 2, 2),
];

/// All states of the games that have no more, of others so many.
const STATES: usize = 12_000;

#[test]
fn factors_make_up_the_whole_game() {
    let mut told: Vec<String> = OTHERS.iter().map(|o| o.0.to_string()).collect();
    let Some(table) = shared_text("oracle/factors.tsv") else { return };
    let lines = table.lines().skip(1);
    told.extend(lines.map(|l| l.split('\t').next().expect("a name").to_string()));
    let (mut games, mut complete) = (0, 0);
    for game in &told {
        let net = net(&format!("../shared/games/{game}")).expect("a game");
        let found = factors(&net, &initial(&net));
        if let Some(other) = OTHERS.iter().find(|o| o.0 == *game) {
            let relevant = found.factors.iter().filter(|f| f.relevant).count();
            assert_eq!((found.kind, found.factors.len(), relevant), (other.1, other.2, other.3));
        }
        if found.kind != FactorKind::Single {
            games += 1;
            complete += verified(&found, 3, STATES) as usize;
        }
    }
    assert_eq!((games, complete), (53, 14), "recombined, and in all states");
}

#[test]
fn folded_nets_of_the_collection_play_the_same() {
    let Some(folder) = shared("games/collection") else { return };
    let (mut games, mut folded, mut states) = (0, 0, 0);
    for path in &games_in(&folder) {
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
        let name = path.to_string_lossy();
        let Ok((rules, _)) = Rules::read(&Source::new(&*name, &text), None) else { continue };
        if Instances::within(&rules, 20_000, &Budget::unlimited()).is_err() {
            continue;
        }
        let net = read(&name, &text).expect("a game");
        games += 1;
        for steps in [1, 6] {
            let folding = fold(&net, &at_random(&net, steps));
            let compared = folding.compare(&net, 1, 5, &Budget::unlimited()).expect("no limit");
            match compared {
                SideBySide::Same { states: more } => states += more,
                SideBySide::Different(why) => panic!("{name}: {why}"),
            }
            folded += (folding.folded.net.gate_count() < net.gate_count()) as usize;
        }
    }
    assert_eq!(games, 136, "games of moderate size");
    assert!(folded > games, "{folded} nets became smaller");
    assert!(states > 6_000, "{states} states were compared");
}

/// A state after some steps of random play.
fn at_random(net: &Net, steps: usize) -> Vec<bool> {
    let (mut state, mut random) = (initial(net), Random::new(7));
    for _ in 0..steps {
        let values = net.evaluate(&state, &vec![false; net.inputs.len()]);
        let holds = |lit| Net::holds(&values, lit);
        let pick = |role: usize| {
            let legal: Vec<usize> =
                net.inputs_of(role).filter(|i| holds(net.inputs[*i].legal)).collect();
            (!legal.is_empty()).then(|| legal[random.below(legal.len())])
        };
        let joint: Option<Vec<usize>> = (0..net.roles.len()).map(pick).collect();
        let Some(joint) = joint.filter(|_| !holds(net.terminal)) else { break };
        state = net.successor(&state, &joint);
    }
    state
}

#[test]
fn a_net_with_a_wrong_constant_is_told_from_the_whole() {
    let net = net("games/tictactoe.kif").expect("bundled");
    let state = after(&net, &["(mark 1 1)", "(mark 2 2)", "(mark 3 3)"]);
    let right = fold(&net, &state);
    let mut told = 0;
    let open: Vec<usize> =
        (0..net.bases.len()).filter(|b| right.finally.bases[*b].is_none()).collect();
    for base in &open {
        let mut wrong = fold(&net, &state);
        wrong.finally.bases[*base] = Some(state[*base]);
        let inputs: Vec<Option<bool>> =
            wrong.finally.inputs.iter().map(|i| i.filter(|made| !made)).collect();
        wrong.folded = net.fold(&wrong.finally.bases, &inputs);
        for (base, old) in wrong.folded.net.bases.iter_mut().zip(&wrong.folded.bases) {
            base.initial = state[*old];
        }
        let compared = wrong.compare(&net, 20, 3, &Budget::unlimited()).expect("no limit");
        told += matches!(compared, SideBySide::Different(_)) as usize;
    }
    assert_eq!(told, open.len());
}

#[test]
fn boards_that_the_last_move_couples_are_one_game() {
    for name in ["nineBoardTicTacToe", "tictactoex9"] {
        let Some(text) = shared_text(&format!("games/collection/{name}.kif")) else { continue };
        let net = read(name, &text).expect("a game");
        assert_eq!(factors(&net, &initial(&net)).kind, FactorKind::Single, "{name}");
    }
}
