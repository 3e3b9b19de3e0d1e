//! A player on a real socket, and game servers good and bad.

mod faults;
mod listening;
mod matches;
mod remote;
mod server;

use listening::*;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

const TICTACTOE: &str = include_str!("../../../../games/tictactoe.kif");

/// No more is sent, but an answer is waited for.
fn half_close(stream: &TcpStream) {
    stream.shutdown(Shutdown::Write).unwrap();
}
