//! `Picture` as text for the terminal: boards as grids of characters, then the other facts.

use super::grid::{CELL, Shape};
use super::{Cell, Panel, Picture};
use std::fmt;

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if !self.caption.is_empty() {
            writeln!(f, "{}", self.caption)?;
        }
        self.panels.iter().try_for_each(|panel| writeln!(f, "{panel}"))?;
        for row in &self.table {
            let values: Vec<&str> = row.values.iter().map(|v| v.1.as_str()).collect();
            writeln!(f, "{} {}", row.name, values.join(", "))?;
        }
        self.legend.iter().try_for_each(|(mark, name)| writeln!(f, "{mark} = {name}"))
    }
}

impl fmt::Display for Panel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if !self.title.is_empty() {
            writeln!(f, "{}", self.title)?;
        }
        if self.shape == Shape::Node {
            let line = |c: &Cell| writeln!(f, "{} {}", c.place, text(c));
            return self.cells.iter().try_for_each(line);
        }
        let mut spots: Vec<(i32, i32, String)> =
            self.cells.iter().map(|c| (c.at.1, c.at.0, text(c))).collect();
        spots.extend(self.labels.iter().map(|l| (row_of(self, l.y), l.x, l.text.clone())));
        spots.sort();
        let widest = spots.iter().map(|s| s.2.chars().count()).max().unwrap_or(1) as i32;
        let left = spots.iter().map(|s| s.1).min().unwrap_or(0);
        for line in spots.chunk_by(|a, b| a.0 == b.0) {
            let mut written = String::new();
            for (_, x, text) in line {
                let column = ((x - left) * (widest + 1) + CELL / 2) / CELL;
                let missing = (column as usize).saturating_sub(written.chars().count());
                written.extend(std::iter::repeat_n(' ', missing));
                written.push_str(text);
            }
            writeln!(f, "{}", written.trim_end())?;
        }
        Ok(())
    }
}

/// Names of rows are on the line of their cells, whatever their height on the picture.
fn row_of(panel: &Panel, y: i32) -> i32 {
    let rows = panel.cells.iter().map(|c| c.at.1);
    let nearest = rows.min_by_key(|row| (row - y).abs()).unwrap_or(y);
    if (nearest - y).abs() < CELL / 4 { nearest } else { y }
}

fn text(cell: &Cell) -> String {
    match cell.marks.as_slice() {
        [] => ".".into(),
        marks => marks.iter().map(|m| m.text()).collect::<Vec<_>>().join("+"),
    }
}
