//! Text for people that speaks of terms in KIF -> the same text with these terms in infix.

use super::{KEYWORDS, Rules};
use crate::syntax::infix::{write_name, write_variable};
use rustc_hash::FxHashSet;

/// The names of a game that stand at the head of a term, with their arities. Parentheses around anything
/// else are plain English.
#[derive(Clone, Debug, Default)]
pub struct Wording {
    known: FxHashSet<(String, usize)>,
}

/// A term as it is read.
enum Read {
    Word(String),
    List(Vec<Read>),
}

impl Wording {
    pub fn new(rules: &Rules) -> Wording {
        let found = rules.inventory();
        let relations = found.relations.into_iter().map(|r| (r.name, r.arity));
        let functions = found.functions.into_iter().map(|f| (f.name, f.arity));
        let given = KEYWORDS.iter().map(|(name, arity)| (name.to_string(), *arity));
        let all = relations.chain(functions).chain(given);
        Wording { known: all.map(|(name, arity)| (name.to_lowercase(), arity)).collect() }
    }

    /// The text with all terms of the game in infix.
    pub fn infix(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('(') {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            let apart = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            match read_list(from).filter(|(read, _)| apart && self.is_term(read, false)) {
                Some((read, after)) => {
                    write(&read, &mut out);
                    rest = after;
                }
                None => {
                    out.push('(');
                    rest = &from[1..];
                }
            }
        }
        out + rest
    }

    /// In a clause whatever has a head is a term: relations may be made up that the rules do not have.
    fn is_term(&self, read: &Read, clause: bool) -> bool {
        let Read::List(parts) = read else { return true };
        let Some((Read::Word(head), args)) = parts.split_first() else { return false };
        let connective = match head.as_str() {
            "not" => args.len() == 1,
            "distinct" => args.len() == 2,
            "or" | "and" | "<=" => !args.is_empty(),
            _ => false,
        };
        let known = || clause || self.known.contains(&(head.to_lowercase(), args.len()));
        let clause = clause || head == "<=";
        (connective || known()) && args.iter().all(|arg| self.is_term(arg, clause))
    }
}

/// The list at the start of a text, and what follows it. Parts have one space between them.
fn read_list(text: &str) -> Option<(Read, &str)> {
    let mut rest = text.strip_prefix('(')?;
    let mut parts = Vec::new();
    loop {
        let (part, after) = match rest.starts_with('(') {
            true => read_list(rest)?,
            false => {
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')'))?;
                let (word, after) = rest.split_at(end);
                (!word.is_empty() && !word.contains(['`', ',', ';'])).then_some(())?;
                (Read::Word(word.into()), after)
            }
        };
        parts.push(part);
        if let Some(after) = after.strip_prefix(')') {
            return Some((Read::List(parts), after));
        }
        rest = after.strip_prefix(' ')?;
    }
}

fn write(read: &Read, out: &mut String) {
    let parts = match read {
        Read::Word(word) => {
            return match word.strip_prefix('?') {
                Some(variable) => write_variable(variable, out),
                // Any value, in the pattern of a family of facts.
                None if word == "*" => out.push('*'),
                None => write_name(word, out),
            };
        }
        Read::List(parts) => parts,
    };
    let (Read::Word(head), args) = (&parts[0], &parts[1..]) else { unreachable!("it is a term") };
    match (head.as_str(), args) {
        ("not", [only]) => {
            out.push('~');
            write(only, out);
        }
        ("<=", [head, body @ ..]) => {
            write(head, out);
            if !body.is_empty() {
                out.push_str(" :- ");
                join(body, " & ", out);
            }
        }
        ("or" | "and", several) => {
            out.push('(');
            join(several, if head == "or" { " | " } else { " & " }, out);
            out.push(')');
        }
        (head, args) => {
            write_name(head, out);
            out.push('(');
            join(args, ",", out);
            out.push(')');
        }
    }
}

fn join(parts: &[Read], sign: &str, out: &mut String) {
    for (i, part) in parts.iter().enumerate() {
        out.push_str(if i > 0 { sign } else { "" });
        write(part, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn terms_of_the_game_change_and_plain_words_stay() {
        let text = "(role x) (init (cell 1 b)) (init (step 1)) (<= (legal x (mark ?n)) (true (cell ?n b)))
            (<= (next (cell ?n x)) (does x (mark ?n))) (<= terminal (true (cell 1 x))) (goal x 100)";
        let rules =
            Rules::read(&Source::new("game", text), None).map_err(|r| r.complaints).unwrap().0;
        let wording = Wording::new(&rules);
        for (kif, infix) in [
            ("x: (mark 1)   then (mark 2)", "x: mark(1)   then mark(2)"),
            (
                "at most one (proved by induction) of (cell 1 ?x)",
                "at most one (proved by induction) of cell(1,X)",
            ),
            ("(not (true (cell 1 b)))", "~true(cell(1,b))"),
            (
                "(<= (next (cell ?n x)) (does x (mark ?n)) (distinct ?n 1))",
                "next(cell(N,x)) :- does(x,mark(N)) & distinct(N,1)",
            ),
            ("(<= (part 1) (true (step 1)))", "part(1) :- true(step(1))"),
            ("(cell at argument 1)", "(cell at argument 1)"),
            ("shared: (cell * b)", "shared: cell(*,b)"),
            ("already mark(1), (step", "already mark(1), (step"),
            ("(or (true (step 1)) (true (cell 1 x)))", "(true(step(1)) | true(cell(1,x)))"),
        ] {
            assert_eq!(wording.infix(kif), infix);
        }
    }
}
