//! What tests need from outside the repository, and what becomes of a test where that is missing.
//!
//! With `CI` or `LUDEX_REQUIRE_ALL` in the environment a test fails for want of anything that can be
//! installed or provided. Otherwise it says what it leaves out. What only a processor can give is said either
//! way. Lines go to the terminal itself: what is printed by a test that passes is shown to nobody.
//!
//! ```
//! assert!(ludex_testing::bundled_games().iter().any(|path| path.ends_with("tictactoe.kif")));
//! ```

mod screen;

pub use screen::Screen;

use std::io::Write;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Whether a test fails for want of what can be provided.
pub fn all_required() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_set("CI") || is_set("LUDEX_REQUIRE_ALL")
}

/// A file or folder of `../shared`: the public collection of games and the answers of independent programs.
pub fn shared(part: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(part);
    let there = path.exists();
    if !there {
        left_out(&format!("../shared/{part} is missing"));
    }
    there.then_some(path)
}

/// The text of a file of `../shared`, which need not be UTF-8 throughout.
pub fn shared_text(part: &str) -> Option<String> {
    let bytes = std::fs::read(shared(part)?).expect("a readable file");
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The games of `games/` or of a folder of `../shared`, in the order of their names.
pub fn games_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let is_game = |path: &PathBuf| path.extension().is_some_and(|e| e == "kif" || e == "gdl");
    let mut games: Vec<PathBuf> = paths.filter(is_game).collect();
    games.sort();
    assert!(!games.is_empty(), "no game in {}", folder.display());
    games
}

/// The games of the repository.
pub fn bundled_games() -> Vec<PathBuf> {
    games_in(&root().join("games"))
}

/// All games of the public collection; none where it is missing.
pub fn collected_games() -> Vec<PathBuf> {
    let folders = ["games/collection", "games/stanford"];
    folders.into_iter().filter_map(shared).flat_map(|folder| games_in(&folder)).collect()
}

/// The folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether a program can be run, asked for its version: `cargo fmt`, `clingo`.
pub fn installed(program: &str) -> bool {
    let mut words = program.split(' ');
    let mut command = Command::new(words.next().expect("a program"));
    command.args(words).arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    let there = command.status().is_ok_and(|status| status.success());
    if !there {
        left_out(&format!("{program} is not installed"));
    }
    there
}

/// A program of `target/tools`, where `.ci/tools` puts what older systems lack, or of the path. It is never
/// required.
pub fn tool(program: &str) -> Option<PathBuf> {
    let ours = root().join("target/tools/bin").join(program);
    let path = if ours.exists() { ours } else { program.into() };
    let mut command = Command::new(&path);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    let there = command.status().is_ok_and(|status| status.success());
    if !there {
        say(&format!("skipped, {program} is not installed"));
    }
    there.then_some(path)
}

/// Does the same with each of many things, on all cores; the results in their order.
pub fn each<T: Sync, R: Send>(things: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let turns =
        || std::iter::from_fn(|| Some(next.fetch_add(1, Relaxed)).filter(|at| *at < things.len()));
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let one = || turns().map(|at| (at, work(&things[at]))).collect::<Vec<_>>();
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(one)).collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined.flat_map(|done| done.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A feature of the processor, as the caller found it. No installation brings it, so it is never required.
pub fn processor(feature: &str, there: bool) -> bool {
    say(&match there {
        true => format!("this processor has {feature}: what needs it is run"),
        false => format!("this processor has no {feature}: what needs it was not run"),
    });
    there
}

/// The test leaves something out, or fails if nothing may be left out.
pub fn left_out(why: &str) {
    assert!(!all_required(), "{why}, and CI or LUDEX_REQUIRE_ALL is set");
    say(&format!("skipped, {why}"));
}

/// Says something to whoever runs the tests.
pub fn say(what: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    writeln!(std::io::stderr(), "{test}: {what}").expect("a terminal");
}
