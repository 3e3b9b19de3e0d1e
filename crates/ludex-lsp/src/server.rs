//! The server: messages in, answers out.

use crate::complaints::{actions, diagnostics};
use crate::complete::complete;
use crate::deep::{Deep, Task, budget, cancel};
use crate::document::Document;
use crate::hover::hover;
use crate::layout::{COLOURS, colours, folds, format, lenses};
use crate::names::{definition, references, rename};
use lsp_server::{
    Connection, ErrorCode, Message, Notification, ProtocolError, Request, RequestId, Response,
};
use lsp_types::*;
use ludex::budget::Budget;
use ludex::source::Report;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::{fmt, io};

/// The stack of the thread that looks into rules: they nest as deep as their author likes.
const STACK: usize = 64 << 20;

/// How a client and the server can part other than well.
#[derive(Debug)]
pub enum Broken {
    /// A message that has no place in the protocol.
    Protocol(ProtocolError),
    /// Messages cannot be read or written.
    Stream(io::Error),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Broken::Protocol(why) => why.fmt(f),
            Broken::Stream(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Broken {}

impl From<ProtocolError> for Broken {
    fn from(why: ProtocolError) -> Broken {
        Broken::Protocol(why)
    }
}

/// Answers a client until it says that it goes.
fn serve(connection: &Connection) -> Result<(), Broken> {
    let (id, params) = match connection.initialize_start() {
        Ok(first) => first,
        // Nobody was there.
        Err(e) if e.channel_is_disconnected() => return Ok(()),
        Err(e) => return Err(e.into()),
    };
    let refresh = params["capabilities"]["workspace"]["codeLens"]["refreshSupport"] == json!(true);
    let told = json!({
        "capabilities": capabilities(),
        "serverInfo": {"name": "ludex", "version": env!("CARGO_PKG_VERSION")},
    });
    connection.initialize_finish(id, told)?;
    let mut server = Server { connection, refresh, open: vec![], asked: 0 };
    server.run()
}

/// The same on standard input and output.
pub fn serve_stdio() -> Result<(), Broken> {
    let (connection, threads) = Connection::stdio();
    let outcome = serve(&connection);
    // The threads end when nobody can send any more.
    drop(connection);
    threads.join().map_err(Broken::Stream)?;
    outcome
}

fn capabilities() -> ServerCapabilities {
    let legend = SemanticTokensLegend { token_types: COLOURS.to_vec(), token_modifiers: vec![] };
    let tokens = SemanticTokensOptions {
        legend,
        full: Some(SemanticTokensFullOptions::Bool(true)),
        ..SemanticTokensOptions::default()
    };
    let triggers = ["(", ",", " "].map(String::from).to_vec();
    ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::UTF16),
        text_document_sync: Some(TextDocumentSyncKind::INCREMENTAL.into()),
        hover_provider: Some(true.into()),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(triggers),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(true.into()),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        document_formatting_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(true.into()),
        semantic_tokens_provider: Some(tokens.into()),
        ..ServerCapabilities::default()
    }
}

/// An open file and what is found out about it beside the server.
struct Open {
    document: Arc<Document>,
    deep: Arc<Mutex<Option<Deep>>>,
    budget: Budget,
}

struct Server<'a> {
    connection: &'a Connection,
    /// Whether the client can be asked to ask for lenses again.
    refresh: bool,
    open: Vec<Open>,
    asked: i32,
}

impl Server<'_> {
    fn run(&mut self) -> Result<(), Broken> {
        let mut waiting: VecDeque<Message> = VecDeque::new();
        loop {
            if waiting.is_empty() {
                let Ok(message) = self.connection.receiver.recv() else { return Ok(()) };
                waiting.push_back(message);
            }
            waiting.extend(self.connection.receiver.try_iter());
            let cancelled = cancelled(&waiting);
            let Some(message) = waiting.pop_front() else { continue };
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    let answer = match cancelled.contains(&request.id) {
                        true => refuse(&request.id, ErrorCode::RequestCanceled, "cancelled"),
                        false => self.answer(request),
                    };
                    self.send(Message::Response(answer));
                }
                Message::Notification(told) => self.hear(told, &waiting),
                Message::Response(_) => {}
            }
        }
    }

    fn send(&self, message: Message) {
        // The client may have gone; then the loop ends by itself.
        let _ = self.connection.sender.send(message);
    }

    fn hear(&mut self, told: Notification, waiting: &VecDeque<Message>) {
        match told.method.as_str() {
            "textDocument/didOpen" => {
                let Some(p) = read::<DidOpenTextDocumentParams>(told.params) else { return };
                let item = p.text_document;
                self.look_at(Document::new(item.uri, item.version, item.text));
            }
            "textDocument/didChange" => {
                let Some(p) = read::<DidChangeTextDocumentParams>(told.params) else { return };
                let VersionedTextDocumentIdentifier { uri, version } = p.text_document;
                let Some(at) = self.find(&uri) else { return };
                let text = self.open[at].document.changed(p.content_changes);
                let document = Document::new(uri, version, text);
                let again = waiting.iter().any(|m| changes(m, &document.uri));
                if again {
                    // The next change is there already: nobody will see this text.
                    self.open[at].document = Arc::new(document);
                } else {
                    self.look_at(document);
                }
            }
            "textDocument/didClose" => {
                let Some(p) = read::<DidCloseTextDocumentParams>(told.params) else { return };
                if let Some(at) = self.find(&p.text_document.uri) {
                    let closed = self.open.remove(at);
                    cancel(&closed.budget);
                    publish(&self.connection.sender, &closed.document, vec![]);
                }
            }
            _ => {}
        }
    }

    fn find(&self, uri: &Uri) -> Option<usize> {
        self.open.iter().position(|o| o.document.uri == *uri)
    }

    /// Tells what is wrong with a text and begins to find out more.
    fn look_at(&mut self, document: Document) {
        let document = Arc::new(document);
        publish(&self.connection.sender, &document, diagnostics(&document, &document.report));
        let open = Open { document, deep: Arc::default(), budget: budget() };
        if let Some(task) = Task::of(&open.document) {
            self.asked += 1;
            begin(&open, task, self.connection.sender.clone(), self.refresh.then_some(self.asked));
        }
        match self.find(&open.document.uri) {
            Some(at) => {
                cancel(&self.open[at].budget);
                self.open[at] = open;
            }
            None => self.open.push(open),
        }
    }

    fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let uri = params["textDocument"]["uri"].as_str().unwrap_or("");
        let Some(open) = self.open.iter().find(|o| o.document.uri.as_str() == uri) else {
            let known = method.starts_with("textDocument/");
            let code = if known { ErrorCode::InvalidParams } else { ErrorCode::MethodNotFound };
            return refuse(&id, code, "no such file is open, or no such method");
        };
        let deep = open.deep.lock().expect("no panic while held");
        match answer(&open.document, deep.as_ref(), &method, params) {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => refuse(&id, code, &message),
        }
    }
}

type Refusal = (ErrorCode, String);

fn answer(
    document: &Document,
    deep: Option<&Deep>,
    method: &str,
    params: Value,
) -> Result<Value, Refusal> {
    let report: &Report = deep.map_or(&document.report, |d| &d.report);
    let at = position(&params);
    match method {
        "textDocument/hover" => to_value(hover(document, deep, report, at)),
        "textDocument/definition" => to_value(definition(document, at)),
        "textDocument/references" => {
            let declaration = params["context"]["includeDeclaration"] != json!(false);
            to_value(references(document, at, declaration))
        }
        "textDocument/rename" => {
            let to = params["newName"].as_str().unwrap_or("");
            let edit = rename(document, at, to);
            to_value(edit.map_err(|why| (ErrorCode::RequestFailed, why.to_string()))?)
        }
        "textDocument/completion" => to_value(complete(document, deep, at)),
        "textDocument/codeAction" => {
            let range = read::<Range>(params["range"].clone()).unwrap_or_default();
            to_value(actions(document, report, range))
        }
        "textDocument/codeLens" => to_value(lenses(document, deep)),
        "textDocument/formatting" => to_value(format(document)),
        "textDocument/foldingRange" => to_value(folds(document)),
        "textDocument/semanticTokens/full" => {
            to_value(SemanticTokens { result_id: None, data: colours(document) })
        }
        _ => Err((ErrorCode::MethodNotFound, format!("{method} is not supported"))),
    }
}

fn position(params: &Value) -> Position {
    read(params["position"].clone()).unwrap_or_default()
}

fn read<T: DeserializeOwned>(value: Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

fn to_value(answer: impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(answer).map_err(|e| (ErrorCode::InternalError, e.to_string()))
}

fn refuse(id: &RequestId, code: ErrorCode, message: &str) -> Response {
    Response::new_err(id.clone(), code as i32, message.to_string())
}

/// The requests that are called off by a message that has arrived.
fn cancelled(waiting: &VecDeque<Message>) -> HashSet<RequestId> {
    let id = |message: &Message| match message {
        Message::Notification(n) if n.method == "$/cancelRequest" => {
            let id = &n.params["id"];
            let number = id.as_i64().and_then(|n| i32::try_from(n).ok()).map(RequestId::from);
            number.or_else(|| Some(RequestId::from(id.as_str()?.to_string())))
        }
        _ => None,
    };
    waiting.iter().filter_map(id).collect()
}

fn changes(message: &Message, uri: &Uri) -> bool {
    matches!(message, Message::Notification(n) if n.method == "textDocument/didChange"
        && n.params["textDocument"]["uri"] == json!(uri.as_str()))
}

type Sender = crossbeam_channel::Sender<Message>;

fn publish(sender: &Sender, document: &Document, diagnostics: Vec<Diagnostic>) {
    let params = PublishDiagnosticsParams {
        uri: document.uri.clone(),
        diagnostics,
        version: Some(document.version),
    };
    let method = "textDocument/publishDiagnostics".to_string();
    let _ = sender.send(Message::Notification(Notification::new(method, params)));
}

/// Finds out what takes longer, and tells it unless the text has changed by then.
fn begin(open: &Open, task: Task, sender: Sender, refresh: Option<i32>) {
    let (document, deep, budget) = (open.document.clone(), open.deep.clone(), open.budget.clone());
    let work = move || {
        let found = task.run(&budget);
        if matches!(budget.check(), Err(ludex::budget::Stop::Interrupted)) {
            return;
        }
        let more = found.report.complaints.len() != document.report.complaints.len();
        let told = diagnostics(&document, &found.report);
        *deep.lock().expect("no panic while held") = Some(found);
        if more {
            publish(&sender, &document, told);
        }
        if let Some(id) = refresh {
            let method = "workspace/codeLens/refresh".to_string();
            let request = Request::new(RequestId::from(id), method, Value::Null);
            let _ = sender.send(Message::Request(request));
        }
    };
    let thread = std::thread::Builder::new().name("deep".into()).stack_size(STACK);
    thread.spawn(work).expect("a thread can be started");
}
