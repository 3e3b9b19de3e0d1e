//! `Program`: the rules compiled to instructions of the machine, and the tables they fill.
//!
//! A table stands for one way to ask a relation: some columns are given (the key), the others are
//! wanted. Its rules run one after the other with the key in the first slots. A test that fails goes
//! back to the scan that last bound one of its variables: `fail` is the number of scans, counted
//! from the beginning of the rule, that stay open.

use super::tuples::Tuples;

/// A slot of the rule, or a term (high bit set).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arg(pub u32);

impl Arg {
    const TERM: u32 = 1 << 31;

    pub fn slot(slot: u32) -> Arg {
        Arg(slot)
    }

    pub fn term(term: u32) -> Arg {
        Arg(term | Arg::TERM)
    }

    pub fn as_term(self) -> Option<u32> {
        (self.0 & Arg::TERM != 0).then_some(self.0 & !Arg::TERM)
    }

    #[inline]
    pub fn value(self, slots: &[u32]) -> u32 {
        if self.0 & Arg::TERM == 0 { slots[self.0 as usize] } else { self.0 & !Arg::TERM }
    }
}

/// A range of `Program::args`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Args {
    pub start: u32,
    pub len: u32,
}

/// A range of `Program::outs`: pairs of a column and the slot that takes its value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outs {
    pub start: u32,
    pub len: u32,
}

#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// The end of a query.
    Halt,
    Same {
        a: Arg,
        b: Arg,
        fail: u32,
    },
    Differ {
        a: Arg,
        b: Arg,
        fail: u32,
    },
    /// `out` becomes the term of a functor and arguments.
    Build {
        functor: u32,
        args: Args,
        out: u32,
    },
    /// The slot holds a term of the functor; its arguments go to `out` and the slots after it.
    Take {
        slot: u32,
        functor: u32,
        out: u32,
        fail: u32,
    },
    /// `true(f(args))`.
    Fact {
        functor: u32,
        args: Args,
        negated: bool,
        fail: u32,
    },
    /// `true(arg)`.
    FactTerm {
        arg: Arg,
        negated: bool,
        fail: u32,
    },
    Does {
        role: Arg,
        action: Arg,
        negated: bool,
        fail: u32,
    },
    Row {
        stored: u32,
        args: Args,
        negated: bool,
        fail: u32,
    },
    /// Has the table an answer for the key?
    Ask {
        table: u32,
        key: Args,
        negated: bool,
        fail: u32,
    },
    ScanFacts {
        functor: u32,
        index: u32,
        key: Args,
        outs: Outs,
        fail: u32,
    },
    ScanState {
        out: u32,
    },
    ScanDoes {
        role: Arg,
        out: u32,
        fail: u32,
    },
    ScanRoles {
        role_out: u32,
        out: u32,
    },
    ScanRows {
        stored: u32,
        index: u32,
        key: Args,
        outs: Outs,
        fail: u32,
    },
    ScanTable {
        table: u32,
        key: Args,
        outs: Outs,
        fail: u32,
    },
    /// A call inside a recursive component: waits for the answers with a copy of `live` slots.
    Await {
        table: u32,
        key: Args,
        outs: Outs,
        live: u32,
    },
    /// Of the open scans only the first `depth` are continued: the others bind nothing that matters.
    Commit {
        depth: u32,
    },
    Emit {
        args: Args,
    },
    /// What comes before asks moves only, and is kept for the next time they are made: the open
    /// scans, and the slots that are set.
    Split {
        depth: u32,
        live: u32,
    },
}

/// What a table gives for a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Whether there is an answer.
    Exists,
    /// All answers, each once.
    All,
    /// All answers, computed together with the other tables of a recursive component.
    Recursive,
}

/// How long answers are valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Validity {
    Static,
    State,
    Joint,
}

/// The tables of an update that are answered together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateGroup {
    /// Those that depend on the joint move.
    Moving,
    /// Those that do not.
    Still,
}

#[derive(Clone, Debug)]
pub struct QueryTable {
    pub relation: u32,
    /// The given columns, ascending.
    pub columns: Vec<usize>,
    pub mode: Mode,
    pub level: Validity,
    /// Where the code of each rule begins, and the slots it uses.
    pub rules: Vec<EntryPoint>,
    /// Its group, if its rules, the answers of which are terms, have a `Split`.
    pub split: Option<UpdateGroup>,
}

#[derive(Clone, Copy, Debug)]
pub struct EntryPoint {
    pub start: u32,
    pub slots: u32,
}

/// A relation whose tuples are all known, with its indexes.
#[derive(Clone, Debug)]
pub struct Stored {
    pub tuples: Tuples,
    pub indexes: Vec<RowIndex>,
}

#[derive(Clone, Debug)]
pub struct RowIndex {
    pub columns: Vec<usize>,
    pub keys: Tuples,
    /// By key: where its rows begin in `rows`; one more for the end.
    pub starts: Vec<u32>,
    pub rows: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub ops: Vec<Op>,
    pub args: Vec<Arg>,
    pub outs: Vec<(u32, u32)>,
    pub tables: Vec<QueryTable>,
    /// By group: the tables of which the rules have a `Split`.
    pub split: [Vec<u32>; 2],
    pub stored: Vec<Stored>,
    /// By functor: its arity.
    pub widths: Vec<u32>,
    /// By functor: the columns of each index over its true facts.
    pub indexes: Vec<Vec<Vec<usize>>>,
    /// By relation: its arity.
    pub arities: Vec<usize>,
}

impl Program {
    #[inline]
    pub fn values(&self, args: Args) -> &[Arg] {
        &self.args[args.start as usize..][..args.len as usize]
    }

    #[inline]
    pub fn outs(&self, outs: Outs) -> &[(u32, u32)] {
        &self.outs[outs.start as usize..][..outs.len as usize]
    }
}

impl Stored {
    pub fn new(tuples: Tuples) -> Stored {
        Stored { tuples, indexes: Vec::new() }
    }

    /// The number of the index over these columns, made where it is missing.
    pub fn index(&mut self, columns: &[usize]) -> u32 {
        if let Some(i) = self.indexes.iter().position(|i| i.columns == columns) {
            return i as u32;
        }
        self.indexes.push(RowIndex::new(&self.tuples, columns));
        self.indexes.len() as u32 - 1
    }
}

impl RowIndex {
    fn new(tuples: &Tuples, columns: &[usize]) -> RowIndex {
        let mut keys = Tuples::new(columns.len());
        let key_of: Vec<u32> = (0..tuples.len() as u32)
            .map(|r| keys.intern(|i| tuples.value(r, columns[i])))
            .collect();
        let mut starts = vec![0u32; keys.len() + 1];
        key_of.iter().for_each(|k| starts[*k as usize + 1] += 1);
        (0..keys.len()).for_each(|k| starts[k + 1] += starts[k]);
        let mut rows: Vec<u32> = (0..tuples.len() as u32).collect();
        rows.sort_by_key(|r| key_of[*r as usize]);
        RowIndex { columns: columns.to_vec(), keys, starts, rows }
    }
}
