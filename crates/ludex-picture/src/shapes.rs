//! `Mark` -> SVG: each mark as a drawing around (0, 0) in a cell of 100 by 100.
//!
//! Everything is drawn with lines and curves, so that it looks the same whatever fonts there are;
//! only labels and numbers are text.

use super::mark::{Colour, Man, Mark, Way};
use std::fmt::Write;

/// The drawing of a mark, and its name for reuse where it has no text of its own.
pub fn drawing(mark: &Mark) -> (Option<String>, String) {
    match mark {
        Mark::Blank => (None, String::new()),
        Mark::Disc(colour, label) if label.is_empty() => {
            (Some(format!("disc-{}", colour.name())), disc(*colour))
        }
        Mark::Disc(colour, label) => (None, disc(*colour) + &text(label, on_disc(label), colour.ink())),
        Mark::Crowned(colour) => {
            (Some(format!("crowned-{}", colour.name())), disc(*colour) + &crown(*colour))
        }
        Mark::Man(kind, colour) => {
            (Some(format!("{}-{}", colour.name(), kind.name())), man(*kind, *colour))
        }
        Mark::Cross => (Some("cross".into()), cross()),
        Mark::Ring => (Some("ring".into()), ring()),
        Mark::Number(number) => (None, text(number, 56, "#26303c")),
        Mark::Tile(number) => (None, tile() + &text(number, 52, "#3a2a12")),
        Mark::Block => (
            Some("block".into()),
            r##"<rect x="-48" y="-48" width="96" height="96" fill="#565049"/>"##.into(),
        ),
        Mark::Gone => (
            Some("gone".into()),
            r##"<rect x="-52" y="-52" width="104" height="104" fill="#ffffff"/><path d="M-20 -20L20 20M20 -20L-20 20" stroke="#d8d2c4" stroke-width="6"/>"##.into(),
        ),
        Mark::Dot(colour) => {
            let dot = format!(r##"<circle r="12" fill="{}"/>"##, colour.fill());
            (Some(format!("dot-{}", colour.name())), dot)
        }
        Mark::Peg => (Some("peg".into()), peg()),
        Mark::Lamp(on) => (Some(format!("lamp-{}", if *on { "on" } else { "off" })), lamp(*on)),
        Mark::Arrow(way) => (Some(format!("arrow-{}", turn(*way))), arrow(*way)),
        Mark::Side(way) => (Some(format!("side-{}", turn(*way))), side(*way)),
        Mark::Four(bits) => (Some(format!("four-{mark}")), four(*bits)),
        Mark::Label(label, colour) => (None, chip(label, *colour)),
        Mark::Heap(stones) => (Some(format!("heap-{stones}")), heap(i32::from(*stones))),
    }
}

/// Text in the middle of (0, 0), made smaller where it is long.
/// The size at which a word stays on a disc, which is narrower than its cell.
fn on_disc(label: &str) -> i32 {
    let length = label.chars().count().max(1) as i32;
    44.min(66 * 10 / (length * 6))
}

pub fn text(text: &str, size: i32, ink: &str) -> String {
    let length = text.chars().count().max(1) as i32;
    // A letter is about 0.6 of the size wide; 84 is what a cell has room for.
    let size = size.min(84 * 10 / (length * 6));
    let text = escape(text);
    format!(
        r##"<text y="{}" font-size="{size}" fill="{ink}" text-anchor="middle">{text}</text>"##,
        size * 35 / 100
    )
}

pub fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Control characters are not allowed in XML.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

fn disc(colour: Colour) -> String {
    let (fill, edge) = (colour.fill(), colour.edge());
    format!(r##"<circle r="38" fill="{fill}" stroke="{edge}" stroke-width="4"/>"##)
        + &format!(
            r##"<circle r="28" fill="none" stroke="{edge}" stroke-width="2" opacity="0.45"/>"##
        )
}

fn crown(colour: Colour) -> String {
    let ink = colour.ink();
    format!(r##"<path d="M-20 14L-22 -12L-10 0L0 -18L10 0L22 -12L20 14Z" fill="{ink}"/>"##)
}

fn cross() -> String {
    r##"<path d="M-27 -27L27 27M27 -27L-27 27" fill="none" stroke="#2f6fd0" stroke-width="13" stroke-linecap="round"/>"##.into()
}

fn ring() -> String {
    r##"<circle r="29" fill="none" stroke="#d5352f" stroke-width="12"/>"##.into()
}

fn tile() -> String {
    r##"<rect x="-45" y="-45" width="90" height="90" rx="9" fill="#ecc98d" stroke="#94682b" stroke-width="4"/>"##.into()
}

fn peg() -> String {
    r##"<circle r="31" fill="#b5482a" stroke="#6a2412" stroke-width="4"/><circle cx="-9" cy="-10" r="9" fill="#e59478"/>"##.into()
}

fn lamp(on: bool) -> String {
    let (fill, edge) = if on { ("#ffd84a", "#b98b00") } else { ("#5a6068", "#33373c") };
    format!(r##"<circle r="34" fill="{fill}" stroke="{edge}" stroke-width="5"/>"##)
}

fn turn(way: Way) -> i32 {
    match way {
        Way::Up => 0,
        Way::Right => 90,
        Way::Down => 180,
        Way::Left => 270,
    }
}

fn arrow(way: Way) -> String {
    format!(
        r##"<path transform="rotate({})" d="M0 -36L26 -4H10V34H-10V-4H-26Z" fill="#3f4c5c"/>"##,
        turn(way)
    )
}

fn side(way: Way) -> String {
    format!(
        r##"<path transform="rotate({})" d="M-50 -50H50" stroke="#3b332b" stroke-width="12" stroke-linecap="round"/>"##,
        turn(way)
    )
}

/// Colour, shape, height and hole of a piece.
fn four([dark, square, tall, hollow]: [bool; 4]) -> String {
    let (fill, edge) = if dark { ("#7a4a21", "#3c220b") } else { ("#ecd3a4", "#8a6a35") };
    let r = if tall { 38 } else { 25 };
    let style = format!(r##"fill="{fill}" stroke="{edge}" stroke-width="5""##);
    let mut out = match square {
        true => format!(r##"<rect x="-{r}" y="-{r}" width="{0}" height="{0}" {style}/>"##, 2 * r),
        false => format!(r##"<circle r="{r}" {style}/>"##),
    };
    if hollow {
        let _ = write!(out, r##"<circle r="{}" fill="{edge}"/>"##, r / 3);
    }
    out
}

/// Stones in rows that are about as long as they are many, and their number in a corner.
fn heap(stones: i32) -> String {
    let columns = (1..).find(|c| c * c >= stones).unwrap_or(1).max(2);
    let rows = (stones + columns - 1) / columns;
    let step = 68 / columns;
    let mut out = String::new();
    for stone in 0..stones {
        let row = stone / columns;
        let in_row = (stones - row * columns).min(columns);
        let x = step * (2 * (stone % columns) + 1 - in_row) / 2;
        let y = step * (rows - 1 - 2 * row) / 2;
        let r = step * 42 / 100;
        let _ = write!(
            out,
            r##"<circle cx="{x}" cy="{y}" r="{r}" fill="#9a8f80" stroke="#4f483f" stroke-width="2"/>"##
        );
    }
    let _ = write!(
        out,
        r##"<text y="48" font-size="18" fill="#5a5248" text-anchor="middle">{stones}</text>"##
    );
    out
}

fn chip(label: &str, colour: Colour) -> String {
    let (fill, edge) = (colour.fill(), colour.edge());
    format!(
        r##"<rect x="-42" y="-42" width="84" height="84" rx="16" fill="{fill}" stroke="{edge}" stroke-width="3"/>"##
    ) + &text(label, 40, colour.ink())
}

/// The base on which the tall men stand.
const BASE: &str = "M-25 36C-25 29 -21 27 -18 18H18C21 27 25 29 25 36Z";

fn man(man: Man, colour: Colour) -> String {
    let body = match man {
        Man::Pawn => "M-22 36C-20 16 -9 12 -8 -2H-14V-7H-7A12.500 12.500 0 1 1 7 -7H14V-2H8C9 12 20 16 22 36Z".into(),
        Man::Rook => "M-25 36V28H-18L-15 -8H-23V-32H-13V-23H-5V-32H5V-23H13V-32H23V-8H15L18 28H25V36Z".into(),
        Man::Bishop => "M-25 36C-25 29 -14 27 -11 19H-15V13H-10C-20 4 -17 -16 -4 -27A5 5 0 1 1 4 -27C17 -16 20 4 10 13H15V19H11C14 27 25 29 25 36Z".into(),
        Man::Knight => "M-21 36C-21 18 -3 16 -4 5C-10 5 -14 9 -19 12C-25 15 -32 9 -29 2C-24 -8 -20 -20 -9 -26L-8 -37L1 -29C21 -24 28 0 25 36Z".into(),
        Man::Queen => format!("M-20 18L-31 -16A5 5 0 1 1 -26 -18L-15 -2L-14 -26A5 5 0 1 1 -9 -26L0 -5L9 -26A5 5 0 1 1 14 -26L15 -2L26 -18A5 5 0 1 1 31 -16L20 18Z{BASE}"),
        Man::King => format!("M-3 -22V-27H-9V-33H-3V-40H3V-33H9V-27H3V-22C5 -19 5 -14 3 -9C10 -24 33 -20 30 -2C28 8 21 10 18 18H-18C-21 10 -28 8 -30 -2C-33 -20 -10 -24 -3 -9C-5 -14 -5 -19 -3 -22Z{BASE}"),
    };
    let (fill, edge) = (colour.fill(), colour.edge());
    // Dark men have light lines within, so that their form is seen.
    let line = if colour == Colour::Black { "#b9bec5" } else { edge };
    let inner = match man {
        Man::Pawn => "M-17 27H17",
        Man::Rook => "M-17 26H17M-15 -8H15",
        Man::Bishop => "M0 -15V1M-6 -7H6M-10 13H10",
        Man::Knight => "M-12 -13L-8 -16M5 -20C16 -8 18 12 17 30",
        Man::Queen | Man::King => "M-18 18C-8 14 8 14 18 18M-21 27C-8 23 8 23 21 27",
    };
    format!(
        r##"<path d="{body}" fill="{fill}" stroke="{edge}" stroke-width="3" stroke-linejoin="round"/><path d="{inner}" fill="none" stroke="{line}" stroke-width="3" stroke-linecap="round"/>"##
    )
}
