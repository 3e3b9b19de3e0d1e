//! What `games`, `fmt`, `qbf` and `rulegraph` answer: texts of rules, and graphs of them.

use crate::account::{Account, Meter, answers};
use crate::fault::{Fault, Unanswered};
use ludex::game::Bundled;
use ludex::qbf;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Rel, Rules};
use ludex_gdl::source::{Report, Source};
use ludex_gdl::syntax::{Ast, Syntax};
use ludex_symmetry::{Normal, RuleGraph, Style, feeds, normalise};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A bundled game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameEntry {
    pub game: String,
    /// The first sentence of the comment that opens it.
    pub about: String,
    #[serde(flatten)]
    pub account: Account,
}

/// The rules of a game as text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GameText {
    /// None where the rules were made of something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    pub rules: String,
    #[serde(flatten)]
    pub account: Account,
}

/// Rules laid out anew.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Formatted {
    pub game: String,
    pub syntax: WrittenIn,
    /// Is the text another one than before?
    pub changed: bool,
    /// Where it is not written to a file, or only to be checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(flatten)]
    pub account: Account,
}

/// A way to write rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum WrittenIn {
    #[default]
    Kif,
    Infix,
}

/// The rule graph of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleGraphText {
    pub game: String,
    pub style: Option<GraphStyle>,
    pub vertices: Vec<GraphVertex>,
    /// Pairs of numbers of vertices.
    pub edges: Vec<(u32, u32)>,
    #[serde(flatten)]
    pub account: Account,
    /// In the language of Graphviz.
    #[serde(skip)]
    pub dot: String,
}

/// Which rule graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GraphStyle {
    /// Genesereth and Thielscher, Definition 14.2.
    Plain,
    /// Schiffel, 2010.
    Enhanced,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphVertex {
    pub id: usize,
    pub label: String,
    pub name: String,
}

answers!(GameEntry, GameText, Formatted, RuleGraphText);

impl GameEntry {
    /// All bundled games.
    pub fn all() -> Vec<GameEntry> {
        let entry = |game: Bundled| GameEntry {
            game: game.name().into(),
            about: about(game.text),
            account: Account::default(),
        };
        Bundled::all().map(entry).collect()
    }
}

/// The first sentence of the comment that opens a file.
fn about(text: &str) -> String {
    let comment = text.lines().take_while(|line| line.starts_with([';', '%']));
    let words = comment.map(|line| line.trim_start_matches([';', '%']).trim());
    let text = words.collect::<Vec<_>>().join(" ");
    let end = text.find(". ").map_or(text.len(), |at| at + 1);
    text[..end].to_string()
}

impl GameText {
    pub fn new(game: &str, rules: &str) -> GameText {
        GameText { game: Some(game.into()), rules: rules.into(), account: Account::default() }
    }

    /// The game of a quantified formula in QDIMACS.
    pub fn of_formula(file: &str, formula: &str) -> Result<GameText, Box<Fault>> {
        let formula = qbf::parse(formula).map_err(|why| {
            let file = Some(file.to_string());
            Box::new(Fault { file, ..Fault::new("bad-formula", why.to_string()) })
        })?;
        let rules = qbf::game(&formula);
        Ok(GameText { game: None, rules, account: Account::default() })
    }
}

impl Formatted {
    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Formatted {
        let account = Account::unknown(&["text", "changed"]);
        Formatted { game: game.into(), account, ..Formatted::default() }
    }

    /// A source laid out anew, in the same syntax or another; the errors where it cannot be read.
    pub fn of(
        game: &str,
        source: &Source,
        read: Option<Syntax>,
        to: Option<Syntax>,
    ) -> Result<Formatted, Report> {
        let mut report = Report::default();
        let ast = Ast::parse(source, read, &mut report);
        if report.has_errors() {
            return Err(report);
        }
        let syntax = to.unwrap_or(ast.syntax);
        let text = ast.format(source, syntax);
        let changed = text != source.text;
        let syntax = match syntax {
            Syntax::Kif => WrittenIn::Kif,
            Syntax::Infix => WrittenIn::Infix,
        };
        let account = Account::default();
        Ok(Formatted { game: game.into(), syntax, changed, text: Some(text), account })
    }
}

/// Which rules are drawn, and how.
pub struct RuleGraphQuestion {
    pub style: GraphStyle,
    /// Keep the rules of init.
    pub with_init: bool,
    /// Bring the rules into normal form first.
    pub normal: bool,
}

impl RuleGraphText {
    pub fn of(
        rules: &Rules,
        question: &RuleGraphQuestion,
        budget: &Budget,
    ) -> Result<RuleGraphText, Unanswered> {
        let meter = Meter::alone(budget);
        let normal = question.rules(rules, budget)?;
        let fixed = feeds::constants(&normal.with_sources(), Rel::GOAL, 1);
        let style = match question.style {
            GraphStyle::Plain => Style::Plain,
            GraphStyle::Enhanced => Style::Enhanced,
        };
        let graph = RuleGraph::new(&normal.rules, style, &fixed);
        let vertices = graph.vertices.iter().enumerate().map(|(id, v)| GraphVertex {
            id,
            label: v.label.to_string(),
            name: v.name.clone(),
        });
        Ok(RuleGraphText {
            game: rules.name.clone(),
            style: Some(question.style),
            vertices: vertices.collect(),
            edges: graph.arcs.clone(),
            account: meter.account(),
            dot: graph.to_string(),
        })
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> RuleGraphText {
        let account = Account::unknown(&["style", "vertices", "edges"]);
        RuleGraphText { game: game.into(), account, ..RuleGraphText::default() }
    }
}

impl RuleGraphQuestion {
    fn rules(&self, rules: &Rules, budget: &Budget) -> Result<Normal, Stop> {
        let mut roots = vec![Rel::ROLE, Rel::LEGAL, Rel::NEXT, Rel::TERMINAL, Rel::GOAL];
        if self.with_init {
            roots.push(Rel::INIT);
        }
        if self.normal {
            return normalise(rules, &roots, budget);
        }
        let mut normal = Normal::as_written(rules.clone());
        let left_out =
            |rel: Rel| matches!(rel, Rel::INIT | Rel::BASE | Rel::INPUT) && !roots.contains(&rel);
        normal.rules.rules.retain(|r| !left_out(r.head.rel));
        Ok(normal)
    }
}

impl fmt::Display for GameEntry {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}  {}", self.game, self.about)
    }
}

impl fmt::Display for GameText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.rules)
    }
}

impl fmt::Display for Formatted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.text.as_deref().unwrap_or(""))
    }
}

impl fmt::Display for RuleGraphText {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.dot)
    }
}
