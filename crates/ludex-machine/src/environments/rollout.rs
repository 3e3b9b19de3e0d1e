//! Many steps of random moves, with nothing shown on the way.

use super::{Blocks, Environments, Fleet};
use crate::crew::Crew;
use crate::env_settings::EnvRows;
use crate::sliced::{EnvBlock, EnvCircuits, RolloutLanes, Totals};
use ludex_gdl::budget::{Budget, Stop};

/// What a rollout came to.
pub type Rollout = Totals;

/// Steps between two looks at the budget.
const STEPS: u64 = 256;

impl Environments {
    /// Random moves of all roles for so many steps. Matches that end begin anew, those that wait for the turn of the
    /// initial state a few steps later; so an environment makes at most this many steps. Ends before, if the budget does.
    /// Nothing is shown: `look` does.
    pub fn rollout(&mut self, steps: u64, budget: &Budget) -> Result<Rollout, Stop> {
        let (code, crew) = (&*self.circuits, &self.crew);
        let totals = match &mut self.fleet {
            Fleet::W1(blocks) => blocks.rollout(code, crew, steps, budget),
            Fleet::W4(blocks) => blocks.rollout(code, crew, steps, budget),
            Fleet::W8(blocks) => blocks.rollout(code, crew, steps, budget),
        };
        self.look(&mut EnvRows::default());
        totals
    }
}

impl<const W: usize> Blocks<W> {
    fn rollout(
        &mut self,
        code: &EnvCircuits,
        crew: &Crew,
        steps: u64,
        budget: &Budget,
    ) -> Result<Totals, Stop> {
        let threads = self.rooms.len().min(self.blocks.len());
        self.lanes.resize_with(threads, || RolloutLanes::new(code));
        let share = self.blocks.len().div_ceil(threads);
        let pieces = self.blocks.chunks_mut(share).zip(&mut self.lanes);
        let play = |(blocks, lanes)| play(code, blocks, lanes, steps, budget);
        let played: Result<Vec<Totals>, Stop> = crew.on_each(pieces, play).into_iter().collect();
        let mut all = played?.into_iter();
        let first = all.next().expect("there is a block");
        Ok(all.fold(first, |mut sum, totals| {
            sum.add(&totals);
            sum
        }))
    }
}

fn play<const W: usize>(
    code: &EnvCircuits,
    blocks: &mut [EnvBlock<W>],
    lanes: &mut RolloutLanes<W>,
    steps: u64,
    budget: &Budget,
) -> Result<Totals, Stop> {
    let mut sum = code.no_playouts();
    for block in blocks {
        let mut left = steps;
        while left > 0 {
            budget.check()?;
            let some = left.min(STEPS);
            sum.add(&lanes.play(code, block, some));
            left -= some;
        }
    }
    Ok(sum)
}
