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
pub struct Trouble {
    pub faults: Vec<Fault>,
}

impl Trouble {
    pub fn new(code: &str, message: impl Into<String>) -> Trouble {
        Trouble { faults: vec![Fault::new(code, message)] }
    }
}

impl From<Unreadable> for Trouble {
    fn from(why: Unreadable) -> Trouble {
        Trouble { faults: Fault::of_report(&why.report, Some(&why.source), Severity::Error) }
    }
}

impl From<Refusal> for Trouble {
    fn from(why: Refusal) -> Trouble {
        Trouble::new("refused", why.to_string())
    }
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Trouble {
        Trouble { faults: vec![stop.into()] }
    }
}

impl From<Faulty> for Trouble {
    fn from(why: Faulty) -> Trouble {
        Trouble::new("no-move", why.to_string())
    }
}

impl From<Unanswered> for Trouble {
    fn from(why: Unanswered) -> Trouble {
        Trouble::new("unanswered", why.to_string())
    }
}

impl From<serde_json::Error> for Trouble {
    fn from(why: serde_json::Error) -> Trouble {
        Trouble::new("bad-question", why.to_string())
    }
}
