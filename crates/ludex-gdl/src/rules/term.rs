//! Symbols and ground terms as dense ids, interned once per game.
//!
//! Both tables hash what they store in place, so that looking up a known name or term allocates
//! nothing: a file of 50 MB makes millions of look-ups.

use super::Term;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// An interned name. Names that differ only in letter case are one symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<SymbolName>,
    index: HashTable<Symbol>,
}

/// A name as first written and, where that differs, folded to lower case.
#[derive(Clone, Debug)]
struct SymbolName {
    written: Box<str>,
    folded: Option<Box<str>>,
}

impl SymbolName {
    fn folded(&self) -> &str {
        self.folded.as_deref().unwrap_or(&self.written)
    }
}

impl Symbols {
    pub fn with_capacity(names: usize) -> Symbols {
        Symbols { names: Vec::with_capacity(names), index: HashTable::with_capacity(names) }
    }

    pub fn intern(&mut self, name: &str) -> Symbol {
        let folded = fold(name);
        let key = folded.as_deref().unwrap_or(name);
        let names = &self.names;
        let same = |s: &Symbol| names[s.0 as usize].folded() == key;
        let rehash = |s: &Symbol| hash(names[s.0 as usize].folded());
        match self.index.entry(hash(key), same, rehash) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let s = *free.insert(Symbol(names.len() as u32)).get();
                let folded = folded.map(String::into_boxed_str);
                self.names.push(SymbolName { written: name.into(), folded });
                s
            }
        }
    }

    pub fn find(&self, name: &str) -> Option<Symbol> {
        let folded = fold(name);
        let key = folded.as_deref().unwrap_or(name);
        self.index.find(hash(key), |s| self.folded(*s) == key).copied()
    }

    /// The name as its author first wrote it.
    pub fn name(&self, s: Symbol) -> &str {
        &self.names[s.0 as usize].written
    }

    /// The name in lower case, as in canonical text.
    pub fn folded(&self, s: Symbol) -> &str {
        self.names[s.0 as usize].folded()
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// The name in lower case, or none where it is so already.
fn fold(name: &str) -> Option<String> {
    let plain = |b: u8| b.is_ascii() && !b.is_ascii_uppercase();
    if name.bytes().all(plain) { None } else { Some(name.to_lowercase()).filter(|f| f != name) }
}

fn hash<T: Hash + ?Sized>(key: &T) -> u64 {
    let mut hasher = FxHasher::default();
    key.hash(&mut hasher);
    hasher.finish()
}

/// Terms whose texts have more symbols are not made: no game has them, but rules can double a term in
/// every step.
pub const LARGEST_TERM: u32 = 1 << 17;

/// A ground term, interned in a `Terms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

impl From<TermId> for u32 {
    fn from(term: TermId) -> u32 {
        term.0
    }
}

/// The ground terms of a game: equal terms have equal ids.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<(Symbol, u32, u32)>,
    args: Vec<TermId>,
    /// By term, the symbols of its text.
    sizes: Vec<u32>,
    /// The greatest of them.
    largest: u32,
    index: HashTable<TermId>,
}

impl Terms {
    pub fn with_capacity(terms: usize) -> Terms {
        Terms {
            nodes: Vec::with_capacity(terms),
            args: Vec::new(),
            sizes: Vec::with_capacity(terms),
            largest: 0,
            index: HashTable::with_capacity(terms),
        }
    }

    pub fn intern(&mut self, functor: Symbol, args: &[TermId]) -> TermId {
        let (nodes, all) = (&self.nodes, &self.args);
        let known = |t: &TermId| {
            let (functor, start, end) = nodes[t.0 as usize];
            (functor, &all[start as usize..end as usize])
        };
        let key = (functor, args);
        match self.index.entry(hash(&key), |t| known(t) == key, |t| hash(&known(t))) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let t = *free.insert(TermId(nodes.len() as u32)).get();
                let start = all.len() as u32;
                self.args.extend_from_slice(args);
                self.nodes.push((functor, start, self.args.len() as u32));
                let size = self.size_with(args);
                self.sizes.push(size);
                self.largest = self.largest.max(size);
                t
            }
        }
    }

    /// The term if it has been interned.
    pub fn find(&self, functor: Symbol, args: &[TermId]) -> Option<TermId> {
        let same = |t: &TermId| self.functor(*t) == functor && self.args(*t) == args;
        self.index.find(hash(&(functor, args)), same).copied()
    }

    /// The symbols in the text of a term with these arguments. Parts are shared, texts are not: a term of
    /// thirty parts can have a text that no memory holds.
    pub fn size_with(&self, args: &[TermId]) -> u32 {
        args.iter().fold(1, |size: u32, a| size.saturating_add(self.sizes[a.0 as usize]))
    }

    /// The symbols in the longest text of a term.
    pub fn largest(&self) -> u32 {
        self.largest
    }

    pub fn functor(&self, t: TermId) -> Symbol {
        self.nodes[t.0 as usize].0
    }

    pub fn args(&self, t: TermId) -> &[TermId] {
        let (_, start, end) = self.nodes[t.0 as usize];
        &self.args[start as usize..end as usize]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A ground term as a term of the rules, with the same symbols.
    pub fn to_term(&self, t: TermId) -> Term {
        Term::App(self.functor(t), self.args(t).iter().map(|a| self.to_term(*a)).collect())
    }

    /// KIF text: in lower case if `canonical`, else as the author wrote the names.
    pub fn text(&self, symbols: &Symbols, t: TermId, canonical: bool) -> String {
        let mut out = String::new();
        self.write(symbols, t, canonical, &mut out);
        out
    }

    fn write(&self, symbols: &Symbols, t: TermId, canonical: bool, out: &mut String) {
        let functor = self.functor(t);
        let name = if canonical { symbols.folded(functor) } else { symbols.name(functor) };
        if self.args(t).is_empty() {
            return out.push_str(name);
        }
        out.push('(');
        out.push_str(name);
        for a in self.args(t) {
            out.push(' ');
            self.write(symbols, *a, canonical, out);
        }
        out.push(')');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_symbol_whatever_their_case() {
        let mut symbols = Symbols::default();
        let a = symbols.intern("nextFile");
        assert_eq!(symbols.intern("nextfile"), a);
        assert_eq!(symbols.find("NEXTFILE"), Some(a));
        assert_eq!((symbols.name(a), symbols.folded(a)), ("nextFile", "nextfile"));
        assert_ne!(symbols.intern("Ärger"), a);
        assert_eq!(symbols.find("ärger"), symbols.find("ÄRGER"));
        assert_eq!(symbols.len(), 2);
    }

    #[test]
    fn equal_terms_have_equal_ids() {
        let (mut symbols, mut terms) = (Symbols::default(), Terms::default());
        let f = symbols.intern("f");
        let numbers: Vec<TermId> =
            (0..1000).map(|i| terms.intern(symbols.intern(&i.to_string()), &[])).collect();
        let pairs: Vec<TermId> =
            numbers.windows(2).map(|w| terms.intern(f, &[w[0], w[1]])).collect();
        assert_eq!(terms.find(f, &[numbers[7], numbers[8]]), Some(pairs[7]));
        assert_eq!(terms.find(f, &[numbers[8], numbers[7]]), None);
        assert_eq!(terms.len(), 1999);
        assert_eq!(terms.text(&symbols, pairs[3], false), "(f 3 4)");
        assert_eq!(terms.largest(), 3);
        let double = |terms: &mut Terms, t: TermId| terms.intern(f, &[t, t]);
        (0..50).fold(pairs[0], |t, _| double(&mut terms, t));
        assert_eq!(terms.largest(), u32::MAX);
    }
}
