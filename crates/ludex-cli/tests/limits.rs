//! Limits that hold: whatever a command is at, it ends at a limit or at a signal and tells what it has by
//! then. No test asserts a time; what hangs is ended after minutes and fails.

use serde_json::Value;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Far longer than any limit set here, on any machine.
const HANGS: Duration = Duration::from_secs(180);

struct End {
    code: Option<i32>,
    out: String,
    err: String,
}

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn text(mut pipe: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).map(|_| text).unwrap()
    })
}

/// Waits for the end of a process, which must come.
fn ending(mut child: Child, what: &str) -> End {
    let (out, err) = (text(child.stdout.take().unwrap()), text(child.stderr.take().unwrap()));
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begin.elapsed() > HANGS {
            child.kill().unwrap();
            panic!("{what} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    End { code: status.code(), out: out.join().unwrap(), err: err.join().unwrap() }
}

fn file(name: &str, rules: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, rules).unwrap();
    path.to_str().unwrap().to_string()
}

/// Nobody lists the legal moves of this game in a lifetime: eight digits at once, then sixteen.
fn combinations() -> String {
    let digits: String = (0..40).map(|d| format!("(digit {d}) ")).collect();
    let vars = |n: u32| (0..n).map(|i| format!(" ?{i}")).collect::<String>();
    let all = |n: u32| (0..n).map(|i| format!(" (digit ?{i})")).collect::<String>();
    format!(
        "(role r) {digits} (init (at 0))
        (<= (legal r (pick{})) {} (true (at 0)))
        (<= (next (at{})) (does r (pick{})) (true (at 0)) {})
        (<= terminal (not (true (at 0)))) (goal r 0)",
        vars(8),
        all(8),
        vars(16),
        vars(8),
        all(16),
    )
}

/// Switches of two roles: small to write down, with 2^200 states.
fn switches() -> String {
    let names: String = (0..100).map(|i| format!("(switch {i}) ")).collect();
    format!(
        "(role a) (role b) {names}
        (<= (legal ?r (flip ?x)) (role ?r) (switch ?x))
        (<= (next (on ?r ?x)) (does ?r (flip ?x)) (not (true (on ?r ?x))))
        (<= (next (on ?r ?x)) (true (on ?r ?x)) (does ?r (flip ?y)) (distinct ?x ?y))
        (<= terminal (true (on a 1)) (true (on b 2)) (true (on a 3)) (true (on b 4)))
        (<= (goal ?r 100) (true (on ?r 7)))
        (<= (goal ?r 0) (role ?r) (not (true (on ?r 7))))"
    )
}

/// More pigeons than holes: that all are housed and no two share a hole is what solvers are worst at.
fn pigeons() -> String {
    let list = |name: &str, n: u32| (0..n).map(|i| format!("({name} {i}) ")).collect::<String>();
    format!(
        "(role r) {} {}
        (<= (legal r (put ?p ?h)) (pigeon ?p) (hole ?h))
        (<= (next (in ?p ?h)) (true (in ?p ?h)))
        (<= (next (in ?p ?h)) (does r (put ?p ?h)))
        (<= (housed ?p) (true (in ?p ?h)))
        (<= unhoused (pigeon ?p) (not (housed ?p)))
        (<= clash (true (in ?p ?h)) (true (in ?q ?h)) (distinct ?p ?q))
        (<= terminal (not unhoused)) (goal r 0)",
        list("pigeon", 15),
        list("hole", 14),
    )
}

/// In both forms the command stops at the limit and has the word for what is missing.
fn stops(arguments: &[&str]) {
    let limit = ["--time-limit", "1s"];
    let end = ending(start(&[arguments, &limit].concat()), &arguments.join(" "));
    assert_eq!(end.code, Some(3), "{arguments:?}\n{}\n{}", end.out, end.err);
    assert!(end.out.contains("stopped"), "{arguments:?}: {}", end.out);
    assert!(end.err.contains("stopped"), "{arguments:?}: {}", end.err);
    let end = ending(start(&[arguments, &limit, &["--json"]].concat()), &arguments.join(" "));
    assert_eq!(end.code, Some(3), "{arguments:?}\n{}\n{}", end.out, end.err);
    let object: Value = serde_json::from_str(&end.out).expect("one object");
    let missing = object["stopped"].as_array().expect("what is missing");
    assert!(!missing.is_empty(), "{arguments:?}: {object}");
    assert_eq!(object["stopped_by"], "time limit", "{arguments:?}: {object}");
}

#[test]
fn commands_stop_where_there_is_too_much_to_list() {
    let game = file("limits_combinations.kif", &combinations());
    for command in ["info", "boards", "pieces", "prove", "symmetry", "factor", "latches", "solve"] {
        stops(&[command, &game]);
    }
    for command in ["net", "ground", "domains", "draw", "bench", "bench-frame", "bench-symmetry"] {
        stops(&[command, &game]);
    }
    stops(&["perft", &game, "--depth", "2"]);
    stops(&["simulate", &game, "--matches", "2"]);
    stops(&["check", &game, "--simulate", "2"]);
    stops(&["prove", &game, "(not terminal)"]);
    stops(&["same", &game, "tictactoe"]);
}

#[test]
fn searches_stop_with_what_they_have() {
    let game = file("limits_switches.kif", &switches());
    stops(&["solve", "connectfour"]);
    stops(&["perft", &game, "--depth", "60"]);
    stops(&["simulate", &game, "--matches", "1000000000"]);
    stops(&["check", &game, "--simulate", "1000000000"]);
    stops(&["bench", &game, "--seconds", "1000"]);
}

#[test]
fn what_the_rules_tell_is_there_at_any_limit() {
    let game = file("limits_known.kif", &combinations());
    let end = ending(start(&["info", &game, "--json", "--time-limit", "1s"]), "info");
    let object: Value = serde_json::from_str(&end.out).expect("one object");
    assert_eq!((&object["facts"], &object["rules"]), (&43.into(), &3.into()), "{object}");
    assert_eq!(object["legal"], Value::Null);
    // Games that had no turn are named too.
    let end = ending(start(&["info", &game, "tictactoe", "--time-limit", "1s"]), "info");
    assert!(end.out.contains("tictactoe: stopped"), "{}", end.out);
}

#[test]
fn proofs_stop_inside_the_solver() {
    let game = file("limits_pigeons.kif", &pigeons());
    stops(&["prove", &game, "(or unhoused clash)"]);
}

#[cfg(unix)]
fn interrupted(arguments: &[&str], signal: &str) {
    let child = start(arguments);
    std::thread::sleep(Duration::from_millis(700));
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let what = format!("{signal} {}", arguments.join(" "));
    let end = ending(child, &what);
    assert_eq!(end.code, Some(3), "{what}\n{}\n{}", end.out, end.err);
    assert!(end.out.contains("stopped"), "{what}: {}", end.out);
    assert!(end.err.contains("stopped: interrupted"), "{what}: {}", end.err);
}

#[test]
#[cfg(unix)]
fn signals_end_every_stage() {
    let large = file("limits_signal_1.kif", &combinations());
    let long = file("limits_signal_2.kif", &switches());
    let hard = file("limits_signal_3.kif", &pigeons());
    for signal in ["-INT", "-TERM"] {
        // The reasoner, grounding, the search, random matches, the solver.
        interrupted(&["info", &large], signal);
        interrupted(&["boards", &large], signal);
        interrupted(&["solve", "connectfour"], signal);
        interrupted(&["perft", &long, "--depth", "60"], signal);
        interrupted(&["bench", &long, "--seconds", "1000"], signal);
        interrupted(&["prove", &hard, "(or unhoused clash)"], signal);
    }
}

/// Of two signals that come together the first asks the work to end and the second leaves it, so that both
/// have an answer to tell. Nobody reads the messages, so that the program does not end in between.
#[test]
#[cfg(unix)]
fn one_answer_is_told_whoever_tells_it() {
    use std::io::Write;
    for _ in 0..3 {
        let (unread, mut full) = std::io::pipe().unwrap();
        let err = full.try_clone().unwrap();
        let filling = std::thread::spawn(move || while full.write_all(b"words ").is_ok() {});
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
        command.args(["bench", "tictactoe", "--seconds", "1000", "--json"]).stderr(err);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        drop(command);
        let out = text(child.stdout.take().unwrap());
        std::thread::sleep(Duration::from_millis(700));
        let signals = ["STOP", "INT", "TERM", "CONT"].map(|s| format!("kill -{s} {}", child.id()));
        Command::new("sh").args(["-c", &signals.join(" && ")]).status().unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(3));
        drop(unread);
        filling.join().unwrap();
        serde_json::from_str::<Value>(&out.join().unwrap()).expect("one object");
    }
}

#[test]
fn without_a_limit_an_analysis_stops_and_says_how_to_go_on() {
    let game = file("limits_default.kif", &pigeons());
    let arguments = ["prove", &game, "(or unhoused clash)", "--states", "1000000000"];
    let end = ending(start(&arguments), "prove");
    assert_eq!(end.code, Some(3), "{}", end.err);
    assert!(end.err.contains("CPU seconds") && end.err.contains("--time-limit"), "{}", end.err);
}
