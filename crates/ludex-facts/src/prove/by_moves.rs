//! `Prover::by_moves`: candidates proved move by move, where one role at a time has a choice.
//!
//! What a move makes of a base is a literal over the state before it, mostly a constant, so there is
//! little to search for: a candidate that a move does not touch stays what it is, and most of the
//! others come out true by themselves. What is left is asked of a solver that knows states and no
//! moves. That all others wait while one role moves is proved first.

use super::Prover;
use super::hypotheses::{Hypotheses, ProvedLits, UsedHypotheses};
use super::unroll::{UnrollStart, Unrolling};
use indexmap::IndexMap;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::{MoveEffects, Turns};
use ludex_net::{Gate, Lit, Net};
use ludex_sat::SatAnswer;
use rustc_hash::FxHashMap;

/// Conflicts of the solver in one question.
const EFFORT: i32 = 100;
/// Cases in a row that stay open until no more are asked about.
const MOST_OPEN: usize = 12;
/// What is looked at to find out what moves do.
const WORK: usize = 300_000_000;
/// The most parts of a role's moves whose conditions are looked at.
const MOST_PARTS: usize = 8;
/// Hypotheses about the bases of conditions are assumed where these read no more gates.
const SMALL: usize = 40;

/// A candidate after moves of a role.
#[derive(PartialEq, Eq, Hash)]
struct MoveCase {
    candidate: usize,
    role: usize,
    /// Whether the moves touch it.
    touched: bool,
    /// What it is then, over the state before.
    after: Lit,
}

/// The cases in which a candidate is not seen to hold, with the moves that touch it.
type Cases = IndexMap<MoveCase, Vec<usize>>;

impl Prover {
    /// Candidates that are inductive together, with the lemmas that were used; the others are open.
    /// None where it is not known that roles take turns.
    pub fn by_moves(&self, candidates: &[Lit]) -> Result<Option<ProvedLits>, Stop> {
        let Some(waiting) = Turns::guess(&self.net).waiting else { return Ok(None) };
        if !self.take_turns(&waiting)? {
            return Ok(None);
        }
        let mut hypotheses = Hypotheses::new(self, self.initially(candidates)?);
        let effects = MoveEffects::within(&self.net, Some(&waiting), WORK, &self.budget)?;
        if effects.rest.len() < self.net.roles.len() {
            return Ok(None);
        }
        let mut moves = MoveCases { net: &self.net, effects };
        let cases = moves.cases(&mut hypotheses, &self.budget)?;
        let net = Net { gates: moves.effects.circuit.gates, ..self.net.clone() };
        let state = Unrolling::new(&net, UnrollStart::Any, &self.budget).sparse();
        let switches = vec![None; hypotheses.lits.len()];
        let mut proof = Proof { net: &net, waiting, hypotheses, state, switches };
        proof.run(&cases)?;
        Ok(Some(proof.hypotheses.proved()))
    }

    /// Whether no two roles can both make another move than that with which they wait.
    fn take_turns(&self, waiting: &[usize]) -> Result<bool, Stop> {
        let mut state = self.any_state(false);
        let needs = waiting.iter().enumerate().map(|(role, wait)| self.needs(role, *wait));
        let needs: Vec<Vec<Vec<Lit>>> = needs.collect();
        for (i, one) in needs.iter().enumerate() {
            let others = needs[..i].iter().flatten();
            for (a, b) in others.flat_map(|b| one.iter().map(move |a| (a, b))) {
                let both: Vec<i32> = a.iter().chain(b).map(|l| state.at(0, *l)).collect();
                if state.solve(&both, EFFORT)? != SatAnswer::Unsat {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The conditions of legality that moves of a role share, in a few parts that together are all moves
    /// but one: those of a phase of a turn, such as that of moving and that of shooting.
    fn needs(&self, role: usize, waiting: usize) -> Vec<Vec<Lit>> {
        let moves = self.net.inputs_of(role).filter(|i| *i != waiting);
        let mut left: Vec<Vec<Lit>> =
            moves.map(|i| self.net.conjuncts(self.net.inputs[i].legal)).collect();
        let mut parts = Vec::new();
        while !left.is_empty() {
            let mut counts: FxHashMap<Lit, usize> = FxHashMap::default();
            left.iter().flatten().for_each(|l| *counts.entry(*l).or_default() += 1);
            let usual = counts.into_iter().max_by_key(|(lit, count)| (*count, *lit));
            // The last part is all that is left, whatever it shares.
            let usual = usual.map(|u| u.0).filter(|_| parts.len() + 1 < MOST_PARTS);
            let has = |conditions: &Vec<Lit>| {
                usual.is_none_or(|usual| conditions.binary_search(&usual).is_ok())
            };
            let (part, others): (Vec<_>, Vec<_>) = left.into_iter().partition(has);
            let shared = part.into_iter().reduce(|mut shared, conditions| {
                shared.retain(|c| conditions.binary_search(c).is_ok());
                shared
            });
            parts.extend(shared);
            left = others;
        }
        parts
    }
}

/// What a move does: the bases that become something else, and the conditions of its legality, in
/// order.
struct After {
    changes: Vec<(u32, Lit)>,
    legal: Vec<Lit>,
}

/// A literal where these are true, if one of them is that literal.
fn where_true(conditions: &[Lit], lit: Lit) -> Lit {
    let is_true = |lit: Lit| conditions.binary_search(&lit).is_ok();
    match (is_true(lit), is_true(!lit)) {
        (true, _) => Lit::TRUE,
        (_, true) => Lit::FALSE,
        _ => lit,
    }
}

/// What moves make of candidates.
struct MoveCases<'a> {
    net: &'a Net,
    effects: MoveEffects,
}

impl MoveCases<'_> {
    /// Candidates that read bases of which it is not known what moves make of them are dropped, and
    /// those that read loops, of which there is no copy for the state after a move.
    fn cases(&mut self, of: &mut Hypotheses, budget: &Budget) -> Result<Cases, Stop> {
        for c in of.left() {
            let wired = of.reads[c].iter().flatten().any(|b| self.effects.wired[*b]);
            if wired || self.net.reads_loops(of.lits[c]) {
                of.drop(c);
            }
        }
        let mut cases = Cases::new();
        for role in 0..self.net.roles.len() {
            for c in of.left() {
                let bases = of.reads[c].as_ref().expect("left");
                let stays = |b: &usize| self.effects.rest[role][*b] == self.net.base_lit(*b);
                if !bases.iter().all(stays) {
                    self.case(c, role, None, of, &mut cases);
                }
            }
            for i in self.net.inputs_of(role) {
                budget.check()?;
                let changes = std::mem::take(&mut self.effects.changes[i]);
                let touched = changes.iter().flat_map(|c| of.readers(c.0 as usize));
                let mut touched: Vec<usize> =
                    touched.filter(|c| of.is_candidate(*c) && of.is_left(*c)).collect();
                touched.sort_unstable();
                touched.dedup();
                let legal = self.net.conjuncts(self.net.inputs[i].legal);
                let after = Some(After { changes, legal });
                for c in touched {
                    if let Some(inputs) = self.case(c, role, after.as_ref(), of, &mut cases) {
                        inputs.push(i);
                    }
                }
            }
        }
        Ok(cases)
    }

    /// The case of a candidate after a move, or after those that do not touch it, unless it holds then.
    fn case<'c>(
        &mut self,
        candidate: usize,
        role: usize,
        after: Option<&After>,
        of: &Hypotheses,
        cases: &'c mut Cases,
    ) -> Option<&'c mut Vec<usize>> {
        let bases = of.reads[candidate].as_ref().expect("left");
        let rest = &self.effects.rest[role];
        let mut values: FxHashMap<usize, Lit> = bases.iter().map(|b| (*b, rest[*b])).collect();
        if let Some(After { changes, legal }) = after {
            for (base, lit) in changes {
                values.entry(*base as usize).and_modify(|value| *value = *lit);
            }
            values.values_mut().for_each(|value| *value = where_true(legal, *value));
        }
        let touched = after.is_some();
        let after = self.after(of.lits[candidate], &values);
        let case = MoveCase { candidate, role, touched, after };
        (after != Lit::TRUE).then(|| cases.entry(case).or_default())
    }

    /// A literal over the next state as one over this, with what becomes of the bases.
    fn after(&mut self, lit: Lit, values: &FxHashMap<usize, Lit>) -> Lit {
        let mut known: FxHashMap<usize, Lit> = FxHashMap::default();
        let mut open = vec![lit.gate()];
        while let Some(&g) = open.last() {
            let gate = self.net.gates[g];
            let (a, b) = match gate {
                Gate::And(a, b) | Gate::Or(a, b) => (a, b),
                Gate::LoopAnd(..) | Gate::LoopOr(..) => unreachable!("candidates read no loops"),
                Gate::Base(_) | Gate::Input(_) | Gate::False => {
                    let leaf = |b: u32| values[&(b as usize)];
                    known.insert(g, if let Gate::Base(b) = gate { leaf(b) } else { Lit::FALSE });
                    open.pop();
                    continue;
                }
            };
            let operands = [a, b].map(|l| known.get(&l.gate()).map(|value| signed(*value, l)));
            let [Some(x), Some(y)] = operands else {
                let missing = [a, b].into_iter().filter(|l| !known.contains_key(&l.gate()));
                open.extend(missing.map(Lit::gate));
                continue;
            };
            let circuit = &mut self.effects.circuit;
            let both = matches!(gate, Gate::And(..));
            known.insert(g, if both { circuit.and(x, y) } else { circuit.or(x, y) });
            open.pop();
        }
        signed(known[&lit.gate()], lit)
    }
}

/// `value` as `lit` is signed.
fn signed(value: Lit, lit: Lit) -> Lit {
    if lit.negated() { !value } else { value }
}

struct Proof<'a> {
    /// With what moves do as gates over the state.
    net: &'a Net,
    waiting: Vec<usize>,
    hypotheses: Hypotheses,
    state: Unrolling<'a>,
    switches: Vec<Option<i32>>,
}

impl Proof<'_> {
    /// Asks about all cases, and again about those of candidates whose proofs used what was dropped.
    fn run(&mut self, cases: &Cases) -> Result<(), Stop> {
        let mut asked = self.hypotheses.left();
        let mut open = 0;
        while !asked.is_empty() {
            for (case, inputs) in cases {
                let c = case.candidate;
                if !self.hypotheses.is_left(c) || asked.binary_search(&c).is_err() {
                    continue;
                }
                if open < MOST_OPEN && self.holds(case, inputs)? {
                    open = 0;
                } else {
                    open += 1;
                    self.hypotheses.drop(c);
                }
            }
            asked = self.hypotheses.unsupported();
        }
        Ok(())
    }

    /// A case holds whatever the move was, or after each of the moves where it is legal.
    fn holds(&mut self, case: &MoveCase, inputs: &[usize]) -> Result<bool, Stop> {
        let conditions = |i: usize| self.net.conjuncts(self.net.inputs[i].legal);
        let others = self.waiting.iter().enumerate().filter(|(role, _)| *role != case.role);
        let waits: Vec<Lit> = others.flat_map(|(_, wait)| conditions(*wait)).collect();
        if self.ask(case, &waits)? {
            return Ok(true);
        }
        for i in inputs {
            let legal: Vec<Lit> = conditions(*i).into_iter().chain(waits.clone()).collect();
            if !self.ask(case, &legal)? {
                return Ok(false);
            }
        }
        Ok(case.touched)
    }

    /// Whether the candidate holds in the case wherever these conditions do.
    fn ask(&mut self, case: &MoveCase, conditions: &[Lit]) -> Result<bool, Stop> {
        let mut bases = self.net.reads(case.after, usize::MAX).unwrap_or_default();
        let small = conditions.iter().filter_map(|c| self.net.reads(*c, SMALL));
        bases.extend(small.flatten());
        let of = &self.hypotheses;
        let assumed = of.switch_on(&bases, &mut self.switches, &mut self.state);
        let mut question: Vec<i32> = assumed.iter().map(|a| a.1).collect();
        question.push(-self.state.at(0, case.after));
        question.extend(conditions.iter().map(|c| self.state.at(0, *c)));
        if self.state.solve(&question, EFFORT)? != SatAnswer::Unsat {
            return Ok(false);
        }
        self.hypotheses.prove(case.candidate, UsedHypotheses::of(&assumed, &self.state));
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;
    use ludex_net::ground::Ground;

    fn prover(text: &str) -> Prover {
        let (rules, _) = Rules::read(&Source::new("game", text), None).expect("rules");
        let budget = Budget::unlimited();
        let ground = Ground::new(&rules, &budget).expect("small");
        Prover::new(Net::new(&ground, &budget).expect("no limit"), &budget)
    }

    fn base(prover: &Prover, name: &str) -> Lit {
        let bases = &prover.net.bases;
        prover.net.base_lit(bases.iter().position(|b| b.name == name).expect(name))
    }

    /// Two roles in turn move their piece around four squares, and capture.
    const RING: &str = "(role w) (role b) (init (at 1 x)) (init (at 3 o)) (init (turn w))
        (piece w x) (piece b o) (near 1 2) (near 2 3) (near 3 4) (near 4 1)
        (near 2 1) (near 3 2) (near 4 3) (near 1 4)
        (<= (legal ?r (go ?a ?b)) (true (turn ?r)) (piece ?r ?p) (true (at ?a ?p)) (near ?a ?b))
        (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
        (<= (next (at ?b ?p)) (does ?r (go ?a ?b)) (true (at ?a ?p)))
        (<= (next (at ?c ?p)) (does ?r (go ?a ?b)) (true (at ?c ?p)) (distinct ?c ?a) (distinct ?c ?b))
        (<= (next (turn w)) (true (turn b))) (<= (next (turn b)) (true (turn w)))
        (<= terminal (not (true (at 1 x))) (not (true (at 2 x)))
            (not (true (at 3 x))) (not (true (at 4 x))))
        (<= terminal (not (true (at 1 o))) (not (true (at 2 o)))
            (not (true (at 3 o))) (not (true (at 4 o))))
        (goal w 0) (goal b 0)";

    #[test]
    fn a_square_holds_one_piece() {
        let mut prover = prover(RING);
        let squares = ["1", "2", "3", "4"].map(|n| {
            let lits = ["x", "o"].map(|p| base(&prover, &format!("(at {n} {p})")));
            prover.at_most_one(&lits)
        });
        // Without whose turn it is both might move at once.
        assert!(prover.by_moves(&squares).expect("no limit").is_none());
        let turn = ["w", "b"].map(|r| base(&prover, &format!("(turn {r})")));
        let turn = prover.at_most_one(&turn);
        assert_eq!(prover.local(&[turn]), Ok((vec![turn], vec![])));
        prover.add_lemma(turn);
        let x = base(&prover, "(at 2 x)");
        let asked = [squares.as_slice(), &[!x]].concat();
        let (kept, lemmas) = prover.by_moves(&asked).expect("no limit").expect("turns");
        assert_eq!((kept, lemmas), (squares.to_vec(), vec![]));
    }

    /// After most moves `a` is what `q` was, after `i` it is `b`: of the same value, but only `i` asks
    /// for `q` or `p`, and `p` is never true.
    const SAME: &str = "(role r) (init a) (legal r m) (legal r n) (legal r o)
        (<= (legal r i) (or (true q) (true p)))
        (<= (next a) (not (does r i)) (true q)) (<= (next b) (does r i) (true q))
        (<= (next q) (does r m) (not (true a))) (<= (next p) (does r n) (not (true a)))
        (<= terminal (true b)) (goal r 0)";

    #[test]
    fn moves_that_do_not_touch_are_a_case_of_their_own() {
        let mut prover = prover(SAME);
        let [a, b, p] = ["a", "b", "p"].map(|name| base(&prover, name));
        let some = prover.or([a, b]);
        prover.add_lemma(!p);
        let (kept, _) = prover.by_moves(&[some]).expect("no limit").expect("one role");
        assert_eq!(kept, []);
    }
}
