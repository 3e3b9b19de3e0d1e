//! `Trouble`: why there is no answer, as the page shows it.

use ludex::budget::Stop;
use ludex::compile::Refusal;
use ludex::game::{Faulty, Unreadable};
use ludex::source::Severity;
use ludex_answers::{Fault, Unanswered};
use serde::Serialize;

/// Faults, the first of which is told.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Trouble(pub Vec<Fault>);

impl Trouble {
    pub fn new(code: &str, message: impl Into<String>) -> Trouble {
        Trouble(vec![Fault::new(code, message)])
    }

    /// Whether an engine has ended with the work that made it, so that the game is to be opened anew.
    pub fn is_of_engine(&self) -> bool {
        self.0.iter().any(|fault| fault.code == "no-engine")
    }
}

impl From<Unreadable> for Trouble {
    fn from(why: Unreadable) -> Trouble {
        Trouble(Fault::of_report(&why.report, Some(&why.source), Severity::Error))
    }
}

impl From<Unanswered> for Trouble {
    fn from(why: Unanswered) -> Trouble {
        match why {
            Unanswered::Stopped(stop) => stop.into(),
            Unanswered::TooLarge(text) => Trouble::new("too-large", text),
            Unanswered::Unavailable(text) => Trouble::new("unavailable", text),
            Unanswered::Wrong(fault) => Trouble(vec![*fault]),
        }
    }
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Trouble {
        Trouble(vec![stop.into()])
    }
}

impl From<Refusal> for Trouble {
    fn from(why: Refusal) -> Trouble {
        Trouble::new("no-engine", why.to_string())
    }
}

impl From<Faulty> for Trouble {
    fn from(why: Faulty) -> Trouble {
        let code = if matches!(why, Faulty::Refused(_)) { "no-engine" } else { "bad-move" };
        Trouble::new(code, why.to_string())
    }
}

impl From<serde_json::Error> for Trouble {
    fn from(why: serde_json::Error) -> Trouble {
        Trouble::new("bad-question", why.to_string())
    }
}
