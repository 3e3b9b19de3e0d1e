//! Table 1 of the paper on the frame problem: states of full searches, and what translated rules gain.

use super::desk::{Claim, Desk, Found, claim};
use super::frame_rows::{ROWS, Row, TOGETHER, why};
use crate::chart::{Bar, BarChart};
use crate::commands::bench_frame::{self, Extent};
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::Budget;
use ludex::interp::Interp;
use ludex::machine::paths;
use ludex::reason::{Perft, StateMachine, perft};
use ludex::source::Source;
use ludex::syntax::Syntax;
use ludex_answers::{FrameSpeed, PaperItem, RulesUsed};

const STATES: &str = "thousands of states";
const GAINS: &str = "gains O/X_D and O/X_P";

pub fn table(desk: &mut Desk) -> Outcome {
    ROWS.iter().try_for_each(|row| table_row(desk, row))?;
    means(desk)?;
    rows(desk);
    Ok(())
}

/// The states must be as many. The gains are measured on the paper's search, or on as much of it as the budget
/// has room for.
fn table_row(desk: &mut Desk, row: &Row) -> Outcome {
    let (name, file, depth, states, [original, direct, pruned]) = *row;
    let claim_states = Claim {
        why: why(name),
        ..claim(
            format!("Table 1: {name}, {STATES}"),
            states,
            &format!("ludex perft GAME --past-terminal --depth {depth}"),
        )
    };
    let alone = format!("ludex bench-frame GAME --depth {depth}");
    desk.compare_game(claim_states, &[file], |session, game, budget| {
        let count = of_search(&played(name, game, session)?, depth, budget)?;
        Ok(Found::Value(thousands(count, states)).with(vec![("states", count as f64)]))
    })?;
    let paper = format!("{:.2} {:.2}", original / direct, original / pruned);
    let claim = claim(format!("Table 1: {name}, {GAINS}"), paper, &alone);
    desk.compare_game(claim, &[file], |session, game, budget| {
        let speed = speed(&played(name, game, session)?, depth, budget)?;
        let seconds = speed.seconds.clone().expect("searched");
        let gain = |by: f64| seconds.original / by.max(1e-9);
        let (d, p) = (gain(seconds.direct), gain(seconds.pruned));
        let used = match speed.used {
            Some(RulesUsed::Direct) => 1.0,
            Some(RulesUsed::Pruned) => 2.0,
            _ => 0.0,
        };
        let translation = speed.translation_seconds.map_or(0.0, |t| t.direct.max(t.pruned));
        Ok(Found::Measured(format!("{d:.2} {p:.2}")).with(vec![
            ("depth", depth as f64),
            ("searched", speed.states.unwrap_or(0) as f64),
            ("original", seconds.original),
            ("direct", seconds.direct),
            ("pruned", seconds.pruned),
            ("used", used),
            ("translation", translation),
            ("paper direct", original / direct),
            ("paper pruned", original / pruned),
        ]))
    })
}

/// The game of a row. One is not public: it is made of the one where the same six take turns, by putting all
/// of them in control.
fn played(row: &str, game: &Game, session: &Session) -> Result<Game, Failure> {
    if row != TOGETHER {
        return Ok(game.clone());
    }
    let interp = Interp::new(game.rules()).map_err(bench_frame::problem)?;
    let roles = (0..interp.roles()).map(|role| interp.role_text(role));
    let control: String = roles.map(|role| format!("(init (control {role}))\n")).collect();
    let rules = game.rules().text(Syntax::Kif);
    let source = Source::new(row, format!("{rules}\n{control}"));
    Game::read(source, session.syntax).map_err(|why| Failure::faulty(&why.report, &why.source))
}

/// The states of a full search: equal ones are merged and counted as often as paths lead to them.
fn of_search(game: &Game, depth: usize, budget: &Budget) -> Result<u64, Failure> {
    let sum = |counts: Perft| counts.cut.is_none().then(|| counts.paths.iter().sum());
    let soon = budget.lasting(budget.allowed() / SOON);
    if let Some(states) = by_reasoner(game, depth, &soon).ok().and_then(sum) {
        return Ok(states);
    }
    budget.check()?;
    if let Ok(mut batch) = game.batch(&budget.lasting(budget.allowed() / 2.0)) {
        let counts = paths(&mut batch, depth, true, budget);
        budget.check()?;
        return Ok(counts.paths.iter().sum());
    }
    budget.check()?;
    let counts = by_reasoner(game, depth, budget)?;
    budget.check()?;
    Ok(counts.paths.iter().sum())
}

/// A part of the budget in which small searches end, and games that no network holds.
const SOON: f64 = 10.0;

fn by_reasoner(game: &Game, depth: usize, budget: &Budget) -> Result<Perft, Failure> {
    let mut interp = Interp::with_budget(game.rules(), budget).map_err(bench_frame::problem)?;
    Ok(perft(&mut interp, depth, true, budget))
}

/// States that tell how fast a search is.
const ENOUGH: u64 = 2_000;
/// A search of the original rules may take one part in so many of the budget: there are two others, which may
/// be slower, and translations before them.
const PARTS: f64 = 16.0;

/// Searches the whole tree to the depth, or the part of it for which there is time.
fn speed(game: &Game, depth: usize, budget: &Budget) -> Result<FrameSpeed, Failure> {
    let mut interp = Interp::with_budget(game.rules(), budget).map_err(bench_frame::problem)?;
    let begin = budget.seconds();
    let short = budget.lasting(budget.allowed() / PARTS);
    interp.set_budget(&short);
    // Where even these take too long, the first states of the next, shorter search tell.
    let trial = Extent { depth, most: ENOUGH, with_net: false };
    let tried = trial.search(&mut interp, &short).unwrap_or(ENOUGH / 8);
    let rate = tried as f64 / (budget.seconds() - begin).max(1e-6);
    let mut most = ((rate * budget.allowed() / PARTS) as u64).max(ENOUGH / 8);
    loop {
        let grounding = || budget.lasting(budget.allowed() / PARTS);
        let extent = Extent { depth, most, with_net: false };
        let part = budget.lasting(budget.allowed() / 2.0);
        match bench_frame::searched(game, extent, &grounding, &part) {
            Err(Failure::Stopped(_)) if most > 8 && budget.check().is_ok() => most /= 8,
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

/// Bars for the gains of two coverings in every game.
pub fn chart(desk: &Desk) -> String {
    let bars = |item: &PaperItem| {
        let bar = |by: &str| {
            let gain = item.figures["original"] / item.figures[by].max(1e-9);
            Bar { value: gain, outline: None, label: format!("{gain:.2}") }
        };
        ["direct", "pruned"].map(bar).into()
    };
    let tick = |power: i32| match power {
        ..0 => (2f64.powi(power), format!("1/{}", 1 << -power)),
        _ => (2f64.powi(power), (1 << power).to_string()),
    };
    let chart = BarChart {
        title: "Original rules against translated ones: how many times as fast (geometric scale)",
        looks: &[("X_D", "#9db4c0"), ("X_P", "#2f6690")],
        scale: |gain| (gain.log2() + 5.0) / 10.0,
        base: 1.0,
        ticks: (-5..=5).map(tick).collect(),
        rows: measured(desk).map(|(name, item)| (name.to_string(), bars(item))).collect(),
    };
    chart.svg()
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
        let claim = claim(item, format!("{:.2}", mean(&papers)), ALONE);
        desk.tell(claim, Found::Measured(format!("{:.2}", mean(&own))));
    }
    let pairs: Vec<(f64, f64)> = rows.iter().map(taken).collect();
    let best: Vec<f64> = pairs.iter().map(|p| p.1).collect();
    let own: Vec<f64> = pairs.iter().map(|p| p.0).collect();
    let hits = pairs.iter().filter(|(own, best)| *own > 0.95 * best).count();
    let claim = claim(format!("the portfolio's gain over {} games", rows.len()), "not told", ALONE);
    let text = format!(
        "{:.2}, the best choice {:.2}; within a twentieth of the best in {hits}",
        mean(&own),
        mean(&best)
    );
    desk.tell(claim, Found::Measured(text));
    of_table(desk, &rows);
    Ok(())
}

/// What the text says of the table as a whole.
fn of_table(desk: &mut Desk, rows: &[PaperItem]) {
    let games = rows.len();
    let count = |is: &dyn Fn(&PaperItem) -> bool| rows.iter().filter(|item| is(item)).count();
    let gain = |item: &PaperItem, by: &str| item.figures["original"] / item.figures[by].max(1e-9);
    let twice = count(&|item| gain(item, "pruned") >= 2.0);
    let paper_twice = count(&|item| item.figures["paper pruned"] >= 2.0);
    let faster = count(&|item| gain(item, "direct") > 1.0);
    let paper_faster = count(&|item| item.figures["paper direct"] > 1.0);
    let slower = count(&|item| gain(item, "pruned") < 0.9 * gain(item, "direct"));
    let longest = rows.iter().filter_map(|item| item.figures.get("translation")).copied();
    let told = [
        ("at least twice as fast pruned", paper_twice.to_string(), twice.to_string()),
        ("faster with the direct covering", paper_faster.to_string(), faster.to_string()),
        ("slower pruned than direct, by a tenth or more", "0".into(), slower.to_string()),
        (
            "longest translation",
            "under 10 s".into(),
            format!("{:.2} s", longest.fold(0.0, f64::max)),
        ),
    ];
    for (what, paper, ours) in told {
        let item = format!("of {games} games: {what}");
        desk.tell(claim(item, paper, ALONE), Found::Measured(ours));
    }
}

const ALONE: &str = "ludex paper frame --games FOLDER --item 'Table 1'";

fn rows(desk: &mut Desk) {
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
            figures["depth"].to_string(),
            format!("{:.1}", figures["searched"] / 1000.0),
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
        "game",
        "depth",
        "k searched",
        "O s",
        "X_D s",
        "X_P s",
        "O/X_D",
        "paper D",
        "O/X_P",
        "paper P",
        "used",
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
