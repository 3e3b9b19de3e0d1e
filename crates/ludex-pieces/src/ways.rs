//! Sightings -> `Ways`: in which directions a piece goes, how far, onto what, and how often it could have.

use crate::lattice::Direction;
use crate::sightings::{At, Moved, Scout, Sighting, held};
use crate::watch::{WatchedMoves, WatchedState};
use indexmap::{IndexMap, IndexSet};
use ludex_facts::samples::Samples;
use ludex_gdl::budget::{Budget, Stop};
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is between the ends of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Passage {
    /// Nothing stands there.
    Free,
    /// Something stands there, and stays.
    Over,
    /// Something stands there, and is taken.
    Jump,
}

/// A direction, a number of steps, and what is between.
pub type PieceWay = (Direction, i32, Passage);

/// How often a way was gone and how often it could have been, by what stood at its end: nothing, a piece of
/// others, an own one.
#[derive(Clone, Debug, Default)]
pub struct WayUses {
    pub gone: [usize; 3],
    pub open: [usize; 3],
    /// Places from which it was gone, and those from which it never was though it could have been.
    pub from: FxHashSet<usize>,
    pub missed: FxHashSet<usize>,
}

/// All that was seen of one label.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    pub ways: IndexMap<PieceWay, WayUses>,
    /// Moves between places that no direction joins.
    pub leaps: IndexSet<(usize, usize)>,
    /// What it took: the label, whether by coming to its place, over it, or elsewhere, and how often.
    pub taken: IndexMap<(usize, Manner), usize>,
    /// What it turned into: the label, and whether by moving; the places where.
    pub becomes: IndexMap<(usize, bool), FxHashSet<usize>>,
    /// Where it came to without a change.
    pub stays: FxHashSet<usize>,
    /// Where it was set, and how often it was and could have been on an empty place.
    pub set: FxHashSet<usize>,
    pub set_uses: [usize; 2],
    /// The label with whose move it was set.
    pub set_with: Option<usize>,
    /// Was it set where lines are filled from one end: by axis and end, still true.
    pub falls: Vec<(usize, i32)>,
    /// What it turned elsewhere when it was set or moved.
    pub turns: IndexMap<(usize, usize), usize>,
    /// It was taken from the board without another piece's move.
    pub removed: usize,
    /// It moved together with others of its kind.
    pub shifted: bool,
    /// Times that it stood somewhere with its owner to move.
    pub stood: usize,
}

/// How a piece is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// The piece comes to its place.
    Replaced,
    /// The piece moves over it.
    JumpedOver,
    Elsewhere,
}

impl Habits {
    /// In every direction that was gone freely, one step more than was seen: could it have been?
    fn probe(&mut self) {
        let mut farthest: IndexMap<Direction, i32> = IndexMap::new();
        let free = self.ways.keys().filter(|(_, _, passage)| *passage == Passage::Free);
        for (direction, steps, _) in free {
            let most = farthest.entry(direction.clone()).or_default();
            *most = (*most).max(*steps);
        }
        for (direction, most) in farthest {
            self.ways.entry((direction, most + 1, Passage::Free)).or_default();
        }
    }
}

/// The habits of every label of a board.
pub struct Ways<'a> {
    scout: &'a Scout<'a>,
    watched: &'a WatchedMoves,
    samples: &'a Samples,
    /// Labels that pieces stand on.
    ground: Vec<bool>,
    pub habits: Vec<Habits>,
}

impl<'a> Ways<'a> {
    pub fn new(
        scout: &'a Scout<'a>,
        watched: &'a WatchedMoves,
        samples: &'a Samples,
        budget: &Budget,
    ) -> Result<Ways<'a>, Stop> {
        let labels = scout.field.labels.len();
        let mut ways = Ways {
            scout,
            watched,
            samples,
            ground: vec![false; labels],
            habits: vec![Habits::default(); labels],
        };
        let axes = scout.field.lattice.axes();
        for habits in &mut ways.habits {
            habits.falls = axes.iter().flat_map(|axis| [(*axis, -1), (*axis, 1)]).collect();
        }
        ways.find_ground();
        for state in &watched.states {
            budget.check()?;
            ways.see(state);
        }
        ways.habits.iter_mut().for_each(Habits::probe);
        for state in &watched.states {
            budget.check()?;
            ways.count_open(state);
        }
        Ok(ways)
    }

    /// What never changes and shares a place with something that does is what pieces stand on.
    fn find_ground(&mut self) {
        for state in &self.watched.states {
            let here = self.standing(state);
            for labels in here.iter().filter(|labels| labels.len() > 1) {
                let moves = labels.iter().any(|l| self.scout.changing[*l]);
                for label in labels.iter().filter(|l| moves && !self.scout.changing[**l]) {
                    self.ground[*label] = true;
                }
            }
        }
    }

    /// What stands at each place, but for what is nothing.
    fn standing(&self, state: &WatchedState) -> Vec<Vec<usize>> {
        let mut here = vec![Vec::new(); self.scout.field.places.len()];
        for at in held(self.scout.field, self.samples, state.sample) {
            if Some(at.label) != self.scout.blank && !self.ground[at.label] {
                here[at.place].push(at.label);
            }
        }
        here
    }

    /// What stands at a place for a piece: nothing, another's, an own one.
    fn class(&self, here: &[usize], label: usize) -> usize {
        let own = |other: &usize| {
            let owner = self.scout.owners[label];
            *other == label || (owner.is_some() && owner == self.scout.owners[*other])
        };
        match here.iter().any(own) {
            _ if here.is_empty() => 0,
            true => 2,
            false => 1,
        }
    }

    fn see(&mut self, state: &WatchedState) {
        let here = self.standing(state);
        let (mut gone, mut set) = (IndexSet::new(), IndexSet::new());
        for t in state.transitions.clone() {
            let sighting = self.scout.sighting(self.watched, self.samples, state, t);
            for label in &sighting.shifted {
                self.habits[*label].shifted = true;
            }
            self.note_taken(&sighting);
            self.note_turned(&sighting);
            for moved in &sighting.moved {
                self.note_arrival(*moved);
                let Some(way) = self.way(&sighting, *moved, &here) else {
                    self.habits[moved.label].leaps.insert((moved.from, moved.to));
                    continue;
                };
                gone.insert((moved.label, moved.from, moved.to, way));
            }
            let with = sighting.moved.first().map(|m| m.label);
            for at in &sighting.set {
                set.insert(*at);
                self.habits[at.label].set_with = with;
            }
        }
        for (label, from, to, way) in gone {
            if !self.may_move(label, state) {
                continue;
            }
            let class = self.class(&here[to], label);
            let uses = self.habits[label].ways.entry(way).or_default();
            uses.gone[class] += 1;
            uses.from.insert(from);
        }
        for at in set.into_iter().filter(|at| self.may_move(at.label, state)).collect::<Vec<_>>() {
            self.note_set(at, &here);
        }
    }

    fn note_set(&mut self, at: At, here: &[Vec<usize>]) {
        let lattice = &self.scout.field.lattice;
        let habits = &mut self.habits[at.label];
        habits.set.insert(at.place);
        habits.set_uses[0] += 1;
        habits.falls.retain(|(axis, side)| {
            let mut direction = vec![0; lattice.orders.len()];
            direction[*axis] = *side;
            lattice.step(at.place, &direction, 1).is_none_or(|below| !here[below].is_empty())
        });
    }

    /// The way of a move, and what was between.
    fn way(&self, sighting: &Sighting, moved: Moved, here: &[Vec<usize>]) -> Option<PieceWay> {
        let lattice = &self.scout.field.lattice;
        let (direction, steps) = lattice.way(moved.from, moved.to)?;
        let (mut over, mut jump) = (false, false);
        for place in lattice.between(moved.from, (&direction, steps)) {
            jump |= sighting.taken.iter().any(|at| at.place == place);
            over |= !here[place].is_empty();
        }
        let passage = match (jump, over) {
            (true, _) => Passage::Jump,
            (_, true) => Passage::Over,
            _ => Passage::Free,
        };
        Some((direction, steps, passage))
    }

    fn note_taken(&mut self, sighting: &Sighting) {
        let lattice = &self.scout.field.lattice;
        let by = sighting.moved.first();
        let set = sighting.set.first().map(|at| at.label);
        for at in &sighting.taken {
            let manner = |moved: &Moved| {
                let way = lattice.way(moved.from, moved.to);
                let over = way.is_some_and(|(direction, steps)| {
                    lattice.between(moved.from, (&direction, steps)).any(|p| p == at.place)
                });
                match over {
                    _ if moved.to == at.place => Manner::Replaced,
                    true => Manner::JumpedOver,
                    false => Manner::Elsewhere,
                }
            };
            let who = by.map(|m| m.label).or(set);
            let Some(who) = who else {
                self.habits[at.label].removed += 1;
                continue;
            };
            let manner = by.map_or(Manner::Elsewhere, manner);
            *self.habits[who].taken.entry((at.label, manner)).or_default() += 1;
        }
    }

    fn note_turned(&mut self, sighting: &Sighting) {
        let mover = sighting.moved.first().map(|m| m.label);
        let actor = mover.or(sighting.set.first().map(|at| at.label));
        for (at, becomes) in &sighting.turned {
            match actor {
                Some(actor) => {
                    *self.habits[actor].turns.entry((at.label, *becomes)).or_default() += 1;
                }
                None => {
                    let places = self.habits[at.label].becomes.entry((*becomes, false));
                    places.or_default().insert(at.place);
                }
            }
        }
    }

    fn note_arrival(&mut self, moved: Moved) {
        let habits = &mut self.habits[moved.label];
        if moved.becomes == moved.label {
            habits.stays.insert(moved.to);
        } else {
            let places = habits.becomes.entry((moved.becomes, true)).or_default();
            places.insert(moved.to);
        }
    }

    /// How often each way could have been gone in a state.
    fn count_open(&mut self, state: &WatchedState) {
        let here = self.standing(state);
        let turn: Vec<bool> = (0..self.habits.len()).map(|l| self.may_move(l, state)).collect();
        for (place, labels) in here.iter().enumerate() {
            for label in labels.iter().copied().filter(|l| turn[*l]) {
                self.habits[label].stood += 1;
                for i in 0..self.habits[label].ways.len() {
                    let Some(to) = self.open(place, i, &here, label) else { continue };
                    let class = self.class(&here[to], label);
                    let uses = &mut self.habits[label].ways[i];
                    uses.open[class] += 1;
                    if !uses.from.contains(&place) {
                        uses.missed.insert(place);
                    }
                }
            }
        }
        let free = here.iter().filter(|labels| labels.is_empty()).count();
        for (habits, _) in self.habits.iter_mut().zip(turn).filter(|(_, turn)| *turn) {
            habits.set_uses[1] += free;
        }
    }

    fn may_move(&self, label: usize, state: &WatchedState) -> bool {
        let owner = self.scout.owners[label];
        owner.is_none() || owner == state.chooser
    }

    /// The end of a way of a label from a place if what is between is as it must be.
    fn open(&self, from: usize, way: usize, here: &[Vec<usize>], label: usize) -> Option<usize> {
        let habits = &self.habits[label];
        let ((direction, steps, passage), _) = habits.ways.get_index(way)?;
        let lattice = &self.scout.field.lattice;
        let to = lattice.step(from, direction, *steps)?;
        let mut between = lattice.between(from, (direction, *steps));
        let jumped = |other: &usize| habits.taken.contains_key(&(*other, Manner::JumpedOver));
        let fits = match passage {
            Passage::Free => between.all(|p| here[p].is_empty()),
            Passage::Over => between.any(|p| !here[p].is_empty()),
            Passage::Jump => between.any(|p| here[p].iter().any(jumped)),
        };
        fits.then_some(to)
    }
}
