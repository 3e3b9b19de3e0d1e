//! Projections verified by clingo, where the user has it.

use crate::Session;
use crate::failure::Failure;
use ludex::facts::boards::{self, Assumed, Verify, program};
use ludex::facts::invariants::Invariants;
use ludex_answers::{BoardSubject, Boards};
use std::io::Write;
use std::process::{Command, Stdio};

/// The invariant projections by *Prune*, each verified by a run of clingo.
pub fn boards(
    subject: &BoardSubject,
    verify: Verify,
    session: &Session,
) -> Result<Boards, Failure> {
    let BoardSubject { game, net, bases, .. } = subject;
    let invariants = subject.lemmas(verify)?;
    let ask = |relation: &str, arity: usize, set: &[usize]| {
        let assumed = assumed(verify, invariants.as_deref());
        unsatisfiable(&program(game.rules(), net, bases, (relation, arity), set, assumed))
    };
    let found = boards::Boards::verify_by(bases, verify, &session.budget(), ask)?;
    Ok(subject.told(&found, 0.0))
}

/// What the program takes for granted.
pub fn assumed(verify: Verify, invariants: Option<&Invariants>) -> Assumed<'_> {
    match (verify, invariants) {
        (Verify::Literal, _) => Assumed::Literal,
        (Verify::Lemmas, Some(invariants)) => Assumed::Lemmas(invariants),
        _ => Assumed::Exact,
    }
}

/// Whether clingo finds no model.
fn unsatisfiable(program: &str) -> Result<bool, Failure> {
    let failed = |why: String| Failure::input("no-clingo", format!("clingo cannot be run: {why}"));
    let start = |name: &str, first: &[&str]| {
        let mut command = Command::new(name);
        command.args(first).args(["--verbose=0", "--warn=none", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    };
    // The wheel of clingo is a module of Python.
    let child =
        start("clingo", &[]).or_else(|e| start("python3", &["-m", "clingo"]).map_err(|_| e));
    let mut child = child.map_err(|e| {
        failed(format!("{e}; it comes with Debian's gringo or `pip install clingo`"))
    })?;
    let mut input = child.stdin.take().expect("a pipe");
    let text = program.to_string();
    // Written beside the reading of the answer, so that neither waits for the other.
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|e| failed(e.to_string()))?;
    let _ = writer.join();
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().last().map(str::trim) {
        Some("SATISFIABLE") => Ok(false),
        Some("UNSATISFIABLE") => Ok(true),
        _ => Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_string())),
    }
}
