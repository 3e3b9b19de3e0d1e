//! The net agrees with the playouts of independent reasoners, state by state.

use ludex::budget::Budget;
use ludex::game::digest;
use ludex::ground::{Ground, NotGround};
use ludex::net::Net;
use ludex::rules::Rules;
use ludex::source::Source;
use serde_json::Value;
use std::path::Path;

/// Gates times states that one playout may cost.
const EFFORT: usize = 2_000_000;
/// Games that take seconds to ground, or cannot be grounded, are left to longer runs.
const LONG: [&str; 12] = [
    "sudoku",
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
fn nets_agree_with_the_oracle() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let Ok(lines) = std::fs::read_to_string(shared.join("oracle/playouts.jsonl")) else {
        println!("no shared folder: no game was checked");
        return;
    };
    let (mut games, mut states) = (0, 0);
    let mut wrong = Vec::new();
    for line in lines.lines() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        let file = record["file"].as_str().expect("a name");
        if LONG.iter().any(|long| file.contains(&format!("/{long}"))) {
            continue;
        }
        match check(&shared.join("games").join(file), &record) {
            Ok(n) => {
                games += (n > 0) as usize;
                states += n;
            }
            Err(why) => wrong.push(format!("{file}: {why}")),
        }
    }
    println!("{games} games, {states} states");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Replays the playouts of a game; the number of states compared.
fn check(path: &Path, record: &Value) -> Result<usize, String> {
    let text = std::fs::read(path).map_err(|e| e.to_string())?;
    let source = Source::new(path.to_string_lossy(), String::from_utf8_lossy(&text));
    let (rules, _) = Rules::read(&source, None).map_err(|r| r.render(&source))?;
    let budget = Budget::unlimited();
    let ground = match Ground::new(&rules, &budget) {
        Err(NotGround::TooLarge) => return Ok(0),
        other => other.map_err(|e| e.to_string())?,
    };
    let net = Net::new(&ground, &budget).map_err(|e| e.to_string())?;
    let mut states = 0;
    for playout in record["playouts"].as_array().expect("playouts") {
        states += replay(&net, playout)?;
    }
    Ok(states)
}

fn replay(net: &Net, playout: &Value) -> Result<usize, String> {
    let steps = playout["steps"].as_array().expect("steps");
    let most = (EFFORT / net.gates.len()).max(2);
    let mut bases: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
    for (at, step) in steps.iter().take(most).enumerate() {
        let values = net.evaluate(&bases, &vec![false; net.inputs.len()]);
        let facts = net.bases.iter().zip(&bases).filter(|(_, b)| **b);
        let facts = digest(facts.map(|(b, _)| b.name.to_lowercase()).collect());
        let legal = net.inputs.iter().filter(|i| Net::holds(&values, i.legal));
        let legal = legal.map(|i| format!("{} {}", net.roles[i.role], i.name).to_lowercase());
        let legal = digest(legal.collect());
        let terminal = Net::holds(&values, net.terminal);
        let same = |key: &str, ours: Value| match step[key] == ours {
            true => Ok(()),
            false => Err(format!("step {at}: {key} {} and not {ours}", step[key])),
        };
        same("state_digest", facts.into())?;
        same("terminal", terminal.into())?;
        same("legal_digest", legal.into())?;
        if at + 1 == steps.len() {
            goals(net, &values, &playout["goals"]).map_err(|e| format!("step {at}: {e}"))?;
        }
        let Some(joint) = step["joint"].as_array() else { continue };
        let mut inputs = vec![false; net.inputs.len()];
        for (role, m) in joint.iter().enumerate() {
            let m = m.as_str().expect("a move");
            let found = net.inputs_of(role).find(|i| net.inputs[*i].name.to_lowercase() == m);
            inputs[found.ok_or(format!("step {at}: no move {m}"))?] = true;
        }
        let values = net.evaluate(&bases, &inputs);
        bases = net.bases.iter().map(|b| Net::holds(&values, b.next)).collect();
    }
    Ok(steps.len().min(most))
}

fn goals(net: &Net, values: &[bool], expected: &Value) -> Result<(), String> {
    for (role, theirs) in expected.as_array().into_iter().flatten().enumerate() {
        let holding: Vec<i32> =
            net.goals[role].iter().filter(|g| Net::holds(values, g.1)).map(|g| g.0).collect();
        let ours = if holding.len() == 1 { Value::from(holding[0]) } else { Value::Null };
        if ours != *theirs {
            return Err(format!("goal {theirs} and not {ours}"));
        }
    }
    Ok(())
}
