//! `Human`: a person who plays in the terminal, with the board drawn and an engine to ask.

mod list;

use super::Setting;
use super::hosting::clock;
use crate::Session;
use crate::failure::{Failure, Outcome};
use crate::terminal::{CLEAR, Terminal};
use list::MoveList;
use ludex::picture::Scene;
use ludex::play::{Clock, MoveFault, Opening, Player, Seat};
use ludex::reason::View;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex};

/// What can be typed.
pub const HELP: &str = "  help    what can be typed
  moves   the legal moves with their numbers
  /b2     the legal moves that have this in them
  board   the board once more
  state   the facts of the state
  think   what the engine thinks of the position (also ?)
  undo    take your last move back
  quit    leave the match (as does the end of input)";

const COMMANDS: &[&str] = &["help", "moves", "board", "state", "think", "undo", "quit"];

/// Longer lists of moves are shown on request only.
const MANY: usize = 40;
/// Joint moves that are told above the board.
const TOLD: usize = 3;

/// How the board is drawn, as soon as that is known; a better way may follow.
#[derive(Clone, Default)]
pub struct Drawing {
    scene: Arc<Mutex<Option<Arc<Scene>>>>,
    /// What the person should know meanwhile.
    note: Arc<Mutex<&'static str>>,
}

impl Drawing {
    pub fn set(&self, scene: Scene) {
        *self.scene.lock().expect("no panic while held") = Some(Arc::new(scene));
    }

    pub fn get(&self) -> Option<Arc<Scene>> {
        self.scene.lock().expect("no panic while held").clone()
    }

    pub fn note(&self, note: &'static str) {
        *self.note.lock().expect("no panic while held") = note;
    }

    fn noted(&self) -> &'static str {
        *self.note.lock().expect("no panic while held")
    }

    /// The board, what is not as it was before marked; or the facts where there is no board.
    pub fn drawn(&self, facts: &[String], before: Option<&[String]>) -> String {
        match self.get().filter(|scene| scene.has_board()) {
            Some(scene) => {
                let before = before.map(|facts| scene.picture(facts));
                scene.picture(facts).coloured(before.as_ref()).trim_end().to_string()
            }
            None => facts.join(" "),
        }
    }
}

pub struct Human<'a> {
    session: &'a Session,
    drawing: Drawing,
    role: usize,
    undo: bool,
    /// Becomes the seat that is asked for thoughts.
    opening: Option<Opening>,
    advisor: Option<Seat>,
    seconds: f64,
    terminal: Option<Terminal>,
    /// The states that were seen, by the number of moves before them.
    seen: Vec<Vec<String>>,
}

/// What the person wants.
enum Wish {
    Play(String),
    Back,
    Leave,
}

impl<'a> Human<'a> {
    pub fn new(setting: &Setting<'a>, role: usize, advisor: Opening, seconds: f64) -> Human<'a> {
        let terminal = is_paged(setting.session).then(|| Terminal::open(COMMANDS)).flatten();
        Human {
            session: setting.session,
            drawing: setting.drawing.clone(),
            role,
            undo: setting.undo,
            opening: Some(advisor),
            advisor: None,
            seconds,
            terminal,
            seen: vec![],
        }
    }

    fn ask(&mut self, seen: &View, history: &[Vec<String>]) -> Result<Wish, Failure> {
        let list = MoveList::new(&seen.legal[self.role]);
        self.show_page(seen, history)?;
        match list.len() {
            ..=MANY => self.say(&list.to_string())?,
            many => {
                self.say(&format!("{many} legal moves: type one, /part to see some, or help"))?
            }
        }
        loop {
            let prompt = format!("{}> ", seen.roles[self.role]);
            let Some(line) = self.read(&prompt, &list)? else {
                self.say("")?;
                return Ok(Wish::Leave);
            };
            match line.trim() {
                "" => {}
                "help" => {
                    self.say(&format!("Type a number, a move or a part of it, or\n{HELP}"))?
                }
                "moves" => self.say(&list.to_string())?,
                "board" => self.show_page(seen, history)?,
                "state" => self.say(&seen.facts.join(" "))?,
                "?" | "think" => self.think(history)?,
                "undo" if self.undo && !history.is_empty() => return Ok(Wish::Back),
                "undo" => self.say("There is no move to take back.")?,
                "quit" | "exit" => return Ok(Wish::Leave),
                text => match list.understand(text) {
                    Ok(m) => return Ok(Wish::Play(m)),
                    Err(why) => self.say(&why)?,
                },
            }
        }
    }

    fn read(&mut self, prompt: &str, list: &MoveList) -> Result<Option<String>, Failure> {
        match &mut self.terminal {
            Some(terminal) => self.session.ask(|| terminal.ask(prompt, &list.worded(self.session))),
            None => self.session.read_line(prompt),
        }
    }

    fn say(&self, text: &str) -> Outcome {
        say(self.session, text)
    }

    /// The board and the last moves; on a terminal on a page of their own.
    fn show_page(&self, seen: &View, history: &[Vec<String>]) -> Outcome {
        if self.terminal.is_some() {
            let first = history.len().saturating_sub(TOLD);
            let told = history.iter().enumerate().skip(first);
            let line = |(i, joint): (usize, &Vec<String>)| {
                format!("{:>3}  {}\n", i + 1, by_role(&seen.roles, joint))
            };
            let told: String = told.map(line).collect();
            self.say(&format!("{CLEAR}{told}{}", self.drawing.noted()))?;
        }
        let before = history.len().checked_sub(1).and_then(|last| self.seen.get(last));
        self.say(&self.drawing.drawn(&seen.facts, before.map(Vec::as_slice)))
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
        let known = if thoughts.is_empty() { "no thoughts in time: ask again" } else { &thoughts };
        self.say(known)
    }

    /// The page of a person who has no choice while others think.
    fn wait(&self, seen: &View, history: &[Vec<String>]) -> Outcome {
        let chooses = |role: &usize| seen.legal[*role].len() > 1;
        let others: Vec<&str> =
            (0..seen.roles.len()).filter(chooses).map(|role| seen.roles[role].as_str()).collect();
        if self.terminal.is_some() && !others.is_empty() {
            self.show_page(seen, history)?;
            self.say(&format!("{} thinks…", others.join(", ")))?;
        }
        Ok(())
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
        self.seen.truncate(history.len());
        self.seen.push(seen.facts.clone());
        if let [(_, only)] = seen.legal[self.role].as_slice() {
            // Somebody who cannot be told is told so at the next question.
            let _ = self.wait(seen, history);
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

/// Whether every board has a page of its own: a person sits at a terminal.
pub fn is_paged(session: &Session) -> bool {
    !session.json && std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Text for the person, terms as the author writes them; with --json standard output is kept for the
/// result.
pub fn say(session: &Session, text: &str) -> Outcome {
    let text = session.worded(text);
    match session.json {
        true => Ok(writeln!(anstream::stderr(), "{text}")?),
        false => {
            let mut out = session.out();
            writeln!(out, "{text}")?;
            Ok(out.flush()?)
        }
    }
}

/// `x: (mark 1 1)   o: noop`
pub fn by_role(roles: &[String], joint: &[String]) -> String {
    let each = roles.iter().zip(joint).map(|(role, text)| format!("{role}: {text}"));
    each.collect::<Vec<_>>().join("   ")
}
