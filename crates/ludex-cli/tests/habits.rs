//! The formatter and the linter have nothing to say about the whole workspace, nor has the compiler for
//! another processor.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

fn run(arguments: &[&str]) {
    if !ludex_testing::installed(&format!("{} {}", env!("CARGO"), arguments[0])) {
        return;
    }
    succeed(arguments);
}

fn succeed(arguments: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root).output().unwrap();
    let (out, err) = (&output.stdout, &output.stderr);
    let (out, err) = (String::from_utf8_lossy(out), String::from_utf8_lossy(err));
    assert!(output.status.success(), "cargo {}\n{out}{err}", arguments.join(" "));
}

#[test]
fn formatted() {
    run(&["fmt", "--all", "--check"]);
}

#[test]
fn no_warnings() {
    run(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]);
}

/// Clippy, above, knows what the compiler of `rust-version` lacks in the language and the standard library
/// (`incompatible_msrv`); this looks at the crates from elsewhere.
#[test]
fn no_crate_asks_for_a_newer_compiler() {
    let arguments = ["metadata", "--format-version", "1", "--locked"];
    let output = Command::new(env!("CARGO")).args(arguments).output().unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let ours = version(env!("CARGO_PKG_RUST_VERSION"));
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100);
    for package in packages {
        let asked = package["rust_version"].as_str().unwrap_or("1.0");
        assert!(version(asked) <= ours, "{} needs Rust {asked}", package["id"]);
    }
}

/// The program and the Python module are no libraries: what they are is told by `--help` and `docs/python.md`.
#[test]
fn every_library_begins_with_an_example() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut libraries = 0;
    for folder in std::fs::read_dir(crates).unwrap() {
        let front = folder.unwrap().path().join("src/lib.rs");
        if front.components().any(|part| part.as_os_str() == "ludex-py") || !front.exists() {
            continue;
        }
        let text = std::fs::read_to_string(&front).unwrap();
        let mut page = text.lines().take_while(|line| line.starts_with("//!"));
        assert!(page.any(|line| line == "//! ```"), "{} shows no example", front.display());
        libraries += 1;
    }
    assert!(libraries > 10);
}

fn version(text: &str) -> [u32; 2] {
    let mut parts = text.split('.').map(|part| part.parse().unwrap());
    [parts.next().unwrap(), parts.next().unwrap_or(0)]
}

/// The engines, which are all that is written for one processor and without for others. What is built on them
/// needs a C++ compiler for the other one, too.
#[test]
fn engines_compile_for_another_processor() {
    const TARGET: &str = "aarch64-unknown-linux-gnu";
    let asked =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    if !folder.is_ok_and(|folder| Path::new(&folder).exists()) {
        return ludex_testing::left_out(&format!("rustup target add {TARGET} has not been run"));
    }
    succeed(&["check", "-p", "ludex-machine", "--all-targets", "--target", TARGET, "--quiet"]);
}
