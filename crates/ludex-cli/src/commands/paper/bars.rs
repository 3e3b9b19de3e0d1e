//! Gains -> SVG: for every game bars for two gains, on a geometric scale.

use std::fmt::Write;

const NAMES: f64 = 220.0;
const WIDTH: f64 = 420.0;
const ROW: f64 = 28.0;
const TOP: f64 = 60.0;
/// Gains are drawn from this to its inverse.
const LEAST: f64 = 1.0 / 32.0;
const COLOURS: [(&str, &str); 2] = [("X_D", "#9db4c0"), ("X_P", "#2f6690")];

pub fn bars(title: &str, rows: &[(String, Vec<f64>)]) -> String {
    let (width, height) = (NAMES + WIDTH + 70.0, TOP + rows.len() as f64 * ROW + 16.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"8\" y=\"18\" font-size=\"14\">{title}</text>\n"
    );
    for power in -5..=5 {
        let (gain, colour) = (2f64.powi(power), if power == 0 { "#555" } else { "#ddd" });
        let (x, end) = (place(gain), height - 10.0);
        let text = if power < 0 { format!("1/{}", 1 << -power) } else { gain.to_string() };
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{}\" x2=\"{x:.1}\" y2=\"{end}\" stroke=\"{colour}\"/>\n\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\">{text}</text>",
            TOP - 4.0,
            TOP - 8.0
        );
    }
    for (i, (name, colour)) in COLOURS.iter().enumerate() {
        let x = 8.0 + 70.0 * i as f64;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"29\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\n\
             <text x=\"{}\" y=\"38\">{name}</text>",
            x + 15.0
        );
    }
    for (i, (name, gains)) in rows.iter().enumerate() {
        let y = TOP + i as f64 * ROW;
        let (end, middle) = (NAMES - 8.0, y + 16.0);
        let _ = writeln!(svg, "<text x=\"{end}\" y=\"{middle}\" text-anchor=\"end\">{name}</text>");
        for (k, gain) in gains.iter().enumerate() {
            bar(&mut svg, y + 2.0 + 11.0 * k as f64, *gain, COLOURS[k % 2].1);
        }
    }
    svg + "</svg>\n"
}

fn bar(svg: &mut String, y: f64, gain: f64, colour: &str) {
    let (one, end) = (place(1.0), place(gain));
    let (x, width) = (one.min(end), (one - end).abs());
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"10\" fill=\"{colour}\"/>\n\
         <text x=\"{:.1}\" y=\"{}\" font-size=\"9\">{gain:.2}</text>",
        one.max(end) + 4.0,
        y + 8.5
    );
}

fn place(gain: f64) -> f64 {
    let gain = gain.clamp(LEAST, 1.0 / LEAST);
    NAMES + WIDTH * (gain.log2() + 5.0) / 10.0
}
