//! Every game of the public collection: random matches on all engines, and the matches that
//! independent reasoners have played.

use crate::batches;
use crate::lockstep::{Plan, backends, net, sliced, walk};
use ludex::machine::Scalar;
use ludex::reason::{StateMachine, find_move, view};
use ludex::rules::Rules;
use ludex::source::Source;
use ludex_testing::{each, shared, shared_text};
use serde_json::Value;
use std::path::PathBuf;

/// How much is compared of each game.
#[derive(Clone, Copy)]
struct Extent {
    /// Games that take seconds to ground are left out.
    all: bool,
    /// The largest network for which code is made.
    gates: usize,
    /// Gates times states that a match may cost.
    effort: usize,
    /// How many games there are, how many on the sliced machine, and how many without a network.
    games: (usize, usize, usize),
}

const SHORT: Extent = Extent { all: false, gates: 25_000, effort: 1_000_000, games: (196, 171, 0) };
const FULL: Extent =
    Extent { all: true, gates: usize::MAX, effort: usize::MAX, games: (212, 212, 0) };

const LONG: [&str; 11] = [
    "chess.",
    "slaughter",
    "alexChess",
    "ruleDepthExponential",
    "amazons.",
    "amazonsSuicide",
    "amazonsTorus.",
    "gt_two_thirds_6p",
    "racer4",
    "crisscross",
    "chineseCheckers6",
];

#[test]
fn engines_agree_with_each_other_and_the_oracle() {
    check(SHORT);
}

/// Takes half an hour: `cargo test --release --test agreement -- --ignored --nocapture`.
#[test]
#[ignore = "takes long"]
fn engines_agree_on_all_of_every_game() {
    check(FULL);
}

fn check(extent: Extent) {
    let Some(lines) = shared_text("oracle/playouts.jsonl") else { return };
    let (mut games, mut with_code, mut states, mut large) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let file = |record: &Value| record["file"].as_str().expect("a name").to_string();
    let is_long = |file: String| LONG.iter().any(|long| file.contains(&format!("/{long}")));
    let records: Vec<Value> = records.filter(|r| extent.all || !is_long(file(r))).collect();
    let compared = each(&records, |record| {
        let path = shared(&format!("games/{}", file(record))).expect("a game of the oracle");
        compare(path, record, extent)
    });
    for (record, found) in records.iter().zip(compared) {
        match found {
            Ok(None) => large += 1,
            Ok(Some((n, code))) => {
                (games, with_code, states) = (games + 1, with_code + code as usize, states + n)
            }
            Err(why) => wrong.push(format!("{}: {why}", file(record))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((games, with_code, large), extent.games, "games, on the sliced machine, too large");
    assert!(states > 10_000, "{states} states");
}

/// The number of states compared, and whether on the sliced machine too; none without a network.
fn compare(path: PathBuf, record: &Value, extent: Extent) -> Result<Option<(usize, bool)>, String> {
    let text = std::fs::read(&path).map_err(|e| e.to_string())?;
    let source = Source::new(path.to_string_lossy(), String::from_utf8_lossy(&text));
    let (rules, _) = Rules::read(&source, None).map_err(|r| r.render(&source))?;
    let Some(net) = net(&rules)? else { return Ok(None) };
    let most = extent.effort / net.gates.len();
    let code = net.gates.len() <= extent.gates;
    let backends = if code { backends() } else { vec![] };
    let plan = Plan { seed: 3, playouts: 1, states: most.clamp(2, 8), past_terminal: false };
    let mut states = walk(&rules, &net, &backends, plan)?;
    for playout in record["playouts"].as_array().expect("playouts") {
        let mut scalar = Scalar::new(net.clone());
        states += replay(&mut scalar, playout, most.max(2)).map_err(|e| format!("scalar: {e}"))?;
        if !extent.all {
            break;
        }
    }
    if code {
        let playout = &record["playouts"][1];
        for backend in backends {
            let fault = |e| format!("sliced, {backend}: {e}");
            let mut sliced = sliced(&net, backend);
            states += replay(&mut sliced, playout, most.max(2)).map_err(fault)?;
            states += batches::compare(&net, backend, most.clamp(2, 500))?;
        }
    }
    Ok(Some((states, code)))
}

/// Replays a playout, up to so many states; how many were compared.
fn replay<G: StateMachine>(game: &mut G, playout: &Value, most: usize) -> Result<usize, String> {
    let steps = playout["steps"].as_array().expect("steps");
    let mut state = game.initial();
    for (at, step) in steps.iter().take(most).enumerate() {
        let seen = view(game, &state);
        let same = |key: &str, theirs: &Value, ours: Value| match *theirs == ours {
            true => Ok(()),
            false => Err(format!("step {at}: {key} {theirs} and not {ours}")),
        };
        same("state", &step["state_digest"], seen.state_digest().into())?;
        same("terminal", &step["terminal"], seen.terminal.into())?;
        same("legal", &step["legal_digest"], seen.legal_digest().into())?;
        if at + 1 == steps.len() {
            same("goals", &playout["goals"], seen.goals.clone().into())?;
        }
        let Some(joint) = step["joint"].as_array() else { continue };
        let moves = joint.iter().zip(&seen.legal);
        let find = |(m, legal): (&Value, &Vec<_>)| find_move(legal, m.as_str().expect("a move"));
        let joint: Option<Vec<_>> = moves.map(find).collect();
        state = game.next(&state, &joint.ok_or(format!("step {at}: a move is not legal"))?);
    }
    Ok(steps.len().min(most))
}
