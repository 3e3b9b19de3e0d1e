//! The words of GDL itself: their arities, where they may stand, which must be there.

use super::{Check, atoms};
use crate::rules::{KEYWORDS, Rel, Term, is_chance};
use crate::source::{Report, Severity};
use crate::syntax::{Ast, Clause, Name, Node, NodeKind, Syntax};

/// A keyword of GDL with another number of arguments is most likely a slip.
pub fn arities(check: &mut Check) {
    let (ast, mut wrong) = (check.ast, Vec::new());
    let mut look = |node: &Node| {
        let NodeKind::Apply { name, args, .. } = node.kind else { return };
        let Some((word, arity)) = keyword(ast.name(name)) else { return };
        if args.len() != arity && word != "sees" {
            wrong.push((node.span, word, arity, args.len()));
        }
    };
    for clause in &ast.clauses {
        atoms(ast, &clause.head, &mut look);
        ast.list(clause.body).iter().for_each(|n| atoms(ast, n, &mut look));
    }
    for (span, word, arity, found) in wrong {
        let message = format!("{word} takes {}, not {found}", count(arity));
        let form = form(check, word);
        let is_fact = |c: &Clause| c.span == span && c.body.is_empty();
        let hint = match ast.syntax {
            Syntax::Kif if found > arity && ast.clauses.iter().any(is_fact) => {
                format!("write {form}; a rule begins with an arrow: (<= {form} CONDITION …)")
            }
            _ => format!("write {form}"),
        };
        check.error("keyword-arity", span, message).hint(hint);
    }
}

fn keyword(name: &str) -> Option<(&'static str, usize)> {
    let known = KEYWORDS.iter().chain(&[("distinct", 2)]);
    known.copied().find(|(word, _)| word.eq_ignore_ascii_case(name))
}

fn count(arity: usize) -> String {
    match arity {
        0 => "no arguments".into(),
        1 => "one argument".into(),
        n => format!("{n} arguments"),
    }
}

/// How the keyword is used, in the author's syntax.
fn form(check: &Check, word: &str) -> String {
    let args = match word {
        "role" => "ROLE",
        "input" | "does" | "legal" => "ROLE MOVE",
        "goal" => "ROLE VALUE",
        "distinct" => "TERM TERM",
        "terminal" => return "terminal".into(),
        _ => "FACT",
    };
    match check.ast.syntax {
        Syntax::Kif => format!("({word} {args})"),
        Syntax::Infix => format!("{word}({})", args.replace(' ', ", ")),
    }
}

/// `true` and `does` are given by the state and the players, `distinct` by GDL; `role` is fixed.
pub fn heads(check: &mut Check) {
    for clause in &check.ast.clauses {
        let NodeKind::Apply { name, .. } = clause.head.kind else { continue };
        let word = check.ast.name(name).to_ascii_lowercase();
        let (code, message, hint) = match word.as_str() {
            "true" => (
                "true-in-head",
                "true is given by the state and cannot be defined",
                "use init for the first state and next for the following ones",
            ),
            "does" => (
                "does-in-head",
                "does is given by the players and cannot be defined",
                "use legal to say which moves there are",
            ),
            "distinct" => (
                "distinct-in-head",
                "distinct is a part of GDL and cannot be defined",
                "choose another name",
            ),
            _ => continue,
        };
        check.error(code, clause.head.span, message.into()).hint(hint);
    }
    for (i, rule) in check.rules() {
        if rule.head.rel == Rel::ROLE && !rule.body.is_empty() {
            let message = "role is defined by a rule; the specification allows facts only";
            check
                .warning("role-rule", check.head_span(i), message.into())
                .hint("write one fact for each role");
        }
    }
}

/// `next`, `init`, `base` and `input` are answers, not questions; they are computed all the same.
pub fn bodies(check: &mut Check) {
    for (i, rule) in check.rules() {
        for (j, literal) in rule.body.iter().enumerate() {
            let Some(atom) = literal.atom() else { continue };
            let code = match atom.rel {
                Rel::NEXT => "next-in-body",
                Rel::INIT => "init-in-body",
                Rel::BASE => "base-in-body",
                Rel::INPUT => "input-in-body",
                _ => continue,
            };
            let word = check.name(atom.rel);
            let message = format!(
                "{word} in the body of a rule is not allowed by the specification; it is computed from its rules here, but other players may not read it"
            );
            check.warning(code, check.literal_span(i, j), message);
        }
    }
}

/// What every game must say.
pub fn presence(check: &mut Check) {
    use Severity::{Error, Warning};
    let words = [
        (Rel::ROLE, Error, "missing-role", "the game has no role", "say who plays"),
        (
            Rel::LEGAL,
            Error,
            "missing-legal",
            "the game has no rule for legal, so nobody can move",
            "say which moves there are",
        ),
        (
            Rel::TERMINAL,
            Error,
            "missing-terminal",
            "the game has no rule for terminal, so it never ends",
            "say when the game is over",
        ),
        (
            Rel::GOAL,
            Error,
            "missing-goal",
            "the game has no rule for goal, so nobody can win",
            "say what each role gets",
        ),
        (
            Rel::INIT,
            Warning,
            "missing-init",
            "the game has no init, so it begins with no facts",
            "say what is true at first",
        ),
        (
            Rel::NEXT,
            Warning,
            "missing-next",
            "the game has no rule for next, so nothing is true after a move",
            "say what is true after a move",
        ),
        (
            Rel::BASE,
            Warning,
            "missing-base",
            "the game does not declare its facts with base",
            "list every fact that can ever be true",
        ),
        (
            Rel::INPUT,
            Warning,
            "missing-input",
            "the game does not declare its moves with input",
            "list every move that can ever be legal",
        ),
    ];
    let mut defined = [false; KEYWORDS.len()];
    for clause in &check.ast.clauses {
        let NodeKind::Apply { name, .. } = clause.head.kind else { continue };
        let name = check.ast.name(name);
        if let Some(at) = KEYWORDS.iter().position(|(word, _)| word.eq_ignore_ascii_case(name)) {
            defined[at] = true;
        }
    }
    for (rel, severity, code, message, hint) in words {
        if !defined[rel.index()] {
            let form = form(check, KEYWORDS[rel.index()].0);
            check.whole_file(severity, code, message.into()).hint(format!("{hint}: {form}"));
            check.about(KEYWORDS[rel.index()].0);
        }
    }
}

/// The code of games with hidden information.
pub(crate) const HIDDEN: &str = "hidden-information";

/// `sees` of GDL-II says what a role is told. Whoever played such a game with all of its state in view would
/// play another game, so it is refused. A relation of another arity is an ordinary one.
pub(crate) fn hidden_information(ast: &Ast, report: &mut Report) {
    let is_sees = |name: &Name| ast.name(*name).eq_ignore_ascii_case("sees");
    let sees: Vec<Name> = (0..ast.names() as u32).map(Name).filter(is_sees).collect();
    if sees.is_empty() {
        return;
    }
    let mut found = None;
    let mut look = |node: &Node| {
        let NodeKind::Apply { name, args, .. } = node.kind else { return };
        if args.len() == 2 && sees.contains(&name) {
            found.get_or_insert(node.span);
        }
    };
    for clause in &ast.clauses {
        atoms(ast, &clause.head, &mut look);
        ast.list(clause.body).iter().for_each(|n| atoms(ast, n, &mut look));
    }
    if let Some(span) = found {
        let message = "sees (GDL-II) says what a role is told; games with hidden information are not supported";
        report.error(HIDDEN, span, message).hint(
            "leave it out if every role may know the whole state; give a relation of your own another name",
        );
    }
}

/// Says that a role is chance.
pub fn chance(check: &mut Check) {
    for (i, rule) in check.rules().filter(|(_, rule)| rule.head.rel == Rel::ROLE) {
        let [Term::App(role, args)] = &rule.head.args[..] else { continue };
        if args.is_empty() && is_chance(check.rules.symbols.name(*role)) {
            let message = "the role random moves by chance, each legal move with the same probability (GDL-II)";
            check.warning("random-role", check.head_span(i), message.into());
        }
    }
}
