//! A test that misses something says so, or fails where everything is required.

use std::process::{Command, Output};

/// Runs the test below in a process of its own, with one variable of the environment.
fn run(variable: Option<(&str, &str)>) -> Output {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    command.args(["--exact", "something_is_missing", "--ignored"]);
    for name in ["CI", "LUDEX_REQUIRE_ALL", "RUST_TEST_THREADS"] {
        command.env_remove(name);
    }
    command.envs(variable).output().expect("it runs")
}

#[test]
#[ignore = "run by the other tests"]
fn something_is_missing() {
    assert!(ludex_testing::shared("no such part").is_none());
    assert!(!ludex_testing::installed("no-such-program"));
}

#[test]
fn what_is_missing_is_said() {
    for variable in [None, Some(("CI", ""))] {
        let output = run(variable);
        assert!(output.status.success());
        let told = String::from_utf8(output.stderr).expect("text");
        assert_eq!(
            told,
            "something_is_missing: skipped, ../shared/no such part is missing\n\
             something_is_missing: skipped, no-such-program is not installed\n"
        );
    }
}

#[test]
fn what_is_missing_fails_where_all_is_required() {
    for variable in [("CI", "true"), ("LUDEX_REQUIRE_ALL", "1")] {
        let output = run(Some(variable));
        assert!(!output.status.success());
        let told = String::from_utf8(output.stdout).expect("text");
        assert!(told.contains("../shared/no such part is missing, and CI"), "{told}");
    }
}
