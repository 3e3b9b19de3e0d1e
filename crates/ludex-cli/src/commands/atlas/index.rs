//! Pages -> the index: a card a game, with its board and what is known, and a field to find some of them; below them
//! the games that have no page, with the reason.

use crate::commands::report::html::document;
use ludex::picture::escape;
use ludex_answers::ReportFile;
use std::collections::BTreeMap;

const SCRIPT: &str = include_str!("find.js");

/// The parts of a page that a card tells.
const TOLD: [&str; 4] = ["proofs", "symmetries", "factors", "value"];

pub fn page(pages: &[(&str, &ReportFile)], failed: &[(&str, &str)]) -> String {
    let mut alike: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (page, report) in pages {
        alike.entry(report.hash.as_deref().unwrap_or(page)).or_default().push(page);
    }
    let card = |(page, report): &(&str, &ReportFile)| {
        let same = &alike[report.hash.as_deref().unwrap_or(page)];
        card(page, report, same)
    };
    let cards: String = pages.iter().map(card).collect();
    let without: String = failed.iter().map(without_page).collect();
    let body = format!(
        "<h1>{} games</h1>\n<input class=\"search\" type=\"search\" placeholder=\"find: a name, puzzle, at once, solved …\" \
         aria-label=\"find games\">\n<ul class=\"cards\">\n{cards}</ul>\n{without}<script>{SCRIPT}</script>",
        pages.len()
    );
    document("games", &body)
}

fn without_page((game, why): &(&str, &str)) -> String {
    format!("<p class=\"cut\">{}: {}</p>\n", escape(game), escape(why))
}

fn card(page: &str, report: &ReportFile, same: &[&str]) -> String {
    let name = escape(&report.game);
    let line = |text: &str| format!("<p>{}</p>\n", escape(text));
    let kind = report.kind.as_deref().unwrap_or("");
    let mut lines = line(&format!("{kind}: {}", report.roles.join(", ")));
    for section in report.sections.iter().filter(|s| TOLD.contains(&s.id.as_str())) {
        lines += &line(&format!("{}: {}", section.title, section.summary));
    }
    let solved = report.sections.iter().any(|s| s.id == "value" && s.complete);
    let others: Vec<String> = same
        .iter()
        .filter(|other| **other != page)
        .map(|other| format!("<a href=\"{other}.html\">{other}</a>"))
        .collect();
    if !others.is_empty() {
        lines += &format!("<p>the same game as {}</p>\n", others.join(", "));
    }
    let words = escape(&format!("{} {kind}{}", report.game, if solved { " solved" } else { "" }));
    format!(
        "<li class=\"card\" data-words=\"{words}\"><a href=\"{page}.html\"><img src=\"{page}.svg\" alt=\"\" loading=\"lazy\"></a>\n\
         <h2><a href=\"{page}.html\">{name}</a></h2>\n{lines}</li>\n"
    )
}
