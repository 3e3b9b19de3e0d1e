//! What `prove` answers: what holds in every reachable state of a game, found by itself or as asked.

use crate::account::{Account, Meter, answers};
use crate::fault::Unanswered;
use crate::status::{Status, is_false};
use ludex::Game;
use ludex_facts::decide::{Decision, Effort, decide};
use ludex_facts::invariants::{InvariantKind, Invariants, Summary};
use ludex_facts::lemmas::Author;
use ludex_facts::property::Property;
use ludex_facts::prove::Verdict;
use ludex_gdl::budget::{Budget, Stop};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What holds in every reachable state of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proved {
    pub game: String,
    pub facts: Vec<ProvedFact>,
    #[serde(flatten)]
    pub account: Account,
}

/// A claim about every reachable state, and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProvedFact {
    pub kind: FactKind,
    pub text: String,
    pub status: Status,
    /// The length of the induction.
    pub k: usize,
    /// How many facts are told together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// Every match ends after at most so many steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<usize>,
    /// Sums of weighted facts, the first of which that changes falls with every step: so every match ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<Vec<WeightedFact>>,
    /// The steps, one after the other, in which they fall, if it takes more than one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking_steps: Option<usize>,
    /// Which analysis proved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved_by: Option<Author>,
    /// How it was decided; of an open question what was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What the proof uses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lemmas: Option<Vec<String>>,
    /// The places of those in this list, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<usize>,
    /// Joint moves that lead to where it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<Vec<String>>>,
    /// The facts of the state where it fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<Vec<String>>,
    /// Does it fail with the last move, not after it?
    #[serde(default, skip_serializing_if = "is_false")]
    pub with_move: bool,
    /// CPU seconds that were spent on an open question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WeightedFact {
    pub fact: String,
    pub weight: i64,
}

/// What a claim says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    ExactlyOne,
    AtMostOne,
    AtLeastOne,
    Constant,
    Equivalent,
    Implies,
    Excludes,
    /// Once true, true for good.
    Persistent,
    /// Once false, false for good.
    NeverReturns,
    /// A role has a choice only while a fact is true.
    Turn,
    /// Roles take turns.
    Alternation,
    /// A role can move in every state that is not terminal.
    Mobility,
    /// A role has exactly one goal value in every terminal state.
    OneGoal,
    /// The goals of all roles always add up to the same.
    ConstantSum,
    /// Every match ends.
    Termination,
    /// A property that was asked for.
    Property,
}

answers!(Proved);

/// The headings, with the kinds that stand below them.
const HEADINGS: [(&str, &[FactKind]); 5] = [
    ("groups of facts", &[FactKind::ExactlyOne, FactKind::AtMostOne, FactKind::AtLeastOne]),
    ("turns and moves", &[FactKind::Turn, FactKind::Alternation, FactKind::Mobility]),
    ("ends and goals", &[FactKind::Termination, FactKind::OneGoal, FactKind::ConstantSum]),
    ("facts that change once", &[FactKind::Persistent, FactKind::NeverReturns]),
    (
        "facts that go together",
        &[FactKind::Constant, FactKind::Equivalent, FactKind::Implies, FactKind::Excludes],
    ),
];

/// CPU seconds between two drafts of a list that may be long.
const DRAFTS: f64 = 0.3;

impl Proved {
    /// All that is found. What is known on the way is shown to `watch`.
    pub fn of(
        game: &Game,
        budget: &Budget,
        watch: &mut dyn FnMut(Proved),
    ) -> Result<Proved, Unanswered> {
        let meter = Meter::new(game, budget);
        watch(Proved { account: meter.draft(&["facts"]), ..Proved::unknown(game.name()) });
        let mut last = budget.seconds();
        let found = game.knowledge().invariants_in(budget, f64::INFINITY, &mut |found| {
            let now = budget.seconds();
            if now - last >= DRAFTS {
                last = now;
                watch(Proved::told(game, found, meter.draft(&["facts"])));
            }
        })?;
        let mut found = Invariants::clone(&found);
        found.confirm(game.rules(), budget);
        let account = meter.account().cut_if(&["facts"], found.stopped);
        Ok(Proved::told(game, &found, account))
    }

    /// Whether a property of the game's rules holds.
    pub fn decide(
        game: &Game,
        property: &Property,
        effort: Effort,
        budget: &Budget,
        watch: &mut dyn FnMut(Proved),
    ) -> Result<Proved, Unanswered> {
        let meter = Meter::new(game, budget);
        let told = |found: &Decision| {
            let facts = vec![ProvedFact::decided(property, found, meter.seconds())];
            let account = meter.account().cut_if(&["facts"], found.stopped);
            Proved { game: game.name().into(), facts, account }
        };
        watch(told(&Decision::stopped("", Stop::Time)));
        let known = game.knowledge().known();
        Ok(told(&decide(property, known.as_deref(), effort, budget)?))
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Proved {
        let account = Account::unknown(&["facts"]);
        Proved { game: game.into(), facts: vec![], account }
    }

    /// On the way lines that refute are not played again yet, so that they are not told.
    fn told(game: &Game, found: &Invariants, account: Account) -> Proved {
        let mut summaries = found.summaries();
        if found.stopped.is_none() && !account.complete {
            summaries.retain(|s| !matches!(s.verdict, Verdict::Refuted { .. }));
        }
        let fact = |s: &Summary| ProvedFact::told(s, &summaries, found);
        Proved { game: game.name().into(), facts: summaries.iter().map(fact).collect(), account }
    }
}

impl ProvedFact {
    fn new(kind: FactKind, text: &str, verdict: &Verdict) -> ProvedFact {
        ProvedFact {
            kind,
            text: text.into(),
            status: verdict.into(),
            k: verdict.k(),
            count: None,
            bound: None,
            ranking: vec![],
            ranking_steps: None,
            proved_by: None,
            by: None,
            lemmas: None,
            uses: vec![],
            moves: None,
            state: None,
            with_move: false,
            seconds: None,
        }
    }

    fn told(of: &Summary, all: &[Summary], found: &Invariants) -> ProvedFact {
        let mut fact = ProvedFact::new(FactKind::of(&of.kind), &of.text, &of.verdict);
        fact.count = Some(of.count);
        match &of.verdict {
            Verdict::Proved { .. } => {
                // Two groups can use each other: that at most one of each holds is proved first, and
                // used where at least one is.
                let used = |i: &usize| all[*i].is_used_by(&of.verdict) && all[*i] != *of;
                fact.uses = (0..all.len()).filter(used).collect();
                fact.lemmas = Some(fact.uses.iter().map(|i| all[*i].text.clone()).collect());
                fact.proved_by = Some(of.by);
                if let InvariantKind::Termination(bound) = of.kind {
                    fact.bound = (bound < usize::MAX).then_some(bound);
                    fact.ranking = weights(found);
                    let steps = found.ranking.as_ref().map(|ranking| ranking.steps);
                    fact.ranking_steps = steps.filter(|steps| *steps > 1);
                }
            }
            Verdict::Unknown { .. } => fact.by = Some(tried(of, found)),
            Verdict::Refuted { moves } => fact.moves = Some(found.texts(moves)),
        }
        fact
    }

    fn decided(property: &Property, found: &Decision, seconds: f64) -> ProvedFact {
        let mut fact = ProvedFact::new(FactKind::Property, &property.text, &found.verdict);
        fact.by = Some(found.by.clone());
        match found.verdict {
            Verdict::Proved { .. } => fact.lemmas = Some(found.lemmas.clone()),
            Verdict::Unknown { .. } => fact.seconds = Some(seconds),
            Verdict::Refuted { .. } => {
                (fact.moves, fact.state) = (Some(found.moves.clone()), Some(found.state.clone()));
                fact.with_move = property.steps;
            }
        }
        fact
    }
}

/// What shows that every match ends.
fn weights(found: &Invariants) -> Vec<Vec<WeightedFact>> {
    let fact = |(b, weight): &(usize, i64)| WeightedFact {
        fact: found.net.bases[*b].name.clone(),
        weight: *weight,
    };
    let sums = found.ranking.iter().flat_map(|ranking| &ranking.sums);
    sums.map(|sum| sum.iter().map(fact).collect()).collect()
}

/// What was done about an open question.
fn tried(of: &Summary, found: &Invariants) -> String {
    let steps = if of.verdict.k() > 1 { "2 steps" } else { "1 step" };
    match of.kind {
        InvariantKind::Termination(_) => {
            "no counter, no weighted sum of facts that always falls, no state that repeats".into()
        }
        InvariantKind::Alternation => format!("induction over {steps}"),
        _ => {
            let states = found.samples.states.len();
            format!("induction over {steps}; true in {states} states of random matches")
        }
    }
}

impl FactKind {
    fn of(kind: &InvariantKind) -> FactKind {
        match kind {
            InvariantKind::ExactlyOne => FactKind::ExactlyOne,
            InvariantKind::AtMostOne => FactKind::AtMostOne,
            InvariantKind::AtLeastOne | InvariantKind::SomeOf => FactKind::AtLeastOne,
            InvariantKind::AlwaysTrue | InvariantKind::AlwaysFalse => FactKind::Constant,
            InvariantKind::Equivalent => FactKind::Equivalent,
            InvariantKind::Implies | InvariantKind::OnlyWith(_) => FactKind::Implies,
            InvariantKind::NeverWith(_) => FactKind::Excludes,
            InvariantKind::Persistent => FactKind::Persistent,
            InvariantKind::NeverReturns => FactKind::NeverReturns,
            InvariantKind::Turn => FactKind::Turn,
            InvariantKind::Alternation => FactKind::Alternation,
            InvariantKind::Mobility => FactKind::Mobility,
            InvariantKind::OneGoal => FactKind::OneGoal,
            InvariantKind::ConstantSum(_) => FactKind::ConstantSum,
            InvariantKind::Termination(_) => FactKind::Termination,
        }
    }
}

impl Proved {
    /// The facts in the order of the headings.
    fn order(&self) -> Vec<(&'static str, Vec<usize>)> {
        let below = |kinds: &[FactKind]| {
            let is = |i: &usize| kinds.contains(&self.facts[*i].kind);
            (0..self.facts.len()).filter(is).collect::<Vec<usize>>()
        };
        let parts = HEADINGS.iter().map(|(heading, kinds)| (*heading, below(kinds)));
        parts.filter(|(_, below)| !below.is_empty()).collect()
    }

    fn status(&self, at: usize, number: impl Fn(usize) -> usize) -> String {
        let fact = &self.facts[at];
        match fact.status {
            Status::Proved => {
                let steps =
                    if fact.k > 1 { format!(" over {} steps", fact.k) } else { String::new() };
                let mutual = |i: &usize| self.facts[*i].uses.contains(&at);
                let (together, with): (Vec<usize>, Vec<usize>) =
                    fact.uses.iter().copied().partition(mutual);
                let told = |how: &str, lemmas: Vec<usize>| {
                    let mut numbers: Vec<usize> = lemmas.into_iter().map(&number).collect();
                    numbers.sort_unstable();
                    let list: Vec<String> = numbers.iter().map(usize::to_string).collect();
                    let said = !list.is_empty();
                    if said { format!(" {how} {}", list.join(", ")) } else { String::new() }
                };
                let (with, together) = (told("with", with), told("together with", together));
                format!("proved{steps}{with}{together}")
            }
            Status::Unknown => format!("unknown: {}", fact.by.as_deref().unwrap_or("")),
            Status::Refuted => {
                let moves = fact.moves.as_deref().unwrap_or(&[]);
                let line: Vec<String> = moves.iter().map(|j| j.join(" ")).collect();
                format!("refuted after {} moves: {}", line.len(), line.join("; "))
            }
        }
    }

    fn write_list(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let count = |status: Status| -> usize {
            let of = self.facts.iter().filter(|s| s.status == status);
            of.map(|s| s.count.unwrap_or(1)).sum()
        };
        let [proved, refuted, unknown] =
            [Status::Proved, Status::Refuted, Status::Unknown].map(count);
        let open = match unknown {
            0 => String::new(),
            _ => format!(" after {:.1} s", self.account.cpu_seconds),
        };
        let name = &self.game;
        match self.facts.is_empty() && !self.account.complete {
            true => writeln!(f, "{name}: 0 facts proved so far")?,
            false => writeln!(
                f,
                "{name}: {proved} facts proved, {refuted} refuted, {unknown} unknown{open}"
            )?,
        }
        let order = self.order();
        let printed: Vec<usize> = order.iter().flat_map(|(_, below)| below.clone()).collect();
        let number = |i: usize| printed.iter().position(|p| *p == i).expect("printed") + 1;
        for (heading, below) in &order {
            writeln!(f, "{heading}")?;
            for i in below {
                let status = self.status(*i, number);
                writeln!(f, "{:4} {}  [{status}]", number(*i), self.facts[*i].text)?;
            }
        }
        if self.account.complete { Ok(()) } else { writeln!(f, "further proofs: stopped") }
    }
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.facts.as_slice() {
            [fact] if fact.kind == FactKind::Property => {
                writeln!(f, "{}: {}", self.game, fact.text)?;
                write!(f, "{fact}")
            }
            _ => self.write_list(f),
        }
    }
}

/// A property that was asked for.
impl fmt::Display for ProvedFact {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let by = self.by.as_deref().unwrap_or("");
        match (self.status, self.seconds) {
            (Status::Unknown, Some(seconds)) => writeln!(f, "unknown after {seconds:.1} s: {by}")?,
            (status, _) => writeln!(f, "{status}: {by}")?,
        }
        let lemmas = self.lemmas.as_deref().unwrap_or(&[]);
        if !lemmas.is_empty() {
            writeln!(f, "with what was proved before:")?;
            lemmas.iter().try_for_each(|lemma| writeln!(f, "  {lemma}"))?;
        }
        let Some((moves, state)) = self.moves.as_ref().zip(self.state.as_ref()) else {
            return Ok(());
        };
        match (moves.len(), self.with_move) {
            (0, _) => writeln!(f, "it fails in the initial state")?,
            (_, true) => writeln!(f, "it fails with the last move of:")?,
            (_, false) => writeln!(f, "it fails after:")?,
        }
        moves.iter().try_for_each(|joint| writeln!(f, "  {}", joint.join("  ")))?;
        writeln!(f, "where the state is: {}", state.join(" "))
    }
}
