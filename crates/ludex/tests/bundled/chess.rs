//! Chess: counts of move sequences from well-known positions, as published for testing move generators.

use crate::{count, text};

/// The rules with another start, given in Forsyth-Edwards notation.
fn from_fen(fen: &str) -> String {
    let rules = text("chess.kif");
    let kept = rules.lines().filter(|l| !l.starts_with("(init "));
    let mut out: String = kept.map(|l| format!("{l}\n")).collect();
    let fields: Vec<&str> = fen.split(' ').collect();
    for (rank, row) in (1..=8).rev().zip(fields[0].split('/')) {
        cells(row, rank).into_iter().for_each(|fact| out += &fact);
    }
    out += if fields[1] == "w" { "(init (control white))" } else { "(init (control black))" };
    for (letter, right) in [
        ('K', "white kingside"),
        ('Q', "white queenside"),
        ('k', "black kingside"),
        ('q', "black queenside"),
    ] {
        if fields[2].contains(letter) {
            out += &format!("(init (castling {right}))");
        }
    }
    if fields[3] != "-" {
        out += &format!("(init (passed {}))", &fields[3][..1]);
    }
    out + "(init (quiet 0))"
}

fn cells(row: &str, rank: usize) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    for c in row.chars() {
        match c.to_digit(10) {
            Some(n) => cells.extend((0..n).map(|_| "empty".to_string())),
            None if c.is_uppercase() => cells.push(format!("w{}", c.to_lowercase())),
            None => cells.push(format!("b{c}")),
        }
    }
    assert_eq!(cells.len(), 8);
    ('a'..).zip(cells).map(|(file, cell)| format!("(init (cell {file} {rank} {cell}))\n")).collect()
}

fn assert_counts(fen: &str, paths: &[u64]) {
    let counts = count(&from_fen(fen), paths.len());
    assert_eq!(counts.paths[1..], *paths, "{fen}");
}

#[test]
fn the_start_is_the_one_of_chess() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(count(&text("chess.kif"), 3), count(&from_fen(fen), 3));
    assert_counts(fen, &[20, 400, 8902]);
}

#[test]
fn castling_pins_and_captures_en_passant() {
    assert_counts(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2039],
    );
    assert_counts("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812]);
}

#[test]
fn promotions_checks_and_lost_castling_rights() {
    assert_counts("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264]);
    assert_counts("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", &[6, 264]);
    assert_counts("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1486]);
    let middle = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    assert_counts(middle, &[46, 2079]);
}

#[test]
fn matches_end_by_mate_stalemate_and_bare_kings() {
    // Mate in one by the rook; then the other ways to end.
    let counts = count(&from_fen("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"), 1);
    assert_eq!(counts.terminals, [0, 1]);
    let stalemate = count(&from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 0);
    assert_eq!((stalemate.paths, stalemate.terminals), (vec![1], vec![1]));
    let bare = count(&from_fen("7k/8/6K1/8/8/8/8/8 b - - 0 1"), 0);
    assert_eq!(bare.terminals, [1]);
}
