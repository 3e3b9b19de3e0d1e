//! `Picture` -> SVG text.

use super::grid::{CELL, Label, Shape};
use super::ground::Backdrop;
use super::mark::Mark;
use super::shapes::{drawing, escape};
use super::{Arrow, Cell, Panel, Picture, Piece};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The room around everything, and between its parts.
const MARGIN: i32 = 40;
/// The size of the letters beside the board.
const LETTER: i32 = 34;
/// Values of a relation that are listed before it says "and so many more".
const MOST_VALUES: usize = 24;
/// Characters of a line of the table.
const LINE: usize = 30;

/// A rectangle: left, top, right, bottom.
#[derive(Clone, Copy)]
struct Area([i32; 4]);

impl Area {
    fn include(&mut self, x: i32, y: i32, around: i32) {
        let Area([left, top, right, bottom]) = self;
        *left = (*left).min(x - around);
        *top = (*top).min(y - around);
        *right = (*right).max(x + around);
        *bottom = (*bottom).max(y + around);
    }

    fn width(&self) -> i32 {
        self.0[2] - self.0[0]
    }

    fn height(&self) -> i32 {
        self.0[3] - self.0[1]
    }
}

/// A picture drawn, before it becomes a document.
pub struct SvgDrawing {
    pub width: i32,
    pub height: i32,
    pub body: String,
    /// The marks that are used again and again, by name.
    pub marks: BTreeMap<String, String>,
}

impl Picture {
    /// The picture as a document of its own.
    pub fn svg(&self) -> String {
        let drawing = self.drawing();
        let title = if self.caption.is_empty() { "a state of the game" } else { &self.caption };
        document(drawing.width, drawing.height, &drawing.marks, &drawing.body, title, &self.about)
    }

    /// The picture as a part of a larger one.
    pub fn drawing(&self) -> SvgDrawing {
        let mut marks = BTreeMap::new();
        let mut body = String::new();
        let mut y = MARGIN;
        let widest = self.panels.iter().map(|p| area(p).width()).max().unwrap_or(0);
        let room = (widest.max(6 * CELL) * 10 / (6 * (LETTER + 6))) as usize;
        let caption = break_lines(&self.caption, room);
        for line in &caption {
            write(&mut body, MARGIN, y + LETTER, LETTER + 6, "start", "bold", line);
            y += LETTER + MARGIN / 2;
        }
        y += if caption.is_empty() { 0 } else { MARGIN / 2 };
        let most = widest.max(24 * CELL);
        let (mut x, mut row, mut right, mut bottom) = (MARGIN, 0, MARGIN, y);
        let top = y;
        for (number, panel) in self.panels.iter().enumerate() {
            let area = area(panel);
            if x > MARGIN && x + area.width() > most + MARGIN {
                (x, y) = (MARGIN, y + row + MARGIN);
                row = 0;
            }
            let (dx, dy) = (x - area.0[0], y - area.0[1]);
            let _ =
                writeln!(body, r##"<g data-board="{number}" transform="translate({dx} {dy})">"##);
            draw_panel(panel, &mut body, &mut marks);
            body.push_str("</g>\n");
            x += area.width() + MARGIN;
            row = row.max(area.height());
            (right, bottom) = (right.max(x), bottom.max(y + row));
        }
        let (width, below) = self.draw_table(right, top, &mut body, &mut marks);
        let longest = caption.iter().map(|l| l.chars().count()).max().unwrap_or(0) as i32;
        let caption = longest * (LETTER + 6) * 65 / 100 + 2 * MARGIN;
        let width = (right + width).max(caption).max(2 * CELL);
        SvgDrawing { width, height: bottom.max(below) + MARGIN, body, marks }
    }

    /// The other facts and the legend: the width they take and where they end.
    fn draw_table(
        &self,
        x: i32,
        top: i32,
        body: &mut String,
        marks: &mut BTreeMap<String, String>,
    ) -> (i32, i32) {
        let (mut y, mut width) = (top, 0);
        let mut line = |body: &mut String, indent: i32, weight: &str, words: &[FactWord]| {
            y += LETTER * 3 / 2;
            write_words(body, x + indent, y, LETTER, "start", weight, words);
            let letter = if weight == "bold" { LETTER * 3 / 4 } else { LETTER * 6 / 10 };
            width = width.max(indent + length(words) as i32 * letter + MARGIN);
            y
        };
        for row in &self.table {
            let name = FactWord::plain(&row.name);
            let fact = if row.values.is_empty() { row.fact("") } else { String::new() };
            line(body, 0, "bold", &[FactWord { fact, ..name }]);
            let shown = row.values.iter().take(MOST_VALUES);
            let word = |text: &String| FactWord { text: text.clone(), fact: row.fact(text) };
            if shown.clone().any(|(mark, _)| mark.is_some()) {
                for (mark, text) in shown {
                    let y = line(body, LETTER * 2, "normal", &[word(text)]);
                    let at = (x + LETTER, y - LETTER / 3, 50);
                    mark.iter().for_each(|m| put(m, at, &told(&row.fact(text)), body, marks));
                }
            } else {
                let lines = wrap(shown.map(|v| word(&v.1)).collect());
                lines.iter().for_each(|words| _ = line(body, LETTER / 2, "normal", words));
            }
            if row.values.len() > MOST_VALUES {
                let more = format!("and {} more", row.values.len() - MOST_VALUES);
                line(body, LETTER / 2, "normal", &[FactWord::plain(&more)]);
            }
        }
        if !self.legend.is_empty() && !self.table.is_empty() {
            line(body, 0, "normal", &[]);
        }
        for (mark, name) in &self.legend {
            let y = line(body, LETTER * 2, "normal", &[FactWord::plain(name)]);
            put(mark, (x + LETTER, y - LETTER / 3, 45), "", body, marks);
        }
        (width, y)
    }
}

/// A word of a line, and the fact that it tells, if any.
#[derive(Clone, Default)]
struct FactWord {
    text: String,
    fact: String,
}

impl FactWord {
    fn plain(text: &str) -> FactWord {
        FactWord { text: text.into(), fact: String::new() }
    }
}

fn length(words: &[FactWord]) -> usize {
    words.iter().map(|w| w.text.chars().count() + 1).sum::<usize>().saturating_sub(1)
}

/// Words with commas between, in lines that are not too long.
fn wrap(mut words: Vec<FactWord>) -> Vec<Vec<FactWord>> {
    let last = words.len().saturating_sub(1);
    words[..last].iter_mut().for_each(|w| w.text.push(','));
    let mut lines: Vec<Vec<FactWord>> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if length(line) + word.text.chars().count() <= LINE => line.push(word),
            _ => lines.push(vec![word]),
        }
    }
    lines
}

/// A text in lines of at most so many characters, if its words allow it.
fn break_lines(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < most => {
                let _ = write!(line, " {word}");
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// An SVG document of some size in hundredths of a cell.
pub fn document(
    width: i32,
    height: i32,
    marks: &BTreeMap<String, String>,
    body: &str,
    title: &str,
    about: &[String],
) -> String {
    // A cell is 48 pixels, less where the picture would be very wide.
    let scale = (1200.0 / f64::from(width)).clamp(0.2, 0.48);
    let (w, h) = ((f64::from(width) * scale).round(), (f64::from(height) * scale).round());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {width} {height}\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n"
    );
    let _ = writeln!(out, "<title>{}</title>", escape(title));
    if !about.is_empty() {
        let _ = writeln!(out, "<desc>{}</desc>", escape(&about.join("; ")));
    }
    out.push_str(&definitions(marks));
    let _ = writeln!(out, r##"<rect width="{width}" height="{height}" fill="#ffffff"/>"##);
    out.push_str(body);
    out.push_str("</svg>\n");
    out
}

pub fn definitions(marks: &BTreeMap<String, String>) -> String {
    if marks.is_empty() {
        return String::new();
    }
    let mut out = String::from("<defs>\n");
    for (name, drawing) in marks {
        let _ = writeln!(out, r##"<g id="{name}">{drawing}</g>"##);
    }
    out.push_str("</defs>\n");
    out
}

/// Text that begins, or has its middle, at a point of its base line.
pub fn write(out: &mut String, x: i32, y: i32, size: i32, anchor: &str, weight: &str, text: &str) {
    write_words(out, x, y, size, anchor, weight, &[FactWord::plain(text)]);
}

fn write_words(
    out: &mut String,
    x: i32,
    y: i32,
    size: i32,
    anchor: &str,
    weight: &str,
    words: &[FactWord],
) {
    let weight = if weight == "bold" { r##" font-weight="bold""## } else { "" };
    let word = |w: &FactWord| match w.fact.is_empty() {
        true => escape(&w.text),
        false => format!("<tspan{}>{}</tspan>", told(&w.fact), escape(&w.text)),
    };
    let text = words.iter().map(word).collect::<Vec<String>>().join(" ");
    let _ = writeln!(
        out,
        r##"<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}"{weight} fill="#3a3f46">{text}</text>"##
    );
}

/// The attribute that names the facts that an element tells.
fn told(fact: &str) -> String {
    if fact.is_empty() { String::new() } else { format!(r##" data-fact="{}""##, escape(fact)) }
}

/// Draws a mark with its middle at a point, in its size in percent.
fn put(
    mark: &Mark,
    (x, y, percent): (i32, i32, i32),
    attributes: &str,
    out: &mut String,
    marks: &mut BTreeMap<String, String>,
) {
    let (name, drawing) = drawing(mark);
    if drawing.is_empty() {
        return;
    }
    let inner = match name {
        Some(name) => {
            let used = format!(r##"<use href="#{name}"/>"##);
            marks.insert(name, drawing);
            used
        }
        None => drawing,
    };
    let scale = if percent == 100 {
        String::new()
    } else {
        format!(" scale({})", f64::from(percent) / 100.0)
    };
    let _ = writeln!(out, r##"<g{attributes} transform="translate({x} {y}){scale}">{inner}</g>"##);
}

/// The rectangle that a panel takes.
fn area(panel: &Panel) -> Area {
    let mut area = Area([0, 0, CELL, CELL]);
    if let Some(cell) = panel.cells.first() {
        area = Area([cell.at.0, cell.at.1, cell.at.0, cell.at.1]);
    }
    let around = if panel.shape == Shape::Hexagon { 60 } else { CELL / 2 };
    panel.cells.iter().for_each(|c| area.include(c.at.0, c.at.1, around));
    panel.edges.iter().for_each(|(a, b)| {
        area.include(a.0, a.1, 4);
        area.include(b.0, b.1, 4);
    });
    for [x, y, width, height] in &panel.frames {
        area.include(*x, *y, 3);
        area.include(x + width, y + height, 3);
    }
    panel.labels.iter().for_each(|l| area.include(l.x, l.y, LETTER * 3 / 4));
    for label in &panel.labels {
        let half = label.text.chars().count() as i32 * LETTER * 3 / 10;
        area.include(label.x - half, label.y, 4);
        area.include(label.x + half, label.y, 4);
    }
    if !panel.title.is_empty() {
        let half = area.width() / 2;
        let (middle, top) = (area.0[0] + half, area.0[1]);
        area.include(middle, top, LETTER * 3 / 2);
    }
    area
}

fn draw_panel(panel: &Panel, out: &mut String, marks: &mut BTreeMap<String, String>) {
    if !panel.title.is_empty() {
        let area = area(panel);
        let middle = (area.0[0] + area.0[2]) / 2;
        write(out, middle, area.0[1] + LETTER, LETTER, "middle", "bold", &panel.title);
    }
    for (a, b) in &panel.edges {
        let _ = writeln!(
            out,
            r##"<path d="M{} {}L{} {}" stroke="#8a8577" stroke-width="5"/>"##,
            a.0, a.1, b.0, b.1
        );
    }
    let base = panel.cells.iter().map(|c| c.at.1).max().unwrap_or(0);
    if matches!(panel.ground, Backdrop::Chequered { .. }) && panel.frames.is_empty() {
        draw_unused(panel, out);
    }
    panel.cells.iter().for_each(|cell| draw_cell(panel, cell, base, out));
    for [x, y, width, height] in &panel.frames {
        let _ = writeln!(
            out,
            r##"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="#3a3f46" stroke-width="6"/>"##
        );
    }
    for label in &panel.labels {
        let weight = if label.title { "bold" } else { "normal" };
        let size = label_size(label, &panel.labels);
        write(out, label.x, label.y + LETTER / 3, size, "middle", weight, &label.text);
    }
    panel.cells.iter().for_each(|cell| draw_marks(panel.shape, cell, out, marks));
    for cell in &panel.corners {
        for piece in &cell.pieces {
            let attributes = format!("{}{}", of_place(cell), told(&piece.fact));
            put(&piece.mark, (cell.at.0, cell.at.1, 50), &attributes, out, marks);
        }
    }
    panel.arrows.iter().for_each(|arrow| draw_arrow(arrow, out));
}

/// A name that is longer than its column is wide is written in smaller letters.
fn label_size(label: &Label, all: &[Label]) -> i32 {
    let beside = |other: &&Label| other.y == label.y && other.x != label.x;
    let room = all.iter().filter(beside).map(|other| (other.x - label.x).abs()).min();
    let letters = label.text.chars().count().max(1) as i32;
    room.map_or(LETTER, |room| LETTER.min(room * 3 / 2 / letters))
}

/// A bent arrow from one middle to another; with two heads where it also leads back.
fn draw_arrow(arrow: &Arrow, out: &mut String) {
    let ((x, y), (u, v)) = (arrow.from, arrow.to);
    let (dx, dy) = (f64::from(u - x), f64::from(v - y));
    let length = dx.hypot(dy).max(1.0);
    let bend = if arrow.both { 0.12 } else { 0.18 };
    let (mx, my) = (f64::from(x + u) / 2.0 - dy * bend, f64::from(y + v) / 2.0 + dx * bend);
    // The ends stay clear of the middles, along the bend.
    let towards = |px: f64, py: f64| {
        let d = (mx - px).hypot(my - py).max(1.0);
        let by = 14.0f64.min(length / 4.0);
        ((px + (mx - px) / d * by).round(), (py + (my - py) / d * by).round())
    };
    let ((ax, ay), (bx, by)) =
        (towards(f64::from(x), f64::from(y)), towards(f64::from(u), f64::from(v)));
    let colour = arrow.colour.fill();
    let (mx, my) = (mx.round(), my.round());
    let _ = writeln!(
        out,
        r##"<path d="M{ax} {ay}Q{mx} {my} {bx} {by}" fill="none" stroke="{colour}" stroke-width="7" opacity="0.85"/>"##
    );
    let mut head = |(px, py): (f64, f64)| {
        let angle = (py - my).atan2(px - mx).to_degrees().round();
        let _ = writeln!(
            out,
            r##"<path transform="translate({px} {py}) rotate({angle})" d="M8 0L-20 14V-14Z" fill="{colour}"/>"##
        );
    };
    head((bx, by));
    if arrow.both {
        head((ax, ay));
    }
}

/// The squares of a chequered board that no fact speaks of.
fn draw_unused(panel: &Panel, out: &mut String) {
    let Some(first) = panel.cells.first() else { return };
    let mut area = Area([first.at.0, first.at.1, first.at.0, first.at.1]);
    panel.cells.iter().for_each(|c| area.include(c.at.0, c.at.1, CELL / 2));
    let (Area([x, y, ..]), width, height) = (area, area.width(), area.height());
    let _ = writeln!(
        out,
        r##"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="#f1dfc2" stroke="#7a5a3a" stroke-width="4"/>"##
    );
}

/// The empty place. `base` is the lowest row.
fn draw_cell(panel: &Panel, cell: &Cell, base: i32, out: &mut String) {
    let (x, y) = cell.at;
    let like_corner = ((x.div_euclid(CELL) + (base - y).div_euclid(CELL)) % 2) == 0;
    let (fill, edge) = match panel.ground {
        Backdrop::Plain => ("#fbf8f1", "#8a8577"),
        Backdrop::Chequered { dark_corner } if dark_corner == like_corner => ("#b98d62", "#7a5a3a"),
        Backdrop::Chequered { .. } => ("#f1dfc2", "#7a5a3a"),
        Backdrop::Felt => ("#3d9464", "#22613e"),
        Backdrop::Slots { grey: false } => ("#2d61b5", "#2d61b5"),
        Backdrop::Slots { grey: true } => ("#8b94a3", "#8b94a3"),
        Backdrop::Wood => ("#e2bd8c", "#e2bd8c"),
    };
    let form = match panel.shape {
        Shape::Square => {
            format!(r##"<rect x="{}" y="{}" width="100" height="100""##, x - 50, y - 50)
        }
        Shape::Hexagon => format!(r##"<path d="M{x} {}l50 29v58l-50 29l-50 -29v-58Z""##, y - 58),
        Shape::Node => format!(r##"<circle cx="{x}" cy="{y}" r="46""##),
    };
    let attributes = format!("{}{}", of_place(cell), told(&cell.blanks.join(" ")));
    let _ =
        writeln!(out, r##"{form}{attributes} fill="{fill}" stroke="{edge}" stroke-width="3"/>"##);
    let hole = match panel.ground {
        Backdrop::Slots { .. } => Some((40, "#f3f5f9")),
        Backdrop::Wood => Some((16, "#8f683c")),
        _ => None,
    };
    if let Some((r, fill)) = hole {
        let _ = writeln!(out, r##"<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>"##);
    }
}

fn of_place(cell: &Cell) -> String {
    format!(r##" data-place="{}""##, escape(&cell.place))
}

/// What is at a place: one mark in full size, several beside each other.
fn draw_marks(shape: Shape, cell: &Cell, out: &mut String, marks: &mut BTreeMap<String, String>) {
    let (x, y) = cell.at;
    let place = of_place(cell);
    let mut draw = |piece: &Piece, at: (i32, i32, i32), out: &mut String| {
        put(&piece.mark, at, &format!("{place}{}", told(&piece.fact)), out, marks);
    };
    let lying = cell.pieces.iter().filter(|p| p.mark.lies());
    lying.for_each(|p| draw(p, (x, y, 100), out));
    let standing: Vec<&Piece> = cell.pieces.iter().filter(|p| !p.mark.lies()).collect();
    let side = (1..).find(|n| n * n >= standing.len()).expect("some square is large enough") as i32;
    for (i, piece) in standing.iter().enumerate() {
        let (column, row) = (i as i32 % side, i as i32 / side);
        let at = |n: i32| (2 * n + 1 - side) * CELL / (2 * side);
        draw(piece, (x + at(column), y + at(row), 100 / side), out);
    }
    if !cell.notes.is_empty() {
        let word =
            |(text, fact): &(String, String)| FactWord { text: text.clone(), fact: fact.clone() };
        let words: Vec<FactWord> = cell.notes.iter().map(word).collect();
        let (right, down) = if shape == Shape::Hexagon { (36, 36) } else { (44, 44) };
        write_words(out, x + right, y + down, LETTER * 2 / 3, "end", "normal", &words);
    }
}
