//! The games of a page: those that come with the library and those that were written in the browser.

use ludex::Game;
use ludex::game::Bundled;
use ludex_sight::{ListedGame, OpenGame, Trouble, about, text_id};
use std::collections::VecDeque;
use std::rc::Rc;

/// Games that are open; the one that was not asked for longest goes for another.
const OPEN: usize = 12;

/// Open games, the last that was asked for first, and the texts that were written here.
#[derive(Default)]
pub struct Pocket {
    open: VecDeque<Rc<OpenGame>>,
    texts: Vec<(String, String)>,
}

impl Pocket {
    /// A game by its id.
    pub fn game(&mut self, id: &str) -> Result<Rc<OpenGame>, Trouble> {
        if let Some(at) = self.open.iter().position(|open| open.id == id) {
            let found = self.open.remove(at).expect("it is there");
            self.open.push_front(found.clone());
            return Ok(found);
        }
        let opened = Rc::new(OpenGame::new(id, self.read(id)?));
        self.open.push_front(opened.clone());
        self.open.truncate(OPEN);
        Ok(opened)
    }

    /// Reads a game without opening it.
    pub fn read(&self, id: &str) -> Result<Game, Trouble> {
        Ok(Game::from_text(id, &self.text(id)?)?)
    }

    pub fn text(&self, id: &str) -> Result<String, Trouble> {
        let own = self.texts.iter().find(|(known, _)| known == id).map(|(_, text)| text.clone());
        let bundled = || Bundled::find(id).map(|b| b.text.to_string());
        let unknown = || Trouble::new("unknown-game", format!("the page has no game {id}"));
        own.or_else(bundled).ok_or_else(unknown)
    }

    /// Takes the rules of a game in, and gives the id by which it is asked for.
    pub fn take(&mut self, name: &str, text: &str) -> Result<String, Trouble> {
        let id = text_id(name, text);
        Game::from_text(&id, text)?;
        self.texts.retain(|(known, _)| *known != id);
        self.texts.push((id.clone(), text.into()));
        Ok(id)
    }

    pub fn entries(&self) -> Vec<ListedGame> {
        let bundled = Bundled::all().map(|b| ListedGame {
            id: b.name().into(),
            title: b.name().into(),
            from: "bundled",
            about: about(b.text),
        });
        let own = self.texts.iter().map(|(id, text)| ListedGame {
            id: id.clone(),
            title: id.rsplit_once('~').map_or(id.as_str(), |(title, _)| title).to_string(),
            from: "yours",
            about: about(text),
        });
        bundled.chain(own).collect()
    }
}
