//! Rules, net and invariants -> `Boards`: projections verified with lemmas, decided where possible.

use super::any_state::AnyStateNet;
use super::bases::{Bases, Places};
use super::prune::{maximal, prune};
use super::seen::Seen;
use super::{Boards, Projection, ProjectionVerdict, RelationBoards, Verify, views};
use crate::fluents::StateRelation;
use crate::invariants::{Invariant, InvariantKind, Invariants};
use crate::lemmas::Author;
use crate::prove::Verdict;
use crate::reach::Reach;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::State;
use ludex_net::{Lit, Net};
use std::sync::Arc;

/// States that are visited where induction does not decide.
const MOST_STATES: usize = 20_000;
/// The longest induction.
const STEPS: usize = 2;
/// Questions to the solver for projections that are proved together.
const ROUNDS: usize = 200;

impl Boards {
    /// The boards that follow from proved groups: no more proofs are made.
    pub fn find(net: &Net, invariants: &Invariants, budget: &Budget) -> Result<Boards, Stop> {
        let bases = Bases::reachable(net);
        let mut relations = Vec::new();
        for relation in bases.relations() {
            budget.check()?;
            relations.push(RelationBoards::by_groups(relation, &bases, invariants));
        }
        Ok(Boards::of(&bases, invariants, relations, vec![], None))
    }

    /// The boards of a game, every projection decided as far as it can be within the budget. The
    /// invariants gain the projections that were proved together. What was decided before stays.
    pub fn decide(
        bases: &Bases,
        invariants: &mut Invariants,
        before: Option<&Boards>,
        budget: &Budget,
    ) -> Boards {
        let mut search = BoardSearch::new(bases, invariants, before, budget);
        let mut stopped = search.prove_together().err();
        let mut relations = Vec::new();
        for relation in bases.relations() {
            let mut of = RelationBoards::new(relation);
            stopped = stopped.or_else(|| search.relation(relation, &mut of).err());
            if stopped.is_some() {
                of = of.cut_short(relation, &search);
            }
            relations.push(of);
        }
        let seen = search.seen;
        Boards::of(bases, invariants, relations, seen, stopped)
    }

    fn of(
        bases: &Bases,
        invariants: &Invariants,
        relations: Vec<RelationBoards>,
        seen: Vec<Seen>,
        stopped: Option<Stop>,
    ) -> Boards {
        Boards {
            declared: bases.declared,
            verify: Verify::Lemmas,
            views: views::views(bases, invariants, &relations),
            relations,
            samples: invariants.samples.states.len(),
            searched: 0,
            stopped,
            seen,
        }
    }

    /// The invariant projections that Figure 4 verifies, as printed or with exactly one action.
    pub fn verify(
        bases: &Bases,
        any_state: &AnyStateNet,
        exact: bool,
        budget: &Budget,
    ) -> Result<Boards, Stop> {
        let mut verifier = any_state.verifier(exact, budget);
        let how = if exact { Verify::Exact } else { Verify::Literal };
        Boards::verify_by(bases, how, budget, |name, arity, set| {
            let same = |r: &&StateRelation| r.name == name && r.arity == arity;
            let relation = bases.relations().find(same).expect("one of them");
            verifier.is_invariant(bases, relation, set)
        })
    }

    /// The invariant projections by *Prune*, with any procedure that verifies one.
    pub fn verify_by<E>(
        bases: &Bases,
        verify: Verify,
        budget: &Budget,
        mut ask: impl FnMut(&str, usize, &[usize]) -> Result<bool, E>,
    ) -> Result<Boards, E> {
        let mut relations = Vec::new();
        for relation in bases.relations() {
            let mut of = RelationBoards::new(relation);
            let found = prune(relation.arity, |set| {
                of.call(set, budget, || {
                    let yes = ask(&relation.name, relation.arity, set)?;
                    Ok(if yes {
                        ProjectionVerdict::Proved { k: 1 }
                    } else {
                        ProjectionVerdict::Unknown
                    })
                })
            })?;
            of.finish(found.calls, &found.invariant);
            relations.push(of);
        }
        let (declared, samples, searched) = (bases.declared, 0, 0);
        let (stopped, seen, views) = (None, vec![], vec![]);
        Ok(Boards { declared, verify, relations, samples, searched, stopped, seen, views })
    }
}

impl RelationBoards {
    fn new(relation: &StateRelation) -> RelationBoards {
        RelationBoards {
            relation: relation.name.clone(),
            arity: relation.arity,
            calls: 0,
            seconds: 0.0,
            longest: 0.0,
            projections: vec![],
            maximal: vec![],
            partial: vec![],
            sampled: vec![],
            stopped: false,
        }
    }

    /// The boards that follow from proved groups. Places that are declared and hold no reachable fact are in no
    /// group, and facts that are reachable and not declared in no place.
    fn by_groups(
        relation: &StateRelation,
        bases: &Bases,
        invariants: &Invariants,
    ) -> RelationBoards {
        let families = invariants.proved_families(&relation.name, relation.arity);
        let whole = |args: &[usize]| {
            let places = bases.places(&invariants.net, relation, args);
            places.outside.is_empty() && places.bases.iter().all(|bases| !bases.is_empty())
        };
        let always = families.iter().filter(|f| f.1 && !f.0.is_empty() && whole(&f.0));
        let maximal: Vec<Vec<usize>> =
            always.map(|f| f.0.iter().map(|a| a + 1).collect()).collect();
        let partial = partial(invariants, relation, &maximal);
        RelationBoards { partial, maximal, ..RelationBoards::new(relation) }
    }

    /// One call of *Verify*, with its time.
    fn call<E>(
        &mut self,
        set: &[usize],
        budget: &Budget,
        verify: impl FnOnce() -> Result<ProjectionVerdict, E>,
    ) -> Result<bool, E> {
        let start = budget.seconds();
        let answer = verify()?;
        let seconds = budget.seconds() - start;
        self.seconds += seconds;
        self.longest = self.longest.max(seconds);
        let invariant = answer.is_invariant();
        self.projections.push(Projection { places: set.to_vec(), answer });
        Ok(invariant)
    }

    /// Where a limit struck: what follows from proved groups, and the projections decided by then.
    fn cut_short(mut self, relation: &StateRelation, search: &BoardSearch) -> RelationBoards {
        for known in search.decided(relation) {
            if self.projections.iter().all(|p| p.places != known.places) {
                self.projections.push(known.clone());
            }
        }
        let groups = RelationBoards::by_groups(relation, search.bases, search.invariants);
        let decided = self.projections.iter().filter(|p| p.answer.is_invariant());
        let mut invariant = groups.maximal.clone();
        invariant.extend(decided.map(|p| p.places.clone()));
        invariant.sort();
        invariant.dedup();
        let (maximal, projections) = (maximal(&invariant), self.projections);
        RelationBoards { maximal, projections, stopped: true, ..groups }
    }

    fn finish(&mut self, calls: usize, invariant: &[Vec<usize>]) {
        self.calls = calls;
        self.maximal = maximal(invariant);
    }
}

struct BoardSearch<'a> {
    bases: &'a Bases,
    invariants: &'a mut Invariants,
    net: Arc<Net>,
    /// By relation.
    seen: Vec<Seen>,
    before: Option<&'a Boards>,
    budget: &'a Budget,
}

impl<'a> BoardSearch<'a> {
    fn new(
        bases: &'a Bases,
        invariants: &'a mut Invariants,
        before: Option<&'a Boards>,
        budget: &'a Budget,
    ) -> BoardSearch<'a> {
        let net = invariants.net.clone();
        let seen = bases.relations().map(|relation| Seen::new(&net, bases, relation)).collect();
        BoardSearch { bases, invariants, net, seen, before, budget }
    }

    fn observe_samples(&mut self) -> Result<(), Stop> {
        for of in &mut self.seen {
            for state in &self.invariants.samples.states {
                self.budget.check()?;
                of.observe(state);
            }
        }
        Ok(())
    }

    fn places(&self, relation: &StateRelation, set: &[usize]) -> Places {
        let args: Vec<usize> = set.iter().map(|a| a - 1).collect();
        self.bases.places(&self.net, relation, &args)
    }

    /// That a state has all values of a projection and no others.
    fn full(&mut self, places: &Places) -> Lit {
        let base = |b: &usize| self.net.base_lit(*b);
        let lists: Vec<Vec<Lit>> =
            places.bases.iter().map(|bases| bases.iter().map(base).collect()).collect();
        let outside: Vec<Lit> = places.outside.iter().map(|b| !base(b)).collect();
        let prover = &mut self.invariants.prover;
        let mut all: Vec<Lit> = lists.into_iter().map(|l| prover.or(l)).collect();
        all.extend(outside);
        prover.and(all)
    }

    /// Makes lemmas of the projections that hold in all samples, do not follow from the lemmas known
    /// and are inductive together.
    fn prove_together(&mut self) -> Result<(), Stop> {
        self.observe_samples()?;
        let relations: Vec<&StateRelation> = self.bases.relations().collect();
        let mut candidates = Vec::new();
        for (r, relation) in relations.into_iter().enumerate() {
            let sets: Vec<Vec<usize>> = self.seen[r].left().map(<[usize]>::to_vec).collect();
            for set in sets {
                let places = self.places(relation, &set);
                candidates.push((self.full(&places), places));
            }
        }
        let lits = |of: &[(Lit, Places)]| of.iter().map(|c| c.0).collect::<Vec<Lit>>();
        let prover = &mut self.invariants.prover;
        let mut implied = prover.implied(&lits(&candidates))?.into_iter();
        candidates.retain(|_| !implied.next().expect("one each"));
        if candidates.is_empty() {
            return Ok(());
        }
        let (proved, lemmas) = prover.inductive_within(&lits(&candidates), ROUNDS)?;
        for (lit, places) in candidates.iter().filter(|c| proved.contains(&c.0)) {
            self.keep(*lit, places, Verdict::Proved { k: 1, lemmas: lemmas.clone() });
        }
        Ok(())
    }

    /// A projection that is proved says of every place that it holds a fact.
    fn keep(&mut self, lit: Lit, places: &Places, verdict: Verdict) {
        let lemmas = vec![self.invariants.prover.add_lemma(lit)];
        for about in places.bases.iter().filter(|bases| !bases.is_empty()) {
            let (kind, about) = (InvariantKind::SomeOf, about.clone());
            let (verdict, lemmas) = (verdict.clone(), lemmas.clone());
            let by = Author::Boards;
            self.invariants.found.push(Invariant { kind, about, verdict, group: None, lemmas, by });
        }
    }

    /// The projections of a relation that were decided before.
    fn decided(&self, relation: &StateRelation) -> impl Iterator<Item = &'a Projection> + use<'a> {
        let (name, arity) = (relation.name.clone(), relation.arity);
        let relations = self.before.into_iter().flat_map(|boards| &boards.relations);
        let own = relations.filter(move |r| r.relation == name && r.arity == arity);
        own.flat_map(|r| &r.projections).filter(|p| p.answer.status() != "unknown")
    }

    fn relation(&mut self, relation: &StateRelation, of: &mut RelationBoards) -> Result<(), Stop> {
        let budget = self.budget;
        let found =
            prune(relation.arity, |set| of.call(set, budget, || self.decide(relation, set)))?;
        of.finish(found.calls, &found.invariant);
        let r =
            self.bases.relations().position(|x| std::ptr::eq(x, relation)).expect("one of them");
        of.sampled = self.seen[r].maximal();
        of.partial = partial(self.invariants, relation, &found.invariant);
        Ok(())
    }

    /// Definition 2.
    fn decide(
        &mut self,
        relation: &StateRelation,
        set: &[usize],
    ) -> Result<ProjectionVerdict, Stop> {
        if let Some(known) = self.decided(relation).find(|p| p.places == set) {
            return Ok(known.answer.clone());
        }
        let places = self.places(relation, set);
        let initial = |b: &usize| self.net.bases[*b].initial;
        let missing = places.bases.iter().position(|bases| !bases.iter().any(initial));
        if let Some(place) = missing {
            return Ok(ProjectionVerdict::NotInitial { value: places.values[place].clone() });
        }
        if let Some(b) = places.outside.iter().find(|b| initial(b)) {
            return Ok(ProjectionVerdict::NotInitial { value: self.net.bases[*b].name.clone() });
        }
        let samples = &self.invariants.samples;
        let bad = (0..samples.states.len()).filter(|s| fails(&places, &samples.states[*s]));
        if let Some(moves) = bad.map(|s| samples.line_to(s)).min_by_key(Vec::len) {
            return Ok(ProjectionVerdict::Refuted { moves });
        }
        let lit = self.full(&places);
        if self.invariants.prover.implied(&[lit])?[0] {
            return Ok(ProjectionVerdict::Proved { k: 1 });
        }
        match self.invariants.prover.prove(lit, STEPS)? {
            verdict @ Verdict::Proved { k, .. } => {
                self.keep(lit, &places, verdict);
                Ok(ProjectionVerdict::Proved { k })
            }
            Verdict::Refuted { moves } => Ok(ProjectionVerdict::Refuted { moves }),
            Verdict::Unknown { .. } => self.visit(&places),
        }
    }

    /// Looks at all reachable states, where they are not too many. What is visited is seen.
    fn visit(&mut self, places: &Places) -> Result<ProjectionVerdict, Stop> {
        let seen = &mut self.seen;
        let (reach, bad) = Reach::search(&self.net, MOST_STATES, self.budget, |_, state| {
            seen.iter_mut().for_each(|of| of.observe(state));
            fails(places, state)
        })?;
        Ok(match bad {
            Some(bad) => ProjectionVerdict::Refuted { moves: reach.line_to(bad) },
            None if reach.complete => ProjectionVerdict::Visited { states: reach.len() },
            None => ProjectionVerdict::Undecided { steps: STEPS, states: reach.len() },
        })
    }
}

/// The smallest sets of arguments that determine the others, by proof. Where none even seem to, all
/// arguments together do so trivially: the relation says of a place whether it is there.
fn partial(
    invariants: &Invariants,
    relation: &StateRelation,
    invariant: &[Vec<usize>],
) -> Vec<Vec<usize>> {
    let families = invariants.proved_families(&relation.name, relation.arity);
    let mut sets: Vec<Vec<usize>> =
        families.iter().map(|(place, _)| place.iter().map(|a| a + 1).collect()).collect();
    let seen = invariants.seen_families(&relation.name, relation.arity);
    if seen.is_empty() && relation.arity > 1 && invariant.is_empty() {
        sets.push((1..=relation.arity).collect());
    }
    sets.retain(|s| !s.is_empty() && !invariant.contains(s));
    sets
}

fn fails(places: &Places, state: &State) -> bool {
    let holds = |b: &usize| state.holds(*b);
    places.bases.iter().any(|bases| !bases.iter().any(holds)) || places.outside.iter().any(holds)
}
