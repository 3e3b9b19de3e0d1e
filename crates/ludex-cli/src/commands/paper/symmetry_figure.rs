//! Figure 1 of the paper on symmetries: what they save in each of its games that the text names.

use super::desk::{Claim, Desk, Finding, Found, claim};
use crate::commands::bench_symmetry::chart;
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::Budget;
use ludex::search::solve::{Cost, Savings, SavingsQuestion, Settings, Subject, Symmetry};
use ludex::source::Source;
use ludex_answers::{PaperItem, Solved};

/// A game of Figure 1 that the text names: files and what the text says of its time. The chart itself cannot be
/// read off, nor can its other games.
struct Row {
    game: &'static str,
    files: &'static [&'static str],
    paper: &'static str,
    why: &'static str,
}

const FASTER: &str = "the keys of all symmetric states are kept up from one state to the next here, which costs less \
                      than to compute them anew; whether that is less than what is saved, a clock decides";

const FIGURE: [Row; 9] = [
    Row { game: "tictactoe", files: &["ticTacToe"], paper: "near optimal", why: "" },
    Row { game: "tictictoe", files: &["ticTicToe"], paper: "near optimal", why: "" },
    Row { game: "tictactoeparallel", files: &["ticTacToeParallel"], paper: "time saved", why: "" },
    Row {
        game: "asteroids",
        files: &["asteroids"],
        paper: "a part of asteroidsparallel; not told",
        why: "",
    },
    Row {
        game: "eightpuzzle",
        files: &["eightPuzzle"],
        paper: "a loss in blind search",
        why: FASTER,
    },
    Row { game: "pentago", files: &["pentago"], paper: "a loss in blind search", why: FASTER },
    Row { game: "knightmove", files: &["knightmove"], paper: "a loss", why: FASTER },
    Row {
        game: "asteroidsparallel",
        files: &["asteroidsParallel"],
        paper: "a great loss",
        why: "a slip in the map of the collection's game leaves it fewer symmetries than the paper found",
    },
    Row { game: CORRECTED, files: &["asteroidsParallel"], paper: "a great loss", why: FASTER },
];

const CORRECTED: &str = "asteroidsparallel, map corrected";

/// The map of the collection's game leads from 1 to 10 and not to 20 where it goes round to the west and south.
const CORRECTING: &str = "sed -E 's/(map\\+ +(1 +-1|2 +-2|3 +-3)) +10/\\1 20/g; \
                          s/(map\\+ +(1 +-2|2 +-3)) +9/\\1 19/g; s/(map\\+ +1 +-3) +8/\\1 18/g' GAME";

/// The same here: who goes below 1 comes out at 20.
fn corrected(game: &Game) -> Result<Game, Failure> {
    let mut parts = game.source().text.split("(map+ ");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (inside, rest) = part.split_once(')').unwrap_or((part, ""));
        let numbers: Vec<i32> = inside.split_whitespace().filter_map(|n| n.parse().ok()).collect();
        let inside = match numbers[..] {
            [at, step, _] if at + step < 1 => format!("{at} {step} {}", at + step + 20),
            _ => inside.to_string(),
        };
        text += &format!("(map+ {inside}){rest}");
    }
    let game = Game::read(Source::new(CORRECTED, text), None);
    game.map_err(|why| Failure::faulty(&why.report, &why.source))
}

/// As the paper made its figure: blind search to a depth in every state on a path through the game. What a
/// time decides is told and not judged.
pub fn figure(desk: &mut Desk) -> Outcome {
    for row in &FIGURE {
        let is_corrected = row.game == CORRECTED;
        let options = "--states 20000 --positions 3 --limit 0.1";
        let alone = match is_corrected {
            true => format!("{CORRECTING} | ludex bench-symmetry - {options}"),
            false => format!("ludex bench-symmetry GAME {options}"),
        };
        let item = format!("Figure 1: {}", row.game);
        let claim = Claim { why: row.why, ..claim(item, row.paper, &alone) };
        desk.compare_game(claim, row.files, |session, game, budget| match is_corrected {
            true => measured(session, &corrected(game)?, budget),
            false => measured(session, game, budget),
        })?;
    }
    complete_trees(desk)?;
    limited(desk);
    of_chart(desk);
    puzzles(desk)?;
    table(desk);
    if desk.wants_picture() {
        desk.picture = Some(chart(&rows(desk)));
    }
    Ok(())
}

/// States on the path, states of a search, and the paper's t_limit.
const POSITIONS: usize = 3;
const MOST: u64 = 20_000;
const LIMIT: f64 = 0.1;

fn measured(session: &Session, game: &Game, budget: &Budget) -> Result<Finding, Failure> {
    let found = savings(session, game, POSITIONS, budget)?;
    let (states, time) = found.states.saved(&found.normal);
    let text = format!("{:.1} % of the states, {:.1} % of the time", 100.0 * states, 100.0 * time);
    let figures = vec![
        ("depth", found.depth as f64),
        ("symmetries", found.order.to_string().parse().unwrap_or(f64::MAX)),
        ("t_exp", found.expand),
        ("t_sym", found.symmetric),
        ("normal states", found.normal.states as f64),
        ("normal seconds", found.normal.seconds),
        ("moves states", found.moves.states as f64),
        ("moves seconds", found.moves.seconds),
        ("symmetric states", found.states.states as f64),
        ("symmetric seconds", found.states.seconds),
        ("limited states", found.limited.states as f64),
        ("limited seconds", found.limited.seconds),
        ("switched off", f64::from(u8::from(found.switched_off))),
        ("finding", found.finding),
    ];
    Ok(Found::Measured(text).with(figures))
}

fn savings(
    session: &Session,
    game: &Game,
    positions: usize,
    budget: &Budget,
) -> Result<Savings, Failure> {
    let net = game.knowledge().net(budget)?;
    let state = net.bases.iter().map(|base| base.initial).collect();
    let subject = Subject { knowledge: game.knowledge().clone(), net, state };
    let bytes = session.memory_limit().map_or(1 << 30, |limit| limit as usize / 2);
    let question = SavingsQuestion { depth: None, most: MOST, positions, limit: LIMIT, bytes };
    Ok(Savings::measure(&subject, &question, budget)?)
}

/// Where every symmetric state can be reached, seven eighths of the states are not explored: near optimal.
fn complete_trees(desk: &mut Desk) -> Outcome {
    for (name, file) in [("tictactoe", "ticTacToe"), ("tictictoe", "ticTicToe")] {
        let claim = claim(
            format!("states saved in the complete tree of {name}"),
            "about 87.5 %",
            "ludex bench-symmetry GAME --states 20000",
        );
        desk.compare_game(claim, &[file], |session, game, budget| {
            let found = savings(session, game, 1, budget)?;
            let (states, _) = found.states.saved(&found.normal);
            let text = format!("{:.1} %", 100.0 * states);
            Ok(Found::Judged(text, found.whole && (states - 0.875).abs() < 0.02))
        })?;
    }
    Ok(())
}

fn of_figure<'d>(desk: &'d Desk) -> impl Iterator<Item = (&'d str, &'d PaperItem)> {
    let measured = desk.report.items.iter().filter(|item| !item.figures.is_empty());
    measured.filter_map(|item| Some((item.item.strip_prefix("Figure 1: ")?, item)))
}

/// What the rule at the end limits: no game loses more than the limit, but for what a thousand states cost
/// between two looks, and the clock's own noise.
fn limited(desk: &mut Desk) {
    let seconds = |item: &PaperItem, name: &str| item.figures[name];
    let loss = |(name, item): (&str, &PaperItem)| {
        let lost = seconds(item, "limited seconds") - seconds(item, "normal seconds");
        (name.to_string(), lost, seconds(item, "switched off") > 0.0)
    };
    let all: Vec<(String, f64, bool)> = of_figure(desk).map(loss).collect();
    let Some((name, lost, _)) = all.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else {
        return;
    };
    let off: Vec<&str> = all.iter().filter(|l| l.2).map(|l| l.0.as_str()).collect();
    let off = if off.is_empty() { "nowhere".into() } else { off.join(", ") };
    let text = format!("{lost:.2} s in {name}; switched off: {off}");
    let claim = claim(
        "the rule limits the loss to t_limit",
        format!("at most {LIMIT} s"),
        "ludex paper symmetry --games FOLDER --item Figure",
    );
    desk.tell(claim, Found::Measured(text));
}

/// What the text says of the chart as a whole.
fn of_chart(desk: &mut Desk) {
    let rows: Vec<&PaperItem> = of_figure(desk).map(|(_, item)| item).collect();
    let games = rows.len();
    if games == 0 {
        return;
    }
    let seconds = |item: &PaperItem, name: &str| item.figures[name];
    let count = |is: &dyn Fn(&PaperItem) -> bool| rows.iter().filter(|item| is(item)).count();
    let saving = count(&|i| seconds(i, "symmetric seconds") < seconds(i, "normal seconds"));
    let better = count(&|i| seconds(i, "symmetric seconds") < seconds(i, "moves seconds"));
    let ratios = rows.iter().map(|item| item.figures["t_sym"] / item.figures["t_exp"].max(1e-12));
    let ratios: Vec<f64> = ratios.collect();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = ratios.iter().copied().fold(0.0, f64::max);
    let finding = rows.iter().map(|item| item.figures["finding"]).fold(0.0, f64::max);
    let told = [
        (
            "longest time to find the symmetries of a game",
            "at most a few seconds",
            format!("{finding:.2} s"),
        ),
        ("games in which symmetric states save time", "a majority", format!("{saving} of {games}")),
        (
            "games in which symmetric states save more time than symmetric moves",
            "most",
            format!("{better} of {games}"),
        ),
        (
            "t_sym by t_exp, of all games",
            "from 0.02 to 3",
            format!("from {least:.3} to {greatest:.2}"),
        ),
    ];
    let alone = "ludex paper symmetry --games FOLDER --item Figure";
    for (item, paper, ours) in told {
        desk.tell(claim(item, paper, alone), Found::Measured(ours));
    }
}

const LATER: &str = "beside the limit it costs time to find symmetries and to measure what they cost, and a search that \
                     ends with the first best plan comes to it sooner or later by the order of its states";

/// The rule in the search for a single role's best end, in games in which symmetries do not pay.
fn puzzles(desk: &mut Desk) -> Outcome {
    for (name, file) in [("peg", "peg"), (CORRECTED, "asteroidsParallel")] {
        let is_corrected = name == CORRECTED;
        let alone = match is_corrected {
            true => ["", " --symmetry none"]
                .map(|option| format!("{CORRECTING} | ludex solve - --factoring off{option}"))
                .join("; "),
            false => {
                "ludex solve GAME --factoring off; ludex solve GAME --factoring off --symmetry none"
                    .to_string()
            }
        };
        let claim = Claim {
            why: LATER,
            ..claim(
                format!("the rule limits the loss in a puzzle: {name}"),
                format!("at most {} s", SavingsQuestion::default().limit),
                &alone,
            )
        };
        desk.compare_game(claim, &[file], |_, game, budget| {
            let game = &if is_corrected { corrected(game)? } else { game.clone() };
            let solved = |symmetry| {
                let settings = Settings { symmetry, factoring: false, ..Settings::default() };
                Solved::of(game, None, &settings, budget, &mut |_| ())
            };
            let (with, without) = (solved(Symmetry::States)?, solved(Symmetry::None)?);
            budget.check()?;
            let seconds = [&with, &without].map(|solved| solved.account.cpu_seconds);
            let off = with.symmetry.switched_off;
            let text = format!(
                "{:.2} s with symmetries{}, {:.2} s without; {} and {} states",
                seconds[0],
                if off { " until the rule switched them off" } else { "" },
                seconds[1],
                with.states,
                without.states
            );
            let figures = vec![("with", seconds[0]), ("without", seconds[1])];
            Ok(Found::Measured(text).with(figures))
        })?;
    }
    Ok(())
}

fn table(desk: &mut Desk) {
    let row = |(name, item): (&str, &PaperItem)| {
        let figure = |key: &str| item.figures[key];
        let time = |key: &str| {
            let all = figure("normal seconds").max(1e-9);
            format!("{:.0} %", 100.0 * (1.0 - figure(key) / all))
        };
        let states = |key: &str| {
            format!("{:.1} %", 100.0 * (1.0 - figure(key) / figure("normal states").max(1.0)))
        };
        let off = if figure("switched off") > 0.0 { "off" } else { "" };
        vec![
            name.to_string(),
            figure("depth").to_string(),
            format!("{:.2}", figure("normal seconds")),
            figure("normal states").to_string(),
            figure("symmetries").to_string(),
            format!("{} {}", states("moves states"), time("moves seconds")),
            format!("{} {}", states("symmetric states"), time("symmetric seconds")),
            format!("{} {off}", time("limited seconds")),
            format!("{:.2}", 1e6 * figure("t_exp")),
            format!("{:.2}", 1e6 * figure("t_sym")),
        ]
    };
    let rows = of_figure(desk).map(row).collect();
    let header = [
        "game",
        "depth",
        "seconds",
        "states",
        "symmetries",
        "moves: states time",
        "states: states time",
        "with the rule: time",
        "t_exp µs",
        "t_sym µs",
    ];
    desk.add_table("Figure 1: what symmetries save", &header, rows);
}

/// The bars of the figure, from what was measured.
fn rows(desk: &Desk) -> Vec<(String, Savings)> {
    let savings = |item: &PaperItem| {
        let cost = |name: &str| Cost {
            states: item.figures[&format!("{name} states")] as u64,
            seconds: item.figures[&format!("{name} seconds")],
        };
        Savings {
            depth: item.figures["depth"] as usize,
            whole: false,
            positions: POSITIONS,
            order: Default::default(),
            finding: 0.0,
            expand: item.figures["t_exp"],
            symmetric: item.figures["t_sym"],
            normal: cost("normal"),
            moves: cost("moves"),
            states: cost("symmetric"),
            limited: cost("limited"),
            switched_off: item.figures["switched off"] > 0.0,
        }
    };
    of_figure(desk).map(|(name, item)| (name.to_string(), savings(item))).collect()
}
