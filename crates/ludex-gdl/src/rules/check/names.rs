//! Names: used but never defined, defined but never used, at two arities, in two spellings, as two
//! things.

use super::{Check, definitions, hidden, variable_text};
use crate::rules::{KEYWORDS, Rel, Rules, Symbol, Term};
use crate::source::Span;
use crate::syntax::{Ast, Clause, Name, Node, NodeKind, Syntax};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

pub fn names(check: &mut Check) -> NameIndex {
    let ast = check.ast;
    let mut uses = Uses { first: vec![None; ast.names()], more: FxHashMap::default() };
    for clause in &ast.clauses {
        uses.atom(ast, &clause.head, true);
        ast.list(clause.body).iter().for_each(|n| uses.formula(ast, n, check));
        variables_in_two_spellings(check, clause);
    }
    let words = NameIndex::of(check, uses);
    spellings(check, &words);
    arities(check, &words);
    definitions::definitions(check, &words);
    functions(check, &words);
    characters(check, &words);
    words
}

/// How a name of one spelling and arity is used: where first as each of the three.
#[derive(Clone, Copy, Default)]
pub struct NameUse {
    pub head: Option<Span>,
    pub body: Option<Span>,
    pub function: Option<Span>,
    parens: Option<Span>,
    /// How often, as any of them.
    count: usize,
}

/// By name: its first arity, which is almost always its only one, and the others.
struct Uses {
    first: Vec<Option<(usize, NameUse)>>,
    more: FxHashMap<(Name, usize), NameUse>,
}

impl Uses {
    fn of(&mut self, name: Name, arity: usize) -> &mut NameUse {
        let first = self.first[name.0 as usize].get_or_insert((arity, NameUse::default()));
        if first.0 == arity { &mut first.1 } else { self.more.entry((name, arity)).or_default() }
    }

    fn formula(&mut self, ast: &Ast, node: &Node, check: &mut Check) {
        match node.kind {
            NodeKind::Not(list) => {
                let inner = ast.list(list);
                if inner.iter().any(|n| !matches!(n.kind, NodeKind::Apply { .. })) {
                    let message =
                        "the specification lets only atoms be negated; not is moved inwards here";
                    check.warning("negated-formula", node.span, message.into());
                }
                inner.iter().for_each(|n| self.formula(ast, n, check));
            }
            NodeKind::And(list) | NodeKind::Or(list) => {
                ast.list(list).iter().for_each(|n| self.formula(ast, n, check))
            }
            _ => self.atom(ast, node, false),
        }
    }

    fn atom(&mut self, ast: &Ast, node: &Node, head: bool) {
        let NodeKind::Apply { name, args, .. } = node.kind else { return };
        let entry = self.of(name, args.len());
        let first = if head { &mut entry.head } else { &mut entry.body };
        first.get_or_insert(node.span);
        entry.count += 1;
        ast.list(args).iter().for_each(|n| self.term(ast, n));
    }

    fn term(&mut self, ast: &Ast, node: &Node) {
        let NodeKind::Apply { name, args, parens } = node.kind else { return };
        let entry = self.of(name, args.len());
        entry.function.get_or_insert(node.span);
        entry.count += 1;
        if parens {
            entry.parens.get_or_insert(node.span);
        }
        ast.list(args).iter().for_each(|n| self.term(ast, n));
    }
}

/// The uses of each name, spellings that differ only in letter case together, in order of the names.
pub struct NameIndex {
    words: Vec<NameUses>,
    /// Where a name, in lower case, stands among them.
    by_text: FxHashMap<String, usize>,
    /// The names of variables in lower case, from when they are first asked for.
    variables: OnceCell<FxHashSet<String>>,
}

pub struct NameUses {
    /// By spelling and arity.
    uses: Vec<(Name, usize, NameUse)>,
    keyword: bool,
}

impl NameIndex {
    fn of(check: &Check, uses: Uses) -> NameIndex {
        let (ast, symbols) = (check.ast, &check.rules.symbols);
        let first = uses.first.into_iter().enumerate();
        let first = first.filter_map(|(n, u)| u.map(|(arity, u)| (Name(n as u32), arity, u)));
        let more = uses.more.into_iter().map(|((name, arity), u)| (name, arity, u));
        // `distinct` and names that stand only as (name) are no symbols: each is a word of its own.
        let word = |name: Name| symbols.find(ast.name(name)).ok_or(name);
        let mut all: Vec<(Result<Symbol, Name>, Name, usize, NameUse)> =
            first.chain(more).map(|(name, arity, u)| (word(name), name, arity, u)).collect();
        all.sort_unstable_by_key(|(word, name, arity, _)| (*word, *name, *arity));
        let words = all.chunk_by(|a, b| a.0 == b.0).map(|group| NameUses {
            uses: group.iter().map(|(_, name, arity, u)| (*name, *arity, *u)).collect(),
            keyword: is_keyword(ast.name(group[0].1)),
        });
        let words: Vec<NameUses> = words.collect();
        let mut by_text = FxHashMap::default();
        for (at, word) in words.iter().enumerate() {
            by_text.entry(word.text(ast).to_ascii_lowercase()).or_insert(at);
        }
        NameIndex { words, by_text, variables: OnceCell::new() }
    }

    pub fn iter(&self) -> impl Iterator<Item = &NameUses> {
        self.words.iter()
    }

    fn word(&self, name: &str) -> Option<&NameUses> {
        self.by_text.get(&name.to_ascii_lowercase()).map(|at| &self.words[*at])
    }

    /// How often a name stands anywhere.
    pub fn count(&self, name: &str) -> usize {
        self.word(name).map_or(0, NameUses::count)
    }

    /// Whether a name is that of a relation with rules, and none of GDL's own.
    pub fn is_defined(&self, name: &str) -> bool {
        self.word(name).is_some_and(|w| !w.keyword && w.uses.iter().any(|u| u.2.head.is_some()))
    }

    /// Whether a condition asks for a relation of this name, and none of GDL's own.
    pub fn is_asked(&self, name: &str) -> bool {
        self.word(name).is_some_and(|w| !w.keyword && w.uses.iter().any(|u| u.2.body.is_some()))
    }

    /// Whether any rule has a variable of this name.
    pub fn is_variable(&self, rules: &Rules, name: &str) -> bool {
        let all = || rules.rules.iter().flat_map(|r| &r.vars).map(|v| v.to_ascii_lowercase());
        self.variables.get_or_init(|| all().collect()).contains(&name.to_ascii_lowercase())
    }

    /// The relations that are defined, or those that are asked for, with arity and number of uses.
    pub fn relations<'a>(
        &'a self,
        ast: &'a Ast,
        of: fn(&NameUse) -> Option<Span>,
    ) -> impl Iterator<Item = (&'a str, usize, usize)> {
        let all = self.words.iter().filter(|w| !w.keyword);
        all.flat_map(move |w| {
            let used = w.uses.iter().filter(move |(_, _, u)| of(u).is_some());
            used.map(move |(_, arity, u)| (w.text(ast), *arity, u.count))
        })
    }
}

pub fn is_keyword(name: &str) -> bool {
    let mut words = KEYWORDS.iter().map(|(word, _)| *word).chain(["distinct"]);
    words.any(|word| word.eq_ignore_ascii_case(name))
}

impl NameUses {
    /// For each arity the first place of one kind of use.
    pub fn places(&self, of: impl Fn(&NameUse) -> Option<Span>) -> Vec<(usize, Span)> {
        let mut places: Vec<(usize, Span)> =
            self.uses.iter().filter_map(|(_, arity, u)| Some((*arity, of(u)?))).collect();
        places.sort_unstable_by_key(|(arity, span)| (*arity, span.start));
        places.dedup_by_key(|(arity, _)| *arity);
        places
    }

    pub fn text<'a>(&self, ast: &'a Ast) -> &'a str {
        ast.name(self.uses[0].0)
    }

    /// Whether it is also a function of this arity.
    pub fn is_function(&self, arity: usize) -> bool {
        self.uses.iter().any(|(_, a, u)| *a == arity && u.function.is_some())
    }

    pub fn count(&self) -> usize {
        self.uses.iter().map(|(_, _, u)| u.count).sum()
    }

    pub fn is_keyword(&self) -> bool {
        self.keyword
    }

    /// The arity and the first place of a name that is only ever a constant or function, at one arity.
    pub fn function(&self) -> Option<(usize, Span)> {
        match (&self.places(NameUse::relation)[..], &self.places(|u| u.function)[..]) {
            ([], [one]) => Some(*one),
            _ => None,
        }
    }
}

impl NameUse {
    fn relation(&self) -> Option<Span> {
        first(self.head, self.body)
    }

    fn any(&self) -> Option<Span> {
        first(self.relation(), self.function)
    }
}

fn first(a: Option<Span>, b: Option<Span>) -> Option<Span> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.start < a.start { b } else { a }),
        (a, b) => a.or(b),
    }
}

fn spellings(check: &mut Check, words: &NameIndex) {
    for word in words.iter() {
        let usual = word.uses[0].0;
        let mut told = usual;
        for (name, _, u) in &word.uses {
            if *name == told || *name == usual {
                continue;
            }
            told = *name;
            let (a, b) = (check.ast.name(*name), check.ast.name(usual));
            let message = format!(
                "{a} is also spelled {b}; GDL takes them as one name, other players may not"
            );
            let span = u.any().unwrap_or_default();
            check.warning("two-spellings", span, message).hint(format!("write {b} everywhere"));
        }
    }
}

fn variables_in_two_spellings(check: &mut Check, clause: &Clause) {
    let (ast, mut seen, mut found) = (check.ast, Vec::<Name>::new(), Vec::new());
    let mut look = |node: &Node| {
        let NodeKind::Variable { name, .. } = node.kind else { return };
        if seen.contains(&name) {
            return;
        }
        let same = |n: &&Name| ast.name(**n).eq_ignore_ascii_case(ast.name(name));
        if let Some(other) = seen.iter().find(same) {
            found.push((node.span, name, *other));
        }
        seen.push(name);
    };
    super::walk(ast, &clause.head, &mut look);
    super::walk_list(ast, clause.body, &mut look);
    for (span, name, other) in found {
        let [a, b] = [name, other].map(|n| variable_text(ast, ast.name(n)));
        let message =
            format!("{a} is also spelled {b} in this rule; GDL takes them as one variable");
        check.warning("two-spellings", span, message).hint(format!("write {b} everywhere"));
    }
}

fn arities(check: &mut Check, words: &NameIndex) {
    let with = |arity: usize| match arity {
        0 => "no arguments".to_string(),
        1 => "1 argument".to_string(),
        n => format!("{n} arguments"),
    };
    for word in words.iter().filter(|w| !w.keyword) {
        let name = word.text(check.ast);
        for (kind, mut places) in [
            ("relation", word.places(NameUse::relation)),
            ("function", word.places(|u| u.function)),
        ] {
            places.sort_unstable_by_key(|(_, span)| span.start);
            if let Some((usual, (arity, span))) = odd_arity(word, &places) {
                let (here, elsewhere) = (with(arity), with(usual));
                let message = format!("{name} has {here} here, but {elsewhere} everywhere else");
                let hint = match lacks_arrow(check, words, span) {
                    true => "a rule begins with an arrow: (<= HEAD CONDITION …)",
                    false => "is an argument missing, or one too many?",
                };
                check.warning("odd-arity", span, message).hint(hint);
                check.about(name);
                variables_lost(check, span);
                continue;
            }
            let [(first, _), later @ ..] = &places[..] else { continue };
            for (arity, span) in later {
                let (here, before) = (with(*arity), with(*first));
                let message = format!("the {kind} {name} has {here} here, but {before} before");
                let hint = "these are two different things to GDL";
                check.warning("two-arities", *span, message).hint(hint);
                check.about(name);
            }
        }
    }
}

/// Whether a fact of KIF has conditions for arguments: atoms of relations that have rules.
fn lacks_arrow(check: &Check, words: &NameIndex, place: Span) -> bool {
    let ast = check.ast;
    let fact = ast.clauses.iter().find(|c| c.body.is_empty() && c.head.span == place);
    let condition = |node: &Node| match node.kind {
        NodeKind::Apply { name, args, .. } => {
            !ast.list(args).is_empty() && words.is_defined(ast.name(name))
        }
        _ => false,
    };
    ast.syntax == Syntax::Kif
        && fact.is_some_and(|fact| ast.list(fact.head.list()).iter().any(condition))
}

/// Variables of the rule that have no value follow from the last complaint: the argument that is missing was theirs.
fn variables_lost(check: &mut Check, place: Span) {
    let around = |span: Span| span.start <= place.start && place.end <= span.end;
    let Some(clause) = check.ast.clauses.iter().find(|c| around(c.span)) else { return };
    let last = check.last();
    for (at, complaint) in check.report.complaints[..last].iter().enumerate() {
        let within = complaint
            .span
            .is_some_and(|s| clause.span.start <= s.start && s.end <= clause.span.end);
        if complaint.code == "unsafe-variable" && within {
            check.threads.after(at, last);
        }
    }
}

/// Of two arities, the usual one and the other, which stands in one place only. Constants may well share
/// their names with functions.
fn odd_arity(word: &NameUses, places: &[(usize, Span)]) -> Option<(usize, (usize, Span))> {
    let count = |arity: usize| {
        let uses = word.uses.iter().filter(|(_, a, _)| *a == arity);
        uses.map(|(_, _, u)| u.count).sum::<usize>()
    };
    let [a, b] = places else { return None };
    if word.is_function(a.0) && a.0 * b.0 == 0 {
        return None;
    }
    match (count(a.0), count(b.0)) {
        (1, 2..) => Some((b.0, *a)),
        (2.., 1) => Some((a.0, *b)),
        _ => None,
    }
}

/// Whether a move is called so: one may well have the name of what is chosen.
fn is_move(check: &Check, name: &str, arity: usize) -> bool {
    let called = |term: &Term| match term {
        Term::App(f, args) => {
            args.len() == arity && check.rules.symbols.name(*f).eq_ignore_ascii_case(name)
        }
        Term::Var(_) => false,
    };
    check.rules.defining(Rel::LEGAL).filter_map(|rule| rule.head.args.last()).any(called)
}

fn functions(check: &mut Check, words: &NameIndex) {
    for word in words.iter() {
        let name = word.text(check.ast);
        for (_, span) in word.places(|u| u.parens) {
            let message = format!("({name}) with parentheses is not the same term as {name}");
            check.warning("needless-parentheses", span, message).hint("leave the parentheses out");
        }
        let relations = word.places(NameUse::relation);
        for (arity, span) in word.places(|u| u.function) {
            if word.keyword
                && KEYWORDS.iter().any(|(k, n)| *k == name.to_ascii_lowercase() && *n == arity)
            {
                let message =
                    format!("the keyword {name} is inside a term, where it means nothing");
                let hint = in_a_fact(check, span);
                check.warning("keyword-in-term", span, message).hint(hint);
                beside_the_cause(check, span);
            } else if arity > 0
                && !word.keyword
                && relations.iter().any(|(a, _)| *a == arity)
                && !is_move(check, name, arity)
            {
                let message = format!("{name}/{arity} is a function here and a relation elsewhere");
                check
                    .warning("function-and-relation", span, message)
                    .hint("is true(…) used correctly?");
            }
        }
    }
}

/// What was likely meant by a keyword inside a term: a rule without its arrow, or too many words around a fact.
fn in_a_fact(check: &Check, place: Span) -> &'static str {
    let around = |c: &&Clause| c.span.start <= place.start && place.end <= c.span.end;
    let clause = check.ast.clauses.iter().find(around);
    let own = clause.is_some_and(|c| match c.head.kind {
        NodeKind::Apply { name, .. } => c.body.is_empty() && !is_keyword(check.ast.name(name)),
        _ => false,
    });
    match (own, check.ast.syntax) {
        (true, Syntax::Kif) => "a rule begins with an arrow: (<= HEAD CONDITION …)",
        _ => "leave it out: what is inside is the fact or move itself",
    }
}

/// The last complaint, about a keyword inside a term, follows from a misspelt word around it, and is why a name has another
/// number of arguments where a rule lacks its arrow.
fn beside_the_cause(check: &mut Check, place: Span) {
    let last = check.last();
    let around = |span: Span| span.start <= place.start && place.end <= span.end;
    for at in 0..last {
        let complaint = &check.report.complaints[at];
        match complaint.code {
            _ if !complaint.span.is_some_and(around) => {}
            "undefined-relation" => check.threads.after(last, at),
            "odd-arity" => check.threads.after(at, last),
            _ => {}
        }
    }
}

/// Characters that the programs in use may not read, or that nobody sees.
fn characters(check: &mut Check, words: &NameIndex) {
    for word in words.iter() {
        let name = word.text(check.ast);
        let usual = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let unusual: String = name.chars().filter(|c| !usual(*c)).collect();
        if !unusual.is_empty() {
            let span = word.uses.iter().filter_map(|(_, _, u)| u.any()).min_by_key(|s| s.start);
            if let Some(plain) = hidden::plain(name).filter(|p| hidden::is_meant(name, p, words)) {
                hidden::tell(check, (name, &plain), span.unwrap_or_default());
                continue;
            }
            let message =
                format!("{name} has characters that other players may not read: {unusual}");
            check.warning("unusual-name", span.unwrap_or_default(), message);
        }
    }
}
