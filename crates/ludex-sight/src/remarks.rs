//! A game -> what its card says of it, found in a few seconds.

use crate::OpenGame;
use ludex::Game;
use ludex::budget::Budget;
use ludex::search::solve::Settings;
use ludex::symmetry::same::hash;
use ludex_answers::{FactKind, Proved, ProvedFact, Solved, Status, order_in_short};

/// Seconds for each remark.
const REMARK: f64 = 1.0;

/// What tells games apart: the same for every guise of the rules. None where that takes too long.
pub fn guise(game: &Game, budget: &Budget) -> Option<String> {
    hash(game.rules(), &budget.lasting(REMARK)).ok()
}

/// What is found out about a game in a few seconds. It is kept.
pub fn remarks<'a>(open: &'a OpenGame, budget: &Budget) -> &'a [String] {
    open.remarks.get_or_init(|| {
        let parts = [symmetries, factors, ends, value];
        parts.iter().filter_map(|part| part(&open.game, &budget.lasting(REMARK))).collect()
    })
}

fn symmetries(game: &Game, budget: &Budget) -> Option<String> {
    let order = game.knowledge().symmetries(budget).ok()?.all.order.to_string();
    (order != "1").then(|| format!("{} symmetries", order_in_short(&order)))
}

fn factors(game: &Game, budget: &Budget) -> Option<String> {
    let factors = game.knowledge().factors(budget, REMARK).ok()?.factors.len();
    (factors > 1).then(|| format!("{factors} factors"))
}

fn ends(game: &Game, budget: &Budget) -> Option<String> {
    let found = Proved::of(game, budget, &mut |_| ()).ok()?;
    let ends = |f: &ProvedFact| f.kind == FactKind::Termination && f.status == Status::Proved;
    found.facts.iter().find(|f| ends(f)).map(|_| "every match ends".into())
}

fn value(game: &Game, budget: &Budget) -> Option<String> {
    let settings = Settings { proof_seconds: REMARK / 2.0, bytes: 1 << 26, ..Settings::default() };
    let found = Solved::of(game, None, &settings, budget, &mut |_| ()).ok()?;
    let values = serde_json::to_value(&found.values).ok()?;
    let known = values.as_object()?.iter().filter(|v| v.1.is_number());
    let known: Vec<String> = known.map(|(role, value)| format!("{role} {value}")).collect();
    let whole = !known.is_empty() && found.account.complete;
    whole.then(|| format!("solved: {}", known.join(", ")))
}
