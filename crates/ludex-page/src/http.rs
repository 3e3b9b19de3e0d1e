//! Bytes -> `Request`, and answers back: one request a connection, bounded in size and time.
//!
//! Not axum: it has routes and bodies, of which the page needs three kinds (files, questions with a stream of
//! events, one socket a tab), and brings 15 more crates (hyper, tower and theirs) to a build that is meant to be
//! short. What is hard here it leaves to its user: whose connection is given up for another one (`places.rs`), how
//! much time and room a head and a body have, and that work ends with its tab. `httparse` reads the heads,
//! `tungstenite` speaks the protocol of sockets.

use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Bytes of a question.
pub const LARGEST: usize = 8_000_000;
/// Bytes of a head, and its lines.
const HEAD: usize = 16_384;
const LINES: usize = 64;
/// How long a head, and a body, may take.
const HEAD_TIME: Duration = Duration::from_secs(10);
const BODY_TIME: Duration = Duration::from_secs(30);

/// What each answer carries: no script, frame or address but the page's own.
const HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
    X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\nCache-Control: no-cache\r\nConnection: close\r\n";

/// The head of a request, and what came after it.
pub struct Request {
    pub method: String,
    pub path: String,
    headers: Vec<(String, String)>,
    rest: Vec<u8>,
}

/// Why a request is not answered as it wished: a code and its reason.
#[derive(Debug)]
pub struct Refused(pub u16, pub &'static str);

impl Request {
    #[cfg(test)]
    pub fn new(method: &str, path: &str, headers: &[(&str, &str)]) -> Request {
        let lower = |(name, value): &(&str, &str)| (name.to_ascii_lowercase(), value.to_string());
        let headers = headers.iter().map(lower).collect();
        Request { method: method.into(), path: path.into(), headers, rest: vec![] }
    }

    /// The value of a header; none also where it is given twice with different values.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(n, _)| n == name).map(|(_, v)| v.as_str());
        let first = values.next()?;
        values.all(|other| other == first).then_some(first)
    }

    pub fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(n, _)| n == name)
    }

    /// Reads the head; nothing where the connection ends before it.
    pub async fn read(stream: &mut TcpStream) -> Result<Request, Option<Refused>> {
        let reading = async {
            let mut bytes = Vec::new();
            loop {
                if let Some(request) = Request::parse(&bytes)? {
                    return Ok(request);
                }
                let room = bytes.len() < HEAD;
                if !room || stream.read_buf(&mut bytes).await.map_err(|_| None::<Refused>)? == 0 {
                    return Err((!room).then_some(Refused(431, "the head is too large")));
                }
            }
        };
        timeout(HEAD_TIME, reading).await.unwrap_or(Err(None))
    }

    fn parse(bytes: &[u8]) -> Result<Option<Request>, Option<Refused>> {
        let mut lines = [httparse::EMPTY_HEADER; LINES];
        let mut head = httparse::Request::new(&mut lines);
        let bad = |_| Some(Refused(400, "this is not HTTP"));
        let httparse::Status::Complete(length) = head.parse(bytes).map_err(bad)? else {
            return Ok(None);
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let headers = head.headers.iter().map(|h| (h.name.to_ascii_lowercase(), text(h.value)));
        Ok(Some(Request {
            method: head.method.unwrap_or_default().into(),
            path: head.path.unwrap_or_default().into(),
            headers: headers.collect(),
            rest: bytes[length..].to_vec(),
        }))
    }

    /// Reads the body.
    pub async fn body(&mut self, stream: &mut TcpStream) -> Result<Vec<u8>, Refused> {
        let length = self.header("content-length").and_then(|l| l.parse::<usize>().ok());
        let length = length.ok_or(Refused(411, "a question says how long it is"))?;
        if length > LARGEST {
            return Err(Refused(413, "the question is too large"));
        }
        let mut body = std::mem::take(&mut self.rest);
        let reading = async {
            while body.len() < length {
                let mut part = (&mut *stream).take((length - body.len()) as u64);
                if part.read_buf(&mut body).await? == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            io::Result::Ok(body)
        };
        match timeout(BODY_TIME, reading).await {
            Ok(Ok(body)) => Ok(body),
            _ => Err(Refused(408, "the question did not come in time")),
        }
    }
}

/// Writes the head of an answer; a stream says no length.
pub async fn write_head(
    stream: &mut TcpStream,
    code: u16,
    kind: &str,
    length: Option<usize>,
) -> io::Result<()> {
    let length = length.map_or(String::new(), |n| format!("Content-Length: {n}\r\n"));
    let head = format!(
        "HTTP/1.1 {code} {}\r\nContent-Type: {kind}\r\n{length}{HEADERS}\r\n",
        reason(code)
    );
    stream.write_all(head.as_bytes()).await
}

/// Writes a whole answer.
pub async fn write(stream: &mut TcpStream, code: u16, kind: &str, text: &str) -> io::Result<()> {
    write_head(stream, code, kind, Some(text.len())).await?;
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await
}

fn reason(code: u16) -> &'static str {
    match code {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        _ => "Error",
    }
}
