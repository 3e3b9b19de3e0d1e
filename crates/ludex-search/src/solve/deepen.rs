//! The rank that a role can force: questions to `Force`, deeper and deeper.

use super::force::{Asker, ENDLESS, Force, ForceAnswer, ForceHalt};
use ludex_machine::State;

/// What has been found of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub least: u8,
    pub greatest: u8,
    /// The depth that was searched.
    pub depth: u16,
}

impl Found {
    pub fn exact(&self) -> bool {
        self.least == self.greatest
    }
}

impl Force<'_> {
    /// Narrows the ranks of a state until they are one, or the depth or the budget ends. At every
    /// depth it is asked whether the role can force the best and the others the worst that is
    /// still possible; without end of depth all ranks between are asked for.
    pub fn narrow(
        &mut self,
        state: &State,
        found: &mut Found,
        depth: Option<u16>,
        longest: Option<usize>,
    ) -> Result<(), ForceHalt> {
        for mut limit in depths() {
            let ends = longest.is_some() && depth.is_none() && limit > SHALLOW;
            // It may take more work than all searches before it.
            if ends && self.tries(state, found, ENDLESS, FIRST.max(MORE * self.expanded))? {
                return Ok(());
            }
            if longest.is_some_and(|l| l <= limit as usize) {
                limit = ENDLESS;
            }
            limit = limit.min(depth.unwrap_or(ENDLESS));
            let work = self.expanded / LESS;
            if !(ends && limit < ENDLESS && self.tries(state, found, limit, work)?) {
                // Deeper searches take as long as one without end.
                limit = if ends { ENDLESS } else { limit };
                self.at_depth(state, found, limit)?;
                found.depth = limit;
                self.tell(found);
            }
            if found.exact() || limit == ENDLESS || Some(limit) == depth {
                return Ok(());
            }
            if self.repeated && longest.is_none() && self.expanded > ENOUGH {
                return Ok(());
            }
        }
        Ok(())
    }

    /// A search that is given up after some work; true if that was enough. Where matches end, one without end of depth is
    /// mostly the shortest way to a value.
    fn tries(
        &mut self,
        state: &State,
        found: &mut Found,
        depth: u16,
        work: u64,
    ) -> Result<bool, ForceHalt> {
        self.most = self.expanded + work;
        let ended = self.at_depth(state, found, depth);
        self.most = u64::MAX;
        match ended {
            Err(ForceHalt::Enough) => Ok(false),
            Err(halt) => Err(halt),
            Ok(()) => {
                found.depth = depth;
                self.tell(found);
                Ok(true)
            }
        }
    }

    /// Tells the depth that was searched and the goals that are still possible.
    fn tell(&self, found: &Found) {
        let goal = |rank: u8| self.scale.outcomes[rank as usize][0];
        let (least, greatest) = (goal(found.least), goal(found.greatest));
        let depth = match found.depth {
            ENDLESS => "no end of depth".into(),
            depth => format!("depth {depth} done"),
        };
        self.budget().note(format!("{depth}, goal between {least} and {greatest}"));
    }

    fn at_depth(&mut self, state: &State, found: &mut Found, depth: u16) -> Result<(), ForceHalt> {
        if self.ask(state, found.greatest, Asker::Role, depth)? == ForceAnswer::Yes {
            found.least = found.greatest;
        } else if self.bounds(state).1 < found.greatest {
            found.greatest = self.bounds(state).1;
        }
        if !found.exact() {
            match self.ask(state, found.least + 1, Asker::Others, depth)? {
                ForceAnswer::No => found.greatest = found.least,
                ForceAnswer::Yes => found.least += 1,
                ForceAnswer::Unknown => {}
            }
        }
        while depth == ENDLESS && !found.exact() {
            let middle = found.least + (found.greatest - found.least).div_ceil(2);
            match self.ask(state, middle, Asker::Role, depth)? {
                ForceAnswer::Yes => found.least = middle,
                ForceAnswer::No => found.greatest = middle - 1,
                // Somewhere a state came back to itself.
                ForceAnswer::Unknown => return Ok(()),
            }
        }
        Ok(())
    }
}

/// Depths that are searched before the first try without end, the expansions that it may take at least, how much
/// more work than all before, and how much less a try to the next depth.
const SHALLOW: u16 = 10;
const FIRST: u64 = 400_000;
const MORE: u64 = 16;
const LESS: u64 = 8;

/// Expansions after which a game whose states come back is looked at as a whole.
const ENOUGH: u64 = 100_000;

/// 1, 2, 3, 4, 6, 9, 13 and so on, and in the end without end.
fn depths() -> impl Iterator<Item = u16> {
    let next = |d: &u16| match *d {
        ENDLESS => None,
        d if d > 20_000 => Some(ENDLESS),
        d => Some(d + (d / 2).max(1)),
    };
    std::iter::successors(Some(1), next)
}
