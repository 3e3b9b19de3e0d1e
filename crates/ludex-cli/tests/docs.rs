//! Every command shown in the documents is run, and prints what the document says.
//!
//! A block of kind `console` holds commands after `$ ` and their output, errors included. In the
//! output a line `...` stands for any lines and `[..]` for any text within a line; a last line
//! `[exit 1]` tells the exit code where it is not 0. The commands of a document run in order in
//! one empty folder. With UPDATE_DOCS=1 the blocks that differ are written anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn documents() -> Vec<PathBuf> {
    let at_root = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"].map(|d| root().join(d));
    let more = fs::read_dir(root().join("docs")).into_iter().flatten().flatten().map(|e| e.path());
    let mut all: Vec<PathBuf> = at_root.into_iter().chain(more).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "md"));
    all.sort();
    all
}

#[test]
fn documents_show_what_the_program_does() {
    let mut faults = Vec::new();
    let mut commands = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let name = document.file_name().unwrap().to_string_lossy().into_owned();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let mut written = text.clone();
        for example in examples(&text) {
            commands += 1;
            let actual = run(&example.command, &folder);
            if !matches(&example.output, &actual.lines().map(String::from).collect::<Vec<_>>()) {
                let (command, output) = (&example.command, example.output.join("\n"));
                faults.push(format!("{name}: $ {command}\n--- said\n{output}\n--- is\n{actual}"));
                written = written.replacen(&example.text(), &example.with(&actual), 1);
            }
        }
        if written != text && std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&document, written).unwrap();
        }
    }
    assert!(commands >= 35, "{commands} commands of the documents were run");
    assert!(faults.is_empty(), "\n{}", faults.join("\n\n"));
}

/// Links to files of the repository; `#` and what follows is a heading of the page.
#[test]
fn links_lead_somewhere() {
    let more = ["CHANGELOG.md", "editors/README.md", "games/README.md"].map(|d| root().join(d));
    let mut faults = Vec::new();
    for document in documents().into_iter().chain(more) {
        let text = fs::read_to_string(&document).unwrap();
        for link in links(&text).filter(|link| !link.contains("://")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => document.clone(),
                file => document.parent().unwrap().join(file),
            };
            let found = match heading {
                "" => target.exists(),
                heading => {
                    fs::read_to_string(&target).is_ok_and(|page| has_heading(&page, heading))
                }
            };
            if !found {
                faults.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// What stands in `[text](link)` outside of code.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    let lines = text.lines().filter(move |line| {
        code ^= line.starts_with("```");
        !code
    });
    lines.flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()))
}

fn has_heading(page: &str, anchor: &str) -> bool {
    let plain = |line: &str| -> String {
        let words = line.trim_start_matches('#').trim().to_lowercase();
        let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    page.lines().filter(|line| line.starts_with('#')).any(|line| plain(line) == anchor)
}

#[test]
fn the_front_page_is_short_and_the_book_has_every_page() {
    let lines = fs::read_to_string(root().join("README.md")).unwrap().lines().count();
    assert!(lines <= 150, "README.md has {lines} lines");
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    for page in documents().iter().filter(|page| page.parent().unwrap().ends_with("docs")) {
        let name = page.file_name().unwrap().to_string_lossy();
        let listed = name == "SUMMARY.md" || summary.contains(&format!("({name})"));
        assert!(listed, "docs/SUMMARY.md does not list {name}");
    }
}

/// Without a warning, and with every link between its pages.
#[test]
fn the_book_is_built() {
    let Some(program) = ludex_testing::tool("mdbook") else { return };
    let book = tempfile::tempdir().unwrap();
    let mut command = Command::new(program);
    let run = command.arg("build").arg("-d").arg(book.path()).arg(root()).output().unwrap();
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && !told.contains("WARN") && !told.contains("ERROR"), "{told}");
    let read = |page: &str| fs::read_to_string(book.path().join(page)).unwrap_or_default();
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let pages = links(&summary).map(|page| page.replace(".md", ".html"));
    let mut faults = Vec::new();
    for page in pages {
        let text = read(&page);
        let content = text.split("<main>").nth(1).and_then(|t| t.split("</main>").next());
        let targets = ["href=\"", "src=\""].map(|key| content.expect("a page").split(key).skip(1));
        for link in targets.into_iter().flatten().filter_map(|rest| rest.split('"').next()) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.as_str() } else { file };
            let known = heading.is_empty() || read(target).contains(&format!("id=\"{heading}\""));
            if !(link.contains("://") || known && book.path().join(target).exists()) {
                faults.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

struct Example {
    command: String,
    output: Vec<String>,
}

impl Example {
    fn text(&self) -> String {
        self.with(&self.output.join("\n"))
    }

    fn with(&self, output: &str) -> String {
        let line_end = if output.trim_end().is_empty() { "" } else { "\n" };
        format!("$ {}\n{}{line_end}", self.command, output.trim_end())
    }
}

fn examples(document: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    for line in document.lines() {
        match (inside, line.strip_prefix("$ ")) {
            (false, _) => inside = line == "```console",
            (true, _) if line == "```" => inside = false,
            (true, Some(command)) => {
                found.push(Example { command: command.to_string(), output: vec![] })
            }
            (true, None) => {
                found.last_mut().expect("a command before output").output.push(line.to_string())
            }
        }
    }
    found
}

/// What a command prints, errors after the rest, and its exit code if it is not 0.
fn run(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_ludex")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let command = command.replace("cargo run --release -- ", "ludex ");
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .output()
        .unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    match output.status.code() {
        Some(0) => text,
        Some(code) => format!("{text}[exit {code}]\n"),
        None => format!("{text}[ended by a signal]\n"),
    }
}

fn matches(expected: &[String], actual: &[String]) -> bool {
    match expected {
        [] => actual.is_empty(),
        [first, rest @ ..] if first == "..." => {
            (0..=actual.len()).any(|skipped| matches(rest, &actual[skipped..]))
        }
        [first, rest @ ..] => {
            actual.first().is_some_and(|line| matches_line(first, line))
                && matches(rest, &actual[1..])
        }
    }
}

fn matches_line(expected: &str, actual: &str) -> bool {
    let Some((before, after)) = expected.split_once("[..]") else { return expected == actual };
    let Some(rest) = actual.strip_prefix(before) else { return false };
    let mut ends = rest.char_indices().map(|(i, _)| i).chain([rest.len()]);
    ends.any(|i| matches_line(after, &rest[i..]))
}

#[test]
fn wildcards_match_lines_and_parts_of_lines() {
    let lines = |text: &str| text.lines().map(String::from).collect::<Vec<_>>();
    assert!(matches(&lines("a\n...\nz"), &lines("a\nb\nc\nz")));
    assert!(matches(&lines("a\n...\nz"), &lines("a\nz")));
    assert!(!matches(&lines("a\n...\nz"), &lines("a\nz\nb")));
    assert!(matches(&lines("took [..] s, [..] states"), &lines("took 0.31 s, 5478 states")));
    assert!(!matches(&lines("took [..] s"), &lines("took 0.31 ms")));
}
