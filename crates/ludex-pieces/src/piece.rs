//! `PieceKind`: all that is known of a kind of piece, as plain data.

use crate::moves::{PieceMove, PlaceRule};
use crate::reach::MoveReach;
use crate::ways::Manner;
use ludex_facts::boards::BoardKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A board and what stands on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PieceBoard {
    /// The relations that share its places.
    pub relations: Vec<String>,
    /// The place arguments of the first.
    pub places: Vec<usize>,
    pub size: usize,
    /// How the places are known.
    pub kind: BoardKind,
    /// What says that a place is empty, where something does.
    pub empty: Option<String>,
    pub pieces: Vec<PieceKind>,
}

/// A kind of piece: what the contents of a place tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PieceKind {
    pub name: String,
    /// The role that moves or sets it.
    pub owner: Option<String>,
    /// What it does, in words.
    pub text: String,
    pub moves: Vec<PieceMove>,
    /// Pairs of places between which it goes where no direction leads from one to the other.
    pub leaps: usize,
    /// Does it move together with others?
    pub shifts: bool,
    pub takes: Vec<Taking>,
    /// What it turns others into as it comes: from, to, how often seen.
    pub turns: Vec<(String, String, usize)>,
    pub becomes: Vec<Becoming>,
    pub set: Option<Setting>,
    /// How often it was taken away by a move of no piece.
    pub removed: usize,
    pub count: PieceCount,
    /// Legal moves of one on average in the states seen.
    pub mobility: Option<f64>,
    pub reach: Option<MoveReach>,
}

/// What a piece takes, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Taking {
    pub piece: String,
    pub manner: Manner,
    pub seen: usize,
}

/// What a piece turns into.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Becoming {
    pub piece: String,
    /// As it moves; else where it stands.
    pub moving: bool,
    /// Only there.
    pub only_at: Option<PlaceRule>,
    /// At so many places.
    pub places: usize,
}

/// How a piece comes to the board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Setting {
    pub rule: SettingRule,
    /// With a move of this piece.
    pub with: Option<String>,
    /// How often it was seen, and how often there was an empty place.
    pub seen: usize,
    pub open: usize,
}

/// Where a piece may be set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SettingRule {
    /// On every empty place.
    AnyEmpty,
    /// On the empty place of a line that is next to its end or to what stands there; the place argument along which it falls.
    Falls { argument: usize },
    /// On some of the empty places.
    Some,
}

/// How many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PieceCount {
    pub at_start: usize,
    pub fewest: usize,
    pub most: usize,
}
