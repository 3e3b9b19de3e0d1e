//! The paper on invariant projections: its examples, Theorem 1, configuration games, and Table 1.

use super::board_rows::{ROWS, Row, VERIFY};
use super::desk::{Claim, Desk, Finding, Found, claim, yes};
use crate::commands::boards::{lattice::lattices, question};
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::Budget;
use ludex::facts::boards::{Assumed, Verify, program};
use ludex_answers::{
    BoardSubject, Boards, BoardsInMatch, BoardsOfRelation, OneProjection, PaperItem, ProjectionAt,
    ProjectionStatus, Status, sets,
};

pub fn report(desk: &mut Desk) -> Outcome {
    examples(desk)?;
    theorem(desk)?;
    procedures(desk)?;
    beyond_earlier_definitions(desk)?;
    configuration(desk)?;
    during_search(desk)?;
    ROWS.iter().try_for_each(|row| table_row(desk, row))?;
    hunter(desk)?;
    soundness(desk);
    pruned(desk);
    clocks(desk);
    table(desk);
    if desk.wants_picture() {
        desk.picture = Some(lattice(desk.session)?);
    }
    Ok(())
}

/// The lattice of the relation of tic-tac-toe and of the eight puzzle (Theorem 2).
fn lattice(session: &Session) -> Result<String, Failure> {
    let budget = session.budget();
    let one = Boards::of(&session.load("tictactoe")?, Verify::Lemmas, 10.0, &budget, &mut |_| ())?;
    let two =
        Boards::of(&session.load("eightpuzzle")?, Verify::Lemmas, 10.0, &budget, &mut |_| ())?;
    let named = |found: Boards| {
        let game = found.game;
        found
            .relations
            .into_iter()
            .filter(|r| r.arity > 1)
            .map(move |r| BoardsOfRelation { relation: format!("{} of {game}", r.relation), ..r })
    };
    let relations = named(one).chain(named(two)).collect();
    Ok(lattices(&Boards { game: "Theorem 2".into(), relations, ..Boards::default() }))
}

/// Definition 1, and the examples.
fn examples(desk: &mut Desk) -> Outcome {
    desk.compare(
        claim(
            "Definition 1: projections of tic-tac-toe",
            "7 of cell, 1 of control",
            "ludex boards tictactoe",
        ),
        |session, budget| {
            let found = boards(session, &session.load("tictactoe")?, Verify::Lemmas, budget)?;
            let mut relations = found.relations;
            relations.sort_by_key(|r| std::cmp::Reverse(r.arity));
            let count = |r: &BoardsOfRelation| format!("{} of {}", (1 << r.arity) - 1, r.relation);
            Ok(Found::Value(relations.iter().map(count).collect::<Vec<_>>().join(", ")))
        },
    )?;
    let tuples = |places: &'static [usize], played: &'static [&'static str]| {
        move |session: &Session, budget: &Budget| -> Result<Found, Failure> {
            let first = session.load("tictactoe")?.position(budget)?;
            let position = played.iter().try_fold(first, |position, m| position.after(&[*m]));
            let found = ProjectionAt::of(&position.expect("legal"), "cell", places, budget)?;
            Ok(Found::Value(found.tuples.join(" ")))
        }
    };
    desk.compare(
        claim(
            "Definition 1: <cell,{1,3}> after (mark 2 2), by its query",
            "(1 b) (2 b) (2 x) (3 b)",
            "ludex boards tictactoe --projection 'cell{1,3}' --tuples --moves '(mark 2 2)'",
        ),
        tuples(&[1, 3], &["(mark 2 2)"]),
    )?;
    desk.compare(
        claim(
            "Example 1: <cell,{1,3}> at the start",
            "(1 b) (2 b) (3 b)",
            "ludex boards tictactoe --projection 'cell{1,3}' --tuples",
        ),
        tuples(&[1, 3], &[]),
    )?;
    desk.compare(
        claim(
            "Example 2: <cell,{1}> at the start",
            "(1) (2) (3)",
            "ludex boards tictactoe --projection 'cell{1}' --tuples",
        ),
        tuples(&[1], &[]),
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
    desk.compare(
        claim(
            "Theorem 2: what holds of <cell,{1,2}> of tictactoe holds of {1} and {2}",
            "proved, proved, proved",
            "ludex boards tictactoe --all",
        ),
        |session, budget| {
            let found = boards(session, &session.load("tictactoe")?, Verify::Lemmas, budget)?;
            let sets: [&[usize]; 3] = [&[1], &[2], &[1, 2]];
            let told = sets.map(|set| word(OneProjection::of(&found, "cell", set).status));
            Ok(Found::Value(told.join(", ")))
        },
    )?;
    for (game, paper) in [("qbf-true", "proved"), ("qbf-false", "refuted")] {
        let command = format!("ludex boards {game} --projection 'cell{{1}}'");
        let item = format!("Theorem 1: <cell,{{1}}> of {game}");
        desk.compare(claim(item, paper, &command), |session, budget| {
            status(session, game, "cell", &[1], budget)
        })?;
    }
    Ok(())
}

/// Figures 3 and 4 on tic-tac-toe: *Prune* level by level, and the lines of *VerifyIP*.
fn procedures(desk: &mut Desk) -> Outcome {
    desk.compare(
        claim(
            "Figure 3: Prune on cell of tictactoe",
            "C_1 {1} {2} {3}, IP_1 {1} {2}; C_2 {1,2}, IP_2 {1,2}",
            "ludex boards tictactoe --all",
        ),
        |session, budget| {
            let found = boards(session, &session.load("tictactoe")?, Verify::Lemmas, budget)?;
            let cell = found.relations.into_iter().find(|r| r.relation == "cell");
            let tried = cell.expect("a relation of the state").projections;
            let level = |size: usize| {
                let of = tried.iter().filter(|p| p.places.len() == size);
                let told = |all: Vec<&ProjectionStatus>| {
                    sets(&all.iter().map(|p| p.places.clone()).collect::<Vec<_>>(), false)
                };
                let invariant = of.clone().filter(|p| p.status == Status::Proved);
                let (all, left) = (told(of.collect()), told(invariant.collect()));
                format!("C_{size} {all}, IP_{size} {left}")
            };
            let last = tried.iter().map(|p| p.places.len()).max().unwrap_or(0);
            Ok(Found::Value((1..=last).map(level).collect::<Vec<_>>().join("; ")))
        },
    )?;
    desk.compare(
        claim(
            "Figure 4: lines of VerifyIP for <cell,{1,2}> of tictactoe",
            VERIFY.len().to_string(),
            "ludex boards tictactoe --projection 'cell{1,2}' --asp",
        ),
        |session, budget| {
            let game = session.load("tictactoe")?;
            let BoardSubject { net, bases, .. } = &BoardSubject::new(&game, budget)?;
            let of = ("cell", 3);
            let text = program(game.rules(), net, bases, of, &[1, 2], Assumed::Literal);
            let is_there = |line: &&&str| text.lines().any(|own| own == **line);
            Ok(Found::Value(VERIFY.iter().filter(is_there).count().to_string()))
        },
    )
}

/// Theorem 3 in the games of Table 1: what the paper's program verifies is invariant by Definition 2.
fn soundness(desk: &mut Desk) {
    let found = |row: &Row, verify| item(desk, row, verify)?.ours.clone();
    let all: Option<Vec<bool>> = ROWS
        .iter()
        .map(|row| {
            let known = found(row, Verify::Lemmas)?;
            let verified = [found(row, Verify::Literal)?, found(row, Verify::Exact)?];
            Some(verified.iter().all(|sets| is_within(sets, &known)))
        })
        .collect();
    let Some(all) = all else { return };
    let sound = all.iter().filter(|is| **is).count();
    let name = "Theorem 3: games in which all that the program verifies is invariant";
    let alone = "ludex paper boards --games FOLDER --item Table";
    desk.tell(claim(name, ROWS.len().to_string(), alone), Found::Value(sound.to_string()));
}

/// Is every projection of a list part of one of the other?
fn is_within(sets: &str, known: &str) -> bool {
    let places = |set: &str| -> Vec<String> {
        set.trim_matches(['{', '}']).split(',').map(String::from).collect()
    };
    let within = |set: &str| {
        known.split(' ').any(|other| places(set).iter().all(|place| places(other).contains(place)))
    };
    sets == "none" || sets.split(' ').all(within)
}

/// Section 4: for a majority of the games *Prune* leaves out half of the candidates.
fn pruned(desk: &mut Desk) {
    let halves = |row: &Row| {
        let figures = &item(desk, row, Verify::Lemmas)?.figures;
        Some(figures.get("calls")? <= figures.get("half")?)
    };
    let all: Option<Vec<bool>> = ROWS.iter().map(halves).collect();
    let Some(all) = all else { return };
    let halved = all.iter().filter(|is| **is).count();
    let found = Found::Judged(format!("{halved} of {}", ROWS.len()), 2 * halved > ROWS.len());
    let name = "Section 4: games in which half of the candidates are pruned";
    let alone = "ludex paper boards --games FOLDER --item lemmas";
    desk.tell(claim(name, "a majority", alone), found);
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
            Ok(Found::Value(yes(is)))
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

/// Section 4: projections kept up in conjunction with a tree search.
fn during_search(desk: &mut Desk) -> Outcome {
    for (game, relation, paper) in
        [("tictactoe", "cell", "{1,2}"), ("eightpuzzle", "cell", "{3} {1,2}")]
    {
        let item = format!("Section 4: {game}, kept up while players search a match");
        let alone = format!("ludex boards {game} --match");
        desk.compare(claim(item, paper, &alone), |session, budget| {
            let found = BoardsInMatch::of(&session.load(game)?, THINKING, budget)?;
            let of = found.relations.into_iter().find(|r| r.relation == relation);
            let of = of.expect("a relation of the state");
            let refuted = of.refuted.iter().map(|r| r.state).max().unwrap_or(0);
            let mut left = of.left;
            left.sort_by_key(|set| (set.len(), set.clone()));
            let states = found.states.last().copied().unwrap_or(0) as f64;
            let figures = vec![("states", states), ("last refuted by state", refuted as f64)];
            Ok(Found::Value(sets(&left, false)).with(figures))
        })?;
    }
    Ok(())
}

/// Iterations a move, and moves of a match.
const THINKING: (u64, usize) = (100, 60);

/// A row by the printed program, by the text, and with lemmas; and the calls.
fn table_row(desk: &mut Desk, row: &Row) -> Outcome {
    let paper = sets(&row.maximal.iter().map(|s| s.to_vec()).collect::<Vec<_>>(), false);
    for verify in [Verify::Lemmas, Verify::Exact, Verify::Literal] {
        let item = format!("Table 1: {}, {verify}", row.game);
        let command = format!("ludex boards GAME --verify {verify}");
        let claim = Claim { why: why(row, verify), ..claim(item, &paper, &command) };
        desk.compare_game(claim, row.files, |session, game, budget| {
            let found = boards(session, game, verify, budget)?;
            Ok(verified(&found, row))
        })?;
    }
    let claim = Claim {
        why: CALLS,
        ..claim(
            format!("Table 1: {}, calls", row.game),
            row.calls.to_string(),
            "ludex boards GAME --verify lemmas --json",
        )
    };
    desk.compare_game(claim, row.files, |session, game, budget| {
        let found = boards(session, game, Verify::Lemmas, budget)?;
        Ok(Found::Value(named(&found, row).map(|r| r.calls).sum::<usize>().to_string()))
    })
}

const CALLS: &str = "more projections are shown to be invariant with lemmas, so that more of those above them are \
                     verified";

/// What Section 4 says of one game: few calls, and a board that the paper's program does not find.
fn hunter(desk: &mut Desk) -> Outcome {
    let row = ROWS.iter().find(|row| row.game == HUNTER).expect("a row of the table");
    desk.compare_game(
        claim(
            format!("Section 4: {HUNTER}, calls by the text instead of 15"),
            "4",
            "ludex boards GAME --verify exact",
        ),
        row.files,
        |session, game, budget| {
            let found = boards(session, game, Verify::Exact, budget)?;
            Ok(Found::Value(named(&found, row).map(|r| r.calls).sum::<usize>().to_string()))
        },
    )?;
    desk.compare_game(
        claim(
            format!("Section 4: {HUNTER}, the board of its stylesheet, by Definition 2"),
            "{1,2,3}",
            "ludex boards GAME",
        ),
        row.files,
        |session, game, budget| {
            let found = boards(session, game, Verify::Lemmas, budget)?;
            Ok(Found::Value(maximal(&found, row.relations)))
        },
    )
}

const HUNTER: &str = "multiplehunter";

/// Section 4: how many games are decided within the clocks of competitions.
fn clocks(desk: &mut Desk) {
    let seconds: Vec<f64> = ROWS
        .iter()
        .filter_map(|row| item(desk, row, Verify::Lemmas))
        .filter_map(|item| item.figures.get("seconds").copied())
        .collect();
    if seconds.len() < ROWS.len() {
        return;
    }
    for (clock, paper, limit) in
        [("start clock of 40 s", "13", 40.0), ("play clock of 10 s", "10", 10.0)]
    {
        let within = seconds.iter().filter(|s| **s < limit).count();
        let name = format!("Section 4: games decided within a {clock}");
        let alone = "ludex paper boards --games FOLDER --item lemmas";
        desk.tell(claim(name, paper, alone), Found::Measured(within.to_string()));
    }
}

/// The item of a row that was verified in this way.
fn item<'d>(desk: &'d Desk, row: &Row, verify: Verify) -> Option<&'d PaperItem> {
    let name = format!("Table 1: {}, {verify}", row.game);
    desk.report.items.iter().find(|item| item.item == name)
}

fn named<'f>(found: &'f Boards, row: &'f Row) -> impl Iterator<Item = &'f BoardsOfRelation> {
    found.relations.iter().filter(|r| row.relations.contains(&r.relation.as_str()))
}

fn verified(found: &Boards, row: &Row) -> Finding {
    let calls = named(found, row).map(|r| r.calls).sum::<usize>();
    let seconds = found.lemma_seconds + named(found, row).map(|r| r.seconds).sum::<f64>();
    let longest = named(found, row).map(|r| r.longest).fold(0.0, f64::max);
    // Half of the candidates of each relation, the empty set with them.
    let half = named(found, row).map(|r| 1 << (r.arity - 1)).sum::<usize>();
    let figures = vec![
        ("calls", calls as f64),
        ("half", half as f64),
        ("seconds", seconds),
        ("longest", longest),
    ];
    Found::Value(maximal(found, row.relations)).with(figures)
}

/// The paper's figures and ours by each way to verify, side by side.
fn table(desk: &mut Desk) {
    let cell = |item: Option<&PaperItem>| match item {
        Some(PaperItem { ours: Some(ours), figures, .. }) => {
            let figure = |name: &str| figures.get(name).copied().unwrap_or(0.0);
            format!("{ours}, {}, {:.2} s", figure("calls"), figure("seconds"))
        }
        Some(item) => item.verdict.to_string(),
        None => String::new(),
    };
    let there = |row: &&Row| item(desk, row, Verify::Lemmas).is_some_and(|i| i.ours.is_some());
    let rows = ROWS.iter().filter(there).map(|row| {
        let paper = sets(&row.maximal.iter().map(|s| s.to_vec()).collect::<Vec<_>>(), false);
        let paper = format!("{paper}, {}, {:.2} s ({:.2})", row.calls, row.total, row.longest);
        let ours = [Verify::Literal, Verify::Exact, Verify::Lemmas];
        let ours = ours.map(|verify| cell(item(desk, row, verify)));
        [vec![row.game.to_string(), paper], ours.to_vec()].concat()
    });
    let rows = rows.collect();
    let header = ["game", "paper (longest)", "literal", "exact", "with lemmas"];
    desk.add_table("Table 1: maximal projections, calls, seconds", &header, rows);
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
    let found = session.kept(game, &question(verify), make)?;
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
    Ok(Found::Value(word(OneProjection::of(&found, relation, places).status).into()))
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Proved => "proved",
        Status::Refuted => "refuted",
        _ => "unknown",
    }
}
