//! `Screen`: a program at a real terminal, with keys sent to it and its page read.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A terminal of its own (tmux), gone when it is dropped.
pub struct Screen(String);

impl Screen {
    pub fn open(name: &str) -> Option<Screen> {
        let there = Command::new("tmux").arg("-V").stdout(Stdio::null()).status();
        if !there.is_ok_and(|status| status.success()) {
            crate::left_out("tmux is not installed");
            return None;
        }
        let screen = Screen(format!("ludex-{name}-{}", std::process::id()));
        screen.tmux(&["new-session", "-d", "-x", "90", "-y", "40", "sh"]);
        Some(screen)
    }

    pub fn tmux(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.0, "-f", "/dev/null"]).args(arguments);
        let output = command.output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub fn send(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Waits until the page shows this.
    #[track_caller]
    pub fn wait(&self, part: &str) -> String {
        let from = Instant::now();
        loop {
            let page = self.tmux(&["capture-pane", "-p"]);
            if page.contains(part) {
                return page;
            }
            assert!(from.elapsed() < Duration::from_secs(60), "no {part:?} in\n{page}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}
