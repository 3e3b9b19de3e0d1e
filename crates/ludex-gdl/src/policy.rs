//! Which warnings an author wants to hear: `Policy`, from options and from comments of the file.
//!
//! A comment `ludex: allow CODE …` on a line of its own speaks for the whole file, one behind a clause for the
//! complaints about its line; `ludex: deny warnings` and `ludex: deny CODE …` make errors of warnings.

use crate::explain;
use crate::source::{Complaint, Misread, Report, Severity, Source, Span};

/// The codes that are allowed, everywhere or on a line, and those that are errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    allowed: Vec<(String, Option<usize>)>,
    denied: Vec<String>,
}

const MARK: &str = "ludex:";

impl Policy {
    /// What the comments of a file say; the report hears of codes that do not exist.
    pub fn of_comments(source: &Source, report: &mut Report) -> Policy {
        let mut policy = Policy::default();
        for (at, _) in source.text.match_indices(MARK) {
            let (line, _) = source.position(at as u32);
            let text = source.line(line);
            let column = at - (source.text[..at].rfind('\n').map_or(0, |n| n + 1));
            let (before, words) = (text[..column].trim_end(), &text[column + MARK.len()..]);
            let code = before.trim_end_matches([';', '%']);
            if code.len() == before.len() {
                continue;
            }
            let line = (!code.trim().is_empty()).then_some(line);
            let span = Span { start: at as u32, end: (at + MARK.len() + words.len()) as u32 };
            policy.comment(words, line, span, report);
        }
        policy
    }

    fn comment(&mut self, words: &str, line: Option<usize>, span: Span, report: &mut Report) {
        let mut words = words.split([' ', '\t', ',']).filter(|w| !w.is_empty());
        let verb = words.next().unwrap_or("");
        for code in words {
            let known = match verb {
                "allow" => self.allow_on(code, line),
                "deny" => self.deny(code),
                _ => break,
            };
            if let Err(Misread(message)) = known {
                report.warning("unknown-code", span, message);
            }
        }
        if !matches!(verb, "allow" | "deny") {
            let message = format!("`ludex: {verb}` means nothing");
            let hint = "write `ludex: allow CODE`, `ludex: deny CODE` or `ludex: deny warnings`";
            report.warning("unknown-code", span, message).hint(hint);
        }
    }

    /// Warnings with this code are not told. Errors cannot be allowed.
    pub fn allow(&mut self, code: &str) -> Result<(), Misread> {
        self.allow_on(code, None)
    }

    fn allow_on(&mut self, code: &str, line: Option<usize>) -> Result<(), Misread> {
        warning(code)?;
        self.allowed.push((code.to_string(), line));
        Ok(())
    }

    /// Warnings with this code are errors; `warnings` are all of them.
    pub fn deny(&mut self, code: &str) -> Result<(), Misread> {
        if code != "warnings" {
            warning(code)?;
        }
        self.denied.push(code.to_string());
        Ok(())
    }

    /// Both together.
    pub fn and(mut self, other: Policy) -> Policy {
        self.allowed.extend(other.allowed);
        self.denied.extend(other.denied);
        self
    }

    /// Drops what is allowed and makes errors of what is denied.
    pub fn apply(&self, source: &Source, report: &mut Report) {
        let is_allowed = |c: &Complaint| {
            let line = c.span.map(|s| source.position(s.start).0);
            let fits = |(code, on): &(String, Option<usize>)| {
                *code == c.code && (on.is_none() || *on == line)
            };
            c.severity == Severity::Warning && self.allowed.iter().any(fits)
        };
        report.complaints.retain(|c| !is_allowed(c));
        for complaint in &mut report.complaints {
            complaint.follows.retain(|c| !is_allowed(c));
            if self.denied.iter().any(|d| d == "warnings" || *d == complaint.code) {
                complaint.severity = Severity::Error;
            }
        }
    }
}

/// Says why a code is none of a warning.
fn warning(code: &str) -> Result<(), Misread> {
    match explain::explain(code) {
        Some(_) if explain::is_warning(code) => Ok(()),
        Some(_) => Err(Misread(format!("{code} is an error, which cannot be allowed or denied"))),
        None => Err(Misread(explain::unknown(code))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    fn left(text: &str) -> Vec<(&'static str, bool)> {
        let source = Source::new("game", text);
        let (Ok((_, mut report)) | Err(mut report)) = Rules::read(&source, None);
        let policy = Policy::of_comments(&source, &mut report);
        policy.apply(&source, &mut report);
        report.complaints.iter().map(|c| (c.code, c.severity == Severity::Error)).collect()
    }

    const GAME: &str =
        "(role r) (init (s 1)) (<= (next (s 1)) (true (s 1))) (legal r a) (input r a)
        (base (s 1)) (goal r 1) (<= terminal (true (s 1)))\n";

    #[test]
    fn comments_allow_for_the_file_or_a_line() {
        assert_eq!(left(&format!("{GAME}(p a)\n(q a)")), [("unused-relation", false); 2]);
        let all = format!("; ludex: allow unused-relation\n{GAME}(p a)\n(q a)");
        assert_eq!(left(&all), []);
        let one = format!("{GAME}(p a) ; ludex: allow unused-relation\n(q a)");
        assert_eq!(left(&one), [("unused-relation", false)]);
    }

    #[test]
    fn comments_deny_and_wrong_ones_are_told() {
        let denied = format!(";; ludex: deny warnings\n{GAME}(p a)");
        assert_eq!(left(&denied), [("unused-relation", true)]);
        let wrong = format!("{GAME}; ludex: allow unused-relations missing-goal\n; ludex: what");
        assert_eq!(left(&wrong), [("unknown-code", false); 3]);
    }
}
