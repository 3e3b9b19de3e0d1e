//! Playouts on the engine of the tree, moves that did well in earlier ones preferred (MAST).

use ludex_gdl::budget::{Budget, Stop};
use ludex_reason::{Move, Random, Role, StateMachine};

/// What moves came to, wherever they were made.
#[derive(Default)]
pub struct Playouts {
    /// By role and move: playouts, and values added up.
    moves: Vec<Vec<(f32, f32)>>,
    legal: Vec<Move>,
    joint: Vec<Move>,
    made: Vec<(Role, Move)>,
}

/// Longer playouts count as worth nothing to anybody.
const LONGEST: usize = 5_000;
/// Of how many moves one is made at random.
const RANDOM_OF: usize = 3;
/// Older playouts count less.
const FORGET: f32 = 0.998;

impl Playouts {
    /// Plays to the end and returns the values by role.
    pub fn play<G: StateMachine>(
        &mut self,
        game: &mut G,
        mut state: G::State,
        random: &mut Random,
        budget: &Budget,
    ) -> Result<Vec<f32>, Stop> {
        let roles = game.roles();
        self.moves.resize(roles, Vec::new());
        self.made.clear();
        let mut values = vec![0.0; roles];
        for _ in 0..LONGEST {
            budget.check()?;
            if game.terminal(&state) {
                break;
            }
            self.joint.clear();
            for role in 0..roles {
                self.legal.clear();
                game.legal(&state, role, &mut self.legal);
                if self.legal.is_empty() {
                    return Ok(values);
                }
                let chosen = self.choose(role, random);
                self.joint.push(chosen);
                if self.legal.len() > 1 {
                    self.made.push((role, chosen));
                }
            }
            state = game.next(&state, &self.joint);
        }
        for (role, value) in values.iter_mut().enumerate() {
            *value = game.goal(&state, role).unwrap_or(0) as f32 / 100.0;
        }
        for (role, m) in &self.made {
            let (known, place) = (&mut self.moves[*role], m.0 as usize);
            known.resize(known.len().max(place + 1), (0.0, 0.0));
            let (count, sum) = known[place];
            known[place] = (count * FORGET + 1.0, sum * FORGET + values[*role]);
        }
        Ok(values)
    }

    /// The move with the best mean, or any.
    fn choose(&self, role: Role, random: &mut Random) -> Move {
        let any = self.legal[random.below(self.legal.len())];
        if self.legal.len() == 1 || random.below(RANDOM_OF) == 0 {
            return any;
        }
        // What was never made is worth a try.
        let known = &self.moves[role];
        let mean = |m: &Move| match known.get(m.0 as usize) {
            Some((count, sum)) if *count > 0.0 => sum / count,
            _ => 1.0,
        };
        let (mut best, mut most, mut ties) = (any, f32::MIN, 0);
        for m in &self.legal {
            let mean = mean(m);
            if mean > most {
                (best, most, ties) = (*m, mean, 1);
            } else if mean == most {
                ties += 1;
                if random.below(ties) == 0 {
                    best = *m;
                }
            }
        }
        best
    }
}
