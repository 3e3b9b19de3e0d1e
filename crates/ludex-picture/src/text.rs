//! `Picture` as text for the terminal: boards as grids of characters, then what is on no board.

use super::grid::{CELL, Shape};
use super::mark::{Colour, Mark};
use super::{Cell, Panel, Picture};
use std::collections::BTreeMap;
use std::fmt;

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text(&Ink { on: false, before: None }))
    }
}

impl fmt::Display for Panel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text(&Ink { on: false, before: None }, None))
    }
}

/// How a text is coloured.
struct Ink<'a> {
    on: bool,
    /// Places that are not as they were there are marked.
    before: Option<&'a Picture>,
}

/// A few characters of a line and the codes of their colour.
struct Spot {
    line: i32,
    column: i32,
    text: String,
    codes: &'static str,
    changed: bool,
}

impl Ink<'_> {
    fn paint(&self, text: &str, codes: &str, changed: bool) -> String {
        let codes = match (changed, codes) {
            (true, "") => "7".into(),
            (true, codes) => format!("{codes};7"),
            (false, codes) => codes.to_string(),
        };
        match self.on && !codes.is_empty() {
            true => format!("\x1b[{codes}m{text}\x1b[0m"),
            false => text.into(),
        }
    }
}

impl Picture {
    /// In colours, with the places marked that are not as they were in the picture before.
    pub fn coloured(&self, before: Option<&Picture>) -> String {
        self.text(&Ink { on: true, before })
    }

    fn text(&self, ink: &Ink) -> String {
        let mut out = String::new();
        let mut line = |text: &str| out.extend([text, "\n"]);
        if !self.caption.is_empty() {
            line(&self.caption);
        }
        for (i, panel) in self.panels.iter().enumerate() {
            line(&panel.text(ink, ink.before.and_then(|before| before.panels.get(i))));
        }
        for row in &self.table {
            let values: Vec<&str> = row.values.iter().map(|v| v.1.as_str()).collect();
            let told = format!("{} {}", row.name, values.join(", "));
            let is_new = ink.before.is_some_and(|before| !before.table.contains(row));
            line(&ink.paint(told.trim_end(), if is_new { "1" } else { "" }, false));
        }
        for (mark, name) in &self.legend {
            line(&format!("{} = {name}", ink.paint(&mark.text(), codes(mark), false)));
        }
        out
    }
}

impl Panel {
    fn text(&self, ink: &Ink, before: Option<&Panel>) -> String {
        let mut out = String::new();
        if !self.title.is_empty() {
            out.extend([&self.title, "\n"]);
        }
        let changed = |cell: &Cell| before.is_some_and(|before| !before.cells.contains(cell));
        if self.shape == Shape::Node {
            for cell in &self.cells {
                let painted = ink.paint(&text(cell), cell_codes(cell), changed(cell));
                out.push_str(&format!("{} {painted}\n", cell.place));
            }
            return out + &self.notes();
        }
        let spot = |c: &Cell| {
            let (column, line) = c.at;
            Spot { line, column, text: text(c), codes: cell_codes(c), changed: changed(c) }
        };
        let mut spots: Vec<Spot> = self.cells.iter().map(spot).collect();
        spots.extend(self.labels.iter().map(|l| {
            let (line, text) = (row_of(self, l.y), l.text.clone());
            Spot { line, column: l.x, text, codes: "2", changed: false }
        }));
        spots.sort_by(|a, b| (a.line, a.column, &a.text).cmp(&(b.line, b.column, &b.text)));
        lines(&spots, !self.frames.is_empty(), ink, &mut out);
        out + &self.notes()
    }

    /// What stands in small letters on a picture, and at the corners of cells.
    fn notes(&self) -> String {
        let noted = self.cells.iter().filter(|c| !c.notes.is_empty());
        let words = |c: &Cell| c.notes.iter().map(|n| n.0.as_str()).collect::<Vec<_>>().join(" ");
        let mut told: Vec<String> = noted.map(|c| format!("{}: {}", c.place, words(c))).collect();
        told.extend(self.corners.iter().map(|c| format!("{} between {}", text(c), c.place)));
        if told.is_empty() { String::new() } else { format!("{}\n", told.join("   ")) }
    }
}

/// Lines of text; boards that stand `apart` have an empty line between them.
fn lines(spots: &[Spot], apart: bool, ink: &Ink, out: &mut String) {
    let widest = spots.iter().map(|s| s.text.chars().count()).max().unwrap_or(1) as i32;
    let columns = columns(spots.iter().map(|s| s.column).collect(), widest + 1);
    let mut last = None;
    for line in spots.chunk_by(|a, b| a.line == b.line) {
        if apart && last.is_some_and(|y| line[0].line - y > CELL) {
            out.push('\n');
        }
        last = Some(line[0].line);
        let mut width = 0;
        for spot in line {
            let missing = (columns[&spot.column] as usize).saturating_sub(width);
            out.extend(std::iter::repeat_n(' ', missing));
            out.push_str(&ink.paint(&spot.text, spot.codes, spot.changed));
            width += missing + spot.text.chars().count();
        }
        out.push('\n');
    }
}

/// Where in a line what is at these points begins: a cell takes so many characters, a gap between boards one
/// more.
fn columns(mut points: Vec<i32>, width: i32) -> BTreeMap<i32, i32> {
    points.sort_unstable();
    points.dedup();
    let mut columns = BTreeMap::new();
    let (mut reached, mut last) = (0, points.first().copied().unwrap_or(0));
    for x in points {
        let gap = x - last > CELL && x - last < 2 * CELL;
        reached += if gap { CELL * (width + 1) } else { (x - last) * width };
        columns.insert(x, (reached + CELL / 2) / CELL);
        last = x;
    }
    columns
}

/// Names of rows are on the line of their cells, whatever their height on the picture.
fn row_of(panel: &Panel, y: i32) -> i32 {
    let rows = panel.cells.iter().map(|c| c.at.1);
    let nearest = rows.min_by_key(|row| (row - y).abs()).unwrap_or(y);
    if (nearest - y).abs() < CELL / 4 { nearest } else { y }
}

fn text(cell: &Cell) -> String {
    match cell.pieces.as_slice() {
        [] => ".".into(),
        pieces => pieces.iter().map(|p| p.mark.text()).collect::<Vec<_>>().join("+"),
    }
}

fn cell_codes(cell: &Cell) -> &'static str {
    cell.marks().last().map_or("2", codes)
}

/// The codes of a terminal for the colour of a mark.
fn codes(mark: &Mark) -> &'static str {
    match mark {
        Mark::Cross => "1;94",
        Mark::Ring => "1;91",
        Mark::Lamp(true) => "1;93",
        Mark::Blank | Mark::Gone | Mark::Dot(_) | Mark::Lamp(false) => "2",
        mark => mark.colour().map_or("", colour_codes),
    }
}

fn colour_codes(colour: Colour) -> &'static str {
    match colour {
        Colour::White => "1",
        Colour::Black => "36",
        Colour::Red => "1;31",
        Colour::Blue => "1;94",
        Colour::Green => "1;32",
        Colour::Yellow => "1;33",
        Colour::Teal => "36",
        Colour::Magenta => "1;35",
        Colour::Orange => "38;5;208",
        Colour::Purple => "38;5;99",
        Colour::Brown => "38;5;130",
        Colour::Grey => "90",
        Colour::Pink => "38;5;211",
        Colour::Cyan => "1;96",
    }
}
