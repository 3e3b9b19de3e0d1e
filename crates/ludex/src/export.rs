//! A game -> the languages of other tools: circuits for model checkers, logic programs, planning problems,
//! graphs.

mod aig;
mod aiger;
mod asp;
mod btor2;
mod graph;
mod pddl;
mod smt2;

use crate::Game;
use aig::Aig;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::source::Misread;
use ludex_net::ground::NotGround;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A language to write a game in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// AIGER 1.9, ASCII: the net as and-gates and latches, for model checkers.
    Aiger,
    /// A logic program over steps of a match, for clingo.
    Asp,
    /// The same of the ground rules, without variables but for the step.
    #[serde(rename = "asp-ground")]
    AspGround,
    /// BTOR2, for word-level model checkers.
    Btor2,
    /// SMT-LIB 2 with the annotations of VMT-LIB, for SMT solvers and model checkers.
    Smt2,
    /// PDDL with derived predicates and conditional effects, for planners; one role only.
    Pddl,
    /// The net for Graphviz.
    Dot,
    /// The net for programs that work on graphs.
    Graphml,
}

/// Why a game cannot be written in a language.
#[derive(Debug)]
pub enum NotExported {
    /// There is no net.
    NotGround(NotGround),
    /// The language has no words for it.
    Unfit(String),
}

impl ExportFormat {
    /// All of them, in the order in which they are told.
    pub const ALL: [ExportFormat; 8] = [
        ExportFormat::Aiger,
        ExportFormat::Asp,
        ExportFormat::AspGround,
        ExportFormat::Btor2,
        ExportFormat::Smt2,
        ExportFormat::Pddl,
        ExportFormat::Dot,
        ExportFormat::Graphml,
    ];
}

/// The game in a language.
pub fn export(game: &Game, format: ExportFormat, budget: &Budget) -> Result<String, NotExported> {
    match format {
        ExportFormat::Asp => return Ok(asp::program(game.rules())),
        ExportFormat::AspGround => {
            let ground = game.knowledge().ground(budget)?;
            return Ok(asp::program(&asp::ground_rules(game.name(), &ground)));
        }
        _ => {}
    }
    let net = game.knowledge().net(budget)?;
    let circuit = || Aig::new(&net, budget);
    Ok(match format {
        ExportFormat::Aiger => aiger::text(&circuit()?),
        ExportFormat::Btor2 => btor2::text(&circuit()?),
        ExportFormat::Smt2 => smt2::text(&circuit()?),
        ExportFormat::Pddl => pddl::text(circuit()?, budget)?,
        ExportFormat::Dot => net.dot(),
        ExportFormat::Graphml => graph::graphml(&net),
        ExportFormat::Asp | ExportFormat::AspGround => unreachable!("it needs no net"),
    })
}

impl fmt::Display for ExportFormat {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            ExportFormat::Aiger => "aiger",
            ExportFormat::Asp => "asp",
            ExportFormat::AspGround => "asp-ground",
            ExportFormat::Btor2 => "btor2",
            ExportFormat::Smt2 => "smt2",
            ExportFormat::Pddl => "pddl",
            ExportFormat::Dot => "dot",
            ExportFormat::Graphml => "graphml",
        })
    }
}

impl FromStr for ExportFormat {
    type Err = Misread;

    fn from_str(name: &str) -> Result<ExportFormat, Misread> {
        let named = ExportFormat::ALL.into_iter().find(|format| format.to_string() == name);
        named.ok_or_else(|| Misread(format!("there is no format {name}")))
    }
}

impl fmt::Display for NotExported {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NotExported::NotGround(why) => why.fmt(f),
            NotExported::Unfit(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for NotExported {}

impl From<NotGround> for NotExported {
    fn from(why: NotGround) -> NotExported {
        NotExported::NotGround(why)
    }
}

impl From<Stop> for NotExported {
    fn from(stop: Stop) -> NotExported {
        NotExported::NotGround(NotGround::Stopped(stop))
    }
}
