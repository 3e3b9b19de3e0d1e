//! `Savings` -> SVG: for every game three bars, the time that pruning symmetric moves saves, recognising symmetric
//! states, and the latter as long as the rule lets it; and the states that each saves as an outline.

use ludex::search::solve::Savings;
use std::fmt::Write;

const NAMES: f64 = 230.0;
const WIDTH: f64 = 420.0;
const ROW: f64 = 46.0;
const TOP: f64 = 56.0;
const LOOKS: [(&str, &str); 3] = [
    ("symmetric moves", "#9db4c0"),
    ("symmetric states", "#2f6690"),
    ("states, with the rule", "#81a684"),
];
/// Losses are drawn down to this.
const LEAST: f64 = -1.0;

pub fn chart(rows: &[(String, Savings)]) -> String {
    let height = TOP + rows.len() as f64 * ROW + 16.0;
    let width = NAMES + WIDTH + 110.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"8\" y=\"18\" font-size=\"14\">What symmetries save (bars: time, outlines: states)</text>\n"
    );
    axis(&mut svg, height);
    for (i, (name, found)) in rows.iter().enumerate() {
        let y = TOP + i as f64 * ROW;
        let label = escaped(name);
        let end = NAMES - 8.0;
        let _ = writeln!(
            svg,
            "<text x=\"{end}\" y=\"{}\" text-anchor=\"end\">{label}</text>",
            y + 26.0
        );
        let costs = [&found.moves, &found.states, &found.limited];
        for (k, (cost, (_, colour))) in costs.into_iter().zip(LOOKS).enumerate() {
            let (states, time) = cost.saved(&found.normal);
            let top = y + 4.0 + 13.0 * k as f64;
            bar(&mut svg, top, time, &format!("fill=\"{colour}\""));
            bar(&mut svg, top, states, &format!("fill=\"none\" stroke=\"{colour}\""));
            let x = place(time.max(states).max(0.0)) + 6.0;
            let text = format!("{:.0} %", 100.0 * time);
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{}\" font-size=\"10\">{text}</text>",
                top + 9.0
            );
        }
    }
    svg += "</svg>\n";
    svg
}

/// Lines for every quarter, and what the colours mean.
fn axis(svg: &mut String, height: f64) {
    for quarter in (-4..=4).map(|q| f64::from(q) / 4.0) {
        let x = place(quarter);
        let colour = if quarter == 0.0 { "#555" } else { "#ddd" };
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{}\" x2=\"{x:.1}\" y2=\"{}\" stroke=\"{colour}\"/>\n\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\">{:.0} %</text>",
            TOP - 4.0,
            height - 10.0,
            TOP - 8.0,
            100.0 * quarter
        );
    }
    for (i, (text, colour)) in LOOKS.into_iter().enumerate() {
        let x = 8.0 + 150.0 * i as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"27\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\n\
             <text x=\"{}\" y=\"36\">{text}</text>",
            x + 15.0
        );
    }
}

fn place(part: f64) -> f64 {
    NAMES + WIDTH * (part.clamp(LEAST, 1.0) - LEAST) / (1.0 - LEAST)
}

fn bar(svg: &mut String, y: f64, part: f64, look: &str) {
    let (zero, end) = (place(0.0), place(part));
    let (x, width) = (zero.min(end), (zero - end).abs());
    let _ =
        writeln!(svg, "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"11\" {look}/>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
