//! `ludex lsp` as an editor sees it: real messages to the real program.

use ludex::policy::Policy;
use ludex::rules::Rules;
use ludex::source::{Report, Source};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

const TICTACTOE: &str = include_str!("../../../games/tictactoe.kif");
const URI: &str = "file:///games/mine.kif";

/// An editor, as far as the server can tell.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: i64,
    /// The diagnostics that came last.
    diagnostics: Vec<Value>,
    version: i64,
    slowest: (Duration, String),
}

impl Client {
    fn start() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let slowest = (Duration::ZERO, String::new());
        let (next, diagnostics, version) = (1, vec![], 0);
        let mut client = Client { child, input, output, next, diagnostics, version, slowest };
        let told = client.request("initialize", json!({"capabilities": {}, "processId": null}));
        assert_eq!(told["serverInfo"]["name"], "ludex");
        client.notify("initialized", json!({}));
        client
    }

    fn send(&mut self, message: Value) {
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server is gone");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Reads until the answer to a request comes.
    fn answer(&mut self, id: i64) -> Value {
        loop {
            let message = self.read();
            if message["method"] == "textDocument/publishDiagnostics" {
                self.diagnostics = message["params"]["diagnostics"].as_array().unwrap().clone();
            } else if message["id"] == id {
                return message;
            }
        }
    }

    fn whole(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        let from = Instant::now();
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.answer(id);
        if from.elapsed() > self.slowest.0 {
            self.slowest = (from.elapsed(), method.to_string());
        }
        answer
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        let answer = self.whole(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn open(&mut self, uri: &str, text: &str) {
        let item = json!({"uri": uri, "languageId": "gdl", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    fn change(&mut self, changes: Value) {
        self.version += 1;
        let document = json!({"uri": URI, "version": self.version});
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": changes}),
        );
    }

    /// A request about a place of the file.
    fn at(&mut self, method: &str, line: usize, character: usize) -> Value {
        let position = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": URI}, "position": position});
        self.request(&format!("textDocument/{method}"), params)
    }

    fn of_file(&mut self, method: &str, uri: &str) -> Value {
        let whole =
            json!({"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}});
        let params = json!({"textDocument": {"uri": uri}, "range": whole, "context": {"diagnostics": []},
            "options": {"tabSize": 4, "insertSpaces": true}});
        self.request(&format!("textDocument/{method}"), params)
    }

    fn end(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.input = None;
        assert!(self.child.wait().unwrap().success());
    }
}

/// The line and column of a part of a text.
fn place(text: &str, part: &str) -> (usize, usize) {
    let at = text.find(part).unwrap_or_else(|| panic!("{part} is no part of the text"));
    let line = text[..at].matches('\n').count();
    (line, at - text[..at].rfind('\n').map_or(0, |n| n + 1))
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|d| d["code"].as_str().unwrap()).collect()
}

#[test]
fn a_slip_is_shown_and_mended_by_its_quick_fix() {
    let mut client = Client::start();
    let wrong = TICTACTOE.replace("(<= (line ?x) (column", "(<= (line ?x) (colunm");
    client.open(URI, &wrong);
    let actions = client.of_file("codeAction", URI);
    assert_eq!(codes(&client.diagnostics), ["undefined-relation"]);
    let (line, column) = place(&wrong, "colunm");
    let start = &client.diagnostics[0]["range"]["start"];
    assert_eq!((&start["line"], &start["character"]), (&json!(line), &json!(column - 1)));
    assert!(client.diagnostics[0]["relatedInformation"].as_array().unwrap().len() > 1);
    let hover = client.at("hover", line, column);
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("did you mean") || text.contains("a slip of the pen"), "{text}");
    let fix = &actions[0]["edit"]["changes"][URI][0];
    assert_eq!(fix["newText"], "column");
    client.change(json!([{"range": fix["range"], "text": fix["newText"]}]));
    client.of_file("foldingRange", URI);
    assert!(client.diagnostics.is_empty(), "{:?}", client.diagnostics);
    client.end();
}

#[test]
fn names_are_explained_found_and_renamed() {
    let mut client = Client::start();
    client.open(URI, TICTACTOE);
    let (line, column) = place(TICTACTOE, "(line ?x) (row");
    let hover = client.at("hover", line, column + 2)["contents"]["value"].to_string();
    assert!(hover.contains("**line/1** relation") && hover.contains("depends on"), "{hover}");
    let found = client.at("definition", line, column + 1);
    assert_eq!(found.as_array().unwrap().len(), 3);
    let references = client.at("references", line, column + 1);
    assert_eq!(references.as_array().unwrap().len(), TICTACTOE.matches("(line ").count());
    let (line, column) = place(TICTACTOE, "(cell 1 1 b)");
    assert_eq!(client.at("definition", line, column + 2).as_array().unwrap().len(), 17);
    let params = |name: &str| {
        let position = json!({"line": line, "character": column + 2});
        json!({"textDocument": {"uri": URI}, "position": position, "newName": name})
    };
    let edit = client.request("textDocument/rename", params("square"));
    let edits = edit["changes"][URI].as_array().unwrap();
    assert_eq!(edits.len(), TICTACTOE.matches("(cell ").count());
    assert!(edits.iter().all(|e| e["newText"] == "square"));
    for wrong in ["a b", "", "mark)"] {
        let answer = client.whole("textDocument/rename", params(wrong));
        assert!(answer["error"]["message"].is_string(), "{answer}");
    }
    client.end();
}

#[test]
fn completion_knows_keywords_relations_and_constants() {
    let mut client = Client::start();
    client.open(URI, TICTACTOE);
    let labels = |items: &Value| -> Vec<String> {
        let items = items.as_array().unwrap().iter();
        items.map(|i| i["label"].as_str().unwrap().to_string()).collect()
    };
    let more = "(<= (goal white 20) (\n(<= (next (control ";
    let end = TICTACTOE.lines().count();
    client.change(json!([{"text": format!("{TICTACTOE}{more}")}]));
    let found = labels(&client.at("completion", end, 21));
    for word in ["true", "distinct", "line", "open"] {
        assert!(found.contains(&word.to_string()), "{word} in {found:?}");
    }
    let found = labels(&client.at("completion", end + 1, 19));
    assert!(found.iter().take(2).eq(["black", "white"].iter()), "{found:?}");
    client.end();
}

#[test]
fn layout_colours_folds_and_lenses() {
    let mut client = Client::start();
    let text = "% é \u{1F600}\n% two\nrole(a).   init(n(1)).\nlegal(a, go) :-\n  true(n(1)).\n\
        next(n(1)) :- true(n(1)).\ngoal(a,100).\nterminal :- true(n(2)).\nbase(n(1)). base(n(2)). input(a,go).\n";
    client.open(URI, text);
    let edits = client.of_file("formatting", URI);
    assert!(edits[0]["newText"].as_str().unwrap().contains("role(a)"), "{edits}");
    let folds = client.of_file("foldingRange", URI);
    assert_eq!(folds.as_array().unwrap().len(), 2, "{folds}");
    let tokens = client.of_file("semanticTokens/full", URI);
    let data: Vec<u64> =
        tokens["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    // A comment of six units of UTF-16, then another on the next line.
    assert_eq!(data[..10], [0, 0, 6, 5, 0, 1, 0, 5, 5, 0]);
    let titles = |lenses: &Value| -> Vec<String> {
        let lenses = lenses.as_array().unwrap().iter();
        lenses.map(|l| l["command"]["title"].as_str().unwrap().to_string()).collect()
    };
    // The number of moves comes when it is known.
    let wanted = ["draw", "play", "legal now: 1"];
    let found = (0..500).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        let found = titles(&client.of_file("codeLens", URI));
        (found.len() == 3).then_some(found)
    });
    assert_eq!(found.unwrap(), wanted);
    client.end();
}

#[test]
fn any_part_of_a_text_is_answered() {
    let mut client = Client::start();
    client.open(URI, "");
    for (at, _) in TICTACTOE.char_indices().step_by(41) {
        client.change(json!([{"text": &TICTACTOE[..at]}]));
        client.at("hover", 10, 3);
        client.at("completion", 999, 999);
        client.of_file("semanticTokens/full", URI);
        client.of_file("codeAction", URI);
    }
    for odd in
        ["(((((", ")", "role(", "'", "(<= \u{1F600}", "\0\0", "(a \"", "?", "\r\r;x\r(role a)"]
    {
        client.change(json!([{"text": odd}]));
        client.at("definition", 0, 1);
        client.at("completion", 0, 2);
        client.of_file("formatting", URI);
    }
    // A change at a place that is not there.
    let far = json!({"line": 99, "character": 99});
    client.change(json!([{"range": {"start": far, "end": far}, "text": "(role b)"}]));
    client.at("references", 99, 99);
    client.end();
}

#[test]
fn wrong_requests_are_refused_and_late_ones_called_off() {
    let mut client = Client::start();
    let answer = client.whole("textDocument/hover", json!({"textDocument": {"uri": "file:///no"}}));
    assert!(answer["error"]["code"].is_number(), "{answer}");
    let answer = client.whole("no/such", json!({}));
    assert!(answer["error"]["code"].is_number(), "{answer}");
    client.open(URI, TICTACTOE);
    let id = client.next;
    client.next += 1;
    let params = json!({"textDocument": {"uri": URI}});
    client.send(json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/foldingRange", "params": params}));
    client.notify("$/cancelRequest", json!({"id": id}));
    let answer = client.answer(id);
    assert!(answer["result"].is_array() || answer["error"]["code"] == -32800, "{answer}");
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    client.end();
}

#[test]
fn the_collection_has_no_complaints_that_check_has_not() {
    let mut client = Client::start();
    let mut slow: Vec<(Duration, String, usize)> = Vec::new();
    for path in ludex_testing::collected_games() {
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let source = Source::new("game", text.clone());
        let (Ok((_, mut report)) | Err(mut report)) = Rules::read(&source, None);
        Policy::of_comments(&source, &mut Report::default()).apply(&source, &mut report);
        let uri = format!("file:///{}", path.file_name().unwrap().to_string_lossy());
        client.slowest.0 = Duration::ZERO;
        client.diagnostics = vec![json!("none came")];
        client.open(&uri, &text);
        for method in
            ["foldingRange", "semanticTokens/full", "codeAction", "codeLens", "formatting"]
        {
            client.of_file(method, &uri);
        }
        assert_eq!(client.diagnostics.len(), report.complaints.len(), "{}", path.display());
        assert!(client.diagnostics.iter().all(|d| d["severity"] != 1), "{}", path.display());
        let (time, method) = client.slowest.clone();
        slow.push((time, format!("{} {method}", path.display()), text.lines().count()));
        client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }
    slow.sort();
    // Told, not asserted: machines differ.
    for (time, what, lines) in slow.iter().rev().take(5) {
        eprintln!("{} ms, {lines} lines: {what}", time.as_millis());
    }
    client.end();
}
