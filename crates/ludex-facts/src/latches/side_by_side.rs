//! Latch modification: the net from a state on, and both nets played side by side.

use super::finally::{Final, finally_with};
use crate::lemmas::Lemmas;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_net::fold::Folded;
use ludex_net::{Lit, Net};
use ludex_reason::{Move, Random, StateMachine};
use std::sync::Arc;

/// A net that is equivalent to another one from a state on (Lemma 4.5).
pub struct Folding {
    pub folded: Folded,
    /// What has its final value, by number of the old net.
    pub finally: Final,
    /// The state of the old net with which the new one begins.
    pub start: Vec<bool>,
}

/// Folds everything in that has its final value in a state.
pub fn fold(net: &Net, state: &[bool]) -> Folding {
    fold_with(net, state, &vec![None; state.len()])
}

/// The same with all that is proved of bases which keep their value from this state on.
pub fn fold_known(net: &Net, state: &[bool], known: &Lemmas) -> Folding {
    fold_with(net, state, &known.for_good(state))
}

fn fold_with(net: &Net, state: &[bool], for_good: &[Option<bool>]) -> Folding {
    let finally = finally_with(net, state, for_good);
    // A move that must be made stays an input: every role makes one.
    let inputs: Vec<Option<bool>> = finally.inputs.iter().map(|i| i.filter(|made| !made)).collect();
    let mut folded = net.fold(&finally.bases, &inputs);
    for (base, old) in folded.net.bases.iter_mut().zip(&folded.bases) {
        base.initial = state[*old];
    }
    Folding { folded, finally, start: state.to_vec() }
}

/// What a comparison of two nets has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SideBySide {
    /// They were the same in so many states.
    Same { states: usize },
    /// What differs.
    Different(String),
}

impl Folding {
    /// What each base of the old net is in the new one.
    pub fn lits(&self) -> Vec<Option<Lit>> {
        let value = |value: &Option<bool>| value.map(|v| if v { Lit::TRUE } else { Lit::FALSE });
        let mut lits: Vec<Option<Lit>> = self.finally.bases.iter().map(value).collect();
        for (new, old) in self.folded.bases.iter().enumerate() {
            lits[*old] = Some(self.folded.net.base_lit(new));
        }
        lits
    }

    /// Plays matches at random in both nets and compares all that can be seen of every state.
    pub fn compare(
        &self,
        net: &Arc<Net>,
        matches: usize,
        seed: u64,
        budget: &Budget,
    ) -> Result<SideBySide, Stop> {
        let mut old = Scalar::within(net.clone(), budget)?;
        let mut new = Scalar::within(Arc::new(self.folded.net.clone()), budget)?;
        let mut random = Random::new(seed);
        let mut seen = 0;
        for _ in 0..matches {
            let mut states = (State::of(self.start.iter().copied()), new.initial());
            for _ in 0..MOST_MOVES {
                budget.check()?;
                seen += 1;
                if let Some(why) = self.difference(&mut old, &mut new, &states) {
                    return Ok(SideBySide::Different(why));
                }
                let Some(joint) = self.joint(&mut new, &states.1, &mut random) else { break };
                let whole: Vec<Move> =
                    joint.iter().map(|m| Move(self.folded.inputs[m.0 as usize] as u32)).collect();
                states = (old.next(&states.0, &whole), new.next(&states.1, &joint));
            }
        }
        Ok(SideBySide::Same { states: seen })
    }

    fn joint(&self, new: &mut Scalar, state: &State, random: &mut Random) -> Option<Vec<Move>> {
        if new.terminal(state) {
            return None;
        }
        let pick = |role| {
            let mut legal = Vec::new();
            new.legal(state, role, &mut legal);
            (!legal.is_empty()).then(|| legal[random.below(legal.len())])
        };
        (0..self.folded.net.roles.len()).map(pick).collect()
    }

    fn difference(
        &self,
        old: &mut Scalar,
        new: &mut Scalar,
        states: &(State, State),
    ) -> Option<String> {
        for (b, value) in self.finally.bases.iter().enumerate() {
            let (now, kept) = (states.0.holds(b), self.folded.bases.binary_search(&b));
            let expected = kept.map_or_else(|_| *value, |n| Some(states.1.holds(n)));
            if expected != Some(now) {
                return Some(format!("{} differs", old.net().bases[b].name));
            }
        }
        if old.terminal(&states.0) != new.terminal(&states.1) {
            return Some("terminal differs".into());
        }
        for role in 0..old.roles() {
            if old.goal(&states.0, role) != new.goal(&states.1, role) {
                return Some(format!("the goal of {} differs", old.role_text(role)));
            }
            let (mut a, mut b) = (Vec::new(), Vec::new());
            old.legal(&states.0, role, &mut a);
            new.legal(&states.1, role, &mut b);
            b.iter_mut().for_each(|m| *m = Move(self.folded.inputs[m.0 as usize] as u32));
            if a != b {
                return Some(format!("the legal moves of {} differ", old.role_text(role)));
            }
        }
        None
    }
}

/// Matches that go on for longer are cut.
const MOST_MOVES: usize = 200;
