//! `Server`: accepts connections and answers the message on each, until it is told to end.
//!
//! The player reads small requests on one thread, which has nothing else to do, and large ones on
//! another, at a bounded pace: senders of much take neither the time nor the memory of a message
//! with a move. Whoever is connected has a place (`places.rs`); the oldest one that is silent goes
//! for a new one, or where a request needs the bytes that its own holds. A match begins only when
//! those before it have left next to nothing at work.

use crate::http::{Arriving, Halt, Request};
use crate::places::{Places, SMALL};
use crate::player::{Player, Settings};
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

/// Connections at a time; for one more the oldest silent one is closed.
pub const PLACES: usize = 1_000;
/// Bytes that all requests together may hold.
pub const BYTES: usize = 64_000_000;
/// Files beside the connections that a program has open.
const OTHER_FILES: u64 = 64;
/// Connections that wait to be accepted, while a busy machine does something else.
const WAITING: u32 = 4_096;
/// How often the server looks whether it is to end.
const LOOK: Duration = Duration::from_millis(20);
/// How long answers under way are waited for at the end.
const LAST_WORDS: Duration = Duration::from_secs(5);

pub struct Server {
    /// One thread for small messages; answers are found on threads of their own.
    runtime: Runtime,
    /// One thread for large messages.
    large: Runtime,
    listener: TcpListener,
}

impl Server {
    /// Listens on an address; port 0 is any free one.
    pub fn bind(host: &str, port: u16) -> io::Result<Server> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        let mut large = Builder::new_multi_thread();
        let large = large.worker_threads(1).enable_io().enable_time().build()?;
        let mut outcome = Err(io::Error::new(io::ErrorKind::NotFound, "the name has no address"));
        for address in (host, port).to_socket_addrs()? {
            outcome = runtime.block_on(async { listen(address) });
            if outcome.is_ok() {
                break;
            }
        }
        Ok(Server { listener: outcome?, runtime, large })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until the budget of the settings is stopped, then finishes what it has begun.
    pub fn run(self, settings: Settings) -> io::Result<()> {
        let Server { runtime, large, listener } = self;
        runtime.block_on(async {
            let budget = settings.budget.clone();
            let player = Player::new(settings, Handle::current());
            let hall = Arc::new(Hall { player, large: large.handle().clone() });
            let places = Places::new(files_allow(PLACES), BYTES);
            while budget.check().is_ok() {
                hall.player.forget_silent();
                let Ok(accepted) = timeout(LOOK, listener.accept()).await else { continue };
                match accepted {
                    Ok((stream, _)) => {
                        places.admit(|place| small(Arriving::new(stream, place), hall.clone()));
                    }
                    // It concerns one connection, or there are too many open files.
                    Err(_) => {
                        places.drop_oldest();
                        sleep(LOOK).await;
                    }
                }
            }
            let end = Instant::now() + LAST_WORDS;
            while !places.is_silent() && Instant::now() < end {
                sleep(LOOK).await;
            }
        });
        large.shutdown_timeout(Duration::from_millis(100));
        runtime.shutdown_timeout(Duration::from_millis(100));
        Ok(())
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Windows would let two programs listen on one port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}

/// As many places as the limit of open files, raised where that is allowed, has room for.
fn files_allow(places: usize) -> usize {
    let wanted = places as u64 + OTHER_FILES;
    // Where there is no such limit there is nothing to raise.
    let files = rlimit::increase_nofile_limit(wanted).unwrap_or(wanted);
    (files.saturating_sub(OTHER_FILES).max(OTHER_FILES) as usize).min(places)
}

/// What all connections share.
struct Hall {
    player: Player,
    /// Where large requests are read, so that small ones do not wait for them.
    large: Handle,
}

/// Reads a small request and answers it; a large one is read elsewhere.
async fn small(mut arriving: Arriving, hall: Arc<Hall>) {
    let arrived = Instant::now();
    let large = hall.large.clone();
    match arriving.read(SMALL).await {
        Err(Halt::Gone) => {}
        Err(Halt::More) => arriving.go_on(&large, move |mut arriving| async move {
            if let Ok(request) | Err(Halt::Bad(request)) = arriving.read(usize::MAX).await {
                answer(&mut arriving, request, arrived, hall).await;
                arriving.close().await;
            }
        }),
        Ok(request) | Err(Halt::Bad(request)) => {
            answer(&mut arriving, request, arrived, hall).await;
            // Nobody knows how much more there is to read.
            arriving.go_on(&large, Arriving::close);
        }
    }
}

async fn answer(arriving: &mut Arriving, request: Request, arrived: Instant, hall: Arc<Hall>) {
    arriving.set_answered(true);
    let (status, answer) = match request {
        Request::Options => ("200 OK", String::new()),
        Request::Bad(status, why) => (status, why),
        Request::Message(text) => {
            let answer = spawn_blocking(move || hall.player.answer(text, arrived)).await;
            match answer {
                Ok(Ok(answer)) => ("200 OK", answer),
                Ok(Err(why)) => ("400 Bad Request", why.to_string()),
                // A panic has printed its own message; the next message finds the player as it was.
                Err(_) => ("200 OK", "busy".into()),
            }
        }
    };
    arriving.send(status, &answer).await;
    arriving.set_answered(false);
}
