//! What `replay` answers: the states of a match, one after the other.

use crate::account::Account;
use crate::fault::{Failed, Fault, Unanswered};
use crate::status::ByRole;
use ludex::Game;
use ludex::compile::{Engine, Job, Means};
use ludex_gdl::budget::Budget;
use ludex_reason::{Move, StateMachine, View, find_move, view};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A state of a match. Facts and moves are in canonical text: one S-expression, lower case, single
/// spaces; a digest is the first 16 hexadecimal digits of the SHA-256 of the sorted lines. These are the
/// keys of recorded matches, and no others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StateSeen {
    pub state_digest: String,
    pub n_facts: usize,
    /// The number of legal moves.
    pub legal: ByRole<usize>,
    pub legal_digest: String,
    /// The joint move that is made here; none in the last state.
    pub joint: Option<Vec<String>>,
    pub terminal: bool,
    /// In the last state: per role, none where there is not exactly one value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goals: Option<Vec<Option<i32>>>,
    /// What people read, in the spelling of the rules.
    #[serde(skip)]
    pub text: String,
}

/// The moves of all roles in a line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLine {
    pub file: String,
    /// From 1.
    pub number: usize,
    pub moves: Vec<String>,
}

impl MoveLine {
    /// The lines of a text that are not empty: moves with tabs between.
    pub fn read(file: &str, text: &str) -> Vec<MoveLine> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let line = |(i, line): (usize, &str)| MoveLine {
            file: file.into(),
            number: i + 1,
            moves: line.split('\t').map(|m| m.trim().to_string()).collect(),
        };
        lines.map(line).collect()
    }

    /// The legal moves that the line means, or what is wrong with it.
    pub fn joint(&self, seen: &View) -> Result<Vec<Move>, Box<Fault>> {
        let bad =
            |message: String| Box::new(Fault::at("illegal-move", &self.file, self.number, message));
        if seen.terminal {
            return Err(bad("the match is over: the state is terminal; remove this line".into()));
        }
        let (given, roles) = (self.moves.len(), seen.roles.len());
        if given != roles {
            let names = seen.roles.join(", ");
            return Err(bad(format!(
                "{given} moves for the {roles} roles {names}; write one for each, separated by tabs"
            )));
        }
        let each = self.moves.iter().zip(&seen.legal).zip(&seen.roles);
        each.map(|((text, legal), role)| {
            let names = || legal.iter().map(|(_, n)| n.as_str()).collect::<Vec<_>>().join(" ");
            let illegal =
                || format!("`{text}` is not a legal move of {role}; legal are: {}", names());
            find_move(legal, text).ok_or_else(|| bad(illegal()))
        })
        .collect()
    }
}

impl StateSeen {
    /// Plays the lines and tells every state on the way. A state in which a line cannot be played is
    /// told before the fault.
    pub fn each(
        game: &Game,
        lines: &[MoveLine],
        wish: Option<Engine>,
        means: Means,
        tell: &mut dyn FnMut(StateSeen),
    ) -> Result<(), Unanswered> {
        let budget = means.whole;
        let mut compiled = game.compile(wish, means)?;
        compiled.run(Replay { lines, budget, tell })?
    }

    /// What is told where a limit strikes before the first state.
    pub fn none(game: &str) -> Failed {
        let faults = vec![Fault::new("stopped", "stopped before the first state")];
        Failed { account: Account::unknown(&["states"]), ..Failed::new(Some(game.into()), faults) }
    }

    fn of(number: usize, seen: &View, joint: Option<&[Move]>) -> StateSeen {
        let text_of = |(m, legal): (&Move, &Vec<(Move, String)>)| {
            let found = legal.iter().find(|(l, _)| l == m);
            found.expect("a move of the list").1.clone()
        };
        let joint: Option<Vec<String>> =
            joint.map(|moves| moves.iter().zip(&seen.legal).map(text_of).collect());
        let counts = seen.roles.iter().zip(&seen.legal);
        StateSeen {
            state_digest: seen.state_digest(),
            n_facts: seen.facts.len(),
            legal: counts.map(|(role, legal)| (role.to_lowercase(), legal.len())).collect(),
            legal_digest: seen.legal_digest(),
            terminal: seen.terminal,
            goals: joint.is_none().then(|| seen.goals.clone()),
            text: text(number, seen, joint.as_deref()),
            joint: joint.map(|joint| joint.iter().map(|m| m.to_lowercase()).collect()),
        }
    }
}

struct Replay<'a> {
    lines: &'a [MoveLine],
    budget: &'a Budget,
    tell: &'a mut dyn FnMut(StateSeen),
}

impl Job for Replay<'_> {
    type Answer = Result<(), Unanswered>;

    fn run<G: StateMachine>(self, game: &mut G) -> Self::Answer {
        let mut state = game.initial();
        for number in 0..=self.lines.len() {
            let seen = view(game, &state);
            self.budget.check()?;
            let line = self.lines.get(number);
            let joint = line.map(|line| line.joint(&seen)).transpose();
            let moves = joint.as_ref().ok().and_then(|moves| moves.as_deref());
            (self.tell)(StateSeen::of(number, &seen, moves));
            match joint? {
                Some(moves) => state = game.next(&state, &moves),
                None => break,
            }
        }
        Ok(())
    }
}

fn text(number: usize, seen: &View, joint: Option<&[String]>) -> String {
    let end = if seen.terminal { ", terminal" } else { "" };
    let mut text = format!("state {number}: {} facts{end}\n", seen.facts.len());
    seen.facts.iter().for_each(|fact| text += &format!("  {fact}\n"));
    for (role, legal) in seen.roles.iter().zip(&seen.legal) {
        let names: Vec<&str> = legal.iter().map(|(_, name)| name.as_str()).collect();
        text += &format!("legal for {role}: {}\n", names.join(" "));
    }
    for (role, goal) in seen.roles.iter().zip(&seen.goals) {
        text += &match goal {
            Some(goal) => format!("goal of {role}: {goal}\n"),
            None => format!("goal of {role}: not exactly one value\n"),
        };
    }
    if let Some(joint) = joint {
        text += &format!("played: {}\n\n", joint.join("  "));
    }
    text
}

impl fmt::Display for StateSeen {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}
