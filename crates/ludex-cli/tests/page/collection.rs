//! Games of the public collection, played to the end by the page's own controls.

use super::{browser, click_through};
use crate::served::Served;
use ludex_testing::collected_games;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Games that CI plays.
const SOME: usize = 20;
/// Clicks after which a match is given up.
const CLICKS: u64 = 4_000;

fn name(path: &Path) -> String {
    path.file_stem().expect("a file").to_string_lossy().into_owned()
}

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
    let played = click_through(browser, 1, CLICKS);
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

/// All of them, where `LUDEX_LONG` is set; the result is printed.
#[test]
fn all_games_of_the_collection_are_played_by_clicks() {
    let all = collected_games();
    if std::env::var_os("LUDEX_LONG").is_none() || all.is_empty() {
        return;
    }
    let Some(browser) = browser() else { return };
    let paths: Vec<String> = all.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    let served = Served::of(&paths);
    let mut ended = 0;
    for path in &all {
        match play(&browser, &served, &name(path)) {
            Ok(played) => {
                ended += 1;
                println!("{}\tended\t{}\t{}", name(path), played["clicks"], played["onBoard"]);
            }
            Err(why) => println!("{}\tnot\t{why}", name(path)),
        }
    }
    println!("{ended} of {} games were played to the end", all.len());
}
