//! `Lemmas`: the base of what is proved of a game, each with who proved it and what it rests on.
//!
//! Every analysis may use what is there and adds what it proves. A lemma speaks of the base propositions
//! of one net; it is restated for another net of the same game, such as one with latches folded in, by
//! what became of these. Lemmas hold in the states that play reaches without going past an end.

mod kept;

pub use kept::KeptLemma;

use crate::invariants::InvariantKind;
use crate::invariants::said;
use crate::prove::Prover;
use ludex_net::{Lit, Net};
use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    pub kind: InvariantKind,
    /// Bases, or roles, as the kind says.
    pub about: Vec<usize>,
    pub by: Author,
    /// The steps of the induction.
    pub k: usize,
    /// Numbers of lemmas in the base.
    pub rests_on: Vec<usize>,
}

/// Who proved a lemma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Author {
    /// It is seen from the net alone.
    Structure,
    Invariants,
    Latches,
    Boards,
}

impl fmt::Display for Author {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Author::Structure => "structure",
            Author::Invariants => "invariants",
            Author::Latches => "latches",
            Author::Boards => "boards",
        })
    }
}

#[derive(Clone)]
pub struct Lemmas {
    pub net: Arc<Net>,
    list: Vec<Lemma>,
    numbers: FxHashMap<(InvariantKind, Vec<usize>), usize>,
}

impl Lemmas {
    pub fn new(net: Arc<Net>) -> Lemmas {
        Lemmas { net, list: vec![], numbers: FxHashMap::default() }
    }

    /// Its number. What is there already keeps its first proof.
    pub fn add(&mut self, lemma: Lemma) -> usize {
        let next = self.list.len();
        let number = *self.numbers.entry((lemma.kind, lemma.about.clone())).or_insert(next);
        if number == next {
            self.list.push(lemma);
        }
        number
    }

    /// What a lemma of the base rests on, once that is there, too.
    pub fn found(&mut self, number: usize, on: Vec<usize>) {
        self.list[number].rests_on = on;
    }

    pub fn iter(&self) -> impl Iterator<Item = &Lemma> {
        self.list.iter()
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub fn number(&self, kind: InvariantKind, about: &[usize]) -> Option<usize> {
        self.numbers.get(&(kind, about.to_vec())).copied()
    }

    pub fn text(&self, number: usize) -> String {
        let lemma = &self.list[number];
        said(lemma.kind, &lemma.about, &self.net)
    }

    /// What bases are from a reachable state on, whatever is played: always so, or for good by now.
    pub(crate) fn for_good(&self, state: &[bool]) -> Vec<Option<bool>> {
        let mut values = vec![None; state.len()];
        for lemma in &self.list {
            let Some(base) = lemma.about.first().copied() else { continue };
            match lemma.kind {
                InvariantKind::AlwaysTrue => values[base] = Some(true),
                InvariantKind::AlwaysFalse => values[base] = Some(false),
                InvariantKind::Persistent if state[base] => values[base] = Some(true),
                InvariantKind::NeverReturns if !state[base] => values[base] = Some(false),
                _ => {}
            }
        }
        values
    }

    /// Makes lemmas of a prover from those over one state, by what each base is there; those about a base
    /// that is unknown there are left out. Gives the numbers, in the order of the prover's lemmas.
    pub(crate) fn restate(
        &self,
        prover: &mut Prover,
        base: impl Fn(usize) -> Option<Lit>,
    ) -> Vec<usize> {
        let mut numbers = Vec::new();
        for (number, lemma) in self.list.iter().enumerate() {
            if lemma.kind.roles(lemma.about.len()) > 0 {
                continue;
            }
            let lits: Option<Vec<Lit>> = lemma.about.iter().map(|b| base(*b)).collect();
            if let Some(lit) = lits.and_then(|lits| lemma.kind.lit(&lits, prover)) {
                prover.add_lemma(lit);
                numbers.push(number);
            }
        }
        numbers
    }

    /// The lemmas in another net of the same game, where base propositions have the same names.
    pub(crate) fn carried_to(&self, net: &Arc<Net>) -> Lemmas {
        let bases = net.bases.iter().enumerate();
        let names: FxHashMap<&str, usize> = bases.map(|(b, base)| (&*base.name, b)).collect();
        let (mut there, mut numbers) = (Lemmas::new(net.clone()), FxHashMap::default());
        for (number, lemma) in self.list.iter().enumerate() {
            let (roles, bases) = lemma.about.split_at(lemma.kind.roles(lemma.about.len()));
            let bases = bases.iter().map(|b| names.get(&*self.net.bases[*b].name).copied());
            let about: Option<Vec<usize>> = roles.iter().copied().map(Some).chain(bases).collect();
            let Some(about) = about else { continue };
            let on = lemma.rests_on.iter().filter_map(|n| numbers.get(n).copied()).collect();
            numbers.insert(number, there.add(Lemma { about, rests_on: on, ..lemma.clone() }));
        }
        there
    }
}

impl InvariantKind {
    /// How many of those that it is about are roles; the others are bases.
    pub(crate) fn roles(self, about: usize) -> usize {
        match self {
            InvariantKind::Turn => 1,
            InvariantKind::Mobility | InvariantKind::OneGoal | InvariantKind::ConstantSum(_) => {
                about
            }
            _ => 0,
        }
    }

    /// What is said of a state by a kind that speaks of its bases alone; none for the other kinds.
    pub fn lit(self, bases: &[Lit], prover: &mut Prover) -> Option<Lit> {
        let all = || bases.iter().copied();
        Some(match self {
            InvariantKind::AtMostOne => prover.at_most_one(bases),
            InvariantKind::AtLeastOne | InvariantKind::SomeOf => prover.or(all()),
            InvariantKind::ExactlyOne => {
                let (most, least) = (prover.at_most_one(bases), prover.or(all()));
                prover.and([most, least])
            }
            InvariantKind::AlwaysTrue => bases[0],
            InvariantKind::AlwaysFalse => !bases[0],
            InvariantKind::Equivalent => {
                let [x, y] = [bases[0], bases[1]];
                let (up, down) = (prover.or([!x, y]), prover.or([x, !y]));
                prover.and([up, down])
            }
            InvariantKind::Implies => prover.or([!bases[0], bases[1]]),
            InvariantKind::OnlyWith(count) | InvariantKind::NeverWith(count) => {
                let (of, other) = bases.split_at(count);
                let [now, then] = [of, other].map(|part| prover.or(part.iter().copied()));
                prover.or([
                    !now,
                    if matches!(self, InvariantKind::OnlyWith(_)) { then } else { !then },
                ])
            }
            _ => return None,
        })
    }
}
