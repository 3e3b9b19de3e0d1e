//! Rows of bars -> SVG: `BarChart`.

use ludex::picture::escape;
use std::fmt::Write;

const NAMES: f64 = 230.0;
const WIDTH: f64 = 420.0;
const BAR: f64 = 13.0;
const TOP: f64 = 56.0;

/// Bars that begin at the base of a scale and go to either side.
pub struct BarChart<'a> {
    pub title: &'a str,
    /// What the bars of a row are, with their colours.
    pub looks: &'a [(&'a str, &'a str)],
    /// Where a value is on the scale, from 0 to 1.
    pub scale: fn(f64) -> f64,
    /// The value at which bars begin.
    pub base: f64,
    /// Values that have a line, with what is written at it.
    pub ticks: Vec<(f64, String)>,
    pub rows: Vec<(String, Vec<Bar>)>,
}

pub struct Bar {
    pub value: f64,
    /// A second value, drawn as an outline.
    pub outline: Option<f64>,
    pub label: String,
}

impl BarChart<'_> {
    pub fn svg(&self) -> String {
        let row = BAR * self.looks.len() as f64 + 7.0;
        let height = TOP + self.rows.len() as f64 * row + 16.0;
        let width = NAMES + WIDTH + 110.0;
        let title = escape(self.title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
             <text x=\"8\" y=\"18\" font-size=\"14\">{title}</text>\n"
        );
        self.axis(&mut svg, height);
        self.legend(&mut svg);
        for (i, (name, bars)) in self.rows.iter().enumerate() {
            let y = TOP + i as f64 * row;
            text(&mut svg, (NAMES - 8.0, y + row / 2.0 + 3.0), 12, Some("end"), name);
            for (k, bar) in bars.iter().enumerate() {
                self.bar(&mut svg, y + 4.0 + BAR * k as f64, bar, self.looks[k].1);
            }
        }
        svg + "</svg>\n"
    }

    /// A line for every tick.
    fn axis(&self, svg: &mut String, height: f64) {
        for (value, label) in &self.ticks {
            let (x, end) = (self.place(*value), height - 10.0);
            let colour = if *value == self.base { "#555" } else { "#ddd" };
            let from = TOP - 4.0;
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{from}\" x2=\"{x:.1}\" y2=\"{end}\" stroke=\"{colour}\"/>"
            );
            text(svg, (x, TOP - 8.0), 10, Some("middle"), label);
        }
    }

    /// What the colours mean.
    fn legend(&self, svg: &mut String) {
        for (i, (name, colour)) in self.looks.iter().enumerate() {
            let x = 8.0 + 150.0 * i as f64;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"27\" width=\"10\" height=\"10\" fill=\"{colour}\"/>"
            );
            text(svg, (x + 15.0, 36.0), 12, None, name);
        }
    }

    fn bar(&self, svg: &mut String, y: f64, bar: &Bar, colour: &str) {
        self.span(svg, y, bar.value, &format!("fill=\"{colour}\""));
        let mut end = self.place(bar.value);
        if let Some(outline) = bar.outline {
            self.span(svg, y, outline, &format!("fill=\"none\" stroke=\"{colour}\""));
            end = end.max(self.place(outline));
        }
        let x = end.max(self.place(self.base)) + 6.0;
        text(svg, (x, y + 9.0), 10, None, &bar.label);
    }

    /// From the base to a value.
    fn span(&self, svg: &mut String, y: f64, value: f64, look: &str) {
        let (base, end) = (self.place(self.base), self.place(value));
        let (x, width) = (base.min(end), (base - end).abs());
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"11\" {look}/>"
        );
    }

    fn place(&self, value: f64) -> f64 {
        NAMES + WIDTH * (self.scale)(value).clamp(0.0, 1.0)
    }
}

fn text(svg: &mut String, (x, y): (f64, f64), size: u32, anchor: Option<&str>, text: &str) {
    let anchor = anchor.map_or(String::new(), |a| format!(" text-anchor=\"{a}\""));
    let text = escape(text);
    let _ =
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" font-size=\"{size}\"{anchor}>{text}</text>");
}
