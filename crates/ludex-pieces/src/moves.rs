//! `Habits` -> `PieceMove`s: ways that are alike told as one.

use crate::field::PlaceField;
use crate::lattice::Direction;
use crate::ways::{Habits, Passage, WayUses};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A way to move: some directions in which the same holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PieceMove {
    /// By place argument the steps in the order of its values.
    pub directions: Vec<Vec<i32>>,
    pub least: i32,
    /// The most steps; none where only what is in the way is a limit.
    pub most: Option<i32>,
    pub between: Between,
    pub captures: CaptureUse,
    /// Only from places with these values.
    pub only_from: Option<PlaceRule>,
    /// Whether it was legal wherever the board allows it.
    pub always: bool,
    /// How often it was seen, and how often the board allowed it.
    pub seen: usize,
    pub open: usize,
}

/// What stands between the ends of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Between {
    /// Nothing: the piece is blocked.
    Free,
    /// Anything.
    Any,
    /// Always something, which stays.
    Over,
    /// Something, which is taken.
    Taken,
}

/// Whether a way to move takes what stands at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CaptureUse {
    Never,
    May,
    Only,
}

/// Places that have one of these values at an argument of the relation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct PlaceRule {
    pub argument: usize,
    pub values: Vec<String>,
}

/// What is the same in directions that are told together.
#[derive(Clone, PartialEq, Eq, Hash)]
struct MoveKey {
    least: i32,
    most: Option<i32>,
    between: Between,
    captures: Option<CaptureUse>,
    only_from: Option<PlaceRule>,
}

/// One direction, or some places of it.
struct Part {
    direction: Direction,
    key: MoveKey,
    uses: WayUses,
    /// The most steps that were seen.
    longest: i32,
}

/// So often a longer move must have been missed before it is said that there is none.
const MISSED: f64 = 10.0;
/// Values of an argument that are told as the only ones.
const FEW_VALUES: usize = 2;

pub fn moves(field: &PlaceField, habits: &Habits) -> Vec<PieceMove> {
    let mut found: Vec<Part> = Vec::new();
    let own = |d: &Direction, p: Passage| -> Vec<(i32, &WayUses)> {
        let ways = habits.ways.iter().filter(|((e, _, q), _)| e == d && *q == p);
        let mut ways: Vec<(i32, &WayUses)> =
            ways.map(|((_, steps, _), uses)| (*steps, uses)).collect();
        ways.sort_by_key(|(steps, _)| *steps);
        ways
    };
    let directions: IndexSet<&Direction> = habits.ways.keys().map(|(d, _, _)| d).collect();
    for direction in directions {
        let over = own(direction, Passage::Over);
        for (passage, kind) in [
            (Passage::Free, if over.is_empty() { Between::Free } else { Between::Any }),
            (Passage::Over, Between::Over),
            (Passage::Jump, Between::Taken),
        ] {
            let ways = own(direction, passage);
            let leaps = passage == Passage::Over
                && found.iter().any(|part| {
                    part.direction == *direction
                        && part.key.between == Between::Any
                        && part.longest > 1
                });
            if ways.iter().any(|(_, uses)| uses.gone != [0; 3]) && !leaps {
                found.extend(parts(field, direction, &ways, kind));
            }
        }
    }
    settle(&mut found);
    grouped(found)
}

/// The ways of one direction: those that some places have alone, and the rest.
fn parts(
    field: &PlaceField,
    direction: &Direction,
    ways: &[(i32, &WayUses)],
    between: Between,
) -> Vec<Part> {
    let part = |key: MoveKey, uses: WayUses, longest: i32| Part {
        direction: direction.clone(),
        key,
        uses,
        longest,
    };
    let (mut parts, mut rest): (Vec<Part>, Vec<(i32, &WayUses)>) = (vec![], vec![]);
    for (steps, uses) in ways.iter().filter(|(_, uses)| uses.gone != [0; 3]) {
        let only_from = only(field, &uses.from, &uses.missed);
        if only_from.is_none() {
            rest.push((*steps, uses));
            continue;
        }
        let (least, most, captures) = (*steps, Some(*steps), captures(uses));
        let key = MoveKey { least, most, between, captures, only_from };
        parts.push(part(key, (*uses).clone(), *steps));
    }
    let (Some(first), Some(last)) = (rest.first(), rest.last()) else { return parts };
    let sum = rest.iter().fold(WayUses::default(), |sum, (_, uses)| sum.with(uses));
    let next = ways.iter().find(|(steps, _)| *steps == last.0 + 1);
    let missed = next.map_or(0.0, |(_, uses)| uses.open[0] as f64 * sum.share());
    let over = matches!(between, Between::Over | Between::Taken) && first.0 == last.0;
    let most = (missed >= MISSED || over).then_some(last.0);
    let captures = captures(&sum);
    let key = MoveKey { least: first.0, most, between, captures, only_from: None };
    parts.insert(0, part(key, sum, last.0));
    parts
}

impl WayUses {
    fn with(mut self, other: &WayUses) -> WayUses {
        for class in 0..3 {
            self.gone[class] += other.gone[class];
            self.open[class] += other.open[class];
        }
        self
    }

    /// How much of what the board allows was legal.
    fn share(&self) -> f64 {
        let sum = |of: &[usize; 3]| of.iter().sum::<usize>() as f64;
        sum(&self.gone) / sum(&self.open).max(1.0)
    }
}

/// Whether it takes; none where it never could have.
fn captures(uses: &WayUses) -> Option<CaptureUse> {
    let (quiet, onto) = (uses.gone[0], uses.gone[1] + uses.gone[2]);
    match (quiet, onto) {
        (_, 0) if uses.open[1] == 0 => None,
        (_, 0) => Some(CaptureUse::Never),
        (0, _) if uses.open[0] > 0 => Some(CaptureUse::Only),
        _ => Some(CaptureUse::May),
    }
}

/// What one direction leaves open is as in the others; a step that nobody saw two of is one step.
fn settle(found: &mut [Part]) {
    for i in 0..found.len() {
        let own = &found[i];
        let alike = |other: &&Part| {
            let (a, b) = (&other.key, &own.key);
            a.between == b.between && a.least == b.least && a.only_from == b.only_from
        };
        let captures = found.iter().filter(alike).find_map(|other| other.key.captures);
        let slides = |other: &Part| other.key.most.is_none() && other.longest > 1;
        let one = own.key.most.is_none() && !found.iter().filter(alike).any(slides);
        let longest = own.longest;
        found[i].key.captures = found[i].key.captures.or(captures);
        if one {
            found[i].key.most = Some(longest);
        }
    }
}

fn grouped(found: Vec<Part>) -> Vec<PieceMove> {
    let mut groups: IndexMap<MoveKey, (Vec<Direction>, WayUses)> = IndexMap::new();
    for Part { direction, key, uses, .. } in found {
        let (directions, sum) = groups.entry(key).or_default();
        directions.push(direction);
        *sum = std::mem::take(sum).with(&uses);
    }
    let told = |(key, (mut directions, uses)): (MoveKey, (Vec<Direction>, WayUses))| {
        directions.sort();
        let used = (0..3).filter(|class| uses.gone[*class] > 0);
        let (seen, open) = used.fold((0, 0), |(s, o), c| (s + uses.gone[c], o + uses.open[c]));
        PieceMove {
            directions,
            least: key.least,
            most: key.most,
            between: key.between,
            captures: key.captures.unwrap_or(CaptureUse::Never),
            only_from: key.only_from,
            always: seen >= open,
            seen,
            open,
        }
    };
    let mut moves: Vec<PieceMove> = groups.into_iter().map(told).collect();
    let size = |d: &Direction| d.iter().map(|x| x.abs()).sum::<i32>();
    moves.sort_by_key(|m| {
        (m.directions.iter().map(size).min(), m.least, m.most, m.only_from.is_some())
    });
    moves
}

/// An argument at which these places have values of their own.
pub fn only(
    field: &PlaceField,
    these: &FxHashSet<usize>,
    others: &FxHashSet<usize>,
) -> Option<PlaceRule> {
    let rule = |axis: usize| {
        let values = |places: &FxHashSet<usize>| -> FxHashSet<i32> {
            places.iter().map(|p| field.lattice.at(*p, axis)).collect()
        };
        let own = values(these);
        let half = field.lattice.orders[axis].len() / 2;
        let few = own.len() <= FEW_VALUES.min(half) && own.len() < these.len();
        (few && own.is_disjoint(&values(others))).then(|| {
            let mut own: Vec<i32> = own.into_iter().collect();
            own.sort_unstable();
            let name = |at: &i32| field.lattice.orders[axis].values[*at as usize].clone();
            let argument = field.board.places[axis];
            PlaceRule { argument, values: own.iter().map(name).collect() }
        })
    };
    let rules = field.lattice.axes().into_iter().filter_map(rule);
    rules.min_by_key(|rule| rule.values.len()).filter(|_| others.len() > 1)
}
