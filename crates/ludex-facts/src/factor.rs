//! `Net` -> `Factors`: games that are several games at once (paper 003, section 3).
//!
//! The paper's independent sets are found on moves split by their effects: bases on which a transition
//! depends when a move is made are one block (`factor/effects.rs`), so are those that the moves tie
//! together (`factor/links.rs`) and those that a goal ties together (`factor/aims.rs`). What no move
//! changes is shared by all factors (`factor/phases.rs`).
//!
//! A game is folded from a state on (`ludex-net/net/fold.rs`), then looked at phase by phase: the
//! shared part (what no move changes, the IID of paper 003) is put in as constants, since it takes
//! few states that matter; of a long course only what comes back, such as whose turn it is
//! (`phases.rs`). What moves could change but none does is shared, too. In a phase every move of a
//! role is made alone, and its transitions are compared as hashed gates: that is what a move does,
//! whatever its name (`effects.rs`). Bases are united when a transition or a condition of a move
//! reads both; when the moves that touch both are no full product of parts (`links.rs`: a product
//! is synchronous, no move in both is by choice); and when one operand of a goal's outermost
//! connective reads both (`aims.rs`). Once goals have united what they need, all blocks that a move
//! connects must be a product together, not only two by two. A serial game is found by cutting it
//! at a gate that some moves need and others need not, which must be a latch. Decisions that the
//! paper leaves open: the end belongs to the definition and is told (`exact.rs`: by clock, all
//! over, any over, or joined); blocks that matter for nobody and in which each role has one thing
//! to do instead of playing elsewhere are no games; the negation of a true latch is false. How
//! goals follow from factors is a table over the factors' outcomes (`worth.rs`); a factor with few
//! states is visited to find them (`outcomes.rs`).

mod agenda;
mod aims;
mod blocks;
mod effects;
mod exact;
mod games;
mod goals;
mod grounds;
mod kind;
mod links;
mod outcomes;
mod phases;
mod tie;
mod timed;
mod verify;
mod worth;

pub use exact::{Ending, Exactness};
pub use games::Factor;
pub use goals::Structure;
pub use kind::FactorKind;
pub use tie::Tie;
pub use verify::{Checked, FactorsDiffer};

use crate::invariants::InvariantKind;
use crate::invariants::said;
use crate::latches::fold_known;
use crate::lemmas::Lemmas;
use blocks::{BaseBlocks, Supports, support};
use effects::{RoleEffects, effects};
use exact::FactorQuestion;
use goals::Aims;
use grounds::{GroundedSteps, Grounds};
use links::{MoveParts, link, link_products};
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Lit, Net};
use outcomes::Outcomes;
use phases::{FactorPhase, SharedBases, cuts};
use rustc_hash::FxHashMap;
use tie::Reason;

/// A game as factors. `net` is the whole game from its first state on, without what never changes.
#[derive(Clone)]
pub struct Factors {
    pub net: Net,
    /// The moves of that net, by their numbers in the game: those that are possible from the state on.
    pub inputs: Vec<usize>,
    pub kind: FactorKind,
    pub factors: Vec<Factor>,
    /// Bases that no move changes.
    pub shared: Vec<usize>,
    /// Per role, how its goal follows from which factors (numbers of `factors`), and from how many
    /// combinations of outcomes this was read.
    pub goals: Vec<(Structure, Vec<usize>, Option<usize>)>,
    pub ending: Ending,
    pub exact: Exactness,
    /// Do the roles that choose in a factor want the same or the opposite there, so that best play of all
    /// has one value? Else values are what each role can make sure of.
    pub settled: bool,
    /// Per role, from the values of its factors to the value of the whole.
    worth: Vec<Option<FxHashMap<Vec<i32>, i32>>>,
    /// What was shown, and what this answer rests on.
    pub rests_on: Vec<String>,
    /// What ties a game together that does not fall apart.
    pub tie: Option<Tie>,
    /// In a serial game what ends the first factor, which is the first of `factors`.
    cut: Option<Lit>,
    /// Bases at the end of `net` that are no facts of the game: they count its steps.
    ticks: usize,
}

/// Cuts of serial games that are tried.
const MOST_CUTS: usize = 6;
const FEW_GATES: usize = 200_000;

impl Factors {
    /// Factors a game from a state on, with what is known of it: what has its final value there is folded
    /// in first.
    pub fn find(
        net: &Net,
        state: &[bool],
        known: &Lemmas,
        budget: &Budget,
    ) -> Result<Factors, Stop> {
        let all = net.bases.len();
        let folding = fold_known(net, state, known);
        let grounds = Grounds::new(known, &folding);
        let (net, inputs) = (folding.folded.net, folding.folded.inputs);
        let shared = SharedBases::find(&net, budget)?;
        let mut found = match Analysis::with(&net, &shared, FactorLook::new(None), budget) {
            Ok((found, shared)) => {
                let found = found.factors(&net, &shared, &grounds, budget)?;
                found.timed(&grounds, budget)?
            }
            Err(Unfactored::Stopped(stop)) => return Err(stop),
            Err(Unfactored::Tied(tie)) => match serial(&net, &shared, &grounds, budget)? {
                Some((found, shared)) => found.factors(&net, &shared, &grounds, budget)?,
                None => Factors::single(net, &shared.bases, tie),
            },
        };
        found.inputs = inputs;
        found.rests_on.extend(grounds.texts());
        let closed = all + found.ticks - found.net.bases.len();
        if closed > 0 {
            let why =
                format!("{closed} facts that keep their value from this state on are left out");
            found.rests_on.insert(0, why);
        }
        Ok(found)
    }

    /// The same factors with an end by the clock, where every match has the same length and that makes it right
    /// to search them apart.
    fn timed(self, grounds: &Grounds, budget: &Budget) -> Result<Factors, Stop> {
        if self.exact == Exactness::Exact {
            return Ok(self);
        }
        let Some(steps) = self.length(budget)? else { return Ok(self) };
        let net = timed::with_clock(&self.net, steps);
        let shared = SharedBases::find(&net, budget)?;
        match Analysis::with(&net, &shared, FactorLook::new(None), budget) {
            Ok((found, shared)) => {
                let mut found = found.factors(&net, &shared, grounds, budget)?;
                found.rests_on.push(format!("every match ends after exactly {steps} steps"));
                found.ticks = steps + 1;
                let better = found.exact == Exactness::Exact;
                Ok(if better { found } else { self })
            }
            Err(Unfactored::Stopped(stop)) => Err(stop),
            Err(Unfactored::Tied(_)) => Ok(self),
        }
    }

    /// The facts that no move changes.
    pub fn shared_facts(&self) -> Vec<usize> {
        let facts = self.net.bases.len() - self.ticks;
        self.shared.iter().copied().filter(|b| *b < facts).collect()
    }

    /// The same, with a tie that names a goal only where the game would fall apart without it.
    pub fn explained(
        net: &Net,
        state: &[bool],
        known: &Lemmas,
        budget: &Budget,
    ) -> Result<Factors, Stop> {
        let mut found = Factors::find(net, state, known, budget)?;
        if found.tie.as_ref().is_some_and(Tie::is_mixed) {
            // Without the time for it the tie is all that has united anything.
            found.tie = needed_tie(&found.net, budget).unwrap_or(None).or(found.tie);
        }
        Ok(found)
    }

    /// The game as a single factor, and why: parts that do not recombine to the game are no factors.
    pub fn undone(self, why: String) -> Factors {
        let mut shared = vec![false; self.net.bases.len()];
        self.shared.iter().for_each(|b| shared[*b] = true);
        let inputs = self.inputs;
        let ticks = self.ticks;
        Factors { inputs, ticks, ..Factors::single(self.net, &shared, Tie::other(why)) }
    }

    fn single(net: Net, shared: &[bool], tie: Tie) -> Factors {
        let (shared, bases): (Vec<usize>, Vec<usize>) =
            (0..net.bases.len()).partition(|b| shared[*b]);
        let factor = Factor {
            bases,
            relevant: true,
            whole_bases: (0..net.bases.len()).collect(),
            part_of: (0..net.inputs.len()).map(Some).collect(),
            elsewhere: vec![false; net.inputs.len()],
            net: net.clone(),
        };
        let goals = vec![(Structure::One, vec![0], None); net.roles.len()];
        let (kind, ending, exact) = (FactorKind::Single, Ending::One(0), Exactness::Exact);
        let (factors, tie, worth) = (vec![factor], Some(tie), vec![None; net.roles.len()]);
        let settled = true;
        let inputs = (0..net.inputs.len()).collect();
        Factors {
            net,
            inputs,
            kind,
            factors,
            shared,
            goals,
            ending,
            exact,
            settled,
            worth,
            rests_on: vec![],
            tie,
            cut: None,
            ticks: 0,
        }
    }

    /// What the whole game is worth to a role, given what each factor is worth to it by the factor's
    /// own goals. None where these do not tell.
    pub fn value(&self, role: usize, values: &[i32]) -> Option<i32> {
        let (structure, factors, _) = &self.goals[role];
        let own: Vec<i32> = factors.iter().map(|k| values[*k]).collect();
        match (&self.worth[role], structure) {
            (_, Structure::None) => values.first().copied(),
            (_, Structure::One) => own.first().copied(),
            (Some(worth), _) => worth.get(&own).copied(),
            (None, Structure::Conjunction) => own.into_iter().min(),
            (None, Structure::Disjunction) => own.into_iter().max(),
            _ => None,
        }
    }
}

/// What is enough to tie a game together: its moves alone, or its goals alone; none if it takes both.
fn needed_tie(net: &Net, budget: &Budget) -> Result<Option<Tie>, Stop> {
    let shared = SharedBases::find(net, budget)?;
    let moves = FactorLook { cut: None, goals: false };
    match Analysis::with(net, &shared, moves, budget) {
        Err(Unfactored::Tied(tie)) => return Ok(Some(tie)),
        Err(Unfactored::Stopped(stop)) => return Err(stop),
        Ok(_) => {}
    }
    let (mut blocks, mut supports) = (BaseBlocks::new(&shared.bases), Supports::default());
    while blocks.count > 1 && aims::join(net, &mut supports, &mut blocks) {
        budget.check()?;
    }
    Ok((blocks.count <= 1).then(|| blocks.reasons.told(net)))
}

/// A game that is played in two parts, one after the other, cut where the first is over.
fn serial(
    net: &Net,
    shared: &SharedBases,
    grounds: &Grounds,
    budget: &Budget,
) -> Result<Option<(Analysis, SharedBases)>, Stop> {
    let cuts = cuts(net, &shared.bases, budget)?;
    if cuts.is_empty() {
        return Ok(None);
    }
    let (prover, numbers) = grounds.prover(net, budget);
    let mut steps = None;
    // Does what holds do so for good, whatever is played? Else it ends nothing.
    let mut stays = |lit: Lit| -> Result<bool, Stop> {
        let steps = steps.get_or_insert_with(|| GroundedSteps::new(&prover, &numbers, grounds));
        steps.keeps(&[], lit, prover.effort)
    };
    for cut in cuts.into_iter().take(MOST_CUTS) {
        let [yes, no] = [Lit::new(cut, false), Lit::new(cut, true)];
        // In small nets this is told sooner than what moves do.
        if net.gates.len() < FEW_GATES && !stays(yes)? && !stays(no)? {
            continue;
        }
        let (mut found, all) = match Analysis::with(net, shared, FactorLook::new(Some(cut)), budget)
        {
            Ok(found) => found,
            Err(Unfactored::Tied(_)) => continue,
            Err(Unfactored::Stopped(stop)) => return Err(stop),
        };
        for lit in [yes, no] {
            found.cut = Some(lit);
            if found.is_serial(net) && stays(lit)? {
                return Ok(Some((found, all)));
            }
        }
    }
    Ok(None)
}

/// How a game is looked at.
#[derive(Clone, Copy)]
struct FactorLook {
    /// A gate, where which is false and where it is true the game is looked at.
    cut: Option<usize>,
    /// Goals unite what they tie together, too.
    goals: bool,
}

impl FactorLook {
    fn new(cut: Option<usize>) -> FactorLook {
        FactorLook { cut, goals: true }
    }
}

/// Why an analysis gave no blocks: the game is one, or there was no time to see.
pub(crate) enum Unfactored {
    Tied(Tie),
    Stopped(Stop),
}

impl From<Stop> for Unfactored {
    fn from(stop: Stop) -> Unfactored {
        Unfactored::Stopped(stop)
    }
}

/// Blocks of bases that are apart, with what moves are to them.
pub struct Analysis {
    phases: Vec<FactorPhase>,
    effects: Vec<RoleEffects>,
    blocks: BaseBlocks,
    parts: Vec<MoveParts>,
    cut: Option<Lit>,
    /// With a cut the block that decides it.
    first: Option<usize>,
    forward: bool,
}

impl Analysis {
    /// The blocks that some move touches; what none does is shared, too.
    fn with(
        net: &Net,
        shared: &SharedBases,
        look: FactorLook,
        budget: &Budget,
    ) -> Result<(Analysis, SharedBases), Unfactored> {
        let mut shared = shared.clone();
        loop {
            let mut found = Analysis::new(net, &shared, look, budget)?;
            let idle = kind::idle(&mut found.blocks, &found.parts);
            if idle.is_empty() {
                return Ok((found, shared));
            }
            idle.into_iter().for_each(|b| shared.bases[b] = true);
        }
    }

    /// Where everything is one block the error says what ties it together.
    fn new(
        net: &Net,
        shared: &SharedBases,
        FactorLook { cut, goals }: FactorLook,
        budget: &Budget,
    ) -> Result<Analysis, Unfactored> {
        let values: &[Option<bool>] =
            if cut.is_some() { &[Some(false), Some(true)] } else { &[None] };
        let mut blocks = BaseBlocks::new(&shared.bases);
        if blocks.count <= 1 {
            let few = "a state in which moves change at most one fact";
            return Err(Unfactored::Tied(Tie::other(few.into())));
        }
        let mut whole = Supports::default();
        if let Some(g) = cut {
            whole.unite(&net.gates, Lit::new(g, false), &mut blocks);
        }
        if goals {
            aims::join_first(net, &mut whole, &mut blocks);
        }
        if blocks.count <= 1 {
            return Err(Unfactored::Tied(blocks.reasons.told(net)));
        }
        let known = values.iter().flat_map(|v| shared.states.iter().map(move |s| (*v, s)));
        let known: Vec<(Option<bool>, &Vec<_>)> = known.collect();
        let mut supports: Vec<Supports> = known.iter().map(|_| Supports::default()).collect();
        let (mut phases, mut all, mut circuit) = (Vec::new(), Vec::new(), None);
        for at in 0..known.len() * net.roles.len() {
            budget.check()?;
            let (phase, role) = (at / net.roles.len(), at % net.roles.len());
            if role == 0 {
                let (value, state) = known[phase];
                let (phase, own) = FactorPhase::new(net, state, cut.zip(value));
                phases.push(phase);
                circuit = Some(own);
            }
            let supports = &mut supports[phase];
            let circuit = circuit.as_ref().expect("of this phase");
            match effects(&phases, circuit, (phase, role), supports, &mut blocks, budget)? {
                Some(effects) => all.push(effects),
                None => return Err(Unfactored::Tied(blocks.reasons.told(net))),
            }
        }
        link(&all, &phases, &mut supports, &mut blocks, budget)?;
        while goals && blocks.count > 1 && aims::join(net, &mut whole, &mut blocks) {
            budget.check()?;
            link(&all, &phases, &mut supports, &mut blocks, budget)?;
        }
        if blocks.count <= 1 {
            return Err(Unfactored::Tied(blocks.reasons.told(net)));
        }
        let parts = link_products(&all, &phases, &mut supports, &mut blocks, budget)?;
        blocks.reason = Reason::Idle;
        kind::gather(net, &mut blocks, &parts);
        if cut.is_none() && net.roles.len() > 1 {
            kind::unite_by_owner(&mut blocks, &parts);
        }
        let first = cut.map(|g| kind::first_and_rest(net, g, &mut blocks));
        let parts = link_products(&all, &phases, &mut supports, &mut blocks, budget)?;
        let first = first.map(|b| blocks.find(b));
        let (forward, cut) = (shared.forward, cut.map(|g| Lit::new(g, false)));
        let found = Analysis { phases, effects: all, blocks, parts, cut, first, forward };
        let is_one = found.blocks.count <= 1;
        if is_one { Err(Unfactored::Tied(found.blocks.reasons.told(net))) } else { Ok(found) }
    }

    fn factors(
        mut self,
        net: &Net,
        shared: &SharedBases,
        grounds: &Grounds,
        budget: &Budget,
    ) -> Result<Factors, Stop> {
        let kind = self.kind(net);
        let outcomes = Outcomes::new(&mut self, net, budget)?;
        let aims = Aims::new(&mut self, net, &outcomes);
        let mut roots: Vec<usize> = self.blocks.lists().iter().map(|l| l[0]).collect();
        // In a serial game the factor that is played first comes first.
        roots.sort_by_key(|r| self.first.is_some_and(|f| f != *r));
        let listed = exact::listed_end(&mut self, net, &outcomes);
        let mut factors = Vec::new();
        for (i, root) in roots.iter().enumerate() {
            budget.check()?;
            factors.push(self.game(net, *root, i + 1, &aims, listed.as_ref()));
        }
        let number = |root: &usize| roots.iter().position(|r| r == root).expect("a block");
        let goals: Vec<_> = aims
            .roles
            .iter()
            .map(|a| (a.structure, a.blocks.iter().map(number).collect(), a.checked))
            .collect();
        let ending = Ending::new(&mut self, net, &roots, &outcomes);
        let mut question = FactorQuestion {
            analysis: &mut self,
            net,
            kind,
            ending: &ending,
            aims: &aims,
            outcomes: &outcomes,
            roots: &roots,
            grounds,
            shown: vec![],
        };
        let (mut exact, settled) = (question.answer(budget)?, question.settled());
        if !matches!(exact, Exactness::Heuristic(_)) {
            for role in (0..net.roles.len()).filter(|r| question.aims.roles[*r].gaps) {
                match grounds.one_goal(net, role, budget)? {
                    true => question.shown.push(said(InvariantKind::OneGoal, &[role], net)),
                    false => exact = exact::TWO_GOALS,
                }
            }
        }
        let shown = question.shown;
        let rests_on = self.rests_on(shared).chain(shown).collect();
        let worth = aims.roles.into_iter().map(|a| a.worth.map(|w| w.values)).collect();
        let shared = (0..net.bases.len()).filter(|b| shared.bases[*b]).collect();
        let (net, cut) = (net.clone(), self.cut);
        let inputs = (0..net.inputs.len()).collect();
        Ok(Factors {
            net,
            inputs,
            kind,
            factors,
            shared,
            goals,
            ending,
            exact,
            settled,
            worth,
            rests_on,
            tie: None,
            cut,
            ticks: 0,
        })
    }

    /// What is behind the blocks themselves.
    fn rests_on(&self, shared: &SharedBases) -> impl Iterator<Item = String> + use<> {
        let phases = match shared.states.len() {
            0 | 1 => None,
            n => Some(format!("moves were checked in each of the {n} phases that no move changes")),
        };
        let cut = self.cut.map(|_| "the first factor, once over, stays over".into());
        phases.into_iter().chain(cut)
    }

    /// Has the first block of a serial game been played in this phase?
    fn is_after(&self, phase: usize) -> bool {
        let (_, holds) = self.phases[phase].gate.expect("a cut was made");
        holds != self.cut.expect("a cut was made").negated()
    }

    /// Is one block played until the cut holds, and are only the others from then on?
    fn is_serial(&mut self, net: &Net) -> bool {
        let first = self.first.expect("a cut was made");
        for at in 0..self.parts.len() {
            let after = self.is_after(self.parts[at].phase);
            let mut touched = self.parts[at].rows.iter().flatten().map(|(block, _)| *block);
            if touched.any(|block| (block == first) == after) {
                return false;
            }
            // The others wait as they are.
            let waits = |b: &usize| !self.blocks.is_shared(*b) && !after;
            for b in (0..net.bases.len()).filter(waits).collect::<Vec<_>>() {
                if self.blocks.find(b) != first && !self.effects[at].still[b] {
                    return false;
                }
            }
        }
        true
    }
}
