//! Legal moves -> `ChoiceCircuit`: circuits that count the legal moves of a lane and pick the one of a rank.
//!
//! A tree over the moves: a node is a left part, one move in the middle and a right part, so that the
//! middle move is the carry of the addition and parts of 2^k - 1 moves fill k bits. Going down, a rank
//! below the left count goes left unchanged; otherwise the counts passed over are subtracted.
//!
//! Many moves stand in the rows of a grid: the tree finds the row alone. Its moves are brought to one place, which all
//! rows share, and there the move is found.

use super::graph::SlicedGraph;
use ludex_net::Lit;
use std::ops::Range;

pub struct ChoiceCircuit {
    /// Over the moves, or over the rows of a grid.
    root: AdderTree,
    /// The moves of every row, where there is a grid.
    rows: Vec<Vec<Lit>>,
    /// The bits of a rank, fewest significant first, that the largest choice needs.
    pub rank_bits: usize,
}

enum AdderTree {
    /// A move, or the number of moves in a row.
    Leaf(Vec<Lit>),
    Node {
        left: Box<AdderTree>,
        middle: Option<Lit>,
        right: Box<AdderTree>,
        count: Vec<Lit>,
    },
}

impl ChoiceCircuit {
    /// `legal` are the moves that can be legal at all, at least one.
    pub fn new(graph: &mut SlicedGraph, legal: &[Lit]) -> ChoiceCircuit {
        let rank_bits = bit_length(legal.len() - 1);
        let Some(width) = width(legal.len()) else {
            return ChoiceCircuit { root: count(graph, legal), rows: Vec::new(), rank_bits };
        };
        let rows: Vec<Vec<Lit>> = legal.chunks(width).map(<[Lit]>::to_vec).collect();
        let counts = rows.iter().map(|row| count(graph, row).count()).collect::<Vec<_>>();
        ChoiceCircuit { root: sums(graph, &counts), rows, rank_bits }
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
        if self.rows.is_empty() { picks } else { self.pick_in_row(graph, picks) }
    }

    /// The row that is picked is brought to one place, where the move is picked.
    fn pick_in_row(&self, graph: &mut SlicedGraph, picked: Picks) -> Picks {
        graph.exactly_one(&picked);
        let width = self.rows[0].len();
        let moves = |row: usize, i: usize| self.rows[row].get(i).copied();
        let ranks = |row: usize, i: usize| picked.ranks[row].get(i).copied();
        let legal: Vec<Lit> =
            (0..width).map(|i| of_picked(graph, &picked.moves, |row| moves(row, i))).collect();
        let rank: Vec<Lit> = (0..bit_length(width))
            .map(|i| of_picked(graph, &picked.moves, |row| ranks(row, i)))
            .collect();
        let columns = ChoiceCircuit::new(graph, &legal).pick(graph, &rank);
        let mut picks = Picks::default();
        for (here, row) in picked.moves.iter().zip(&self.rows) {
            let made = columns.moves[..row.len()].iter().map(|column| graph.and(*here, *column));
            picks.moves.extend(made);
        }
        let last = picks.moves.len();
        let range = |r: &Range<usize>| r.start * width..(r.end * width).min(last);
        picks.ranges = picked.ranges.iter().map(|(r, lit)| (range(r), *lit)).collect();
        let rows = picked.moves.iter().enumerate();
        picks.ranges.extend(rows.map(|(row, lit)| (range(&(row..row + 1)), *lit)));
        picks.grid = Some((picked.moves, Box::new(columns)));
        picks
    }
}

/// What the row that is picked says.
fn of_picked(graph: &mut SlicedGraph, rows: &[Lit], of: impl Fn(usize) -> Option<Lit>) -> Lit {
    let said = rows.iter().enumerate().filter_map(|(row, here)| Some((*here, of(row)?)));
    let sure = said.clone().filter(|(_, lit)| *lit == Lit::TRUE).map(|(here, _)| here);
    let sure = graph.any(&sure.collect::<Vec<_>>());
    said.filter(|(_, lit)| *lit != Lit::TRUE).fold(sure, |any, (here, lit)| {
        let lit = graph.and(here, lit);
        graph.or(any, lit)
    })
}

/// One literal for each move, and one for each part of the tree: the move is one of a range.
#[derive(Default)]
pub struct Picks {
    pub moves: Vec<Lit>,
    pub ranges: Vec<(Range<usize>, Lit)>,
    /// The literals of rows, and the picks among columns: a move is both.
    pub grid: Option<(Vec<Lit>, Box<Picks>)>,
    /// By leaf of the tree, the rank within it.
    ranks: Vec<Vec<Lit>>,
}

impl Picks {
    /// Of literals that are given.
    pub fn of(moves: Vec<Lit>) -> Picks {
        Picks { moves, ..Picks::default() }
    }
}

/// How many moves stand in a row of a grid, where that is less work than a tree: every move is counted, and brought to
/// the place of the row that is picked.
fn width(moves: usize) -> Option<usize> {
    if cfg!(test) && moves > 6 {
        // So that tests see it.
        return Some(3);
    }
    let work = |bits: usize| {
        let width = (1 << bits) - 1;
        3 * moves + moves.div_ceil(width) * (15 * bits + 3) + 15 * width
    };
    let bits = (3..bit_length(moves)).min_by_key(|bits| work(*bits))?;
    (work(bits) < 10 * moves).then_some((1 << bits) - 1)
}

pub fn bit_length(n: usize) -> usize {
    (usize::BITS - n.leading_zeros()) as usize
}

fn count(graph: &mut SlicedGraph, legal: &[Lit]) -> AdderTree {
    let n = legal.len();
    if n == 1 {
        return AdderTree::Leaf(legal.to_vec());
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

/// A tree over numbers.
fn sums(graph: &mut SlicedGraph, numbers: &[Vec<Lit>]) -> AdderTree {
    if let [number] = numbers {
        return AdderTree::Leaf(number.clone());
    }
    let (left, right) = numbers.split_at(numbers.len() / 2);
    let (left, right) = (Box::new(sums(graph, left)), Box::new(sums(graph, right)));
    let (a, b) = (left.count(), right.count());
    let count = sum(graph, &a, &b, None, a.len().max(b.len()) + 1);
    AdderTree::Node { left, middle: None, right, count }
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
            AdderTree::Leaf(count) | AdderTree::Node { count, .. } => count.clone(),
        }
    }

    /// `here`: the move is in this part, at `rank`.
    fn pick(&self, graph: &mut SlicedGraph, here: Lit, rank: &[Lit], picks: &mut Picks) {
        let AdderTree::Node { left, middle, right, .. } = self else {
            picks.moves.push(here);
            picks.ranks.push(rank.to_vec());
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
                picks.ranks.push(Vec::new());
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
