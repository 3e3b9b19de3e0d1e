//! Rules for `next` that keep facts in another way than was likely meant.

use super::Check;
use super::kept::{asks, fits, function};
use crate::rules::{Literal, Rel, Rule, Symbol, Term};
use rustc_hash::FxHashSet;

pub fn facts(check: &mut Check) {
    let next: Vec<(&Rule, &Term)> =
        check.rules.defining(Rel::NEXT).filter_map(|r| Some((r, r.head.args.first()?))).collect();
    if next.iter().any(|(_, head)| matches!(head, Term::Var(_))) {
        return;
    }
    changed_places(check, &next);
    let mut told = FxHashSet::default();
    for (rule, head) in &next {
        let Some(kind) = function(head).filter(|(_, arity)| *arity > 0) else { continue };
        if told.insert(kind) {
            both_old_and_new(check, &next, kind);
            lost_with_other_moves(check, &next, kind, rule);
        }
    }
}

/// A rule that would keep a fact, but for the order of its arguments.
fn changed_places(check: &mut Check, next: &[(&Rule, &Term)]) {
    for (rule, head) in next {
        let ([Literal::Pos(asked)], Term::App(f, args)) = (&rule.body[..], head) else { continue };
        let (Rel::TRUE, [fact @ Term::App(g, old)]) = (asked.rel, &asked.args[..]) else {
            continue;
        };
        let variables = args.iter().all(|a| matches!(a, Term::Var(_)));
        let sorted = |args: &[Term]| {
            let mut sorted = args.to_vec();
            sorted.sort_unstable();
            sorted
        };
        if f != g || args == old || !variables || sorted(args) != sorted(old) {
            continue;
        }
        let (from, to) = (check.rules.term_text(fact, rule), check.rules.term_text(head, rule));
        let message = format!("{from} becomes {to} with every move");
        check.warning("not-kept", rule.span, message).hint(
            "a fact that stays as it is has its arguments in the same order in next and in true",
        );
    }
}

/// Where one fact is true at first, a move makes another one, and no rule ever ends the first.
fn both_old_and_new(check: &mut Check, next: &[(&Rule, &Term)], kind: (Symbol, usize)) {
    let first: Vec<&Rule> = check
        .rules
        .defining(Rel::INIT)
        .filter(|r| r.head.args.first().and_then(function) == Some(kind))
        .collect();
    let of_kind: Vec<_> = next.iter().filter(|(_, head)| function(head) == Some(kind)).collect();
    // Whatever is true stays true.
    let all = |head: &Term| match head {
        Term::App(_, args) => args.iter().all(|a| matches!(a, Term::Var(_))),
        Term::Var(_) => true,
    };
    let kept = of_kind.iter().find(|(rule, head)| match &rule.body[..] {
        [Literal::Pos(asked)] => asked.rel == Rel::TRUE && asked.args[0] == **head && all(head),
        _ => false,
    });
    // What was passed is remembered so that nobody comes there again.
    let denied =
        behind_moves(check).iter().flat_map(|rule| &rule.body).any(|literal| match literal {
            Literal::Neg(atom) => reads(check, atom.rel, atom.args.first(), kind),
            _ => false,
        });
    let moved = of_kind.iter().any(|(rule, head)| !asks(rule).any(|fact| fact == *head));
    let asked_by_moves = check.rules.defining(Rel::LEGAL).any(|rule| {
        rule.body
            .iter()
            .filter_map(Literal::atom)
            .any(|a| reads(check, a.rel, a.args.first(), kind))
    });
    let ([one], Some((rule, _)), true, true) =
        (&first[..], kept, moved, asked_by_moves || is_clock(check, &of_kind))
    else {
        return;
    };
    if !one.vars.is_empty() || denied {
        return;
    }
    let name = check.rules.symbols.name(kind.0);
    let message =
        format!("a fact {name} stays true for ever: after a move both the old and the new one are");
    check.warning("not-ended", rule.span, message).hint(format!(
        "one fact {name} is true at first: keep it only where no move makes another one"
    ));
    check.about(name);
}

/// The rules that legal moves hang on.
fn behind_moves<'a>(check: &Check<'a>) -> Vec<&'a Rule> {
    let (mut seen, mut todo, mut rules) = (FxHashSet::default(), vec![Rel::LEGAL], vec![]);
    while let Some(rel) = todo.pop() {
        if seen.insert(rel) {
            let first = rules.len();
            rules.extend(check.rules.defining(rel));
            let asked = rules[first..].iter().flat_map(|rule: &&Rule| &rule.body);
            todo.extend(asked.filter_map(Literal::atom).map(|atom| atom.rel));
        }
    }
    rules
}

/// Whether a rule makes the next fact out of the last: it counts.
fn is_clock(check: &Check, of_kind: &[&(&Rule, &Term)]) -> bool {
    of_kind.iter().any(|(rule, head)| {
        let kind = function(head);
        let last = asks(rule).any(|fact| function(fact) == kind && fact != *head);
        let plain = |literal: &Literal| match literal {
            Literal::Pos(atom) if atom.rel == Rel::TRUE => {
                atom.args.first().and_then(function) == kind
            }
            Literal::Pos(atom) if atom.rel == Rel::DOES => true,
            Literal::Pos(atom) => check.rules.defining(atom.rel).all(|rule| rule.body.is_empty()),
            _ => false,
        };
        last && rule.body.iter().all(plain)
    })
}

/// Whether a condition asks for such a fact, by itself or by a relation that does.
fn reads(check: &Check, rel: Rel, argument: Option<&Term>, kind: (Symbol, usize)) -> bool {
    if rel == Rel::TRUE {
        return argument.and_then(function) == Some(kind);
    }
    check.rules.defining(rel).flat_map(asks).any(|fact| function(fact) == Some(kind))
}

/// Facts that only certain moves of one role speak of, of that role or of whichever: with another one that it may have at
/// first they are lost.
fn lost_with_other_moves(
    check: &mut Check,
    next: &[(&Rule, &Term)],
    kind: (Symbol, usize),
    place: &Rule,
) {
    let first: Vec<&Term> =
        check.rules.defining(Rel::INIT).filter_map(|r| r.head.args.first()).collect();
    if !first.iter().any(|fact| function(fact) == Some(kind)) {
        return;
    }
    let (mut covered, mut roles) = (Vec::new(), Vec::new());
    for (rule, head) in next.iter().filter(|(_, head)| function(head) == Some(kind)) {
        let Term::App(_, args) = head else { return };
        let own = rule.body.iter().find_map(|literal| match literal {
            Literal::Pos(atom) if atom.rel == Rel::DOES => {
                let own = matches!(atom.args[0], Term::Var(_)) && kind.1 > 1;
                Some(atom).filter(|a| a.args[0].is_ground() || own && a.args[0] == args[0])
            }
            _ => None,
        });
        let Some(own) = own else { return };
        covered.push(&own.args[1]);
        roles.push(&own.args[0]);
    }
    // Of a role that is named, only where no rule at all keeps what is there.
    let one = roles.iter().all(|role| *role == roles[0]);
    let of_kind = next.iter().filter(|(_, head)| function(head) == Some(kind));
    let kept = of_kind.flat_map(|(rule, _)| asks(rule)).any(|fact| function(fact) == Some(kind));
    if roles.iter().any(|role| role.is_ground()) && (kept || !one || !is_asked(check, kind)) {
        return;
    }
    let other = check.rules.defining(Rel::LEGAL).find(|rule| {
        let made = rule.head.args.last();
        let at_once = asks(rule).all(|asked| first.iter().any(|fact| fits(asked, fact)));
        let own = fits(roles[0], &rule.head.args[0]);
        made.is_some_and(|made| own && at_once && !covered.iter().any(|spoken| fits(spoken, made)))
    });
    let Some(other) = other else { return };
    let made = check.rules.term_text(&other.head.args[1], other);
    let name = check.rules.symbols.name(kind.0);
    let message = format!("{name} is lost with the move {made}: no rule for next speaks of it");
    check
        .warning("not-kept", place.span, message)
        .hint(format!("say what {name} is after every move, also where it does not change"));
    check.about(name);
}

/// Whether moves, goals or the end of a match ask for such facts.
fn is_asked(check: &Check, kind: (Symbol, usize)) -> bool {
    [Rel::LEGAL, Rel::GOAL, Rel::TERMINAL].into_iter().any(|rel| {
        let conditions = check.rules.defining(rel).flat_map(|rule| &rule.body);
        conditions.filter_map(Literal::atom).any(|a| reads(check, a.rel, a.args.first(), kind))
    })
}
