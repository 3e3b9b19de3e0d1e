//! `Server`: accepts connections and answers the message on each, until it is told to end.

use crate::http::{self, Request};
use crate::player::{Player, Settings};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Connections at a time; more have to wait.
const CONNECTIONS: usize = 500;
/// How often the server looks whether it is to end.
const LOOK: Duration = Duration::from_millis(20);
/// How long answers under way are waited for at the end.
const LAST_WORDS: Duration = Duration::from_secs(5);

pub struct Server {
    listener: TcpListener,
}

impl Server {
    /// Listens on an address; port 0 is any free one.
    pub fn bind(host: &str, port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((host, port))?;
        listener.set_nonblocking(true)?;
        Ok(Server { listener })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until the budget of the settings is stopped, then finishes what it has begun.
    pub fn run(self, settings: Settings) -> io::Result<()> {
        // One thread for all sockets; answers are found on threads of their own.
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        let outcome = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let budget = settings.budget.clone();
            let player = Arc::new(Player::new(settings, Handle::current()));
            let places = Arc::new(Semaphore::new(CONNECTIONS));
            while budget.check().is_ok() {
                player.forget_silent();
                let Ok(accepted) = timeout(LOOK, accept(&listener, &places)).await else {
                    continue;
                };
                let Some((stream, place)) = accepted else { continue };
                let player = player.clone();
                tokio::spawn(async move {
                    converse(stream, player).await;
                    drop(place);
                });
            }
            let all = places.acquire_many(CONNECTIONS as u32);
            let _ = timeout(LAST_WORDS, all).await;
            Ok(())
        });
        runtime.shutdown_timeout(Duration::from_millis(100));
        outcome
    }
}

/// The next connection with a place for it. Errors concern one connection, or pass with time.
async fn accept(
    listener: &tokio::net::TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let place = places.clone().acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => Some((stream, place)),
        Err(_) => {
            sleep(LOOK).await;
            None
        }
    }
}

async fn converse(mut stream: TcpStream, player: Arc<Player>) {
    let arrived = Instant::now();
    let text = match http::read(&mut stream).await {
        None => return,
        Some(Request::Options) => return http::write(stream, "200 OK", "").await,
        Some(Request::Bad(why)) => return http::write(stream, "400 Bad Request", &why).await,
        Some(Request::Message(text)) => text,
    };
    let answer = tokio::task::spawn_blocking(move || player.answer(&text, arrived)).await;
    match answer {
        Ok(Ok(answer)) => http::write(stream, "200 OK", &answer).await,
        Ok(Err(why)) => http::write(stream, "400 Bad Request", &why).await,
        // A panic has printed its own message; the next message finds the player as it was.
        Err(_) => http::write(stream, "200 OK", "busy").await,
    }
}
