//! The habits of this repository, checked: import order, first lines, sizes, names, paths that exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const LONGEST_FILE: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file of the repository but build products, in order, with its path from the root.
fn files() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    walk(&root(), "", &mut found);
    assert!(found.len() > 20, "the repository was not found");
    found
}

fn walk(folder: &Path, prefix: &str, found: &mut Vec<(String, PathBuf)>) {
    let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap()).collect();
    entries.sort_by_key(|e| e.file_name());
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        match entry.file_type().unwrap() {
            _ if [".git", ".venv", "target"].contains(&name.as_str()) => {}
            kind if kind.is_dir() => walk(&entry.path(), &format!("{path}/"), found),
            kind if kind.is_file() => found.push((path, entry.path())),
            _ => {}
        }
    }
}

fn rust_files() -> impl Iterator<Item = (String, String)> {
    let rust = files().into_iter().filter(|(path, _)| path.ends_with(".rs"));
    rust.map(|(path, file)| (path, fs::read_to_string(file).unwrap()))
}

fn assert_none(faults: Vec<String>) {
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The folders of the crates, `crates/NAME`.
fn crates() -> Vec<String> {
    let is_root =
        |p: &str| p.strip_prefix("crates/")?.strip_suffix("/src/lib.rs").map(String::from);
    let found: Vec<String> = files().iter().filter_map(|(path, _)| is_root(path)).collect();
    assert!(found.len() > 8);
    found.into_iter().map(|name| format!("crates/{name}")).collect()
}

/// The modules of a crate's lib.rs, in the order that is the import law inside it.
fn modules(folder: &str) -> Vec<String> {
    let lib = fs::read_to_string(root().join(folder).join("src/lib.rs")).unwrap();
    let name = |l: &str| {
        let rest = l.trim_start_matches("pub ").strip_prefix("mod ")?;
        Some(rest.strip_suffix(';')?.to_string())
    };
    lib.lines().filter_map(name).collect()
}

#[test]
fn a_module_imports_only_modules_above_it() {
    let files: Vec<(String, String)> = rust_files().collect();
    let faults = crates().iter().flat_map(|folder| law_faults(folder, &files)).collect();
    assert_none(faults);
}

fn law_faults(folder: &str, files: &[(String, String)]) -> Vec<String> {
    let modules = modules(folder);
    let place = |name: &str| modules.iter().position(|m| m == name);
    let mut faults = Vec::new();
    for (path, text) in files {
        let Some(inner) = path.strip_prefix(&format!("{folder}/src/")) else { continue };
        let own = inner.split(['/', '.']).next().unwrap();
        let Some(own_place) = place(own) else { continue };
        for (number, used) in imports(text) {
            if place(&used).is_some_and(|p| p > own_place) {
                faults.push(format!("{path}:{number}: {own} uses {used}, which is below it"));
            }
        }
    }
    faults
}

/// Line number and module of every `crate::module` and `crate::{module, …}` outside comments.
fn imports(text: &str) -> Vec<(usize, String)> {
    let code: Vec<&str> = text.lines().map(|l| l.split("//").next().unwrap()).collect();
    let code = code.join("\n");
    let mut found = Vec::new();
    for (at, marker) in code.match_indices("crate::") {
        let number = 1 + code[..at].matches('\n').count();
        let rest = &code[at + marker.len()..];
        match rest.strip_prefix('{') {
            Some(group) => found.extend(group_names(group).map(|name| (number, name))),
            None => found.push((number, first_name(rest))),
        }
    }
    found
}

/// The first name of every entry of `a::b, c::{d, e}, f}`.
fn group_names(group: &str) -> impl Iterator<Item = String> {
    let mut depth = 0;
    let mut outer = String::new();
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            c if depth == 0 => outer.push(c),
            _ => {}
        }
    }
    let names: Vec<String> = outer.split(',').map(|entry| first_name(entry.trim())).collect();
    names.into_iter()
}

fn first_name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn imports_are_found_in_every_form() {
    let text = "use crate::a::X;\n// crate::no\nuse crate::{b::{Y, no}, c,\n d::Z};\ncrate::e::f()";
    let found: Vec<String> = imports(text).into_iter().map(|(_, name)| name).collect();
    assert_eq!(found, ["a", "b", "c", "d", "e"]);
}

#[test]
fn a_rust_file_opens_with_what_it_makes_and_is_not_too_long() {
    let mut faults = Vec::new();
    for (path, text) in rust_files() {
        if !text.starts_with("//! ") {
            faults.push(format!("{path}: does not open with a `//! ` sentence"));
        }
        let lines = text.lines().count();
        if lines > LONGEST_FILE {
            faults.push(format!("{path}: {lines} lines, {LONGEST_FILE} are allowed"));
        }
    }
    assert_none(faults);
}

/// The crates whose names say that they know the world outside: programs, sockets, tests.
const FRONTS: [&str; 7] = [
    "ludex-bench",
    "ludex-cli",
    "ludex-lsp",
    "ludex-page",
    "ludex-py",
    "ludex-testing",
    "ludex-web",
];

fn libraries() -> Vec<String> {
    let is_front = |folder: &String| FRONTS.iter().any(|f| folder.ends_with(f));
    crates().into_iter().filter(|folder| !is_front(folder)).collect()
}

#[test]
fn library_crates_leave_clocks_files_and_chance_to_fronts() {
    let denies = |folder: &String| {
        let lib = fs::read_to_string(root().join(folder).join("src/lib.rs")).unwrap();
        lib.contains("#![cfg_attr(not(test), deny(clippy::disallowed_methods))]")
    };
    let free = libraries().into_iter().filter(|folder| !denies(folder));
    assert_none(free.map(|folder| format!("{folder} does not deny disallowed methods")).collect());
}

/// What is found and the answer that tells it have one name.
const TOLD: [&str; 3] = ["Boards", "Factors", "Latches"];

#[test]
fn a_name_is_used_for_one_type_of_the_library() {
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in rust_files() {
        let inside = libraries().iter().any(|l| path.starts_with(&format!("{l}/src/")));
        if !inside || path.ends_with("tests.rs") || path.contains("/tests/") {
            continue;
        }
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
        for name in code.lines().filter_map(type_name) {
            places.entry(name.to_string()).or_default().insert(path.clone());
        }
    }
    assert!(places.len() > 300, "types were not found");
    let twice = places.into_iter().filter(|(_, files)| files.len() > 1);
    let twice = twice.filter(|(name, _)| !TOLD.contains(&name.as_str()));
    assert_none(twice.map(|(name, files)| format!("{name} is a type of {files:?}")).collect());
}

/// The type or trait that a line at the outermost level defines.
fn type_name(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub") {
        Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
        Some(rest) => rest.strip_prefix(' ')?,
        None => line,
    };
    let rest = ["struct ", "enum ", "trait ", "type "].iter().find_map(|k| line.strip_prefix(k))?;
    rest.split(|c: char| !c.is_alphanumeric()).next()
}

#[test]
fn a_public_name_of_the_library_is_used() {
    let files: Vec<(String, String)> = rust_files().collect();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, text) in &files {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.for_each(|word| *uses.entry(word).or_default() += 1);
    }
    let libraries = libraries();
    let mut faults = Vec::new();
    for (path, text) in &files {
        if libraries.iter().any(|l| path.starts_with(&format!("{l}/src/"))) {
            let unused = text.lines().filter_map(public_name).filter(|name| uses[name] < 2);
            faults.extend(unused.map(|name| format!("{path}: nobody uses {name}")));
        }
    }
    assert_none(faults);
}

/// The name that a line makes public.
fn public_name(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let kinds = ["const fn ", "fn ", "struct ", "enum ", "trait ", "type ", "const "];
    let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[test]
fn file_names_are_plain_on_every_system() {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
    let odd = files().into_iter().map(|(path, _)| path).filter(|path| !path.chars().all(plain));
    assert_none(odd.map(|path| format!("{path:?} has more than letters, digits, . _ -")).collect());
}

#[test]
fn paths_named_in_architecture_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let paths: Vec<&str> = text.split('`').skip(1).step_by(2).filter(|t| is_path(t)).collect();
    assert!(paths.len() > 10, "ARCHITECTURE.md names its files in backticks");
    let missing = paths.into_iter().filter(|p| !root().join(p).exists());
    assert_none(
        missing.map(|p| format!("ARCHITECTURE.md names {p}, which does not exist")).collect(),
    );
}

/// A name in backticks that means a file or folder of this repository.
fn is_path(text: &str) -> bool {
    let ending = [".rs", ".md", ".toml", ".kif", ".gdl"].iter().any(|e| text.ends_with(e));
    (ending || text.contains('/'))
        && !text.contains([' ', '\n', '*', '<'])
        && !text.starts_with("..")
}

#[test]
fn no_file_names_a_place_on_somebodys_machine() {
    let places = ["work", "home", "root", "Users"].map(|folder| format!("/{folder}/"));
    let mut faults = Vec::new();
    for (path, file) in files() {
        // Pictures and other binary files are not text.
        let Ok(text) = fs::read_to_string(file) else { continue };
        for (i, line) in text.lines().enumerate() {
            if places.iter().any(|place| names_place(line, place)) {
                faults.push(format!("{path}:{}: {}", i + 1, line.trim()));
            }
        }
    }
    assert_none(faults);
}

/// The place at the start of a path, not further inside one or inside an address.
fn names_place(line: &str, place: &str) -> bool {
    let starts_path = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.');
    line.match_indices(place).any(|(at, _)| starts_path(at))
}

#[test]
fn crates_come_from_the_public_registry() {
    let public = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let sources: Vec<&str> = lock.lines().filter(|l| l.starts_with("source = ")).collect();
    assert!(!sources.is_empty());
    assert_none(sources.into_iter().filter(|s| *s != public).map(String::from).collect());
    let settings = files().into_iter().filter(|(path, _)| path.contains(".cargo/config"));
    let hosts = settings.filter(|(_, file)| fs::read_to_string(file).unwrap().contains("registr"));
    assert_none(hosts.map(|(path, _)| format!("{path} names a registry")).collect());
}
