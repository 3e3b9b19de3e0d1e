//! The state after a joint move: derived anew, or the present one with what changes.

use super::{Interp, State};

impl Interp {
    /// The state that follows the loaded one by the joint move that is set.
    pub(super) fn successor(&mut self) -> State {
        let mut facts = std::mem::take(&mut self.scratch);
        self.collect(self.queries.next, &mut facts);
        let next = match self.queries.fnext {
            None => State(facts[..].into()),
            Some(table) => {
                let mut gone = std::mem::take(&mut self.gone);
                self.collect(table, &mut gone);
                let next = updated(&self.machine.store.facts, &gone, &facts);
                self.gone = gone;
                next
            }
        };
        self.scratch = facts;
        next
    }

    /// All answers of a table of one column, ascending.
    fn collect(&mut self, table: u32, out: &mut Vec<u32>) {
        out.clear();
        let result = self.machine.answers(&self.program, table, &[], |row| out.push(row[0]));
        self.note(result);
        out.sort_unstable();
    }
}

/// The facts without `gone`, and with `new`: all ascending. What lies between changes is copied.
fn updated(facts: &[u32], gone: &[u32], new: &[u32]) -> State {
    let mut out = Vec::with_capacity(facts.len() + new.len());
    let (mut at, mut g, mut n) = (0, 0, 0);
    loop {
        let change = match (gone.get(g), new.get(n)) {
            (None, None) => break,
            (Some(a), Some(b)) => *a.min(b),
            (Some(a), None) | (None, Some(a)) => *a,
        };
        let until = at + facts[at..].partition_point(|f| *f < change);
        out.extend_from_slice(&facts[at..until]);
        let is_new = new.get(n) == Some(&change);
        let is_gone = gone.get(g) == Some(&change);
        let is_there = facts.get(until) == Some(&change);
        if is_new || (is_there && !is_gone) {
            out.push(change);
        }
        at = until + is_there as usize;
        g += is_gone as usize;
        n += is_new as usize;
    }
    out.extend_from_slice(&facts[at..]);
    State(out.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_removes_and_adds() {
        let next = |facts: &[u32], gone: &[u32], new: &[u32]| updated(facts, gone, new).0.to_vec();
        assert_eq!(next(&[1, 3, 5], &[3], &[4]), [1, 4, 5]);
        assert_eq!(next(&[1, 3, 5], &[1, 3, 5], &[3]), [3]);
        assert_eq!(next(&[1, 3, 5], &[2, 9], &[0, 5, 7]), [0, 1, 3, 5, 7]);
        assert_eq!(next(&[], &[], &[]), [0; 0]);
        assert_eq!(next(&[2], &[], &[]), [2]);
    }
}
