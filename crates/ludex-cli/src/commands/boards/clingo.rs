//! Projections verified by clingo, where the user has it.

use super::Subject;
use crate::Session;
use crate::failure::Failure;
use ludex::facts::boards::{Boards, Verify, program};
use std::io::Write;
use std::process::{Command, Stdio};

/// The invariant projections by *Prune*, each verified by a run of clingo.
pub fn boards(subject: &Subject, verify: Verify, session: &Session) -> Result<Boards, Failure> {
    if verify == Verify::Lemmas {
        let message = "error: clingo runs the paper's program, which has no lemmas; add --verify \
                       literal or --verify exact";
        return Err(Failure::Misuse(message.into()));
    }
    let Subject { rules, net, bases, .. } = subject;
    let ask = |relation: &str, arity: usize, set: &[usize]| {
        let exact = verify == Verify::Exact;
        unsatisfiable(&program(rules, net, bases, (relation, arity), set, exact))
    };
    Boards::verify_by(bases, verify, &session.budget, ask)
}

/// Whether clingo finds no model.
fn unsatisfiable(program: &str) -> Result<bool, Failure> {
    let failed = |why: String| Failure::Input(format!("error: clingo cannot be run: {why}"));
    let mut child = Command::new("clingo")
        .args(["--verbose=0", "--warn=none", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| {
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
