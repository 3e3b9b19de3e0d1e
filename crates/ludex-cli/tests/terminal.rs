//! `ludex play` at a real terminal (tmux): what is typed, the page redrawn in place, undo, and a
//! terminal that is left as it was.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A terminal of its own, gone when it is dropped.
struct Screen(String);

impl Screen {
    fn open(name: &str) -> Option<Screen> {
        let there = Command::new("tmux").arg("-V").stdout(Stdio::null()).status();
        if !there.is_ok_and(|status| status.success()) {
            ludex_testing::left_out("tmux is not installed");
            return None;
        }
        let screen = Screen(format!("ludex-{name}-{}", std::process::id()));
        screen.tmux(&["new-session", "-d", "-x", "90", "-y", "40", "sh"]);
        Some(screen)
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("tmux");
        command.args(["-L", &self.0, "-f", "/dev/null"]).args(arguments);
        let output = command.output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn send(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Waits until the page shows this.
    #[track_caller]
    fn wait(&self, part: &str) -> String {
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

#[test]
fn moves_are_typed_completed_and_taken_back() {
    let Some(screen) = Screen::open("play") else { return };
    let program = env!("CARGO_BIN_EXE_ludex");
    screen.send(&[&format!("{program} play tictactoe --against random; echo left $?"), "Enter"]);
    screen.wait("white>");
    screen.send(&["ma", "Tab", "2", "Space", "2"]);
    screen.wait("white> mark 2 2");
    screen.send(&["Enter"]);
    let page = screen.wait("2  white: noop   black: (mark");
    assert!(page.contains("1  white: (mark 2 2)   black: noop"), "{page}");
    // The page is drawn anew in its place: there is one board.
    assert_eq!(page.matches("  1 2 3").count(), 1, "{page}");
    screen.send(&["undo", "Enter"]);
    let page = screen.wait("9  (mark 3 3)");
    assert!(!page.contains("white: (mark 2 2)"), "{page}");
    screen.send(&["C-c"]);
    screen.wait("left 0");
    screen.send(&["stty -a | grep -c -- -icanon", "Enter"]);
    screen.wait("\n0\n");
}
