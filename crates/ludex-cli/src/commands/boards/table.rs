//! Table 1 of "Invariant Projections in Games" (2016), beside what is found here.

use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::answers::{BoardComparison, BoardFigures, Boards, Table, sets};
use ludex::facts::boards::Verify;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A row of the paper: its game, files that hold it, relations with arity, calls, total and longest
/// seconds, maximal projections of each relation.
pub struct Row {
    pub game: &'static str,
    pub files: &'static [&'static str],
    pub relations: &'static [&'static str],
    pub calls: usize,
    total: f64,
    longest: f64,
    pub maximal: &'static [&'static [usize]],
    pub note: &'static str,
}

const fn row(
    game: &'static str,
    files: &'static [&'static str],
    figures: (usize, f64, f64),
    maximal: &'static [&'static [usize]],
) -> Row {
    let (calls, total, longest) = figures;
    Row { game, files, relations: &["cell"], calls, total, longest, maximal, note: "" }
}

pub const ROWS: [Row; 13] = [
    row("alquerque", &["alquerque"], (4, 3.76, 1.13), &[&[1, 2]]),
    Row {
        note: "the paper's file is not public; chinesecheckers has its signature",
        ..row("chinesechess", &["chinesechess", "chinesecheckers"], (2, 32.64, 21.41), &[&[1]])
    },
    Row {
        relations: &["oddcell", "evencell"],
        ..row("chinook", &["chinook"], (8, 24.45, 5.73), &[&[1, 2]])
    },
    row("eightpuzzle", &["eightpuzzle"], (6, 0.5, 0.1), &[&[3], &[1, 2]]),
    row("horseshoe", &["horseshoe"], (2, 0.02, 0.01), &[&[1]]),
    row("kono", &["kono"], (4, 0.42, 0.14), &[&[1, 2]]),
    row("multiplehunter", &["multiplehunter"], (4, 16.61, 12.72), &[&[1]]),
    row("multiplekoshi", &["multiplekoshi", "multiplesukoshi"], (16, 1.06, 0.13), &[&[1, 2, 3, 4]]),
    row("multipletictactoe", &["multipletictactoe"], (8, 0.24, 0.04), &[&[1, 2, 3]]),
    row("reflectconnect", &["reflectconnect"], (4, 5.59, 1.8), &[&[1, 2]]),
    row("koshi", &["koshi", "sukoshi"], (4, 0.04, 0.01), &[&[1, 2]]),
    row("tictactoe", &["tictactoe"], (4, 0.04, 0.01), &[&[1, 2]]),
    row("yinsh", &["yinsh"], (4, 1.5, 0.81), &[&[1, 2]]),
];

pub fn run(folder: &str, session: &Session) -> Outcome {
    if !Path::new(folder).is_dir() {
        return Err(Failure::input("unreadable", format!("{folder} is not a folder of games")));
    }
    let header = [
        "game",
        "relation",
        "calls",
        "paper",
        "total s",
        "paper",
        "longest s",
        "paper",
        "maximal",
        "paper",
        "same",
    ];
    let numbers = ["calls", "paper", "total s", "longest s"];
    let mut table = Table::new(&header, &numbers);
    let mut notes = String::new();
    for row in &ROWS {
        let Some(file) = find(folder, row) else {
            notes += &format!("{}: no file in {folder}\n", row.game);
            continue;
        };
        let found = measure(&file, row, session)?;
        table.row(cells(&found));
        notes += &found.to_string();
        if session.json {
            session.give_part(&found)?;
        }
    }
    if session.json {
        return Ok(());
    }
    Ok(write!(session.out(), "{table}{notes}")?)
}

fn find(folder: &str, row: &Row) -> Option<PathBuf> {
    let names = row.files.iter().flat_map(|f| [format!("{f}.kif"), format!("{f}.gdl")]);
    names.map(|n| Path::new(folder).join(n)).find(|p| p.is_file())
}

fn measure(file: &Path, row: &Row, session: &Session) -> Result<BoardComparison, Failure> {
    let (game, budget) = (session.load(&file.to_string_lossy())?, session.budget());
    let found = Boards::of(&game, Verify::Lemmas, session.share(), &budget, &mut |_| ())?;
    budget.check()?;
    let paper = BoardFigures {
        calls: row.calls,
        total_seconds: row.total,
        longest_seconds: row.longest,
        maximal: row.maximal.iter().map(|s| s.to_vec()).collect(),
    };
    Ok(BoardComparison::of(row.game, row.relations, &found, paper, row.note))
}

fn cells(found: &BoardComparison) -> [String; 11] {
    let paper = &found.paper;
    [
        found.game.clone(),
        found.relations.join(", "),
        found.calls.to_string(),
        paper.calls.to_string(),
        format!("{:.2}", found.total_seconds),
        format!("{:.2}", paper.total_seconds),
        format!("{:.3}", found.longest_seconds),
        format!("{:.2}", paper.longest_seconds),
        sets(&found.maximal, false),
        sets(&paper.maximal, false),
        if found.same { "yes".into() } else { "no, see below".into() },
    ]
}
