//! The formatter and the linter have nothing to say about the whole workspace.

use std::path::Path;
use std::process::Command;

fn run(arguments: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut cargo = Command::new(env!("CARGO"));
    let available = cargo.arg(arguments[0]).arg("--version").output().unwrap();
    if !available.status.success() {
        return println!("cargo {} is not installed: nothing was checked", arguments[0]);
    }
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
