//! The places that the legal moves of a position name, so that they can be made by pointing at a board.

use super::Position;
use crate::compile::Refusal;
use ludex_gdl::budget::Budget;
use ludex_picture::{MovePlan, NamedPlaces, SampledStep, Scene};
use ludex_reason::{Move, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A legal move and the places that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MovePlaces {
    /// The move, as text.
    pub text: String,
    /// What to point at, in this order; empty for a move without a place.
    pub steps: Vec<MoveStep>,
    /// Its arguments that say something else, in order.
    pub rest: Vec<String>,
    /// Where facts change when it is made. Told only of moves that name no place of their own.
    pub changes: Vec<BoardPlace>,
}

/// Something to point at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MoveStep {
    /// The number of the board, `data-board` of the picture.
    pub board: usize,
    /// The place, `data-place` of the picture, or any of these.
    pub places: Vec<String>,
    /// By what it is known.
    pub named: NamedBy,
    /// What the move says that stands there before it is made.
    pub piece: Option<String>,
    /// What the move says that stands there after it.
    pub becomes: Option<String>,
}

/// How a move is known to belong to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NamedBy {
    /// Its arguments are the place.
    Place,
    /// Its arguments are a line of places, such as a column.
    Line,
    /// It names no place; these change, and not with every other move.
    Effect,
}

/// A place of a board.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct BoardPlace {
    /// The number of the board, `data-board` of the picture.
    pub board: usize,
    /// The place, `data-place` of the picture.
    pub place: String,
}

/// A move that changes more places of its own than this is not made by pointing at one of them.
const MOST_EFFECTS: usize = 6;

impl Position {
    /// For each legal move of a role, in the order of [`Position::legal`]: what it names, by what changes
    /// on the boards that are drawn. Roles other than this one are taken to make their first legal move.
    pub fn move_places(&self, role: Role, budget: &Budget) -> Result<Vec<MovePlaces>, Refusal> {
        let scene = self.game().scene(budget)?;
        let legal: Vec<(Move, String)> = self.view().legal[role].clone();
        let unseen = |text: &String| scene.named_places(&scene.moves, text).is_none();
        let strange: Vec<&(Move, String)> = legal.iter().filter(|m| unseen(&m.1)).collect();
        let steps: Vec<SampledStep> =
            strange.iter().filter_map(|(m, text)| self.tried(role, *m, text, budget)).collect();
        let here = scene.read_moves(&steps);
        let mut found: Vec<MovePlaces> =
            legal.iter().map(|(_, text)| named(&scene, &here, text)).collect();
        self.add_effects(role, &scene, &mut found, budget);
        budget.check()?;
        Ok(found)
    }

    /// What happens if a role makes a move; none if somebody has no move, or after the end of the budget.
    fn tried(&self, role: Role, mv: Move, text: &str, budget: &Budget) -> Option<SampledStep> {
        budget.check().ok()?;
        let other = |(r, legal): (usize, &Vec<(Move, String)>)| match r == role {
            true => Some(mv),
            false => legal.first().map(|(m, _)| *m),
        };
        let joint: Option<Vec<Move>> = self.view().legal.iter().enumerate().map(other).collect();
        let after = self.facts_after(&joint?);
        Some(SampledStep { before: self.facts().to_vec(), moves: vec![text.into()], after })
    }

    /// For moves that name no place of their own: what they change. Where there is no choice what changes may be
    /// the doing of another.
    fn add_effects(&self, role: Role, scene: &Scene, found: &mut [MovePlaces], budget: &Budget) {
        if found.len() < 2 {
            return;
        }
        let whole = |m: &MovePlaces| m.steps.iter().any(|s| s.named == NamedBy::Place);
        for (i, place) in found.iter_mut().enumerate().filter(|(_, m)| !whole(m)) {
            let mv = self.view().legal[role][i].0;
            let Some(step) = self.tried(role, mv, &place.text, budget) else { return };
            let changes = scene.changes(&step.before, &step.after).into_iter();
            place.changes = changes.map(|(board, place)| BoardPlace { board, place }).collect();
        }
        let Some(first) = found.iter().find(|m| !whole(m)).cloned() else { return };
        let several = found.iter().filter(|m| !whole(m)).count() > 1;
        let all =
            |p: &BoardPlace| found.iter().filter(|m| !whole(m)).all(|m| m.changes.contains(p));
        let common: Vec<BoardPlace> =
            first.changes.iter().filter(|p| several && all(p)).cloned().collect();
        for place in found.iter_mut().filter(|m| m.steps.is_empty()) {
            let own = place.changes.iter().filter(|p| !common.contains(p));
            let own: Vec<&BoardPlace> = own.collect();
            if let Some(first) = own.first().filter(|_| own.len() <= MOST_EFFECTS) {
                let places = own.iter().filter(|p| p.board == first.board);
                let places = places.map(|p| p.place.clone()).collect();
                let named = NamedBy::Effect;
                let step =
                    MoveStep { board: first.board, places, named, piece: None, becomes: None };
                place.steps.push(step);
            }
        }
    }
}

fn named(scene: &Scene, here: &MovePlan, text: &str) -> MovePlaces {
    let found = scene.named_places(&scene.moves, text).or_else(|| scene.named_places(here, text));
    let found = found.unwrap_or_default();
    let arguments = ludex_facts::fluents::parts(text).1;
    let said = |a: &usize| found.iter().any(|n| n.arguments.contains(a));
    let rest = (0..arguments.len()).filter(|a| !said(a)).map(|a| arguments[a].clone()).collect();
    let step = |n: NamedPlaces| MoveStep {
        board: n.board,
        places: n.places,
        named: if n.whole { NamedBy::Place } else { NamedBy::Line },
        piece: n.piece,
        becomes: n.becomes,
    };
    MovePlaces {
        text: text.into(),
        rest,
        steps: found.into_iter().map(step).collect(),
        changes: vec![],
    }
}
