//! Every shortcut leaves values as they are: bundled and shared games, against the naive search.

use crate::{agreed, bundled, naive, read, values};

/// States that the naive search may look at.
const MOST: usize = 20_000;

fn check(name: &str, text: &str) -> (bool, bool) {
    let Some(game) = read(name, text) else { return (false, false) };
    let all = agreed(&game);
    let measure = naive::value(&mut game.reasoner(), MOST);
    if let Some(measure) = &measure {
        assert_eq!(values(&all[0]).as_ref(), Some(measure), "{name}");
    }
    (all[0].complete, measure.is_some())
}

#[test]
fn bundled_games() {
    for file in [
        "tictactoe.kif",
        "tictactoe-rows.gdl",
        "nim.kif",
        "hex3.kif",
        "twobuttons.gdl",
        "blocksworld.gdl",
        "lightsout.gdl",
        "buttonsandlights.gdl",
        "dilemma.kif",
        "matchingpennies.kif",
        "rockpaperscissors.gdl",
    ] {
        assert!(check(file, &bundled(file)).0, "{file}");
    }
}

/// Games that are solved at once, by any way.
const SHARED: &[&str] = &[
    "asteroids",
    "blocks",
    "blocks2player",
    "blocksWorldParallel",
    "blocksWorldSerial",
    "buttons",
    "chomp",
    "duplicateStateMedium",
    "eotcatcit",
    "hanoi",
    "lightsOn",
    "nim1",
    "nim2",
    "nim3",
    "onestep",
    "roshambo2",
    "stateSpaceSmall",
    "sum15",
    "ticTacToe",
    "ticTicToe",
    "toetictac",
    "tictactoe-init1",
];

#[test]
fn shared_games() {
    if ludex_testing::shared("games/collection").is_none() {
        return;
    }
    let (mut solved, mut measured) = (0, 0);
    for name in SHARED {
        let text = ludex_testing::shared_text(&format!("games/collection/{name}.kif"));
        let (complete, by_naive) = check(name, &text.expect("a shared game"));
        (solved, measured) = (solved + complete as usize, measured + by_naive as usize);
    }
    assert_eq!((solved, measured), (22, 17), "solved in all ways, and by the naive search as well");
}
