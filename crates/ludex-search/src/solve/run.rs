//! The driver: which search solves which game.

use super::apart::apart;
use super::concept::{Concept, Meaning, Method, Unsolvable};
use super::deepen::Found;
use super::field::Field;
use super::force::ForceHalt;
use super::induct::{self, Induction};
use super::keys::{Keys, Symmetry};
use super::matrix::How;
use super::puzzle::Ended;
use super::retrograde::Retrograde;
use super::saving::Saving;
use super::scale::{ProvedScale, Scale};
use super::tools::Tools;
use super::{Settings, Solution, Subject, UsedSymmetries, Value};
use ludex_gdl::budget::{Budget, Proving, Stop};
use ludex_machine::State;
use ludex_net::Net;
use ludex_reason::StateMachine;
use num_bigint::BigUint;
use std::sync::Arc;

/// Solves a state. `proving` is the part of the budget that may be spent on proofs about the game, which
/// make faster searches possible.
pub fn solve(
    subject: &Subject,
    settings: &Settings,
    budget: &Budget,
    proving: Proving,
) -> Solution {
    let mut run = SolveRun::new(subject, settings, budget, proving);
    if let Err(stop) = run.solve() {
        run.answer.stop = Some(stop);
    }
    run.answer
}

pub(super) struct SolveRun<'a> {
    subject: &'a Subject,
    tools: Tools<'a>,
    net: &'a Arc<Net>,
    start: State,
    pub(super) answer: Solution,
}

impl Solution {
    /// What is known of any game before it is solved.
    pub fn unknown(net: &Net) -> Solution {
        let used = UsedSymmetries {
            mode: Symmetry::None,
            order: BigUint::from(1u32),
            saved: 0,
            switched_off: false,
        };
        Solution {
            meaning: Meaning::default(),
            method: Method::None,
            values: None,
            bounds: (0..net.roles.len()).map(|r| range(net, r)).collect(),
            line: vec![],
            mixed: vec![],
            states: 0,
            complete: false,
            is_safe: true,
            stop: Some(Stop::Time),
            refusal: None,
            notes: vec![],
            symmetry: used,
            factors: vec![],
            factor_kind: None,
        }
    }
}

impl<'a> SolveRun<'a> {
    fn new(
        subject: &'a Subject,
        settings: &'a Settings,
        budget: &'a Budget,
        proving: Proving<'a>,
    ) -> SolveRun<'a> {
        let net = &subject.net;
        let answer = Solution { stop: None, ..Solution::unknown(net) };
        let start = subject.start();
        let tools = Tools { settings, budget, proving: proving.0 };
        SolveRun { subject, tools, net, start, answer }
    }

    fn solve(&mut self) -> Result<(), Stop> {
        let mut field = Field::new(&self.subject.knowledge, self.tools.budget)?;
        if field.machine.terminal(&self.start) {
            let goals = field.goals(&self.start);
            self.answer.meaning = Meaning::of(Concept::Over);
            self.end(goals.into_iter().map(integer).collect());
            return Ok(());
        }
        match self.net.roles.len() {
            1 if field.chance.is_none() => self.puzzle(),
            2 if field.chance.is_none() => self.two(field),
            _ => self.several(field),
        }
    }

    /// Notes the values of all roles as exact.
    fn end(&mut self, values: Vec<Value>) {
        self.answer.bounds = values.iter().map(|v| (v.clone(), v.clone())).collect();
        self.answer.values = Some(values);
        self.answer.complete = true;
    }

    /// Keys with the symmetries that are wanted and can be found in time.
    fn keys(&mut self) -> Result<Keys, Stop> {
        let found = self.tools.keys(self.subject)?;
        let keys = found.unwrap_or_else(|| {
            self.answer.notes.push("symmetries: stopped, so none are used".into());
            Keys::plain(self.net.bases.len())
        });
        self.answer.symmetry.order = keys.order.clone();
        self.answer.symmetry.mode = keys.mode;
        if !keys.complete {
            self.answer
                .notes
                .push("the search for symmetries was stopped; there may be more".into());
        }
        if !keys.is_exact() {
            let note = "the group is large: some symmetric states may not be recognised";
            self.answer.notes.push(note.into());
        }
        Ok(keys)
    }

    /// Tries the factors; true if they give the solution.
    fn apart(&mut self, scale: Option<&Scale>) -> Result<bool, Stop> {
        if !self.tools.settings.factoring || self.tools.settings.depth.is_some() {
            return Ok(false);
        }
        self.tools.budget.begin("factors", 0);
        let notes = &mut self.answer.notes;
        let Some(found) = apart(self.subject, scale, self.tools, notes)? else {
            return Ok(false);
        };
        (self.answer.method, self.answer.factor_kind) = (Method::Factors, Some(found.kind));
        self.answer.symmetry.mode = self.tools.settings.symmetry;
        (self.answer.line, self.answer.states) = (found.line, found.states);
        self.answer.factors = found.parts;
        match found.stop {
            Some(stop) => {
                // A plan for one role: that much is certain.
                self.answer.bounds[0].0 = found.values[0].clone();
                Err(stop)
            }
            None => {
                self.end(found.values);
                Ok(true)
            }
        }
    }

    fn puzzle(&mut self) -> Result<(), Stop> {
        self.answer.meaning = Meaning::of(Concept::BestGoal);
        if self.apart(None)? {
            return Ok(());
        }
        let keys = self.keys()?;
        let (puzzle, ended) = self.tools.puzzle(self.subject, keys)?;
        self.answer.states = puzzle.expanded;
        self.answer.symmetry.switched_off = puzzle.keys.mode != self.answer.symmetry.mode;
        self.tell_faults(&puzzle.field);
        let value = |rank: u8| integer(puzzle.scale.outcomes[rank as usize][0]);
        self.answer.method = puzzle.how;
        self.answer.bounds = vec![(self.answer.bounds[0].0.clone(), value(puzzle.top))];
        if let Some((rank, line)) = &puzzle.best {
            self.answer.bounds[0].0 = value(*rank);
            self.answer.line = line.clone();
        }
        match (ended?, &puzzle.best) {
            (Ended::Best | Ended::All, Some((rank, _))) => self.end(vec![value(*rank)]),
            (Ended::All, None) => {
                self.answer.refusal = Some(Unsolvable::NoEnd);
            }
            (_, _) => self.answer.notes.push("cut at the depth".into()),
        }
        Ok(())
    }

    fn two(&mut self, field: Field) -> Result<(), Stop> {
        self.tools.budget.begin("proving that the roles' interests are opposed", 0);
        let Tools { proving, settings, .. } = self.tools;
        let knowledge = &self.subject.knowledge;
        let scale = Scale::find(knowledge, self.net, proving, settings.proof_seconds);
        self.tools.budget.check()?;
        let (why, cut) = match scale {
            Ok(Some(scale)) => return self.opposed(scale),
            Ok(None) => ("the roles are not proved to have opposite interests", None),
            Err(stop) => {
                let why = "stopped before it was proved that the roles have opposite interests";
                (why, Some(stop))
            }
        };
        self.answer.notes.push(format!("{why}, so all states are searched"));
        self.several(field)?;
        // With more time for the proof, play that comes back may have a value.
        match cut {
            Some(stop) if self.answer.refusal == Some(Unsolvable::Endless) => {
                self.answer.refusal = None;
                Err(stop)
            }
            _ => Ok(()),
        }
    }

    /// Roles of which nothing is known.
    fn several(&mut self, field: Field) -> Result<(), Stop> {
        self.answer.meaning = Meaning::of(Concept::OwnGames);
        if self.apart(None)? {
            return Ok(());
        }
        let keys = self.keys()?;
        self.induct(field, keys)
    }

    /// Two roles that want opposite things.
    fn opposed(&mut self, proved: ProvedScale) -> Result<(), Stop> {
        let ProvedScale { scale, one_goal } = proved;
        self.answer.meaning = Meaning { sum: scale.sum(), ..Meaning::of(Concept::Minimax) };
        if self.apart(Some(&scale))? {
            return Ok(());
        }
        let keys = self.keys()?;
        let (mut force, longest) = self.tools.force(self.subject, keys, &scale, 0, one_goal)?;
        self.answer.method = Method::AlphaBeta;
        self.tools.budget.begin("searching states", 0);
        let mut found = Found { least: 0, greatest: scale.best(), depth: 0 };
        let depth = self.tools.settings.depth.map(|d| d.min(60_000) as u16);
        let mut ended = force.narrow(&self.start, &mut found, depth, longest);
        if ended.is_ok() && found.exact() {
            match force.line(&self.start, found.least, found.depth) {
                Ok(line) => self.answer.line = line,
                Err(halt) => ended = Err(halt),
            }
        }
        self.answer.states += force.expanded;
        self.answer.symmetry.saved = force.saving.saved;
        self.answer.symmetry.switched_off = force.saving.switched_off;
        self.tell_faults(&force.field);
        self.tell_ranks(&scale, &found);
        match ended {
            _ if found.exact() => Ok(()),
            Err(ForceHalt::Stop(stop)) => Err(stop),
            Err(ForceHalt::Together) => {
                self.answer.notes.push("roles choose at the same time".into());
                self.induct(force.field, force.keys)
            }
            Err(ForceHalt::Enough) => unreachable!("another depth is tried"),
            Err(ForceHalt::OffScale) => {
                self.answer.notes.push("a role has no move in a state that is not terminal".into());
                self.induct(force.field, force.keys)
            }
            Ok(()) if depth.is_some_and(|d| d == found.depth) => {
                self.answer.notes.push("cut at the depth".into());
                Ok(())
            }
            Ok(()) => self.retrograde(force.field, force.keys, &scale),
        }
    }

    fn tell_ranks(&mut self, scale: &Scale, found: &Found) {
        let (low, high) =
            (scale.outcomes[found.least as usize], scale.outcomes[found.greatest as usize]);
        match found.exact() {
            true => self.end(low.iter().map(|v| integer(*v)).collect()),
            false => {
                let both = |r: usize| (integer(low[r].min(high[r])), integer(low[r].max(high[r])));
                self.answer.bounds = vec![both(0), both(1)];
            }
        }
    }

    /// Play can come back to a state: all states at once.
    fn retrograde(&mut self, field: Field, keys: Keys, scale: &Scale) -> Result<(), Stop> {
        self.tools.budget.begin("visiting all states", 0);
        let bytes = self.tools.settings.bytes;
        let field = (field, self.subject.knowledge.clone());
        let all = Retrograde::new(field, keys, scale, 0, &self.start, bytes, self.tools.budget);
        self.answer.method = Method::Retrograde;
        let mut all = match all {
            Ok(Some(all)) => all,
            Ok(None) => {
                self.answer.notes.push("states repeat, and not all of them fit in memory".into());
                return Err(Stop::Memory);
            }
            Err(ForceHalt::Stop(stop)) => return Err(stop),
            Err(_) => {
                self.answer.refusal = Some(Unsolvable::Endless);
                return Ok(());
            }
        };
        self.answer.states += all.len() as u64;
        let (least, greatest) = all.bounds();
        let found = Found { least, greatest, depth: 0 };
        self.tell_ranks(scale, &found);
        if !found.exact() {
            // What each role can force is all that is certain.
            self.answer.is_safe = false;
            let low = scale.outcomes[least as usize][0];
            let other = scale.outcomes[greatest as usize][1];
            self.answer.meaning = Meaning::of(Concept::Force);
            self.answer.values = Some(vec![integer(low), integer(other)]);
            self.answer.complete = true;
        }
        self.answer.line = all.line();
        Ok(())
    }

    fn induct(&mut self, mut field: Field, keys: Keys) -> Result<(), Stop> {
        let saving = Saving::measure(&mut field, &keys, &self.start, self.tools.budget);
        let several = field.roles > 1 + field.chance.is_some() as usize;
        self.tools.budget.begin("searching states", 0);
        let mut all = Induction::new(field, keys, self.tools.settings.bytes, self.tools.budget)
            .within(self.tools.settings.depth);
        all.saving = saving;
        all.saving.limit = self.tools.settings.symmetry_limit;
        let value = all.value(&self.start);
        let line = match &value {
            Ok(_) if !all.cut => all.line(&self.start),
            _ => Ok((vec![], vec![])),
        };
        self.answer.states += all.expanded;
        self.answer.symmetry.saved = all.saving.saved;
        self.answer.symmetry.switched_off = all.saving.switched_off;
        self.answer.method = Method::BackwardInduction;
        self.answer.is_safe = all.is_constant_sum();
        self.answer.meaning = meaning(&all, several);
        self.tell_faults(&all.field);
        match value {
            Ok(_) if all.cut => {
                self.answer.notes.push("cut at the depth".into());
                Ok(())
            }
            Ok(values) => {
                self.end(values);
                (self.answer.line, self.answer.mixed) = line.unwrap_or_default();
                Ok(())
            }
            Err(induct::InductHalt::Stop(stop)) => Err(stop),
            Err(induct::InductHalt::Endless) => {
                self.answer.refusal = Some(Unsolvable::Endless);
                Ok(())
            }
            Err(induct::InductHalt::Undecided(way)) => {
                self.answer.refusal = Some(Unsolvable::Undecided { line: way });
                Ok(())
            }
        }
    }

    fn tell_faults(&mut self, field: &Field) {
        if field.stuck > 0 {
            self.answer.notes.push(format!(
                "{} non-terminal states leave a role without a legal move; they count as terminal",
                field.stuck
            ));
        }
        if field.without_goal > 0 {
            self.answer.notes.push(format!(
                "{} terminal states do not give a role exactly one goal value; it counts as 0",
                field.without_goal
            ));
        }
    }
}

/// What the values of backward induction mean.
fn meaning(all: &Induction, several: bool) -> Meaning {
    let concept = if several { Concept::SubgamePerfect } else { Concept::BestPlay };
    let order = [How::Mixed, How::Dominance];
    let together = order.into_iter().filter(|how| all.how.contains(how)).collect();
    Meaning { concept, sum: None, by_chance: all.by_chance, together }
}

fn range(net: &Net, role: usize) -> (Value, Value) {
    let values = || net.goals[role].iter().map(|g| g.0);
    (integer(values().min().unwrap_or(0)), integer(values().max().unwrap_or(0)))
}

pub(super) fn integer(value: i32) -> Value {
    Value::from_integer(value.into())
}
