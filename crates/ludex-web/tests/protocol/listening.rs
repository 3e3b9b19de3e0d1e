//! A player that listens, and how game servers talk to it.

use ludex::budget::{Budget, Memory, Stop};
use ludex::play::Spec;
use ludex_web::{Server, Settings};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

fn seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// A player that listens, ended when dropped.
pub struct Listening {
    pub address: SocketAddr,
    budget: Budget,
    pub log: Arc<Mutex<Vec<String>>>,
    thread: Option<JoinHandle<std::io::Result<()>>>,
}

impl Listening {
    pub fn new(player: &str) -> Listening {
        Listening::forgetting(player, Duration::from_secs(300))
    }

    pub fn forgetting(player: &str, silence: Duration) -> Listening {
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
            memory: Arc::new(move || Memory::unlimited(&clock)),
            memories: None,
            log: Arc::new(move |event| {
                told.lock().unwrap().push(event.to_string().trim_end().into());
            }),
        };
        let thread = Some(std::thread::spawn(move || server.run(settings)));
        Listening { address, budget, log, thread }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes as they are and reads until the end.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        rest(&mut stream)
    }

    /// The answer to a message in a proper request.
    pub fn say(&self, message: &str) -> String {
        body(&self.raw(&post(message)))
    }

    pub fn status(&self) -> String {
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

pub fn post(message: &str) -> Vec<u8> {
    let head = "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: TESTER\r\n\
                Content-Type: text/acl\r\n";
    format!("{head}Content-Length: {}\r\n\r\n{message}", message.len()).into()
}

pub fn rest(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

/// The body of an answer, whose length is as announced.
pub fn body(answer: &str) -> String {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{answer:?}"));
    assert!(head.starts_with("HTTP/1.0 200 OK\r\n"), "{answer}");
    let length = head.lines().find_map(|l| l.strip_prefix("Content-length: ")).unwrap();
    assert_eq!(length.parse::<usize>().unwrap(), body.len());
    body.into()
}

/// Rules as game servers send them: one line without comments.
pub fn one_line(rules: &str) -> String {
    let lines = rules.lines().map(|line| line.split(';').next().unwrap().trim());
    lines.collect::<Vec<_>>().join(" ")
}

pub fn start(id: &str, role: &str, rules: &str, clocks: &str) -> String {
    format!("( START {id} {role} ({rules}) {clocks} )")
}
