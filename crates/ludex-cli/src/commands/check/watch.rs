//! Waiting until a file changes: `ludex check --watch`.

use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::budget::Stop;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, SystemTime};

const PAUSE: Duration = Duration::from_millis(100);

/// Does the work, and again whenever one of the files has changed, until the user ends it.
pub fn watch(files: &[String], session: &Session, work: impl Fn() -> Outcome) -> Outcome {
    if let Some(file) = files.iter().find(|file| !Path::new(file).is_file()) {
        return Err(Failure::Misuse(format!("error: --watch needs files, and {file} is not one")));
    }
    loop {
        let before = stamps(files);
        match work() {
            Ok(()) | Err(Failure::Refuted | Failure::Input(_)) => {}
            Err(other) => return Err(other),
        }
        session.out().flush()?;
        while stamps(files) == before {
            match session.budget().check() {
                Ok(()) => std::thread::sleep(PAUSE),
                Err(Stop::Interrupted) => return Ok(()),
                Err(stop) => return Err(stop.into()),
            }
        }
        writeln!(session.out())?;
    }
}

/// When each file was written last and how long it is; none while an editor replaces it.
fn stamps(files: &[String]) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |file: &String| {
        let data = std::fs::metadata(file).ok()?;
        Some((data.modified().ok()?, data.len()))
    };
    files.iter().map(stamp).collect()
}
