//! A player on a real socket, and game servers good and bad.

mod faults;
mod matches;
mod remote;
mod server;

use ludex::budget::{Budget, Stop};
use ludex::play::Spec;
use ludex_web::{Server, Settings};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

fn seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// A player that listens, ended when dropped.
struct Listening {
    address: SocketAddr,
    budget: Budget,
    log: Arc<Mutex<Vec<String>>>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl Listening {
    fn new(player: &str) -> Listening {
        Listening::forgetting(player, Duration::from_secs(300))
    }

    fn forgetting(player: &str, silence: Duration) -> Listening {
        let server = Server::bind("127.0.0.1", 0).unwrap();
        let address = server.address().unwrap();
        let (budget, log) = (Budget::new(seconds), Arc::new(Mutex::new(Vec::new())));
        let (clock, told) = (budget.clone(), log.clone());
        let settings = Settings {
            name: "Tester".into(),
            player: player.parse::<Spec>().unwrap(),
            margin: Duration::from_millis(500),
            silence,
            budget: budget.clone(),
            grounding: Arc::new(move || clock.fresh()),
            log: Arc::new(move |line| told.lock().unwrap().push(line.into())),
        };
        let thread = Some(std::thread::spawn(move || server.run(settings)));
        Listening { address, budget, log, thread }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are and reads until the end.
    fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        rest(&mut stream)
    }

    /// The answer to a message in a proper request.
    fn say(&self, message: &str) -> String {
        body(&self.raw(&post(message)))
    }

    fn status(&self) -> String {
        let info = self.say("( INFO )");
        let status = info.split("(status ").nth(1).and_then(|rest| rest.split(')').next());
        status.unwrap_or_else(|| panic!("{info}")).into()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.budget.stop(Stop::Interrupted);
        let ended = self.thread.take().unwrap().join();
        if !std::thread::panicking() {
            ended.expect("the server does not panic").unwrap();
        }
    }
}

fn post(message: &str) -> Vec<u8> {
    let head = "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: TESTER\r\n\
                Content-Type: text/acl\r\n";
    format!("{head}Content-Length: {}\r\n\r\n{message}", message.len()).into()
}

fn rest(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

/// The body of an answer, whose length is as announced.
fn body(answer: &str) -> String {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer:?}"));
    assert!(head.starts_with("HTTP/1.0 200 OK\r\n"), "{answer}");
    let length = head.lines().find_map(|l| l.strip_prefix("Content-length: ")).unwrap();
    assert_eq!(length.parse::<usize>().unwrap(), body.len());
    body.into()
}

/// No more is sent, but an answer is waited for.
fn half_close(stream: &TcpStream) {
    stream.shutdown(Shutdown::Write).unwrap();
}

const TICTACTOE: &str = include_str!("../../../../games/tictactoe.kif");

/// Rules as game servers send them: one line without comments.
fn one_line(rules: &str) -> String {
    let lines = rules.lines().map(|line| line.split(';').next().unwrap().trim());
    lines.collect::<Vec<_>>().join(" ")
}

fn start(id: &str, role: &str, rules: &str, clocks: &str) -> String {
    format!("( START {id} {role} ({rules}) {clocks} )")
}
