//! What the code of a complaint means: the sections of `docs/checks.md`.

const PAGE: &str = include_str!("../../../docs/checks.md");

/// The section of a code, or its line of the table.
pub fn explain(code: &str) -> Option<&'static str> {
    let code = code.to_lowercase();
    let mut sections = PAGE.split("\n## ").skip(1);
    let section = sections.find_map(|s| s.strip_prefix(code.as_str())?.strip_prefix('\n'));
    let line = || PAGE.lines().find_map(|l| l.strip_prefix(&format!("| `{code}` | ")));
    match section {
        Some(text) => Some(text.split("\n# ").next().unwrap_or(text).trim()),
        None => line().map(|l| l.trim_end_matches(" |")),
    }
}

/// Every code, in the order of the page.
pub fn codes() -> impl Iterator<Item = &'static str> {
    let code = |line: &'static str| {
        line.strip_prefix("## ").or_else(|| line.strip_prefix("| `")?.split('`').next())
    };
    PAGE.lines().filter_map(code)
}

/// Whether complaints with this code are warnings.
pub(crate) fn is_warning(code: &str) -> bool {
    explain(code).is_some_and(|text| text.starts_with("Warning.") || text.starts_with("warning:"))
}

/// Codes that are less alike than this have nothing to do with each other.
const ALIKE: f64 = 0.8;

/// What to say of a code that no check has.
pub fn unknown(code: &str) -> String {
    let hint = nearest(code).map(|near| format!("; did you mean {near}?")).unwrap_or_default();
    format!("no check has the code {code}{hint}")
}

/// The code that is most like this one, if one is.
fn nearest(code: &str) -> Option<&'static str> {
    let likeness = |other: &str| strsim::jaro_winkler(other, code);
    let best = codes().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.filter(|best| likeness(best) >= ALIKE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_lines_of_the_table_are_found() {
        assert!(explain("unsafe-variable").unwrap().starts_with("Error."));
        assert!(explain("Not-UTF-8").unwrap().starts_with("warning:"));
        assert!(is_warning("missing-base") && !is_warning("missing-goal"));
        assert_eq!(explain("nothing"), None);
        assert_eq!(nearest("unsafe-varable"), Some("unsafe-variable"));
        assert_eq!(nearest("nonsense"), None);
    }
}
