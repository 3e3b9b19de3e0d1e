//! Table 1 of "Invariant Projections in Games" (2016), beside what is found here.

use super::{Subject, sets};
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::facts::boards::{Projection, Verify, set};
use serde_json::json;
use std::path::{Path, PathBuf};

/// A row of the paper: its game, files that hold it, relations with arity, calls, total and longest
/// seconds, maximal projections of each relation.
struct Row {
    game: &'static str,
    files: &'static [&'static str],
    relations: &'static [&'static str],
    calls: usize,
    total: f64,
    longest: f64,
    maximal: &'static [&'static [usize]],
    note: &'static str,
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

const ROWS: [Row; 13] = [
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
        return Err(Failure::Input(format!("error: {folder} is not a folder of games")));
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
    let mut table = session.table(&header, &numbers);
    let mut notes = Vec::new();
    for row in &ROWS {
        let Some(file) = find(folder, row) else {
            notes.push(format!("{}: no file in {folder}", row.game));
            continue;
        };
        let found = measure(&file, row, session)?;
        if session.json {
            session.line(&found.object(row))?;
        }
        table.add_row(found.cells(row));
        notes.extend((!row.note.is_empty()).then(|| format!("{}: {}", row.game, row.note)));
        notes.extend(found.more.iter().map(|more| format!("{}: {more}", row.game)));
    }
    if session.json {
        return Ok(());
    }
    session.print_table(&table)?;
    let mut out = session.out();
    use std::io::Write;
    Ok(notes.iter().try_for_each(|note| writeln!(out, "{note}"))?)
}

fn find(folder: &str, row: &Row) -> Option<PathBuf> {
    let names = row.files.iter().flat_map(|f| [format!("{f}.kif"), format!("{f}.gdl")]);
    names.map(|n| Path::new(folder).join(n)).find(|p| p.is_file())
}

struct Found {
    calls: usize,
    /// With the search for lemmas.
    total: f64,
    longest: f64,
    /// Equal for all relations of the row.
    maximal: Vec<Vec<usize>>,
    /// Why projections are invariant that the paper does not have.
    more: Vec<String>,
}

fn measure(file: &Path, row: &Row, session: &Session) -> Result<Found, Failure> {
    let subject = Subject::new(session.load(&file.to_string_lossy())?, session)?;
    let (boards, lemmas) = subject.boards(Verify::Lemmas, session, |_| Ok(()))?;
    session.budget().check()?;
    let named = boards.relations.iter().filter(|r| row.relations.contains(&r.relation.as_str()));
    let of: Vec<_> = named.collect();
    let maximal = of.first().map(|r| r.maximal.clone()).unwrap_or_default();
    let equal = of.iter().all(|r| r.maximal == maximal);
    let new =
        |p: &&Projection| maximal.contains(&p.places) && !row.maximal.contains(&&p.places[..]);
    let more = of.iter().flat_map(|r| &r.projections).filter(new);
    let more = more.map(|p| format!("{} is invariant too: {}", set(&p.places), p.answer));
    let more = more.collect();
    Ok(Found {
        calls: of.iter().map(|r| r.calls).sum(),
        total: lemmas + of.iter().map(|r| r.seconds).sum::<f64>(),
        longest: of.iter().map(|r| r.longest).fold(0.0, f64::max),
        maximal: if equal { maximal } else { vec![] },
        more,
    })
}

impl Found {
    fn same(&self, row: &Row) -> bool {
        let sorted = |mut sets: Vec<Vec<usize>>| {
            sets.sort();
            sets
        };
        let paper = row.maximal.iter().map(|s| s.to_vec()).collect();
        sorted(self.maximal.clone()) == sorted(paper)
    }

    fn cells(&self, row: &Row) -> Vec<String> {
        let paper: Vec<Vec<usize>> = row.maximal.iter().map(|s| s.to_vec()).collect();
        vec![
            row.game.into(),
            row.relations.join(", "),
            self.calls.to_string(),
            row.calls.to_string(),
            format!("{:.2}", self.total),
            format!("{:.2}", row.total),
            format!("{:.3}", self.longest),
            format!("{:.2}", row.longest),
            sets(&self.maximal, false),
            sets(&paper, false),
            if self.same(row) { "yes".into() } else { "no, see below".into() },
        ]
    }

    fn object(&self, row: &Row) -> serde_json::Value {
        json!({
            "game": row.game,
            "relations": row.relations,
            "calls": self.calls,
            "total_seconds": self.total,
            "longest_seconds": self.longest,
            "maximal": self.maximal,
            "same": self.same(row),
            "note": row.note,
            "more": self.more,
            "paper": {
                "calls": row.calls,
                "total_seconds": row.total,
                "longest_seconds": row.longest,
                "maximal": row.maximal,
            },
        })
    }
}
