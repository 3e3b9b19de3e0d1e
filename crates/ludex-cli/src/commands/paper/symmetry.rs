//! The paper on symmetries: its tic-tac-toe, the two limits that it names, and Figure 1.

use super::desk::{Claim, Desk, Found, claim};
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::answers::{NetPart, RuleGroup, Symmetries, SymmetryEffort};
use ludex::budget::Budget;
use ludex::search::solve::{Savings, Subject};
use ludex::source::Source;

const GAME: &str = "tictactoe-symmetry";

pub fn report(desk: &mut Desk) -> Outcome {
    group(desk)?;
    tautology(desk)?;
    nested_term(desk)?;
    figure(desk)
}

fn group(desk: &mut Desk) -> Outcome {
    let alone = format!("ludex symmetry {GAME}");
    desk.compare(claim("symmetries of tic-tac-toe", "8", &alone), |session, budget| {
        let found = of_rules(&session.load(GAME)?, budget)?;
        Ok(Found::Value(found.order_fixed_roles))
    })
}

/// A rule that never fires hides the exchange of a and c from the rule graph.
fn tautology(desk: &mut Desk) -> Outcome {
    let claim = Claim {
        why: "rules are read without conditions that are decided, so this one is gone before a graph is \
              drawn, and the symmetry is found",
        ..claim(
            "with p(a) :- a \\= a, from the rules as written",
            "fewer than without it",
            "ludex paper symmetry --item 'p(a)'",
        )
    };
    desk.compare(claim, |session, budget| {
        written(session, |text| format!("{text}\np(a) :- a \\= a.\n"), budget)
    })
}

/// With f(a) for a the rule graph loses symmetries that the ground game has.
fn nested_term(desk: &mut Desk) -> Outcome {
    let alone = "ludex paper symmetry --item 'f(a)'";
    let nested = |text: &str| text.replace("cell(a,", "cell(f(a),");
    desk.compare(
        claim("with f(a) for a, from the rules as written", "fewer than without it", alone),
        |session, budget| written(session, nested, budget),
    )?;
    desk.compare(claim("with f(a) for a, from the ground game", "8", alone), |session, budget| {
        let effort = SymmetryEffort { net_seconds: budget.allowed(), ..SymmetryEffort::default() };
        let (found, _) = Symmetries::of(&changed(session, nested)?, effort, budget, &mut |_| ())?;
        let NetPart::Found(net) = found.net.expect("asked for") else {
            return Err(Failure::TooLarge("the net was not searched".into()));
        };
        Ok(Found::Value(net.order_fixed_roles))
    })
}

/// Symmetries of the rules as written, with a change of their text and without it.
fn written(
    session: &Session,
    change: impl Fn(&str) -> String,
    budget: &Budget,
) -> Result<Found, Failure> {
    let with = of_rules(&changed(session, change)?, budget)?.order_as_written;
    let without = of_rules(&session.load(GAME)?, budget)?.order_as_written;
    let is_fewer = (with.len(), &with) < (without.len(), &without);
    Ok(Found::Judged(format!("{with}, without it {without}"), is_fewer))
}

/// The games of Figure 1 that the text names. Its figures are in a chart that cannot be read off.
const FIGURE: [(&str, &str); 7] = [
    ("ticTacToe", "nearly 87.5 % of the states"),
    ("ticTicToe", "nearly 87.5 % of the states"),
    ("ticTacToeParallel", "a gain"),
    ("eightPuzzle", "a loss in blind search"),
    ("pentago", "a loss in blind search"),
    ("knightmove", "a loss"),
    ("asteroidsParallel", "a great loss"),
];

fn figure(desk: &mut Desk) -> Outcome {
    for (game, paper) in FIGURE {
        let item = format!("Figure 1: {game}, saved by symmetric states");
        let claim = claim(item, paper, "ludex bench-symmetry GAME");
        desk.compare_game(claim, &[game], |session, game, budget| {
            let net = game.knowledge().net(budget)?;
            let state = net.bases.iter().map(|base| base.initial).collect();
            let subject = Subject { knowledge: game.knowledge().clone(), net, state };
            let most = 20_000;
            let bytes = session.memory_limit().map_or(1 << 30, |limit| limit as usize / 2);
            let found = Savings::measure(&subject, None, most, bytes, budget)?;
            let saved = |ours: f64, all: f64| 100.0 * (1.0 - ours / all.max(1e-9));
            Ok(Found::Measured(format!(
                "{:.1} % of the states, {:.1} % of the time",
                saved(found.states.states as f64, found.normal.states as f64),
                saved(found.states.seconds, found.normal.seconds),
            )))
        })?;
    }
    Ok(())
}

fn of_rules(game: &Game, budget: &Budget) -> Result<RuleGroup, Failure> {
    let effort = SymmetryEffort { rules_only: true, ..SymmetryEffort::default() };
    let (found, _) = Symmetries::of(game, effort, budget, &mut |_| ())?;
    Ok(found.rules.expect("asked for"))
}

/// The paper's tic-tac-toe with another text.
fn changed(session: &Session, change: impl Fn(&str) -> String) -> Result<Game, Failure> {
    let source = Source::new(GAME, change(&session.source(GAME)?.text));
    Game::read(source, None).map_err(|why| Failure::faulty(&why.report, &why.source))
}
