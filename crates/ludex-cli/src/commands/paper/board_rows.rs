//! The figures of Table 1 of "Invariant Projections in Games" (2016), and the program of its Figure 4.

/// A row of the paper: its game, files that hold it, relations with arity, calls, total and longest
/// seconds, maximal projections of each relation.
pub struct Row {
    pub game: &'static str,
    pub files: &'static [&'static str],
    pub relations: &'static [&'static str],
    pub calls: usize,
    pub total: f64,
    pub longest: f64,
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
    Row {
        note: "that a board has exactly one knight is proved of reachable states; then no place is ever empty, and \
               the board is the one of the game's stylesheet",
        ..row("multiplehunter", &["multiplehunter"], (4, 16.61, 12.72), &[&[1]])
    },
    row("multiplekoshi", &["multiplekoshi", "multiplesukoshi"], (16, 1.06, 0.13), &[&[1, 2, 3, 4]]),
    row("multipletictactoe", &["multipletictactoe"], (8, 0.24, 0.04), &[&[1, 2, 3]]),
    row("reflectconnect", &["reflectconnect"], (4, 5.59, 1.8), &[&[1, 2]]),
    row("koshi", &["koshi", "sukoshi"], (4, 0.04, 0.01), &[&[1, 2]]),
    row("tictactoe", &["tictactoe"], (4, 0.04, 0.01), &[&[1, 2]]),
    row("yinsh", &["yinsh"], (4, 1.5, 0.81), &[&[1, 2]]),
];

/// Steps 1 and 2 of Figure 4, for a relation of three arguments and its first two.
pub const VERIFY: [&str; 16] = [
    "{true(X) : base(X)}.",
    "{does(R,M) : input(R,M)} 1 :- role(R).",
    ":- does(R,M), not legal(R,M).",
    "pi_b(X1,X2) :- base(cell(X1,X2,X3)).",
    "pi_init(X1,X2) :- init(cell(X1,X2,X3)).",
    "pi_s(X1,X2) :- true(cell(X1,X2,X3)).",
    "pi_next(X1,X2) :- next(cell(X1,X2,X3)).",
    "initial :- pi_b(X1,X2), not pi_init(X1,X2).",
    "initial :- pi_init(X1,X2), not pi_b(X1,X2).",
    "current :- pi_b(X1,X2), not pi_s(X1,X2).",
    "current :- pi_s(X1,X2), not pi_b(X1,X2).",
    "nxt :- pi_b(X1,X2), not pi_next(X1,X2).",
    "nxt :- pi_next(X1,X2), not pi_b(X1,X2).",
    "variant :- not current, nxt.",
    "variant :- initial.",
    ":- not variant.",
];
