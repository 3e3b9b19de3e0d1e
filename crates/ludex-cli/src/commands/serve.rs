//! `ludex serve`: the page, on which any game is played, written and looked into, in the browser.

use crate::failure::Failure;
use crate::session::MEMORY;
use crate::{Outcome, Session};
use ludex::budget::Stop;
use ludex_answers::{Account, PlayerAddress};
use ludex_page::{Library, NoGames, PageServer, PageSettings};
use std::io::Write;
use std::process::{Command, Stdio};

/// Open a page in the browser to play, write and look into games.
#[derive(clap::Args)]
#[command(after_help = "\
The page is served until Ctrl-C, to browsers on this machine unless --host says otherwise. Rules and matches \
stay in memory; games are saved only into a folder that you give. Work is stopped when its tab is closed, and \
all of it together stays within --memory-limit.

Examples:
  ludex serve --open
  ludex serve --port 8080 tictactoe mygame.kif
  ludex serve games/")]
pub struct Args {
    /// Files, folders and names of bundled games; without any, or with a folder, all bundled games are there, too.
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    place: PagePlace,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
}

/// Where the page is served.
#[derive(clap::Args)]
pub struct PagePlace {
    /// The port to listen on; 0 is any free one.
    #[arg(long, default_value_t = 9148)]
    pub port: u16,
    /// The address to listen on. By default only browsers on this machine can reach the page; 0.0.0.0
    /// lets all others in.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: String,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    serve(&args.games, &args.place, "", args.open, session)
}

/// Serves the page until Ctrl-C, and opens it at a part of it.
pub fn serve(
    games: &[String],
    at: &PagePlace,
    part: &str,
    open: bool,
    session: &Session,
) -> Outcome {
    let place = format!("{}:{}", at.host, at.port);
    let bad = |e| Failure::input("no-port", format!("cannot listen on {place}: {e}"));
    let library = Library::new(games).map_err(|why| match why {
        NoGames::Unknown(_) => Failure::input("unknown-game", why.to_string()),
        NoGames::Unreadable(..) => Failure::input("unreadable", why.to_string()),
    })?;
    let server = PageServer::bind(&at.host, at.port).map_err(bad)?;
    let address = server.address().map_err(bad)?;
    let link = format!("http://{address}/{part}");
    session.give_part(&PlayerAddress {
        name: "Ludex".into(),
        address: link.clone(),
        port: address.port(),
        account: Account::default(),
    })?;
    session.out().flush()?;
    session.begin_endless();
    if open {
        open_browser(&link);
    }
    let bytes = session.memory_limit().unwrap_or(MEMORY);
    let settings = PageSettings { library, budget: session.budget(), bytes };
    server.run(settings).map_err(bad)?;
    match session.budget().check() {
        // Ctrl-C is how a server is meant to end.
        Err(Stop::Interrupted) => Ok(()),
        other => Ok(other?),
    }
}

/// Asks the system to show an address; who has no browser there reads it in the terminal.
fn open_browser(link: &str) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let _ = command.spawn();
}
