//! Times: at which moments of a match a fact may be true, where a counter tells the time.
//!
//! What is known of the state after so many moves, whatever they are, follows from what was known before the last one
//! (three-valued). A number that grows by at most one a move is never ahead of the counter, so
//! that it does not run over its end.

use super::search::{InvariantCandidate, InvariantSearch};
use super::{InvariantKind, PlaceColumns};
use ludex_gdl::budget::Stop;
use ludex_net::{KnownGates, Net};
use rustc_hash::FxHashSet;

/// Gates that are looked at in all moments together.
const WORK: usize = 30_000_000;
/// Facts and moments of all candidates together.
const MOST_LITERALS: usize = 20_000;
/// Questions to the solver.
const ROUNDS: usize = 100;

/// What is known of each fact at one moment.
type MomentFacts = Vec<Option<bool>>;

impl InvariantSearch<'_> {
    /// Tries groups that are open once more, with the moments at which their facts may be true. What is left
    /// is given back.
    pub(super) fn with_times(
        &mut self,
        open: Vec<InvariantCandidate>,
    ) -> Result<Vec<InvariantCandidate>, Stop> {
        let bases: FxHashSet<usize> = open.iter().flat_map(|c| c.about.iter().copied()).collect();
        if bases.is_empty() {
            return Ok(open);
        }
        let Some((clock, times)) = self.clock() else { return Ok(open) };
        let mut bases: Vec<usize> = bases.into_iter().filter(|b| !clock.contains(b)).collect();
        bases.sort_unstable();
        if bases.len() * clock.len() > MOST_LITERALS {
            return Ok(open);
        }
        let mut candidates = Vec::new();
        for base in bases {
            let may = |(_, known): &(&usize, &MomentFacts)| known[base] != Some(false);
            let then = clock.iter().zip(&times).filter(may).map(|(fact, _)| *fact);
            let about: Vec<usize> = [base].into_iter().chain(then).collect();
            match about.len() - 1 {
                0 => candidates.push(self.candidate(InvariantKind::AlwaysFalse, about, None)),
                some if some < clock.len() => {
                    candidates.push(self.candidate(InvariantKind::OnlyWith(1), about, None))
                }
                _ => {}
            }
        }
        if candidates.is_empty() {
            return Ok(open);
        }
        let candidates = self.undecided(candidates);
        let left = self.together(candidates.into_iter().chain(open).collect(), ROUNDS)?;
        self.merge_groups();
        Ok(left.into_iter().filter(|c| c.group.is_some()).collect())
    }

    /// The facts of a proved group of which one after the other is known to be true, whatever is played, until
    /// the end; with what is known at each of these moments.
    fn clock(&self) -> Option<(Vec<usize>, Vec<MomentFacts>)> {
        let groups = self
            .found
            .proved_groups()
            .filter(|(g, one)| *one && g.family.iter().all(PlaceColumns::is_whole));
        let groups: Vec<&[usize]> = groups.map(|(g, _)| &g.bases[..]).collect();
        let most = groups.iter().map(|g| g.len()).max()?;
        if most * self.found.net.gates.len() > WORK {
            return None;
        }
        let times = moments(&self.found.net, most);
        groups.into_iter().find_map(|group| {
            let fact = |known: &MomentFacts| {
                let mut now = group.iter().copied().filter(|b| known[*b] != Some(false));
                now.next().filter(|b| known[*b] == Some(true) && now.next().is_none())
            };
            let facts: Vec<usize> = times.as_ref()?.iter().map(fact).collect::<Option<_>>()?;
            let different: FxHashSet<usize> = facts.iter().copied().collect();
            (different.len() == facts.len()).then(|| (facts, times.clone().expect("seen")))
        })
    }
}

/// What is known after no move, one, and so on, until the match is known to be over; none if it may go on for longer
/// than so many moments.
fn moments(net: &Net, most: usize) -> Option<Vec<MomentFacts>> {
    let mut times: Vec<MomentFacts> = vec![net.bases.iter().map(|b| Some(b.initial)).collect()];
    while times.len() <= most {
        let now = times.last().expect("the first");
        let state = KnownGates::new(net, now, &vec![None; net.inputs.len()]);
        if state.value(net.terminal) == Some(true) {
            return Some(times);
        }
        let legal = net.inputs.iter().map(|i| state.value(i.legal));
        let made: Vec<Option<bool>> = legal.map(|l| l.filter(|legal| !legal)).collect();
        let step = KnownGates::new(net, now, &made);
        times.push(net.bases.iter().map(|b| step.value(b.next)).collect());
    }
    None
}
