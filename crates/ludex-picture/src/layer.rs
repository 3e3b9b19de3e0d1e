//! `DrawnRelation` -> `Layer`: which arguments of a relation are the place and which the content.
//!
//! Boards that are proved come first; else the states that were seen decide, together with the
//! order of the values: the lines of a board follow each other.

use super::evidence::{DrawnRelation, Evidence};
use super::statics::Static;
use ludex_facts::boards::{Board, BoardKind};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A relation as something to draw. Arguments are numbered from 0.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The number of the relation in the evidence.
    pub relation: usize,
    pub place: Vec<usize>,
    pub content: Vec<usize>,
    /// By what the places are known, where it is proved.
    pub proof: Option<String>,
    /// The content has one place, and moves from place to place.
    pub item: bool,
}

/// Relations with more arguments are not drawn.
const MOST_ARGUMENTS: usize = 6;

/// The layer of a relation, if it is something with places.
pub fn layer(evidence: &Evidence, relation: usize, boards: &[Board]) -> Option<Layer> {
    let of = &evidence.relations[relation];
    if of.arity < 2 || of.arity > MOST_ARGUMENTS || of.facts.len() < 4 {
        return None;
    }
    let own = |b: &&Board| b.relation == of.name && b.arity == of.arity;
    let finder = Finder { of, evidence, boards: boards.iter().filter(own).collect() };
    let (place, item) = finder.place()?;
    let content = (0..of.arity).filter(|a| !place.contains(a)).collect();
    let same = |b: &&&Board| {
        let own = finder.squares(zero_based(b));
        own == place && !matches!(b.kind, BoardKind::Several | BoardKind::Seen)
    };
    let proof = finder.boards.iter().find(same).map(|b| b.proof.clone());
    Some(Layer { relation, place, content, proof, item })
}

fn zero_based(board: &Board) -> Vec<usize> {
    board.places.iter().map(|a| a - 1).collect()
}

struct Finder<'a> {
    of: &'a DrawnRelation,
    evidence: &'a Evidence<'a>,
    boards: Vec<&'a Board>,
}

impl Finder<'_> {
    /// The place arguments, and whether they are where an item is.
    fn place(&self) -> Option<(Vec<usize>, bool)> {
        match self.of.arity {
            2 => return self.of_two(),
            _ if self.is_sequence() => return None,
            _ => {}
        }
        let ordered: Vec<usize> = (0..self.of.arity).filter(|a| self.is_line(*a)).collect();
        let lines = |set: &Vec<usize>| set.iter().filter(|a| ordered.contains(a)).count();
        let unique = self.unique_sets();
        match unique.iter().max_by_key(|set| (lines(set).min(2), self.rank(set))) {
            Some(set) if lines(set) >= 2 && !self.cuts_square(set) => Some((set.clone(), false)),
            _ if ordered.len() >= 2 => Some((self.coordinates(&ordered), true)),
            Some(set) if set.len() <= 2 && self.of.places(set).len() >= 4 => {
                Some((set.clone(), false))
            }
            _ => {
                let several = self.boards.iter().find(|b| b.kind == BoardKind::Several)?;
                Some((zero_based(several), true))
            }
        }
    }

    /// One fact that tells the things of a row, one after the other: no argument is a place.
    fn is_sequence(&self) -> bool {
        let values = |a: usize| &self.of.orders[a].values;
        self.of.arity > 3
            && self.of.most() <= 1
            && (1..self.of.arity).all(|a| values(a) == values(0))
    }

    /// Two arguments: a value for each place of a row, or the places of a relation without contents.
    fn of_two(&self) -> Option<(Vec<usize>, bool)> {
        if let Some(node) = (0..2).find(|a| self.is_node(*a)) {
            return Some((vec![node], self.of.unique(&[1 - node]).0));
        }
        match (0..2).find(|a| self.is_map(*a)) {
            Some(from) => {
                let places = self.of.orders[from].len();
                let worth = (self.is_line(from) && places > 2) || places > 5;
                worth.then(|| (vec![from], false))
            }
            None if self.is_partial_map() => Some((vec![0], false)),
            None if self.is_line(0) && self.is_line(1) => Some((vec![0, 1], self.of.most() <= 1)),
            None => self.shared(),
        }
    }

    /// A row of places that are proved, which may hold several things at once.
    fn shared(&self) -> Option<(Vec<usize>, bool)> {
        let row = |b: &&&Board| {
            b.kind == BoardKind::Invariant && b.size > 3 && !b.single && b.places.len() == 1
        };
        let places = zero_based(self.boards.iter().find(row)?);
        self.is_line(places[0]).then_some((places, false))
    }

    /// Lines of a board: ordered values, more than one, that are no roles.
    fn is_line(&self, argument: usize) -> bool {
        let order = &self.of.orders[argument];
        let role = |v: &String| self.evidence.roles.iter().any(|r| r.eq_ignore_ascii_case(v));
        order.ordered && order.len() > 1 && !order.values.iter().all(role)
    }

    /// Whether a set has one of two neighbouring arguments with the same lines, and not the other, but
    /// an argument with other lines: then those two are where something is.
    fn cuts_square(&self, set: &[usize]) -> bool {
        let values = |a: usize| &self.of.orders[a].values;
        let square =
            |a: &usize| self.is_line(*a) && self.is_line(a + 1) && values(*a) == values(a + 1);
        let cut = |a: usize| set.contains(&a) != set.contains(&(a + 1));
        (0..self.of.arity - 1).filter(square).any(|a| {
            let other = |b: &usize| ![a, a + 1].contains(b) && values(*b) != values(a);
            cut(a) && values(a).len() > 2 && set.iter().any(other)
        })
    }

    /// One of two arguments has exactly one value for each of the other in every state.
    fn is_map(&self, from: usize) -> bool {
        self.of.most() > 1 && self.of.unique(&[from]).1
    }

    /// The first of two arguments has at most one value of the other, and its values are neighbours of each
    /// other in the rules: pieces on a board whose free places no fact tells.
    fn is_partial_map(&self) -> bool {
        let places = &self.of.orders[0].values;
        places.len() > 8
            && self.of.unique(&[0]).0
            && self.of.orders[1].len() * 2 <= places.len()
            && self.are_neighbours(places)
    }

    /// The values of one of two arguments are the nodes of a graph: a relation of the rules joins them both ways, not
    /// in a line, and not all with all. The other one has only a few, such as who is there.
    fn is_node(&self, argument: usize) -> bool {
        let nodes = &self.of.orders[argument].values;
        let graph = |relation: &Static| {
            let own =
                |row: &&Vec<String>| row.iter().all(|v| nodes.contains(v)) && row[0] != row[1];
            let rows: FxHashSet<[&str; 2]> =
                relation.rows.iter().filter(own).map(|row| [&row[0][..], &row[1][..]]).collect();
            let joined = |node: &String| rows.iter().any(|[a, _]| a == node);
            (2 * nodes.len() + 1..nodes.len() * nodes.len() / 2).contains(&rows.len())
                && rows.iter().all(|[a, b]| rows.contains(&[*b, *a]))
                && nodes.iter().all(joined)
        };
        nodes.len() > 8
            && self.of.orders[1 - argument].len() * 4 <= nodes.len()
            && self.evidence.statics.of_arity(2).any(graph)
    }

    /// Whether relations of the rules join these values as places are joined: a mere succession is none.
    fn are_neighbours(&self, places: &[String]) -> bool {
        let relations = self.evidence.statics.relations.iter();
        let rows = relations.filter(|r| (2..=3).contains(&r.arity)).flat_map(|r| &r.rows);
        let pair = |row: &Vec<String>| {
            let own: Vec<usize> =
                row.iter().filter_map(|v| places.iter().position(|p| p == v)).collect();
            (own.len() == 2).then(|| [own[0], own[1]])
        };
        let pairs: Vec<[usize; 2]> = rows.filter_map(pair).collect();
        let mut near = vec![BTreeSet::new(); places.len()];
        for [a, b] in pairs.iter().filter(|[a, b]| a != b) {
            near[*a].insert(*b);
            near[*b].insert(*a);
        }
        let ends = near.iter().filter(|n| n.len() < 2).count();
        let branches = near.iter().filter(|n| n.len() > 2).count();
        pairs.len() >= places.len() && (branches > 0 || ends == 0)
    }

    /// Where an item is: two ordered arguments next to each other, those with the same lines first,
    /// then the last ones, since the name of it comes first.
    fn coordinates(&self, ordered: &[usize]) -> Vec<usize> {
        let named = |a: &usize| self.of.unique(&[*a]).0;
        let free: Vec<usize> = ordered.iter().copied().filter(|a| !named(a)).collect();
        let from = if free.len() >= 2 { &free } else { ordered };
        let values = |a: usize| &self.of.orders[a].values;
        let beside = || from.windows(2).rev().filter(|w| w[1] == w[0] + 1);
        let square = beside().find(|w| values(w[0]) == values(w[1]));
        square.or(beside().next()).unwrap_or(&from[from.len() - 2..]).to_vec()
    }

    /// The smallest sets of arguments, not all of them, that determine the others.
    fn unique_sets(&self) -> Vec<Vec<usize>> {
        let holding = |b: &&&Board| {
            matches!(b.kind, BoardKind::Invariant | BoardKind::Shared | BoardKind::Partial)
                && b.places.len() < self.of.arity
        };
        let proved = self.boards.iter().filter(holding).map(|b| self.squares(zero_based(b)));
        let determines = |set: &Vec<usize>| self.of.unique(set).0;
        let proved: Vec<Vec<usize>> = proved.filter(determines).collect();
        let lines = |set: &Vec<usize>| set.iter().filter(|a| self.is_line(**a)).count() >= 2;
        if proved.iter().any(lines) {
            return proved;
        }
        let mut sets: Vec<Vec<usize>> = (1..(1usize << self.of.arity) - 1)
            .map(|mask| (0..self.of.arity).filter(|a| mask >> a & 1 == 1).collect())
            .collect();
        sets.sort_by_key(|s| s.len());
        let mut found: Vec<Vec<usize>> = Vec::new();
        for set in sets {
            let covered = found.iter().any(|f| f.iter().all(|a| set.contains(a)));
            if !covered && determines(&set) {
                found.push(set);
            }
        }
        found
    }

    /// The places themselves, where two of four arguments name the next column and row: a corner between squares is
    /// at the first of them.
    fn squares(&self, set: Vec<usize>) -> Vec<usize> {
        let follows = |b: &usize| set.iter().any(|a| a != b && self.of.is_next(*a, *b));
        let own: Vec<usize> = set.iter().copied().filter(|b| !follows(b)).collect();
        if set.len() == 4 && own.len() == 2 { own } else { set }
    }

    /// Places are rather complete than not, and rather the first arguments than the last.
    fn rank(&self, set: &[usize]) -> (bool, i64) {
        (self.of.unique(set).1, -(set.iter().map(|a| 1i64 << a).sum::<i64>()))
    }
}
