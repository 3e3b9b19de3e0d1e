//! Everything that can be said about rules before they run: the restrictions of the GDL
//! specification as errors, what is likely a mistake as warnings.
//!
//! An error is what no engine could run. What games in use do and can be run all the same is a
//! warning. `docs/checks.md` has every code with an example and what to do about it.

mod causes;
mod chains;
mod declared;
mod definitions;
mod depend;
mod hidden;
mod idle;
mod keywords;
mod kept;
mod moved;
mod names;
mod near;
mod never;
mod odd;
mod places;
mod recursion;
mod safety;
mod slips;
mod values;

pub(crate) use causes::in_order;
pub use causes::{is_cause, is_root};
pub(crate) use keywords::{HIDDEN, hidden_information};

use super::lower::RulePlace;
use super::strata::DependencyGraph;
use super::{Literal, Rel, Rule, Rules};
use crate::source::{Complaint, Report, Severity, Source, Span};
use crate::syntax::{Ast, List, Node, NodeKind};
use causes::Threads;

/// The restrictions on single rules; they make sense even if some clauses could not be read.
pub fn check_each(
    source: &Source,
    ast: &Ast,
    rules: &Rules,
    places: &[RulePlace],
    to: &mut Report,
) {
    let mut check = Check::new(source, ast, rules, places, to);
    keywords::arities(&mut check);
    keywords::heads(&mut check);
    keywords::bodies(&mut check);
    safety::variables(&mut check);
}

/// The restrictions on the rules as a whole, and the warnings. A `part` of a game need not say what every
/// game must.
pub fn check_all(
    (source, ast, part): (&Source, &Ast, bool),
    rules: &Rules,
    places: &[RulePlace],
    to: &mut Report,
) {
    let mut check = Check::new(source, ast, rules, places, to);
    let graph = DependencyGraph::of(rules.relations.len(), &rules.rules);
    let components = graph.components();
    if !part {
        keywords::presence(&mut check);
    }
    keywords::chance(&mut check);
    depend::state_and_moves(&mut check, &graph);
    depend::negation(&mut check, &graph, &components);
    recursion::terms(&mut check, &components);
    let words = names::names(&mut check);
    values::goals(&mut check);
    values::odd_goals(&mut check);
    values::roles(&mut check);
    values::duplicates(&mut check);
    slips::variables(&mut check);
    chains::numbers(&mut check);
    let places = places::NamePlaces::of(&rules.rules, Default::default());
    never::fires(&mut check, &words, &places);
    idle::conditions(&mut check, &words, &places);
    if !part {
        declared::names(&mut check, &words, &places);
        declared::facts_and_moves(&mut check, &words, &places);
        declared::never_made(&mut check, &places);
        declared::never_given(&mut check, &places);
        kept::facts(&mut check);
        moved::facts(&mut check);
        odd::names(&mut check, &words);
    }
    causes::arrange(check.report, &check.threads);
}

/// What a check looks at, and where its complaints go.
struct Check<'a> {
    source: &'a Source,
    ast: &'a Ast,
    rules: &'a Rules,
    places: &'a [RulePlace],
    report: &'a mut Report,
    threads: Threads,
}

impl<'a> Check<'a> {
    fn new(
        source: &'a Source,
        ast: &'a Ast,
        rules: &'a Rules,
        places: &'a [RulePlace],
        report: &'a mut Report,
    ) -> Check<'a> {
        Check { source, ast, rules, places, report, threads: Threads::default() }
    }

    /// The number of the last complaint.
    fn last(&self) -> usize {
        self.report.complaints.len() - 1
    }

    /// Says which name the last complaint is about.
    fn about(&mut self, name: &str) {
        self.threads.about(self.last(), name);
    }

    /// A complaint is about a slip of the pen.
    fn did_you_mean(&mut self, complaint: usize, (name, meant): (&str, &str), within: Span) {
        self.threads.slip(name, meant);
        let place = self.name_span(name, within);
        let complaint = &mut self.report.complaints[complaint];
        let hint = match complaint.hint.take() {
            Some(hint) => format!("{hint}; did you mean `{meant}`?"),
            None => format!("did you mean `{meant}`?"),
        };
        complaint.hint(hint);
        if let Some(place) = place {
            complaint.fix(place, meant);
        }
    }

    /// Where a name first stands within a place, or the place itself.
    fn name_place(&self, name: &str, within: Span) -> Span {
        self.name_span(name, within).unwrap_or(within)
    }

    /// Where a name first stands within a place.
    fn name_span(&self, name: &str, within: Span) -> Option<Span> {
        let text = self.source.slice(within);
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let whole = |at: &usize| {
            !text[..*at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word)
        };
        let at = text.match_indices(name).map(|(at, _)| at).find(whole)?;
        let start = within.start + at as u32;
        Some(Span { start, end: start + name.len() as u32 })
    }

    fn rules(&self) -> impl Iterator<Item = (usize, &'a Rule)> + use<'a> {
        self.rules.rules.iter().enumerate()
    }

    fn head_span(&self, rule: usize) -> Span {
        self.ast.clauses[self.places[rule].clause as usize].head.span
    }

    fn literal_span(&self, rule: usize, literal: usize) -> Span {
        self.places[rule].literals[literal]
    }

    /// Where a variable of a rule first stands: inside `within`, or else anywhere in its clause.
    fn variable_span(&self, rule: usize, variable: u32, within: Option<Span>) -> Span {
        let name = &self.rules.rules[rule].vars[variable as usize];
        let clause = &self.ast.clauses[self.places[rule].clause as usize];
        let mut found = None;
        let mut look = |node: &Node| {
            let inside =
                within.is_none_or(|w| w.start <= node.span.start && node.span.end <= w.end);
            if let NodeKind::Variable { name: n, .. } = node.kind
                && inside
                && self.ast.name(n).eq_ignore_ascii_case(name)
            {
                found.get_or_insert(node.span);
            }
        };
        walk(self.ast, &clause.head, &mut look);
        walk_list(self.ast, clause.body, &mut look);
        found.or(within).unwrap_or(clause.span)
    }

    fn name(&self, rel: Rel) -> &'a str {
        self.rules.symbols.name(self.rules.relation(rel).name)
    }

    fn error(&mut self, code: &'static str, span: Span, message: String) -> &mut Complaint {
        self.report.error(code, span, message)
    }

    fn warning(&mut self, code: &'static str, span: Span, message: String) -> &mut Complaint {
        self.report.warning(code, span, message)
    }

    fn whole_file(
        &mut self,
        severity: Severity,
        code: &'static str,
        message: String,
    ) -> &mut Complaint {
        self.report.push(severity, code, None, message)
    }

    /// The first literal of a rule for `head` whose atom is of `rel`, negated or not as asked.
    fn dependency(&self, head: Rel, rel: Rel, negated: Option<bool>) -> Option<(usize, usize)> {
        let fits = |l: &Literal| match l {
            Literal::Pos(a) => a.rel == rel && negated != Some(true),
            Literal::Neg(a) => a.rel == rel && negated != Some(false),
            Literal::Distinct(..) => false,
        };
        self.rules()
            .filter(|(_, r)| r.head.rel == head)
            .find_map(|(i, r)| Some((i, r.body.iter().position(fits)?)))
    }
}

/// A variable as the author's syntax writes it.
fn variable_text(ast: &Ast, name: &str) -> String {
    match ast.syntax {
        crate::syntax::Syntax::Kif => format!("?{name}"),
        crate::syntax::Syntax::Infix => name.to_string(),
    }
}

/// Calls `f` on a node and all below it.
fn walk(ast: &Ast, node: &Node, f: &mut impl FnMut(&Node)) {
    f(node);
    match node.kind {
        NodeKind::Variable { .. } => {}
        NodeKind::Apply { args, .. } => walk_list(ast, args, f),
        NodeKind::Not(list) | NodeKind::And(list) | NodeKind::Or(list) => walk_list(ast, list, f),
    }
}

fn walk_list(ast: &Ast, list: List, f: &mut impl FnMut(&Node)) {
    ast.list(list).iter().for_each(|n| walk(ast, n, f));
}

/// Calls `f` on every atom of a formula, `distinct` included.
fn atoms(ast: &Ast, formula: &Node, f: &mut impl FnMut(&Node)) {
    match formula.kind {
        NodeKind::Variable { .. } => {}
        NodeKind::Apply { .. } => f(formula),
        NodeKind::Not(list) | NodeKind::And(list) | NodeKind::Or(list) => {
            ast.list(list).iter().for_each(|n| atoms(ast, n, f))
        }
    }
}
