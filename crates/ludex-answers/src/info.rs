//! What `info` answers: what the rules of a game consist of.

use crate::account::{Account, Meter, answers};
use crate::fault::Unanswered;
use crate::status::ByRole;
use crate::table::Table;
use ludex::Game;
use ludex::compile::{Engine, Job, Means, reasoner};
use ludex_gdl::rules::is_chance;
use ludex_reason::StateMachine;
use ludex_symmetry::same::hash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a game consists of: roles, relations, functions, the initial state, its size.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameInfo {
    pub game: String,
    pub roles: Option<Vec<String>>,
    /// The role that moves by chance.
    pub chance: Option<String>,
    /// Lines of the text.
    pub lines: Option<usize>,
    pub facts: Option<usize>,
    pub rules: Option<usize>,
    pub constants: Option<usize>,
    pub relations: Vec<RelationInfo>,
    pub functions: Vec<FunctionInfo>,
    /// The facts of the initial state.
    pub init: Option<Vec<String>>,
    /// The number of legal moves in the initial state.
    pub legal: Option<ByRole<usize>>,
    /// Is the initial state terminal?
    pub terminal: Option<bool>,
    /// The same for every guise of the rules.
    pub hash: Option<String>,
    /// The engine that runs the game.
    pub engine: Option<Engine>,
    /// Why it is that one.
    pub why: Option<String>,
    #[serde(flatten)]
    pub account: Account,
}

/// A relation of the rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RelationInfo {
    pub name: String,
    pub arity: usize,
    /// Facts that state it.
    pub facts: usize,
    /// Rules that define it.
    pub rules: usize,
    /// Rules that ask for it.
    pub uses: usize,
}

/// A function of the rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionInfo {
    pub name: String,
    pub arity: usize,
    pub uses: usize,
}

answers!(GameInfo);

const OF_START: [&str; 5] = ["roles", "chance", "init", "legal", "terminal"];
const OF_ENGINE: [&str; 2] = ["engine", "why"];

impl GameInfo {
    /// What comes soonest first, and shown to `watch`.
    pub fn of(
        game: &Game,
        wish: Option<Engine>,
        means: Means,
        watch: &mut dyn FnMut(GameInfo),
    ) -> Result<GameInfo, Unanswered> {
        let budget = means.whole;
        let meter = Meter::new(game, budget);
        let mut info = GameInfo::of_rules(game);
        let engine = [&["hash"][..], &OF_ENGINE].concat();
        info.account = meter.draft(&[&OF_START[..], &engine].concat());
        watch(info.clone());
        let start = reasoner(game.knowledge().clone(), true, budget)?.run(AtStart)?;
        budget.check()?;
        info.begin(start);
        info.account = meter.draft(&engine);
        watch(info.clone());
        info.hash = Some(hash(game.rules(), budget)?);
        info.account = meter.draft(&OF_ENGINE);
        watch(info.clone());
        let compiled = game.compile(wish, means)?;
        (info.engine, info.why) = (Some(compiled.engine), Some(compiled.why));
        info.account = meter.account();
        Ok(info)
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> GameInfo {
        let rules = ["lines", "facts", "rules", "constants", "relations", "functions", "warnings"];
        let parts = [&OF_START[..], &rules, &["hash"], &OF_ENGINE].concat();
        GameInfo { game: game.into(), account: Account::unknown(&parts), ..GameInfo::default() }
    }

    /// What the rules alone tell.
    fn of_rules(game: &Game) -> GameInfo {
        let inventory = game.rules().inventory();
        let relations = inventory.relations.iter().map(|r| RelationInfo {
            name: r.name.clone(),
            arity: r.arity,
            facts: r.facts,
            rules: r.rules,
            uses: r.uses,
        });
        let functions = inventory.functions.iter();
        let functions =
            functions.map(|f| FunctionInfo { name: f.name.clone(), arity: f.arity, uses: f.uses });
        GameInfo {
            game: game.name().into(),
            lines: Some(game.source().text.lines().count()),
            facts: Some(inventory.facts),
            rules: Some(inventory.rules),
            constants: Some(inventory.constants),
            relations: relations.collect(),
            functions: functions.collect(),
            ..GameInfo::default()
        }
    }

    fn begin(&mut self, start: Start) {
        self.roles = Some(start.legal.keys().cloned().collect());
        self.chance = start.legal.keys().find(|role| is_chance(role)).cloned();
        (self.init, self.legal) = (Some(start.facts), Some(start.legal));
        self.terminal = Some(start.terminal);
    }
}

/// The initial state.
struct Start {
    facts: Vec<String>,
    legal: ByRole<usize>,
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

impl fmt::Display for GameInfo {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.write_head(f)?;
        self.write_tables(f)?;
        self.write_start(f)
    }
}

impl GameInfo {
    fn write_head(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let number = |n: Option<usize>| n.unwrap_or(0);
        writeln!(f, "game      {}", self.game)?;
        let roles = self.roles.as_ref().map_or("stopped".into(), |r| r.join(", "));
        writeln!(f, "roles     {roles}")?;
        if let Some(chance) = &self.chance {
            writeln!(
                f,
                "chance    {chance}: each legal move is equally likely, and nobody plays it"
            )?;
        }
        let (lines, facts, rules) = (number(self.lines), number(self.facts), number(self.rules));
        writeln!(f, "size      {lines} lines, {facts} facts, {rules} rules")?;
        let (relations, functions) = (self.relations.len(), self.functions.len());
        let constants = number(self.constants);
        writeln!(
            f,
            "names     {relations} relations, {functions} functions, {constants} constants"
        )?;
        match self.account.warnings.len() {
            0 => writeln!(f, "warnings  none")?,
            n => writeln!(f, "warnings  {n} (`ludex check` shows them)")?,
        }
        writeln!(f, "hash      {}", self.hash.as_deref().unwrap_or("stopped"))?;
        match self.engine.zip(self.why.as_ref()) {
            Some((engine, why)) => writeln!(f, "engine    {engine}: {why}"),
            None => writeln!(f, "engine    stopped"),
        }
    }

    fn write_tables(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let numbers = ["arity", "facts", "rules", "used in"];
        let header = ["relation", "arity", "facts", "rules", "used in"];
        let mut table = Table::new(&header, &numbers);
        for r in &self.relations {
            let counts = [r.arity, r.facts, r.rules, r.uses].map(|n| n.to_string());
            table.row(std::iter::once(r.name.clone()).chain(counts));
        }
        write!(f, "\n{table}")?;
        if self.functions.is_empty() {
            return Ok(());
        }
        let mut table = Table::new(&["function", "arity", "used in"], &numbers);
        for function in &self.functions {
            let counts = [function.arity, function.uses].map(|n| n.to_string());
            table.row(std::iter::once(function.name.clone()).chain(counts));
        }
        write!(f, "\n{table}")
    }

    fn write_start(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some((facts, legal)) = self.init.as_ref().zip(self.legal.as_ref()) else {
            return writeln!(f, "\ninitial state: stopped");
        };
        writeln!(f, "\ninitial state: {} facts", facts.len())?;
        facts.iter().try_for_each(|fact| writeln!(f, "  {fact}"))?;
        if self.terminal == Some(true) {
            return writeln!(f, "it is terminal");
        }
        let legal: Vec<String> = legal.iter().map(|(role, n)| format!("{role} {n}")).collect();
        writeln!(f, "legal moves: {}", legal.join(", "))
    }
}
