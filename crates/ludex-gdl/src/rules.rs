//! `Ast` -> `Rules`: interned symbols and terms, connectives removed, strata.
//!
//! A rule's body is a plain list of literals: small disjunctions have become several rules, large
//! ones auxiliary relations. The keywords have fixed relation numbers (`Rel::ROLE` …).

mod check;
mod formula;
mod inventory;
mod lower;
mod rewrite;
mod show;
mod split;
mod strata;
mod term;
mod unify;
mod wording;

pub use check::{is_cause, is_root};
pub use inventory::{FunctionCount, Inventory, RelationCount};
pub use lower::{fresh_name, renumber, renumber_literal};
pub use term::{LARGEST_TERM, Symbol, Symbols, TermId, Terms};
pub use unify::{Substitution, equal};
pub use wording::Wording;

use crate::source::{Report, Source, Span};
use crate::syntax::{Ast, Syntax};

/// A relation: a name at an arity. The keywords come first, in the order of `KEYWORDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rel(pub u32);

pub const KEYWORDS: [(&str, usize); 11] = [
    ("role", 1),
    ("base", 1),
    ("input", 2),
    ("init", 1),
    ("true", 1),
    ("does", 2),
    ("next", 1),
    ("legal", 2),
    ("goal", 2),
    ("terminal", 0),
    ("sees", 2),
];

impl Rel {
    pub const ROLE: Rel = Rel(0);
    pub const BASE: Rel = Rel(1);
    pub const INPUT: Rel = Rel(2);
    pub const INIT: Rel = Rel(3);
    pub const TRUE: Rel = Rel(4);
    pub const DOES: Rel = Rel(5);
    pub const NEXT: Rel = Rel(6);
    pub const LEGAL: Rel = Rel(7);
    pub const GOAL: Rel = Rel(8);
    pub const TERMINAL: Rel = Rel(9);
    /// What play asks for.
    pub const OUTPUTS: [Rel; 6] =
        [Rel::ROLE, Rel::INIT, Rel::NEXT, Rel::LEGAL, Rel::GOAL, Rel::TERMINAL];

    pub fn is_keyword(self) -> bool {
        (self.0 as usize) < KEYWORDS.len()
    }

    /// `true` and `does`: no rules, but the state and the moves.
    pub fn is_given(self) -> bool {
        matches!(self, Rel::TRUE | Rel::DOES)
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Whether a role is chance: `random` is, everywhere here. Each of its legal moves is equally likely, nobody
/// plays it, and it needs no goal (GDL-II, and the servers of general game playing).
pub fn is_chance(role: &str) -> bool {
    role.eq_ignore_ascii_case("random")
}

/// A relation's name and arity. `auxiliary`: made by a pass, not by the author.
#[derive(Clone, Debug)]
pub struct Relation {
    pub name: Symbol,
    pub arity: usize,
    pub auxiliary: bool,
}

/// A term of a rule. Constants are functions without arguments. Variables are numbered per rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    Var(u32),
    App(Symbol, Vec<Term>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom {
    pub rel: Rel,
    pub args: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Literal {
    Pos(Atom),
    Neg(Atom),
    Distinct(Term, Term),
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub head: Atom,
    pub body: Vec<Literal>,
    /// Names of the variables, as written and without a mark; `Var(i)` is `vars[i]`.
    pub vars: Vec<String>,
    /// Where the clause stands in the source.
    pub span: Span,
}

/// The rules of a game, ready for every later stage.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The game's name: the source's file name without folder and ending.
    pub name: String,
    pub symbols: Symbols,
    pub relations: Vec<Relation>,
    pub rules: Vec<Rule>,
    /// Stratum of every relation: a relation depends positively on its own stratum at the most,
    /// negatively only on lower ones. `true` and `does` are given, so they are in stratum 0.
    pub strata: Vec<u32>,
}

/// What rules are read for.
#[derive(Clone, Copy, PartialEq)]
enum ReadingPurpose {
    Whole,
    /// Some clauses of a game.
    Part,
    Play,
}

impl Rules {
    /// Reads, lowers and checks a source. Errors: no rules. The report also holds the warnings.
    pub fn read(source: &Source, syntax: Option<Syntax>) -> Result<(Rules, Report), Report> {
        let (rules, report) = Rules::read_leniently(source, syntax)?;
        if report.has_errors() { Err(report) } else { Ok((rules, report)) }
    }

    /// The same for a part of a game: what it lacks is no reason to refuse it.
    pub fn read_part(source: &Source, syntax: Option<Syntax>) -> Result<(Rules, Report), Report> {
        let (rules, report) = Rules::of_clauses(source, syntax, ReadingPurpose::Part)?;
        if report.has_errors() { Err(report) } else { Ok((rules, report)) }
    }

    /// The rules with all complaints, unless they are no rules at all or cannot be stratified: to
    /// play what others wrote as far as that can be done.
    pub(crate) fn read_leniently(
        source: &Source,
        syntax: Option<Syntax>,
    ) -> Result<(Rules, Report), Report> {
        Rules::of_clauses(source, syntax, ReadingPurpose::Whole)
    }

    /// The same without what play does not depend on: large parts that nothing asks for cost no more than
    /// their parsing, and checks are only made to say why rules are refused.
    pub fn read_to_play(source: &Source, syntax: Option<Syntax>) -> Result<Rules, Report> {
        Rules::of_clauses(source, syntax, ReadingPurpose::Play).map(|(rules, _)| rules)
    }

    fn of_clauses(
        source: &Source,
        syntax: Option<Syntax>,
        purpose: ReadingPurpose,
    ) -> Result<(Rules, Report), Report> {
        let (mut report, to_play) = (Report::default(), purpose == ReadingPurpose::Play);
        let mut ast = Ast::parse(source, syntax, &mut report);
        let complete = !report.has_errors();
        check::hidden_information(&ast, &mut report);
        if to_play {
            // Play does not depend on what roles are told, but it must not go on without it.
            if report.complaints.iter().any(|c| c.code == check::HIDDEN) {
                return Err(report);
            }
            ast.keep_needed();
        }
        if report.complaints.iter().any(|c| ["empty", "not-gdl", "wrong-syntax"].contains(&c.code))
        {
            return Err(report);
        }
        let (mut rules, mut places) = lower::lower(source, &ast, &mut report);
        split::split(&mut rules, &mut places, &mut report);
        let stratified = rules.strata.len() == rules.relations.len();
        if to_play && stratified {
            return Ok((rules, report));
        }
        check::check_each(source, &ast, &rules, &places, &mut report);
        if complete {
            let part = purpose == ReadingPurpose::Part;
            check::check_all((source, &ast, part), &rules, &places, &mut report);
        }
        check::in_order(&mut report);
        if ast.syntax == Syntax::Infix {
            let wording = Wording::new(&rules);
            report.reword(&|text| wording.infix(text));
        }
        assert!(stratified || report.has_errors(), "negation was checked");
        if stratified { Ok((rules, report)) } else { Err(report) }
    }

    pub fn relation(&self, rel: Rel) -> &Relation {
        &self.relations[rel.index()]
    }

    /// The rules with this relation in the head.
    pub fn defining(&self, rel: Rel) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(move |r| r.head.rel == rel)
    }

    /// Drops the rules that play does not depend on: those of relations that no role, state, move, goal or
    /// end asks for.
    pub fn keep_needed(&mut self) {
        let needed = self.needed_by(&Rel::OUTPUTS);
        self.rules.retain(|rule| needed[rule.head.rel.index()]);
    }

    /// The rules with `base` and `init`, `input` and `legal` exchanged: any engine of these gives the
    /// declared facts as its first state and the declared moves as legal.
    pub fn declarations(&self) -> Rules {
        let exchange = |atom: &mut Atom| {
            atom.rel = match atom.rel {
                Rel::BASE => Rel::INIT,
                Rel::INIT => Rel::BASE,
                Rel::INPUT => Rel::LEGAL,
                Rel::LEGAL => Rel::INPUT,
                rel => rel,
            }
        };
        let mut rules = self.clone();
        for rule in &mut rules.rules {
            exchange(&mut rule.head);
            rule.body.iter_mut().for_each(|l| match l {
                Literal::Pos(a) | Literal::Neg(a) => exchange(a),
                Literal::Distinct(..) => {}
            });
        }
        rules.stratify().expect("only names were exchanged");
        rules
    }

    /// Adds a ground fact.
    pub fn add_fact(&mut self, rel: Rel, args: Vec<Term>) {
        let span = Span { start: 0, end: 0 };
        self.rules.push(Rule { head: Atom { rel, args }, body: vec![], vars: vec![], span });
    }

    /// Computes `strata` anew, for passes that add rules or relations.
    /// None where a relation depends negatively on itself.
    pub fn stratify(&mut self) -> Option<()> {
        self.strata = strata::strata(self)?;
        Some(())
    }
}

impl Literal {
    /// The atom, unless this is `distinct`.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Pos(a) | Literal::Neg(a) => Some(a),
            Literal::Distinct(..) => None,
        }
    }

    /// Calls `f` on every variable, with repetitions, in order.
    pub fn for_each_var(&self, f: &mut impl FnMut(u32)) {
        match self {
            Literal::Pos(a) | Literal::Neg(a) => a.for_each_var(f),
            Literal::Distinct(a, b) => {
                a.for_each_var(f);
                b.for_each_var(f);
            }
        }
    }
}

impl Atom {
    /// Calls `f` on every variable, with repetitions, in order.
    pub fn for_each_var(&self, f: &mut impl FnMut(u32)) {
        self.args.iter().for_each(|t| t.for_each_var(f));
    }
}

impl Term {
    pub fn is_ground(&self) -> bool {
        match self {
            Term::Var(_) => false,
            Term::App(_, args) => args.iter().all(Term::is_ground),
        }
    }

    /// Calls `f` on every variable, with repetitions, in order.
    pub fn for_each_var(&self, f: &mut impl FnMut(u32)) {
        match self {
            Term::Var(v) => f(*v),
            Term::App(_, args) => args.iter().for_each(|t| t.for_each_var(f)),
        }
    }
}
