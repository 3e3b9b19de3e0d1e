//! `Agenda`: gates that wait to be computed, each once, the lowest first.

/// A set of bits, and one of the words of bits that are not empty.
pub struct Agenda {
    words: Vec<u64>,
    groups: Vec<u64>,
    /// Groups before this one are empty.
    from: usize,
}

impl Agenda {
    pub fn new(gates: usize) -> Agenda {
        let words = gates.div_ceil(64);
        Agenda { words: vec![0; words], groups: vec![0; words.div_ceil(64)], from: 0 }
    }

    pub fn push(&mut self, gate: usize) {
        let (word, group) = (gate / 64, gate / 4096);
        self.words[word] |= 1 << (gate % 64);
        self.groups[group] |= 1 << (word % 64);
        self.from = self.from.min(group);
    }

    pub fn pop(&mut self) -> Option<usize> {
        while *self.groups.get(self.from)? == 0 {
            self.from += 1;
        }
        let group = &mut self.groups[self.from];
        let at = self.from * 64 + group.trailing_zeros() as usize;
        let word = &mut self.words[at];
        let gate = at * 64 + word.trailing_zeros() as usize;
        *word &= *word - 1;
        if *word == 0 {
            *group &= *group - 1;
        }
        Some(gate)
    }
}

#[cfg(test)]
mod tests {
    use super::Agenda;

    #[test]
    fn what_waits_comes_once_and_in_order_also_what_is_put_back() {
        let mut agenda = Agenda::new(20_000);
        [9_000, 3, 64, 9_000, 19_999, 63].into_iter().for_each(|g| agenda.push(g));
        let first: Vec<usize> = (0..4).filter_map(|_| agenda.pop()).collect();
        assert_eq!(first, [3, 63, 64, 9_000]);
        agenda.push(70);
        assert_eq!([agenda.pop(), agenda.pop(), agenda.pop()], [Some(70), Some(19_999), None]);
        agenda.push(5);
        assert_eq!([agenda.pop(), agenda.pop()], [Some(5), None]);
    }
}
