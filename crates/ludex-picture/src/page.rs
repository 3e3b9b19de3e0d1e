//! Pictures of a match -> one strip of them, or a page that steps through them.

use super::Picture;
use super::shapes::escape;
use super::svg::{SvgDrawing, definitions, document};
use std::collections::BTreeMap;
use std::fmt::Write;

/// All pictures in lines of `columns`, as one SVG document.
pub fn strip(pictures: &[Picture], columns: usize, title: &str) -> String {
    let drawings: Vec<SvgDrawing> = pictures.iter().map(Picture::drawing).collect();
    let width = drawings.iter().map(|d| d.width).max().unwrap_or(0);
    let height = drawings.iter().map(|d| d.height).max().unwrap_or(0);
    let columns = columns.clamp(1, drawings.len().max(1));
    let mut marks = BTreeMap::new();
    let mut body = String::new();
    for (i, drawing) in drawings.iter().enumerate() {
        let (x, y) = ((i % columns) as i32 * width, (i / columns) as i32 * height);
        let _ = write!(body, "<g transform=\"translate({x} {y})\">\n{}</g>\n", drawing.body);
        marks.extend(drawing.marks.clone());
    }
    let lines = drawings.len().div_ceil(columns) as i32;
    let about = pictures.first().map_or(&[][..], |p| &p.about);
    document(width * columns as i32, height * lines, &marks, &body, title, about)
}

/// All pictures as one drawing, of which only the first is shown: elements of the class `frame`.
pub fn frames(pictures: &[Picture], title: &str) -> String {
    let drawings: Vec<SvgDrawing> = pictures.iter().map(Picture::drawing).collect();
    let width = drawings.iter().map(|d| d.width).max().unwrap_or(0);
    let height = drawings.iter().map(|d| d.height).max().unwrap_or(0);
    let mut marks = BTreeMap::new();
    let mut frames = String::new();
    for (i, drawing) in drawings.iter().enumerate() {
        let hidden = if i == 0 { "" } else { " style=\"display:none\"" };
        let _ = write!(frames, "<g class=\"frame\"{hidden}>\n{}</g>\n", drawing.body);
        marks.extend(drawing.marks.clone());
    }
    let (title, definitions) = (escape(title), definitions(&marks));
    let pixels = (f64::from(width) * 0.48).round();
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{pixels}" font-family="DejaVu Sans, Verdana, Helvetica, Arial, sans-serif" role="img" aria-label="{title}">
{definitions}{frames}</svg>"##
    )
}

/// A page without need of anything else that shows one picture after the other.
pub fn page(pictures: &[Picture], title: &str) -> String {
    let (drawn, last) = (frames(pictures, title), pictures.len().saturating_sub(1));
    let title = escape(title);
    format!(
        r##"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<title>{title}</title>
<style>
body {{ font-family: Verdana, Helvetica, Arial, sans-serif; margin: 1.5em; color: #3a3f46; }}
svg {{ max-width: 100%; max-height: 80vh; height: auto; }}
button {{ font-size: 1.1em; min-width: 2.6em; }}
input {{ width: 20em; vertical-align: middle; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>
<button id="back" title="one state back">◀</button>
<button id="run" title="play or stop">▶▶</button>
<button id="on" title="one state on">▶</button>
<input id="at" type="range" min="0" max="{last}" value="0" aria-label="state"/>
<span id="number">0</span> of {last}
</p>
{drawn}
<script>
const frames = document.querySelectorAll(".frame");
const at = document.getElementById("at");
let timer = null;
function show(n) {{
  n = Math.max(0, Math.min(frames.length - 1, n));
  frames.forEach((frame, i) => frame.style.display = i === n ? "" : "none");
  at.value = n;
  document.getElementById("number").textContent = n;
}}
function stop() {{ clearInterval(timer); timer = null; }}
document.getElementById("back").onclick = () => {{ stop(); show(+at.value - 1); }};
document.getElementById("on").onclick = () => {{ stop(); show(+at.value + 1); }};
document.getElementById("run").onclick = () => {{
  if (timer) return stop();
  if (+at.value === frames.length - 1) show(0);
  timer = setInterval(() => {{ show(+at.value + 1); if (+at.value === frames.length - 1) stop(); }}, 700);
}};
at.oninput = () => {{ stop(); show(+at.value); }};
document.onkeydown = e => {{
  if (e.key === "ArrowLeft") show(+at.value - 1);
  if (e.key === "ArrowRight") show(+at.value + 1);
}};
</script>
</body>
</html>
"##
    )
}
