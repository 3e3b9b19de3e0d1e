//! What others might try against a page that is served: refused, or harmless.

use crate::served::Served;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Sends bytes and reads what comes until the end, or until nothing comes for a while.
fn exchange(port: u16, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(40))).unwrap();
    // A server that refuses may hang up before it has heard everything.
    let _ = stream.write_all(request);
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

fn request(port: u16, head: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    let text = format!(
        "{head} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n\r\n{body}"
    );
    exchange(port, text.as_bytes())
}

/// A question as the page asks it; the last event's name and data.
fn ask(port: u16, name: &str, body: &Value) -> (String, Value) {
    let headers = format!("Host: 127.0.0.1:{port}\r\nContent-Type: application/json");
    let answer = request(port, &format!("POST /api/{name}"), &headers, &body.to_string());
    let event = answer.rsplit("event: ").next().unwrap_or_default();
    let (kind, rest) = event.split_once('\n').unwrap_or_default();
    let data = rest.trim_start_matches("data: ").lines().next().unwrap_or_default();
    (kind.to_string(), serde_json::from_str(data).unwrap_or(Value::Null))
}

fn code(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let served = Served::bundled();
    let port = served.port;
    let json = "Content-Type: application/json";
    let own = format!("Host: 127.0.0.1:{port}");
    let games = |headers: &str| code(&request(port, "POST /api/games", headers, "{}"));
    assert_eq!(games(&format!("{own}\r\n{json}")), 200);
    assert_eq!(games(&format!("{own}\r\n{json}\r\nOrigin: http://127.0.0.1:{port}")), 200);
    assert_eq!(games(&format!("{own}\r\n{json}\r\nOrigin: http://evil.example")), 403);
    assert_eq!(games(&format!("{own}\r\n{json}\r\nOrigin: null")), 403);
    assert_eq!(games(&format!("{own}\r\n{json}\r\nSec-Fetch-Site: cross-site")), 403);
    assert_eq!(games(&format!("{own}\r\nContent-Type: text/plain")), 403);
    assert_eq!(games(&format!("Host: evil.example:{port}\r\n{json}")), 403);
    let socket = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                  Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://evil.example";
    let opened =
        exchange(port, format!("GET /api/socket HTTP/1.1\r\n{own}\r\n{socket}\r\n\r\n").as_bytes());
    assert_eq!(code(&opened), 403);
    let page = request(port, "GET /", &format!("Host: evil.example:{port}"), "");
    assert_eq!(code(&page), 403);
}

#[test]
fn paths_lead_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    std::fs::create_dir(&games).unwrap();
    std::fs::write(folder.path().join("secret.kif"), "(role secret)").unwrap();
    std::fs::copy(ludex_testing::root().join("games/nim.kif"), games.join("nim.kif")).unwrap();
    let served = Served::of(&[games.to_string_lossy().into_owned()]);
    let port = served.port;
    let own = format!("Host: 127.0.0.1:{port}");
    for path in
        ["/../secret.kif", "/..%2fsecret.kif", "/%2e%2e/secret.kif", "//etc/passwd", "/assets/../x"]
    {
        let answer = request(port, &format!("GET {path}"), &own, "");
        assert!(code(&answer) == 404 || code(&answer) == 400, "{path}: {answer}");
    }
    for game in ["../secret", "../secret.kif", "..\\secret", "/etc/passwd", "nim/../../secret"] {
        for question in ["text", "view", "card"] {
            let (kind, data) = ask(port, question, &json!({ "game": game }));
            assert_eq!(
                (kind.as_str(), &data[0]["code"]),
                ("error", &json!("unknown-game")),
                "{game}"
            );
        }
    }
    let rules = std::fs::read_to_string(games.join("nim.kif")).unwrap();
    for name in ["../secret.kif", "a/b.kif", "x.sh", "", ".kif", "con\u{0}.kif"] {
        let (kind, data) =
            ask(port, "save", &json!({ "name": name, "text": rules, "overwrite": true }));
        assert_eq!((kind.as_str(), &data[0]["code"]), ("error", &json!("bad-name")), "{name}");
    }
    assert_eq!(std::fs::read_to_string(folder.path().join("secret.kif")).unwrap(), "(role secret)");
    assert_eq!(
        ask(port, "save", &json!({ "name": "nim.kif", "text": "(role x)" })).1[0]["code"],
        "exists"
    );
    assert_eq!(ask(port, "save", &json!({ "name": "mine.kif", "text": rules })).1["id"], "mine");
    assert_eq!(std::fs::read_to_string(games.join("mine.kif")).unwrap(), rules);
    let bundled = Served::bundled();
    let (_, refused) = ask(bundled.port, "save", &json!({ "name": "mine.kif", "text": rules }));
    assert_eq!(refused[0]["code"], "no-folder");
}

#[test]
fn large_and_exploding_rules_end() {
    let served = Served::bundled();
    let port = served.port;
    let headers = format!("Host: 127.0.0.1:{port}\r\nContent-Type: application/json");
    let large = json!({ "text": "(a b) ".repeat(9_000_000) }).to_string();
    assert!(large.len() > 50_000_000);
    let answer = request(port, "POST /api/rules", &headers, &large);
    assert!(code(&answer) == 413 || answer.is_empty(), "{}", &answer[..answer.len().min(200)]);
    // Deep nesting, and a state that doubles with every step.
    let deep = format!("(role r) (init {}a{})", "(f ".repeat(100_000), ")".repeat(100_000));
    let (kind, _) = ask(port, "rules", &json!({ "text": deep }));
    assert!(kind == "error" || kind == "answer", "it is answered");
    let doubling = "(role r) (init (t a)) (legal r go) (<= (next (t (f ?x ?x))) (true (t ?x)))
        (<= (goal r 0) (true (t ?x))) (<= terminal (true (t never)))";
    let (kind, taken) = ask(port, "rules", &json!({ "name": "doubling", "text": doubling }));
    assert_eq!(kind, "answer", "{taken}");
    for _ in 0..2 {
        // The reasoner that was made for the first question answers the second.
        let (kind, seen) = ask(port, "view", &json!({ "game": taken["id"] }));
        assert_eq!(kind, "answer", "{seen}");
    }
    let from = Instant::now();
    let asked = json!({ "game": taken["id"], "question": "boards" });
    let (kind, _) = ask(port, "ask", &asked);
    assert!(kind == "error" || kind == "answer");
    println!("an exploding game was answered in {:?}", from.elapsed());
    let asked = json!({ "game": taken["id"], "role": 0, "seconds": 0.1 });
    assert_ne!(ask(port, "think", &asked).0, "", "the engine ends, too");
    assert_eq!(ask(port, "view", &json!({ "game": "tictactoe" })).0, "answer");
}

#[test]
fn a_thousand_sockets_do_not_keep_others_out() {
    let served = Served::bundled();
    let port = served.port;
    let mut open = Vec::new();
    for n in 0..1_100 {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { break };
        if n % 2 == 0 {
            let _ = stream.write_all(b"POST /api/games HTTP/1.1\r\nHost: ");
        }
        open.push(stream);
    }
    // Where a process may have only 1,024 files, some are left for the question.
    open.truncate(1_001);
    assert!(open.len() > 900, "{} sockets", open.len());
    let (kind, data) = ask(port, "games", &json!({}));
    assert_eq!(kind, "answer");
    assert!(data["games"].as_array().is_some_and(|games| games.len() > 30));
}

#[test]
fn a_thousand_tabs_that_say_nothing_do_not_keep_others_out() {
    let served = Served::bundled();
    let port = served.port;
    let upgrade = format!(
        "GET /api/socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
         Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let mut open = Vec::new();
    for _ in 0..1_100 {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { break };
        let _ = stream.write_all(upgrade.as_bytes());
        let mut head = [0; 12];
        if stream.read_exact(&mut head).is_err() {
            break;
        }
        assert_eq!(&head, b"HTTP/1.1 101");
        open.push(stream);
    }
    open.truncate(1_001);
    assert!(open.len() > 900, "{} sockets", open.len());
    assert_eq!(ask(port, "games", &json!({})).0, "answer");
}

#[test]
fn fifty_questions_at_once_are_all_answered() {
    let served = Served::bundled();
    let port = served.port;
    let asking: Vec<_> = (0..50)
        .map(|n| {
            let game = ["tictactoe", "nim", "hex3", "lightsout", "dilemma"][n % 5];
            let question = ["boards", "latches", "net", "domains", "frame"][n / 10];
            std::thread::spawn(move || {
                ask(port, "ask", &json!({ "game": game, "question": question }))
            })
        })
        .collect();
    assert_eq!(
        ask(port, "view", &json!({ "game": "tictactoe" })).0,
        "answer",
        "boards come meanwhile"
    );
    for answer in asking {
        let (kind, data) = answer.join().expect("no panic");
        assert_eq!(kind, "answer", "{data}");
    }
}

#[test]
fn questions_that_make_no_sense_are_answered_with_faults() {
    let served = Served::bundled();
    let port = served.port;
    let fault = |name: &str, body: Value| {
        let (kind, data) = ask(port, name, &body);
        assert_eq!(kind, "error", "{name} {body}: {data}");
        data[0]["code"].as_str().unwrap_or_default().to_string()
    };
    assert_eq!(
        fault("view", json!({ "game": "tictactoe", "moves": [["(mark 9 9)", "noop"]] })),
        "bad-move"
    );
    assert_eq!(fault("view", json!({ "game": 7 })), "bad-question");
    assert_eq!(
        fault("ask", json!({ "game": "tictactoe", "question": "weather" })),
        "unknown-question"
    );
    assert_eq!(fault("think", json!({ "game": "tictactoe", "role": 9, "seconds": 1 })), "no-role");
    assert_eq!(
        fault(
            "match",
            json!({ "game": "tictactoe", "players": [], "start_clock": 1, "play_clock": 1 })
        ),
        "players"
    );
    let own = format!("Host: 127.0.0.1:{port}\r\nContent-Type: application/json");
    assert_eq!(code(&request(port, "POST /api/nothing", &own, "{}")), 404);
    assert_eq!(code(&request(port, "POST /api/view", &own, "{")), 400);
}
