//! The static site: the page without a server, with the library as WebAssembly in workers.
//!
//! The site takes minutes to build, so the tests use one that is there: what `crates/ludex-wasm/build.sh target/site`
//! has made, as `.ci/run` does, or the folder that `LUDEX_SITE` names.

use crate::driver::{Browser, free_port, wait};
use crate::study::{look_into, mend_three_mistakes, replay_record, type_in};
use crate::{SIX, browser, click_through, place, promote_a_pawn};
use ludex_testing::{left_out, shared};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

/// Serves the files of a folder, as any host of static pages does, as long as the test runs.
fn serve(folder: PathBuf) -> String {
    let port = free_port();
    let listener = TcpListener::bind(("127.0.0.1", port)).expect("a port");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            std::thread::spawn(move || send(stream, &folder));
        }
    });
    format!("http://127.0.0.1:{port}/")
}

fn send(mut stream: TcpStream, folder: &Path) -> Option<()> {
    let mut line = String::new();
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    reader.read_line(&mut line).ok()?;
    let mut header = String::new();
    while reader.read_line(&mut header).ok()? > 2 {
        header.clear();
    }
    let path = line.split(' ').nth(1)?.trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let kind = match path.rsplit('.').next()? {
        "html" => "text/html",
        "js" => "text/javascript",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        "wasm" => "application/wasm",
        _ => "text/plain",
    };
    let (code, bytes) = match std::fs::read(folder.join(path)) {
        Ok(bytes) => ("200 OK", bytes),
        Err(_) => ("404 Not Found", vec![]),
    };
    let length = bytes.len();
    let head = format!(
        "HTTP/1.1 {code}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&bytes).ok()
}

/// The site and a browser, where both are there.
fn site() -> Option<(String, Browser)> {
    let named = std::env::var_os("LUDEX_SITE").map(PathBuf::from);
    let folder = named.unwrap_or_else(|| ludex_testing::root().join("target/site"));
    if !folder.join("ludex.wasm").exists() {
        left_out("the static site is not built: crates/ludex-wasm/build.sh target/site");
        return None;
    }
    Some((serve(folder), browser()?))
}

#[test]
fn a_person_plays_without_a_server() {
    let Some((site, browser)) = site() else { return };
    browser.open(&format!("{site}#/"));
    wait("cards", || browser.look(".card .thumb svg"));
    browser.picture("site-home");
    browser.open(&format!("{site}#/play/tictactoe?seats=you,you&engine=off"));
    for key in ["0:1 1", "0:2 1", "0:1 2", "0:2 2", "0:1 3"] {
        browser.click(&format!("{}.open", place(key)));
    }
    browser.wait_text(".status", "white wins");
    let games = [
        ("connectfour", "you,you", 300),
        ("checkers", "you,you", 3_000),
        ("rockpaperscissors", "you,you", 300),
        ("eightpuzzle", "you", 600),
    ];
    for (game, seats, most) in games {
        browser.open(&format!("{site}#/play/{game}?seats={seats}&engine=off"));
        browser.find(".part.play[data-beat]");
        let played = click_through(&browser, 7, most);
        assert_eq!(played["over"], json!(true), "{game}: {played}");
    }
    promote_a_pawn(&browser, &site);
    if let Some(six) = shared("games/collection/chineseCheckers6.kif") {
        browser.open(&format!("{site}#/write"));
        type_in(&browser, &std::fs::read_to_string(six).unwrap());
        browser.click("#playit");
        browser.find(".part.play[data-beat]");
        browser.run("location.hash = location.hash.split('?')[0] + '?' + args[0]", json!([SIX]));
        let played = click_through(&browser, 2, 3_000);
        assert_eq!(played["over"], json!(true), "{played}");
    }
    browser.open(&format!("{site}#/play/tictactoe?seats=you,best&seconds=0.3"));
    browser.wait_text(".think", "visits");
    let played = click_through(&browser, 4, 100);
    assert_eq!(played["over"], json!(true), "{played}");
    browser.picture("site-play");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_person_writes_and_looks_without_a_server() {
    let Some((site, browser)) = site() else { return };
    mend_three_mistakes(&browser, &site);
    look_into(&browser, &site, "tictactoe");
    replay_record(&browser, &site);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
