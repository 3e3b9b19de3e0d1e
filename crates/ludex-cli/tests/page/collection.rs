//! Games of the public collection, played to the end by the page's own controls.

use super::browser;
use crate::served::Served;
use ludex_testing::collected_games;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Games that CI plays.
const SOME: usize = 20;
/// Clicks and seconds after which a match is given up.
const CLICKS: u64 = 4_000;
const SECONDS: u64 = 240;

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

/// All of them, where `LUDEX_LONG` is set. What each came to is kept in a file, and a run that was stopped goes on
/// from there.
#[test]
fn all_games_of_the_collection_are_played_by_clicks() {
    let all = collected_games();
    if std::env::var_os("LUDEX_LONG").is_none() || all.is_empty() {
        return;
    }
    let Some(browser) = browser() else { return };
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("played-by-clicks.tsv");
    println!("results: {}", kept.display());
    let mut known = std::fs::read_to_string(&kept).unwrap_or_default();
    for folder in all.chunk_by(|a, b| a.parent() == b.parent()) {
        let served = Served::of(&[folder[0].parent().unwrap().to_string_lossy().into_owned()]);
        for path in folder {
            let key = format!("{}\t", path.display());
            if known.lines().any(|line| line.starts_with(&key)) {
                continue;
            }
            let came = match play(&browser, &served, &name(path)) {
                Ok(played) => format!("ended\t{}\t{}", played["clicks"], played["onBoard"]),
                Err(why) => format!("not\t{}", why.replace('\n', " ")),
            };
            known += &format!("{key}{came}\n");
            std::fs::write(&kept, &known).unwrap();
        }
    }
    let lines = || {
        known
            .lines()
            .filter(|line| all.iter().any(|p| line.starts_with(&format!("{}\t", p.display()))))
    };
    let not: Vec<&str> = lines().filter(|line| !line.contains("\tended\t")).collect();
    println!("{} of {} games were played to the end", lines().count() - not.len(), all.len());
    assert!(not.is_empty() && lines().count() == all.len(), "{not:#?}");
}
