//! `Watched`: an engine that shows every state that a search comes to.
//!
//! What is kept up state by state, such as the projections that `facts::boards::Seen` has left, can so
//! follow a search of any kind.

use super::{Insights, Mcts, Options, Searchable, Searcher, Uct};
use ludex_facts::boards::Seen;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{Scalar, State};
use ludex_net::Net;
use ludex_reason::{Move, Role, StateMachine};
use std::sync::{Arc, Mutex};

/// Shows the states that a short search of a game comes to, in its tree and in its playouts, to what is
/// seen of the relations.
pub fn show(
    net: &Arc<Net>,
    seen: Vec<Seen>,
    states: usize,
    budget: &Budget,
) -> Result<Vec<Seen>, Stop> {
    let part = budget.part();
    let shown = Arc::new(Mutex::new((seen, 0)));
    let (watch, end) = (shown.clone(), part.clone());
    let game = Watched::new(Scalar::within(net.clone(), budget)?, move |state: &State| {
        let (seen, count) = &mut *watch.lock().expect("no panic while held");
        seen.iter_mut().for_each(|of| of.observe(state));
        *count += 1;
        if *count >= states {
            end.stop(Stop::Time);
        }
    });
    // The search ends when the last state is shown, or with the budget.
    let _ = Uct::new(game, 0, &Options::default()).think(states as u64, &part);
    budget.check()?;
    let mut shown = shown.lock().expect("no panic while held");
    Ok(std::mem::take(&mut shown.0))
}

/// What was seen in a match that players searched.
pub struct SeenInMatch {
    pub seen: Vec<Seen>,
    /// States that were shown by the end of each move.
    pub moves: Vec<usize>,
    /// Whether the match came to its end.
    pub over: bool,
}

/// Plays a match, each role by the search of a player with so many iterations a move, and shows every
/// state that these searches come to.
pub fn show_match(
    net: &Arc<Net>,
    seen: Vec<Seen>,
    (iterations, most): (u64, usize),
    budget: &Budget,
) -> Result<SeenInMatch, Stop> {
    let mut judge = Scalar::within(net.clone(), budget)?;
    let shown = Arc::new(Mutex::new(seen));
    let watch = shown.clone();
    let game = Watched::new(judge.clone(), move |state: &State| {
        let mut seen = watch.lock().expect("no panic while held");
        seen.iter_mut().for_each(|of| of.observe(state));
    });
    let states = || shown.lock().expect("no panic").first().map_or(0, |seen| seen.states);
    let (insights, options) = (Arc::new(Insights::default()), Options::default());
    let player = |role| Mcts::new(game.clone(), role, &options, insights.clone());
    let mut players: Vec<_> = (0..net.roles.len()).map(player).collect();
    let (mut state, mut moves) = (judge.initial(), Vec::new());
    while moves.len() < most && !judge.terminal(&state) {
        for player in &mut players {
            player.think(iterations, budget)?;
        }
        let choices: Option<Vec<Move>> =
            players.iter_mut().map(|player| Some(player.choice()?.mv)).collect();
        let Some(joint) = choices else { break };
        state = judge.next(&state, &joint);
        moves.push(states());
        if !judge.terminal(&state) {
            players.iter_mut().for_each(|player| player.advance(&joint));
        }
    }
    let over = judge.terminal(&state);
    let seen = std::mem::take(&mut *shown.lock().expect("no panic while held"));
    Ok(SeenInMatch { seen, moves, over })
}

/// Copies for other threads show their states, too.
#[derive(Clone)]
pub struct Watched<G: StateMachine> {
    game: G,
    watch: StateWatch<G::State>,
}

type StateWatch<S> = Arc<dyn Fn(&S) + Send + Sync>;

impl<G: StateMachine> Watched<G> {
    pub fn new(game: G, watch: impl Fn(&G::State) + Send + Sync + 'static) -> Watched<G> {
        Watched { game, watch: Arc::new(watch) }
    }
}

impl<G: StateMachine> StateMachine for Watched<G> {
    type State = G::State;

    fn roles(&self) -> usize {
        self.game.roles()
    }

    fn initial(&mut self) -> G::State {
        let state = self.game.initial();
        (self.watch)(&state);
        state
    }

    fn terminal(&mut self, state: &G::State) -> bool {
        self.game.terminal(state)
    }

    fn legal(&mut self, state: &G::State, role: Role, out: &mut Vec<Move>) {
        self.game.legal(state, role, out);
    }

    fn next(&mut self, state: &G::State, joint: &[Move]) -> G::State {
        let next = self.game.next(state, joint);
        (self.watch)(&next);
        next
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

impl<G: Searchable> Searchable for Watched<G> {
    fn limit(&mut self, budget: &Budget) {
        self.game.limit(budget);
    }

    fn is_sound(&mut self) -> bool {
        self.game.is_sound()
    }

    fn bits(state: &G::State) -> Option<&State> {
        G::bits(state)
    }

    fn of_bits(bits: State) -> Option<G::State> {
        G::of_bits(bits)
    }

    fn goals(&self, role: Role) -> (i32, i32) {
        self.game.goals(role)
    }
}
