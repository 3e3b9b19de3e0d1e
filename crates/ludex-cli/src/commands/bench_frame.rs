//! `ludex bench-frame`: a full search with the original rules, with translated ones, and on the network.

use crate::failure::Failure;
use crate::session::{Plan, STOPPED};
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::Stop;
use ludex::frame::{Basis, Covering, Frame, fastest, translate};
use ludex::ground::NotGround;
use ludex::interp::{Interp, Problem};
use ludex::machine::Scalar;
use ludex::net::Net;
use ludex::reason::{StateMachine, visit};
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;

/// Measure what translated frame rules gain: the time of a full search to a depth.
#[derive(clap::Args)]
#[command(after_help = "\
The table of Romero, Saffidine and Thielscher (2014): O are the original rules, XD those of the \
direct covering, XP those of the pruned one, all on the engine interp; scalar is the network that \
propagates changes. Every path of joint moves is followed, through terminal states; legal moves and \
next states are computed, goals are not. States are counted as often as paths lead to them. Short \
searches are made several times, in turns, and the shortest time counts. `used` is what the \
portfolio chooses at its set-up.

Examples:
  ludex bench-frame tictactoe-frame --depth 5
  ludex bench-frame --states 50000 breakthrough checkers --json")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(required = true, value_name = "GAME")]
    games: Vec<String>,
    /// The depth of the search; without it, the first with enough states.
    #[arg(long, short)]
    depth: Option<usize>,
    /// States that are enough.
    #[arg(long, default_value_t = 20_000)]
    states: u64,
}

/// The greatest depth that is tried where the states are few.
const DEEPEST: usize = 60;
/// So often a search is timed, unless all together take longer than this.
const ROUNDS: usize = 7;
const SECONDS: f64 = 1.0;

const PLAN: Plan = Plan::long(&["depth", "states", "seconds", "used", "why", "gain"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    let header = ["game", "depth", "states", "O", "XD", "XP", "scalar", "used", "gain"];
    let mut table = session.table(&header, &header[1..]);
    let mut gains = Vec::new();
    session.each(&args.games, &PLAN, |game| {
        let row = Row::measure(game, args, session)?;
        gains.push(row.gain());
        if session.json {
            return session.line(&row.json());
        }
        table.add_row(row.cells());
        session.add_row(|| {
            session.print_table(&table)?;
            let mean = (gains.iter().map(|g| g.ln()).sum::<f64>() / gains.len() as f64).exp();
            let line = format!("seconds of CPU time; geometric mean of the gain {mean:.2}");
            Ok(writeln!(session.out(), "{line}")?)
        })
    })
}

struct Row {
    game: String,
    depth: usize,
    states: u64,
    /// Seconds with the original, direct and pruned rules, and on the network where there is one.
    original: f64,
    translated: [f64; 2],
    scalar: Option<f64>,
    /// Seconds that the translations took.
    translation: [f64; 2],
    used: Option<Covering>,
    why: String,
}

impl Row {
    fn measure(game: &str, args: &Args, session: &Session) -> Result<Row, Failure> {
        let game = session.load(game)?;
        let rules = game.rules();
        let mut interp = Interp::with_budget(rules, &session.budget()).map_err(problem)?;
        let depth = match args.depth {
            Some(depth) => depth,
            None => deep_enough(&mut interp, args.states, session)?,
        };
        let mut translation = [0.0; 2];
        let mut searches: Vec<Search> = vec![search(interp, depth, session)];
        for (i, covering) in [Covering::Direct, Covering::Pruned].into_iter().enumerate() {
            let (frame, seconds) = translated(&game, covering, session)?;
            translation[i] = seconds;
            let engine =
                Interp::updating(&frame.rules, frame.fnext, &session.budget()).map_err(problem)?;
            searches.push(search(engine, depth, session));
        }
        if let Some(net) = net(&game, session)? {
            searches.push(search(Scalar::within(net, &session.budget())?, depth, session));
        }
        let times = shortest(&mut searches, session)?;
        let (states, original) = times[0];
        let mut row = Row {
            game: rules.name.clone(),
            depth,
            states,
            original,
            translated: [times[1].1, times[2].1],
            scalar: times.get(3).map(|t| t.1),
            translation,
            used: None,
            why: String::new(),
        };
        row.same(&times)?;
        let (budget, grounding) = (session.budget(), session.grounding());
        let (_, portfolio) =
            fastest(game.knowledge(), &budget, f64::INFINITY, Some(&grounding)).map_err(problem)?;
        row.used = portfolio.tried.get(portfolio.chosen).and_then(|e| e.covering);
        row.why = portfolio.to_string();
        Ok(row)
    }

    /// The states must be as many with all engines.
    fn same(&self, times: &[(u64, f64)]) -> Result<(), Failure> {
        match times.iter().find(|t| t.0 != self.states) {
            None => Ok(()),
            Some((states, _)) => Err(Failure::Input(format!(
                "error: {} states, not {}, in {}: this is a mistake of the program",
                states, self.states, self.game
            ))),
        }
    }

    fn used_seconds(&self) -> f64 {
        match self.used {
            Some(Covering::Direct) => self.translated[0],
            Some(Covering::Pruned) => self.translated[1],
            _ => self.original,
        }
    }

    fn gain(&self) -> f64 {
        self.original / self.used_seconds().max(1e-9)
    }

    fn used_text(&self) -> String {
        self.used.map_or("original".into(), |c| c.to_string())
    }

    fn json(&self) -> Value {
        let [direct, pruned] = self.translated;
        json!({
            "game": self.game,
            "depth": self.depth,
            "states": self.states,
            "seconds": {"original": self.original, "direct": direct, "pruned": pruned, "scalar": self.scalar},
            "translation_seconds": {"direct": self.translation[0], "pruned": self.translation[1]},
            "used": self.used_text(),
            "why": self.why,
            "gain": self.gain(),
        })
    }

    fn cells(&self) -> Vec<String> {
        let seconds = |s: f64| format!("{s:.2}");
        vec![
            self.game.clone(),
            self.depth.to_string(),
            self.states.to_string(),
            seconds(self.original),
            seconds(self.translated[0]),
            seconds(self.translated[1]),
            self.scalar.map_or(STOPPED.into(), seconds),
            self.used_text(),
            format!("{:.2}", self.gain()),
        ]
    }
}

fn translated(game: &Game, covering: Covering, session: &Session) -> Result<(Frame, f64), Failure> {
    let start = session.budget().seconds();
    let (budget, grounding) = (session.budget(), session.grounding());
    let frame = translate(game.knowledge(), covering, &Basis::Names, &budget, &grounding)?;
    Ok((frame, session.budget().seconds() - start))
}

fn net(game: &Game, session: &Session) -> Result<Option<Arc<Net>>, Failure> {
    let net = game.knowledge().net(&session.grounding());
    session.budget().check()?;
    match net {
        Err(NotGround::Stopped(Stop::Interrupted)) => Err(Failure::Stopped(Stop::Interrupted)),
        net => Ok(net.ok()),
    }
}

fn problem(problem: Problem) -> Failure {
    Failure::from(ludex::compile::Refusal::from(problem))
}

/// The first depth with so many states.
fn deep_enough(game: &mut Interp, states: u64, session: &Session) -> Result<usize, Failure> {
    let mut before = 0;
    for depth in 1..DEEPEST {
        let count = visit(game, depth, &session.budget())?;
        if count >= states || count == before {
            return Ok(depth);
        }
        before = count;
    }
    Ok(DEEPEST)
}

/// Searches once more: states and seconds.
type Search<'a> = Box<dyn FnMut() -> Result<(u64, f64), Failure> + 'a>;

fn search<'a, G: StateMachine + 'a>(mut game: G, depth: usize, session: &'a Session) -> Search<'a> {
    Box::new(move || {
        let start = session.budget().seconds();
        let states = visit(&mut game, depth, &session.budget())?;
        Ok((states, session.budget().seconds() - start))
    })
}

/// Searches in turns, so that a slow moment of the computer meets all; the shortest times.
fn shortest(searches: &mut [Search], session: &Session) -> Result<Vec<(u64, f64)>, Failure> {
    let begin = session.budget().seconds();
    let mut times = searches.iter_mut().map(|s| s()).collect::<Result<Vec<_>, _>>()?;
    for _ in 1..ROUNDS {
        if session.budget().seconds() - begin > SECONDS {
            break;
        }
        for (time, search) in times.iter_mut().zip(&mut *searches) {
            time.1 = time.1.min(search()?.1);
        }
    }
    Ok(times)
}
