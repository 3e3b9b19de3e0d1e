//! `ludex completions`: a script that teaches a shell to complete the program's commands.

use crate::{Outcome, Session, program};
use clap_complete::Shell;

/// Print a script that completes commands and options in a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex completions bash > ~/.local/share/bash-completion/completions/ludex
  ludex completions fish > ~/.config/fish/completions/ludex.fish")]
pub struct Args {
    /// The shell that will run the script.
    shell: Shell,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program(), "ludex", &mut script);
    Ok(std::io::Write::write_all(&mut *session.out(), &script)?)
}
