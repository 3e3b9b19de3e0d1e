//! GAME as the user gave it -> `Source`: a file, a bundled game's name, or `-` for standard input.

use crate::failure::Failure;
use ludex::game::Bundled;
use ludex::source::{Report, Source};
use std::io::Read;
use std::path::Path;

/// The part of a bundled file's name that people type.
pub fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// The name of a game before its rules are read.
pub fn name(game: &str) -> &str {
    stem(game.rsplit(['/', '\\']).next().unwrap_or(game))
}

/// The text, and the warnings about its bytes.
pub fn load(game: &str) -> Result<(Source, Report), Failure> {
    if game == "-" {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|e| bad(format!("standard input cannot be read: {e}")))?;
        return text("stdin", bytes);
    }
    let path = Path::new(game);
    match Bundled::find(game) {
        Some(bundled) if !path.is_file() => Ok((bundled.source(), Report::default())),
        _ if path.is_dir() => Err(bad(format!("{game} is a folder; give a file of rules"))),
        _ if path.exists() => {
            let bytes = std::fs::read(path);
            text(game, bytes.map_err(|e| bad(format!("{game} cannot be read: {e}")))?)
        }
        _ => Err(Failure::input("unknown-game", unknown(game))),
    }
}

fn bad(message: String) -> Failure {
    Failure::input("unreadable", message)
}

fn text(name: &str, bytes: Vec<u8>) -> Result<(Source, Report), Failure> {
    let mut report = Report::default();
    let source = Source::from_bytes(name, bytes, &mut report);
    if report.has_errors() {
        return Err(Failure::faulty(&report, &source));
    }
    Ok((source, report))
}

fn unknown(game: &str) -> String {
    let mut near: Vec<(f64, &str)> = Bundled::all()
        .map(|b| (strsim::jaro_winkler(&game.to_lowercase(), b.name()), b.name()))
        .filter(|(likeness, _)| *likeness > 0.8)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<&str> = near.into_iter().take(5).map(|(_, name)| name).collect();
    let here = ["kif", "gdl"].map(|ending| format!("{game}.{ending}"));
    let here = here.into_iter().find(|file| Path::new(file).is_file());
    let hint = match (here, near.as_slice()) {
        (Some(file), _) => format!("did you mean {file}?"),
        (None, []) => "`ludex games` lists the bundled games".to_string(),
        (None, near) => format!("bundled games with a name like it: {}", near.join(", ")),
    };
    format!("no file and no bundled game is called {game}; {hint}")
}
