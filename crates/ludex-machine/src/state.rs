//! `State`: which base propositions hold, a bit each.

/// One bit per base proposition.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct State(pub Box<[u64]>);

impl State {
    /// The state in which these bases, in their order, hold or not.
    pub fn of(bases: impl IntoIterator<Item = bool>) -> State {
        let mut words = Vec::new();
        for (base, value) in bases.into_iter().enumerate() {
            if base % 64 == 0 {
                words.push(0);
            }
            words[base / 64] |= (value as u64) << (base % 64);
        }
        State(words.into())
    }

    #[inline]
    pub fn holds(&self, base: usize) -> bool {
        self.0[base / 64] >> (base % 64) & 1 == 1
    }

    /// Whether each of the first bases holds.
    pub fn values(&self, bases: usize) -> Vec<bool> {
        (0..bases).map(|b| self.holds(b)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::State;

    #[test]
    fn bits_are_found_again() {
        let bases: Vec<bool> = (0..130).map(|b| b % 3 == 0).collect();
        let state = State::of(bases.iter().copied());
        assert_eq!((state.0.len(), state.values(130)), (3, bases));
        assert!(state.holds(129) && !state.holds(128));
    }
}
