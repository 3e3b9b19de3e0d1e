//! `ludex symmetry`: the symmetries of a game, found in its rules and in its net.

use super::draw::{check_free, write_file};
use crate::failure::Failure;
use crate::moves;
use crate::session::{NOT_TRIED, Plan, STOPPED};
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::Stop;
use ludex::net::Net;
use ludex::picture::strip;
use ludex::reason::canonical;
use ludex::symmetry::describe::Description;
use ludex::symmetry::position::SymmetricPosition;
use ludex::symmetry::{
    KeptStructure, OfNet, OfRules, SymmetryMap, SymmetryQuestion, of_net, of_rules,
};
use serde_json::{Value, json};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Show the symmetries of a game: generators and order of the group, from its rules and its net.
#[derive(clap::Args)]
#[command(after_help = "\
The rules give maps of names and argument positions (the rule graph). The net, the ground game, gives \
maps of facts and moves; it also shows what the text of the rules hides. What the words do not name \
stays as it is, and they say how much they leave out. With --json a generator of the net has its \
whole map of roles, facts and moves (of large games: of those that move).

Examples:
  ludex symmetry tictactoe
  ludex symmetry tictactoe --fix-roles --json
  ludex symmetry tictactoe --svg symmetries.svg
  ludex symmetry tictactoe --moves match.txt
  ludex symmetry --table *.kif
  ludex symmetry buttonsandlights --state '(on 1)'")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// Only symmetries that leave every role itself (symmetries of states).
    #[arg(long)]
    fix_roles: bool,
    /// Only symmetries of the initial state.
    #[arg(long)]
    with_init: bool,
    /// Look at the rules only.
    #[arg(long)]
    rules_only: bool,
    /// Show the symmetries of one position and its classes of symmetric joint moves: facts, or a
    /// file of facts.
    #[arg(long, value_name = "FACTS", conflicts_with = "moves")]
    state: Option<String>,
    /// The same for the position after these joint moves: a file as for `ludex replay`.
    #[arg(long, value_name = "FILE")]
    moves: Option<String>,
    /// Draw the generators of the net on the board, into this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["state", "moves", "rules_only"])]
    svg: Option<PathBuf>,
    /// Overwrite the file if it exists.
    #[arg(long, requires = "svg")]
    force: bool,
    /// Print a table of orders, one line for each game.
    #[arg(long, conflicts_with_all = ["svg", "state", "moves"])]
    table: bool,
}

const PLAN: Plan = Plan::soon(&["rules", "net"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    if let Some(file) = &args.svg {
        if args.games.len() > 1 {
            return Err(Failure::Misuse("error: --svg draws one game".into()));
        }
        check_free(file, args.force)?;
    }
    if args.table && !session.json {
        return args.orders(session);
    }
    session.each(&args.games, &PLAN, |game| {
        if args.state.is_some() || args.moves.is_some() {
            return args.position(game, session);
        }
        let game = session.load(game)?;
        let (name, budget) = (game.name(), session.budget());
        let start = budget.seconds();
        let rules = of_rules(game.rules(), &args.question(), &budget, &session.trial())?;
        let mut net = (!args.rules_only).then(|| Err(STOPPED.to_string()));
        session.draft(&(
            || object(name, &rules, &net, budget.seconds() - start),
            |session: &Session| print(name, &rules, &net, session),
        ))?;
        if !args.rules_only {
            net = Some(args.net(&game, &rules, session));
        }
        let seconds = budget.seconds() - start;
        let object = || object(name, &rules, &net, seconds);
        session.tell(&(object, |session: &Session| print(name, &rules, &net, session)))?;
        match (&args.svg, &net) {
            (Some(file), Some(Ok((net, _)))) => draw(&game, net, file, session)?,
            (Some(_), Some(Err(why))) => {
                return Err(Failure::TooLarge(format!("nothing was drawn: {why}")));
            }
            (None, Some(Err(_))) if budget.check().is_ok() => return Err(Failure::Incomplete),
            _ if is_stopped(&net) => return Err(budget.check().err().unwrap_or(Stop::Time).into()),
            _ => {}
        }
        Ok(budget.check()?)
    })
}

impl Args {
    /// The orders of all games; a game with faults has none.
    fn orders(&self, session: &Session) -> Outcome {
        writeln!(session.out(), "game\trules\trules, roles fixed\tnet\tnet, roles fixed")?;
        session.each(&self.games, &PLAN, |game| {
            let game = session.load(game)?;
            let found =
                of_rules(game.rules(), &self.question(), &session.budget(), &session.trial())?;
            let net = match (!self.rules_only).then(|| self.net(&game, &found, session)) {
                None => [NOT_TRIED; 2].join("\t"),
                Some(Ok((net, _))) => format!("{}\t{}", net.order, net.order_fixed_roles),
                Some(Err(_)) => [STOPPED; 2].join("\t"),
            };
            let (all, fixed) = (&found.order, &found.order_fixed_roles);
            let mut out = session.out();
            writeln!(out, "{}\t{all}\t{fixed}\t{net}", game.name())?;
            Ok(out.flush()?)
        })
    }

    fn question(&self) -> SymmetryQuestion {
        SymmetryQuestion {
            with_init: self.with_init,
            fix_roles: self.fix_roles,
            ..SymmetryQuestion::default()
        }
    }

    fn net(
        &self,
        game: &Game,
        found: &OfRules,
        session: &Session,
    ) -> Result<(OfNet, Arc<Net>), String> {
        let keep = KeptStructure { roles: self.fix_roles, initial: self.with_init };
        let budget = session.budget();
        let net = game.knowledge().net(&budget).map_err(|why| why.to_string())?;
        let ground = game.knowledge().ground(&budget).map_err(|why| why.to_string())?;
        let seconds = session.share();
        let on_net =
            of_net(&ground, &net, &found.found, keep, &budget, seconds).map_err(|stop| {
                let at = budget.seconds();
                format!("{stop} in the search for symmetries of the net, after {at:.0} seconds")
            })?;
        Ok((on_net, net))
    }
}

impl Args {
    fn position(&self, game: &str, session: &Session) -> Outcome {
        let game = session.load(game)?;
        let net = session.net(&game)?;
        let state = match (&self.state, &self.moves) {
            (Some(facts), _) => state_of(&net, facts)?,
            (None, Some(file)) => moves::after(&net, file)?,
            (None, None) => unreachable!("one of them is given"),
        };
        let logic = game.knowledge().logic(&session.budget())?;
        let position = SymmetricPosition::new(&logic, &net, &state, &session.budget())?;
        let joint = |moves: &Vec<u32>| -> Vec<&str> {
            moves.iter().map(|&m| net.inputs[m as usize].name.as_str()).collect()
        };
        let orbits: Vec<Vec<Vec<&str>>> =
            position.orbits.iter().map(|o| o.iter().map(joint).collect()).collect();
        let facts: Vec<&str> =
            (0..state.len()).filter(|&b| state[b]).map(|b| net.bases[b].name.as_str()).collect();
        if session.json {
            let order = position.order.to_string();
            return session.line(&json!({
                "game": game.name(), "facts": facts, "order": order, "orbits": orbits, "cut": position.cut,
            }));
        }
        let mut out = session.out();
        writeln!(out, "{}: {}", game.name(), facts.join(" "))?;
        writeln!(out, "symmetries that keep the position and every role: {}", position.order)?;
        if position.cut {
            return Ok(writeln!(out, "there are too many joint moves to list")?);
        }
        let all: usize = orbits.iter().map(Vec::len).sum();
        writeln!(out, "{all} joint moves in {} classes:", orbits.len())?;
        for orbit in &orbits {
            let shown: Vec<String> = orbit.iter().map(|j| j.join(" ")).collect();
            writeln!(out, "  {}", shown.join(" | "))?;
        }
        Ok(())
    }
}

/// The generators on the board, one picture each.
fn draw(game: &Game, found: &OfNet, file: &Path, session: &Session) -> Outcome {
    let name = game.name();
    let mut compiled = session.compile(game.knowledge(), None)?;
    let scene = compiled.scene(&session.trial(), &session.trial())?;
    let Some(net) = compiled.net.as_ref() else {
        return Err(Failure::Input("error: the game was not ground again in time".into()));
    };
    let mut pictures = Vec::new();
    for (table, description) in found.generators.iter().zip(&found.descriptions) {
        let pair = |(b, to): (usize, &u32)| {
            (net.bases[b].name.clone(), net.bases[*to as usize].name.clone())
        };
        let pairs: Vec<(String, String)> = table.bases.iter().enumerate().map(pair).collect();
        if let Some(mut picture) = scene.map(&pairs) {
            picture.caption = description.to_string();
            pictures.push(picture);
        }
    }
    if pictures.is_empty() {
        let what =
            if scene.has_board() { "none of them moves a place" } else { "no board was found" };
        return Err(Failure::Input(format!("error: nothing to draw: {what}")));
    }
    let columns = (1..).find(|n| n * n >= pictures.len()).expect("some square is large enough");
    write_file(file, &strip(&pictures, columns, &format!("symmetries of {name}")))?;
    let number = pictures.len();
    let told =
        format!("{}: {number} of {} generators drawn", file.display(), found.generators.len());
    if session.json {
        Ok(writeln!(anstream::stderr(), "{told}")?)
    } else {
        Ok(writeln!(session.out(), "{told}")?)
    }
}

/// The state that a text of facts, or a file of facts, means.
fn state_of(net: &Net, facts: &str) -> Result<Vec<bool>, Failure> {
    let text = std::fs::read_to_string(facts).unwrap_or_else(|_| facts.to_string());
    let plain = |fact: &String| {
        let fact = canonical(fact);
        let inner = fact.strip_prefix("(true ").and_then(|f| f.strip_suffix(')'));
        inner.map(String::from).unwrap_or(fact)
    };
    let facts: Vec<String> = expressions(&text).iter().map(plain).collect();
    net.state_of(&facts).map_err(|fact| {
        Failure::Input(format!("error: {fact} is no fact that can be true in {}", net.name))
    })
}

/// The top-level expressions of a text in either syntax.
pub fn expressions(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (mut depth, mut ended) = (0usize, true);
    for c in text.chars() {
        if depth == 0 && (c.is_whitespace() || c == ',') {
            ended = true;
            continue;
        }
        if std::mem::replace(&mut ended, false) {
            found.push(String::new());
        }
        found.last_mut().expect("begun").push(c);
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.saturating_sub(1);
                ended = depth == 0;
            }
            _ => {}
        }
    }
    found
}

/// None where only the rules are looked at; the error says what kept the net from being looked at.
type NetPart = Option<Result<(OfNet, Arc<Net>), String>>;

fn object(name: &str, rules: &OfRules, net: &NetPart, seconds: f64) -> Value {
    let generators: Vec<Value> = rules
        .found
        .generators
        .iter()
        .map(|g| json!({"text": g.to_string(), "cycles": g.cycles}))
        .collect();
    let net_told = match net {
        None => Value::Null,
        Some(Err(why)) => json!({"error": why}),
        Some(Ok((found, net))) => net_object(found, net),
    };
    json!({
        "game": name,
        "rules": {
            "order": rules.order.to_string(),
            "order_fixed_roles": rules.order_fixed_roles.to_string(),
            "generators": generators,
            "order_as_written": rules.as_written.to_string(),
            "order_normalised": rules.normalised.to_string(),
            "states_tried": rules.tried.states,
            "generators_tried": rules.tried.generators,
            "graph": {"vertices": rules.found.size.0, "edges": rules.found.size.1},
        },
        "net": net_told,
        "cpu_seconds": seconds,
        "stopped": is_stopped(net).then_some("net").into_iter().collect::<Vec<_>>(),
        "not_tried": net.is_none().then_some("net").into_iter().collect::<Vec<_>>(),
    })
}

/// Is there more to be known of the net?
fn is_stopped(net: &NetPart) -> bool {
    net.as_ref().is_some_and(|net| net.as_ref().map_or(true, |(found, _)| !found.complete))
}

fn net_object(found: &OfNet, net: &Net) -> Value {
    let size = (net.roles.len() + net.bases.len() + net.inputs.len()) * found.generators.len();
    let generator = |(d, table): (&Description, &SymmetryMap)| {
        json!({
            "text": d.text, "kind": d.kind.to_string(), "roles": d.roles,
            "facts_left_out": d.facts_left, "moves_left_out": d.moves_left,
            "map": map(table, net, size <= MOST_NAMED),
        })
    };
    let generators: Vec<Value> =
        found.descriptions.iter().zip(&found.generators).map(generator).collect();
    let acting = found.of_rules.iter().flatten().count();
    json!({
        "order": found.order.to_string(),
        "order_fixed_roles": found.order_fixed_roles.to_string(),
        "generators": generators,
        "rule_generators_acting": acting,
        "contains_rules": found.contains_rules,
        "states_tried": found.states_tried,
    })
}

/// Where all generators together have more images, only those are named that are something else.
const MOST_NAMED: usize = 1_000_000;

/// The image of every role, of every fact, and of every move by role; what is not named stays as it is.
fn map(table: &SymmetryMap, net: &Net, all: bool) -> Value {
    let part = |images: &[u32], range: Range<usize>, name: &dyn Fn(usize) -> String| -> Value {
        let named = range.filter(|&i| all || images[i] as usize != i);
        named.map(|i| (name(i), Value::from(name(images[i] as usize)))).collect()
    };
    let moves: Value = (0..net.roles.len())
        .map(|role| {
            let name = |i: usize| net.inputs[i].name.clone();
            (net.roles[role].clone(), part(&table.inputs, net.inputs_of(role), &name))
        })
        .collect();
    json!({
        "roles": part(&table.roles, 0..net.roles.len(), &|r| net.roles[r].clone()),
        "facts": part(&table.bases, 0..net.bases.len(), &|b| net.bases[b].name.clone()),
        "moves": moves,
    })
}

fn print(name: &str, rules: &OfRules, net: &NetPart, session: &Session) -> Outcome {
    let mut out = session.out();
    let found = &rules.found;
    writeln!(out, "{name}")?;
    let orders = |all: String, fixed: String| {
        let symmetries = if all == "1" { "symmetry" } else { "symmetries" };
        format!("{all} {symmetries}, {fixed} with every role fixed")
    };
    let (all, fixed) = (rules.order.to_string(), rules.order_fixed_roles.to_string());
    writeln!(out, "rules: {}", orders(all, fixed))?;
    if rules.normalised > rules.as_written {
        writeln!(out, "  (as written they show {}; in normal form more)", rules.as_written)?;
        found.normal.notes.iter().take(10).try_for_each(|n| writeln!(out, "    {n}"))?;
    }
    found.generators.iter().try_for_each(|g| writeln!(out, "  {g}"))?;
    match net {
        None => writeln!(out, "net: {NOT_TRIED}")?,
        Some(Err(why)) => writeln!(out, "net: {why}")?,
        Some(Ok((net, _))) => {
            let (all, fixed) = (net.order.to_string(), net.order_fixed_roles.to_string());
            match net.complete {
                true => writeln!(out, "net: {}", orders(all, fixed))?,
                false => writeln!(out, "net: at least {}, then {STOPPED}", orders(all, fixed))?,
            }
            net.descriptions.iter().try_for_each(|d| writeln!(out, "  {d}"))?;
            let away = net.of_rules.iter().filter(|t| t.is_none()).count();
            if away > 0 {
                writeln!(out, "  {away} of the rules' generators lead to facts that never occur")?;
            }
            if !net.generators.is_empty() {
                writeln!(out, "  every generator tried in {} random states", net.states_tried)?;
            }
        }
    }
    Ok(())
}
