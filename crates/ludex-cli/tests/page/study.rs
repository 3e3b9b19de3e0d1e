//! A person writes a game, looks into games, and watches matches.

use super::driver::{Browser, wait};
use super::{browser, click_through};
use crate::served::Served;
use serde_json::json;

/// Puts a text into the editor as typing does.
pub fn type_in(browser: &Browser, text: &str) {
    browser.find(".field");
    let script = "const field = document.querySelector('.field'); field.value = args[0]; field.dispatchEvent(new Event('input'));";
    browser.run(script, json!([text]));
}

#[test]
fn three_mistakes_are_shown_and_mended() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    mend_three_mistakes(&browser, &served.at(""));
}

/// Writes a game with three mistakes, which are shown and mended, tries it, shares it and plays it.
pub fn mend_three_mistakes(browser: &Browser, page: &str) {
    browser.open(&format!("{page}#/write"));
    browser.wait_text(".complaints .sum", "No complaints");
    browser.find(".side #randomstep");
    browser.picture("write");
    let whole = browser.run("return document.querySelector('.field').value", json!([]));
    let whole = whole.as_str().expect("a template").to_string();
    let wrong = whole
        .replacen("(role black)", "(role black", 1)
        .replacen("(init (control white))", "(init (control ?who))", 1)
        .replacen("(<= (legal ?r noop)", "(<= (legl ?r noop)", 1);
    assert_ne!(wrong, whole);
    type_in(browser, &wrong);
    browser.wait_text(".complaints .sum", "error");
    browser.find(".layer .wrong");
    browser.find("#old:not([hidden])");
    browser.picture("mistakes");
    type_in(browser, &wrong.replacen("(role black", "(role black)", 1));
    browser.wait_text(".complaints", "?who");
    type_in(browser, &whole.replacen("(<= (legal ?r noop)", "(<= (legl ?r noop)", 1));
    browser.wait_text(".complaints", "legl");
    browser.click(".complaints .quiet");
    browser.find(".complaints .why");
    type_in(browser, &whole);
    browser.wait_text(".complaints .sum", "No complaints");
    browser.click("#randomstep");
    browser.wait_text(".side", "1 move;");
    browser.click("#beside");
    browser.wait_text(".other", ":-");
    browser.click("#simulate");
    browser.wait_text(".told", "100 random matches");
    type_in(
        browser,
        "(role you) (init a) (legal you go) (<= (next b) (true a)) (<= terminal (true b)) (goal me 0)",
    );
    browser.find("#randomstep");
    browser.click("#simulate");
    browser.click(".told .fix");
    browser.wait_text(".side", "Over after 1 move:");
    type_in(browser, &whole);
    browser.click("#share");
    let link = browser.run(
        "await new Promise(d => setTimeout(d, 300)); return document.querySelector('#link').value",
        json!([]),
    );
    browser.open(link.as_str().expect("a link"));
    wait("the rules of the link", || {
        let text = browser.run("return document.querySelector('.field')?.value ?? ''", json!([]));
        (text == json!(whole)).then_some(())
    });
    browser.click("#playit");
    browser.find(".hit.open");
    let played = click_through(browser, 9, 200);
    assert_eq!(played["over"], json!(true), "{played}");
}

#[test]
fn names_that_are_markup_stay_text() {
    let Some(browser) = browser() else { return };
    let markup = "<img src=x onerror=window.caught=1>".replace(' ', "/");
    // The name of a game is that of its file, which has no slash.
    let folder = tempfile::tempdir().unwrap();
    let game = std::fs::read_to_string(ludex_testing::root().join("games/nim.kif")).unwrap();
    let named = format!("; {markup}\n{game}");
    std::fs::write(folder.path().join("<img src=x onerror=caught=1>.kif"), named).unwrap();
    let served = Served::of(&[folder.path().to_string_lossy().into_owned()]);
    browser.open(&served.at("#/"));
    browser.keys("input[type=search]", "onerror");
    browser.wait_text(".count", "1 of ");
    browser.wait_text(".card:not([hidden])", "<img src=x");
    browser.click(".card:not([hidden]) .face");
    browser.wait_text("h1", "<img src=x");
    browser.find(".hit.open");
    assert_eq!(browser.run("return window.caught ?? 0", json!([])), json!(0));
    browser.open(&served.at("#/write"));
    let rules = format!(
        "(role {markup}) (init (cell 1 {markup})) (init (cell 2 b)) (legal {markup} (take {markup})) (legal {markup} go)
         (<= (next (cell 1 b)) (does {markup} go)) (<= (next (cell 2 {markup})) (does {markup} (take {markup})))
         (<= terminal (true (cell 2 {markup}))) (<= terminal (true (cell 1 b))) (goal {markup} 50)"
    );
    type_in(&browser, &rules);
    browser.find("#randomstep");
    browser.click("#playit");
    browser.wait_text(".status", "<img");
    browser.picture("markup");
    let played = click_through(&browser, 1, 20);
    assert_eq!(played["over"], json!(true), "{played}");
    let caught = browser.run(
        "return [window.caught ?? 0, document.querySelectorAll('main img').length]",
        json!([]),
    );
    assert_eq!(caught, json!([0, 0]));
}

#[test]
fn every_tab_of_analysis_opens() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    browser.open(&served.at("#/play/tictactoe?seats=you,you&engine=off"));
    browser.click(r#".hit.open[data-key="0:2 2"]"#);
    browser.wait_text(".status", "black to move");
    for game in ["tictactoe", "doubletictactoe"] {
        look_into(&browser, &served.at(""), game);
    }
    // A mark stays, and the last move made that so.
    browser.open(&served.at("#/look/tictactoe?tab=latches"));
    browser.find(".lock.shut");
    browser.wait_text(".just", "(cell 2 2 x)");
    browser.picture("locks");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// Opens every tab of analysis of a game and waits for what it shows.
pub fn look_into(browser: &Browser, page: &str, game: &str) {
    browser.open(&format!("{page}#/look/{game}"));
    browser.find("[role=tab]");
    let tabs = browser
        .run("return [...document.querySelectorAll('[role=tab]')].map(t => t.id)", json!([]));
    let tabs: Vec<&str> = tabs.as_array().unwrap().iter().filter_map(|t| t.as_str()).collect();
    assert_eq!(tabs.len(), 11);
    for tab in tabs {
        browser.click(&format!("#{tab}"));
        if tab == "tab-tree" {
            browser.wait_text(".searchtree", "visits");
            browser.click(".searchtree .open");
            browser.find(".searchtree .below .open");
        } else {
            wait(tab, || {
                let open = browser.look(".answer:not([data-done])");
                browser.look(".answer").filter(|_| open.is_none())
            });
            let told = browser.text(".findings");
            assert!(browser.look(".findings .trouble").is_none(), "{tab}: {told}");
            assert!(!browser.text(".answer").is_empty(), "{tab}");
        }
        browser.picture(&format!("{game}-{tab}"));
    }
}

#[test]
fn a_match_is_watched_and_replayed() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    browser.open(&served.at("#/watch"));
    browser.find("#game option");
    browser.run("document.querySelector('#clock').value = 0.1; document.querySelector('#players').value = 'mcts, random'", json!([]));
    browser.click("#start");
    browser.wait_text("#standings", "mcts");
    browser.wait_text("#course", "The tournament is over");
    assert_eq!(
        browser.run("return document.querySelectorAll('.matches li').length", json!([])),
        json!(2)
    );
    browser.picture("tournament");
    replay_record(&browser, &served.at(""));
}

/// Replays a record of three moves, with what the engine thinks of each position.
pub fn replay_record(browser: &Browser, page: &str) {
    browser.open(&format!("{page}#/watch"));
    let folder = tempfile::tempdir().unwrap();
    let record = json!({ "gameMetaURL": "http://games.example/tictactoe/", "roles": ["white", "black"],
        "moves": [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"], ["(mark 1 2)", "noop"]], "goalValues": [] });
    let file = folder.path().join("record.json");
    std::fs::write(&file, record.to_string()).unwrap();
    browser.keys("#record", &file.to_string_lossy());
    browser.wait_text("#where", "0 of 3");
    for _ in 0..3 {
        browser.click("#after");
    }
    browser.wait_text("#where", "3 of 3");
    wait("the pieces", || {
        let pieces = browser.run(
            "return document.querySelectorAll('.board svg > g g[transform]').length",
            json!([]),
        );
        (pieces == json!(3)).then_some(())
    });
    browser.click("#evaluate");
    wait("the curve", || {
        let dots = browser.run("return document.querySelectorAll('.chart .dot').length", json!([]));
        (dots == json!(4)).then_some(())
    });
}

#[test]
fn two_tabs_and_a_server_that_comes_back() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    let port = served.port;
    browser.open(&served.at("#/play/tictactoe?seats=you,you&engine=off"));
    browser.click(r#".hit.open[data-key="0:1 1"]"#);
    browser.wait_text(".status", "black to move");
    let (first, second) = browser.second_tab();
    browser.open(&served.at("#/play/connectfour?seats=you,you&engine=off"));
    browser.click(r#".hit.open[data-key^="0:1 "]"#);
    browser.wait_text(".status", "yellow");
    browser.tab(&first);
    browser.wait_text(".status", "black to move");
    drop(served);
    wait("the notice", || browser.look("#away:not([hidden])"));
    browser.click(r#".hit.open[data-key="0:2 2"]"#);
    let served = Served::on(port, &[]);
    wait("the server", || browser.look("#away[hidden]"));
    browser.wait_text(".status", "white to move");
    browser.tab(&second);
    browser.click(r#".hit.open[data-key^="0:2 "]"#);
    browser.wait_text(".status", "red");
    drop(served);
}

#[test]
fn games_are_found_and_doubles_told() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let rules = std::fs::read_to_string(ludex_testing::root().join("games/nim.kif")).unwrap();
    std::fs::write(folder.path().join("piles.kif"), rules.replace("heap", "pile")).unwrap();
    let served = Served::of(&[folder.path().to_string_lossy().into_owned()]);
    browser.open(&served.at("#/"));
    browser.wait_text(r#"[data-game="piles"] .same"#, "the same game as nim");
    browser.picture("home");
    browser.keys("input[type=search]", "piles");
    browser.wait_text(".count", "1 of ");
    browser.run("document.querySelector('input[type=search]').value = ''; document.querySelector('input[type=search]').dispatchEvent(new Event('input'));", json!([]));
    browser.click(r#"[data-filter="same game"]"#);
    browser.wait_text(".count", "2 of ");
    browser.click(r#"[data-filter="factors"]"#);
    wait("a game that falls apart", || {
        let shown = browser.run(
            "return [...document.querySelectorAll('.card:not([hidden])')].map(c => c.dataset.game)",
            json!([]),
        );
        shown.as_array()?.iter().any(|game| game == "doubletictactoe").then_some(())
    });
}
