//! `Prover::local`: candidates proved each in the part of the net that decides it.
//!
//! What a candidate is after a step depends on few bases and moves, so only these are encoded. Of the
//! legality of the moves first what bases say by themselves is required, then what small conditions say.
//! With less required there are more steps than the game has: what holds after all of them is proved,
//! and what does not is left open.

use super::Prover;
use super::hypotheses::{Hypotheses, ProvedLits, UsedHypotheses};
use super::unroll::{UnrollStart, Unrolling};
use ludex_gdl::budget::Stop;
use ludex_net::Lit;
use ludex_sat::SatAnswer;

/// Conflicts of the solver in one question.
const EFFORT: i32 = 200;
/// The gates of the conditions of legality that are required, one try after the other.
const CONDITIONS: [u32; 2] = [0, 100];
/// Questions in a row that stay open until no more are asked.
const MOST_OPEN: usize = 12;

impl Prover {
    /// Candidates that are inductive together by local proofs, with the lemmas that were used; the
    /// others are open.
    pub fn local(&self, candidates: &[Lit]) -> Result<ProvedLits, Stop> {
        let mut hypotheses = Hypotheses::new(self, self.initially(candidates)?);
        let sizes = self.net.sizes();
        let mut asked = hypotheses.left();
        while !asked.is_empty() {
            let mut open = 0;
            // Candidates about the same bases share a solver.
            let same = |a: &usize, b: &usize| hypotheses.reads[*a] == hypotheses.reads[*b];
            let parts: Vec<Vec<usize>> = asked.chunk_by(same).map(<[usize]>::to_vec).collect();
            for part in parts {
                let before = open;
                if open < MOST_OPEN {
                    open += self.prove_locally(&part, &sizes, &mut hypotheses)?;
                } else {
                    part.iter().for_each(|c| hypotheses.drop(*c));
                }
                open = if open == before { 0 } else { open };
            }
            asked = hypotheses.unsupported();
        }
        Ok(hypotheses.proved())
    }

    /// Proofs of candidates about the same bases, and the number of those that stay open.
    fn prove_locally(
        &self,
        asked: &[usize],
        sizes: &[u32],
        hypotheses: &mut Hypotheses,
    ) -> Result<usize, Stop> {
        let mut step = Unrolling::new(&self.net, UnrollStart::Any, &self.budget).sparse();
        let fails = asked.iter().map(|c| (*c, -step.at(1, hypotheses.lits[*c])));
        let mut open: Vec<(usize, i32)> = fails.collect();
        let mut switches = vec![None; hypotheses.lits.len()];
        for gates in CONDITIONS {
            step.require_encoded(0, gates, sizes);
            let encoded = |b: &usize| step.is_encoded(0, self.net.base_lit(*b));
            let bases: Vec<usize> = (0..self.net.bases.len()).filter(encoded).collect();
            let assumed = hypotheses.switch_on(&bases, &mut switches, &mut step);
            let mut still = Vec::new();
            for (c, fails) in open {
                let question: Vec<i32> = assumed.iter().map(|a| a.1).chain([fails]).collect();
                match step.solve(&question, EFFORT)? {
                    SatAnswer::Unsat => hypotheses.prove(c, UsedHypotheses::of(&assumed, &step)),
                    _ => still.push((c, fails)),
                }
            }
            open = still;
        }
        open.iter().for_each(|(c, _)| hypotheses.drop(*c));
        Ok(open.len())
    }
}
