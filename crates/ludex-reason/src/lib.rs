//! [`StateMachine`]: what every engine offers; what is true of any of them; and the first-order
//! reasoner, the meaning of GDL here.

mod state_machine;
mod random;
mod perft;
mod playout;
mod trial;
mod tally;
mod tree;
mod view;
pub mod interp;

pub use perft::{Cut, Joints, Perft, perft};
pub use playout::{End, Playout, playout};
pub use random::Random;
pub use state_machine::{Move, Role, StateMachine, chance};
pub use tally::{Tally, signature, tally};
pub use tree::visit;
pub use trial::{Declared, Finding, Trial, trial};
pub use view::{View, canonical, digest, find_move, guess_move, view};
