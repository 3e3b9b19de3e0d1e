//! What `latches` answers: facts and views that keep their value, and the net from a state on.

use crate::account::{Account, Meter, answers};
use crate::families::{FactFamily, families};
use crate::fault::Unanswered;
use crate::status::base_names;
use ludex::Game;
use ludex_facts::latches::{self, Folding, LatchValue, SideBySide, fold_known};
use ludex_gdl::budget::Budget;
use ludex_net::Net;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The facts of a game that keep their value once they have it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Latches {
    pub game: String,
    /// Facts that stay true once they are true, or always are.
    pub positive: Vec<String>,
    /// Facts that stay false once they are false, or never become true.
    pub negative: Vec<String>,
    /// The same as families of facts.
    #[serde(default)]
    pub positive_families: Vec<FactFamily>,
    #[serde(default)]
    pub negative_families: Vec<FactFamily>,
    /// Facts that are neither proved nor refuted to be latches.
    pub undecided: Vec<String>,
    /// The number of facts of the game.
    pub facts: Option<usize>,
    /// The number of latches whose proof needs induction.
    pub by_induction: usize,
    pub rests_on: LatchSupport,
    /// The number of views that are latches.
    pub views: Option<usize>,
    /// The number of gates of the net.
    pub gates: Option<usize>,
    /// The goals that are latches.
    pub goals: Vec<GoalStays>,
    #[serde(flatten)]
    pub account: Account,
}

/// What the latches of a game rest on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatchSupport {
    /// Latches by the structure of the net alone.
    pub structure: Vec<String>,
    /// Latches by induction.
    pub induction: Vec<String>,
    /// The lemmas of that induction.
    pub lemmas: Vec<String>,
}

/// A goal that keeps its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoalStays {
    pub role: String,
    pub value: i32,
    /// True: it stays once it is reached. False: it stays lost once it is lost.
    pub stays: bool,
}

/// What is final in a position, and the net without it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatchesAt {
    pub game: String,
    /// Facts that are true for good.
    pub positive: Vec<String>,
    /// Facts that are false for good.
    pub negative: Vec<String>,
    /// The number of facts of the game.
    pub facts: usize,
    pub goals: Vec<GoalDecided>,
    pub gates: Sizes,
    pub moves: Sizes,
    /// States in which the smaller net was played beside the whole one, and was the same.
    pub states_compared: usize,
    #[serde(flatten)]
    pub account: Account,
}

/// A goal whose value is decided in a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GoalDecided {
    pub role: String,
    pub value: i32,
    /// True: it is certain. False: it is lost for good.
    pub decided: bool,
}

/// A number before and after a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sizes {
    pub before: usize,
    pub after: usize,
}

answers!(Latches, LatchesAt);

/// Random matches in which the smaller net is compared.
const MATCHES: usize = 20;
/// Lemmas that are shown to people.
const SHOWN: usize = 5;

impl Latches {
    /// Proofs by induction may last so many seconds.
    pub fn of(game: &Game, budget: &Budget, seconds: f64) -> Result<Latches, Unanswered> {
        let meter = Meter::new(game, budget);
        let found = game.knowledge().latches(budget, seconds)?;
        let account = meter.account().cut_if(&["undecided"], found.stopped);
        Ok(Latches { game: game.name().into(), account, ..Latches::told(&found) })
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Latches {
        let account = Account::unknown(&["positive", "negative", "undecided", "facts", "views"]);
        Latches { game: game.into(), account, ..Latches::default() }
    }

    fn told(found: &latches::Latches) -> Latches {
        let net = &found.net;
        let induction = |b: &usize| found.by_induction.iter().any(|(base, _)| base == b);
        let mut all: Vec<usize> = found.positive.iter().chain(&found.negative).copied().collect();
        all.sort_unstable();
        all.dedup();
        let (by_induction, by_structure): (Vec<usize>, Vec<usize>) =
            all.iter().partition(|b| induction(b));
        let undecided: Vec<usize> = found.undecided.iter().map(|u| u.0).collect();
        Latches {
            positive: base_names(net, &found.positive),
            negative: base_names(net, &found.negative),
            positive_families: families(net, &found.positive),
            negative_families: families(net, &found.negative),
            undecided: base_names(net, &undecided),
            facts: Some(net.bases.len()),
            by_induction: found.by_induction.len(),
            rests_on: LatchSupport {
                structure: base_names(net, &by_structure),
                induction: base_names(net, &by_induction),
                lemmas: found.lemmas.clone(),
            },
            views: Some(found.view_count()),
            gates: Some(net.gate_count()),
            goals: goals(found),
            ..Latches::default()
        }
    }

    /// The columns of `row`.
    pub const HEADER: &str =
        "game\tfacts\tpositive\tnegative\tby induction\tundecided\tviews\tgoals that stay";

    /// The numbers, with tabs between.
    pub fn row(&self) -> String {
        let (game, facts, views) = (&self.game, self.facts.unwrap_or(0), self.views.unwrap_or(0));
        let (positive, negative) = (self.positive.len(), self.negative.len());
        let (induction, undecided) = (self.by_induction, self.undecided.len());
        let goals = self.goals.len();
        format!(
            "{game}\t{facts}\t{positive}\t{negative}\t{induction}\t{undecided}\t{views}\t{goals}"
        )
    }
}

fn goals(found: &latches::Latches) -> Vec<GoalStays> {
    let net = &found.net;
    let of_role = |r: usize| {
        net.goals[r].iter().filter_map(move |(value, lit)| {
            let stays = found.stays(*lit)? == LatchValue::True;
            Some(GoalStays { role: net.roles[r].clone(), value: *value, stays })
        })
    };
    (0..net.roles.len()).flat_map(of_role).collect()
}

impl fmt::Display for Latches {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}: {} facts", self.game, self.facts.unwrap_or(0))?;
        let positive = ("positive", &self.positive, &self.positive_families);
        let negative = ("negative", &self.negative, &self.negative_families);
        for (kind, list, families) in [positive, negative] {
            writeln!(f, "{kind} latches: {}", list.len())?;
            families.iter().try_for_each(|family| writeln!(f, "  {family}"))?;
        }
        if self.by_induction > 0 {
            let (number, lemmas) = (self.by_induction, &self.rests_on.lemmas);
            writeln!(f, "proved by induction: {number}, with {} lemmas", lemmas.len())?;
            lemmas.iter().take(SHOWN).try_for_each(|l| writeln!(f, "  {l}"))?;
            if lemmas.len() > SHOWN {
                writeln!(f, "  and {} more", lemmas.len() - SHOWN)?;
            }
        }
        if !self.undecided.is_empty() {
            writeln!(f, "neither proved nor refuted: {}", self.undecided.len())?;
        }
        if !self.account.complete {
            writeln!(f, "further proofs: stopped")?;
        }
        if let Some((views, gates)) = self.views.zip(self.gates) {
            writeln!(f, "views that are latches: {views} of {gates} gates")?;
        }
        for GoalStays { role, value, stays } in &self.goals {
            let how = if *stays { "once reached, stays" } else { "once lost, stays lost" };
            writeln!(f, "goal {value} of {role}: {how}")?;
        }
        Ok(())
    }
}

impl LatchesAt {
    /// Of the position that a state of the game's net is. Proofs by induction may last so many seconds.
    pub fn of(
        game: &Game,
        net: &Arc<Net>,
        state: &[bool],
        (budget, seconds): (&Budget, f64),
    ) -> Result<LatchesAt, Unanswered> {
        let meter = Meter::new(game, budget);
        let stopped = game.knowledge().latches(budget, seconds)?.stopped;
        let folding = fold_known(net, state, &*game.knowledge().lemmas(budget)?);
        let states = match folding.compare(net, MATCHES, 1, budget)? {
            SideBySide::Same { states } => states,
            SideBySide::Different(why) => panic!("a folded net is the same game: {why}"),
        };
        let with = |value: bool| -> Vec<String> {
            let kept = &folding.finally.bases;
            base_names(
                net,
                &(0..kept.len()).filter(|b| kept[*b] == Some(value)).collect::<Vec<_>>(),
            )
        };
        let folded = &folding.folded.net;
        Ok(LatchesAt {
            game: game.name().into(),
            positive: with(true),
            negative: with(false),
            facts: net.bases.len(),
            goals: decided(net, &folding),
            gates: Sizes { before: net.gate_count(), after: folded.gate_count() },
            moves: Sizes { before: net.inputs.len(), after: folded.inputs.len() },
            states_compared: states,
            account: meter.account().cut_if(&["positive", "negative"], stopped),
        })
    }
}

fn decided(net: &Net, folding: &Folding) -> Vec<GoalDecided> {
    let of_role = |r: usize| {
        net.goals[r].iter().filter_map(move |(value, lit)| {
            let decided = folding.finally.known.value(*lit)?;
            Some(GoalDecided { role: net.roles[r].clone(), value: *value, decided })
        })
    };
    (0..net.roles.len()).flat_map(of_role).collect()
}

impl fmt::Display for LatchesAt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (value, list) in [("true", &self.positive), ("false", &self.negative)] {
            writeln!(f, "{value} for good: {} of {} facts", list.len(), self.facts)?;
            list.iter().try_for_each(|n| writeln!(f, "  {n}"))?;
        }
        for GoalDecided { role, value, decided } in &self.goals {
            let how = if *decided { "is certain" } else { "is lost for good" };
            writeln!(f, "goal {value} of {role} {how}")?;
        }
        let (gates, moves, states) = (&self.gates, &self.moves, self.states_compared);
        writeln!(
            f,
            "the net from here on: {} gates of {}, {} moves of {}; the same as the whole net in \
             {states} states of random matches",
            gates.after, gates.before, moves.after, moves.before,
        )
    }
}
