//! Whether searching the factors apart gives what searching the whole game gives, and why (not).

use super::aims::outermost;
use super::blocks::{Blocks, support};
use super::games::Factor;
use super::goals::{RoleAims, Structure};
use super::kind::Kind;
use super::links::Parts;
use crate::budget::{Budget, Stop};
use crate::net::{Lit, Net};
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

/// Is it right to search the factors apart?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exact {
    Exact,
    /// If this holds.
    Conditional(&'static str),
    /// It is not, because of this.
    Heuristic(&'static str),
}

impl Ending {
    pub fn new(
        net: &Net,
        roots: &[usize],
        blocks: &mut Blocks,
        budget: &Budget,
    ) -> Result<Ending, Stop> {
        let all = blocks_of(net, net.terminal, blocks);
        let numbers: Vec<usize> =
            roots.iter().enumerate().filter(|(_, r)| all.contains(r)).map(|(k, _)| k).collect();
        let (and, parts) = outermost(net, net.terminal, blocks);
        Ok(match numbers[..] {
            [] => Ending::Clock,
            [one] => Ending::One(one),
            _ if parts.iter().any(|p| blocks_of(net, *p, blocks).len() > 1) => {
                // Both over, written as all the ways in which both can be.
                let over = [(0, !net.terminal), (1, net.terminal)];
                match RoleAims::new(net, &over, blocks, budget)? {
                    RoleAims { checked: None, .. } => Ending::Coupled(numbers),
                    RoleAims { structure: Structure::Conjunction, .. } => Ending::All(numbers),
                    RoleAims { structure: Structure::Disjunction, .. } => Ending::Any(numbers),
                    _ => Ending::Coupled(numbers),
                }
            }
            _ if and => Ending::All(numbers),
            _ => Ending::Any(numbers),
        })
    }
}

/// The roots of the blocks that a literal reads.
fn blocks_of(net: &Net, lit: Lit, blocks: &mut Blocks) -> Vec<usize> {
    let own = support(&net.gates, lit).into_iter().filter(|b| !blocks.is_shared(*b));
    let own: Vec<usize> = own.collect();
    let mut roots: Vec<usize> = own.into_iter().map(|b| blocks.find(b)).collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}

pub fn exact(
    kind: Kind,
    ending: &Ending,
    goals: &[(Structure, Vec<usize>, Option<usize>)],
    factors: &[Factor],
    parts: &[Parts],
    net: &Net,
) -> Exact {
    let relevant = factors.iter().filter(|f| f.relevant).count();
    if goals.iter().any(|g| g.0 == Structure::Other) && kind != Kind::Single {
        return Exact::Heuristic(
            "a goal is no conjunction, disjunction or sum of the factors' goals",
        );
    }
    let cut_short = match ending {
        Ending::Any(_) => Some("the first factor that is over ends the others"),
        Ending::Coupled(_) => Some("the end joins states of several factors"),
        Ending::One(_) if relevant > 1 => Some("one factor ends the others"),
        _ => None,
    };
    let one_by_one = goals.iter().all(|g| matches!(g.0, Structure::Disjunction | Structure::One));
    match kind {
        Kind::Single => Exact::Exact,
        Kind::PerRole if goals.iter().any(|g| g.1.len() > 1) => {
            Exact::Heuristic("a role's goal depends on factors that others play")
        }
        Kind::Serial => Exact::Exact,
        Kind::ByChoice if net.roles.len() > 1 && choosers(parts, net) > 1 => {
            Exact::Heuristic("roles share the tempo: a move in one factor is a pass in the others")
        }
        Kind::ByChoice if relevant <= 1 => {
            Exact::Conditional("there is always a move elsewhere to pass with")
        }
        Kind::ByChoice if one_by_one && !matches!(ending, Ending::Coupled(_)) => {
            Exact::Conditional("the best factor is played alone")
        }
        _ if cut_short.is_some() => Exact::Heuristic(cut_short.expect("it is")),
        Kind::ByChoice => Exact::Conditional("the steps are enough for the lines of all factors"),
        _ if simultaneous(parts, net) => {
            Exact::Conditional("factors in which several roles choose at once are solved as such")
        }
        _ => Exact::Exact,
    }
}

/// The number of roles that ever have a choice.
fn choosers(parts: &[Parts], net: &Net) -> usize {
    let chooses = |r: &usize| parts.iter().any(|p| p.role == *r && p.inputs.len() > 1);
    (0..net.roles.len()).filter(chooses).count()
}

/// Do several roles choose in the same factor in the same phase?
fn simultaneous(parts: &[Parts], net: &Net) -> bool {
    let touches = |p: &Parts, block: usize| {
        p.inputs.len() > 1 && p.rows.iter().flatten().any(|e| e.0 == block)
    };
    net.roles.len() > 1
        && parts.iter().any(|p| {
            let mut blocks: Vec<usize> = p.rows.iter().flatten().map(|e| e.0).collect();
            blocks.sort_unstable();
            blocks.dedup();
            let others = || parts.iter().filter(|q| q.phase == p.phase && q.role != p.role);
            p.inputs.len() > 1 && blocks.iter().any(|b| others().any(|q| touches(q, *b)))
        })
}

impl Exact {
    /// One word, and the condition or reason.
    pub fn parts(&self) -> (&'static str, Option<&'static str>) {
        match self {
            Exact::Exact => ("exact", None),
            Exact::Conditional(why) => ("conditional", Some(why)),
            Exact::Heuristic(why) => ("heuristic", Some(why)),
        }
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Exact::Exact => write!(f, "exact"),
            Exact::Conditional(why) => write!(f, "exact if {why}"),
            Exact::Heuristic(why) => write!(f, "only a heuristic: {why}"),
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
            Ending::All(all) => write!(f, "when all of factors {} are over", list(all)),
            Ending::Any(any) => write!(f, "when one of factors {} is over", list(any)),
            Ending::Coupled(all) => write!(f, "by a condition that joins factors {}", list(all)),
        }
    }
}
