//! `ludex man`: the manual page of the program or of one of its commands.

use crate::failure::Failure;
use crate::{Outcome, Session};

/// Print the manual page of the program or of one command.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex man > ludex.1
  ludex man perft | man -l -")]
pub struct Args {
    /// A command; without it the page of the whole program is printed.
    command: Option<String>,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let mut program = crate::program();
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => command_named(&program, name)?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(std::io::Write::write_all(&mut *session.out(), &page)?)
}

fn command_named(program: &clap::Command, name: &str) -> Result<clap::Command, Failure> {
    let unknown = || format!("error: ludex has no command {name}; `ludex help` lists them");
    let command = program.find_subcommand(name).ok_or_else(|| Failure::Misuse(unknown()))?;
    Ok(command.clone())
}
