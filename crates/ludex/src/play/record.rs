//! `Record`: all that happened in a match, as plain data; its text is a log for people.

use std::fmt;

/// A role of a match and who plays it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seated {
    /// The role.
    pub role: String,
    /// Who plays it.
    pub player: String,
    /// Is it a person?
    pub human: bool,
}

/// Times are milliseconds since 1970, clocks seconds. Lists by turn hold lists by role.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The name of the match.
    pub id: String,
    /// A word that nobody guesses.
    pub token: String,
    /// The game that was played.
    pub game: String,
    /// Milliseconds since 1970.
    pub start_time: u64,
    /// By role.
    pub seats: Vec<Seated>,
    /// Seconds before the first move.
    pub start_clock: f64,
    /// Seconds for each move.
    pub play_clock: f64,
    /// Players elsewhere were given other names.
    pub scrambled: bool,
    /// The match came to a terminal state.
    pub completed: bool,
    /// Why it was ended before.
    pub aborted: Option<String>,
    /// The facts of every state, one more than there are joint moves.
    pub states: Vec<Vec<String>>,
    /// When each state was reached, in milliseconds since 1970.
    pub state_times: Vec<u64>,
    /// The joint moves.
    pub moves: Vec<Vec<String>>,
    /// What a player did wrong when it was asked for a move: empty, `TO`, `CE` or `IL move`.
    pub errors: Vec<Vec<String>>,
    /// The same when it was told to begin.
    pub errors_at_start: Vec<String>,
    /// At the end; none where there is not exactly one value.
    pub goals: Vec<Option<i32>>,
}

impl Record {
    /// The text of a turn: `3: white (mark 1 1), black noop`. Errors stand behind moves.
    pub fn turn(&self, turn: usize) -> String {
        let error = |role: usize| match self.errors[turn][role].as_str() {
            "" => String::new(),
            error => format!(" [{error}]"),
        };
        let each = self.seats.iter().zip(&self.moves[turn]).enumerate();
        let texts = each.map(|(role, (seat, m))| format!("{} {m}{}", seat.role, error(role)));
        format!("{:>3}: {}", turn + 1, texts.collect::<Vec<_>>().join(", "))
    }

    /// How it ended.
    pub fn ending(&self) -> String {
        match &self.aborted {
            Some(why) => format!("aborted: {why}"),
            None => {
                let each = self.seats.iter().zip(&self.goals);
                let goal = |g: &Option<i32>| g.map_or("no goal".into(), |g| g.to_string());
                let texts = each.map(|(s, g)| format!("{} ({}) {}", s.role, s.player, goal(g)));
                format!("over: {}", texts.collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// The number of errors of a role.
    pub fn faults(&self, role: usize) -> usize {
        let all = self.errors.iter().chain([&self.errors_at_start]);
        all.filter(|turn| turn.get(role).is_some_and(|e| !e.is_empty())).count()
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "match {} of {}", self.id, self.game)?;
        writeln!(f, "clocks {} s to start, {} s a move", self.start_clock, self.play_clock)?;
        for seat in &self.seats {
            writeln!(f, "{} is played by {}", seat.role, seat.player)?;
        }
        (0..self.moves.len()).try_for_each(|turn| writeln!(f, "{}", self.turn(turn)))?;
        writeln!(f, "{}", self.ending())
    }
}
