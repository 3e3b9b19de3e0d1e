//! Players elsewhere, as a referee meets them: the answers of good ones, the faults of bad ones.

use super::*;
use ludex::budget::{Budget, Stop};
use ludex::interp::Interp;
use ludex::play::{Clock, Disguise, MoveFault, Player};
use ludex::reason::{StateMachine, View, view};
use ludex::rules::Rules;
use ludex::source::Source;
use ludex_web::Remote;
use std::net::TcpListener;

fn remote(address: SocketAddr) -> Remote {
    Remote {
        address: format!("http://{address}").parse().unwrap(),
        id: "m".into(),
        role: "white".into(),
        rules: one_line(TICTACTOE),
        start_clock: 5.0,
        play_clock: 1.0,
        disguise: None,
    }
}

fn first_view() -> View {
    let (rules, _) = Rules::read(&Source::new("rules", TICTACTOE), None).unwrap();
    let mut game = Interp::new(&rules).unwrap();
    let state = game.initial();
    view(&mut game, &state)
}

fn clock(seconds: f64) -> Clock {
    Clock { seconds, think: Budget::unlimited(), answer: Budget::unlimited() }
}

/// A player that answers every request with the same bytes, or not at all.
fn answering(bytes: Option<&'static [u8]>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming().flatten() {
            match bytes {
                Some(bytes) => {
                    let mut stream = stream;
                    let mut some = [0; 1 << 16];
                    let _ = stream.read(&mut some);
                    let _ = stream.write_all(bytes);
                }
                None => kept.push(stream),
            }
        }
    });
    address
}

#[test]
fn a_player_of_our_own_is_played_with() {
    let listening = Listening::new("random");
    let mut remote = remote(listening.address);
    assert_eq!(remote.start(&clock(5.0)), Ok(()));
    let answer = remote.play(&first_view(), &[], &clock(5.0)).unwrap();
    assert!(answer.starts_with("(mark "), "{answer}");
    let history = vec![vec!["(mark 1 1)".to_string(), "noop".to_string()]];
    assert_eq!(remote.play(&first_view(), &history, &clock(5.0)), Ok("noop".into()));
    remote.stop(&history, true);
    assert_eq!(listening.status(), "available");
}

#[test]
fn names_can_be_hidden_from_a_player() {
    let listening = Listening::new("random");
    let mut remote = Remote { disguise: Some(Disguise::new(1)), ..remote(listening.address) };
    assert_eq!(remote.start(&clock(5.0)), Ok(()));
    let answer = remote.play(&first_view(), &[], &clock(5.0)).unwrap();
    assert!(answer.starts_with("(mark "), "{answer}");
    let history = vec![vec![answer, "noop".to_string()]];
    assert_eq!(remote.play(&first_view(), &history, &clock(5.0)), Ok("noop".into()));
    remote.stop(&history, true);
    let log = listening.log.lock().unwrap();
    assert!(log.iter().all(|l| !l.contains("mark") && !l.contains("white")), "{log:?}");
}

#[test]
fn faults_are_told_apart() {
    let ask = |address| remote(address).play(&first_view(), &[], &clock(0.3));
    let ok = b"HTTP/1.0 200 OK\r\nContent-length: 4\r\n\r\nnoop";
    assert_eq!(ask(answering(Some(ok))), Ok("noop".into()));
    let bare = b"HTTP/1.0 200 OK\r\n\r\n ( mark 1 1 )\n";
    assert_eq!(ask(answering(Some(bare))), Ok("( mark 1 1 )".into()));
    let unix = b"HTTP/1.0 200 OK\nContent-length: 4\n\nnoop";
    assert_eq!(ask(answering(Some(unix))), Ok("noop".into()));
    assert_eq!(ask(answering(None)), Err(MoveFault::TimeOut));
    for broken in [&b""[..], b"nonsense", b"HTTP/1.0 200"] {
        assert!(matches!(ask(answering(Some(broken))), Err(MoveFault::Connection(_))));
    }
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert!(matches!(ask(closed), Err(MoveFault::Connection(_))));
}

#[test]
fn a_player_that_is_not_up_yet_is_tried_again() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let late = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        let (mut stream, _) = TcpListener::bind(address).unwrap().accept().unwrap();
        let mut some = [0; 1 << 16];
        let _ = stream.read(&mut some);
        stream.write_all(b"HTTP/1.0 200 OK\r\nContent-length: 5\r\n\r\nready").unwrap();
    });
    assert_eq!(remote(address).start(&clock(20.0)), Ok(()));
    late.join().unwrap();
}

#[test]
fn a_wait_ends_with_the_match() {
    let ended = clock(1_000.0);
    ended.answer.stop(Stop::Interrupted);
    assert_eq!(remote(answering(None)).start(&ended), Err(MoveFault::TimeOut));
}
