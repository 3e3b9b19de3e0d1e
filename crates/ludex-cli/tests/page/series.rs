//! A long series over the collection: what each game came to is kept in a file, and a run that was stopped goes on
//! from there. With `LUDEX_SLICE` it stops by itself after so many seconds.

use crate::served::Served;
use ludex_testing::collected_games;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub struct Series {
    file: PathBuf,
    known: String,
}

impl Series {
    /// A series where `LUDEX_LONG` asks for it and the collection is there.
    pub fn of(name: &str) -> Option<Series> {
        if std::env::var_os("LUDEX_LONG").is_none() || collected_games().is_empty() {
            return None;
        }
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.tsv"));
        println!("results: {}", file.display());
        let known = std::fs::read_to_string(&file).unwrap_or_default();
        Some(Series { file, known })
    }

    fn of_game(&self, path: &Path) -> Option<&str> {
        let key = format!("{}\t", path.display());
        self.known.lines().find_map(|line| line.strip_prefix(&key))
    }

    /// Each game with what `work` gives for it as one line; none where the slice ended before.
    pub fn run(
        mut self,
        mut work: impl FnMut(&Served, &str) -> String,
    ) -> Option<Vec<(String, String)>> {
        let slice = std::env::var("LUDEX_SLICE").ok().and_then(|seconds| seconds.parse().ok());
        let (from, slice) = (Instant::now(), slice.map_or(Duration::MAX, Duration::from_secs));
        let all = collected_games();
        for folder in all.chunk_by(|a, b| a.parent() == b.parent()) {
            let served = Served::of(&[folder[0].parent().unwrap().to_string_lossy().into_owned()]);
            for path in folder.iter() {
                if self.of_game(path).is_some() {
                    continue;
                }
                if from.elapsed() > slice {
                    println!("stopped: {} games are done", self.known.lines().count());
                    return None;
                }
                let came = work(&served, &name(path)).replace('\n', " ");
                self.known += &format!("{}\t{came}\n", path.display());
                std::fs::write(&self.file, &self.known).unwrap();
            }
        }
        let of_game = |path: &PathBuf| Some((name(path), self.of_game(path)?.to_string()));
        all.iter().map(of_game).collect()
    }
}

/// The name of a game: that of its file.
pub fn name(path: &Path) -> String {
    path.file_stem().expect("a file").to_string_lossy().into_owned()
}
