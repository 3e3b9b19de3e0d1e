//! How a command can end other than well (`Failure`), and the exit code of each ending.

use ludex::budget::Stop;
use ludex::compile::Refusal;
use ludex::ground::NotGround;
use std::fmt;
use std::io;
use std::process::ExitCode;

pub type Outcome = Result<(), Failure>;

#[derive(Debug)]
pub enum Failure {
    /// The input is wrong; the message says where and why.
    Input(String),
    /// The answer was printed and it is no: a refuted property, unequal games, a faulty file.
    Refuted,
    /// The program was called in a way that cannot work.
    Misuse(String),
    /// A limit was reached or the user pressed Ctrl-C.
    Stopped(Stop),
    /// A limit kept some games from being answered, which was told.
    Incomplete,
    /// The rules have too many instances.
    TooLarge(String),
    /// The answer could not be written.
    Output(io::Error),
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => 0,
            Failure::Input(_) | Failure::Refuted | Failure::Output(_) => 1,
            Failure::Misuse(_) => 2,
            Failure::Stopped(_) | Failure::TooLarge(_) | Failure::Incomplete => 3,
        })
    }
}

impl fmt::Display for Failure {
    /// The message for the user, without an end of line; empty where nothing is left to say.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Input(message) | Failure::Misuse(message) | Failure::TooLarge(message) => {
                f.write_str(message.trim_end())
            }
            Failure::Stopped(stop) => write!(f, "{stop}"),
            Failure::Output(e) if e.kind() != io::ErrorKind::BrokenPipe => {
                write!(f, "error: the output cannot be written: {e}")
            }
            Failure::Refuted | Failure::Incomplete | Failure::Output(_) => Ok(()),
        }
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Stopped(stop)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        match refusal {
            Refusal::Stop(stop) => Failure::Stopped(stop),
            Refusal::Rules(why) => Failure::Input(format!("error: {why}")),
            Refusal::Unavailable(why) => Failure::Misuse(format!("error: {why}")),
        }
    }
}

impl From<NotGround> for Failure {
    fn from(why: NotGround) -> Failure {
        match why {
            NotGround::Stopped(stop) => Failure::Stopped(stop),
            NotGround::TooLarge | NotGround::Endless => {
                Failure::TooLarge(format!("{why}; the game still runs on the engine interp"))
            }
            NotGround::Unsafe { .. } => Failure::Input(format!("error: {why}")),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}
