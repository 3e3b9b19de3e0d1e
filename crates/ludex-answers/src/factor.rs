//! What `factor` answers: the games that a game consists of.

use crate::account::{Account, Meter, answers};
use crate::fault::Unanswered;
use crate::status::{ByRole, base_names};
use crate::table::Table;
use ludex::Game;
use ludex_facts::factor::{self, Checked, Ending, Exactness, Factor, FactorKind, Structure, Tie};
use ludex_facts::fluents::Fluents;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Batch, paths};
use ludex_net::Net;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The independent games that a game consists of, how they are played, and whether they can be
/// searched separately.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Factors {
    pub game: String,
    /// How the factors are played.
    pub kind: Option<FactorKind>,
    pub factors: Vec<OneFactor>,
    /// Is it right to search the factors separately?
    pub exact: Option<ApartIs>,
    /// If this holds, or why not.
    pub condition: Option<String>,
    /// Does best play have a single value? If not, values are what each role can guarantee.
    pub settled: bool,
    /// The one structure of all roles' goals, or each role's.
    pub goal: Option<String>,
    pub goals: Vec<GoalStructure>,
    /// What ends the game.
    pub terminal: Option<FactorEnding>,
    /// Facts that no move changes.
    pub shared: Vec<String>,
    /// The same by relation, arguments that differ as `*`.
    pub shared_patterns: Vec<String>,
    /// What ties a game together that does not fall apart, in words.
    pub tie: Option<String>,
    pub tied_by: Option<Tie>,
    /// What this answer rests on.
    pub rests_on: Vec<String>,
    /// How far the factors were played beside the whole game, and were the same.
    pub verified: Checked,
    pub seconds: FactorSeconds,
    /// Leaves of the game trees, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaves: Option<Leaves>,
    #[serde(flatten)]
    pub account: Account,
}

/// One of the games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OneFactor {
    pub fluents: Vec<String>,
    /// Those by relation, arguments that differ as `*`.
    pub patterns: Vec<String>,
    pub moves: Vec<String>,
    /// Does it count in any goal?
    pub relevant: bool,
    pub moves_by_role: ByRole<Vec<String>>,
    /// Gates of its net.
    pub gates: usize,
}

/// Is it right to search the factors separately?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ApartIs {
    Exact,
    /// If a condition holds.
    Conditional,
    /// It is not, or was not shown to be.
    Heuristic,
}

/// How the goal of a role follows from the factors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoalStructure {
    pub role: String,
    pub structure: Structure,
    /// Numbers of factors, from 1.
    pub factors: Vec<usize>,
    /// From how many combinations of outcomes this was read.
    pub combinations: Option<usize>,
}

/// What ends a game of factors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactorEnding {
    pub by: EndedBy,
    /// Numbers of factors, from 1.
    pub factors: Vec<usize>,
}

/// How factors end a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EndedBy {
    /// What is shared alone, such as a number of steps.
    Clock,
    /// One factor.
    One,
    /// The end of all of the factors.
    All,
    /// The end of the first of the factors to be over.
    Any,
    /// A condition that joins states of the factors.
    Joined,
}

/// CPU seconds of the parts of the work.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactorSeconds {
    pub ground: f64,
    pub factor: f64,
    pub verify: f64,
}

/// Leaves of game trees; none where the number is too large.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Leaves {
    pub factors: Vec<Option<u64>>,
    /// Was the whole game to be counted, too?
    pub whole_asked: bool,
    pub whole: Option<u64>,
    pub sum: Option<u64>,
    pub product: Option<u64>,
}

answers!(Factors);

/// How hard to look.
pub struct FactorEffort {
    /// States in which the factors are compared with the whole game.
    pub states: usize,
    /// Seconds that the comparison may take.
    pub seconds: f64,
    /// Count the leaves of the factors' trees, and of the whole game's.
    pub leaves: bool,
    pub whole_leaves: bool,
    /// Seconds in which lemmas may be looked for.
    pub lemma_seconds: f64,
}

/// Random matches in which factors and whole are compared, beside other states.
const MATCHES: usize = 10;
/// The length of the longest match.
pub(super) const DEEPEST: usize = 300;

impl Factors {
    /// From a state of the game's net on, or from the initial one. What is known on the way is shown to
    /// `watch`.
    pub fn of(
        game: &Game,
        state: Option<&[bool]>,
        effort: &FactorEffort,
        budget: &Budget,
        watch: &mut dyn FnMut(Factors),
    ) -> Result<Factors, Unanswered> {
        let meter = Meter::new(game, budget);
        game.knowledge().net(budget)?;
        let ground = meter.seconds();
        let knowledge = game.knowledge();
        let found = match state {
            Some(state) => knowledge.factors_from(state, budget, effort.lemma_seconds)?,
            None => factor::Factors::clone(&*knowledge.factors(budget, effort.lemma_seconds)?),
        };
        let factor = meter.seconds() - ground;
        let told = |found: &factor::Factors, verified: Checked, stop: Option<Stop>| {
            let verify = meter.seconds() - ground - factor;
            let open = found.tie.is_none() && verified.states == 0;
            let stopped: &[&str] = if open || stop.is_some() { &["verified"] } else { &[] };
            Factors {
                game: game.name().into(),
                verified,
                seconds: FactorSeconds { ground, factor, verify },
                account: meter.account().cut(stopped, stop),
                ..Factors::told(found)
            }
        };
        watch(told(&found, Checked::default(), None));
        let (found, verified, stop) = compare(found, effort, budget);
        let mut answer = told(&found, verified, stop);
        if effort.leaves {
            answer.leaves = Some(Leaves::of(&found, effort.whole_leaves, budget)?);
            answer.account.cpu_seconds = meter.seconds();
        }
        Ok(answer)
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Factors {
        let parts = ["kind", "factors", "exact", "goal", "goals", "terminal"];
        Factors { game: game.into(), account: Account::unknown(&parts), ..Factors::default() }
    }

    fn told(found: &factor::Factors) -> Factors {
        let (_, condition) = found.exact.parts();
        let exact = match found.exact {
            Exactness::Exact => ApartIs::Exact,
            Exactness::Conditional(_) => ApartIs::Conditional,
            Exactness::Heuristic(_) => ApartIs::Heuristic,
        };
        let net = &found.net;
        Factors {
            kind: Some(found.kind),
            factors: found.factors.iter().map(|f| OneFactor::told(f, net)).collect(),
            exact: Some(exact),
            condition: condition.map(Into::into),
            settled: found.settled,
            goal: Some(overall(found)),
            goals: goals(found),
            terminal: Some(FactorEnding::told(&found.ending)),
            shared: base_names(net, &found.shared_facts()),
            shared_patterns: patterns(net, &found.shared_facts()),
            tie: found.tie.as_ref().map(Tie::to_string),
            tied_by: found.tie.clone(),
            rests_on: found.rests_on.clone(),
            ..Factors::default()
        }
    }

    /// The columns of `row`, after that of the game.
    pub const HEADER: &str = "kind\tfactors\tthat count\tseparately\tgoal\tstates compared";

    /// The numbers, with tabs between.
    pub fn row(&self) -> String {
        let (kind, number) = (self.kind.unwrap_or_default(), self.factors.len());
        if kind == FactorKind::Single {
            // There is nothing to search apart, and nothing to compare.
            return format!("{kind}\t1\t1\tnone\tnone\tnot tried");
        }
        let relevant = self.factors.iter().filter(|f| f.relevant).count();
        let all = if self.verified.complete { "all " } else { "" };
        let exact = self.exact.map_or(String::new(), |e| e.to_string());
        let (goal, states) = (self.goal.as_deref().unwrap_or(""), self.verified.states);
        format!("{kind}\t{number}\t{relevant}\t{exact}\t{goal}\t{all}{states}")
    }
}

/// Plays factors and whole side by side. Factors that do not make up the game are not told.
fn compare(
    found: factor::Factors,
    effort: &FactorEffort,
    budget: &Budget,
) -> (factor::Factors, Checked, Option<Stop>) {
    if found.kind == FactorKind::Single {
        return (found, Checked::default(), None);
    }
    let trial = budget.lasting(effort.seconds);
    match found.verify(MATCHES, effort.states, &trial) {
        Ok(checked) => {
            let stop = if checked.states == 0 { trial.check().err() } else { None };
            (found, checked, stop.or(budget.check().err()))
        }
        Err(why) => {
            let why = format!("the factors found do not make up the game: {why}");
            (found.undone(why), Checked::default(), None)
        }
    }
}

/// The one structure of all roles' goals, or each role's.
fn overall(found: &factor::Factors) -> String {
    let mut all: Vec<String> = found.goals.iter().map(|g| g.0.to_string()).collect();
    all.dedup();
    all.join(", ")
}

fn goals(found: &factor::Factors) -> Vec<GoalStructure> {
    let goal = |(role, (structure, factors, combinations)): (&String, &(_, Vec<usize>, _))| {
        let factors = factors.iter().map(|k| k + 1).collect();
        let (role, structure) = (role.clone(), *structure);
        GoalStructure { role, structure, factors, combinations: *combinations }
    };
    found.net.roles.iter().zip(&found.goals).map(goal).collect()
}

impl OneFactor {
    fn told(factor: &Factor, whole: &Net) -> OneFactor {
        let own = |role: usize| -> Vec<String> {
            let own = factor.net.inputs_of(role).filter(|i| !factor.elsewhere[*i]);
            own.map(|i| factor.net.inputs[i].name.clone()).collect()
        };
        let roles = || 0..whole.roles.len();
        let mut moves: Vec<String> = roles().flat_map(own).collect();
        moves.sort();
        moves.dedup();
        OneFactor {
            fluents: base_names(whole, &factor.bases),
            patterns: patterns(whole, &factor.bases),
            moves,
            relevant: factor.relevant,
            moves_by_role: roles().map(|r| (whole.roles[r].clone(), own(r))).collect(),
            gates: factor.net.gate_count(),
        }
    }
}

impl FactorEnding {
    fn told(ending: &Ending) -> FactorEnding {
        let (by, factors): (EndedBy, &[usize]) = match ending {
            Ending::Clock => (EndedBy::Clock, &[]),
            Ending::One(one) => (EndedBy::One, std::slice::from_ref(one)),
            Ending::All(all) => (EndedBy::All, all),
            Ending::Any(any) => (EndedBy::Any, any),
            Ending::Coupled(all) => (EndedBy::Joined, all),
        };
        FactorEnding { by, factors: factors.iter().map(|k| k + 1).collect() }
    }
}

impl Leaves {
    fn of(found: &factor::Factors, whole_asked: bool, budget: &Budget) -> Result<Leaves, Stop> {
        let leaves = |net: &Net| {
            let mut batch = Batch::new(Arc::new(net.clone()), budget).ok()?;
            let count = paths(&mut batch, DEEPEST, false, budget);
            count.cut.is_none().then(|| count.terminals.iter().sum::<u64>() + count.stuck)
        };
        let factors: Vec<Option<u64>> = found.factors.iter().map(|f| leaves(&f.net)).collect();
        let whole = whole_asked.then(|| leaves(&found.net)).flatten();
        budget.check()?;
        let sum = factors.iter().copied().sum();
        let product = factors.iter().try_fold(1u64, |p, n| p.checked_mul((*n)?));
        Ok(Leaves { factors, whole_asked, whole, sum, product })
    }
}

/// Facts by relation, arguments that differ as `*`.
pub(super) fn patterns(net: &Net, bases: &[usize]) -> Vec<String> {
    let mut found = Vec::new();
    for relation in Fluents::new(net).relations {
        let facts = relation.facts.iter().filter(|f| bases.binary_search(&f.base).is_ok());
        let facts: Vec<&Vec<String>> = facts.map(|f| &f.args).collect();
        let Some(first) = facts.first() else { continue };
        let arg = |a: usize| match facts.iter().all(|f| f[a] == first[a]) {
            true => first[a].clone(),
            false => "*".into(),
        };
        let args: Vec<String> = (0..relation.arity).map(arg).collect();
        found.push(match args.len() {
            0 => relation.name.clone(),
            _ => format!("({} {})", relation.name, args.join(" ")),
        });
    }
    found
}

/// Moves of a role that are shown to people.
const SHOWN: usize = 4;

impl fmt::Display for OneFactor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{} facts {}", self.fluents.len(), self.patterns.join(" "))?;
        for (role, moves) in self.moves_by_role.iter().filter(|(_, moves)| !moves.is_empty()) {
            let some: Vec<&str> = moves.iter().take(SHOWN).map(String::as_str).collect();
            let more = if moves.len() > SHOWN { " …" } else { "" };
            writeln!(f, "  {role}: {} moves {}{more}", moves.len(), some.join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Factors {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kind = self.kind.unwrap_or_default();
        match &self.tie {
            Some(tie) => writeln!(f, "{}: one game, tied together by {tie}", self.game)?,
            None => writeln!(f, "{}: {} factors, {kind}", self.game, self.factors.len())?,
        }
        for (k, factor) in self.factors.iter().enumerate().filter(|_| self.tie.is_none()) {
            let idle = if factor.relevant { "" } else { ", counts in no goal" };
            write!(f, "factor {}{idle}: {factor}", k + 1)?;
        }
        if !self.shared.is_empty() {
            writeln!(f, "shared: {}", self.shared_patterns.join(" "))?;
        }
        if self.tie.is_none() {
            self.write_apart(f)?;
        }
        self.leaves.as_ref().map_or(Ok(()), |leaves| write!(f, "{leaves}"))
    }
}

impl Factors {
    /// What there is to say where a game falls apart.
    fn write_apart(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for GoalStructure { role, structure, factors, .. } in &self.goals {
            writeln!(f, "goal of {role}: {structure} ({})", numbers(factors))?;
        }
        self.terminal.iter().try_for_each(|ending| writeln!(f, "ends: {ending}"))?;
        let condition = self.condition.as_deref().unwrap_or("");
        let told = match self.exact {
            Some(ApartIs::Conditional) => format!("exact if {condition}"),
            Some(ApartIs::Heuristic) => format!("only a heuristic: {condition}"),
            _ => "exact".into(),
        };
        let sure = match self.exact {
            Some(ApartIs::Heuristic) => "",
            _ if self.settled => "",
            _ => ", for what each role can guarantee",
        };
        writeln!(f, "searching the factors separately is {told}{sure}")?;
        if !self.rests_on.is_empty() {
            writeln!(f, "this rests on: {}", self.rests_on.join("; "))?;
        }
        let all = if self.verified.complete { "all " } else { "" };
        let (states, steps) = (self.verified.states, self.verified.steps);
        match states {
            0 => writeln!(f, "recombined: stopped before a state was compared"),
            _ => writeln!(
                f,
                "recombined: the same as the game in {all}{states} states and {steps} steps"
            ),
        }
    }
}

fn numbers(list: &[usize]) -> String {
    list.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for FactorEnding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = numbers(&self.factors);
        match self.by {
            EndedBy::Clock => write!(f, "what is shared"),
            EndedBy::One => write!(f, "factor {list}"),
            EndedBy::All => write!(f, "when the factors {list} are all over"),
            EndedBy::Any => write!(f, "when one of the factors {list} is over"),
            EndedBy::Joined => write!(f, "by a condition on several factors together: {list}"),
        }
    }
}

impl fmt::Display for ApartIs {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            ApartIs::Exact => "exact",
            ApartIs::Conditional => "conditional",
            ApartIs::Heuristic => "heuristic",
        })
    }
}

impl fmt::Display for Leaves {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = |n: Option<u64>| n.map_or("not counted".to_string(), |n| n.to_string());
        let mut table = Table::new(&["game tree", "leaves"], &["leaves"]);
        for (k, n) in self.factors.iter().enumerate() {
            table.row([format!("factor {}", k + 1), text(*n)]);
        }
        table.row(["factors separately (sum)".to_string(), text(self.sum)]);
        table.row(["all together (product)".to_string(), text(self.product)]);
        if self.whole_asked {
            table.row(["whole game, counted".to_string(), text(self.whole)]);
        }
        write!(f, "{table}")
    }
}
