//! What `boards` answers: the boards of a game, from invariant projections.

use crate::account::{Account, answers};
use crate::status::{Status, joint_names};
use crate::table::Table;
use ludex::Game;
use ludex_facts::boards::{Board, Projection, ProjectionVerdict, RelationBoards, Verify, set};
use ludex_gdl::rules::Rel;
use ludex_net::Net;
use ludex_net::domains::{DomainGraph, DomainOwner};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The boards of a game: arguments of the state's relations that stay the same all match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Boards {
    pub game: String,
    /// Which base propositions are projected.
    pub base: Option<BaseKind>,
    /// Their number.
    pub bases: Option<usize>,
    /// How projections are verified.
    pub verify: Verify,
    pub relations: Vec<BoardsOfRelation>,
    /// Relations seen as boards, best first.
    pub views: Vec<Board>,
    /// States of random matches that were looked at.
    pub samples: usize,
    /// States of a search that were looked at.
    pub searched: usize,
    /// CPU seconds of the search for lemmas.
    pub lemma_seconds: f64,
    /// Keys of which nothing was tried.
    pub not_tried: Vec<String>,
    #[serde(flatten)]
    pub account: Account,
}

/// Where base propositions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum BaseKind {
    /// The game declares them.
    Declared,
    /// They are those that can be reached.
    Reachable,
}

/// The projections of one relation. Arguments are numbered from 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BoardsOfRelation {
    pub relation: String,
    pub arity: usize,
    /// How many projections were verified.
    pub calls: usize,
    /// The time of all calls.
    pub seconds: f64,
    /// The time of the longest call.
    pub longest: f64,
    /// The maximal invariant projections.
    pub maximal: Vec<Vec<usize>>,
    /// Smallest sets of arguments that determine the others in every reachable state, proved.
    pub partial: Vec<Vec<usize>>,
    /// The maximal projections that gave the same set in all sampled states: no proof.
    pub sampled: Vec<Vec<usize>>,
    /// Was its verification cut short?
    pub stopped: bool,
    /// The projections that were verified.
    pub projections: Vec<ProjectionStatus>,
}

/// A projection that was verified.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectionStatus {
    pub places: Vec<usize>,
    pub status: Status,
    pub why: String,
    /// Joint moves after which a refuted projection differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<Vec<String>>>,
}

/// What is known of one projection that was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OneProjection {
    pub game: String,
    pub relation: String,
    pub places: Vec<usize>,
    pub status: Status,
    pub why: String,
    #[serde(flatten)]
    pub account: Account,
}

answers!(Boards, OneProjection);

impl Boards {
    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Boards {
        let account = Account::unknown(&["relations", "views"]);
        Boards { game: game.into(), account, ..Boards::default() }
    }

    /// What the rules alone tell: the relations of the state.
    pub(crate) fn of_rules(game: &Game, verify: Verify) -> Boards {
        let rules = game.rules();
        let graph = DomainGraph::new(rules);
        let facts = graph.domain(DomainOwner::Predicate(Rel::TRUE), 1);
        let named = facts.iter().filter(|r| r.1 > 0);
        let mut relations: Vec<(&str, usize)> =
            named.map(|r| (rules.symbols.name(r.0), r.1 as usize)).collect();
        relations.sort_unstable();
        let relation = |(name, arity): &(&str, usize)| BoardsOfRelation {
            relation: name.to_string(),
            arity: *arity,
            stopped: true,
            ..BoardsOfRelation::default()
        };
        let relations = relations.iter().map(relation).collect();
        Boards { verify, relations, ..Boards::unknown(game.name()) }
    }

    /// Every projection that was verified and what came out.
    pub fn projections(&self) -> String {
        let mut text = String::from("projections\n");
        for r in &self.relations {
            for p in &r.projections {
                text += &format!("  <{},{}>: {}\n", r.relation, set(&p.places), p.explained());
            }
        }
        text
    }

    fn table(&self) -> Table {
        let header = ["relation", "arity", "calls", "seconds", "invariant", "partial", "only seen"];
        let mut table = Table::new(&header, &["arity", "calls", "seconds"]);
        // Without samples nothing but invariant projections is looked for.
        let rest = |r: &BoardsOfRelation, list: &[Vec<usize>]| match self.samples {
            0 => "not tried".into(),
            _ => sets(list, r.stopped),
        };
        for r in &self.relations {
            let seen: Vec<Vec<usize>> =
                r.sampled.iter().filter(|s| !r.maximal.contains(s)).cloned().collect();
            table.row([
                r.relation.clone(),
                r.arity.to_string(),
                r.calls.to_string(),
                format!("{:.3}", r.seconds),
                sets(&r.maximal, r.stopped),
                rest(r, &r.partial),
                rest(r, &seen),
            ]);
        }
        table
    }

    /// The first part of the text: the relations.
    pub fn head(&self) -> String {
        let Some((count, base)) = self.bases.zip(self.base) else {
            let mut table = Table::new(&["relation", "arity", "invariant", "partial"], &["arity"]);
            for r in &self.relations {
                table.row([&r.relation, &r.arity.to_string(), "stopped", "stopped"]);
            }
            return format!("{}: base propositions stopped\n{table}", self.game);
        };
        let what = if base == BaseKind::Declared { "declared" } else { "reachable" };
        format!("{}: {count} {what} base propositions\n{}", self.game, self.table())
    }

    /// The second part of the text: what else is known, and the views.
    pub fn rest(&self) -> String {
        let mut text = String::new();
        if self.bases.is_none() {
            return text;
        }
        if !self.account.complete {
            text += "further proofs: stopped\n";
        }
        if self.verify != Verify::Lemmas {
            return text;
        }
        let no_proof = |r: &BoardsOfRelation| r.sampled.iter().any(|s| !r.maximal.contains(s));
        if self.relations.iter().any(no_proof) {
            let (played, searched) = (self.samples, self.searched);
            text += &format!(
                "seen, not proved: true in {played} states of random matches and {searched} of a \
                 search\n"
            );
        }
        // Another solver finds the projections, but not what else a view tells.
        text += match self.views.is_empty() {
            true if self.relations.iter().any(|r| !r.maximal.is_empty()) => "",
            true if !self.account.complete => "no board so far\n",
            true => "no board\n",
            false => "views, best first\n",
        };
        self.views.iter().for_each(|view| text += &format!("  {view}\n"));
        text
    }
}

impl fmt::Display for Boards {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.head(), self.rest())
    }
}

impl BoardsOfRelation {
    pub(super) fn told(found: &RelationBoards, net: &Net) -> BoardsOfRelation {
        BoardsOfRelation {
            relation: found.relation.clone(),
            arity: found.arity,
            calls: found.calls,
            seconds: found.seconds,
            longest: found.longest,
            maximal: found.maximal.clone(),
            partial: found.partial.clone(),
            sampled: found.sampled.clone(),
            stopped: found.stopped,
            projections: found.projections.iter().map(|p| ProjectionStatus::told(p, net)).collect(),
        }
    }

    /// The status of a projection and why. One that was not verified contains one that is not invariant,
    /// and so is not invariant, too, if that is refuted (Theorem 2).
    fn status(&self, places: &[usize]) -> (Status, String) {
        if let Some(p) = self.projections.iter().find(|p| p.places == places) {
            return (p.status, p.explained());
        }
        let within = |p: &&ProjectionStatus| p.places.iter().all(|a| places.contains(a));
        let open = self.projections.iter().filter(within);
        let open = open.filter(|p| p.status != Status::Proved);
        let part = open.min_by_key(|p| p.status != Status::Refuted);
        part.map_or((Status::Unknown, "not verified".into()), |p| {
            let part = format!("<{},{}>", self.relation, set(&p.places));
            let (status, why) = (p.status, p.explained());
            (status, format!("{status}, since it contains {part}, which is {why}"))
        })
    }
}

impl ProjectionStatus {
    fn told(found: &Projection, net: &Net) -> ProjectionStatus {
        let moves = match &found.answer {
            ProjectionVerdict::Refuted { moves } => Some(joint_names(net, moves)),
            _ => None,
        };
        let (status, why) = (Status::from(&found.answer), found.answer.to_string());
        ProjectionStatus { places: found.places.clone(), status, why, moves }
    }

    /// What was found out, with the line of play that refutes.
    fn explained(&self) -> String {
        let Some(moves) = &self.moves else { return self.why.clone() };
        let line: Vec<String> = moves.iter().map(|joint| joint.join(" ")).collect();
        format!("{}: {}", self.why, line.join("; "))
    }
}

impl OneProjection {
    /// Of a relation of the boards that were found.
    pub fn of(boards: &Boards, relation: &str, places: &[usize]) -> OneProjection {
        let most = places.last().copied().unwrap_or(0);
        let fits = |r: &&BoardsOfRelation| r.relation == relation && r.arity >= most;
        let of = boards.relations.iter().find(fits).expect("a relation of the state");
        let (status, mut why) = of.status(places);
        let mut account = boards.account.clone();
        let open = status == Status::Unknown && !account.complete;
        if open {
            why = "stopped".into();
            account.stopped = vec!["status".into()];
        } else {
            account = Account { complete: true, stopped: vec![], stopped_by: None, ..account };
        }
        let (game, relation) = (boards.game.clone(), relation.into());
        OneProjection { game, relation, places: places.into(), status, why, account }
    }
}

impl fmt::Display for OneProjection {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "<{},{}>: {}", self.relation, set(&self.places), self.why)
    }
}

/// Sets of arguments as people read them.
pub fn sets(sets: &[Vec<usize>], stopped: bool) -> String {
    let texts: Vec<String> = sets.iter().map(|s| set(s)).collect();
    match (sets, stopped) {
        ([], true) => "stopped".into(),
        ([], false) => "none".into(),
        _ => texts.join(" "),
    }
}
