//! Accounts of games -> a page that needs nothing else, light and dark, on a phone as on a desk.

use super::{GameAccount, Section};
use ludex::picture::{escape, frames};
use std::fmt::Write;

/// The look of reports and of the atlas.
pub const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("steps.js");

/// Lines of an answer that are shown before one has to ask for the rest.
const SHOWN_LINES: usize = 12;

pub fn page(accounts: &[GameAccount]) -> String {
    let names: Vec<&str> = accounts.iter().map(|a| a.name.as_str()).collect();
    let body: String = accounts.iter().enumerate().map(|(i, a)| article(i, a)).collect();
    document(&names.join(", "), &format!("{body}<script>{SCRIPT}</script>"))
}

/// A whole page around a body.
pub fn document(title: &str, body: &str) -> String {
    let title = escape(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
}

fn article(number: usize, account: &GameAccount) -> String {
    let name = escape(&account.name);
    let roles: Vec<String> = account.roles.iter().map(|r| escape(r)).collect();
    let mut out = format!("<article id=\"game-{number}\">\n<h1>{name}</h1>\n");
    let _ = writeln!(out, "<p class=\"kind\">{} · {}</p>", escape(&account.kind), roles.join(", "));
    out.push_str(&steps(account));
    out.push_str("<dl class=\"facts\">\n");
    for section in &account.sections {
        let told = &section.told;
        let cut = if told.complete { "" } else { " <small>cut short</small>" };
        let (id, title) = (format!("{}-{number}", told.id), escape(&told.title));
        let summary = escape(&told.summary);
        let _ = writeln!(out, "<dt><a href=\"#{id}\">{title}</a></dt><dd>{summary}{cut}</dd>");
    }
    out.push_str("</dl>\n");
    if !account.done {
        out.push_str("<p class=\"cut\">This page ends early: a limit was reached.</p>\n");
    }
    account.sections.iter().for_each(|s| out.push_str(&section(number, s)));
    out.push_str("</article>\n");
    out
}

/// A match to step through.
fn steps(account: &GameAccount) -> String {
    let last = account.shown.len().saturating_sub(1);
    let drawn = frames(&account.shown, &account.name);
    format!(
        "<section class=\"steps\" aria-label=\"a random match\">\n<div class=\"board\">{drawn}</div>\n\
         <p class=\"controls\"><button class=\"back\" aria-label=\"one step back\">◀</button>\
         <button class=\"run\" aria-label=\"play or stop\">▶▶</button>\
         <button class=\"on\" aria-label=\"one step on\">▶</button>\
         <input class=\"at\" type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"step\">\
         <span><output>0</output> of {last}</span></p>\n</section>\n"
    )
}

fn section(number: usize, section: &Section) -> String {
    let told = &section.told;
    let (id, title, about) = (&told.id, escape(&told.title), escape(section.about));
    let mut out = format!("<section id=\"{id}-{number}\">\n<h2>{title}</h2>\n<p>{about}</p>\n");
    if let Some(picture) = &section.picture {
        let _ = writeln!(out, "<div class=\"board\">{picture}</div>");
    }
    let text = section.text.trim_end();
    let at = text.match_indices('\n').nth(SHOWN_LINES).map_or(text.len(), |(at, _)| at);
    let _ = writeln!(out, "<pre>{}</pre>", lines(&text[..at]));
    let rest = text[at..].trim_start_matches('\n');
    if !rest.is_empty() {
        let count = rest.lines().count();
        let rest = lines(rest);
        let _ = writeln!(
            out,
            "<details><summary>{count} more lines</summary><pre>{rest}</pre></details>"
        );
    }
    let cut = if told.complete { "" } else { " Cut short by a limit." };
    let _ = writeln!(
        out,
        "<p class=\"cost\">{:.2} CPU seconds.{cut}</p>\n</section>",
        told.cpu_seconds
    );
    out
}

/// Text line by line: escaping takes control characters away.
fn lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<String>>().join("\n")
}
