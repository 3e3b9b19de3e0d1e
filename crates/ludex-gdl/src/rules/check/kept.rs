//! Facts that are lost: what is true in the first state, or is made by a move, and no rule keeps.
//!
//! GDL forgets: a fact is true after a move only if a rule for `next` says so. An author who forgets a frame
//! rule sees the board empty itself. A rule keeps a fact if it asks for it: `next(f) :- true(f) & …`.

use super::Check;
use crate::rules::{Literal, Rel, Rule, Symbol, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many facts of a kind in the first state are a board. Fewer may be written anew with every move.
const BOARD: usize = 5;

/// Name and arity of facts.
type KindOfFact = (Symbol, usize);

/// The rules for `next`, each with its head.
struct Next<'a> {
    rules: Vec<(&'a Rule, &'a Term)>,
    by_kind: FxHashMap<KindOfFact, OfKind<'a>>,
}

#[derive(Default)]
struct OfKind<'a> {
    rules: Vec<(&'a Rule, &'a Term)>,
    heads: FxHashSet<&'a Term>,
    /// The facts of this kind that they ask for.
    asked: FxHashSet<&'a Term>,
}

impl<'a> Next<'a> {
    /// None where a rule makes facts of any kind.
    fn of(check: &Check<'a>) -> Option<Next<'a>> {
        let next = check.rules.defining(Rel::NEXT);
        let rules: Vec<(&Rule, &Term)> =
            next.filter_map(|r| Some((r, r.head.args.last()?))).collect();
        let mut by_kind: FxHashMap<KindOfFact, OfKind> = FxHashMap::default();
        for (rule, head) in &rules {
            let kind = function(head)?;
            let of_kind = by_kind.entry(kind).or_default();
            of_kind.rules.push((rule, head));
            of_kind.heads.insert(head);
            of_kind.asked.extend(asks(rule).filter(|fact| function(fact) == Some(kind)));
        }
        Some(Next { rules, by_kind })
    }
}

pub fn facts(check: &mut Check) {
    let Some(next) = Next::of(check).filter(|next| !next.rules.is_empty()) else { return };
    only_at_first(check, &next);
    never_kept(check, &next);
    marks(check, &next);
}

/// Marks of roles that moves make on a board that is empty at first, where something is so only without a mark, and that
/// no rule keeps.
fn marks(check: &mut Check, next: &Next) {
    let of_kind = |term: Option<&Term>, kind| term.and_then(function) == Some(kind);
    let mut empty: FxHashMap<KindOfFact, bool> = FxHashMap::default();
    let mut told = FxHashSet::default();
    for (rule, head) in &next.rules {
        let Some(kind) = function(head).filter(|(_, arity)| *arity > 1) else { continue };
        let empty = *empty.entry(kind).or_insert_with(|| {
            let begins = check.rules.defining(Rel::INIT).any(|r| of_kind(r.head.args.last(), kind));
            let mut body = check.rules.rules.iter().flat_map(|r| &r.body);
            let denied = body.any(|literal| match literal {
                Literal::Neg(atom) => atom.rel == Rel::TRUE && of_kind(atom.args.first(), kind),
                _ => false,
            });
            !begins && next.by_kind[&kind].asked.is_empty() && denied
        });
        let meant = || is_mark(rule, head) || forbids_itself(check, rule, kind);
        if empty && meant() && told.insert(kind) {
            lost_at_once(check, rule, head);
        }
    }
}

/// Whether the move that makes such a fact is legal only where there is none.
fn forbids_itself(check: &Check, rule: &Rule, kind: KindOfFact) -> bool {
    let moves = rule.body.iter().filter_map(|literal| match literal {
        Literal::Pos(atom) if atom.rel == Rel::DOES => function(&atom.args[1]),
        _ => None,
    });
    let denies = |literal: &Literal| match literal {
        Literal::Neg(atom) => atom.rel == Rel::TRUE && function(&atom.args[0]) == Some(kind),
        _ => false,
    };
    moves.into_iter().any(|made| {
        let mut legal = check.rules.defining(Rel::LEGAL);
        legal.any(|rule| function(&rule.head.args[1]) == Some(made) && rule.body.iter().any(denies))
    })
}

/// Whether a rule says who made a fact: the role that moves, or a sign for it.
fn is_mark(rule: &Rule, head: &Term) -> bool {
    let Term::App(_, args) = head else { return false };
    rule.body.iter().any(|literal| match literal {
        Literal::Pos(atom) if atom.rel == Rel::DOES => match &atom.args[0] {
            role @ Term::Var(_) => args.contains(role),
            Term::App(..) => args.iter().any(Term::is_ground),
        },
        _ => false,
    })
}

/// Tells of a fact that a move makes and that no rule keeps.
fn lost_at_once(check: &mut Check, rule: &Rule, head: &Term) {
    let Some((name, _)) = function(head) else { return };
    let (text, name) = (check.rules.term_text(head, rule), check.rules.symbols.name(name));
    let message = format!("{text} is lost after one move: no rule for next keeps it");
    check.warning("not-kept", rule.span, message).hint(format!(
        "a fact stays true only if a rule says so: next({name}…) where true({name}…) and nothing changes it"
    ));
    check.about(name);
}

/// Whether two terms can be equal, each with variables of its own.
pub(super) fn fits(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::App(f, x), Term::App(g, y)) => {
            f == g && x.len() == y.len() && x.iter().zip(y).all(|(a, b)| fits(a, b))
        }
        _ => true,
    }
}

/// Whether a rule can make a fact: its head fits, no `distinct` of its body forbids it, and what must be a
/// role is one.
fn makes(check: &Check, rule: &Rule, head: &Term, fact: &Term) -> bool {
    let (Term::App(_, args), Term::App(_, wanted)) = (head, fact) else { return true };
    let forbids = |v: &Term, c: &Term| {
        let is = |(a, w): (&Term, &Term)| a == v && w == c;
        matches!(v, Term::Var(_)) && c.is_ground() && args.iter().zip(wanted).any(is)
    };
    let no_role = |v: &Term| {
        let stranger = |(a, w): (&Term, &Term)| a == v && w.is_ground() && !is_role(check, w);
        matches!(v, Term::Var(_)) && args.iter().zip(wanted).any(stranger)
    };
    let forbidden = rule.body.iter().any(|literal| match literal {
        Literal::Distinct(a, b) => forbids(a, b) || forbids(b, a),
        Literal::Pos(atom) if matches!(atom.rel, Rel::DOES | Rel::ROLE) => no_role(&atom.args[0]),
        _ => false,
    });
    fits(head, fact) && !forbidden
}

/// Whether a term may be a role: it is one, or roles are no facts.
fn is_role(check: &Check, term: &Term) -> bool {
    check.rules.defining(Rel::ROLE).any(|rule| fits(&rule.head.args[0], term))
}

pub(super) fn function(term: &Term) -> Option<KindOfFact> {
    match term {
        Term::App(f, args) => Some((*f, args.len())),
        Term::Var(_) => None,
    }
}

/// The facts that a rule asks for.
pub(super) fn asks(rule: &Rule) -> impl Iterator<Item = &Term> {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Pos(atom) if atom.rel == Rel::TRUE => atom.args.first(),
        _ => None,
    })
}

/// Facts of the first state that rules ask for and that no rule can make again. One without arguments is
/// often meant to mark the first state.
fn only_at_first(check: &mut Check, next: &Next) {
    let asked: FxHashSet<&Term> = check.rules.rules.iter().flat_map(asks).collect();
    let asked_kinds: FxHashSet<KindOfFact> = asked.iter().filter_map(|t| function(t)).collect();
    let made = |t: &Term| {
        let Some(kind) = function(t) else { return true };
        let Some(of_kind) = next.by_kind.get(&kind) else { return false };
        let differs = |head: &Term| t.is_ground() && head.is_ground();
        let mut others = of_kind.rules.iter().filter(|(_, head)| !differs(head));
        t.is_ground() && of_kind.heads.contains(t)
            || others.any(|(r, head)| makes(check, r, head, t))
    };
    let never_made: Vec<&Term> = asked.iter().copied().filter(|t| !made(t)).collect();
    let mut told = FxHashSet::default();
    for (i, rule) in check.rules().filter(|(_, r)| r.head.rel == Rel::INIT) {
        let fact = &rule.head.args[0];
        let Some(kind) = function(fact).filter(|(_, arity)| *arity > 0) else { continue };
        let known = next.by_kind.contains_key(&kind);
        let alike = !known && asked_kinds.contains(&kind);
        let lost = || alike || never_made.iter().any(|t| fits(t, fact));
        if told.contains(&kind) || !lost() {
            continue;
        }
        told.insert(kind);
        let (text, name) = (check.rules.term_text(fact, rule), check.rules.symbols.name(kind.0));
        let again = if known { "such a fact" } else { name };
        let message = format!("{text} is true at first only: no rule for next makes {again}");
        let hint = format!("say what {name} is after every move, also where it does not change");
        check.warning("not-kept", check.head_span(i), message).hint(hint);
        check.about(name);
    }
}

/// Facts of a kind that is there from the first state on, made by a move, that no rule asks for to keep or
/// change them.
fn never_kept(check: &mut Check, next: &Next) {
    let initial = |kind: KindOfFact| {
        let of_kind = check
            .rules
            .defining(Rel::INIT)
            .filter(|r| r.head.args.last().and_then(function) == Some(kind));
        // A rule makes a board, too.
        of_kind.map(|r| if r.vars.is_empty() { 1 } else { BOARD }).sum::<usize>()
    };
    let mut unasked: FxHashMap<KindOfFact, bool> = FxHashMap::default();
    let mut told = FxHashSet::default();
    for (rule, head) in &next.rules {
        let Some(kind) = function(head).filter(|(_, arity)| *arity > 0) else { continue };
        let of_kind = &next.by_kind[&kind];
        let fine = match of_kind.asked.is_empty() {
            true => *unasked
                .entry(kind)
                .or_insert_with(|| initial(kind) < BOARD || is_read_by_way(check, of_kind, kind)),
            false => keeps(&of_kind.asked, head) || is_moved(check, head),
        };
        if fine || rule.body.is_empty() || !told.insert(kind) {
            continue;
        }
        lost_at_once(check, rule, head);
    }
}

/// Whether moves depend on such a fact: then every move may well say what becomes of it, like that of a
/// knight which is nowhere else after it.
fn is_moved(check: &Check, head: &Term) -> bool {
    let asked: FxHashSet<&Term> = check.rules.defining(Rel::LEGAL).flat_map(asks).collect();
    asked.iter().any(|t| fits(t, head)) && keeps(&asked, head)
}

/// Whether rules that ask for these facts see the fact of a head: one question covers it, or questions
/// about several constants where it has a variable.
fn keeps(asked: &FxHashSet<&Term>, head: &Term) -> bool {
    let Term::App(_, args) = head else { return true };
    if asked.contains(head) {
        return true;
    }
    let fitting: Vec<&[Term]> = asked
        .iter()
        .filter(|t| fits(t, head))
        .filter_map(|t| match t {
            Term::App(_, args) => Some(&args[..]),
            Term::Var(_) => None,
        })
        .collect();
    if fitting.is_empty() {
        return false;
    }
    let covered = |at: usize| {
        let open = matches!(args[at], Term::Var(_));
        let values: FxHashSet<&Term> = fitting.iter().map(|t| &t[at]).collect();
        !open || values.len() > 1 || values.iter().any(|t| matches!(t, Term::Var(_)))
    };
    (0..args.len()).all(covered)
}

/// Whether a rule for `next` of this kind asks for the facts by way of other relations.
fn is_read_by_way(check: &Check, of_kind: &OfKind, kind: KindOfFact) -> bool {
    let asks_for_it = |rule: &Rule| {
        let facts = rule.body.iter().filter_map(Literal::atom).filter(|a| a.rel == Rel::TRUE);
        facts.filter_map(|a| a.args.first()).any(|t| function(t).is_none_or(|f| f == kind))
    };
    let mut todo: Vec<&Rule> = of_kind.rules.iter().map(|(rule, _)| *rule).collect();
    let mut seen = FxHashSet::default();
    while let Some(rule) = todo.pop() {
        if asks_for_it(rule) {
            return true;
        }
        for atom in rule.body.iter().filter_map(Literal::atom) {
            if seen.insert(atom.rel) {
                todo.extend(check.rules.defining(atom.rel));
            }
        }
    }
    false
}
