//! `StateMachine` -> `Trial`: random matches that look for what a well-formed game never does.
//!
//! A well-formed game gives every role a move in every state that is not terminal, ends, and has
//! exactly one goal value for each role then; its facts are declared by `base`, its moves by `input`.

use super::notice::{MatchCourse, Notice, Notices};
use super::{Move, Random, Role, StateMachine};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::is_chance;
use ludex_gdl::source::Severity;
use rustc_hash::{FxHashMap, FxHashSet};

/// What was found in a number of random matches.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    pub matches: usize,
    /// How many of them came to a terminal state.
    pub ended: usize,
    /// Joint moves in all, and in the longest match.
    pub moves: usize,
    pub longest: usize,
    /// One for each kind of fault and what it is about, in the order found.
    pub findings: Vec<Finding>,
    /// What the matches have in common.
    pub notices: Vec<Notice>,
}

/// A fault of the game, with the moves that lead to it the first time.
#[derive(Clone, Debug)]
pub struct Finding {
    pub severity: Severity,
    pub code: &'static str,
    pub message: String,
    /// Joint moves from the initial state, in role order.
    pub moves: Vec<Vec<String>>,
    /// The number of times it was seen, at most once in a match.
    pub matches: usize,
}

/// The facts and moves that a game declares; none where it declares nothing.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    pub facts: Option<FxHashSet<String>>,
    /// By role.
    pub moves: Option<Vec<FxHashSet<String>>>,
}

impl Declared {
    /// From an engine of `Rules::declarations`: its first state has all facts of `base`, its legal
    /// moves are those of `input`.
    pub fn of<G: StateMachine>(game: &mut G, base: bool, input: bool) -> Declared {
        let (initial, roles) = (game.initial(), game.roles());
        let mut moves = |role| {
            let mut legal = Vec::new();
            game.legal(&initial, role, &mut legal);
            legal.into_iter().map(|m| game.move_text(role, m)).collect()
        };
        let moves = input.then(|| (0..roles).map(&mut moves).collect());
        let facts = base.then(|| game.fact_texts(&initial).into_iter().collect());
        Declared { facts, moves }
    }
}

/// Plays matches of at most `bound` joint moves, every role at random.
pub fn trial<G: StateMachine>(
    game: &mut G,
    declared: &Declared,
    (matches, bound): (usize, usize),
    random: &mut Random,
    budget: &Budget,
) -> Result<Trial, Stop> {
    let (trial, known, notices) = (Trial::default(), FxHashMap::default(), Notices::default());
    let mut run = TrialRun { game, declared, trial, known, notices };
    for _ in 0..matches {
        run.play(bound, random, budget)?;
        // What an engine said after a stop is not to be trusted.
        budget.check()?;
        budget.advance(1);
    }
    let roles: Vec<String> = (0..run.game.roles()).map(|role| run.game.role_text(role)).collect();
    run.trial.notices = run.notices.tell(&roles, declared.moves.as_deref());
    Ok(run.trial)
}

struct TrialRun<'a, G: StateMachine> {
    game: &'a mut G,
    declared: &'a Declared,
    trial: Trial,
    /// Code and subject of every finding: its number, and the last match it was seen in.
    known: FxHashMap<(&'static str, String), (usize, usize)>,
    notices: Notices,
}

impl<G: StateMachine> TrialRun<'_, G> {
    fn play(&mut self, bound: usize, random: &mut Random, budget: &Budget) -> Result<(), Stop> {
        let (mut state, mut played) = (self.game.initial(), Vec::new());
        let mut course = MatchCourse::default();
        let mut seen = FxHashSet::from_iter([state.clone()]);
        self.trial.matches += 1;
        let done = loop {
            budget.check()?;
            self.facts(&state, &played);
            self.notices.state(self.game, &state);
            if self.game.terminal(&state) {
                self.trial.ended += 1;
                self.goals(&state, &played);
                let goals = (0..self.game.roles()).map(|role| self.game.goal(&state, role));
                self.notices.ended(&course, goals.collect());
                break played.len();
            }
            if played.len() == bound {
                let message = format!("a match did not end within {bound} moves");
                self.find(Severity::Warning, "endless-match", "", message, &played);
                self.notices.endless(&course);
                break bound;
            }
            let Some(joint) = self.joint(&state, random, &played) else { break played.len() };
            let next = self.game.next(&state, &joint);
            course.moved(seen.insert(next.clone()));
            state = next;
            played.push(joint);
        };
        self.trial.moves += done;
        self.trial.longest = self.trial.longest.max(done);
        Ok(())
    }

    /// A random joint move, or none where a role has no move.
    fn joint(
        &mut self,
        state: &G::State,
        random: &mut Random,
        played: &[Vec<Move>],
    ) -> Option<Vec<Move>> {
        let mut joint = Vec::new();
        for role in 0..self.game.roles() {
            let mut legal = Vec::new();
            self.game.legal(state, role, &mut legal);
            self.inputs(role, &legal, played);
            let texts = legal.iter().map(|m| self.game.move_text(role, *m));
            self.notices.legal(role, texts);
            if legal.is_empty() {
                let name = self.game.role_text(role);
                let message = format!("{name} has no legal move in a state that is not terminal");
                self.find(Severity::Error, "no-legal-move", &name, message, played);
                return None;
            }
            joint.push(legal[random.below(legal.len())]);
        }
        Some(joint)
    }

    fn goals(&mut self, state: &G::State, played: &[Vec<Move>]) {
        for role in 0..self.game.roles() {
            let name = self.game.role_text(role);
            match self.game.goal(state, role) {
                // Chance needs no goal.
                None if is_chance(&name) => {}
                None => {
                    let message = format!(
                        "{name} does not have exactly one goal value (an integer) in a terminal state"
                    );
                    self.find(Severity::Error, "not-one-goal", &name, message, played);
                }
                Some(value) if !(0..=100).contains(&value) => {
                    let message = format!("{name} gets {value}, which is not from 0 to 100");
                    self.find(Severity::Warning, "goal-range", &name, message, played);
                }
                Some(_) => {}
            }
        }
    }

    fn facts(&mut self, state: &G::State, played: &[Vec<Move>]) {
        let Some(declared) = &self.declared.facts else { return };
        for fact in self.game.fact_texts(state) {
            if !declared.contains(&fact) {
                let message = format!("{fact} is true, but base does not declare it");
                self.find(Severity::Warning, "outside-base", function(&fact), message, played);
            }
        }
    }

    fn inputs(&mut self, role: Role, legal: &[Move], played: &[Vec<Move>]) {
        let Some(declared) = &self.declared.moves else { return };
        for m in legal {
            let text = self.game.move_text(role, *m);
            if !declared[role].contains(&text) {
                let name = self.game.role_text(role);
                let message = format!("{name} may play {text}, but input does not declare it");
                let subject = format!("{name} {}", function(&text));
                self.find(Severity::Warning, "outside-input", &subject, message, played);
            }
        }
    }

    fn find(
        &mut self,
        severity: Severity,
        code: &'static str,
        subject: &str,
        message: String,
        played: &[Vec<Move>],
    ) {
        let now = self.trial.matches;
        if let Some((at, last)) = self.known.get_mut(&(code, subject.to_string())) {
            self.trial.findings[*at].matches += (*last != now) as usize;
            *last = now;
            return;
        }
        self.known.insert((code, subject.to_string()), (self.trial.findings.len(), now));
        let texts = |joint: &Vec<Move>| {
            joint.iter().enumerate().map(|(role, m)| self.game.move_text(role, *m)).collect()
        };
        let moves = played.iter().map(texts).collect();
        self.trial.findings.push(Finding { severity, code, message, moves, matches: 1 });
    }
}

/// The outermost name of a term.
fn function(term: &str) -> &str {
    term.trim_start_matches('(').split([' ', ')']).next().unwrap_or(term)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts up from 0; what goes wrong depends on the number.
    struct Faulty;

    impl StateMachine for Faulty {
        type State = u32;
        fn roles(&self) -> usize {
            2
        }
        fn initial(&mut self) -> u32 {
            0
        }
        fn terminal(&mut self, state: &u32) -> bool {
            *state == 3
        }
        fn legal(&mut self, state: &u32, role: Role, out: &mut Vec<Move>) {
            out.extend((*state < 5 || role == 0).then_some(Move(1)));
            out.extend((*state == 1 && role == 0).then_some(Move(3)));
        }
        fn next(&mut self, state: &u32, joint: &[Move]) -> u32 {
            if *state >= 7 { 8 } else { state + joint[0].0 }
        }
        fn goal(&mut self, _: &u32, role: Role) -> Option<i32> {
            (role == 0).then_some(101)
        }
        fn role_text(&self, role: Role) -> String {
            format!("r{role}")
        }
        fn move_text(&self, _: Role, m: Move) -> String {
            format!("(add {})", m.0)
        }
        fn fact_texts(&self, state: &u32) -> Vec<String> {
            vec![format!("(number {state})")]
        }
    }

    fn codes(declared: &Declared, bound: usize) -> Vec<(&'static str, usize)> {
        let budget = Budget::unlimited();
        let trial =
            trial(&mut Faulty, declared, (20, bound), &mut Random::new(1), &budget).unwrap();
        assert_eq!(trial.matches, 20);
        let mut found: Vec<_> = trial.findings.iter().map(|f| (f.code, f.moves.len())).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn faults_are_found_with_the_moves_that_lead_there() {
        let all = codes(&Declared::default(), 10);
        assert_eq!(all, [("goal-range", 3), ("no-legal-move", 3), ("not-one-goal", 3)]);
        let short = codes(&Declared::default(), 2);
        assert_eq!(short, [("endless-match", 2)]);
        let fact = |n| format!("(number {n})");
        let moves = vec![["(add 1)".to_string()].into_iter().collect(); 2];
        let declared = Declared { facts: Some((0..4).map(fact).collect()), moves: Some(moves) };
        let all = codes(&declared, 10);
        assert!(
            all.contains(&("outside-base", 2)) && all.contains(&("outside-input", 1)),
            "{all:?}"
        );
    }
}
