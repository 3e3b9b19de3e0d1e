//! `Verdict`: what is known of a property.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// By induction over k steps, with these lemmas (numbers in the order in which they were added).
    Proved { k: usize, lemmas: Vec<usize> },
    /// Joint moves (inputs in role order) that lead from the initial state to a state where the
    /// property fails; where it reads inputs, the last one is the move with which it fails.
    Refuted { moves: Vec<Vec<usize>> },
    /// Neither within induction over k steps and the effort allowed.
    Unknown { k: usize },
}

impl Verdict {
    /// `proved`, `refuted` or `unknown`.
    pub fn status(&self) -> &'static str {
        match self {
            Verdict::Proved { .. } => "proved",
            Verdict::Refuted { .. } => "refuted",
            Verdict::Unknown { .. } => "unknown",
        }
    }

    /// The number of steps of the induction; 0 where a line of play decides.
    pub fn k(&self) -> usize {
        match self {
            Verdict::Proved { k, .. } | Verdict::Unknown { k } => *k,
            Verdict::Refuted { .. } => 0,
        }
    }

    /// What is known of two properties together.
    pub fn and(self, other: Verdict) -> Verdict {
        let k = self.k().max(other.k());
        match (self, other) {
            (refuted @ Verdict::Refuted { .. }, _) | (_, refuted @ Verdict::Refuted { .. }) => {
                refuted
            }
            (Verdict::Proved { mut lemmas, .. }, Verdict::Proved { lemmas: others, .. }) => {
                lemmas.extend(others);
                lemmas.sort_unstable();
                lemmas.dedup();
                Verdict::Proved { k, lemmas }
            }
            _ => Verdict::Unknown { k },
        }
    }
}
