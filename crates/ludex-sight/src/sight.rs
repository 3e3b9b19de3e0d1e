//! A position -> `Sight`: all that the page shows of it.

use crate::{OpenGame, Trouble};
use ludex::Position;
use ludex::budget::Budget;
use ludex::game::{Glimpse, MovePlaces, MoveStep};
use ludex::picture::{Cell, Panel, Picture, Row};
use ludex::reason::Random;
use ludex::rules::is_chance;
use serde::Serialize;

/// A position as the page shows it.
#[derive(Serialize)]
pub struct Sight {
    pub game: String,
    pub roles: Vec<RoleSeen>,
    pub facts: Vec<String>,
    pub legal: Vec<Vec<LegalMove>>,
    pub terminal: bool,
    pub goals: Vec<Option<i32>>,
    /// The board, whose elements carry `data-place` and `data-fact`.
    pub svg: String,
    /// The places of each board and where they are in the drawing.
    pub cells: Vec<Vec<PlaceSeen>>,
    pub has_board: bool,
    /// The facts that are on no board, by relation.
    pub table: Vec<TableLine>,
    /// The places where something has just changed.
    pub changed: Vec<String>,
    /// What marks mean that do not speak for themselves.
    pub about: Vec<String>,
}

#[derive(Serialize)]
pub struct RoleSeen {
    pub name: String,
    pub chance: bool,
}

/// A place and the middle of its cell, which is 100 wide and high.
#[derive(Serialize)]
pub struct PlaceSeen {
    pub place: String,
    pub x: i32,
    pub y: i32,
}

/// A legal move and what to click for it: steps in order, each of which is any of some places. A place is
/// `board:place`.
#[derive(Serialize)]
pub struct LegalMove {
    pub text: String,
    pub steps: Vec<Vec<String>>,
}

#[derive(Serialize)]
pub struct TableLine {
    pub name: String,
    pub values: Vec<String>,
}

/// A game as a card of the home page.
#[derive(Serialize)]
pub struct Card {
    pub id: String,
    pub roles: Vec<RoleSeen>,
    pub kind: &'static str,
    pub svg: String,
    pub has_board: bool,
    /// What is true at first, where there is no board; the first few.
    pub facts: Vec<String>,
    /// How many each role can choose from at first.
    pub moves: Vec<usize>,
    pub rules: usize,
}

/// All that is seen after some moves.
pub fn sight(open: &OpenGame, moves: &[Vec<String>], budget: &Budget) -> Result<Sight, Trouble> {
    let position = open.position(moves, budget)?;
    let picture = picture(open, &position, budget);
    let view = position.view();
    let legal = (0..view.legal.len()).map(|role| legal_moves(&position, role, &picture, budget));
    let before = match moves {
        [before @ .., _] => Some(self::picture(open, &open.position(before, budget)?, budget)),
        [] => None,
    };
    Ok(Sight {
        game: open.id.clone(),
        roles: roles(position.roles()),
        facts: view.facts.clone(),
        legal: legal.collect(),
        terminal: view.terminal,
        goals: view.goals.clone(),
        has_board: !picture.panels.is_empty(),
        table: table(&picture),
        changed: before.map_or(vec![], |before| changes(&before, &picture)),
        cells: cells(&picture),
        about: picture.about.clone(),
        svg: board(picture),
    })
}

/// The first state before an engine is ready: what can be done in it is not known yet.
pub fn first_sight(open: &OpenGame, budget: &Budget) -> Result<Sight, Trouble> {
    let Glimpse { roles: names, facts, picture } = open.game.glimpse(budget)?;
    Ok(Sight {
        game: open.id.clone(),
        roles: roles(&names),
        facts,
        legal: vec![],
        terminal: false,
        goals: vec![],
        has_board: !picture.panels.is_empty(),
        table: table(&picture),
        changed: vec![],
        cells: cells(&picture),
        about: picture.about.clone(),
        svg: board(picture),
    })
}

fn table(picture: &Picture) -> Vec<TableLine> {
    let line = |row: &Row| TableLine {
        name: row.name.clone(),
        values: row.values.iter().map(|(_, text)| text.clone()).collect(),
    };
    picture.table.iter().map(line).collect()
}

fn roles(names: &[String]) -> Vec<RoleSeen> {
    let seen = |name: &String| RoleSeen { name: name.clone(), chance: is_chance(name) };
    names.iter().map(seen).collect()
}

fn picture(open: &OpenGame, position: &Position, budget: &Budget) -> Picture {
    let scene = open.scene(budget);
    scene.map(|scene| scene.picture(position.facts())).unwrap_or_default()
}

/// The boards alone: the page has a table of its own.
fn board(picture: Picture) -> String {
    match picture.panels.is_empty() {
        true => String::new(),
        false => Picture { table: vec![], caption: String::new(), ..picture }.svg(),
    }
}

fn cells(picture: &Picture) -> Vec<Vec<PlaceSeen>> {
    let seen = |c: &Cell| PlaceSeen { place: c.place.clone(), x: c.at.0, y: c.at.1 };
    picture.panels.iter().map(|panel| panel.cells.iter().map(seen).collect()).collect()
}

/// The places at which two pictures differ.
fn changes(before: &Picture, after: &Picture) -> Vec<String> {
    let panels = before.panels.iter().zip(&after.panels).enumerate();
    let of = |(b, (old, new)): (usize, (&Panel, &Panel))| {
        let pairs = old.cells.iter().zip(&new.cells);
        let differ = pairs.filter(|(x, y)| x.place == y.place && x != y);
        differ.map(|(_, y)| format!("{b}:{}", y.place)).collect::<Vec<String>>()
    };
    panels.flat_map(of).collect()
}

/// The legal moves of a role, each with what it points at as far as that is found out in time.
fn legal_moves(
    position: &Position,
    role: usize,
    picture: &Picture,
    budget: &Budget,
) -> Vec<LegalMove> {
    match position.move_places(role, budget) {
        Ok(all) => all.iter().map(|found| legal_move(found, picture)).collect(),
        Err(_) => position
            .legal(role)
            .map(|text| LegalMove { text: text.into(), steps: vec![] })
            .collect(),
    }
}

/// Only what is drawn can be pointed at. Of several places the one that changes comes first.
fn legal_move(found: &MovePlaces, picture: &Picture) -> LegalMove {
    let changes = |step: &MoveStep, place: &String| {
        found.changes.iter().any(|c| c.board == step.board && c.place == *place)
    };
    let step = |step: &MoveStep| -> Option<Vec<String>> {
        let cells = &picture.panels.get(step.board)?.cells;
        let drawn = |place: &&String| cells.iter().any(|cell| cell.place == **place);
        let mut places: Vec<&String> = step.places.iter().filter(drawn).collect();
        places.sort_by_key(|place| !changes(step, place));
        let key = |place: &String| format!("{}:{place}", step.board);
        (!places.is_empty()).then(|| places.into_iter().map(key).collect())
    };
    LegalMove { text: found.text.clone(), steps: found.steps.iter().filter_map(step).collect() }
}

/// The board with any facts on it.
pub fn drawn(open: &OpenGame, facts: &[String], budget: &Budget) -> String {
    open.scene(budget).map(|scene| board(scene.picture(facts))).unwrap_or_default()
}

/// Facts on a card without a board.
const FACTS: usize = 8;
/// Steps of the random match that tells what kind of game it is.
const STEPS: usize = 24;

/// The card of a game.
pub fn card(open: &OpenGame, budget: &Budget) -> Result<Card, Trouble> {
    let position = open.position(&[], budget)?;
    let picture = picture(open, &position, budget);
    Ok(Card {
        id: open.id.clone(),
        roles: roles(position.roles()),
        kind: kind(position.clone()),
        facts: match picture.panels.is_empty() {
            true => position.facts().iter().take(FACTS).cloned().collect(),
            false => vec![],
        },
        has_board: !picture.panels.is_empty(),
        moves: position.view().legal.iter().map(Vec::len).collect(),
        rules: open.game.rules().rules.len(),
        svg: board(picture),
    })
}

/// What a random match looks like.
fn kind(mut position: Position) -> &'static str {
    let people = position.roles().iter().filter(|role| !is_chance(role)).count();
    if people <= 1 {
        return "puzzle";
    }
    let mut random = Random::new(1);
    for _ in 0..STEPS {
        let roles = 0..position.roles().len();
        let chooses = |r: &usize| position.legal(*r).len() > 1 && !is_chance(&position.roles()[*r]);
        if roles.clone().filter(chooses).count() > 1 {
            return "at once";
        }
        let joint: Option<Vec<String>> = roles
            .map(|r| {
                let legal: Vec<&str> = position.legal(r).collect();
                (!legal.is_empty()).then(|| legal[random.below(legal.len())].to_string())
            })
            .collect();
        let texts: Option<Vec<&str>> =
            joint.as_ref().map(|j| j.iter().map(String::as_str).collect());
        match texts.filter(|_| !position.is_terminal()).and_then(|t| position.after(&t).ok()) {
            Some(next) => position = next,
            None => break,
        }
    }
    "in turn"
}
