//! Passes: moves that change none of the facts that change once. Where they do not follow each other, every match ends.
//!
//! Facts may say so, such as that a piece was moved and the arrow is yet to come: they are true after every pass, and
//! where they are a move is none. Or only a few joint moves are passes, and none of them can follow each other for as
//! many steps as there are roles. What follows a pass is found by putting it into the net: what does not hang on whose turn it is becomes the same
//! gates as before it, so that the solver has little to do.

use super::groups::PlaceColumns;
use super::search::InvariantSearch;
use super::{Invariant, InvariantKind};
use crate::prove::{Prover, SatAnswer, Verdict};
use ludex_gdl::budget::Stop;
use ludex_net::fold::{copy, through};
use ludex_net::{Circuit, Lit, Net};

/// Joint moves that are passes.
const MOST_PASSES: usize = 6;
/// Passes one after the other, in all orders.
const MOST_SEQUENCES: usize = 40;
const MOST_STEPS: usize = 3;

/// A joint move, as inputs.
type JointMove = Vec<usize>;

impl InvariantSearch<'_> {
    /// False where matches may go on with passes alone.
    pub(super) fn passes(&mut self) -> Result<bool, Stop> {
        let about = self.once();
        let most = self.found.net.roles.len().min(MOST_STEPS);
        if about.is_empty() {
            return Ok(false);
        }
        if self.rests(&about)? {
            return Ok(true);
        }
        let Some(passes) = passes(&self.found.prover, &about)? else { return Ok(false) };
        let mut sequences: Vec<Vec<&JointMove>> = vec![vec![]];
        for steps in 1..=most {
            sequences = longer(&sequences, &passes);
            if sequences.len() > MOST_SEQUENCES {
                return Ok(false);
            }
            if steps > 1
                && let Some(lemmas) = never(&self.found.prover, &sequences)?
            {
                let longest = steps * about.len() + steps - 1;
                self.report_end(longest, about, Verdict::Proved { k: steps, lemmas });
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Facts of a group that are true after every pass, and with which no move is one.
    fn rests(&mut self, about: &[usize]) -> Result<bool, Stop> {
        let groups = self.found.proved_groups();
        let whole = groups.filter(|(g, one)| *one && g.family.iter().all(PlaceColumns::is_whole));
        let rests: Vec<Vec<usize>> =
            whole.filter_map(|(g, _)| self.after_passes(&g.bases, about)).collect();
        if rests.is_empty() {
            return Ok(false);
        }
        let (net, prover) = (&self.found.net, &mut self.found.prover);
        let mut changes = Vec::new();
        for base in about {
            let (now, next) = (net.base_lit(*base), net.bases[*base].next);
            changes.extend([prover.and([now, !next]), prover.and([!now, next])]);
        }
        let changes = prover.or(changes);
        for rest in rests {
            let next = prover.or(rest.iter().map(|b| net.bases[*b].next));
            let now = prover.or(rest.iter().map(|b| net.base_lit(*b)));
            let claims = [prover.or([changes, next]), prover.or([changes, !now])];
            if prover.implied(&claims)?.iter().all(|implied| *implied) {
                let lemmas = prover.lemmas_of(&claims, true)?;
                let verdict = Verdict::Proved { k: 2, lemmas };
                self.report_end(2 * about.len() + 1, about.to_vec(), verdict);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The facts of a group that were true after passes, if no pass began with one of them.
    fn after_passes(&self, group: &[usize], about: &[usize]) -> Option<Vec<usize>> {
        let samples = &self.found.samples;
        let is_pass =
            |s: &usize| about.iter().all(|b| samples.holds(*s, *b) == samples.holds(s + 1, *b));
        let passes: Vec<usize> = samples.steps().filter(is_pass).collect();
        let after = |b: &usize| passes.iter().any(|s| samples.holds(s + 1, *b));
        let after: Vec<usize> = group.iter().copied().filter(after).collect();
        let before = |b: &usize| passes.iter().any(|s| samples.holds(*s, *b));
        (!after.is_empty() && !after.iter().any(before)).then_some(after)
    }

    /// The facts that are proved to change only once.
    pub(super) fn once(&self) -> Vec<usize> {
        let proved = |i: &&Invariant| matches!(i.verdict, Verdict::Proved { .. });
        let proved = self.found.found.iter().filter(proved);
        let once = proved
            .filter(|i| matches!(i.kind, InvariantKind::Persistent | InvariantKind::NeverReturns));
        once.map(|i| i.about[0]).collect()
    }
}

/// All sequences with one more pass.
fn longer<'p>(
    sequences: &[Vec<&'p JointMove>],
    passes: &'p [JointMove],
) -> Vec<Vec<&'p JointMove>> {
    let with = |of: &Vec<&'p JointMove>, pass: &'p JointMove| {
        let mut of = of.clone();
        of.push(pass);
        of
    };
    sequences.iter().flat_map(|of| passes.iter().map(move |pass| with(of, pass))).collect()
}

/// The joint moves that may change none of the facts; none where these are many.
fn passes(prover: &Prover, about: &[usize]) -> Result<Option<Vec<JointMove>>, Stop> {
    let net = prover.net();
    let mut step = prover.any_state(true);
    for base in about {
        let [now, next] = [net.base_lit(*base), net.bases[*base].next].map(|lit| step.at(0, lit));
        step.clause([-now, next]);
        step.clause([now, -next]);
    }
    let mut found = Vec::new();
    loop {
        match step.solve(&[], prover.effort)? {
            SatAnswer::Unsat => return Ok(Some(found)),
            SatAnswer::Sat if found.len() < MOST_PASSES => {}
            _ => return Ok(None),
        }
        let joint = step.joint(0);
        let other: Vec<i32> = joint.iter().map(|i| -step.at(0, net.input_lit(*i))).collect();
        step.clause(other);
        found.push(joint);
    }
}

/// Whether none of these sequences of joint moves can be played, by these lemmas.
fn never(prover: &Prover, sequences: &[Vec<&JointMove>]) -> Result<Option<Vec<usize>>, Stop> {
    let mut circuit = Circuit::of(prover.net());
    let mut claims = Vec::new();
    for sequence in sequences {
        prover.budget().check()?;
        let played = played(prover.net(), &mut circuit, sequence);
        claims.push(!circuit.and_all(played));
    }
    let prover = prover.with_circuit(circuit);
    match prover.implied(&claims)?.iter().all(|implied| *implied) {
        true => Ok(Some(prover.lemmas_of(&claims, false)?)),
        false => Ok(None),
    }
}

/// What must hold of a state that a sequence of joint moves may be played from.
fn played(net: &Net, circuit: &mut Circuit, sequence: &[&JointMove]) -> Vec<Lit> {
    let mut state: Vec<Lit> = (0..net.bases.len()).map(|b| net.base_lit(b)).collect();
    let mut holds = Vec::new();
    let (bases, inputs) = (net.base_lit(0).gate(), 1 + net.bases.len());
    for joint in sequence {
        let given = |g: usize| match g {
            0 => Some(Lit::FALSE),
            _ if g < inputs => Some(state[g - bases]),
            _ if g < inputs + net.inputs.len() => {
                Some(if joint.contains(&(g - inputs)) { Lit::TRUE } else { Lit::FALSE })
            }
            _ => None,
        };
        let became = copy(net, circuit, given);
        holds.push(!through(&became, net.terminal));
        holds.extend(joint.iter().map(|i| through(&became, net.inputs[*i].legal)));
        state = net.bases.iter().map(|b| through(&became, b.next)).collect();
    }
    holds
}
