//! What is found out about games: invariants, boards, and that all of it is true.

mod boards;
mod invariants;
mod sound;

use ludex::budget::Budget;
use ludex::facts::boards::Bases;
use ludex::ground::Ground;
use ludex::net::Net;
use ludex::rules::Rules;
use ludex::source::Source;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A game with all that is found out about it is found in.
struct Subject {
    rules: Rules,
    ground: Ground,
    net: Arc<Net>,
    bases: Bases,
}

fn subject(name: &str, text: &str) -> Subject {
    within(name, text, &Budget::unlimited()).expect("small enough")
}

/// None where the rules have too many instances, or the budget ends.
fn within(name: &str, text: &str, budget: &Budget) -> Option<Subject> {
    let (rules, _) = Rules::read(&Source::new(name, text), None).expect("rules");
    let ground = Ground::new(&rules, budget).ok()?;
    let net = Arc::new(Net::new(&ground, budget).ok()?);
    let bases = Bases::new(&rules, &net, &Budget::unlimited()).expect("declarations");
    Some(Subject { rules, ground, net, bases })
}

fn bundled(name: &str) -> Subject {
    load(&root().join("games").join(name)).expect("a bundled game")
}

/// None where there is no such file.
fn load(path: &Path) -> Option<Subject> {
    let text = std::fs::read(path).ok()?;
    Some(subject(&path.to_string_lossy(), &String::from_utf8_lossy(&text)))
}
