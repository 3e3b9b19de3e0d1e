//! `Prover::by_frames`: property-directed reachability (IC3), for what induction over a few steps leaves open.
//!
//! A frame is a set of clauses over bases that hold in all states of the first so many steps. A state with which the
//! property fails is an obligation: it is shown not to follow the frame before, by a clause that keeps as few of its
//! facts as will do, or what precedes it becomes an obligation, down to the initial state, which makes a line of play.
//! Where a frame says no more than the one before it, its clauses are inductive; induction shows that once more.

use super::Prover;
use super::unroll::{UnrollStart, Unrolling};
use ludex_gdl::budget::Stop;
use ludex_net::{Lit, Net};
use ludex_sat::SatAnswer;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Literals of bases, which all hold in some states.
type Cube = Vec<Lit>;

/// What the search comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FramesAnswer {
    /// These clauses over bases are inductive together with the property, by these lemmas.
    Proved {
        clauses: Vec<Vec<Lit>>,
        lemmas: Vec<usize>,
    },
    /// Joint moves that lead to where it fails; where it is one of steps, with the last one.
    Refuted {
        moves: Vec<Vec<usize>>,
    },
    Unknown,
}

/// Literals that are tried to be left out of a clause, one by one.
const MOST_DROPS: usize = 40;

impl Prover {
    /// Decides a property of states, or of steps, with so many frames and questions at most.
    pub(crate) fn by_frames(
        &mut self,
        property: Lit,
        of_steps: bool,
        most: (usize, usize),
    ) -> Result<FramesAnswer, Stop> {
        let of_steps = of_steps || self.net.reads_inputs(property);
        let ended = FrameSearch::new(self, property, of_steps, most.1).run(most.0)?;
        let clauses = match ended {
            Ended::Inductive(clauses) => clauses,
            Ended::Line(moves) => return Ok(FramesAnswer::Refuted { moves }),
            Ended::Open => return Ok(FramesAnswer::Unknown),
        };
        let lits: Vec<Lit> = clauses.iter().map(|c| self.or(c.iter().copied())).collect();
        let mut all = lits.clone();
        all.extend((!of_steps).then_some(property));
        let (kept, lemmas) = self.inductive_within(&all, usize::MAX)?;
        let proved = kept.len() == all.len() && (!of_steps || self.follows(property, &lits)?);
        Ok(if proved { FramesAnswer::Proved { clauses, lemmas } } else { FramesAnswer::Unknown })
    }

    /// Whether a property of steps follows from what is known and this.
    fn follows(&self, property: Lit, from: &[Lit]) -> Result<bool, Stop> {
        let mut known = self.clone();
        known.lemmas.extend(from);
        let (implied, stop) = known.implied_in_time(&[property], true);
        stop.map_or(Ok(implied[0]), Err)
    }
}

enum Ended {
    Inductive(Vec<Vec<Lit>>),
    Line(Vec<Vec<usize>>),
    Open,
}

/// A cube that must not be reached within so many steps, and how the property fails from there.
struct Obligation {
    cube: Cube,
    /// The joint move, and the obligation that it leads to; none where the property fails at once.
    then: Option<(Vec<usize>, usize)>,
    /// The joint move with which a property of steps fails.
    fails_with: Option<Vec<usize>>,
}

struct FrameSearch<'p> {
    net: &'p Net,
    effort: i32,
    property: Lit,
    of_steps: bool,
    /// Any step between states in which the lemmas hold.
    step: Unrolling<'p>,
    /// Any state, or move, with which the property may fail.
    last: Unrolling<'p>,
    /// Any state and joint move, legal or not.
    free: Unrolling<'p>,
    /// For each frame a literal of `step` and of `last`: its own clauses hold.
    switches: Vec<[i32; 2]>,
    /// The cubes that each frame excludes and the next one is not known to.
    frames: Vec<Vec<Cube>>,
    obligations: Vec<Obligation>,
    /// Questions that are left.
    questions: usize,
}

impl<'p> FrameSearch<'p> {
    fn new(prover: &'p Prover, property: Lit, of_steps: bool, questions: usize) -> Self {
        let mut step = prover.any_state(true);
        for lemma in &prover.lemmas {
            let holds = step.at(1, *lemma);
            step.clause([holds]);
        }
        let mut search = FrameSearch {
            net: &prover.net,
            effort: prover.effort,
            property,
            of_steps,
            step,
            last: prover.any_state(of_steps),
            free: Unrolling::new(&prover.net, UnrollStart::Any, &prover.budget),
            switches: vec![],
            frames: vec![],
            obligations: vec![],
            questions,
        };
        search.add_frame();
        for b in 0..search.net.bases.len() {
            let initial = Lit::new(search.net.base_lit(b).gate(), !search.net.bases[b].initial);
            search.require(0, &[initial]);
        }
        search
    }

    fn run(&mut self, most: usize) -> Result<Ended, Stop> {
        for frame in 0..most {
            while let Some(obligation) = self.failing(frame)? {
                self.obligations.push(obligation);
                match self.block(self.obligations.len() - 1, frame)? {
                    Some(Ended::Inductive(_)) | None => {}
                    Some(ended) => return Ok(ended),
                }
            }
            if self.questions == 0 {
                return Ok(Ended::Open);
            }
            self.add_frame();
            if let Some(from) = self.push(frame)? {
                let cubes = self.frames[from..].iter().flatten();
                return Ok(Ended::Inductive(cubes.map(|c| negated(c)).collect()));
            }
        }
        Ok(Ended::Open)
    }

    fn add_frame(&mut self) {
        self.switches.push([self.step.fresh(), self.last.fresh()]);
        self.frames.push(vec![]);
    }

    /// One of these literals holds in a frame.
    fn require(&mut self, frame: usize, clause: &[Lit]) {
        let [of_step, of_last] = self.switches[frame];
        for (play, switch) in [(&mut self.step, of_step), (&mut self.last, of_last)] {
            let lits: Vec<i32> = clause.iter().map(|l| play.at(0, *l)).collect();
            play.clause(lits.into_iter().chain([-switch]));
        }
    }

    fn switched(&self, frame: usize, play: usize) -> impl Iterator<Item = i32> {
        self.switches[frame..].iter().map(move |s| s[play])
    }

    /// A state of a frame with which the property fails.
    fn failing(&mut self, frame: usize) -> Result<Option<Obligation>, Stop> {
        let fails = -self.last.at(0, self.property);
        let assumed: Vec<i32> = self.switched(frame, 1).chain([fails]).collect();
        if !self.ask_last(&assumed)? {
            return Ok(None);
        }
        let state = state_of(self.net, &self.last);
        let made = self.of_steps.then(|| self.last.joint(0));
        let cube = self.lifted(&state, made.as_deref(), (0, vec![!self.property]))?;
        Ok(Some(Obligation { cube, then: None, fails_with: made }))
    }

    /// Excludes an obligation from the first frames up to this one.
    fn block(&mut self, first: usize, frame: usize) -> Result<Option<Ended>, Stop> {
        let mut open = BinaryHeap::from([Reverse((frame, first))]);
        while let Some(Reverse((at, number))) = open.pop() {
            let cube = self.obligations[number].cube.clone();
            if self.net_starts_in(&cube) {
                return Ok(Some(Ended::Line(self.line(number))));
            }
            if at == 0 || self.is_excluded(&cube, at) {
                continue;
            }
            if self.questions == 0 {
                return Ok(Some(Ended::Open));
            }
            match self.before(&cube, at)? {
                Before::Nothing(core) => {
                    let cube = self.generalized(core, at)?;
                    let negation = negated(&cube);
                    self.require(at, &negation);
                    self.frames[at].push(cube);
                    if at < frame {
                        open.push(Reverse((at + 1, number)));
                    }
                }
                Before::State(state, joint) => {
                    let cube = self.lifted(&state, Some(&joint), (1, cube))?;
                    let then = Some((joint, number));
                    self.obligations.push(Obligation { cube, then, fails_with: None });
                    open.push(Reverse((at - 1, self.obligations.len() - 1)));
                    open.push(Reverse((at, number)));
                }
                Before::Unknown => return Ok(Some(Ended::Open)),
            }
        }
        Ok(None)
    }

    fn net_starts_in(&self, cube: &[Lit]) -> bool {
        cube.iter().all(|l| self.net.bases[base(self.net, *l)].initial != l.negated())
    }

    fn is_excluded(&self, cube: &[Lit], at: usize) -> bool {
        let contains = |known: &Cube| known.iter().all(|l| cube.binary_search(l).is_ok());
        self.frames[at..].iter().flatten().any(contains)
    }

    /// What of the frame before leads into a cube, if that is not there already.
    fn before(&mut self, cube: &[Lit], at: usize) -> Result<Before, Stop> {
        let outside = self.step.fresh();
        let lits: Vec<i32> = cube.iter().map(|l| -self.step.at(0, *l)).collect();
        self.step.clause(lits.into_iter().chain([-outside]));
        let after: Vec<i32> = cube.iter().map(|l| self.step.at(1, *l)).collect();
        let mut assumed: Vec<i32> = self.switched(at - 1, 0).collect();
        assumed.push(outside);
        assumed.extend(&after);
        self.questions = self.questions.saturating_sub(1);
        let answer = self.step.solve(&assumed, self.effort)?;
        let found = match answer {
            SatAnswer::Unknown => Before::Unknown,
            SatAnswer::Sat => Before::State(state_of(self.net, &self.step), self.step.joint(0)),
            SatAnswer::Unsat => {
                let needed = cube.iter().zip(&after).filter(|(_, lit)| self.step.needed(**lit));
                Before::Nothing(self.without_start(needed.map(|(l, _)| *l).collect(), cube))
            }
        };
        self.step.clause([-outside]);
        Ok(found)
    }

    /// A part of a cube that the initial state is not in, with one more literal where need be.
    fn without_start(&self, mut part: Cube, cube: &[Lit]) -> Cube {
        if self.net_starts_in(&part) {
            let differs = |l: &&Lit| !self.net_starts_in(&[**l]);
            part.extend(cube.iter().find(differs));
            part.sort_unstable();
        }
        part
    }

    /// A cube with fewer literals that nothing in the frame before leads into.
    fn generalized(&mut self, mut cube: Cube, at: usize) -> Result<Cube, Stop> {
        for lit in cube.clone().into_iter().take(MOST_DROPS) {
            let less: Cube = cube.iter().copied().filter(|l| *l != lit).collect();
            if less.len() + 1 != cube.len() || less.is_empty() || self.net_starts_in(&less) {
                continue;
            }
            if let Before::Nothing(core) = self.before(&less, at)? {
                cube = core;
            }
        }
        Ok(cube)
    }

    /// The literals of a state with which a joint move must lead to a goal: these literals now or after the step.
    fn lifted(
        &mut self,
        state: &[bool],
        made: Option<&[usize]>,
        (when, goal): (usize, Cube),
    ) -> Result<Cube, Stop> {
        let net = self.net;
        let reached = self.free.fresh();
        let mut missed: Vec<i32> = goal.iter().map(|l| -self.free.at(when, *l)).collect();
        if let Some(joint) = made {
            let legal: Vec<Lit> = joint.iter().map(|i| net.inputs[*i].legal).collect();
            missed.extend(legal.into_iter().map(|l| -self.free.at(0, l)));
            missed.push(self.free.at(0, net.terminal));
        }
        self.free.clause(missed.into_iter().chain([-reached]));
        let lits: Vec<Lit> =
            (0..state.len()).map(|b| Lit::new(net.base_lit(b).gate(), !state[b])).collect();
        let facts: Vec<i32> = lits.iter().map(|l| self.free.at(0, *l)).collect();
        let mut assumed = facts.clone();
        for i in 0..net.inputs.len() {
            let input = self.free.at(0, net.input_lit(i));
            assumed.push(if made.is_some_and(|m| m.contains(&i)) { input } else { -input });
        }
        assumed.push(reached);
        let lifted = match self.free.solve(&assumed, self.effort)? {
            SatAnswer::Unsat => {
                let needed = lits.iter().zip(&facts).filter(|(_, f)| self.free.needed(**f));
                needed.map(|(l, _)| *l).collect()
            }
            _ => lits,
        };
        self.free.clause([-reached]);
        Ok(lifted)
    }

    /// Carries clauses on to later frames; the frame from which on all say the same.
    fn push(&mut self, last: usize) -> Result<Option<usize>, Stop> {
        for at in 1..=last {
            for cube in std::mem::take(&mut self.frames[at]) {
                if self.is_excluded(&cube, at + 1) {
                    continue;
                }
                match self.before(&cube, at + 1)? {
                    Before::Nothing(core) => {
                        let negation = negated(&core);
                        self.require(at + 1, &negation);
                        self.frames[at + 1].push(core);
                    }
                    _ => self.frames[at].push(cube),
                }
            }
            if self.frames[at].is_empty() {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    fn ask_last(&mut self, assumed: &[i32]) -> Result<bool, Stop> {
        self.questions = self.questions.saturating_sub(1);
        let answer = self.last.solve(assumed, self.effort)?;
        if answer == SatAnswer::Unknown {
            self.questions = 0;
        }
        Ok(answer == SatAnswer::Sat && self.questions > 0)
    }

    /// The joint moves from the initial state on.
    fn line(&self, mut number: usize) -> Vec<Vec<usize>> {
        let mut line = Vec::new();
        while let Some((joint, next)) = &self.obligations[number].then {
            line.push(joint.clone());
            number = *next;
        }
        line.extend(self.obligations[number].fails_with.clone());
        line
    }
}

/// What leads into a cube.
enum Before {
    /// Nothing, for these literals alone.
    Nothing(Cube),
    State(Vec<bool>, Vec<usize>),
    Unknown,
}

fn negated(cube: &[Lit]) -> Vec<Lit> {
    cube.iter().map(|l| !*l).collect()
}

fn base(net: &Net, lit: Lit) -> usize {
    lit.gate() - net.base_lit(0).gate()
}

/// The state before the step of a model; of facts that nothing asked for, any value will do.
fn state_of(net: &Net, play: &Unrolling) -> Vec<bool> {
    let holds = |lit: Lit| play.is_encoded(0, lit) && play.holds(0, lit);
    (0..net.bases.len()).map(|b| holds(net.base_lit(b))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::Verdict;
    use ludex_gdl::budget::Budget;
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;
    use ludex_net::ground::Ground;

    /// Two lamps of which one is lit; a bell rings where both are, which then stay so as long as one likes.
    const LAMPS: &str = "(role you) (init a) (legal you swap) (legal you ring)
        (<= (next a) (true b) (does you swap)) (<= (next a) (true a) (does you ring))
        (<= (next b) (true a) (does you swap)) (<= (next b) (true b) (does you ring))
        (<= (next bell) (true a) (true b) (does you ring)) (<= (next bell) (true bell))
        (<= (next late) (true b) (does you ring))
        (<= terminal (true bell)) (goal you 0)";

    fn prover() -> Prover {
        let (rules, _) = Rules::read(&Source::new("lamps", LAMPS), None).expect("rules");
        let budget = Budget::unlimited();
        let ground = Ground::new(&rules, &budget).expect("small");
        Prover::new(Net::new(&ground, &budget).expect("no limit"), &budget)
    }

    fn never(prover: &Prover, name: &str) -> Lit {
        let bases = &prover.net.bases;
        !prover.net.base_lit(bases.iter().position(|b| b.name == name).expect(name))
    }

    #[test]
    fn an_invariant_is_found_where_induction_has_none() {
        let mut prover = prover();
        let silent = never(&prover, "bell");
        assert_eq!(prover.prove(silent, 6), Ok(Verdict::Unknown { k: 6 }));
        let answer = prover.by_frames(silent, false, (50, 1_000)).expect("no limit");
        let FramesAnswer::Proved { clauses, lemmas } = answer else { panic!("{answer:?}") };
        assert!(!clauses.is_empty() && lemmas.is_empty());
    }

    #[test]
    fn what_fails_comes_with_a_line() {
        let mut prover = prover();
        let early = never(&prover, "late");
        let answer = prover.by_frames(early, false, (50, 1_000)).expect("no limit");
        let FramesAnswer::Refuted { moves } = answer else { panic!("{answer:?}") };
        let mut state: Vec<bool> = prover.net.bases.iter().map(|b| b.initial).collect();
        for joint in &moves {
            let made: Vec<bool> =
                (0..prover.net.inputs.len()).map(|i| joint.contains(&i)).collect();
            let values = prover.net.evaluate(&state, &made);
            assert!(joint.iter().all(|i| Net::holds(&values, prover.net.inputs[*i].legal)));
            state = prover.net.bases.iter().map(|b| Net::holds(&values, b.next)).collect();
        }
        let values = prover.net.evaluate(&state, &vec![false; prover.net.inputs.len()]);
        assert!(!Net::holds(&values, early));
    }
}
