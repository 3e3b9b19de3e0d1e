//! The page: play, write and look into any game in the browser.
//!
//! A server on this machine and a front end of plain modules (`assets/`), embedded in the program. A question
//! has a name and JSON, and its answer is a stream of events (`wait`, `progress`, `draft`, `thought`, at last
//! `answer` or `error`): over a WebSocket, one for each tab, or as `POST /api/NAME` for programs. The server keeps
//! no matches: a position is a game and the moves so far, so a server that was killed goes on where a new one
//! begins. Every piece of work has a place in a lane and a budget, and ends when its tab goes. The modules are in
//! reading order, which is the import law.
//!
//! ```
//! use ludex::budget::{Budget, Stop};
//! use ludex_page::{Library, PageServer, PageSettings};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = PageServer::bind("127.0.0.1", 0)?;
//! println!("http://{}", server.address()?);
//! let (library, budget) = (Library::new(&["tictactoe".into()])?, Budget::unlimited());
//! # budget.stop(Stop::Interrupted);
//! server.run(PageSettings { library, budget, bytes: 1 << 30 })?;
//! # Ok(())
//! # }
//! ```

mod assets;
mod clock;
mod lane;
mod library;
mod thought;
mod view;
mod live;
mod contest;
mod http;
mod guard;
mod places;
mod api;
mod socket;
mod server;

pub use library::{Library, NoGames};
pub use server::{PageServer, PageSettings};
