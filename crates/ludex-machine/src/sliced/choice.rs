//! Legal moves -> `ChoiceCircuit`: circuits that count the legal moves of a lane and pick the one of a rank.
//!
//! A tree over the moves: a node is a left part, one move in the middle and a right part, so that the
//! middle move is the carry of the addition and parts of 2^k - 1 moves fill k bits. Going down, a rank
//! below the left count goes left unchanged; otherwise the counts passed over are subtracted.

use super::graph::SlicedGraph;
use ludex_net::Lit;
use std::ops::Range;

pub struct ChoiceCircuit {
    root: AdderTree,
    /// The bits of a rank, fewest significant first, that the largest choice needs.
    pub rank_bits: usize,
}

enum AdderTree {
    Leaf(Lit),
    Node { left: Box<AdderTree>, middle: Option<Lit>, right: Box<AdderTree>, count: Vec<Lit> },
}

impl ChoiceCircuit {
    /// `legal` are the moves that can be legal at all, at least one.
    pub fn new(graph: &mut SlicedGraph, legal: &[Lit]) -> ChoiceCircuit {
        ChoiceCircuit { root: count(graph, legal), rank_bits: bit_length(legal.len() - 1) }
    }

    /// The number of legal moves, in binary.
    pub fn count(&self) -> Vec<Lit> {
        self.root.count()
    }

    /// One literal for each move: it is the legal move of this rank.
    /// Ranks must be smaller than the count; where no move is legal, the outcome is any move.
    pub fn pick(&self, graph: &mut SlicedGraph, rank: &[Lit]) -> Picks {
        let mut picks = Picks::default();
        self.root.pick(graph, Lit::TRUE, rank, &mut picks);
        picks
    }
}

/// One literal for each move, and one for each part of the tree: the move is one of a range.
#[derive(Default)]
pub struct Picks {
    pub moves: Vec<Lit>,
    pub ranges: Vec<(Range<usize>, Lit)>,
}

pub fn bit_length(n: usize) -> usize {
    (usize::BITS - n.leading_zeros()) as usize
}

fn count(graph: &mut SlicedGraph, legal: &[Lit]) -> AdderTree {
    let n = legal.len();
    if n == 1 {
        return AdderTree::Leaf(legal[0]);
    }
    let (left, rest) = legal.split_at(left_size(n));
    let (middle, right) = match rest {
        [_] => (None, rest),
        [middle, right @ ..] => (Some(*middle), right),
        [] => unreachable!("a part on the left leaves moves"),
    };
    let (left, right) = (Box::new(count(graph, left)), Box::new(count(graph, right)));
    let count = sum(graph, &left.count(), &right.count(), middle, bit_length(n));
    AdderTree::Node { left, middle, right, count }
}

/// A size of the form 2^k - 1, near half of what stands beside the middle.
fn left_size(n: usize) -> usize {
    let half = (n - 1) / 2;
    let below = (1 << (bit_length(half + 1) - 1)) - 1;
    let above = 2 * below + 1;
    if below == 0 || (above < n - 1 && above - half < half - below) { above } else { below }
}

fn sum(graph: &mut SlicedGraph, a: &[Lit], b: &[Lit], carry: Option<Lit>, bits: usize) -> Vec<Lit> {
    let mut carry = carry.unwrap_or(Lit::FALSE);
    let mut sum = Vec::with_capacity(bits);
    for i in 0..bits {
        let (bit, carried) = graph.add(bit(a, i), bit(b, i), carry);
        sum.push(bit);
        carry = carried;
    }
    sum
}

fn bit(number: &[Lit], i: usize) -> Lit {
    number.get(i).copied().unwrap_or(Lit::FALSE)
}

impl AdderTree {
    fn count(&self) -> Vec<Lit> {
        match self {
            AdderTree::Leaf(legal) => vec![*legal],
            AdderTree::Node { count, .. } => count.clone(),
        }
    }

    /// `here`: the move is in this part, at `rank`.
    fn pick(&self, graph: &mut SlicedGraph, here: Lit, rank: &[Lit], picks: &mut Picks) {
        let AdderTree::Node { left, middle, right, .. } = self else {
            picks.moves.push(here);
            return;
        };
        let first = picks.moves.len();
        let passed = left.count();
        let below = is_below(graph, rank, &passed);
        let middle = middle.map(|middle| (middle, subtract(graph, rank, &passed, middle)));
        let in_left = graph.and(here, below);
        left.pick(graph, in_left, &rank[..rank.len().min(passed.len())], picks);
        let (rest, before_right) = match middle {
            Some((_, (rest, before_right))) => {
                let at_middle = graph.and(before_right, !below);
                picks.moves.push(graph.and(here, at_middle));
                (rest, before_right)
            }
            None => subtract(graph, rank, &passed, Lit::FALSE),
        };
        let in_right = graph.and(here, !before_right);
        let bits = right.count().len().min(rest.len());
        right.pick(graph, in_right, &rest[..bits], picks);
        picks.ranges.push((first..picks.moves.len(), here));
    }
}

fn is_below(graph: &mut SlicedGraph, a: &[Lit], b: &[Lit]) -> Lit {
    (0..a.len().max(b.len()))
        .fold(Lit::FALSE, |below, i| graph.majority(!bit(a, i), bit(b, i), below))
}

/// `a - b - borrow` and whether it is negative.
fn subtract(graph: &mut SlicedGraph, a: &[Lit], b: &[Lit], borrow: Lit) -> (Vec<Lit>, Lit) {
    let mut borrow = borrow;
    let mut difference = Vec::with_capacity(a.len());
    for i in 0..a.len().max(b.len()) {
        let (bit, not_borrowed) = graph.add(bit(a, i), !bit(b, i), !borrow);
        difference.push(bit);
        borrow = !not_borrowed;
    }
    (difference, borrow)
}
