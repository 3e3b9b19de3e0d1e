//! Whether searching the factors apart gives what searching the whole game gives, and why (not).
//!
//! The game is taken to be well-formed: who is not at the end has a move, and at the end every role has
//! one goal value. Apart is *exact* if these have been shown:
//!
//! 1. Moves are products of parts in every phase (`links.rs`), or one factor is played after the other:
//!    then any plays of the factors make up a play of the whole.
//! 2. The end cuts no factor short: it is a matter of the clock, or all factors must be over and a factor
//!    that is over keeps its outcome, or no other factor counts.
//! 3. Every goal is an ordered function of the factors' outcomes (`worth.rs`).
//! 4. In no state of a factor several roles choose at once.
//!
//! By 4 there is in every factor a best outcome that a role can make sure of, and to which all the others
//! together can hold it. By 1 and 2 both can do so in all factors at once, and by 3 what these outcomes
//! are worth together is the most that the role can make sure of in the whole game, and no more.
//!
//! That is the value of the game to each role where the others are against it. Where the roles that choose
//! in a factor want the same or the opposite there, and what makes no difference to them makes none to
//! others, the game is *settled*: backward induction gives the factors' values one by one, too, whichever
//! of several best moves it takes.
//!
//! A lone chooser has other cases: where one factor's success is all that counts and ends the game, the
//! best factor decides; and factors that are played by choice share their steps, so what is best apart
//! is possible together if it fits into them. These say *conditional*. Whatever is not shown is called
//! a *heuristic*.
//!
//! Searching factors apart is called exact only where it is shown to be, for well-formed games
//! (below is the argument): moves are products, or factors follow each other; the end cuts no
//! factor short, and one that is over keeps its outcome; every goal is an ordered function of the
//! outcomes; no factor has simultaneous choices. The values are then what each role can make
//! sure of, and those of best play of all where the game is `settled`. `Factors::value` gives the
//! value of the whole for values of the factors. Conditional answers state what is left to be seen;
//! the rest is a heuristic. Equal effects are found by structure only, so two forms of one function
//! can keep a game whole that falls apart.

use super::Analysis;
use super::aims::outermost;
use super::blocks::{BaseBlocks, support};
use super::goals::{Aims, RoleAims, Structure};
use super::grounds::{GroundedSteps, Grounds};
use super::kind::FactorKind;
use super::links::{MoveParts, is_product};
use super::outcomes::Outcomes;
use super::worth::FactorWorth;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Lit, Net};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// What ends the game. The paper's definitions leave the end out; it decides whether factors are
/// cut short by each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// What is shared alone, such as a number of steps.
    Clock,
    /// One factor (by number).
    One(usize),
    /// The end of all of these factors, each over on its own.
    All(Vec<usize>),
    /// The end of the first of these factors to be over.
    Any(Vec<usize>),
    /// A condition that joins states of these factors.
    Coupled(Vec<usize>),
}

/// Is it right to search the factors separately?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exactness {
    Exact,
    /// If this holds.
    Conditional(String),
    /// It is not, or was not shown to be, because of this.
    Heuristic(&'static str),
}

impl Ending {
    pub fn new(analysis: &mut Analysis, net: &Net, roots: &[usize], outcomes: &Outcomes) -> Ending {
        let all = blocks_of(net, net.terminal, &mut analysis.blocks);
        let numbers: Vec<usize> =
            roots.iter().enumerate().filter(|(_, r)| all.contains(r)).map(|(k, _)| k).collect();
        let (and, parts) = outermost(net, net.terminal, &mut analysis.blocks);
        let joins = |p: &Lit| blocks_of(net, *p, &mut analysis.blocks).len() > 1;
        match numbers[..] {
            [] => Ending::Clock,
            [one] => Ending::One(one),
            _ if parts.iter().any(joins) => {
                // Both over, written as all the ways in which both can be.
                let over = [(0, !net.terminal), (1, net.terminal)];
                match RoleAims::new(analysis, net, &over, None, outcomes) {
                    RoleAims { checked: None, .. } => Ending::Coupled(numbers),
                    RoleAims { structure: Structure::Conjunction, .. } => Ending::All(numbers),
                    RoleAims { structure: Structure::Disjunction, .. } => Ending::Any(numbers),
                    _ => Ending::Coupled(numbers),
                }
            }
            _ if and => Ending::All(numbers),
            _ => Ending::Any(numbers),
        }
    }
}

/// Where the end lists the ways in which all factors can be over: the outcomes of each, with a rank where it is over.
pub fn listed_end(analysis: &mut Analysis, net: &Net, outcomes: &Outcomes) -> Option<FactorWorth> {
    let (_, parts) = outermost(net, net.terminal, &mut analysis.blocks);
    let joins = |p: &Lit| blocks_of(net, *p, &mut analysis.blocks).len() > 1;
    if !parts.iter().any(joins) {
        return None;
    }
    let over = [(0, !net.terminal), (1, net.terminal)];
    let ends = RoleAims::new(analysis, net, &over, None, outcomes);
    ends.worth.filter(|_| ends.structure == Structure::Conjunction)
}

/// The roots of the blocks that a literal reads.
fn blocks_of(net: &Net, lit: Lit, blocks: &mut BaseBlocks) -> Vec<usize> {
    let own = support(&net.gates, lit).into_iter().filter(|b| !blocks.is_shared(*b));
    let own: Vec<usize> = own.collect();
    let mut roots: Vec<usize> = own.into_iter().map(|b| blocks.find(b)).collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}

/// A game in factors, about which is asked.
pub struct FactorQuestion<'q> {
    pub analysis: &'q mut Analysis,
    pub net: &'q Net,
    pub kind: FactorKind,
    pub ending: &'q Ending,
    pub aims: &'q Aims,
    pub outcomes: &'q Outcomes,
    /// The factors, by their blocks.
    pub roots: &'q [usize],
    pub grounds: &'q Grounds<'q>,
    /// What has been shown on the way to the answer.
    pub shown: Vec<String>,
}

const TIMES: Exactness =
    Exactness::Heuristic("what can be done in several factors depends on the clock");
const NO_PRODUCT: Exactness =
    Exactness::Heuristic("moves are not products of moves in the factors");
const UNORDERED: Exactness =
    Exactness::Heuristic("a goal is not a monotone function of the factors' outcomes");
const CHANCE: Exactness = Exactness::Heuristic(
    "a role moves by chance: an expected goal is not a function of the factors' expected values",
);
pub const TWO_GOALS: Exactness =
    Exactness::Heuristic("it is not proved that every end gives each role exactly one goal value");
const EFFORT: i32 = 20_000;

impl FactorQuestion<'_> {
    pub fn answer(&mut self, budget: &Budget) -> Result<Exactness, Stop> {
        match self.kind {
            FactorKind::Single => Ok(Exactness::Exact),
            _ if self.net.chance().is_some() => Ok(CHANCE),
            FactorKind::ByChoice => Ok(self.by_choice()),
            _ if !self.analysis.parts.iter().all(|p| self.same_times(p)) => Ok(TIMES),
            FactorKind::Serial if self.analysis.cut.is_some() => Ok(self.one_after_the_other()),
            _ if !self.analysis.parts.iter().all(|p| self.combines(p)) => Ok(NO_PRODUCT),
            _ => self.side_by_side(budget),
        }
    }

    /// The factors on which some goal depends.
    fn needed(&self) -> Vec<usize> {
        let goal = |k: &usize| self.aims.roles.iter().any(|a| a.blocks.contains(&self.roots[*k]));
        (0..self.roots.len()).filter(goal).collect()
    }

    /// Does the clock allow and forbid all moves of a role alike?
    fn same_times(&self, parts: &MoveParts) -> bool {
        parts.times.windows(2).all(|w| w[0] == w[1])
    }

    /// Are the moves of a role all combinations of parts in the factors?
    fn combines(&self, parts: &MoveParts) -> bool {
        let part = |row: &[(usize, u32)], root: &usize| {
            row.iter().find(|e| e.0 == *root).map_or(0, |e| e.1)
        };
        let row = |r: &Vec<(usize, u32)>| self.roots.iter().map(|root| part(r, root)).collect();
        let rows: FxHashSet<Vec<u32>> = parts.rows.iter().map(row).collect();
        is_product(&rows.into_iter().collect::<Vec<_>>(), self.roots.len())
    }

    fn side_by_side(&mut self, budget: &Budget) -> Result<Exactness, Stop> {
        let needed = self.needed();
        self.shown.push("moves are all combinations of parts in the factors".into());
        if self.choosers().len() <= 1 && self.success_ends_it() {
            self.shown
                .push("the success of one factor ends the game and is all that counts".into());
            return Ok(Exactness::Exact);
        }
        let mut conditions = Vec::new();
        match self.ending {
            Ending::Clock => self.shown.push("only what the factors share ends the game".into()),
            Ending::One(k) if needed.iter().all(|n| n == k) => {
                self.shown.push("the factor that ends the game is the only one that counts".into())
            }
            Ending::All(all) if needed.iter().all(|n| all.contains(n)) => {
                if self.keep_outcomes(budget)? {
                    self.shown.push("a factor that is over keeps its outcome".into());
                } else {
                    conditions.push("a factor that is over keeps its outcome");
                }
            }
            ending => return Ok(ending.cuts_short()),
        }
        Ok(self.values_follow(conditions))
    }

    /// A serial game that is cut in two where the first factor is over.
    fn one_after_the_other(&mut self) -> Exactness {
        let (first, rest) = (self.roots[0], self.roots[1]);
        let net = self.net;
        let reads = self.analysis.probe_reads(net, rest);
        let clock = reads.iter().any(|b| self.analysis.blocks.is_shared(*b));
        match self.ending {
            Ending::One(1) | Ending::All(_) if !clock => {}
            Ending::One(1) | Ending::All(_) => {
                return Exactness::Heuristic("the second factor depends on when the first is over");
            }
            Ending::Clock => {
                return Exactness::Heuristic("the factors share a limited number of steps");
            }
            ending => return ending.cuts_short(),
        }
        for at in 0..self.analysis.parts.len() {
            let after = self.analysis.is_after(self.analysis.parts[at].phase);
            let own = |b: &usize, blocks: &mut BaseBlocks| {
                !blocks.is_shared(*b) && blocks.find(*b) == first
            };
            let blocks = &mut self.analysis.blocks;
            let bases: Vec<usize> = (0..net.bases.len()).filter(|b| own(b, blocks)).collect();
            if after && !bases.iter().all(|b| self.analysis.effects[at].still[*b]) {
                return Exactness::Heuristic("the first factor still changes after it is over");
            }
        }
        self.shown
            .push("the first factor is over and no longer changes when the second begins".into());
        self.values_follow(vec![])
    }

    /// Points 3 and 4.
    fn values_follow(&mut self, mut conditions: Vec<&'static str>) -> Exactness {
        let goals = || self.aims.roles.iter().filter(|a| !a.blocks.is_empty());
        // A lone role's goal that is too large a table can still be a plain `and` or `or`.
        let plain = |a: &RoleAims| {
            let form = matches!(a.structure, Structure::Conjunction | Structure::Disjunction);
            self.net.roles.len() == 1 && a.checked.is_none() && form
        };
        // What hangs on one factor alone is what that factor comes to.
        let one = |a: &RoleAims| a.structure == Structure::One;
        if !goals().all(|a| a.worth.is_some() || plain(a) || one(a)) {
            return UNORDERED;
        }
        let read: usize = goals().filter_map(|a| a.checked).sum();
        let how = if read > 0 { format!(", read from {read} combinations") } else { String::new() };
        self.shown.push(format!("every goal is a monotone function of the factors' outcomes{how}"));
        if self.roots.iter().any(|r| self.at_once(*r)) {
            conditions.push("factors with simultaneous moves have a solution in pure strategies");
        } else {
            self.shown.push("no factor has simultaneous choices".into());
        }
        match conditions.is_empty() {
            true => Exactness::Exact,
            false => Exactness::Conditional(conditions.join(", and ")),
        }
    }

    /// Has every factor one value, whatever roles do that makes no difference to themselves?
    pub fn settled(&self) -> bool {
        self.net.roles.len() == 1 || self.roots.iter().all(|r| self.has_one_value(*r))
    }

    /// Do those who choose in a factor want the same or the opposite, and does what makes no
    /// difference to them make none to others?
    fn has_one_value(&self, root: usize) -> bool {
        let Some(column) = self.outcomes.column(Some(root)) else { return true };
        let roles = 0..self.net.roles.len();
        let here = |r: &usize| self.analysis.parts.iter().any(|p| p.role == *r && offers(p, root));
        let choosers: Vec<usize> = roles.clone().filter(here).collect();
        let aims = |r: usize| &self.aims.roles[r];
        let care: Vec<usize> = roles.clone().filter(|r| aims(*r).blocks.contains(&root)).collect();
        let known = care.iter().all(|r| aims(*r).worth.is_some());
        let Some(outcomes) = column.outcomes.as_ref().filter(|_| known) else {
            // What they are worth is not listed, but only whoever chooses cares.
            return choosers.len() <= 1 && care.iter().all(|r| choosers.contains(r));
        };
        // None for an outcome with which the game never ends.
        let rank = |role: usize, outcome: &[bool]| -> Option<usize> {
            let worth = self.aims.roles[role].worth.as_ref();
            let ranks = worth.and_then(|w| w.ranks.iter().find(|r| r.0 == root));
            let Some((_, gates, ranks)) = ranks else { return Some(0) };
            let value = |g: &usize| outcome[column.gates.binary_search(g).expect("a condition")];
            ranks.get(&gates.iter().map(value).collect::<Vec<bool>>()).copied()
        };
        // Outcomes that no goal tells apart are one.
        let ranked = |o: &Vec<bool>| roles.clone().map(|r| rank(r, o)).collect();
        let different: FxHashSet<Vec<usize>> = outcomes.iter().filter_map(ranked).collect();
        let Some(first) = choosers.first() else { return true };
        let pairs = || different.iter().flat_map(|a| different.iter().map(move |b| (a, b)));
        let same = |r: usize| pairs().all(|(a, b)| a[r].cmp(&b[r]) == a[*first].cmp(&b[*first]));
        let opposite =
            |r: usize| pairs().all(|(a, b)| a[r].cmp(&b[r]) == b[*first].cmp(&a[*first]));
        choosers.iter().all(|r| same(*r) || opposite(*r))
            && pairs().all(|(a, b)| a[*first] != b[*first] || a == b)
    }

    /// May several roles choose in a factor at once?
    fn at_once(&self, root: usize) -> bool {
        let visited = self.outcomes.column(Some(root)).and_then(|c| c.visited.as_ref());
        if let Some(visited) = visited {
            return visited.at_once;
        }
        let mut by_phase: FxHashMap<usize, usize> = FxHashMap::default();
        for parts in self.analysis.parts.iter().filter(|p| offers(p, root)) {
            *by_phase.entry(parts.phase).or_default() += 1;
        }
        by_phase.values().any(|n| *n > 1)
    }

    /// The roles that ever have a choice.
    fn choosers(&self) -> Vec<usize> {
        let chooses =
            |r: &usize| self.analysis.parts.iter().any(|p| p.role == *r && p.inputs.len() > 1);
        (0..self.net.roles.len()).filter(chooses).collect()
    }

    /// Is the end, but for the clock, that one factor succeeds, which is the best goal of all roles?
    fn success_ends_it(&mut self) -> bool {
        let blocks = &mut self.analysis.blocks;
        let (and, mut over) = outermost(self.net, self.net.terminal, blocks);
        over.sort_unstable();
        matches!(self.ending, Ending::Any(_))
            && !and
            && self.net.goals.iter().all(|goals| {
                let Some((_, best)) = goals.last().filter(|_| goals.len() <= 2) else {
                    return false;
                };
                let (and, mut parts) = outermost(self.net, *best, blocks);
                parts.sort_unstable();
                !and && parts == over
            })
    }

    /// Does every factor that is over stay over with all that goals ask of it?
    fn keep_outcomes(&mut self, budget: &Budget) -> Result<bool, Stop> {
        let mut asked: Vec<usize> = Vec::new();
        for (_, lit) in self.net.goals.iter().flatten() {
            let Some(gates) = super::outcomes::conditions_of(self.net, *lit, self.analysis) else {
                return Ok(false);
            };
            asked.extend(gates);
        }
        let (and, parts) = outermost(self.net, self.net.terminal, &mut self.analysis.blocks);
        let one = |p: &Lit| blocks_of(self.net, *p, &mut self.analysis.blocks).len() == 1;
        if !and || !parts.iter().all(one) {
            return Ok(self.keep_listed_outcomes(&asked));
        }
        for root in self.roots {
            let mut own = |g: usize| self.analysis.block_of(self.net, g) == Some(*root);
            let over: Vec<Lit> = parts.iter().copied().filter(|p| own(p.gate())).collect();
            let asked: Vec<usize> = asked.iter().copied().filter(|g| own(*g)).collect();
            if !over.is_empty() && !self.keeps(*root, &over, &asked, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The same where the end lists ways in which all factors can be over: an outcome with which the game can
    /// end is over.
    fn keep_listed_outcomes(&mut self, asked: &[usize]) -> bool {
        let listed = listed_end(self.analysis, self.net, self.outcomes);
        let Some(worth) = listed else { return false };
        let waited_for = |k: usize| worth.ranks.iter().any(|r| r.0 == self.roots[k]);
        let waits = |ranks: &FxHashMap<Vec<bool>, usize>| {
            ranks.values().any(|r| *r == 0) && ranks.values().any(|r| *r > 0)
        };
        if !self.needed().into_iter().all(waited_for) || !worth.ranks.iter().all(|r| waits(&r.2)) {
            return false;
        }
        worth.ranks.iter().all(|(root, gates, ranks)| {
            let Some(column) = self.outcomes.column(Some(*root)) else { return false };
            let place = |g: &usize| column.gates.binary_search(g).ok();
            let places: Vec<usize> = gates.iter().filter_map(place).collect();
            let own: Vec<usize> = asked.iter().copied().filter(|g| place(g).is_some()).collect();
            let over = |outcome: &[bool]| {
                let values: Vec<bool> = places.iter().map(|i| outcome[*i]).collect();
                ranks.get(&values).is_some_and(|rank| *rank > 0)
            };
            column.stays(over, &own)
        })
    }

    /// From all states of the factor where they were visited, else from any state.
    fn keeps(
        &self,
        root: usize,
        over: &[Lit],
        asked: &[usize],
        budget: &Budget,
    ) -> Result<bool, Stop> {
        if let Some(column) = self.outcomes.column(Some(root)).filter(|c| c.visited.is_some()) {
            let place = |l: &Lit| column.gates.binary_search(&l.gate()).expect("a condition");
            let holds = |o: &[bool]| over.iter().all(|l| o[place(l)] != l.negated());
            return Ok(column.stays(holds, asked));
        }
        let (prover, numbers) = self.grounds.prover(self.net, budget);
        let mut steps = GroundedSteps::new(&prover, &numbers, self.grounds);
        let goals = asked.iter().flat_map(|g| [Lit::new(*g, false), Lit::new(*g, true)]);
        for lit in goals.chain(over.iter().copied()) {
            if !steps.keeps(over, lit, EFFORT)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// One role chooses which factor it plays.
    fn by_choice(&mut self) -> Exactness {
        let choosers = self.choosers();
        if choosers.len() > 1 {
            return Exactness::Heuristic(
                "roles share the tempo: a move in one factor is a pass in the others",
            );
        }
        let needed = self.needed();
        if !self.analysis.parts.iter().all(|p| self.same_times(p)) {
            return TIMES;
        }
        if !needed.iter().all(|k| self.waits(self.roots[*k])) {
            return Exactness::Heuristic("a factor changes while another one is played");
        }
        let one_by_one = |a: &RoleAims| {
            matches!(a.structure, Structure::None | Structure::One | Structure::Disjunction)
        };
        let others = |all: &[usize]| all.iter().any(|k| !needed.contains(k));
        match self.ending {
            Ending::All(all) if others(all) => {
                Exactness::Heuristic("the game waits for factors that count in no goal")
            }
            Ending::Coupled(_) => self.ending.cuts_short(),
            _ if self
                .aims
                .roles
                .iter()
                .any(|a| !a.blocks.is_empty() && a.structure == Structure::Other) =>
            {
                UNORDERED
            }
            _ if needed.len() <= 1 => {
                Exactness::Conditional("there is always a move in another factor to pass with".into())
            }
            Ending::Any(_) | Ending::Clock if self.aims.roles.iter().all(one_by_one) => {
                Exactness::Conditional("the line of the best factor needs no move in another factor".into())
            }
            Ending::All(_) | Ending::Clock => Exactness::Conditional(
                "the lines of all factors, played one after the other, fit into the number of steps"
                    .into(),
            ),
            ending => ending.cuts_short(),
        }
    }

    /// Does a factor stay as it is while others are played?
    fn waits(&mut self, root: usize) -> bool {
        let blocks = &mut self.analysis.blocks;
        let own =
            |b: &usize, blocks: &mut BaseBlocks| !blocks.is_shared(*b) && blocks.find(*b) == root;
        let bases: Vec<usize> = (0..self.net.bases.len()).filter(|b| own(b, blocks)).collect();
        let chosen = self.analysis.effects.iter().filter(|e| e.moves.len() > 1);
        chosen.into_iter().all(|e| bases.iter().all(|b| e.still[*b]))
    }
}

/// Has the role different things to do in a block?
fn offers(parts: &MoveParts, root: usize) -> bool {
    let part = |row: &Vec<(usize, u32)>| row.iter().find(|e| e.0 == root).map_or(0, |e| e.1);
    parts.rows.iter().map(part).collect::<FxHashSet<u32>>().len() > 1
}

impl Ending {
    /// Why factors that end in this way cannot be searched apart.
    fn cuts_short(&self) -> Exactness {
        Exactness::Heuristic(match self {
            Ending::Any(_) => "the first factor that is over ends the others",
            Ending::Coupled(_) => "the end depends on several factors together",
            Ending::One(_) => "one factor ends the others",
            Ending::All(_) => "the game can end before all factors are over",
            Ending::Clock => "the factors share a limited number of steps",
        })
    }
}

impl Exactness {
    /// One word, and the condition or reason.
    pub fn parts(&self) -> (&'static str, Option<&str>) {
        match self {
            Exactness::Exact => ("exact", None),
            Exactness::Conditional(why) => ("conditional", Some(why)),
            Exactness::Heuristic(why) => ("heuristic", Some(why)),
        }
    }
}

impl fmt::Display for Exactness {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Exactness::Exact => write!(f, "exact"),
            Exactness::Conditional(why) => write!(f, "exact if {why}"),
            Exactness::Heuristic(why) => write!(f, "only a heuristic: {why}"),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |all: &[usize]| -> String {
            all.iter().map(|k| (k + 1).to_string()).collect::<Vec<_>>().join(", ")
        };
        match self {
            Ending::Clock => write!(f, "what is shared"),
            Ending::One(one) => write!(f, "factor {}", one + 1),
            Ending::All(all) => write!(f, "when the factors {} are all over", list(all)),
            Ending::Any(any) => write!(f, "when one of the factors {} is over", list(any)),
            Ending::Coupled(all) => {
                write!(f, "by a condition on several factors together: {}", list(all))
            }
        }
    }
}
