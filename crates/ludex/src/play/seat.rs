//! `Seat`: one role of one match, played by workers that follow its history.
//!
//! The first worker runs the reasoner, which is ready soonest; the second compiles the rules and
//! takes over when that is done. Each tells a legal move before it thinks, so that there is an answer
//! whenever the clock ends. The first one follows all the same: if the second panics or hangs, it is
//! still there.

use super::line::{Line, Lost, legal};
use super::talk::{Answer, Question, Talk, Task};
use super::{Clock, Spec};
use crate::budget::{Budget, Stop};
use crate::compile::{Compiled, Job, compile, reasoner};
use crate::game::{Game, Move, Random, Role};
use crate::rules::Rules;
use crate::search::{Choice, Insights, Searcher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::Builder;

/// Rules nest as deep as their author likes.
const STACK: usize = 256 << 20;
/// Moves and turns that thoughts tell of.
const CANDIDATES: usize = 6;
const EXPECTED: usize = 5;

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
    let Opening { rules, role, player, grounding } = opening;
    let read = catch_unwind(AssertUnwindSafe(rules));
    let read = read.unwrap_or_else(|_| Err("reading the rules panicked".into()));
    let rules = read.inspect_err(|why| talk.gone(1, why.clone()))?;
    let (own, other) = (rules.clone(), talk.clone());
    let (its_role, its_player) = (role.clone(), player.clone());
    spawn("machine", 1, talk.clone(), move || {
        let compiled = compile(rules, None, &other.whole, &grounding);
        let compiled = compiled.map_err(|refusal| refusal.to_string())?;
        play(compiled, Worker { number: 1, talk: &other, role: its_role, player: its_player })
    });
    let compiled = reasoner(own, &talk.whole).map_err(|refusal| refusal.to_string())?;
    play(compiled, Worker { number: 0, talk, role, player })
}

/// Answers until the end. A history that goes back to an earlier state begins the search anew.
fn play(mut compiled: Compiled, worker: Worker) -> Result<(), String> {
    let roles = compiled.roles().map_err(|refusal| refusal.to_string())?;
    let role = roles.iter().position(|role| role.eq_ignore_ascii_case(&worker.role));
    let role = role.ok_or_else(|| format!("there is no role {}", worker.role))?;
    let insights = analyse(&compiled, worker.talk);
    loop {
        let options = worker.player.options();
        let searcher = options.map(|options| compiled.searcher(role, &options, insights.clone()));
        let at_work = Working { worker: &worker, role, searcher };
        match compiled.run(at_work).map_err(|refusal| refusal.to_string())? {
            Task::End => return Ok(()),
            _ => continue,
        }
    }
}

/// Analyses the game beside the search, which uses what is found as it comes.
fn analyse(compiled: &Compiled, talk: &Talk) -> Arc<Insights> {
    let insights = Arc::new(Insights::default());
    if let Some(net) = compiled.net.clone() {
        let (found, rules, budget) = (insights.clone(), compiled.rules.clone(), talk.whole.clone());
        let analyses = move || found.gather(&rules, &net, &budget);
        // Without a thread for it the search does without.
        let _ = Builder::new().name("analyses".into()).stack_size(STACK).spawn(analyses);
    }
    insights
}

struct Worker<'a> {
    number: usize,
    talk: &'a Talk,
    role: String,
    player: Spec,
}

/// A worker with an engine.
struct Working<'a> {
    worker: &'a Worker<'a>,
    role: Role,
    /// None plays at random.
    searcher: Option<Box<dyn Searcher>>,
}

impl Job for Working<'_> {
    /// The task for which the history has to be begun anew, or the end.
    type Answer = Task;

    fn run<G: Game>(mut self, game: &mut G) -> Task {
        let Worker { number, talk, ref player, .. } = *self.worker;
        let mut line = Line::new(game);
        talk.ready(number);
        let (mut done, mut pondered) = (None, None);
        loop {
            let task = talk.task(number, done, pondered);
            let (Task::Answer(question) | Task::Ponder(question)) = &task else { return task };
            if self.follow(game, &mut line, &question.history) == Err(Lost::Back) {
                return task;
            }
            match &task {
                Task::Answer(question) => {
                    self.answer(game, &line, question);
                    done = Some(question.asked);
                }
                _ => {
                    if player.ponder && !question.lightly && !game.terminal(&line.now) {
                        self.think(&question.budget);
                    }
                    pondered = Some(question.asked);
                }
            }
        }
    }
}

impl Working<'_> {
    fn follow<G: Game>(
        &mut self,
        game: &mut G,
        line: &mut Line<G>,
        history: &[Vec<String>],
    ) -> Result<(), Lost> {
        line.follow(game, history, |joint| {
            self.guarded(|searcher| searcher.advance(joint));
        })
    }

    /// Tells any legal move first, then a good one.
    fn answer<G: Game>(&mut self, game: &mut G, line: &Line<G>, question: &Question) {
        let asked = question.asked;
        let Worker { number, talk, ref player, .. } = *self.worker;
        let legal = match game.terminal(&line.now) {
            true => vec![],
            false => legal(game, &line.now, self.role),
        };
        let turn = line.turn() as u64;
        let mut random = Random::new(player.seed ^ (turn << 20) ^ ((self.role as u64) << 50));
        let any = (!legal.is_empty()).then(|| legal[random.below(legal.len())].1.clone());
        let answer = |text, last, thoughts| Answer { asked, text, last, thoughts };
        let told = answer(any.clone(), legal.len() < 2, String::new());
        talk.tell(number, told);
        if legal.is_empty() || question.lightly {
            return;
        }
        self.think(&question.budget);
        let choice = self.guarded(|searcher| searcher.choice()).flatten();
        let name = |m: Move| legal.iter().find(|(l, _)| *l == m).map(|(_, text)| text.clone());
        let text = choice.as_ref().and_then(|choice| name(choice.mv)).or(any);
        let thoughts = choice.map_or(String::new(), |choice| thoughts(game, self.role, &choice));
        talk.tell(number, answer(text, true, thoughts));
    }

    fn think(&mut self, budget: &Budget) {
        // Stopped or not, what it has found is asked for next.
        self.guarded(|searcher| {
            let _ = searcher.think(u64::MAX, budget);
        });
    }

    /// A search that panics is replaced by none: the match goes on with legal moves.
    fn guarded<T>(&mut self, ask: impl FnOnce(&mut dyn Searcher) -> T) -> Option<T> {
        let searcher = self.searcher.as_mut()?;
        let answer = catch_unwind(AssertUnwindSafe(|| ask(searcher.as_mut())));
        answer.inspect_err(|_| self.searcher = None).ok()
    }
}

/// What a search expects, for people.
fn thoughts<G: Game>(game: &G, role: Role, choice: &Choice) -> String {
    let text = |role: Role, m: Move| game.move_text(role, m);
    let mut out = String::new();
    for candidate in choice.moves.iter().take(CANDIDATES) {
        let proven = if candidate.proven { " (proved)" } else { "" };
        let (value, visits) = (candidate.value, candidate.visits);
        out += &format!("{value:6.1}{proven}  {visits:>9}  {}\n", text(role, candidate.mv));
    }
    let joint = |joint: &Vec<Move>| {
        let texts = joint.iter().enumerate().map(|(role, m)| text(role, *m));
        texts.collect::<Vec<_>>().join(" / ")
    };
    let line: Vec<String> = choice.line.iter().take(EXPECTED).map(joint).collect();
    out + "expected: " + &line.join(", ")
}
