//! The paper on factoring: its definitions and Theorem 3.16 one by one, latches, conjoined games and their trees,
//! and games that fall apart during a match.

use super::desk::{Claim, Desk, Found, claim, yes};
use crate::failure::Failure;
use crate::{Outcome, Session, moves};
use ludex::budget::Budget;
use ludex::facts::factor::Structure;
use ludex::machine;
use ludex::search::solve::Settings;
use ludex::source::Source;
use ludex::{Game, Position};
use ludex_answers::{
    ApartIs, Dependence, FactorEffort, FactorTheorem, Factors, Latches, LatchesAt, Solved,
    TheoremConditions,
};
use std::sync::Arc;

const DOUBLE: &str = "doubletictactoe";

/// An item: its name, the paper's value, and what it takes from an answer.
type ItemOf<A, B> = (&'static str, &'static str, fn(&A) -> B);

pub fn report(desk: &mut Desk) -> Outcome {
    paths(desk)?;
    by_the_letter(desk)?;
    legality(desk)?;
    latches(desk)?;
    modified(desk)?;
    draws(desk)?;
    conjoined(desk)?;
    nodes(desk)?;
    trees(desk)?;
    searches(desk)?;
    joined(desk)
}

/// Definitions 3.1 and 3.4 on the buttons of Figure 1.
fn paths(desk: &mut Desk) -> Outcome {
    let press = "(does player (press a))";
    for (to, paper) in
        [("(pressed a)", "(does player (press a)) -> (pressed a)"), ("(pressed b)", "disconnected")]
    {
        let alone = format!("ludex factor twobuttons --paths '{press}' '{to}'");
        let item = format!("Definition 3.1: a path from press a to {to}");
        desk.compare(claim(item, paper, &alone), |session, budget| {
            let found = Dependence::of(&session.load("twobuttons")?, press, to, budget)?;
            let path = found.path.map(|path| path.join(" -> "));
            Ok(Found::Value(path.unwrap_or("disconnected".into())))
        })?;
    }
    let alone = "ludex factor twobuttons --paths '(pressed b)' '(pressed a)'";
    desk.compare(
        claim(
            "Definition 3.4: the smallest independent set with (pressed a)",
            "(pressed a) (does player (press a))",
            alone,
        ),
        |session, budget| {
            let game = session.load("twobuttons")?;
            let found = Dependence::of(&game, "(pressed b)", "(pressed a)", budget)?;
            Ok(Found::Value(found.independent.join(" ")))
        },
    )?;
    desk.compare(
        claim(
            "Definition 3.4: control is action independent",
            "yes",
            "ludex factor doubletictactoe --paths cell control",
        ),
        |session, budget| {
            let found = Dependence::of(&session.load(DOUBLE)?, "cell", "control", budget)?;
            Ok(Found::Value(yes(found.action_independent && found.path.is_none())))
        },
    )
}

/// Theorem 3.16 with a move as one input, as GDL has it.
fn by_the_letter(desk: &mut Desk) -> Outcome {
    let alone = "ludex factor twobuttons --theorem";
    let items: [ItemOf<TheoremConditions, String>; 4] = [
        ("independent sets", "2", |c| c.sets.len().to_string()),
        ("legally partitionable", "yes", |c| yes(c.legally_partitionable)),
        ("goal partitionable", "yes", |c| yes(c.goal_partitionable)),
        ("conjunctively factorable", "yes", |c| yes(c.factorable)),
    ];
    for (what, paper, of) in items {
        let item = format!("Theorem 3.16, Figure 1 by the letter: {what}");
        desk.compare(claim(item, paper, alone), |session, budget| {
            let found = theorem(session, "twobuttons", budget)?;
            Ok(Found::Value(of(&found.as_written.expect("it was made"))))
        })?;
    }
    desk.compare(
        Claim {
            why: "a move of GDL is one input: marking both boards is one action, which both boards read; the paper \
                  lets an agent act several times a turn, which is what splitting moves by their effects does",
            ..claim(
                "Theorem 3.16, double tic-tac-toe by the letter: independent sets",
                "2",
                "ludex factor doubletictactoe --theorem",
            )
        },
        |session, budget| {
            let found = theorem(session, DOUBLE, budget)?.as_written.expect("it was made");
            Ok(Found::Value(found.sets.len().to_string()))
        },
    )
}

/// Section 3: the state of one game decides what is legal in the other, as where a queen of chess may move only
/// after captures in checkers.
fn legality(desk: &mut Desk) -> Outcome {
    const READY: &str = " & ready(X).\nready(a).\nready(b) :- true(pressed(a)).";
    let tied =
        |text: &str| text.replace("~true(pressed(X)).", &format!("~true(pressed(X)){READY}"));
    let sed = READY.replace('&', "\\&").replace('\n', "\\n");
    let alone = format!(
        "ludex games twobuttons | sed 's/~true(pressed(X))\\./~true(pressed(X)){sed}/' | ludex factor - --theorem"
    );
    let claim =
        claim("Section 3: b may be pressed only after a: legally partitionable", "no", &alone);
    desk.compare(claim, |session, budget| {
        let source = Source::new("tied", tied(&session.source("twobuttons")?.text));
        let game = Game::read(source, session.syntax);
        let game = game.map_err(|why| Failure::faulty(&why.report, &why.source))?;
        let found = FactorTheorem::of(&game, budget.allowed() / 3.0, budget)?;
        let found = found.as_written.expect("it was made");
        Ok(Found::Judged(
            yes(found.legally_partitionable),
            found.sets.len() == 2 && !found.legally_partitionable,
        ))
    })
}

fn theorem(session: &Session, game: &str, budget: &Budget) -> Result<FactorTheorem, Failure> {
    Ok(FactorTheorem::of(&session.load(game)?, budget.allowed() / 3.0, budget)?)
}

fn latches(desk: &mut Desk) -> Outcome {
    desk.compare(
        claim("Figure 1: latches", "(pressed a) (pressed b)", "ludex latches twobuttons"),
        |session, budget| {
            let found = Latches::of(&session.load("twobuttons")?, budget, budget.allowed() / 3.0)?;
            Ok(Found::Value(found.positive.join(" ")))
        },
    )?;
    let after = |session: &Session, budget: &Budget| -> Result<LatchesAt, Failure> {
        let game = session.load("twobuttons")?;
        let net = game.knowledge().net(budget)?;
        let state = moves::after(&net, "(press a)")?;
        Ok(LatchesAt::of(&game, &net, &state, (budget, session.share()))?)
    };
    let alone = "ludex latches twobuttons --moves '(press a)'";
    desk.compare(
        claim("Definition 4.4: gates after latch modification, a pressed", "fewer", alone),
        |session, budget| {
            let gates = after(session, budget)?.gates;
            let text = format!("{} instead of {}", gates.after, gates.before);
            Ok(Found::Judged(text, gates.after < gates.before))
        },
    )?;
    desk.compare(
        claim("Lemma 4.5: the modified net is equivalent from there on", "yes", alone),
        |session, budget| {
            let states = after(session, budget)?.states_compared;
            Ok(Found::Judged(format!("yes, in {states} states"), states > 0))
        },
    )
}

/// Figure 3: an or of a latch and something else is true for good once the latch is.
fn modified(desk: &mut Desk) -> Outcome {
    const RULES: &str = "role(player). base(latch). base(other). input(player,set). input(player,wait). \
                         legal(player,set). legal(player,wait). next(latch) :- true(latch). \
                         next(latch) :- does(player,set). next(other) :- does(player,wait). \
                         view :- true(latch). view :- true(other). terminal :- true(latch) & true(other). \
                         goal(player,100) :- view. goal(player,0) :- ~view.";
    let alone = format!("echo '{RULES}' | ludex latches - --moves set");
    desk.compare(
        claim("Figure 3: gates left of the or of a latch that is true", "0", &alone),
        |session, budget| {
            let game = Game::read(Source::new("figure", RULES), None);
            let game = game.map_err(|why| Failure::faulty(&why.report, &why.source))?;
            let net = game.knowledge().net(budget)?;
            let state = moves::after(&net, "set")?;
            let found = LatchesAt::of(&game, &net, &state, (budget, session.share()))?;
            Ok(Found::Value(found.gates.after.to_string()))
        },
    )
}

/// Definition 4.1: two states of tic-tac-toe in which the next move makes a draw are contingently equivalent.
fn draws(desk: &mut Desk) -> Outcome {
    const MATCHES: [&str; 2] = [
        "(mark 1 1); (mark 1 2); (mark 1 3); (mark 2 2); (mark 2 1); \
         (mark 2 3); (mark 3 2); (mark 3 1)",
        "(mark 1 1); (mark 1 3); (mark 1 2); (mark 2 1); (mark 2 3); \
         (mark 2 2); (mark 3 1); (mark 3 2)",
    ];
    let [one, other] = MATCHES.map(|moves| format!("ludex solve tictactoe --from '{moves}'"));
    let item = "Definition 4.1: two states before a draw are equivalent";
    desk.compare(claim(item, "yes", &format!("{one}; {other}")), |session, budget| {
        let start = session.load("tictactoe")?.position(budget)?;
        let [one, other] = MATCHES.map(|moves| {
            let mut moves = moves.split("; ");
            moves.try_fold(start.clone(), |here, m| here.after(&[m])).expect("legal")
        });
        // Each role has one move, and the next state is the last.
        let seen = |here: &Position| {
            let moves: Vec<usize> = (0..2).map(|role| here.legal(role).len()).collect();
            let joint: Vec<&str> = (0..2).filter_map(|role| here.legal(role).next()).collect();
            let next = here.after(&joint).expect("legal");
            (moves, here.goals().to_vec(), next.is_terminal(), next.goals().to_vec())
        };
        let same = one.facts() != other.facts() && seen(&one) == seen(&other);
        Ok(Found::Value(yes(same && seen(&one).2)))
    })
}

/// The conditions of Theorem 3.16, one by one, of the conjunction of two games of tic-tac-toe.
fn conjoined(desk: &mut Desk) -> Outcome {
    let alone = "ludex factor doubletictactoe --theorem";
    let items: [ItemOf<TheoremConditions, String>; 6] = [
        ("independent sets", "2", |c| c.sets.len().to_string()),
        ("IID", "(control *)", |c| c.iid.join(" ")),
        ("legally partitionable", "yes", |c| yes(c.legally_partitionable)),
        ("goal partitionable", "yes", |c| yes(c.goal_partitionable)),
        ("operands of white's goal", "one on N_1, one on N_2", |c| {
            let own = c.goals.iter().filter(|g| g.of.ends_with("white"));
            let told = own.map(|g| {
                let number = if g.operands == 1 { "one".into() } else { g.operands.to_string() };
                let sets: Vec<String> = g.sets.iter().map(|s| format!("N_{s}")).collect();
                format!("{number} on {}", sets.join(" and "))
            });
            told.collect::<Vec<_>>().join(", ")
        }),
        ("conjunctively factorable", "yes", |c| yes(c.factorable)),
    ];
    for (what, paper, of) in items {
        let item = format!("Theorem 3.16, moves split: {what}");
        desk.compare(claim(item, paper, alone), |session, budget| {
            let found = theorem(session, DOUBLE, budget)?.moves_split;
            Ok(Found::Value(found.map_or("one game".into(), |found| of(&found))))
        })?;
    }
    let alone = "ludex factor doubletictactoe";
    desk.compare(
        claim("Definition 3.10: the goal of the whole", "conjunction", alone),
        |session, budget| {
            let found = factors(session, DOUBLE, "", false, budget)?;
            let of_all = found.goals.iter().all(|goal| goal.structure == Structure::Conjunction);
            let words =
                if of_all { "conjunction".to_string() } else { found.goal.unwrap_or_default() };
            Ok(Found::Value(words))
        },
    )?;
    desk.compare(
        claim("Definition 3.15: equivalent to its factors", "yes", alone),
        |session, budget| {
            let found = factors(session, DOUBLE, "", false, budget)?;
            let exact = found.exact == Some(ApartIs::Exact);
            Ok(Found::Value(if exact { "yes" } else { "not shown" }.into()))
        },
    )
}

/// Section 1: n = 255,168 leaves of tic-tac-toe, 2n of the factors apart, n * n of the whole.
fn trees(desk: &mut Desk) -> Outcome {
    let alone = "ludex factor doubletictactoe --count --whole";
    let items: [ItemOf<Factors, Option<u64>>; 5] = [
        ("leaves of the tree of tic-tac-toe", "255168", |f| f.leaves.as_ref()?.factors[0]),
        ("leaves of the factors, their sum", "510336", |f| f.leaves.as_ref()?.sum),
        ("leaves of the whole, the product", "65110708224", |f| f.leaves.as_ref()?.product),
        ("leaves of the whole, counted", "65110708224", |f| f.leaves.as_ref()?.whole),
        ("orders of magnitude between product and sum", "4", |f| {
            let leaves = f.leaves.as_ref()?;
            Some(u64::from((leaves.product? / leaves.sum?.max(1)).ilog10()))
        }),
    ];
    let mut found: Option<Factors> = None;
    for (item, paper, of) in items {
        let item = format!("Section 1: {item}");
        let why = "n * n by 2n is n / 2 = 127,584: more than five orders of magnitude";
        desk.compare(Claim { why, ..claim(item, paper, alone) }, |session, budget| {
            if found.is_none() {
                found = Some(factors(session, DOUBLE, "", true, budget)?);
            }
            let count = found.as_ref().and_then(of);
            let none = || Failure::TooLarge("the leaves were not counted".into());
            Ok(Found::Value(count.ok_or_else(none)?.to_string()))
        })?;
    }
    Ok(())
}

/// Section 1: (b_1 b_2)^d nodes at depth d; b_1 and b_2 are nine, then eight.
fn nodes(desk: &mut Desk) -> Outcome {
    let alone = "ludex perft doubletictactoe --depth 2";
    let item = "Section 1: nodes of the whole at depth 2, (9 * 8)^2";
    desk.compare(claim(item, "5184", alone), |session, budget| {
        let mut batch = session.load(DOUBLE)?.batch(budget)?;
        let counts = machine::paths(&mut batch, 2, false, budget);
        Ok(Found::Value(counts.paths[2].to_string()))
    })?;
    let item = "Section 1: nodes of the factors at depth 2";
    let alone = "ludex perft tictactoe --depth 2";
    desk.compare(claim(item, "72 and 72", alone), |session, budget| {
        let knowledge = session.load(DOUBLE)?.knowledge().clone();
        let found = knowledge.factors(budget, budget.allowed() / 3.0)?;
        let mut told = Vec::new();
        for factor in &found.factors {
            let mut batch = machine::Batch::new(Arc::new(factor.net.clone()), budget)?;
            told.push(machine::paths(&mut batch, 2, false, budget).paths[2].to_string());
        }
        Ok(Found::Value(told.join(" and ")))
    })
}

/// Factored search against search of the whole, in states.
fn searches(desk: &mut Desk) -> Outcome {
    let alone = "ludex solve doubletictactoe; ludex solve doubletictactoe --factoring off";
    desk.compare(
        claim("Section 3: a search of the factors needs fewer states", "fewer", alone),
        |session, budget| {
            let apart = solved(session, true, &budget.lasting(budget.allowed() / 2.0))?;
            let whole = solved(session, false, &budget.lasting(budget.allowed() / 2.0))?;
            let done = whole.account.complete;
            let whole = whole.states;
            let apart = apart.states;
            let more = if done { "" } else { "more than " };
            let text = format!("{apart} instead of {more}{whole}");
            let figures = vec![("apart", apart as f64), ("whole", whole as f64)];
            Ok(Found::Judged(text, apart > 0 && apart < whole).with(figures))
        },
    )
}

fn solved(session: &Session, factoring: bool, budget: &Budget) -> Result<Solved, Failure> {
    let settings = Settings { factoring, ..Settings::default() };
    Ok(Solved::of(&session.load(DOUBLE)?, None, &settings, budget, &mut |_| ())?)
}

/// Section 4: two boards with a square between them.
fn joined(desk: &mut Desk) -> Outcome {
    const MOVES: [&str; 3] = [
        "both(mark(2,2),mark(2,2))\tnoop",
        "noop\tboth(mark(2,3),mark(2,1))",
        "both(mark(1,1),middle)\tnoop",
    ];
    for (count, paper) in [(0, "one game"), (2, "2 factors"), (3, "2 factors")] {
        let item = format!("Section 4: joined tic-tac-toe after {count} moves");
        let alone = match count {
            0 => "ludex factor joinedtictactoe".to_string(),
            _ => format!(
                "ludex factor joinedtictactoe --moves $'{}'",
                MOVES[..count].join("; ").replace('\t', "\\t")
            ),
        };
        let claim = Claim {
            why: "the square in the middle can still be marked, which costs a mark on one of the \
                  boards: a tempo that ties them together until it is taken",
            ..claim(item, paper, &alone)
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
    let state = moves::after(&net, played)?;
    let effort = FactorEffort {
        states: 2_000,
        seconds: budget.allowed() / 8.0,
        leaves,
        whole_leaves: leaves,
        lemma_seconds: budget.allowed() / 3.0,
    };
    let state = (!played.is_empty()).then_some(&state[..]);
    Ok(Factors::of(&game, state, &effort, budget, &mut |_| ())?)
}
