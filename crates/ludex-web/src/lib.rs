//! The protocol of general game playing over HTTP: a player that listens (`serve`) and players that
//! are asked elsewhere (`Remote`). Browsers are answered by `ludex-page`.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = ludex_web::Server::bind("127.0.0.1", 0)?;
//! let address: ludex_web::Address = format!("http://{}", server.address()?).parse()?;
//! assert_eq!(address.host, "127.0.0.1");
//! # Ok(())
//! # }
//! ```

mod places;
mod http;
mod player;
mod remote;
mod serve;

pub use http::{LARGEST, LONGEST, SILENCE};
pub use player::Settings;
pub use remote::{Address, Remote};
pub use serve::{BYTES, PLACES, Server};
