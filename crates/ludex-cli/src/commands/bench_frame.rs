//! `ludex bench-frame`: a full search with the original rules, with translated ones, and on the network.

use crate::failure::Failure;
use crate::session::LONG;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::{Budget, Stop};
use ludex::frame::{Basis, Covering, Frame, fastest, translate};
use ludex::ground::NotGround;
use ludex::interp::{Interp, Problem};
use ludex::machine::Scalar;
use ludex::net::Net;
use ludex::reason::{Move, Role, StateMachine, visit};
use ludex_answers::{FrameSpeed, Meter, RulesUsed, SearchSeconds, TranslationSeconds};
use std::sync::Arc;

/// Measure what translated frame rules gain in a full search to a depth.
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
    /// Enough states.
    #[arg(long, default_value_t = 20_000)]
    states: u64,
}

/// The greatest depth that is tried where the states are few.
const DEEPEST: usize = 60;
/// So often a search is timed, unless all together take longer than this.
const ROUNDS: usize = 7;
const SECONDS: f64 = 1.0;

pub fn run(args: &Args, session: &Session) -> Outcome {
    let mut rows = Vec::new();
    session.answer_each(&args.games, LONG, FrameSpeed::unknown, |game| {
        let speed = measure(game, args, session)?;
        if session.json {
            return session.give(speed);
        }
        rows.push(speed);
        let gains = rows.iter().filter_map(|row| row.gain).map(f64::ln).sum::<f64>();
        let mean = (gains / rows.len() as f64).exp();
        let table = FrameSpeed::table(&rows);
        let line = format!("seconds of CPU time; geometric mean of the gain {mean:.2}");
        session.add_row(format!("{table}{line}\n"))
    })
}

fn measure(game: &str, args: &Args, session: &Session) -> Result<FrameSpeed, Failure> {
    let (game, budget) = (session.load(game)?, session.budget());
    let depth = match args.depth {
        Some(depth) => depth,
        None => {
            let mut interp = Interp::with_budget(game.rules(), &budget).map_err(problem)?;
            deep_enough(&mut interp, args.states, session)?
        }
    };
    let extent = Extent { depth, most: u64::MAX, with_net: true };
    searched(&game, extent, &|| session.grounding(), &budget)
}

/// What is searched.
#[derive(Clone, Copy)]
pub struct Extent {
    pub depth: usize,
    /// So many states, those that a search in depth comes to first, are enough.
    pub most: u64,
    /// Is the network searched, too?
    pub with_net: bool,
}

impl Extent {
    /// Searches with one engine: how many states were visited.
    pub fn search<G: StateMachine>(self, game: &mut G, budget: &Budget) -> Result<u64, Stop> {
        visit(&mut Tiring { game, left: self.most }, self.depth, budget)
    }
}

/// A game that nobody moves in any more once so many states were seen.
struct Tiring<'a, G> {
    game: &'a mut G,
    left: u64,
}

impl<G: StateMachine> StateMachine for Tiring<'_, G> {
    type State = G::State;

    fn roles(&self) -> usize {
        self.game.roles()
    }

    fn initial(&mut self) -> G::State {
        self.game.initial()
    }

    fn terminal(&mut self, state: &G::State) -> bool {
        self.game.terminal(state)
    }

    fn legal(&mut self, state: &G::State, role: Role, out: &mut Vec<Move>) {
        if self.left > 0 {
            self.game.legal(state, role, out);
        }
    }

    fn next(&mut self, state: &G::State, joint: &[Move]) -> G::State {
        self.left = self.left.saturating_sub(1);
        self.game.next(state, joint)
    }

    fn goal(&mut self, state: &G::State, role: Role) -> Option<i32> {
        self.game.goal(state, role)
    }

    fn role_text(&self, role: Role) -> String {
        self.game.role_text(role)
    }

    fn move_text(&self, role: Role, m: Move) -> String {
        self.game.move_text(role, m)
    }

    fn fact_texts(&self, state: &G::State) -> Vec<String> {
        self.game.fact_texts(state)
    }
}

/// Searches a game with all engines. Each time the game is to be grounded `grounding` says how long that may
/// last.
pub fn searched(
    game: &Game,
    extent: Extent,
    grounding: &dyn Fn() -> Budget,
    budget: &Budget,
) -> Result<FrameSpeed, Failure> {
    let meter = Meter::new(game, budget);
    let interp = Interp::with_budget(game.rules(), budget).map_err(problem)?;
    let mut translation = [0.0; 2];
    let mut searches: Vec<Search> = vec![search(interp, extent, budget)];
    for (i, covering) in [Covering::Direct, Covering::Pruned].into_iter().enumerate() {
        let (frame, seconds) = translated(game, covering, &grounding(), budget)?;
        translation[i] = seconds;
        let engine = Interp::updating(&frame.rules, frame.fnext, budget).map_err(problem)?;
        searches.push(search(engine, extent, budget));
    }
    if extent.with_net
        && let Some(net) = net(game, &grounding(), budget)?
    {
        searches.push(search(Scalar::within(net, budget)?, extent, budget));
    }
    let times = shortest(&mut searches, budget)?;
    same_states(game.name(), &times)?;
    let (_, portfolio) =
        fastest(game.knowledge(), budget, f64::INFINITY, Some(&grounding())).map_err(problem)?;
    let (states, original) = times[0];
    let seconds = SearchSeconds {
        original,
        direct: times[1].1,
        pruned: times[2].1,
        scalar: times.get(3).map(|t| t.1),
    };
    let chosen = portfolio.tried.get(portfolio.chosen).and_then(|e| e.covering);
    let (used, used_seconds) = match chosen {
        Some(Covering::Direct) => (RulesUsed::Direct, seconds.direct),
        Some(Covering::Pruned) => (RulesUsed::Pruned, seconds.pruned),
        Some(Covering::Generic) => (RulesUsed::Generic, original),
        None => (RulesUsed::Original, original),
    };
    let [direct, pruned] = translation;
    Ok(FrameSpeed {
        game: game.name().into(),
        depth: Some(extent.depth),
        states: Some(states),
        seconds: Some(seconds),
        translation_seconds: Some(TranslationSeconds { direct, pruned }),
        used: Some(used),
        why: Some(portfolio.to_string()),
        gain: Some(original / used_seconds.max(1e-9)),
        account: meter.account(),
    })
}

/// The states must be as many with all engines.
fn same_states(game: &str, times: &[(u64, f64)]) -> Outcome {
    let first = times[0].0;
    match times.iter().find(|t| t.0 != first) {
        None => Ok(()),
        Some((states, _)) => Err(Failure::input(
            "unequal-counts",
            format!("{states} states, not {first}, in {game}: this is a mistake of the program"),
        )),
    }
}

fn translated(
    game: &Game,
    covering: Covering,
    grounding: &Budget,
    budget: &Budget,
) -> Result<(Frame, f64), Failure> {
    let start = budget.seconds();
    let frame = translate(game.knowledge(), covering, &Basis::Names, budget, grounding)?;
    Ok((frame, budget.seconds() - start))
}

fn net(game: &Game, grounding: &Budget, budget: &Budget) -> Result<Option<Arc<Net>>, Failure> {
    let net = game.knowledge().net(grounding);
    budget.check()?;
    match net {
        Err(NotGround::Stopped(Stop::Interrupted)) => Err(Failure::Stopped(Stop::Interrupted)),
        net => Ok(net.ok()),
    }
}

pub fn problem(problem: Problem) -> Failure {
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

fn search<'a, G: StateMachine + 'a>(mut game: G, extent: Extent, budget: &'a Budget) -> Search<'a> {
    Box::new(move || {
        let start = budget.seconds();
        let states = extent.search(&mut game, budget)?;
        Ok((states, budget.seconds() - start))
    })
}

/// Searches in turns, so that a slow moment of the computer meets all; the shortest times.
fn shortest(searches: &mut [Search], budget: &Budget) -> Result<Vec<(u64, f64)>, Failure> {
    let begin = budget.seconds();
    let mut times = searches.iter_mut().map(|s| s()).collect::<Result<Vec<_>, _>>()?;
    for _ in 1..ROUNDS {
        if budget.seconds() - begin > SECONDS {
            break;
        }
        for (time, search) in times.iter_mut().zip(&mut *searches) {
            time.1 = time.1.min(search()?.1);
        }
    }
    Ok(times)
}
