//! A program -> the same program with fixed relations of too many tuples to list as decision diagrams.
//!
//! "Each of the nine marks is another" is true of 9! tuples, and its parts of many more. A rule that asks
//! for it is made into a chain of rules that takes one mark after the other and remembers only the node of
//! the diagram: which marks there have been.

use super::diagrams::{DiagramArg, Diagrams, NO, YES};
use super::program::{BodyLiteral, GroundingProgram, ProgramClause, ProgramDraft};
use super::split::{VarSet, split};
use ludex_gdl::rules::{Atom, Literal, Rel, Symbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Relations with more values, or deeper definitions, are not made into diagrams.
const MOST_VALUES: usize = 64;
const DEEPEST: usize = 32;

/// Adds to `made` the clauses of a program that is not yet split, without the relations of `large`; none
/// where that cannot be done.
pub fn constrain(
    program: &GroundingProgram,
    large: &[bool],
    made: &mut ProgramDraft,
) -> Option<()> {
    let mut constraints = Constraints::new(program, large)?;
    for clause in program.clauses.iter().filter(|c| !large[c.head.rel.index()]) {
        let is_large = |p: &BodyLiteral| p.literal.atom().is_some_and(|a| large[a.rel.index()]);
        let (asked, rest): (Vec<BodyLiteral>, Vec<BodyLiteral>) =
            clause.body.iter().cloned().partition(is_large);
        match asked.is_empty() {
            true => split(clause.clone(), made),
            false => constraints.chain(clause, &asked, rest, made)?,
        }
    }
    Some(())
}

struct Constraints<'a> {
    program: &'a GroundingProgram,
    values: Vec<Term>,
    symbol: Symbol,
    diagrams: Diagrams,
    /// Diagrams of relations, over their arguments; the relations that are being looked at.
    known: FxHashMap<Rel, u32>,
    open: Vec<Rel>,
    /// For a diagram and one of its variables, the relation of node, value and next node.
    edges: FxHashMap<(u32, u32), Rel>,
}

impl Constraints<'_> {
    fn new<'a>(program: &'a GroundingProgram, large: &[bool]) -> Option<Constraints<'a>> {
        let rels = (0..large.len()).filter(|r| large[*r]).map(|r| Rel(r as u32));
        let used = program.used_by(&rels.collect::<Vec<_>>());
        let asks = |a: &Atom| large[a.rel.index()];
        let mut values: BTreeSet<&Term> = BTreeSet::new();
        for clause in &program.clauses {
            let body = clause.body.iter().filter_map(|p| p.literal.atom());
            let own = used[clause.head.rel.index()];
            for atom in body.filter(|a| own || asks(a)).chain(own.then_some(&clause.head)) {
                values.extend(atom.args.iter().filter(|t| t.is_ground()));
            }
        }
        let symbol = match values.first()? {
            Term::App(symbol, _) => *symbol,
            Term::Var(_) => return None,
        };
        let values: Vec<Term> = values.into_iter().cloned().collect();
        let (known, edges) = (FxHashMap::default(), FxHashMap::default());
        let diagrams = Diagrams::new(values.len());
        let fits = (2..=MOST_VALUES).contains(&values.len());
        fits.then_some(Constraints {
            program,
            values,
            symbol,
            diagrams,
            known,
            open: vec![],
            edges,
        })
    }

    /// The tuples of a relation.
    fn relation(&mut self, rel: Rel) -> Option<u32> {
        if let Some(node) = self.known.get(&rel) {
            return Some(*node);
        }
        let program = self.program;
        let fixed = !program.dynamic[rel.index()] && !rel.is_given();
        if !fixed || self.open.len() == DEEPEST || self.open.contains(&rel) {
            return None;
        }
        self.open.push(rel);
        let mut all = NO;
        for clause in program.clauses.iter().filter(|c| c.head.rel == rel) {
            let one = self.clause(clause)?;
            all = self.diagrams.or(all, one);
        }
        self.open.pop();
        self.known.insert(rel, all);
        (!self.diagrams.is_full()).then_some(all)
    }

    /// The tuples that a clause gives, over the arguments of its head.
    fn clause(&mut self, clause: &ProgramClause) -> Option<u32> {
        let arity = clause.head.args.len() as u32;
        let mut names: Vec<Option<u32>> = vec![None; clause.vars as usize];
        let mut all = YES;
        for (place, arg) in clause.head.args.iter().enumerate() {
            match arg {
                Term::Var(v) if names[*v as usize].is_none() => {
                    names[*v as usize] = Some(place as u32)
                }
                _ => {
                    let arg = self.arg(arg, &names)?;
                    let same = self.diagrams.equal(DiagramArg::Var(place as u32), arg);
                    all = self.diagrams.and(all, same);
                }
            }
        }
        let mut next = arity;
        for name in names.iter_mut().filter(|n| n.is_none()) {
            *name = Some(next);
            next += 1;
        }
        for part in &clause.body {
            let one = self.literal(&part.literal, &names)?;
            all = self.diagrams.and(all, one);
        }
        Some((arity..next).fold(all, |all, var| self.diagrams.exists(all, var)))
    }

    fn literal(&mut self, literal: &Literal, names: &[Option<u32>]) -> Option<u32> {
        match literal {
            Literal::Distinct(a, b) => {
                let (a, b) = (self.arg(a, names)?, self.arg(b, names)?);
                let same = self.diagrams.equal(a, b);
                Some(self.diagrams.not(same))
            }
            Literal::Pos(atom) | Literal::Neg(atom) => {
                let args = atom.args.iter().map(|t| self.arg(t, names));
                let args: Vec<DiagramArg> = args.collect::<Option<_>>()?;
                let tuples = self.relation(atom.rel)?;
                let node = self.diagrams.with(tuples, &args);
                let negated = matches!(literal, Literal::Neg(_));
                Some(if negated { self.diagrams.not(node) } else { node })
            }
        }
    }

    fn arg(&self, term: &Term, names: &[Option<u32>]) -> Option<DiagramArg> {
        match term {
            Term::Var(v) => names[*v as usize].map(DiagramArg::Var),
            _ => self.values.binary_search(term).ok().map(DiagramArg::Value),
        }
    }

    /// Adds the chain of clauses that stands for one with these large conditions.
    fn chain(
        &mut self,
        clause: &ProgramClause,
        asked: &[BodyLiteral],
        rest: Vec<BodyLiteral>,
        made: &mut ProgramDraft,
    ) -> Option<()> {
        let wanted = vars(asked);
        let (stages, finally) = stages(rest, &wanted)?;
        let mut names = vec![None; clause.vars as usize];
        stages.iter().enumerate().for_each(|(k, s)| names[s.var as usize] = Some(k as u32));
        let mut root = YES;
        for part in asked {
            let one = self.literal(&part.literal, &names)?;
            root = self.diagrams.and(root, one);
        }
        if self.diagrams.is_full() {
            return None;
        }
        let edges = self.edges(root, stages.len() as u32, made);
        let [from, to] = [clause.vars, clause.vars + 1];
        let mut last = Atom { rel: Rel::TRUE, args: vec![self.name(root)] };
        let end = vars(&finally).union(&VarSet::of(&condition(clause.head.clone())));
        for (k, stage) in stages.iter().enumerate() {
            let mut body = stage.takes.clone();
            let edge = vec![last.args[0].clone(), Term::Var(stage.var), Term::Var(to)];
            body.push(condition(Atom { rel: edges[k], args: edge }));
            body.extend((k > 0).then(|| condition(last)));
            let bound = vars(&body);
            body.extend(guards(self.program, &finally, &bound));
            let later = stages[k + 1..].iter().map(|s| vars(&s.takes));
            let needed = later.fold(end.clone(), |all, v| all.union(&v));
            let kept = bound.intersect(&needed).list();
            let args = [to].into_iter().chain(kept).map(Term::Var).collect();
            let head = Atom { rel: made.fresh(), args };
            last = head.clone();
            last.args[0] = Term::Var(from);
            made.clauses.push(ProgramClause { head, body, vars: clause.vars + 2 });
        }
        last.args[0] = self.name(YES);
        let body = finally.into_iter().chain([condition(last)]).collect();
        split(ProgramClause { head: clause.head.clone(), body, vars: clause.vars }, made);
        Some(())
    }

    /// The relations of a diagram's edges, one for each of its variables.
    fn edges(&mut self, root: u32, vars: u32, made: &mut ProgramDraft) -> Vec<Rel> {
        let mut nodes = BTreeSet::from([root]);
        let mut rels = Vec::new();
        for var in 0..vars {
            let mut edges = Vec::new();
            for node in &nodes {
                for value in 0..self.values.len() {
                    let next = self.diagrams.follow(*node, var, value);
                    edges.extend((next != NO).then_some((*node, value, next)));
                }
            }
            nodes = edges.iter().map(|e| e.2).collect();
            let term = |(a, value, b): &(u32, usize, u32)| {
                vec![self.name(*a), self.values[*value].clone(), self.name(*b)]
            };
            let atoms = edges.iter().map(term).collect();
            rels.push(*self.edges.entry((root, var)).or_insert_with(|| made.facts(atoms)));
        }
        rels
    }

    /// The term for a node: its number in digits.
    fn name(&self, node: u32) -> Term {
        let (mut digits, mut left) = (Vec::new(), node as usize);
        while digits.is_empty() || left > 0 {
            digits.push(self.values[left % self.values.len()].clone());
            left /= self.values.len();
        }
        Term::App(self.symbol, digits)
    }
}

/// One variable of a diagram and the conditions that are taken with it.
struct DiagramStage {
    var: u32,
    takes: Vec<BodyLiteral>,
}

/// The variables that a diagram asks for, in the order in which conditions bind them, and the conditions
/// that bind none. Nothing where there is a variable that they do not bind.
fn stages(
    rest: Vec<BodyLiteral>,
    wanted: &VarSet,
) -> Option<(Vec<DiagramStage>, Vec<BodyLiteral>)> {
    let (mut stages, mut finally) = (Vec::<DiagramStage>::new(), Vec::new());
    let mut open = wanted.clone();
    for part in rest {
        let own = VarSet::of(&part).intersect(wanted);
        if !matches!(part.literal, Literal::Pos(_)) || own.count() == 0 {
            finally.push(part);
            continue;
        }
        let new = own.intersect(&open).list();
        stages.extend(new.into_iter().map(|var| DiagramStage { var, takes: vec![] }));
        open = open.minus(&own);
        let own = own.list();
        let last = stages.iter_mut().rev().find(|s| own.contains(&s.var)).expect("bound");
        last.takes.push(part);
    }
    (open.count() == 0).then_some((stages, finally))
}

/// The fixed among these conditions, as far as their variables are bound.
fn guards(program: &GroundingProgram, parts: &[BodyLiteral], bound: &VarSet) -> Vec<BodyLiteral> {
    let fixed = |p: &&BodyLiteral| match &p.literal {
        Literal::Pos(a) => !program.dynamic[a.rel.index()],
        _ => false,
    };
    let within = |p: &&BodyLiteral| VarSet::of(p).minus(bound).count() == 0;
    let guards = parts.iter().filter(fixed).filter(within);
    guards.map(|p| BodyLiteral { guard: true, ..p.clone() }).collect()
}

fn vars(parts: &[BodyLiteral]) -> VarSet {
    parts.iter().fold(VarSet::default(), |all, p| all.union(&VarSet::of(p)))
}

fn condition(atom: Atom) -> BodyLiteral {
    BodyLiteral { literal: Literal::Pos(atom), guard: false }
}
