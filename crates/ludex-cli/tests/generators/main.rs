//! Every generator that `ludex symmetry` tells is a symmetry as it is told: the map of the JSON and the words,
//! read back, are applied to the reachable states of many games and compared by the reasoner.

mod made_up;
mod reader;
mod states;

use ludex::rules::Rules;
use ludex::source::Source;
use ludex_testing::{bundled_games, collected_games, each, shared};
use reader::{Told, Whole};
use serde_json::Value;
use states::Game;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What was compared.
#[derive(Debug, Default, PartialEq, Eq)]
struct Compared {
    games: usize,
    /// Generators of nets and of rules, and those of nets whose words leave something out.
    of_nets: usize,
    of_rules: usize,
    partly_told: usize,
    /// Games all of whose states were seen.
    wholly: usize,
}

impl Compared {
    fn with(self, other: Compared) -> Compared {
        Compared {
            games: self.games + other.games,
            of_nets: self.of_nets + other.of_nets,
            of_rules: self.of_rules + other.of_rules,
            partly_told: self.partly_told + other.partly_told,
            wholly: self.wholly + other.wholly,
        }
    }

    fn game(&mut self, file: &Path, effort: usize) {
        let answer = symmetry(file);
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
        let (rules, _) = Rules::read(&Source::new(file.to_string_lossy(), text), None).unwrap();
        let of_net = answer["net"]["generators"].as_array().expect("a net in time");
        let of_rules = answer["rules"]["generators"].as_array().unwrap();
        let most = effort / (of_net.len() + of_rules.len()).max(1);
        let mut game = Game::new(&rules);
        let (states, all) = game.reachable(most.clamp(10, 300));
        self.games += 1;
        self.wholly += all as usize;
        for generator in of_net {
            let name = format!("{}: {}", file.display(), generator["text"]);
            let map = Whole::of(&generator["map"]);
            let told = Told::read(generator["text"].as_str().unwrap());
            map.assert_told(&told, generator, &name);
            game.assert_symmetry(&states, &|x| map.image(x), &name);
            self.of_nets += 1;
            self.partly_told += (told.left != (0, 0)) as usize;
        }
        for generator in of_rules {
            let name = format!("{}: {}", file.display(), generator["text"]);
            let told = Told::read_scrambling(generator["text"].as_str().unwrap());
            game.assert_symmetry(&states, &|x| told.scrambled(x), &name);
            self.of_rules += 1;
        }
    }
}

fn symmetry(file: &Path) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let output = command.args(["symmetry", "--json"]).arg(file).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {told}", file.display());
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// `effort`: generators times states that are tried in each game.
fn compare(files: &[PathBuf], effort: usize) -> Compared {
    let one = |file: &PathBuf| {
        let mut compared = Compared::default();
        compared.game(file, effort);
        compared
    };
    each(files, one).into_iter().fold(Compared::default(), Compared::with)
}

fn is_short(file: &Path) -> bool {
    file.metadata().unwrap().len() < 5_500
}

#[test]
fn of_bundled_games() {
    let files: Vec<PathBuf> = bundled_games().into_iter().filter(|f| is_short(f)).collect();
    let found = compare(&files, 400);
    let expected = Compared { games: 35, of_nets: 121, of_rules: 56, partly_told: 20, wholly: 8 };
    assert_eq!(found, expected);
}

#[test]
fn of_made_up_games() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("made-up");
    std::fs::create_dir_all(&folder).unwrap();
    let write = |seed: u64| {
        let file = folder.join(format!("{seed}.kif"));
        std::fs::write(&file, made_up::game(seed)).unwrap();
        file
    };
    let files: Vec<PathBuf> = (0..200).map(write).collect();
    let found = compare(&files, usize::MAX);
    let expected =
        Compared { games: 200, of_nets: 1748, of_rules: 29, partly_told: 0, wholly: 198 };
    assert_eq!(found, expected);
}

#[test]
fn of_short_games_of_the_collection() {
    let files: Vec<PathBuf> = collected_games().into_iter().filter(|f| is_short(f)).collect();
    let found = compare(&files, 200);
    let expected =
        Compared { games: 105, of_nets: 577, of_rules: 203, partly_told: 270, wholly: 9 };
    assert!(files.is_empty() || found == expected, "{found:?}");
}

/// Games whose generators were once told in words that left moves out.
#[test]
fn of_games_with_moves_of_no_effect() {
    let Some(folder) = shared("cases") else { return };
    let files = ["symmetry-words-1.kif", "symmetry-words-2.kif"].map(|f| folder.join(f));
    let found = compare(&files, usize::MAX);
    assert_eq!(found, Compared { games: 2, of_nets: 15, wholly: 2, ..Compared::default() });
}

/// All games that a net can be made of in time.
#[test]
#[ignore = "takes an hour"]
fn of_the_whole_collection() {
    let large = ["alexChess.v1", "amazonsTorus.", "chess.", "slaughter"];
    let is_large =
        |f: &PathBuf| large.iter().any(|l| f.to_string_lossy().contains(&format!("/{l}")));
    let files: Vec<PathBuf> = collected_games().into_iter().filter(|f| !is_large(f)).collect();
    println!("{:?}", compare(&files, 10_000));
}
