//! `ludex survey`: what all analyses of many games come to, a row a game.

use crate::commands::same::games_in;
use crate::failure::Failure;
use crate::session::LONG;
use crate::{Outcome, Session};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ludex_answers::{SurveyAnalysis, SurveyRow};
use std::io::Write;
use std::path::Path;

/// Print a table of what all analyses find out about games, each in the same time.
#[derive(clap::Args)]
#[command(after_help = "\
The analyses are those of symmetry, boards, latches and factor, and ends: does every match end? With --cache a run that \
was stopped goes on where it was: rows of rules that have not changed are kept.

Examples:
  ludex survey tictactoe nim
  ludex survey games --seconds 1 --cache kept
  ludex survey games --only ends,boards")]
pub struct Args {
    /// Folders with games, files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// CPU seconds for each analysis of a game.
    #[arg(long, value_name = "S", default_value_t = 10.0)]
    seconds: f64,
    /// Only these analyses: symmetry, ends, boards, latches or factor, with commas between.
    #[arg(long, value_name = "ANALYSES", value_delimiter = ',', value_parser = analysis())]
    only: Vec<SurveyAnalysis>,
}

/// The names of the analyses.
fn analysis() -> impl TypedValueParser<Value = SurveyAnalysis> {
    let named = |name: String| SurveyAnalysis::ALL.into_iter().find(|a| a.name() == name);
    PossibleValuesParser::new(SurveyAnalysis::ALL.map(SurveyAnalysis::name))
        .map(move |name| named(name).expect("a possible value"))
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    let mut games = Vec::new();
    for game in &args.games {
        match Path::new(game).is_dir() {
            true => {
                games.extend(games_in(Path::new(game))?.iter().map(|p| p.display().to_string()))
            }
            false => games.push(game.clone()),
        }
    }
    let analyses = if args.only.is_empty() { &SurveyAnalysis::ALL[..] } else { &args.only };
    let names: Vec<&str> = analyses.iter().map(|a| a.name()).collect();
    let question = format!("survey {} {}", args.seconds, names.join(","));
    if !session.json {
        writeln!(session.out(), "{}", SurveyRow::HEADER)?;
    }
    let mut rows: Vec<SurveyRow> = Vec::new();
    session.answer_each(&games, LONG, SurveyRow::unknown, |game| {
        let (game, budget) = (session.load(game)?, session.budget());
        let make = || {
            let hold = &mut |row| session.hold(row);
            SurveyRow::of(&game, analyses, args.seconds, &budget, hold).map_err(Failure::from)
        };
        let row = session.kept(&game, &question, make)?;
        rows.push(row.clone());
        if !session.json {
            session.add_row(SurveyRow::summary(&rows))?;
        }
        session.give(row)
    })
}
