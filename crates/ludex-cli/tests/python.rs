//! The tests of the Python package, run by pytest on the module that was just built.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests import.
const NEEDED: [&str; 6] = ["numpy", "pytest", "hypothesis", "gymnasium", "pettingzoo", "ray"];

/// The interpreter of `.venv`, or the one on the path, that has all of it.
fn python() -> Option<PathBuf> {
    let own = ludex_testing::root().join(".venv/bin/python");
    let named = std::env::var_os("LUDEX_PYTHON").map(PathBuf::from);
    let imports = format!("import {}", NEEDED.join(", "));
    let has_all = |python: &PathBuf| {
        let asked = Command::new(python).args(["-c", &imports]).output();
        asked.is_ok_and(|output| output.status.success())
    };
    let found = named.into_iter().chain([own, "python3".into()]).find(has_all);
    if found.is_none() {
        ludex_testing::left_out(&format!("no Python has {}", NEEDED.join(", ")));
    }
    found
}

fn manifest() -> PathBuf {
    ludex_testing::root().join("crates/ludex-py/Cargo.toml")
}

fn cargo(arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO"));
    let output = command.args(arguments).arg("--manifest-path").arg(manifest()).output();
    let output = output.expect("cargo runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {}\n{told}", arguments.join(" "));
}

/// The module, built as for tests.
fn module() -> PathBuf {
    cargo(&["build", "--quiet"]);
    let folder = ludex_testing::root().join("crates/ludex-py/target/debug");
    let names = ["lib_ludex.so", "lib_ludex.dylib", "_ludex.dll"];
    let found = names.map(|name| folder.join(name)).into_iter().find(|path| path.exists());
    found.expect("cargo has built it")
}

/// The package as an installation would lay it out.
fn package() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    let source = ludex_testing::root().join("crates/ludex-py/python");
    let _ = std::fs::remove_dir_all(&folder);
    copy(&source, &folder);
    let name = if cfg!(windows) { "_ludex.pyd" } else { "_ludex.abi3.so" };
    std::fs::copy(module(), folder.join("ludex").join(name)).expect("room for the module");
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder can be made");
    for entry in std::fs::read_dir(from).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        let target = to.join(path.file_name().expect("a name"));
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(std::fs::copy(&path, &target).expect("a file can be copied")),
        }
    }
}

#[test]
fn formatted() {
    if ludex_testing::installed(&format!("{} fmt", env!("CARGO"))) {
        cargo(&["fmt", "--check"]);
    }
}

#[test]
fn pytest_passes() {
    let Some(python) = python() else { return };
    let folder = package();
    let page = ludex_testing::root().join("docs/python.md").canonicalize().expect("a page");
    let output = Command::new(python)
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules"])
        .args(["--doctest-glob=*.md", "-o", "doctest_optionflags=ELLIPSIS", "ludex", "tests"])
        .arg(&page)
        .env("PYTHONPATH", &folder)
        .env("LUDEX_EXAMPLES", page.with_file_name("../examples"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(&folder)
        .output()
        .expect("Python runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}
