//! The paper on factoring: latches of Figure 1, conjoined games, and games that fall apart during a match.

use super::desk::{Claim, Desk, Found, claim};
use crate::failure::Failure;
use crate::{Outcome, Session, moves};
use ludex::answers::{ApartIs, FactorEffort, Factors, Latches, LatchesAt};
use ludex::budget::Budget;
use ludex::facts::factor::Structure;

pub fn report(desk: &mut Desk) -> Outcome {
    latches(desk)?;
    conjoined(desk)?;
    trees(desk)?;
    joined(desk)
}

fn latches(desk: &mut Desk) -> Outcome {
    desk.compare(
        claim("Figure 1: latches", "(pressed a) (pressed b)", "ludex latches twobuttons"),
        |session, budget| {
            let found = Latches::of(&session.load("twobuttons")?, budget, budget.allowed() / 3.0)?;
            Ok(Found::Value(found.positive.join(" ")))
        },
    )?;
    desk.compare(
        claim(
            "Definition 4.4: gates after latch modification, a pressed",
            "fewer",
            "ludex latches twobuttons --moves FILE",
        ),
        |session, budget| {
            let game = session.load("twobuttons")?;
            let net = game.knowledge().net(budget)?;
            let state = moves::after_text(&net, "(press a)")?;
            let gates = LatchesAt::of(&game, &net, &state, budget)?.gates;
            let text = format!("{} instead of {}", gates.after, gates.before);
            Ok(Found::Judged(text, gates.after < gates.before))
        },
    )
}

/// The conditions of Theorem 3.16, one by one, of the conjunction of two games of tic-tac-toe.
fn conjoined(desk: &mut Desk) -> Outcome {
    const GAME: &str = "doubletictactoe";
    let alone = format!("ludex factor {GAME}");
    desk.compare(claim("Theorem 3.16: independent sets", "2", &alone), |session, budget| {
        let found = factors(session, GAME, "", false, budget)?;
        Ok(Found::Value(found.factors.len().to_string()))
    })?;
    desk.compare(
        claim("Theorem 3.16: action independent, shared", "control", &alone),
        |session, budget| {
            let found = factors(session, GAME, "", false, budget)?;
            let names = found.shared_patterns.iter();
            let names =
                names.map(|text| text.trim_start_matches('(').split(' ').next().unwrap_or(""));
            Ok(Found::Value(names.collect::<Vec<_>>().join(" ")))
        },
    )?;
    desk.compare(
        claim("Theorem 3.16: legally partitionable", "yes", &alone),
        |session, budget| {
            let found = factors(session, GAME, "", false, budget)?;
            Ok(Found::Value(if found.tie.is_none() { "yes" } else { "no" }.into()))
        },
    )?;
    desk.compare(
        claim("Theorem 3.16: goal partitionable", "conjunction", &alone),
        |session, budget| {
            let found = factors(session, GAME, "", false, budget)?;
            let of_all = found.goals.iter().all(|goal| goal.structure == Structure::Conjunction);
            let words =
                if of_all { "conjunction".to_string() } else { found.goal.unwrap_or_default() };
            Ok(Found::Value(words))
        },
    )?;
    desk.compare(
        claim("Theorem 3.16: equivalent to its factors", "yes", &alone),
        |session, budget| {
            let found = factors(session, GAME, "", false, budget)?;
            let exact = found.exact == Some(ApartIs::Exact);
            Ok(Found::Value(if exact { "yes" } else { "not shown" }.into()))
        },
    )
}

fn trees(desk: &mut Desk) -> Outcome {
    let alone = "ludex factor doubletictactoe --count";
    desk.compare(
        claim("leaves of the factors' trees", "their sum, not their product", alone),
        |session, budget| {
            let found = factors(session, "doubletictactoe", "", true, budget)?;
            let leaves = found.leaves.expect("asked for");
            let (Some(sum), Some(product)) = (leaves.sum, leaves.product) else {
                return Err(Failure::TooLarge("the leaves were not counted".into()));
            };
            let each: Vec<u64> = leaves.factors.iter().flatten().copied().collect();
            let right = each.iter().sum::<u64>() == sum && each.iter().product::<u64>() == product;
            Ok(Found::Judged(format!("{sum}, not {product}"), right && sum < product))
        },
    )
}

/// Section 4: two boards with a square between them.
fn joined(desk: &mut Desk) -> Outcome {
    const MOVES: [&str; 3] = [
        "both(mark(2,2),mark(2,2))\tnoop",
        "noop\tboth(mark(2,3),mark(2,1))",
        "both(mark(1,1),middle)\tnoop",
    ];
    for (count, paper) in [(0, "one game"), (2, "2 factors"), (3, "2 factors")] {
        let item = format!("joined tic-tac-toe after {count} moves");
        let claim = Claim {
            why: "the square in the middle can still be marked, which costs a mark on one of the \
                  boards: a tempo that ties them together until it is taken",
            ..claim(item, paper, "ludex factor joinedtictactoe --moves FILE")
        };
        desk.compare(claim, |session, budget| {
            let text = MOVES[..count].join(";");
            let found = factors(session, "joinedtictactoe", &text, false, budget)?;
            Ok(Found::Value(match found.factors.len() {
                0 | 1 => "one game".into(),
                n => format!("{n} factors"),
            }))
        })?;
    }
    Ok(())
}

/// The factors of a bundled game after some moves.
fn factors(
    session: &Session,
    game: &str,
    played: &str,
    leaves: bool,
    budget: &Budget,
) -> Result<Factors, Failure> {
    let game = session.load(game)?;
    let net = game.knowledge().net(budget)?;
    let state = moves::after_text(&net, played)?;
    let effort = FactorEffort {
        states: 2_000,
        seconds: budget.allowed() / 4.0,
        leaves,
        whole_leaves: false,
        lemma_seconds: budget.allowed() / 3.0,
    };
    let state = (!played.is_empty()).then_some(&state[..]);
    Ok(Factors::of(&game, state, &effort, budget, &mut |_| ())?)
}
