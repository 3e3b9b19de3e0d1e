//! Every check: `docs/checks.md` has a section for each code, with an example and what is said of it.

use ludex_gdl::rules::Rules;
use ludex_gdl::source::{Report, Severity, Source};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    fs::read_to_string(root().join("docs/checks.md")).unwrap()
}

/// What an example lacks to be a whole game.
const REST: [&str; 8] = [
    "(role r)",
    "(base (s 1))",
    "(input r a)",
    "(init (s 1))",
    "(<= (next (s 1)) (true (s 1)))",
    "(<= (legal r a) (true (s 1)))",
    "(<= (goal r 1) (true (s 1)))",
    "(<= terminal (true (s 1)))",
];

fn game(code: &str, example: &str) -> Source {
    let missing = code.strip_prefix("missing-");
    let rest = REST.iter().filter(|c| {
        missing.is_none_or(|m| !c.trim_start_matches(['(', '<', '=', ' ']).starts_with(m))
    });
    let rest: Vec<&str> = rest.copied().collect();
    Source::new("game.kif", format!("{example}\n{}\n", rest.join("\n")))
}

/// What is said, with all that follows from something also by itself.
fn complaints(source: &Source) -> Report {
    let (Ok((_, mut report)) | Err(mut report)) = Rules::read(source, None);
    let follows: Vec<_> = report.complaints.iter().flat_map(|c| c.follows.clone()).collect();
    report.complaints.extend(follows);
    report
}

/// The page with the output below each example written anew.
fn written_anew(page: &str) -> String {
    let (mut out, mut code) = (String::new(), "");
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        code = line.strip_prefix("## ").unwrap_or(code);
        out.push_str(&format!("{line}\n"));
        if line != "```kif" {
            continue;
        }
        let example: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
        let example = example.join("\n");
        let source = game(code, &example);
        let mut report = complaints(&source);
        report.complaints.retain(|c| c.code == code);
        out.push_str(&format!(
            "{example}\n```\n\n```text\n{}\n```\n",
            report.render(&source).trim_end()
        ));
        while lines.next_if(|l| l.is_empty()).is_some() {}
        if lines.next_if_eq(&"```text").is_some() {
            lines.by_ref().take_while(|l| *l != "```").for_each(drop);
        } else {
            out.push('\n');
        }
    }
    out
}

#[test]
fn the_page_shows_what_is_said() {
    let (page, anew) = (page(), written_anew(&page()));
    if page != anew {
        let file = root().join("target/checks.md");
        fs::write(&file, anew).unwrap();
        panic!("docs/checks.md shows other output than the program; see target/checks.md");
    }
}

#[test]
fn every_example_has_its_fault() {
    let page = page();
    let mut checked = 0;
    for section in page.split("\n## ").skip(1) {
        let (code, text) = section.split_once('\n').unwrap();
        let Some((_, example)) = text.split_once("```kif\n") else { continue };
        let example = example.split_once("\n```").unwrap().0;
        let report = complaints(&game(code, example));
        let found: Vec<_> = report.complaints.iter().filter(|c| c.code == code).collect();
        assert!(!found.is_empty(), "{code} is not found in its example");
        let kind = if text.trim_start().starts_with("Error.") {
            Severity::Error
        } else {
            Severity::Warning
        };
        assert!(found.iter().all(|c| c.severity == kind), "{code}");
        let other =
            report.complaints.iter().any(|c| c.severity == Severity::Error && c.code != code);
        assert!(!other, "{code}: another error in its example");
        checked += 1;
    }
    assert!(checked > 40, "{checked}");
}

#[test]
fn a_whole_game_has_no_faults() {
    let report = complaints(&game("", ""));
    assert!(report.complaints.is_empty(), "{}", report.render(&game("", "")));
}

#[test]
fn names_that_are_no_symbols_are_kept_apart() {
    let example = "(<= (next (over)) (true (s 1)) (distinct over (end)))";
    let report = complaints(&game("", example));
    let mut codes: Vec<&str> = report.complaints.iter().map(|c| c.code).collect();
    codes.retain(|code| *code != "outside-base");
    assert_eq!(codes, ["needless-parentheses", "distinct-always", "needless-parentheses"]);
}

const FOLDERS: [&str; 6] = [
    "ludex-gdl/src/rules",
    "ludex-gdl/src/rules/check",
    "ludex-gdl/src/syntax",
    "ludex-gdl/src/syntax/kif",
    "ludex-gdl/src/syntax/infix",
    "ludex-reason/src",
];

/// Every string of the sources that looks like a code has a section or a line of the table.
#[test]
fn every_code_is_on_the_page() {
    let page = page();
    let mut missing = Vec::new();
    for folder in FOLDERS {
        let entries = fs::read_dir(root().join("crates").join(folder)).unwrap();
        for path in entries.map(|e| e.unwrap().path()).filter(|p| p.is_file()) {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            let documented = |c: &str| {
                page.contains(&format!("## {c}\n")) || page.contains(&format!("| `{c}` |"))
            };
            missing.extend(
                codes(code)
                    .filter(|c| !documented(c))
                    .map(|c| format!("{c} in {}", path.display())),
            );
        }
    }
    assert!(missing.is_empty(), "not in docs/checks.md: {missing:#?}");
}

/// The first string after `error(` or `warning(`, and kebab-case strings anywhere.
fn codes(text: &str) -> impl Iterator<Item = &str> {
    let pieces: Vec<&str> = text.split('"').collect();
    let called = |before: &str| {
        before.trim_end().ends_with("error(") || before.trim_end().ends_with("warning(")
    };
    let kebab = |s: &str| {
        let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        s.split('-').all(|w| w.len() > 1 && w.bytes().all(letter) || w == "8" || w == "a")
    };
    let found: Vec<&str> = pieces
        .windows(2)
        .filter(|w| kebab(w[1]) && (w[1].contains('-') || called(w[0])))
        .map(|w| w[1])
        .collect();
    found.into_iter()
}
