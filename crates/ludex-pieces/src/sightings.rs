//! Changes -> `Sighting`s: which piece went where, what was set, what turned into what, what was taken.

use crate::field::PlaceField;
use crate::lattice::Lattice;
use crate::watch::{WatchedMoves, WatchedState};
use ludex_facts::samples::Samples;
use ludex_reason::Role;

/// What a transition did on a board. Places and labels are numbers of the field.
#[derive(Clone, Debug, Default)]
pub struct Sighting {
    pub moved: Vec<Moved>,
    pub set: Vec<At>,
    pub turned: Vec<(At, usize)>,
    pub taken: Vec<At>,
    /// Pieces of these kinds went to other places several at once.
    pub shifted: Vec<usize>,
}

/// A label at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At {
    pub place: usize,
    pub label: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    pub label: usize,
    pub from: usize,
    pub to: usize,
    /// What arrived.
    pub becomes: usize,
}

/// A field with what is told by its changes alone.
pub struct Scout<'a> {
    pub field: &'a PlaceField,
    /// The label that says that nothing is there.
    pub blank: Option<usize>,
    /// By label the role that makes it appear.
    pub owners: Vec<Option<Role>>,
    /// By label whether it ever changes.
    pub changing: Vec<bool>,
    /// Whether what happens hangs on a choice.
    pub chosen: bool,
}

/// Of 20 appearances 19 at least by one role make it the owner.
const OWN: (usize, usize) = (19, 20);

impl<'a> Scout<'a> {
    pub fn new(
        field: &'a PlaceField,
        watched: &WatchedMoves,
        samples: &Samples,
        roles: usize,
    ) -> Scout<'a> {
        let labels = field.labels.len();
        let (mut counts, mut active) = (vec![[0usize; 3]; labels], 0);
        let mut gains = vec![vec![0usize; roles + 1]; labels];
        let mut chosen = false;
        for state in &watched.states {
            for t in state.transitions.clone() {
                let changes = spots(field, samples, state, watched.changes(t));
                let mut seen = vec![];
                for (at, gained) in changes {
                    counts[at.label][1 + usize::from(gained)] += 1;
                    if gained {
                        gains[at.label][state.chooser.unwrap_or(roles)] += 1;
                    }
                    if !seen.contains(&at.label) {
                        counts[at.label][0] += 1;
                        seen.push(at.label);
                    }
                }
                active += usize::from(!seen.is_empty());
            }
            chosen |= differs(field, watched, state);
        }
        let first = |label: usize| held(field, samples, 0).filter(|at| at.label == label).count();
        let blank = blank(field, (&counts, active), &first);
        let owners = gains.iter().map(|gains| owner(gains, roles)).collect();
        let changing = counts.iter().map(|count| count[0] > 0).collect();
        Scout { field, blank, owners, changing, chosen }
    }

    pub fn sighting(
        &self,
        watched: &WatchedMoves,
        samples: &Samples,
        state: &WatchedState,
        transition: usize,
    ) -> Sighting {
        let changes = spots(self.field, samples, state, watched.changes(transition));
        let (mut lost, mut gained) = (Vec::new(), Vec::new());
        for (at, is_gained) in changes.filter(|(at, _)| Some(at.label) != self.blank) {
            if is_gained { gained.push(at) } else { lost.push(at) }
        }
        let mut sighting = Sighting::default();
        self.match_moves(&mut lost, &mut gained, &mut sighting);
        if sighting.shifted.is_empty() {
            self.match_promotion(&mut lost, &mut gained, &mut sighting);
            for at in gained {
                match lost.iter().position(|l| l.place == at.place) {
                    Some(old) => sighting.turned.push((lost.swap_remove(old), at.label)),
                    None => sighting.set.push(at),
                }
            }
            sighting.taken = lost;
        }
        sighting
    }

    /// A label that goes from one place and comes to one has moved.
    fn match_moves(&self, lost: &mut Vec<At>, gained: &mut Vec<At>, sighting: &mut Sighting) {
        for at in gained.clone() {
            let own: Vec<At> = lost.iter().copied().filter(|l| l.label == at.label).collect();
            let twins = gained.iter().filter(|g| g.label == at.label).count();
            let from = match (&own[..], twins) {
                ([], _) => continue,
                ([one], 1) => Some(*one),
                (_, 1) => farthest(&self.field.lattice, &own, at.place),
                _ => None,
            };
            let Some(from) = from else {
                sighting.shifted.push(at.label);
                continue;
            };
            lost.retain(|l| *l != from);
            gained.retain(|g| *g != at);
            let (from, to) = (from.place, at.place);
            sighting.moved.push(Moved { label: at.label, from, to, becomes: at.label });
        }
    }

    /// One label that comes and another one of the same role that goes from another place.
    fn match_promotion(&self, lost: &mut Vec<At>, gained: &mut Vec<At>, sighting: &mut Sighting) {
        let [at] = gained[..] else { return };
        let mine = |l: &&At| {
            l.place != at.place
                && self.owners[l.label].is_some()
                && self.owners[l.label] == self.owners[at.label]
        };
        let mut candidates = lost.iter().filter(mine);
        let (Some(from), None) = (candidates.next().copied(), candidates.next()) else { return };
        lost.retain(|l| *l != from);
        gained.clear();
        let (label, from, to) = (from.label, from.place, at.place);
        sighting.moved.push(Moved { label, from, to, becomes: at.label });
    }
}

/// What stands on a board in a sampled state.
pub fn held<'a>(
    field: &'a PlaceField,
    samples: &'a Samples,
    sample: usize,
) -> impl Iterator<Item = At> + 'a {
    let spots = field.spots.iter().enumerate();
    spots.filter_map(move |(base, spot)| {
        let (place, label) = (*spot)?;
        samples.holds(sample, base).then_some(At { place, label })
    })
}

/// The changes on a board, and whether something appears.
fn spots<'a>(
    field: &'a PlaceField,
    samples: &'a Samples,
    state: &'a WatchedState,
    changes: &'a [u32],
) -> impl Iterator<Item = (At, bool)> + 'a {
    changes.iter().filter_map(|base| {
        let (place, label) = field.spots[*base as usize]?;
        Some((At { place, label }, !samples.holds(state.sample, *base as usize)))
    })
}

/// Whether two moves change the board in different ways.
fn differs(field: &PlaceField, watched: &WatchedMoves, state: &WatchedState) -> bool {
    let own = |t: usize| {
        let on_board = |b: &&u32| field.spots[**b as usize].is_some();
        watched.changes(t).iter().filter(on_board)
    };
    let mut all = state.transitions.clone();
    let first = all.next();
    first.is_some_and(|first| all.any(|t| !own(t).eq(own(first))))
}

/// The label that takes part in all that happens. Where two do: the one that both comes and goes, else the one that
/// only goes, else the one that there is more of as time goes by, else the one that there is more of at first. Where
/// more do, since pieces turn others: the one that only goes.
fn blank(
    field: &PlaceField,
    (counts, active): (&[[usize; 3]], usize),
    first: &dyn Fn(usize) -> usize,
) -> Option<usize> {
    // A board whose places can be empty without saying so has no such label.
    let full = (0..counts.len()).map(first).sum::<usize>() == field.places.len();
    let always = |l: &usize| active > 0 && counts[*l][0] * 10 >= active * 9;
    let often: Vec<usize> = (0..counts.len()).filter(always).collect();
    if !full || counts.len() < 2 {
        return None;
    }
    let both = |l: &&usize| counts[**l][1] > 0 && counts[**l][2] > 0;
    let only_goes = often.iter().copied().find(|l| counts[*l][2] == 0);
    if often.len() > 2 {
        return only_goes;
    }
    let grows = |l: &usize| counts[*l][2] as i64 - counts[*l][1] as i64;
    match &often.iter().filter(both).collect::<Vec<_>>()[..] {
        [one] => Some(**one),
        _ => only_goes.or_else(|| often.iter().copied().max_by_key(|l| (grows(l), first(*l)))),
    }
}

fn owner(gains: &[usize], roles: usize) -> Option<Role> {
    let total: usize = gains.iter().sum();
    let best = (0..roles).max_by_key(|role| (gains[*role], usize::MAX - role))?;
    (total > 0 && gains[best] * OWN.1 >= total * OWN.0).then_some(best)
}

/// Of pieces of a kind that went at once, the one that jumped over all others to a place.
fn farthest(lattice: &Lattice, own: &[At], to: usize) -> Option<At> {
    let over_all = |from: &&At| {
        let Some((direction, steps)) = lattice.way(from.place, to) else { return false };
        let between: Vec<usize> = lattice.between(from.place, (&direction, steps)).collect();
        own.iter().all(|other| other.place == from.place || between.contains(&other.place))
    };
    own.iter().find(over_all).copied()
}
