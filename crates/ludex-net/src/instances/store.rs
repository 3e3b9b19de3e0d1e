//! The tuples of a grounding: atoms by number, views of a relation as columns, indexes of views.
//!
//! A view is a relation seen through a pattern: `true(cell(_, _, _))` has three columns. Tuples are
//! rows of `u32` without allocation of their own; an index is a table of first rows and a chain through
//! the rest, newest first.

use super::table::TupleTable;
use ludex_gdl::rules::{Rel, Symbol, Term, TermId, Terms};
use rustc_hash::FxHashMap;

pub const NONE: u32 = u32::MAX;

/// A pattern of a term: a hole takes any ground term and is one column of a view.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TermPattern {
    Hole,
    App(Symbol, Vec<TermPattern>),
}

impl TermPattern {
    /// The pattern of a term; `holes` gets the variables and ground terms that fill its holes.
    pub fn of<'a>(term: &'a Term, holes: &mut Vec<&'a Term>) -> TermPattern {
        match term {
            Term::App(f, args) if !term.is_ground() => {
                TermPattern::App(*f, args.iter().map(|a| TermPattern::of(a, holes)).collect())
            }
            _ => {
                holes.push(term);
                TermPattern::Hole
            }
        }
    }

    /// Appends the columns of a ground term; false if it does not have this shape.
    fn columns(&self, terms: &Terms, t: TermId, out: &mut Vec<u32>) -> bool {
        match self {
            TermPattern::Hole => {
                out.push(t.0);
                true
            }
            TermPattern::App(f, shapes) => {
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
    /// Relation, and first argument in `args`.
    heads: Vec<(Rel, u32)>,
    args: Vec<TermId>,
    derived: Vec<bool>,
    /// The numbers of the atoms of each relation.
    index: Vec<TupleTable>,
    /// The atom asked for last, and its arguments; the next is often the same.
    last: (Option<Rel>, u32),
    last_args: Vec<TermId>,
}

impl Atoms {
    pub fn intern(&mut self, rel: Rel, args: &[TermId]) -> u32 {
        if self.last.0 == Some(rel) && self.last_args == args {
            return self.last.1;
        }
        if self.index.len() <= rel.index() {
            self.index.resize_with(rel.index() + 1, TupleTable::default);
        }
        let Atoms { heads, args: all, .. } = self;
        let value = |n: u32, c: usize| all[heads[n as usize].1 as usize + c].0;
        let number = self.index[rel.index()].entry(args, value);
        if *number == NONE {
            *number = heads.len() as u32;
            heads.push((rel, all.len() as u32));
            all.extend_from_slice(args);
            self.derived.push(false);
        }
        self.last = (Some(rel), *number);
        self.last_args.clear();
        self.last_args.extend_from_slice(args);
        self.last.1
    }

    pub fn find(&self, rel: Rel, args: &[TermId]) -> Option<u32> {
        let value = |n: u32, c: usize| self.args[self.heads[n as usize].1 as usize + c].0;
        let number = self.index.get(rel.index())?.get(args, value);
        (number != NONE).then_some(number)
    }

    pub fn len(&self) -> usize {
        self.heads.len()
    }

    pub fn rel(&self, atom: u32) -> Rel {
        self.heads[atom as usize].0
    }

    pub fn derived(&self, atom: u32) -> bool {
        self.derived[atom as usize]
    }

    /// Marks an atom as derived; false if it was before.
    fn derive(&mut self, atom: u32) -> bool {
        !std::mem::replace(&mut self.derived[atom as usize], true)
    }

    pub fn args(&self, atom: u32) -> &[TermId] {
        let start = self.heads[atom as usize].1 as usize;
        let end = self.heads.get(atom as usize + 1).map_or(self.args.len(), |h| h.1 as usize);
        &self.args[start..end]
    }
}

/// A relation seen through a pattern. A row is its columns and, last, its atom.
pub struct RelationView {
    shapes: Vec<TermPattern>,
    stride: usize,
    rows: Vec<u32>,
    indexes: Vec<ViewIndex>,
    /// Rows before `old` were there in the round before; rows before `all` are there in this one.
    pub old: u32,
    pub all: u32,
}

struct ViewIndex {
    columns: Vec<usize>,
    first: TupleTable,
    next: Vec<u32>,
}

impl RelationView {
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
            ViewIndex { columns: columns.to_vec(), first: TupleTable::default(), next: Vec::new() };
        index.extend(&self.rows, self.stride, self.all);
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The newest row with these values in the columns of an index.
    pub fn first(&self, index: usize, key: &[u32]) -> u32 {
        let ViewIndex { columns, first, .. } = &self.indexes[index];
        first.get(key, |row, c| self.rows[row as usize * self.stride + columns[c]])
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

impl ViewIndex {
    /// Takes in the rows up to `end`.
    fn extend(&mut self, rows: &[u32], stride: usize, end: u32) {
        let ViewIndex { columns, first, next } = self;
        let value = |row: u32, c: usize| rows[row as usize * stride + columns[c]];
        let mut key = vec![0; columns.len()];
        for row in next.len() as u32..end {
            (0..key.len()).for_each(|c| key[c] = value(row, c));
            next.push(std::mem::replace(first.entry(&key, value), row));
        }
    }
}

/// All atoms and views of a grounding.
#[derive(Default)]
pub struct AtomStore {
    pub terms: Terms,
    pub atoms: Atoms,
    pub views: Vec<RelationView>,
    by_pattern: FxHashMap<(Rel, Vec<TermPattern>), usize>,
    /// Per relation, its views and its derived atoms.
    of_relation: Vec<(Vec<usize>, Vec<u32>)>,
    scratch: Vec<u32>,
}

impl AtomStore {
    pub fn new(relations: usize) -> AtomStore {
        AtomStore { of_relation: vec![Default::default(); relations], ..AtomStore::default() }
    }

    /// The view of a relation through a pattern, made where there is none yet.
    pub fn view(&mut self, rel: Rel, shapes: Vec<TermPattern>) -> usize {
        if let Some(v) = self.by_pattern.get(&(rel, shapes.clone())) {
            return *v;
        }
        let stride = 1 + shapes.iter().map(holes).sum::<usize>();
        let v = self.views.len();
        self.views.push(RelationView {
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
    pub(crate) fn all_new(&mut self, growing: &[bool]) {
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

fn holes(shape: &TermPattern) -> usize {
    match shape {
        TermPattern::Hole => 1,
        TermPattern::App(_, args) => args.iter().map(holes).sum(),
    }
}
