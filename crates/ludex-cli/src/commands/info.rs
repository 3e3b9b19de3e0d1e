//! `ludex info`: what the rules of a game consist of.

use crate::engine::EngineArg;
use crate::failure::Failure;
use crate::session::{Loaded, Out};
use crate::{Outcome, Session};
use ludex::compile::{Compiled, Job};
use ludex::reason::StateMachine;
use ludex::rules::Inventory;
use ludex::source::Severity;
use ludex::symmetry::same::hash;
use serde_json::{Map, Value, json};
use std::io::Write;

/// Show what a game consists of: roles, relations, functions, the initial state, its size.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ludex info tictactoe
  ludex info --json *.kif")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    #[command(flatten)]
    engine: EngineArg,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.each(&args.games, |game| {
        let info = Info::of(session.load(game)?, &args.engine, session)?;
        if session.json {
            return session.line(&info.json());
        }
        info.print(session)?;
        // Several games are set apart.
        if args.games.len() > 1 { Ok(writeln!(session.out())?) } else { Ok(()) }
    })
}

struct Info {
    warnings: usize,
    lines: usize,
    inventory: Inventory,
    /// The same for every guise of the rules.
    hash: String,
    compiled: Compiled,
    start: Start,
}

impl Info {
    fn of(loaded: Loaded, engine: &EngineArg, session: &Session) -> Result<Info, Failure> {
        let warning = |c: &&ludex::source::Complaint| c.severity == Severity::Warning;
        let inventory = loaded.rules.inventory();
        let hash = hash(&loaded.rules, &session.budget)?;
        let mut compiled = engine.compile_rules(loaded.rules, session)?;
        Ok(Info {
            warnings: loaded.report.complaints.iter().filter(warning).count(),
            lines: loaded.source.text.lines().count(),
            inventory,
            hash,
            start: compiled.run(AtStart)?,
            compiled,
        })
    }

    fn json(&self) -> Value {
        let relations = self.inventory.relations.iter().map(|r| {
            json!({"name": r.name, "arity": r.arity, "facts": r.facts, "rules": r.rules, "uses": r.uses})
        });
        let functions = self.inventory.functions.iter();
        let functions =
            functions.map(|f| json!({"name": f.name, "arity": f.arity, "uses": f.uses}));
        let legal = self.start.legal.iter().map(|(role, count)| (role.clone(), json!(count)));
        json!({
            "game": self.compiled.rules.name,
            "roles": self.roles(),
            "lines": self.lines,
            "facts": self.inventory.facts,
            "rules": self.inventory.rules,
            "constants": self.inventory.constants,
            "relations": relations.collect::<Vec<_>>(),
            "functions": functions.collect::<Vec<_>>(),
            "init": self.start.facts,
            "legal": legal.collect::<Map<_, _>>(),
            "terminal": self.start.terminal,
            "warnings": self.warnings,
            "hash": self.hash,
            "engine": self.compiled.engine.to_string(),
            "why": self.compiled.why,
        })
    }

    fn roles(&self) -> Vec<&str> {
        self.start.legal.iter().map(|(role, _)| role.as_str()).collect()
    }

    fn print(&self, session: &Session) -> Outcome {
        self.print_head(&mut session.out())?;
        self.print_tables(session)?;
        self.print_start(&mut session.out())
    }

    fn print_head(&self, out: &mut Out) -> Outcome {
        let Inventory { relations, functions, constants, facts, rules } = &self.inventory;
        let name = &self.compiled.rules.name;
        writeln!(out, "game      {name}")?;
        writeln!(out, "roles     {}", self.roles().join(", "))?;
        let (relations, functions) = (relations.len(), functions.len());
        writeln!(out, "size      {} lines, {facts} facts, {rules} rules", self.lines)?;
        writeln!(
            out,
            "names     {relations} relations, {functions} functions, {constants} constants"
        )?;
        match self.warnings {
            0 => writeln!(out, "warnings  none")?,
            n => writeln!(out, "warnings  {n} (`ludex check` shows them)")?,
        }
        writeln!(out, "hash      {}", self.hash)?;
        Ok(writeln!(out, "engine    {}: {}", self.compiled.engine, self.compiled.why)?)
    }

    fn print_tables(&self, session: &Session) -> Outcome {
        let numbers = ["arity", "facts", "rules", "used in"];
        let header = ["relation", "arity", "facts", "rules", "used in"];
        let mut table = session.table(&header, &numbers);
        for r in &self.inventory.relations {
            let counts = [r.arity, r.facts, r.rules, r.uses].map(|n| n.to_string());
            table.add_row(std::iter::once(r.name.clone()).chain(counts));
        }
        writeln!(session.out())?;
        session.print_table(&table)?;
        if self.inventory.functions.is_empty() {
            return Ok(());
        }
        let mut table = session.table(&["function", "arity", "used in"], &numbers);
        for f in &self.inventory.functions {
            table.add_row([f.name.clone(), f.arity.to_string(), f.uses.to_string()]);
        }
        writeln!(session.out())?;
        session.print_table(&table)
    }

    fn print_start(&self, out: &mut Out) -> Outcome {
        let Start { facts, legal, terminal } = &self.start;
        writeln!(out, "\ninitial state: {} facts", facts.len())?;
        facts.iter().try_for_each(|fact| writeln!(out, "  {fact}"))?;
        if *terminal {
            return Ok(writeln!(out, "it is terminal")?);
        }
        let legal: Vec<String> = legal.iter().map(|(role, n)| format!("{role} {n}")).collect();
        Ok(writeln!(out, "legal moves: {}", legal.join(", "))?)
    }
}

/// The initial state.
struct Start {
    facts: Vec<String>,
    /// Every role with the number of its legal moves.
    legal: Vec<(String, usize)>,
    terminal: bool,
}

struct AtStart;

impl Job for AtStart {
    type Answer = Start;

    fn run<G: StateMachine>(self, game: &mut G) -> Start {
        let state = game.initial();
        let terminal = game.terminal(&state);
        let count = |game: &mut G, role| {
            let mut moves = Vec::new();
            game.legal(&state, role, &mut moves);
            (game.role_text(role), moves.len())
        };
        let legal = (0..game.roles()).map(|role| count(game, role)).collect();
        Start { facts: game.fact_texts(&state), legal, terminal }
    }
}
