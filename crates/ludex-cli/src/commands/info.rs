//! `ludex info`: what the rules of a game consist of.

use crate::engine::EngineArg;
use crate::output::Output;
use crate::session::{Answer, Plan, STOPPED};
use crate::{Outcome, Session};
use ludex::Game;
use ludex::compile::{Job, reasoner};
use ludex::reason::StateMachine;
use ludex::rules::{Inventory, is_chance};
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

const PLAN: Plan = Plan::soon(&[
    "roles",
    "chance",
    "lines",
    "facts",
    "rules",
    "constants",
    "relations",
    "functions",
    "init",
    "legal",
    "terminal",
    "warnings",
    "hash",
    "engine",
    "why",
]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.each(&args.games, &PLAN, |game| {
        let game = session.load(game)?;
        let mut info = Info::new(&game, args.games.len() > 1);
        info.complete(&game, &args.engine, session)?;
        session.tell(&info)
    })
}

/// Each part is there as soon as it is known; none: it is not known yet.
struct Info {
    name: String,
    warnings: usize,
    lines: usize,
    inventory: Inventory,
    start: Option<Start>,
    /// The same for every guise of the rules.
    hash: Option<String>,
    /// The engine, and why.
    engine: Option<(String, String)>,
    /// Several games are set apart.
    several: bool,
}

impl Info {
    fn new(game: &Game, several: bool) -> Info {
        let warning = |c: &&ludex::source::Complaint| c.severity == Severity::Warning;
        Info {
            name: game.name().into(),
            warnings: game.report().complaints.iter().filter(warning).count(),
            lines: game.source().text.lines().count(),
            inventory: game.rules().inventory(),
            start: None,
            hash: None,
            engine: None,
            several,
        }
    }

    /// Finds the rest, what comes soonest first.
    fn complete(&mut self, game: &Game, engine: &EngineArg, session: &Session) -> Outcome {
        let budget = session.budget();
        session.draft(self)?;
        let start = reasoner(game.knowledge().clone(), true, &budget)?.run(AtStart)?;
        budget.check()?;
        self.start = Some(start);
        session.draft(self)?;
        self.hash = Some(hash(game.rules(), &budget)?);
        session.draft(self)?;
        let compiled = engine.compile_game(game, session)?;
        self.engine = Some((compiled.engine.to_string(), compiled.why));
        Ok(())
    }

    fn stopped(&self) -> Vec<&str> {
        let start =
            self.start.is_none().then_some(["roles", "chance", "init", "legal", "terminal"]);
        let hash = self.hash.is_none().then_some("hash");
        let engine = self.engine.is_none().then_some(["engine", "why"]);
        start.into_iter().flatten().chain(hash).chain(engine.into_iter().flatten()).collect()
    }

    fn roles(&self) -> Option<Vec<&str>> {
        Some(self.start.as_ref()?.legal.iter().map(|(role, _)| role.as_str()).collect())
    }

    /// The role that moves by chance.
    fn chance(&self) -> Option<&str> {
        self.roles()?.into_iter().find(|role| is_chance(role))
    }

    fn print_head(&self, out: &mut Output) -> Outcome {
        let Inventory { relations, functions, constants, facts, rules } = &self.inventory;
        writeln!(out, "game      {}", self.name)?;
        writeln!(out, "roles     {}", self.roles().map_or(STOPPED.into(), |r| r.join(", ")))?;
        if let Some(chance) = self.chance() {
            writeln!(
                out,
                "chance    {chance}: each legal move is equally likely, and nobody plays it"
            )?;
        }
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
        writeln!(out, "hash      {}", self.hash.as_deref().unwrap_or(STOPPED))?;
        let engine = self.engine.as_ref().map(|(engine, why)| format!("{engine}: {why}"));
        Ok(writeln!(out, "engine    {}", engine.as_deref().unwrap_or(STOPPED))?)
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

    fn print_start(&self, out: &mut Output) -> Outcome {
        let Some(Start { facts, legal, terminal }) = &self.start else {
            return Ok(writeln!(out, "\ninitial state: {STOPPED}")?);
        };
        writeln!(out, "\ninitial state: {} facts", facts.len())?;
        facts.iter().try_for_each(|fact| writeln!(out, "  {fact}"))?;
        if *terminal {
            return Ok(writeln!(out, "it is terminal")?);
        }
        let legal: Vec<String> = legal.iter().map(|(role, n)| format!("{role} {n}")).collect();
        Ok(writeln!(out, "legal moves: {}", legal.join(", "))?)
    }
}

impl Answer for Info {
    fn object(&self) -> Value {
        let relations = self.inventory.relations.iter().map(|r| {
            json!({"name": r.name, "arity": r.arity, "facts": r.facts, "rules": r.rules, "uses": r.uses})
        });
        let functions = self.inventory.functions.iter();
        let functions =
            functions.map(|f| json!({"name": f.name, "arity": f.arity, "uses": f.uses}));
        let start = self.start.as_ref();
        let counts = |start: &Start| -> Map<String, Value> {
            start.legal.iter().map(|(role, count)| (role.clone(), json!(count))).collect()
        };
        json!({
            "game": self.name,
            "roles": self.roles(),
            "chance": self.chance(),
            "lines": self.lines,
            "facts": self.inventory.facts,
            "rules": self.inventory.rules,
            "constants": self.inventory.constants,
            "relations": relations.collect::<Vec<_>>(),
            "functions": functions.collect::<Vec<_>>(),
            "init": start.map(|s| &s.facts),
            "legal": start.map(counts),
            "terminal": start.map(|s| s.terminal),
            "warnings": self.warnings,
            "hash": self.hash,
            "engine": self.engine.as_ref().map(|e| &e.0),
            "why": self.engine.as_ref().map(|e| &e.1),
            "stopped": self.stopped(),
        })
    }

    fn print(&self, session: &Session) -> Outcome {
        self.print_head(&mut session.out())?;
        self.print_tables(session)?;
        self.print_start(&mut session.out())?;
        if self.several { Ok(writeln!(session.out())?) } else { Ok(()) }
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
