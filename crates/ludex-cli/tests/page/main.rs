//! The page in a real browser: a person plays, writes, looks and watches. Needs chromium and its driver.

mod attacks;
mod collection;
mod crowd;
mod driver;
mod live;
mod pace;
mod reach;
mod series;
mod served;
mod site;
mod study;

use driver::{Browser, wait};
use ludex_testing::{installed, shared};
use serde_json::{Value, json};
use served::Served;

/// A browser, where there is one.
fn browser() -> Option<Browser> {
    (installed("chromium") && installed("chromedriver")).then(Browser::start)
}

/// Plays on by clicks until the match is over.
fn click_through(browser: &Browser, seed: u64, most: u64) -> Value {
    browser.run(include_str!("clicks.js"), json!([seed, most]))
}

fn place(key: &str) -> String {
    format!(r#".hit[data-key="{key}"]"#)
}

#[test]
fn a_person_plays_short_games_by_clicks() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    browser.open(&served.at("#/play/tictactoe?seats=you,you&engine=off"));
    for key in ["0:1 1", "0:2 1", "0:1 2", "0:2 2", "0:1 3"] {
        browser.click(&format!("{}.open", place(key)));
    }
    browser.wait_text(".status", "white wins");
    browser.picture("tictactoe");

    browser.click("#undo");
    browser.wait_text(".status", "to move");
    browser.click(&format!("{}.open", place("0:3 3")));
    browser.wait_text(".status", "black to move");
    assert!(browser.look(".branches").is_some(), "the other branch is kept");

    browser.open(&served.at("#/play/connectfour?seats=you,you&engine=off"));
    for column in [1, 2, 1, 2, 1, 2, 1] {
        let top = format!(r#".hit.open[data-key^="0:{column} "]"#);
        let before = browser.text(".status");
        browser.click(&top);
        wait("a move", || (browser.text(".status") != before).then_some(()));
    }
    browser.wait_text(".status", "wins");
    browser.picture("connectfour");

    // A move on two boards at once is told by a place of each.
    browser.open(&served.at("#/play/doubletictactoe?seats=you,you&engine=off"));
    browser.click(&format!("{}.open", place("0:left 1 1")));
    browser.wait_text(".menu", "Which?");
    browser.click(&format!("{}.target", place("0:right 2 3")));
    browser.wait_text(".status", "black to move");

    browser.open(&served.at("#/play/rockpaperscissors?seats=you,you&engine=off"));
    let played = click_through(&browser, 3, 200);
    assert_eq!(played["over"], json!(true), "{played}");

    browser.open(&served.at("#/play/eightpuzzle?engine=off"));
    let played = click_through(&browser, 5, 400);
    assert_eq!(played["over"], json!(true), "{played}");
    assert!(played["onBoard"].as_u64() > Some(10), "{played}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_person_plays_chess_checkers_and_with_five_others() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    promote_a_pawn(&browser, &served.at(""));

    browser.open(&served.at("#/play/checkers?seats=you,you&engine=off"));
    let pieces = || {
        browser.run(
            "return document.querySelectorAll('.board svg > g g[transform]').length",
            json!([]),
        )
    };
    browser.find(".hit.open");
    let before = pieces().as_u64();
    let played = click_through(&browser, 7, 2_000);
    assert_eq!(played["over"], json!(true), "{played}");
    assert!(pieces().as_u64() < before, "something was captured");
    browser.picture("checkers");

    let Some(six) = shared("games/collection/chineseCheckers6.kif") else { return };
    let served = Served::of(&[six.to_string_lossy().into_owned()]);
    browser.open(&served.at(&format!("#/play/chineseCheckers6?{SIX}")));
    let played = click_through(&browser, 2, 3_000);
    assert_eq!(played["over"], json!(true), "{played}");
    browser.picture("six");
}

/// One person plays all six roles.
const SIX: &str = "seats=you,you,you,you,you,you&engine=off";

/// Chess until a pawn is promoted, where clicks do not tell to what, and on to the end.
fn promote_a_pawn(browser: &Browser, page: &str) {
    browser.open(&format!("{page}#/play/chess?seats=you,you&engine=off"));
    let line = [
        ("a 2", "a 4"),
        ("b 7", "b 5"),
        ("a 4", "b 5"),
        ("a 7", "a 6"),
        ("b 5", "a 6"),
        ("h 7", "h 6"),
        ("a 6", "a 7"),
        ("h 6", "h 5"),
        ("a 7", "b 8"),
    ];
    for (from, to) in line {
        browser.click(&format!("{}.open", place(&format!("0:{from}"))));
        browser.click(&format!("{}.target", place(&format!("0:{to}"))));
    }
    browser.wait_text(".menu", "Which?");
    browser.picture("promotion");
    browser.click(".menu .choice");
    browser.wait_text(".status", "to move");
    let played = click_through(browser, 11, 3_000);
    assert_eq!(played["over"], json!(true), "{played}");
}

#[test]
fn the_engine_plays_evaluates_and_hints() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    browser.open(&served.at("#/play/tictactoe?seats=you,best&seconds=0.3"));
    browser.wait_text(".think", "visits");
    browser.click("#hint");
    browser.find(".hit.hint");
    browser.picture("hint");
    let played = click_through(&browser, 4, 100);
    assert_eq!(played["over"], json!(true), "{played}");
}
