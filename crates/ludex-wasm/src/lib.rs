//! The library in a browser alone, without a server: the questions of the page as JSON, answered in WebAssembly.
//!
//! [`Desk::answer`] takes the name of a question and what it is asked with, and gives an answer or faults, as the
//! server of the page does; it runs, and is tested, on any machine. `ffi.rs` is how a worker calls it:
//! `assets/api.js` and `assets/worker.js` stand in for the socket of the page. There are no threads: every answer
//! has a time, which `Budget` looks at by the clock of the browser, and a search thinks slice by slice.
//!
//! ```
//! let mut desk = ludex_wasm::Desk::new(|| 0.0);
//! let asked = serde_json::json!({ "game": "tictactoe" });
//! let view = desk.answer("view", asked, &|_, _| ()).expect("it is bundled");
//! assert_eq!(view["terminal"], false);
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod library;
mod desk;
#[cfg(target_arch = "wasm32")]
mod ffi;

pub use desk::Desk;
