//! A program -> the same program with relations derived only for arguments that a rule asks for.
//!
//! This is the demand of `demand.rs` for one argument at a time, which costs next to nothing: "the queen on
//! (u, v) threatens (x, y) if the piece on (i, j) were gone", with i and j any of the sixteen names of
//! files and ranks, is only ever asked for with i a file and j a rank.

use super::program::{BodyLiteral, GroundingProgram, ProgramClause, ProgramDraft};
use ludex_gdl::rules::{Atom, Literal, Rel, Term};

/// Adds the program's clauses to `made`, those of some relations with guards.
pub fn restrict(program: &GroundingProgram, some: &[bool], made: &mut ProgramDraft) {
    let asked = Asked::new(program, some, made);
    for clause in &program.clauses {
        for (at, part) in clause.body.iter().enumerate() {
            for (p, rel) in part.literal.atom().into_iter().flat_map(|a| asked.of(a)) {
                asked.ask(clause, at, p, rel, made);
            }
        }
        let mut guarded = clause.clone();
        for (p, rel) in asked.of(&clause.head) {
            let arg = &clause.head.args[p];
            if !asked.restricted(clause, arg) {
                guarded.body.push(guard(rel, arg));
            }
        }
        made.clauses.push(guarded);
    }
}

/// Per relation and argument, the relation of values that are asked for.
struct Asked(Vec<Vec<Option<Rel>>>);

impl Asked {
    fn new(program: &GroundingProgram, some: &[bool], made: &mut ProgramDraft) -> Asked {
        let mut asked = Asked(vec![vec![]; program.relations]);
        for head in program.clauses.iter().map(|c| &c.head).filter(|h| some[h.rel.index()]) {
            let rels = &mut asked.0[head.rel.index()];
            while rels.len() < head.args.len() {
                rels.push(Some(made.fresh()));
            }
        }
        while asked.shrink(program) {}
        asked
    }

    /// Gives up arguments that some asking rule cannot supply; true if there were any.
    fn shrink(&mut self, program: &GroundingProgram) -> bool {
        let mut open = Vec::new();
        for clause in &program.clauses {
            for (at, part) in clause.body.iter().enumerate() {
                let Some(atom) = part.literal.atom() else { continue };
                let unbound = |p: &usize| {
                    let bound = |v| {
                        self.by_head(clause, v).is_some()
                            || self.lights(clause, at, v).next().is_some()
                    };
                    !vars(&atom.args[*p]).into_iter().all(bound)
                };
                open.extend(self.of(atom).map(|x| x.0).filter(unbound).map(|p| (atom.rel, p)));
            }
        }
        open.iter().for_each(|(rel, p)| self.0[rel.index()][*p] = None);
        !open.is_empty()
    }

    /// The arguments of an atom whose values are restricted.
    fn of<'a>(&'a self, atom: &Atom) -> impl Iterator<Item = (usize, Rel)> + 'a {
        let rels = self.0[atom.rel.index()].iter().enumerate();
        rels.filter_map(|(p, rel)| Some((p, (*rel)?)))
    }

    /// What is asked of a variable that stands in the head.
    fn by_head(&self, clause: &ProgramClause, var: u32) -> Option<Rel> {
        let in_head = |(p, _): &(usize, Rel)| clause.head.args[*p] == Term::Var(var);
        self.of(&clause.head).find(in_head).map(|x| x.1)
    }

    /// The other conditions that bind a variable and are of no restricted relation.
    fn lights<'a>(
        &'a self,
        clause: &'a ProgramClause,
        at: usize,
        var: u32,
    ) -> impl Iterator<Item = &'a BodyLiteral> {
        let light = move |p: &BodyLiteral| match &p.literal {
            Literal::Pos(atom) => {
                self.of(atom).next().is_none() && atom.args.iter().any(|t| vars(t).contains(&var))
            }
            _ => false,
        };
        clause.body.iter().enumerate().filter(move |(i, p)| *i != at && light(p)).map(|x| x.1)
    }

    /// Does another condition, or what is needed of the head, restrict this argument of it already?
    fn restricted(&self, clause: &ProgramClause, arg: &Term) -> bool {
        clause.body.iter().any(|part| match &part.literal {
            Literal::Pos(atom) if part.guard => atom.args.contains(arg),
            Literal::Pos(atom) => self.of(atom).any(|(p, _)| atom.args[p] == *arg),
            _ => false,
        })
    }

    /// Adds the clause by which a condition asks for values of an argument.
    fn ask(
        &self,
        clause: &ProgramClause,
        at: usize,
        argument: usize,
        rel: Rel,
        made: &mut ProgramDraft,
    ) {
        let Some(atom) = clause.body[at].literal.atom() else { return };
        let arg = &atom.args[argument];
        let mut body = Vec::new();
        for var in vars(arg) {
            match self.by_head(clause, var) {
                Some(rel) => body.push(guard(rel, &Term::Var(var))),
                None => {
                    for part in self.lights(clause, at, var) {
                        let inner = BodyLiteral { guard: true, ..part.clone() };
                        let literal = Literal::Pos(made.relation(&[var], vec![inner]));
                        body.push(BodyLiteral { literal, guard: true });
                    }
                }
            }
        }
        let head = Atom { rel, args: vec![arg.clone()] };
        made.clauses.push(ProgramClause { head, body, vars: clause.vars });
    }
}

fn guard(rel: Rel, arg: &Term) -> BodyLiteral {
    BodyLiteral { literal: Literal::Pos(Atom { rel, args: vec![arg.clone()] }), guard: true }
}

fn vars(term: &Term) -> Vec<u32> {
    let mut vars = Vec::new();
    term.for_each_var(&mut |v| vars.push(v));
    vars
}
