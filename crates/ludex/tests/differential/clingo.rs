//! The rules as a logic program with one more argument, the place: clingo says what follows in every place.
//!
//! A place is a state, or a state with a joint move. Many games go into one call, each with names of its own.

use crate::graph::Graph;
use crate::rules::{Atom, Game, Literal, Term};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

/// Places of a game that are asked about.
const PLACES: usize = 60;

/// Whether there is a clingo to ask.
pub fn is_there() -> bool {
    ludex_testing::installed("clingo")
}

/// Asks clingo about all games at once; what differs, with the place of the game in the list. The number of places.
pub fn compare(games: &[(Game, Graph)]) -> Result<usize, (usize, String)> {
    let mut program = String::new();
    let (mut expected, mut places) = (Vec::new(), 0);
    for (number, (game, graph)) in games.iter().enumerate() {
        let mut asked =
            Asked { number, program: &mut program, expected: BTreeSet::new(), places: 0 };
        asked.rules(game);
        asked.all(graph);
        places += asked.places;
        expected.push(asked.expected);
    }
    program += "#show.\n";
    for number in 0..games.len() {
        for (word, arity) in [("legal", 3), ("terminal", 1), ("goal", 3), ("next", 2), ("init", 2)]
        {
            program += &format!("#show g{number}_{word}/{arity}.\n");
        }
    }
    let answer = run(&program);
    for (number, (_, graph)) in games.iter().enumerate() {
        let found = answers(&answer, number, graph);
        if found != expected[number] {
            let less: Vec<_> = expected[number].difference(&found).collect();
            let more: Vec<_> = found.difference(&expected[number]).collect();
            return Err((number, format!("clingo does not say {less:?}, but {more:?}")));
        }
    }
    Ok(places)
}

/// The atoms that clingo derives.
fn run(program: &str) -> Vec<String> {
    let mut child = Command::new("clingo")
        .args(["-V0", "--warn=none", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("clingo");
    let mut input = child.stdin.take().expect("a pipe");
    let text = program.to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("an answer");
    writer.join().expect("no panic").expect("a program that is read");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(
        text.contains("SATISFIABLE") && !text.contains("UNSATISFIABLE"),
        "{text}\n{}\n{program}",
        String::from_utf8_lossy(&output.stderr)
    );
    let first = text.lines().next().unwrap_or_default();
    first.split_whitespace().map(String::from).collect()
}

struct Asked<'a> {
    number: usize,
    program: &'a mut String,
    expected: BTreeSet<String>,
    places: usize,
}

impl Asked<'_> {
    fn rules(&mut self, game: &Game) {
        for rule in &game.rules {
            for body in rule.cases() {
                let head = self.atom(&rule.head);
                let mut conditions = vec![format!("g{}_at(PLACE)", self.number)];
                conditions.extend(body.iter().map(|l| match l {
                    Literal::Is(atom) => self.atom(atom),
                    Literal::Not(atom) => format!("not {}", self.atom(atom)),
                    Literal::Distinct(a, b) => format!("{} != {}", term(a), term(b)),
                    Literal::Or(_) => unreachable!("multiplied out"),
                }));
                *self.program += &format!("{head} :- {}.\n", conditions.join(", "));
            }
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        let args: String = atom.args.iter().map(|t| format!(",{}", term(t))).collect();
        format!("g{}_{}(PLACE{args})", self.number, atom.name)
    }

    fn all(&mut self, graph: &Graph) {
        let initial: Vec<String> = graph.states[0].facts.clone();
        for fact in &initial {
            self.expect("init", 0, &[fact]);
        }
        for node in &graph.states {
            let Some(seen) = &node.seen else { continue };
            let Some(place) = self.place(&node.facts) else { return };
            for (role, name) in graph.roles.iter().enumerate() {
                seen.legal[role].iter().for_each(|m| self.expect("legal", place, &[name, m]));
                if let Some(goal) = seen.goals[role] {
                    self.expect("goal", place, &[name, &goal.to_string()]);
                }
            }
            if seen.terminal {
                self.expect("terminal", place, &[]);
            }
            for step in &node.steps {
                let Some(place) = self.place(&node.facts) else { return };
                for (role, rank) in step.joint.iter().enumerate() {
                    let done = format!(
                        "g{}_does({place},{},{}).\n",
                        self.number,
                        ground(&graph.roles[role]),
                        ground(&seen.legal[role][*rank])
                    );
                    *self.program += &done;
                }
                *self.program +=
                    &format!("g{}_moved({place}).\n#show g{0}_moved/1.\n", self.number);
                self.expect("moved", place, &[]);
                graph.states[step.to].facts.iter().for_each(|f| self.expect("next", place, &[f]));
            }
        }
    }

    /// A place with these facts; none where there are enough.
    fn place(&mut self, facts: &[String]) -> Option<usize> {
        if self.places == PLACES {
            return None;
        }
        let place = self.places;
        self.places += 1;
        *self.program += &format!("g{}_at({place}).\n", self.number);
        for fact in facts {
            *self.program += &format!("g{}_true({place},{}).\n", self.number, ground(fact));
        }
        Some(place)
    }

    fn expect(&mut self, word: &str, place: usize, args: &[&str]) {
        let args: String = args.iter().map(|t| format!(",{}", ground(t))).collect();
        self.expected.insert(format!("{word}({place}{args})"));
    }
}

/// What clingo says of a game, as it is expected: of states the moves, goals and end, of moves the next state.
fn answers(all: &[String], number: usize, graph: &Graph) -> BTreeSet<String> {
    let prefix = format!("g{number}_");
    let own: BTreeSet<&str> = all.iter().filter_map(|a| a.strip_prefix(&prefix)).collect();
    let place = |atom: &str| -> String {
        let (_, args) = atom.split_once('(').expect("a place");
        args.split([',', ')']).next().expect("a place").to_string()
    };
    let moved: BTreeSet<String> =
        own.iter().filter(|a| a.starts_with("moved")).map(|a| place(a)).collect();
    let goals = |at: &str, role: &str| {
        let start = format!("goal({at},{role},");
        own.iter().filter(|a| a.starts_with(&start)).count()
    };
    let wanted = |atom: &&&str| {
        let at = place(atom);
        match atom.split('(').next().expect("a word") {
            "init" => at == "0",
            "next" | "moved" => moved.contains(&at),
            "goal" => {
                let number = atom.trim_end_matches(')').rsplit(',').next().expect("a value");
                let alone = graph.roles.iter().map(|r| ground(r)).any(|role| {
                    atom.starts_with(&format!("goal({at},{role},")) && goals(&at, &role) == 1
                });
                !moved.contains(&at) && alone && number.parse::<i32>().is_ok()
            }
            _ => !moved.contains(&at),
        }
    };
    own.iter().filter(wanted).map(|a| a.to_string()).collect()
}

fn term(term: &Term) -> String {
    match term {
        Term::Var(v) => format!("V{v}"),
        Term::App(name, args) if args.is_empty() => name.to_string(),
        Term::App(name, args) => {
            let args: Vec<String> = args.iter().map(self::term).collect();
            format!("{name}({})", args.join(","))
        }
    }
}

fn ground(text: &str) -> String {
    term(&Term::read(text))
}
