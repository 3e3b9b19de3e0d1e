//! Exact search: known values, the same values with and without every shortcut, and a naive search of
//! another make as the measure, on bundled, shared and made-up games.

mod known;
mod made_up;
mod naive;
mod same;

use ludex_gdl::budget::{Budget, Proving};
use ludex_gdl::rules::Rules;
use ludex_gdl::source::Source;
use ludex_knowledge::Knowledge;
use ludex_machine::Scalar;
use ludex_net::Net;
use ludex_reason::StateMachine;
use ludex_reason::interp::Interp;
use ludex_search::solve::{Settings, Solution, Subject, Symmetry, solve};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub struct Loaded {
    pub rules: Rules,
    pub knowledge: Arc<Knowledge>,
    pub net: Arc<Net>,
}

pub fn read(name: &str, text: &str) -> Option<Loaded> {
    let (rules, _) = Rules::read(&Source::new(name, text), None).ok()?;
    let knowledge = Arc::new(Knowledge::of_rules(rules.clone()));
    let net = knowledge.net(&Budget::unlimited()).ok()?;
    Some(Loaded { rules, knowledge, net })
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn bundled(file: &str) -> String {
    std::fs::read_to_string(root().join("games").join(file)).expect("a bundled game")
}

/// Everything on, with a small table.
pub fn settings() -> Settings {
    Settings { bytes: 200_000_000, ..Settings::default() }
}

impl Loaded {
    pub fn subject(&self) -> Subject {
        let state = self.net.bases.iter().map(|b| b.initial).collect();
        Subject { knowledge: self.knowledge.clone(), net: self.net.clone(), state }
    }

    pub fn solve(&self, settings: &Settings) -> Solution {
        let budget = Budget::unlimited();
        solve(&self.subject(), settings, &budget, Proving(&budget.part()))
    }

    pub fn reasoner(&self) -> Interp {
        Interp::new(&self.rules).expect("rules that can be run")
    }

    /// Plays the line of a solution: the goals at its end, if it is an end.
    pub fn play(&self, found: &Solution) -> Option<Vec<Option<i32>>> {
        let mut game = Scalar::new(self.net.clone());
        let mut state = game.initial();
        for joint in &found.line {
            for (role, m) in joint.iter().enumerate() {
                let mut legal = Vec::new();
                game.legal(&state, role, &mut legal);
                assert!(legal.contains(m), "{}: the line has an illegal move", self.net.name);
            }
            assert!(!game.terminal(&state), "{}: the line goes on after the end", self.net.name);
            state = game.next(&state, joint);
        }
        let over = game.terminal(&state);
        over.then(|| (0..game.roles()).map(|r| game.goal(&state, r)).collect())
    }
}

/// The values as numbers, where they are whole.
pub fn values(found: &Solution) -> Option<Vec<i32>> {
    let whole = |v: &ludex_search::solve::Value| v.is_integer().then(|| v.to_string());
    let texts: Option<Vec<String>> = found.values.as_ref()?.iter().map(whole).collect();
    texts?.iter().map(|t| t.parse().ok()).collect()
}

/// Settings that must all lead to the same values, each with a name.
pub fn ways() -> Vec<(&'static str, Settings)> {
    let all = settings();
    vec![
        ("everything", all.clone()),
        ("no symmetries", Settings { symmetry: Symmetry::None, ..all.clone() }),
        (
            "symmetries that do not pay",
            Settings { symmetry_limit: f64::NEG_INFINITY, ..all.clone() },
        ),
        ("symmetric moves", Settings { symmetry: Symmetry::Moves, ..all.clone() }),
        ("no factoring", Settings { factoring: false, ..all.clone() }),
        ("no latches", Settings { latches: false, ..all.clone() }),
        ("two threads", Settings { threads: 2, ..all.clone() }),
        ("nothing", Settings { symmetry: Symmetry::None, factoring: false, latches: false, ..all }),
    ]
}

/// Solves a game in all ways, which must agree, and plays the lines.
pub fn agreed(game: &Loaded) -> Vec<Solution> {
    let all: Vec<Solution> = ways().iter().map(|(_, s)| game.solve(s)).collect();
    for ((way, _), found) in ways().iter().zip(&all) {
        let name = &game.net.name;
        assert_eq!(found.values, all[0].values, "{name}: {way}");
        assert_eq!(found.complete, all[0].complete, "{name}: {way}");
        let goals = if found.line.is_empty() { None } else { game.play(found) };
        if let (Some(goals), Some(values)) = (goals, values(found)) {
            let goals: Vec<i32> = goals.iter().map(|g| g.unwrap_or(0)).collect();
            assert_eq!(goals, values, "{name}: {way}: the line leads elsewhere");
        }
    }
    all
}
