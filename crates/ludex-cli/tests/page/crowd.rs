//! Many tabs at once, each with an analysis: all are answered, boards come meanwhile, memory stays bounded.

use crate::browser;
use crate::driver::wait;
use crate::served::Served;
use serde_json::json;

/// Tabs of the long form.
const TABS: usize = 50;
/// Megabytes that the server may use where nothing else is said.
const LIMIT: u64 = 4_096;

/// Where `LUDEX_LONG` is set; how long boards took meanwhile, and the most memory, are printed.
#[test]
fn fifty_tabs_analyse_at_once() {
    if std::env::var_os("LUDEX_LONG").is_none() {
        return;
    }
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    let games = ["tictactoe", "connectfour", "checkers", "hex", "reversi"];
    let tabs = [
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
    ];
    let mut open = Vec::new();
    for n in 0..TABS {
        let (_, new) = browser.second_tab();
        browser.open(&served.at(&format!("#/look/{}?tab={}", games[n % 5], tabs[n / 5])));
        open.push(new);
    }
    let (_, playing) = browser.second_tab();
    browser.open(&served.at("#/play/tictactoe?seats=you,you&engine=off"));
    browser.find(".hit.open");
    let times = browser.run(
        "const { ask } = await import('/api.js'); const times = []; \
         for (let i = 0; i < 20; i++) { const from = performance.now(); await ask('view', { game: 'tictactoe', moves: [] }); times.push(performance.now() - from); } \
         return times.sort((a, b) => a - b);",
        json!([]),
    );
    println!("boards while {TABS} tabs analyse, ms: median {}, longest {}", times[10], times[19]);
    assert!(times[19].as_f64() < Some(2_000.0), "a tab is starved: {times}");
    for tab in &open {
        browser.tab(tab);
        wait("an answer", || {
            let done = "return document.querySelector('.findings')?.textContent.length > 0 \
                && !document.querySelector('.answer:not([data-done])')";
            (browser.run(done, json!([])) == json!(true)).then_some(())
        });
    }
    browser.tab(&playing);
    browser.click(".hit.open");
    browser.wait_text(".status", "black to move");
    let most = served.most_megabytes();
    println!("most memory of the server: {most} MB");
    assert!(most < LIMIT, "{most} MB");
}
