//! `OpenGame`: a game with the positions of it that were seen and the plan of its picture; `ListedGame`, a line of a list of games.

use crate::Trouble;
use ludex::budget::Budget;
use ludex::game::Faulty;
use ludex::picture::Scene;
use ludex::reason::digest;
use ludex::{Game, Position};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// Positions of a game that are kept.
const POSITIONS: usize = 400;
/// Seconds in which a picture is planned.
const PLANNING: f64 = 1.0;

/// A game of a library, as the home page lists it.
#[derive(Clone, Debug, Serialize)]
pub struct ListedGame {
    pub id: String,
    pub title: String,
    /// `bundled`, `folder` or `yours`.
    pub from: &'static str,
    /// The first sentence of the comment that its file opens with.
    pub about: String,
}

/// A game with what the page keeps of it.
pub struct OpenGame {
    pub id: String,
    pub game: Game,
    positions: Mutex<HashMap<String, Position>>,
    scene: OnceLock<Option<Arc<Scene>>>,
    /// What its card says.
    pub(crate) remarks: OnceLock<Vec<String>>,
}

impl OpenGame {
    pub fn new(id: &str, game: Game) -> OpenGame {
        OpenGame {
            id: id.into(),
            game,
            positions: Mutex::default(),
            scene: OnceLock::new(),
            remarks: OnceLock::new(),
        }
    }

    /// The position after some joint moves. Those that were seen before are not played again.
    pub fn position(&self, moves: &[Vec<String>], budget: &Budget) -> Result<Position, Trouble> {
        let key = |n: usize| serde_json::to_string(&moves[..n]).expect("texts");
        let known =
            (1..=moves.len()).rev().find_map(|n| Some((n, self.kept().get(&key(n))?.clone())));
        let (from, mut position) = match known {
            Some(known) => known,
            None => (0, self.game.position(budget)?),
        };
        for (n, joint) in moves.iter().enumerate().skip(from) {
            budget.check()?;
            let texts: Vec<&str> = joint.iter().map(String::as_str).collect();
            position = position.after(&texts).map_err(|fault| at_move(n + 1, &fault))?;
        }
        if !moves.is_empty() {
            let mut kept = self.kept();
            if kept.len() >= POSITIONS {
                kept.clear();
            }
            kept.insert(key(moves.len()), position.clone());
        }
        Ok(position)
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, Position>> {
        self.positions.lock().expect("no panic while held")
    }

    /// Whether a position can be seen at once.
    pub fn is_ready(&self) -> bool {
        self.scene.get().is_some()
    }

    /// How it is drawn; none where that could not be found out.
    pub fn scene(&self, budget: &Budget) -> Option<Arc<Scene>> {
        let plan = || self.game.scene(&budget.lasting(PLANNING)).ok();
        self.scene.get_or_init(plan).clone()
    }
}

fn at_move(number: usize, fault: &Faulty) -> Trouble {
    let code = if matches!(fault, Faulty::Refused(_)) { "no-engine" } else { "bad-move" };
    Trouble::new(code, format!("move {number}: {fault}"))
}

/// The id by which a text from a browser is asked for. The same text has the same id.
pub fn text_id(title: &str, text: &str) -> String {
    let plain = |c: &char| c.is_ascii_alphanumeric() || "-_.".contains(*c);
    let title: String = title.chars().filter(plain).take(40).collect();
    let title = if title.is_empty() { "game" } else { &title };
    format!("{title}~{}", digest(vec![text.into()]))
}

/// The first sentence of the comment that a text opens with.
pub fn about(text: &str) -> String {
    let comment =
        |line: &str| line.trim().trim_start_matches([';', '%', ' ', '-', '=', '*']).to_string();
    let is_comment =
        |line: &&str| line.trim().is_empty() || line.trim_start().starts_with([';', '%']);
    let lines: Vec<String> = text.lines().take_while(is_comment).map(comment).collect();
    let text = lines.join(" ");
    let text = text.trim();
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    text[..end].chars().take(200).collect()
}
