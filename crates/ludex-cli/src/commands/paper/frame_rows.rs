//! The figures of Table 1 of "Solving the Inferential Frame Problem" (2014).

/// A game of Table 1: the paper's name, the collection's, depth, thousands of states as printed, and
/// seconds with the original rules, the direct and the pruned translation.
pub type Row = (&'static str, &'static str, usize, &'static str, [f64; 3]);

/// Six roles that move at the same time. This game is not public; it has the board of another one.
pub const TOGETHER: &str = "chinesecheckers6-simultaneous";

pub const ROWS: [Row; 52] = [
    ("amazons", "amazons", 1, "2.13", [0.10, 0.10, 0.08]),
    ("battle", "battle", 1, "2.13", [0.10, 0.98, 0.98]),
    ("beatmania", "beatMania", 6, "598", [20.5, 21.3, 21.3]),
    ("blocks", "blocks", 14, "1240", [30.3, 24.7, 24.7]),
    ("brawl", "brawl", 3, "55.5", [36.2, 15.1, 13.9]),
    ("breakthrough", "breakthrough", 4, "268", [66.4, 26.2, 21.5]),
    ("bunk_t", "bunk_t", 3, "259", [22.3, 39.8, 15.1]),
    ("buttons", "buttons", 13, "2390", [56.9, 88.9, 88.9]),
    ("checkers", "checkers", 5, "26.9", [21.0, 23.2, 13.7]),
    ("chinesecheckers1", "chineseCheckers1", 6, "134", [33.2, 7.9, 7.9]),
    ("chinesecheckers2", "chineseCheckers2", 6, "134", [42.0, 11.7, 10.7]),
    ("chinesecheckers3", "chineseCheckers3", 6, "139", [50.5, 21.9, 12.6]),
    ("chinesecheckers4", "chineseCheckers4", 6, "53.2", [22.3, 30.1, 11.7]),
    ("chinesecheckers6", "chineseCheckers6", 6, "128", [78.0, 519.0, 23.5]),
    (TOGETHER, "chineseCheckers6", 1, "118", [37.2, 193.0, 193.0]),
    ("chomp", "chomp", 3, "65.6", [16.2, 9.50, 9.19]),
    ("crisscross", "crisscross", 9, "139", [25.5, 18.6, 15.8]),
    ("doubletictactoe", "doubletictactoe", 3, "259", [22.3, 41.0, 41.0]),
    ("dup-statelarge", "duplicateStateLarge", 9, "350", [38.0, 38.6, 38.6]),
    ("dup-statemedium", "duplicateStateMedium", 10, "1400", [76.9, 70.5, 70.5]),
    ("firefighter", "firefighter", 5, "1190", [10.8, 12.9, 12.9]),
    ("hanoi", "hanoi", 13, "1040", [40.5, 38.0, 38.0]),
    ("knightstour", "knightsTour", 10, "2690", [72.5, 101.0, 101.0]),
    ("knightthrough", "knightThrough", 3, "65.2", [13.9, 4.56, 4.10]),
    ("max_knights", "max_knights", 2, "4.10", [2.18, 7.5, 7.5]),
    ("minichess", "minichess-evilconjuncts", 8, "188", [20.4, 40.5, 24.7]),
    ("nim1", "nim1", 8, "740", [47.5, 50.9, 46.9]),
    ("nim2", "nim2", 5, "997", [28.0, 35.7, 29.7]),
    ("nim3", "nim3", 3, "158", [3.15, 4.51, 3.54]),
    ("nim4", "nim4", 3, "169", [3.44, 4.81, 3.85]),
    ("numbertictactoe", "numbertictactoe", 2, "104", [3.68, 3.08, 2.50]),
    ("othello-comp2007", "othello-comp2007", 6, "20.3", [57.9, 57.8, 57.8]),
    ("othellosuicide", "othelloSuicide", 6, "20.3", [58.0, 57.7, 57.7]),
    ("pancakes6", "pancakes6", 8, "2020", [24.8, 41.7, 41.7]),
    ("pawn_whopping", "pawnWhopping", 5, "234", [24.0, 25.0, 25.0]),
    ("pawntoqueen", "pawnToQueen", 7, "5.28", [58.4, 34.9, 34.7]),
    ("pentago_2008", "pentago", 5, "2830", [62.8, 125.0, 81.8]),
    ("point_grab", "point_grab", 3, "1010", [18.0, 193.0, 193.0]),
    ("racer", "racer", 1, "2.71", [0.26, 0.36, 0.36]),
    ("racetrackcorridor", "racetrackcorridor", 3, "350", [84.8, 295.0, 295.0]),
    ("roshambo2", "roshambo2", 5, "1120", [18.6, 235.0, 235.0]),
    ("ruledepthexp", "ruleDepthExponential", 13, "16.4", [37.6, 39.1, 39.1]),
    ("ruledepthlinear", "ruleDepthLinear", 20, "2100", [33.0, 35.0, 35.0]),
    ("sheep_and_wolf", "sheepAndWolf", 7, "31.1", [19.5, 7.21, 5.16]),
    ("skirmish", "skirmish", 5, "42.4", [26.6, 10.5, 9.58]),
    ("statespacelarge", "stateSpaceLarge", 9, "350", [26.6, 23.0, 23.0]),
    ("statespacemedium", "stateSpaceMedium", 10, "1400", [89.2, 74.0, 74.0]),
    ("sum15", "sum15", 8, "624", [36.2, 29.8, 26.1]),
    ("tictactoe", "ticTacToe", 9, "986", [56.6, 48.9, 43.7]),
    ("tictactoeserial", "ticTacToeSerial", 6, "86.4", [54.4, 47.8, 40.4]),
    ("tictictoe", "ticTicToe", 3, "143", [18.5, 12.6, 12.6]),
    ("wallmaze", "wallmaze", 6, "289", [88.6, 144.0, 144.0]),
];

/// Why the states of a game are not as many as the paper's. Where moves are counted by their proofs, as Prolog
/// finds them, the paper's number comes out to the last digit.
pub fn why(game: &str) -> &'static str {
    match game {
        "amazons" => {
            "there are 2,176 first moves on this board; the row below repeats the paper's figures"
        }
        "battle" => "the row is garbled in the text at hand: it repeats the figures of amazons",
        "chinesecheckers2" => {
            "the paper has the number of chinesecheckers1 here; all versions of the collection have 139,303 states"
        }
        "crisscross" => {
            "to wait has two proofs that it is legal where both pieces are stuck, which the paper counts as two \
             moves: 139,158 instead of 135,708"
        }
        "firefighter" => {
            "to extinguish has eight proofs that it is legal, which the paper counts as eight moves: 1 + 17 + 17 * 16 \
             + 17 * 16^2 + 17 * 16^3 + 17 * 16^4 = 1,188,386"
        }
        "numbertictactoe" => {
            "to wait has a proof that it is legal for every blank cell, which the paper counts as moves: 1 + 45 * 9 + \
             45 * 32 * 9 * 8 = 104,086"
        }
        "othello-comp2007" | "othellosuicide" => {
            "every disc that a move turns is a proof that it is legal, which the paper counts as moves: 20,341 instead \
             of 9,913, the number that is known of this game"
        }
        "racer" => {
            "a move has several proofs that it is legal, which the paper counts as moves: 2,705 states instead of 26"
        }
        "racetrackcorridor" => {
            "345,749 states in both versions of the collection; the paper has rounded, or another one"
        }
        "skirmish" => {
            "another version of the game: those of the collection have 27,331 states (skirmishFinal3) to 5.1 million"
        }
        _ => "another version of the game, or a move counted once for each proof that it is legal",
    }
}
