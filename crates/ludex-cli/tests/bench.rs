//! `ludex bench`: the keys of its JSON, and figures that do not depend on the engine or on time.

use serde_json::Value;
use std::process::Command;

fn bench(arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let output = command.args(["bench", "--json", "tictactoe"]).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one object")
}

#[test]
fn engines_agree_on_the_game() {
    let sliced = bench(&["--playouts", "200000"]);
    assert_eq!(sliced["engine"], "sliced");
    for key in ["game", "threads", "setup_seconds", "peak_memory_mb", "transitions_per_cpu_second"]
    {
        assert!(!sliced[key].is_null(), "{key}");
    }
    assert!(sliced["playouts_per_cpu_second"].as_f64() > Some(0.0));
    assert_eq!(sliced["playouts"], 200_000);
    assert!((sliced["mean_length"].as_f64().unwrap() - 7.627).abs() < 0.03);
    assert!((sliced["mean_goals"][0].as_f64().unwrap() - 64.8).abs() < 0.6);
    for engine in ["interp", "scalar"] {
        let other = bench(&["--engine", engine, "--playouts", "2000"]);
        assert_eq!(other["signature"], sliced["signature"]);
        assert!((other["mean_length"].as_f64().unwrap() - 7.627).abs() < 0.2);
    }
}

#[test]
fn a_seed_gives_the_same_matches() {
    for engine in ["interp", "scalar", "sliced"] {
        let options = ["--playouts", "3001", "--threads", "2", "--seed", "9", "--engine", engine];
        let runs = [0, 1].map(|_| bench(&options));
        assert_eq!((&runs[0]["threads"], &runs[0]["playouts"]), (&2.into(), &3001.into()));
        for key in ["transitions", "mean_goals", "signature"] {
            assert_eq!(runs[0][key], runs[1][key], "{engine}: {key}");
        }
        assert_eq!(runs[0]["sliced"]["signature"], runs[1]["sliced"]["signature"]);
    }
}
