//! What an author expects of a game (`Expectations`, written beside its rules), and what became of it.
//!
//! One expectation a line, about the position that the moves before it lead to:
//!
//! ```text
//! legal white 7              so many moves
//! legal white (mark 4)       this one among them
//! illegal black (mark 4)
//! play mark 4                a joint move; of several roles that choose, with commas between
//! true (cell 4 white)        false (cell 4 black)
//! terminal                   running
//! goal white 50              value white 50
//! always (<= (distinct ?x ?y) (true (cell 1 ?x)) (true (cell 2 ?y)))
//! start                      back to the first state
//! ```

use crate::game::{Game, Position};
use ludex_facts::decide::{Effort, decide};
use ludex_facts::property::Property;
use ludex_facts::prove::Verdict;
use ludex_gdl::budget::Budget;
use ludex_gdl::source::{Report, Source, Span};
use ludex_reason::canonical;
use ludex_search::solve::{Settings, Unsolvable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The expectations of a file.
#[derive(Clone, Debug)]
pub struct Expectations {
    steps: Vec<Expectation>,
}

#[derive(Clone, Debug)]
struct Expectation {
    line: usize,
    text: String,
    kind: ExpectationKind,
}

#[derive(Clone, Debug)]
enum ExpectationKind {
    Start,
    Play(Vec<String>),
    LegalCount(String, usize),
    Legal(String, String, bool),
    Fact(String, bool),
    Terminal(bool),
    Goal(String, i32),
    Value(String, i32),
    Always(String),
}

/// What became of one line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpectationOutcome {
    /// From 1.
    pub line: usize,
    /// What was expected, as it is written.
    pub text: String,
    /// Did it hold?
    pub passed: bool,
    /// What is the case instead.
    pub found: Option<String>,
}

impl Expectations {
    /// The expectations of a file, one a line.
    pub fn read(source: &Source) -> Result<Expectations, Report> {
        let (mut steps, mut report, mut start) = (Vec::new(), Report::default(), 0);
        for (number, line) in source.text.split_inclusive('\n').enumerate() {
            let span = Span { start, end: start + line.trim_end().len() as u32 };
            start += line.len() as u32;
            let text = line.split(['#', ';', '%']).next().unwrap_or("").trim();
            if text.is_empty() {
                continue;
            }
            match kind(text) {
                Some(kind) => {
                    steps.push(Expectation { line: number + 1, text: text.into(), kind });
                }
                None => {
                    report.error("expectation", span, "this is not an expectation").hint(FORMS);
                }
            }
        }
        if report.has_errors() { Err(report) } else { Ok(Expectations { steps }) }
    }

    /// Every line that expects something, in order. Err: the game cannot be run.
    pub fn run(
        &self,
        game: &Game,
        budget: &Budget,
    ) -> Result<Vec<ExpectationOutcome>, crate::compile::Refusal> {
        let first = game.position(budget)?;
        let (mut position, mut outcomes) = (Ok(first.clone()), Vec::new());
        for step in &self.steps {
            if let ExpectationKind::Start = step.kind {
                position = Ok(first.clone());
                continue;
            }
            let found = match &position {
                Ok(here) => step.kind.look(here, budget).map(|after| {
                    if let Some(after) = after {
                        position = Ok(after);
                    }
                }),
                Err(line) => Err(format!("the moves of line {line} could not be made")),
            };
            if let (ExpectationKind::Play(_), Err(_), true) = (&step.kind, &found, position.is_ok())
            {
                position = Err(step.line);
            }
            let (line, text, passed) = (step.line, step.text.clone(), found.is_ok());
            outcomes.push(ExpectationOutcome { line, text, passed, found: found.err() });
        }
        Ok(outcomes)
    }
}

const FORMS: &str = "lines are: start; play MOVES; legal ROLE MOVE or COUNT; illegal ROLE MOVE; true FACT; \
    false FACT; terminal; running; goal ROLE N; value ROLE N; always PROPERTY";

fn kind(text: &str) -> Option<ExpectationKind> {
    let (verb, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    let rest = rest.trim();
    let about = || rest.split_once([' ', '\t']).map(|(role, what)| (role.to_string(), what.trim()));
    let number = || about().and_then(|(role, n)| Some((role, n.parse::<i32>().ok()?)));
    Some(match verb {
        "start" if rest.is_empty() => ExpectationKind::Start,
        "terminal" if rest.is_empty() => ExpectationKind::Terminal(true),
        "running" if rest.is_empty() => ExpectationKind::Terminal(false),
        "play" if !rest.is_empty() => ExpectationKind::Play(moves(rest)),
        "true" if !rest.is_empty() => ExpectationKind::Fact(rest.into(), true),
        "false" if !rest.is_empty() => ExpectationKind::Fact(rest.into(), false),
        "always" if !rest.is_empty() => ExpectationKind::Always(rest.into()),
        "goal" => number().map(|(role, n)| ExpectationKind::Goal(role, n))?,
        "value" => number().map(|(role, n)| ExpectationKind::Value(role, n))?,
        "legal" | "illegal" => match (about()?, verb) {
            ((role, what), "legal") if what.parse::<usize>().is_ok() => {
                ExpectationKind::LegalCount(role, what.parse().ok()?)
            }
            ((role, what), verb) => ExpectationKind::Legal(role, what.into(), verb == "legal"),
        },
        _ => return None,
    })
}

/// Moves with commas between them, which may have commas of their own in parentheses.
fn moves(text: &str) -> Vec<String> {
    let (mut moves, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                moves.push(String::new());
                continue;
            }
            _ => {}
        }
        moves.last_mut().expect("never empty").push(c);
    }
    moves.iter().map(|m| m.trim().to_string()).collect()
}

impl ExpectationKind {
    /// Whether it is so, else what is; a move gives the position after it.
    fn look(&self, here: &Position, budget: &Budget) -> Result<Option<Position>, String> {
        match self {
            ExpectationKind::Start => {}
            ExpectationKind::Play(moves) => {
                let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
                return here.after(&moves).map(Some).map_err(|why| why.to_string());
            }
            ExpectationKind::LegalCount(role, count) => {
                let found = here.legal(role_of(here, role)?).len();
                same(count, &found, &format!("{role} has {found} legal moves"))?;
            }
            ExpectationKind::Legal(role, text, wanted) => {
                let mut legal = here.legal(role_of(here, role)?);
                let found = legal.any(|m| is_same(m, text));
                let not = if found { "" } else { "not " };
                same(wanted, &found, &format!("{text} is {not}legal"))?;
            }
            ExpectationKind::Fact(text, wanted) => {
                let found = here.facts().iter().any(|fact| is_same(fact, text));
                same(wanted, &found, &format!("{text} is {found}"))?;
            }
            ExpectationKind::Terminal(wanted) => {
                let found = here.is_terminal();
                let state = if found { "over" } else { "not over" };
                same(wanted, &found, &format!("the match is {state}"))?;
            }
            ExpectationKind::Goal(role, value) => {
                let found = here.goals()[role_of(here, role)?];
                let text = found.map_or("no goal".into(), |v| v.to_string());
                same(&Some(*value), &found, &format!("{role} gets {text}"))?;
            }
            ExpectationKind::Value(role, value) => solve(here, role, *value, budget)?,
            ExpectationKind::Always(text) => prove(here, text, budget)?,
        }
        Ok(None)
    }
}

fn same<T: PartialEq>(wanted: &T, found: &T, text: &str) -> Result<(), String> {
    if wanted == found { Ok(()) } else { Err(text.to_string()) }
}

fn is_same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b) || canonical(a) == canonical(b)
}

fn role_of(here: &Position, name: &str) -> Result<usize, String> {
    let at = here.roles().iter().position(|role| role.eq_ignore_ascii_case(name));
    at.ok_or_else(|| format!("{name} is not a role; the roles are {}", here.roles().join(", ")))
}

/// What best play gives a role.
fn solve(here: &Position, role: &str, value: i32, budget: &Budget) -> Result<(), String> {
    let at = role_of(here, role)?;
    let solver = here.start_solver(Settings::default(), budget).map_err(|why| why.to_string())?;
    let solution = solver.wait();
    let Some(values) = solution.values else {
        let why = match solution.refusal {
            Some(Unsolvable::NoEnd) => "no match ever ends",
            Some(Unsolvable::Endless) => "states can repeat",
            Some(Unsolvable::Undecided { .. }) => {
                "roles choose at the same time, without one value"
            }
            None => "a limit was reached",
        };
        return Err(format!("the value is not known: {why}"));
    };
    let found = values[at].to_string();
    same(&value.to_string(), &found, &format!("best play gives {role} {found}"))
}

/// Whether a property holds in every state.
fn prove(here: &Position, text: &str, budget: &Budget) -> Result<(), String> {
    let game = here.game();
    let property = Property::read(text, game.rules()).map_err(|told| {
        let told = told.1.render(&told.0);
        told.lines().next().unwrap_or("it cannot be read").to_string()
    })?;
    let known = game.knowledge().known();
    let decision = decide(&property, known.as_deref(), Effort::default(), budget)
        .map_err(|why| why.to_string())?;
    match decision.verdict {
        Verdict::Proved { .. } => Ok(()),
        Verdict::Refuted { .. } => {
            let moves: Vec<String> = decision.moves.iter().map(|joint| joint.join("  ")).collect();
            Err(format!("it fails after {}", moves.join("; ")))
        }
        Verdict::Unknown { .. } => Err(format!("it is not decided: {}", decision.by)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(expectations: &str) -> Vec<(usize, bool)> {
        let source = Source::new("game.test", expectations);
        let expectations =
            Expectations::read(&source).unwrap_or_else(|r| panic!("{}", r.render(&source)));
        let game = Game::bundled("tictactoe").unwrap();
        let outcomes = expectations.run(&game, &Budget::unlimited()).unwrap();
        outcomes.iter().map(|o| (o.line, o.passed)).collect()
    }

    #[test]
    fn what_is_so_passes() {
        let text = "legal white 9 # all\nlegal black noop\nplay mark 2 2\nillegal black (mark 2 2)\n\
            true cell(2,2,x)\nrunning\nplay 1 1\nplay 2 1\nplay 1 2\nplay 2 3\nterminal\ngoal white 100\n\
            start\nfalse (cell 2 2 x)\nvalue white 50\n\
            always (<= (distinct ?x white) (true (control ?x)) (true (control black)))";
        let outcomes = run(text);
        assert_eq!(outcomes.len(), 15);
        assert!(outcomes.iter().all(|(_, passed)| *passed), "{outcomes:?}");
    }

    #[test]
    fn what_is_not_so_fails_in_its_line() {
        let text = "legal white 8\nterminal\ngoal red 5\nplay mark 7 7\ntrue (cell 1 1 b)\nstart\nlegal white 9";
        let passed = [false, false, false, false, false, true];
        let found: Vec<bool> = run(text).iter().map(|(_, passed)| *passed).collect();
        assert_eq!(found, passed);
    }

    #[test]
    fn lines_that_mean_nothing_are_told() {
        let source = Source::new("game.test", "legal white\n\nwhat\n");
        let report = Expectations::read(&source).unwrap_err();
        let lines: Vec<usize> =
            report.complaints.iter().map(|c| source.position(c.span.unwrap().start).0).collect();
        assert_eq!(lines, [1, 3]);
    }
}
