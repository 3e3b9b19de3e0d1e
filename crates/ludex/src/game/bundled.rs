//! The bundled games: name -> text, part of the library.

use super::Game;
use ludex_gdl::source::Source;

// `BUNDLED`: file name and text of every game in `games/`.
include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// A game that comes with the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// The name of its file.
    pub file: &'static str,
    /// Its rules.
    pub text: &'static str,
}

impl Bundled {
    /// All of them, in the order of their names.
    pub fn all() -> impl Iterator<Item = Bundled> {
        BUNDLED.iter().map(|(file, text)| Bundled { file, text })
    }

    /// The one of this name, with or without its ending, in any letter case.
    pub fn find(name: &str) -> Option<Bundled> {
        let same = |b: &Bundled| [b.file, b.name()].iter().any(|n| n.eq_ignore_ascii_case(name));
        Bundled::all().find(same)
    }

    /// The name that people type: that of the file without its ending.
    pub fn name(&self) -> &'static str {
        self.file.rsplit_once('.').map_or(self.file, |(stem, _)| stem)
    }

    /// Its rules as a source.
    pub fn source(&self) -> Source {
        Source::new(self.file, self.text)
    }

    pub(super) fn open(&self) -> Game {
        Game::read(self.source(), None).expect("bundled games are tested")
    }
}
