//! `Rules` -> a logic program over the steps of a match: an answer set is a match of `horizon` steps, or one that
//! ended before.

use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Term};
use ludex_gdl::source::Source;
use ludex_gdl::syntax::Syntax;
use ludex_net::ground::Ground;
use rustc_hash::FxHashSet;
use std::fmt::Write;

pub fn program(rules: &Rules) -> String {
    let timed = timed(rules);
    let asp = Asp { rules, timed };
    let mut out = format!("% {}: an answer set is a match\n{PLAY}", rules.name);
    for rule in &rules.rules {
        writeln!(out, "{}", asp.rule(rule)).expect("a string takes all");
    }
    out
}

/// The ground rules of a game as rules, with its roles.
pub fn ground_rules(name: &str, ground: &Ground) -> Rules {
    let roles = ground.roles.iter().map(|role| format!("(role {})\n", ground.term_text(*role)));
    let source = Source::new(name, format!("{}{ground}", roles.collect::<String>()));
    Rules::read_to_play(&source, Some(Syntax::Kif)).expect("printed rules can be read")
}

/// What a match is, whatever the game.
const PLAY: &str = "\
#const horizon=3.
step(0..horizon).
holds(F,0) :- init(F).
1 { does(R,M,T) : legal(R,M,T) } 1 :- role(R), step(T), T < horizon, not over(T).
holds(F,T+1) :- next(F,T), step(T), T < horizon, not over(T).
over(T) :- terminal(T).
over(T+1) :- over(T), step(T), T < horizon.
#show does/3.
";

struct Asp<'a> {
    rules: &'a Rules,
    /// The relations that can change from step to step.
    timed: FxHashSet<Rel>,
}

/// The relations that depend on state or moves, and those that are asked at every step.
fn timed(rules: &Rules) -> FxHashSet<Rel> {
    let mut timed: FxHashSet<Rel> =
        [Rel::TRUE, Rel::DOES, Rel::NEXT, Rel::LEGAL, Rel::GOAL, Rel::TERMINAL]
            .into_iter()
            .collect();
    loop {
        let before = timed.len();
        for rule in &rules.rules {
            if rule.body.iter().filter_map(Literal::atom).any(|atom| timed.contains(&atom.rel)) {
                timed.insert(rule.head.rel);
            }
        }
        if timed.len() == before {
            return timed;
        }
    }
}

impl Asp<'_> {
    fn rule(&self, rule: &Rule) -> String {
        let head = self.atom(&rule.head);
        let mut body: Vec<String> = rule.body.iter().map(|literal| self.literal(literal)).collect();
        if self.timed.contains(&rule.head.rel) {
            body.push("step(T)".into());
        }
        match body.is_empty() {
            true => format!("{head}."),
            false => format!("{head} :- {}.", body.join(", ")),
        }
    }

    fn literal(&self, literal: &Literal) -> String {
        match literal {
            Literal::Pos(atom) => self.atom(atom),
            Literal::Neg(atom) => format!("not {}", self.atom(atom)),
            Literal::Distinct(a, b) => format!("{} != {}", self.term(a), self.term(b)),
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        let name = match atom.rel {
            Rel::TRUE => "holds".into(),
            rel if rel.is_keyword() => self.name_of(rel).to_string(),
            // The author's names and those of the play never meet.
            rel => format!("r_{}", word(self.name_of(rel))),
        };
        let mut args: Vec<String> = atom.args.iter().map(|term| self.term(term)).collect();
        if self.timed.contains(&atom.rel) {
            args.push("T".into());
        }
        if args.is_empty() { name } else { format!("{name}({})", args.join(",")) }
    }

    fn name_of(&self, rel: Rel) -> &str {
        self.rules.symbols.name(self.rules.relation(rel).name)
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Var(v) => format!("V{v}"),
            Term::App(name, args) => {
                let name = constant(self.rules.symbols.name(*name));
                let args: Vec<String> = args.iter().map(|arg| self.term(arg)).collect();
                if args.is_empty() { name } else { format!("{name}({})", args.join(",")) }
            }
        }
    }
}

/// A number as it is, any other name as a name of clingo.
fn constant(name: &str) -> String {
    match name.parse::<i32>() {
        Ok(number) if number.to_string() == name => name.into(),
        _ if matches!(name, "not" | "horizon") => format!("{name}_"),
        _ => match word(name) {
            word if word.starts_with(|c: char| c.is_ascii_lowercase()) => word,
            word => format!("c_{word}"),
        },
    }
}

/// Letters, digits and underscores. Names that differ stay different.
fn word(name: &str) -> String {
    let mut out = String::new();
    for c in name.to_lowercase().chars() {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c),
            '_' => out.push_str("__"),
            c => write!(out, "_{:x}_", c as u32).expect("a string takes all"),
        }
    }
    out
}
