//! A position -> all that the page shows of it, and a game -> its card.

use crate::Trouble;
use ludex::Position;
use ludex::budget::Budget;
use ludex::game::MovePlaces;
use ludex::picture::Picture;
use ludex::reason::Random;
use ludex::rules::is_chance;
use serde_json::{Value, json};

/// Steps of the random match that tells what kind of game it is.
const STEPS: usize = 24;

/// A position as the page shows it.
pub fn sight(name: &str, position: &Position, budget: &Budget) -> Result<Value, Trouble> {
    let picture = position.picture(budget).unwrap_or_default();
    let legal: Vec<Vec<Value>> = (0..position.roles().len())
        .map(|role| {
            let places = position.move_places(role, budget).unwrap_or_default();
            let plain = |text: &str| json!({ "text": text, "steps": [] });
            match places.len() == position.legal(role).len() {
                true => places.iter().map(legal_move).collect(),
                false => position.legal(role).map(plain).collect(),
            }
        })
        .collect();
    let values = |row: &ludex::picture::Row| -> Vec<String> {
        row.values.iter().map(|(_, text)| text.clone()).collect()
    };
    let table: Vec<Value> = (picture.table.iter())
        .map(|row| json!({ "name": row.name, "values": values(row) }))
        .collect();
    let cell = |c: &ludex::picture::Cell| json!({ "place": c.place, "x": c.at.0, "y": c.at.1 });
    let cells: Vec<Vec<Value>> =
        picture.panels.iter().map(|panel| panel.cells.iter().map(cell).collect()).collect();
    Ok(json!({
        "game": name,
        "roles": roles(position),
        "facts": position.facts(),
        "legal": legal,
        "terminal": position.is_terminal(),
        "goals": position.goals(),
        "has_board": !picture.panels.is_empty(),
        "table": table,
        "changed": [],
        "cells": cells,
        "about": picture.about,
        "svg": board(picture),
    }))
}

/// A move and what to click for it: steps in order, each of which is any of some places `board:place`.
fn legal_move(mv: &MovePlaces) -> Value {
    let step = |step: &ludex::game::MoveStep| -> Vec<String> {
        step.places.iter().map(|place| format!("{}:{place}", step.board)).collect()
    };
    let steps: Vec<Vec<String>> = mv.steps.iter().map(step).collect();
    json!({ "text": mv.text, "steps": steps })
}

fn roles(position: &Position) -> Vec<Value> {
    let seen = |name: &String| json!({ "name": name, "chance": is_chance(name) });
    position.roles().iter().map(seen).collect()
}

/// The boards alone: the page has a table of its own.
pub fn board(picture: Picture) -> String {
    match picture.panels.is_empty() {
        true => String::new(),
        false => Picture { table: vec![], caption: String::new(), ..picture }.svg(),
    }
}

/// A game as a card of the home page.
pub fn card(name: &str, position: &Position, budget: &Budget) -> Value {
    let picture = position.picture(budget).unwrap_or_default();
    json!({
        "id": name,
        "roles": roles(position),
        "kind": kind(position.clone()),
        "has_board": !picture.panels.is_empty(),
        "moves": position.view().legal.iter().map(Vec::len).collect::<Vec<usize>>(),
        "rules": position.game().rules().rules.len(),
        "svg": board(picture),
    })
}

/// What a random match looks like.
fn kind(mut position: Position) -> &'static str {
    let people: Vec<usize> =
        (0..position.roles().len()).filter(|r| !is_chance(&position.roles()[*r])).collect();
    if people.len() <= 1 {
        return "puzzle";
    }
    let mut random = Random::new(1);
    for _ in 0..STEPS {
        if people.iter().filter(|r| position.legal(**r).len() > 1).count() > 1 {
            return "at once";
        }
        let choice = |role: usize| {
            let count = position.legal(role).len().max(1);
            position.legal(role).nth(random.below(count)).map(String::from)
        };
        let joint: Option<Vec<String>> = (0..position.roles().len()).map(choice).collect();
        let texts: Option<Vec<&str>> =
            joint.as_ref().map(|joint| joint.iter().map(String::as_str).collect());
        match texts.and_then(|texts| position.after(&texts).ok()) {
            Some(next) => position = next,
            None => break,
        }
    }
    "in turn"
}
