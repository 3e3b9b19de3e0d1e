//! What every command shares: options, budget, loading a game, and writing the answer.
//!
//! A command is arguments, one call of an answer of the library, and `Session::give`, which prints it
//! as text or as JSON. `Session::answer_each` goes through the games, each with what it may use where
//! the user sets no limit (30 CPU seconds for an analysis, 120 for `solve`) and with an answer of which
//! nothing is known. While an answer is made it is shown to `Session::hold`, partly filled. A limit or a
//! signal is raised twice: first as `Stop`, so that the work can tell what it has; work that has not
//! ended 0.4 seconds later, wherever it is (in a call of the solver, say), is left behind: the watching
//! thread writes the answer that is held and ends the program. Either way the exit code is 3, and with
//! `--json` `stopped` lists the keys that are missing or not complete, `stopped_by` says why.

use crate::bundled;
use crate::cache::Cache;
use crate::failure::{Failure, Outcome};
use crate::limits;
use crate::output::{Draft, Output, Shown, end};
use crate::watch::{Limits, Watch};
use anstream::ColorChoice;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use ludex::Game;
use ludex::budget::{Allowance, Budget, Memory};
use ludex::compile::{Compiled, Engine, Means, compile};
use ludex::knowledge::Knowledge;
use ludex::net::Net;
use ludex::rules::{Rules, Wording};
use ludex::source::{Report, Source};
use ludex::syntax::Syntax;
use ludex_answers::{Shelf, StoppedBy, Store};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

#[derive(clap::Args)]
#[command(next_help_heading = "Options of every command")]
pub struct Options {
    /// Print JSON, one object on one line for each game (or each state), with stable keys.
    #[arg(long, global = true)]
    json: bool,
    /// Read the rules in this syntax; without it the syntax is recognised from the text.
    #[arg(long, global = true, value_name = "SYNTAX", value_parser = syntax_parser())]
    syntax: Option<Syntax>,
    /// Write terms in this syntax in text; by default in that of the rules. JSON always has KIF.
    #[arg(long, global = true, value_name = "SYNTAX", value_parser = syntax_parser())]
    output_syntax: Option<Syntax>,
    /// Whether to write in colours; by default on a terminal, unless NO_COLOR is set.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true
    )]
    color: When,
    /// Stop after this time (exit code 3): seconds, or with a unit, such as 500ms, 90s, 5m, 2h.
    /// Without it an analysis of a game stops after 30 CPU seconds, and solve after 120.
    #[arg(long, global = true, value_name = "TIME", value_parser = limits::time)]
    time_limit: Option<Duration>,
    /// Stop when the program uses more memory (exit code 3): megabytes, or with a unit, such as
    /// 500MB or 2GB. Without it an analysis of a game stops at 4 GB.
    #[arg(long, global = true, value_name = "MEMORY", value_parser = limits::memory)]
    memory_limit: Option<u64>,
    /// Keep answers and proved facts in this folder, and use those of earlier runs.
    #[arg(long, global = true, value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

impl Options {
    /// What is written from now on has colours, or none.
    pub fn choose_colour(&self) {
        match self.color {
            When::Auto => {}
            When::Always => ColorChoice::Always.write_global(),
            When::Never => ColorChoice::Never.write_global(),
        }
    }
}

/// `kif` or `infix` as the user writes them.
pub fn syntax_parser() -> impl TypedValueParser<Value = Syntax> {
    let values = PossibleValuesParser::new(["kif", "infix"]);
    values.map(|name| if name == "kif" { Syntax::Kif } else { Syntax::Infix })
}

/// What an answer that should come soon may use where the user sets no limits.
pub const SOON: Allowance = Allowance { seconds: Some(ANALYSIS), bytes: Some(MEMORY) };
/// The same for work of which the user says how much there is.
pub const LONG: Allowance = Allowance { seconds: None, bytes: None };

/// CPU seconds of an analysis of one game without --time-limit.
pub const ANALYSIS: f64 = 30.0;
/// Grounding before the reasoner is taken instead: so many CPU seconds, or a share of the user's limit.
const GROUNDING: f64 = 20.0;
/// Bytes for either, and for matches, without --memory-limit.
pub const MEMORY: u64 = 4_000_000_000;

pub struct Session {
    pub json: bool,
    /// As the user asked for it; none: recognised from the text.
    pub syntax: Option<Syntax>,
    output_syntax: Option<Syntax>,
    /// How terms of the present game are written in texts for people; none: as they are.
    wording: Mutex<Option<Arc<Wording>>>,
    watch: Watch,
    out: Arc<Mutex<Output>>,
    cache: Option<Cache>,
}

/// What a file of rules is.
pub enum AllOrPart {
    All(Box<Game>),
    Part(Rules),
}

impl Session {
    pub fn new(options: &Options) -> Session {
        let limits = Limits { time: options.time_limit, memory: options.memory_limit };
        let out = Arc::new(Mutex::new(Output::standard(options.json)));
        let watch = Watch::start(&Budget::new(cpu_seconds), limits, &out);
        let cache = options.cache.clone().map(Cache::new);
        let (json, syntax, output_syntax) = (options.json, options.syntax, options.output_syntax);
        Session { json, syntax, output_syntax, wording: Mutex::default(), watch, out, cache }
    }

    /// What the present game may use. Its clock is the CPU time of the process.
    pub fn budget(&self) -> Budget {
        self.watch.budget()
    }

    /// The text of GAME.
    pub fn source(&self, game: &str) -> Result<Source, Failure> {
        let (source, noted) = bundled::load(game)?;
        tell_warnings(&noted, &source);
        Ok(source)
    }

    /// GAME. Faults of the rules become the message of the failure.
    pub fn load(&self, game: &str) -> Result<Game, Failure> {
        let (source, noted) = bundled::load(game)?;
        self.read(source, noted)
    }

    /// GAME, or a few clauses that are no whole game.
    pub fn load_all_or_part(&self, game: &str) -> Result<AllOrPart, Failure> {
        let (source, noted) = bundled::load(game)?;
        match self.read(source.clone(), noted) {
            Ok(game) => Ok(AllOrPart::All(Box::new(game))),
            Err(why) => match Rules::read_part(&source, self.syntax) {
                Ok((rules, _)) => Ok(AllOrPart::Part(rules)),
                Err(_) => Err(why),
            },
        }
    }

    fn read(&self, source: Source, noted: Report) -> Result<Game, Failure> {
        tell_warnings(&noted, &source);
        let told = noted.complaints.len();
        let game = Game::read_noted(source, self.syntax, noted).map_err(|mut why| {
            why.report.complaints.drain(..told);
            Failure::faulty(&why.report, &why.source)
        })?;
        if let Some(cache) = &self.cache {
            Shelf { game: &game, store: cache }.recall();
        }
        self.word_like(&game);
        Ok(game)
    }

    /// Terms are written as the user wishes, or as the author of the game does.
    fn word_like(&self, game: &Game) {
        let written = || self.syntax.unwrap_or_else(|| Syntax::of(&game.source().text));
        let infix = self.output_syntax.unwrap_or_else(written) == Syntax::Infix;
        let wording = infix.then(|| Arc::new(Wording::new(game.rules())));
        *self.wording.lock().expect("no panic while held") = wording;
    }

    /// The answer is a text in a syntax of its own.
    pub fn keep_words(&self) {
        *self.wording.lock().expect("no panic while held") = None;
    }

    fn wording(&self) -> Option<Arc<Wording>> {
        self.wording.lock().expect("no panic while held").clone()
    }

    /// Text with terms in KIF as the user sees it.
    pub fn worded(&self, text: &str) -> String {
        self.wording().map_or_else(|| text.into(), |wording| wording.infix(text))
    }

    /// The answer to a question, kept from an earlier run or made now.
    pub fn kept<A: ludex_answers::Answer + DeserializeOwned, E>(
        &self,
        game: &Game,
        question: &str,
        make: impl FnOnce() -> Result<A, E>,
    ) -> Result<A, E> {
        let Some(cache) = &self.cache else { return make() };
        let shelf = Shelf { game, store: cache };
        if let Some(answer) = shelf.kept_answer(question) {
            return Ok(answer);
        }
        let answer = make();
        shelf.keep();
        if let Ok(answer) = &answer {
            shelf.keep_answer(question, answer);
        }
        answer
    }

    /// A text that an earlier run has kept under this name.
    pub fn kept_text(&self, name: &str) -> Option<String> {
        self.cache.as_ref()?.read(name)
    }

    /// Keeps a text for later runs, where the user wants that.
    pub fn keep_text(&self, name: &str, text: &str) {
        if let Some(cache) = &self.cache {
            cache.write(name, text);
        }
    }

    /// The rules of a part of a game: a few clauses are enough.
    pub fn load_part(&self, game: &str) -> Result<Rules, Failure> {
        let source = self.source(game)?;
        let rules = Rules::read_part(&source, self.syntax);
        rules.map(|r| r.0).map_err(|report| Failure::faulty(&report, &source))
    }

    /// The bytes that the user allows.
    pub fn memory_limit(&self) -> Option<u64> {
        self.watch.limits().memory
    }

    /// The part of the budget that may be spent on grounding. Under a limit of the user's it also ends
    /// with two thirds of that on the clock, so that on a busy machine there is time for another engine.
    pub fn grounding(&self) -> Budget {
        let limit = self.watch.limits().time;
        let part = self.budget().within(Allowance {
            seconds: Some(self.grounding_seconds()),
            bytes: Some(self.grounding_bytes()),
        });
        if let Some(limit) = limit {
            self.watch.end_after(&part, limit * 2 / 3);
        }
        part
    }

    fn grounding_seconds(&self) -> f64 {
        let limit = self.watch.limits().time;
        limit.map_or(GROUNDING, |limit| GROUNDING.min(limit.as_secs_f64() / 3.0))
    }

    fn grounding_bytes(&self) -> u64 {
        self.memory_limit().map_or(MEMORY, |limit| MEMORY.min(limit / 2))
    }

    /// A part of the budget with a time of its own, from now on, by the clock on the wall.
    pub fn lasting(&self, time: Duration) -> Budget {
        self.watch.lasting(time)
    }

    /// Makes parts of the budget like `lasting`, for a thread of its own.
    pub fn timer(&self) -> impl Fn(Duration) -> Budget + Send + 'static {
        let watch = self.watch.clone();
        move |time| watch.lasting(time)
    }

    /// Makes what the matches of players may use: at half of the limit they grow no more, at three quarters
    /// they go on without search.
    pub fn memory_of_matches(&self) -> impl Fn() -> Memory + Send + Sync + 'static {
        let (watch, limit) = (self.watch.clone(), self.memory_limit().unwrap_or(MEMORY));
        let within = |bytes| Allowance { seconds: None, bytes: Some(bytes) };
        move || {
            let whole = watch.budget().within(within(limit / 4 * 3));
            Memory { growth: whole.within(within(limit / 2)), whole }
        }
    }

    /// Begins with work that takes as long as it takes, in as much memory as the user allows.
    pub fn begin_endless(&self) {
        self.watch.begin_endless(Allowance { seconds: None, bytes: Some(MEMORY) });
    }

    /// What answers about the present game may use.
    pub fn grant(&self) -> Grant {
        Grant { whole: self.budget(), grounding: self.grounding() }
    }

    /// The net of a game, for what cannot be done without.
    pub fn net(&self, game: &Game) -> Result<Arc<Net>, Failure> {
        Ok(game.knowledge().net(&self.budget())?)
    }

    /// CPU seconds for one of several parts of an analysis.
    pub fn share(&self) -> f64 {
        self.watch.limits().time.map_or(ANALYSIS, |limit| limit.as_secs_f64()) / 3.0
    }

    /// CPU seconds for a proof, or another trial, that helps but is not what was asked for.
    pub fn trial_seconds(&self) -> f64 {
        self.grounding_seconds() / 4.0
    }

    pub fn trial(&self) -> Budget {
        self.budget().lasting(self.trial_seconds())
    }

    /// Makes the engine of a game: the one wished for, or the fastest that can run it.
    pub fn compile(
        &self,
        knowledge: &Arc<Knowledge>,
        wish: Option<Engine>,
    ) -> Result<Compiled, Failure> {
        let means = Means { whole: &self.budget(), grounding: &self.grounding() };
        Ok(compile(knowledge.clone(), wish, means)?)
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.out.lock().expect("no panic while held")
    }

    /// Where the answer is written: `writeln!(session.out(), …)?`. Ends the progress bar.
    pub fn out(&self) -> MutexGuard<'_, Output> {
        self.watch.hide_progress();
        self.output()
    }

    /// The present game has its row in a table that is printed after all games: this is how it is now.
    pub fn add_row(&self, text: String) -> Outcome {
        self.output().set_closing(text);
        Ok(())
    }

    /// What ended the work on the present game.
    fn stop(&self) -> Option<StoppedBy> {
        self.budget().check().err().map(Into::into)
    }

    /// Keeps what is known of the present game: it is told if nothing more is by the time of a limit.
    pub fn hold(&self, answer: impl ludex_answers::Answer) {
        self.hold_as(answer, |answer| answer.to_string());
    }

    /// The same with another text for people.
    pub fn hold_as<A: ludex_answers::Answer>(
        &self,
        answer: A,
        text: impl Fn(&A) -> String + Send + 'static,
    ) {
        let wording = self.wording();
        let text = move |answer: &A| match &wording {
            Some(wording) => wording.infix(&text(answer)),
            None => text(answer),
        };
        self.output().set_draft(Box::new(Shown { answer, text }));
    }

    /// Tells the answer of the present game. One that a limit cut short is a failure.
    pub fn give(&self, answer: impl ludex_answers::Answer) -> Outcome {
        self.give_as(answer, |answer| answer.to_string())
    }

    /// The same with another text for people.
    pub fn give_as<A: ludex_answers::Answer>(
        &self,
        answer: A,
        text: impl Fn(&A) -> String + Send + 'static,
    ) -> Outcome {
        let account = answer.account().clone();
        self.hold_as(answer, text);
        self.out().deliver(self.stop())?;
        Failure::of_account(&account)
    }

    /// One of several answers about a game, such as a state of a match.
    pub fn give_part(&self, part: &(impl Serialize + std::fmt::Display)) -> Outcome {
        let mut out = self.out();
        match self.json {
            true => {
                let line = serde_json::to_string(part).expect("answers are plain data");
                writeln!(out, "{line}")?;
            }
            false => write!(out, "{}", self.worded(&part.to_string()))?,
        }
        Ok(out.flush()?)
    }

    /// A line that the user types after the prompt; none at the end of input. While the program
    /// waits, Ctrl-C and the limits end it at once.
    pub fn read_line(&self, prompt: &str) -> Result<Option<String>, Failure> {
        match self.json {
            true => write!(std::io::stderr(), "{prompt}")?,
            false => {
                let mut out = self.out();
                write!(out, "{prompt}")?;
                out.flush()?;
            }
        }
        let mut line = String::new();
        let read = self.watch.while_idle(|| std::io::stdin().read_line(&mut line));
        let bad = |e| Failure::unreadable("standard input", e);
        Ok(if read.map_err(bad)? == 0 { None } else { Some(line) })
    }

    /// What a person types where `read` waits for it.
    pub fn ask(
        &self,
        read: impl FnOnce() -> std::io::Result<Option<String>>,
    ) -> Result<Option<String>, Failure> {
        self.out().flush()?;
        let read = self.watch.while_idle(read);
        read.map_err(|e| Failure::unreadable("standard input", e))
    }

    /// Does the same for every game. What is wrong with one is told at once and does not keep the
    /// others from their turn. Where a limit ends the work on a game, its draft is told, and drafts of
    /// those that are left (`unknown`) if it was a limit of all.
    pub fn answer_each<A: ludex_answers::Answer>(
        &self,
        games: &[String],
        allowance: Allowance,
        unknown: fn(&str) -> A,
        mut run: impl FnMut(&str) -> Outcome,
    ) -> Outcome {
        let draft = |game: &String| -> Draft {
            let name = bundled::name(game);
            let text = format!("{name}: stopped\n");
            Box::new(Shown { answer: unknown(name), text: move |_: &A| text.clone() })
        };
        self.do_each(games, games.iter().map(draft).collect(), allowance, &mut run)
    }

    fn do_each(
        &self,
        games: &[String],
        drafts: Vec<Draft>,
        allowance: Allowance,
        run: &mut dyn FnMut(&str) -> Outcome,
    ) -> Outcome {
        self.output().expect(drafts);
        let mut ending = Ok(());
        for game in games {
            self.output().begin();
            self.watch.begin(allowance);
            match run(game) {
                Ok(()) => {}
                Err(failure @ (Failure::Input(_) | Failure::Refuted)) => {
                    self.tell_fault(Some(game), &failure)?;
                    self.tell_failure(&failure, &mut self.out());
                    ending = ending.and(Err(Failure::Refuted));
                }
                Err(failure @ (Failure::Stopped(_) | Failure::TooLarge(_))) => {
                    let stop = self.stop().or(match failure {
                        Failure::TooLarge(_) => Some(StoppedBy::Size),
                        _ => None,
                    });
                    self.out().deliver(stop)?;
                    self.tell_fault(Some(game), &failure)?;
                    if self.watch.is_over() {
                        self.out().deliver_all(stop)?;
                        return Err(failure);
                    }
                    self.tell_failure(&failure, &mut self.out());
                    ending = Err(Failure::Incomplete);
                }
                Err(failure) => return Err(failure),
            }
        }
        ending
    }

    /// Tells programs what is wrong, unless the answer did.
    fn tell_fault(&self, game: Option<&str>, failure: &Failure) -> Outcome {
        let told = failure.told(game).filter(|_| self.json && !self.output().is_told());
        let Some(failed) = told else { return Ok(()) };
        self.output().set_draft(Box::new(Shown::plain(failed)));
        Ok(self.out().deliver(None)?)
    }

    /// Writes the message of a failure, after what was written before it.
    fn tell_failure(&self, failure: &Failure, output: &mut Output) {
        let message = match failure {
            Failure::Stopped(stop) => self.watch.message(*stop),
            failure => failure.to_string(),
        };
        // Nobody is left to tell if these fail.
        let _ = output.flush();
        if !message.is_empty() {
            let _ = writeln!(anstream::stderr(), "{message}");
        }
    }

    /// Writes what is left, tells the user how it ended and ends the program.
    pub fn end(&self, outcome: Outcome) -> ! {
        let told = match &outcome {
            Err(failure) => self.tell_fault(None, failure),
            Ok(()) => Ok(()),
        };
        let outcome = outcome.and(told);
        end(self.out(), |output| {
            let Err(failure) = outcome.and(output.close().map_err(Failure::from)) else { return 0 };
            self.tell_failure(&failure, output);
            failure.exit_code()
        })
    }
}

/// What an answer may use, and the part of it for grounding.
pub struct Grant {
    whole: Budget,
    grounding: Budget,
}

impl Grant {
    pub fn means(&self) -> Means<'_> {
        Means { whole: &self.whole, grounding: &self.grounding }
    }
}

/// Tells people what is doubtful about the bytes of a text.
fn tell_warnings(noted: &Report, source: &Source) {
    // A warning must not stop the work; nobody is left to tell if it cannot be written.
    let _ = write!(anstream::stderr(), "{}", noted.render_coloured(source));
}

/// CPU seconds of the process, all threads together.
fn cpu_seconds() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64()
}
