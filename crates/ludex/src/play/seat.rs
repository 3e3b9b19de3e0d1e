//! `Seat`: one role of one match, played by workers that follow its history.
//!
//! The first worker runs the reasoner as soon as it can answer, the second prepares it well, the
//! third compiles the rules; whoever is ready takes over. Each tells a legal move before it thinks, so
//! that there is an answer whenever the clock ends. The first one follows to the end: if the others
//! panic or hang, it is still there.
//!
//! A seat plays one role of one match with workers, threads that follow its history: the first runs
//! the reasoner with the first plan that comes, the second plans it well, the third compiles the
//! rules; whoever is ready takes over, in the start clock or later, and analyses run beside it.
//! Each tells a legal move before it thinks, and better ones as it finds them, so there is an
//! answer whenever the clock ends; the first worker goes on following without thinking, in case the
//! others panic or hang. What seat and workers say to each other is behind one lock (`talk.rs`).
//! Beside the search of the third worker the solver tries the state of the match (`exact.rs`), with
//! symmetries, factors and latches; a line of best play that it finds ends the search and is
//! followed as long as the others do; mixed moves at its end are drawn. It solves the state of the
//! match as it is, with all that is final there folded in, so games that fall apart later are
//! factored then. Proofs about the game get half of the time for a move. A role that plays alone
//! also follows the best plan so far, put together from plans of the factors, where the search
//! expects no more. After vain tries the solver leaves out more and more turns, unless a quarter of
//! the facts that could change have become final. Until the first question comes it works as well,
//! in what is left of the start clock (what it tried in vain there does not count), and with
//! `ponder=on` also while others move. A history that goes back (undo) begins the search anew. The
//! built-in players of `ludex match`, the opponent of `ludex play` and the player of the protocol
//! are all seats.
//!
//! As memory runs out a front stops two budgets of a seat (`Memory` in `ludex-gdl/budget.rs`). With
//! the first nothing more is compiled, analysed or solved, and a new node of the tree takes the
//! place of another one; with the second the search is dropped and engines answer only what costs
//! next to nothing. Terms whose text would be far longer than that of any game are not built, so
//! that rules which double a term in every step end as a problem, not as memory.

use super::exact::{Exact, LineWorth};
use super::grounds::AnswerGrounds;
use super::line::{Line, legal};
use super::lore::{Lore, Memories};
use super::talk::{NotReady, Question, SeatAnswer, Talk, Task, WORKERS};
use super::thinker::{Thinker, describe};
use super::{Clock, PlayerKind, Spec};
use crate::compile::{Compiled, Job, Means, compile, reasoner};
use ludex_gdl::budget::{Budget, Memory, Proving, Stop};
use ludex_gdl::rules::{Rules, is_chance};
use ludex_knowledge::Knowledge;
use ludex_machine::State;
use ludex_reason::{Move, Random, Role, StateMachine};
use ludex_search::{Insights, SearchMethod, Searchable, Study};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock, Weak};
use std::thread::Builder;

/// Rules nest as deep as their author likes.
const STACK: usize = 256 << 20;
/// Iterations after which a search tells its choice for the first time; then after twice as many.
const FIRST: u64 = 256;
/// Iterations between two looks at the memory while others move.
const PONDERED: u64 = 1 << 16;
/// Positions that the start clock is enough for to learn from, at the most.
const POSITIONS: u64 = 4_000_000;
/// The share of the time for a move after which the solver proves nothing more about the game.
const PROVING: f64 = 0.5;
/// The share of the start clock that the solver has, where there is one core for it and for what is learned.
const SOLVING: f64 = 0.3;
/// The share of the start clock in which a game is given the name by which its other guises know it.
const NAMING: f64 = 0.3;
/// Better workers let the first one get ready for so many times as long as reading the rules took.
const PATIENCE: f64 = 2.0;

/// What a seat begins with.
pub struct Opening {
    /// Reads the rules: large ones take a while, so it is done beside the caller.
    pub rules: Box<dyn FnOnce() -> Result<Rules, String> + Send>,
    /// What is known of the game already; then the rules are not read.
    pub known: Option<Arc<Knowledge>>,
    /// The role to play.
    pub role: String,
    /// How it is played.
    pub player: Spec,
    /// What the network may use before it is given up.
    pub grounding: Budget,
    /// Nothing else ends the seat but its end.
    pub memory: Memory,
    /// What was found out about games in other matches.
    pub memories: Option<Arc<dyn Memories>>,
}

/// A role of a match. Dropped, it ends.
pub struct Seat {
    talk: Arc<Talk>,
    grounding: Budget,
    /// Once the rules are read.
    knowledge: Arc<OnceLock<Arc<Knowledge>>>,
}

impl Seat {
    /// Begins to prepare.
    pub fn new(opening: Opening) -> Seat {
        let talk = Arc::new(Talk::new(opening.memory.clone()));
        let knowledge = Arc::new(OnceLock::new());
        let (grounding, known) = (opening.grounding.clone(), knowledge.clone());
        let seat = Seat { talk: talk.clone(), grounding, knowledge };
        spawn("haste", 0, talk.clone(), move || first(opening, &known, &talk));
        seat
    }

    /// All that is known of the game, once its rules are read.
    pub fn knowledge(&self) -> Option<Arc<Knowledge>> {
        self.knowledge.get().cloned()
    }

    /// Tells when nothing of the seat is left: work that cannot be interrupted outlives it.
    pub fn trace(&self) -> SeatTrace {
        SeatTrace(Arc::downgrade(&self.talk))
    }

    /// Waits until all is prepared or time is up. An error: there is nobody who can play.
    pub fn ready(&self, clock: &Clock) -> Result<(), NotReady> {
        self.talk.wait_ready(clock)
    }

    /// A move after the joint moves of a history; none where no legal move is known in time.
    pub fn ask(&self, history: Vec<Vec<String>>, clock: &Clock) -> Option<String> {
        self.talk.ask(history, clock)?.text
    }

    /// The same with what the move rests on, for a log.
    pub fn reply(
        &self,
        history: Vec<Vec<String>>,
        clock: &Clock,
    ) -> Option<(String, AnswerGrounds)> {
        let answer = self.talk.ask(history, clock)?;
        Some((answer.text?, answer.grounds))
    }

    /// What is thought of the state after a history, for people.
    pub fn thoughts(&self, history: Vec<Vec<String>>, clock: &Clock) -> String {
        self.talk.ask(history, clock).map_or(String::new(), |answer| answer.thoughts)
    }
}

/// What is left of a seat.
pub struct SeatTrace(Weak<Talk>);

impl SeatTrace {
    /// The seat has ended, and so has all work for it.
    pub fn is_gone(&self) -> bool {
        self.0.strong_count() == 0
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

/// Reads the rules, sends the other workers off, and plays with the reasoner in haste.
fn first(
    opening: Opening,
    known: &OnceLock<Arc<Knowledge>>,
    talk: &Arc<Talk>,
) -> Result<(), String> {
    let begun = talk.memory.whole.seconds();
    let knowledge = match opening.known {
        Some(knowledge) => Ok(knowledge),
        None => read(opening.rules),
    };
    let knowledge =
        knowledge.inspect_err(|why| (1..WORKERS).for_each(|w| talk.gone(w, why.clone())))?;
    let knowledge = known.get_or_init(|| knowledge).clone();
    // Chance wants nothing, so that whoever is asked to play it does not search.
    let player = match is_chance(&opening.role) {
        true => Spec { kind: PlayerKind::Random, ..opening.player },
        false => opening.player,
    };
    let worker = |number| SeatWorker {
        number,
        talk: talk.clone(),
        role: opening.role.clone(),
        player: player.clone(),
        memories: opening.memories.clone(),
    };
    let (tuned, machine, grounding) = (knowledge.clone(), knowledge.clone(), opening.grounding);
    let (second, third) = (worker(1), worker(2));
    let now = talk.memory.whole.seconds();
    let patience = now + PATIENCE * (now - begun);
    spawn("reasoner", 1, talk.clone(), move || {
        second.talk.let_first(patience);
        second.talk.memory.growth.check().map_err(|stop| stop.to_string())?;
        let compiled = reasoner(tuned, false, &second.talk.makeshift);
        play(compiled.map_err(|refusal| refusal.to_string())?, second)
    });
    spawn("machine", 2, talk.clone(), move || {
        third.talk.let_first(patience);
        third.talk.memory.growth.check().map_err(|stop| stop.to_string())?;
        let means = Means { whole: &third.talk.memory.whole, grounding: &grounding };
        let compiled = compile(machine, None, means);
        play(compiled.map_err(|refusal| refusal.to_string())?, third)
    });
    let compiled = reasoner(knowledge, true, &talk.memory.whole);
    play(compiled.map_err(|refusal| refusal.to_string())?, worker(0))
}

fn read(
    rules: Box<dyn FnOnce() -> Result<Rules, String> + Send>,
) -> Result<Arc<Knowledge>, String> {
    let read = catch_unwind(AssertUnwindSafe(rules));
    let mut rules = read.unwrap_or_else(|_| Err("reading the rules panicked".into()))?;
    rules.keep_needed();
    Ok(Arc::new(Knowledge::of_rules(rules)))
}

/// Answers until the end.
fn play(mut compiled: Compiled, worker: SeatWorker) -> Result<(), String> {
    let roles = compiled.roles().map_err(|refusal| refusal.to_string())?;
    let role = roles.iter().position(|role| role.eq_ignore_ascii_case(&worker.role));
    let role = role.ok_or_else(|| format!("there is no role {}", worker.role))?;
    let lore = Arc::new(OnceLock::new());
    let insights = analyse(&compiled, &worker, lore.clone());
    let options = worker.player.options();
    let solver = options.as_ref().filter(|o| o.method == SearchMethod::Mcts && o.solver);
    let knowledge = compiled.knowledge.clone();
    let exact = solver.zip(compiled.net.clone());
    let exact = exact.map(|(options, net)| Exact::new(knowledge, net, options));
    let thinker = Thinker::new(role, options, insights);
    let at_work = Working { worker: &worker, role, thinker, exact, lore };
    compiled.run(at_work).map_err(|refusal| refusal.to_string())
}

/// Analyses the game beside the search, which uses what is found as it comes.
fn analyse(compiled: &Compiled, worker: &SeatWorker, lore: Arc<OnceLock<Lore>>) -> Arc<Insights> {
    let memory = worker.talk.memory.clone();
    let insights = Arc::new(Insights::new(memory.clone()));
    let talk = worker.talk.clone();
    let preparing = Preparing(talk.clone(), worker.number);
    let learning = StillLearning(talk.clone(), worker.number);
    let used = worker.player.kind == PlayerKind::Mcts;
    if used && compiled.net.is_some() {
        let (found, knowledge) = (insights.clone(), compiled.knowledge.clone());
        let memories = worker.memories.clone();
        let analyses = move || {
            // Dropped at the end of the thread.
            let _learning = learning;
            let gathered = found.gather(&knowledge, &memory.growth);
            let named = memory.growth.lasting(NAMING * talk.start_seconds());
            let known = memories.and_then(|memories| Lore::open(memories, &knowledge, &named));
            let known = known.map(|known| lore.get_or_init(|| known));
            known.inspect(|known| known.teach(&found));
            drop(preparing);
            let study = Study { positions: POSITIONS, seconds: talk.start_seconds() };
            let studied = gathered.and_then(|()| found.study(study, &talk.learning, &talk.opening));
            known.inspect(|known| known.note_learned(&found));
            studied
        };
        // Without a thread for it the search does without.
        let _ = Builder::new().name("analyses".into()).stack_size(STACK).spawn(analyses);
    }
    insights
}

/// Says that all is prepared when it is dropped, however that comes about.
struct Preparing(Arc<Talk>, usize);

impl Drop for Preparing {
    fn drop(&mut self) {
        self.0.prepared(self.1);
    }
}

/// The same of what is learned.
struct StillLearning(Arc<Talk>, usize);

impl Drop for StillLearning {
    fn drop(&mut self) {
        self.0.learned(self.1);
    }
}

struct SeatWorker {
    number: usize,
    talk: Arc<Talk>,
    role: String,
    player: Spec,
    memories: Option<Arc<dyn Memories>>,
}

/// A worker with an engine.
struct Working<'a> {
    worker: &'a SeatWorker,
    role: Role,
    thinker: Thinker,
    exact: Option<Exact>,
    lore: Arc<OnceLock<Lore>>,
}

impl Job for Working<'_> {
    type Answer = ();

    fn run<G: Searchable>(mut self, game: &mut G) {
        let SeatWorker { number, ref talk, .. } = *self.worker;
        let mut line = Line::new(game);
        talk.ready(number);
        let (mut done, mut pondered) = (None, None);
        loop {
            match talk.task(number, done, pondered) {
                Task::End => return self.save(),
                Task::Answer(question) => {
                    self.follow(game, &mut line, &question);
                    self.answer(game, &line, &question);
                    done = Some(question.asked);
                }
                Task::Ponder(question) => {
                    self.follow(game, &mut line, &question);
                    self.ponder(game, &line, &question);
                    pondered = Some(question.asked);
                    talk.idle(number);
                }
            }
            if talk.memory.whole.check() == Err(Stop::Memory) {
                // The engine still answers what costs next to nothing.
                self.thinker.give_up();
                self.exact = None;
            }
        }
    }
}

impl Working<'_> {
    /// Keeps what the match has shown.
    fn save(&self) {
        if let Some(lore) = self.lore.get() {
            self.exact.as_ref().inspect(|exact| lore.note_solved(exact.best_line()));
            lore.save();
        }
    }

    fn follow<G: StateMachine>(&mut self, game: &mut G, line: &mut Line<G>, question: &Question) {
        if !line.leads_to(&question.history) {
            *line = Line::new(game);
            self.thinker.forget();
        }
        line.follow(game, &question.history, &self.worker.talk.memory.whole);
    }

    fn ponder<G: Searchable>(&mut self, game: &mut G, line: &Line<G>, question: &Question) {
        if question.lightly || game.terminal(&line.now) {
            return;
        }
        self.thinker.catch_up(game, &line.joints);
        // Until the first question comes nobody else's time is used.
        let starting = question.asked == 0 && self.exact.is_some();
        if starting || self.worker.player.ponder {
            let position = G::bits(&line.now).map(|state| (line.joints.len(), state));
            let Working { thinker, exact, worker, .. } = self;
            let growth = &worker.talk.memory.growth;
            let exact = exact.as_mut().filter(|_| growth.check().is_ok());
            let solving = match starting && worker.player.search.threads == 1 {
                true => question.budget.lasting(SOLVING * worker.talk.start_seconds()),
                false => question.budget.part(),
            };
            let budgets = [&question.budget, &solving];
            solved_beside(exact, position, budgets, |budget, proving| {
                // What is learned is worth more than a tree without it.
                worker.talk.wait_learned(worker.number, budget);
                while thinker.think(PONDERED, budget) {
                    if growth.check().is_err() {
                        proving.0.stop(Stop::Memory);
                    }
                }
            });
        }
        let known = self.exact.as_ref().zip(G::bits(&line.now));
        if known.is_some_and(|(exact, state)| exact.knows(state)) {
            self.worker.talk.learning.stop(Stop::Interrupted);
        }
        // The start clock may have been too short for the solver, the next one may not be.
        if let Some(exact) = self.exact.as_mut().filter(|_| starting) {
            exact.try_again();
        }
    }

    /// Tells any legal move first, then ever better ones.
    fn answer<G: Searchable>(&mut self, game: &mut G, line: &Line<G>, question: &Question) {
        let SeatWorker { number, ref talk, ref player, .. } = *self.worker;
        let legal = match game.terminal(&line.now) {
            true => vec![],
            false => legal(game, &line.now, self.role, &talk.memory.whole),
        };
        let turn = line.joints.len() as u64;
        let mut random = Random::new(player.seed ^ (turn << 20) ^ ((self.role as u64) << 50));
        let any = (!legal.is_empty()).then(|| legal[random.below(legal.len())].1.clone());
        let asked = question.asked;
        let last = legal.len() < 2;
        let (grounds, thoughts) =
            (AnswerGrounds { only: last, ..AnswerGrounds::default() }, String::new());
        talk.tell(number, SeatAnswer { asked, text: any.clone(), last, thoughts, grounds });
        if legal.is_empty() || question.lightly {
            return;
        }
        self.thinker.catch_up(game, &line.joints);
        let Working { thinker, exact, role, .. } = self;
        let name = |m: Move| legal.iter().find(|(l, _)| *l == m).map(|(_, text)| text.clone());
        let position = G::bits(&line.now).map(|state| (line.joints.len(), state));
        let lore = self.lore.get();
        if let Some((exact, lore)) = exact.as_mut().zip(lore) {
            exact.recall(|| lore.solved());
        }
        let mut text = any;
        let end_of_proofs = question.budget.seconds() + PROVING * question.seconds;
        let growth = &talk.memory.growth;
        let solver = exact.as_mut().filter(|_| growth.check().is_ok());
        let budgets = [&question.budget, &question.budget];
        solved_beside(solver, position, budgets, |budget, proving| {
            let (mut iterations, mut more) = (FIRST, true);
            while more {
                more = thinker.think(iterations, budget);
                if budget.seconds() > end_of_proofs || growth.check().is_err() {
                    proving.0.stop(Stop::Time);
                }
                let choice = thinker.choice();
                text = choice.as_ref().and_then(|choice| name(choice.mv)).or(text.take());
                // Not the last word, since the solver may have one.
                let (text, thoughts) = (text.clone(), String::new());
                let search = choice.map(|choice| thinker.grounds(&choice));
                let grounds = AnswerGrounds { search, ..AnswerGrounds::default() };
                talk.tell(number, SeatAnswer { asked, text, last: false, thoughts, grounds });
                iterations *= 2;
            }
        });
        let known = exact.as_ref().zip(position).and_then(|(exact, (_, state))| exact.best(state));
        let mut choice = thinker.choice();
        let search = choice.as_ref().map(|choice| thinker.grounds(choice));
        let mut grounds = AnswerGrounds { search, ..AnswerGrounds::default() };
        if let (Some(choice), Some((worth, line))) = (&mut choice, known) {
            // A line that is not known to be best is followed where the search expects no more.
            if !matches!(worth, LineWorth::Certain(goal) if (goal as f64) < choice.value) {
                let certain = match worth {
                    LineWorth::Certain(goal) => Some(goal),
                    LineWorth::Best => None,
                };
                grounds.solved = Some((line.len(), certain));
                grounds.search = grounds.search.filter(|search| search.visits > 0);
                (choice.mv, choice.line) = (line[0][*role], line);
            }
        }
        if let (Some(lore), Some(choice), Some((_, state))) = (lore, &mut choice, position) {
            match lore.opening(state, *role, choice).filter(|(m, _)| name(*m).is_some()) {
                Some((m, visits)) => {
                    (choice.mv, grounds.remembered) = (m, Some(visits));
                }
                None => lore.note_choice(state, *role, choice),
            }
        }
        let text = choice.as_ref().and_then(|choice| name(choice.mv)).or(text);
        let thoughts = choice.map_or(String::new(), |choice| describe(game, *role, &choice));
        talk.tell(number, SeatAnswer { asked, text, last: true, thoughts, grounds });
    }
}

/// Lets a search go on beside the solver, which ends it where it finds best play and has a budget of its own. The
/// search may end the solver's proofs, its second budget, by themselves.
fn solved_beside(
    exact: Option<&mut Exact>,
    position: Option<(usize, &State)>,
    [budget, solving]: [&Budget; 2],
    search: impl FnOnce(&Budget, Proving),
) {
    let proving = &solving.part();
    std::thread::scope(|scope| {
        if let Some((exact, (turn, state))) = exact.zip(position) {
            let solver = move || {
                let guarded =
                    AssertUnwindSafe(|| exact.solve(turn, state, solving, Proving(proving)));
                // A solver that panics leaves the search alone.
                if catch_unwind(guarded).is_ok_and(|found| found) {
                    budget.stop(Stop::Interrupted);
                }
            };
            let thread = Builder::new().name("solver".into()).stack_size(STACK);
            let _ = thread.spawn_scoped(scope, solver);
        }
        search(budget, Proving(proving));
        proving.stop(Stop::Time);
        budget.stop(Stop::Time);
    });
}
