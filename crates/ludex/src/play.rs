//! Matches: what is said in them (`Message`), who plays (`Seat`, `Player`), and what came of it
//! (`Record`, `Standings`).
//!
//! There is no clock and no socket here. A front passes a `Clock`, whose flags it raises when time is up.

mod builtin;
mod clock;
mod disguise;
mod exact;
mod grounds;
mod line;
mod lore;
mod message;
mod record;
mod referee;
mod seat;
mod spec;
mod standings;
mod talk;
mod thinker;
#[cfg(test)]
mod tests;

pub use builtin::Builtin;
pub use clock::Clock;
pub use disguise::Disguise;
pub use grounds::{AnswerGrounds, SearchGrounds};
pub use lore::Memories;
pub use message::{Message, Nesting};
pub use record::{Record, Seated};
pub use referee::{MoveFault, Player, Referee, RefereeHost};
pub use seat::{Opening, Seat, SeatTrace};
pub use spec::{PlayerKind, Spec};
pub use standings::{Standing, Standings, elo};
pub use talk::NotReady;
