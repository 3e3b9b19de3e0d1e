//! Servers that break the rules, and rules that break: the player goes on.

use super::*;
use std::thread::sleep;

fn rules() -> String {
    one_line(TICTACTOE)
}

#[test]
fn get_options_and_lower_case() {
    let player = Listening::new("random");
    let info = "((name Tester) (status available) (species program))";
    let get = player.raw(b"GET /%28%20INFO%20%29 HTTP/1.0\r\nAccept: text/delim\r\n\r\n");
    assert_eq!(body(&get), info);
    assert_eq!(body(&player.raw(b"GET /(+info+) HTTP/1.1\r\nHost: x\r\n\r\n")), info);
    assert_eq!(player.say("(info)"), info);
    let options = player.raw(b"OPTIONS / HTTP/1.0\r\n\r\n");
    assert_eq!(body(&options), "");
    for header in [
        "Content-type: text/acl",
        "Content-length: 0",
        "Access-Control-Allow-Origin: *",
        "Access-Control-Allow-Methods: POST, GET, OPTIONS",
        "Access-Control-Allow-Headers: Content-Type",
        "Access-Control-Allow-Age: 86400",
    ] {
        assert!(options.lines().any(|line| line == header), "{header} in {options}");
        let name = header.split(':').next().unwrap();
        assert!(get.contains(name), "{name} in {get}");
    }
    let lower = start("M1", "WHITE", &rules(), "5 1 extra (arguments 7)").to_lowercase();
    assert_eq!(player.say(&lower), "ready");
    assert!(player.say("(play m1 nil)").starts_with("(mark "));
    assert_eq!(player.say("(Stop m1 ((mark 1 1) noop))"), "done");
}

#[test]
fn other_matches_find_it_busy() {
    let player = Listening::new("random");
    assert_eq!(player.say("( PLAY m1 NIL )"), "busy", "no match is on");
    assert_eq!(player.say(&start("m1", "white", &rules(), "5 5")), "ready");
    assert_eq!(player.status(), "busy");
    assert_eq!(player.say(&start("m2", "black", &rules(), "5 1")), "busy");
    for message in ["( PLAY m2 NIL )", "( STOP m2 NIL )", "( ABORT m2 )"] {
        assert_eq!(player.say(message), "busy", "{message}");
    }
    assert!(player.say("( PLAY m1 NIL )").starts_with("(mark "));
    assert_eq!(player.say("( ABORT m1 )"), "aborted");
    assert_eq!(player.status(), "available");
    assert_eq!(player.say(&start("m2", "black", &rules(), "5 1")), "ready");
    assert_eq!(player.say("( PLAY m2 NIL )"), "noop");
    assert_eq!(player.say("( STOP m2 NIL )"), "done");
}

#[test]
fn two_starts_at_once_give_one_match() {
    let player = Listening::new("random");
    let answers: Vec<String> = std::thread::scope(|scope| {
        let ask = |i| {
            scope.spawn({
                let p = &player;
                move || p.say(&start(&format!("m{i}"), "white", &rules(), "5 1"))
            })
        };
        let threads: Vec<_> = (0..8).map(ask).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert_eq!(answers.iter().filter(|a| *a == "ready").count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|a| *a == "busy").count(), 7, "{answers:?}");
}

#[test]
fn lengths_are_missing_or_wrong() {
    let player = Listening::new("random");
    let info = "((name Tester) (status available) (species program))";
    // No length: the sender closes, or waits with an open connection.
    let bare = b"POST / HTTP/1.0\r\nSender: GAMESERVER\r\n\r\n( INFO )";
    let mut stream = player.connect();
    stream.write_all(bare).unwrap();
    half_close(&stream);
    assert_eq!(body(&rest(&mut stream)), info);
    assert_eq!(body(&player.raw(bare)), info);
    // Too long: what is there is a whole list.
    assert_eq!(body(&player.raw(b"POST / HTTP/1.0\r\nContent-Length: 99\r\n\r\n( INFO )")), info);
    // Too short, as of a server that counts characters.
    let wide = rules().replace("cell", "żółć");
    let message = start("m1", "white", &wide, "5 1");
    let head = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n", message.chars().count());
    assert!(message.chars().count() < message.len());
    assert_eq!(body(&player.raw(format!("{head}{message}").as_bytes())), "ready");
    assert!(player.say("( PLAY m1 NIL )").starts_with("(mark "));
    assert_eq!(player.say("( STOP m1 NIL )"), "done");
    // In chunks.
    let chunks =
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n( IN\r\n4\r\nFO )\r\n0\r\n\r\n";
    assert_eq!(body(&player.raw(chunks)), info);
    // More follows after the message.
    let more = [&post("( INFO )")[..], &[b' '; 100_000]].concat();
    assert_eq!(body(&player.raw(&more)), info);
}

#[test]
fn slow_and_broken_connections_keep_nobody_waiting() {
    let player = Listening::new("random");
    // These never finish, and stay open while others are answered.
    let mut silent = [player.connect(), player.connect()];
    silent[0].write_all(b"POST / HT").unwrap();
    silent[1].write_all(b"POST / HTTP/1.0\r\nContent-Length: 50\r\n\r\n( STA").unwrap();
    for broken in
        [&b""[..], b"POST", b"POST / HTTP/1.0\r\n\r\n", b"POST / HTTP/1.0\r\n\r\n( START m1 "]
    {
        let mut stream = player.connect();
        stream.write_all(broken).unwrap();
    }
    let message = post("( INFO )");
    let mut slow = player.connect();
    for byte in &message {
        slow.write_all(&[*byte]).unwrap();
        sleep(Duration::from_millis(1));
    }
    assert!(body(&rest(&mut slow)).contains("available"));
    // A server that hangs up while its match is prepared and its move is thought about.
    player.connect().write_all(&post(&start("m1", "white", &rules(), "5 5"))).unwrap();
    while player.status() == "available" {
        sleep(Duration::from_millis(5));
    }
    player.connect().write_all(&post("( PLAY m1 NIL )")).unwrap();
    let first = player.say("( PLAY m1 NIL )");
    assert!(first.starts_with("(mark "), "{first}");
    assert_eq!(player.say("( PLAY m1 ((mark 2 2) noop) )"), "noop");
    assert_eq!(player.say("( STOP m1 NIL )"), "done");
}

#[test]
fn garbage_is_refused_with_a_reason() {
    let player = Listening::new("random");
    for (request, reason) in [
        (&b"garbage\r\n\r\n"[..], "not an HTTP request"),
        (b"BREW /pot HTTP/1.0\r\n\r\n", "nothing to BREW"),
        (b"POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello", "no message begins with `hello`"),
        (b"POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\n\xff\xfe\x00)", "no message begins"),
        (b"POST / HTTP/1.0\r\n\r\n( DANCE )", "`DANCE`"),
        (b"POST / HTTP/1.0\r\n\r\n( START m1 )", "START without a role"),
        (
            b"POST / HTTP/1.0\r\nContent-Length: 30\r\n\r\n( START m1 r ((role r) 1 1 )   ",
            "missing",
        ),
        (b"GET /favicon.ico HTTP/1.0\r\n\r\n", "favicon"),
    ] {
        let answer = player.raw(request);
        assert!(answer.starts_with("HTTP/1.0 400 "), "{answer}");
        assert!(answer.contains(reason), "{reason}: {answer}");
    }
    assert_eq!(player.status(), "available");
}

#[test]
fn bad_rules_abort_their_match_only() {
    let player = Listening::new("random");
    let deep = format!("(role r) (init {}a{})", "(f ".repeat(100_000), ")".repeat(100_000));
    for (rules, role) in [
        ("", "white"),
        ("this is no game", "white"),
        ("(<= (legal r ?x) (not (legal r ?x)) (q ?x)) (q a) (role r) (goal r 1) (init a)", "r"),
        (&deep, "white"),
        (&one_line(TICTACTOE), "nobody"),
    ] {
        let answer = player.say(&start("m", role, rules, "5 1"));
        let short: String = rules.chars().take(40).collect();
        assert_eq!(answer, "aborted", "{short}");
        assert_eq!(player.status(), "available");
    }
    // What nothing asks for does no harm.
    let idle = "(<= (p ?x) (not (p ?x)) (q ?x)) (q a) (role r) (legal r a) (goal r 1) (init a)";
    assert_eq!(player.say(&start("m", "r", idle, "5 1")), "ready");
    assert_eq!(player.say("( PLAY m NIL )"), "a");
    assert_eq!(player.say("( ABORT m )"), "aborted");
    // Moves that are not legal: the player answers with a legal move where it stands.
    assert_eq!(player.say(&start("m", "white", &rules(), "5 1")), "ready");
    for moves in ["((mark 9 9) noop)", "(noop)", "(()())", "((mark 1 1) noop noop)"] {
        assert!(player.say(&format!("( PLAY m {moves} )")).starts_with("(mark "), "{moves}");
    }
    assert_eq!(player.say("( ABORT m )"), "aborted");
}

#[test]
fn clocks_of_no_time_are_answered_all_the_same() {
    let player = Listening::new("uct,ponder");
    assert_eq!(player.say(&start("m", "white", &rules(), "0 0")), "ready");
    sleep(Duration::from_millis(300));
    assert!(player.say("( PLAY m NIL )").starts_with("(mark "));
    assert_eq!(player.say("( STOP m NIL )"), "done");
}

#[test]
fn a_silent_server_is_forgotten() {
    let player = Listening::forgetting("random", Duration::from_millis(100));
    assert_eq!(player.say(&start("m", "white", &rules(), "0.1 0.1")), "ready");
    while player.status() == "busy" {
        sleep(Duration::from_millis(20));
    }
    assert_eq!(player.say("( PLAY m NIL )"), "busy");
    assert!(player.log.lock().unwrap().iter().any(|l| l.contains("forgotten")));
}

#[test]
fn the_end_waits_for_answers_under_way() {
    let player = Listening::new("uct");
    assert_eq!(player.say(&start("m", "white", &rules(), "5 30")), "ready");
    let mut stream = player.connect();
    stream.write_all(&post("( PLAY m NIL )")).unwrap();
    sleep(Duration::from_millis(300));
    drop(player);
    assert!(body(&rest(&mut stream)).starts_with("(mark "));
}
