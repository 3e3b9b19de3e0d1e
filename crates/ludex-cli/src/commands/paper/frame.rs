//! The paper on the frame problem: its tic-tac-toe step by step, and Table 1.

use super::desk::{Claim, Desk, Found, claim};
use super::frame_rows::{ROWS, Row};
use crate::commands::bench_frame;
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::Budget;
use ludex::frame::{Basis, Covering, TranslationStep};
use ludex::interp::Interp;
use ludex::machine::paths;
use ludex::reason::visit;
use ludex::syntax::Syntax;
use ludex_answers::{FrameQuestion, FrameSpeed, FrameSteps, PaperItem, RulesUsed};

const GAME: &str = "tictactoe-frame";
const STEPS: &str = "ludex frame tictactoe-frame --steps --covering";

pub fn report(desk: &mut Desk) -> Outcome {
    frame_rules(desk)?;
    joint_moves(desk)?;
    unifiers(desk)?;
    coverings(desk)?;
    translation(desk)?;
    ROWS.iter().try_for_each(|row| table_row(desk, row))?;
    means(desk)?;
    table(desk);
    if desk.wants_picture() {
        desk.picture = Some(super::bars::bars(
            "Original rules against translated ones: how many times as fast (geometric scale)",
            &gains(desk),
        ));
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

const STATES: &str = "thousands of states";
const GAINS: &str = "gains O/X_D and O/X_P";

/// The states must be as many; the gains are measured at the paper's depth, or at the greatest one that the
/// budget has room for.
fn table_row(desk: &mut Desk, row: &Row) -> Outcome {
    let (name, file, depth, states, [original, direct, pruned]) = *row;
    let command = format!("ludex bench-frame GAME --depth {depth}");
    let claim_states = Claim {
        why: super::frame_rows::why(name),
        ..claim(
            format!("Table 1: {name}, {STATES}"),
            states,
            &format!("ludex perft GAME --past-terminal --depth {depth}"),
        )
    };
    desk.compare_game(claim_states, &[file], |_, game, budget| {
        let count = by_depth(game, depth, budget)?.last().copied().unwrap_or(0);
        Ok(Found::Value(thousands(count, states)).with(vec![("states", count as f64)]))
    })?;
    let paper = format!("{:.2} {:.2}", original / direct, original / pruned);
    let claim = claim(format!("Table 1: {name}, {GAINS}"), paper, &command);
    desk.compare_game(claim, &[file], |session, game, budget| {
        let speed = deepest(game, depth, session, budget)?;
        let seconds = speed.seconds.clone().expect("searched");
        let gain = |by: f64| seconds.original / by.max(1e-9);
        let (d, p) = (gain(seconds.direct), gain(seconds.pruned));
        let reached = speed.depth.unwrap_or(0);
        let text = format!("{d:.2} {p:.2} at depth {reached}");
        let used = match speed.used {
            Some(RulesUsed::Direct) => 1.0,
            Some(RulesUsed::Pruned) => 2.0,
            _ => 0.0,
        };
        Ok(Found::Measured(text).with(vec![
            ("depth", reached as f64),
            ("of", depth as f64),
            ("original", seconds.original),
            ("direct", seconds.direct),
            ("pruned", seconds.pruned),
            ("scalar", seconds.scalar.unwrap_or(f64::MAX)),
            ("used", used),
            ("paper direct", original / direct),
            ("paper pruned", original / pruned),
        ]))
    })
}

/// The states of a full search, by depth. Equal states are merged and counted as often as paths lead to them.
fn by_depth(game: &Game, depth: usize, budget: &Budget) -> Result<Vec<u64>, Failure> {
    let sums = |counts: Vec<u64>| -> Vec<u64> {
        let mut sum = 0;
        let add = |n: u64| {
            sum += n;
            sum
        };
        counts.into_iter().map(add).collect()
    };
    if let Ok(mut batch) = game.batch(&budget.lasting(budget.allowed() / 2.0)) {
        let counts = paths(&mut batch, depth, true, budget);
        budget.check()?;
        return Ok(sums(counts.paths));
    }
    budget.check()?;
    let mut interp = Interp::with_budget(game.rules(), budget).map_err(bench_frame::problem)?;
    (0..=depth).map(|d| Ok(visit(&mut interp, d, budget)?)).collect()
}

/// States that tell how fast a search is.
const ENOUGH: u64 = 2_000;

/// Searches to the depth, or to the greatest one for which there is time.
fn deepest(
    game: &Game,
    depth: usize,
    session: &Session,
    budget: &Budget,
) -> Result<FrameSpeed, Failure> {
    let states = by_depth(game, depth, budget)?;
    let mut interp = Interp::with_budget(game.rules(), budget).map_err(bench_frame::problem)?;
    let trial = states.iter().position(|n| *n > ENOUGH).unwrap_or(depth).min(depth);
    let begin = budget.seconds();
    let count = visit(&mut interp, trial.max(1), budget)?;
    let rate = count as f64 / (budget.seconds() - begin).max(1e-6);
    // Four searches, of which some are slower than this one, and translations before them.
    let room = rate * budget.allowed() / 8.0;
    let mut at = states.iter().rposition(|n| *n as f64 <= room).unwrap_or(1).clamp(1, depth);
    loop {
        let part = budget.lasting(budget.allowed() / 2.0);
        match bench_frame::searched(game, at, session, &part) {
            Err(Failure::Stopped(_)) if at > 1 && budget.check().is_ok() => at -= 1,
            ended => return ended,
        }
    }
}

/// The measured items of Table 1.
fn measured<'d>(desk: &'d Desk) -> impl Iterator<Item = (&'d str, &'d PaperItem)> {
    let rows = desk.report.items.iter().filter(|item| !item.figures.is_empty());
    rows.filter_map(|item| {
        let name = item.item.strip_prefix("Table 1: ")?.strip_suffix(GAINS)?;
        Some((name.trim_end_matches(", "), item))
    })
}

fn gains(desk: &Desk) -> Vec<(String, Vec<f64>)> {
    let gain = |item: &PaperItem, by: &str| item.figures["original"] / item.figures[by].max(1e-9);
    let row = |(name, item): (&str, &PaperItem)| {
        (name.to_string(), vec![gain(item, "direct"), gain(item, "pruned")])
    };
    measured(desk).map(row).collect()
}

/// The gain of what the portfolio takes, and of the best.
fn taken(item: &PaperItem) -> (f64, f64) {
    let figures = &item.figures;
    let times = ["original", "direct", "pruned"].map(|name| figures[name].max(1e-9));
    let best = times.into_iter().fold(f64::INFINITY, f64::min);
    (times[0] / times[figures["used"] as usize], times[0] / best)
}

fn means(desk: &mut Desk) -> Outcome {
    let mean = |all: &[f64]| (all.iter().map(|g| g.ln()).sum::<f64>() / all.len() as f64).exp();
    let rows: Vec<PaperItem> = measured(desk).map(|(_, item)| item.clone()).collect();
    if rows.is_empty() {
        return Ok(());
    }
    for (name, ours, paper) in
        [("O/X_D", "direct", "paper direct"), ("O/X_P", "pruned", "paper pruned")]
    {
        let papers: Vec<f64> = rows.iter().map(|item| item.figures[paper]).collect();
        let own: Vec<f64> = rows
            .iter()
            .map(|item| item.figures["original"] / item.figures[ours].max(1e-9))
            .collect();
        let item = format!("geometric mean of {name} over {} games", rows.len());
        let claim = claim(item, format!("{:.2}", mean(&papers)), "ludex paper frame");
        desk.compare(claim, |_, _| Ok(Found::Measured(format!("{:.2}", mean(&own)))))?;
    }
    let pairs: Vec<(f64, f64)> = rows.iter().map(taken).collect();
    let best: Vec<f64> = pairs.iter().map(|p| p.1).collect();
    let own: Vec<f64> = pairs.iter().map(|p| p.0).collect();
    let hits = pairs.iter().filter(|(own, best)| *own > 0.95 * best).count();
    let claim = claim(
        format!("the portfolio's gain over {} games", rows.len()),
        "not told",
        "ludex paper frame",
    );
    desk.compare(claim, |_, _| {
        Ok(Found::Measured(format!(
            "{:.2}, the best choice {:.2}; within a twentieth of the best in {hits}",
            mean(&own),
            mean(&best)
        )))
    })
}

fn table(desk: &mut Desk) {
    let names = ["original", "direct", "pruned"];
    let row = |(name, item): (&str, &PaperItem)| {
        let figures = &item.figures;
        let number = |key: &str| format!("{:.2}", figures[key]);
        let gain = |key: &str| format!("{:.2}", figures["original"] / figures[key].max(1e-9));
        let best = (0..3)
            .min_by(|a, b| figures[names[*a]].total_cmp(&figures[names[*b]]))
            .expect("three times");
        vec![
            name.to_string(),
            format!("{} of {}", figures["depth"], figures["of"]),
            number("original"),
            number("direct"),
            number("pruned"),
            gain("direct"),
            number("paper direct"),
            gain("pruned"),
            number("paper pruned"),
            names[figures["used"] as usize].into(),
            names[best].into(),
        ]
    };
    let rows = measured(desk).map(row).collect();
    let header = [
        "game", "depth", "O s", "X_D s", "X_P s", "O/X_D", "paper D", "O/X_P", "paper P", "used",
        "best",
    ];
    desk.add_table("Table 1, seconds here and gains", &header, rows);
}

/// With as many digits after the point as the paper has; 1240 stands for 1235 there.
fn thousands(states: u64, printed: &str) -> String {
    let digits = printed.split_once('.').map_or(0, |(_, after)| after.len());
    let value = states as f64 / 1000.0;
    if value >= 1000.0 {
        let unit = 10f64.powi(value.log10().floor() as i32 - 2);
        return format!("{:.0}", (value / unit).round() * unit);
    }
    format!("{value:.digits$}")
}
