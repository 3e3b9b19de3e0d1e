//! `ludex lsp`: the language server, on standard input and output.

use crate::failure::Failure;
use crate::{Outcome, Session};

/// Serve editors: complaints as you type with quick fixes, what names mean and where they stand, completion,
/// layout (the Language Server Protocol on standard input and output). `editors/` has the set-up for editors.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex lsp")]
pub struct Args {
    /// Accepted for the sake of editors that pass it; there is no other way.
    #[arg(long)]
    stdio: bool,
}

pub fn run(_: &Args, _: &Session) -> Outcome {
    ludex_lsp::serve_stdio().map_err(|why| Failure::input("protocol", why))
}
