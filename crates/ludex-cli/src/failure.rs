//! How a command can end other than well (`Failure`), and the exit code of each ending.

use ludex::budget::Stop;
use ludex::compile::Refusal;
use ludex::ground::NotGround;
use ludex::source::{Report, Severity, Source};
use ludex_answers::{Account, Failed, Fault, StoppedBy, Unanswered};
use std::fmt;
use std::io;

pub type Outcome = Result<(), Failure>;

#[derive(Debug)]
pub enum Failure {
    /// The input is wrong.
    Input(Box<Wrong>),
    /// The answer was printed and it is no: a refuted property, unequal games, a faulty file.
    Refuted,
    /// The program was called in a way that cannot work.
    Misuse(String),
    /// A limit was reached or the user pressed Ctrl-C.
    Stopped(Stop),
    /// A limit kept some games from being answered, which was told.
    Incomplete,
    /// The rules have too many instances.
    TooLarge(String),
    /// The answer could not be written.
    Output(io::Error),
}

/// What is wrong with the input, and the same as people read it.
#[derive(Debug)]
pub struct Wrong {
    pub faults: Vec<Fault>,
    text: String,
}

impl Failure {
    /// Something that is wrong, and what to call it.
    pub fn input(code: &str, message: impl Into<String>) -> Failure {
        Fault::new(code, message).into()
    }

    /// A file that cannot be read.
    pub fn unreadable(file: &str, why: impl fmt::Display) -> Failure {
        Failure::input("unreadable", format!("{file} cannot be read: {why}"))
    }

    /// A file that cannot be written.
    pub fn unwritable(file: impl fmt::Display, why: impl fmt::Display) -> Failure {
        Failure::input("unwritable", format!("{file} cannot be written: {why}"))
    }

    /// All errors in a text.
    pub fn faulty(report: &Report, source: &Source) -> Failure {
        let faults = Fault::of_report(report, Some(source), Severity::Error);
        Failure::Input(Box::new(Wrong { faults, text: report.render_coloured(source) }))
    }

    /// How a command ends that has told an answer.
    pub fn of_account(account: &Account) -> Outcome {
        match account.stopped_by {
            _ if account.complete => Ok(()),
            Some(StoppedBy::TimeLimit) => Err(Failure::Stopped(Stop::Time)),
            Some(StoppedBy::MemoryLimit) => Err(Failure::Stopped(Stop::Memory)),
            Some(StoppedBy::Interrupt) => Err(Failure::Stopped(Stop::Interrupted)),
            Some(StoppedBy::Depth) => Err(Failure::TooLarge(
                "stopped: the depth is reached; give a larger --depth".into(),
            )),
            Some(StoppedBy::Size) | None => Err(Failure::Incomplete),
        }
    }

    /// What is told to programs where there is no answer; none where there is one.
    pub fn told(&self, game: Option<&str>) -> Option<Failed> {
        let faults = match self {
            Failure::Input(wrong) => wrong.faults.clone(),
            Failure::Misuse(message) => {
                vec![Fault::new("misuse", message.trim_start_matches("error: "))]
            }
            Failure::Stopped(stop) => vec![(*stop).into()],
            Failure::TooLarge(why) => vec![Fault::new("too-large", why)],
            Failure::Output(_) | Failure::Refuted | Failure::Incomplete => return None,
        };
        (!faults.is_empty()).then(|| Failed::new(game.map(Into::into), faults))
    }

    pub fn exit_code(&self) -> i32 {
        match self {
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => 0,
            Failure::Input(_) | Failure::Refuted | Failure::Output(_) => 1,
            Failure::Misuse(_) => 2,
            Failure::Stopped(_) | Failure::TooLarge(_) | Failure::Incomplete => 3,
        }
    }
}

impl fmt::Display for Failure {
    /// The message for the user, without an end of line; empty where nothing is left to say.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Input(wrong) => f.write_str(wrong.text.trim_end()),
            Failure::Misuse(message) | Failure::TooLarge(message) => {
                f.write_str(message.trim_end())
            }
            Failure::Stopped(stop) => write!(f, "{stop}"),
            Failure::Output(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                write!(f, "error: the output cannot be written: {e}")
            }
            Failure::Refuted | Failure::Incomplete | Failure::Output(_) => Ok(()),
        }
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Unanswered::from(refusal).into()
    }
}

impl From<NotGround> for Failure {
    fn from(why: NotGround) -> Failure {
        Unanswered::from(why).into()
    }
}

impl From<Unanswered> for Failure {
    fn from(why: Unanswered) -> Failure {
        match why {
            Unanswered::Stopped(stop) => Failure::Stopped(stop),
            Unanswered::TooLarge(why) => Failure::TooLarge(why),
            Unanswered::Unavailable(why) => Failure::Misuse(format!("error: {why}")),
            Unanswered::Wrong(fault) => (*fault).into(),
        }
    }
}

impl From<Box<Fault>> for Failure {
    fn from(fault: Box<Fault>) -> Failure {
        (*fault).into()
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        let text = fault.to_string();
        Failure::Input(Box::new(Wrong { faults: vec![fault], text }))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}
