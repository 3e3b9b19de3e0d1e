//! The protocol of general game playing over HTTP: a player that listens (`serve`) and players that
//! are asked elsewhere (`Remote`). The only crate that knows sockets.

mod places;
mod http;
mod player;
mod remote;
mod serve;

pub use http::{LARGEST, LONGEST, SILENCE};
pub use player::Settings;
pub use remote::{Address, Remote};
pub use serve::{BYTES, PLACES, Server};
