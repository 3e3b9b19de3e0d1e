//! `Game`: rules as this test writes and reads them, with nothing of the library in them.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

/// A name, kept once for the whole run.
pub type Name = &'static str;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    Var(Name),
    App(Name, Vec<Term>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    pub name: Name,
    pub args: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    Is(Atom),
    Not(Atom),
    Distinct(Term, Term),
    /// One of several conjunctions.
    Or(Vec<Vec<Literal>>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub head: Atom,
    pub body: Vec<Literal>,
}

/// A game, with the kinds of games to which it belongs.
#[derive(Clone, Debug)]
pub struct Game {
    pub seed: u64,
    pub kinds: Vec<Name>,
    pub rules: Vec<Rule>,
}

thread_local! {
    static NAMES: RefCell<HashSet<Name>> = RefCell::default();
}

/// The one copy of a name.
pub fn name(text: &str) -> Name {
    NAMES.with_borrow_mut(|names| match names.get(text) {
        Some(known) => known,
        None => {
            let kept: Name = Box::leak(text.to_string().into_boxed_str());
            names.insert(kept);
            kept
        }
    })
}

impl Game {
    /// Reads rules in KIF.
    pub fn read(text: &str) -> Game {
        let mut words = words(text).into_iter().peekable();
        let mut rules = Vec::new();
        while words.peek().is_some() {
            rules.push(rule(&tree(&mut words)));
        }
        Game { seed: 0, kinds: vec![], rules }
    }

    /// How the game is called in messages.
    pub fn title(&self) -> String {
        format!("game {} ({})", self.seed, self.kinds.join(", "))
    }
}

impl Term {
    pub fn read(text: &str) -> Term {
        term(&tree(&mut words(text).into_iter().peekable()))
    }
}

enum Tree {
    Word(String),
    List(Vec<Tree>),
}

fn words(text: &str) -> Vec<String> {
    let lines = text.lines().map(|l| l.split(';').next().unwrap_or_default());
    let spaced = lines.collect::<Vec<_>>().join(" ").replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().map(String::from).collect()
}

fn tree(words: &mut std::iter::Peekable<std::vec::IntoIter<String>>) -> Tree {
    let word = words.next().expect("a word");
    if word != "(" {
        return Tree::Word(word);
    }
    let mut list = Vec::new();
    while words.peek().expect("a closing parenthesis") != ")" {
        list.push(tree(words));
    }
    words.next();
    Tree::List(list)
}

fn rule(tree: &Tree) -> Rule {
    match parts(tree) {
        ("<=", args) => {
            Rule { head: atom(&args[0]), body: args[1..].iter().map(literal).collect() }
        }
        _ => Rule { head: atom(tree), body: vec![] },
    }
}

/// The name at the front, and what follows it.
fn parts(tree: &Tree) -> (&str, &[Tree]) {
    match tree {
        Tree::Word(word) => (word, &[]),
        Tree::List(list) => match &list[0] {
            Tree::Word(word) => (word, &list[1..]),
            Tree::List(_) => panic!("a list begins with a name"),
        },
    }
}

fn atom(tree: &Tree) -> Atom {
    let (word, args) = parts(tree);
    Atom { name: name(word), args: args.iter().map(term).collect() }
}

fn term(tree: &Tree) -> Term {
    let (word, args) = parts(tree);
    match word.strip_prefix('?') {
        Some(variable) => Term::Var(name(variable)),
        None => Term::App(name(word), args.iter().map(term).collect()),
    }
}

fn literal(tree: &Tree) -> Literal {
    let (word, args) = parts(tree);
    match word {
        "not" => Literal::Not(atom(&args[0])),
        "distinct" => Literal::Distinct(term(&args[0]), term(&args[1])),
        "or" => Literal::Or(args.iter().map(conjunction).collect()),
        _ => Literal::Is(atom(tree)),
    }
}

fn conjunction(tree: &Tree) -> Vec<Literal> {
    match parts(tree) {
        ("and", args) => args.iter().map(literal).collect(),
        _ => vec![literal(tree)],
    }
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter, word: &str, args: &[T]) -> fmt::Result {
    if args.is_empty() {
        return f.write_str(word);
    }
    write!(f, "({word}")?;
    args.iter().try_for_each(|a| write!(f, " {a}"))?;
    f.write_str(")")
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Term::Var(v) => write!(f, "?{v}"),
            Term::App(name, args) => list(f, name, args),
        }
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        list(f, self.name, &self.args)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Literal::Is(atom) => atom.fmt(f),
            Literal::Not(atom) => write!(f, "(not {atom})"),
            Literal::Distinct(a, b) => write!(f, "(distinct {a} {b})"),
            Literal::Or(cases) => {
                f.write_str("(or")?;
                for case in cases {
                    f.write_str(" ")?;
                    match &case[..] {
                        [one] => one.fmt(f)?,
                        _ => list(f, "and", case)?,
                    }
                }
                f.write_str(")")
            }
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.body.is_empty() {
            return self.head.fmt(f);
        }
        write!(f, "(<= {}", self.head)?;
        self.body.iter().try_for_each(|l| write!(f, " {l}"))?;
        f.write_str(")")
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.rules.iter().try_for_each(|rule| writeln!(f, "{rule}"))
    }
}

impl Rule {
    /// The body without disjunctions: one conjunction for each way to choose among their cases.
    pub fn cases(&self) -> Vec<Vec<Literal>> {
        multiplied(&self.body)
    }
}

fn multiplied(body: &[Literal]) -> Vec<Vec<Literal>> {
    let mut all = vec![vec![]];
    for literal in body {
        let ways: Vec<Vec<Literal>> = match literal {
            Literal::Or(cases) => cases.iter().flat_map(|case| multiplied(case)).collect(),
            plain => vec![vec![plain.clone()]],
        };
        let join = |before: &Vec<Literal>| -> Vec<Vec<Literal>> {
            ways.iter().map(|way| [&before[..], way].concat()).collect()
        };
        all = all.iter().flat_map(join).collect();
    }
    all
}
