//! The parts of a report: each asks one question, within a part of the budget.

use super::Section;
use crate::Session;
use crate::commands::{self, bench};
use crate::failure::Failure;
use ludex::Game;
use ludex::budget::Budget;
use ludex::compile::Means;
use ludex::facts::boards::Verify;
use ludex::picture::strip;
use ludex::policy::Policy;
use ludex::search::solve::Settings;
use ludex::source::Report;
use ludex_answers::{
    Answer, Boards, CheckEffort, CheckReport, FactKind, FactorEffort, Factors, GameInfo, Latches,
    NetPart, NetSize, Pieces, Proved, ReportSection, Solved, Speed, Status, Symmetries,
    SymmetryEffort, TrialEffort, Unanswered, order_in_short,
};
use serde::de::DeserializeOwned;

/// A question, what it is about, and how it is answered.
pub struct Part {
    id: &'static str,
    title: &'static str,
    about: &'static str,
    ask: fn(&Asked) -> Result<Found, Failure>,
}

/// What a question is asked with.
struct Asked<'a> {
    game: &'a Game,
    session: &'a Session,
    budget: &'a Budget,
}

/// What came out, in a few words and in full.
struct Found {
    summary: String,
    text: String,
    complete: bool,
    picture: Option<String>,
}

pub const PARTS: &[Part] = &[
    Part {
        id: "rules",
        title: "Rules",
        about: "What the text of the rules consists of.",
        ask: rules,
    },
    Part {
        id: "checks",
        title: "Checks",
        about: "Faults of the rules, and what random matches showed.",
        ask: checks,
    },
    Part {
        id: "size",
        title: "Size",
        about: "The propositional network: every fact that can be true, every move, and the gates between.",
        ask: size,
    },
    Part {
        id: "boards",
        title: "Boards",
        about: "Arguments of facts that are places: projections of the state that are the same in every reachable state.",
        ask: boards,
    },
    Part {
        id: "pieces",
        title: "Pieces",
        about: "What stands on the boards and how it moves, captures and changes, as random matches showed it.",
        ask: pieces,
    },
    Part {
        id: "proofs",
        title: "Proofs",
        about: "What holds in every reachable state, by induction over the steps of the game.",
        ask: proofs,
    },
    Part {
        id: "symmetries",
        title: "Symmetries",
        about: "Maps of roles, facts and moves that leave the game the same.",
        ask: symmetries,
    },
    Part {
        id: "factors",
        title: "Factors",
        about: "Independent games inside the game, which can be searched one by one.",
        ask: factors,
    },
    Part {
        id: "latches",
        title: "Latches",
        about: "Facts that never change again once they are true, or once they are false.",
        ask: latches,
    },
    Part { id: "value", title: "Value", about: "What every role gets with best play.", ask: value },
    Part {
        id: "speed",
        title: "Speed",
        about: "Random matches on the fastest engine, in transitions a CPU second.",
        ask: speed,
    },
];

impl Part {
    pub fn of(&self, game: &Game, session: &Session, budget: &Budget) -> Section {
        let start = budget.seconds();
        let found = (self.ask)(&Asked { game, session, budget });
        let found = found.unwrap_or_else(|failure| Found {
            summary: "not found out".into(),
            text: failure.to_string(),
            complete: false,
            picture: None,
        });
        let told = ReportSection {
            id: self.id.into(),
            title: self.title.into(),
            summary: found.summary,
            complete: found.complete,
            cpu_seconds: budget.seconds() - start,
        };
        Section { told, about: self.about, text: found.text, picture: found.picture }
    }
}

impl Found {
    fn of<A: Answer>(answer: &A, summary: String) -> Found {
        let complete = answer.account().complete;
        Found { summary, text: answer.to_string(), complete, picture: None }
    }
}

impl Asked<'_> {
    /// The answer to a question of a command, kept from an earlier run or found now.
    fn kept<A: Answer + DeserializeOwned>(
        &self,
        question: &str,
        make: impl FnOnce(&mut dyn FnMut(A)) -> Result<A, Unanswered>,
    ) -> Result<A, Failure> {
        or_draft(|watch| self.session.kept(self.game, question, || make(watch)))
    }
}

/// The answer, or the last draft of it where a limit struck.
fn or_draft<A, E>(made: impl FnOnce(&mut dyn FnMut(A)) -> Result<A, E>) -> Result<A, Failure>
where
    Failure: From<E>,
{
    let mut draft = None;
    let made = made(&mut |known| draft = Some(known));
    made.or_else(|why| draft.ok_or(why)).map_err(Failure::from)
}

fn rules(asked: &Asked) -> Result<Found, Failure> {
    let Asked { game, budget, .. } = asked;
    let info = or_draft(|watch| GameInfo::of(game, None, Means::all(budget), watch))?;
    let number = |n: Option<usize>| n.map_or("?".into(), |n| n.to_string());
    let summary = format!("{} facts and {} rules", number(info.facts), number(info.rules));
    Ok(Found::of(&info, summary))
}

fn checks(asked: &Asked) -> Result<Found, Failure> {
    let Asked { game, session, budget } = asked;
    let effort = CheckEffort {
        syntax: session.syntax,
        errors_only: false,
        policy: Policy::default(),
        trial: Some(TrialEffort { matches: 20, seed: 1, bound: 1_000 }),
        noted: Report::default(),
        render: Report::render,
    };
    let checked =
        CheckReport::of(game.name(), game.source(), &effort, Means::all(budget), &mut |_| ());
    let noticed = checked.simulation.as_ref().map_or(0, |s| s.noticed.len());
    let warnings = checked.account.warnings.len();
    let summary = match (checked.errors.len(), warnings + noticed) {
        (0, 0) => "nothing to complain about".to_string(),
        (errors, other) => format!("{errors} errors, {other} other remarks"),
    };
    Ok(Found::of(&checked, summary))
}

fn size(asked: &Asked) -> Result<Found, Failure> {
    let size = or_draft(|watch| NetSize::of(asked.game, 0.0, asked.budget, watch).map(|s| s.0))?;
    let summary = match (size.bases, size.inputs, size.gates) {
        (Some(bases), Some(inputs), Some(gates)) => {
            format!("{bases} facts, {inputs} moves, {gates} gates")
        }
        _ => "not ground".into(),
    };
    Ok(Found::of(&size, summary))
}

fn boards(asked: &Asked) -> Result<Found, Failure> {
    let Asked { game, budget, .. } = asked;
    let seconds = budget.allowed() / 2.0;
    let question = commands::boards::question(Verify::Lemmas);
    let found =
        asked.kept(&question, |watch| Boards::of(game, Verify::Lemmas, seconds, budget, watch))?;
    let view = found.views.first();
    let numbers =
        |places: &[usize]| places.iter().map(|a| a.to_string()).collect::<Vec<String>>().join(", ");
    let summary = view.map_or("no board".into(), |v| {
        format!("{} by arguments {}", v.relation, numbers(&v.places))
    });
    Ok(Found::of(&found, summary))
}

fn pieces(asked: &Asked) -> Result<Found, Failure> {
    let found = Pieces::of(asked.game, asked.budget.allowed() / 2.0, asked.budget)?;
    Ok(Found::of(&found, found.summary()))
}

fn proofs(asked: &Asked) -> Result<Found, Failure> {
    let make = |watch: &mut dyn FnMut(Proved)| Proved::of(asked.game, asked.budget, watch);
    let found = asked.kept(commands::prove::QUESTION, make)?;
    let proved = found.facts.iter().filter(|f| f.status == Status::Proved);
    let ends = proved.clone().find(|f| f.kind == FactKind::Termination).map(|f| &f.text);
    // What falls with every step is told below.
    let ends = ends.and_then(|text| text.split(": ").next());
    let ends = ends.map_or(String::new(), |text| format!("; {text}"));
    let count: usize = proved.map(|f| f.count.unwrap_or(1)).sum();
    let summary = format!("{count} facts proved{ends}");
    Ok(Found::of(&found, summary))
}

fn symmetries(asked: &Asked) -> Result<Found, Failure> {
    let Asked { game, budget, .. } = asked;
    let effort = SymmetryEffort {
        fix_roles: false,
        with_init: false,
        rules_only: false,
        trial_seconds: budget.allowed() / 4.0,
        net_seconds: budget.allowed() / 2.0,
    };
    let question = commands::symmetry::question(&effort);
    let found =
        asked.kept(&question, |watch| Ok(Symmetries::of(game, effort, budget, watch)?.0))?;
    let order = match (&found.net, &found.rules) {
        (Some(NetPart::Found(net)), _) => format!("{} of the network", order_in_short(&net.order)),
        (_, Some(rules)) => format!("{} of the rules", order_in_short(&rules.order)),
        _ => "none".into(),
    };
    Ok(Found { picture: arrows(asked, &found), ..Found::of(&found, order) })
}

/// The generators on the board.
fn arrows(asked: &Asked, found: &Symmetries) -> Option<String> {
    let Some(NetPart::Found(net)) = &found.net else { return None };
    let scene = asked.game.scene(asked.budget).ok()?;
    let drawn = net.generators.iter().take(6).filter_map(|generator| {
        let pairs = generator.map.facts.iter().map(|(a, b)| (a.clone(), b.clone()));
        let mut picture = scene.map(&pairs.collect::<Vec<_>>())?;
        picture.caption = generator.description.to_string();
        Some(picture)
    });
    let drawn: Vec<_> = drawn.collect();
    (!drawn.is_empty()).then(|| strip(&drawn, 3, "symmetries"))
}

fn factors(asked: &Asked) -> Result<Found, Failure> {
    let Asked { game, budget, .. } = asked;
    let seconds = budget.allowed() / 3.0;
    let effort = FactorEffort {
        states: 5_000,
        seconds,
        leaves: false,
        whole_leaves: false,
        lemma_seconds: seconds,
    };
    let found = or_draft(|watch| Factors::of(game, None, &effort, budget, watch))?;
    let summary = match (found.kind, found.factors.len()) {
        (_, 0 | 1) => "one game".to_string(),
        (Some(kind), n) => format!("{n} games, {kind}"),
        (None, n) => format!("{n} games"),
    };
    Ok(Found::of(&found, summary))
}

fn latches(asked: &Asked) -> Result<Found, Failure> {
    let seconds = asked.budget.allowed() / 2.0;
    let make = |_: &mut dyn FnMut(Latches)| Latches::of(asked.game, asked.budget, seconds);
    let found = asked.kept(commands::latches::QUESTION, make)?;
    let (stay, gone) = (found.positive.len(), found.negative.len());
    Ok(Found::of(&found, format!("{stay} stay true, {gone} stay false")))
}

fn value(asked: &Asked) -> Result<Found, Failure> {
    let Asked { game, session, budget } = asked;
    let bytes = session.memory_limit().map_or(1 << 29, |m| m as usize / 4);
    let proof_seconds = budget.allowed() / 4.0;
    let settings = Settings { bytes, proof_seconds, ..Settings::default() };
    let question = commands::solve::question(None, &settings);
    let found = asked.kept(&question, |watch| Solved::of(game, None, &settings, budget, watch))?;
    let known = found.values.iter().filter_map(|(role, v)| Some(format!("{role} {}", v.as_ref()?)));
    let known: Vec<String> = known.collect();
    let summary = if known.is_empty() { "not solved".into() } else { known.join(", ") };
    Ok(Found::of(&found, summary))
}

fn speed(asked: &Asked) -> Result<Found, Failure> {
    let seconds = asked.budget.allowed() / 4.0;
    let found: Speed = bench::measured(asked.game, asked.session, seconds)?;
    let rate = found.transitions_per_cpu_second.unwrap_or(0.0);
    let summary = format!("{} transitions a second", rounded(rate));
    Ok(Found {
        text: Speed::table(std::slice::from_ref(&found)).to_string(),
        ..Found::of(&found, summary)
    })
}

/// Two figures are enough: `1.2 million`.
fn rounded(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{:.1} billion", n / 1e9),
        n if n >= 1e6 => format!("{:.1} million", n / 1e6),
        n if n >= 1e3 => format!("{:.0},000", n / 1e3),
        n => format!("{n:.0}"),
    }
}
