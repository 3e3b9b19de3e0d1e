//! Invariants that are found and proved hold in every state of other random matches.

use ludex::budget::Budget;
use ludex::facts::invariants::{Invariant, Invariants, Kind};
use ludex::facts::samples::Samples;
use ludex::ground::Ground;
use ludex::net::Net;
use ludex::prove::Verdict;
use ludex::rules::Rules;
use ludex::source::Source;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn net(path: &Path) -> Option<Arc<Net>> {
    let text = std::fs::read(path).ok()?;
    let source = Source::new(path.display().to_string(), String::from_utf8_lossy(&text));
    let (rules, _) = Rules::read(&source, None).ok()?;
    let ground = Ground::new(&rules, &Budget::unlimited()).ok()?;
    Some(Arc::new(Net::new(&ground, &Budget::unlimited()).ok()?))
}

fn texts(found: &Invariants, kind: &str) -> Vec<String> {
    let proved =
        |i: &&Invariant| matches!(i.verdict, Verdict::Proved { .. }) && i.kind.name() == kind;
    found.found.iter().filter(proved).map(|i| found.text(i)).collect()
}

#[test]
fn tic_tac_toe_is_understood() {
    let net = net(&root().join("games/tictactoe.kif")).expect("a bundled game");
    let found = Invariants::find(&net, &Budget::unlimited()).expect("no limit");
    let cells = texts(&found, "exactly-one");
    assert_eq!(cells.len(), 10, "{cells:?}");
    assert!(cells.contains(&"exactly one of (cell 2 3 *)".to_string()), "{cells:?}");
    assert_eq!(texts(&found, "turn").len(), 2);
    assert_eq!(texts(&found, "alternation").len(), 1);
    assert_eq!(texts(&found, "mobility").len(), 2);
    assert_eq!(texts(&found, "one-goal").len(), 2);
    assert_eq!(texts(&found, "constant-sum"), ["the goals add up to 100 at the end"]);
    assert_eq!(texts(&found, "termination").len(), 1);
}

/// Games of every kind whose proofs take a moment; the suite has to stay short.
const GAMES: [&str; 25] = [
    "games/blocksworld.gdl",
    "games/connectfour.kif",
    "games/doubletictactoe.kif",
    "games/eightpuzzle.kif",
    "games/hex3.kif",
    "games/joinedtictactoe.gdl",
    "games/nim.kif",
    "games/rockpaperscissors.gdl",
    "../shared/games/collection/2pffa.kif",
    "../shared/games/collection/blockerParallel.kif",
    "../shared/games/collection/blockerSerial.kif",
    "../shared/games/collection/blocks2player.kif",
    "../shared/games/collection/connectFour.kif",
    "../shared/games/collection/factoringGeorgeForman.kif",
    "../shared/games/collection/ghostMaze2p.kif",
    "../shared/games/collection/gt_attrition.kif",
    "../shared/games/collection/knightmove.kif",
    "../shared/games/collection/lightsOn.kif",
    "../shared/games/collection/roshambo2.kif",
    "../shared/games/collection/ticTacToeSerial.kif",
    "../shared/games/collection/ticblock.kif",
    "../shared/games/collection/troublemaker02.kif",
    "../shared/games/stanford/horseshoe.kif",
    "../shared/games/stanford/kono.kif",
    "../shared/games/stanford/multiplebuttonsandlights.kif",
];

#[test]
fn what_is_proved_holds_in_other_matches() {
    let mut games = 0;
    for path in GAMES.map(|g| root().join(g)) {
        let Some(net) = net(&path) else {
            println!("{} is not there: not checked", path.display());
            continue;
        };
        let found = Invariants::find(&net, &Budget::unlimited()).expect("no limit");
        let other = Samples::gather(&net, 2, 1_000, &Budget::unlimited()).expect("no limit");
        for invariant in found.found.iter().filter(|i| matches!(i.verdict, Verdict::Proved { .. }))
        {
            assert!(holds(&other, invariant), "{}: {}", path.display(), found.text(invariant));
        }
        games += 1;
    }
    println!("{games} games checked");
    assert!(games >= 8);
}

/// Whether an invariant holds over the states of a sample.
fn holds(samples: &Samples, invariant: &Invariant) -> bool {
    let about = &invariant.about;
    let states = 0..samples.states.len();
    let count = |s: usize| about.iter().filter(|b| samples.holds(s, **b)).count();
    let stays = |value: bool| {
        samples
            .steps()
            .all(|s| samples.holds(s, about[0]) != value || samples.holds(s + 1, about[0]) == value)
    };
    let mut ends = states.clone().filter(|s| samples.terminal[*s]);
    match invariant.kind {
        Kind::ExactlyOne => states.clone().all(|s| count(s) == 1),
        Kind::AtMostOne => states.clone().all(|s| count(s) <= 1),
        Kind::AtLeastOne => states.clone().all(|s| count(s) >= 1),
        Kind::AlwaysTrue => states.clone().all(|s| count(s) == 1),
        Kind::AlwaysFalse => states.clone().all(|s| count(s) == 0),
        Kind::Equivalent => states.clone().all(|s| count(s) != 1),
        Kind::Implies => {
            states.clone().all(|s| !samples.holds(s, about[0]) || samples.holds(s, about[1]))
        }
        Kind::Persistent => stays(true),
        Kind::NeverReturns => stays(false),
        Kind::Turn => states.clone().all(|s| {
            let turn = about[1..].iter().any(|b| samples.holds(s, *b));
            turn || samples.terminal[s] || samples.legal[s][about[0]] <= 1
        }),
        Kind::Alternation => samples.steps().all(|s| {
            let at = about.iter().position(|b| samples.holds(s, *b));
            at.is_none_or(|at| samples.holds(s + 1, about[(at + 1) % about.len()]))
        }),
        Kind::Mobility => {
            states.clone().all(|s| samples.terminal[s] || samples.legal[s][about[0]] > 0)
        }
        Kind::OneGoal => ends.all(|s| samples.goals[s][about[0]].is_some()),
        Kind::ConstantSum(sum) => {
            ends.all(|s| samples.goals[s].iter().copied().sum::<Option<i32>>() == Some(sum))
        }
        Kind::Termination(steps) => {
            let mut ends = states.filter(|s| samples.joints[*s].is_empty());
            ends.all(|s| samples.line_to(s).len() <= steps)
        }
    }
}
