//! `Marks`: a set of literals that is emptied at no cost, for one conjunction after the other.

use ludex_net::Lit;

#[derive(Default)]
pub struct Marks {
    /// By literal, the round in which it was put in.
    rounds: Vec<u32>,
    round: u32,
    /// What was put in during this round, in order; some of it may be out again.
    list: Vec<Lit>,
}

impl Marks {
    pub fn clear(&mut self) {
        self.round += 1;
        self.list.clear();
    }

    pub fn contains(&self, lit: Lit) -> bool {
        self.rounds.get(lit.0 as usize) == Some(&self.round)
    }

    pub fn insert(&mut self, lit: Lit) {
        let at = lit.0 as usize;
        if self.rounds.len() <= at {
            self.rounds.resize(2 * at + 2, 0);
        }
        if std::mem::replace(&mut self.rounds[at], self.round) != self.round {
            self.list.push(lit);
        }
    }

    pub fn remove(&mut self, lit: Lit) {
        self.rounds[lit.0 as usize] = 0;
    }

    /// The literals of the set, sorted.
    pub fn sorted(&self) -> Vec<Lit> {
        let mut all: Vec<Lit> = self.list.iter().copied().filter(|l| self.contains(*l)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_again_is_not_there_and_a_new_round_is_empty() {
        let mut marks = Marks::default();
        for _ in 0..2 {
            marks.clear();
            assert!(marks.sorted().is_empty() && !marks.contains(Lit(5)));
            [5, 3, 9, 3].into_iter().for_each(|l| marks.insert(Lit(l)));
            marks.remove(Lit(3));
            assert_eq!(marks.sorted(), [Lit(5), Lit(9)]);
            marks.insert(Lit(3));
            assert_eq!(marks.sorted(), [Lit(3), Lit(5), Lit(9)]);
            assert!(!marks.contains(Lit(4)) && !marks.contains(Lit(1000)));
        }
    }
}
