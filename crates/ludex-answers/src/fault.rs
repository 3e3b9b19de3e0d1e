//! `Fault`: one thing that is wrong, with code, place and message; `Failed`: faults instead of an answer.

use crate::account::{Account, answers};
use ludex::compile::Refusal;
use ludex_gdl::budget::Stop;
use ludex_gdl::source::{Complaint, Fix, Report, Severity, Source};
use ludex_net::ground::NotGround;
use ludex_reason::interp::Problem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One thing that is wrong or doubtful.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// A stable name of the kind of fault, such as `unsafe-variable`.
    pub code: String,
    pub message: String,
    /// The file that it is in, as the user named it.
    pub file: Option<String>,
    /// From 1.
    pub line: Option<usize>,
    /// From 1, in characters.
    pub column: Option<usize>,
    /// What to do about it.
    pub hint: Option<String>,
    /// A change of the text that would mend it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Box<FaultFix>>,
    /// What would not be said but for this.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub follows: Vec<Fault>,
    /// The joint moves after which it was seen first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<Vec<String>>>,
    /// The number of matches in which it was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matches: Option<usize>,
}

/// A change of a text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FaultFix {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What stands there.
    pub old: String,
    /// What to write instead.
    pub new: String,
}

/// What is told instead of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Failed {
    /// The game, as the user named it.
    pub game: Option<String>,
    /// The first fault.
    pub error: Fault,
    /// All faults.
    pub errors: Vec<Fault>,
    #[serde(flatten)]
    pub account: Account,
}

answers!(Failed);

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Unanswered {
    /// A limit struck before there was anything to tell.
    Stopped(Stop),
    /// The rules have too many instances.
    TooLarge(String),
    /// The engine that was asked for cannot run this game.
    Unavailable(String),
    /// The question, or the game, is wrong.
    Wrong(Box<Fault>),
}

impl Fault {
    pub fn new(code: &str, message: impl Into<String>) -> Fault {
        Fault { code: code.into(), message: message.into(), ..Fault::default() }
    }

    /// In a file, at a line from 1.
    pub fn at(code: &str, file: &str, line: usize, message: impl Into<String>) -> Fault {
        Fault { file: Some(file.into()), line: Some(line), ..Fault::new(code, message) }
    }

    /// A complaint about a source, if there is one.
    pub fn of(complaint: &Complaint, source: Option<&Source>) -> Fault {
        let place = complaint.span.zip(source).map(|(span, s)| s.position(span.start));
        Fault {
            file: source.map(|s| s.name.clone()),
            line: place.map(|p| p.0),
            column: place.map(|p| p.1),
            hint: complaint.hint.clone(),
            fix: complaint.fix.as_ref().zip(source).map(|(fix, s)| Box::new(FaultFix::of(fix, s))),
            follows: complaint.follows.iter().map(|c| Fault::of(c, source)).collect(),
            ..Fault::new(complaint.code, &complaint.message)
        }
    }

    /// The complaints of a report that are as severe as that.
    pub fn of_report(report: &Report, source: Option<&Source>, severity: Severity) -> Vec<Fault> {
        let all = report.complaints.iter().filter(|c| c.severity == severity);
        all.map(|c| Fault::of(c, source)).collect()
    }
}

impl FaultFix {
    fn of(fix: &Fix, source: &Source) -> FaultFix {
        let (line, column) = source.position(fix.span.start);
        FaultFix { line, column, old: source.slice(fix.span).into(), new: fix.text.clone() }
    }
}

impl Failed {
    /// There is at least one fault.
    pub fn new(game: Option<String>, errors: Vec<Fault>) -> Failed {
        let error = errors.first().cloned().expect("a failure has a fault");
        Failed { game, error, errors, account: Account { complete: false, ..Account::default() } }
    }
}

impl From<Stop> for Fault {
    fn from(stop: Stop) -> Fault {
        let code = match stop {
            Stop::Time => "time-limit",
            Stop::Memory => "memory-limit",
            Stop::Interrupted => "interrupted",
        };
        Fault::new(code, stop.to_string())
    }
}

impl From<Stop> for Unanswered {
    fn from(stop: Stop) -> Unanswered {
        Unanswered::Stopped(stop)
    }
}

impl From<NotGround> for Unanswered {
    fn from(why: NotGround) -> Unanswered {
        match why {
            NotGround::Stopped(stop) => Unanswered::Stopped(stop),
            NotGround::TooLarge | NotGround::Endless => {
                Unanswered::TooLarge(format!("{why}; the game still runs on the engine interp"))
            }
            NotGround::Unsafe { .. } => Fault::new("unsafe-variable", why.to_string()).into(),
        }
    }
}

impl From<Problem> for Unanswered {
    fn from(problem: Problem) -> Unanswered {
        match problem {
            Problem::Stopped(stop) => Unanswered::Stopped(stop),
            problem => Fault::new("rules-cannot-run", problem.to_string()).into(),
        }
    }
}

impl From<Refusal> for Unanswered {
    fn from(refusal: Refusal) -> Unanswered {
        match refusal {
            Refusal::Stop(stop) => Unanswered::Stopped(stop),
            Refusal::Rules(why) => Fault::new("rules-cannot-run", why).into(),
            Refusal::Unavailable(why) => Unanswered::Unavailable(why),
        }
    }
}

impl From<Fault> for Unanswered {
    fn from(fault: Fault) -> Unanswered {
        Unanswered::Wrong(Box::new(fault))
    }
}

impl From<Box<Fault>> for Unanswered {
    fn from(fault: Box<Fault>) -> Unanswered {
        Unanswered::Wrong(fault)
    }
}

impl fmt::Display for Fault {
    /// `file:line:column: error: message`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}")?;
            let place = [self.line, self.column];
            place.iter().flatten().try_for_each(|number| write!(f, ":{number}"))?;
            write!(f, ": ")?;
        }
        write!(f, "error: {}", self.message)
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.errors.iter().try_for_each(|fault| writeln!(f, "{fault}"))
    }
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Unanswered::Stopped(stop) => write!(f, "{stop}"),
            Unanswered::TooLarge(why) | Unanswered::Unavailable(why) => f.write_str(why),
            Unanswered::Wrong(fault) => write!(f, "{fault}"),
        }
    }
}

impl std::error::Error for Unanswered {}
