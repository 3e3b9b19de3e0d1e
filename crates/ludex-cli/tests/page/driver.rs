//! A browser led by its driver: the little of the WebDriver protocol that the tests need, over plain HTTP.

use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a test waits for something to appear.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long a script of a test may run, such as one that plays a whole match.
const SCRIPT: Duration = Duration::from_secs(900);

/// The driver and one browser window, both gone with it.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    pub fn start() -> Browser {
        // It takes a port that nobody else has, and tells which.
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let mut said = BufReader::new(driver.stdout.take().expect("a pipe"));
        let port = told_port(&mut said).expect("chromedriver tells its port");
        // What else it says is read, so that it can go on.
        std::thread::spawn(move || io::copy(&mut said, &mut io::sink()));
        let profile = tempfile::tempdir().expect("a folder");
        let mut browser = Browser { driver, port, session: String::new(), _profile: profile };
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--window-size=1280,900",
            &format!("--user-data-dir={}", browser._profile.path().display()),
        ];
        let wish = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "timeouts": { "script": SCRIPT.as_millis() as u64 },
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let made = browser.send("POST", "/session", &wish);
        browser.session = made["sessionId"].as_str().expect("a session").into();
        browser
    }

    /// Asks the driver; what goes wrong there is a panic here.
    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.try_send(method, path, body);
        answer.unwrap_or_else(|error| panic!("{method} {path}: {error}"))
    }

    fn try_send(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(|e| e.to_string())?;
        stream.set_read_timeout(Some(SCRIPT)).map_err(|e| e.to_string())?;
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).map_err(|e| e.to_string())?;
        let body = read_body(&mut BufReader::new(stream)).map_err(|e| e.to_string())?;
        let mut answer: Value = serde_json::from_slice(&body).map_err(|e| e.to_string())?;
        match answer["value"]["error"].as_str() {
            Some(error) => Err(format!("{error}: {}", answer["value"]["message"])),
            None => Ok(answer["value"].take()),
        }
    }

    fn ask(&self, method: &str, path: &str, body: Value) -> Value {
        self.send(method, &format!("/session/{}{path}", self.session), &body)
    }

    pub fn open(&self, address: &str) {
        // A change behind # alone would not load the page anew.
        self.ask("POST", "/url", json!({ "url": "about:blank" }));
        self.ask("POST", "/url", json!({ "url": address }));
    }

    /// Runs a script of the page with arguments; `await` is allowed in it.
    pub fn run(&self, script: &str, arguments: Value) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; (async (...args) => {{ {script} }})(...[...arguments].slice(0, -1)).then(done, e => done({{ thrown: String(e.stack ?? e) }}));"
        );
        let value =
            self.ask("POST", "/execute/async", json!({ "script": script, "args": arguments }));
        assert!(value.get("thrown").is_none(), "{value}");
        value
    }

    /// The element that fits a selector, when it is there and shown.
    pub fn find(&self, selector: &str) -> String {
        wait(selector, || self.look(selector))
    }

    pub fn look(&self, selector: &str) -> Option<String> {
        let path = format!("/session/{}/element", self.session);
        let wish = json!({ "using": "css selector", "value": selector });
        let element = self.try_send("POST", &path, &wish).ok()?;
        let id = element.as_object()?.values().next()?.as_str()?.to_string();
        Some(id)
    }

    /// A click as a person makes it: the element must be there, in view and not covered.
    pub fn click(&self, selector: &str) {
        wait(&format!("a click on {selector}"), || {
            let id = self.look(selector)?;
            let path = format!("/session/{}/element/{id}/click", self.session);
            self.try_send("POST", &path, &json!({})).ok()
        });
    }

    pub fn text(&self, selector: &str) -> String {
        let read = || {
            let id = self.look(selector)?;
            let path = format!("/session/{}/element/{id}/text", self.session);
            Some(self.try_send("GET", &path, &Value::Null).ok()?.as_str()?.to_string())
        };
        wait(selector, read)
    }

    /// Waits until an element's text holds a word.
    pub fn wait_text(&self, selector: &str, word: &str) {
        let holds = || self.text(selector).contains(word).then_some(());
        wait(&format!("{word} in {selector}"), holds);
    }

    pub fn keys(&self, selector: &str, text: &str) {
        let id = self.find(selector);
        self.ask("POST", &format!("/element/{id}/value"), json!({ "text": text }));
    }

    /// Takes something up, moves it and puts it down.
    pub fn drag(&self, from: &str, to: &str) {
        let at = |selector: &str| {
            let element = json!({ "element-6066-11e4-a52e-4f735466cecf": self.find(selector) });
            json!({ "type": "pointerMove", "duration": 50, "origin": element, "x": 0, "y": 0 })
        };
        let press = |what: &str| json!({ "type": what, "button": 0 });
        let actions = [at(from), press("pointerDown"), at(to), at(to), press("pointerUp")];
        let mouse = json!({ "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": actions });
        self.ask("POST", "/actions", json!({ "actions": [mouse] }));
    }

    /// A screen of another size, in pixels.
    pub fn narrow(&self, width: u32, height: u32) {
        let params =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": true });
        let command = json!({ "cmd": "Emulation.setDeviceMetricsOverride", "params": params });
        self.ask("POST", "/goog/cdp/execute", command);
    }

    /// A second tab, which is shown then; the names of both.
    pub fn second_tab(&self) -> (String, String) {
        let old = self.ask("GET", "/window", Value::Null).as_str().unwrap().to_string();
        let new = self.ask("POST", "/window/new", json!({ "type": "tab" }))["handle"].clone();
        let new = new.as_str().unwrap().to_string();
        self.tab(&new);
        (old, new)
    }

    pub fn tab(&self, name: &str) {
        self.ask("POST", "/window", json!({ "handle": name }));
    }

    /// What the console of the page complains about.
    pub fn complaints(&self) -> Vec<String> {
        let log = self.ask("POST", "/se/log", json!({ "type": "browser" }));
        let entries = log.as_array().cloned().unwrap_or_default();
        let severe = entries.iter().filter(|e| e["level"] == "SEVERE");
        severe.map(|e| e["message"].to_string()).collect()
    }

    /// Keeps a picture of the window where `LUDEX_SCREENSHOTS` names a folder.
    pub fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("LUDEX_SCREENSHOTS") else { return };
        let data = self.ask("GET", "/screenshot", Value::Null);
        let bytes = from_base64(data.as_str().expect("a picture"));
        let path = PathBuf::from(folder).join(format!("{name}.png"));
        std::fs::write(path, bytes).expect("a folder for pictures");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.try_send("DELETE", &format!("/session/{}", self.session), &json!({}));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Waits for something, or says what did not come.
pub fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The port in "ChromeDriver was started successfully on port 33027."
fn told_port(said: &mut impl BufRead) -> Option<u16> {
    let lines = said.lines().map_while(Result::ok);
    let mut started = lines.filter(|line| line.contains("started successfully"));
    started.next()?.trim_end_matches('.').rsplit(' ').next()?.parse().ok()
}

pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a port").port()
}

fn from_base64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let digits: Vec<u32> =
        text.bytes().filter(|c| *c != b'=').map(|c| u32::from(digit(c))).collect();
    let mut bytes = Vec::new();
    for four in digits.chunks(4) {
        let number = four.iter().fold(0, |n, d| n << 6 | d) << (6 * (4 - four.len()));
        bytes.extend((0..four.len() - 1).map(|i| (number >> (16 - 8 * i)) as u8));
    }
    bytes
}

/// The body of an answer. The driver leaves the connection open, so its length tells where it ends.
fn read_body(stream: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(body)
}
