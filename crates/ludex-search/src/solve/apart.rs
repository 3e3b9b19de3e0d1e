//! Games that are several games at once (paper 003), each searched by itself: the sum of their states is
//! visited, not the product.
//!
//! Several roles: in every factor it is found what each role can force there, and what that is worth in
//! the whole follows where `facts/factor` has shown searching apart to be exact. One role: plans of the
//! factors are put together and played through the whole game; the plan is best if it reaches what is
//! best apart. Factors are searched side by side, so that a search which is stopped still has a plan for
//! each of them. Sums of heaps have a rule of their own (`heaps.rs`). Where any of this does not hold the game is searched as a whole.

use super::deepen::Found;
use super::field::{Expansion, Field};
use super::force::{Force, ForceHalt};
use super::heaps::Heaps;
use super::keys::Keys;
use super::puzzle::Ended;
use super::run::integer;
use super::scale::Scale;
use super::tools::Tools;
use super::{FactorPart, Settings, Subject, Value};
use ludex_facts::factor::{Exactness, FactorKind, Factors, Structure};
use ludex_gdl::budget::{Budget, Stop};
use ludex_knowledge::Knowledge;
use ludex_machine::State;
use ludex_net::Net;
use ludex_net::ground::NotGround;
use ludex_reason::{Move, Role, StateMachine};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A solution by factors.
pub struct Apart {
    pub values: Vec<Value>,
    pub line: Vec<Vec<Move>>,
    pub parts: Vec<FactorPart>,
    pub states: u64,
    pub kind: FactorKind,
    /// The limit that ended the search: the line is the best so far.
    pub stop: Option<Stop>,
}

/// Random matches in which factors and whole are compared, and states.
const MATCHES: usize = 10;
const STATES: usize = 2_000;

/// Solves a game by its factors, if it has some and that is exact. The scale is that of a game of two roles.
/// What a limit leaves undone is noted.
pub fn apart(
    subject: &Subject,
    scale: Option<&Scale>,
    tools: Tools,
    notes: &mut Vec<String>,
) -> Result<Option<Apart>, Stop> {
    let Subject { knowledge, net, state } = subject;
    let proof = tools.proof();
    let known = knowledge.lemmas(&proof).map_err(NotGround::stop)?;
    let Ok(mut found) = Factors::find(net, state, &known, &proof) else {
        notes.push("factors: stopped, so the game is searched as a whole".into());
        return tools.budget.check().map(|()| None);
    };
    if found.factors.len() < 2 {
        return Ok(None);
    }
    let heaps = match fits(&found) {
        true => None,
        false => Heaps::new(&found, &tools.proof()).unwrap_or(None),
    };
    tools.budget.check()?;
    if heaps.is_none() && !fits(&found) {
        // What is proved of the whole game may show that it is right.
        match knowledge.factors_from(state, &tools.proof(), f64::INFINITY) {
            Ok(better) if fits(&better) => found = better,
            _ => return tools.budget.check().map(|()| None),
        }
    }
    let checking = tools.proof();
    let Ok(checked) = found.verify(MATCHES, STATES, &checking) else { return Ok(None) };
    if checking.check().is_err() {
        let states = checked.states;
        notes.push(format!("comparing the factors with the game: stopped after {states} states"));
    }
    let mut whole = Whole::new(&found, tools.budget)?;
    if let Some(heaps) = heaps {
        return Ok(whole.sum(&heaps));
    }
    match net.roles.len() {
        1 => whole.plan(tools),
        // What roles can make sure of is what they get, if they want opposite things as a whole or in
        // every factor.
        _ if scale.is_some() || found.settled => whole.forced(scale, tools),
        // Nobody gets less than that; who can make sure of the most there is gets it.
        _ => Ok(whole.forced(None, tools)?.filter(|apart| apart.values == best_goals(net))),
    }
}

/// The most that every role can get.
fn best_goals(net: &Net) -> Vec<Value> {
    net.goals.iter().map(|goals| integer(goals.last().map_or(0, |goal| goal.0))).collect()
}

/// Is it right to search the factors separately? For one role a condition may remain: its plan is tried.
fn fits(found: &Factors) -> bool {
    match found.exact {
        Exactness::Exact => true,
        Exactness::Conditional(_) => found.net.roles.len() == 1,
        Exactness::Heuristic(_) => false,
    }
}

struct Whole<'f> {
    found: &'f Factors,
    field: Field,
    nets: Vec<Arc<Net>>,
}

impl<'f> Whole<'f> {
    fn new(found: &'f Factors, budget: &Budget) -> Result<Whole<'f>, Stop> {
        let field = Field::new(&Knowledge::of_net(Arc::new(found.net.clone())), budget)?;
        let nets = found.factors.iter().map(|f| Arc::new(f.net.clone())).collect();
        Ok(Whole { found, field, nets })
    }

    fn start(&self) -> State {
        State::of(self.found.net.bases.iter().map(|b| b.initial))
    }

    /// A factor as a game of its own.
    fn subject(&self, k: usize) -> Subject {
        Subject::of_net(self.nets[k].clone())
    }

    /// The state of a factor within a state of the whole.
    fn part(&self, k: usize, state: &State) -> State {
        let holds = |b: &usize| state.holds(*b);
        State::of(self.found.factors[k].whole_bases.iter().map(holds))
    }

    fn named(&self, joint: &[Move]) -> Vec<Move> {
        joint.iter().map(|m| Move(self.found.inputs[m.0 as usize] as u32)).collect()
    }

    /// The value of a sum of heaps, and a line in which who wins leaves the other a sum of zero.
    fn sum(&mut self, heaps: &Heaps) -> Option<Apart> {
        let (roles, start) = (self.field.roles, self.start());
        let wins = heaps.wins(&start)?;
        let (mut line, mut state, mut expansion) = (vec![], start, Expansion::default());
        while !self.field.machine.terminal(&state)
            && self.field.joints(&state, &mut expansion)
            && line.len() < LONGEST
        {
            self.field.states(&state, &mut expansion);
            let lost = |child: &usize| heaps.wins(&expansion.states[*child]) == Some(false);
            let child = (0..expansion.states.len()).find(lost).unwrap_or(0);
            line.push(self.named(expansion.joint(child, roles)));
            state = expansion.states[child].clone();
        }
        let part = |(net, states): (&Arc<Net>, &u64)| FactorPart {
            name: net.name.clone(),
            states: *states,
            values: vec![],
        };
        let parts: Vec<FactorPart> = self.nets.iter().zip(&heaps.states).map(part).collect();
        let values = heaps.values(wins).into_iter().map(integer).collect();
        let (states, kind) = (heaps.states.iter().sum(), self.found.kind);
        Some(Apart { values, line, parts, states, kind, stop: None })
    }

    /// What the roles can force, factor by factor.
    fn forced(&mut self, scale: Option<&Scale>, tools: Tools) -> Result<Option<Apart>, Stop> {
        let mut each = Each {
            whole: self,
            scale,
            tools,
            forces: FxHashMap::default(),
            memo: FxHashMap::default(),
        };
        let start = each.whole.start();
        match each.solve(&start) {
            Ok(apart) => Ok(apart),
            Err(ForceHalt::Stop(stop)) => Err(stop),
            Err(_) => Ok(None),
        }
    }

    /// Plans of all factors, played together.
    fn plan(&mut self, tools: Tools) -> Result<Option<Apart>, Stop> {
        let (structure, on, _) = self.found.goals[0].clone();
        let mut plans: Vec<Vec<usize>> = vec![vec![]; self.nets.len()];
        let mut best = vec![0; self.nets.len()];
        let (mut parts, mut states, mut stop) = (vec![], 0, None);
        let on = if on.is_empty() { vec![0] } else { on };
        for (k, found) in on.iter().copied().zip(self.plans(&on, tools)) {
            let plan = match found {
                Ok(Some(plan)) => plan,
                Ok(None) => return Ok(None),
                Err(why) => {
                    stop = Some(why);
                    continue;
                }
            };
            stop = stop.or(plan.stop);
            states += plan.states;
            (plans[k], best[k]) = (plan.moves, plan.value);
            let (name, values) = (self.nets[k].name.clone(), vec![integer(plan.value)]);
            parts.push(FactorPart { name, states: plan.states, values });
        }
        if structure == Structure::Disjunction {
            // The best factor is played alone.
            let most = on.iter().copied().max_by_key(|k| (best[*k], usize::MAX - plans[*k].len()));
            for k in on.iter().filter(|k| Some(**k) != most) {
                plans[*k].clear();
            }
        }
        let Some((line, end)) = self.together(&plans) else { return Ok(None) };
        // No plan is worth more than what is best apart; this one is if it is worth as much.
        let value = self.field.goal(&end, 0);
        let exact = stop.is_some() || self.found.value(0, &best) == Some(value);
        let line = line.iter().map(|joint| self.named(joint)).collect();
        let kind = self.found.kind;
        Ok(exact.then(|| Apart { values: vec![integer(value)], line, parts, states, kind, stop }))
    }

    /// Searches these factors side by side.
    fn plans(&self, on: &[usize], tools: Tools) -> Vec<Result<Option<FactorPlan>, Stop>> {
        let bytes = tools.settings.bytes / on.len();
        let settings = Settings { bytes, ..tools.settings.clone() };
        let each = |k: usize| self.factor_plan(k, Tools { settings: &settings, ..tools });
        // WebAssembly has no threads.
        if on.len() == 1 || cfg!(target_family = "wasm") {
            return on.iter().map(|k| each(*k)).collect();
        }
        std::thread::scope(|scope| {
            let threads: Vec<_> = on.iter().map(|k| scope.spawn(|| each(*k))).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        })
    }

    /// The best plan of one factor; none where the factor does not tell.
    fn factor_plan(&self, k: usize, tools: Tools) -> Result<Option<FactorPlan>, Stop> {
        let factor = &self.found.factors[k];
        let subject = self.subject(k);
        let keys = tools.keys(&subject)?;
        let keys = keys.unwrap_or_else(|| Keys::plain(subject.net.bases.len()));
        let (puzzle, ended) = tools.puzzle(&subject, keys)?;
        let stop = match ended {
            Ok(Ended::Cut) => return Ok(None),
            Ok(_) => None,
            Err(stop) => Some(stop),
        };
        let Some((rank, line)) = puzzle.best else { return stop.map_or(Ok(None), Err) };
        let moves = line.iter().map(|joint| joint[0].0 as usize);
        let moves = moves.filter(|m| !factor.elsewhere[*m]).collect();
        let value = puzzle.scale.outcomes[rank as usize][0];
        Ok(Some(FactorPlan { moves, value, states: puzzle.expanded, stop }))
    }

    /// Plays the plans side by side: in each step the move that is the next one in most plans, and leaves all
    /// other factors alone if they are not through. The end, if one is reached.
    fn together(&mut self, plans: &[Vec<usize>]) -> Option<(Vec<Vec<Move>>, State)> {
        let longest = plans.iter().map(Vec::len).sum::<usize>() + 1_000;
        let (mut state, mut at, mut line) = (self.start(), vec![0; plans.len()], vec![]);
        while line.len() <= longest {
            if self.field.machine.terminal(&state) {
                return Some((line, state));
            }
            let mut legal = Vec::new();
            self.field.machine.legal(&state, 0, &mut legal);
            let next = |k: usize, at: &[usize]| plans[k].get(at[k]).copied();
            let score = |m: &Move| -> Option<usize> {
                let mut hits = 0;
                for (k, factor) in self.found.factors.iter().enumerate() {
                    let part = factor.part_of[m.0 as usize]?;
                    match next(k, &at) {
                        Some(wanted) if wanted == part => hits += 2 * plans.len(),
                        Some(_) if !factor.elsewhere[part] => return None,
                        None if !plans[k].is_empty() && factor.elsewhere[part] => hits += 1,
                        _ => {}
                    }
                }
                Some(hits)
            };
            let scored = legal.iter().filter_map(|m| Some((score(m)?, *m)));
            let (_, m) = scored.max_by_key(|s| (s.0, u32::MAX - s.1.0))?;
            for (k, factor) in self.found.factors.iter().enumerate() {
                if next(k, &at) == factor.part_of[m.0 as usize] && next(k, &at).is_some() {
                    at[k] += 1;
                }
            }
            state = self.field.machine.next(&state, &[m]);
            line.push(vec![m]);
        }
        None
    }
}

/// The moves that lead to the best end of a factor, as far as it was searched.
struct FactorPlan {
    moves: Vec<usize>,
    value: i32,
    states: u64,
    stop: Option<Stop>,
}

/// A game of which every factor is searched for every role.
struct Each<'w, 'f, 't> {
    whole: &'w mut Whole<'f>,
    scale: Option<&'w Scale>,
    tools: Tools<'t>,
    /// By factor and role, with the longest match.
    forces: FxHashMap<(usize, Role), (Force<'t>, Option<usize>)>,
    /// What a role can force in a state of a factor.
    memo: FxHashMap<(usize, Role, State), i32>,
}

impl Each<'_, '_, '_> {
    fn solve(&mut self, start: &State) -> Result<Option<Apart>, ForceHalt> {
        let Some(values) = self.outcome(start)? else { return Ok(None) };
        let line = self.line(start, &values)?;
        let mut parts = Vec::new();
        for (k, net) in self.whole.nets.iter().enumerate() {
            let own = || (0..net.roles.len()).filter(|r| self.forces.contains_key(&(k, *r)));
            let states = own().map(|r| self.forces[&(k, r)].0.expanded).sum();
            let state = self.whole.part(k, start);
            let forced = |r: usize| self.memo.get(&(k, r, state.clone())).map(|v| integer(*v));
            let values = own().filter_map(forced).collect();
            parts.push(FactorPart { name: net.name.clone(), states, values });
        }
        let states = parts.iter().map(|p| p.states).sum();
        let kind = self.whole.found.kind;
        let values = values.into_iter().map(integer).collect();
        Ok(Some(Apart { values, line, parts, states, kind, stop: None }))
    }

    /// What all roles get from a state on; none where the factors do not tell.
    fn outcome(&mut self, state: &State) -> Result<Option<Vec<i32>>, ForceHalt> {
        let mut sure: Vec<Option<i32>> = Vec::new();
        for role in 0..self.whole.field.roles {
            sure.push(self.sure(state, role)?);
            let fits = |o: &&[i32; 2]| o.iter().zip(&sure).all(|(v, s)| s.is_none_or(|s| s == *v));
            let mut left = self.scale.iter().flat_map(|s| &s.outcomes).filter(fits);
            if let (Some(only), None) = (left.next(), left.next()) {
                return Ok(Some(only.to_vec()));
            }
        }
        Ok(sure.into_iter().collect::<Option<Vec<i32>>>().filter(|_| self.scale.is_none()))
    }

    /// The goal that a role can force in the whole, and be kept to.
    fn sure(&mut self, state: &State, role: Role) -> Result<Option<i32>, ForceHalt> {
        let mut values = vec![0; self.whole.nets.len()];
        let on = self.whole.found.goals[role].1.clone();
        // A goal that depends on no factor is the same in all.
        for k in if on.is_empty() { vec![0] } else { on } {
            values[k] = self.can(k, role, state)?;
        }
        Ok(self.whole.found.value(role, &values))
    }

    /// The goal that a role can force in a factor, and be kept to.
    fn can(&mut self, k: usize, role: Role, state: &State) -> Result<i32, ForceHalt> {
        let part = self.whole.part(k, state);
        let key = (k, role, part);
        if let Some(known) = self.memo.get(&key) {
            return Ok(*known);
        }
        if !self.forces.contains_key(&(k, role)) {
            let subject = self.whole.subject(k);
            let scale = Scale::of_role(&subject.net, role);
            let keys = self.tools.keys(&subject)?;
            let keys = keys.unwrap_or_else(|| Keys::plain(subject.net.bases.len()));
            let force = self.tools.force(&subject, keys, &scale, role, false)?;
            self.forces.insert((k, role), force);
        }
        let (force, longest) = self.forces.get_mut(&(k, role)).expect("it is there");
        let mut found = Found { least: 0, greatest: force.scale.best(), depth: 0 };
        force.narrow(&key.2, &mut found, None, *longest)?;
        if !found.exact() {
            return Err(ForceHalt::Together);
        }
        let value = force.scale.outcomes[found.least as usize][0];
        self.memo.insert(key, value);
        Ok(value)
    }

    /// A line of the whole game in which all roles keep their values.
    fn line(&mut self, start: &State, values: &[i32]) -> Result<Vec<Vec<Move>>, ForceHalt> {
        let roles = self.whole.field.roles;
        let (mut line, mut state) = (vec![], start.clone());
        let mut expansion = Expansion::default();
        while !self.whole.field.machine.terminal(&state)
            && self.whole.field.joints(&state, &mut expansion)
            && line.len() < LONGEST
        {
            self.whole.field.states(&state, &mut expansion);
            let mut chosen = None;
            for child in 0..expansion.states.len() {
                let next = &expansion.states[child];
                let keeps = match self.whole.field.machine.terminal(next) {
                    true => self.whole.field.goals(next) == values,
                    false => self.outcome(next)?.is_some_and(|v| v == values),
                };
                if keeps {
                    chosen = Some(child);
                    break;
                }
            }
            let Some(child) = chosen else { break };
            line.push(self.whole.named(expansion.joint(child, roles)));
            state = expansion.states[child].clone();
        }
        Ok(line)
    }
}

/// Longer lines are not followed.
const LONGEST: usize = 500;
