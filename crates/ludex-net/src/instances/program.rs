//! `Rules` -> `GroundingProgram`: the rules a grounding evaluates, made safe, and split along their variables.

use super::{Instances, NotGround, asked, constraints, cover, demand, free, split, unfold};
use ludex_gdl::budget::Budget;
use ludex_gdl::digraph::reached;
use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Term};
use rustc_hash::FxHashMap;

/// A literal of a body. A guard only restricts which instances are made; it is no condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyLiteral {
    pub literal: Literal,
    pub guard: bool,
}

#[derive(Clone, Debug)]
pub struct ProgramClause {
    pub head: Atom,
    pub body: Vec<BodyLiteral>,
    /// The number of variables.
    pub vars: u32,
}

/// The clauses of an evaluation, with the relations that were made for them.
pub struct GroundingProgram {
    pub clauses: Vec<ProgramClause>,
    /// The number of relations; those from `Rules::relations.len()` on were made here.
    pub relations: usize,
    /// Per relation: whether it depends on the state or the moves.
    pub dynamic: Vec<bool>,
    /// The relations that say which elements and blocks are in which blocks.
    pub blocks: Vec<Rel>,
}

/// What an evaluation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// What a game consists of; all else matters only as far as it is used.
    Game,
    /// All rules.
    Everything,
    /// All rules without their negative conditions, over given facts `true` and `does` (001, 14.3).
    Plus,
}

impl GroundingProgram {
    pub fn new(
        rules: &Rules,
        scope: Scope,
        budget: &Budget,
    ) -> Result<GroundingProgram, NotGround> {
        GroundingProgram::of(rules, scope, budget, split::split)
    }

    /// The clauses of the rules, each added as `add` does it.
    fn of(
        rules: &Rules,
        scope: Scope,
        budget: &Budget,
        add: impl Fn(ProgramClause, &mut ProgramDraft),
    ) -> Result<GroundingProgram, NotGround> {
        let mut made = ProgramDraft { relations: rules.relations.len(), ..ProgramDraft::default() };
        for (rule, needed) in rules.rules.iter().zip(needed(rules, scope)) {
            budget.check()?;
            if needed {
                let positive = |l: &&Literal| scope != Scope::Plus || !matches!(l, Literal::Neg(_));
                let body: Vec<Literal> = rule.body.iter().filter(positive).cloned().collect();
                let clause = safe(rule, &body, &mut made).map_err(|var| NotGround::Unsafe {
                    rule: rules.rule_text(rule),
                    variable: rule.vars[var as usize].clone(),
                })?;
                add(clause, &mut made);
            }
        }
        Ok(made.program(scope != Scope::Plus))
    }

    /// The same with heavy relations, and those between them, derived only where they are needed, with
    /// arguments of those that depend on them restricted, and all these evaluated with those that depend
    /// on the state.
    pub(crate) fn on_demand(&self, heavy: &[bool]) -> GroundingProgram {
        let mut near = heavy.to_vec();
        self.spread(&mut near);
        (0..near.len()).for_each(|rel| near[rel] &= !Rel(rel as u32).is_keyword());
        let mut made = ProgramDraft { relations: self.relations, ..ProgramDraft::default() };
        demand::restrict(self, &self.with_those_between(heavy), &mut made);
        let restricted = made.program(true);
        near.resize(restricted.relations, false);
        let mut made = ProgramDraft { relations: restricted.relations, ..ProgramDraft::default() };
        asked::restrict(&restricted, &near, &mut made);
        let mut program = made.program(true);
        for (rel, near) in near.iter().enumerate() {
            program.dynamic[rel] |= *near;
        }
        program.spread_dynamic();
        program
    }

    fn spread_dynamic(&mut self) {
        let mut dynamic = std::mem::take(&mut self.dynamic);
        self.spread(&mut dynamic);
        self.dynamic = dynamic;
    }

    /// The program of a game without the large among the fixed relations of its rules, and those that depend
    /// on them: they are made into conditions on one value after the other, if that can be done.
    pub fn constrained(
        rules: &Rules,
        large: &[bool],
        budget: &Budget,
    ) -> Result<Option<GroundingProgram>, NotGround> {
        let add = |clause, made: &mut ProgramDraft| made.clauses.push(clause);
        let whole = GroundingProgram::of(rules, Scope::Game, budget, add)?;
        let mut all = large[..rules.relations.len()].to_vec();
        all.resize(whole.relations, false);
        whole.spread(&mut all);
        let fixed = |rel: usize| !whole.dynamic[rel] && !Rel(rel as u32).is_keyword();
        (0..all.len()).for_each(|rel| all[rel] &= fixed(rel));
        let mut made = ProgramDraft { relations: whole.relations, ..ProgramDraft::default() };
        let done = constraints::constrain(&whole, &all, &mut made);
        Ok(done.map(|()| made.program(true)))
    }

    /// The same with large fixed relations replaced by their definitions, if there are any.
    pub fn unfolded(&self, found: &Instances) -> Option<GroundingProgram> {
        let mut made = ProgramDraft { relations: self.relations, ..ProgramDraft::default() };
        unfold::unfold(self, found, &mut made).then(|| made.program(true))
    }

    /// The same without arguments that only say of which set they are, if there are any.
    pub fn freed(&self) -> Option<GroundingProgram> {
        let mut made = ProgramDraft { relations: self.relations, ..ProgramDraft::default() };
        free::free(self, &mut made).then(|| made.program(true))
    }

    /// The same with choices among many asked for in blocks, if there are any.
    pub fn covered(&self, budget: &Budget) -> Result<Option<GroundingProgram>, NotGround> {
        let choices = cover::choices(self);
        if choices.is_empty() {
            return Ok(None);
        }
        let used = self.used_by(&choices);
        let clauses = self.clauses.iter().filter(|c| used[c.head.rel.index()]).cloned().collect();
        let relations = self.relations;
        let dynamic = vec![false; relations];
        let fixed = GroundingProgram { clauses, relations, dynamic, blocks: vec![] };
        let fixed = Instances::of(&fixed, budget)?;
        let mut made = ProgramDraft { relations, ..ProgramDraft::default() };
        cover::cover(self, &fixed, &mut made);
        Ok(Some(made.program(true)))
    }

    /// The relations that these depend on, and these.
    pub(crate) fn used_by(&self, rels: &[Rel]) -> Vec<bool> {
        let mut asked = vec![Vec::new(); self.relations];
        for clause in &self.clauses {
            let atoms = clause.body.iter().filter_map(|part| part.literal.atom());
            asked[clause.head.rel.index()].extend(atoms.map(|a| a.rel.0));
        }
        let rels = rels.iter().map(|r| r.0);
        reached(self.relations, rels, |rel| asked[rel as usize].iter().copied())
    }

    /// These relations, and those that depend on them and are asked for by them only.
    pub(crate) fn with_those_between(&self, some: &[bool]) -> Vec<bool> {
        let mut all = some.to_vec();
        self.spread(&mut all);
        (0..all.len()).for_each(|rel| all[rel] &= some[rel] || !Rel(rel as u32).is_keyword());
        loop {
            let mut between = all.clone();
            for clause in &self.clauses {
                for atom in clause.body.iter().filter_map(|p| p.literal.atom()) {
                    let rel = atom.rel.index();
                    between[rel] &= all[clause.head.rel.index()] || some[rel];
                }
            }
            if between == all {
                return all;
            }
            all = between;
        }
    }

    /// Marks every relation that depends on a marked one.
    fn spread(&self, marks: &mut [bool]) {
        loop {
            let mut changed = false;
            for clause in &self.clauses {
                let uses = |p: &BodyLiteral| p.literal.atom().is_some_and(|a| marks[a.rel.index()]);
                if !marks[clause.head.rel.index()] && clause.body.iter().any(uses) {
                    marks[clause.head.rel.index()] = true;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }
}

/// Clauses and relations in the making. Equal bodies get one relation.
#[derive(Default)]
pub struct ProgramDraft {
    pub clauses: Vec<ProgramClause>,
    relations: usize,
    blocks: Vec<Rel>,
    by_body: FxHashMap<(Vec<BodyLiteral>, u32), Rel>,
}

impl ProgramDraft {
    fn program(self, dynamic: bool) -> GroundingProgram {
        let mut program = GroundingProgram {
            clauses: self.clauses,
            relations: self.relations,
            dynamic: vec![false; self.relations],
            blocks: self.blocks,
        };
        program.dynamic[Rel::TRUE.index()] = dynamic;
        program.dynamic[Rel::DOES.index()] = dynamic;
        program.spread_dynamic();
        program
    }

    /// The number of a new relation.
    pub fn fresh(&mut self) -> Rel {
        self.relations += 1;
        Rel(self.relations as u32 - 1)
    }

    /// A new relation of blocks with these atoms.
    pub fn blocks(&mut self, atoms: Vec<Vec<Term>>) -> Rel {
        let rel = self.facts(atoms);
        self.blocks.push(rel);
        rel
    }

    /// A new relation with these atoms.
    pub fn facts(&mut self, atoms: Vec<Vec<Term>>) -> Rel {
        let rel = self.fresh();
        let fact = |args| ProgramClause { head: Atom { rel, args }, body: vec![], vars: 0 };
        self.clauses.extend(atoms.into_iter().map(fact));
        rel
    }

    /// A new relation over `vars`, defined by the body; its atom. Made once for equal bodies.
    pub fn relation(&mut self, vars: &[u32], body: Vec<BodyLiteral>) -> Atom {
        let mut names = vars.to_vec();
        for part in &body {
            part.literal.for_each_var(&mut |v| {
                if !names.contains(&v) {
                    names.push(v)
                }
            });
        }
        let rename = |v: u32| Term::Var(names.iter().position(|n| *n == v).expect("noted") as u32);
        let mut body: Vec<BodyLiteral> = body
            .iter()
            .map(|p| BodyLiteral { literal: map_literal(&p.literal, &rename), guard: p.guard })
            .collect();
        body.sort();
        let arity = vars.len() as u32;
        let next = Rel(self.relations as u32);
        let rel = *self.by_body.entry((body.clone(), arity)).or_insert(next);
        if rel == next {
            self.relations += 1;
            let head = Atom { rel, args: (0..arity).map(Term::Var).collect() };
            self.clauses.push(ProgramClause { head, body, vars: names.len() as u32 });
        }
        Atom { rel, args: vars.iter().map(|v| Term::Var(*v)).collect() }
    }
}

/// A clause in which every variable stands in a positive literal. A variable that stands only in
/// one negated atom means "for no value". An error is a variable that cannot be bound.
fn safe(rule: &Rule, all: &[Literal], made: &mut ProgramDraft) -> Result<ProgramClause, u32> {
    let mut bound = vec![false; rule.vars.len()];
    for literal in all {
        if let Literal::Pos(_) = literal {
            literal.for_each_var(&mut |v| bound[v as usize] = true);
        }
    }
    let mut body = Vec::new();
    for literal in all {
        let mut vars = Vec::new();
        literal.for_each_var(&mut |v| vars.push(v));
        let literal = match literal {
            Literal::Neg(atom) if vars.iter().any(|v| !bound[*v as usize]) => {
                vars.retain(|v| bound[*v as usize]);
                vars.sort_unstable();
                vars.dedup();
                let inner = BodyLiteral { literal: Literal::Pos(atom.clone()), guard: false };
                Literal::Neg(made.relation(&vars, vec![inner]))
            }
            Literal::Distinct(..) if vars.iter().any(|v| !bound[*v as usize]) => {
                return Err(vars.into_iter().find(|v| !bound[*v as usize]).expect("just seen"));
            }
            other => other.clone(),
        };
        body.push(BodyLiteral { literal, guard: false });
    }
    let mut unbound = None;
    Literal::Pos(rule.head.clone()).for_each_var(&mut |v| {
        if !bound[v as usize] {
            unbound = Some(v)
        }
    });
    match unbound {
        Some(v) => Err(v),
        None => Ok(ProgramClause { head: rule.head.clone(), body, vars: rule.vars.len() as u32 }),
    }
}

/// Which rules can matter: those of the outputs and of what their bodies use.
fn needed(rules: &Rules, scope: Scope) -> Vec<bool> {
    let of_play = (scope == Scope::Game).then(|| rules.needed_by(&Rel::OUTPUTS));
    let needed = |rel: Rel| of_play.as_ref().is_none_or(|needed| needed[rel.index()]);
    // Facts about `true` and `does` are no part of the language; both are given.
    let heads = rules.rules.iter().map(|rule| rule.head.rel);
    heads.map(|rel| needed(rel) && !rel.is_given()).collect()
}

pub fn map_literal(literal: &Literal, rename: &impl Fn(u32) -> Term) -> Literal {
    let atom =
        |a: &Atom| Atom { rel: a.rel, args: a.args.iter().map(|t| map_term(t, rename)).collect() };
    match literal {
        Literal::Pos(a) => Literal::Pos(atom(a)),
        Literal::Neg(a) => Literal::Neg(atom(a)),
        Literal::Distinct(a, b) => Literal::Distinct(map_term(a, rename), map_term(b, rename)),
    }
}

fn map_term(term: &Term, rename: &impl Fn(u32) -> Term) -> Term {
    match term {
        Term::Var(v) => rename(*v),
        Term::App(f, args) => Term::App(*f, args.iter().map(|t| map_term(t, rename)).collect()),
    }
}
