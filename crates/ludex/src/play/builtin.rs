//! `Builtin`: a player of this program as a referee meets it, a `Seat`.

use super::{Clock, MoveFault, Opening, Player, Seat};
use ludex_reason::View;

/// A player of the library.
pub struct Builtin {
    /// Taken when the match begins.
    opening: Option<Opening>,
    seat: Option<Seat>,
}

impl Builtin {
    /// One that begins a match.
    pub fn new(opening: Opening) -> Builtin {
        Builtin { opening: Some(opening), seat: None }
    }
}

impl Player for Builtin {
    fn start(&mut self, clock: &Clock) -> Result<(), MoveFault> {
        let opening = self.opening.take();
        self.seat = opening.map(Seat::new);
        let ready = self.seat.as_ref().map_or(Ok(()), |seat| seat.ready(clock));
        ready.map_err(|why| MoveFault::Connection(why.to_string()))
    }

    fn play(
        &mut self,
        _: &View,
        history: &[Vec<String>],
        clock: &Clock,
    ) -> Result<String, MoveFault> {
        let answer = self.seat.as_ref().and_then(|seat| seat.ask(history.to_vec(), clock));
        answer.ok_or(MoveFault::TimeOut)
    }

    fn stop(&mut self, _: &[Vec<String>], _: bool) {
        self.seat = None;
    }
}
