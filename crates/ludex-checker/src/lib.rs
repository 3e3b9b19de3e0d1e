//! Checks certificates that `ludex prove --certificate` writes (`docs/certificates.md` tells the format).
//!
//! Nothing of Ludex is used here: the file is read, the questions are put, and a SAT solver of another make (varisat)
//! answers them. Its answers are checked, too: every proof that it writes goes through its proof checker.
//!
//! ```
//! // One lamp that can be lit and stays so; nothing ends the game.
//! let text = "aag 3 1 1 2 1\n2\n4 7 0\n0\n1\n6 3 5\nc\nludex certificate 1\ngame lamp\nsteps 1\nrole 0 1\nstays 4\n";
//! assert_eq!(ludex_checker::check(text).expect("a certificate").claims, 1);
//! let wrong = text.replace("stays 4", "stays 5");
//! assert!(matches!(ludex_checker::check(&wrong), Err(ludex_checker::Rejected::Claim { .. })));
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod aiger;
mod claims;
mod frames;
mod moments;

use aiger::AigerFile;
use claims::{CertifiedClaim, Claims};
use frames::Frames;
use std::fmt;

/// What was found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    pub game: String,
    pub claims: usize,
    /// Steps of the induction.
    pub steps: usize,
}

/// Why a certificate is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejected {
    /// The text is no certificate: a line from 1, and what is wrong there.
    Text { line: usize, message: String },
    /// A claim that does not follow.
    Claim { line: usize, message: String },
    /// The solver, or the checker of its proofs, failed.
    Solver(String),
}

/// Checks the text of a certificate.
pub fn check(text: &str) -> Result<Accepted, Rejected> {
    let (circuit, comment) = AigerFile::read(text)?;
    let claims = Claims::read(&circuit, &comment)?;
    at_first(&circuit, &claims)?;
    step(&circuit, &claims)?;
    Ok(Accepted { game: claims.game.clone(), claims: claims.list.len(), steps: claims.steps })
}

/// The claims about states hold after every play of fewer steps than the induction has.
fn at_first(circuit: &AigerFile, claims: &Claims) -> Result<(), Rejected> {
    let mut frames = Frames::new(circuit, claims);
    frames.begin();
    for t in 0..claims.steps {
        frames.add(t);
        frames.refute(t, "does not hold in the first states")?;
        frames.step(t);
    }
    Ok(())
}

/// Where they hold so many steps one after the other they hold in the next state, and what is claimed of
/// steps holds of every step.
fn step(circuit: &AigerFile, claims: &Claims) -> Result<(), Rejected> {
    let mut frames = Frames::new(circuit, claims);
    for t in 0..claims.steps {
        frames.add(t);
        frames.assume(t);
        frames.step(t);
    }
    frames.add(claims.steps);
    frames.refute(claims.steps, "is not inductive")?;
    // Reachable states have all claims, so that one step is enough for the rest.
    let mut frames = Frames::new(circuit, claims);
    frames.add(0);
    frames.assume(0);
    frames.step(0);
    frames.add(1);
    frames.assume(1);
    for (line, claim) in &claims.list {
        let holds = match claim {
            CertifiedClaim::Leads(before, after) => {
                frames.never(&[(0, *before), (1, after ^ 1)])?
            }
            CertifiedClaim::Counter(lits) => frames.counts_forward(lits)?,
            CertifiedClaim::Falls(sums) => frames.falls(sums)?,
            CertifiedClaim::Within(steps) => [false, true]
                .into_iter()
                .any(|cases| moments::over_within(circuit, claims, *steps, cases)),
            CertifiedClaim::Clause(_) | CertifiedClaim::AtMostOne { .. } => true,
        };
        if !holds {
            let message = "does not hold of every step".into();
            return Err(Rejected::Claim { line: *line, message });
        }
    }
    frames.close()
}

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Accepted { game, claims, steps } = self;
        write!(f, "{game}: accepted, {claims} claims by induction over {steps} steps")
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Rejected::Text { line, message } => write!(f, "line {line}: {message}"),
            Rejected::Claim { line, message } => {
                write!(f, "rejected: the claim of line {line} {message}")
            }
            Rejected::Solver(message) => write!(f, "the solver failed: {message}"),
        }
    }
}

impl std::error::Error for Rejected {}
