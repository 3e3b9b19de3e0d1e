//! `MemoryFolder`: the folder of --memory, in which a player keeps what it has found out about games.
//!
//! A file for each game, named by the game's canonical hash. What is damaged or of another version counts as nothing,
//! and is written anew. Of too many files the oldest go.

use ludex::play::Memories;
use ludex::reason::digest;
use ludex::search::Experience;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Once;

pub struct MemoryFolder {
    folder: PathBuf,
    told: Once,
}

/// The first line of a file; the next one is the digest of all that follows.
const HEAD: &str = concat!("ludex experience ", env!("CARGO_PKG_VERSION"));
const ENDING: &str = "experience";
/// Files and bytes of all of them, at the most.
const FILES: usize = 1_000;
const BYTES: u64 = 1_000_000_000;
/// Larger files are not of this program.
const LARGEST: u64 = 200_000_000;

impl MemoryFolder {
    /// The folder is made where there is none.
    pub fn new(folder: PathBuf) -> std::io::Result<MemoryFolder> {
        std::fs::create_dir_all(&folder)?;
        Ok(MemoryFolder { folder, told: Once::new() })
    }

    fn place(&self, game: &str) -> PathBuf {
        self.folder.join(format!("{game}.{ENDING}"))
    }

    /// Written as a whole under another name first, so that others never see a part of it.
    fn put(&self, game: &str, text: &str) -> std::io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        write!(file, "{HEAD}\n{}\n{text}", digest(vec![text.into()]))?;
        file.persist(self.place(game))?;
        self.make_room()
    }

    /// Removes the oldest files of this program where there are too many.
    fn make_room(&self) -> std::io::Result<()> {
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.path().extension().is_some_and(|ending| ending == ENDING) {
                let data = entry.metadata()?;
                files.push((data.modified()?, data.len(), entry.path()));
            }
        }
        files.sort();
        let (mut count, mut bytes) =
            (files.len(), files.iter().map(|(_, len, _)| len).sum::<u64>());
        for (_, len, path) in files {
            if count <= FILES && bytes <= BYTES {
                break;
            }
            std::fs::remove_file(path)?;
            (count, bytes) = (count - 1, bytes - len);
        }
        Ok(())
    }
}

fn read(path: &Path) -> Option<Experience> {
    if std::fs::metadata(path).ok()?.len() > LARGEST {
        return None;
    }
    let text = std::fs::read_to_string(path).ok()?;
    let (head, rest) = text.split_once('\n')?;
    let (sum, text) = rest.split_once('\n')?;
    let whole = head == HEAD && sum == digest(vec![text.into()]);
    whole.then(|| serde_json::from_str(text).ok()).flatten()
}

impl Memories for MemoryFolder {
    fn recall(&self, game: &str) -> Option<Experience> {
        read(&self.place(game))
    }

    fn keep(&self, game: &str, experience: &Experience) {
        let text = serde_json::to_string(experience).expect("plain data");
        if let Err(why) = self.put(game, &text) {
            let folder = self.folder.display();
            self.told.call_once(|| {
                let _ = writeln!(anstream::stderr(), "warning: --memory {folder}: {why}");
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_damaged_counts_as_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let memories = MemoryFolder::new(folder.path().join("new")).unwrap();
        assert_eq!(memories.recall("game"), None);
        memories.keep("game", &Experience::default());
        assert_eq!(memories.recall("game"), Some(Experience::default()));
        let place = memories.place("game");
        let text = std::fs::read_to_string(&place).unwrap();
        for broken in [&text[..text.len() / 2], &text.replace("[]", "[ ]"), "", "\n\n{}"] {
            std::fs::write(&place, broken).unwrap();
            assert_eq!(memories.recall("game"), None, "{broken}");
        }
        std::fs::write(&place, [0xff, 0xfe, 0]).unwrap();
        assert_eq!(memories.recall("game"), None);
        memories.keep("game", &Experience::default());
        assert_eq!(memories.recall("game"), Some(Experience::default()));
    }

    #[test]
    fn no_more_than_so_many_games_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let memories = MemoryFolder::new(folder.path().into()).unwrap();
        let others = folder.path().join("notes.txt");
        std::fs::write(&others, "mine").unwrap();
        for n in 0..=FILES {
            std::fs::write(memories.place(&n.to_string()), "").unwrap();
        }
        memories.keep("new", &Experience::default());
        let count = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(count, FILES + 1);
        assert!(others.exists() && memories.recall("new").is_some());
    }
}
