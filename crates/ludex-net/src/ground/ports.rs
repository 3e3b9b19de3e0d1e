//! `Ground` -> `Ports`: which atoms are the facts, moves and answers of a game, in the order in which
//! every circuit has them.

use super::Ground;
use ludex_gdl::rules::{Rel, TermId};
use rustc_hash::FxHashMap;

/// Atoms by their numbers.
pub struct Ports {
    /// By name.
    pub bases: Vec<BasePort>,
    /// By role and name.
    pub inputs: Vec<InputPort>,
    pub terminal: Option<usize>,
    /// Role, value and atom.
    pub goals: Vec<(usize, i32, usize)>,
}

pub struct BasePort {
    pub name: String,
    pub term: TermId,
    pub atom: usize,
    /// The atom that says that the fact holds next.
    pub next: Option<usize>,
}

pub struct InputPort {
    pub role: usize,
    pub name: String,
    pub term: TermId,
    pub atom: usize,
    /// The atom that says that the move is legal.
    pub legal: Option<usize>,
}

impl Ports {
    pub fn new(ground: &Ground) -> Ports {
        let role_of = |term: TermId| ground.roles.iter().position(|r| *r == term);
        let (mut next, mut legal) = (FxHashMap::default(), FxHashMap::default());
        let mut ports = Ports { bases: vec![], inputs: vec![], terminal: None, goals: vec![] };
        for (atom, a) in ground.atoms.iter().enumerate() {
            match (a.rel, ground.args(a)) {
                (Rel::TRUE, [term]) => {
                    let (term, name) = (*term, ground.term_text(*term));
                    ports.bases.push(BasePort { name, term, atom, next: None });
                }
                (Rel::DOES, [role, term]) => {
                    let role = role_of(*role).expect("of a role");
                    let (term, name) = (*term, ground.term_text(*term));
                    ports.inputs.push(InputPort { role, name, term, atom, legal: None });
                }
                (Rel::NEXT, [fact]) => drop(next.insert(*fact, atom)),
                (Rel::LEGAL, [role, m]) => drop(legal.insert((role_of(*role), *m), atom)),
                (Rel::TERMINAL, _) => ports.terminal = Some(atom),
                (Rel::GOAL, [role, value]) => {
                    let value = ground.term_text(*value).parse();
                    if let (Some(role), Ok(value)) = (role_of(*role), value) {
                        ports.goals.push((role, value, atom));
                    }
                }
                _ => {}
            }
        }
        ports.bases.iter_mut().for_each(|b| b.next = next.get(&b.term).copied());
        ports.inputs.iter_mut().for_each(|i| i.legal = legal.get(&(Some(i.role), i.term)).copied());
        ports.bases.sort_by(|a, b| (&a.name, a.term).cmp(&(&b.name, b.term)));
        ports.inputs.sort_by(|a, b| (a.role, &a.name, a.term).cmp(&(b.role, &b.name, b.term)));
        ports
    }
}
