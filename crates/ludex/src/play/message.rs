//! Text -> `Message`: one list of KIF, as game servers send it and players read it; and back.

use ludex_gdl::source::Misread;
use std::fmt;

/// What a game server says to a player.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Are you there?
    Info,
    /// A game that may be played soon.
    Preview {
        /// Clauses in KIF.
        rules: String,
    },
    /// A match begins.
    Start {
        /// The name of the match.
        id: String,
        /// The role to play.
        role: String,
        /// The text between the parentheses: clauses in KIF.
        rules: String,
        /// Seconds before the first move.
        start_clock: f64,
        /// Seconds for each move.
        play_clock: f64,
    },
    /// What is your move?
    Play {
        /// The name of the match.
        id: String,
        /// Of the last turn in role order; none at the first.
        moves: Vec<String>,
    },
    /// The match is over.
    Stop {
        /// The name of the match.
        id: String,
        /// Of the last turn in role order.
        moves: Vec<String>,
    },
    /// The match is given up.
    Abort {
        /// The name of the match.
        id: String,
    },
}

/// No game has as many roles.
const MOST_MOVES: usize = 1_000;

impl Message {
    /// Reads a message; the error says what is wrong with it. Arguments that are not known are ignored.
    pub fn parse(text: &str) -> Result<Message, Misread> {
        let mut parts = Items::of(text)?;
        let verb = parts.next().transpose()?.unwrap_or_default();
        let mut next = |what| parts.next().unwrap_or_else(|| Err(format!("{verb} without {what}")));
        let known = ["info", "preview", "start", "play", "stop", "abort"];
        Ok(match known.iter().position(|known| verb.eq_ignore_ascii_case(known)) {
            Some(0) => Message::Info,
            Some(1) => Message::Preview { rules: inside(next("rules")?)?.into() },
            Some(2) => Message::Start {
                id: next("a match")?.into(),
                role: next("a role")?.into(),
                rules: inside(next("rules")?)?.into(),
                start_clock: seconds(next("a start clock")?)?,
                play_clock: seconds(next("a play clock")?)?,
            },
            Some(3) => Message::Play { id: next("a match")?.into(), moves: moves(parts.next())? },
            Some(4) => Message::Stop { id: next("a match")?.into(), moves: moves(parts.next())? },
            Some(5) => Message::Abort { id: next("a match")?.into() },
            _ => return Err(Misread(format!("no message begins with `{}`", shorten(verb)))),
        })
    }
}

/// The parts of a list, symbols and lists, one after the other: a message may have millions.
struct Items<'a> {
    rest: &'a str,
}

impl<'a> Items<'a> {
    /// A text without parentheses is a list of its symbols.
    fn of(text: &'a str) -> Result<Items<'a>, String> {
        let trimmed = text.trim();
        let rest = if trimmed.starts_with('(') { inside(trimmed)? } else { trimmed };
        Ok(Items { rest: rest.trim_ascii_start() })
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Result<&'a str, String>;

    fn next(&mut self) -> Option<Result<&'a str, String>> {
        while self.rest.starts_with(';') {
            let end = self.rest.find(['\n', '\r']);
            self.rest = end.map_or("", |end| self.rest[end..].trim_ascii_start());
        }
        let length = match self.rest.bytes().next()? {
            b')' => return Some(Err("a closing parenthesis too many".into())),
            b'(' => match Nesting::default().read(self.rest.as_bytes()) {
                Some(length) => length,
                None => return Some(Err("a closing parenthesis is missing".into())),
            },
            _ => {
                let ends = |c: char| c.is_ascii_whitespace() || matches!(c, '(' | ')' | ';');
                self.rest.find(ends).unwrap_or(self.rest.len())
            }
        };
        let (item, rest) = self.rest.split_at(length);
        self.rest = rest.trim_ascii_start();
        Some(Ok(item))
    }
}

/// What stands between the outer parentheses of a list.
fn inside(list: &str) -> Result<&str, String> {
    let inner = list.strip_prefix('(').and_then(|l| l.trim_end().strip_suffix(')'));
    inner.ok_or_else(|| format!("`{}` is not a list", shorten(list)))
}

/// Servers write NIL for no moves; some write nothing.
fn moves(list: Option<Result<&str, String>>) -> Result<Vec<String>, String> {
    let Some(list) = list.transpose()?.filter(|list| list.starts_with('(')) else {
        return Ok(vec![]);
    };
    let mut moves = Items::of(list)?.map(|text| text.map(String::from));
    let first = moves.by_ref().take(MOST_MOVES).collect::<Result<_, _>>()?;
    match moves.next() {
        None => Ok(first),
        Some(_) => Err(format!("more than {MOST_MOVES} moves")),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|n: &f64| n.is_finite() && *n >= 0.0);
    number.ok_or_else(|| format!("`{}` is not a number of seconds", shorten(text)))
}

fn shorten(text: &str) -> String {
    let short: String = text.chars().take(30).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

/// Whether a list is complete, found while it arrives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nesting {
    depth: usize,
    comment: bool,
}

impl Nesting {
    /// A list has begun and is not closed.
    pub fn open(&self) -> bool {
        self.depth > 0
    }

    /// Reads on; gives the number of bytes up to the end of the first list as soon as it is closed.
    pub fn read(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                b'\n' | b'\r' => self.comment = false,
                _ if self.comment => {}
                b';' => self.comment = true,
                b'(' => self.depth += 1,
                b')' if self.depth == 1 => {
                    self.depth = 0;
                    return Some(at + 1);
                }
                b')' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |moves: &[String]| match moves {
            [] => "NIL".into(),
            moves => format!("({})", moves.join(" ")),
        };
        match self {
            Message::Info => f.write_str("( INFO )"),
            Message::Preview { rules } => write!(f, "( PREVIEW ({rules}) 0 )"),
            Message::Start { id, role, rules, start_clock, play_clock } => {
                write!(f, "( START {id} {role} ({rules}) {start_clock} {play_clock} )")
            }
            Message::Play { id, moves } => write!(f, "( PLAY {id} {} )", list(moves)),
            Message::Stop { id, moves } => write!(f, "( STOP {id} {} )", list(moves)),
            Message::Abort { id } => write!(f, "( ABORT {id} )"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_in_any_letter_case_and_layout() {
        assert_eq!(Message::parse("( INFO )"), Ok(Message::Info));
        assert_eq!(Message::parse(" info "), Ok(Message::Info));
        let start =
            Message::parse("(start M.1 White ((role white)(init (a)); x )\n) 30 10 more (x))");
        let expected = Message::Start {
            id: "M.1".into(),
            role: "White".into(),
            rules: "(role white)(init (a)); x )\n".into(),
            start_clock: 30.0,
            play_clock: 10.0,
        };
        assert_eq!(start, Ok(expected));
        let play = |moves: &[&str]| Message::Play {
            id: "m".into(),
            moves: moves.iter().map(|m| m.to_string()).collect(),
        };
        assert_eq!(Message::parse("(PLAY m NIL)"), Ok(play(&[])));
        assert_eq!(Message::parse("(Play m)"), Ok(play(&[])));
        assert_eq!(Message::parse("(PLAY m ((mark 1 1)noop))"), Ok(play(&["(mark 1 1)", "noop"])));
        assert_eq!(Message::parse("(ABORT m)"), Ok(Message::Abort { id: "m".into() }));
    }

    #[test]
    fn what_is_no_message_is_told() {
        for (text, message) in [
            ("", "no message begins with ``"),
            ("(dance)", "`dance`"),
            ("(start m)", "start without a role"),
            ("(start m r rules 1 1)", "`rules` is not a list"),
            ("(start m r () soon 1)", "`soon` is not a number"),
            ("(play m (a b)", "parenthesis"),
            ("(play))", "too many"),
            (&format!("(play m ({}))", "a ".repeat(1_001)), "more than 1000 moves"),
        ] {
            let error = Message::parse(text).unwrap_err().0;
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["( INFO )", "( PLAY m NIL )", "( PLAY m ((a 1) b) )", "( STOP m (a) )"] {
            assert_eq!(Message::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn no_text_is_too_odd_to_be_judged() {
        let mut random = ludex_reason::Random::new(1);
        let parts = ["(", ")", " ", ";", "\n", "é", "\u{a0}", "play", "start", "m", "((a) b)", "1"];
        let mut read = 0;
        for _ in 0..20_000 {
            let length = random.below(12);
            let text: String = (0..length).map(|_| parts[random.below(parts.len())]).collect();
            read += usize::from(Message::parse(&text).is_ok());
        }
        assert!(read > 10, "{read} messages among the texts");
    }

    #[test]
    fn a_list_is_complete_when_it_is_closed() {
        let mut nesting = Nesting::default();
        assert_eq!(nesting.read(b"(a (b ; )))"), None);
        assert_eq!(nesting.read(b" )\n) "), None);
        assert_eq!(nesting.read(b") x"), Some(1));
        assert_eq!(Nesting::default().read(b"info"), None);
    }
}
