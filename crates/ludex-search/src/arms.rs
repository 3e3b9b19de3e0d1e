//! `Arm`: a move of one role in one state, with what iterations through it came to.

use ludex_reason::{Move, Random};

#[derive(Clone, Copy, Debug)]
pub struct Arm {
    pub mv: Move,
    pub visits: u32,
    /// Goal values added up.
    pub sum: f64,
}

impl Arm {
    pub fn new(mv: Move) -> Arm {
        Arm { mv, visits: 0, sum: 0.0 }
    }

    pub fn mean(&self) -> f64 {
        self.sum / self.visits.max(1) as f64
    }
}

/// The arm of the greatest upper confidence bound (UCB1), or any of those that were never tried.
pub fn ucb1(arms: &[Arm], exploration: f64, random: &mut Random) -> usize {
    let untried = arms.iter().filter(|a| a.visits == 0).count();
    if untried > 0 {
        let pick = random.below(untried);
        let fresh = arms.iter().enumerate().filter(|(_, a)| a.visits == 0);
        return fresh.map(|(i, _)| i).nth(pick).expect("one of them");
    }
    let total: u32 = arms.iter().map(|a| a.visits).sum();
    let scale = exploration * (total as f64).ln().sqrt();
    let bound = |a: &Arm| a.mean() + scale / (a.visits as f64).sqrt();
    (0..arms.len()).max_by(|a, b| bound(&arms[*a]).total_cmp(&bound(&arms[*b]))).expect("an arm")
}

/// The most visited arm, of several the one of the greatest mean.
pub fn favourite(arms: &[Arm]) -> Option<usize> {
    let key = |a: &Arm| (a.visits, a.mean());
    let order = |a: &usize, b: &usize| {
        let (a, b) = (key(&arms[*a]), key(&arms[*b]));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    };
    (0..arms.len()).rev().max_by(order)
}
