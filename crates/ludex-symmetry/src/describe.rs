//! `SymmetryMap` -> `Description`: a symmetry in words, and what it is on a board.

use super::families::{Family, FamilyImage, FamilyOwner};
use super::logic::Logic;
use super::table::SymmetryMap;
use super::words::{Vocabulary, Words, natural};
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::ground::Ground;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// What kind of symmetry it is, as far as it can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum SymmetryKind {
    #[serde(rename = "reflection of the board")]
    Reflection,
    #[serde(rename = "reflection in a diagonal")]
    DiagonalReflection,
    #[serde(rename = "rotation by half a turn")]
    HalfTurn,
    #[serde(rename = "rotation by a quarter turn")]
    QuarterTurn,
    #[serde(rename = "exchange of lines of the board")]
    Lines,
    #[serde(rename = "exchange of objects")]
    Objects,
    #[serde(rename = "exchange of roles")]
    Roles,
    #[serde(rename = "symmetry")]
    Other,
}

/// What a symmetry does, for people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Description {
    pub kind: SymmetryKind,
    /// Roles are exchanged as well.
    pub roles: bool,
    /// What `words` says of it.
    pub text: String,
    /// Facts and moves that are not where they were, of which the text does not speak.
    #[serde(rename = "facts_left_out")]
    pub facts_left: usize,
    #[serde(rename = "moves_left_out")]
    pub moves_left: usize,
}

/// Describes the symmetries in order.
pub fn describe(
    tables: &[SymmetryMap],
    ground: &Ground,
    logic: &Logic,
    budget: &Budget,
) -> Result<Vec<Description>, Stop> {
    let vocabulary = Vocabulary::new(ground, logic);
    let each = |table| {
        budget.check()?;
        Ok(describe_one(table, &vocabulary))
    };
    tables.iter().map(each).collect()
}

fn describe_one(table: &SymmetryMap, vocabulary: &Vocabulary) -> Description {
    let families = vocabulary.things.families(table);
    let roles = !table.fixes_roles();
    let kind = match board(&families, roles, vocabulary) {
        Some(kind) => kind,
        None if roles => SymmetryKind::Roles,
        None if is_exchange(table) => SymmetryKind::Objects,
        None => SymmetryKind::Other,
    };
    let Words { text, facts_left, moves_left } = vocabulary.words(table, &families);
    Description { kind, roles, text, facts_left, moves_left }
}

fn is_exchange(table: &SymmetryMap) -> bool {
    let involution = |p: &[u32]| p.iter().enumerate().all(|(i, &x)| p[x as usize] as usize == i);
    involution(&table.bases) && involution(&table.inputs)
}

/// The kind of symmetry on the facts with two coordinates, if such facts are moved and the facts of every
/// function go alike.
fn board(families: &[Family], roles: bool, vocabulary: &Vocabulary) -> Option<SymmetryKind> {
    let facts = families.iter().filter(|f| f.owner == FamilyOwner::Facts);
    let alike = |f: &Family| f.given.is_none();
    let shapes: Option<Vec<(&Family, &FamilyImage)>> =
        facts.map(|f| Some((f, f.shape.as_ref().filter(|_| alike(f))?))).collect();
    let cells = |(f, s): &(&Family, &FamilyImage)| f.function.1 >= 2 && s.to == f.function.0;
    let size = |(_, s): &(&Family, &FamilyImage)| s.values[0].len() * s.values[1].len();
    let moved = |(f, _): &(&Family, &FamilyImage)| !f.is_still();
    let (_, shape) = shapes?.into_iter().filter(cells).filter(moved).max_by_key(size)?;
    let at = coordinates(shape, vocabulary);
    let [x, y] = [at, at + 1].map(|i| vocabulary.texts(&shape.values[i]));
    if x.len() < 2 || y.len() < 2 {
        return None;
    }
    let (still_x, still_y) = (is_identity(&x), is_identity(&y));
    // Two values that are exchanged with the roles are theirs, not lines of a board.
    let theirs = |v: &BTreeMap<String, String>| roles && v.len() == 2 && !is_identity(v);
    let place = [shape.place[at], shape.place[at + 1]];
    if place == [at, at + 1] && (still_x || theirs(&x)) && (still_y || theirs(&y)) {
        return None;
    }
    match place.map(|p| p.wrapping_sub(at)) {
        [0, 1] => match (reverses(&x), reverses(&y)) {
            (true, true) => Some(SymmetryKind::HalfTurn),
            (true, false) if still_y => Some(SymmetryKind::Reflection),
            (false, true) if still_x => Some(SymmetryKind::Reflection),
            _ if still_x && still_y => None,
            _ => Some(SymmetryKind::Lines),
        },
        [1, 0] => {
            let back = |(a, b): (&String, &String)| y.get(b) == Some(a);
            let involution = x.iter().all(back);
            Some(if involution {
                SymmetryKind::DiagonalReflection
            } else {
                SymmetryKind::QuarterTurn
            })
        }
        _ => None,
    }
}

/// The argument that is the first of two coordinates: the first of all, unless a number stays before two others that are
/// both moved, such as those of a place in `(connected 3 a 2)`.
fn coordinates(shape: &FamilyImage, vocabulary: &Vocabulary) -> usize {
    let moved = |i: usize| {
        let values = vocabulary.texts(&shape.values[i]);
        values.len() > 2 && (shape.place[i] != i || !is_identity(&values))
    };
    let later = (1..shape.place.len() - 1).find(|i| moved(*i) && moved(i + 1));
    later.filter(|_| !moved(0)).unwrap_or(0)
}

fn is_identity(map: &BTreeMap<String, String>) -> bool {
    map.iter().all(|(a, b)| a == b)
}

/// Whether the map turns the order of its values round.
fn reverses(map: &BTreeMap<String, String>) -> bool {
    let mut values: Vec<&String> = map.keys().collect();
    values.sort_by(|a, b| natural(a, b));
    let back = values.iter().rev();
    values.len() > 1 && values.iter().zip(back).all(|(a, b)| map.get(*a) == Some(b))
}

impl fmt::Display for SymmetryKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            SymmetryKind::Reflection => "reflection of the board",
            SymmetryKind::DiagonalReflection => "reflection in a diagonal",
            SymmetryKind::HalfTurn => "rotation by half a turn",
            SymmetryKind::QuarterTurn => "rotation by a quarter turn",
            SymmetryKind::Lines => "exchange of lines of the board",
            SymmetryKind::Objects => "exchange of objects",
            SymmetryKind::Roles => "exchange of roles",
            SymmetryKind::Other => "symmetry",
        })
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let more = self.roles && self.kind != SymmetryKind::Roles;
        let roles = if more { " and exchange of roles" } else { "" };
        write!(f, "{}{roles}: {}", self.kind, self.text)
    }
}
