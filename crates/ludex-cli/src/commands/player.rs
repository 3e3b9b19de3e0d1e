//! `ludex player`: a player that game servers can reach over HTTP.

use crate::failure::Failure;
use crate::limits;
use crate::memories::MemoryFolder;
use crate::session::MEMORY;
use crate::{Outcome, Session};
use ludex::budget::Stop;
use ludex::play::{Memories, Spec};
use ludex_answers::{Account, PlayerAddress, PlayerEvent};
use ludex_web::{BYTES, LARGEST, LONGEST, PLACES, SILENCE, Server, Settings};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

/// Play matches led by a game server (the General Game Playing protocol).
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub struct Args {
    /// The port to listen on; 0 is any free one.
    #[arg(long, default_value_t = 9147)]
    port: u16,
    /// The address to listen on. By default only programs on this machine can reach the player; 0.0.0.0
    /// lets all others in.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: String,
    /// The name that servers are told.
    #[arg(long, default_value = "Ludex", value_parser = name)]
    name: String,
    /// The built-in player that plays.
    #[arg(long, value_name = "PLAYER", default_value_t = usual())]
    player: Spec,
    /// Answer this long before the clock ends (at most a quarter of the clock).
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = limits::time)]
    margin: Duration,
    /// Forget a match that has been silent for this long beyond its clocks.
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = limits::time)]
    forget: Duration,
    /// Keep what is found out about games in this folder, and use it when they come again, in any guise.
    #[arg(long, value_name = "FOLDER")]
    memory: Option<PathBuf>,
}

fn after_help() -> String {
    let megabytes = |bytes: usize| bytes / 1_000_000;
    format!(
        "The player listens until Ctrl-C, plays one match at a time and survives whatever a match brings. It \
         tells what happens on standard error, and with --json on standard output: of each move what it rests on. \
         `ludex match` has a list of built-in players and their options.

A request has to be complete {} seconds after its connection, with no silence of more than {} seconds. Messages \
         of more than {} MB are refused, and all requests together hold at most {} MB. Of more than {PLACES} \
         connections the oldest one that is silent is closed.

At half of --memory-limit ({} GB if there is none) nothing more is compiled or found out about a game, and \
         the search tree grows no more; at three quarters the match goes on without a search; at the limit the \
         player ends.

Examples:
  ludex player --port 9147 --name MyPlayer
  ludex player --port 9147 --memory known-games
  ludex player --host 0.0.0.0 --player uct,threads=2 --margin 1s",
        LONGEST.as_secs(),
        SILENCE.as_secs(),
        megabytes(LARGEST),
        megabytes(BYTES),
        MEMORY / 1_000_000_000,
    )
}

/// The best player on all cores, which also thinks while others do.
fn usual() -> Spec {
    let mut spec = Spec { ponder: true, ..Spec::best() };
    spec.search.threads = std::thread::available_parallelism().map_or(1, usize::from);
    spec
}

/// A name has to be one symbol of KIF.
fn name(text: &str) -> Result<String, String> {
    let bad = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '(' | ')' | ';');
    match text.is_empty() || text.contains(bad) {
        true => Err("a name cannot have blanks or parentheses".into()),
        false => Ok(text.into()),
    }
}

/// Lines of the log that wait for their reader; those after them are left out.
const WAITING: usize = 1_000;

/// Tells events to people on standard error, to programs on standard output. A player whose log nobody reads
/// plays on: the lines are written by a thread of their own.
fn log(json: bool) -> impl Fn(&PlayerEvent) {
    let (lines, written) = sync_channel::<String>(WAITING);
    thread::spawn(move || {
        for line in written {
            let _ = match json {
                true => write!(std::io::stdout(), "{line}"),
                false => write!(anstream::stderr(), "{line}"),
            };
        }
    });
    move |event| {
        let line = match json {
            true => serde_json::to_string(event).expect("events are plain data") + "\n",
            false => event.to_string(),
        };
        let _ = lines.try_send(line);
    }
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let place = format!("{}:{}", args.host, args.port);
    let bad = |e| Failure::input("no-port", format!("cannot listen on {place}: {e}"));
    let memories = args.memory.clone().map(|folder| {
        let shown = folder.display().to_string();
        let memories = MemoryFolder::new(folder).map_err(|e| Failure::unreadable(&shown, e))?;
        Ok::<Arc<dyn Memories>, Failure>(Arc::new(memories))
    });
    let memories = memories.transpose()?;
    let server = Server::bind(&args.host, args.port).map_err(bad)?;
    let address = server.address().map_err(bad)?;
    session.give_part(&PlayerAddress {
        name: args.name.clone(),
        address: address.to_string(),
        port: address.port(),
        account: Account::default(),
    })?;
    session.out().flush()?;
    session.begin_endless();
    let settings = Settings {
        name: args.name.clone(),
        player: args.player.clone(),
        margin: args.margin,
        silence: args.forget,
        budget: session.budget(),
        memory: Arc::new(session.memory_of_matches()),
        memories,
        log: Arc::new(log(session.json)),
    };
    server.run(settings).map_err(bad)?;
    match session.budget().check() {
        // Ctrl-C is how a player is meant to end.
        Err(Stop::Interrupted) => Ok(()),
        other => Ok(other?),
    }
}
