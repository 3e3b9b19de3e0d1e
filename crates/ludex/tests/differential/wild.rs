//! A seed -> `Game`: another family, of rules thrown together from shapes of atoms.
//!
//! Groups of heads come one after the other. A rule asks for anything that was made before it, for its own
//! group without negation, and for nothing later; so negation never goes round in a circle. A variable that a
//! head wraps in a function is bound to the terms that are written down, so that nothing grows for ever.

use crate::chance::Chance;
use crate::generate::lively;
use crate::rules::{Game, Name};

/// An atom with `_` for its arguments.
type Shape = String;

struct Wild {
    chance: Chance,
    text: String,
    kinds: Vec<Name>,
    /// Ground terms as they are written.
    terms: Vec<&'static str>,
    roles: Vec<&'static str>,
    /// What may be asked for, in the order of making.
    shapes: Vec<Shape>,
    fluents: Vec<Shape>,
    moves: Vec<Shape>,
    made: usize,
}

/// Constants, functions, relations and roles share names.
const TERMS: [&[&str]; 7] = [
    &["a", "b"],
    &["a", "b", "c"],
    &["a", "(f a)", "(f (f a))"],
    &["a", "(g a b)", "(g b a)", "b"],
    &["q1", "d", "(q1 d)"],
    &["x", "(f x)", "(g x (f x))"],
    &["1", "2", "(f 1)", "x"],
];
const VARIABLES: [&str; 4] = ["?p", "?q", "?s", "?t"];

/// The game of a seed.
pub fn game(seed: u64) -> Game {
    lively(seed, 12, one)
}

fn one(seed: u64) -> Game {
    let mut wild = Wild::new(seed);
    wild.fixed();
    wild.first_state();
    wild.state();
    wild.steps();
    let Wild { text, mut kinds, .. } = wild;
    let Game { rules, .. } = Game::read(&text);
    kinds.extend(crate::kinds::of_rules(&rules));
    kinds.sort_unstable();
    kinds.dedup();
    Game { seed, kinds, rules }
}

impl Wild {
    fn new(seed: u64) -> Wild {
        let mut chance = Chance::new(seed ^ 0x5eed_0000_0000);
        let terms = chance.pick(&TERMS).to_vec();
        let names = *chance.pick(&[["r0", "r1", "r2"], ["x", "y", "a"], ["q1", "q2", "f"]]);
        let roles = names[..*chance.pick(&[1, 2, 2, 3])].to_vec();
        let (shapes, fluents, moves) = (vec![], vec![], vec![]);
        let (text, kinds) = (String::new(), vec![]);
        let mut wild = Wild { chance, text, kinds, terms, roles, shapes, fluents, moves, made: 0 };
        wild.kinds.push(["", "one role", "two roles", "three roles"][wild.roles.len()]);
        wild.fluents = wild.several(&["h", "at", "on"], 4);
        wild.moves = wild.several(&["go", "put", "f"], 3);
        wild
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn arity(&mut self) -> usize {
        *self.chance.pick(&[0, 0, 1, 1, 1, 2, 2, 3])
    }

    /// One to `most` terms with places; names may come back with another number of places.
    fn several(&mut self, names: &[&str], most: usize) -> Vec<Shape> {
        let number = self.chance.between(1, most);
        (0..number).map(|_| self.term_shape(names)).collect()
    }

    fn term_shape(&mut self, names: &[&str]) -> Shape {
        let name = self.chance.pick(names).to_string();
        let places: Vec<&str> = (0..self.arity())
            .map(|_| *self.chance.pick(&["_", "_", "_", "(f _)", "(g _ _)"]))
            .collect();
        apply(&name, &places)
    }

    /// A relation that is new.
    fn relation(&mut self) -> Shape {
        self.made += 1;
        let arity = if self.chance.percent(3) { self.chance.between(6, 8) } else { self.arity() };
        apply(&format!("q{}", self.made), &vec!["_"; arity])
    }

    fn term(&mut self) -> String {
        self.chance.pick(&self.terms).to_string()
    }

    /// Roles, terms and what follows from them alone.
    fn fixed(&mut self) {
        for role in self.roles.clone() {
            self.line(&format!("(role {role})"));
        }
        for term in self.terms.clone() {
            self.line(&format!("(d {term})"));
        }
        for _ in 0..self.chance.between(1, 5) {
            let (s, t) = (self.term(), self.term());
            self.line(&format!("(e {s} {t})"));
        }
        self.shapes.extend(["(d _)", "(e _ _)", "(e _ _)"].map(String::from));
        if self.chance.percent(30) {
            self.line("nothing");
            self.shapes.push("nothing".into());
        }
        self.groups(0, 2);
    }

    /// What is true at first: facts, rules, or nothing.
    fn first_state(&mut self) {
        if self.chance.percent(10) {
            return self.kinds.push("nothing true at first");
        }
        for _ in 0..self.chance.between(1, 4) {
            let fluent = self.chance.pick(&self.fluents).clone();
            let head = format!("(init {fluent})");
            let rule = match self.chance.percent(50) {
                true => self.instance(&head),
                false => self.rule(&head, self.shapes.len()),
            };
            self.line(&rule);
        }
    }

    /// Relations of a state; among them, in any order, moves, ends and goals.
    fn state(&mut self) {
        let asked = self.fluents.iter().map(|f| format!("(true {f})"));
        self.shapes.extend(asked);
        let mut words = ["legal", "terminal", "goal"];
        (0..3).for_each(|i| words.swap(i, self.chance.below(i + 1)));
        for word in words {
            self.groups(0, 2);
            match word {
                "legal" => self.legal(),
                "terminal" => self.terminal(),
                _ => self.goals(),
            }
        }
    }

    fn legal(&mut self) {
        let mut heads = Vec::new();
        for action in self.moves.clone() {
            let role = self.chance.pick(&self.roles).to_string();
            heads.push(format!("(legal {} {action})", *self.chance.pick(&["_", &role])));
        }
        if self.chance.percent(30) {
            self.kinds.push("moves in a group of relations");
            heads.push(self.relation());
        }
        self.group(&heads);
        if self.chance.percent(75) {
            self.line("(<= (legal ?p wait) (role ?p))");
        }
    }

    fn terminal(&mut self) {
        if self.chance.percent(50) {
            let last = self.chance.between(2, 5);
            self.line("(init (step 0))");
            (0..last).for_each(|i| self.line(&format!("(after {i} {})", i + 1)));
            self.line("(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))");
            self.line(&format!("(<= terminal (true (step {last})))"));
        }
        self.group(&["terminal".into()]);
    }

    /// One goal a role everywhere, or several here and none there.
    fn goals(&mut self) {
        let mut heads = Vec::new();
        for role in self.roles.clone() {
            if self.chance.percent(60) {
                let won = self.asked(self.shapes.len(), &[]);
                self.line(&format!("(<= (goal {role} 100) {won})"));
                self.line(&format!("(<= (goal {role} 0) (not {won}))"));
                continue;
            }
            heads.push(format!("(goal {role} 50)"));
            for value in [100, 0] {
                heads.extend(self.chance.percent(50).then(|| format!("(goal {role} {value})")));
            }
        }
        self.group(&heads);
    }

    /// What moves bring about.
    fn steps(&mut self) {
        for action in self.moves.clone() {
            let role = self.chance.pick(&self.roles).to_string();
            self.shapes.push(format!("(does _ {action})"));
            self.shapes.push(format!("(does {role} {action})"));
        }
        self.groups(0, 3);
        for fluent in self.fluents.clone() {
            if self.chance.percent(60) {
                let kept = filled(&fluent, &mut VARIABLES.iter().cycle().map(|v| v.to_string()));
                let bound = variables(&kept);
                let not = self.negative(self.shapes.len(), &bound);
                self.line(&format!("(<= (next {kept}) (true {kept}) {not})"));
            }
            for _ in 0..self.chance.between(1, 2) {
                let rule = self.rule(&format!("(next {fluent})"), self.shapes.len());
                self.line(&rule);
            }
        }
    }

    fn groups(&mut self, least: usize, most: usize) {
        for _ in 0..self.chance.between(least, most) {
            let heads: Vec<Shape> =
                (0..self.chance.between(1, 4)).map(|_| self.relation()).collect();
            self.group(&heads);
        }
    }

    /// Rules for heads that may ask for each other; the first of each asks only for what was there before.
    fn group(&mut self, heads: &[Shape]) {
        let first = self.shapes.len();
        for head in heads {
            let rule = self.rule(head, first);
            self.line(&rule);
        }
        self.shapes.extend(heads.iter().cloned());
        for head in heads {
            for _ in 0..self.chance.between(0, 2) {
                let rule = self.rule(head, first);
                self.line(&rule);
            }
        }
    }

    /// The head with written terms, as a fact.
    fn instance(&mut self, head: &str) -> String {
        let terms = self.terms.clone();
        filled(head, &mut std::iter::repeat_with(|| self.chance.pick(&terms).to_string()))
    }

    /// A rule; what it negates was made before the shape with this number.
    fn rule(&mut self, head: &str, first: usize) -> String {
        let mut body = Vec::new();
        for _ in 0..*self.chance.pick(&[1, 1, 2, 2, 3]) {
            body.push(self.positive(first));
        }
        let bound = variables(&body.join(" "));
        if self.chance.percent(35) {
            body.push(self.negative(first, &bound));
        }
        if self.chance.percent(15) {
            body.push(self.distinct(&bound));
        }
        if self.chance.percent(20) {
            body.push(self.either(first, &bound, 2));
        }
        let mut guards = Vec::new();
        let roles = self.roles.clone();
        let mut args = Vec::new();
        for (wrapped, of_role) in places(head) {
            let arg = match self.chance.below(10) {
                _ if of_role => self.chance.pick(&roles).to_string(),
                0 => self.term(),
                _ if bound.is_empty() => self.term(),
                1 => wrap("f", &self.chance.pick(&bound).clone(), &mut guards),
                _ if wrapped => wrap("", &self.chance.pick(&bound).clone(), &mut guards),
                _ => self.chance.pick(&bound).clone(),
            };
            args.push(arg);
        }
        let head = filled(head, &mut args.into_iter());
        format!("(<= {head} {} {})", body.join(" "), guards.join(" "))
    }

    /// A condition; of the own group, or of late shapes, every second time.
    fn positive(&mut self, first: usize) -> String {
        let late = if first < self.shapes.len() { first } else { first.saturating_sub(3) };
        let from = if self.chance.percent(50) { late } else { 0 };
        let shape = self.shapes[self.chance.between(from, self.shapes.len() - 1)].clone();
        let mut args = Vec::new();
        for _ in places(&shape) {
            let v = *self.chance.pick(&VARIABLES);
            args.push(match self.chance.below(20) {
                0 => self.term(),
                1 => format!("(f {v})"),
                _ => v.to_string(),
            });
        }
        filled(&shape, &mut args.into_iter())
    }

    /// A condition on what is bound.
    fn asked(&mut self, below: usize, bound: &[String]) -> String {
        let shape = self.shapes[self.chance.below(below)].clone();
        let mut args = Vec::new();
        places(&shape).iter().for_each(|_| args.push(self.bound(bound)));
        filled(&shape, &mut args.into_iter())
    }

    fn bound(&mut self, bound: &[String]) -> String {
        match bound.is_empty() || self.chance.percent(20) {
            true => self.term(),
            false => self.chance.pick(bound).clone(),
        }
    }

    fn negative(&mut self, first: usize, bound: &[String]) -> String {
        format!("(not {})", self.asked(first, bound))
    }

    fn distinct(&mut self, bound: &[String]) -> String {
        let (a, b) = (self.bound(bound), self.bound(bound));
        format!("(distinct {a} {})", if a == b { self.term() } else { b })
    }

    /// A disjunction, with others inside it.
    fn either(&mut self, first: usize, bound: &[String], depth: usize) -> String {
        let mut cases = Vec::new();
        for _ in 0..self.chance.between(2, 3) {
            cases.push(match self.chance.below(6) {
                0 => self.negative(first, bound),
                1 => self.distinct(bound),
                2 if depth > 0 => {
                    let (a, b) = (self.asked(first, bound), self.either(first, bound, depth - 1));
                    format!("(and {a} {b})")
                }
                _ => self.asked(self.shapes.len(), bound),
            });
        }
        format!("(or {})", cases.join(" "))
    }
}

fn apply(name: &str, args: &[&str]) -> String {
    if args.is_empty() { name.into() } else { format!("({name} {})", args.join(" ")) }
}

/// The variable in a function or as it is, bound to written terms.
fn wrap(function: &str, variable: &str, guards: &mut Vec<String>) -> String {
    guards.push(format!("(d {variable})"));
    if function.is_empty() { variable.into() } else { format!("({function} {variable})") }
}

/// The places of a shape: whether they are inside a term, and whether they are a role's.
fn places(shape: &str) -> Vec<(bool, bool)> {
    let terms = ["(init", "(next", "(true"].iter().any(|w| shape.starts_with(w)) as usize;
    let role = ["(legal", "(does"].iter().any(|w| shape.starts_with(w));
    let (mut depth, mut found) = (0, Vec::new());
    for c in shape.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '_' => found.push((depth > 1 + terms, role && depth == 1)),
            _ => {}
        }
    }
    found
}

fn filled(shape: &str, args: &mut impl Iterator<Item = String>) -> String {
    shape.chars().fold(String::new(), |text, c| match c {
        '_' => text + &args.next().expect("an argument for every place"),
        c => text + &c.to_string(),
    })
}

fn variables(text: &str) -> Vec<String> {
    let words = text.split([' ', '(', ')']).filter(|w| w.starts_with('?'));
    let mut found: Vec<String> = words.map(String::from).collect();
    found.sort();
    found.dedup();
    found
}
