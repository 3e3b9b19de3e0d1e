//! `Library`: the games that the page knows, bundled, of a folder, or sent by a browser, and those that are open.

use ludex::Game;
use ludex::budget::Budget;
use ludex::game::{Bundled, NotOpened};
use ludex_sight::{ListedGame, OpenGame, Trouble, about, guise, text_id};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::{fmt, io};

/// Open games; the one that was not asked for longest goes for another.
const OPEN: usize = 24;
/// Texts from browsers, and their bytes together.
const TEXTS: usize = 200;
const BYTES: usize = 64_000_000;

/// Where the text of a game is.
#[derive(Clone, Debug)]
enum Origin {
    Bundled(&'static str),
    File(PathBuf),
}

pub struct Library {
    /// By id. Ids are looked up and never made into paths.
    shelf: Mutex<BTreeMap<String, Origin>>,
    folder: Option<PathBuf>,
    texts: Mutex<VecDeque<(String, String)>>,
    /// What tells games apart in every guise, as far as it was asked for.
    guises: Mutex<HashMap<String, Option<String>>>,
    open: Mutex<VecDeque<(String, Arc<OpenGame>)>>,
}

/// Something that was given and has no games.
#[derive(Debug)]
pub enum NoGames {
    /// It is no file, no folder and no bundled game.
    Unknown(String),
    Unreadable(PathBuf, io::Error),
}

impl fmt::Display for NoGames {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NoGames::Unknown(name) => write!(f, "no file, folder or bundled game is called {name}"),
            NoGames::Unreadable(folder, why) => {
                write!(f, "{} cannot be read: {why}", folder.display())
            }
        }
    }
}

impl std::error::Error for NoGames {}

impl Library {
    /// The games of files and folders; the bundled ones where nothing is given. The first folder is where games
    /// are saved.
    pub fn new(given: &[String]) -> Result<Library, NoGames> {
        let mut shelf = BTreeMap::new();
        let mut folder = None;
        for name in given {
            let path = Path::new(name);
            match Bundled::find(name) {
                Some(bundled) if !path.exists() => {
                    shelf.insert(bundled.name().into(), Origin::Bundled(bundled.name()));
                }
                _ if path.is_dir() => {
                    folder.get_or_insert_with(|| path.to_path_buf());
                    files(path, &mut shelf)?;
                }
                _ if path.is_file() => put(path, &mut shelf),
                _ => return Err(NoGames::Unknown(name.clone())),
            }
        }
        let only_folders = given.iter().all(|name| Path::new(name).is_dir());
        if only_folders {
            for bundled in Bundled::all() {
                let origin = Origin::Bundled(bundled.name());
                shelf.entry(bundled.name().into()).or_insert(origin);
            }
        }
        let shelf = Mutex::new(shelf);
        let (texts, guises, open) = Default::default();
        Ok(Library { shelf, folder, texts, guises, open })
    }

    fn shelf(&self) -> MutexGuard<'_, BTreeMap<String, Origin>> {
        self.shelf.lock().expect("no panic while held")
    }

    fn open_games(&self) -> MutexGuard<'_, VecDeque<(String, Arc<OpenGame>)>> {
        self.open.lock().expect("no panic while held")
    }

    fn texts(&self) -> MutexGuard<'_, VecDeque<(String, String)>> {
        self.texts.lock().expect("no panic while held")
    }

    pub fn entries(&self) -> Vec<ListedGame> {
        let shelf = self.shelf().clone();
        let of_shelf = shelf.iter().map(|(id, origin)| ListedGame {
            id: id.clone(),
            title: id.clone(),
            from: match origin {
                Origin::Bundled(_) => "bundled",
                Origin::File(_) => "folder",
            },
            about: about(&origin.beginning()),
        });
        let mut entries: Vec<ListedGame> = of_shelf.collect();
        entries.extend(self.texts().iter().map(|(id, text)| ListedGame {
            id: id.clone(),
            title: id.rsplit_once('~').map_or(id.as_str(), |(title, _)| title).to_string(),
            from: "yours",
            about: about(text),
        }));
        entries
    }

    /// Whether games can be saved.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Takes a text from a browser and gives the id that it can be asked for by. The same text has the same id.
    pub fn take(&self, title: &str, text: &str) -> String {
        let id = text_id(title, text);
        let mut texts = self.texts();
        texts.retain(|(known, _)| *known != id);
        texts.push_back((id.clone(), text.into()));
        let bytes =
            |texts: &VecDeque<(String, String)>| texts.iter().map(|t| t.1.len()).sum::<usize>();
        while texts.len() > TEXTS || bytes(&texts) > BYTES && texts.len() > 1 {
            texts.pop_front();
        }
        id
    }

    /// The text of a game, as it is written.
    pub fn text(&self, id: &str) -> Result<String, Trouble> {
        let kept = self.texts().iter().find(|(known, _)| known == id).map(|(_, text)| text.clone());
        if let Some(text) = kept {
            return Ok(text);
        }
        let origin = self.shelf().get(id).cloned().ok_or_else(|| unknown(id))?;
        match origin {
            Origin::Bundled(name) => {
                Ok(Bundled::find(name).map(|b| b.text.to_string()).unwrap_or_default())
            }
            Origin::File(path) => {
                let bytes = std::fs::read(&path);
                let bad = |e| Trouble::new("unreadable", format!("{id} cannot be read: {e}"));
                bytes.map(|b| String::from_utf8_lossy(&b).into_owned()).map_err(bad)
            }
        }
    }

    /// Opens a game, or gives the one that is open.
    pub fn open(&self, id: &str) -> Result<Arc<OpenGame>, Trouble> {
        if let Some(game) = self.find_open(id) {
            return Ok(game);
        }
        let opened = Arc::new(OpenGame::new(id, self.read(id)?));
        let mut open = self.open_games();
        if let Some((_, game)) = open.iter().find(|(known, _)| known == id) {
            return Ok(game.clone());
        }
        open.push_front((id.into(), opened.clone()));
        open.truncate(OPEN);
        Ok(opened)
    }

    fn find_open(&self, id: &str) -> Option<Arc<OpenGame>> {
        let mut open = self.open_games();
        let at = open.iter().position(|(known, _)| known == id)?;
        let found = open.remove(at)?;
        open.push_front(found.clone());
        Some(found.1)
    }

    fn read(&self, id: &str) -> Result<Game, Trouble> {
        let origin = self.shelf().get(id).cloned();
        match origin {
            Some(Origin::Bundled(name)) => Game::bundled(name).map_err(|_| unknown(id)),
            Some(Origin::File(path)) => Game::open(&path.to_string_lossy()).map_err(|e| match e {
                NotOpened::File(why) => Trouble::new("unreadable", why.to_string()),
                NotOpened::Rules(why) => why.into(),
            }),
            None => Ok(Game::from_text(id, &self.text(id)?)?),
        }
    }

    /// What tells a game apart from others in every guise. It is read for that, not opened.
    pub fn guise(&self, id: &str, budget: &Budget) -> Result<Option<String>, Trouble> {
        let kept = || self.guises.lock().expect("no panic while held");
        if let Some(known) = kept().get(id) {
            return Ok(known.clone());
        }
        let found = guise(&self.read(id)?, budget);
        kept().insert(id.into(), found.clone());
        Ok(found)
    }

    /// Forgets all open games but one, because memory is short, or one whose work panicked.
    pub fn close(&self, which: impl Fn(&str) -> bool) {
        self.open_games().retain(|(id, _)| !which(id));
    }

    /// Writes a game into the folder that the user gave, under a plain name; the id of the new game.
    pub fn save(&self, name: &str, text: &str, overwrite: bool) -> Result<String, Trouble> {
        let folder = self.folder().ok_or_else(|| {
            Trouble::new("no-folder", "start `ludex serve FOLDER` to save games into FOLDER")
        })?;
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "kif"));
        let fits = !stem.is_empty() && stem.len() <= 64 && stem.chars().all(plain);
        if !fits || !["kif", "gdl"].contains(&ending) {
            let why = "a name has letters, digits, - and _, and ends in .kif or .gdl";
            return Err(Trouble::new("bad-name", why));
        }
        let path = folder.join(format!("{stem}.{ending}"));
        if path.exists() && !overwrite {
            return Err(Trouble::new("exists", format!("{stem}.{ending} exists")));
        }
        std::fs::write(&path, text).map_err(|e| Trouble::new("unwritable", e.to_string()))?;
        self.shelf().insert(stem.into(), Origin::File(path));
        self.close(|id| id == stem);
        self.guises.lock().expect("no panic while held").remove(stem);
        Ok(stem.into())
    }
}

impl Origin {
    /// The first lines of the text.
    fn beginning(&self) -> String {
        let text = match self {
            Origin::Bundled(name) => Bundled::find(name).map(|b| b.text.to_string()),
            Origin::File(path) => first_bytes(path),
        };
        text.unwrap_or_default()
    }
}

fn first_bytes(path: &Path) -> Option<String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(2_000).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The games of a folder and of those in it.
fn files(folder: &Path, shelf: &mut BTreeMap<String, Origin>) -> Result<(), NoGames> {
    let bad = |e: io::Error| NoGames::Unreadable(folder.to_path_buf(), e);
    let entries: Result<Vec<_>, _> = std::fs::read_dir(folder).map_err(bad)?.collect();
    let mut paths: Vec<PathBuf> = entries.map_err(bad)?.iter().map(|e| e.path()).collect();
    paths.sort();
    for path in paths {
        let is_game = path.extension().is_some_and(|e| e == "kif" || e == "gdl");
        match () {
            // Links could lead back.
            _ if path.is_dir() && !path.is_symlink() => files(&path, shelf)?,
            _ if is_game && path.is_file() => put(&path, shelf),
            _ => {}
        }
    }
    Ok(())
}

/// A game is called as its file; where others are, the folder is added.
fn put(path: &Path, shelf: &mut BTreeMap<String, Origin>) {
    let name = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let stem = name(path.file_stem());
    let is_other = |id: &String| {
        let known = shelf.get(id);
        known.is_some_and(|o| matches!(o, Origin::File(known) if known != path))
    };
    let mut id = stem.clone();
    for folder in path.ancestors().skip(1) {
        if !is_other(&id) {
            break;
        }
        id = format!("{id}-{}", name(folder.file_name()));
    }
    shelf.insert(id, Origin::File(path.to_path_buf()));
}

fn unknown(id: &str) -> Trouble {
    Trouble::new("unknown-game", format!("the page has no game {id}"))
}
