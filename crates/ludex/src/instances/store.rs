//! The tuples of a grounding: atoms by number, views of a relation as columns, indexes of views.
//!
//! A view is a relation seen through a pattern: `true(cell(_, _, _))` has three columns. Tuples are
//! rows of `u32` without allocation of their own; an index is a hash table of first rows and a chain
//! through the rest, newest first.

use crate::rules::{Rel, Symbol, Term, TermId, Terms};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

pub const NONE: u32 = u32::MAX;

/// A pattern of a term: a hole takes any ground term and is one column of a view.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Hole,
    App(Symbol, Vec<Shape>),
}

impl Shape {
    /// The pattern of a term; `holes` gets the variables and ground terms that fill its holes.
    pub fn of<'a>(term: &'a Term, holes: &mut Vec<&'a Term>) -> Shape {
        match term {
            Term::App(f, args) if !term.is_ground() => {
                Shape::App(*f, args.iter().map(|a| Shape::of(a, holes)).collect())
            }
            _ => {
                holes.push(term);
                Shape::Hole
            }
        }
    }

    /// Appends the columns of a ground term; false if it does not have this shape.
    fn columns(&self, terms: &Terms, t: TermId, out: &mut Vec<u32>) -> bool {
        match self {
            Shape::Hole => {
                out.push(t.0);
                true
            }
            Shape::App(f, shapes) => {
                let args = terms.args(t);
                terms.functor(t) == *f
                    && args.len() == shapes.len()
                    && shapes.iter().zip(args).all(|(s, a)| s.columns(terms, *a, out))
            }
        }
    }
}

/// Every ground atom that was derived, or only named under a negation.
#[derive(Default)]
pub struct Atoms {
    /// Relation, first argument in `args`, and whether it was derived.
    heads: Vec<(Rel, u32, bool)>,
    args: Vec<TermId>,
    /// Per relation, hash and number: most misses are told by the hash, without a look at the
    /// arguments; and rules derive one relation at a time, whose table stays in the cache.
    index: Vec<HashTable<(u32, u32)>>,
    /// The atom asked for last; the next is often the same.
    last: u32,
}

impl Atoms {
    pub fn intern(&mut self, rel: Rel, args: &[TermId]) -> u32 {
        if self.is(self.last, rel, args) {
            return self.last;
        }
        let hash = atom_hash(args);
        self.last = self.find_hashed(hash, rel, args).unwrap_or_else(|| {
            let n = self.heads.len() as u32;
            if self.index.len() <= rel.index() {
                self.index.resize_with(rel.index() + 1, HashTable::new);
            }
            let index = &mut self.index[rel.index()];
            index.insert_unique(spread(hash), (hash, n), |(h, _)| spread(*h));
            self.heads.push((rel, self.args.len() as u32, false));
            self.args.extend_from_slice(args);
            n
        });
        self.last
    }

    pub fn find(&self, rel: Rel, args: &[TermId]) -> Option<u32> {
        self.find_hashed(atom_hash(args), rel, args)
    }

    fn find_hashed(&self, hash: u32, rel: Rel, args: &[TermId]) -> Option<u32> {
        let same = |(h, n): &(u32, u32)| *h == hash && self.is(*n, rel, args);
        self.index.get(rel.index())?.find(spread(hash), same).map(|(_, n)| *n)
    }

    fn is(&self, atom: u32, rel: Rel, args: &[TermId]) -> bool {
        (atom as usize) < self.len() && self.rel(atom) == rel && self.args(atom) == args
    }

    pub fn len(&self) -> usize {
        self.heads.len()
    }

    pub fn rel(&self, atom: u32) -> Rel {
        self.heads[atom as usize].0
    }

    pub fn derived(&self, atom: u32) -> bool {
        self.heads[atom as usize].2
    }

    /// Marks an atom as derived; false if it was before.
    fn derive(&mut self, atom: u32) -> bool {
        !std::mem::replace(&mut self.heads[atom as usize].2, true)
    }

    pub fn args(&self, atom: u32) -> &[TermId] {
        let start = self.heads[atom as usize].1 as usize;
        let end = self.heads.get(atom as usize + 1).map_or(self.args.len(), |h| h.1 as usize);
        &self.args[start..end]
    }
}

fn atom_hash(args: &[TermId]) -> u32 {
    key_hash(args.iter().map(|a| a.0)) as u32
}

/// A hash table looks at both ends of a hash.
fn spread(hash: u32) -> u64 {
    (hash as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A relation seen through a pattern. A row is its columns and, last, its atom.
pub struct View {
    shapes: Vec<Shape>,
    stride: usize,
    rows: Vec<u32>,
    indexes: Vec<Index>,
    /// Rows before `old` were there in the round before; rows before `all` are there in this one.
    pub old: u32,
    pub all: u32,
}

struct Index {
    columns: Vec<usize>,
    first: HashTable<u32>,
    next: Vec<u32>,
}

impl View {
    pub fn len(&self) -> u32 {
        (self.rows.len() / self.stride) as u32
    }

    pub fn row(&self, row: u32) -> &[u32] {
        &self.rows[row as usize * self.stride..][..self.stride]
    }

    pub fn atom(&self, row: u32) -> u32 {
        self.rows[(row as usize + 1) * self.stride - 1]
    }

    /// The index by these columns, made where there is none yet.
    pub fn index(&mut self, columns: &[usize]) -> usize {
        if let Some(i) = self.indexes.iter().position(|x| x.columns == columns) {
            return i;
        }
        let mut index =
            Index { columns: columns.to_vec(), first: HashTable::new(), next: Vec::new() };
        index.extend(&self.rows, self.stride, self.all);
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The newest row with these values in the columns of an index.
    pub fn first(&self, index: usize, key: &[u32]) -> u32 {
        let x = &self.indexes[index];
        let same = |r: &u32| {
            let row = &self.rows[*r as usize * self.stride..];
            x.columns.iter().zip(key).all(|(c, k)| row[*c] == *k)
        };
        x.first.find(key_hash(key.iter().copied()), same).copied().unwrap_or(NONE)
    }

    /// The next older row with the same key.
    pub fn next(&self, index: usize, row: u32) -> u32 {
        self.indexes[index].next[row as usize]
    }

    /// Begins a round: what was new is old, what came since is new. False if nothing came.
    fn turn(&mut self) -> bool {
        self.old = self.all;
        self.all = self.len();
        for index in &mut self.indexes {
            index.extend(&self.rows, self.stride, self.all);
        }
        self.old < self.all
    }

    /// About how many different values a column has, from a sample of its rows.
    pub fn distinct(&self, column: usize) -> usize {
        let step = (self.len() as usize / 1024).max(1);
        let rows = self.rows.chunks(self.stride).step_by(step);
        let mut values: Vec<u32> = rows.map(|r| r[column]).collect();
        let sampled = values.len();
        values.sort_unstable();
        values.dedup();
        // Nearly all different: then so are the rows that were not looked at.
        if values.len() * 4 > sampled * 3 { values.len() * step } else { values.len() }
    }
}

impl Index {
    /// Takes in the rows up to `end`.
    fn extend(&mut self, rows: &[u32], stride: usize, end: u32) {
        let Index { columns, first, next } = self;
        let key = |r: u32| columns.iter().map(move |c| rows[r as usize * stride + c]);
        for row in next.len() as u32..end {
            let hash = key_hash(key(row));
            let entry = first.entry(hash, |r| key(*r).eq(key(row)), |r| key_hash(key(*r)));
            match entry {
                hashbrown::hash_table::Entry::Occupied(mut e) => {
                    next.push(std::mem::replace(e.get_mut(), row))
                }
                hashbrown::hash_table::Entry::Vacant(e) => {
                    e.insert(row);
                    next.push(NONE);
                }
            }
        }
    }
}

fn key_hash(key: impl Iterator<Item = u32>) -> u64 {
    let mut hasher = FxHasher::default();
    key.for_each(|k| hasher.write_u32(k));
    hasher.finish()
}

/// All atoms and views of a grounding.
#[derive(Default)]
pub struct Store {
    pub terms: Terms,
    pub atoms: Atoms,
    pub views: Vec<View>,
    by_pattern: FxHashMap<(Rel, Vec<Shape>), usize>,
    /// Per relation, its views and its derived atoms.
    of_relation: Vec<(Vec<usize>, Vec<u32>)>,
    scratch: Vec<u32>,
}

impl Store {
    pub fn new(relations: usize) -> Store {
        Store { of_relation: vec![Default::default(); relations], ..Store::default() }
    }

    /// The view of a relation through a pattern, made where there is none yet.
    pub fn view(&mut self, rel: Rel, shapes: Vec<Shape>) -> usize {
        if let Some(v) = self.by_pattern.get(&(rel, shapes.clone())) {
            return *v;
        }
        let stride = 1 + shapes.iter().map(holes).sum::<usize>();
        let v = self.views.len();
        self.views.push(View {
            shapes: shapes.clone(),
            stride,
            rows: vec![],
            indexes: vec![],
            old: 0,
            all: 0,
        });
        self.by_pattern.insert((rel, shapes), v);
        self.of_relation[rel.index()].0.push(v);
        for atom in self.of_relation[rel.index()].1.clone() {
            self.push(v, atom);
        }
        self.views[v].all = self.views[v].len();
        self.views[v].old = self.views[v].all;
        v
    }

    /// Derives an atom that no rule gives.
    pub fn give(&mut self, rel: Rel, args: &[TermId]) {
        let atom = self.atoms.intern(rel, args);
        self.derive(atom);
    }

    /// Derives an atom; false if it was before.
    pub fn derive(&mut self, atom: u32) -> bool {
        if !self.atoms.derive(atom) {
            return false;
        }
        let rel = self.atoms.rel(atom).index();
        self.of_relation[rel].1.push(atom);
        for i in 0..self.of_relation[rel].0.len() {
            self.push(self.of_relation[rel].0[i], atom);
        }
        true
    }

    fn push(&mut self, view: usize, atom: u32) {
        self.scratch.clear();
        let view = &mut self.views[view];
        let args = self.atoms.args(atom);
        let terms = &self.terms;
        let scratch = &mut self.scratch;
        if view.shapes.iter().zip(args).all(|(s, a)| s.columns(terms, *a, scratch)) {
            view.rows.extend_from_slice(scratch);
            view.rows.push(atom);
        }
    }

    /// The derived atoms of a relation, in the order found.
    pub fn derived(&self, rel: Rel) -> &[u32] {
        &self.of_relation[rel.index()].1
    }

    /// Makes all rows of the growing relations count as new in the round that comes.
    pub fn all_new(&mut self, growing: &[bool]) {
        for (views, _) in self.of_relation.iter().zip(growing).filter(|x| *x.1).map(|x| x.0) {
            for v in views {
                (self.views[*v].old, self.views[*v].all) = (0, 0);
            }
        }
    }

    /// Begins a round for all views. False if nothing is new.
    pub fn turn(&mut self) -> bool {
        self.views.iter_mut().fold(false, |new, v| v.turn() | new)
    }
}

fn holes(shape: &Shape) -> usize {
    match shape {
        Shape::Hole => 1,
        Shape::App(_, args) => args.iter().map(holes).sum(),
    }
}
