//! `PageServer`: listens, admits connections, checks who asks, and answers with files and streams.

use crate::api::Desk;
use crate::assets;
use crate::clock::Keeper;
use crate::guard::Guard;
use crate::http::{Refused, Request, write, write_head};
use crate::lane::Event;
use crate::library::Library;
use crate::places::{Places, Work};
use crate::socket::talk;
use ludex::budget::Budget;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;

/// Connections at a time.
const PLACES: usize = 1_000;
/// How often the server looks whether it is to end.
const LOOK: Duration = Duration::from_millis(50);

/// What a page is served with.
pub struct PageSettings {
    pub library: Library,
    /// Ended, the server ends.
    pub budget: Budget,
    /// Bytes that the whole program may use.
    pub bytes: u64,
}

pub struct PageServer {
    runtime: Runtime,
    listener: TcpListener,
    host: String,
}

struct Hall {
    guard: Guard,
    desk: Arc<Desk>,
}

impl PageServer {
    /// Listens on an address; port 0 is any free one.
    pub fn bind(host: &str, port: u16) -> io::Result<PageServer> {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        let runtime = builder.worker_threads(2).enable_io().enable_time().build()?;
        let listener = runtime.block_on(TcpListener::bind((host, port)))?;
        Ok(PageServer { runtime, listener, host: host.into() })
    }

    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until the budget of the settings is stopped.
    pub fn run(self, settings: PageSettings) -> io::Result<()> {
        let guard = Guard::new(&self.host, self.address()?);
        let desk = Desk::new(settings.library, Keeper::start(settings.bytes));
        let hall = Arc::new(Hall { guard, desk: desk.clone() });
        let PageServer { runtime, listener, .. } = self;
        runtime.block_on(admit(listener, hall, &settings.budget));
        desk.stop();
        runtime.shutdown_timeout(Duration::from_millis(200));
        Ok(())
    }
}

/// Accepts connections.
async fn admit(listener: TcpListener, hall: Arc<Hall>, budget: &Budget) {
    // As many as the limit of open files, raised where that is allowed, has room for.
    let files = rlimit::increase_nofile_limit(PLACES as u64 + 100).unwrap_or(u64::MAX);
    let most = PLACES.min(files.saturating_sub(100) as usize).max(16);
    let places = Places::default();
    while budget.check().is_ok() {
        let Ok(accepted) = timeout(LOOK, listener.accept()).await else { continue };
        let Ok((stream, _)) = accepted else {
            // There are too many open files.
            tokio::time::sleep(LOOK).await;
            continue;
        };
        if !places.make_room(most) {
            continue;
        }
        let work = Work::default();
        let task = tokio::spawn(serve(stream, hall.clone(), work.clone()));
        places.take(work, task.abort_handle());
    }
}

/// Answers the request of a connection.
async fn serve(mut stream: TcpStream, hall: Arc<Hall>, work: Work) {
    let outcome = match Request::read(&mut stream).await {
        Ok(request) => answer(&mut stream, request, &hall, &work).await,
        Err(Some(refused)) => Err(refused),
        Err(None) => return,
    };
    if let Err(Refused(code, why)) = outcome {
        // Whoever is refused need not listen.
        let _ = write(&mut stream, code, "text/plain; charset=utf-8", why).await;
        // What was sent and not read would make the refusal unreadable.
        let _ = timeout(LOOK, stream.take(1 << 20).read_to_end(&mut Vec::new())).await;
    }
}

async fn answer(
    stream: &mut TcpStream,
    mut request: Request,
    hall: &Hall,
    work: &Work,
) -> Result<(), Refused> {
    if let Some(why) = hall.guard.refuse(&request) {
        return Err(Refused(403, why));
    }
    let path = request.path.split('?').next().unwrap_or_default().to_string();
    let method = request.method.clone();
    // What cannot be written any more concerns nobody but this connection.
    match (method.as_str(), path.strip_prefix("/api/")) {
        ("GET", Some("socket")) => talk(stream, &request, &hall.desk, work).await,
        ("POST", Some(name)) => {
            let body = request.body(stream).await?;
            let body =
                serde_json::from_slice(&body).map_err(|_| Refused(400, "this is not JSON"))?;
            let _at_work = work.clone();
            let told =
                hall.desk.answer(name, body).ok_or(Refused(404, "there is no such question"))?;
            let _ = tell(stream, told).await;
            Ok(())
        }
        ("GET", None) => {
            let asset = assets::find(&path).ok_or(Refused(404, "there is no such page"))?;
            let _ = write(stream, 200, asset.kind, asset.text).await;
            Ok(())
        }
        _ => Err(Refused(405, "this request is not understood")),
    }
}

/// Events as server-sent events, until the last one or until nobody listens any more.
async fn tell(stream: &mut TcpStream, mut told: Receiver<Event>) -> io::Result<()> {
    write_head(stream, 200, "text/event-stream", None).await?;
    let mut nothing = [0; 64];
    loop {
        tokio::select! {
            event = told.recv() => {
                let Some(Event { kind, data }) = event else { return stream.shutdown().await };
                stream.write_all(format!("event: {kind}\ndata: {data}\n\n").as_bytes()).await?;
            }
            read = stream.read(&mut nothing) => if read? == 0 { return Ok(()) },
        }
    }
}
