//! `ludex prove`: what holds in every reachable state of a game, found by itself or as asked.

use crate::failure::Failure;
use crate::session::{Answer, Plan, STOPPED};
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::Stop;
use ludex::facts::decide::{Decision, Effort, decide};
use ludex::facts::invariants::{InvariantKind, Invariants};
use ludex::facts::property::Property;
use ludex::facts::summary::Summary;
use ludex::prove::Verdict;
use ludex::rules::Rules;
use serde_json::{Value, json};
use std::io::Write;

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

const PLAN: Plan = Plan::soon(&["facts"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.each(std::slice::from_ref(&args.game), &PLAN, |game| {
        let game = session.load(game)?;
        match &args.property {
            Some(text) => args.decide(text, &game, session),
            None => find(&game, session),
        }
    })
}

impl Args {
    fn decide(&self, text: &str, game: &Game, session: &Session) -> Outcome {
        let rules = game.rules();
        let property = Property::read(text, rules)
            .map_err(|told| Failure::Input(told.1.render_coloured(&told.0)))?;
        let lemma_seconds = session.share();
        let effort = Effort { steps: self.steps.max(1), states: self.states, lemma_seconds };
        let budget = session.budget();
        let start = budget.seconds();
        let decided = |found: Decision| Decided {
            rules,
            property: &property,
            found,
            seconds: budget.seconds() - start,
        };
        session.draft(&decided(Decision::stopped("", Stop::Time)))?;
        let known = game.knowledge().known();
        let decided = decided(decide(&property, known.as_deref(), effort, &budget)?);
        session.tell(&decided)?;
        match decided.found.verdict {
            Verdict::Refuted { .. } => Err(Failure::Refuted),
            Verdict::Unknown { .. } => Ok(budget.check()?),
            Verdict::Proved { .. } => Ok(()),
        }
    }
}

/// The answer to a question of the user's.
struct Decided<'a> {
    rules: &'a Rules,
    property: &'a Property,
    found: Decision,
    seconds: f64,
}

impl Answer for Decided<'_> {
    fn object(&self) -> Value {
        decided(self.rules, self.property, &self.found, self.seconds)
    }

    fn print(&self, session: &Session) -> Outcome {
        print_decided(self.rules, self.property, &self.found, self.seconds, session)
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
    match found.verdict {
        Verdict::Proved { .. } => fact["lemmas"] = json!(found.lemmas),
        Verdict::Unknown { .. } => fact["seconds"] = json!(seconds),
        Verdict::Refuted { .. } => {
            fact["moves"] = json!(found.moves);
            fact["state"] = json!(found.state);
        }
    }
    let stopped: Vec<&str> = found.stopped.map(|_| "facts").into_iter().collect();
    json!({"game": rules.name, "facts": [fact], "cpu_seconds": seconds, "stopped": stopped})
}

fn print_decided(
    rules: &Rules,
    property: &Property,
    found: &Decision,
    seconds: f64,
    session: &Session,
) -> Outcome {
    let mut out = session.out();
    writeln!(out, "{}: {}", rules.name, property.text)?;
    match &found.verdict {
        Verdict::Unknown { .. } => {
            writeln!(out, "unknown after {seconds:.1} s: {}", found.by)?;
        }
        verdict => writeln!(out, "{}: {}", verdict.status(), found.by)?,
    }
    if !found.lemmas.is_empty() {
        writeln!(out, "with what was proved before:")?;
        found.lemmas.iter().try_for_each(|lemma| writeln!(out, "  {lemma}"))?;
    }
    if let Verdict::Refuted { .. } = &found.verdict {
        let what = if property.steps { "it fails with the last move of" } else { "it fails after" };
        match found.moves.len() {
            0 => writeln!(out, "it fails in the initial state")?,
            _ => writeln!(out, "{what}:")?,
        }
        found.moves.iter().try_for_each(|joint| writeln!(out, "  {}", joint.join("  ")))?;
        writeln!(out, "where the state is: {}", found.state.join(" "))?;
    }
    Ok(())
}

fn find(game: &Game, session: &Session) -> Outcome {
    let budget = session.budget();
    let start = budget.seconds();
    let print = |session: &Session| {
        writeln!(session.out(), "{}: 0 facts proved so far", game.name())?;
        Ok(writeln!(session.out(), "further proofs: {STOPPED}")?)
    };
    session.draft(&(|| json!({"game": game.name(), "facts": [], "stopped": ["facts"]}), print))?;
    let mut last = budget.seconds();
    let found = game.knowledge().invariants_in(&budget, f64::INFINITY, &mut |found| {
        let now = budget.seconds();
        if now - last >= DRAFTS {
            last = now;
            // A draft that cannot be made leaves the one before it.
            let _ = session.draft(&List::new(game.rules(), found, now - start, true));
        }
    })?;
    let mut found = Invariants::clone(&found);
    found.confirm(game.rules(), &budget);
    let list = List::new(game.rules(), &found, budget.seconds() - start, found.stopped.is_some());
    session.tell(&list)?;
    found.stopped.map_or(Ok(()), |stop| Err(stop.into()))
}

/// CPU seconds between two drafts of a list that may be long.
const DRAFTS: f64 = 0.3;

/// All that was found of a game.
struct List<'a> {
    name: &'a str,
    found: &'a Invariants,
    summaries: Vec<Summary>,
    seconds: f64,
    stopped: bool,
}

/// The headings, with the kinds that stand below them.
const HEADINGS: [(&str, &[&str]); 5] = [
    ("groups of facts", &["exactly-one", "at-most-one", "at-least-one"]),
    ("turns and moves", &["turn", "alternation", "mobility"]),
    ("ends and goals", &["termination", "one-goal", "constant-sum"]),
    ("facts that change once", &["persistent", "never-returns"]),
    ("facts that go together", &["constant", "equivalent", "implies", "excludes"]),
];

impl<'a> List<'a> {
    /// On the way lines that refute are not played again yet, so that they are not told.
    fn new(rules: &'a Rules, found: &'a Invariants, seconds: f64, stopped: bool) -> List<'a> {
        let mut summaries = found.summaries();
        if found.stopped.is_none() && stopped {
            summaries.retain(|s| !matches!(s.verdict, Verdict::Refuted { .. }));
        }
        List { name: &rules.name, found, summaries, seconds, stopped }
    }

    fn fact(&self, s: &Summary) -> Value {
        let mut fact = json!({
            "kind": s.kind.name(),
            "text": s.text,
            "status": s.verdict.status(),
            "k": s.verdict.k(),
            "count": s.count,
        });
        match &s.verdict {
            Verdict::Proved { .. } => {
                let lemmas: Vec<&str> = self.lemmas(s).map(|i| &*self.summaries[i].text).collect();
                fact["lemmas"] = json!(lemmas);
            }
            Verdict::Unknown { .. } => fact["by"] = json!(self.tried(s)),
            Verdict::Refuted { moves } => fact["moves"] = json!(self.found.texts(moves)),
        }
        fact
    }

    /// The other facts that the proof of one uses. Two groups can use each other: that at most one of
    /// each holds is proved first, and used where at least one is.
    fn lemmas(&self, of: &Summary) -> impl Iterator<Item = usize> {
        let used = |i: &usize| {
            let lemma = &self.summaries[*i];
            lemma.is_used_by(&of.verdict) && !std::ptr::eq(lemma, of)
        };
        (0..self.summaries.len()).filter(used)
    }

    /// What was done about an open question.
    fn tried(&self, of: &Summary) -> String {
        let steps = if of.verdict.k() > 1 { "2 steps" } else { "1 step" };
        match of.kind {
            InvariantKind::Termination(_) => {
                "no counter, and not always a fact that changes only once".into()
            }
            InvariantKind::Alternation => format!("induction over {steps}"),
            _ => {
                let states = self.found.samples.states.len();
                format!("induction over {steps}; true in {states} states of random matches")
            }
        }
    }

    /// The numbers of facts in the order of the headings.
    fn order(&self) -> Vec<(&'static str, Vec<usize>)> {
        let below = |kinds: &[&str]| {
            let is = |i: &usize| kinds.contains(&self.summaries[*i].kind.name());
            (0..self.summaries.len()).filter(is).collect::<Vec<usize>>()
        };
        let parts = HEADINGS.iter().map(|(heading, kinds)| (*heading, below(kinds)));
        parts.filter(|(_, below)| !below.is_empty()).collect()
    }

    fn status(&self, of: &Summary, number: impl Fn(usize) -> usize) -> String {
        match &of.verdict {
            Verdict::Proved { k, .. } => {
                let steps = if *k > 1 { format!(" over {k} steps") } else { String::new() };
                let mutual = |i: &usize| of.is_used_by(&self.summaries[*i].verdict);
                let (together, with): (Vec<_>, Vec<_>) = self.lemmas(of).partition(mutual);
                let told = |how: &str, mut lemmas: Vec<usize>| {
                    lemmas.iter_mut().for_each(|i| *i = number(*i));
                    lemmas.sort_unstable();
                    let lemmas: Vec<String> = lemmas.iter().map(usize::to_string).collect();
                    let said = !lemmas.is_empty();
                    if said { format!(" {how} {}", lemmas.join(", ")) } else { String::new() }
                };
                let (with, together) = (told("with", with), told("together with", together));
                format!("proved{steps}{with}{together}")
            }
            Verdict::Unknown { .. } => format!("unknown: {}", self.tried(of)),
            Verdict::Refuted { moves } => {
                let line: Vec<String> =
                    self.found.texts(moves).iter().map(|j| j.join(" ")).collect();
                format!("refuted after {} moves: {}", line.len(), line.join("; "))
            }
        }
    }
}

impl Answer for List<'_> {
    fn object(&self) -> Value {
        let facts: Vec<Value> = self.summaries.iter().map(|s| self.fact(s)).collect();
        let stopped: Vec<&str> = self.stopped.then_some("facts").into_iter().collect();
        json!({"game": self.name, "facts": facts, "cpu_seconds": self.seconds, "stopped": stopped})
    }

    fn print(&self, session: &Session) -> Outcome {
        let mut out = session.out();
        let count = |status: &str| -> usize {
            let of = self.summaries.iter().filter(|s| s.verdict.status() == status);
            of.map(|s| s.count).sum()
        };
        let (proved, refuted, unknown) = (count("proved"), count("refuted"), count("unknown"));
        let open = match unknown {
            0 => String::new(),
            _ => format!(" after {:.1} s", self.seconds),
        };
        let name = self.name;
        writeln!(out, "{name}: {proved} facts proved, {refuted} refuted, {unknown} unknown{open}")?;
        let order = self.order();
        let printed: Vec<usize> = order.iter().flat_map(|(_, below)| below.clone()).collect();
        let number = |i: usize| printed.iter().position(|p| *p == i).expect("printed") + 1;
        for (heading, below) in &order {
            writeln!(out, "{heading}")?;
            for i in below {
                let status = self.status(&self.summaries[*i], number);
                writeln!(out, "{:4} {}  [{status}]", number(*i), self.summaries[*i].text)?;
            }
        }
        if self.stopped {
            writeln!(out, "further proofs: {STOPPED}")?;
        }
        Ok(())
    }
}
