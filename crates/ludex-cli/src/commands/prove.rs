//! `ludex prove`: what holds in every reachable state of a game, found by itself or as asked.

use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::facts::decide::{Decision, Effort, decide};
use ludex::facts::invariants::{Invariants, Kind};
use ludex::facts::property::Property;
use ludex::facts::summary::Summary;
use ludex::ground::Ground;
use ludex::net::Net;
use ludex::prove::Verdict;
use ludex::rules::Rules;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;

/// Prove what holds in every reachable state of a game: found by itself, or a PROPERTY of yours.
#[derive(clap::Args)]
#[command(after_help = "\
PROPERTY is a formula in GDL over true, legal, goal, terminal, role, distinct and the relations of the \
game, in prefix form or infix: it must hold in every reachable state. With does or next in it, it must \
hold for every legal joint move in every reachable state that is not terminal. Connectives are and, or, \
not; (<= head conditions) says that the head holds wherever the conditions do. A variable stands for \
every value; it needs a condition that gives its values where the property could fail.

Exit code 1: the property is refuted, and the moves that lead to where it fails are printed.

Examples:
  ludex prove tictactoe
  ludex prove tictactoe '(not (and (true (cell ?x ?y x)) (true (cell ?x ?y o))))'
  ludex prove tictactoe '(<= (true (cell ?x ?y b)) (legal ?r (mark ?x ?y)))'
  ludex prove tictactoe 'next(cell(X,Y,x)) :- does(xplayer, mark(X,Y))'")]
pub struct Args {
    /// A file, the name of a bundled game, or - for standard input.
    #[arg(value_name = "GAME")]
    game: String,
    /// What to decide; without it everything that can be found is printed.
    #[arg(value_name = "PROPERTY")]
    property: Option<String>,
    /// The longest induction to try.
    #[arg(long, value_name = "K", default_value_t = Effort::default().steps)]
    steps: usize,
    /// How many states to visit where induction fails.
    #[arg(long, value_name = "N", default_value_t = Effort::default().states)]
    states: usize,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let rules = session.load(&args.game)?.rules;
    match &args.property {
        Some(text) => args.decide(text, &rules, session),
        None => find(&rules, session),
    }
}

impl Args {
    fn decide(&self, text: &str, rules: &Rules, session: &Session) -> Outcome {
        let property = Property::read(text, rules)
            .map_err(|told| Failure::Input(told.1.render_coloured(&told.0)))?;
        let effort = Effort { steps: self.steps.max(1), states: self.states };
        let start = session.budget.seconds();
        let found = decide(&property, effort, &session.budget)?;
        let seconds = session.budget.seconds() - start;
        match session.json {
            true => session.line(&decided(rules, &property, &found, seconds))?,
            false => print_decided(rules, &property, &found, session)?,
        }
        session.budget.check()?;
        match found.verdict {
            Verdict::Refuted { .. } => Err(Failure::Refuted),
            _ => Ok(()),
        }
    }
}

fn decided(rules: &Rules, property: &Property, found: &Decision, seconds: f64) -> Value {
    let mut fact = json!({
        "kind": "property",
        "text": property.text,
        "status": found.verdict.status(),
        "k": found.verdict.k(),
        "by": found.by,
    });
    if let Verdict::Refuted { .. } = found.verdict {
        fact["moves"] = json!(found.moves);
        fact["state"] = json!(found.state);
    }
    json!({"game": rules.name, "facts": [fact], "cpu_seconds": seconds})
}

fn print_decided(
    rules: &Rules,
    property: &Property,
    found: &Decision,
    session: &Session,
) -> Outcome {
    let mut out = session.out();
    writeln!(out, "{}: {}", rules.name, property.text)?;
    writeln!(out, "{}: {}", found.verdict.status(), found.by)?;
    if let Verdict::Refuted { moves } = &found.verdict {
        let what = if property.steps { "it fails with the last move of" } else { "it fails after" };
        match moves.len() {
            0 => writeln!(out, "it fails in the initial state")?,
            _ => writeln!(out, "{what}:")?,
        }
        found.moves.iter().try_for_each(|joint| writeln!(out, "  {}", joint.join("  ")))?;
        writeln!(out, "where the state is: {}", found.state.join(" "))?;
    }
    Ok(())
}

fn find(rules: &Rules, session: &Session) -> Outcome {
    let start = session.budget.seconds();
    let ground = Ground::new(rules, &session.budget)?;
    let net = Arc::new(Net::new(&ground, &session.budget)?);
    let mut found = Invariants::within(&net, &session.budget)?;
    found.confirm(rules);
    let seconds = session.budget.seconds() - start;
    match session.json {
        true => session.line(&object(&rules.name, &found, seconds))?,
        false => print(&rules.name, &found, session)?,
    }
    found.stopped.map_or(Ok(()), |stop| Err(stop.into()))
}

fn object(name: &str, found: &Invariants, seconds: f64) -> Value {
    let fact = |s: &Summary| {
        let mut fact = json!({
            "kind": s.kind.name(),
            "text": s.text,
            "status": s.verdict.status(),
            "k": s.verdict.k(),
            "count": s.count,
        });
        if let Verdict::Refuted { moves } = &s.verdict {
            fact["moves"] = json!(found.texts(moves));
        }
        fact
    };
    let facts: Vec<Value> = found.summaries().iter().map(fact).collect();
    json!({"game": name, "facts": facts, "cpu_seconds": seconds})
}

/// The headings, with the kinds that stand below them.
const HEADINGS: [(&str, &[&str]); 5] = [
    ("groups of facts", &["exactly-one", "at-most-one"]),
    ("turns and moves", &["turn", "alternation", "mobility"]),
    ("ends and goals", &["termination", "one-goal", "constant-sum"]),
    ("facts that change once", &["persistent", "never-returns"]),
    ("facts that go together", &["constant", "equivalent", "implies"]),
];

fn print(name: &str, found: &Invariants, session: &Session) -> Outcome {
    let summaries = found.summaries();
    let mut out = session.out();
    let count = |status: &str| -> usize {
        summaries.iter().filter(|s| s.verdict.status() == status).map(|s| s.count).sum()
    };
    let (proved, refuted, unknown) = (count("proved"), count("refuted"), count("unknown"));
    writeln!(out, "{name}: {proved} facts proved, {refuted} refuted, {unknown} unknown")?;
    for (heading, kinds) in HEADINGS {
        let below = summaries.iter().filter(|s| kinds.contains(&s.kind.name()));
        let below: Vec<&Summary> = below.collect();
        if below.is_empty() {
            continue;
        }
        writeln!(out, "{heading}")?;
        for summary in below {
            writeln!(out, "  {}", line(summary, found))?;
        }
    }
    Ok(())
}

fn line(summary: &Summary, found: &Invariants) -> String {
    let status = match &summary.verdict {
        Verdict::Proved { k: 0 | 1, .. } => "proved".into(),
        Verdict::Proved { k, .. } => format!("proved by induction over {k} steps"),
        Verdict::Unknown { .. } => "unknown: never seen to fail".into(),
        Verdict::Refuted { moves } => {
            let line: Vec<String> = found.texts(moves).iter().map(|j| j.join(" ")).collect();
            format!("refuted after {} moves: {}", line.len(), line.join("; "))
        }
    };
    let unknown_kind = matches!(summary.kind, Kind::Turn | Kind::Alternation);
    let status =
        if unknown_kind && status.starts_with("unknown") { "unknown".into() } else { status };
    format!("{}  [{status}]", summary.text)
}
