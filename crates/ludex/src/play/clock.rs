//! `Clock`: the time for one answer, as two flags that a front raises.

use ludex_gdl::budget::Budget;

/// Thinking ends when `think` is stopped; an answer is given at the latest when `answer` is.
#[derive(Clone)]
pub struct Clock {
    /// The time from the question to the moment at which the answer must have arrived.
    pub seconds: f64,
    /// For thinking.
    pub think: Budget,
    /// Until the answer must be there.
    pub answer: Budget,
}

impl Clock {
    /// A clock that nobody stops, for players that answer by themselves.
    pub fn unlimited() -> Clock {
        let (think, answer) = (Budget::unlimited(), Budget::unlimited());
        Clock { seconds: f64::INFINITY, think, answer }
    }
}
