//! `Record`s -> `Standings`: who won how often, with confidence intervals and differences in Elo.

use super::Record;
use std::fmt;

/// The half width of a normal interval that holds 95 %.
const Z: f64 = 1.959964;

/// What a player has reached.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// Who played.
    pub player: String,
    /// The matches played.
    pub matches: u64,
    /// Against every other player of a match: more, as many, fewer points.
    pub wins: u64,
    /// The matches drawn.
    pub draws: u64,
    /// The matches lost.
    pub losses: u64,
    /// Moves that were illegal or late.
    pub faults: u64,
    goals: f64,
    goal_squares: f64,
}

/// All players, in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standings {
    /// In the order in which they were given.
    pub players: Vec<Standing>,
}

impl Standings {
    /// Before the first match.
    pub fn new(players: &[String]) -> Standings {
        let standing = |player: &String| Standing { player: player.clone(), ..Standing::default() };
        Standings { players: players.iter().map(standing).collect() }
    }

    /// Counts a match that came to its end. `seats` has the number of the player of each role; none
    /// is the referee's own.
    pub fn add(&mut self, record: &Record, seats: &[Option<usize>]) {
        let goal = |role: usize| record.goals[role].unwrap_or(0);
        for (role, player) in seats.iter().enumerate() {
            let Some(player) = *player else { continue };
            let standing = &mut self.players[player];
            standing.matches += 1;
            standing.faults += record.faults(role) as u64;
            standing.goals += f64::from(goal(role));
            standing.goal_squares += f64::from(goal(role)).powi(2);
            for (other, opponent) in seats.iter().enumerate() {
                if opponent.is_none() || other == role {
                    continue;
                }
                match goal(role).cmp(&goal(other)) {
                    std::cmp::Ordering::Greater => standing.wins += 1,
                    std::cmp::Ordering::Equal => standing.draws += 1,
                    std::cmp::Ordering::Less => standing.losses += 1,
                }
            }
        }
    }
}

impl Standing {
    /// Wins, and half of the draws, among all comparisons.
    pub fn score(&self) -> Option<f64> {
        let all = self.wins + self.draws + self.losses;
        (all > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / all as f64)
    }

    /// The interval that holds the true score with 95 % (Wilson's, which also fits few matches and
    /// scores near 0 and 1; draws only make it wider than need be).
    pub fn interval(&self) -> Option<(f64, f64)> {
        let n = (self.wins + self.draws + self.losses) as f64;
        let score = self.score()?;
        let spread = Z * (score * (1.0 - score) / n + Z * Z / (4.0 * n * n)).sqrt();
        let (middle, width) = (score + Z * Z / (2.0 * n), 1.0 + Z * Z / n);
        // Exact at the ends, where rounding would make an infinite strength a number.
        let low = if score == 0.0 { 0.0 } else { (middle - spread) / width };
        let high = if score == 1.0 { 1.0 } else { (middle + spread) / width };
        Some((low, high))
    }

    /// The mean of the goal values.
    pub fn mean_goal(&self) -> Option<f64> {
        (self.matches > 0).then(|| self.goals / self.matches as f64)
    }

    /// Half the width of the interval of the mean goal that holds 95 %.
    pub fn goal_spread(&self) -> Option<f64> {
        let n = self.matches as f64;
        let variance = self.goal_squares / n - self.mean_goal()?.powi(2);
        (self.matches > 1).then(|| Z * (variance.max(0.0) / (n - 1.0)).sqrt())
    }
}

/// The difference in Elo that makes a score likely; infinite where all or nothing was won.
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

impl Standing {
    /// Its strength against the others, with the interval: `+85 Elo (12 to 171)`.
    pub fn elo_text(&self) -> String {
        let number = |score: f64| match elo(score) {
            e if e.is_infinite() => if e > 0.0 { "∞" } else { "-∞" }.to_string(),
            // Adding zero takes the sign off a negative one.
            e => format!("{:+}", e.round() + 0.0),
        };
        match (self.score(), self.interval()) {
            (Some(score), Some((low, high))) => {
                format!("{} ({} to {})", number(score), number(low), number(high))
            }
            _ => "none".into(),
        }
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Standing { player, wins, draws, losses, .. } = self;
        write!(f, "{player}: {wins} won, {draws} drawn, {losses} lost")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(wins: u64, draws: u64, losses: u64) -> Standing {
        Standing { wins, draws, losses, ..Standing::default() }
    }

    #[test]
    fn elo_and_intervals_are_those_of_the_books() {
        assert!(elo(0.5).abs() < 1e-9);
        assert!((elo(0.75) - 190.8).abs() < 0.1);
        assert!(elo(1.0).is_infinite());
        // Wilson's interval for 8 of 10.
        let (low, high) = standing(8, 0, 2).interval().unwrap();
        assert!((low - 0.4902).abs() < 1e-3 && (high - 0.9433).abs() < 1e-3, "{low} {high}");
        let (low, high) = standing(10, 0, 0).interval().unwrap();
        assert!((low - 0.7225).abs() < 1e-3 && high == 1.0, "{low} {high}");
        assert_eq!(standing(0, 0, 0).score(), None);
        assert_eq!(standing(1, 2, 1).score(), Some(0.5));
        let even = Standing { matches: 4, ..standing(1, 2, 1) };
        assert!(even.elo_text().starts_with("+0 (-"), "{}", even.elo_text());
    }
}
