//! The games of a page: those that come with the library and those that were written in the browser.

use crate::Trouble;
use ludex::budget::Budget;
use ludex::reason::digest;
use ludex::{Game, Position};
use std::collections::BTreeMap;

/// Games that are open, by their names.
#[derive(Default)]
pub struct Library {
    open: BTreeMap<String, Game>,
}

impl Library {
    /// A game by its name.
    pub fn game(&mut self, name: &str) -> Result<Game, Trouble> {
        if let Some(game) = self.open.get(name) {
            return Ok(game.clone());
        }
        let unknown = |why: ludex::game::Unknown| Trouble::new("unknown-game", why.to_string());
        let game = Game::bundled(name).map_err(unknown)?;
        self.open.insert(name.into(), game.clone());
        Ok(game)
    }

    /// Takes the rules of a game in, and gives the name by which it is asked for.
    pub fn take(&mut self, name: &str, text: &str) -> Result<String, Trouble> {
        let game = Game::from_text(name, text)?;
        let id = format!("{name}~{}", &digest(vec![text.into()])[..8]);
        self.open.insert(id.clone(), game);
        Ok(id)
    }

    /// The position of a game after some joint moves.
    pub fn position(
        &mut self,
        name: &str,
        moves: &[Vec<String>],
        budget: &Budget,
    ) -> Result<Position, Trouble> {
        let mut position = self.game(name)?.position(budget)?;
        for joint in moves {
            let joint: Vec<&str> = joint.iter().map(String::as_str).collect();
            position = position.after(&joint)?;
        }
        Ok(position)
    }
}
