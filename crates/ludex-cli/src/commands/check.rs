//! `ludex check`: everything that is wrong or doubtful in the rules of games.

use crate::bundled::stem;
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::rules::Rules;
use ludex::source::{Complaint, Report, Severity, Source};
use serde_json::{Value, json};
use std::io::Write;

/// Check the rules of games: the restrictions of GDL as errors, likely mistakes as warnings.
#[derive(clap::Args)]
#[command(after_help = "\
Exit code 1 where a game has an error.

Examples:
  ludex check tictactoe
  ludex check --json *.kif
  ludex check --explain unsafe-variable")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required_unless_present = "explain", value_name = "GAME")]
    games: Vec<String>,
    /// Leave the warnings away.
    #[arg(long)]
    errors_only: bool,
    /// Print what a code means, with an example and what to do about it.
    #[arg(long, value_name = "CODE")]
    explain: Option<String>,
}

const PAGE: &str = include_str!("../../../../docs/checks.md");

pub fn run(args: &Args, session: &Session) -> Outcome {
    if let Some(code) = &args.explain {
        return explain(code, session);
    }
    let mut sound = true;
    for game in &args.games {
        session.budget.check()?;
        let mut checked = check(game, session)?;
        if args.errors_only {
            checked.report.complaints.retain(|c| c.severity == Severity::Error);
        }
        sound &= !checked.report.has_errors();
        checked.print(session)?;
    }
    if sound { Ok(()) } else { Err(Failure::Refuted) }
}

/// A game with all that was found.
struct Checked {
    name: String,
    /// None where the file could not be read at all.
    source: Option<Source>,
    report: Report,
}

fn check(game: &str, session: &Session) -> Result<Checked, Failure> {
    let source = match session.source(game) {
        Ok(source) => source,
        Err(Failure::Input(message)) => return Ok(unreadable(game, message)),
        Err(other) => return Err(other),
    };
    let report = match Rules::read(&source, session.syntax) {
        Ok((_, report)) | Err(report) => report,
    };
    let file = source.name.rsplit(['/', '\\']).next().unwrap_or("");
    Ok(Checked { name: stem(file).to_string(), source: Some(source), report })
}

fn unreadable(game: &str, message: String) -> Checked {
    let mut report = Report::default();
    let message = message.trim_start_matches("error: ").to_string();
    report.push(Severity::Error, "unreadable", None, message);
    Checked { name: game.to_string(), source: None, report }
}

impl Checked {
    fn print(&self, session: &Session) -> Outcome {
        if session.json {
            return session.line(&self.json());
        }
        let mut out = session.out();
        match &self.source {
            Some(source) => write!(out, "{}", self.report.render_coloured(source))?,
            None => {
                for c in &self.report.complaints {
                    writeln!(out, "{}: error[{}]: {}", self.name, c.code, c.message)?;
                }
            }
        }
        Ok(writeln!(out, "{}", self.summary())?)
    }

    fn count(&self, severity: Severity) -> usize {
        self.report.complaints.iter().filter(|c| c.severity == severity).count()
    }

    /// `tictactoe: ok, 2 warnings`.
    fn summary(&self) -> String {
        let plural = |n: usize, what: &str| match n {
            1 => format!("1 {what}"),
            n => format!("{n} {what}s"),
        };
        let (errors, warnings) = (self.count(Severity::Error), self.count(Severity::Warning));
        let verdict = match errors {
            0 => "ok".to_string(),
            n => plural(n, "error"),
        };
        match warnings {
            0 => format!("{}: {verdict}", self.name),
            n => format!("{}: {verdict}, {}", self.name, plural(n, "warning")),
        }
    }

    fn json(&self) -> Value {
        let list = |severity| {
            let of_kind = self.report.complaints.iter().filter(|c| c.severity == severity);
            of_kind.map(|c| self.complaint(c)).collect::<Vec<Value>>()
        };
        let errors = list(Severity::Error);
        json!({
            "game": self.name,
            "ok": errors.is_empty(),
            "errors": errors,
            "warnings": list(Severity::Warning),
        })
    }

    fn complaint(&self, c: &Complaint) -> Value {
        let place = c.span.zip(self.source.as_ref()).map(|(span, s)| s.position(span.start));
        json!({
            "code": c.code,
            "message": c.message,
            "line": place.map(|p| p.0),
            "column": place.map(|p| p.1),
            "hint": c.hint,
        })
    }
}

/// Prints the section of a code from the page of checks, or its line of the page's table.
fn explain(code: &str, session: &Session) -> Outcome {
    let code = code.to_lowercase();
    let mut sections = PAGE.split("\n## ").skip(1);
    let section = sections.find_map(|s| s.strip_prefix(code.as_str())?.strip_prefix('\n'));
    let line = || PAGE.lines().find_map(|l| l.strip_prefix(&format!("| `{code}` | ")));
    let text = match section {
        Some(text) => text.split("\n# ").next().unwrap_or(text).trim(),
        None => line().map(|l| l.trim_end_matches(" |")).ok_or_else(|| unknown(&code))?,
    };
    if session.json {
        return session.line(&json!({"code": code, "text": text}));
    }
    Ok(writeln!(session.out(), "{text}")?)
}

fn unknown(code: &str) -> Failure {
    let codes = PAGE
        .lines()
        .filter_map(|l| l.strip_prefix("## ").or_else(|| l.strip_prefix("| `")?.split('`').next()));
    let near = codes
        .max_by(|a, b| strsim::jaro_winkler(a, code).total_cmp(&strsim::jaro_winkler(b, code)));
    Failure::Misuse(format!(
        "error: no check has the code {code}; did you mean {}?",
        near.unwrap_or("")
    ))
}
