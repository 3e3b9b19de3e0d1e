//! What every command shares: options, budget, loading a game, and writing the answer.

use crate::bundled;
use crate::failure::{Failure, Outcome};
use crate::limits;
use crate::watch::{Limits, Watch};
use anstream::AutoStream;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use comfy_table::{CellAlignment, Table, presets};
use ludex::budget::{Budget, Stop};
use ludex::compile::{Compiled, Engine, compile};
use ludex::ground::{Ground, NotGround};
use ludex::net::Net;
use ludex::rules::Rules;
use ludex::source::{Report, Source};
use ludex::syntax::Syntax;
use std::io::{BufWriter, Stdout, Write};
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard};
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
    #[arg(long, global = true, value_name = "TIME", value_parser = limits::time)]
    time_limit: Option<Duration>,
    /// Stop when the program uses more memory (exit code 3): megabytes, or with a unit, such as
    /// 500MB or 2GB.
    #[arg(long, global = true, value_name = "MEMORY", value_parser = limits::memory)]
    memory_limit: Option<u64>,
}

/// `kif` or `infix` as the user writes them.
pub fn syntax_parser() -> impl TypedValueParser<Value = Syntax> {
    let values = PossibleValuesParser::new(["kif", "infix"]);
    values.map(|name| if name == "kif" { Syntax::Kif } else { Syntax::Infix })
}

/// Grounding gets a share of the user's limits, and no more than this.
const GROUNDING_TIME: Duration = Duration::from_secs(20);
const GROUNDING_MEMORY: u64 = 4_000_000_000;
/// Without a limit of the user's a question about the net may take so long, and its making so long: the
/// largest games that are known to have one need half of that, or all of it on a busy machine.
const PATIENCE: Duration = Duration::from_secs(8);
const PATIENCE_FOR_NET: Duration = Duration::from_secs(16);

pub struct Session {
    pub json: bool,
    /// As the user asked for it; none: recognised from the text.
    pub syntax: Option<Syntax>,
    /// Its clock is the CPU time of the process.
    pub budget: Budget,
    watch: Watch,
    /// Did the user set a limit of time?
    limited: bool,
    /// What grounding may use before the reasoner is taken instead, if no engine is asked for.
    grounding: Limits,
    out: Mutex<Out>,
}

/// Standard output; colours are dropped where it is no terminal or `NO_COLOR` is set.
pub type Out = BufWriter<AutoStream<Stdout>>;

/// The rules of a game, the text they were read from, and the warnings about it.
pub struct Loaded {
    pub source: Source,
    pub rules: Rules,
    pub report: Report,
}

impl Session {
    pub fn new(options: &Options) -> Session {
        let budget = Budget::new(cpu_seconds);
        let limits = Limits { time: options.time_limit, memory: options.memory_limit };
        Session {
            json: options.json,
            syntax: options.syntax,
            watch: Watch::start(&budget, limits),
            limited: limits.time.is_some(),
            grounding: Limits {
                time: Some(limits.time.map_or(GROUNDING_TIME, |t| GROUNDING_TIME.min(t / 3))),
                memory: Some(
                    limits.memory.map_or(GROUNDING_MEMORY, |m| GROUNDING_MEMORY.min(m / 2)),
                ),
            },
            budget,
            out: Mutex::new(BufWriter::new(AutoStream::auto(std::io::stdout()))),
        }
    }

    /// The text of GAME.
    pub fn source(&self, game: &str) -> Result<Source, Failure> {
        bundled::load(game)
    }

    /// The rules of GAME. Faults of the rules become the message of the failure.
    pub fn load(&self, game: &str) -> Result<Loaded, Failure> {
        let source = self.source(game)?;
        match Rules::read(&source, self.syntax) {
            Ok((rules, report)) => Ok(Loaded { source, rules, report }),
            Err(report) => Err(Failure::Input(report.render_coloured(&source))),
        }
    }

    /// The rules of a part of a game: a few clauses are enough.
    pub fn load_part(&self, game: &str) -> Result<Rules, Failure> {
        let source = self.source(game)?;
        let rules = Rules::read_part(&source, self.syntax);
        rules.map(|r| r.0).map_err(|report| Failure::Input(report.render_coloured(&source)))
    }

    /// The bytes that the user allows.
    pub fn memory_limit(&self) -> Option<u64> {
        self.watch.memory_limit()
    }

    /// The part of the budget that may be spent on grounding.
    pub fn grounding(&self) -> Budget {
        self.watch.part(self.grounding)
    }

    /// A part of the budget with a time of its own, from now on.
    pub fn lasting(&self, time: Duration) -> Budget {
        self.watch.part(Limits { time: Some(time), memory: None })
    }

    /// Makes budgets for grounding beside a match, which end with its memory only.
    pub fn grounding_beside(&self) -> impl Fn() -> Budget + Send + Sync + 'static {
        let (watch, memory) = (self.watch.clone(), self.grounding.memory);
        move || watch.part(Limits { time: None, memory })
    }

    /// All that the user allows, or else so much that a question is answered soon.
    pub fn patient(&self) -> Budget {
        self.at_most(PATIENCE)
    }

    /// All that the user allows, or else a part with this time.
    fn at_most(&self, time: Duration) -> Budget {
        let limits = Limits { time: Some(time), ..self.grounding };
        if self.limited { self.budget.clone() } else { self.watch.part(limits) }
    }

    /// The net of a game, for what cannot be done without: within the user's limit, or else within a time
    /// after which larger games should be asked for on purpose.
    pub fn net(&self, rules: &Rules) -> Result<(Ground, Net), Failure> {
        let part = self.at_most(PATIENCE_FOR_NET);
        let stopped = |why: NotGround| match why {
            NotGround::Stopped(_) if self.budget.check().is_ok() => Failure::TooLarge(format!(
                "stopped: {} could not be grounded in {} seconds; --time-limit gives it more",
                rules.name,
                PATIENCE_FOR_NET.as_secs()
            )),
            why => why.into(),
        };
        let ground = Ground::new(rules, &part).map_err(stopped)?;
        let net = Net::new(&ground, &part).map_err(|stop| stopped(stop.into()))?;
        Ok((ground, net))
    }

    /// The net of a game for proofs, within all that the user allows. Where that is not enough, the answer
    /// (with --json an object with `error`) says what to do.
    pub fn net_for_proofs(&self, rules: &Rules) -> Result<(Ground, Net), Failure> {
        let grounded = Ground::new(rules, &self.budget).and_then(|ground| {
            let net = Net::new(&ground, &self.budget)?;
            Ok((ground, net))
        });
        grounded.map_err(|why| {
            let failure = match why {
                NotGround::Stopped(stop @ (Stop::Time | Stop::Memory)) => {
                    let option = if stop == Stop::Time { "--time-limit" } else { "--memory-limit" };
                    Failure::TooLarge(format!(
                        "{stop} while grounding {}, without which nothing is proved; \
                         a larger {option} gives it more",
                        rules.name
                    ))
                }
                why => why.into(),
            };
            if let (true, Failure::TooLarge(message)) = (self.json, &failure) {
                // The failure itself is told in any case.
                let _ = self.line(&serde_json::json!({"game": rules.name, "error": message}));
            }
            failure
        })
    }

    /// The part of the budget that may be spent on trying out what has been found.
    pub fn trial(&self) -> Budget {
        let time = self.grounding.time.map(|t| t / 4);
        self.watch.part(Limits { time, ..self.grounding })
    }

    /// Makes the engine of a game: the one wished for, or the fastest that can run it.
    pub fn compile(&self, rules: Rules, wish: Option<Engine>) -> Result<Compiled, Failure> {
        Ok(compile(rules, wish, &self.budget, &self.grounding())?)
    }

    /// Where the answer is written: `writeln!(session.out(), …)?`. Ends the progress bar.
    pub fn out(&self) -> MutexGuard<'_, Out> {
        self.watch.hide_progress();
        self.out.lock().expect("no panic while held")
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
    pub fn line(&self, object: &serde_json::Value) -> Outcome {
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
    /// an object with `error`) and does not keep the others from their turn.
    pub fn each(&self, games: &[String], mut run: impl FnMut(&str) -> Outcome) -> Outcome {
        let mut ending = Ok(());
        for game in games {
            let outcome = run(game);
            if let (true, Err(Failure::Input(message))) = (self.json, &outcome) {
                let message = anstream::adapter::strip_str(message.trim_end()).to_string();
                self.line(&serde_json::json!({"game": game, "error": message}))?;
            }
            match outcome {
                Err(failure @ (Failure::Input(_) | Failure::Refuted)) => {
                    self.tell(&failure);
                    ending = Err(Failure::Refuted);
                }
                outcome => outcome?,
            }
        }
        ending
    }

    /// Writes the message of a failure, after what was written before it.
    fn tell(&self, failure: &Failure) {
        let stage = self.budget.progress().0;
        let message = match failure {
            Failure::Stopped(stop) if !stage.is_empty() => format!("{stop} ({stage})"),
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
        let flushed = self.out().flush().map_err(Failure::from);
        let Err(failure) = outcome.and(flushed) else { return ExitCode::SUCCESS };
        self.tell(&failure);
        failure.exit_code()
    }
}

/// CPU seconds of the process, all threads together.
fn cpu_seconds() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64()
}
