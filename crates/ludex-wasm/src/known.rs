//! A question about a game -> an answer of the library, with its text: the analyses that are cheap.

use crate::Trouble;
use ludex::Game;
use ludex::budget::Budget;
use ludex::compile::Means;
use ludex::facts::boards::Verify;
use ludex::search::solve::{Settings, Symmetry};
use ludex_answers::{
    Answer, Boards, DomainCounts, FactorEffort, Factors, GameInfo, Latches, NetSize, Proved,
    Solved, Symmetries, SymmetryEffort,
};
use serde_json::{Value, json};

/// Bytes of the solver's table: a browser has less room than a machine.
const TABLE: usize = 128 << 20;

/// Answers a question within a budget.
pub fn known(game: &Game, question: &str, budget: &Budget) -> Result<Value, Trouble> {
    let share = budget.allowed() / 3.0;
    Ok(match question {
        "info" => told(&GameInfo::of(game, None, Means::all(budget), &mut |_| ())?),
        "net" => told(&NetSize::of(game, 0.0, budget, &mut |_| ())?.0),
        "domains" => told(&DomainCounts::of(game, budget, &mut |_| ())),
        "boards" => told(&Boards::of(game, Verify::Lemmas, share, budget, &mut |_| ())?),
        "latches" => told(&Latches::of(game, budget, share)?),
        "proofs" | "prove" => told(&Proved::of(game, budget, &mut |_| ())?),
        "symmetries" => {
            let effort = SymmetryEffort {
                fix_roles: false,
                with_init: false,
                rules_only: false,
                trial_seconds: share,
                net_seconds: share,
            };
            told(&Symmetries::of(game, effort, budget, &mut |_| ())?.0)
        }
        "factors" => {
            let effort = FactorEffort {
                states: 2_000,
                seconds: share,
                leaves: false,
                whole_leaves: false,
                lemma_seconds: share,
            };
            told(&Factors::of(game, None, &effort, budget, &mut |_| ())?)
        }
        "solve" => {
            let settings = Settings {
                symmetry: Symmetry::States,
                factoring: true,
                latches: true,
                depth: None,
                bytes: TABLE,
                proof_seconds: share,
            };
            told(&Solved::of(game, None, &settings, budget, &mut |_| ())?)
        }
        other => {
            let why =
                format!("{other} is answered by `ludex serve`, not by a page without a server");
            return Err(Trouble::new("not-here", why));
        }
    })
}

/// An answer and the text that the program prints for it.
fn told(answer: &impl Answer) -> Value {
    json!({ "answer": answer, "text": answer.to_string(), "pictures": [] })
}
