//! `ludex paper`: every item that needs no other games, and where we differ from the papers.

use ludex_testing::shared;
use serde_json::Value;
use std::process::Command;

fn items(arguments: &[&str]) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let output = command.arg("paper").args(arguments).arg("--json").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let reports = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    reports.flat_map(|report| report["items"].as_array().unwrap().clone()).collect()
}

fn count(items: &[Value], verdict: &str) -> usize {
    items.iter().filter(|item| item["verdict"] == verdict).count()
}

/// What is found where it is not what the paper has, with a reason for each.
fn differing(items: &[Value]) -> Vec<(&str, &str)> {
    let differ = items.iter().filter(|item| item["verdict"] == "differs");
    let told = differ.map(|item| {
        assert!(!item["reason"].as_str().unwrap().is_empty(), "{item}");
        (item["item"].as_str().unwrap(), item["ours"].as_str().unwrap())
    });
    told.collect()
}

#[test]
fn the_papers_are_listed() {
    assert!(items(&[]).is_empty());
}

#[test]
fn domains() {
    let items = items(&["domains"]);
    assert_eq!((items.len(), count(&items, "agrees")), (62, 58));
    let expected = [
        ("14.3: kingmove", "1680 of 65536"),
        ("14.3: moves of a king", "420"),
        ("14.3: files and ranks apart", "420 of 4096"),
        ("Exercise 1f: instances of a rule", "12 of 27"),
    ];
    assert_eq!(differing(&items), expected);
}

#[test]
fn factoring() {
    let items = items(&["factoring"]);
    assert_eq!((items.len(), count(&items, "agrees")), (34, 31));
    let expected = [
        ("Theorem 3.16, double tic-tac-toe by the letter: independent sets", "1"),
        ("Section 1: orders of magnitude between product and sum", "5"),
        ("Section 4: joined tic-tac-toe after 2 moves", "one game"),
    ];
    assert_eq!(differing(&items), expected);
}

#[test]
fn symmetry() {
    let items = items(&["symmetry"]);
    assert_eq!((count(&items, "agrees"), count(&items, "missing")), (10, 13));
    let tautology = "with p(a) :- a \\= a, from the rules as written";
    assert_eq!(differing(&items), [(tautology, "16, without it 16")]);
}

#[test]
fn frame() {
    let items = items(&["frame"]);
    assert_eq!((count(&items, "agrees"), count(&items, "missing")), (20, 104));
}

#[test]
fn boards() {
    let items = items(&["boards"]);
    assert_eq!((count(&items, "agrees"), count(&items, "missing")), (16, 54));
}

fn of_collection(arguments: &[&str]) -> Option<Vec<Value>> {
    let folder = shared("games")?;
    Some(items(&[arguments, &["--games", folder.to_str().unwrap()]].concat()))
}

/// The games whose rows differ from Table 1 of the paper on boards.
fn differing_games(items: &[Value], suffix: &str) -> Vec<(String, String)> {
    let short = |item: &str| item.trim_start_matches("Table 1: ").trim_end_matches(suffix).into();
    differing(items).into_iter().map(|(item, ours)| (short(item), ours.into())).collect()
}

/// The printed program finds boards where what no match reaches does not get in its way.
#[test]
fn boards_by_the_printed_program() {
    let Some(items) = of_collection(&["boards", "--item", ", literal"]) else { return };
    assert_eq!((items.len(), count(&items, "agrees")), (13, 2));
    assert!(differing_games(&items, ", literal").iter().all(|(_, ours)| ours == "none"));
}

#[test]
fn boards_by_the_text() {
    let Some(items) = of_collection(&["boards", "--item", ", exact"]) else { return };
    let expected = [
        "alquerque",
        "chinook",
        "eightpuzzle",
        "horseshoe",
        "kono",
        "reflectconnect",
        "tictactoe",
        "yinsh",
    ];
    let differ = differing_games(&items, ", exact");
    assert!(differ.iter().all(|(_, ours)| ours == "none"), "{differ:?}");
    assert_eq!(differ.iter().map(|d| d.0.as_str()).collect::<Vec<_>>(), expected);
}

/// With lemmas we find a board more in two games, for which a call more is made, and a larger one in a third.
#[test]
fn boards_with_lemmas() {
    let Some(items) = of_collection(&["boards", "--item", "multiplehunter, "]) else { return };
    let expected = [
        ("Table 1: multiplehunter, lemmas", "{1,2,3}"),
        ("Table 1: multiplehunter, literal", "none"),
        ("Table 1: multiplehunter, calls", "8"),
    ];
    assert_eq!(differing(&items), expected);
    assert_eq!(count(&items, "agrees"), 3);
    let Some(items) = of_collection(&["boards", "--item", "horseshoe, "]) else { return };
    let told = differing_games(&items, "");
    for expected in [("horseshoe, lemmas", "{1} {2}"), ("horseshoe, calls", "3")] {
        assert!(told.contains(&(expected.0.into(), expected.1.into())), "{told:?}");
    }
    let Some(items) = of_collection(&["boards", "--item", "chinesechess, "]) else { return };
    let expected = [
        ("Table 1: chinesechess, lemmas", "{1} {2}"),
        ("Table 1: chinesechess, literal", "none"),
        ("Table 1: chinesechess, calls", "3"),
    ];
    assert_eq!(differing(&items), expected);
    let figures = &items[0]["figures"];
    assert_eq!(figures["calls"], 3.0);
}

/// What follows from rows of the table is told by the command that gives these.
#[test]
fn what_is_said_of_all_games() {
    let Some(items) = of_collection(&["boards", "--item", "lemmas"]) else { return };
    let told = |name: &str| items.iter().find(|item| item["item"] == name).expect(name);
    let pruned = told("Section 4: games in which half of the candidates are pruned");
    assert_eq!((&pruned["verdict"], &pruned["ours"]), (&"agrees".into(), &"10 of 13".into()));
    let clock = told("Section 4: games decided within a start clock of 40 s");
    assert_eq!(clock["verdict"], "measured");
}

/// Numbers of states that are not the paper's, and one that is, with its gains.
#[test]
fn states_of_full_searches() {
    for (game, ours) in [
        ("amazons", "2.18"),
        ("battle", "1.94"),
        ("chinesecheckers2", "139"),
        ("crisscross", "136"),
        ("firefighter", "74"),
        ("numbertictactoe", "1"),
        ("othello-comp2007", "9.9"),
        ("othellosuicide", "9.9"),
        ("racer", "0.03"),
        ("racetrackcorridor", "346"),
        ("skirmish", "5100"),
    ] {
        let item = format!("Table 1: {game}, thousands");
        let Some(items) = of_collection(&["frame", "--item", &item]) else { return };
        assert_eq!(differing(&items), [(format!("{item} of states").as_str(), ours)]);
    }
    let Some(rows) = of_collection(&["frame", "--item", "Table 1: max_knights"]) else { return };
    assert_eq!(
        (rows[0]["verdict"].as_str(), rows[0]["ours"].as_str()),
        (Some("agrees"), Some("4.10"))
    );
    assert_eq!(rows[1]["verdict"], "measured");
    // All of the paper's search.
    assert_eq!(rows[1]["figures"]["depth"], 2.0);
    assert_eq!(rows[1]["figures"]["searched"], rows[0]["figures"]["states"]);
    let Some(rows) = of_collection(&["frame", "--item", "simultaneous, thousands"]) else { return };
    assert_eq!(rows[0]["figures"]["states"], 117_650.0);
}

/// Seven eighths of the states of tic-tac-toe are saved; times are told and not judged.
#[test]
fn savings_of_symmetries() {
    let Some(items) = of_collection(&["symmetry", "--item", "tree of tictactoe"]) else { return };
    assert_eq!(
        (items[0]["verdict"].as_str(), items[0]["ours"].as_str()),
        (Some("agrees"), Some("86.1 %"))
    );
    let Some(items) = of_collection(&["symmetry", "--item", "Figure 1: tictactoe"]) else { return };
    let (verdict, figures) = (&items[0]["verdict"], &items[0]["figures"]);
    assert_eq!((verdict.as_str(), &figures["symmetries"]), (Some("measured"), &8.0.into()));
    assert!(figures["t_exp"].as_f64() > Some(0.0), "{figures}");
}

/// What an ended run has found is told by the next one, with the time that it took then.
#[test]
fn a_run_that_was_ended_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().to_str().unwrap();
    let first = items(&["domains", "--item", "14.3", "--cache", cache]);
    let again = items(&["domains", "--cache", cache]);
    assert!(first.len() > 3);
    assert!(first.iter().all(|item| again.contains(item)), "{first:?}");
    let damaged = std::fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    damaged.for_each(|path| std::fs::write(path, "no item").unwrap());
    let anew = items(&["domains", "--item", "14.3", "--cache", cache]);
    let told = |items: &[Value]| items.iter().map(|i| i["ours"].clone()).collect::<Vec<_>>();
    assert_eq!(told(&first), told(&anew));
}

/// The numbers of an item, without those that are part of a name.
fn numbers(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let is_number = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    words.filter(is_number).map(String::from).collect()
}

/// Every command that is printed runs in a shell and tells the numbers of its items.
#[test]
fn commands_give_their_items_alone() {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_ludex"));
    let path =
        format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut outputs: std::collections::HashMap<String, String> = Default::default();
    let mut checked = 0;
    for paper in ["boards", "domains", "symmetry", "factoring", "frame"] {
        for item in items(&[paper]).iter().filter(|item| item["verdict"] != "missing") {
            let command = item["command"].as_str().unwrap().to_string();
            let output = outputs.entry(command.clone()).or_insert_with(|| {
                let mut shell = Command::new("bash");
                let run = shell.args(["-c", &command]).env("PATH", &path).output().unwrap();
                let errors = String::from_utf8_lossy(&run.stderr).to_string();
                assert!(matches!(run.status.code(), Some(0 | 1)), "{command}: {errors}");
                assert!(!errors.contains("error"), "{command}: {errors}");
                String::from_utf8(run.stdout).unwrap()
            });
            let told = numbers(output);
            let asked = item["ours"].as_str().unwrap();
            if COUNTED.iter().any(|name| item["item"].as_str().unwrap().contains(name)) {
                continue;
            }
            let there = |number: &String| told.contains(number);
            assert!(numbers(asked).iter().all(there), "{command}\n{asked}\n{output}");
            checked += 1;
        }
    }
    assert!(checked > 80, "{checked}");
}

/// Items that count what their command lists.
const COUNTED: [&str; 9] = [
    "Definition 1: projections",
    "vertices",
    "instances of legal",
    "14.3: moves of a king",
    "blank lines",
    "number of rules",
    "as written",
    "Figure 4: lines",
    "orders of magnitude",
];

/// What can be wrong is told before the work, and nothing of the user's is written over.
#[test]
fn wrong_use() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.md");
    std::fs::write(&file, "mine").unwrap();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
        let output = command.arg("paper").args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let page = file.to_str().unwrap();
    for option in ["-o", "--svg"] {
        let (code, told) = run(&["boards", "--item", "Example 2", option, page]);
        assert_eq!((code, told.contains("--force")), (Some(1), true), "{told}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    }
    let (code, told) = run(&["boards", "--games", "no such folder"]);
    assert_eq!((code, told.contains("no such folder")), (Some(1), true), "{told}");
    assert_eq!(run(&["chess"]).0, Some(2));
    let (code, told) = run(&["boards", "--item", "Example 2", "-o", page, "--force"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("# The five papers"));
}

#[test]
fn a_page_and_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (page, svg) = (file("page.md"), file("lattice.svg"));
    items(&["boards", "--item", "Example", "-o", &page, "--svg", &svg]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.starts_with("# The five papers\n"), "{page}");
    assert!(page.contains("| agrees | Example 1: &lt;cell,{1,3}> at the start |"), "{page}");
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.contains("cell of eightpuzzle"), "{svg}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let none = command.args(["paper", "domains", "--svg", "x.svg"]).output().unwrap();
    assert_eq!(none.status.code(), Some(2));
}
