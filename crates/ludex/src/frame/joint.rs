//! General joint moves and move coverings.

use super::reach::FrameReach;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Atom, Literal, Rel, Rules, Symbol, Term};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A general joint move: one `does` atom per role. Variables are numbered by role and argument, so
/// that they are the same in every joint move of a covering.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Joint {
    /// By role.
    pub does: Vec<Atom>,
}

impl Joint {
    /// `I_M`: the inequalities between the roles.
    pub(crate) fn inequalities(does: &[Atom]) -> Vec<Literal> {
        let mut all = Vec::new();
        for (i, a) in does.iter().enumerate() {
            for b in &does[i + 1..] {
                all.push(Literal::Distinct(a.args[0].clone(), b.args[0].clone()));
            }
        }
        all
    }

    /// The action name at `k`, none where it is a variable.
    pub fn name(&self, k: usize) -> Option<(Symbol, usize)> {
        match &self.does[k].args[1] {
            Term::App(f, args) => Some((*f, args.len())),
            Term::Var(_) => None,
        }
    }
}

/// The three coverings of the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Covering {
    /// One general joint move for everything.
    Generic,
    /// C_D: every role with each of its action names.
    Direct,
    /// C_P: C_D without what provably never happens.
    #[default]
    Pruned,
}

impl Covering {
    /// Every covering.
    pub const ALL: [Covering; 3] = [Covering::Generic, Covering::Direct, Covering::Pruned];
}

impl fmt::Display for Covering {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Covering::Generic => "generic",
            Covering::Direct => "direct",
            Covering::Pruned => "pruned",
        })
    }
}

/// A product with more general joint moves is made coarser.
const MOST: usize = 4096;

/// A move covering, with remarks on how it was made.
#[derive(Clone, Debug)]
pub struct MoveCovering {
    /// The general joint moves.
    pub joints: Vec<Joint>,
    /// Variables of a general joint move have smaller numbers.
    pub vars: u32,
    /// What was done otherwise than asked for, and why.
    pub notes: Vec<String>,
    /// Facts that are known where a joint move is made.
    pub known: Vec<JointFacts>,
    /// The limit that kept it from being smaller.
    pub stopped: Option<Stop>,
}

/// What is proved of every state in which a general joint move is legal: whose turn it is, most of all.
#[derive(Clone, Debug)]
pub struct JointFacts {
    /// The joint move.
    pub joint: Joint,
    /// Facts that are true there.
    pub always: Vec<Term>,
    /// Facts that are not.
    pub never: Vec<Term>,
}

impl JointFacts {
    /// The value of a condition, if it is known.
    pub fn value(&self, condition: &Literal) -> Option<bool> {
        let atom = condition.atom().filter(|a| a.rel == Rel::TRUE)?;
        let fact = &atom.args[0];
        let holds = match (self.always.contains(fact), self.never.contains(fact)) {
            (true, _) => true,
            (_, true) => false,
            _ => return None,
        };
        Some(holds == matches!(condition, Literal::Pos(_)))
    }
}

/// The covering of any game with so many roles: `does(P1, A1), …, does(Pn, An)`.
pub fn generic(roles: usize) -> MoveCovering {
    let does = |k: u32| Atom { rel: Rel::DOES, args: vec![Term::Var(2 * k), Term::Var(2 * k + 1)] };
    let joint = Joint { does: (0..roles as u32).map(does).collect() };
    MoveCovering {
        joints: vec![joint],
        vars: 2 * roles as u32,
        notes: vec![],
        known: vec![],
        stopped: None,
    }
}

/// C_D: for each role, each of its action names with variables as arguments.
pub fn direct(rules: &Rules, reach: &FrameReach, budget: &Budget) -> Result<MoveCovering, Stop> {
    let mut names: Vec<Vec<Option<(Symbol, usize)>>> =
        reach.actions().iter().map(|names| names.iter().copied().map(Some).collect()).collect();
    // A role that never has a move must not make the product empty.
    names.iter_mut().filter(|n| n.is_empty()).for_each(|n| n.push(None));
    let mut notes = Vec::new();
    coarsen(rules, reach, &mut names, &mut notes);
    let width = names.iter().flatten().flatten().map(|n| n.1).max().unwrap_or(0).max(1) as u32;
    let atom = |role: usize, name: Option<(Symbol, usize)>| {
        let first = role as u32 * width;
        let action = match name {
            None => Term::Var(first),
            Some((f, arity)) => {
                Term::App(f, (0..arity as u32).map(|i| Term::Var(first + i)).collect())
            }
        };
        Atom { rel: Rel::DOES, args: vec![reach.roles()[role].clone(), action] }
    };
    let mut joints = vec![Joint { does: vec![] }];
    for (role, names) in names.iter().enumerate() {
        let mut longer = Vec::new();
        for joint in &joints {
            budget.check()?;
            for name in names {
                let mut does = joint.does.clone();
                does.push(atom(role, *name));
                longer.push(Joint { does });
            }
        }
        joints = longer;
    }
    Ok(MoveCovering {
        joints,
        vars: width * names.len() as u32,
        notes,
        known: vec![],
        stopped: None,
    })
}

/// Takes the roles with the most action names together until the product is small enough.
fn coarsen(
    rules: &Rules,
    reach: &FrameReach,
    names: &mut [Vec<Option<(Symbol, usize)>>],
    notes: &mut Vec<String>,
) {
    let product =
        |names: &[Vec<_>]| names.iter().fold(1usize, |n, role| n.saturating_mul(role.len().max(1)));
    while product(names) > MOST {
        let most = (0..names.len()).rev().max_by_key(|r| names[*r].len()).expect("a product");
        let Term::App(role, _) = &reach.roles()[most] else { unreachable!("roles are ground") };
        notes.push(format!(
            "the moves of {} are not told apart: the product of action names is too large",
            rules.symbols.name(*role)
        ));
        names[most] = vec![None];
    }
}
