//! `ludex frame`: frame rules rewritten into rules for what becomes false.

use crate::session::{Plan, syntax_parser};
use crate::{Outcome, Session};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ludex::Game;
use ludex::frame::{Basis, Covering, Frame, translate};
use ludex::rules::{Rel, Rules};
use ludex::source::Report;
use ludex::syntax::{Ast, Syntax};
use serde_json::{Value, json};
use std::io::Write;

/// Rewrite the rules so that they say what becomes false (fnext) instead of what persists.
#[derive(clap::Args)]
#[command(after_help = "\
Romero, Saffidine and Thielscher, Solving the Inferential Frame Problem in the General Game \
Description Language (2014). The state after a joint move is the present state without what fnext \
derives, and with what the remaining rules of next derive.

Examples:
  ludex frame tictactoe-frame --changes --to infix
  ludex frame breakthrough --covering direct --json")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// The joint moves that are told apart: all alike, by the names of the roles' moves, or only
    /// those that are not proved impossible.
    #[arg(long, value_name = "COVERING", default_value = "pruned", value_parser = coverings())]
    covering: Covering,
    /// What is translated: every fluent name (names), the heads of frame rules as written (heads),
    /// or a list of fluent names with commas between them.
    #[arg(long, value_name = "BASIS", default_value = "names", value_parser = basis)]
    basis: Basis,
    /// Print in this syntax; without it, in the one the rules are written in.
    #[arg(long, value_name = "SYNTAX", value_parser = syntax_parser())]
    to: Option<Syntax>,
    /// Print only the rules that are new.
    #[arg(long)]
    changes: bool,
}

fn coverings() -> impl TypedValueParser<Value = Covering> {
    PossibleValuesParser::new(["generic", "direct", "pruned"]).map(|name| {
        let named = Covering::ALL.into_iter().find(|c| c.to_string() == name);
        named.expect("a name of the list")
    })
}

fn basis(text: &str) -> Result<Basis, String> {
    Ok(match text {
        "names" => Basis::Names,
        "heads" => Basis::Heads,
        list => Basis::Only(list.split(',').map(|name| name.trim().to_string()).collect()),
    })
}

const PLAN: Plan =
    Plan::soon(&["covering", "joint_moves", "rules", "fnext", "auxiliary", "next", "notes"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    session.each(&args.games, &PLAN, |game| {
        let game = session.load(game)?;
        let start = session.budget().seconds();
        let grounding = session.grounding();
        let frame =
            translate(game.knowledge(), args.covering, &args.basis, &session.budget(), &grounding)?;
        let seconds = session.budget().seconds() - start;
        let syntax = args.to.unwrap_or_else(|| written_in(&game, session));
        let object = || object(args, &frame, syntax, seconds);
        session.tell(&(object, |session: &Session| print(args, session, &frame, syntax)))
    })
}

fn written_in(game: &Game, session: &Session) -> Syntax {
    Ast::parse(game.source(), session.syntax, &mut Report::default()).syntax
}

fn object(args: &Args, frame: &Frame, syntax: Syntax, seconds: f64) -> Value {
    let texts = |wanted: &dyn Fn(Rel) -> bool| -> Vec<String> {
        let rules = frame.rules.rules.iter().filter(|r| wanted(r.head.rel));
        rules
            .map(|r| part(frame, |o| std::ptr::eq(o, r)).text(syntax).trim_end().to_string())
            .collect()
    };
    json!({
        "game": frame.rules.name,
        "covering": args.covering.to_string(),
        "joint_moves": frame.joints,
        "rules": frame.rules.rules.len(),
        "fnext": texts(&|rel| rel == frame.fnext),
        "auxiliary": texts(&|rel| frame.is_new(rel) && rel != frame.fnext),
        "next": texts(&|rel| rel == Rel::NEXT),
        "notes": frame.notes,
        "cpu_seconds": seconds,
        "stopped": [],
    })
}

fn print(args: &Args, session: &Session, frame: &Frame, syntax: Syntax) -> Outcome {
    let text = match args.changes {
        true => part(frame, |r| frame.is_new(r.head.rel)).text(syntax),
        false => frame.rules.text(syntax),
    };
    let mark = if syntax == Syntax::Kif { ";" } else { "%" };
    let mut out = session.out();
    frame.notes.iter().try_for_each(|note| writeln!(out, "{mark} {note}"))?;
    Ok(write!(out, "{text}")?)
}

/// Some of the rules, by themselves.
fn part(frame: &Frame, wanted: impl Fn(&ludex::rules::Rule) -> bool) -> Rules {
    let mut rules = frame.rules.clone();
    rules.rules = frame.rules.rules.iter().filter(|r| wanted(r)).cloned().collect();
    rules
}
