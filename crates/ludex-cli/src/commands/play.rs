//! `ludex play`: a person plays in the terminal against the engine.

use super::serve::{PagePlace, serve};
use crate::engine::EngineArg;
use crate::failure::Failure;
use crate::players::hosting::{Hosting, now};
use crate::players::human::{Drawing, HELP, by_role, is_paged, say};
use crate::players::preparing::prepare;
use crate::players::{Setting, Who};
use crate::terminal::CLEAR;
use crate::{Outcome, Session};
use ludex::play::{Record, Referee, Seated, Spec};
use ludex::reason::Role;
use ludex::rules::is_chance;
use ludex_answers::{Account, Meter, PlayedMatch};
use std::time::Duration;

/// Play a game against the engine in the terminal, with the board drawn.
#[derive(clap::Args)]
#[command(after_help = format!("\
At the prompt type the number of a move, the move itself, such as (mark 1 1) or
mark(1,1), any part of it that is clear, such as 1 1 or e2e4, or one of
{HELP}

Examples:
  ludex play tictactoe
  ludex play connectfour --role yellow --play-clock 5s
  ludex play tictactoe --against random --seed 7
  ludex play chess --page"))]
pub struct Args {
    /// A file, or the name of a bundled game; standard input is for your moves.
    game: String,
    /// The role you play; without it the first one.
    #[arg(long)]
    role: Option<String>,
    /// Who plays the other roles, as in `ludex match`.
    #[arg(long, value_name = "PLAYER", default_value_t = Who::Builtin(Spec::best()))]
    against: Who,
    /// How long the engine thinks about a move.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = crate::limits::time)]
    play_clock: Duration,
    /// The seed for chance; the same seed and moves give the same match against `random`.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    engine: EngineArg,
    /// Play in the browser: opens the page of `ludex serve` at this game.
    #[arg(long)]
    page: bool,
}

/// How long the engine may prepare before the match begins; it goes on beside it.
const START_CLOCK: f64 = 0.2;

pub fn run(args: &Args, session: &Session) -> Outcome {
    if args.game == "-" {
        let why = "error: play reads your moves from standard input, so give the game as a file";
        return Err(Failure::Misuse(why.into()));
    }
    if args.page {
        return on_page(&args.game, session);
    }
    let (game, budget) = (session.load(&args.game)?, session.budget());
    let meter = Meter::new(&game, &budget);
    let drawing = Drawing::default();
    let mut compiled = prepare(&game, args.engine.wish(), session, &drawing)?;
    let roles = compiled.roles()?;
    let own = args.role(&roles)?;
    session.budget().check()?;
    let record = args.record(&compiled.rules.name, &roles, own);
    say(session, &format!("You play {}. Type help for help.", roles[own]))?;
    say(session, "")?;
    let rules = compiled.rules.clone();
    let known = Some(game.knowledge().clone());
    let setting = Setting {
        session,
        rules: &rules,
        drawing: drawing.clone(),
        seed: args.seed,
        undo: true,
        known,
    };
    let who = |role: Role| if role == own { &Who::Human } else { &args.against };
    let seated = record.seats.iter().enumerate().map(|(role, seat)| {
        (!is_chance(&seat.role)).then(|| setting.player(who(role), role, &record))
    });
    let players = seated.collect();
    let paged = is_paged(session);
    let show = |record: &Record| {
        if let Some(joint) = record.moves.last().filter(|_| !paged) {
            // Somebody who cannot be told is told so at the next question.
            let _ = say(session, &format!("{}\n", by_role(&roles, joint)));
        }
    };
    let host = Hosting { session, show };
    let referee = Referee { host: &host, record, players, seed: args.seed, bound: usize::MAX };
    let record = compiled.run(referee)?;
    session.budget().check()?;
    finish(session, &drawing, &record, meter.account())
}

/// The page at one game.
fn on_page(game: &str, session: &Session) -> Outcome {
    session.load(game)?;
    let place = PagePlace { port: 0, host: "127.0.0.1".into() };
    let part = format!("#/play/{}", crate::bundled::name(game));
    serve(&[game.to_string()], &place, &part, true, session)
}

impl Args {
    fn role(&self, roles: &[String]) -> Result<Role, Failure> {
        let Some(name) = &self.role else {
            let nobody = "error: the only role, random, moves by chance: there is nothing to play";
            let own = roles.iter().position(|r| !is_chance(r));
            return own.ok_or_else(|| Failure::Misuse(nobody.into()));
        };
        if is_chance(name) && roles.iter().any(|r| is_chance(r)) {
            return Err(Failure::Misuse("error: random moves by chance; nobody plays it".into()));
        }
        let unknown = || {
            let roles = roles.join(", ");
            Failure::Misuse(format!("error: there is no role {name}; the roles are {roles}"))
        };
        roles.iter().position(|r| r.eq_ignore_ascii_case(name)).ok_or_else(unknown)
    }

    fn record(&self, game: &str, roles: &[String], own: Role) -> Record {
        let seats = roles.iter().enumerate().map(|(role, name)| {
            let who = if role == own { &Who::Human } else { &self.against };
            let (player, human) = match is_chance(name) {
                true => ("chance".into(), false),
                false => (who.to_string(), *who == Who::Human),
            };
            Seated { role: name.clone(), player, human }
        });
        Record {
            id: format!("play.{}", now()),
            game: game.into(),
            seats: seats.collect(),
            start_clock: START_CLOCK,
            play_clock: self.play_clock.as_secs_f64(),
            ..Record::default()
        }
    }
}

/// Tells how it ended, and with --json the whole match.
fn finish(session: &Session, drawing: &Drawing, record: &Record, account: Account) -> Outcome {
    if let ([.., last], None) = (&record.states[..], &record.aborted) {
        let before = record.states.iter().rev().nth(1).map(Vec::as_slice);
        if is_paged(session) {
            let names: Vec<String> = record.seats.iter().map(|seat| seat.role.clone()).collect();
            let moves = record.moves.last().map_or(String::new(), |joint| by_role(&names, joint));
            say(session, &format!("{CLEAR}{:>3}  {moves}\n", record.moves.len()))?;
        }
        say(session, &drawing.drawn(last, before))?;
    }
    session.give(PlayedMatch::of(record, account))
}
