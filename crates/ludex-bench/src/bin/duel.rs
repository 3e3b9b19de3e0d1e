//! Two searches play each other, sides swapped after every match, with a number of CPU seconds for each
//! move: `duel GAME.kif MATCHES SECONDS OPTIONS OPTIONS [FIRST [RECORD]]`, options such as `mcts,leaves=4` or `uct`;
//! `time=4` lets one of them think four times as long, `learn=500000,study=20` lets it learn from so many positions first
//! and find out what to use, with so many seconds for matches in which it does.
//! Matches are numbered from FIRST on (0), and each number has seeds of its own: a series that goes on
//! with an earlier one repeats none of its matches. Prints the share of the points that the first one
//! got, with its 95 % interval. Matches are told in the file RECORD as they end; those that it tells of already
//! are not played again, so that a series can be stopped and gone on with.

use cpu_time::ThreadTime;
use ludex::budget::{Budget, Stop};
use ludex::knowledge::Knowledge;
use ludex::machine::Scalar;
use ludex::reason::{Move, StateMachine};
use ludex::rules::Rules;
use ludex::search::{Insights, LeafWay, Options, SearchMethod, Searcher, Study, searcher};
use ludex::source::Source;
use std::io::Write;
use std::process::exit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, matches, seconds, first, second, rest @ ..] = &args[..] else {
        eprintln!("usage: duel GAME.kif MATCHES SECONDS OPTIONS OPTIONS [FIRST [RECORD]]");
        exit(2);
    };
    let (shown, matches, seconds) = (seconds, number(matches) as u64, number(seconds));
    let from = rest.first().map_or(0, |first| number(first) as u64);
    let record =
        Record::new(rest.get(1), [file, shown, first, second].map(String::as_str).join(" "));
    let rivals = [options(first), options(second)];
    let seconds = [seconds * factor(first), seconds * factor(second)];
    let mut game = None;
    let mut points = Vec::new();
    let mut thought = [(0u64, 0u64); 2];
    for m in from..from + matches {
        let goals = record.find(m).unwrap_or_else(|| {
            let (one, other) = (learned(first), learned(second));
            let learned = (one.0.max(other.0), one.1.max(other.1));
            let (game, insights) = game.get_or_insert_with(|| load(file, learned));
            let goals = play(game, insights, &rivals, m, seconds, &mut thought);
            eprintln!("{file} {first} - {second}: match {m}: {goals:?}");
            record.add(m, &goals);
            goals
        });
        points.push(goals[(m % 2) as usize] as f64 / 100.0);
    }
    let (mean, low, high) = interval(&points);
    let speed = |(iterations, moves): (u64, u64)| iterations / moves.max(1);
    println!(
        "{file} {first} - {second}: {:.1} % ({:.1} to {:.1}) of {matches} at {shown} s; \
         visits {} and {}",
        100.0 * mean,
        100.0 * low,
        100.0 * high,
        speed(thought[0]),
        speed(thought[1])
    );
}

/// The matches of series that were played before, a line each.
struct Record {
    file: Option<String>,
    series: String,
}

impl Record {
    fn new(file: Option<&String>, series: String) -> Record {
        Record { file: file.cloned(), series }
    }

    /// The goals of a match that was played.
    fn find(&self, m: u64) -> Option<Vec<i32>> {
        let text = std::fs::read_to_string(self.file.as_ref()?).ok()?;
        let begin = format!("{} match {m}:", self.series);
        let line = text.lines().find_map(|line| line.strip_prefix(&begin))?;
        line.split_whitespace().map(|goal| goal.parse().ok()).collect()
    }

    fn add(&self, m: u64, goals: &[i32]) {
        let Some(file) = &self.file else { return };
        let goals: Vec<String> = goals.iter().map(i32::to_string).collect();
        let line = format!("{} match {m}: {}\n", self.series, goals.join(" "));
        let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
        let written = opened.and_then(|mut open| open.write_all(line.as_bytes()));
        written.unwrap_or_else(|error| eprintln!("{file}: {error}"));
    }
}

/// Positions that a rival learns from before the first match, and the seconds that it has for that and for
/// matches of its own.
fn learned(text: &str) -> (u64, f64) {
    let of = |name| text.split(',').find_map(|p| p.strip_prefix(name)).map_or(0.0, number);
    (of("learn=") as u64, of("study="))
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| {
        eprintln!("{text} is no number");
        exit(2)
    })
}

/// How many times as long as said a rival thinks.
fn factor(text: &str) -> f64 {
    text.split(',').find_map(|p| p.strip_prefix("time=")).map_or(1.0, number)
}

fn options(text: &str) -> Options {
    let mut options = Options::default();
    for part in text.split(',') {
        let (name, value) = part.split_once('=').unwrap_or((part, "1"));
        match name {
            "time" | "learn" | "study" => {}
            "uct" => options.method = SearchMethod::Uct,
            "mcts" => options.method = SearchMethod::Mcts,
            "leaves" => options.leaves = Some(number(value) as usize),
            "symmetry" => options.symmetry = number(value) != 0.0,
            "factored" => options.factored = Some(number(value) != 0.0),
            "nodes" => options.nodes = number(value) as usize,
            "exploration" => options.exploration = number(value) as f32,
            "rave" => options.rave = number(value) as f32,
            "prior" => options.prior = number(value) as f32,
            "way" => options.way = Some(way(value)),
            "at_once" => options.at_once = number(value) as f32,
            "regret" => options.regret = number(value) != 0.0,
            "minimax" => options.minimax = number(value) as f32,
            _ => {
                eprintln!("there is no option {name}");
                exit(2)
            }
        }
    }
    options
}

fn way(text: &str) -> LeafWay {
    let named = LeafWay::ALL.into_iter().find(|way| way.to_string() == text);
    named.unwrap_or_else(|| {
        eprintln!("there is no way {text}");
        exit(2)
    })
}

fn load(file: &str, (learned, studied): (u64, f64)) -> (Scalar, Arc<Insights>) {
    let text = std::fs::read_to_string(file).expect("a file");
    let Ok((rules, _)) = Rules::read(&Source::new(file, text), None) else {
        panic!("{file} has mistakes")
    };
    let budget = Budget::unlimited();
    let knowledge = Knowledge::of_rules(rules);
    let scalar = knowledge.scalar(&budget).expect("it can be grounded");
    let insights = Arc::new(Insights::default());
    insights.gather(&knowledge, &budget).expect("no limits");
    if learned > 0 {
        let begun = ThreadTime::now();
        let clock = Budget::new(|| ThreadTime::now().as_duration().as_secs_f64());
        let study = Study { positions: learned, seconds: studied };
        insights.study(study, &clock, &clock).expect("no limits");
        let seconds = begun.elapsed().as_secs_f64();
        let gain = insights.evaluation().map(|evaluation| evaluation.gain);
        let way = insights.way();
        eprintln!("{file}: learned from {learned} positions in {seconds:.1} s: {gain:?}, {way}");
    }
    (Scalar::clone(&scalar), insights)
}

/// One match; the first rival has role `m % 2`.
fn play(
    game: &Scalar,
    insights: &Arc<Insights>,
    rivals: &[Options; 2],
    m: u64,
    seconds: [f64; 2],
    thought: &mut [(u64, u64); 2],
) -> Vec<i32> {
    let mut game = game.clone();
    let of = |role: usize| (role + m as usize) % 2;
    let mut players: Vec<Box<dyn Searcher>> = (0..2)
        .map(|role| {
            let options = Options { seed: 2 * m + role as u64 + 1, ..rivals[of(role)].clone() };
            searcher(&game, role, &options, insights.clone())
        })
        .collect();
    let mut state = game.initial();
    while !game.terminal(&state) {
        let mut joint: Vec<Move> = Vec::new();
        for role in 0..2 {
            let mut legal = Vec::new();
            game.legal(&state, role, &mut legal);
            if legal.len() > 1 {
                let before = players[role].visits();
                think(players[role].as_mut(), seconds[of(role)]);
                let (visits, moves) = thought[of(role)];
                let made = players[role].visits().saturating_sub(before);
                thought[of(role)] = (visits + made, moves + 1);
                joint.push(players[role].choice().expect("a move").mv);
                assert!(legal.contains(&joint[role]));
            } else {
                joint.push(legal[0]);
            }
        }
        state = game.next(&state, &joint);
        players.iter_mut().for_each(|p| p.advance(&joint));
    }
    (0..2).map(|role| game.goal(&state, role).unwrap_or(0)).collect()
}

/// Lets a search think for CPU seconds of this thread, however busy the machine is.
fn think(player: &mut dyn Searcher, seconds: f64) {
    let budget = Budget::unlimited();
    let thread = std::fs::read_link("/proc/thread-self").expect("Linux");
    let stat = std::path::Path::new("/proc").join(thread).join("schedstat");
    let used = move || -> f64 {
        let text = std::fs::read_to_string(&stat).expect("of a thread that runs");
        text.split(' ').next().expect("a number").parse::<f64>().expect("nanoseconds") / 1e9
    };
    let done = AtomicBool::new(false);
    let end = ThreadTime::now().as_duration().as_secs_f64() + seconds;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) && used() < end {
                let left = (end - used()).clamp(0.0005, 0.005);
                std::thread::sleep(Duration::from_secs_f64(left * 0.9));
            }
            budget.stop(Stop::Time);
        });
        let _ = player.think(u64::MAX, &budget);
        done.store(true, Relaxed);
    });
}

/// The mean and the 95 % interval (Wilson).
fn interval(points: &[f64]) -> (f64, f64, f64) {
    let n = points.len() as f64;
    let p = points.iter().sum::<f64>() / n;
    let z = 1.96;
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    (p, centre - half, centre + half)
}
