//! Ordered partitions: where the cells lie (`Cells`) and which vertices stand in them (`Side`).
//!
//! One `Cells` serves two sides whose cells have the same places and sizes. Splits only permute
//! vertices inside a cell, so the order of a side at a finer partition is valid at every coarser one,
//! and going back up merely merges cells.

/// The places of the cells. A cell is named by the position of its first vertex.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The cell of every position.
    of: Vec<u32>,
    /// The number of vertices of every cell, at its first position.
    len: Vec<u32>,
    /// The cells made by splits, in order.
    made: Vec<u32>,
}

/// The vertices of an ordered partition in order, and the position of each.
#[derive(Clone, Debug)]
pub struct Side {
    pub lab: Vec<u32>,
    pub pos: Vec<u32>,
}

impl Cells {
    /// One cell for every colour, colours ascending.
    pub fn of_colours(colours: &[u32]) -> (Cells, Side) {
        let n = colours.len();
        let mut lab: Vec<u32> = (0..n as u32).collect();
        lab.sort_by_key(|&v| colours[v as usize]);
        let mut cells = Cells { of: vec![0; n], len: vec![0; n], made: Vec::new() };
        let mut first = 0;
        for p in 0..n {
            if p > 0 && colours[lab[p] as usize] != colours[lab[p - 1] as usize] {
                first = p;
            }
            cells.of[p] = first as u32;
            cells.len[first] += 1;
        }
        let mut pos = vec![0; n];
        lab.iter().enumerate().for_each(|(p, &v)| pos[v as usize] = p as u32);
        (cells, Side { lab, pos })
    }

    pub fn of(&self, position: u32) -> u32 {
        self.of[position as usize]
    }

    pub fn len(&self, cell: u32) -> u32 {
        self.len[cell as usize]
    }

    /// The positions of a cell.
    pub fn range(&self, cell: u32) -> std::ops::Range<usize> {
        cell as usize..(cell + self.len(cell)) as usize
    }

    /// All cells in order.
    pub fn list(&self) -> Vec<u32> {
        let mut list = Vec::new();
        let mut p = 0;
        while p < self.of.len() {
            list.push(p as u32);
            p += self.len[p] as usize;
        }
        list
    }

    /// Makes a cell of its own from the positions `at..` of a cell.
    pub fn split(&mut self, cell: u32, at: u32) {
        let end = cell + self.len(cell);
        debug_assert!(cell < at && at < end);
        self.len[cell as usize] = at - cell;
        self.len[at as usize] = end - at;
        self.of[at as usize..end as usize].fill(at);
        self.made.push(at);
    }

    /// The number of splits so far: a mark to come back to.
    pub fn mark(&self) -> usize {
        self.made.len()
    }

    /// Takes back every split after the mark.
    pub fn undo(&mut self, mark: usize) {
        while self.made.len() > mark {
            let cell = self.made.pop().expect("longer than the mark");
            let len = self.len[cell as usize];
            let before = self.of[cell as usize - 1];
            self.len[before as usize] += len;
            self.of[cell as usize..(cell + len) as usize].fill(before);
        }
    }
}

impl Side {
    /// Exchanges the vertices of two positions.
    pub fn swap(&mut self, p: u32, q: u32) {
        self.lab.swap(p as usize, q as usize);
        self.pos[self.lab[p as usize] as usize] = p;
        self.pos[self.lab[q as usize] as usize] = q;
    }
}
