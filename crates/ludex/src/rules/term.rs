//! Symbols and ground terms as dense ids, interned once per game.

use rustc_hash::FxHashMap;

/// An interned name. Names that differ only in letter case are one symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// As first written, and folded to lower case.
    names: Vec<(String, String)>,
    index: FxHashMap<String, Symbol>,
}

impl Symbols {
    pub fn intern(&mut self, name: &str) -> Symbol {
        let folded = name.to_lowercase();
        if let Some(s) = self.index.get(&folded) {
            return *s;
        }
        let s = Symbol(self.names.len() as u32);
        self.names.push((name.to_string(), folded.clone()));
        self.index.insert(folded, s);
        s
    }

    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.index.get(&name.to_lowercase()).copied()
    }

    /// The name as its author first wrote it.
    pub fn name(&self, s: Symbol) -> &str {
        &self.names[s.0 as usize].0
    }

    /// The name in lower case, as in canonical text.
    pub fn folded(&self, s: Symbol) -> &str {
        &self.names[s.0 as usize].1
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// A ground term, interned in a `Terms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub u32);

/// The ground terms of a game: equal terms have equal ids.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<(Symbol, u32, u32)>,
    args: Vec<TermId>,
    index: FxHashMap<(Symbol, Box<[TermId]>), TermId>,
}

impl Terms {
    pub fn intern(&mut self, functor: Symbol, args: &[TermId]) -> TermId {
        if let Some(t) = self.index.get(&(functor, args.into())) {
            return *t;
        }
        let t = TermId(self.nodes.len() as u32);
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        self.nodes.push((functor, start, self.args.len() as u32));
        self.index.insert((functor, args.into()), t);
        t
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
