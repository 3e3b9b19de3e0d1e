//! `Seat`: one role of one match, played by workers that follow its history.
//!
//! The first worker runs the reasoner, which is ready soonest; the second compiles the rules and
//! takes over when that is done. Each tells a legal move before it thinks, so that there is an answer
//! whenever the clock ends. A worker that panics is out; the seat and the other one go on.

use super::line::{Line, Step, legal};
use super::mind::{Empty, Mind};
use super::talk::{Answer, Talk, Task};
use super::{Clock, Spec};
use crate::budget::{Budget, Stop};
use crate::compile::{Job, compile};
use crate::game::{Game, Random, Role};
use crate::interp::Interp;
use crate::rules::Rules;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::Builder;

/// Rules nest as deep as their author likes.
const STACK: usize = 256 << 20;

/// What a seat begins with.
pub struct Opening {
    /// Reads the rules: large ones take a while, so it is done beside the caller.
    pub rules: Box<dyn FnOnce() -> Result<Rules, String> + Send>,
    pub role: String,
    pub player: Spec,
    /// What the network may use before it is given up.
    pub grounding: Budget,
}

/// A role of a match. Dropped, it ends.
pub struct Seat {
    talk: Arc<Talk>,
    grounding: Budget,
}

impl Seat {
    /// Begins to prepare. The budget gives the clock only.
    pub fn new(opening: Opening, budget: &Budget) -> Seat {
        let talk = Arc::new(Talk::new(budget.fresh()));
        let seat = Seat { talk: talk.clone(), grounding: opening.grounding.clone() };
        spawn("reasoner", 0, talk.clone(), move || first(opening, &talk));
        seat
    }

    /// Waits until all is prepared or time is up. An error: there is nobody who can play.
    pub fn ready(&self, clock: &Clock) -> Result<(), String> {
        self.talk.wait_ready(clock)
    }

    /// A move after the joint moves of a history; none where no legal move is known in time.
    pub fn ask(&self, history: Vec<Vec<String>>, clock: &Clock) -> Option<String> {
        self.talk.ask(history, clock)?.text
    }

    /// What is thought of the state after a history, for people.
    pub fn thoughts(&self, history: Vec<Vec<String>>, clock: &Clock) -> String {
        self.talk.ask(history, clock).map_or(String::new(), |answer| answer.thoughts)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.grounding.stop(Stop::Interrupted);
        self.talk.end();
    }
}

/// A thread for a worker, whose panic is told like any other end.
fn spawn(
    name: &str,
    worker: usize,
    talk: Arc<Talk>,
    work: impl FnOnce() -> Result<(), String> + Send + 'static,
) {
    let teller = talk.clone();
    let guarded = move || {
        let outcome = catch_unwind(AssertUnwindSafe(work));
        let why = match outcome {
            Ok(Ok(())) => "it was ended".into(),
            Ok(Err(why)) => why,
            Err(_) => "it panicked".into(),
        };
        teller.gone(worker, why);
    };
    let thread = Builder::new().name(name.into()).stack_size(STACK);
    if let Err(error) = thread.spawn(guarded) {
        talk.gone(worker, format!("no thread can be started: {error}"));
    }
}

/// Reads the rules, sends the second worker off, and plays with the reasoner.
fn first(opening: Opening, talk: &Arc<Talk>) -> Result<(), String> {
    let rules = (opening.rules)();
    if let Err(why) = &rules {
        talk.gone(1, why.clone());
    }
    let rules = rules?;
    let (own, other) = (rules.clone(), talk.clone());
    let (role, player) = (opening.role.clone(), opening.player.clone());
    spawn("machine", 1, talk.clone(), move || {
        second(rules, role, player, opening.grounding, &other)
    });
    let mut interp = Interp::with_budget(&own, &talk.whole).map_err(|p| p.to_string())?;
    Worker { number: 0, talk, role: &opening.role, player: &opening.player }.run(&mut interp)
}

fn second(
    rules: Rules,
    role: String,
    player: Spec,
    grounding: Budget,
    talk: &Talk,
) -> Result<(), String> {
    let compiled = compile(rules, None, &talk.whole, &grounding);
    let mut compiled = compiled.map_err(|refusal| format!("{refusal:?}"))?;
    let worker = Worker { number: 1, talk, role: &role, player: &player };
    compiled.run(worker).map_err(|refusal| format!("{refusal:?}"))?
}

struct Worker<'a> {
    number: usize,
    talk: &'a Talk,
    role: &'a str,
    player: &'a Spec,
}

impl Job for Worker<'_> {
    type Answer = Result<(), String>;

    fn run<G: Game>(self, game: &mut G) -> Result<(), String> {
        let role = (0..game.roles()).find(|r| game.role_text(*r).eq_ignore_ascii_case(self.role));
        let role = role.ok_or_else(|| format!("there is no role {}", self.role))?;
        let mut place = Place { line: Line::new(game), mind: Box::new(Empty), lost: None };
        self.talk.ready(self.number);
        let (mut done, mut pondered) = (None, None);
        loop {
            match self.talk.task(self.number, done, pondered) {
                Task::End => return Ok(()),
                Task::Answer { asked, history, budget } => {
                    place.follow(game, &history);
                    self.answer(game, &mut place, role, asked, &budget);
                    done = Some(asked);
                }
                Task::Ponder { asked, history, budget } => {
                    place.follow(game, &history);
                    if self.player.ponder {
                        place.think(game, &budget);
                    }
                    pondered = Some(asked);
                }
            }
        }
    }
}

impl Worker<'_> {
    /// Tells any legal move first, then a good one.
    fn answer<G: Game>(
        &self,
        game: &mut G,
        place: &mut Place<G>,
        role: Role,
        asked: u64,
        budget: &Budget,
    ) {
        let legal = legal(game, place.line.now(), role);
        let turn = place.line.turn() as u64;
        let mut random = Random::new(self.player.seed ^ (turn << 20) ^ ((role as u64) << 50));
        let any = (!legal.is_empty()).then(|| legal[random.below(legal.len())].1.clone());
        let answer = |text, last, thoughts| Answer { asked, text, last, thoughts };
        self.talk.tell(self.number, answer(any.clone(), legal.len() < 2, String::new()));
        place.think(game, budget);
        let choice = place.mind.choice(game, role);
        let chosen = choice.and_then(|m| legal.iter().find(|(l, _)| *l == m));
        let text = chosen.map(|(_, text)| text.clone()).or(any);
        let thoughts = place.mind.thoughts(game);
        self.talk.tell(self.number, answer(text, true, thoughts));
    }
}

/// Where a worker is in the match, and what it thinks there.
struct Place<G: Game> {
    line: Line<G>,
    mind: Box<dyn Mind<G>>,
    /// Why the history cannot be followed.
    lost: Option<String>,
}

impl<G: Game> Place<G> {
    fn follow(&mut self, game: &mut G, history: &[Vec<String>]) {
        let mind = &mut self.mind;
        let followed = self.line.follow(game, history, |game, step| match step {
            Step::Back(state) => mind.begin(game, state),
            Step::Forward(joint, state) => mind.advance(game, joint, state),
        });
        self.lost = followed.err();
    }

    /// A search that panics is replaced by none: the match goes on with legal moves.
    fn think(&mut self, game: &mut G, budget: &Budget) {
        let mind = &mut self.mind;
        if catch_unwind(AssertUnwindSafe(|| mind.think(game, budget))).is_err() {
            self.mind = Box::new(Empty);
        }
    }
}
