//! What random matches have in common that an author may not have meant: `Notices`.
//!
//! None of it is a fault by itself: a hard puzzle is never won by chance, walls never change.

use crate::{Role, StateMachine};
use rustc_hash::FxHashSet;

/// Something that was seen in all matches or in most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub code: &'static str,
    pub message: String,
    /// How many matches, facts or moves it is about.
    pub count: usize,
}

/// Names that a message lists.
const LISTED: usize = 3;

/// What is remembered of the matches so far.
#[derive(Default)]
pub struct Notices {
    matches: usize,
    /// Of those that ended: the moves made, and the goals by role.
    lengths: Vec<usize>,
    goals: Vec<Vec<Option<i32>>>,
    /// Of those that did not end: the move from which on there was no new state.
    still: Vec<usize>,
    /// The facts that were true in every state, and how many states there were.
    constant: Option<FxHashSet<String>>,
    states: usize,
    /// The moves that were legal, by role.
    legal: Vec<FxHashSet<String>>,
}

/// One match as it goes on.
#[derive(Default)]
pub struct MatchCourse {
    moves: usize,
    /// The move that led to the last new state.
    newest: usize,
}

impl Notices {
    pub fn state<G: StateMachine>(&mut self, game: &G, state: &G::State) {
        let facts: FxHashSet<String> = game.fact_texts(state).into_iter().collect();
        self.states += 1;
        match &mut self.constant {
            Some(constant) => constant.retain(|fact| facts.contains(fact)),
            None => self.constant = Some(facts),
        }
    }

    pub fn legal(&mut self, role: Role, moves: impl Iterator<Item = String>) {
        while self.legal.len() <= role {
            self.legal.push(FxHashSet::default());
        }
        self.legal[role].extend(moves);
    }

    pub fn ended(&mut self, course: &MatchCourse, goals: Vec<Option<i32>>) {
        self.matches += 1;
        self.lengths.push(course.moves);
        self.goals.push(goals);
    }

    pub fn endless(&mut self, course: &MatchCourse) {
        self.matches += 1;
        if course.newest * 2 < course.moves {
            self.still.push(course.newest);
        }
    }

    /// All that is worth telling, with the roles' names and the moves that `input` declares.
    pub fn tell(&self, roles: &[String], declared: Option<&[FxHashSet<String>]>) -> Vec<Notice> {
        let mut told = Vec::new();
        told.extend(self.over_at_once());
        told.extend(self.standing_still());
        told.extend(self.same_goals(roles));
        told.extend(self.constant_facts());
        told.extend(declared.and_then(|declared| self.never_legal(roles, declared)));
        told
    }

    fn over_at_once(&self) -> Option<Notice> {
        let count = self.lengths.len();
        let longest = *self.lengths.iter().max()?;
        let at_once = longest <= 1 && count == self.matches;
        at_once.then(|| Notice {
            code: "over-at-once",
            message: format!("all {count} matches were over after {} at most", moves(longest)),
            count,
        })
    }

    fn standing_still(&self) -> Option<Notice> {
        let (first, count) = (self.still.iter().min()?, self.still.len());
        Some(Notice {
            code: "state-repeats",
            message: format!(
                "states repeat from move {first} on, in {count} of {} matches",
                self.matches
            ),
            count,
        })
    }

    /// Every match gives the same goals: one role always wins, or nothing depends on play.
    fn same_goals(&self, roles: &[String]) -> Option<Notice> {
        let first = self.goals.first()?;
        let count = self.goals.len();
        if count < 2 || self.goals.iter().any(|g| g != first) {
            return None;
        }
        let best = first.iter().max()?;
        let winners: Vec<usize> = (0..first.len()).filter(|r| first[*r] == *best).collect();
        if let ([winner], true) = (&winners[..], first.len() > 1) {
            let message = format!("{} wins every one of {count} matches", roles[*winner]);
            return Some(Notice { code: "one-winner", message, count });
        }
        let values: Vec<String> =
            first.iter().map(|v| v.map_or("none".into(), |v| v.to_string())).collect();
        let message = format!("goals never vary: {} in all {count} matches", values.join(", "));
        Some(Notice { code: "same-goals", message, count })
    }

    fn constant_facts(&self) -> Option<Notice> {
        let mut facts: Vec<&String> = self.constant.iter().flatten().collect();
        facts.sort();
        let (count, states) = (facts.len(), self.states);
        let message = format!("{count} facts never change, in {states} states: {}", some(&facts));
        (count > 0 && states > 1).then_some(Notice { code: "constant-facts", message, count })
    }

    fn never_legal(&self, roles: &[String], declared: &[FxHashSet<String>]) -> Option<Notice> {
        let never = |role: usize| {
            let legal = self.legal.get(role);
            let unseen =
                declared[role].iter().filter(move |m| legal.is_none_or(|l| !l.contains(*m)));
            unseen.map(move |m| format!("{} {m}", roles[role]))
        };
        let mut moves: Vec<String> = (0..declared.len()).flat_map(never).collect();
        moves.sort();
        let all: usize = declared.iter().map(FxHashSet::len).sum();
        let (count, listed) = (moves.len(), moves.iter().collect::<Vec<_>>());
        let message =
            format!("{count} of {all} declared moves were never legal: {}", some(&listed));
        (count > 0).then_some(Notice { code: "never-legal", message, count })
    }
}

impl MatchCourse {
    /// One joint move was made; `new` tells whether the match has not had the state before.
    pub fn moved(&mut self, new: bool) {
        self.moves += 1;
        if new {
            self.newest = self.moves;
        }
    }
}

fn moves(count: usize) -> String {
    if count == 1 { "1 move".into() } else { format!("{count} moves") }
}

/// The first few of a list.
fn some(names: &[&String]) -> String {
    let shown: Vec<&str> = names.iter().take(LISTED).map(|n| n.as_str()).collect();
    let more = if names.len() > LISTED { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(notices: &Notices, declared: Option<&[FxHashSet<String>]>) -> Vec<&'static str> {
        let roles = ["white".to_string(), "black".to_string()];
        notices.tell(&roles, declared).iter().map(|n| n.code).collect()
    }

    fn played(ends: &[(usize, [i32; 2])]) -> Notices {
        let mut notices = Notices::default();
        for (moves, goals) in ends {
            let course = MatchCourse { moves: *moves, newest: *moves };
            notices.ended(&course, goals.iter().map(|g| Some(*g)).collect());
        }
        notices
    }

    #[test]
    fn what_all_matches_share_is_noticed() {
        assert_eq!(
            codes(&played(&[(0, [50, 50]), (1, [50, 50])]), None),
            ["over-at-once", "same-goals"]
        );
        assert_eq!(codes(&played(&[(3, [100, 0]), (5, [100, 0])]), None), ["one-winner"]);
        assert!(codes(&played(&[(3, [100, 0]), (5, [0, 100])]), None).is_empty());
    }

    #[test]
    fn matches_that_stand_still_and_moves_that_are_never_legal() {
        let mut notices = Notices::default();
        let mut course = MatchCourse::default();
        (0..10).for_each(|at| course.moved(at < 2));
        notices.endless(&course);
        notices.legal(0, ["go".to_string()].into_iter());
        let declared =
            [["go", "stay"].map(String::from).into_iter().collect(), FxHashSet::default()];
        assert_eq!(codes(&notices, Some(&declared)), ["state-repeats", "never-legal"]);
        let told = notices.tell(&["white".into(), "black".into()], Some(&declared));
        assert_eq!(told[0].message, "states repeat from move 2 on, in 1 of 1 matches");
        assert_eq!(told[1].message, "1 of 2 declared moves were never legal: white stay");
    }
}
