//! `FactCourse`: the facts of a match from state to state, and what becomes of them that nobody can have meant.

use ludex_gdl::rules::{Literal, Rel, Rule, Rules, Symbol, Term};
use ludex_gdl::source::{Report, Severity, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// A kind of facts: name and number of arguments.
pub type FactShape = (Symbol, usize);

pub fn kind(fact: &Term) -> Option<FactShape> {
    match fact {
        Term::App(name, args) => Some((*name, args.len())),
        Term::Var(_) => None,
    }
}

/// The states of a match, as facts.
#[derive(Default)]
pub struct FactCourse {
    pub states: Vec<Vec<Term>>,
    /// The roles that had a choice, once for each.
    pub choosers: Vec<usize>,
}

/// So many steps of matches tell something.
const ENOUGH: usize = 12;

/// Looks at matches that all begin in the same state.
pub fn facts(rules: &Rules, roles: &[Term], courses: &[FactCourse], report: &mut Report) {
    let steps: usize = courses.iter().map(|course| course.states.len() - 1).sum();
    if steps < ENOUGH {
        return;
    }
    all_in_control(rules, roles, courses, report);
    // Alone a player undoes things as often as not.
    if roles.len() > 1 {
        too_few_at_once(rules, courses, report);
    }
}

pub fn args(fact: &Term) -> &[Term] {
    match fact {
        Term::App(_, args) => args,
        Term::Var(_) => &[],
    }
}

fn states(courses: &[FactCourse]) -> impl Iterator<Item = &Vec<Term>> {
    courses.iter().flat_map(|course| &course.states)
}

pub fn name(rules: &Rules, kind: FactShape) -> &str {
    rules.symbols.name(kind.0)
}

/// The first rule for `init` or `next` that makes such facts.
pub fn made(rules: &Rules, rel: Rel, of: FactShape) -> Option<Span> {
    let makes = |rule: &&Rule| rule.head.args.first().and_then(kind) == Some(of);
    rules.defining(rel).find(makes).map(|rule| rule.span)
}

/// A fact of every role, such as control, that is true of all of them in every state, though moves hang on it.
fn all_in_control(rules: &Rules, roles: &[Term], courses: &[FactCourse], report: &mut Report) {
    let first = &courses[0].states[0];
    let of_role = |fact: &&Term| matches!(args(fact), [role] if roles.contains(role));
    let kinds: FxHashSet<FactShape> = first.iter().filter(of_role).filter_map(kind).collect();
    let mut kinds: Vec<FactShape> = kinds.into_iter().collect();
    kinds.sort_unstable();
    for of in kinds {
        let fact = |role: &Term| Term::App(of.0, vec![role.clone()]);
        let all = states(courses).all(|state| roles.iter().all(|r| state.contains(&fact(r))));
        let denied = rules.rules.iter().flat_map(|rule| &rule.body).any(|literal| match literal {
            Literal::Neg(atom) => {
                atom.rel == Rel::TRUE && atom.args.first().and_then(kind) == Some(of)
            }
            _ => false,
        });
        let handed =
            rules.defining(Rel::NEXT).filter(|r| r.head.args.first().and_then(kind) == Some(of));
        // A frame rule alone says that nothing is handed on.
        let handed =
            handed.flat_map(asked).any(|(head, fact)| kind(fact) == Some(of) && head != fact);
        if roles.len() < 2 || !all || !(denied || handed) {
            continue;
        }
        let name = name(rules, of);
        let message = format!("{name} is true of every role in every state");
        let span = made(rules, Rel::INIT, of);
        report.push(Severity::Warning, "all-in-control", span, message).hint(format!(
            "where one role moves after the other, {name} is true of one of them at first"
        ));
    }
}

/// The facts that a rule asks for, each beside its head.
fn asked(rule: &Rule) -> impl Iterator<Item = (&Term, &Term)> {
    let head = rule.head.args.first();
    rule.body.iter().filter_map(move |literal| match literal {
        Literal::Pos(atom) if atom.rel == Rel::TRUE => Some((head?, atom.args.first()?)),
        _ => None,
    })
}

/// A rule asks for more facts of a kind at once than any state had, since those that moves make are lost again.
fn too_few_at_once(rules: &Rules, courses: &[FactCourse], report: &mut Report) {
    let mut told = FxHashSet::default();
    for rule in &rules.rules {
        for (of, wanted) in wanted(rule) {
            let count = |state: &Vec<Term>| state.iter().filter(|f| kind(f) == Some(of)).count();
            let most = states(courses).map(count).max().unwrap_or(0);
            if most == 0 || most >= wanted || lasted(courses, of) || !told.insert(of) {
                continue;
            }
            let name = name(rules, of);
            let message = format!(
                "a rule asks for {wanted} facts {name} at once, and no state had more than {most}: those that a move \
                 makes are lost again"
            );
            let span = made(rules, Rel::NEXT, of);
            report.push(Severity::Warning, "not-kept", span, message).hint(format!(
                "a fact stays true only if a rule says so: next({name}…) where true({name}…) and nothing changes it"
            ));
        }
    }
}

/// How many different facts of a kind a rule asks for at once. Facts that may be the same count once.
fn wanted(rule: &Rule) -> Vec<(FactShape, usize)> {
    let mut all: FxHashMap<FactShape, FxHashSet<&Term>> = FxHashMap::default();
    for literal in &rule.body {
        if let Literal::Pos(atom) = literal
            && atom.rel == Rel::TRUE
            && let Some(of) = atom.args.first().and_then(kind)
        {
            all.entry(of).or_default().insert(&atom.args[0]);
        }
    }
    let mut all: Vec<_> = all.into_iter().map(|(of, facts)| (of, facts.len())).collect();
    all.retain(|(_, wanted)| *wanted > 1);
    all.sort_unstable();
    all
}

/// Whether a fact of a kind ever stayed true for two moves.
fn lasted(courses: &[FactCourse], of: FactShape) -> bool {
    courses.iter().any(|course| {
        course.states.windows(3).any(|window| {
            let stays = |fact: &&Term| window[1..].iter().all(|state| state.contains(fact));
            window[0].iter().filter(|f| kind(f) == Some(of)).any(|f| stays(&f))
        })
    })
}

/// A kind of facts that a role had at first and has no more, on which this relation hangs for it.
pub fn lost(rules: &Rules, course: &FactCourse, rel: Rel, role: &Term) -> Option<String> {
    let (first, last) = (course.states.first()?, course.states.last()?);
    let read = read_by(rules, rel);
    let about = |fact: &&Term| args(fact).contains(role);
    let mut kinds: Vec<FactShape> =
        first.iter().filter_map(kind).filter(|k| read.contains(k)).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let gone = kinds.into_iter().find(|of| {
        let (was, is) = [first, last].map(|s| s.iter().filter(|f| kind(f) == Some(*of))).into();
        // What others have instead was handed on, such as control.
        let fewer = is.clone().count() < was.clone().count();
        let own = was.clone().any(|f| about(&f)) && !is.clone().any(|f| about(&f));
        is.clone().count() == 0 || own && fewer
    })?;
    let name = name(rules, gone);
    Some(format!(
        "no fact {name} is left for it, which was true at first: does a rule for next keep {name}?"
    ))
}

/// A fact that moves hang on, that rules for `next` could change, and that stayed as it is.
pub fn constant<'a>(rules: &Rules, course: &'a FactCourse) -> Option<&'a Term> {
    let read = read_by(rules, Rel::LEGAL);
    let stays = |fact: &&Term| course.states.iter().all(|state| state.contains(fact));
    let moves_on = |fact: &&Term| {
        let of = kind(fact).filter(|of| of.1 > 0 && read.contains(of));
        of.is_some_and(|of| made(rules, Rel::NEXT, of).is_some())
    };
    // One alone says whose turn it is.
    let first = course.states.first()?;
    let alike = |fact: &&Term| first.iter().filter(|f| kind(f) == kind(fact)).count();
    first.iter().filter(moves_on).filter(stays).min_by_key(alike)
}

/// The kinds of facts that a relation hangs on.
pub fn read_by(rules: &Rules, rel: Rel) -> FxHashSet<FactShape> {
    let (mut kinds, mut seen, mut todo) = (FxHashSet::default(), FxHashSet::default(), vec![rel]);
    while let Some(rel) = todo.pop() {
        if !seen.insert(rel) {
            continue;
        }
        for atom in rules.defining(rel).flat_map(|r| &r.body).filter_map(Literal::atom) {
            match atom.rel {
                Rel::TRUE => kinds.extend(atom.args.first().and_then(kind)),
                rel => todo.push(rel),
            }
        }
    }
    kinds
}
