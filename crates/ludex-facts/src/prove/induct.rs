//! `Prover`: k-induction with lemmas, and many candidates proved together.
//!
//! Steps go by legal joint moves from states that are not terminal. A property that reads inputs is
//! asked of every legal joint move in a state that is not terminal.

use super::unroll::{UnrollStart, Unrolling};
use super::verdict::Verdict;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::{Circuit, Gate, Lit, Net};
use ludex_sat::SatAnswer;

/// A net to which gates for properties are added, and what has been proved of it.
#[derive(Clone)]
pub struct Prover {
    pub(super) net: Net,
    pub(super) lemmas: Vec<Lit>,
    pub(super) budget: Budget,
    /// Conflicts that the solver may spend on one question.
    pub effort: i32,
}

impl Prover {
    pub fn new(net: Net, budget: &Budget) -> Prover {
        Prover { net, lemmas: vec![], budget: budget.clone(), effort: 200_000 }
    }

    /// Later proofs go by another budget.
    pub fn limit(&mut self, budget: &Budget) {
        self.budget = budget.clone();
    }

    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    pub fn net(&self) -> &Net {
        &self.net
    }

    pub fn and(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().fold(Lit::TRUE, |a, b| match (a, b) {
            (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
            (Lit::TRUE, x) | (x, Lit::TRUE) => x,
            _ => {
                self.net.gates.push(Gate::And(a, b));
                Lit::new(self.net.gates.len() - 1, false)
            }
        })
    }

    pub fn or(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and(lits.into_iter().map(|l| !l))
    }

    /// At most one of these holds: no one holds together with one before it.
    pub fn at_most_one(&mut self, lits: &[Lit]) -> Lit {
        let mut before = Lit::FALSE;
        let mut clashes = Vec::new();
        for lit in lits {
            clashes.push(self.and([before, *lit]));
            before = self.or([before, *lit]);
        }
        !self.or(clashes)
    }

    /// That a role has exactly one goal value if the state is terminal.
    pub fn one_goal(&mut self, role: usize) -> Lit {
        let goals: Vec<Lit> = self.net.goals[role].iter().map(|g| g.1).collect();
        let (one, some) = (self.at_most_one(&goals), self.or(goals));
        let exactly = self.and([one, some]);
        self.or([!self.net.terminal, exactly])
    }

    /// The same with a net that a circuit of it has grown to.
    pub(crate) fn with_circuit(&self, circuit: Circuit) -> Prover {
        let (gates, components) = (circuit.gates, circuit.components);
        Prover { net: Net { gates, components, ..self.net.clone() }, ..self.clone() }
    }

    /// The number of lemmas.
    pub fn lemmas(&self) -> usize {
        self.lemmas.len()
    }

    /// A property that is known to hold in every reachable state helps in later proofs.
    pub fn add_lemma(&mut self, lemma: Lit) -> usize {
        self.lemmas.push(lemma);
        self.lemmas.len() - 1
    }

    /// Decides a property by induction over 1 to `max_k` steps.
    pub fn prove(&self, property: Lit, max_k: usize) -> Result<Verdict, Stop> {
        self.induct(property, self.net.reads_inputs(property), max_k)
    }

    /// The same for a property of steps, whether it reads inputs or not.
    pub(crate) fn prove_of_steps(&self, property: Lit, max_k: usize) -> Result<Verdict, Stop> {
        self.induct(property, true, max_k)
    }

    fn induct(&self, property: Lit, with_moves: bool, max_k: usize) -> Result<Verdict, Stop> {
        let mut plays = Unrolling::new(&self.net, UnrollStart::Initial, &self.budget);
        let mut steps = Unrolling::new(&self.net, UnrollStart::Any, &self.budget);
        let mut lemmas = Vec::new();
        for k in 1..=max_k {
            // 1. Every play of k - 1 moves.
            let fails = -plays.at(k - 1, property);
            if with_moves {
                self.go_on(&mut plays, k - 1);
            }
            match plays.solve(&[fails], self.effort)? {
                SatAnswer::Sat => {
                    let moves = (0..k - 1 + with_moves as usize).map(|t| plays.joint(t)).collect();
                    return Ok(Verdict::Refuted { moves });
                }
                SatAnswer::Unknown => return Ok(Verdict::Unknown { k: k - 1 }),
                SatAnswer::Unsat => self.go_on(&mut plays, k - 1),
            }
            // 2. From any state, k steps with the property lead to a state with the property.
            let holds = steps.at(k - 1, property);
            steps.clause([holds]);
            self.go_on(&mut steps, k - 1);
            self.assume_lemmas(&mut steps, k - 1, &mut lemmas);
            self.assume_lemmas(&mut steps, k, &mut lemmas);
            if with_moves {
                self.go_on(&mut steps, k);
            }
            let mut assumptions = lemmas.clone();
            assumptions.push(-steps.at(k, property));
            if steps.solve(&assumptions, self.effort)? == SatAnswer::Unsat {
                let used = (0..lemmas.len()).filter(|i| steps.needed(lemmas[*i]));
                return Ok(Verdict::Proved { k, lemmas: used.collect() });
            }
        }
        Ok(Verdict::Unknown { k: max_k })
    }

    /// The candidates that are inductive all together: those that fail in the initial state or after
    /// a step from a state in which all remaining ones hold are dropped until none is left to drop.
    pub fn inductive(&self, candidates: &[Lit]) -> Result<Vec<Lit>, Stop> {
        Ok(self.inductive_within(candidates, usize::MAX)?.0)
    }

    /// The same, but after so many `rounds` of the solver all that are left are dropped; with the
    /// lemmas that were used.
    pub(crate) fn inductive_within(
        &self,
        candidates: &[Lit],
        rounds: usize,
    ) -> Result<(Vec<Lit>, Vec<usize>), Stop> {
        let (mut steps, lemmas) = self.any_step();
        let mut parts = Vec::new();
        for lit in self.initially(candidates)? {
            let (switch, before, after) = (steps.fresh(), steps.at(0, lit), steps.at(1, lit));
            steps.clause([-switch, before]);
            parts.push(JointCandidate { lit, switch, fails: -after });
        }
        let (used, effort) = (vec![false; lemmas.len()], self.effort / 10);
        let mut remaining = Remaining { steps, lemmas, used, parts, effort, rounds };
        if !remaining.drop_together()? {
            remaining.drop_one_by_one()?;
        }
        let used = (0..remaining.used.len()).filter(|i| remaining.used[*i]).collect();
        Ok((remaining.parts.into_iter().map(|p| p.lit).collect(), used))
    }

    /// Which properties follow from the lemmas alone: in every state where those hold and, where a
    /// property reads inputs, for every legal joint move in a state that is not terminal.
    pub(crate) fn implied(&self, properties: &[Lit]) -> Result<Vec<bool>, Stop> {
        let (implied, stop) = self.implied_in_time(properties, false);
        stop.map_or(Ok(implied), Err)
    }

    /// The same as far as the budget goes: what was not asked any more is not known to follow. Properties `of_steps`
    /// are asked of moves whether they read inputs or not: nothing follows an end.
    pub(crate) fn implied_in_time(
        &self,
        properties: &[Lit],
        of_steps: bool,
    ) -> (Vec<bool>, Option<Stop>) {
        let mut unrollings = [None, None];
        let mut implied = vec![false; properties.len()];
        for (property, follows) in properties.iter().zip(&mut implied) {
            let moves = of_steps || self.net.reads_inputs(*property);
            let state = unrollings[moves as usize].get_or_insert_with(|| self.any_state(moves));
            let fails = -state.at(0, *property);
            match state.solve(&[fails], self.effort) {
                Ok(answer) => *follows = answer == SatAnswer::Unsat,
                Err(stop) => return (implied, Some(stop)),
            }
        }
        (implied, None)
    }

    /// The lemmas that were used to show that these properties follow from all; all of them where the
    /// solver gives up.
    pub(crate) fn lemmas_of(&self, implied: &[Lit], of_steps: bool) -> Result<Vec<usize>, Stop> {
        let mut state = Unrolling::new(&self.net, UnrollStart::Any, &self.budget);
        let mut lemmas = Vec::new();
        self.assume_lemmas(&mut state, 0, &mut lemmas);
        if of_steps || implied.iter().any(|lit| self.net.reads_inputs(*lit)) {
            self.go_on(&mut state, 0);
        }
        let fails: Vec<i32> = implied.iter().map(|lit| -state.at(0, *lit)).collect();
        state.clause(fails);
        let unsat = state.solve(&lemmas, self.effort)? == SatAnswer::Unsat;
        Ok((0..lemmas.len()).filter(|i| !unsat || state.needed(lemmas[*i])).collect())
    }

    /// Any state in which the lemmas hold; with `moves` one that is not terminal, and a legal joint
    /// move in it.
    pub fn any_state(&self, moves: bool) -> Unrolling<'_> {
        let mut state = Unrolling::new(&self.net, UnrollStart::Any, &self.budget);
        for lemma in &self.lemmas {
            let holds = state.at(0, *lemma);
            state.clause([holds]);
        }
        if moves {
            self.go_on(&mut state, 0);
        }
        state
    }

    /// So many legal joint moves one after the other, from a state in which the lemmas hold, with a switch for each
    /// lemma to be assumed.
    pub(crate) fn any_moves(&self, steps: usize) -> (Unrolling<'_>, Vec<i32>) {
        let mut play = Unrolling::new(&self.net, UnrollStart::Any, &self.budget);
        let mut switches = Vec::new();
        for t in 0..steps {
            self.go_on(&mut play, t);
            self.assume_lemmas(&mut play, t, &mut switches);
        }
        (play, switches)
    }

    /// Any step between states in which the lemmas hold, with a switch for each lemma to be assumed.
    pub(crate) fn any_step(&self) -> (Unrolling<'_>, Vec<i32>) {
        let mut steps = Unrolling::new(&self.net, UnrollStart::Any, &self.budget);
        let mut switches = Vec::new();
        self.go_on(&mut steps, 0);
        self.assume_lemmas(&mut steps, 0, &mut switches);
        self.assume_lemmas(&mut steps, 1, &mut switches);
        (steps, switches)
    }

    /// The candidates that hold in the initial state.
    pub(super) fn initially(&self, candidates: &[Lit]) -> Result<Vec<Lit>, Stop> {
        let mut start = Unrolling::new(&self.net, UnrollStart::Initial, &self.budget);
        let mut left = Vec::new();
        for lit in candidates {
            let fails = -start.at(0, *lit);
            if start.solve(&[fails], self.effort)? == SatAnswer::Unsat {
                left.push(*lit);
            }
        }
        Ok(left)
    }

    /// The game goes on after a step: the state is not terminal and a legal joint move is made.
    fn go_on(&self, steps: &mut Unrolling, t: usize) {
        let terminal = steps.at(t, self.net.terminal);
        steps.clause([-terminal]);
        steps.require_moves(t);
    }

    fn assume_lemmas(&self, steps: &mut Unrolling, t: usize, switches: &mut Vec<i32>) {
        for (i, lemma) in self.lemmas.iter().enumerate() {
            if switches.len() <= i {
                switches.push(steps.fresh());
            }
            let holds = steps.at(t, *lemma);
            steps.clause([-switches[i], holds]);
        }
    }
}

/// A candidate of a joint induction.
struct JointCandidate {
    lit: Lit,
    /// Implies that it holds before the step.
    switch: i32,
    /// It does not hold after the step.
    fails: i32,
}

/// The candidates that are left in a joint induction.
struct Remaining<'n> {
    steps: Unrolling<'n>,
    lemmas: Vec<i32>,
    /// The lemmas that were needed since candidates were asked for.
    used: Vec<bool>,
    parts: Vec<JointCandidate>,
    effort: i32,
    rounds: usize,
}

impl Remaining<'_> {
    /// Lets the solver find any candidate that fails. False where it gave up.
    fn drop_together(&mut self) -> Result<bool, Stop> {
        while !self.parts.is_empty() {
            let some = self.steps.fresh();
            self.steps.clause(self.parts.iter().map(|p| p.fails).chain([-some]));
            let answer = self.solve(some)?;
            self.steps.clause([-some]);
            match answer {
                SatAnswer::Unsat => return Ok(true),
                SatAnswer::Unknown => return Ok(false),
                SatAnswer::Sat => {}
            }
        }
        Ok(true)
    }

    /// Asks for every candidate by itself until all that are left were asked since the last drop.
    fn drop_one_by_one(&mut self) -> Result<(), Stop> {
        let (mut at, mut good) = (0, 0);
        while good < self.parts.len() {
            at %= self.parts.len();
            match self.solve(self.parts[at].fails)? {
                SatAnswer::Unsat => (at, good) = (at + 1, good + 1),
                SatAnswer::Sat => good = 0,
                SatAnswer::Unknown => {
                    self.parts.remove(at);
                    good = 0;
                }
            }
        }
        Ok(())
    }

    /// Drops the candidates that fail in a model of this question, or all if it is one too many.
    fn solve(&mut self, question: i32) -> Result<SatAnswer, Stop> {
        if self.rounds == 0 {
            self.parts.clear();
            return Ok(SatAnswer::Sat);
        }
        self.rounds -= 1;
        let switches = self.parts.iter().map(|p| p.switch);
        let assumptions: Vec<i32> =
            switches.chain(self.lemmas.iter().copied()).chain([question]).collect();
        let answer = self.steps.solve(&assumptions, self.effort)?;
        let steps = &self.steps;
        match answer {
            SatAnswer::Sat => self.parts.retain(|p| steps.holds(1, p.lit)),
            SatAnswer::Unsat => {
                let needed = self.lemmas.iter().map(|lemma| steps.needed(*lemma));
                self.used.iter_mut().zip(needed).for_each(|(used, needed)| *used |= needed);
            }
            SatAnswer::Unknown => {}
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_net::{Base, Input};

    /// Two buttons that stay pressed (paper 003, Figure 1); `b` is worn out: it can be pressed only
    /// while `a` is not. Gates p and q hold each other up: p = a or q, q = p and b.
    #[expect(clippy::single_range_in_vec_init)]
    fn buttons() -> Net {
        let lit = |g| Lit::new(g, false);
        let base = |name: &str, next| Base { name: name.into(), initial: false, next };
        let input = |name: &str, legal| Input { role: 0, name: name.into(), legal };
        let gates = vec![
            Gate::False,
            Gate::Base(0),
            Gate::Base(1),
            Gate::Input(0),
            Gate::Input(1),
            Gate::Or(lit(1), lit(3)),
            Gate::Or(lit(2), lit(4)),
            Gate::LoopOr(lit(1), lit(8)),
            Gate::LoopAnd(lit(7), lit(2)),
        ];
        Net {
            name: "buttons".into(),
            roles: vec!["you".into()],
            bases: vec![base("a", lit(5)), base("b", lit(6))],
            inputs: vec![input("press-a", Lit::TRUE), input("press-b", !lit(1))],
            gates,
            components: vec![7..9],
            terminal: Lit::FALSE,
            goals: vec![vec![(0, Lit::TRUE)]],
        }
    }

    #[test]
    fn latches_are_proved_and_plays_refute() {
        let mut prover = Prover::new(buttons(), &Budget::unlimited());
        let (a, b) = (prover.net().base_lit(0), prover.net().base_lit(1));
        let next_a = prover.net().bases[0].next;
        let stays = prover.or([!a, next_a]);
        assert_eq!(prover.prove(stays, 3), Ok(Verdict::Proved { k: 1, lemmas: vec![] }));
        let not_both = prover.or([!a, !b]);
        // b first, then a.
        assert_eq!(
            prover.prove(not_both, 5),
            Ok(Verdict::Refuted { moves: vec![vec![1], vec![0]] })
        );
    }

    #[test]
    fn a_circle_is_no_support() {
        let mut prover = Prover::new(buttons(), &Budget::unlimited());
        let (p, a) = (Lit::new(7, false), prover.net().base_lit(0));
        let founded = prover.or([!p, a]);
        assert_eq!(prover.prove(founded, 1), Ok(Verdict::Proved { k: 1, lemmas: vec![] }));
    }

    #[test]
    fn candidates_are_dropped_until_the_rest_is_inductive() {
        let mut prover = Prover::new(buttons(), &Budget::unlimited());
        let (a, b) = (prover.net().base_lit(0), prover.net().base_lit(1));
        let next_b = prover.net().bases[1].next;
        let stays = prover.or([!b, next_b]);
        let kept = prover.inductive(&[!a, a, !b, stays]).expect("no limit");
        assert_eq!(kept, [stays]);
    }
}
