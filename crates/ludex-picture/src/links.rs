//! Lines between neighbouring dots, as sides of the squares between the dots: dots and boxes.

use super::evidence::{DrawnRelation, Fact};
use super::grid::Grid;
use super::mark::{Mark, Way};
use super::order::Order;
use super::{Panel, Piece};
use rustc_hash::FxHashSet;

/// A relation that joins dots, told by column and row each.
#[derive(Clone, Debug)]
pub struct Links {
    name: String,
    columns: Order,
    rows: Order,
}

impl Links {
    /// None if the relation has facts about anything but neighbours.
    pub fn of(relation: &DrawnRelation) -> Option<Links> {
        let [columns, rows, to_columns, to_rows] = &relation.orders[..] else { return None };
        let same = columns.values == to_columns.values && rows.values == to_rows.values;
        let lines = columns.ordered && rows.ordered && columns.len() > 2 && rows.len() > 2;
        let links =
            Links { name: relation.name.clone(), columns: columns.clone(), rows: rows.clone() };
        let near = |fact: &Vec<String>| {
            let ends = links.ends(fact);
            ends.is_some_and(|[(a, b), (c, d)]| a.abs_diff(c) + b.abs_diff(d) == 1)
        };
        (same && lines && relation.facts.iter().all(near)).then_some(links)
    }

    pub fn is_of(&self, relation: &DrawnRelation) -> bool {
        self.name == relation.name && relation.arity == 4
    }

    /// The dots that a fact joins, by column and row.
    fn ends(&self, fact: &[String]) -> Option<[(usize, usize); 2]> {
        let dot = |a: usize| Some((self.columns.index(&fact[a])?, self.rows.index(&fact[a + 1])?));
        Some([dot(0)?, dot(2)?])
    }

    /// Whether a board consists of the squares between the dots, each called like its first corner.
    pub fn fits(&self, grid: &Grid) -> bool {
        let (columns, rows) = (self.columns.len() - 1, self.rows.len() - 1);
        let all = |x: usize| (0..rows).all(|y| self.square(x, y, grid).is_some());
        grid.points.len() == columns * rows && (0..columns).all(all)
    }

    fn square(&self, column: usize, row: usize, grid: &Grid) -> Option<(i32, i32)> {
        let (x, y) = (self.columns.values.get(column)?, self.rows.values.get(row)?);
        grid.points.get(&vec![x.clone(), y.clone()]).copied()
    }

    /// Draws the lines of a state as sides of squares.
    pub fn draw(
        &self,
        facts: &[Fact],
        grid: &Grid,
        panel: &mut Panel,
        drawn: &mut FxHashSet<usize>,
    ) {
        for (i, fact) in facts.iter().enumerate() {
            let own = fact.name == self.name && fact.args.len() == 4;
            let side = own.then(|| self.side(&fact.args, grid)).flatten();
            let Some((at, way)) = side else { continue };
            drawn.insert(i);
            let cell = panel.cells.iter_mut().find(|c| c.at == at);
            cell.into_iter().for_each(|c| {
                c.pieces.insert(0, Piece { mark: Mark::Side(way), fact: fact.text() })
            });
        }
    }

    /// The square beside a line, and the side of it that the line is.
    fn side(&self, fact: &[String], grid: &Grid) -> Option<((i32, i32), Way)> {
        let [mut from, mut to] = self.ends(fact)?;
        if to < from {
            (from, to) = (to, from);
        }
        let (x, y) = from;
        let along_row = to.0 > x;
        // The next square over the line; at the far edge of the board there is only the one before.
        let before = if along_row { (x, y.wrapping_sub(1)) } else { (x.wrapping_sub(1), y) };
        let origin = self.square(0, 0, grid)?;
        let next = if along_row { self.square(0, 1, grid)? } else { self.square(1, 0, grid)? };
        let on = (next.0 - origin.0, next.1 - origin.1);
        let back = (-on.0, -on.1);
        match self.square(x, y, grid) {
            Some(at) => Some((at, towards(back))),
            None => Some((self.square(before.0, before.1, grid)?, towards(on))),
        }
    }
}

fn towards((x, y): (i32, i32)) -> Way {
    match () {
        _ if x.abs() > y.abs() => {
            if x > 0 {
                Way::Right
            } else {
                Way::Left
            }
        }
        _ => {
            if y > 0 {
                Way::Down
            } else {
                Way::Up
            }
        }
    }
}
