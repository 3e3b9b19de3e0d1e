//! A game that is several games at once (paper 003) -> `FactorGames`: those that matter, each with insights of its own.

use super::Insights;
use crate::Searchable;
use ludex_facts::factor::{FactorKind, Factors};
use ludex_gdl::budget::{Budget, Memory};
use ludex_knowledge::Knowledge;
use ludex_machine::Scalar;
use ludex_net::Lit;
use ludex_net::ground::NotGround;
use ludex_reason::{Move, Role};
use std::sync::Arc;

pub struct FactorGames {
    found: Factors,
    /// By move of the whole game its number among those that the factors know.
    numbers: Vec<Option<usize>>,
    pub games: Vec<FactorGame>,
    pub whole: Arc<Scalar>,
}

/// A factor as a game.
pub struct FactorGame {
    /// Its number among all factors.
    number: usize,
    pub machine: Arc<Scalar>,
    pub insights: Arc<Insights>,
}

/// Random matches in which factors and whole are compared, and states.
const MATCHES: usize = 5;
const STATES: usize = 500;
/// What is expected of more factors is not put together from all of their ends.
const MOST_FACTORS: usize = 10;

impl FactorGames {
    /// None where the game is one, or a single role plays it: the solver serves that one better.
    pub fn find(
        knowledge: &Knowledge,
        memory: &Memory,
        budget: &Budget,
    ) -> Result<Option<FactorGames>, NotGround> {
        let net = knowledge.net(budget)?;
        let players = (0..net.roles.len()).filter(|role| Some(*role) != net.chance()).count();
        if players < 2 {
            return Ok(None);
        }
        let found = Factors::clone(&*knowledge.factors(budget, 0.0)?);
        // A factor that only others end is no game of its own.
        let endless = found.factors.iter().any(|f| f.relevant && f.net.terminal == Lit::FALSE);
        if found.factors.len() < 2 || endless || found.verify(MATCHES, STATES, budget).is_err() {
            return Ok(None);
        }
        let mut numbers = vec![None; net.inputs.len()];
        found.inputs.iter().enumerate().for_each(|(number, input)| numbers[*input] = Some(number));
        let mut games = Vec::new();
        for (number, factor) in found.factors.iter().enumerate().filter(|(_, f)| f.relevant) {
            let knowledge = Knowledge::of_net(Arc::new(factor.net.clone()));
            let insights = Arc::new(Insights::new(memory.clone()));
            insights.look(&knowledge, budget)?;
            games.push(FactorGame { number, machine: knowledge.scalar(budget)?, insights });
        }
        let whole = knowledge.scalar(budget)?;
        let some = (1..=MOST_FACTORS).contains(&games.len());
        Ok(some.then_some(FactorGames { found, numbers, games, whole }))
    }

    /// Whether every step is one of every factor, or of one that needs not be chosen.
    pub fn go_together(&self) -> bool {
        self.found.kind != FactorKind::ByChoice
    }

    /// What a move is to one of the games; none: it is no move of that one.
    pub fn part(&self, game: usize, m: Move) -> Option<Move> {
        let factor = &self.found.factors[self.games[game].number];
        let part = factor.part_of[self.numbers[m.0 as usize]?]?;
        Some(Move(part as u32))
    }

    /// What the whole is worth to a role, where this is expected of the games: as if each of them came to its
    /// best or its worst end, whatever the others come to.
    pub fn worth(&self, role: Role, expected: &[f64]) -> f64 {
        let ends = self.games.iter().map(|game| game.machine.goals(role));
        let ends: Vec<(i32, i32)> = ends.collect();
        let chance = |k: usize| {
            let (least, most) = (ends[k].0 as f64, ends[k].1 as f64);
            if most > least {
                ((expected[k] - least) / (most - least)).clamp(0.0, 1.0)
            } else {
                0.0
            }
        };
        let mut worth = 0.0;
        for corner in 0..1usize << self.games.len() {
            let (mut weight, mut values) = (1.0, vec![0; self.found.factors.len()]);
            for (k, game) in self.games.iter().enumerate() {
                let best = corner >> k & 1 == 1;
                weight *= if best { chance(k) } else { 1.0 - chance(k) };
                values[game.number] = if best { ends[k].1 } else { ends[k].0 };
            }
            if weight > 0.0 {
                let Some(value) = self.found.value(role, &values) else {
                    return expected.iter().sum::<f64>() / expected.len() as f64;
                };
                worth += weight * value as f64;
            }
        }
        worth
    }
}
