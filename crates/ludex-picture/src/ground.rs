//! What a board looks like, and which end of it is at the bottom, from what stands on it.

use super::evidence::DrawnRelation;
use super::glyph::Glyphs;
use super::grid::{LineEnd, Shape};
use super::layer::Layer;
use super::mark::{Colour, Mark};
use rustc_hash::FxHashMap;

/// How a board is used.
#[derive(Clone, Copy, Debug)]
pub struct BoardUse {
    /// What is put on the board falls to one end.
    pub falling: bool,
    /// Places of the colour of the corner at the bottom left are used.
    pub corner: bool,
    /// Many pieces stand on the board from the beginning.
    pub crowded: bool,
}

/// The look of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backdrop {
    Plain,
    /// Light and dark squares. The corner at the bottom left is dark, or else light.
    Chequered {
        dark_corner: bool,
    },
    /// Green cloth, for black and white discs.
    Felt,
    /// Round slots into which discs fall, in a blue board, or a grey one where discs are blue.
    Slots {
        grey: bool,
    },
    /// Wood with holes.
    Wood,
}

impl Backdrop {
    pub fn new(marks: &[&Mark], shape: Shape, used: BoardUse) -> Backdrop {
        let any = |of: fn(&Mark) -> bool| marks.iter().any(|m| of(m));
        let pieces = || marks.iter().filter(|m| !matches!(m, Mark::Blank));
        let two = |m: &&Mark| matches!(m, Mark::Disc(Colour::Black | Colour::White | Colour::Red, l) if l.is_empty());
        let other = |m: &Mark| !matches!(m, Mark::Disc(..) | Mark::Blank | Mark::Block);
        match () {
            _ if any(|m| matches!(m, Mark::Peg)) => Backdrop::Wood,
            _ if shape != Shape::Square => Backdrop::Plain,
            _ if any(|m| matches!(m, Mark::Man(..) | Mark::Crowned(_))) => {
                Backdrop::Chequered { dark_corner: used.corner }
            }
            _ if any(|m| matches!(m, Mark::Disc(..))) && used.falling => {
                Backdrop::Slots { grey: any(|m| matches!(m, Mark::Disc(Colour::Blue, _))) }
            }
            _ if used.crowded && any(|m| matches!(m, Mark::Disc(..))) && !any(other) => {
                Backdrop::Chequered { dark_corner: used.corner }
            }
            _ if pieces().count() == 2 && pieces().all(two) => Backdrop::Felt,
            _ => Backdrop::Plain,
        }
    }
}

/// For every place argument the end to which things fall, if they do.
pub fn falls(layer: &Layer, relation: &DrawnRelation, glyphs: &Glyphs) -> Vec<Option<LineEnd>> {
    let of = |i: usize| {
        let fills = |end| fills_from(layer, relation, glyphs, i, end);
        [LineEnd::First, LineEnd::Last].into_iter().find(|end| fills(*end))
    };
    (0..layer.place.len()).map(of).collect()
}

/// Lines that were neither empty nor full, before one speaks of falling.
const ENOUGH: usize = 12;

/// Whether in all states every line along the argument is filled from its end without a gap.
fn fills_from(
    layer: &Layer,
    relation: &DrawnRelation,
    glyphs: &Glyphs,
    i: usize,
    end: LineEnd,
) -> bool {
    let order = &relation.orders[layer.place[i]];
    let others: Vec<usize> = layer.place.iter().copied().filter(|a| *a != layer.place[i]).collect();
    let mut partly = 0;
    for state in &relation.states {
        let mut lines: FxHashMap<Vec<String>, Vec<usize>> = FxHashMap::default();
        for fact in state {
            let content = DrawnRelation::part(fact, &layer.content);
            if !content.is_empty() && glyphs.mark(&content) != Some(&Mark::Blank) {
                let at = order.index(&fact[layer.place[i]]).unwrap_or(0);
                let at = if end == LineEnd::First { at } else { order.len() - 1 - at };
                lines.entry(DrawnRelation::part(fact, &others)).or_default().push(at);
            }
        }
        for line in lines.values() {
            if line.iter().any(|at| *at >= line.len()) {
                return false;
            }
            partly += usize::from(line.len() < order.len());
        }
    }
    partly >= ENOUGH
}

/// For every place argument the end at which the first player begins, if the players begin apart.
pub fn sides(
    layer: &Layer,
    relation: &DrawnRelation,
    glyphs: &Glyphs,
    roles: &[String],
) -> Vec<Option<LineEnd>> {
    let Some(initial) = relation.states.first() else { return vec![None; layer.place.len()] };
    let mut own: Vec<&Vec<String>> = Vec::new();
    let mut others: Vec<&Vec<String>> = Vec::new();
    for fact in initial {
        let content = DrawnRelation::part(fact, &layer.content);
        match owner(&content, glyphs.mark(&content), roles) {
            Some(0) => own.push(fact),
            Some(_) => others.push(fact),
            None => {}
        }
    }
    let side = |a: &usize| {
        let order = &relation.orders[*a];
        let mean = |facts: &[&Vec<String>]| {
            let sum: usize = facts.iter().filter_map(|f| order.index(&f[*a])).sum();
            sum as f64 / facts.len() as f64
        };
        if own.is_empty() || others.is_empty() {
            return None;
        }
        let apart = (mean(&others) - mean(&own)) / order.len() as f64;
        match apart {
            d if d > 0.3 => Some(LineEnd::First),
            d if d < -0.3 => Some(LineEnd::Last),
            _ => None,
        }
    };
    layer.place.iter().map(side).collect()
}

/// The role whose piece it is.
fn owner(content: &[String], mark: Option<&Mark>, roles: &[String]) -> Option<usize> {
    let colour = mark?.colour();
    let is_of = |role: &String| {
        let role = role.to_lowercase();
        let named = content.iter().any(|c| c.to_lowercase().starts_with(&role));
        named || (colour.is_some() && Colour::prefix(&role).map(|p| p.0) == colour)
    };
    roles.iter().position(is_of)
}
