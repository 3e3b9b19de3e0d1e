//! `Boards` -> SVG: the lattice of the projections of every relation (Theorem 2), and what each was found to be.

use ludex::facts::boards::set;
use ludex::picture::escape;
use ludex_answers::{Boards, BoardsOfRelation, Status};
use std::fmt::Write;

const NODE: (f64, f64) = (84.0, 26.0);
const STEP: (f64, f64) = (98.0, 64.0);
const TITLE: f64 = 34.0;
const LEGEND: f64 = 50.0;
/// Relations with more arguments have too many projections for a picture.
const MOST_ARGUMENTS: usize = 5;

/// What a projection was found to be, and how that looks.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    Maximal,
    Invariant,
    Refuted,
    Pruned,
    Open,
}

const LOOKS: [(Look, &str, &str); 5] = [
    (Look::Maximal, "maximal invariant", "fill=\"#2f6690\" stroke=\"#16324f\" stroke-width=\"2\""),
    (Look::Invariant, "invariant", "fill=\"#9db4c0\" stroke=\"#2f6690\""),
    (Look::Refuted, "verified, not invariant", "fill=\"#fff\" stroke=\"#b3423a\""),
    (
        Look::Pruned,
        "not verified: contains such a one",
        "fill=\"#f3f3f3\" stroke=\"#999\" stroke-dasharray=\"4 3\"",
    ),
    (Look::Open, "not decided", "fill=\"#fff3c4\" stroke=\"#a5811f\""),
];

pub fn lattices(found: &Boards) -> String {
    let drawn = || found.relations.iter().filter(|r| r.arity <= MOST_ARGUMENTS);
    let width = drawn().map(width_of).fold(660.0, f64::max);
    let height = LEGEND + drawn().map(height_of).sum::<f64>();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    let mut top = 0.0;
    for relation in drawn() {
        lattice(&mut svg, &found.game, relation, top, width);
        top += height_of(relation);
    }
    legend(&mut svg, top + 18.0);
    svg + "</svg>\n"
}

fn widest(arity: usize) -> usize {
    let half = arity / 2;
    (0..half).fold(1, |n, i| n * (arity - i) / (i + 1))
}

fn width_of(relation: &BoardsOfRelation) -> f64 {
    widest(relation.arity) as f64 * STEP.0 + 20.0
}

fn height_of(relation: &BoardsOfRelation) -> f64 {
    TITLE + relation.arity as f64 * STEP.1
}

/// The sets of arguments, the singletons at the bottom.
fn lattice(svg: &mut String, game: &str, of: &BoardsOfRelation, top: f64, width: f64) {
    let arguments = if of.arity == 1 { "argument" } else { "arguments" };
    let title = format!("{game}: projections of {}, {} {arguments}", of.relation, of.arity);
    let title = escape(&title);
    let _ = writeln!(svg, "<text x=\"10\" y=\"{}\" font-size=\"14\">{title}</text>", top + 20.0);
    let rows: Vec<Vec<Vec<usize>>> = (1..=of.arity).map(|size| subsets(of.arity, size)).collect();
    let place = |set: &[usize]| {
        let row = &rows[set.len() - 1];
        let at = row.iter().position(|s| s == set).expect("all are there") as f64;
        let x = width / 2.0 + (at - (row.len() - 1) as f64 / 2.0) * STEP.0;
        let y = top + TITLE + (of.arity - set.len()) as f64 * STEP.1 + NODE.1 / 2.0;
        (x, y)
    };
    for upper in rows.iter().flatten().filter(|s| s.len() > 1) {
        for left_out in upper {
            let lower: Vec<usize> = upper.iter().copied().filter(|a| a != left_out).collect();
            let ((x1, y1), (x2, y2)) = (place(upper), place(&lower));
            let _ = writeln!(
                svg,
                "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#bbb\"/>"
            );
        }
    }
    for places in rows.iter().flatten() {
        node(svg, place(places), &set(places), look(of, places));
    }
}

fn node(svg: &mut String, (x, y): (f64, f64), text: &str, look: Look) {
    let (_, _, style) = LOOKS.iter().find(|l| l.0 == look).expect("every look is listed");
    let ink = if look == Look::Maximal { "#fff" } else { "#222" };
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"6\" {style}/>\n\
         <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"{ink}\">{text}</text>",
        x - NODE.0 / 2.0,
        y - NODE.1 / 2.0,
        NODE.0,
        NODE.1,
        y + 4.0,
    );
}

fn look(of: &BoardsOfRelation, places: &[usize]) -> Look {
    if of.maximal.iter().any(|m| m == places) {
        return Look::Maximal;
    }
    if of.maximal.iter().any(|m| places.iter().all(|p| m.contains(p))) {
        return Look::Invariant;
    }
    match of.projections.iter().find(|p| p.places == places).map(|p| p.status) {
        Some(Status::Refuted) => Look::Refuted,
        Some(_) => Look::Open,
        None => Look::Pruned,
    }
}

fn legend(svg: &mut String, y: f64) {
    for (i, (_, text, style)) in LOOKS.iter().enumerate() {
        let (x, y) = (10.0 + (i % 3) as f64 * 215.0, y + (i / 3) as f64 * 18.0);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"16\" height=\"11\" rx=\"3\" {style}/>\n\
             <text x=\"{}\" y=\"{y}\" font-size=\"11\">{text}</text>",
            y - 9.0,
            x + 22.0
        );
    }
}

/// Sets of so many arguments, in order.
fn subsets(arity: usize, size: usize) -> Vec<Vec<usize>> {
    let all = (1..1usize << arity).filter(|mask| mask.count_ones() as usize == size);
    let mut sets: Vec<Vec<usize>> =
        all.map(|mask| (1..=arity).filter(|a| mask >> (a - 1) & 1 == 1).collect()).collect();
    sets.sort();
    sets
}
