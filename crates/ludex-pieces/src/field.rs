//! Boards -> `PlaceField`s: each with its places and what can stand there.

use crate::lattice::Lattice;
use indexmap::IndexSet;
use ludex_facts::boards::{Board, BoardKind};
use ludex_facts::fluents::{Fluents, StateRelation};
use ludex_net::Net;
use ludex_picture::StaticRelations;

/// A board: relations of the state that share their places.
pub struct PlaceField {
    pub board: Board,
    pub relations: Vec<String>,
    pub lattice: Lattice,
    pub places: IndexSet<Vec<String>>,
    /// What can be at a place, as text.
    pub labels: IndexSet<String>,
    /// By base the place and the label that it tells.
    pub spots: Vec<Option<(usize, usize)>>,
}

/// Boards where more kinds of things stand tell numbers, not pieces.
const MOST_LABELS: usize = 80;
/// A line is a board from so many places on.
const LINE: usize = 10;

/// The boards of the views, those first that a person would draw; a relation is on one of them.
pub fn fields(net: &Net, views: &[Board], statics: &StaticRelations) -> Vec<PlaceField> {
    let fluents = Fluents::new(net);
    let mut groups: Vec<Vec<(&Board, &StateRelation)>> = Vec::new();
    for board in views {
        let Some(number) = fluents.find(&board.relation, board.arity) else { continue };
        let known = |(b, _): &(&Board, &StateRelation)| {
            b.relation == board.relation && b.arity == board.arity
        };
        if groups.iter().flatten().any(known) {
            continue;
        }
        let own = (board, &fluents.relations[number]);
        match groups.iter_mut().find(|group| shares(own, group[0])) {
            Some(group) => group.push(own),
            None => groups.push(vec![own]),
        }
    }
    let made = groups.into_iter().map(|group| PlaceField::new(net, &group, statics));
    made.filter(|field| field.is_board()).collect()
}

/// Whether the place arguments of one relation have values that those of the other have, one by one. A relation that
/// lists every place is a board by itself.
fn shares(own: (&Board, &StateRelation), main: (&Board, &StateRelation)) -> bool {
    if [own, main].iter().any(|(board, _)| board.kind == BoardKind::Invariant) {
        return false;
    }
    let values = |(_, relation): (&Board, &StateRelation), argument: usize| -> IndexSet<String> {
        relation.facts.iter().map(|f| f.args[argument - 1].clone()).collect()
    };
    let (own_places, main_places) = (&own.0.places, &main.0.places);
    let same = |(a, b): (&usize, &usize)| values(own, *a).is_subset(&values(main, *b));
    own_places.len() == main_places.len() && own_places.iter().zip(main_places).all(same)
}

impl PlaceField {
    fn new(net: &Net, group: &[(&Board, &StateRelation)], statics: &StaticRelations) -> PlaceField {
        let (mut places, mut labels) = (IndexSet::new(), IndexSet::new());
        let mut spots = vec![None; net.bases.len()];
        for (board, relation) in group {
            for fact in &relation.facts {
                let part = |args: &[usize]| -> Vec<String> {
                    args.iter().map(|a| fact.args[a - 1].clone()).collect()
                };
                let mut label = part(&board.contents).join(" ");
                if group.len() > 1 || label.is_empty() {
                    label = format!("{} {label}", relation.name).trim_end().to_string();
                }
                let place = places.insert_full(part(&board.places)).0;
                spots[fact.base] = Some((place, labels.insert_full(label).0));
            }
        }
        PlaceField {
            board: group[0].0.clone(),
            relations: group.iter().map(|(_, r)| r.name.clone()).collect(),
            lattice: Lattice::new(&places, statics),
            places,
            labels,
            spots,
        }
    }

    fn is_board(&self) -> bool {
        let least = if self.board.places.len() > 1 { 4 } else { LINE };
        self.places.len() >= least && self.labels.len() <= MOST_LABELS
    }
}
