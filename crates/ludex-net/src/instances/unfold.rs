//! A program -> the same program with large fixed relations replaced by what they are defined by.
//!
//! "Four pieces with a property in common" has thousands of instances, and so has every rule that
//! joins it with four squares. With the definition in its place the rule can be split along the
//! common property.

use super::Instances;
use super::program::{BodyLiteral, GroundingProgram, ProgramClause, ProgramDraft, map_literal};
use super::split::split;
use ludex_gdl::rules::{Literal, Term};

/// Fixed relations with fewer atoms stay.
const LARGE: usize = 2_000;

/// Adds the program's clauses to `made`; false where there is nothing to replace.
pub fn unfold(program: &GroundingProgram, found: &Instances, made: &mut ProgramDraft) -> bool {
    let definitions = definitions(program, found);
    let mut replaced = false;
    for clause in &program.clauses {
        let large = |p: &BodyLiteral| !p.guard && definition(&definitions, p).is_some();
        if program.dynamic[clause.head.rel.index()] && clause.body.iter().any(large) {
            replaced = true;
            split(with_definitions(clause, &definitions), made);
        } else {
            made.clauses.push(clause.clone());
        }
    }
    replaced
}

/// Per relation its only clause, where it is large and fixed and defined by a plain join.
fn definitions<'a>(
    program: &'a GroundingProgram,
    found: &Instances,
) -> Vec<Option<&'a ProgramClause>> {
    let mut count = vec![0; program.relations];
    program.clauses.iter().for_each(|c| count[c.head.rel.index()] += 1);
    let mut definitions = vec![None; program.relations];
    for clause in &program.clauses {
        let rel = clause.head.rel;
        let fixed = !rel.is_keyword() && !program.dynamic[rel.index()] && count[rel.index()] == 1;
        let plain = |p: &BodyLiteral| !p.guard && matches!(p.literal, Literal::Pos(_));
        let joins = clause.body.len() > 1 && clause.body.iter().all(plain);
        if fixed && joins && variables(clause) && found.atoms_of(rel).nth(LARGE).is_some() {
            definitions[rel.index()] = Some(clause);
        }
    }
    definitions
}

/// Whether the arguments of the head are different variables.
fn variables(clause: &ProgramClause) -> bool {
    let args = &clause.head.args;
    let first = |(i, t): (usize, &Term)| matches!(t, Term::Var(_)) && !args[..i].contains(t);
    args.iter().enumerate().all(first)
}

fn definition<'a>(
    definitions: &[Option<&'a ProgramClause>],
    part: &BodyLiteral,
) -> Option<&'a ProgramClause> {
    let Literal::Pos(atom) = &part.literal else { return None };
    definitions[atom.rel.index()]
}

fn with_definitions(
    clause: &ProgramClause,
    definitions: &[Option<&ProgramClause>],
) -> ProgramClause {
    let mut new = ProgramClause { head: clause.head.clone(), body: vec![], vars: clause.vars };
    for part in &clause.body {
        let (Literal::Pos(atom), Some(definition)) = (&part.literal, definition(definitions, part))
        else {
            new.body.push(part.clone());
            continue;
        };
        let first = new.vars;
        let rename = |v: u32| {
            let place = definition.head.args.iter().position(|t| *t == Term::Var(v));
            place.map_or(Term::Var(first + v), |p| atom.args[p].clone())
        };
        let body = definition.body.iter().map(|p| map_literal(&p.literal, &rename));
        new.body.extend(body.map(|literal| BodyLiteral { literal, guard: false }));
        new.vars += definition.vars;
    }
    new
}
