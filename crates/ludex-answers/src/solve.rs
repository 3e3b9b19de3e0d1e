//! What `solve` answers: the exact value of a game, or of a position of it, for every role.

use crate::account::{Account, Meter, StoppedBy, answers};
use crate::fault::Unanswered;
use crate::status::ByRole;
use indexmap::IndexMap;
use ludex::Game;
use ludex_facts::factor::FactorKind;
use ludex_gdl::budget::{Budget, Proving};
use ludex_gdl::rules::{Rel, Rules, Term};
use ludex_net::Net;
use ludex_net::domains::{DomainGraph, DomainOwner};
use ludex_reason::{Move, Role};
use ludex_search::solve::{
    Concept, How, Meaning, Method, Settings, Solution, Subject, Symmetry, Unsolvable,
    UsedSymmetries, Value, solve,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What every role gets with best play, and a line of such play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Solved {
    pub game: String,
    /// The role that moves by chance.
    pub chance: Option<String>,
    /// What each role gets; none where it is not known.
    pub values: ByRole<Option<GoalValue>>,
    /// The same as fractions, where some are no whole numbers.
    pub exact_values: Option<ByRole<String>>,
    /// The least and the greatest value that are possible.
    pub bounds: ByRole<(Option<GoalValue>, Option<GoalValue>)>,
    /// Joint moves of best play.
    pub line: Vec<Vec<String>>,
    /// Where the line ends: the chances of mixed moves, as fractions, by role and move.
    pub mixed: Option<ByRole<IndexMap<String, String>>>,
    /// The solution concept of the values.
    pub concept: Concept,
    /// What the goals always add up to, if that is proved and used.
    pub constant_sum: Option<i32>,
    /// Are values means over what the role random does?
    pub by_chance: bool,
    /// How moves at the same time were decided.
    pub together: Vec<How>,
    pub method: Method,
    /// How the factors are played, where they were searched separately.
    pub factor_kind: Option<FactorKind>,
    /// States that were expanded.
    pub states: u64,
    /// Why there is no value, though no limit was reached.
    pub refused: Option<NoValue>,
    pub symmetry: SymmetryUse,
    /// Factors that were searched by themselves.
    pub factors: Vec<SolvedFactor>,
    pub notes: Vec<String>,
    #[serde(flatten)]
    pub account: Account,
}

/// A goal value, or a mean of goal values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum GoalValue {
    Whole(i64),
    /// To twelve decimals.
    Mean(f64),
}

/// Why a game has no value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NoValue {
    pub code: NoValueCode,
    /// The joint moves that lead to where there is none.
    pub line: Vec<Vec<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NoValueCode {
    /// No match ever ends.
    NoEnd,
    /// States can repeat, and the roles' interests are not opposed.
    Endless,
    /// Roles choose at the same time, their payoffs are not of constant sum, and dominance leaves
    /// several moves.
    Undecided,
}

/// How symmetries were used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SymmetryUse {
    pub mode: Symmetry,
    /// The number of symmetries that leave roles alone, as a decimal string.
    pub order: String,
    /// Expansions that they saved.
    pub saved_states: u64,
    /// They cost more time than they saved and were given up.
    pub switched_off: bool,
}

/// A factor that was searched by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SolvedFactor {
    pub name: String,
    pub states: u64,
    /// In role order.
    pub values: Vec<GoalValue>,
}

answers!(Solved);

impl Solved {
    /// From a state of the game's net on, or from the initial one. What is known on the way is shown to
    /// `watch`.
    pub fn of(
        game: &Game,
        state: Option<Vec<bool>>,
        settings: &Settings,
        budget: &Budget,
        watch: &mut dyn FnMut(Solved),
    ) -> Result<Solved, Unanswered> {
        let meter = Meter::new(game, budget);
        watch(Solved::of_rules(game.rules()));
        let net = game.knowledge().net(budget)?;
        let initial = || net.bases.iter().map(|b| b.initial).collect();
        let state = state.unwrap_or_else(initial);
        let subject = Subject { knowledge: game.knowledge().clone(), net: net.clone(), state };
        let told = |found: &Solution| {
            let account = account(found, meter.account());
            Solved { game: game.name().into(), account, ..Solved::told(&net, found) }
        };
        watch(told(&Solution::unknown(&net)));
        Ok(told(&solve(&subject, settings, budget, Proving(budget))))
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Solved {
        let account = Account::unknown(&["values", "bounds", "line", "states"]);
        Solved { game: game.into(), account, ..Solved::default() }
    }

    /// What the rules alone tell: the roles and the goals they can get at all.
    fn of_rules(rules: &Rules) -> Solved {
        let named = |term: &Term| match term {
            Term::App(name, args) if args.is_empty() => Some(rules.symbols.name(*name)),
            _ => None,
        };
        let roles: Vec<&str> =
            rules.defining(Rel::ROLE).filter_map(|rule| named(&rule.head.args[0])).collect();
        let graph = DomainGraph::new(rules);
        let values = graph.domain(DomainOwner::Predicate(Rel::GOAL), 2).iter();
        let values = values.filter_map(|v| rules.symbols.name(v.0).parse::<i64>().ok());
        let values: Vec<i64> = values.collect();
        let whole = |value: Option<&i64>| value.map(|value| GoalValue::Whole(*value));
        let bounds = (whole(values.iter().min()), whole(values.iter().max()));
        Solved {
            values: roles.iter().map(|role| (role.to_string(), None)).collect(),
            bounds: roles.iter().map(|role| (role.to_string(), bounds)).collect(),
            account: Account::unknown(&["values", "line"]),
            ..Solved::unknown(&rules.name)
        }
    }

    fn told(net: &Net, found: &Solution) -> Solved {
        let roles = || net.roles.iter().enumerate();
        let value = |r: usize| found.values.as_ref().map(|values| GoalValue::of(&values[r]));
        let bounds = |r: usize| {
            let (low, high) = &found.bounds[r];
            (Some(GoalValue::of(low)), Some(GoalValue::of(high)))
        };
        let fractions = found.values.as_ref().filter(|v| v.iter().any(|v| !v.is_integer()));
        let exact = |values: &Vec<Value>| -> ByRole<String> {
            net.roles.iter().cloned().zip(values.iter().map(Value::to_string)).collect()
        };
        let Meaning { concept, sum, by_chance, together } = found.meaning.clone();
        Solved {
            chance: net.chance().map(|role| net.roles[role].clone()),
            values: roles().map(|(r, role)| (role.clone(), value(r))).collect(),
            exact_values: fractions.map(exact),
            bounds: roles().map(|(r, role)| (role.clone(), bounds(r))).collect(),
            line: lines(net, &found.line),
            mixed: (!found.mixed.is_empty()).then(|| mixed(net, found)),
            concept,
            constant_sum: sum,
            by_chance,
            together,
            method: found.method,
            factor_kind: found.factor_kind,
            states: found.states,
            refused: found.refusal.as_ref().map(|refusal| NoValue::told(refusal, net)),
            symmetry: SymmetryUse::told(&found.symmetry),
            factors: found.factors.iter().map(SolvedFactor::told).collect(),
            notes: found.notes.clone(),
            ..Solved::default()
        }
    }

    fn meaning(&self) -> Meaning {
        Meaning {
            concept: self.concept,
            sum: self.constant_sum,
            by_chance: self.by_chance,
            together: self.together.clone(),
        }
    }
}

fn account(found: &Solution, account: Account) -> Account {
    let keys = ["values", "line"];
    match found.stop {
        Some(stop) => account.cut(&keys, Some(stop)),
        None if found.complete => account,
        // There is no value, and nothing is missing.
        None if found.refusal.is_some() => Account { complete: false, ..account },
        None => account.cut(&keys, Some(StoppedBy::Depth)),
    }
}

fn lines(net: &Net, line: &[Vec<Move>]) -> Vec<Vec<String>> {
    let name = |m: &Move| net.inputs[m.0 as usize].name.clone();
    line.iter().map(|joint| joint.iter().map(name).collect()).collect()
}

fn mixed(net: &Net, found: &Solution) -> ByRole<IndexMap<String, String>> {
    let role = |(role, moves): &(Role, Vec<(Move, Value)>)| {
        let chance =
            |(m, c): &(Move, Value)| (net.inputs[m.0 as usize].name.clone(), c.to_string());
        (net.roles[*role].clone(), moves.iter().map(chance).collect())
    };
    found.mixed.iter().map(role).collect()
}

impl GoalValue {
    fn of(value: &Value) -> GoalValue {
        match value.to_string().parse::<i64>() {
            Ok(whole) => GoalValue::Whole(whole),
            Err(_) => GoalValue::Mean(float(value)),
        }
    }
}

/// A value to twelve decimals; its numerator and denominator may be too large to be floats.
fn float(value: &Value) -> f64 {
    const DECIMALS: i64 = 1_000_000_000_000;
    let whole = (value * Value::from_integer(DECIMALS.into())).round().to_integer();
    whole.to_string().parse::<f64>().expect("a number") / DECIMALS as f64
}

/// A fraction as people read it: those with long numbers as decimals.
fn shown(exact: &str) -> String {
    match exact.parse::<Value>() {
        Ok(value) if exact.len() > 9 => format!("about {:.4}", float(&value)),
        _ => exact.into(),
    }
}

impl NoValue {
    fn told(refusal: &Unsolvable, net: &Net) -> NoValue {
        let (code, line) = match refusal {
            Unsolvable::NoEnd => (NoValueCode::NoEnd, vec![]),
            Unsolvable::Endless => (NoValueCode::Endless, vec![]),
            Unsolvable::Undecided { line } => (NoValueCode::Undecided, lines(net, line)),
        };
        NoValue { code, line }
    }
}

impl SymmetryUse {
    fn told(used: &UsedSymmetries) -> SymmetryUse {
        SymmetryUse {
            mode: used.mode,
            order: used.order.to_string(),
            saved_states: used.saved,
            switched_off: used.switched_off,
        }
    }
}

impl SolvedFactor {
    fn told(part: &ludex_search::solve::FactorPart) -> SolvedFactor {
        let values = part.values.iter().map(GoalValue::of).collect();
        SolvedFactor { name: part.name.clone(), states: part.states, values }
    }
}

impl fmt::Display for GoalValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            GoalValue::Whole(whole) => write!(f, "{whole}"),
            GoalValue::Mean(mean) => write!(f, "about {mean:.4}"),
        }
    }
}

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.code {
            NoValueCode::NoEnd => write!(f, "no match ever ends, so none has a goal"),
            NoValueCode::Endless => write!(
                f,
                "states can repeat, so backward induction cannot start, and the roles' interests are \
                 not opposed"
            ),
            NoValueCode::Undecided => {
                let way: Vec<String> = self.line.iter().map(|j| j.join(" / ")).collect();
                match way.is_empty() {
                    true => write!(f, "here")?,
                    false => write!(f, "after {}", way.join(", "))?,
                }
                write!(
                    f,
                    " roles choose at the same time, their goals do not add up to a constant, and \
                     dominance leaves several moves: there is no single value"
                )
            }
        }
    }
}

impl fmt::Display for Solved {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}", self.game)?;
        self.write_values(f)?;
        if self.concept != Concept::None {
            writeln!(f, "{}", self.meaning())?;
        }
        if !self.line.is_empty() {
            writeln!(f, "line of {} steps:", self.line.len())?;
            self.line.iter().try_for_each(|joint| writeln!(f, "  {}", joint.join("  ")))?;
        }
        if let Some(mixed) = &self.mixed {
            let then = if self.line.is_empty() { "" } else { "then " };
            writeln!(f, "{then}at the same time, with these chances:")?;
            for (role, moves) in mixed {
                let chance = |(m, c): (&String, &String)| format!("{m} {}", shown(c));
                let chances: Vec<String> = moves.iter().map(chance).collect();
                writeln!(f, "  {role}: {}", chances.join(", "))?;
            }
        }
        for part in &self.factors {
            let values: Vec<String> = part.values.iter().map(GoalValue::to_string).collect();
            let values = if values.is_empty() { String::new() } else { values.join(", ") + " in " };
            writeln!(f, "factor {}: {values}{} states", part.name, part.states)?;
        }
        self.refused.iter().try_for_each(|why| writeln!(f, "no value: {why}"))?;
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))?;
        if self.symmetry.order.is_empty() {
            // The search was not begun.
            return Ok(());
        }
        let (method, states, seconds) = (self.how(), self.states, self.account.cpu_seconds);
        writeln!(f, "{method}: {states} states{}, {seconds:.2} CPU seconds", self.with_symmetry())
    }
}

impl Solved {
    fn write_values(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (role, value) in &self.values {
            let exact = self.exact_values.as_ref().map(|exact| shown(&exact[role]));
            let (low, high) = self.bounds.get(role).copied().unwrap_or((None, None));
            match (value, low, high) {
                _ if self.chance.as_ref() == Some(role) => writeln!(f, "  {role}: chance")?,
                (Some(value), low, Some(high)) => {
                    let value = exact.unwrap_or(value.to_string());
                    match low == Some(high) {
                        true => writeln!(f, "  {role}: {value}")?,
                        false => writeln!(f, "  {role}: {value} (at most {high})")?,
                    }
                }
                (None, Some(low), Some(high)) => {
                    let stopped =
                        if self.account.stopped.is_empty() { "" } else { ", then stopped" };
                    writeln!(f, "  {role}: from {low} to {high}{stopped}")?
                }
                _ => writeln!(f, "  {role}: stopped")?,
            }
        }
        Ok(())
    }

    fn how(&self) -> String {
        match (self.method, self.factor_kind) {
            (Method::Factors, Some(kind)) => {
                format!("{} {} ({kind})", self.factors.len(), self.method)
            }
            (method, _) => method.to_string(),
        }
    }

    fn with_symmetry(&self) -> String {
        let SymmetryUse { mode, order, switched_off, .. } = &self.symmetry;
        match mode {
            // Factors have symmetries of their own.
            _ if !self.factors.is_empty() => String::new(),
            Symmetry::None => String::new(),
            _ if *switched_off => {
                format!(", symmetries ({order}) given up: they cost more time than they saved")
            }
            Symmetry::Moves => format!(", {order} symmetries of moves"),
            Symmetry::States => format!(", {order} symmetries of states"),
        }
    }
}
