//! The state after a joint move: derived anew, or the present one with what changes.
//!
//! What `fnext` and `next` derive is sorted and merged into the present state, the rest is copied.
//! Rules of `next` and `fnext` that ask for no move are a relation of their own (`prepare.rs`),
//! answered once for all moves that are tried in a state. The others are split (`split.rs`): what
//! they ask of the moves alone is done when a joint move is first met, and what is left then
//! (`residue.rs`) is often no more than a test of a few facts, or the list of an index, which needs
//! no instructions to be run. Original rules are run the same way, but their frame rules still go
//! through the whole state. `ludex/frame/portfolio.rs` times original, direct and pruned rules in a
//! few steps of random matches (where the clock of the budget stands still it counts their work)
//! and keeps the fastest.

use super::{FactState, Interp};

/// The tables of `next` or `fnext`.
#[derive(Clone, Copy, Default)]
pub struct Update {
    /// What depends on the joint move.
    pub moving: u32,
    /// What does not, where that is asked for by itself.
    pub still: Option<u32>,
}

/// What follows the loaded state whatever move is made, apart from what the move changes.
#[derive(Clone, Default)]
pub struct UpdateBase {
    pub known: bool,
    /// Ascending.
    facts: Vec<u32>,
    /// Those of the facts that no move takes away.
    sure: Vec<u32>,
}

impl Interp {
    /// The state that follows the loaded one by the joint move that is set.
    pub(super) fn successor(&mut self) -> FactState {
        if !self.base.known {
            self.lay_base();
        }
        let mut facts = std::mem::take(&mut self.scratch);
        facts.clear();
        self.collect(self.queries.next.moving, &mut facts);
        let next = match self.queries.fnext {
            None => {
                facts.extend_from_slice(&self.base.facts);
                facts.sort_unstable();
                facts.dedup();
                FactState(facts[..].into())
            }
            Some(fnext) => self.update(fnext.moving, &mut facts),
        };
        self.scratch = facts;
        next
    }

    /// The base without what the table says, and with `new`.
    fn update(&mut self, fnext: u32, new: &mut [u32]) -> FactState {
        let mut gone = std::mem::take(&mut self.gone);
        gone.clear();
        self.collect(fnext, &mut gone);
        gone.sort_unstable();
        new.sort_unstable();
        let UpdateBase { facts, sure, .. } = &self.base;
        if !sure.is_empty() {
            gone.retain(|f| sure.binary_search(f).is_err());
        }
        updated(facts, &gone, new, &mut self.merged);
        self.gone = gone;
        FactState(self.merged[..].into())
    }

    fn lay_base(&mut self) {
        let mut base = std::mem::take(&mut self.base);
        let before = self.problem.take();
        base.sure.clear();
        self.collect_still(self.queries.next, &mut base.sure);
        base.sure.sort_unstable();
        base.facts.clear();
        if let Some(fnext) = self.queries.fnext {
            let mut gone = std::mem::take(&mut self.gone);
            gone.clear();
            self.collect_still(fnext, &mut gone);
            gone.sort_unstable();
            updated(&self.machine.store.facts, &gone, &base.sure, &mut base.facts);
            self.gone = gone;
        } else {
            base.facts.extend_from_slice(&base.sure);
        }
        base.known = self.problem.is_none();
        self.problem = self.problem.take().or(before);
        self.base = base;
    }

    fn collect_still(&mut self, update: Update, out: &mut Vec<u32>) {
        if let Some(table) = update.still {
            self.collect(table, out);
        }
    }

    /// All answers of a table of one column.
    fn collect(&mut self, table: u32, out: &mut Vec<u32>) {
        let result = self.machine.answers(&self.program, table, &[], |row| out.push(row[0]));
        self.note(result);
    }
}

/// The facts without `gone`, and with `new`: all ascending. What lies between changes is copied.
fn updated(facts: &[u32], gone: &[u32], new: &[u32], out: &mut Vec<u32>) {
    out.clear();
    out.reserve(facts.len() + new.len());
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_removes_and_adds() {
        let next = |facts: &[u32], gone: &[u32], new: &[u32]| {
            let mut out = vec![];
            updated(facts, gone, new, &mut out);
            out
        };
        assert_eq!(next(&[1, 3, 5], &[3], &[4]), [1, 4, 5]);
        assert_eq!(next(&[1, 3, 5], &[1, 3, 5], &[3]), [3]);
        assert_eq!(next(&[1, 3, 5], &[2, 9], &[0, 5, 7]), [0, 1, 3, 5, 7]);
        assert_eq!(next(&[], &[], &[]), [0; 0]);
        assert_eq!(next(&[2], &[], &[]), [2]);
    }
}
