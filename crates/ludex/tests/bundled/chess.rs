//! Chess: counts of move sequences from well-known positions, as published for testing move generators.

use crate::{count, count_on, text};
use ludex::compile::Engine;
use ludex_testing::each;

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

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Castling on both sides, pins, captures en passant.
const CASTLING: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
/// Two pawns that leave a rank at once, and bare a king.
const PASSANT: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
/// Promotions, rooks that are captured at home.
const PROMOTION: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
const MIRRORED: &str = "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1";
const CHECKS: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
const MIDDLE: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

#[test]
fn the_reasoner_counts_what_is_published() {
    assert_eq!(count_on(Engine::Interp, &text("chess.kif"), 2), count(&from_fen(START), 2));
    let known = [
        (START, &[20, 400][..]),
        (CASTLING, &[48, 2039]),
        (PASSANT, &[14, 191, 2812]),
        (PROMOTION, &[6, 264]),
        (MIRRORED, &[6, 264]),
        (CHECKS, &[44, 1486]),
        (MIDDLE, &[46, 2079]),
    ];
    each(&known, |(fen, paths)| {
        assert_eq!(count(&from_fen(fen), paths.len()).paths[1..], **paths, "{fen}");
    });
}

#[test]
fn the_machine_counts_what_is_published() {
    for (fen, paths, mates) in [
        (START, &[20, 400, 8902, 197_281][..], Some(8)),
        (CASTLING, &[48, 2039, 97_862], Some(1)),
        (PASSANT, &[14, 191, 2812, 43_238], Some(17)),
        (PROMOTION, &[6, 264, 9467], Some(22)),
        (MIRRORED, &[6, 264, 9467], Some(22)),
        (CHECKS, &[44, 1486, 62_379], None),
        (MIDDLE, &[46, 2079, 89_890], None),
    ] {
        let counts = count_on(Engine::Scalar, &from_fen(fen), paths.len());
        assert_eq!(counts.paths[1..], *paths, "{fen}");
        assert!(mates.is_none_or(|n| n == counts.terminals[paths.len()]), "{fen}: {counts:?}");
    }
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
