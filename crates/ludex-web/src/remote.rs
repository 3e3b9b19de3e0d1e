//! `Remote`: a player somewhere else, asked over HTTP as game servers do.
//!
//! One small request and one small answer on a connection of their own: the standard library's
//! sockets do that without a crate for HTTP clients, and every wait has its end.

use ludex::budget::Budget;
use ludex::play::{Clock, Disguise, Message, MoveFault, Player};
use ludex::reason::View;
use ludex::source::Misread;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::time::{Duration, Instant};

const CONNECT: Duration = Duration::from_secs(5);
/// The wait for an answer that changes nothing.
const COURTESY: Duration = Duration::from_secs(2);
/// How often a wait looks whether the match was ended, and a player that is not there yet is tried again.
const LOOK: Duration = Duration::from_millis(50);
/// No answer is larger.
const LARGEST: u64 = 1 << 20;

/// `http://host:port`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub host: String,
    pub port: u16,
}

impl FromStr for Address {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Address, Misread> {
        let wrong = || Misread(format!("{text} is not an address such as http://localhost:9147"));
        let rest = text.strip_prefix("http://").ok_or_else(wrong)?.trim_end_matches('/');
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) => (host, port.parse().map_err(|_| wrong())?),
            None => (rest, 9147),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() || host.contains('/') {
            return Err(wrong());
        }
        Ok(Address { host: host.into(), port })
    }
}

pub struct Remote {
    pub address: Address,
    /// The match.
    pub id: String,
    pub role: String,
    /// Clauses in KIF.
    pub rules: String,
    pub start_clock: f64,
    pub play_clock: f64,
    /// Other names than those of the rules are sent and understood.
    pub disguise: Option<Disguise>,
}

impl Remote {
    fn hide(&mut self, text: &str) -> String {
        self.disguise.as_mut().map_or_else(|| text.into(), |disguise| disguise.hide(text))
    }

    /// The last joint move of a history.
    fn last(&mut self, history: &[Vec<String>]) -> Vec<String> {
        history.last().into_iter().flatten().map(|text| self.hide(text)).collect()
    }

    fn ask(&self, message: &Message, wait: &Wait) -> Result<String, MoveFault> {
        exchange(&self.address, &message.to_string(), wait).map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => MoveFault::TimeOut,
            _ => MoveFault::Connection(error.to_string()),
        })
    }
}

impl Player for Remote {
    fn start(&mut self, clock: &Clock) -> Result<(), MoveFault> {
        let (rules, role) = (self.rules.clone(), self.role.clone());
        let message = Message::Start {
            id: self.id.clone(),
            rules: self.hide(&rules),
            role: self.hide(&role),
            start_clock: self.start_clock,
            play_clock: self.play_clock,
        };
        // It may not be up yet.
        self.ask(&message, &Wait { again: true, ..Wait::of(clock) }).map(|_| ())
    }

    fn play(
        &mut self,
        _: &View,
        history: &[Vec<String>],
        clock: &Clock,
    ) -> Result<String, MoveFault> {
        let message = Message::Play { id: self.id.clone(), moves: self.last(history) };
        let answer = self.ask(&message, &Wait::of(clock))?;
        Ok(self.disguise.as_ref().map_or_else(|| answer.clone(), |d| d.reveal(&answer)))
    }

    fn stop(&mut self, history: &[Vec<String>], completed: bool) {
        let id = self.id.clone();
        let message = match completed {
            true => Message::Stop { id, moves: self.last(history) },
            false => Message::Abort { id },
        };
        // The match is over whatever it says.
        let _ = self.ask(&message, &Wait::lasting(COURTESY, &Budget::unlimited()));
    }
}

/// How long an answer is waited for.
struct Wait {
    end: Instant,
    /// What ends it sooner.
    budget: Budget,
    /// A player that cannot be reached is tried again.
    again: bool,
}

impl Wait {
    fn of(clock: &Clock) -> Wait {
        Wait::lasting(Duration::from_secs_f64(clock.seconds), &clock.answer)
    }

    fn lasting(time: Duration, budget: &Budget) -> Wait {
        Wait { end: Instant::now() + time, budget: budget.clone(), again: false }
    }

    /// The time that is left.
    fn left(&self) -> io::Result<Duration> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() || self.budget.check().is_err() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(left)
    }
}

/// Sends a message and reads the answer, all within a time.
fn exchange(address: &Address, message: &str, wait: &Wait) -> io::Result<String> {
    let mut stream = reach(address, wait)?;
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: PLAYER\r\n\
         Content-Type: text/acl\r\nContent-Length: {}\r\n\r\n{message}",
        message.len()
    );
    stream.set_write_timeout(Some(wait.left()?))?;
    stream.write_all(request.as_bytes())?;
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        stream.set_read_timeout(Some(wait.left()?.min(LOOK)))?;
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => bytes.extend_from_slice(&part[..read]),
            Err(error) if is_pause(&error) => continue,
            Err(error) => return Err(error),
        }
        if complete(&bytes) || bytes.len() as u64 > LARGEST {
            break;
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, "the answer is not HTTP");
    let (head, body) = parts(&text).ok_or_else(wrong)?;
    if !head.starts_with("HTTP/") {
        return Err(wrong());
    }
    Ok(body.trim().to_string())
}

/// Nothing came for a while.
fn is_pause(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

/// A connection, at once or when the player is up.
fn reach(address: &Address, wait: &Wait) -> io::Result<TcpStream> {
    loop {
        match connect(address, wait.left()?) {
            Err(_) if wait.again && wait.left()? > LOOK => std::thread::sleep(LOOK),
            found => return found,
        }
    }
}

fn connect(address: &Address, wait: Duration) -> io::Result<TcpStream> {
    // That it cannot be reached is no fault of its clock.
    let away = |why: String| io::Error::new(io::ErrorKind::NotConnected, why);
    let mut last = away("the name has no address".into());
    for place in (address.host.as_str(), address.port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, CONNECT.min(wait)) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = away(error.to_string()),
        }
    }
    Err(last)
}

/// Head and body of an answer. Some programs of the field end lines with a bare LF.
fn parts(text: &str) -> Option<(&str, &str)> {
    let ends = ["\r\n\r\n", "\n\n", "\n\r\n"].into_iter().filter_map(|end| text.split_once(end));
    ends.min_by_key(|(head, _)| head.len())
}

/// All that was announced is there.
fn complete(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let Some((head, body)) = parts(&text) else { return false };
    let length = head.lines().filter_map(|line| line.split_once(':')).find_map(|(name, value)| {
        let length = name.trim().eq_ignore_ascii_case("content-length");
        if length { value.trim().parse::<usize>().ok() } else { None }
    });
    length.is_some_and(|length| body.len() >= length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let address = |host: &str, port| Ok(Address { host: host.into(), port });
        assert_eq!("http://localhost:80/".parse(), address("localhost", 80));
        assert_eq!("http://10.0.0.1".parse(), address("10.0.0.1", 9147));
        assert_eq!("http://[::1]:5".parse(), address("::1", 5));
        for wrong in ["localhost:80", "http://", "http://a:b", "http://a/b"] {
            assert!(wrong.parse::<Address>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_answer_is_complete_when_its_length_is_there() {
        assert!(!complete(b"HTTP/1.0 200 OK\r\nContent-length: 2\r\n\r\na"));
        assert!(complete(b"HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nab"));
        assert!(!complete(b"HTTP/1.0 200 OK\r\n\r\nab"));
        assert!(complete(b"HTTP/1.0 200 OK\ncontent-length: 2\n\nab"));
    }
}
