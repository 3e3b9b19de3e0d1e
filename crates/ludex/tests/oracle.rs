//! The reasoner against the answers of independent programs, over the public collection of games.

use ludex::budget::Budget;
use ludex::interp::Interp;
use ludex::reason::{StateMachine, find_move, perft, view};
use ludex::rules::Rules;
use ludex::source::Source;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folder with games and answers, which is not part of the repository.
fn shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let found = folder.join("oracle").exists();
    if !found {
        println!("no folder {}: no game was checked", folder.display());
    }
    found.then_some(folder)
}

fn lines(folder: &Path, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join("oracle").join(file)).unwrap();
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn game(folder: &Path, line: &Value) -> Result<Interp, String> {
    let path = folder.join("games").join(line["file"].as_str().unwrap());
    let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
    let source = Source::new(path.to_string_lossy(), text);
    let (rules, _) = Rules::read(&source, None).map_err(|r| r.render(&source))?;
    Interp::new(&rules).map_err(|p| p.to_string())
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect()
}

/// Replays a playout and says where it differs first.
fn replay(game: &mut Interp, playout: &Value) -> Result<usize, String> {
    let mut state = game.initial();
    let steps = playout["steps"].as_array().unwrap();
    for (i, step) in steps.iter().enumerate() {
        let seen = view(game, &state);
        let same = |what: &str, ours: Value| match ours == step[what] {
            true => Ok(()),
            false => Err(format!("step {i}: {what} is {ours}, not {}", step[what])),
        };
        same("n_facts", seen.facts.len().into())?;
        same("state_digest", seen.state_digest().into())?;
        for (role, legal) in seen.roles.iter().zip(&seen.legal) {
            let theirs = step["legal"][role.to_lowercase()].as_u64();
            if theirs != Some(legal.len() as u64) {
                return Err(format!(
                    "step {i}: {} legal moves of {role}, not {theirs:?}",
                    legal.len()
                ));
            }
        }
        same("legal_digest", seen.legal_digest().into())?;
        same("terminal", seen.terminal.into())?;
        if i + 1 == steps.len() {
            let goals = Value::from(seen.goals.clone());
            if goals != playout["goals"] {
                return Err(format!("goals are {goals}, not {}", playout["goals"]));
            }
            break;
        }
        let joint = texts(&step["joint"]).into_iter().zip(&seen.legal);
        let joint: Vec<_> = joint.map(|(text, legal)| find_move(legal, text).unwrap()).collect();
        state = game.next(&state, &joint);
    }
    match game.problem() {
        Some(problem) => Err(problem.to_string()),
        None => Ok(steps.len()),
    }
}

fn replay_all(folder: &Path, line: &Value) -> Result<usize, String> {
    let mut game = game(folder, line)?;
    let roles: Vec<_> = (0..game.roles()).map(|r| game.role_text(r).to_lowercase()).collect();
    if roles != texts(&line["roles"]) {
        return Err(format!("the roles are {roles:?}"));
    }
    line["playouts"].as_array().unwrap().iter().map(|p| replay(&mut game, p)).sum()
}

fn count_paths(folder: &Path, line: &Value) -> Result<usize, String> {
    const MOST_PATHS: u64 = 30_000;
    let numbers = |key: &str| -> Vec<u64> {
        line[key].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect()
    };
    let (theirs, terminals) = (numbers("perft"), numbers("terminals"));
    let depth = theirs.iter().rposition(|n| *n <= MOST_PATHS).unwrap();
    let ours = perft(&mut game(folder, line)?, depth, false, &Budget::unlimited());
    match ours.paths == theirs[..=depth] && ours.terminals == terminals[..=depth] {
        true => Ok(ours.paths.iter().sum::<u64>() as usize),
        false => Err(format!("{ours:?} against {theirs:?} and {terminals:?}")),
    }
}

/// Runs a check over every line of a file and tells how much agrees.
fn check(file: &str, what: &str, check: impl Fn(&Path, &Value) -> Result<usize, String>) {
    let Some(folder) = shared() else { return };
    let (mut games, mut count, mut faults) = (0, 0, Vec::new());
    for line in lines(&folder, file) {
        match check(&folder, &line) {
            Ok(n) => (games, count) = (games + 1, count + n),
            // Rules that negate a relation inside its own definition are refused by design.
            Err(fault) if fault.contains("error[stratification]") => println!("{fault}"),
            Err(fault) => faults.push(format!("{}: {fault}", line["file"])),
        }
    }
    println!("{games} games, {count} {what} agree");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn playouts_agree() {
    check("playouts.jsonl", "states", replay_all);
}

#[test]
fn perft_agrees() {
    check("perft.jsonl", "paths", count_paths);
}
