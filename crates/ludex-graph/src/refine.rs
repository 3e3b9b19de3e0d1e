//! Equitable refinement: cells are split until all vertices of a cell have equally many neighbours in
//! every cell.
//!
//! What a refinement does depends only on the isomorphism type of graph and partition, never on the
//! order of vertices inside a cell. It writes a trace of what it did; a second refinement that is
//! compared with the trace of a first ends at the first difference.

use crate::StopFn;
use crate::cells::{Cells, Side};
use crate::graph::Graph;

/// What refinements did: a number for every cell that was used as a splitter, and every split.
#[derive(Debug, Default)]
pub struct RefinementTrace {
    pub values: Vec<u64>,
    /// Where the comparison stands; none while recording.
    pub compared: Option<usize>,
}

impl RefinementTrace {
    /// Records a value, or says whether it equals the recorded one.
    fn note(&mut self, value: u64) -> bool {
        match &mut self.compared {
            None => {
                self.values.push(value);
                true
            }
            Some(at) => {
                *at += 1;
                self.values.get(*at - 1) == Some(&value)
            }
        }
    }
}

/// Is told of every split: `cell` lost the positions `at..end` to the new cell `at`.
pub trait SplitWatch {
    fn split(&mut self, cells: &Cells, side: &Side, cell: u32, at: u32, end: u32);
}

/// The memory of refinements, empty between two of them.
pub struct Refiner {
    /// Neighbours in the splitter, per vertex.
    count: Vec<u32>,
    /// How many vertices at the end of a cell have a neighbour in the splitter, per cell.
    touched_len: Vec<u32>,
    queued: Vec<bool>,
    /// Cells that still split others: single vertices go first.
    singles: Vec<u32>,
    queue: std::collections::VecDeque<u32>,
    splitter: Vec<u32>,
    touched: Vec<u32>,
    touched_cells: Vec<u32>,
    pieces: Vec<u32>,
}

impl Refiner {
    pub fn new(n: usize) -> Refiner {
        Refiner {
            count: vec![0; n],
            touched_len: vec![0; n],
            queued: vec![false; n],
            singles: Vec::new(),
            queue: Default::default(),
            splitter: Vec::new(),
            touched: Vec::new(),
            touched_cells: Vec::new(),
            pieces: Vec::new(),
        }
    }

    /// Lets a cell split the others in the next `refine`.
    pub fn enqueue(&mut self, cells: &Cells, cell: u32) {
        if std::mem::replace(&mut self.queued[cell as usize], true) {
            return;
        }
        match cells.len(cell) {
            1 => self.singles.push(cell),
            _ => self.queue.push_back(cell),
        }
    }

    /// Makes the vertex at the end of a cell a cell of its own, which will split the others.
    pub fn individualise(
        &mut self,
        cells: &mut Cells,
        side: &mut Side,
        vertex: u32,
        watch: &mut impl SplitWatch,
    ) {
        let cell = cells.of(side.pos[vertex as usize]);
        let end = cell + cells.len(cell);
        side.swap(side.pos[vertex as usize], end - 1);
        cells.split(cell, end - 1);
        watch.split(cells, side, cell, end - 1, end);
        self.enqueue(cells, end - 1);
    }

    /// Refines until no cell splits another; false at the first difference from the trace, or when it
    /// is to stop.
    pub fn refine(
        &mut self,
        graph: &Graph,
        cells: &mut Cells,
        side: &mut Side,
        trace: &mut RefinementTrace,
        watch: &mut impl SplitWatch,
        stop: StopFn,
    ) -> bool {
        while let Some(cell) = self.singles.pop().or_else(|| self.queue.pop_front()) {
            if stop() {
                self.queued[cell as usize] = false;
                self.clear();
                return false;
            }
            self.queued[cell as usize] = false;
            let range = cells.range(cell);
            self.splitter.clear();
            self.splitter.extend_from_slice(&side.lab[range]);
            let hash = self.count_neighbours(graph, cells, side);
            let same = trace.note(hash) && self.split_touched(cells, side, trace, watch);
            self.forget_counts();
            if !same {
                self.clear();
                return false;
            }
        }
        true
    }

    /// Counts neighbours in the splitter and moves the touched vertices to the ends of their cells.
    /// The answer is a number that tells touched cells and counts.
    fn count_neighbours(&mut self, graph: &Graph, cells: &Cells, side: &mut Side) -> u64 {
        for i in 0..self.splitter.len() {
            for &w in graph.neighbours(self.splitter[i]) {
                self.count[w as usize] += 1;
                if self.count[w as usize] == 1 {
                    self.touched.push(w);
                    self.touch(cells, side, w);
                }
            }
        }
        let cell_of = |w: u32| cells.of(side.pos[w as usize]) as u64;
        let number = |w: u32| mix(cell_of(w) << 32 | self.count[w as usize] as u64);
        self.touched.iter().fold(self.splitter.len() as u64, |h, &w| h.wrapping_add(number(w)))
    }

    fn touch(&mut self, cells: &Cells, side: &mut Side, w: u32) {
        let cell = cells.of(side.pos[w as usize]);
        let len = cells.len(cell);
        if len == 1 {
            return;
        }
        let done = &mut self.touched_len[cell as usize];
        if *done == 0 {
            self.touched_cells.push(cell);
        }
        *done += 1;
        side.swap(side.pos[w as usize], cell + len - *done);
    }

    fn split_touched(
        &mut self,
        cells: &mut Cells,
        side: &mut Side,
        trace: &mut RefinementTrace,
        watch: &mut impl SplitWatch,
    ) -> bool {
        let mut list = std::mem::take(&mut self.touched_cells);
        list.sort_unstable();
        let mut same = true;
        for &cell in &list {
            let touched = std::mem::take(&mut self.touched_len[cell as usize]);
            same = same && self.split_by_count(cells, side, cell, touched, trace, watch);
        }
        list.clear();
        self.touched_cells = list;
        same
    }

    /// Splits a cell whose last `touched` vertices have a count above zero.
    fn split_by_count(
        &mut self,
        cells: &mut Cells,
        side: &mut Side,
        cell: u32,
        touched: u32,
        trace: &mut RefinementTrace,
        watch: &mut impl SplitWatch,
    ) -> bool {
        let end = cell + cells.len(cell);
        let from = end - touched;
        if self.splitter.len() > 1 {
            self.sort_by_count(side, from, end);
        }
        self.pieces.clear();
        for p in from.max(cell + 1)..end {
            let before = if p == from { 0 } else { self.count[side.lab[p as usize - 1] as usize] };
            if before != self.count[side.lab[p as usize] as usize] {
                self.pieces.push(p);
            }
        }
        let mut stop = end;
        for i in (0..self.pieces.len()).rev() {
            let at = self.pieces[i];
            cells.split(cell, at);
            if !trace.note(at as u64) {
                return false;
            }
            watch.split(cells, side, cell, at, stop);
            stop = at;
        }
        self.enqueue_pieces(cells, cell);
        true
    }

    fn sort_by_count(&mut self, side: &mut Side, from: u32, end: u32) {
        let slice = &mut side.lab[from as usize..end as usize];
        let first = self.count[slice[0] as usize];
        if slice.iter().all(|&v| self.count[v as usize] == first) {
            return;
        }
        slice.sort_unstable_by_key(|&v| self.count[v as usize]);
        for p in from..end {
            side.pos[side.lab[p as usize] as usize] = p;
        }
    }

    /// All pieces of a split cell but a largest one split the others (Hopcroft).
    fn enqueue_pieces(&mut self, cells: &Cells, cell: u32) {
        if self.pieces.is_empty() {
            return;
        }
        let pieces = std::mem::take(&mut self.pieces);
        let all = || std::iter::once(cell).chain(pieces.iter().copied());
        let skipped = match self.queued[cell as usize] {
            true => cell,
            false => all().rev().max_by_key(|&c| cells.len(c)).expect("the cell itself"),
        };
        all().filter(|&c| c != skipped).for_each(|c| self.enqueue(cells, c));
        self.pieces = pieces;
    }

    fn forget_counts(&mut self) {
        for w in self.touched.drain(..) {
            self.count[w as usize] = 0;
        }
    }

    fn clear(&mut self) {
        for cell in self.singles.drain(..).chain(self.queue.drain(..)) {
            self.queued[cell as usize] = false;
        }
        for cell in self.touched_cells.drain(..) {
            self.touched_len[cell as usize] = 0;
        }
    }
}

/// Spreads a number over all bits (the finaliser of splitmix64).
pub fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
