//! Times: at which moments of a match a fact may be true, where a counter tells the time.
//!
//! What is known of the state after so many moves, whatever they are, follows from what was known before the last one
//! (three-valued). A number that grows by at most one a move is never ahead of the counter, so
//! that it does not run over its end.

use super::search::{InvariantCandidate, InvariantSearch};
use super::{InvariantKind, PlaceColumns};
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{KnownGates, Net};
use rustc_hash::FxHashSet;

/// Gates that are looked at in all moments together.
const WORK: usize = 30_000_000;
const LONG_WORK: usize = 300_000_000;
/// Looks at the whole net.
const MOST_LOOKS: usize = 50_000;
/// Facts and moments of all candidates together.
const MOST_LITERALS: usize = 20_000;
/// Questions to the solver.
const ROUNDS: usize = 100;

/// What is known of each fact at one moment.
type MomentFacts = Vec<Option<bool>>;
/// The facts of a clock one after the other, with what is known at each.
type ClockTimes = (Vec<usize>, Vec<MomentFacts>);

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
        let Some((clock, times)) = self.clock()? else { return Ok(open) };
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
    fn clock(&self) -> Result<Option<ClockTimes>, Stop> {
        let groups = self
            .found
            .proved_groups()
            .filter(|(g, one)| *one && g.family.iter().all(PlaceColumns::is_whole));
        let groups: Vec<&[usize]> = groups.map(|(g, _)| &g.bases[..]).collect();
        let times = moments(&self.found.net, false, WORK, self.found.prover.budget())?;
        let Some(times) = times else { return Ok(None) };
        let clock = groups.into_iter().find_map(|group| {
            let fact = |known: &MomentFacts| {
                let mut now = group.iter().copied().filter(|b| known[*b] != Some(false));
                now.next().filter(|b| known[*b] == Some(true) && now.next().is_none())
            };
            let facts: Vec<usize> = times.iter().map(fact).collect::<Option<_>>()?;
            let different: FxHashSet<usize> = facts.iter().copied().collect();
            (different.len() == facts.len()).then_some(facts)
        });
        Ok(clock.map(|facts| (facts, times)))
    }
}

/// The most steps that a match can take by what is known of each moment whatever is played; none where nothing is, or
/// that takes too much work. With `cases` each move of a role is looked at by itself.
pub(super) fn over_after(net: &Net, cases: bool, budget: &Budget) -> Result<Option<usize>, Stop> {
    let work = if cases { LONG_WORK } else { WORK };
    Ok(moments(net, cases, work, budget)?.map(|times| times.len() - 1))
}

/// What is known after no move, one, and so on, until the match is known to be over; none if it may go on, as far as
/// so many gates are looked at. With `cases` each move of a role is looked at by itself.
fn moments(
    net: &Net,
    cases: bool,
    work: usize,
    budget: &Budget,
) -> Result<Option<Vec<MomentFacts>>, Stop> {
    let mut times: Vec<MomentFacts> = vec![net.bases.iter().map(|b| Some(b.initial)).collect()];
    let mut seen: FxHashSet<MomentFacts> = FxHashSet::default();
    let mut left = (work / net.gates.len().max(1)).min(MOST_LOOKS);
    loop {
        budget.check()?;
        let now = times.last().expect("the first");
        let state = KnownGates::new(net, now, &vec![None; net.inputs.len()]);
        if state.value(net.terminal) == Some(true) {
            return Ok(Some(times));
        }
        let made = known_moves(net, &state);
        let open = made.iter().filter(|made| made.is_none()).count();
        let looks = 2 + if cases { open } else { 0 };
        // Where the same is known as before, it goes on like this.
        if looks > left || !seen.insert(now.clone()) {
            return Ok(None);
        }
        left -= looks;
        let mut next = after(net, now, &made);
        if cases {
            (0..net.roles.len()).for_each(|role| by_cases(net, now, &made, role, &mut next));
        }
        times.push(next);
    }
}

/// Moves that are not legal are not made, and a role's only possible move is.
fn known_moves(net: &Net, state: &KnownGates) -> Vec<Option<bool>> {
    let possible = |i: &usize| state.value(net.inputs[*i].legal) != Some(false);
    let mut made = vec![Some(false); net.inputs.len()];
    for role in 0..net.roles.len() {
        let possible: Vec<usize> = net.inputs_of(role).filter(possible).collect();
        let only = (possible.len() == 1).then_some(true);
        possible.into_iter().for_each(|i| made[i] = only);
    }
    made
}

fn after(net: &Net, now: &MomentFacts, made: &[Option<bool>]) -> MomentFacts {
    let step = KnownGates::new(net, now, made);
    net.bases.iter().map(|b| step.value(b.next)).collect()
}

/// Adds what is the same whichever of its moves a role makes.
fn by_cases(
    net: &Net,
    now: &MomentFacts,
    made: &[Option<bool>],
    role: usize,
    next: &mut MomentFacts,
) {
    let mut common: Option<MomentFacts> = None;
    for i in net.inputs_of(role).filter(|i| made[*i].is_none()) {
        let mut made = made.to_vec();
        made[net.inputs_of(role)].fill(Some(false));
        made[i] = Some(true);
        let then = after(net, now, &made);
        common = Some(match common {
            None => then,
            Some(common) => {
                common.into_iter().zip(then).map(|(a, b)| a.filter(|_| a == b)).collect()
            }
        });
    }
    for (next, common) in next.iter_mut().zip(common.unwrap_or_default()) {
        *next = next.or(common);
    }
}
