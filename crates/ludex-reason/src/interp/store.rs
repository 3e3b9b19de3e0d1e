//! `FactStore`: the ground terms of a running game, and the facts that are true now with their indexes.
//!
//! Clones of an engine share one list of terms, so that a state of one is a state of all: a term
//! that is new to a clone is entered in the shared list, and every clone knows a prefix of it.

use super::tuples::Tuples;
use ludex_gdl::rules::{LARGEST_TERM, Symbol, TermId, Terms};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard};

pub const NONE: u32 = u32::MAX;
/// Terms nested deeper (or larger than `LARGEST_TERM`) are not built: rules that make ever larger terms end in a `Problem`.
pub const MAX_DEPTH: u32 = 4_000;
const MAX_TERMS: usize = 1 << 26;

#[derive(Clone)]
pub struct FactStore {
    shared: Arc<Mutex<Terms>>,
    pub functors: Vec<Functor>,
    functor_numbers: FxHashMap<(Symbol, usize), u32>,
    /// The constants by symbol, `NONE` where a symbol is none.
    constants: Vec<u32>,
    places: Vec<CompoundPlace>,
    /// By term: the number of the state in which it was last true.
    true_in: Vec<u32>,
    state: u32,
    /// The facts of the present state, ascending.
    pub facts: Vec<u32>,
    pub too_deep: bool,
}

/// Where a compound term stands: its functor, its row there, its depth. Constants have no functor.
#[derive(Clone, Copy)]
struct CompoundPlace {
    functor: u32,
    row: u32,
    depth: u32,
}

/// A function symbol at an arity above 0, with all its terms and the indexes over true ones.
#[derive(Clone)]
pub struct Functor {
    pub symbol: Symbol,
    pub tuples: Tuples,
    terms: Vec<u32>,
    pub indexes: Vec<FactIndex>,
}

/// The true facts of a functor by the values of some columns: linked lists, one for each key.
#[derive(Clone)]
pub struct FactIndex {
    pub columns: Vec<usize>,
    keys: Tuples,
    /// By row of the functor: its key and the next true row with that key.
    links: Vec<(u32, u32)>,
    /// By key: the state in which the list was begun, and its first row.
    heads: Vec<(u32, u32)>,
}

impl FactStore {
    /// With room for so many constants.
    pub fn new(constants: usize) -> FactStore {
        FactStore {
            shared: Arc::new(Mutex::new(Terms::with_capacity(constants))),
            functors: Vec::new(),
            functor_numbers: FxHashMap::default(),
            constants: Vec::new(),
            places: Vec::new(),
            true_in: Vec::new(),
            state: 1,
            facts: Vec::new(),
            too_deep: false,
        }
    }

    pub fn functor(&mut self, symbol: Symbol, arity: usize) -> u32 {
        let next = self.functors.len() as u32;
        let number = *self.functor_numbers.entry((symbol, arity)).or_insert(next);
        if number == next {
            let (tuples, terms) = (Tuples::new(arity), Vec::new());
            self.functors.push(Functor { symbol, tuples, terms, indexes: Vec::new() });
        }
        number
    }

    pub fn constant(&mut self, symbol: Symbol) -> u32 {
        let at = symbol.0 as usize;
        if self.constants.get(at).is_none_or(|term| *term == NONE) {
            let term = self.enter(symbol, &[]);
            self.constants.resize(self.constants.len().max(at + 1), NONE);
            self.constants[at] = term;
        }
        self.constants[at]
    }

    /// The term of a functor and arguments. Too deep a term is replaced by its first argument.
    #[inline]
    pub fn build(&mut self, functor: u32, value: impl Fn(usize) -> u32) -> u32 {
        match self.find(functor, &value) {
            Some(term) => term,
            None => self.build_anew(functor, &value),
        }
    }

    /// The same, none where the term would be too deep.
    pub fn build_shallow(&mut self, functor: u32, value: impl Fn(usize) -> u32) -> Option<u32> {
        let before = std::mem::take(&mut self.too_deep);
        let term = self.build(functor, value);
        let deep = std::mem::replace(&mut self.too_deep, before);
        (!deep).then_some(term)
    }

    #[inline]
    pub fn find(&self, functor: u32, value: impl Fn(usize) -> u32) -> Option<u32> {
        let f = &self.functors[functor as usize];
        f.tuples.find(value).map(|row| f.terms[row as usize])
    }

    #[cold]
    fn build_anew(&mut self, functor: u32, value: &impl Fn(usize) -> u32) -> u32 {
        let f = &self.functors[functor as usize];
        let args: Vec<TermId> = (0..f.tuples.width()).map(|i| TermId(value(i))).collect();
        let depth = args.iter().map(|a| self.places[a.0 as usize].depth).max();
        let deep = depth.is_some_and(|d| d >= MAX_DEPTH);
        if deep
            || self.places.len() >= MAX_TERMS
            || self.all_terms().size_with(&args) > LARGEST_TERM
        {
            self.too_deep = true;
            return value(0);
        }
        let symbol = f.symbol;
        self.enter(symbol, &args)
    }

    fn enter(&mut self, symbol: Symbol, args: &[TermId]) -> u32 {
        let shared = self.shared.clone();
        let mut shared = shared.lock().expect("no panic while held");
        let term = shared.intern(symbol, args);
        self.take_over(&shared);
        term.0
    }

    /// Takes over the terms that other clones have entered.
    pub fn catch_up(&mut self) {
        let shared = self.shared.clone();
        self.take_over(&shared.lock().expect("no panic while held"));
    }

    fn take_over(&mut self, shared: &Terms) {
        for t in self.places.len()..shared.len() {
            let t = TermId(t as u32);
            let place = self.place(shared.functor(t), shared.args(t), t);
            self.places.push(place);
            self.true_in.push(0);
        }
    }

    fn place(&mut self, symbol: Symbol, args: &[TermId], term: TermId) -> CompoundPlace {
        if args.is_empty() {
            return CompoundPlace { functor: NONE, row: 0, depth: 0 };
        }
        let depth = 1 + args.iter().map(|a| self.places[a.0 as usize].depth).max().unwrap_or(0);
        let functor = self.functor(symbol, args.len());
        let f = &mut self.functors[functor as usize];
        let row = f.tuples.intern(|i| args[i].0);
        f.terms.push(term.0);
        CompoundPlace { functor, row, depth }
    }

    /// The terms of all clones.
    pub fn all_terms(&self) -> MutexGuard<'_, Terms> {
        self.shared.lock().expect("no panic while held")
    }

    pub fn knows(&self, term: u32) -> bool {
        (term as usize) < self.places.len()
    }

    /// The row of a term in a functor, none where it belongs to another.
    #[inline]
    pub fn row_in(&self, term: u32, functor: u32) -> Option<u32> {
        let place = self.places[term as usize];
        (place.functor == functor).then_some(place.row)
    }

    #[inline]
    pub fn is_true(&self, term: u32) -> bool {
        self.true_in[term as usize] == self.state
    }

    /// Makes exactly these facts true.
    pub fn load(&mut self, facts: &[u32]) {
        self.facts.clear();
        self.facts.extend_from_slice(facts);
        if self.state == u32::MAX {
            self.forget();
        }
        self.state += 1;
        for &fact in facts {
            self.true_in[fact as usize] = self.state;
            let place = self.places[fact as usize];
            if place.functor != NONE {
                let f = &mut self.functors[place.functor as usize];
                for index in &mut f.indexes {
                    index.insert(place.row, &f.tuples, self.state);
                }
            }
        }
    }

    fn forget(&mut self) {
        self.state = 0;
        self.true_in.fill(0);
        for f in &mut self.functors {
            f.indexes.iter_mut().for_each(|i| i.heads.fill((0, NONE)));
        }
    }

    /// Sets the indexes of all functors; the present state is loaded anew.
    pub fn set_indexes(&mut self, columns: &[Vec<Vec<usize>>]) {
        for (f, lists) in self.functors.iter_mut().zip(columns) {
            f.indexes = lists.iter().map(|c| FactIndex::new(c.clone())).collect();
        }
        let facts = std::mem::take(&mut self.facts);
        self.load(&facts);
    }

    /// The first true row of a functor with this key, or `NONE`.
    #[inline]
    pub fn first(&self, functor: u32, index: u32, value: impl Fn(usize) -> u32) -> u32 {
        let index = &self.functors[functor as usize].indexes[index as usize];
        let Some(key) = index.keys.find(value) else { return NONE };
        match index.heads[key as usize] {
            (state, row) if state == self.state => row,
            _ => NONE,
        }
    }

    /// Calls `f` on the true facts of a functor with this key.
    #[inline]
    pub fn each(&self, functor: u32, index: u32, key: &[u32], mut f: impl FnMut(u32)) {
        let mut row = self.first(functor, index, |i| key[i]);
        let functor = &self.functors[functor as usize];
        while row != NONE {
            f(functor.terms[row as usize]);
            row = functor.after(index, row);
        }
    }
}

impl Functor {
    /// The true row after this one in an index, or `NONE`.
    #[inline]
    pub fn after(&self, index: u32, row: u32) -> u32 {
        self.indexes[index as usize].links[row as usize].1
    }
}

impl FactIndex {
    fn new(columns: Vec<usize>) -> FactIndex {
        let keys = Tuples::new(columns.len());
        FactIndex { columns, keys, links: Vec::new(), heads: Vec::new() }
    }

    #[inline]
    fn insert(&mut self, row: u32, tuples: &Tuples, state: u32) {
        if self.links.len() <= row as usize {
            self.extend(tuples);
        }
        let link = &mut self.links[row as usize];
        let head = &mut self.heads[link.0 as usize];
        link.1 = if head.0 == state { head.1 } else { NONE };
        *head = (state, row);
    }

    #[cold]
    fn extend(&mut self, tuples: &Tuples) {
        for row in self.links.len() as u32..tuples.len() as u32 {
            let values = tuples.row(row);
            let key = self.keys.intern(|i| values[self.columns[i]]);
            self.links.push((key, NONE));
            if self.heads.len() <= key as usize {
                self.heads.push((0, NONE));
            }
        }
    }
}
