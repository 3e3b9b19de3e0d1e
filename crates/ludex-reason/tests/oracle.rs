//! The reasoner against the answers of independent programs, over the public collection of games.

use ludex_gdl::budget::Budget;
use ludex_gdl::rules::Rules;
use ludex_gdl::source::Source;
use ludex_reason::interp::Interp;
use ludex_reason::{StateMachine, find_move, perft, view};
use ludex_testing::shared_text;
use serde_json::Value;

fn game(line: &Value) -> Result<Interp, String> {
    let file = line["file"].as_str().unwrap();
    let text = shared_text(&format!("games/{file}")).expect("a game of the oracle");
    let source = Source::new(file, text);
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

fn replay_all(line: &Value) -> Result<usize, String> {
    let mut game = game(line)?;
    let roles: Vec<_> = (0..game.roles()).map(|r| game.role_text(r).to_lowercase()).collect();
    if roles != texts(&line["roles"]) {
        return Err(format!("the roles are {roles:?}"));
    }
    line["playouts"].as_array().unwrap().iter().map(|p| replay(&mut game, p)).sum()
}

fn count_paths(line: &Value) -> Result<usize, String> {
    const MOST_PATHS: u64 = 30_000;
    let numbers = |key: &str| -> Vec<u64> {
        line[key].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect()
    };
    let (theirs, terminals) = (numbers("perft"), numbers("terminals"));
    let depth = theirs.iter().rposition(|n| *n <= MOST_PATHS).unwrap();
    let ours = perft(&mut game(line)?, depth, false, &Budget::unlimited());
    match ours.paths == theirs[..=depth] && ours.terminals == terminals[..=depth] {
        true => Ok(ours.paths.iter().sum::<u64>() as usize),
        false => Err(format!("{ours:?} against {theirs:?} and {terminals:?}")),
    }
}

/// Runs a check over every line of a file; so much agrees.
fn check(file: &str, all: usize, check: impl Fn(&Value) -> Result<usize, String>) {
    let Some(text) = shared_text(&format!("oracle/{file}")) else { return };
    let (mut games, mut count, mut faults) = (0, 0, Vec::new());
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        match check(&line) {
            Ok(n) => (games, count) = (games + 1, count + n),
            Err(fault) => faults.push(format!("{}: {fault}", line["file"])),
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert_eq!((games, count), (212, all), "games, and states or paths");
}

#[test]
fn playouts_agree() {
    check("playouts.jsonl", 19_172, replay_all);
}

#[test]
fn perft_agrees() {
    check("perft.jsonl", 1_352_887, count_paths);
}
