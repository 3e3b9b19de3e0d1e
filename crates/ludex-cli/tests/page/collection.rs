//! Games of the public collection, played to the end by the page's own controls.

use super::browser;
use crate::series::{Series, name};
use crate::served::Served;
use ludex_testing::collected_games;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Games that CI plays.
const SOME: usize = 20;
/// Clicks and seconds after which a match is given up.
const CLICKS: u64 = 4_000;
const SECONDS: u64 = 240;

/// Plays a game with somebody here in every seat; why not, where it cannot be played to the end.
fn play(browser: &super::Browser, served: &Served, game: &str) -> Result<Value, String> {
    let all = ["you"; 16].join(",");
    browser.open(&served.at(&format!("#/play/{game}?seats={all}&engine=off")));
    let seen = "const end = performance.now() + 25000; while (performance.now() < end) { \
        if (document.querySelector('.part.play')?.dataset.beat) return ''; \
        const trouble = document.querySelector('.trouble'); if (trouble) return trouble.textContent; \
        await new Promise(d => setTimeout(d, 20)); } return 'nothing was seen in time';";
    let trouble = browser.run(seen, json!([]));
    match trouble.as_str() {
        Some("") => {}
        why => return Err(why.unwrap_or("no answer").to_string()),
    }
    let played = browser.run(include_str!("clicks.js"), json!([1, CLICKS, SECONDS]));
    match played["over"] == json!(true) {
        true => Ok(played),
        false => Err(format!("{}", played["why"])),
    }
}

#[test]
fn some_games_of_the_collection_are_played_by_clicks() {
    let all = collected_games();
    let Some(browser) = browser().filter(|_| !all.is_empty()) else { return };
    let small = |path: &&PathBuf| std::fs::metadata(path).is_ok_and(|m| m.len() < 6_000);
    let small: Vec<PathBuf> = all.iter().filter(small).cloned().collect();
    let some: Vec<PathBuf> = small.iter().step_by(small.len().div_ceil(SOME)).cloned().collect();
    let paths: Vec<String> = some.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    let served = Served::of(&paths);
    let mut ended = 0;
    for path in &some {
        match play(&browser, &served, &name(path)) {
            Ok(_) => ended += 1,
            Err(why) => println!("{}: {why}", name(path)),
        }
    }
    println!("{ended} of {} games were played to the end", some.len());
    assert!(ended * 10 >= some.len() * 9, "{ended} of {}", some.len());
}

/// All of them, where `LUDEX_LONG` is set.
#[test]
fn all_games_of_the_collection_are_played_by_clicks() {
    let Some(series) = Series::of("played-by-clicks") else { return };
    let Some(browser) = browser() else { return };
    let played = series.run(|served, game| match play(&browser, served, game) {
        Ok(played) => format!("ended\t{}\t{}", played["clicks"], played["onBoard"]),
        Err(why) => format!("not\t{why}"),
    });
    let Some(played) = played else { return };
    let not: Vec<_> = played.iter().filter(|(_, came)| !came.starts_with("ended\t")).collect();
    println!("{} of {} games were played to the end", played.len() - not.len(), played.len());
    assert!(not.is_empty(), "{not:#?}");
}
