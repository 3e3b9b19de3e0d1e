//! `ludex lsp`: the language server, on standard input and output.

use crate::failure::Failure;
use crate::{Outcome, Session};

/// Run the language server for editors (`editors/` has their set-up).
///
/// Complaints as you type with quick fixes, hover, definitions, references, rename, completion and format, by
/// the Language Server Protocol on standard input and output.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex lsp")]
pub struct Args {
    /// Accepted because some editors pass it; there is no other way to connect.
    #[arg(long)]
    stdio: bool,
}

pub fn run(_: &Args, _: &Session) -> Outcome {
    ludex_lsp::serve_stdio().map_err(|why| Failure::input("protocol", why.to_string()))
}
