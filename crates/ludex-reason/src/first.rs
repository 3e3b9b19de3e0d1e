//! What the first state shows of a game that cannot be right: it is over at once, or somebody cannot move.

mod board;

use crate::interp::{FactState, Interp, Problem};
use crate::{Role, StateMachine};
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Term, is_cause, is_chance, is_root};
use ludex_gdl::source::{Complaint, Report, Severity, Span};
use rustc_hash::FxHashSet;

/// So many rules for `terminal` are tried by themselves to find the one that holds.
const TRIED: usize = 20;

/// Adds what the first state shows to the report of the rules: below a slip of the pen that the report
/// already tells of, since that is the likely cause, and behind what is wrong with rules that the first state
/// hangs on. Whatever else the report tells comes of it, as likely as not.
pub fn first_state(rules: &Rules, report: &mut Report, budget: &Budget) -> Result<(), Problem> {
    let mut found = Report::default();
    let mut game = Interp::hasty(rules, budget)?;
    let initial = game.initial();
    let asked = if game.terminal(&initial) {
        over(rules, &mut found, budget)?;
        (Rel::TERMINAL, false)
    } else {
        stuck(&mut game, rules, &mut found);
        board::board(rules, &game.fact_terms(&initial), &mut found);
        (Rel::LEGAL, true)
    };
    game.problem().map_or(Ok(()), Err)?;
    let behind = behind(rules, asked, &[Rel::INIT]);
    place(found, report, |c| is_root(c) || is_cause(c) && is_behind(rules, &behind, c));
    Ok(())
}

/// Relations, and whether less of each may be why there is less of the one that was asked for.
type Behind = FxHashSet<(Rel, bool)>;

/// The relations that one hangs on where these make the facts.
pub fn behind(rules: &Rules, asked: (Rel, bool), facts: &[Rel]) -> Behind {
    let (mut seen, mut todo) = (FxHashSet::default(), vec![asked]);
    while let Some((rel, less)) = todo.pop() {
        if !seen.insert((rel, less)) {
            continue;
        }
        match rel {
            Rel::TRUE => todo.extend(facts.iter().map(|made| (*made, less))),
            Rel::DOES => todo.push((Rel::LEGAL, less)),
            _ => {}
        }
        for literal in rules.defining(rel).flat_map(|rule| &rule.body) {
            let denied = matches!(literal, Literal::Neg(_));
            todo.extend(literal.atom().map(|atom| (atom.rel, less != denied)));
        }
    }
    seen
}

/// Whether what a complaint is about may be the cause. A rule that never fires only leaves something out.
pub fn is_behind(rules: &Rules, behind: &Behind, complaint: &Complaint) -> bool {
    let Some(span) = complaint.span else { return true };
    let holds = |rule: &&Rule| rule.span.start <= span.start && span.end <= rule.span.end;
    let told = |rel| match complaint.code {
        "never-fires" => behind.contains(&(rel, true)),
        _ => behind.contains(&(rel, true)) || behind.contains(&(rel, false)),
    };
    rules.rules.iter().filter(holds).any(|rule| told(rule.head.rel))
}

/// Puts what was seen below a slip of the pen that the report already tells of, or else behind what is its cause.
pub fn place(mut found: Report, report: &mut Report, is_cause: impl Fn(&Complaint) -> bool) {
    let slip = |c: &&mut Complaint| c.fix.is_some();
    match report.complaints.iter_mut().find(slip) {
        Some(cause) => cause.follows.append(&mut found.complaints),
        None if found.complaints.is_empty() => {}
        None => {
            let (causes, rest): (Vec<_>, Vec<_>) =
                report.complaints.drain(..).partition(|c| is_cause(c));
            report.complaints = [causes, found.complaints, rest].concat();
        }
    }
}

fn over(rules: &Rules, found: &mut Report, budget: &Budget) -> Result<(), Problem> {
    let holds = |rule: &Rule| -> Result<bool, Problem> {
        let mut alone = rules.clone();
        alone.rules.retain(|r| r.head.rel != Rel::TERMINAL || r.span == rule.span);
        let mut game = Interp::hasty(&alone, budget)?;
        let initial = game.initial();
        Ok(game.terminal(&initial))
    };
    let mut span = None;
    for rule in rules.defining(Rel::TERMINAL).take(TRIED) {
        if holds(rule)? {
            span = Some(rule.span);
            break;
        }
    }
    let message = "the game is over in its first state: terminal is true there";
    let hint = match span {
        Some(_) => "this rule holds at once: look at its conditions, and at init",
        None => "look at the conditions of terminal, and at init",
    };
    found.push(Severity::Warning, "over-at-start", span, message.into()).hint(hint);
    Ok(())
}

fn stuck(game: &mut Interp, rules: &Rules, found: &mut Report) {
    let initial = game.initial();
    for role in 0..game.roles() {
        let mut legal = Vec::new();
        game.legal(&initial, role, &mut legal);
        if legal.is_empty() {
            let name = game.role_text(role);
            let message = format!("{name} has no legal move in the first state");
            let hint = why_stuck(game, rules, &initial, role);
            let span = role_span(rules, role);
            found.push(Severity::Warning, "stuck-at-start", span, message).hint(hint);
        }
    }
}

/// Why a role may have no legal move.
pub fn why_stuck(game: &mut Interp, rules: &Rules, state: &FactState, role: Role) -> String {
    if let Some(why) = left_out(rules, &game.role_term(role)) {
        return why;
    }
    let waits = (0..game.roles()).filter(|other| *other != role).any(|other| {
        let mut legal = Vec::new();
        game.legal(state, other, &mut legal);
        legal.len() > 1
    });
    match () {
        _ if is_chance(&game.role_text(role)) => "chance needs a move too, such as noop",
        _ if waits => "a role that only waits needs a move such as noop",
        _ => "look at the conditions of legal, and at those of terminal if nothing is left to do",
    }
    .into()
}

/// A list of facts that rules for `legal` ask, and that has a place for every role but this one.
fn left_out(rules: &Rules, role: &Term) -> Option<String> {
    let roles: Vec<&Term> = rules.defining(Rel::ROLE).map(|r| &r.head.args[0]).collect();
    let lists = |atom: &Atom, at: usize| {
        let mut facts = rules.defining(atom.rel).peekable();
        let all = facts.peek().is_some() && rules.defining(atom.rel).all(|r| r.body.is_empty());
        let named = |one: &Term| rules.defining(atom.rel).any(|r| r.head.args[at] == *one);
        let others = roles.iter().filter(|other| **other != role).all(|other| named(other));
        all && roles.len() > 1 && others && !named(role)
    };
    rules.defining(Rel::LEGAL).find_map(|rule| {
        let who = &rule.head.args[0];
        let mut asked = rule.body.iter().filter_map(|literal| match literal {
            Literal::Pos(atom) if !atom.rel.is_keyword() => Some(atom),
            _ => None,
        });
        asked.find_map(|atom| {
            let at = atom.args.iter().position(|a| a == who && matches!(who, Term::Var(_)))?;
            let name = rules.symbols.name(rules.relation(atom.rel).name);
            let role = rules.term_text(role, rule);
            lists(atom, at)
                .then(|| format!("no fact {name} is about {role}, and legal asks for one"))
        })
    })
}

/// Where a role is named, if roles are facts.
fn role_span(rules: &Rules, role: Role) -> Option<Span> {
    let facts: Vec<&Rule> = rules.defining(Rel::ROLE).collect();
    facts.iter().all(|r| r.body.is_empty()).then(|| facts.get(role).map(|r| r.span)).flatten()
}
