//! `ludex match`, `ludex player` and `ludex play` as their users meet them.

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

fn ludex(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that ends before it has read everything closes the pipe, which is its right.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json_of(arguments: &[&str], input: &str) -> Value {
    let output = ludex(&[arguments, &["--json"]].concat(), input);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"))
}

/// An empty folder of its own for one test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

#[test]
fn chance_comes_again_with_its_seed() {
    let moves = |seed: &str| {
        let arguments = ["match", "tictactoe", "-p", "random", "-p", "random", "-n", "3"];
        let result = json_of(&[&arguments[..], &["--seed", seed]].concat(), "");
        let records = result["records"].as_array().unwrap().clone();
        records.into_iter().map(|r| r["moves"].clone()).collect::<Vec<_>>()
    };
    let (first, again, other) = (moves("5"), moves("5"), moves("6"));
    assert_eq!(first, again);
    assert_ne!(first, other);
    assert_ne!(first[0], first[1], "matches of a series differ");
}

#[test]
fn a_record_has_the_keys_of_game_servers() {
    let result =
        json_of(&["match", "tictactoe", "-p", "random", "-p", "uct", "--play-clock", "50ms"], "");
    let record = &result["records"][0];
    for key in "matchId randomToken startTime gameMetaURL isCompleted isAborted states moves stateTimes \
                errors goalValues previewClock startClock playClock playerNamesFromHost isPlayerHuman \
                tournamentNameFromHost scrambled"
        .split_whitespace()
    {
        assert!(!record[key].is_null(), "{key} in {record}");
    }
    assert_eq!(record["isCompleted"], true);
    assert_eq!(record["playerNamesFromHost"], json!(["random", "uct"]));
    let count = |key: &str| record[key].as_array().unwrap().len();
    assert_eq!(count("states"), count("moves") + 1);
    assert_eq!(count("states"), count("stateTimes"));
    assert_eq!(count("errors"), count("moves"));
    assert!(record["states"][0].as_str().unwrap().starts_with("( (cell 1 1 b) "));
}

#[test]
fn a_person_plays_through_a_pipe() {
    let arguments = ["match", "tictactoe", "-p", "human", "-p", "random", "--seed", "2"];
    let input: String = (0..20).map(|_| "nonsense\n1\n").collect();
    let result = json_of(&arguments, &input);
    let record = &result["records"][0];
    assert_eq!(record["isPlayerHuman"], json!([true, false]));
    assert_eq!(record["isCompleted"], true);
    assert_eq!(record["moves"][0][0], "(mark 1 1)");
    let left = json_of(&arguments, "1\n");
    assert_eq!(left["records"][0]["isAborted"], true);
    assert_eq!(left["aborted"], 1);
}

#[test]
fn the_number_of_players_is_that_of_the_roles() {
    let output = ludex(&["match", "tictactoe", "-p", "random"], "");
    assert_eq!(output.status.code(), Some(2));
    let err = text(&output.stderr);
    assert!(err.contains("2 roles to play (white, black), and 1 players"), "{err}");
    let output = ludex(&["match", "tictactoe", "-p", "random", "-p", "deepblue"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("there is no player deepblue"));
}

#[test]
fn a_series_goes_on_where_it_was_stopped() {
    let results = folder("series");
    let results = results.to_str().unwrap();
    let series = ["match", "tictactoe", "-p", "random,seed=4", "-p", "random", "-o", results, "-n"];
    let first = json_of(&[&series[..], &["2"]].concat(), "");
    assert_eq!(first["matches"], 2);
    let files = |n: usize| first["records"][n].as_str().unwrap().to_string();
    let before = [fs::read(files(0)).unwrap(), fs::read(files(1)).unwrap()];
    let log = fs::read_to_string(files(0).replace(".json", ".txt")).unwrap();
    assert!(log.contains("white is played by random,seed=4") && log.contains("over: "), "{log}");
    let more = json_of(&[&series[..], &["4"]].concat(), "");
    assert_eq!(more["matches"], 4);
    assert_eq!(before, [fs::read(files(0)).unwrap(), fs::read(files(1)).unwrap()]);
    let played: u64 =
        more["standings"].as_array().unwrap().iter().map(|s| s["matches"].as_u64().unwrap()).sum();
    assert_eq!(played, 8);
    let record: Value = serde_json::from_slice(&before[1]).unwrap();
    assert_eq!(
        record["playerNamesFromHost"],
        json!(["random", "random,seed=4"]),
        "sides are swapped"
    );
    let other = ["match", "tictactoe", "-p", "random", "-p", "random", "-o", results];
    let output = ludex(&other, "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("other players or clocks"), "{}", text(&output.stderr));
}

/// A player that answers PLAY with these texts in turn; none says nothing and keeps the connection.
fn fake(answers: &'static [Option<&'static str>]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let mut answers = answers.iter();
        let mut kept = Vec::new();
        for mut stream in listener.incoming().flatten() {
            let mut some = [0; 1 << 16];
            let read = stream.read(&mut some).unwrap_or(0);
            let play = String::from_utf8_lossy(&some[..read]).contains("( PLAY ");
            let answer =
                if play { *answers.next().unwrap_or(&Some("noop")) } else { Some("ready") };
            match answer {
                Some("hang up") => {}
                Some(answer) => {
                    let length = answer.len();
                    let _ = write!(
                        stream,
                        "HTTP/1.0 200 OK\r\nContent-length: {length}\r\n\r\n{answer}"
                    );
                }
                None => kept.push(stream),
            }
        }
    });
    address
}

#[test]
fn faults_of_players_elsewhere_are_recorded() {
    let player = fake(&[Some("(mark 7 7)"), Some("noop"), None, Some("noop"), Some("hang up")]);
    let arguments = ["match", "tictactoe", "-p", &player, "-p", "random", "--play-clock", "500ms"];
    let result = json_of(&arguments, "");
    let record = &result["records"][0];
    assert_eq!(record["isCompleted"], true, "{record}");
    let errors = |turn: usize| record["errors"][turn][0].as_str().unwrap();
    assert_eq!(
        [errors(0), errors(1), errors(2), errors(3), errors(4)],
        ["IL (mark 7 7)", "", "TO", "", "CE"]
    );
    assert!(result["standings"][0]["faults"].as_u64().unwrap() >= 3);
}

/// The program as a player of its own, ended when dropped.
struct Player {
    child: Child,
    port: u64,
}

impl Player {
    fn new(arguments: &[&str]) -> Player {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
        command.args(["player", "--port", "0", "--json"]).args(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        // Nobody else is let in unasked.
        let (address, port) = (told["address"].as_str().unwrap(), told["port"].as_u64().unwrap());
        assert_eq!(address, format!("127.0.0.1:{port}"));
        Player { child, port }
    }

    fn say(&self, message: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port as u16)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let length = message.len();
        write!(stream, "POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{message}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.to_string()
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_match_with_a_player_over_http() {
    let player = Player::new(&["--name", "Other", "--player", "random"]);
    let address = format!("http://127.0.0.1:{}", player.port);
    assert!(player.say("( INFO )").contains("(name Other)"));
    let result = json_of(
        &["match", "tictactoe", "-p", &address, "-p", "random", "-n", "4", "--scramble"],
        "",
    );
    assert_eq!(result["standings"][0]["matches"], 4);
    assert_eq!(result["standings"][0]["faults"], 0, "{result}");
    assert!(player.say("( INFO )").contains("(status available)"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_player_well() {
    let mut player = Player::new(&[]);
    let kill =
        Command::new("sh").args(["-c", &format!("kill -INT {}", player.child.id())]).status();
    assert!(kill.unwrap().success());
    assert_eq!(player.child.wait().unwrap().code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_matches_begin_and_end_without_growth() {
    let player = Player::new(&["--player", "random"]);
    let rules = fs::read_to_string("../../games/tictactoe.kif").unwrap();
    let memory = || {
        let statm = fs::read_to_string(format!("/proc/{}/statm", player.child.id())).unwrap();
        let pages: u64 = statm.split_whitespace().nth(1).unwrap().parse().unwrap();
        (pages * 4096) >> 20
    };
    let cycle = |i: usize| {
        assert_eq!(player.say(&format!("( START c{i} white ({rules}) 5 1 )")), "ready");
        assert!(player.say(&format!("( PLAY c{i} NIL )")).starts_with("(mark "));
        assert_eq!(player.say(&format!("( STOP c{i} NIL )")), "done");
    };
    (0..100).for_each(cycle);
    let before = memory();
    (100..1100).for_each(cycle);
    let after = memory();
    assert!(after < before + 16, "{before} MB after 100 matches, {after} MB after 1100");
}

/// Ten billion moves are legal.
#[cfg(target_os = "linux")]
#[test]
fn a_match_that_needs_too_much_memory_does_not_get_it() {
    let player = Player::new(&["--memory-limit", "400MB"]);
    let digits: String = (0..100).map(|i| format!("(d {i}) ")).collect();
    let rules = "(role r) (init s) (<= (next s) (true s)) (<= terminal (true t)) (goal r 0)
        (<= (legal r (m ?a ?b ?c ?e ?f)) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f))";
    assert_eq!(player.say(&format!("( START m r ({digits}{rules}) 3 3 )")), "ready");
    // Nobody can say what is legal here.
    assert_eq!(player.say("( PLAY m NIL )"), "nil");
    assert_eq!(player.say("( ABORT m )"), "aborted");
    let status = fs::read_to_string(format!("/proc/{}/status", player.child.id())).unwrap();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap().trim();
    let peak: u64 = peak.strip_suffix(" kB").unwrap().parse().unwrap();
    assert!((100_000..400_000).contains(&peak), "{peak} kB");
    let rules = fs::read_to_string("../../games/tictactoe.kif").unwrap();
    assert_eq!(player.say(&format!("( START n white ({rules}) 3 1 )")), "ready");
    assert!(player.say("( PLAY n NIL )").starts_with("(mark "));
}

#[test]
fn a_person_asks_the_engine_and_takes_moves_back() {
    let arguments = ["play", "tictactoe", "--against", "random", "--play-clock", "300ms"];
    let output = ludex(&arguments, "undo\n5\nthink\nundo\n1\nquit\n");
    let out = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{out}");
    assert!(out.contains("There is no move to take back."), "{out}");
    assert!(out.contains("expected: "), "{out}");
    assert!(out.contains("white: (mark 2 2)") && out.contains("white: (mark 1 1)"), "{out}");
    assert!(out.contains("\n1 x"), "the board is drawn: {out}");
    assert!(out.contains("the match was left"), "{out}");
    let result = json_of(&arguments, "5\nundo\n1\n");
    assert_eq!(result["moves"][0][0], "(mark 1 1)");
}

/// A match that is ended while its players get ready is called off, so that they can play another.
#[cfg(unix)]
#[test]
fn players_hear_that_a_match_was_ended_at_its_start() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let player = format!("http://{}", listener.local_addr().unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let seats = ["match", "tictactoe", "--player", &player, "--player", "random"];
    let command = command.args(seats).args(["--start-clock", "60s"]);
    let mut referee = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let hear = || {
        let mut said = [0; 100_000];
        let (mut stream, _) = listener.accept().unwrap();
        let read = stream.read(&mut said).unwrap();
        (stream, text(&said[..read]))
    };
    let (_silent, start) = hear();
    assert!(start.contains("( START "), "{start}");
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", referee.id())]).status();
    assert!(kill.unwrap().success());
    let (_stream, end) = hear();
    assert!(end.contains("( ABORT "), "{end}");
    assert!(!referee.wait().unwrap().success());
}
