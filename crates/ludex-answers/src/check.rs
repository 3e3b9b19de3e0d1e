//! What `check` answers: everything that is wrong or doubtful in the rules of a game.

use crate::account::{Account, Meter, answers};
use crate::fault::{Fault, Unanswered};
use ludex::compile::{Engine, Job, Means, Refusal, compile};
use ludex_gdl::policy::Policy;
use ludex_gdl::rules::{Rel, Rules, Wording};
use ludex_gdl::source::{Complaint, Report, Severity, Source};
use ludex_gdl::syntax::Syntax;
use ludex_knowledge::Knowledge;
use ludex_reason::{Declared, Random, StateMachine, Trial, Walks, few_matches, first_state};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Everything that is wrong or doubtful in the rules of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckReport {
    pub game: String,
    /// Are there no errors?
    pub ok: Option<bool>,
    pub errors: Vec<Fault>,
    /// Random matches, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulation: Option<TrialFigures>,
    /// Why the first state was not checked, where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_state_unseen: Option<String>,
    #[serde(flatten)]
    pub account: Account,
    /// All complaints with their places, as people read them.
    #[serde(skip)]
    pub rendered: String,
}

/// What random matches came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialFigures {
    pub matches: usize,
    /// Matches that ended.
    pub ended: usize,
    /// Joint moves of all matches.
    pub moves: usize,
    /// Joint moves of the longest match.
    pub longest: usize,
    /// What the matches have in common.
    pub noticed: Vec<Noticed>,
}

/// Something that all matches have in common, or most.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Noticed {
    pub code: String,
    pub message: String,
    /// How many matches, facts or moves it is about.
    pub count: usize,
}

/// What a code of a check means.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    pub code: String,
    /// What it is, with an example and what to do about it.
    pub text: String,
    #[serde(flatten)]
    pub account: Account,
}

answers!(CheckReport, Explanation);

/// Seconds that looking at the first state may take.
const FIRST_STATE: f64 = 5.0;
/// Seconds that a few random matches may take.
const FEW_MATCHES: f64 = 0.5;

/// What random matches find, few or many.
const OF_TRIALS: [&str; 3] = ["no-legal-move", "not-one-goal", "endless-match"];

/// How rules are checked.
pub struct CheckEffort {
    /// The syntax; none: recognised from the text.
    pub syntax: Option<Syntax>,
    /// Leave out the warnings.
    pub errors_only: bool,
    /// Which warnings are allowed and which are errors, beside what comments of the file say.
    pub policy: Policy,
    /// Random matches that look for more faults.
    pub trial: Option<TrialEffort>,
    /// Complaints about the bytes of the source.
    pub noted: Report,
    /// How complaints are shown to people.
    pub render: fn(&Report, &Source) -> String,
}

/// Random matches.
#[derive(Clone, Copy)]
pub struct TrialEffort {
    pub matches: usize,
    pub seed: u64,
    /// A match is endless after so many joint moves.
    pub bound: usize,
}

impl CheckReport {
    /// What is known on the way is shown to `watch`.
    pub fn of(
        game: &str,
        source: &Source,
        effort: &CheckEffort,
        means: Means,
        watch: &mut dyn FnMut(CheckReport),
    ) -> CheckReport {
        let meter = Meter::alone(means.whole);
        let (rules, mut report) = match Rules::read(source, effort.syntax) {
            Ok((rules, report)) => (Some(rules), report),
            Err(report) => (None, report),
        };
        report.complaints.extend(effort.noted.complaints.iter().cloned());
        let budget = means.whole.lasting(FIRST_STATE);
        let told = |report: &Report| -> usize {
            report.complaints.iter().map(|c| 1 + c.follows.len()).sum()
        };
        let before = told(&report);
        let looked = rules.as_ref().map(|rules| first_state(rules, &mut report, &budget));
        let unseen = looked.and_then(Result::err).map(|why| why.to_string());
        // A first state that is wrong tells enough.
        if let (Some(rules), true) = (&rules, told(&report) == before) {
            few_matches(rules, &mut report, &means.whole.lasting(FEW_MATCHES));
            // Matches that were asked for tell these, with counts.
            let again = |c: &Complaint| effort.trial.is_some() && OF_TRIALS.contains(&c.code);
            report.complaints.iter_mut().for_each(|c| c.follows.retain(|c| !again(c)));
            report.complaints.retain(|c| !again(c));
            if effort.syntax.unwrap_or_else(|| Syntax::of(&source.text)) == Syntax::Infix {
                let wording = Wording::new(rules);
                report.reword(&|text| wording.infix(text));
            }
        }
        let comments = Policy::of_comments(source, &mut report);
        comments.and(effort.policy.clone()).apply(source, &mut report);
        let told = |report: &Report, trial: Option<&Trial>, account: Account| CheckReport {
            first_state_unseen: unseen.clone(),
            ..CheckReport::told(game, source, effort, report, trial, account)
        };
        // What is denied is an error, too, but the game can be played.
        let (Some(plan), Some(rules)) = (effort.trial, rules) else {
            return told(&report, None, meter.account());
        };
        watch(told(&report, None, meter.draft(&["simulation"])));
        match play(rules, plan, means) {
            Ok(trial) => {
                for f in &trial.findings {
                    report.push(f.severity, f.code, None, f.message.clone());
                }
                told(&report, Some(&trial), meter.account())
            }
            Err(Unanswered::Stopped(stop)) => {
                told(&report, None, meter.account().cut(&["simulation"], Some(stop)))
            }
            Err(Unanswered::Wrong(fault)) => {
                let mut answer = told(&report, None, meter.account());
                (answer.ok, answer.rendered) =
                    (Some(false), format!("{}{fault}\n", answer.rendered));
                answer.errors.push(*fault);
                answer
            }
            Err(Unanswered::TooLarge(_) | Unanswered::Unavailable(_)) => {
                unreachable!("the reasoner needs no network")
            }
        }
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> CheckReport {
        let account = Account::unknown(&["ok", "errors", "warnings"]);
        CheckReport { game: game.into(), account, ..CheckReport::default() }
    }

    /// Of a file that cannot be read at all.
    pub fn unreadable(game: &str, errors: Vec<Fault>) -> CheckReport {
        let line = |fault: &Fault| format!("{game}: error[{}]: {}\n", fault.code, fault.message);
        let rendered = errors.iter().map(line).collect();
        let account = Account::default();
        CheckReport {
            game: game.into(),
            ok: Some(false),
            errors,
            account,
            rendered,
            ..CheckReport::default()
        }
    }

    fn told(
        game: &str,
        source: &Source,
        effort: &CheckEffort,
        report: &Report,
        trial: Option<&Trial>,
        account: Account,
    ) -> CheckReport {
        let mut report = report.clone();
        if effort.errors_only {
            report.complaints.retain(|c| c.severity == Severity::Error);
        }
        let list = |severity| {
            let mut faults = Fault::of_report(&report, Some(source), severity);
            for fault in &mut faults {
                let mut findings = trial.into_iter().flat_map(|t| &t.findings);
                let same = |c: &str, m: &str| fault.code == c && fault.message == m;
                if let Some(f) = findings.find(|f| same(f.code, &f.message)) {
                    (fault.moves, fault.matches) = (Some(f.moves.clone()), Some(f.matches));
                }
            }
            faults
        };
        let errors = list(Severity::Error);
        CheckReport {
            game: game.into(),
            ok: Some(errors.is_empty()),
            errors,
            simulation: trial.map(TrialFigures::told),
            first_state_unseen: None,
            account: Account { warnings: list(Severity::Warning), ..account },
            rendered: (effort.render)(&report, source),
        }
    }

    /// `tictactoe: ok, 2 warnings`.
    fn summary(&self) -> String {
        let plural = |n: usize, what: &str| match n {
            1 => format!("1 {what}"),
            n => format!("{n} {what}s"),
        };
        let verdict = match self.errors.len() {
            0 => "ok".to_string(),
            n => plural(n, "error"),
        };
        match self.account.warnings.len() {
            0 => format!("{}: {verdict}", self.game),
            n => format!("{}: {verdict}, {}", self.game, plural(n, "warning")),
        }
    }
}

impl TrialFigures {
    fn told(trial: &Trial) -> TrialFigures {
        let Trial { matches, ended, moves, longest, notices, .. } = trial;
        let noticed = notices.iter().map(|n| Noticed {
            code: n.code.into(),
            message: n.message.clone(),
            count: n.count,
        });
        TrialFigures {
            matches: *matches,
            ended: *ended,
            moves: *moves,
            longest: *longest,
            noticed: noticed.collect(),
        }
    }
}

/// Random matches on the reference reasoner.
fn play(rules: Rules, plan: TrialEffort, means: Means) -> Result<Trial, Unanswered> {
    let [base, input] = [Rel::BASE, Rel::INPUT].map(|rel| rules.defining(rel).next().is_some());
    let run = |rules: Rules| -> Result<_, Refusal> {
        let Means { whole, grounding } = means;
        let knowledge = Arc::new(Knowledge::of_rules(rules));
        compile(knowledge, Some(Engine::Interp), Means { whole, grounding })
    };
    let declarations = run(rules.declarations())?.run(Declare(base, input))?;
    means.whole.begin("random matches", plan.matches as u64);
    let (mut random, size) = (Random::new(plan.seed), (plan.matches, plan.bound));
    let trial = |walks: &mut dyn Walks| walks.trial(&declarations, size, &mut random, means.whole);
    Ok(run(rules)?.walk(trial)??)
}

/// The declared facts and moves, if there are declarations of either.
struct Declare(bool, bool);

impl Job for Declare {
    type Answer = Declared;

    fn run<G: StateMachine>(self, game: &mut G) -> Declared {
        Declared::of(game, self.0, self.1)
    }
}

/// The number of joint moves that are shown; JSON has them all.
const SHOWN: usize = 20;

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.rendered)?;
        for fault in self.errors.iter().chain(&self.account.warnings) {
            let Some((moves, matches)) = fault.moves.as_ref().zip(fault.matches) else { continue };
            let times = if matches == 1 { "once".into() } else { format!("{matches} times") };
            writeln!(f, "{}: seen {times}, first after {} moves", fault.code, moves.len())?;
            for joint in moves.iter().take(SHOWN) {
                writeln!(f, "    {}", joint.join("  "))?;
            }
            if moves.len() > SHOWN {
                writeln!(f, "    … {} more (all with --json)", moves.len() - SHOWN)?;
            }
        }
        let name = &self.game;
        if let Some(TrialFigures { matches, ended, longest, noticed, .. }) = &self.simulation {
            for notice in noticed {
                writeln!(f, "{name}: noticed[{}]: {}", notice.code, notice.message)?;
            }
            writeln!(
                f,
                "{name}: {matches} random matches, {ended} ended, the longest after {longest} moves"
            )?;
        }
        if let Some(why) = &self.first_state_unseen {
            writeln!(f, "{name}: the first state was not checked: {why}")?;
        }
        if !self.account.complete {
            writeln!(f, "{name}: random matches stopped")?;
        }
        writeln!(f, "{}", self.summary())
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}", self.text)
    }
}
