//! The paper on invariant projections: its examples, Theorem 1, configuration games, and Table 1.

use super::desk::{Claim, Desk, Found, claim};
use crate::commands::boards::table::{ROWS, Row};
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::answers::{Boards, BoardsOfRelation, OneProjection, ProjectionAt, Status, sets};
use ludex::budget::Budget;
use ludex::facts::boards::Verify;

pub fn report(desk: &mut Desk) -> Outcome {
    examples(desk)?;
    theorem(desk)?;
    beyond_earlier_definitions(desk)?;
    configuration(desk)?;
    ROWS.iter().try_for_each(|row| table_row(desk, row))
}

fn examples(desk: &mut Desk) -> Outcome {
    let at_start = |places: &'static [usize]| {
        move |session: &Session, budget: &Budget| -> Result<Found, Failure> {
            let position = session.load("tictactoe")?.position(budget)?;
            let found = ProjectionAt::of(&position, "cell", places, budget)?;
            Ok(Found::Value(found.tuples.join(" ")))
        }
    };
    desk.compare(
        claim(
            "Example 1: <cell,{1,3}> at the start",
            "(1 b) (2 b) (3 b)",
            "ludex boards tictactoe --projection 'cell{1,3}' --tuples",
        ),
        at_start(&[1, 3]),
    )?;
    desk.compare(
        claim(
            "Example 2: <cell,{1}> at the start",
            "(1) (2) (3)",
            "ludex boards tictactoe --projection 'cell{1}' --tuples",
        ),
        at_start(&[1]),
    )?;
    desk.compare(
        claim(
            "Example 2: <cell,{1}> is invariant",
            "proved",
            "ludex boards tictactoe --projection 'cell{1}'",
        ),
        |session, budget| status(session, "tictactoe", "cell", &[1], budget),
    )
}

fn theorem(desk: &mut Desk) -> Outcome {
    for (game, paper) in [("qbf-true", "proved"), ("qbf-false", "refuted")] {
        let command = format!("ludex boards {game} --projection 'cell{{1}}'");
        let item = format!("Theorem 1: <cell,{{1}}> of {game}");
        desk.compare(claim(item, paper, &command), |session, budget| {
            status(session, game, "cell", &[1], budget)
        })?;
    }
    Ok(())
}

/// Section 5: what the definitions before this one cannot see.
fn beyond_earlier_definitions(desk: &mut Desk) -> Outcome {
    desk.compare(
        claim("Section 5: several tokens on a place", "{1}", "ludex boards racetokens"),
        |session, budget| maximal_of(session, "racetokens", "on", budget),
    )?;
    desk.compare(
        claim("Section 5: two arguments for contents", "{1,2}", "ludex boards colouredshapes"),
        |session, budget| maximal_of(session, "colouredshapes", "cell", budget),
    )
}

/// Two disjoint invariant projections that make up a relation.
fn configuration(desk: &mut Desk) -> Outcome {
    for (game, paper) in [("eightpuzzle", "yes"), ("tictactoe", "no")] {
        let item = format!("Section 6: {game} is a configuration game");
        desk.compare(claim(item, paper, &format!("ludex boards {game}")), |session, budget| {
            let found = boards(session, &session.load(game)?, Verify::Lemmas, budget)?;
            let is = found.relations.iter().any(is_configuration);
            Ok(Found::Value(if is { "yes" } else { "no" }.into()))
        })?;
    }
    Ok(())
}

fn is_configuration(of: &BoardsOfRelation) -> bool {
    let disjoint = |s: &[usize], t: &[usize]| s.iter().all(|place| !t.contains(place));
    let pair =
        |s: &Vec<usize>| of.maximal.iter().any(|t| disjoint(s, t) && s.len() + t.len() == of.arity);
    of.maximal.iter().any(pair)
}

/// A row by the printed program, by the text, and with lemmas; and the calls of the first.
fn table_row(desk: &mut Desk, row: &Row) -> Outcome {
    let paper = sets(&row.maximal.iter().map(|s| s.to_vec()).collect::<Vec<_>>(), false);
    for verify in [Verify::Lemmas, Verify::Exact, Verify::Literal] {
        let item = format!("Table 1: {}, {verify}", row.game);
        let command = format!("ludex boards GAME --verify {verify}");
        let claim = Claim { why: why(row, verify), ..claim(item, &paper, &command) };
        desk.compare_game(claim, row.files, |session, game, budget| {
            let found = boards(session, game, verify, budget)?;
            Ok(Found::Value(maximal(&found, row.relations)))
        })?;
    }
    let claim = Claim {
        why: "where a projection was refuted in a sample it was not verified, or one that the paper \
              has was not found by the printed program",
        ..claim(
            format!("Table 1: {}, calls", row.game),
            row.calls.to_string(),
            "ludex boards GAME --verify lemmas --json",
        )
    };
    desk.compare_game(claim, row.files, |session, game, budget| {
        let found = boards(session, game, Verify::Lemmas, budget)?;
        let named = found.relations.iter().filter(|r| row.relations.contains(&r.relation.as_str()));
        Ok(Found::Value(named.map(|r| r.calls).sum::<usize>().to_string()))
    })
}

fn why(row: &Row, verify: Verify) -> &'static str {
    match verify {
        Verify::Literal => {
            "the printed program starts from any state and lets a role do nothing, so that states \
             which no match reaches refute the projection"
        }
        Verify::Exact => {
            "from any state, with one action a role: without what is proved of reachable states, \
             such as one role in control, unreachable states refute the projection"
        }
        Verify::Lemmas if row.note.is_empty() => {
            "what is proved of reachable states shows more projections to be invariant than the \
             paper's program could"
        }
        Verify::Lemmas => row.note,
    }
}

fn boards(
    session: &Session,
    game: &Game,
    verify: Verify,
    budget: &Budget,
) -> Result<Boards, Failure> {
    let make = || Boards::of(game, verify, budget.allowed() / 3.0, budget, &mut |_| ());
    let found = session.kept(game, &format!("boards {verify}"), make)?;
    budget.check()?;
    Ok(found)
}

/// The maximal projections of relations that have the same.
fn maximal(found: &Boards, relations: &[&str]) -> String {
    let named = found.relations.iter().filter(|r| relations.contains(&r.relation.as_str()));
    let mut texts: Vec<String> = named
        .map(|r| {
            let mut maximal = r.maximal.clone();
            maximal.sort_by_key(|set| (set.len(), set.clone()));
            sets(&maximal, false)
        })
        .collect();
    texts.dedup();
    texts.join(" and ")
}

fn maximal_of(
    session: &Session,
    game: &str,
    relation: &str,
    budget: &Budget,
) -> Result<Found, Failure> {
    let found = boards(session, &session.load(game)?, Verify::Lemmas, budget)?;
    Ok(Found::Value(maximal(&found, &[relation])))
}

fn status(
    session: &Session,
    game: &str,
    relation: &str,
    places: &[usize],
    budget: &Budget,
) -> Result<Found, Failure> {
    let found = boards(session, &session.load(game)?, Verify::Lemmas, budget)?;
    let word = match OneProjection::of(&found, relation, places).status {
        Status::Proved => "proved",
        Status::Refuted => "refuted",
        _ => "unknown",
    };
    Ok(Found::Value(word.into()))
}
