//! `Live`: the matches that are being played, for whoever wants to watch.

use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

#[derive(Default)]
pub struct Live {
    playing: Mutex<BTreeMap<u64, LiveMatch>>,
    next: AtomicU64,
}

#[derive(Clone, Serialize)]
pub struct LiveMatch {
    pub number: u64,
    pub game: String,
    pub players: Vec<String>,
    pub moves: Vec<Vec<String>>,
}

/// A match on the list, as long as this is there.
pub struct OnStage<'a> {
    live: &'a Live,
    number: u64,
}

impl Live {
    fn playing(&self) -> MutexGuard<'_, BTreeMap<u64, LiveMatch>> {
        self.playing.lock().expect("no panic while held")
    }

    pub fn begin(&self, game: &str, players: &[String]) -> OnStage<'_> {
        let number = self.next.fetch_add(1, Relaxed) + 1;
        let (game, players) = (game.to_string(), players.to_vec());
        self.playing().insert(number, LiveMatch { number, game, players, moves: vec![] });
        OnStage { live: self, number }
    }

    pub fn all(&self) -> Vec<LiveMatch> {
        self.playing().values().cloned().collect()
    }
}

impl OnStage<'_> {
    pub fn turn(&self, moves: &[Vec<String>]) {
        if let Some(playing) = self.live.playing().get_mut(&self.number) {
            playing.moves = moves.to_vec();
        }
    }
}

impl Drop for OnStage<'_> {
    fn drop(&mut self) {
        self.live.playing().remove(&self.number);
    }
}
