//! What every command shares: options, budget, loading a game, and writing the answer.

use crate::bundled;
use crate::failure::{Failure, Outcome};
use crate::limits;
use crate::output::{Draft, Output};
use crate::watch::{Limits, Watch};
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use comfy_table::{CellAlignment, Table, presets};
use ludex::Game;
use ludex::budget::{Allowance, Budget, Memory};
use ludex::compile::{Compiled, Engine, Means, compile};
use ludex::knowledge::Knowledge;
use ludex::net::Net;
use ludex::rules::Rules;
use ludex::source::Source;
use ludex::syntax::Syntax;
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;
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
    /// Stop after this time (exit code 3): seconds, or with a unit, such as 500ms, 90s, 5m, 2h.
    /// Without it an analysis of a game stops after 30 CPU seconds, and solve after 120.
    #[arg(long, global = true, value_name = "TIME", value_parser = limits::time)]
    time_limit: Option<Duration>,
    /// Stop when the program uses more memory (exit code 3): megabytes, or with a unit, such as
    /// 500MB or 2GB. Without it an analysis of a game stops at 4 GB.
    #[arg(long, global = true, value_name = "MEMORY", value_parser = limits::memory)]
    memory_limit: Option<u64>,
}

/// `kif` or `infix` as the user writes them.
pub fn syntax_parser() -> impl TypedValueParser<Value = Syntax> {
    let values = PossibleValuesParser::new(["kif", "infix"]);
    values.map(|name| if name == "kif" { Syntax::Kif } else { Syntax::Infix })
}

/// What is known of one game at any time: whatever is missing is marked by the word "stopped".
pub trait Answer {
    /// For --json.
    fn object(&self) -> Value;
    /// For people, by `Session::out`.
    fn print(&self, session: &Session) -> Outcome;
}

/// Functions that give either form.
impl<F: Fn() -> Value, G: Fn(&Session) -> Outcome> Answer for (F, G) {
    fn object(&self) -> Value {
        self.0()
    }

    fn print(&self, session: &Session) -> Outcome {
        self.1(session)
    }
}

/// How a command goes about its games.
pub struct Plan {
    /// The keys of its JSON that need work, apart from `game`.
    pub parts: &'static [&'static str],
    /// What one game may use where the user sets no limits.
    pub allowance: Allowance,
}

impl Plan {
    /// Answers that should come soon, or say how to wait for them.
    pub const fn soon(parts: &'static [&'static str]) -> Plan {
        let allowance = Allowance { seconds: Some(ANALYSIS), bytes: Some(MEMORY) };
        Plan { parts, allowance }
    }

    /// Work of which the user says how much there is.
    pub const fn long(parts: &'static [&'static str]) -> Plan {
        Plan { parts, allowance: Allowance { seconds: None, bytes: None } }
    }
}

/// Stands for a part of an answer that a limit kept from being found.
pub const STOPPED: &str = "stopped";
/// Stands for one that was looked for, and there is none.
pub const NONE: &str = "none";
/// Stands for one that was not asked for, or for which nothing was done.
pub const NOT_TRIED: &str = "not tried";

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
    watch: Watch,
    out: Arc<Mutex<Output>>,
}

impl Session {
    pub fn new(options: &Options) -> Session {
        let limits = Limits { time: options.time_limit, memory: options.memory_limit };
        let out = Arc::new(Mutex::new(Output::standard()));
        let watch = Watch::start(&Budget::new(cpu_seconds), limits, &out);
        Session { json: options.json, syntax: options.syntax, watch, out }
    }

    /// What the present game may use. Its clock is the CPU time of the process.
    pub fn budget(&self) -> Budget {
        self.watch.budget()
    }

    /// The text of GAME.
    pub fn source(&self, game: &str) -> Result<Source, Failure> {
        bundled::load(game)
    }

    /// GAME. Faults of the rules become the message of the failure.
    pub fn load(&self, game: &str) -> Result<Game, Failure> {
        let game = Game::read(self.source(game)?, self.syntax);
        game.map_err(|why| Failure::Input(why.report.render_coloured(&why.source)))
    }

    /// The rules of a part of a game: a few clauses are enough.
    pub fn load_part(&self, game: &str) -> Result<Rules, Failure> {
        let source = self.source(game)?;
        let rules = Rules::read_part(&source, self.syntax);
        rules.map(|r| r.0).map_err(|report| Failure::Input(report.render_coloured(&source)))
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
        self.watch.begin(Allowance { seconds: None, bytes: Some(MEMORY) });
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
        let out = self.output();
        if !out.drafting() {
            self.watch.hide_progress();
        }
        out
    }

    /// Keeps what is known of the present game: it is told if nothing more is by the time of a limit.
    pub fn draft(&self, answer: &impl Answer) -> Outcome {
        if self.json {
            self.output().set_draft(Draft::Object(answer.object()));
            return Ok(());
        }
        let text = self.printed(|| answer.print(self))?;
        self.output().set_draft(Draft::Text(text));
        Ok(())
    }

    /// The present game has its row in a table that is printed after all games: this is how it is now.
    pub fn add_row(&self, print: impl FnOnce() -> Outcome) -> Outcome {
        let text = self.printed(print)?;
        self.output().set_closing(text);
        Ok(())
    }

    fn printed(&self, print: impl FnOnce() -> Outcome) -> Result<Vec<u8>, Failure> {
        self.output().begin_draft();
        let printed = print();
        let text = self.output().end_draft();
        printed.map(|()| text)
    }

    /// Tells the answer of the present game, as a whole.
    pub fn tell(&self, answer: &impl Answer) -> Outcome {
        self.draft(answer)?;
        Ok(self.out().deliver(self.budget().check().err())?)
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
        let bad = |e| Failure::Input(format!("error: standard input cannot be read: {e}"));
        Ok(if read.map_err(bad)? == 0 { None } else { Some(line) })
    }

    /// Writes one JSON object on a line.
    pub fn line(&self, object: &Value) -> Outcome {
        Ok(writeln!(self.out(), "{object}")?)
    }

    /// An empty table of the program's one style. Columns named in `right` are numbers.
    pub fn table(&self, header: &[&str], right: &[&str]) -> Table {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(header.to_vec());
        for (i, name) in header.iter().enumerate() {
            let column = table.column_mut(i).expect("a column per name");
            column.set_padding((0, 2));
            if right.contains(name) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }

    /// Writes a table, without the blanks at the ends of its lines.
    pub fn print_table(&self, table: &Table) -> Outcome {
        table.lines().try_for_each(|line| Ok(writeln!(self.out(), "{}", line.trim_end())?))
    }

    /// Does the same for every game. What is wrong with one is told at once (with --json also as
    /// an object with `error`) and does not keep the others from their turn. Where a limit ends the
    /// work on a game, its draft is told, and drafts of those that are left if it was a limit of all.
    pub fn each(
        &self,
        games: &[String],
        plan: &Plan,
        mut run: impl FnMut(&str) -> Outcome,
    ) -> Outcome {
        let drafts = games.iter().map(|game| Unanswered { game, plan }.draft(self.json));
        self.output().expect(drafts.collect());
        let mut ending = Ok(());
        for game in games {
            self.output().begin();
            self.watch.begin(plan.allowance);
            match run(game) {
                Ok(()) => {}
                Err(failure @ (Failure::Input(_) | Failure::Refuted)) => {
                    self.tell_fault(game, &failure)?;
                    ending = ending.and(Err(Failure::Refuted));
                }
                Err(failure @ (Failure::Stopped(_) | Failure::TooLarge(_))) => {
                    let stop = self.budget().check().err();
                    self.out().deliver(stop)?;
                    if self.watch.is_over() {
                        self.out().deliver_all(stop)?;
                        return Err(failure);
                    }
                    self.tell_failure(&failure);
                    ending = Err(Failure::Incomplete);
                }
                Err(failure) => return Err(failure),
            }
        }
        ending
    }

    fn tell_fault(&self, game: &str, failure: &Failure) -> Outcome {
        if let (true, Failure::Input(message)) = (self.json, failure) {
            let message = anstream::adapter::strip_str(message.trim_end()).to_string();
            self.line(&json!({"game": game, "error": message}))?;
        }
        self.tell_failure(failure);
        Ok(())
    }

    /// Writes the message of a failure, after what was written before it.
    fn tell_failure(&self, failure: &Failure) {
        let message = match failure {
            Failure::Stopped(stop) => self.watch.message(*stop),
            failure => failure.to_string(),
        };
        // Nobody is left to tell if these fail.
        let _ = self.out().flush();
        if !message.is_empty() {
            let _ = writeln!(anstream::stderr(), "{message}");
        }
    }

    /// Writes what is left and tells the user how it ended.
    pub fn end(&self, outcome: Outcome) -> ExitCode {
        let closed = self.out().close().map_err(Failure::from);
        let Err(failure) = outcome.and(closed) else { return ExitCode::SUCCESS };
        self.tell_failure(&failure);
        failure.exit_code()
    }
}

/// A game of which nothing is known yet.
struct Unanswered<'a> {
    game: &'a str,
    plan: &'a Plan,
}

impl Unanswered<'_> {
    fn draft(&self, json: bool) -> Draft {
        let name = bundled::name(self.game);
        if !json {
            return Draft::Text(format!("{name}: stopped\n").into_bytes());
        }
        let parts = self.plan.parts;
        let mut object = json!({"game": name});
        parts.iter().for_each(|part| object[part] = Value::Null);
        object["stopped"] = json!(parts);
        Draft::Object(object)
    }
}

/// CPU seconds of the process, all threads together.
fn cpu_seconds() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64()
}
