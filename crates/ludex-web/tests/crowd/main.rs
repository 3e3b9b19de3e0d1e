//! A crowd that says nothing, or far too much, while a match is played: every move comes and is legal,
//! and memory stays bounded.
//!
//! A program of its own, since it measures what the process uses.

#[path = "../protocol/listening.rs"]
mod listening;
#[path = "../protocol/server.rs"]
mod server;

use listening::{Listening, one_line, start};
use server::Table;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

const CONNECT_FOUR: &str = include_str!("../../../../games/connectfour.kif");
/// What each sender sends.
const LARGE: usize = 200_000_000;
/// What the process may use: the requests, copies of the largest while it is read, the match.
const MEMORY: u64 = 800_000_000;

/// Who comes.
struct Crowd {
    idle: usize,
    senders: usize,
    /// Threads that keep processors busy.
    busy: usize,
    matches: usize,
    turns: usize,
}

#[test]
fn a_match_goes_on_in_a_crowd() {
    storm(&Crowd { idle: 1_100, senders: 8, busy: 0, matches: 1, turns: 4 });
}

/// `cargo test -p ludex-web --test crowd -- --ignored --nocapture`
#[test]
#[ignore = "5,000 connections and fifty senders on a busy machine, for a minute"]
fn matches_go_on_in_a_great_crowd_on_a_busy_machine() {
    storm(&Crowd { idle: 5_000, senders: 50, busy: 2, matches: 5, turns: 6 });
}

fn storm(crowd: &Crowd) {
    // Both ends of every connection are files of this process.
    let files = (crowd.idle + ludex_web::PLACES + crowd.senders * 2 + 200) as u64;
    let allowed = rlimit::increase_nofile_limit(files).unwrap();
    assert!(allowed >= files, "{files} open files are needed, {allowed} allowed (ulimit -n)");
    let player = Listening::new("mcts,threads=2,ponder,nodes=100000");
    let (over, sent) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut waits = vec![];
    std::thread::scope(|scope| {
        // Also where an assertion fails, or nothing would end.
        let _end = Raised(&over);
        for _ in 0..crowd.busy {
            scope.spawn(|| {
                while !over.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        for sender in 0..crowd.senders {
            let (over, sent, address) = (&over, &sent, player.address);
            scope.spawn(move || {
                while !over.load(Relaxed) {
                    sent.fetch_add(send(address, sender, over) as u64, Relaxed);
                }
            });
        }
        let mut idle: Vec<TcpStream> = (0..crowd.idle).map(|_| player.connect()).collect();
        // Some have begun to speak.
        idle.iter_mut().step_by(2).for_each(|stream| drop(stream.write_all(b"POST / HT")));
        for number in 0..crowd.matches {
            play(&player, &format!("m{number}"), crowd.turns, &mut waits);
            // The server has closed most of them by now; others take their places.
            idle.iter_mut().for_each(|stream| *stream = player.connect());
        }
    });
    assert!(sent.load(Relaxed) > LARGE as u64, "the crowd has sent next to nothing");
    waits.sort();
    println!(
        "{} connections and {} senders, {} MB sent: {} answers, half of them after {:?} (nothing to \
         decide) to {:?}, the last after {:?} of the clock's 2 s",
        crowd.idle,
        crowd.senders,
        sent.load(Relaxed) / 1_000_000,
        waits.len(),
        waits[0],
        waits[waits.len() / 2 - 1],
        waits[waits.len() - 1],
    );
    match peak_memory() {
        Some(peak) => {
            println!("{} MB were used at the most", peak / 1_000_000);
            assert!(peak < MEMORY, "{peak} bytes were used");
        }
        None => println!("skipped: what the process uses is known on Linux only"),
    }
}

struct Raised<'a>(&'a AtomicBool);

impl Drop for Raised<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The first turns of a match, with a play clock of 2 seconds, and how long the answers took.
fn play(player: &Listening, id: &str, turns: usize, waits: &mut Vec<Duration>) {
    let rules = one_line(CONNECT_FOUR);
    let mut table = Table::new(&rules, 1);
    let role = table.seen().roles[0].clone();
    assert_eq!(player.say(&start(id, &role, &rules, "5 2")), "ready");
    for _ in 0..turns {
        let asked = Instant::now();
        let answer = player.say(&format!("( PLAY {id} {} )", table.last()));
        waits.push(asked.elapsed());
        table.make(0, &answer);
    }
    assert_eq!(player.status(), "busy");
    assert_eq!(player.say(&format!("( ABORT {id} )")), "aborted");
    let log = player.log.lock().unwrap();
    assert!(log.iter().any(|line| *line == format!("{id}: aborted")), "{log:?}");
}

/// Sends too much in one of several ways; tells how much went out.
fn send(address: SocketAddr, way: usize, over: &AtomicBool) -> usize {
    let Ok(mut stream) = TcpStream::connect(address) else { return 0 };
    let _ = stream.set_write_timeout(Some(Duration::from_secs(1)));
    let (head, length) = match way % 4 {
        0 => (format!("POST / HTTP/1.0\r\nContent-Length: {LARGE}\r\n\r\n( START m r ("), LARGE),
        // Nobody knows how long it will be.
        1 => ("POST / HTTP/1.0\r\n\r\n( START m r (".into(), LARGE),
        2 => {
            let chunk = format!("{LARGE:x}\r\n( START m r (");
            (format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{chunk}"), LARGE)
        }
        // As much as is allowed, but for the end.
        _ => ("POST / HTTP/1.0\r\n\r\n( START m r (".into(), ludex_web::LARGEST - 1_000),
    };
    let block = b"(p a) ".repeat(10_000);
    let mut sent = 0;
    let mut ok = stream.write_all(head.as_bytes()).is_ok();
    while ok && sent < length && !over.load(Relaxed) {
        let part = &block[..block.len().min(length - sent)];
        ok = stream.write_all(part).is_ok();
        sent += part.len();
    }
    // Held until the player has enough of it.
    let _ = stream.set_read_timeout(Some(Duration::from_secs(1)));
    let _ = stream.read(&mut [0; 100]);
    sent
}

/// Bytes of memory that the process has had at the most.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}
