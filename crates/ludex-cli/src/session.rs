//! What every command shares: options, budget, loading a game, and writing the answer.

use crate::bundled;
use crate::failure::{Failure, Outcome};
use crate::limits;
use crate::watch::Watch;
use anstream::AutoStream;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use comfy_table::{CellAlignment, Table, presets};
use ludex::budget::Budget;
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

pub struct Session {
    pub json: bool,
    /// As the user asked for it; none: recognised from the text.
    pub syntax: Option<Syntax>,
    /// Its clock is the CPU time of the process.
    pub budget: Budget,
    pub time_limit: Option<Duration>,
    pub memory_limit: Option<u64>,
    watch: Watch,
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
        Session {
            json: options.json,
            syntax: options.syntax,
            watch: Watch::start(&budget, options.time_limit, options.memory_limit),
            budget,
            time_limit: options.time_limit,
            memory_limit: options.memory_limit,
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

    /// Where the answer is written: `writeln!(session.out(), …)?`. Ends the progress bar.
    pub fn out(&self) -> MutexGuard<'_, Out> {
        self.watch.hide_progress();
        self.out.lock().expect("no panic while held")
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

    /// Writes what is left and tells the user how it ended.
    pub fn end(&self, outcome: Outcome) -> ExitCode {
        let flushed = self.out().flush().map_err(Failure::from);
        let Err(failure) = outcome.and(flushed) else { return ExitCode::SUCCESS };
        let message = failure.to_string();
        if !message.is_empty() {
            // Nobody is left to tell if this fails.
            let _ = writeln!(anstream::stderr(), "{message}");
        }
        failure.exit_code()
    }
}

/// CPU seconds of the process, all threads together.
fn cpu_seconds() -> f64 {
    cpu_time::ProcessTime::now().as_duration().as_secs_f64()
}
