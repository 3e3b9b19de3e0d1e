//! A page that is served for a test by the program itself.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

pub struct Served {
    pub port: u16,
    server: Child,
}

impl Served {
    pub fn bundled() -> Served {
        Served::of(&[])
    }

    pub fn of(games: &[String]) -> Served {
        Served::on(0, games)
    }

    pub fn on(port: u16, games: &[String]) -> Served {
        // To measure another build, such as one for release: a path from the root of the repository.
        let other = std::env::var_os("LUDEX_PROGRAM");
        let program = other.unwrap_or_else(|| env!("CARGO_BIN_EXE_ludex").into());
        let mut server = Command::new(ludex_testing::root().join(program))
            .args(["serve", "--json", "--port", &port.to_string()])
            .args(games)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = server.stdout.take().expect("it prints");
        BufReader::new(out).read_line(&mut line).expect("its address");
        let told: Value = serde_json::from_str(&line).expect("JSON");
        let port = told["port"].as_u64().expect("a port") as u16;
        Served { port, server }
    }

    /// The most memory that the server has used, where the system tells it.
    pub fn most_megabytes(&self) -> u64 {
        let told = std::fs::read_to_string(format!("/proc/{}/status", self.server.id()));
        let told = told.unwrap_or_default();
        let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        line.split_whitespace().next().and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) / 1024
    }

    pub fn at(&self, part: &str) -> String {
        format!("http://127.0.0.1:{}/{part}", self.port)
    }
}

/// It is killed, as a machine that fails would.
impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
