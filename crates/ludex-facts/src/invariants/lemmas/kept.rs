//! `KeptLemma`: a lemma by the names of its facts and roles, to be kept beyond the run of a program.

use super::{Author, Lemma, Lemmas};
use crate::invariants::InvariantKind;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptLemma {
    kind: InvariantKind,
    /// Roles, then facts, as the kind says.
    about: Vec<String>,
    by: Author,
    k: usize,
    /// Numbers of lemmas in the list.
    rests_on: Vec<usize>,
}

impl Lemmas {
    pub fn kept(&self) -> Vec<KeptLemma> {
        let kept = |lemma: &Lemma| {
            let (roles, bases) = lemma.about.split_at(lemma.kind.roles(lemma.about.len()));
            let roles = roles.iter().map(|r| self.net.roles[*r].clone());
            let bases = bases.iter().map(|b| self.net.bases[*b].name.clone());
            let Lemma { kind, by, k, ref rests_on, .. } = *lemma;
            let (about, rests_on) = (roles.chain(bases).collect(), rests_on.clone());
            KeptLemma { kind, about, by, k, rests_on }
        };
        self.list.iter().map(kept).collect()
    }

    /// Takes over what was kept: all of it, or nothing where it does not fit the net.
    pub fn recall(&mut self, kept: &[KeptLemma]) {
        let bases = self.net.bases.iter().enumerate();
        let names: FxHashMap<&str, usize> = bases.map(|(b, base)| (&*base.name, b)).collect();
        let role = |name: &String| self.net.roles.iter().position(|role| role == name);
        let about = |lemma: &KeptLemma| -> Option<Vec<usize>> {
            let (roles, bases) = lemma.about.split_at(lemma.kind.roles(lemma.about.len()));
            let bases = bases.iter().map(|name| names.get(&**name).copied());
            let about: Vec<usize> = roles.iter().map(role).chain(bases).collect::<Option<_>>()?;
            let known = lemma.rests_on.iter().all(|number| *number < kept.len());
            (known && lemma.kind.fits(about.len())).then_some(about)
        };
        let Some(abouts) = kept.iter().map(about).collect::<Option<Vec<_>>>() else { return };
        let numbers: Vec<usize> = kept
            .iter()
            .zip(abouts)
            .map(|(lemma, about)| {
                let KeptLemma { kind, by, k, .. } = *lemma;
                self.add(Lemma { kind, about, by, k, rests_on: vec![] })
            })
            .collect();
        for (lemma, number) in kept.iter().zip(&numbers) {
            if self.list[*number].rests_on.is_empty() {
                self.found(*number, lemma.rests_on.iter().map(|n| numbers[*n]).collect());
            }
        }
    }
}

impl InvariantKind {
    /// Can it be about so many roles and facts?
    fn fits(self, about: usize) -> bool {
        use InvariantKind::*;
        match self {
            AlwaysTrue | AlwaysFalse | Persistent | NeverReturns | Mobility | OneGoal => about == 1,
            Equivalent | Implies => about == 2,
            OnlyWith(count) | NeverWith(count) => (1..about).contains(&count),
            ExactlyOne | AtMostOne | AtLeastOne | SomeOf | Turn | Alternation => about > 0,
            ConstantSum(_) | Termination(_) => true,
        }
    }
}
