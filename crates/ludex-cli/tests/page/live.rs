//! Matches of other tabs as they are played, and players elsewhere.

use crate::driver::{Browser, free_port, wait};
use crate::served::Served;
use crate::{browser, place};
use serde_json::json;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A player that listens, as long as the test runs.
struct Elsewhere(Child);

impl Elsewhere {
    fn start(port: u16) -> Elsewhere {
        let player = Command::new(env!("CARGO_BIN_EXE_ludex"))
            .args(["player", "--port", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        wait("the player", || TcpStream::connect(("127.0.0.1", port)).ok());
        Elsewhere(player)
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a tournament.
fn arrange(browser: &Browser, game: &str, players: &str, clock: f64) {
    browser.find(&format!("#game option[value={game}]"));
    let fill = "for (const option of document.querySelectorAll('#game option')) option.selected = option.value === args[0]; \
        document.querySelector('#players').value = args[1]; document.querySelector('#clock').value = args[2];";
    browser.run(fill, json!([game, players, clock]));
    browser.click("#start");
}

/// The moves that the match has which is shown.
fn moves(browser: &Browser) -> usize {
    let told = browser.text("#where");
    told.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

#[test]
fn a_match_of_another_tab_is_followed_as_it_is_played() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    browser.open(&served.at("#/watch"));
    arrange(&browser, "breakthrough", "mcts, uct", 0.4);
    let (first, _) = browser.second_tab();
    browser.open(&served.at("#/watch"));
    browser.wait_text("#live button", "breakthrough: mcts – uct");
    browser.click("#live button");
    browser.wait_text(".left h2", "breakthrough");
    wait("the first moves", || (moves(&browser) >= 2).then_some(()));
    let before = moves(&browser);
    wait("more moves", || (moves(&browser) >= before + 2).then_some(()));
    browser.find(".hit.changed");
    browser.picture("live");
    browser.tab(&first);
    browser.click("#stop");
    browser.wait_text("#course", "Stopped");
}

#[test]
fn a_person_in_another_tab_is_followed_also_back() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    browser.open(&served.at("#/play/tictactoe?seats=you,you&engine=off"));
    browser.click(&format!("{}.open", place("0:1 1")));
    browser.wait_text(".status", "black to move");
    let (playing, watching) = browser.second_tab();
    browser.open(&served.at("#/watch"));
    browser.wait_text("#live button", "tictactoe: you – you, move 1");
    browser.click("#live button");
    browser.wait_text("#where", "1 of 1");
    browser.tab(&playing);
    browser.click(&format!("{}.open", place("0:2 2")));
    browser.wait_text(".status", "white to move");
    browser.tab(&watching);
    browser.wait_text("#where", "2 of 2");
    browser.tab(&playing);
    browser.click("#undo");
    browser.tab(&watching);
    browser.wait_text("#where", "1 of 1");
    // Those who watch can arrange a match of their own, and one more after it.
    for game in ["tictactoe", "nim"] {
        arrange(&browser, game, "random", 0.05);
        browser.wait_text("#standings", "random");
        browser.wait_text(".matches", game);
    }
}

#[test]
fn a_program_elsewhere_plays_against_a_person_and_in_a_tournament() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    let port = free_port();
    let _player = Elsewhere::start(port);
    let address = format!("http://localhost:{port}");
    browser.open(&served.at("#/play/tictactoe?seats=you,program&engine=off"));
    browser.find(".hit.open");
    let fill = "const field = [...document.querySelectorAll('.seatrow input[type=url]')].find(f => !f.hidden); \
        field.value = args[0]; field.dispatchEvent(new Event('change'));";
    browser.run(fill, json!([address]));
    browser.click(&place("0:1 1"));
    browser.wait_text(".status", "white to move, 7 moves");
    browser.open(&served.at("#/watch"));
    arrange(&browser, "tictactoe", &format!("random, {address}"), 0.3);
    browser.wait_text("#course", "The tournament is over");
    browser.wait_text("#standings", &address);
}
