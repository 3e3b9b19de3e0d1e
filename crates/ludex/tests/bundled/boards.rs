//! Board games: counts known from elsewhere, and counts by small programs that know the game.

use crate::{Counts, assert_paths, count, count_by, engine, text};
use ludex::interp::Interp;
use ludex::reason::{Joints, StateMachine};

const TIC_TAC_TOE: [u64; 10] = [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872];

#[test]
fn tic_tac_toe_has_255168_matches_in_all_three_descriptions() {
    for file in ["tictactoe.kif", "tictactoe-symmetry.gdl", "tictactoe-frame.gdl"] {
        let counts = count(&text(file), 9);
        assert_eq!(counts.paths, TIC_TAC_TOE, "{file}");
        assert_eq!(counts.terminals.iter().sum::<u64>(), 255_168, "{file}");
    }
}

/// Three in a line for two or more players in turn. A state is the owner of each cell, by turns played.
struct Lines {
    cells: usize,
    players: u8,
    lines: Vec<Vec<usize>>,
    /// The cells a player may choose in a state; all free ones without it.
    falls: Option<usize>,
}

impl Lines {
    fn count(&self, depth: usize) -> Counts {
        count_by(vec![0u8; self.cells], depth, |s| self.next(s))
    }

    fn next(&self, state: &[u8]) -> Vec<Vec<u8>> {
        let won = |l: &Vec<usize>| state[l[0]] > 0 && l.iter().all(|c| state[*c] == state[l[0]]);
        if self.lines.iter().any(won) {
            return vec![];
        }
        let turn = state.iter().filter(|c| **c > 0).count();
        let mark = |cell: usize| {
            let mut next = state.to_vec();
            next[cell] = 1 + (turn % self.players as usize) as u8;
            next
        };
        // A cell is free to be chosen if it is empty and the one below it, if discs fall, is not.
        let rests = |c: &usize| self.falls.is_none_or(|w| *c < w || state[*c - w] > 0);
        (0..self.cells).filter(|c| state[*c] == 0).filter(rests).map(mark).collect()
    }
}

/// All lines of `n` cells on a board, as cell numbers row by row from the bottom.
fn lines(width: usize, height: usize, n: usize) -> Vec<Vec<usize>> {
    let mut lines = Vec::new();
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let at = |i: i64| (x as i64 + dx * i, y as i64 + dy * i);
            let inside = |(x, y): (i64, i64)| {
                (0..width as i64).contains(&x) && (0..height as i64).contains(&y)
            };
            if inside(at(n as i64 - 1)) {
                let cell = |i: i64| (at(i).1 * width as i64 + at(i).0) as usize;
                lines.push((0..n as i64).map(cell).collect());
            }
        }
    }
    lines
}

#[test]
fn tic_tac_toe_with_rows_only() {
    let rows = lines(3, 3, 3).into_iter().filter(|l| l[1] == l[0] + 1).collect();
    let rival = Lines { cells: 9, players: 2, lines: rows, falls: None };
    assert_eq!(count(&text("tictactoe-rows.gdl"), 9), rival.count(9));
}

#[test]
fn three_in_a_line_for_three_players() {
    let rival = Lines { cells: 20, players: 3, lines: lines(5, 4, 3), falls: Some(5) };
    assert_eq!(count(&text("threeinthree.kif"), 7), rival.count(7));
}

#[test]
fn connect_four() {
    assert_paths("connectfour.kif", &[1, 7, 49, 343, 2401, 16807, 117_649]);
    let rival = Lines { cells: 42, players: 2, lines: lines(7, 6, 4), falls: Some(7) };
    assert_eq!(rival.count(8).paths[7..], [823_536, 5_673_234]);
    let wide = Lines { cells: 48, players: 2, lines: lines(8, 6, 4), falls: Some(8) };
    assert_eq!(count(&text("connectfour8x6.kif"), 5), wide.count(5));
}

#[test]
fn gomoku_and_decoys() {
    assert_paths("gomoku.kif", &[1, 225, 225 * 224]);
    assert_paths("tictactoe-decoys.kif", &[1, 27, 27 * 26, 27 * 26 * 25]);
}

#[test]
fn several_boards_at_once_multiply() {
    let squares: Vec<u64> = TIC_TAC_TOE[..4].iter().map(|n| n * n).collect();
    assert_paths("doubletictactoe.kif", &squares);
    assert_paths("multipletictactoe.gdl", &[1, 9 * 9 * 9]);
    // One mark on each board, or one on a board and one in the centre: 81 and twice 9; afterwards the
    // centre is free in the first case only.
    let second = 81 * (64 + 16) + 18 * 72;
    assert_paths("joinedtictactoe.gdl", &[1, 81 + 18, second]);
}

#[test]
fn a_finished_board_of_two_waits_for_the_other() {
    let mut game = engine("double", &text("doubletictactoe.kif"));
    let mut state = game.initial();
    // White wins the left board in five turns; the right board is still open.
    for (left, right) in
        [("1 1", "1 1"), ("2 1", "1 2"), ("1 2", "1 3"), ("2 2", "2 1"), ("1 3", "2 3")]
    {
        let wanted = format!("(both (mark {left}) (mark {right}))");
        state = step(&mut game, &state, &wanted);
    }
    assert!(!game.terminal(&state));
    let mut moves = Vec::new();
    game.legal(&state, 1, &mut moves);
    assert_eq!(moves.len(), 4);
    let waits = |m| game.move_text(1, m).starts_with("(both wait (mark");
    assert!(moves.into_iter().all(waits));
}

fn step(
    game: &mut Interp,
    state: &<Interp as StateMachine>::State,
    wanted: &str,
) -> <Interp as StateMachine>::State {
    let mut joints = Joints::of(game, state);
    let texts = |joint: &Vec<_>| (0..2).any(|role| game.move_text(role, joint[role]) == wanted);
    let joint = joints.find(texts).unwrap_or_else(|| panic!("{wanted} is not legal"));
    game.next(state, &joint)
}

/// Breakthrough or knightthrough: the cells, and whose turn it is. White is 1 and moves up.
type Race = (Vec<u8>, u8);

fn race(n: usize) -> Race {
    let row = |y: usize| {
        if y < 2 {
            1
        } else if y >= n - 2 {
            2
        } else {
            0
        }
    };
    ((0..n * n).map(|c| row(c / n)).collect(), 1)
}

fn race_moves((cells, mover): &Race, n: usize, steps: &[(i64, i64)], straight: bool) -> Vec<Race> {
    let over = |p: u8| {
        let far = if p == 1 { n - 1 } else { 0 };
        (0..n).any(|x| cells[far * n + x] == p) || !cells.contains(&(3 - p))
    };
    if over(1) || over(2) {
        return vec![];
    }
    let mut successors = Vec::new();
    for from in (0..n * n).filter(|c| cells[*c] == *mover) {
        for (dx, dy) in steps {
            let x = (from % n) as i64 + dx;
            let y = (from / n) as i64 + if *mover == 1 { *dy } else { -dy };
            if !(0..n as i64).contains(&x) || !(0..n as i64).contains(&y) {
                continue;
            }
            let to = y as usize * n + x as usize;
            let blocked = cells[to] == *mover || (straight && *dx == 0 && cells[to] > 0);
            if !blocked {
                let mut next = cells.clone();
                next[from] = 0;
                next[to] = *mover;
                successors.push((next, 3 - mover));
            }
        }
    }
    successors
}

#[test]
fn breakthrough() {
    let steps = [(-1, 1), (0, 1), (1, 1)];
    assert_paths("breakthrough.gdl", &[1, 22, 484, 11_132]);
    let rival = |n: usize, depth| count_by(race(n), depth, |s| race_moves(s, n, &steps, true));
    assert_eq!(rival(8, 4).paths, [1, 22, 484, 11_132, 256_036]);
    assert_eq!(count(&text("breakthrough-small.gdl"), 5), rival(5, 5));
}

#[test]
fn knightthrough() {
    let steps = [(-2, 1), (-1, 2), (1, 2), (2, 1)];
    let rival = count_by(race(8), 3, |s| race_moves(s, 8, &steps, false));
    assert_eq!(count(&text("knightthrough.gdl"), 3), rival);
}

#[test]
fn reversi() {
    assert_paths("reversi.gdl", &[1, 4, 12, 56, 244, 1396, 8200]);
}

#[test]
fn hex_of_nine_cells_is_counted_to_the_end() {
    let neighbours = |c: usize| {
        let (x, y) = (c as i64 % 3, c as i64 / 3);
        [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)].into_iter().filter_map(
            move |(dx, dy)| {
                let inside = (0..3).contains(&(x + dx)) && (0..3).contains(&(y + dy));
                inside.then_some(((y + dy) * 3 + x + dx) as usize)
            },
        )
    };
    let wins = |cells: &[u8], player: u8| {
        // Red, the first, joins x = 0 to x = 2, blue y = 0 to y = 2.
        let side = |c: usize| if player == 1 { c % 3 } else { c / 3 };
        let mut found: Vec<usize> =
            (0..9).filter(|c| side(*c) == 0 && cells[*c] == player).collect();
        let mut at = 0;
        while at < found.len() {
            for n in neighbours(found[at]) {
                if cells[n] == player && !found.contains(&n) {
                    found.push(n);
                }
            }
            at += 1;
        }
        found.iter().any(|c| side(*c) == 2)
    };
    let next = |cells: &Vec<u8>| {
        if wins(cells, 1) || wins(cells, 2) {
            return vec![];
        }
        let player = 1 + (cells.iter().filter(|c| **c > 0).count() % 2) as u8;
        let place = |c: usize| [&cells[..c], &[player], &cells[c + 1..]].concat();
        (0..9).filter(|c| cells[*c] == 0).map(place).collect()
    };
    assert_eq!(count(&text("hex3.kif"), 9), count_by(vec![0; 9], 9, next));
    assert_paths("hex.kif", &[1, 81, 81 * 80]);
}

/// English draughts: published counts take a chain of jumps as one move, so depth falls with the turn.
#[test]
fn draughts() {
    fn turns(
        game: &mut Interp,
        state: &<Interp as StateMachine>::State,
        role: usize,
        depth: u32,
    ) -> u64 {
        if game.terminal(state) {
            return 0;
        }
        let mut moves = Vec::new();
        game.legal(state, role, &mut moves);
        let waits = moves.len() == 1 && game.move_text(role, moves[0]) == "noop";
        let (role, depth) = if waits { (1 - role, depth - 1) } else { (role, depth) };
        if depth == 0 {
            return 1;
        }
        let joints = Joints::of(game, state);
        joints
            .map(|j| game.next(state, &j))
            .collect::<Vec<_>>()
            .iter()
            .map(|s| turns(game, s, role, depth))
            .sum()
    }
    let mut game = engine("draughts", &text("checkers.kif"));
    let start = game.initial();
    let counts: Vec<u64> = (1..=6).map(|depth| turns(&mut game, &start, 0, depth)).collect();
    assert_eq!(counts, [7, 49, 302, 1469, 7361, 36_768]);
}

#[test]
fn atari_go_is_lost_by_the_captured_and_by_suicide() {
    let goals = |placed: &[&str]| {
        let mut game = engine("atari go", &text("atarigo.kif"));
        let mut state = game.initial();
        for point in placed {
            assert!(!game.terminal(&state));
            state = step(&mut game, &state, &format!("(place {point})"));
        }
        (game.terminal(&state), game.goal(&state, 0), game.goal(&state, 1))
    };
    // Black takes the corner stone; white then fills its own last liberty; a chain of two is taken.
    assert_eq!(goals(&["2 1", "1 1", "1 2"]), (true, Some(100), Some(0)));
    assert_eq!(goals(&["2 1", "6 6", "1 2", "1 1"]), (true, Some(100), Some(0)));
    let chain = ["3 1", "1 1", "1 2", "2 1", "2 2"];
    assert_eq!(goals(&chain), (true, Some(100), Some(0)));
    assert_eq!(goals(&chain[..4]), (false, Some(50), Some(50)));
}
