//! `Net` -> `Settled`: what has its value for good from the first state on.

use ludex_facts::fluents::Fluents;
use ludex_facts::invariants::{PlaceColumns, groups};
use ludex_facts::latches::{finally, finally_with};
use ludex_facts::prove::Prover;
use ludex_facts::samples::Samples;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Lit, Net};
use std::sync::Arc;

/// What has its value for good from the first state on, whatever is played. A symmetry leaves it alone.
#[derive(Clone, Debug)]
pub struct Settled {
    pub bases: Vec<Option<bool>>,
    /// Moves that are never made, or always.
    pub inputs: Vec<Option<bool>>,
}

impl Settled {
    /// What the structure of the net shows, and what is proved of facts that were never seen to change.
    pub fn of(net: &Net, budget: &Budget) -> Result<Settled, Stop> {
        let initial: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
        let mut found = finally(net, &initial);
        let proofs = budget.lasting(PROOF_SECONDS);
        if let Ok(for_good) = proved(net, &found.bases, &proofs)
            && for_good.iter().any(Option::is_some)
        {
            found = finally_with(net, &initial, &for_good);
            let values = found.bases.iter_mut().zip(for_good);
            values.for_each(|(value, proved)| *value = value.or(proved));
        }
        budget.check()?;
        Ok(Settled { bases: found.bases, inputs: found.inputs })
    }

    /// Nothing is known to stay as it is.
    pub fn nothing(bases: usize, inputs: usize) -> Settled {
        Settled { bases: vec![None; bases], inputs: vec![None; inputs] }
    }

    /// Whether a state has all that is settled.
    pub fn agrees(&self, state: &[bool]) -> bool {
        self.bases.iter().zip(state).all(|(settled, value)| settled.is_none_or(|s| s == *value))
    }
}

/// Seconds for proofs that facts never change.
const PROOF_SECONDS: f64 = 2.0;
/// Conflicts of the solver in such a proof, and facts that are proved together at the most.
const EFFORT: i32 = 5_000;
const MOST_JOINT: usize = 500;
/// Relations with more facts say nothing about turns.
const LARGEST_GROUP: usize = 64;

/// Facts that were never seen to change, as far as induction shows that they do not.
fn proved(net: &Net, known: &[Option<bool>], budget: &Budget) -> Result<Vec<Option<bool>>, Stop> {
    let shared = Arc::new(net.clone());
    let samples = Samples::usual(&shared, budget)?;
    let value = |b: usize| net.bases[b].initial;
    let changes = |b: usize| (0..samples.states.len()).any(|s| samples.holds(s, b) != value(b));
    // Of facts that do not hold at first too many were only not seen yet.
    let open = (0..net.bases.len()).filter(|b| value(*b) && known[*b].is_none() && !changes(*b));
    let lit = |b: usize| net.base_lit(b);
    let candidates: Vec<Lit> = open.map(lit).collect();
    if candidates.is_empty() {
        return Ok(known.to_vec());
    }
    let mut for_good = known.to_vec();
    let mut prover = Prover::new(net.clone(), budget);
    prover.effort = EFFORT;
    for (b, value) in known.iter().enumerate().filter_map(|(b, v)| Some((b, (*v)?))) {
        prover.add_lemma(if value { net.base_lit(b) } else { !net.base_lit(b) });
    }
    // A proof that runs out of its time leaves what others show.
    learn_turns(&mut prover, &samples).unwrap_or_default();
    let mut note = |prover: &mut Prover, stay: Vec<Lit>| {
        for lit in stay {
            for_good[lit.gate() - 1] = Some(!lit.negated());
            prover.add_lemma(lit);
        }
        candidates.iter().copied().filter(|l| for_good[l.gate() - 1].is_none()).collect()
    };
    let by_moves = prover.by_moves(&candidates).ok().flatten().unwrap_or_default().0;
    let open: Vec<Lit> = note(&mut prover, by_moves);
    let locally = prover.local(&open).unwrap_or_default().0;
    let open: Vec<Lit> = note(&mut prover, locally);
    if open.len() <= MOST_JOINT {
        let together = prover.inductive(&open).unwrap_or_default();
        note(&mut prover, together);
    }
    Ok(for_good)
}

/// Whole relations that always had one fact, as far as local proofs show that they do: whose turn it is.
fn learn_turns(prover: &mut Prover, samples: &Samples) -> Result<(), Stop> {
    let fluents = Fluents::new(prover.net());
    for group in groups(&fluents, samples) {
        if group.family.iter().all(PlaceColumns::is_whole)
            && group.always
            && (2..=LARGEST_GROUP).contains(&group.bases.len())
        {
            let lits: Vec<Lit> = group.bases.iter().map(|b| prover.net().base_lit(*b)).collect();
            let one = [prover.at_most_one(&lits), prover.or(lits)];
            let proved = prover.local(&one)?.0;
            for lit in proved {
                prover.add_lemma(lit);
            }
        }
    }
    Ok(())
}
