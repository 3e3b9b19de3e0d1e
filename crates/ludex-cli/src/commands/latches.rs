//! `ludex latches`: facts and views that keep their value, and the net from a state on.

use crate::moves;
use crate::session::{Plan, STOPPED};
use crate::{Outcome, Session};
use ludex::facts::latches::{Folding, LatchValue, Latches, fold};
use ludex::net::Net;
use serde_json::{Value as Json, json};
use std::io::Write;
use std::sync::Arc;

/// Show the latches of a game: facts that stay true once they are true, or false once false.
#[derive(clap::Args)]
#[command(after_help = "\
A latch is proved, by the structure of the net or by induction. Facts that are always true are listed \
as positive, facts that never become true as negative. With --moves the facts and goals are shown \
that have their final value in a position, and the net without them is played beside the whole net.

Examples:
  ludex latches tictactoe
  ludex latches tictactoe --moves match.txt
  ludex latches --table *.kif")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Look at the position after these joint moves: a file as for `ludex replay`.
    #[arg(long, value_name = "FILE")]
    moves: Option<String>,
    /// Print a table, one line for each game.
    #[arg(long, conflicts_with = "moves")]
    table: bool,
}

const PLAN: Plan = Plan::soon(&["positive", "negative", "undecided", "facts", "views", "goals"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    let table = args.table && !session.json;
    if table {
        writeln!(
            session.out(),
            "game\tfacts\tpositive\tnegative\tby induction\tundecided\tviews\tgoals that stay"
        )?;
    }
    session.each(&args.games, &PLAN, |game| {
        let game = session.load(game)?;
        let budget = session.budget();
        let start = budget.seconds();
        let net = session.net(&game)?;
        if let Some(file) = &args.moves {
            return position(&net, file, session);
        }
        let found = game.knowledge().latches(&budget, session.share())?;
        let seconds = budget.seconds() - start;
        let text = |session: &Session| match table {
            true => row(&found, session),
            false => print(&found, session),
        };
        session.tell(&(|| object(&found, seconds), text))?;
        found.stopped.map_or(Ok(()), |stop| Err(stop.into()))
    })
}

fn names(net: &Net, bases: &[usize]) -> Vec<String> {
    bases.iter().map(|b| net.bases[*b].name.clone()).collect()
}

/// The goals that are latches, with the value that stays.
fn goals(found: &Latches) -> Vec<(String, i32, LatchValue)> {
    let net = &found.net;
    let of_role = |r: usize| {
        net.goals[r].iter().filter_map(move |(value, lit)| {
            Some((net.roles[r].clone(), *value, found.stays(*lit)?))
        })
    };
    (0..net.roles.len()).flat_map(of_role).collect()
}

fn object(found: &Latches, seconds: f64) -> Json {
    let net = &found.net;
    let undecided: Vec<&str> =
        found.undecided.iter().map(|u| net.bases[u.0].name.as_str()).collect();
    let goal = |(role, value, stays): (String, i32, LatchValue)| json!({"role": role, "value": value, "stays": stays == LatchValue::True});
    let induction = |b: &usize| found.by_induction.iter().any(|(base, _)| base == b);
    let mut all: Vec<usize> = found.positive.iter().chain(&found.negative).copied().collect();
    all.sort_unstable();
    all.dedup();
    let (by_induction, by_structure): (Vec<usize>, Vec<usize>) =
        all.iter().partition(|b| induction(b));
    let (by_induction, by_structure) = (names(net, &by_induction), names(net, &by_structure));
    json!({
        "game": net.name,
        "positive": names(net, &found.positive),
        "negative": names(net, &found.negative),
        "undecided": undecided,
        "facts": net.bases.len(),
        "by_induction": found.by_induction.len(),
        "rests_on": {"structure": by_structure, "induction": by_induction, "lemmas": found.lemmas},
        "views": found.view_count(),
        "goals": goals(found).into_iter().map(goal).collect::<Vec<_>>(),
        "cpu_seconds": seconds,
        "stopped": found.stopped.iter().map(|_| "undecided").collect::<Vec<_>>(),
    })
}

fn row(found: &Latches, session: &Session) -> Outcome {
    let (name, facts) = (&found.net.name, found.net.bases.len());
    let (positive, negative) = (found.positive.len(), found.negative.len());
    let (induction, undecided) = (found.by_induction.len(), found.undecided.len());
    let (views, goals) = (found.view_count(), goals(found).len());
    let mut out = session.out();
    writeln!(
        out,
        "{name}\t{facts}\t{positive}\t{negative}\t{induction}\t{undecided}\t{views}\t{goals}"
    )?;
    Ok(out.flush()?)
}

fn print(found: &Latches, session: &Session) -> Outcome {
    let (net, mut out) = (&found.net, session.out());
    writeln!(out, "{}: {} facts", net.name, net.bases.len())?;
    for (kind, list) in [("positive", &found.positive), ("negative", &found.negative)] {
        writeln!(out, "{kind} latches: {}", list.len())?;
        names(net, list).iter().try_for_each(|n| writeln!(out, "  {n}"))?;
    }
    if !found.by_induction.is_empty() {
        let (number, lemmas) = (found.by_induction.len(), found.lemmas.len());
        writeln!(out, "proved by induction: {number}, with {lemmas} lemmas")?;
        found.lemmas.iter().take(SHOWN).try_for_each(|l| writeln!(out, "  {l}"))?;
        if lemmas > SHOWN {
            writeln!(out, "  and {} more", lemmas - SHOWN)?;
        }
    }
    if !found.undecided.is_empty() {
        writeln!(out, "neither proved nor refuted: {}", found.undecided.len())?;
    }
    if found.stopped.is_some() {
        writeln!(out, "further proofs: {STOPPED}")?;
    }
    writeln!(out, "views that are latches: {} of {} gates", found.view_count(), net.gate_count())?;
    for (role, value, stays) in goals(found) {
        let stays = if stays == LatchValue::True { "once reached" } else { "once lost" };
        writeln!(out, "goal {value} of {role} stays as it is {stays}")?;
    }
    Ok(())
}

const MATCHES: usize = 20;
/// Lemmas that are shown to people.
const SHOWN: usize = 5;

fn position(net: &Arc<Net>, file: &str, session: &Session) -> Outcome {
    let state = moves::after(net, file)?;
    let folding = fold(net, &state);
    let compared = folding.compare(net, MATCHES, 1, &session.budget())?;
    let states = compared.expect("a folded net is equivalent from its state on");
    let with = |value: bool| -> Vec<String> {
        let kept = &folding.finally.bases;
        names(net, &(0..kept.len()).filter(|b| kept[*b] == Some(value)).collect::<Vec<_>>())
    };
    let (before, after) = (net.gate_count(), folding.folded.net.gate_count());
    if session.json {
        let goal = |(role, value, holds): (String, i32, bool)| json!({"role": role, "value": value, "decided": holds});
        return session.line(&json!({
            "game": net.name,
            "positive": with(true),
            "negative": with(false),
            "goals": decided(net, &folding).into_iter().map(goal).collect::<Vec<_>>(),
            "gates": {"before": before, "after": after},
            "moves": {"before": net.inputs.len(), "after": folding.folded.net.inputs.len()},
            "states_compared": states,
        }));
    }
    let mut out = session.out();
    for (value, list) in [("true", with(true)), ("false", with(false))] {
        writeln!(out, "{value} for good: {} of {} facts", list.len(), net.bases.len())?;
        list.iter().try_for_each(|n| writeln!(out, "  {n}"))?;
    }
    for (role, value, holds) in decided(net, &folding) {
        let how = if holds { "is certain" } else { "is lost for good" };
        writeln!(out, "goal {value} of {role} {how}")?;
    }
    writeln!(
        out,
        "the net from here on: {after} gates of {before}, {} moves of {}; played beside the whole \
         net in {states} states, the same",
        folding.folded.net.inputs.len(),
        net.inputs.len(),
    )?;
    Ok(())
}

/// The goals whose value is decided in the position.
fn decided(net: &Net, folding: &Folding) -> Vec<(String, i32, bool)> {
    let of_role = |r: usize| {
        net.goals[r].iter().filter_map(move |(value, lit)| {
            Some((net.roles[r].clone(), *value, folding.finally.known.value(*lit)?))
        })
    };
    (0..net.roles.len()).flat_map(of_role).collect()
}
