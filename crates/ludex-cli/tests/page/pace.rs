//! How soon boards come, and how soon the page answers while an engine thinks. Figures are printed; on a machine
//! with nothing else to do (`LUDEX_LONG`) they must keep what is promised.

use crate::browser;
use crate::driver::Browser;
use crate::series::Series;
use crate::served::Served;
use serde_json::{Value, json};

fn is_long() -> bool {
    std::env::var_os("LUDEX_LONG").is_some()
}

/// The numbers of a script, the smallest first.
fn sorted(numbers: &Value) -> Vec<f64> {
    let mut numbers: Vec<f64> =
        numbers.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    numbers.sort_by(f64::total_cmp);
    numbers
}

/// The smallest number that so many of ten do not exceed.
fn of_ten(numbers: &[f64], tenths: usize) -> f64 {
    numbers[(numbers.len() * tenths).div_ceil(10) - 1]
}

#[test]
fn the_page_answers_while_an_engine_thinks() {
    let Some(browser) = browser() else { return };
    let served = Served::bundled();
    browser.open(&served.at("#/play/chess?seats=you,you"));
    browser.wait_text(".think", "visits");
    let ask = "const { ask } = await import('/api.js'); const search = new AbortController(); \
        const thinking = ask('think', { game: 'chess', moves: [], role: 0, seconds: 60 }, { signal: search.signal }).catch(() => {}); \
        const answers = [], frames = []; \
        for (let i = 0; i < 40; i++) { let from = performance.now(); await ask('view', { game: 'chess', moves: [] }); answers.push(performance.now() - from); \
            from = performance.now(); await new Promise(done => setTimeout(done, 0)); frames.push(performance.now() - from); } \
        search.abort(); await thinking; return [answers, frames];";
    let told = browser.run(ask, json!([]));
    let (answers, frames) = (sorted(&told[0]), sorted(&told[1]));
    let [half, most] = [5, 9].map(|n| of_ten(&answers, n));
    let busy = of_ten(&frames, 9);
    println!(
        "while an engine thinks, ms: half of the answers within {half:.0}, nine of ten within {most:.0}; the page itself within {busy:.0}"
    );
    let promised = if is_long() { 100.0 } else { 2_000.0 };
    assert!(most < promised && busy < promised);
}

/// Milliseconds until the first board of a game is on the screen, or its facts where it has none.
fn first_board(browser: &Browser, served: &Served, game: &str) -> f64 {
    browser.open(&served.at(&format!("#/play/{game}?seats=you,you,you,you,you,you&engine=off")));
    let seen = "while (!document.querySelector('.board svg, .facts dl, .noboard, .trouble')) { \
        if (performance.now() > 60000) break; await new Promise(done => setTimeout(done, 2)); } return performance.now();";
    browser.run(seen, json!([])).as_f64().unwrap()
}

#[test]
fn first_boards_come_soon() {
    let Some(series) = Series::of("first-boards") else { return };
    let Some(browser) = browser() else { return };
    let told = series.run(|served, game| format!("{:.0}", first_board(&browser, served, game)));
    let Some(told) = told else { return };
    let mut times: Vec<(f64, String)> =
        told.into_iter().map(|(game, time)| (time.parse().expect("a number"), game)).collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let numbers: Vec<f64> = times.iter().map(|t| t.0).collect();
    let soon = numbers.iter().filter(|n| **n < 500.0).count();
    println!(
        "first boards: {soon} of {} within 0.5 s; half within {:.0} ms, nine of ten within {:.0} ms",
        numbers.len(),
        of_ten(&numbers, 5),
        of_ten(&numbers, 9)
    );
    println!("the slowest: {:?}", &times[times.len() - 12..]);
    assert!(soon * 10 >= numbers.len() * 9);
}
