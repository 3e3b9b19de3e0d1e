//! Projections -> `Board`s: the ways to see a game's relations as boards, in order of likeness to one.

use super::bases::Bases;
use super::crowded::crowded;
use super::{Board, BoardKind, RelationBoards};
use crate::fluents::StateRelation;
use crate::invariants::Invariants;

/// The largest table of facts in which the fullest place is looked for.
const MOST_COUNTED: usize = 5_000_000;

/// All views, those first that a person would draw: a board has two dimensions or more, many places,
/// and names them all.
pub fn views(bases: &Bases, invariants: &Invariants, found: &[RelationBoards]) -> Vec<Board> {
    let mut views = Vec::new();
    for (relation, of) in bases.relations().zip(found) {
        views.extend(RankedView { bases, invariants, relation, of }.boards());
    }
    views.sort_by_key(rank);
    views
}

/// Whether it is proved what a place holds, or where a piece is.
fn proved(board: &Board) -> bool {
    matches!(
        board.kind,
        BoardKind::Invariant | BoardKind::Shared | BoardKind::Partial | BoardKind::Tokens
    )
}

fn rank(board: &Board) -> (bool, BoardKind, bool, usize) {
    let flat = board.places.len() < 2 && board.size < 10;
    (board.size < 4 || flat, board.kind, board.places.len() < 2, usize::MAX - board.size)
}

struct RankedView<'a> {
    bases: &'a Bases,
    invariants: &'a Invariants,
    relation: &'a StateRelation,
    of: &'a RelationBoards,
}

impl RankedView<'_> {
    fn boards(&self) -> Vec<Board> {
        let of = self.of;
        let all: Vec<usize> = (1..=of.arity).collect();
        let mut boards = Vec::new();
        // An invariant set that leaves nothing to show is a table of constants.
        for places in of.maximal.iter().filter(|p| **p != all) {
            boards.push(self.board(places, BoardKind::Invariant));
        }
        for (place, facts) in self.invariants.proved_shared(&of.relation, of.arity) {
            let places: Vec<usize> = place.iter().map(|a| a + 1).collect();
            let proof =
                format!("every place holds exactly one of {facts} in every reachable state");
            if !places.is_empty() {
                boards.push(Board { proof, ..self.board(&places, BoardKind::Shared) });
            }
        }
        for places in &of.partial {
            let kind = if *places == all { BoardKind::Presence } else { BoardKind::Partial };
            if !boards.iter().any(|b| b.places == *places) {
                boards.push(self.board(places, kind));
            }
        }
        for pieces in self.families().filter(|p| p.len() + 2 <= of.arity) {
            let places: Vec<usize> = all.iter().copied().filter(|a| !pieces.contains(a)).collect();
            if !boards.iter().any(|b| b.places == places) {
                boards.push(self.board(&places, BoardKind::Tokens));
            }
        }
        boards.extend(self.several().filter(|_| !boards.iter().any(proved)));
        let families = self.invariants.seen_families(&of.relation, of.arity);
        let families = families.iter().map(|f| f.iter().map(|a| a + 1).collect());
        let only_seen = families.chain(of.sampled.iter().cloned());
        for places in only_seen.filter(|p: &Vec<usize>| *p != all && p.len() > 1) {
            if !boards.iter().any(|b| b.places == places) {
                boards.push(self.board(&places, BoardKind::Seen));
            }
        }
        boards
    }

    /// The board of a relation whose places mostly hold one fact.
    fn several(&self) -> Option<Board> {
        let crowded = crowded(self.bases_relation(), &self.invariants.samples)?;
        // What seems to determine the rest can only be what a piece is told by.
        let seen = self.invariants.seen_families(&self.of.relation, self.of.arity);
        if seen.iter().any(|f| f.iter().any(|a| crowded.places.contains(a))) {
            return None;
        }
        let places: Vec<usize> = crowded.places.iter().map(|a| a + 1).collect();
        let name = |b: &usize| self.invariants.net.bases[*b].name.clone();
        let facts: Vec<String> = crowded.together.iter().map(name).collect();
        let proof = format!("a place can hold several facts: {} were seen", facts.join(" and "));
        Some(Board { proof, ..self.board(&places, BoardKind::Several) })
    }

    /// The relation with the facts that are bases of the net.
    fn bases_relation(&self) -> &StateRelation {
        let fluents = &self.invariants.fluents;
        let number = fluents.find(&self.of.relation, self.of.arity);
        number.map_or(self.relation, |r| &fluents.relations[r])
    }

    /// The sets of arguments (from 1) whose values never stand in two facts, by proof.
    fn families(&self) -> impl Iterator<Item = Vec<usize>> {
        let families = self.invariants.proved_families(&self.of.relation, self.of.arity);
        families.into_iter().map(|(place, _)| place.iter().map(|a| a + 1).collect())
    }

    fn board(&self, places: &[usize], kind: BoardKind) -> Board {
        let contents: Vec<usize> = (1..=self.of.arity).filter(|a| !places.contains(a)).collect();
        let single =
            contents.is_empty() || self.families().any(|f| f.iter().all(|a| places.contains(a)));
        let within = |set: &[usize]| {
            self.of.maximal.iter().any(|m| set.iter().all(|a| m.contains(a))) && !set.is_empty()
        };
        let configuration = kind == BoardKind::Invariant && within(&contents);
        let args: Vec<usize> = places.iter().map(|a| a - 1).collect();
        Board {
            relation: self.of.relation.clone(),
            arity: self.of.arity,
            places: places.to_vec(),
            kind,
            size: self.relation.by_args(&args).len(),
            single,
            most_seen: if single { 1 } else { self.most_seen(&args) },
            configuration,
            proof: proof(kind, single, &contents),
            contents,
        }
    }

    /// The most facts in one place of a sampled state.
    fn most_seen(&self, args: &[usize]) -> usize {
        let samples = &self.invariants.samples;
        let states = (MOST_COUNTED / self.relation.facts.len().max(1)).min(samples.states.len());
        let mut most = 0;
        for facts in self.relation.by_args(args).values() {
            let of_net: Vec<usize> = facts.iter().filter_map(|f| self.bases.of_net[*f]).collect();
            let count = |s| of_net.iter().filter(|b| samples.holds(s, **b)).count();
            most = most.max((0..states).map(count).max().unwrap_or(0));
        }
        most
    }
}

fn proof(kind: BoardKind, single: bool, contents: &[usize]) -> String {
    let text = match (kind, single) {
        (BoardKind::Invariant, true) => {
            "every place holds exactly one fact in every reachable state"
        }
        (BoardKind::Invariant, false) => "every place is listed in every reachable state",
        (BoardKind::Shared | BoardKind::Partial, _) => {
            "a place holds at most one fact in every reachable state"
        }
        (BoardKind::Tokens, _) if contents.is_empty() => {
            "one place at most in every reachable state"
        }
        (BoardKind::Tokens, _) => "a piece is in one place at most in every reachable state",
        (BoardKind::Presence, _) => "a place is there or not",
        (BoardKind::Several, _) => "a place can hold several facts",
        (BoardKind::Seen, _) => "seen in all sampled states, not proved",
    };
    text.into()
}
