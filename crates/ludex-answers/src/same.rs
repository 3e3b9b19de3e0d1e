//! What `same` answers: whether two games are one in another guise, and which games of a folder are.

use crate::account::{Account, Meter, answers};
use crate::fault::Unanswered;
use indexmap::IndexMap;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Rel, Rules};
use ludex_net::Net;
use ludex_net::ground::{Ground, NotGround};
use ludex_symmetry::same::{Likeness, Mapping, OpeningProfile, same_nets, same_rules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Whether two games are the same but for names, order and writing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// As the user named them.
    pub games: Vec<String>,
    pub same: Option<bool>,
    /// Where they were found to be the same.
    pub level: Option<SameLevel>,
    /// From the names of the first to those of the second.
    pub mapping: Option<IndexMap<String, String>>,
    /// Is it shown that they differ? If not, they were only not shown to be the same.
    pub different: Option<bool>,
    /// Why they are not the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    #[serde(flatten)]
    pub account: Account,
}

/// Where games are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SameLevel {
    /// The rules are the same in another guise.
    Rules,
    /// The games are the same, written differently.
    Net,
}

/// The files of a folder that hold a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FolderSearch {
    pub game: String,
    /// Was any found?
    pub same: Option<bool>,
    pub level: Option<SameLevel>,
    /// None: the names of several files differ.
    pub mapping: Option<IndexMap<String, String>>,
    /// The files, those with the same rules first.
    pub found: Vec<String>,
    /// Those of them that are written differently.
    pub found_by_net: Vec<String>,
    /// Were nets compared, too?
    pub nets_compared: bool,
    /// Files with faults, which were left out.
    pub unread: usize,
    #[serde(flatten)]
    pub account: Account,
    #[serde(skip)]
    pub folder: String,
}

/// Games of a folder that are the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SameGroup {
    pub level: SameLevel,
    pub games: Vec<String>,
    #[serde(flatten)]
    pub account: Account,
}

/// CPU seconds for a look at how games begin.
const OPENING_SECONDS: f64 = 5.0;

answers!(Comparison, FolderSearch, SameGroup);

impl Comparison {
    /// Two games, or parts of games, with the names that the user gave them.
    pub fn of(
        (a, x): (&str, &Rules),
        (b, y): (&str, &Rules),
        rules_only: bool,
        budget: &Budget,
    ) -> Result<Comparison, Unanswered> {
        let meter = Meter::alone(budget);
        let (level, likeness) = match same_rules(x, y, budget)? {
            Likeness::Different(why) if rules_only || is_part(x) || is_part(y) => {
                (SameLevel::Rules, Likeness::Different(format!("the rules differ: {why}")))
            }
            Likeness::Different(why) => (SameLevel::Net, compare_nets(x, y, why, budget)?),
            same => (SameLevel::Rules, same),
        };
        let mut answer = Comparison {
            games: vec![a.into(), b.into()],
            account: meter.account(),
            ..Comparison::default()
        };
        match likeness {
            Likeness::Same(mapping) => {
                (answer.same, answer.level) = (Some(true), Some(level));
                answer.mapping = Some(mapping.into_iter().collect());
            }
            Likeness::Different(why) => {
                (answer.same, answer.why) = (Some(false), Some(why));
                answer.different = Some(open_differently(x, y, budget)?);
            }
        }
        Ok(answer)
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Comparison {
        let account = Account::unknown(&["same", "level", "mapping"]);
        Comparison { games: vec![game.into()], account, ..Comparison::default() }
    }
}

/// Have two games other numbers of roles or moves in the beginning? Then they are different, however they are
/// written; rules and nets that differ may still mean the same.
fn open_differently(x: &Rules, y: &Rules, budget: &Budget) -> Result<bool, Unanswered> {
    if is_part(x) || is_part(y) {
        return Ok(false);
    }
    let trial = budget.lasting(OPENING_SECONDS);
    let profiles = (OpeningProfile::new(x, &trial), OpeningProfile::new(y, &trial));
    budget.check()?;
    Ok(matches!(profiles, (Some(a), Some(b)) if a != b))
}

/// The ground games, where the rules differ for this reason.
fn compare_nets(
    x: &Rules,
    y: &Rules,
    why: String,
    budget: &Budget,
) -> Result<Likeness, Unanswered> {
    let ground = |rules: &Rules| -> Result<(Ground, Net), NotGround> {
        let ground = Ground::new(rules, budget)?;
        let net = Net::new(&ground, budget)?;
        Ok((ground, net))
    };
    let (a, b) = match (ground(x), ground(y)) {
        (Ok(a), Ok(b)) => (a, b),
        (Err(NotGround::Stopped(stop)), _) | (_, Err(NotGround::Stopped(stop))) => {
            return Err(stop.into());
        }
        // Whether they are the same written differently is not known.
        (Err(e), _) | (_, Err(e)) => {
            let why = format!("the rules differ: {why}; nets were not compared: {e}");
            return Err(Unanswered::TooLarge(why));
        }
    };
    Ok(match same_nets((&a.0, &a.1), (&b.0, &b.1), budget)? {
        Likeness::Different(net) => {
            Likeness::Different(format!("the rules differ: {why}; the nets: {net}"))
        }
        same => same,
    })
}

/// Whether the rules are a few clauses and no whole game, so that there is nothing to ground.
fn is_part(rules: &Rules) -> bool {
    [Rel::ROLE, Rel::LEGAL, Rel::TERMINAL].iter().any(|&rel| rules.defining(rel).next().is_none())
}

impl FolderSearch {
    /// One of which nothing is known.
    pub fn unknown(game: &str) -> FolderSearch {
        let account = Account::unknown(&["same", "level", "found"]);
        FolderSearch { game: game.into(), account, ..FolderSearch::default() }
    }

    /// A file that holds the game.
    pub fn add(&mut self, file: &str, level: SameLevel) {
        match level {
            SameLevel::Rules => {
                let at = self.found.len() - self.found_by_net.len();
                self.found.insert(at, file.into());
            }
            SameLevel::Net => {
                self.found.push(file.into());
                self.found_by_net.push(file.into());
            }
        }
        let rules = self.found.len() > self.found_by_net.len();
        self.level = Some(if rules { SameLevel::Rules } else { SameLevel::Net });
        self.same = Some(true);
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let games = self.games.join(" and ");
        let guise = match self.level {
            Some(SameLevel::Rules) => "the same rules in another guise",
            Some(SameLevel::Net) => "the same game, written differently",
            None => {
                let why = self.why.as_deref().unwrap_or("");
                return match self.different {
                    Some(true) => writeln!(f, "{games} are different games: {why}"),
                    _ => writeln!(f, "{games} are not shown to be the same: {why}"),
                };
            }
        };
        writeln!(f, "{games}: {guise}")?;
        let mapping: Mapping = self.mapping.clone().unwrap_or_default().into_iter().collect();
        let changed: Vec<_> = mapping.iter().filter(|(x, y)| x != y).collect();
        changed.iter().try_for_each(|(x, y)| writeln!(f, "  {x} → {y}"))?;
        if changed.is_empty() { writeln!(f, "  every name stays the same") } else { Ok(()) }
    }
}

impl fmt::Display for FolderSearch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for file in &self.found {
            let differently = self.found_by_net.contains(file);
            writeln!(f, "{file}{}", if differently { "  (written differently)" } else { "" })?;
        }
        let (folder, game) = (&self.folder, &self.game);
        match self.account.complete {
            false => return writeln!(f, "further files of {folder}: stopped"),
            true if self.found.is_empty() => writeln!(f, "no file of {folder} is {game}")?,
            true => {}
        }
        match self.nets_compared {
            true => Ok(()),
            false => writeln!(f, "only rules were compared: the net of {game} is too large"),
        }
    }
}

impl fmt::Display for SameGroup {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let differently = if self.level == SameLevel::Net { "  (written differently)" } else { "" };
        writeln!(f, "{}{differently}", self.games.join("  "))
    }
}
