//! A property in GDL -> `Property`: the rules of the game with one more, which says when it fails.
//!
//! A property is a formula, several (all must hold), or an implication `(<= head conditions…)`, in
//! prefix form or infix. Its relations are those of the game and of GDL; its variables stand for
//! everything, so each must have a condition that gives its values where the property could fail.
//! It has to hold in every reachable state; with `does` or `next` in it, for every legal joint move
//! in every reachable state that is not terminal.

use ludex_gdl::rules::{Atom, Literal, Rel, Relation, Rule, Rules, Symbol, Term};
use ludex_gdl::source::{Report, Severity, Source, Span};
use ludex_gdl::syntax::Syntax;
use rustc_hash::FxHashSet;

pub struct Property {
    /// As written.
    pub text: String,
    /// The rules of the game, where `fact` is true in the next state if the property fails.
    pub rules: Rules,
    pub fact: String,
    /// Whether it speaks of a joint move or of the state after it.
    pub steps: bool,
}

impl Property {
    /// Reads a property of a game. The report is about the source that comes with it.
    pub fn read(text: &str, game: &Rules) -> Result<Property, Box<(Source, Report)>> {
        let written = Source::new("property", text.trim());
        match read(&written.text, game) {
            Ok((rules, fact)) => {
                let steps = speaks_of_steps(&rules, &fact);
                Ok(Property { text: written.text, rules, fact, steps })
            }
            Err(report) => Err(Box::new((written, report))),
        }
    }
}

fn read(text: &str, game: &Rules) -> Result<(Rules, String), Report> {
    balanced(text)?;
    let name = free_name(text, game);
    let wrapped = if text.starts_with('(') || !text.contains(['(', ':', '~', '|', '&']) {
        Wrapped::kif(text, &name)
    } else {
        Wrapped::infix(text, &name)
    };
    let source = Source::new("property", wrapped.text.as_str());
    let (part, _) = Rules::read_part(&source, Some(wrapped.syntax)).map_err(|r| wrapped.told(r))?;
    let fails = part.symbols.find(&name).expect("its head");
    let own =
        |r: &Rule| part.relation(r.head.rel).auxiliary || r.head.rel == fails_of(&part, fails);
    if !part.rules.iter().all(own) {
        return Err(complaint("not-one-property", None, "this is more than one formula", ""));
    }
    known(&part, game, text)?;
    let merged = merge(part, game, fails);
    merged.map(|rules| (rules, name)).ok_or_else(|| {
        complaint("not-stratified", None, "the property depends on its own negation", "")
    })
}

fn balanced(text: &str) -> Result<(), Report> {
    if text.is_empty() {
        return Err(complaint("empty", None, "there is no property", "write a formula in GDL"));
    }
    let mut open: Vec<usize> = Vec::new();
    let one = |at: usize| Some(Span { start: at as u32, end: at as u32 + 1 });
    for (i, c) in text.char_indices() {
        if c == '(' {
            open.push(i);
        }
        if c == ')' && open.pop().is_none() {
            return Err(complaint("unbalanced", one(i), "this `)` closes nothing", "take it out"));
        }
    }
    match open.last() {
        None => Ok(()),
        Some(at) => Err(complaint("unbalanced", one(*at), "a `)` is missing for this", "add it")),
    }
}

/// Whether the rule for failing depends on `does`, or on what the game says of the next state.
fn speaks_of_steps(rules: &Rules, fact: &str) -> bool {
    let name = rules.symbols.find(fact).expect("its head");
    let own_next = |rel: Rel| {
        let relation = rules.relation(rel);
        relation.auxiliary && Some(relation.name) == rules.symbols.find("next")
    };
    let mut seen = vec![false; rules.relations.len()];
    let mut open = vec![fails_of(rules, name)];
    while let Some(rel) = open.pop() {
        if rel == Rel::DOES || own_next(rel) {
            return true;
        }
        if !std::mem::replace(&mut seen[rel.index()], true) {
            let bodies = rules.defining(rel).flat_map(|r| &r.body);
            open.extend(bodies.filter_map(Literal::atom).map(|a| a.rel));
        }
    }
    false
}

fn fails_of(part: &Rules, name: Symbol) -> Rel {
    let at = part.relations.iter().position(|r| r.name == name && r.arity == 0);
    Rel(at.expect("a relation of its own") as u32)
}

/// A name that neither the game nor the property uses.
fn free_name(text: &str, game: &Rules) -> String {
    let names = (0..).map(|i| if i == 0 { "fails".into() } else { format!("fails{i}") });
    let free = |n: &String| game.symbols.find(n).is_none() && !text.to_lowercase().contains(n);
    names.into_iter().find(free).expect("numbers do not end")
}

fn complaint(code: &'static str, span: Option<Span>, message: &str, hint: &str) -> Report {
    let mut report = Report::default();
    let complaint = report.push(Severity::Error, code, span, message.into());
    if !hint.is_empty() {
        complaint.hint(hint);
    }
    report
}

/// A property as the body of the rule for when it fails.
struct Wrapped {
    syntax: Syntax,
    text: String,
    /// Parts taken over: place in the new text, place in the old one, length.
    parts: Vec<(usize, usize, usize)>,
}

impl Wrapped {
    fn new(syntax: Syntax) -> Wrapped {
        Wrapped { syntax, text: String::new(), parts: vec![] }
    }

    fn add(mut self, text: &str) -> Wrapped {
        self.text.push_str(text);
        self
    }

    fn keep(mut self, whole: &str, range: std::ops::Range<usize>) -> Wrapped {
        self.parts.push((self.text.len(), range.start, range.len()));
        self.text.push_str(&whole[range]);
        self
    }

    /// A line end after each part ends a comment.
    fn kif(text: &str, name: &str) -> Wrapped {
        let start = Wrapped::new(Syntax::Kif).add(&format!("(<= {name} "));
        let Some((head, end)) = implication(text) else {
            return start.add("(not (and ").keep(text, 0..text.len()).add("\n)))");
        };
        let body = head.end..end;
        start.keep(text, body).add("\n(not ").keep(text, head).add("\n))")
    }

    fn infix(text: &str, name: &str) -> Wrapped {
        let end = text.trim_end_matches(['.', ' ']).len();
        let start = Wrapped::new(Syntax::Infix).add(&format!("{name} :- "));
        match text.find(":-") {
            None => start.add("~(").keep(text, 0..end).add(")"),
            Some(at) => {
                let start = start.add("(").keep(text, at + 2..end.max(at + 2));
                start.add(") & ~(").keep(text, 0..at).add(")")
            }
        }
    }

    /// The report with its places in the property as it was written.
    fn told(&self, mut report: Report) -> Report {
        let old = |at: u32| {
            let part = self.parts.iter().find(|p| (p.0..=p.0 + p.2).contains(&(at as usize)));
            part.map(|p| (p.1 + (at as usize).saturating_sub(p.0)) as u32)
        };
        for complaint in &mut report.complaints {
            let span = complaint.span.take();
            complaint.span =
                span.and_then(|s| Some(Span { start: old(s.start)?, end: old(s.end)? }));
            // A place in words is one of the rule that was made of the property.
            if let Some(at) = complaint.message.find(" for the parenthesis on line") {
                complaint.message.truncate(at);
            }
            if complaint.code == "unsafe-variable" {
                let name = complaint.message.split(' ').next().unwrap_or_default().to_string();
                complaint.message = format!("nothing says which values {name} stands for");
                complaint.hint(UNBOUND);
            }
        }
        report.complaints.retain(|c| c.severity == Severity::Error);
        report
    }
}

const UNBOUND: &str =
    "write an implication with a condition that gives the values, as in (<= PROPERTY (role ?x))";

/// The head of `(<= head body…)` and where the body ends.
fn implication(text: &str) -> Option<(std::ops::Range<usize>, usize)> {
    let inner = text.strip_prefix('(')?.trim_start().strip_prefix("<=")?;
    let from = text.len() - inner.trim_start().len();
    let mut depth = 0;
    for (i, c) in text[from..].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        let ends = if c == ')' { depth == 0 } else { depth == 0 && c.is_whitespace() };
        if ends {
            let body_end = text.rfind(')').filter(|e| *e > from + i)?;
            return Some((from..from + i + usize::from(c == ')'), body_end));
        }
        if depth < 0 {
            // No conditions: `(<= head)`.
            return Some((from..from + i, from + i));
        }
    }
    None
}

/// Complains about relations, facts and moves that the game does not have.
fn known(part: &Rules, game: &Rules, text: &str) -> Result<(), Report> {
    let words = GameNames::of(game);
    let missing = |what: &str, name: &str, hint: &str| {
        let at = text.to_ascii_lowercase().find(&name.to_ascii_lowercase());
        let span = at.map(|a| Span { start: a as u32, end: (a + name.len()) as u32 });
        complaint("unknown-name", span, &format!("{what} {name}"), hint)
    };
    let with = |arity| if arity == 1 { "1 argument".into() } else { format!("{arity} arguments") };
    for atom in part.rules.iter().flat_map(|r| &r.body).filter_map(Literal::atom) {
        let relation = part.relation(atom.rel);
        let name = part.symbols.name(relation.name);
        if relation.auxiliary {
            continue;
        }
        if !atom.rel.is_keyword() && !words.relations.contains(&folded(name, relation.arity)) {
            let hint = "`ludex info GAME` lists the relations of a game; facts stand in (true …)";
            let what = format!("the game has no relation with {} called", with(relation.arity));
            return Err(missing(&what, name, hint));
        }
        if let Some(name) = atom.args.iter().find_map(|t| strange(t, part, game)) {
            let hint = "`ludex info GAME` shows the roles, relations and facts of a game";
            return Err(missing("the game has no name", name, hint));
        }
        let Some(Term::App(functor, args)) = atom.args.last() else { continue };
        let (terms, what) = match atom.rel {
            Rel::TRUE | Rel::NEXT | Rel::INIT | Rel::BASE => (&words.facts, "fact"),
            Rel::DOES | Rel::LEGAL | Rel::INPUT => (&words.moves, "move"),
            _ => continue,
        };
        let functor = part.symbols.name(*functor);
        if terms.as_ref().is_some_and(|t| !t.contains(&folded(functor, args.len()))) {
            let hint = "`ludex info GAME` shows the facts and moves of a game";
            let what = format!("the game has no {what} with {} called", with(args.len()));
            return Err(missing(&what, functor, hint));
        }
    }
    Ok(())
}

/// A name in a term that the game does not have, unless it is a number.
fn strange<'a>(term: &Term, part: &'a Rules, game: &Rules) -> Option<&'a str> {
    let Term::App(f, args) = term else { return None };
    let name = part.symbols.name(*f);
    let unknown = game.symbols.find(name).is_none() && name.parse::<i64>().is_err();
    if unknown && args.is_empty() {
        return Some(name);
    }
    args.iter().find_map(|a| strange(a, part, game))
}

/// A name without its letter case, at an arity.
type NameArity = (String, usize);

fn folded(name: &str, arity: usize) -> NameArity {
    (name.to_lowercase(), arity)
}

/// The names that a game has for relations, facts and moves (none: any may occur).
struct GameNames {
    relations: FxHashSet<NameArity>,
    facts: Option<FxHashSet<NameArity>>,
    moves: Option<FxHashSet<NameArity>>,
}

impl GameNames {
    fn of(game: &Rules) -> GameNames {
        // Also those whose rules can never hold, and so are gone.
        let own = game.relations.iter().filter(|r| !r.auxiliary);
        let relations = own.map(|r| folded(game.symbols.name(r.name), r.arity)).collect();
        let functors = |rels: &[Rel]| {
            let heads = game.rules.iter().map(|r| &r.head).filter(|h| rels.contains(&h.rel));
            let functor = |h: &Atom| match h.args.last() {
                Some(Term::App(f, args)) => Some(folded(game.symbols.name(*f), args.len())),
                _ => None,
            };
            heads.map(functor).collect()
        };
        GameNames {
            relations,
            facts: functors(&[Rel::INIT, Rel::NEXT, Rel::BASE]),
            moves: functors(&[Rel::LEGAL, Rel::INPUT]),
        }
    }
}

/// The game with the rules of the property, and `next` of the fact that it fails. The property asks
/// for `next` by another name, so that nothing depends on its own negation.
fn merge(part: Rules, game: &Rules, fails: Symbol) -> Option<Rules> {
    let mut rules = game.clone();
    let next = rules.new_relation("next", 1);
    rules.rename(Rel::NEXT, next, true);
    let all = Literal::Pos(Atom::of_variables(next, 1));
    rules.add_rule(Atom::of_variables(Rel::NEXT, 1), vec![all], &["x"]);
    let relations = relations(&part, &mut rules, next);
    for rule in &part.rules {
        let mut body = Vec::new();
        for literal in &rule.body {
            body.push(match literal {
                Literal::Pos(a) => Literal::Pos(atom(a, &relations, &part, &mut rules)),
                Literal::Neg(a) => Literal::Neg(atom(a, &relations, &part, &mut rules)),
                Literal::Distinct(a, b) => {
                    let a = term(a, &part, &mut rules);
                    Literal::Distinct(a, term(b, &part, &mut rules))
                }
            });
        }
        let head = atom(&rule.head, &relations, &part, &mut rules);
        rules.rules.push(Rule { head, body, ..rule.clone() });
    }
    let fact = Term::App(rules.symbols.intern(part.symbols.name(fails)), vec![]);
    let condition = Atom { rel: relations[fails_of(&part, fails).index()], args: vec![] };
    let head = Atom { rel: Rel::NEXT, args: vec![fact] };
    rules.add_rule(head, vec![Literal::Pos(condition)], &[]);
    rules.stratify()?;
    Some(rules)
}

/// The relations of a part in the rules of the game.
fn relations(part: &Rules, game: &mut Rules, next: Rel) -> Vec<Rel> {
    let relation = |(i, r): (usize, &Relation)| {
        let name = part.symbols.name(r.name);
        match Rel(i as u32) {
            Rel::NEXT => next,
            keyword if keyword.is_keyword() => keyword,
            _ if r.auxiliary => game.new_relation(name, r.arity),
            _ => game
                .find_relation(name, r.arity)
                .unwrap_or_else(|| game.new_relation(name, r.arity)),
        }
    };
    part.relations.iter().enumerate().map(relation).collect()
}

fn atom(atom: &Atom, relations: &[Rel], from: &Rules, to: &mut Rules) -> Atom {
    let args = atom.args.iter().map(|t| term(t, from, to)).collect();
    Atom { rel: relations[atom.rel.index()], args }
}

/// A term with the symbols of other rules.
fn term(of: &Term, from: &Rules, to: &mut Rules) -> Term {
    match of {
        Term::Var(v) => Term::Var(*v),
        Term::App(f, args) => {
            let symbol = to.symbols.intern(from.symbols.name(*f));
            Term::App(symbol, args.iter().map(|a| term(a, from, to)).collect())
        }
    }
}
