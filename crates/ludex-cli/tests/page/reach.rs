//! For everybody: with a keyboard, by dragging, on a phone, in the dark, and with names for those who do not see it.

use crate::driver::wait;
use crate::served::Served;
use crate::{browser, place};
use serde_json::json;

/// Keys as the WebDriver protocol writes them.
const ENTER: &str = "\u{E007}";
const DOWN: &str = "\u{E015}";

#[test]
fn pieces_are_dragged_and_moved_with_the_keyboard() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    browser.open(&served.at("#/play/chess?seats=you,you&engine=off"));
    browser.find(&format!("{}.open", place("0:e 2")));
    browser.drag(&place("0:e 2"), &place("0:e 4"));
    browser.wait_text(".status", "black to move");
    browser.keys(&format!("{}.open", place("0:e 7")), ENTER);
    browser.find(&format!("{}.picked", place("0:e 7")));
    // From the piece to the nearest target below it.
    browser.keys(&place("0:e 7"), DOWN);
    let focused = browser.run("return document.activeElement.dataset.key", json!([]));
    assert_eq!(focused, json!("0:e 6"));
    browser.keys(&place("0:e 6"), ENTER);
    browser.wait_text(".status", "white to move");
    wait("a place that has the focus", || {
        let place = browser.run("return document.activeElement.dataset.key ?? ''", json!([]));
        (place != json!("")).then_some(())
    });
    browser.keys("body", "u");
    browser.wait_text(".status", "black to move");
    browser.keys("body", "h");
    browser.find(".hit.hint");
}

#[test]
fn every_view_fits_a_phone_and_has_names_for_its_controls() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    browser.narrow(390, 844);
    let mut views: Vec<String> =
        ["#/", "#/play/chess", "#/write", "#/watch"].map(String::from).to_vec();
    for tab in [
        "boards",
        "symmetries",
        "factors",
        "latches",
        "proofs",
        "domains",
        "net",
        "frame",
        "solve",
        "tree",
    ] {
        views.push(format!("#/look/doubletictactoe?tab={tab}"));
    }
    for view in views {
        browser.open(&served.at(&view));
        wait(&view, || {
            let seen = "return Boolean(document.querySelector('.card .thumb svg, .hit.open, #randomstep, #game option, .answer[data-done], .searchtree .open'))";
            (browser.run(seen, json!([])) == json!(true)).then_some(())
        });
        let width = browser.run("return document.documentElement.scrollWidth", json!([]));
        assert!(width.as_u64() <= Some(390), "{view} is {width} wide");
        let nameless = "return [...document.querySelectorAll('button, a[href], input, select, textarea, [role=img], [role=button]')] \
            .filter(e => e.getClientRects().length && !(e.getAttribute('aria-label') || e.textContent.trim() || e.title || e.labels?.length)).map(e => e.outerHTML.slice(0, 200))";
        assert_eq!(browser.run(nameless, json!([])), json!([]), "{view}");
        let name = view.replace(['#', '/', '?', '='], "-");
        browser.picture(&format!("phone{name}"));
    }
}

#[test]
fn light_and_dark_are_chosen_and_kept() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    browser.open(&served.at("#/"));
    browser.find(".card");
    let ground = || {
        browser.run("return getComputedStyle(document.documentElement).backgroundColor", json!([]))
    };
    let before = ground();
    browser.click("#theme");
    let after = ground();
    assert_ne!(before, after);
    browser.open(&served.at("#/write"));
    browser.find(".field");
    assert_eq!(ground(), after);
    browser.picture("other-theme");
}
