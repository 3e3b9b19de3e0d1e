//! Plain UCT on bitboards: one random playout for an iteration, the children of a node side by side.

use super::{Random, breakthrough, connectfour, reversi};

/// A position as the side to move sees it.
pub trait Board: Copy {
    const START: Self;
    /// How many moves there are; none where the match is over.
    fn moves(self) -> u32;
    /// The position after a move, as the other side sees it.
    fn after(self, number: u32) -> Self;
    /// What the side to move gets where the match is over, from 0 to 1.
    fn worth(self) -> f32;
}

struct HandNode<B> {
    board: B,
    /// Where its children begin; 0 before there are any.
    children: u32,
    moves: u32,
    visits: u32,
    /// What the side that moved here got, added up.
    sum: f32,
}

/// Weight of the exploration term.
const EXPLORATION: f32 = 1.0;

/// Searches from the first position for so many iterations and gives the number of nodes.
pub fn search<B: Board>(iterations: u64, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut nodes = vec![node(B::START)];
    let mut path = Vec::new();
    for _ in 0..iterations {
        // 1. Down to a node without children; one that was seen before gets them.
        path.clear();
        path.push(0);
        let mut at = 0;
        while nodes[at].visits > 0 && nodes[at].moves > 0 {
            at = child(&mut nodes, at);
            path.push(at);
        }
        // 2. A match from there.
        let (mut board, mut turned) = (nodes[at].board, false);
        loop {
            let moves = board.moves();
            if moves == 0 {
                break;
            }
            board = board.after(random.below(moves));
            turned = !turned;
        }
        // 3. Back up, each node for the side that moved there.
        let worth = board.worth();
        let mut worth = if turned { worth } else { 1.0 - worth };
        for at in path.iter().rev() {
            nodes[*at].visits += 1;
            nodes[*at].sum += worth;
            worth = 1.0 - worth;
        }
    }
    nodes.len()
}

fn node<B: Board>(board: B) -> HandNode<B> {
    HandNode { board, children: 0, moves: board.moves(), visits: 0, sum: 0.0 }
}

/// The most promising child, one that was never seen first.
fn child<B: Board>(nodes: &mut Vec<HandNode<B>>, at: usize) -> usize {
    let HandNode { board, moves, visits, .. } = nodes[at];
    if nodes[at].children == 0 {
        nodes[at].children = nodes.len() as u32;
        nodes.extend((0..moves).map(|number| node(board.after(number))));
    }
    let first = nodes[at].children as usize;
    let scale = EXPLORATION * (visits as f32).ln().sqrt();
    let (mut best, mut most) = (first, f32::MIN);
    for (number, child) in nodes[first..first + moves as usize].iter().enumerate() {
        let count = child.visits as f32;
        let score = match child.visits {
            0 => f32::MAX,
            _ => child.sum / count + scale / count.sqrt(),
        };
        if score > most {
            (best, most) = (first + number, score);
        }
    }
    best
}

/// The place of the k-th set bit, as a mask.
fn select(mut mask: u64, k: u32) -> u64 {
    (0..k).for_each(|_| mask &= mask - 1);
    mask & mask.wrapping_neg()
}

/// Connect four on 7 columns and 6 rows.
#[derive(Clone, Copy)]
pub struct ConnectFour {
    mine: u64,
    all: u64,
}

const TOP: u64 = 0x0000_0408_1020_4081 << 5;

impl Board for ConnectFour {
    const START: ConnectFour = ConnectFour { mine: 0, all: 0 };

    fn moves(self) -> u32 {
        let lost = connectfour::four(self.mine ^ self.all);
        if lost { 0 } else { (TOP & !self.all).count_ones() }
    }

    fn after(self, number: u32) -> ConnectFour {
        let column = select(TOP & !self.all, number) >> 5;
        let square = (self.all + column) & !self.all & (column * 0x3f);
        ConnectFour { mine: self.mine ^ self.all, all: self.all | square }
    }

    fn worth(self) -> f32 {
        if connectfour::four(self.mine ^ self.all) { 0.0 } else { 0.5 }
    }
}

/// Breakthrough on 8x8.
#[derive(Clone, Copy)]
pub struct Breakthrough {
    mine: u64,
    theirs: u64,
}

impl Board for Breakthrough {
    const START: Breakthrough = Breakthrough { mine: 0xffff, theirs: 0xffff << 48 };

    fn moves(self) -> u32 {
        let over = self.mine == 0 || self.theirs & 0xff != 0;
        let targets = breakthrough::targets(self.mine, self.theirs);
        if over { 0 } else { targets.iter().map(|to| to.count_ones()).sum() }
    }

    fn after(self, mut number: u32) -> Breakthrough {
        let targets = breakthrough::targets(self.mine, self.theirs);
        for (targets, shift) in targets.into_iter().zip([8, 7, 9]) {
            if number < targets.count_ones() {
                let to = select(targets, number);
                let (mine, theirs) = (self.mine ^ (to | to >> shift), self.theirs & !to);
                return Breakthrough { mine: theirs.swap_bytes(), theirs: mine.swap_bytes() };
            }
            number -= targets.count_ones();
        }
        unreachable!("there are fewer moves")
    }

    fn worth(self) -> f32 {
        0.0
    }
}

/// Reversi on 8x8; who has no move passes.
#[derive(Clone, Copy)]
pub struct Reversi {
    mine: u64,
    theirs: u64,
}

impl Board for Reversi {
    const START: Reversi = Reversi { mine: 0x0000_0008_1000_0000, theirs: 0x0000_0010_0800_0000 };

    fn moves(self) -> u32 {
        match reversi::moves(self.mine, self.theirs) {
            0 => (reversi::moves(self.theirs, self.mine) != 0).into(),
            moves => moves.count_ones(),
        }
    }

    fn after(self, number: u32) -> Reversi {
        let Reversi { mine, theirs } = self;
        let square = select(reversi::moves(mine, theirs), number);
        let flipped = if square == 0 { 0 } else { reversi::flips(mine, theirs, square) };
        Reversi { mine: theirs ^ flipped, theirs: mine | square | flipped }
    }

    fn worth(self) -> f32 {
        let lead = i64::from(self.mine.count_ones()) - i64::from(self.theirs.count_ones());
        0.5 + lead.signum() as f32 / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches of so many moves at most.
    fn paths<B: Board>(board: B, depth: u32) -> u64 {
        let moves = board.moves();
        if depth == 0 || moves == 0 {
            return (depth == 0).into();
        }
        (0..moves).map(|number| paths(board.after(number), depth - 1)).sum()
    }

    #[test]
    fn moves_are_those_of_the_games() {
        assert_eq!(paths(ConnectFour::START, 8), super::super::perft::connect_four(8));
        assert_eq!(paths(Breakthrough::START, 4), super::super::perft::breakthrough(4));
        assert_eq!(paths(Reversi::START, 6), 8200);
    }

    #[test]
    fn a_search_grows_a_tree() {
        assert!(search::<ConnectFour>(1_000, 1) > 1_000);
    }
}
