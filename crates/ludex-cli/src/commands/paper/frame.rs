//! The paper on the frame problem: its tic-tac-toe step by step, and Table 1.

use super::desk::{Desk, Found, claim};
use super::frame_table;
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::budget::Budget;
use ludex::frame::{Basis, Covering, TranslationStep, TranslationSteps};
use ludex::syntax::Syntax;
use ludex_answers::{FrameQuestion, FrameSteps};

const GAME: &str = "tictactoe-frame";
const STEPS: &str = "ludex frame tictactoe-frame --steps --covering";

pub fn report(desk: &mut Desk) -> Outcome {
    names(desk)?;
    frame_rules(desk)?;
    joint_moves(desk)?;
    unifiers(desk)?;
    coverings(desk)?;
    translation(desk)?;
    frame_table::table(desk)?;
    if desk.wants_picture() {
        desk.picture = Some(frame_table::chart(desk));
    }
    Ok(())
}

/// What the reachability analysis of the evaluation gives.
fn names(desk: &mut Desk) -> Outcome {
    let alone = format!("{STEPS} direct");
    let items = [("fluent names", "cell control", 1), ("action names", "mark noop", 2)];
    for (item, paper, place) in items {
        desk.compare(claim(item, paper, &alone), |session, budget| {
            let TranslationSteps { basis, joint_moves, .. } =
                steps(session, Covering::Direct, budget)?.steps;
            let atoms = match place {
                1 => basis,
                _ => joint_moves.into_iter().flat_map(|joint| joint.does).collect(),
            };
            let name = |atom: &String| {
                let term = atom.splitn(place + 1, ' ').last().unwrap_or_default();
                let name = term.trim_start_matches('(').split([' ', ')']).next();
                name.unwrap_or_default().to_string()
            };
            let mut names: Vec<String> = atoms.iter().map(name).collect();
            names.sort();
            names.dedup();
            Ok(Found::Value(names.join(" ")))
        })?;
    }
    Ok(())
}

fn frame_rules(desk: &mut Desk) -> Outcome {
    let alone = format!("{STEPS} direct");
    let parts = |session: &Session, budget: &Budget| steps(session, Covering::Direct, budget);
    desk.compare(
        claim("the only frame rule is r3, for", "(cell ?M ?N ?O)", &alone),
        |session, budget| {
            let mut fluents: Vec<String> =
                parts(session, budget)?.steps.frame_rules.into_iter().map(|r| r.fluent).collect();
            fluents.dedup();
            Ok(Found::Value(fluents.join(" ")))
        },
    )?;
    desk.compare(claim("does of r3", "(does ?P (mark ?J ?K))", &alone), |session, budget| {
        let mut does: Vec<String> =
            parts(session, budget)?.steps.frame_rules.into_iter().flat_map(|r| r.does).collect();
        does.dedup();
        Ok(Found::Value(does.join(" ")))
    })?;
    desk.compare(
        claim("cond of r3", "(distinct ?M ?J) or (distinct ?N ?K)", &alone),
        |session, budget| {
            // A disjunction makes several plain rules of one.
            let rules = parts(session, budget)?.steps.frame_rules;
            let conds: Vec<String> = rules.into_iter().map(|r| r.cond.join(" ")).collect();
            Ok(Found::Value(conds.join(" or ")))
        },
    )
}

fn joint_moves(desk: &mut Desk) -> Outcome {
    let items = [
        ("M_1", Covering::Direct, "(does x noop) (does o noop)", "(distinct x o)"),
        ("M_2", Covering::Direct, "(does x noop) (does o (mark ?C ?D))", "(distinct x o)"),
        (
            "the generic joint move",
            Covering::Generic,
            "(does ?A ?B) (does ?C ?D)",
            "(distinct ?A ?C)",
        ),
    ];
    for (name, covering, joint, differ) in items {
        let alone = format!("{STEPS} {covering}");
        let item = format!("{name} = {{{joint}}}: its inequalities");
        desk.compare(claim(item, differ, &alone), |session, budget| {
            let steps = steps(session, covering, budget)?.steps;
            let found = steps.joint_moves.iter().find(|m| m.does.join(" ") == joint);
            let found = found.map(|m| m.inequalities.join(" "));
            Ok(Found::Value(found.unwrap_or("no such joint move".into())))
        })?;
    }
    Ok(())
}

/// A step of the atom of cells and a joint move of the direct covering.
fn cell_step(
    session: &Session,
    joint: &str,
    budget: &Budget,
) -> Result<Option<TranslationStep>, Failure> {
    let steps = steps(session, Covering::Direct, budget)?.steps;
    let number = steps.joint_moves.iter().position(|m| m.does.join(" ") == joint);
    let wanted = |s: &TranslationStep| {
        s.atom == "(next (cell ?X ?Y ?Z))" && Some(s.joint_move) == number.map(|n| n + 1)
    };
    Ok(steps.translations.into_iter().find(wanted))
}

fn unifiers(desk: &mut Desk) -> Outcome {
    const M_1: &str = "(does x noop) (does o noop)";
    const M_2: &str = "(does x noop) (does o (mark ?C ?D))";
    let alone = format!("{STEPS} direct");
    desk.compare(
        claim("unifiers of r3 with next(cell(X,Y,Z)) and M_1", "none", &alone),
        |session, budget| {
            let found = cell_step(session, M_1, budget)?;
            let none = found.is_some_and(|step| step.unifiers.is_empty());
            Ok(Found::Value(if none { "none" } else { "some" }.into()))
        },
    )?;
    desk.compare(
        claim(
            "the most general unifier of r3 with next(cell(X,Y,Z)) and M_2",
            "X = M, Y = N, Z = O, A = J, B = K, P = o",
            &alone,
        ),
        |session, budget| {
            let found = cell_step(session, M_2, budget)?;
            let mut all: Vec<String> = found
                .into_iter()
                .flat_map(|step| step.unifiers)
                .map(|unifier| unifier.equations.join(" "))
                .collect();
            all.dedup();
            // A and B of the paper are C and D here, where every role has variables of its own.
            let same = ["(= ?M ?X) (= ?N ?Y) (= ?O ?Z) (= ?P o) (= ?J ?C) (= ?K ?D)"];
            let agrees = all == same;
            Ok(Found::Judged(all.join("; "), agrees))
        },
    )?;
    desk.compare(
        claim(
            "r3*(next(cell(X,Y,Z)), M_2)",
            "next(cell(X,Y,Z)) <- true(cell(X,Y,Z)) & does(x,noop) & does(o,mark(A,B)) & x != o & (M != J or N != K) \
             & (X = M & Y = N & Z = O & A = J & B = K & P = o)",
            &alone,
        ),
        |session, budget| {
            let steps = steps(session, Covering::Direct, budget)?.steps;
            let step = cell_step(session, M_2, budget)?.expect("a joint move of the covering");
            let all: Vec<String> = step.unifiers.iter().map(|u| steps.rewritten(&step, u)).collect();
            let part = |cond: &str| {
                format!(
                    "(<= (next (cell ?X ?Y ?Z)) (true (cell ?X ?Y ?Z)) (does x noop) (does o (mark ?C ?D)) \
                     (distinct x o) {cond} (= ?M ?X) (= ?N ?Y) (= ?O ?Z) (= ?P o) (= ?J ?C) (= ?K ?D))"
                )
            };
            // A disjunction makes two rules of one.
            let agrees = all == [part("(distinct ?M ?J)"), part("(distinct ?N ?K)")];
            Ok(Found::Judged(all.join(" "), agrees))
        },
    )?;
    desk.compare(
        claim(
            "T_G(next(cell(X,Y,Z)), M_2)",
            "fnext(cell(X,Y,Z)) <- true(cell(X,Y,Z)) & does(x,noop) & does(o,mark(A,B)) & x != o & not \
             exists M,J,N,K,O,P ((M != J or N != K) & X = M & Y = N & Z = O & A = J & B = K & P = o)",
            &alone,
        ),
        |session, budget| {
            let text = cell_step(session, M_2, budget)?.map(|step| step.first_order);
            let text: String =
                text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
            let part = |cond: &str| {
                format!(
                    "(not (exists (?M ?N ?O ?P ?J ?K) (and {cond} (= ?M ?X) (= ?N ?Y) (= ?O ?Z) (= ?P o) \
                     (= ?J ?C) (= ?K ?D))))"
                )
            };
            // Not (a or b) is not a and not b.
            let expected = format!(
                "(<= (fnext (cell ?X ?Y ?Z)) (true (cell ?X ?Y ?Z)) (does x noop) (does o (mark ?C ?D)) \
                 (distinct x o) {} {})",
                part("(distinct ?M ?J)"),
                part("(distinct ?N ?K)")
            );
            let agrees = text == expected;
            Ok(Found::Judged(text, agrees))
        },
    )
}

fn coverings(desk: &mut Desk) -> Outcome {
    let none = "(does x noop) (does o noop)";
    let (o_marks, x_marks) =
        ("(does x noop) (does o (mark ?C ?D))", "(does x (mark ?A ?B)) (does o noop)");
    let both = "(does x (mark ?A ?B)) (does o (mark ?C ?D))";
    let coverings = [
        ("the generic covering", Covering::Generic, vec!["(does ?A ?B) (does ?C ?D)"]),
        ("C_D", Covering::Direct, vec![none, o_marks, x_marks, both]),
        ("C_P = C_1", Covering::Pruned, vec![o_marks, x_marks]),
    ];
    for (item, covering, joints) in coverings {
        let alone = format!("{STEPS} {covering}");
        desk.compare(claim(item, told(joints), &alone), |session, budget| {
            let steps = steps(session, covering, budget)?.steps;
            let joints: Vec<String> = steps.joint_moves.iter().map(|m| m.does.join(" ")).collect();
            Ok(Found::Value(told(joints.iter().map(String::as_str).collect())))
        })?;
    }
    desk.compare(
        claim(
            "the translation basis X_1, all with C_1",
            "(next (cell ?X ?Y ?Z)), (next (control ?X))",
            &format!("{STEPS} pruned"),
        ),
        |session, budget| {
            let mut basis = steps(session, Covering::Pruned, budget)?.steps.basis;
            basis.sort();
            Ok(Found::Value(basis.join(", ")))
        },
    )
}

/// The elements of a set have no order.
fn told(mut joints: Vec<&str>) -> String {
    joints.sort_unstable();
    joints.join(" | ")
}

/// The rules that the paper prints, simplified.
fn translation(desk: &mut Desk) -> Outcome {
    let rules = [
        "fnext(cell(X,Y,Z)) :- does(x,mark(X,Y)) & does(o,noop) & true(cell(X,Y,Z)).",
        "fnext(cell(X,Y,Z)) :- does(x,noop) & does(o,mark(X,Y)) & true(cell(X,Y,Z)).",
        "fnext(control(X)) :- true(control(X)).",
    ];
    for (i, rule) in rules.into_iter().enumerate() {
        let item = format!("the translation of X_1, rule {}", i + 1);
        let alone = format!("ludex frame {GAME} --changes");
        desk.compare(claim(item, rule, &alone), |session, budget| {
            let found = steps(session, Covering::Pruned, budget)?;
            Ok(Found::Value(found.fnext.get(i).cloned().unwrap_or("none".into())))
        })?;
    }
    desk.compare(
        claim("the translation of X_1, number of rules", "3", "ludex frame tictactoe-frame"),
        |session, budget| {
            let found = steps(session, Covering::Pruned, budget)?;
            Ok(Found::Value(found.fnext.len().to_string()))
        },
    )
}

fn steps(session: &Session, covering: Covering, budget: &Budget) -> Result<FrameSteps, Failure> {
    let question =
        FrameQuestion { covering, basis: Basis::Names, syntax: Syntax::Infix, changes: false };
    Ok(FrameSteps::of(&session.load(GAME)?, &question, budget, budget)?)
}
