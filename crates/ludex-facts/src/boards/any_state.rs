//! `AnyStateNet`: *VerifyIP* (Figure 4 of the paper) decided by a SAT solver, for any state at all.
//!
//! A state is any subset of the base propositions, reachable or not, and a role makes one declared
//! and legal move, or none. To that end the rules are rewritten: a fact that is true at first makes
//! every base proposition reachable and is false wherever it is asked, and an idle move that no rule
//! of the game sees stands for no action.

use super::bases::{Bases, Places};
use crate::fluents::StateRelation;
use crate::prove::{SatAnswer, UnrollStart, Unrolling};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Atom, Literal, Rel, Rules, Term};
use ludex_net::ground::{Ground, NotGround};
use ludex_net::{Lit, Net};

/// Conflicts of the solver in one call.
const EFFORT: i32 = 5_000_000;

pub struct AnyStateNet {
    net: Net,
    /// The fact that makes all others reachable, and the move that no rule sees.
    first: usize,
    idle: Vec<usize>,
    /// Bases that are not base propositions: false at first.
    outside: Vec<usize>,
    /// Inputs that are not declared.
    undeclared: Vec<usize>,
    /// The initial state of the game.
    initial: Vec<String>,
}

/// The names of the added fact and move: no author can write them.
const FIRST: &str = "first state";
const IDLE: &str = "no action";

impl AnyStateNet {
    /// `game` is the net of the rules; its bases are the base propositions where none are declared.
    pub fn new(
        rules: &Rules,
        ground: &Ground,
        game: &Net,
        bases: &Bases,
        budget: &Budget,
    ) -> Result<AnyStateNet, NotGround> {
        let rewritten = rewritten(rules, ground, bases.declared);
        let net = Net::new(&Ground::new(&rewritten, budget)?, budget)?;
        let is_base = |name: &String| bases.facts.binary_search(name).is_ok();
        let first = net.bases.iter().position(|b| b.name == FIRST).expect("it is there at first");
        let outside = (0..net.bases.len()).filter(|b| !is_base(&net.bases[*b].name)).collect();
        let inputs = || 0..net.inputs.len();
        let idle: Vec<usize> = inputs().filter(|i| net.inputs[*i].name == IDLE).collect();
        let declared = |i: &usize| {
            let input = &net.inputs[*i];
            bases.inputs.as_ref().is_none_or(|of| of[input.role].contains(&input.name))
        };
        let undeclared = inputs().filter(|i| !declared(i) && !idle.contains(i)).collect();
        let initial = game.bases.iter().filter(|b| b.initial).map(|b| b.name.clone()).collect();
        Ok(AnyStateNet { net, first, idle, outside, undeclared, initial })
    }

    /// The step from any state to the next, to ask many questions.
    pub(crate) fn verifier<'a>(&'a self, exact: bool, budget: &Budget) -> Verifier<'a> {
        let net = &self.net;
        let mut step = Unrolling::new(net, UnrollStart::Any, budget);
        step.require_moves(0);
        let mut never: Vec<Lit> = self.outside.iter().map(|b| net.base_lit(*b)).collect();
        never.push(net.base_lit(self.first));
        never.extend(self.undeclared.iter().map(|i| net.input_lit(*i)));
        if exact {
            never.extend(self.idle.iter().map(|i| net.input_lit(*i)));
        }
        for lit in never {
            let lit = step.at(0, lit);
            step.clause([-lit]);
        }
        Verifier { of: self, step }
    }
}

pub struct Verifier<'a> {
    of: &'a AnyStateNet,
    step: Unrolling<'a>,
}

impl Verifier<'_> {
    /// Property 1, and Property 2 (new): from every state with all values of the projection and no
    /// others every step leads to such a state.
    pub fn is_invariant(
        &mut self,
        bases: &Bases,
        relation: &StateRelation,
        set: &[usize],
    ) -> Result<bool, Stop> {
        let args: Vec<usize> = set.iter().map(|a| a - 1).collect();
        let of_net = |f: &usize| {
            let at = self.of.net.bases.binary_search_by(|b| b.name.cmp(&bases.facts[*f]));
            at.ok()
        };
        let groups = relation.by_args(&args);
        let bases_of = |facts: &Vec<usize>| facts.iter().filter_map(of_net).collect();
        let places: Vec<Vec<usize>> = groups.values().map(bases_of).collect();
        let starts =
            |facts: &Vec<usize>| facts.iter().any(|f| self.of.initial.contains(&bases.facts[*f]));
        let strange = self.outside(relation, &args, &groups.keys().collect::<Vec<_>>());
        let initial_outside =
            strange.iter().any(|b| self.of.initial.contains(&self.of.net.bases[*b].name));
        if initial_outside || !groups.values().all(starts) {
            return Ok(false);
        }
        let places = Places { values: vec![], bases: places, outside: strange };
        self.stays(&places)
    }

    /// Bases of the relation whose place is no value of a base proposition.
    fn outside(
        &self,
        relation: &StateRelation,
        args: &[usize],
        known: &[&Vec<&str>],
    ) -> Vec<usize> {
        let bases = self.of.outside.iter().copied().filter(|b| {
            let (name, values) = crate::fluents::parts(&self.of.net.bases[*b].name);
            let same = name == relation.name && values.len() == relation.arity;
            let place = || args.iter().map(|a| values[*a].as_str()).collect::<Vec<_>>();
            same && !known.contains(&&place())
        });
        bases.collect()
    }

    fn stays(&mut self, places: &Places) -> Result<bool, Stop> {
        let net = &self.of.net;
        let (switch, fails) = (self.step.fresh(), self.step.fresh());
        let mut missing = vec![-fails];
        for bases in &places.bases {
            let now: Vec<i32> = bases.iter().map(|b| self.step.at(0, net.base_lit(*b))).collect();
            self.step.clause(now.into_iter().chain([-switch]));
            let after: Vec<i32> = bases.iter().map(|b| self.step.at(1, net.base_lit(*b))).collect();
            // `gone` implies that the place is not listed after the step.
            let gone = self.step.fresh();
            after.into_iter().for_each(|lit| self.step.clause([-gone, -lit]));
            missing.push(gone);
        }
        for b in &places.outside {
            missing.push(self.step.at(1, net.base_lit(*b)));
        }
        self.step.clause(missing);
        Ok(self.step.solve(&[switch, fails], EFFORT)? == SatAnswer::Unsat)
    }
}

fn rewritten(rules: &Rules, ground: &Ground, declared: bool) -> Rules {
    let mut new = rules.clone();
    let constant = |new: &mut Rules, name| Term::App(new.symbols.intern(name), vec![]);
    let (first, idle) = (constant(&mut new, FIRST), constant(&mut new, IDLE));
    // 1. The idle move is legal, and what the rules ask is whether another one is made.
    let acts = new.new_relation("acts", 2);
    new.rename(Rel::DOES, acts, false);
    let body = vec![
        Literal::Pos(Atom::of_variables(Rel::DOES, 2)),
        Literal::Distinct(Term::Var(1), idle.clone()),
    ];
    new.add_rule(Atom::of_variables(acts, 2), body, &["r", "m"]);
    let head = Atom { rel: Rel::LEGAL, args: vec![Term::Var(0), idle] };
    new.add_rule(head, vec![Literal::Pos(Atom::of_variables(Rel::ROLE, 1))], &["r"]);
    // 2. Rules that ask for the initial state see it still; the new one has one fact.
    let init = new.new_relation("init", 1);
    new.rename(Rel::INIT, init, true);
    new.add_fact(Rel::INIT, vec![first.clone()]);
    // 3. That fact brings about every base proposition.
    let base = if declared { Rel::BASE } else { new.new_relation("base", 1) };
    if !declared {
        let facts = ground.atoms.iter().filter(|a| a.rel == Rel::TRUE);
        facts.for_each(|a| new.add_fact(base, vec![ground.to_term(ground.args(a)[0])]));
    }
    let body = vec![
        Literal::Pos(Atom { rel: Rel::TRUE, args: vec![first] }),
        Literal::Pos(Atom::of_variables(base, 1)),
    ];
    new.add_rule(Atom::of_variables(Rel::NEXT, 1), body, &["x"]);
    new.stratify().expect("nothing new is negated");
    new
}
