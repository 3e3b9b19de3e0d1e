//! `ludex factor`: the games that a game consists of.

mod apart;

use crate::failure::Failure;
use crate::moves;
use crate::session::{NONE, NOT_TRIED, Plan};
use crate::{Outcome, Session};
use ludex::facts::factor::{Checked, Exactness, Factor, FactorKind, Factors, Tie};
use ludex::facts::fluents::Fluents;
use ludex::machine::Scalar;
use ludex::net::Net;
use ludex::reason::perft;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;

/// Show the independent games that a game consists of, how they are played, and whether they can be
/// searched apart.
#[derive(clap::Args)]
#[command(after_help = "\
Kinds: synchronous (every step is a step of every factor), by choice (a role chooses where it plays), \
serial (one after the other), per role (each role plays its own), single. Every answer is checked by \
playing the factors side by side with the whole game.

Examples:
  ludex factor doubletictactoe
  ludex factor doubletictactoe --count
  ludex factor joinedtictactoe --moves match.txt
  ludex factor joinedtictactoe --matches 20 --seed 1
  ludex factor --table *.kif")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Factor the game from the position after these joint moves: a file as for `ludex replay`.
    #[arg(long, value_name = "FILE")]
    moves: Option<String>,
    /// Count the leaves of the factors' game trees, and set their sum against their product.
    #[arg(long)]
    count: bool,
    /// With --count, count the leaves of the whole game's tree as well, which may take long.
    #[arg(long, requires = "count")]
    whole: bool,
    /// Play so many matches at random and tell when the game falls apart, and into what.
    #[arg(long, value_name = "N", conflicts_with_all = ["moves", "count"])]
    matches: Option<usize>,
    /// Compare the factors with the whole game in so many states, or in all if there are fewer.
    #[arg(long, value_name = "N")]
    states: Option<usize>,
    /// Where random matches begin.
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    seed: u64,
    /// Print a table, one line for each game; with --matches also when it falls apart.
    #[arg(long, conflicts_with_all = ["moves", "count"])]
    table: bool,
}

/// States in which the factors are compared with the whole game, beside random matches.
const MATCHES: usize = 10;
const STATES: usize = 20_000;
const DEEPEST: usize = 300;

const PLAN: Plan = Plan::soon(&["kind", "factors", "exact", "goal", "goals", "terminal"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    if args.table && !session.json {
        return args.table(session);
    }
    session.each(&args.games, &PLAN, |game| {
        let game = session.load(game)?;
        let start = session.budget().seconds();
        let net = session.net(&game)?;
        let grounded = session.budget().seconds();
        if let Some(matches) = args.matches {
            return apart::in_matches(&game, matches, args.seed, session)?.report(session);
        }
        let (knowledge, budget, share) = (game.knowledge(), session.budget(), session.share());
        let found = match &args.moves {
            Some(file) => knowledge.factors_from(&moves::after(&net, file)?, &budget, share)?,
            None => Factors::clone(&*knowledge.factors(&budget, share)?),
        };
        let factored = session.budget().seconds();
        session.draft(&(
            || object(&found, &Checked::default(), &None, json!(null)),
            |session: &Session| print(&found, &Checked::default(), &None, session),
        ))?;
        let (found, checked) = args.check(found, session);
        let seconds = json!({"ground": grounded - start, "factor": factored - grounded,
            "verify": session.budget().seconds() - factored});
        let counts = args.count.then(|| counts(&found, args.whole, session)).transpose()?;
        session.tell(&(
            || object(&found, &checked, &counts, seconds.clone()),
            |session: &Session| print(&found, &checked, &counts, session),
        ))?;
        // What was found is told; a limit that cut the comparison short is, too.
        session.budget().check().map_err(Into::into)
    })
}

impl Args {
    fn table(&self, session: &Session) -> Outcome {
        let matches =
            self.matches.map_or("", |_| "\tfalls apart in\tof matches\tearliest after\tinto");
        writeln!(
            session.out(),
            "game\tkind\tfactors\tthat matter\tapart is\tgoal\tstates compared{matches}"
        )?;
        session.each(&self.games, &PLAN, |game| {
            let game = session.load(game)?;
            let found = game.knowledge().factors(&session.budget(), session.share())?;
            let found = Factors::clone(&found);
            let (found, checked) = self.check(found, session);
            let mut row = row(&found, &checked);
            if let Some(matches) = self.matches {
                row += &apart::in_matches(&game, matches, self.seed, session)?.row();
            }
            let mut out = session.out();
            writeln!(out, "{}\t{row}", game.name())?;
            Ok(out.flush()?)
        })
    }

    /// Plays factors and whole side by side. Factors that do not make up the game are not told.
    fn check(&self, found: Factors, session: &Session) -> (Factors, Checked) {
        if found.kind == FactorKind::Single {
            return (found, Checked::default());
        }
        let (states, budget) = match self.states {
            Some(states) => (states, session.budget()),
            None => (STATES, session.trial()),
        };
        match found.verify(MATCHES, states, &budget) {
            Ok(checked) => (found, checked),
            Err(why) => {
                let why = format!("parts that do not make up the game: {why}");
                (found.undone(why), Checked::default())
            }
        }
    }
}

fn row(found: &Factors, checked: &Checked) -> String {
    let (kind, number) = (found.kind, found.factors.len());
    if kind == FactorKind::Single {
        // There is nothing to search apart, and nothing to compare.
        return format!("{kind}\t1\t1\t{NONE}\t{NONE}\t{NOT_TRIED}");
    }
    let relevant = found.factors.iter().filter(|f| f.relevant).count();
    let all = if checked.complete { "all " } else { "" };
    let (exact, goal) = (found.exact.parts().0, overall(found));
    format!("{kind}\t{number}\t{relevant}\t{exact}\t{goal}\t{all}{}", checked.states)
}

/// Leaves of every factor's tree and, where that was asked for, of the whole game's; none where the number
/// is too large.
struct Counts {
    factors: Vec<Option<u64>>,
    whole: Option<Option<u64>>,
}

fn counts(found: &Factors, whole: bool, session: &Session) -> Result<Counts, Failure> {
    let leaves = |net: &Net| {
        let mut game = Scalar::within(Arc::new(net.clone()), &session.budget()).ok()?;
        let count = perft(&mut game, DEEPEST, false, &session.budget());
        count.cut.is_none().then(|| count.terminals.iter().sum::<u64>() + count.stuck)
    };
    let factors = found.factors.iter().map(|f| leaves(&f.net)).collect();
    let whole = whole.then(|| leaves(&found.net));
    session.budget().check()?;
    Ok(Counts { factors, whole })
}

fn names(found: &Factors, bases: &[usize]) -> Vec<String> {
    bases.iter().map(|b| found.net.bases[*b].name.clone()).collect()
}

/// The moves of a role in a factor, without those that leave it alone.
fn own_moves(factor: &Factor, role: usize) -> Vec<String> {
    let own = factor.net.inputs_of(role).filter(|i| !factor.elsewhere[*i]);
    own.map(|i| factor.net.inputs[i].name.clone()).collect()
}

fn object(found: &Factors, checked: &Checked, counts: &Option<Counts>, seconds: Value) -> Value {
    let roles = || 0..found.net.roles.len();
    let factor = |f: &Factor| {
        let mut moves: Vec<String> = roles().flat_map(|r| own_moves(f, r)).collect();
        moves.sort();
        moves.dedup();
        let by_role: serde_json::Map<String, Value> =
            roles().map(|r| (found.net.roles[r].clone(), json!(own_moves(f, r)))).collect();
        json!({"fluents": names(found, &f.bases), "moves": moves, "relevant": f.relevant,
            "moves_by_role": by_role, "gates": f.net.gate_count()})
    };
    let goal = |r: usize| {
        let (structure, factors, checked) = &found.goals[r];
        let factors: Vec<usize> = factors.iter().map(|k| k + 1).collect();
        json!({"role": found.net.roles[r], "structure": structure.to_string(), "factors": factors,
            "combinations": checked})
    };
    let (exact, condition) = found.exact.parts();
    let mut object = json!({
        "game": found.net.name,
        "kind": found.kind.to_string(),
        "factors": found.factors.iter().map(factor).collect::<Vec<_>>(),
        "exact": exact,
        "condition": condition,
        "settled": found.settled,
        "goal": overall(found),
        "goals": roles().map(goal).collect::<Vec<_>>(),
        "terminal": found.ending.to_string(),
        "shared": names(found, &found.shared),
        "tie": found.tie.as_ref().map(Tie::to_string),
        "tied_by": found.tie.as_ref().map(|t| json!({"goal": t.goal, "effect": t.effect,
            "legality": t.legality, "other": t.other})),
        "rests_on": found.rests_on,
        "verified": {"states": checked.states, "steps": checked.steps, "complete": checked.complete},
        "seconds": seconds,
        "stopped": if found.tie.is_none() && checked.states == 0 { vec!["verified"] } else { vec![] },
    });
    if let Some(counts) = counts {
        object["leaves"] = json!({"factors": counts.factors, "whole": counts.whole,
            "sum": sum(counts), "product": product(counts)});
    }
    object
}

/// The one structure of all roles' goals, or each role's.
fn overall(found: &Factors) -> String {
    let mut all: Vec<String> = found.goals.iter().map(|g| g.0.to_string()).collect();
    all.dedup();
    all.join(", ")
}

fn sum(counts: &Counts) -> Option<u64> {
    counts.factors.iter().copied().sum()
}

fn product(counts: &Counts) -> Option<u64> {
    counts.factors.iter().try_fold(1u64, |p, n| p.checked_mul((*n)?))
}

fn print(
    found: &Factors,
    checked: &Checked,
    counts: &Option<Counts>,
    session: &Session,
) -> Outcome {
    let mut out = session.out();
    let net = &found.net;
    if let Some(tie) = &found.tie {
        writeln!(out, "{}: one game, tied together by {tie}", net.name)?;
    } else {
        writeln!(out, "{}: {} factors, {}", net.name, found.factors.len(), found.kind)?;
    }
    for (k, factor) in found.factors.iter().enumerate().filter(|_| found.tie.is_none()) {
        let idle = if factor.relevant { "" } else { ", matters for nobody" };
        let facts = patterns(net, &factor.bases).join(" ");
        writeln!(out, "factor {}{idle}: {} facts {facts}", k + 1, factor.bases.len())?;
        for (r, role) in net.roles.iter().enumerate() {
            let moves = own_moves(factor, r);
            let some: Vec<&str> = moves.iter().take(4).map(String::as_str).collect();
            let more = if moves.len() > 4 { " …" } else { "" };
            if !moves.is_empty() {
                writeln!(out, "  {role}: {} moves {}{more}", moves.len(), some.join(" "))?;
            }
        }
    }
    if !found.shared.is_empty() {
        writeln!(out, "shared: {}", patterns(net, &found.shared).join(" "))?;
    }
    if found.tie.is_none() {
        for (role, (structure, factors, _)) in net.roles.iter().zip(&found.goals) {
            let list: Vec<String> = factors.iter().map(|k| (k + 1).to_string()).collect();
            writeln!(out, "goal of {role}: {structure} ({})", list.join(", "))?;
        }
        writeln!(out, "ends: {}", found.ending)?;
        let sure = match (&found.exact, found.settled) {
            (Exactness::Heuristic(_), _) | (_, true) => "",
            _ => ", for what each role can make sure of",
        };
        writeln!(out, "searching the factors apart is {}{sure}", found.exact)?;
        if !found.rests_on.is_empty() {
            writeln!(out, "this rests on: {}", found.rests_on.join("; "))?;
        }
        let all = if checked.complete { "all " } else { "" };
        let (states, steps) = (checked.states, checked.steps);
        match states {
            0 => writeln!(out, "recombined: stopped before a state was compared")?,
            _ => writeln!(out, "recombined in {all}{states} states and {steps} steps, the same")?,
        }
    }
    drop(out);
    counts.as_ref().map_or(Ok(()), |c| print_counts(c, session))
}

fn print_counts(counts: &Counts, session: &Session) -> Outcome {
    let text = |n: Option<u64>| n.map_or("not counted".to_string(), |n| n.to_string());
    let mut table = session.table(&["game tree", "leaves"], &["leaves"]);
    for (k, n) in counts.factors.iter().enumerate() {
        table.add_row(vec![format!("factor {}", k + 1), text(*n)]);
    }
    table.add_row(vec!["factors apart (sum)".to_string(), text(sum(counts))]);
    table.add_row(vec!["all at once (product)".to_string(), text(product(counts))]);
    if let Some(whole) = counts.whole {
        table.add_row(vec!["whole game, counted".to_string(), text(whole)]);
    }
    session.print_table(&table)
}

/// Facts by relation, arguments that differ as `*`.
fn patterns(net: &Net, bases: &[usize]) -> Vec<String> {
    let mut found = Vec::new();
    for relation in Fluents::new(net).relations {
        let facts: Vec<&Vec<String>> = relation
            .facts
            .iter()
            .filter(|f| bases.binary_search(&f.base).is_ok())
            .map(|f| &f.args)
            .collect();
        let Some(first) = facts.first() else { continue };
        let arg = |a: usize| match facts.iter().all(|f| f[a] == first[a]) {
            true => first[a].clone(),
            false => "*".into(),
        };
        let args: Vec<String> = (0..relation.arity).map(arg).collect();
        found.push(match args.len() {
            0 => relation.name.clone(),
            _ => format!("({} {})", relation.name, args.join(" ")),
        });
    }
    found
}
