//! All questions of a tab over one WebSocket: `{id, ask, with}` in, `{id, event, data}` out, `{id}` to cancel.
//!
//! Browsers open few connections to a server, whatever the number of tabs; sockets are not among these few.

use crate::api::Desk;
use crate::http::{LARGEST, Refused, Request};
use crate::places::Work;
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

/// Questions of one tab at a time.
const MOST: usize = 64;

/// What a tab says.
#[derive(Deserialize)]
struct Said {
    id: u64,
    /// The question; none: the one of this number is not asked any more.
    ask: Option<String>,
    #[serde(default)]
    with: Value,
}

type Asked = HashMap<u64, JoinHandle<()>>;

/// Answers until the tab goes; what is still at work then is stopped.
pub async fn talk(
    stream: &mut TcpStream,
    request: &Request,
    desk: &Arc<Desk>,
    work: &Work,
) -> Result<(), Refused> {
    let key = request.header("sec-websocket-key").ok_or(Refused(400, "this is not a WebSocket"))?;
    let accept = format!(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Accept: {}\r\n\r\n",
        derive_accept_key(key.as_bytes())
    );
    if stream.write_all(accept.as_bytes()).await.is_err() {
        return Ok(());
    }
    let limits = WebSocketConfig::default();
    let limits = limits.max_message_size(Some(LARGEST)).max_frame_size(Some(LARGEST));
    let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(limits)).await;
    let (out, mut answers) = channel::<String>(256);
    let mut asked = Asked::new();
    loop {
        tokio::select! {
            answer = answers.recv() => {
                let Some(answer) = answer else { break };
                if socket.send(Message::text(answer)).await.is_err() {
                    break;
                }
            }
            said = socket.next() => match said {
                Some(Ok(Message::Text(text))) => {
                    let Ok(said) = serde_json::from_str::<Said>(&text) else { break };
                    asked.retain(|_, task| !task.is_finished());
                    hear(said, desk, (&out, work), &mut asked);
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
        }
    }
    asked.values().for_each(JoinHandle::abort);
    Ok(())
}

fn hear(said: Said, desk: &Arc<Desk>, tab: (&Sender<String>, &Work), asked: &mut Asked) {
    let Said { id, ask, with } = said;
    let Some(ask) = ask else {
        if let Some(task) = asked.remove(&id) {
            task.abort();
        }
        return;
    };
    let told = (asked.len() < MOST).then(|| desk.answer(&ask, with)).flatten();
    let (out, at_work) = (tab.0.clone(), tab.1.clone());
    let task = tokio::spawn(async move {
        let _at_work = at_work;
        let Some(mut told) = told else {
            let why = r#"[{"code":"refused","message":"there is no such question, or too many at once"}]"#;
            let _ = out.send(format!(r#"{{"id":{id},"event":"error","data":{why}}}"#)).await;
            return;
        };
        while let Some(event) = told.recv().await {
            let text = format!(r#"{{"id":{id},"event":"{}","data":{}}}"#, event.kind, event.data);
            if out.send(text).await.is_err() {
                return;
            }
        }
    });
    asked.insert(id, task);
}
