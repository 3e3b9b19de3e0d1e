//! `ludex check`: everything that is wrong or doubtful in the rules of games.

use crate::bundled;
use crate::failure::Failure;
use crate::session::{Answer, Plan, STOPPED};
use crate::{Outcome, Session};
use ludex::budget::Stop;
use ludex::compile::{Engine, Job};
use ludex::knowledge::Knowledge;
use ludex::reason::{Declared, Random, StateMachine, Trial, trial};
use ludex::rules::{Rel, Rules};
use ludex::source::{Complaint, Report, Severity, Source};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;

/// Check the rules of games: the restrictions of GDL as errors, likely mistakes as warnings.
#[derive(clap::Args)]
#[command(after_help = "\
Exit code 1 where a game has an error.

Examples:
  ludex check tictactoe
  ludex check --json *.kif
  ludex check --simulate 100 tictactoe
  ludex check --explain unsafe-variable")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required_unless_present = "explain", value_name = "GAME")]
    games: Vec<String>,
    /// Leave the warnings away.
    #[arg(long)]
    errors_only: bool,
    /// Also play this many random matches and look for states without a move, missing goals, matches
    /// that do not end, and facts and moves that base and input do not declare.
    #[arg(long, value_name = "N")]
    simulate: Option<usize>,
    /// The same seed gives the same matches.
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "simulate")]
    seed: u64,
    /// Call a match endless after this many joint moves.
    #[arg(long, value_name = "STEPS", default_value_t = 1000, requires = "simulate")]
    bound: usize,
    /// Print what a code means, with an example and what to do about it.
    #[arg(long, value_name = "CODE")]
    explain: Option<String>,
}

const PAGE: &str = include_str!("../../../../docs/checks.md");

const PLAN: Plan = Plan::long(&["ok", "errors", "warnings"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    if let Some(code) = &args.explain {
        return explain(code, session);
    }
    session.each(&args.games, &PLAN, |game| {
        let mut checked = check(game, args, session)?;
        if args.errors_only {
            checked.report.complaints.retain(|c| c.severity == Severity::Error);
        }
        session.tell(&checked)?;
        match checked.stopped {
            Some(stop) => Err(stop),
            None if checked.report.has_errors() => Err(Failure::Refuted),
            None => Ok(()),
        }
    })
}

/// A game with all that was found.
struct Checked {
    name: String,
    /// None where the file could not be read at all.
    source: Option<Source>,
    report: Report,
    trial: Option<Trial>,
    /// Why the random matches are not, or not yet, played to the end.
    stopped: Option<Failure>,
}

fn check(game: &str, args: &Args, session: &Session) -> Result<Checked, Failure> {
    let source = match session.source(game) {
        Ok(source) => source,
        Err(Failure::Input(message)) => return Ok(unreadable(game, message)),
        Err(other) => return Err(other),
    };
    let (rules, report) = match Rules::read(&source, session.syntax) {
        Ok((rules, report)) => (Some(rules), report),
        Err(report) => (None, report),
    };
    let name = bundled::name(&source.name).to_string();
    let stopped = args.simulate.map(|_| Failure::Incomplete);
    let mut checked = Checked { name, source: Some(source), report, trial: None, stopped };
    if let (Some(matches), Some(rules)) = (args.simulate, rules) {
        session.draft(&checked)?;
        match play(rules, matches, args, session) {
            Ok(trial) => checked.trial = Some(trial),
            Err(failure) => checked.stopped = Some(failure),
        }
    }
    if checked.trial.is_some() || checked.report.has_errors() {
        checked.stopped = None;
    }
    for f in checked.trial.iter().flat_map(|t| &t.findings) {
        checked.report.push(f.severity, f.code, None, f.message.clone());
    }
    Ok(checked)
}

/// Random matches on the reference reasoner.
fn play(rules: Rules, matches: usize, args: &Args, session: &Session) -> Result<Trial, Failure> {
    let [base, input] = [Rel::BASE, Rel::INPUT].map(|rel| rules.defining(rel).next().is_some());
    let engine = Some(Engine::Interp);
    let knowledge = |rules| Arc::new(Knowledge::of_rules(rules));
    let declared = knowledge(rules.declarations());
    let declarations = session.compile(&declared, engine)?.run(Declare(base, input))?;
    session.budget().begin("random matches", matches as u64);
    let job = Play { declarations, matches, args, session };
    Ok(session.compile(&knowledge(rules), engine)?.run(job)??)
}

/// The declared facts and moves, if there are declarations of either.
struct Declare(bool, bool);

impl Job for Declare {
    type Answer = Declared;

    fn run<G: StateMachine>(self, game: &mut G) -> Declared {
        Declared::of(game, self.0, self.1)
    }
}

struct Play<'a> {
    declarations: Declared,
    matches: usize,
    args: &'a Args,
    session: &'a Session,
}

impl Job for Play<'_> {
    type Answer = Result<Trial, Stop>;

    fn run<G: StateMachine>(self, game: &mut G) -> Result<Trial, Stop> {
        let mut random = Random::new(self.args.seed);
        let size = (self.matches, self.args.bound);
        trial(game, &self.declarations, size, &mut random, &self.session.budget())
    }
}

fn unreadable(game: &str, message: String) -> Checked {
    let mut report = Report::default();
    let message = message.trim_start_matches("error: ").to_string();
    report.push(Severity::Error, "unreadable", None, message);
    Checked { name: game.to_string(), source: None, report, trial: None, stopped: None }
}

/// The number of joint moves that are shown; JSON has them all.
const SHOWN: usize = 20;

impl Answer for Checked {
    fn print(&self, session: &Session) -> Outcome {
        let mut out = session.out();
        match &self.source {
            Some(source) => write!(out, "{}", self.report.render_coloured(source))?,
            None => {
                for c in &self.report.complaints {
                    writeln!(out, "{}: error[{}]: {}", self.name, c.code, c.message)?;
                }
            }
        }
        drop(out);
        if let Some(trial) = &self.trial {
            self.print_trial(trial, session)?;
        }
        if self.stopped.is_some() {
            writeln!(session.out(), "{}: random matches {STOPPED}", self.name)?;
        }
        Ok(writeln!(session.out(), "{}", self.summary())?)
    }

    fn object(&self) -> Value {
        let list = |severity| {
            let of_kind = self.report.complaints.iter().filter(|c| c.severity == severity);
            of_kind.map(|c| self.complaint(c)).collect::<Vec<Value>>()
        };
        let errors = list(Severity::Error);
        let mut object = json!({
            "game": self.name,
            "ok": errors.is_empty(),
            "errors": errors,
            "warnings": list(Severity::Warning),
            "stopped": self.stopped.iter().map(|_| "simulation").collect::<Vec<_>>(),
        });
        if let Some(t) = &self.trial {
            let trial = json!({"matches": t.matches, "ended": t.ended, "moves": t.moves, "longest": t.longest});
            object["simulation"] = trial;
        }
        object
    }
}

impl Checked {
    fn print_trial(&self, trial: &Trial, session: &Session) -> Outcome {
        let mut out = session.out();
        for f in &trial.findings {
            let times = if f.matches == 1 { "once".into() } else { format!("{} times", f.matches) };
            writeln!(out, "{}: seen {times}, first after {} moves", f.code, f.moves.len())?;
            for joint in f.moves.iter().take(SHOWN) {
                writeln!(out, "    {}", joint.join("  "))?;
            }
            if f.moves.len() > SHOWN {
                writeln!(out, "    … {} more (all with --json)", f.moves.len() - SHOWN)?;
            }
        }
        let Trial { matches, ended, longest, .. } = trial;
        let name = &self.name;
        Ok(writeln!(
            out,
            "{name}: {matches} random matches, {ended} ended, the longest after {longest} moves"
        )?)
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

    fn complaint(&self, c: &Complaint) -> Value {
        let place = c.span.zip(self.source.as_ref()).map(|(span, s)| s.position(span.start));
        let mut object = json!({
            "code": c.code,
            "message": c.message,
            "line": place.map(|p| p.0),
            "column": place.map(|p| p.1),
            "hint": c.hint,
        });
        let mut findings = self.trial.iter().flat_map(|t| &t.findings);
        if let Some(f) = findings.find(|f| f.code == c.code && f.message == c.message) {
            object["moves"] = json!(f.moves);
            object["matches"] = json!(f.matches);
        }
        object
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
