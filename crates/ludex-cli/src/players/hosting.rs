//! `Hosting`: the clocks of a referee in this program, and what is shown while a match goes on.

use crate::Session;
use ludex::budget::Stop;
use ludex::play::{Clock, Record, RefereeHost};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Thinking ends a little before the clock does.
const MARGIN: Duration = Duration::from_millis(50);
/// An answer of this program on a busy machine is waited for, as some game servers do.
const GRACE: Duration = Duration::from_secs(1);

pub struct Hosting<'a, F: Fn(&Record) + Sync> {
    pub session: &'a Session,
    /// Shows the last turn of a record.
    pub show: F,
}

impl<F: Fn(&Record) + Sync> RefereeHost for Hosting<'_, F> {
    fn clock(&self, seconds: f64) -> Clock {
        clock(self.session, seconds)
    }

    fn now(&self) -> u64 {
        now()
    }

    fn check(&self) -> Result<(), Stop> {
        self.session.budget().check()
    }

    fn turn(&self, record: &Record) {
        (self.show)(record);
    }
}

/// Milliseconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis() as u64)
}

/// A clock that runs from now on.
pub fn clock(session: &Session, seconds: f64) -> Clock {
    let whole = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let think = session.lasting(whole.saturating_sub(MARGIN.min(whole / 4)));
    Clock { seconds, think, answer: session.lasting(whole.saturating_add(GRACE)) }
}
