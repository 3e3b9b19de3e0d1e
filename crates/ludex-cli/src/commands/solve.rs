//! `ludex solve`: the exact value of a game, or of a position of it, for every role.

use crate::failure::Failure;
use crate::moves;
use crate::session::{Answer, Plan, STOPPED};
use crate::{Outcome, Session};
use clap::ValueEnum;
use ludex::budget::Allowance;
use ludex::domains::{DomainGraph, DomainOwner};
use ludex::net::Net;
use ludex::reason::{Move, Role};
use ludex::rules::{Rel, Rules, Term};
use ludex::search::solve::{Settings, Solution, Subject, Symmetry, Value, solve};
use serde_json::{Map, Value as Json, json};
use std::io::Write;

/// Solve a game: what every role gets with best play, and a line of such play.
#[derive(clap::Args)]
#[command(after_help = "\
One role: the best goal and a plan. Two roles that choose one at a time and want opposite things (proved): \
alpha-beta. Anything else: backward induction; the answer names the concept of solution. What a limit cuts \
off is told as bounds, with exit code 3.

Examples:
  ludex solve tictactoe
  ludex solve doubletictactoe --factoring off
  ludex solve eightpuzzle --json
  ludex solve connectfour --time-limit 10s
  ludex solve tictactoe --from '(mark 2 2); (mark 1 2)'")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Follow matches for so many steps only.
    #[arg(long, value_name = "D")]
    depth: Option<usize>,
    /// Solve the position after these joint moves: a file as for `ludex replay`, or joint moves with
    /// semicolons between, in which moves of roles that have no choice may be left out.
    #[arg(long, value_name = "MOVES")]
    from: Option<String>,
    /// How to use symmetries: not at all, to try one of symmetric moves, or to recognise symmetric
    /// states.
    #[arg(long, value_enum, default_value_t = SymmetryArg::States, value_name = "HOW")]
    symmetry: SymmetryArg,
    /// Search the independent games of a game apart, where that is exact.
    #[arg(long, value_enum, default_value_t = Switch::On, value_name = "SWITCH")]
    factoring: Switch,
    /// Leave states alone in which facts that never change again decide.
    #[arg(long, value_enum, default_value_t = Switch::On, value_name = "SWITCH")]
    latches: Switch,
    /// Memory for the table of states, in megabytes; without it a part of --memory-limit.
    #[arg(long, value_name = "MB")]
    table: Option<usize>,
}

#[derive(Clone, Copy, ValueEnum)]
enum SymmetryArg {
    None,
    Moves,
    States,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Switch {
    On,
    Off,
}

/// CPU seconds for one game without --time-limit.
const PATIENCE: f64 = 120.0;
const PLAN: Plan = Plan {
    parts: &["values", "bounds", "line", "states"],
    allowance: Allowance { seconds: Some(PATIENCE), bytes: None },
};

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.each(&args.games, &PLAN, |game| {
        let game = session.load(game)?;
        let (budget, name) = (session.budget(), game.name());
        let begin = budget.seconds();
        sketch(game.rules(), session)?;
        let net = session.net(&game)?;
        let state = match &args.from {
            Some(from) => moves::after_text(&net, from)?,
            None => net.bases.iter().map(|b| b.initial).collect(),
        };
        let subject = Subject { knowledge: game.knowledge().clone(), net: net.clone(), state };
        let tell = |found: Solution| {
            let seconds = budget.seconds() - begin;
            Solved { name, net: &net, found, seconds }
        };
        session.draft(&tell(Solution::unknown(&net)))?;
        let solved = tell(solve(&subject, &settings(args, session), &budget, &budget));
        session.tell(&solved)?;
        match (solved.found.stop, solved.found.refusal) {
            (Some(stop), _) => Err(Failure::Stopped(stop)),
            (None, Some(_)) => Err(Failure::Refuted),
            (None, None) if !solved.found.complete => Err(Failure::TooLarge(
                "stopped: the depth is reached; give a larger --depth".into(),
            )),
            _ => Ok(()),
        }
    })
}

/// Drafts what the rules tell: the roles and the goals they can get at all.
fn sketch(rules: &Rules, session: &Session) -> Outcome {
    let named = |term: &Term| match term {
        Term::App(name, args) if args.is_empty() => Some(rules.symbols.name(*name)),
        _ => None,
    };
    let roles: Vec<&str> =
        rules.defining(Rel::ROLE).filter_map(|rule| named(&rule.head.args[0])).collect();
    let graph = DomainGraph::new(rules);
    let values = graph.domain(DomainOwner::Predicate(Rel::GOAL), 2).iter();
    let values = values.filter_map(|v| rules.symbols.name(v.0).parse::<i32>().ok());
    let values: Vec<i32> = values.collect();
    let bounds = (values.iter().min(), values.iter().max());
    let by_role = |of: Json| -> Json {
        Json::Object(roles.iter().map(|role| (role.to_string(), of.clone())).collect())
    };
    let object = || {
        json!({"game": rules.name, "values": by_role(Json::Null),
            "bounds": by_role(json!([bounds.0, bounds.1])), "line": [], "states": 0,
            "complete": false, "stopped": ["values", "line"]})
    };
    let print = |session: &Session| {
        let mut out = session.out();
        writeln!(out, "{}", rules.name)?;
        for role in &roles {
            match bounds {
                (Some(low), Some(high)) => {
                    writeln!(out, "  {role}: from {low} to {high}, then {STOPPED}")?
                }
                _ => writeln!(out, "  {role}: {STOPPED}")?,
            }
        }
        Ok(())
    };
    session.draft(&(object, print))
}

struct Solved<'a> {
    name: &'a str,
    net: &'a Net,
    found: Solution,
    seconds: f64,
}

impl Answer for Solved<'_> {
    fn object(&self) -> Json {
        object(self.name, self.net, &self.found, self.seconds)
    }

    fn print(&self, session: &Session) -> Outcome {
        print(self.name, self.net, &self.found, self.seconds, session)
    }
}

fn settings(args: &Args, session: &Session) -> Settings {
    let bytes = match args.table {
        Some(megabytes) => megabytes.saturating_mul(1_000_000),
        None => session.memory_limit().map_or(1 << 30, |m| m as usize / 2),
    };
    let symmetry = match args.symmetry {
        SymmetryArg::None => Symmetry::None,
        SymmetryArg::Moves => Symmetry::Moves,
        SymmetryArg::States => Symmetry::States,
    };
    let (factoring, latches) = (args.factoring == Switch::On, args.latches == Switch::On);
    let proof_seconds = session.share() / 2.0;
    Settings { symmetry, factoring, latches, depth: args.depth, bytes, proof_seconds }
}

fn number(value: &Value) -> Json {
    match value.to_string().parse::<i64>() {
        Ok(whole) => json!(whole),
        Err(_) => json!(float(value)),
    }
}

/// A value to twelve decimals; its numerator and denominator may be too large to be floats.
fn float(value: &Value) -> f64 {
    const DECIMALS: i64 = 1_000_000_000_000;
    let whole = (value * Value::from_integer(DECIMALS.into())).round().to_integer();
    whole.to_string().parse::<f64>().expect("a number") / DECIMALS as f64
}

/// A value as people read it: fractions with long numbers as decimals.
fn told(value: &Value) -> String {
    let exact = value.to_string();
    if exact.len() > 9 { format!("about {:.4}", float(value)) } else { exact }
}

fn texts(net: &Net, joint: &[Move]) -> Vec<String> {
    joint.iter().map(|m| net.inputs[m.0 as usize].name.clone()).collect()
}

/// The chances of mixed moves, by role and move.
fn mixed(net: &Net, found: &Solution) -> Json {
    let role = |(role, moves): &(Role, Vec<(Move, Value)>)| {
        let chance =
            |(m, c): &(Move, Value)| (net.inputs[m.0 as usize].name.clone(), json!(c.to_string()));
        let chances: Map<String, Json> = moves.iter().map(chance).collect();
        (net.roles[*role].clone(), Json::Object(chances))
    };
    Json::Object(found.mixed.iter().map(role).collect())
}

fn object(name: &str, net: &Net, found: &Solution, seconds: f64) -> Json {
    let by_role = |of: &dyn Fn(usize) -> Json| -> Json {
        let all = net.roles.iter().enumerate().map(|(r, name)| (name.clone(), of(r)));
        Json::Object(all.collect::<Map<String, Json>>())
    };
    let values = found.values.as_ref();
    let exact = values.filter(|v| v.iter().any(|v| !v.is_integer()));
    let symmetry = match found.symmetry.mode {
        Symmetry::None => "none",
        Symmetry::Moves => "moves",
        Symmetry::States => "states",
    };
    json!({
        "game": name,
        "chance": net.chance().map(|role| &net.roles[role]),
        "values": by_role(&|r| values.map_or(Json::Null, |v| number(&v[r]))),
        "exact_values": exact.map(|v| by_role(&|r| json!(v[r].to_string()))),
        "bounds": by_role(&|r| json!([number(&found.bounds[r].0), number(&found.bounds[r].1)])),
        "line": found.line.iter().map(|joint| texts(net, joint)).collect::<Vec<_>>(),
        "mixed": (!found.mixed.is_empty()).then(|| mixed(net, found)),
        "concept": found.concept,
        "method": found.method,
        "states": found.states,
        "cpu_seconds": seconds,
        "complete": found.complete,
        "stopped": stopped(found),
        "refused": found.refusal,
        "symmetry": {"mode": symmetry, "order": found.symmetry.order.to_string(),
            "saved_states": found.symmetry.saved, "switched_off": found.symmetry.switched_off},
        "factors": found.factors.iter().map(|f| json!({"name": f.name, "states": f.states,
            "values": f.values.iter().map(number).collect::<Vec<_>>()})).collect::<Vec<_>>(),
        "notes": found.notes,
    })
}

/// What a limit kept from being found.
fn stopped(found: &Solution) -> Vec<&'static str> {
    if found.stop.is_some() { vec!["values", "line"] } else { vec![] }
}

fn print(name: &str, net: &Net, found: &Solution, seconds: f64, session: &Session) -> Outcome {
    let mut out = session.out();
    writeln!(out, "{name}")?;
    for (r, role) in net.roles.iter().enumerate() {
        let (low, high) = &found.bounds[r];
        match &found.values {
            _ if net.chance() == Some(r) => writeln!(out, "  {role}: chance")?,
            Some(values) if low == high => writeln!(out, "  {role}: {}", told(&values[r]))?,
            Some(values) => {
                writeln!(out, "  {role}: {} (at most {})", told(&values[r]), told(high))?
            }
            None => {
                let stopped = if found.stop.is_some() { ", then stopped" } else { "" };
                writeln!(out, "  {role}: from {} to {}{stopped}", told(low), told(high))?
            }
        }
    }
    if !found.concept.is_empty() {
        writeln!(out, "{}", found.concept)?;
    }
    if !found.line.is_empty() {
        writeln!(out, "line of {} steps:", found.line.len())?;
        for joint in &found.line {
            writeln!(out, "  {}", texts(net, joint).join("  "))?;
        }
    }
    if !found.mixed.is_empty() {
        let then = if found.line.is_empty() { "" } else { "then " };
        writeln!(out, "{then}at the same time, with these chances:")?;
        for (role, moves) in &found.mixed {
            let chance =
                |(m, c): &(Move, Value)| format!("{} {}", net.inputs[m.0 as usize].name, told(c));
            let chances: Vec<String> = moves.iter().map(chance).collect();
            writeln!(out, "  {}: {}", net.roles[*role], chances.join(", "))?;
        }
    }
    for part in &found.factors {
        let values: Vec<String> = part.values.iter().map(told).collect();
        writeln!(out, "factor {}: {} in {} states", part.name, values.join(", "), part.states)?;
    }
    if let Some(why) = &found.refusal {
        writeln!(out, "no value: {why}")?;
    }
    for note in &found.notes {
        writeln!(out, "note: {note}")?;
    }
    let used = &found.symmetry;
    let symmetry = match used.mode {
        // Factors have symmetries of their own.
        _ if !found.factors.is_empty() => String::new(),
        Symmetry::None => String::new(),
        _ if used.switched_off => {
            format!(", symmetries ({}) given up: they cost more time than they saved", used.order)
        }
        Symmetry::Moves => format!(", {} symmetries of moves", used.order),
        Symmetry::States => format!(", {} symmetries of states", used.order),
    };
    writeln!(out, "{}: {} states{symmetry}, {seconds:.2} CPU seconds", found.method, found.states)?;
    Ok(())
}
