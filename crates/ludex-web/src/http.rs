//! A connection -> the message on it; an answer -> its bytes.
//!
//! Written by hand because game servers break rules that HTTP libraries keep: some leave
//! Content-Length out and just close or wait (a request without it has no body by the standard), some
//! count characters instead of bytes. A message is one list of KIF, so it is complete when its last
//! parenthesis is closed, whatever the headers say; they decide only where there is no list.
//!
//! Requests are read by hand on tokio instead of with axum: game servers leave Content-Length out
//! or count characters in it, which HTTP libraries must read as no body or a part of it. A message
//! is one list of KIF, so it is complete when its last parenthesis is closed, whatever the headers
//! say. Answers are found on threads of their own. A panic there costs one answer.

use crate::places::{Place, SMALL};
use ludex::play::Nesting;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout, timeout_at};

/// Larger messages are not read: the rules of no game are a tenth as large, and reading them takes up to
/// eighty times their size.
pub const LARGEST: usize = 16_000_000;
/// Headers are not larger than this; the first line of GET may be.
const LARGEST_HEAD: usize = 1 << 16;
/// A request that takes longer is not read to its end.
pub const LONGEST: Duration = Duration::from_secs(30);
/// A sender that says nothing for so long has gone.
pub const SILENCE: Duration = Duration::from_secs(10);
/// The same once all announced bytes are there but the list is not closed.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the end of the sender's text is waited for after the answer, and an answer is sent.
const LINGER: Duration = Duration::from_secs(1);
/// Bytes that a request gets room for at first; then twice as many.
const FIRST: usize = 1 << 12;

/// What was asked for.
#[derive(Debug, PartialEq)]
pub enum Request {
    /// A message in the body or the path.
    Message(String),
    Options,
    /// Nothing that can be answered: the status, and why.
    Bad(&'static str, String),
}

const BAD: &str = "400 Bad Request";
const TOO_LARGE: &str = "413 Content Too Large";
const TOO_SLOW: &str = "408 Request Timeout";
const NO_ROOM: &str = "503 Service Unavailable";

/// The first line and the headers that matter.
#[derive(Debug, Default, PartialEq)]
struct Head {
    method: String,
    path: String,
    length: Option<usize>,
    chunked: bool,
    /// The sender waits for a word before it sends the body.
    expects: bool,
}

/// A request of which a part has been read.
pub struct Arriving {
    stream: TcpStream,
    place: Place,
    bytes: Vec<u8>,
    /// When it has to be complete.
    end: Instant,
}

/// Why a request is not read any further.
pub enum Halt {
    /// There is more of it than was to be read.
    More,
    /// The connection ended before there was one, or never ends.
    Gone,
    Bad(Request),
}

fn bad(why: impl Into<String>) -> Halt {
    Halt::Bad(Request::Bad(BAD, why.into()))
}

fn too_large() -> Halt {
    let most = LARGEST / 1_000_000;
    let why = format!("messages of more than {most} MB are not read");
    Halt::Bad(Request::Bad(TOO_LARGE, why))
}

impl Arriving {
    pub fn new(stream: TcpStream, place: Place) -> Arriving {
        Arriving { stream, place, bytes: vec![], end: Instant::now() + LONGEST }
    }

    /// Goes on with what comes next on another runtime.
    pub fn go_on<F>(self, runtime: &Handle, next: impl FnOnce(Arriving) -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let Arriving { stream, place, bytes, end } = self;
        let Ok(stream) = stream.into_std() else { return };
        place.go_on(runtime, move |place| async move {
            let Ok(stream) = TcpStream::from_std(stream) else { return };
            next(Arriving { stream, place, bytes, end }).await;
        });
    }

    /// Reads a request of up to so many bytes. May be called again after `Halt::More`.
    pub async fn read(&mut self, most: usize) -> Result<Request, Halt> {
        let late = || {
            let seconds = LONGEST.as_secs();
            let why = format!("a request has to be complete in {seconds} seconds");
            Halt::Bad(Request::Bad(TOO_SLOW, why))
        };
        let nothing = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_whitespace);
        match timeout_at(self.end, self.request(most)).await {
            Ok(read) => read,
            Err(_) => Err(if nothing(&self.bytes) { Halt::Gone } else { late() }),
        }
    }

    async fn request(&mut self, most: usize) -> Result<Request, Halt> {
        let end = self.head(most).await?;
        let head = Head::parse(&text(self.bytes[..end].to_vec())).map_err(bad)?;
        let message = match head.method.as_str() {
            "OPTIONS" => return Ok(Request::Options),
            "GET" => from_url(&head.path),
            "POST" | "PUT" => {
                self.body(&head, end, most).await?;
                let mut bytes = std::mem::take(&mut self.bytes);
                bytes.drain(..end);
                text(if head.chunked { from_chunks(&bytes) } else { bytes })
            }
            method => return Err(bad(format!("there is nothing to {method} here"))),
        };
        self.bytes = vec![];
        self.hold(message.capacity())?;
        Ok(Request::Message(message))
    }

    /// Reads until the end of the headers and tells where it is.
    async fn head(&mut self, most: usize) -> Result<usize, Halt> {
        let mut looked = 0;
        loop {
            let bytes = &self.bytes;
            if let Some(end) = end_of_head(bytes, looked) {
                return Ok(end);
            }
            looked = bytes.len().saturating_sub(3);
            let get = bytes.starts_with(b"GET ") || bytes.starts_with(b"get ");
            if bytes.len() > LARGEST_HEAD && !get {
                return Err(bad("the headers are too large"));
            }
            if !self.more(SILENCE, most).await? {
                let nothing = self.bytes.iter().all(u8::is_ascii_whitespace);
                let cut = || bad("the request has no end of headers");
                return Err(if nothing { Halt::Gone } else { cut() });
            }
        }
    }

    /// Reads until the end of the body, which begins somewhere.
    async fn body(&mut self, head: &Head, begin: usize, most: usize) -> Result<(), Halt> {
        match head.length {
            Some(length) if length > most => return Err(Halt::More),
            Some(length) if length > LARGEST => return Err(too_large()),
            _ => {}
        }
        if head.expects && self.bytes.len() == begin {
            // A sender that does not get this sends the body all the same after a while.
            let _ = self.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await;
        }
        let mut nesting = Nesting::default();
        let mut looked = begin;
        loop {
            if !head.chunked && nesting.read(&self.bytes[looked..]).is_some() {
                return Ok(());
            }
            looked = self.bytes.len();
            let announced = head.length.is_some_and(|length| looked - begin >= length);
            if (announced && !nesting.open()) || (head.chunked && chunks_end(&self.bytes)) {
                return Ok(());
            }
            let wait = if announced { PATIENCE } else { SILENCE };
            if !self.more(wait, most).await? {
                return Ok(());
            }
        }
    }

    /// Reads some more; false at the end, after silence or an error.
    async fn more(&mut self, wait: Duration, most: usize) -> Result<bool, Halt> {
        match self.bytes.len() {
            length if length >= most => return Err(Halt::More),
            length if length >= LARGEST => return Err(too_large()),
            _ => {}
        }
        // Whoever says nothing holds nothing.
        if !matches!(timeout(wait, self.stream.readable()).await, Ok(Ok(()))) {
            return Ok(false);
        }
        if self.bytes.len() == self.bytes.capacity() {
            let capacity = (2 * self.bytes.len()).clamp(FIRST, LARGEST);
            self.hold(capacity)?;
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        let Ok(Ok(read @ 1..)) = timeout(wait, self.stream.read_buf(&mut self.bytes)).await else {
            return Ok(false);
        };
        if self.bytes.len() > SMALL {
            self.place.pause(read).await;
        }
        Ok(true)
    }

    fn hold(&self, bytes: usize) -> Result<(), Halt> {
        let full = || Request::Bad(NO_ROOM, "too much is being sent at once".into());
        if self.place.hold(bytes) { Ok(()) } else { Err(Halt::Bad(full())) }
    }

    /// The request is being answered; its connection stays whoever else comes.
    pub fn set_answered(&self, answered: bool) {
        self.place.set_answered(answered);
    }

    /// Sends an answer. Nobody is left to tell if that fails.
    pub async fn send(&mut self, status: &str, answer: &str) {
        let head = format!(
            "HTTP/1.0 {status}\r\n\
             Content-type: text/acl\r\n\
             Content-length: {}\r\n\
             Access-Control-Allow-Origin: *\r\n\
             Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
             Access-Control-Allow-Headers: Content-Type\r\n\
             Access-Control-Allow-Age: 86400\r\n\
             Connection: close\r\n\r\n",
            answer.len()
        );
        let whole = head + answer;
        let sending = async {
            let _ = self.stream.write_all(whole.as_bytes()).await;
            let _ = self.stream.shutdown().await;
        };
        let _ = timeout(LINGER, sending).await;
    }

    /// Reads what is left and closes: closing while something is unread would take the answer back.
    pub async fn close(mut self) {
        let mut rest = [0; 1 << 12];
        let drain = async {
            while let Ok(read @ 1..) = self.stream.read(&mut rest).await {
                self.place.pause(read).await;
            }
        };
        let _ = timeout(LINGER, drain).await;
    }
}

/// Where the empty line ends, looked for from a place on.
fn end_of_head(bytes: &[u8], from: usize) -> Option<usize> {
    let find = |mark: &[u8]| {
        let at = bytes[from..].windows(mark.len()).position(|w| w == mark);
        at.map(|at| from + at + mark.len())
    };
    match (find(b"\r\n\r\n"), find(b"\n\n")) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

impl Head {
    fn parse(text: &str) -> Result<Head, String> {
        let mut lines = text.lines().skip_while(|line| line.trim().is_empty());
        let first = lines.next().unwrap_or_default();
        let (method, rest) = first.split_once(' ').ok_or("this is not an HTTP request")?;
        let path = rest.trim();
        // Some put the message into the path as it is, with spaces.
        let path = path.rsplit_once(" HTTP/").map_or(path, |(path, _)| path);
        let mut head = Head { method: method.to_uppercase(), path: path.into(), ..Head::default() };
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            match name.trim().to_ascii_lowercase().as_str() {
                "content-length" => head.length = value.parse().ok(),
                "transfer-encoding" => head.chunked = value.eq_ignore_ascii_case("chunked"),
                "expect" => head.expects = value.eq_ignore_ascii_case("100-continue"),
                _ => {}
            }
        }
        Ok(head)
    }
}

/// The message in a path: `/%28%20INFO%20%29` or `/?( INFO )`; no message asks for information.
fn from_url(path: &str) -> String {
    let path = path.trim_start_matches('/').trim_start_matches('?');
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        match (first, after.get(..2).and_then(hex)) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
                continue;
            }
            (b'+', _) => bytes.push(b' '),
            (byte, _) => bytes.push(*byte),
        }
        rest = after;
    }
    if bytes.is_empty() { "( INFO )".into() } else { text(bytes) }
}

fn chunks_end(bytes: &[u8]) -> bool {
    bytes.ends_with(b"\r\n0\r\n\r\n") || bytes == b"0\r\n\r\n"
}

/// The bytes of a body in chunks, each after a line with its size.
fn from_chunks(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(bytes.len());
    while let Some(end) = bytes.windows(2).position(|w| w == b"\r\n") {
        let line = String::from_utf8_lossy(&bytes[..end]);
        let digits = line.split(';').next().unwrap_or_default().trim();
        let Ok(size @ 1..) = usize::from_str_radix(digits, 16) else { break };
        let chunk = &bytes[end + 2..];
        whole.extend_from_slice(&chunk[..size.min(chunk.len())]);
        bytes = chunk.get(size + 2..).unwrap_or_default();
    }
    whole
}

/// UTF-8, or else Latin-1.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_real_servers_are_read() {
        let head = Head::parse(
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: GAMESERVER\r\nReceiver: ME\r\n\
             Content-Type: text/acl\r\ncontent-LENGTH:  12\r\n\r\n",
        );
        let expected =
            Head { method: "POST".into(), path: "/".into(), length: Some(12), ..Head::default() };
        assert_eq!(head, Ok(expected));
        assert_eq!(Head::parse("post /( INFO ) HTTP/1.1\n\n").unwrap().path, "/( INFO )");
        assert!(Head::parse("garbage").is_err());
        assert_eq!(end_of_head(b"GET / HTTP/1.0\r\n\r\nx", 0), Some(18));
        assert_eq!(end_of_head(b"GET /\n\nx\r\n\r\n", 3), Some(7));
    }

    #[test]
    fn messages_in_paths_are_decoded() {
        assert_eq!(from_url("/%28%20INFO+%29"), "( INFO )");
        assert_eq!(from_url("/?(info)"), "(info)");
        assert_eq!(from_url("/"), "( INFO )");
        assert_eq!(from_url("/100%"), "100%");
        assert_eq!(from_url("/%zz%C3%A9"), "%zzé");
    }

    #[test]
    fn chunks_are_put_together() {
        let body = b"3\r\n(a \r\n2;x=y\r\nb)\r\n0\r\n\r\n";
        assert!(chunks_end(body));
        assert_eq!(from_chunks(body), b"(a b)");
        assert_eq!(from_chunks(b"ff\r\nshort"), b"short");
        assert_eq!(from_chunks(b"nonsense"), b"");
    }
}
