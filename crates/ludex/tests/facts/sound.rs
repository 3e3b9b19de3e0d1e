//! Whatever is proved of a game holds in other random matches of it; whatever is refuted is replayed.

use crate::boards::{holds_in, replay};
use crate::invariants::holds;
use crate::{Subject, within};
use ludex::budget::{Budget, Stop};
use ludex::facts::boards::{Bases, Boards};
use ludex::facts::invariants::{Invariant, Invariants};
use ludex::facts::samples::Samples;
use ludex_testing::{bundled_games, collected_games, each};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How much is done about a game.
#[derive(Clone, Copy)]
struct Effort {
    /// For grounding, and once more for proofs; what is proved by then is checked.
    limit: Duration,
    /// States of random matches.
    states: usize,
}

/// What was checked.
#[derive(Debug, Default)]
struct Checked {
    games: usize,
    facts: usize,
    boards: usize,
    lines: usize,
    /// Games that did not ground, and games in which proofs were cut short.
    large: Vec<String>,
    cut: usize,
}

#[test]
fn what_is_proved_of_bundled_games_is_true() {
    let files = bundled_games();
    let checked = check(&files, Effort { limit: Duration::from_secs(4), states: 1_000 });
    assert!(checked.facts > 500 && checked.lines > 0, "{checked:?}");
    assert!(checked.games >= 34 && checked.large.is_empty(), "{checked:?}");
}

#[test]
fn what_is_proved_of_the_collection_is_true() {
    let files = collected_games();
    if files.is_empty() {
        return;
    }
    let checked = check(&files, Effort { limit: Duration::from_millis(400), states: 300 });
    // How many are too large for the time depends on the machine.
    assert_eq!(checked.games + checked.large.len(), 238);
    assert!(checked.games > 150 && checked.facts > 5_000, "{checked:?}");
}

/// The same without haste: about half an hour.
#[test]
#[ignore = "takes half an hour"]
fn what_is_proved_of_every_game_is_true() {
    let files: Vec<PathBuf> = bundled_games().into_iter().chain(collected_games()).collect();
    let checked = check(&files, Effort { limit: Duration::from_secs(10), states: 5_000 });
    println!("{checked:?}");
}

fn check(files: &[PathBuf], effort: Effort) -> Checked {
    let one = |file: &PathBuf| {
        let mut checked = Checked::default();
        checked.game(file, effort);
        checked
    };
    each(files, one).into_iter().fold(Checked::default(), Checked::with)
}

/// Runs some work with a budget that ends after a time.
fn limited<T>(limit: Duration, work: impl FnOnce(&Budget) -> T) -> T {
    let budget = Budget::unlimited();
    let (done, wait) = channel::<()>();
    let clock = budget.clone();
    let timer = std::thread::spawn(move || {
        if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            clock.stop(Stop::Time);
        }
    });
    let result = work(&budget);
    drop(done);
    timer.join().expect("a timer");
    result
}

impl Checked {
    fn with(mut self, other: Checked) -> Checked {
        self.games += other.games;
        self.facts += other.facts;
        self.boards += other.boards;
        self.lines += other.lines;
        self.large.extend(other.large);
        self.cut += other.cut;
        self
    }

    fn game(&mut self, file: &Path, effort: Effort) {
        let text = std::fs::read(file).expect("a readable file");
        let text = String::from_utf8_lossy(&text);
        let name = file.to_string_lossy();
        let Some(subject) = limited(effort.limit, |budget| within(&name, &text, budget)) else {
            self.large.push(file.file_stem().unwrap_or_default().to_string_lossy().into());
            return;
        };
        self.games += 1;
        let other = Samples::gather(&subject.net, 2, effort.states, &Budget::unlimited());
        let other = other.expect("no limit");
        limited(effort.limit, |budget| self.facts_and_boards(&subject, &other, budget));
    }

    fn facts_and_boards(&mut self, subject: &Subject, other: &Samples, budget: &Budget) {
        let Ok(mut found) = Invariants::within(&subject.net, budget) else {
            self.cut += 1;
            return;
        };
        let of = |status: &'static str| move |i: &&Invariant| i.verdict.status() == status;
        for invariant in found.found.iter().filter(of("proved")) {
            assert!(holds(other, invariant), "{}: {}", subject.rules.name, found.text(invariant));
            self.facts += 1;
        }
        let refuted = found.found.iter().filter(of("refuted")).count();
        found.confirm(&subject.rules, &Budget::unlimited());
        let confirmed = found.found.iter().filter(of("refuted")).count();
        assert_eq!(refuted, confirmed, "{}: a line is not confirmed", subject.rules.name);
        self.lines += refuted;
        let boards = Boards::decide(&subject.bases, &mut found, None, budget);
        self.cut += usize::from(boards.stopped.is_some());
        self.lines += replay(subject, &boards);
        self.boards(subject, &subject.bases, &boards, other);
        let boards = Boards::find(&subject.net, &found, &Budget::unlimited()).expect("no limit");
        self.boards(subject, &Bases::reachable(&subject.net), &boards, other);
    }

    fn boards(&mut self, subject: &Subject, bases: &Bases, boards: &Boards, other: &Samples) {
        self.boards += boards.views().len();
        holds_in(subject, bases, boards, other);
    }
}
