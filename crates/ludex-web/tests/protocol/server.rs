//! What a scripted game server knows: the rules, and the states of the match it leads.

use ludex::budget::Budget;
use ludex::interp::{FactState, Interp};
use ludex::reason::{Random, StateMachine, View, find_move, view};
use ludex::rules::Rules;
use ludex::source::Source;

pub struct Table {
    game: Interp,
    state: FactState,
    random: Random,
    pub history: Vec<Vec<String>>,
}

impl Table {
    pub fn new(rules: &str, seed: u64) -> Table {
        let source = Source::new("rules", rules);
        let (rules, _) = Rules::read(&source, None).unwrap();
        let mut game = Interp::with_budget(&rules, &Budget::unlimited()).unwrap();
        let state = game.initial();
        Table { game, state, random: Random::new(seed), history: vec![] }
    }

    pub fn seen(&mut self) -> View {
        view(&mut self.game, &self.state)
    }

    /// Makes the move of the tested role, which must be legal, and random moves of the others.
    pub fn make(&mut self, role: usize, text: &str) {
        let seen = self.seen();
        let random = &mut self.random;
        let mut joint: Vec<_> = seen.legal.iter().map(|l| l[random.below(l.len())].0).collect();
        let legal = &seen.legal[role];
        joint[role] = find_move(legal, text).unwrap_or_else(|| panic!("{text} not in {legal:?}"));
        let texts = joint.iter().enumerate().map(|(role, m)| self.game.move_text(role, *m));
        self.history.push(texts.collect());
        self.state = self.game.next(&self.state, &joint);
    }

    /// The moves of the last turn as a server writes them.
    pub fn last(&self) -> String {
        self.history.last().map_or("NIL".into(), |moves| format!("({})", moves.join(" ")))
    }
}
