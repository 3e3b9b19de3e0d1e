//! Failures of the library -> exceptions of Python.

use ludex::budget::Stop;
use ludex::compile::Refusal;
use ludex::game::{Faulty, NotOpened, Unreadable};
use ludex::source::Severity;
use ludex_answers::{Fault, Unanswered};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyOSError};
use pyo3::prelude::*;

create_exception!(ludex, LudexError, PyException, "Whatever Ludex cannot do, with the reason.");
create_exception!(
    ludex,
    RulesError,
    LudexError,
    "Rules, or a question about them, that are wrong. `complaints` lists all that is wrong, each a dict with code, \
     message, file, line, column and hint."
);
create_exception!(ludex, MoveError, LudexError, "A move that cannot be made.");
create_exception!(
    ludex,
    StoppedError,
    LudexError,
    "A limit of time or memory struck before there was any answer."
);

/// An error with the faults as its complaints.
fn faulty(py: Python, text: String, faults: &[Fault]) -> PyErr {
    let error = RulesError::new_err(text);
    let set = || error.value(py).setattr("complaints", plain(py, faults)?);
    set().err().unwrap_or(error)
}

/// Faults as dicts.
pub fn plain<'py>(py: Python<'py>, faults: &[Fault]) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(faults).expect("faults are plain data");
    py.import("json")?.call_method1("loads", (text,))
}

pub fn unreadable(py: Python, why: &Unreadable) -> PyErr {
    let faults = Fault::of_report(&why.report, Some(&why.source), Severity::Error);
    faulty(py, why.to_string().trim_end().into(), &faults)
}

pub fn not_opened(py: Python, name: &str, why: NotOpened) -> PyErr {
    match why {
        NotOpened::File(error) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            PyOSError::new_err((error.raw_os_error(), text.to_string(), name.to_string()))
        }
        NotOpened::Rules(why) => unreadable(py, &why),
    }
}

pub fn stopped(stop: Stop) -> PyErr {
    StoppedError::new_err(stop.to_string())
}

pub fn refused(why: Refusal) -> PyErr {
    match why {
        Refusal::Stop(stop) => stopped(stop),
        why => LudexError::new_err(why.to_string()),
    }
}

pub fn unanswered(py: Python, why: Unanswered) -> PyErr {
    match why {
        Unanswered::Stopped(stop) => stopped(stop),
        Unanswered::TooLarge(why) | Unanswered::Unavailable(why) => LudexError::new_err(why),
        Unanswered::Wrong(fault) => faulty(py, fault.to_string(), &[*fault]),
    }
}

pub fn bad_move(why: Faulty) -> PyErr {
    match why {
        Faulty::Refused(refusal) => refused(refusal),
        why => MoveError::new_err(why.to_string()),
    }
}
