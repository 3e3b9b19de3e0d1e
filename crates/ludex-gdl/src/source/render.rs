//! `Report` -> text: file, line, column, the source line with the place underlined, the hint.
//!
//! The first line of a complaint is `file:line:column: error[code]: message`, which editors follow.
//! Work per complaint depends on the width shown, not on the length of the line or file.

use super::{Complaint, Report, Severity, Source, Span};
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// Columns of source shown before and after the start of a place.
const BEFORE: usize = 50;
const AFTER: usize = 70;
const TAB: &str = "    ";
/// So many warnings of a kind are shown; of the others only the number.
const ALIKE: usize = 50;
/// So many of the complaints that follow from one are shown.
const FOLLOWING: usize = 5;

impl Report {
    /// Every complaint as plain text.
    pub fn render(&self, source: &Source) -> String {
        self.write(source, &Paint { on: false })
    }

    /// Every complaint with the colours of a terminal.
    pub fn render_coloured(&self, source: &Source) -> String {
        self.write(source, &Paint { on: true })
    }

    fn write(&self, source: &Source, paint: &Paint) -> String {
        let mut out = String::new();
        let mut alike: Vec<(&str, usize)> = Vec::new();
        for complaint in &self.complaints {
            let at = alike.iter().position(|(code, _)| *code == complaint.code);
            let at = at.unwrap_or_else(|| {
                alike.push((complaint.code, 0));
                alike.len() - 1
            });
            alike[at].1 += usize::from(complaint.severity == Severity::Warning);
            if alike[at].1 <= ALIKE {
                complaint.write(source, paint, &mut out).expect("a string takes all");
            }
        }
        for (code, count) in alike.iter().filter(|(_, count)| *count > ALIKE) {
            let kind = paint.with("1;33", &format!("warning[{code}]"));
            let _ = writeln!(out, "{}: {kind}: {} more", clean(&source.name), count - ALIKE);
        }
        out
    }
}

impl Complaint {
    fn write(&self, source: &Source, paint: &Paint, out: &mut String) -> std::fmt::Result {
        let (kind, colour) = match self.severity {
            Severity::Error => ("error", "1;31"),
            Severity::Warning => ("warning", "1;33"),
        };
        let place = self.span.map(|s| source.position(s.start));
        write!(out, "{}", clean(&source.name))?;
        if let Some((line, column)) = place {
            write!(out, ":{line}:{column}")?;
        }
        let kind = paint.with(colour, &format!("{kind}[{}]", self.code));
        writeln!(out, ": {kind}: {}", paint.with("1", &clean(&self.message)))?;
        let number = place.map_or(String::new(), |(line, _)| line.to_string());
        let margin = " ".repeat(number.len().max(3));
        if let (Some(span), Some((line, _))) = (self.span, place) {
            let (text, indent, width) = excerpt(source, span, line);
            let (number, bar) =
                (paint.with("1;34", &format!("{number:>3} |")), paint.with("1;34", "|"));
            writeln!(out, "{number} {text}")?;
            let carets = paint.with(colour, &"^".repeat(width));
            writeln!(out, "{margin} {bar} {}{carets}", " ".repeat(indent))?;
        }
        if let Some(hint) = &self.hint {
            writeln!(out, "{margin} {} {}", paint.with("1;36", "= hint:"), clean(hint))?;
        }
        self.write_follows(source, paint, &margin, out)
    }

    /// What follows from the complaint, a line each.
    fn write_follows(
        &self,
        source: &Source,
        paint: &Paint,
        margin: &str,
        out: &mut String,
    ) -> std::fmt::Result {
        let mark = paint.with("1;36", "= so:");
        for follows in self.follows.iter().take(FOLLOWING) {
            let place = follows.span.map(|s| format!("line {}: ", source.position(s.start).0));
            let place = place.unwrap_or_default();
            writeln!(out, "{margin} {mark} {place}{}", clean(&follows.message))?;
        }
        match self.follows.len().saturating_sub(FOLLOWING) {
            0 => Ok(()),
            more => writeln!(out, "{margin} {mark} {more} more"),
        }
    }
}

struct Paint {
    on: bool,
}

impl Paint {
    fn with(&self, colour: &str, text: &str) -> String {
        if self.on { format!("\x1b[{colour}m{text}\x1b[0m") } else { text.to_string() }
    }
}

/// What is shown of the line around a place, the columns before the place, and its columns.
fn excerpt(source: &Source, span: Span, line: usize) -> (String, usize, usize) {
    let line_start = source.line_starts[line - 1] as usize;
    let text = source.line(line);
    let start = (span.start as usize - line_start).min(text.len());
    let end = (span.end as usize - line_start).clamp(start, text.len());
    let before: Vec<char> = text[..start].chars().rev().take(BEFORE + 1).collect();
    let mut shown = String::new();
    if before.len() > BEFORE {
        shown.push('…');
    }
    shown.extend(before.iter().take(BEFORE).rev().map(|c| show(*c)));
    let indent = columns(&shown);
    let (mut width, mut left) = (0, AFTER);
    for (at, c) in text[start..].char_indices() {
        if left == 0 {
            shown.push('…');
            break;
        }
        left -= 1;
        let c = show(c);
        width += if start + at < end { columns(&c) } else { 0 };
        shown.push_str(&c);
    }
    (shown, indent, width.max(1))
}

/// A character as a terminal may safely show it.
fn show(c: char) -> String {
    match c {
        '\t' => TAB.to_string(),
        c if c.is_control() => char::REPLACEMENT_CHARACTER.to_string(),
        c => c.to_string(),
    }
}

fn clean(text: &str) -> String {
    text.chars().map(show).collect()
}

fn columns(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(text: &str, start: usize, end: usize) -> String {
        let mut report = Report::default();
        let span = Span { start: start as u32, end: end as u32 };
        report.error("test", span, "wrong").hint("mend it");
        report.render(&Source::new("game.kif", text))
    }

    #[test]
    fn place_line_caret_and_hint() {
        let expected = "game.kif:2:5: error[test]: wrong\n  \
                        2 |     (é b)\n    |        ^\n    = hint: mend it\n";
        assert_eq!(rendered("a\n\t(é b)\r\n", 7, 8), expected);
    }

    #[test]
    fn tabs_and_wide_letters_keep_the_caret_below_its_place() {
        let text = rendered("\t漢字 xy\n", 8, 10);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "  1 |     漢字 xy");
        assert_eq!(lines[2], "    |          ^^");
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = format!("{}HERE{}", "a ".repeat(5000), " b".repeat(5000));
        let out = rendered(&text, 10_000, 10_004);
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines[0].contains(":1:10001:"));
        assert!(lines[1].chars().count() < 140 && lines[1].contains("HERE"));
        let caret = lines[2].find('^').unwrap();
        assert_eq!(lines[1].chars().skip(caret).take(4).collect::<String>(), "HERE");
    }

    #[test]
    fn ends_of_lines_and_files_and_places_over_lines() {
        for (start, end) in [(0, 5), (2, 2), (5, 5), (4, 4), (2, 9)] {
            assert!(rendered("ab\ncd", start, end).contains('^'), "{start}..{end}");
        }
        assert!(rendered("", 0, 0).contains("game.kif:1:1"));
    }

    #[test]
    fn warnings_of_a_kind_are_counted_beyond_some() {
        let mut report = Report::default();
        for _ in 0..ALIKE + 7 {
            report.warning("often", Span::default(), "again");
        }
        let text = report.render(&Source::new("game.kif", "x"));
        assert_eq!(text.matches("again").count(), ALIKE);
        assert!(text.ends_with("game.kif: warning[often]: 7 more\n"), "{text}");
    }

    #[test]
    fn no_escape_reaches_the_terminal() {
        assert!(!rendered("\x1b[2J(a)", 0, 1).contains('\x1b'));
    }
}
