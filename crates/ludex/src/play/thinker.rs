//! `Thinker`: the search of a worker, made when it is needed, which may fail without harm.

use super::grounds::SearchGrounds;
use ludex_gdl::budget::Budget;
use ludex_reason::{Move, Role, StateMachine};
use ludex_search::{Choice, Insights, LeafWay, Options, Searchable, Searcher, searcher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Moves and turns that a description tells of.
const CANDIDATES: usize = 6;
const EXPECTED: usize = 5;

pub struct Thinker {
    role: Role,
    /// None: it does not think, or not any more.
    options: Option<Options>,
    insights: Arc<Insights>,
    searcher: Option<Box<dyn Searcher>>,
    /// The number of joint moves that the search has been told.
    told: usize,
}

impl Thinker {
    pub fn new(role: Role, options: Option<Options>, insights: Arc<Insights>) -> Thinker {
        Thinker { role, options, insights, searcher: None, told: 0 }
    }

    /// Begins anew with the next match.
    pub fn forget(&mut self) {
        (self.searcher, self.told) = (None, 0);
    }

    /// Thinks no more.
    pub fn give_up(&mut self) {
        (self.searcher, self.options) = (None, None);
    }

    /// Brings the search into the state after some joint moves.
    pub fn catch_up<G: Searchable>(&mut self, game: &G, joints: &[Vec<Move>]) {
        let Some(options) = self.options.clone() else { return };
        let (role, insights, told) = (self.role, self.insights.clone(), self.told);
        let made = self.searcher.take();
        let brought = catch_unwind(AssertUnwindSafe(|| {
            let mut made = made.unwrap_or_else(|| searcher(game, role, &options, insights));
            joints[told..].iter().for_each(|joint| made.advance(joint));
            made
        }));
        self.told = joints.len();
        match brought {
            Ok(made) => self.searcher = Some(made),
            Err(_) => self.give_up(),
        }
    }

    /// Thinks; false where more thinking is of no use or not allowed.
    pub fn think(&mut self, iterations: u64, budget: &Budget) -> bool {
        let more = self.guarded(|searcher| {
            let before = searcher.visits();
            searcher.think(iterations, budget).is_ok() && searcher.visits() > before
        });
        more == Some(true)
    }

    pub fn choice(&mut self) -> Option<Choice> {
        self.guarded(|searcher| searcher.choice()).flatten()
    }

    /// What a choice rests on.
    pub fn grounds(&self, choice: &Choice) -> SearchGrounds {
        let way = self.insights.way();
        let evaluation = self.insights.evaluation().filter(|_| way == LeafWay::Evaluation);
        SearchGrounds {
            value: choice.value,
            proved: choice.proven,
            visits: choice.visits,
            depth: choice.line.len(),
            way,
            learned_from: evaluation.map(|evaluation| evaluation.positions),
            factors: choice.factors,
        }
    }

    /// A search that panics is replaced by none: the match goes on with legal moves.
    fn guarded<T>(&mut self, ask: impl FnOnce(&mut dyn Searcher) -> T) -> Option<T> {
        let searcher = self.searcher.as_mut()?;
        let answer = catch_unwind(AssertUnwindSafe(|| ask(searcher.as_mut())));
        answer.inspect_err(|_| self.give_up()).ok()
    }
}

/// What a search expects, for people.
pub fn describe<G: StateMachine>(game: &G, role: Role, choice: &Choice) -> String {
    let text = |role: Role, m: Move| game.move_text(role, m);
    let mut out = "  goal     visits  move\n".to_string();
    for candidate in choice.moves.iter().take(CANDIDATES) {
        let proven = if candidate.proven { " (proved)" } else { "" };
        let (value, visits) = (candidate.value, candidate.visits);
        out += &format!("{value:6.1} {visits:>10}  {}{proven}\n", text(role, candidate.mv));
    }
    let joint = |joint: &Vec<Move>| {
        let texts = joint.iter().enumerate().map(|(role, m)| text(role, *m));
        texts.collect::<Vec<_>>().join(" / ")
    };
    let line: Vec<String> = choice.line.iter().take(EXPECTED).map(joint).collect();
    out + "expected: " + &line.join(", ")
}
