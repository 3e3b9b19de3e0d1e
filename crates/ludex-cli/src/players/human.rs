//! `Human`: a person who plays in the terminal, with the board drawn and an engine to ask.

use super::Setting;
use super::hosting::clock;
use crate::Session;
use crate::failure::{Failure, Outcome};
use ludex::picture::Scene;
use ludex::play::{Clock, MoveFault, Opening, Player, Seat};
use ludex::reason::{Move, View, find_move};
use std::io::Write;

/// What can be typed.
pub const HELP: &str = "  help    what can be typed
  moves   the legal moves with their numbers
  board   the board once more
  state   the facts of the state
  think   what the engine thinks of the position (also ?)
  undo    take your last move back
  quit    leave the match (as does the end of input)";

/// Longer lists of moves are shown on request only.
const MANY: usize = 40;

pub struct Human<'a> {
    session: &'a Session,
    scene: Option<&'a Scene>,
    role: usize,
    undo: bool,
    /// Becomes the seat that is asked for thoughts.
    opening: Option<Opening>,
    advisor: Option<Seat>,
    seconds: f64,
}

/// What the person wants.
enum Wish {
    Play(String),
    Back,
    Leave,
}

impl<'a> Human<'a> {
    pub fn new(setting: &Setting<'a>, role: usize, advisor: Opening, seconds: f64) -> Human<'a> {
        Human {
            session: setting.session,
            scene: setting.scene,
            role,
            undo: setting.undo,
            opening: Some(advisor),
            advisor: None,
            seconds,
        }
    }

    fn ask(&mut self, seen: &View, history: &[Vec<String>]) -> Result<Wish, Failure> {
        let legal = &seen.legal[self.role];
        self.show_board(seen)?;
        match legal.len() {
            ..=MANY => self.show_moves(legal)?,
            many => say(self.session, &format!("{many} legal moves; type moves to see them"))?,
        }
        loop {
            let prompt = format!("{}> ", seen.roles[self.role]);
            let Some(line) = self.session.read_line(&prompt)? else {
                say(self.session, "")?;
                return Ok(Wish::Leave);
            };
            match line.trim() {
                "" => {}
                "help" => say(self.session, &format!("Type a number or a move, or\n{HELP}"))?,
                "moves" => self.show_moves(legal)?,
                "board" => self.show_board(seen)?,
                "state" => say(self.session, &seen.facts.join(" "))?,
                "?" | "think" => self.think(history)?,
                "undo" if self.undo && !history.is_empty() => return Ok(Wish::Back),
                "undo" => say(self.session, "There is no move to take back.")?,
                "quit" | "exit" => return Ok(Wish::Leave),
                text => match understand(legal, text) {
                    Some(m) => return Ok(Wish::Play(m)),
                    None => say(
                        self.session,
                        &format!(
                            "`{text}` is not a legal move: type a number from 1 to {}, a move, or help",
                            legal.len()
                        ),
                    )?,
                },
            }
        }
    }

    fn show_board(&self, seen: &View) -> Outcome {
        say(self.session, &drawn(self.scene, &seen.facts))
    }

    fn show_moves(&self, legal: &[(Move, String)]) -> Outcome {
        let mut numbered = legal.iter().enumerate();
        numbered.try_for_each(|(i, (_, text))| say(self.session, &format!("{:>4}  {text}", i + 1)))
    }

    fn think(&mut self, history: &[Vec<String>]) -> Outcome {
        if let Some(opening) = self.opening.take() {
            let seat = Seat::new(opening);
            // Whatever comes of it, thoughts are asked for next.
            let _ = seat.ready(&clock(self.session, self.seconds));
            self.advisor = Some(seat);
        }
        let Some(advisor) = &self.advisor else { return Ok(()) };
        let thoughts = advisor.thoughts(history.to_vec(), &clock(self.session, self.seconds));
        let known = if thoughts.is_empty() { "no thoughts in time" } else { &thoughts };
        say(self.session, known)
    }
}

impl Player for Human<'_> {
    fn start(&mut self, _: &Clock) -> Result<(), MoveFault> {
        Ok(())
    }

    /// A person has no clock, and is not asked where there is no choice.
    fn play(
        &mut self,
        seen: &View,
        history: &[Vec<String>],
        _: &Clock,
    ) -> Result<String, MoveFault> {
        if let [(_, only)] = seen.legal[self.role].as_slice() {
            return Ok(only.clone());
        }
        match self.ask(seen, history) {
            Ok(Wish::Play(text)) => Ok(text),
            Ok(Wish::Back) => Err(MoveFault::Back),
            // The terminal is gone.
            Ok(Wish::Leave) | Err(_) => Err(MoveFault::Left),
        }
    }

    fn stop(&mut self, _: &[Vec<String>], _: bool) {
        self.advisor = None;
    }
}

/// Text for the person; with --json standard output is kept for the result.
pub fn say(session: &Session, text: &str) -> Outcome {
    match session.json {
        true => Ok(writeln!(anstream::stderr(), "{text}")?),
        false => Ok(writeln!(session.out(), "{text}")?),
    }
}

/// The board, or the facts where there is none.
pub fn drawn(scene: Option<&Scene>, facts: &[String]) -> String {
    match scene.filter(|scene| scene.has_board()) {
        Some(scene) => scene.picture(facts).to_string().trim_end().to_string(),
        None => facts.join(" "),
    }
}

/// A number of the list, or a move as text. A move whose text is a number wins over the list.
fn understand(legal: &[(Move, String)], text: &str) -> Option<String> {
    let by_number = || legal.get(text.parse::<usize>().ok()?.checked_sub(1)?).map(|(m, _)| *m);
    let m = find_move(legal, text).or_else(by_number)?;
    legal.iter().find(|(l, _)| *l == m).map(|(_, text)| text.clone())
}
