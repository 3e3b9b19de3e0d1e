//! A program -> the same program without arguments that only say of which set they are.
//!
//! "A chain of twenty bits is finished in step 20" has a million instances that all say the same: what
//! becomes of a chain does not depend on its bits, as long as they are bits. An argument is free where every
//! clause of its relation asks nothing of it but fixed sets, the same in all of them, or gives it to
//! arguments that are free. It is left out, and where the relation is used the sets are asked for.

use super::program::{BodyLiteral, GroundingProgram, ProgramClause, ProgramDraft};
use ludex_gdl::digraph::components;
use ludex_gdl::rules::{Atom, Literal, Rel, Term};
use std::collections::BTreeSet;

/// The fixed relations of one argument that hold of a value.
type Sets = BTreeSet<Rel>;

/// Adds the program's clauses to `made`, without free arguments; false where there are none.
pub fn free(program: &GroundingProgram, made: &mut ProgramDraft) -> bool {
    let free = Free::new(program);
    let some = |args: &Vec<Option<Sets>>| args.iter().any(Option::is_some);
    let renamed: Vec<Option<Rel>> =
        free.sets.iter().map(|args| some(args).then(|| made.fresh())).collect();
    made.clauses.extend(program.clauses.iter().map(|clause| free.without(clause, &renamed)));
    renamed.iter().any(Option::is_some)
}

struct Free<'a> {
    program: &'a GroundingProgram,
    /// Per relation and argument, the sets of its values, where it is free.
    sets: Vec<Vec<Option<Sets>>>,
}

impl Free<'_> {
    /// Relations are looked at after those that they depend on; those that depend on themselves have no free
    /// argument.
    fn new(program: &GroundingProgram) -> Free<'_> {
        let mut edges = vec![Vec::new(); program.relations];
        for clause in &program.clauses {
            let used = clause.body.iter().filter_map(|part| part.literal.atom());
            edges[clause.head.rel.index()].extend(used.map(|atom| atom.rel.0));
        }
        let mut free = Free { program, sets: vec![vec![]; program.relations] };
        for group in components(program.relations, |rel| &edges[rel as usize]).iter() {
            let rel = Rel(group[0]);
            let alone = group.len() == 1 && !edges[rel.index()].contains(&rel.0);
            if alone && program.dynamic[rel.index()] && !rel.is_keyword() {
                free.sets[rel.index()] = free.arguments(rel);
            }
        }
        free
    }

    fn arguments(&self, rel: Rel) -> Vec<Option<Sets>> {
        let clauses = || self.program.clauses.iter().filter(|clause| clause.head.rel == rel);
        let count = clauses().next().map_or(0, |clause| clause.head.args.len());
        let argument = |p: usize| {
            let mut all = clauses().map(|clause| self.asked(clause, &clause.head.args[p]));
            let sets = all.next()??;
            let same = all.all(|other| other.as_ref() == Some(&sets));
            (same && self.denied_within(rel, p, &sets)).then_some(sets)
        };
        (0..count).map(argument).collect()
    }

    /// What a clause asks of an argument of its head, where that is nothing but sets.
    fn asked(&self, clause: &ProgramClause, arg: &Term) -> Option<Sets> {
        let Term::Var(var) = arg else { return None };
        let once = clause.head.args.iter().filter(|other| mentions(other, *var)).count() == 1;
        let (mut sets, mut denied) = (Sets::new(), Sets::new());
        for part in clause.body.iter().filter(|part| uses(part, *var)) {
            match &part.literal {
                Literal::Pos(atom) if !part.guard => sets.extend(self.of_atom(atom, *var)?),
                Literal::Neg(atom) if !part.guard && !self.is_set(atom) => {
                    denied.extend(self.of_atom(atom, *var)?)
                }
                _ => return None,
            }
        }
        (once && !sets.is_empty() && denied.is_subset(&sets)).then_some(sets)
    }

    /// What an atom asks of a variable, where that is nothing but sets.
    fn of_atom(&self, atom: &Atom, var: u32) -> Option<Sets> {
        if self.is_set(atom) {
            return Some([atom.rel].into());
        }
        let mut sets = Sets::new();
        for (p, arg) in atom.args.iter().enumerate().filter(|(_, arg)| mentions(arg, var)) {
            let of = self.sets[atom.rel.index()].get(p)?.as_ref()?;
            matches!(arg, Term::Var(_)).then(|| sets.extend(of))?;
        }
        Some(sets)
    }

    /// A fixed relation of one argument, which is a variable.
    fn is_set(&self, atom: &Atom) -> bool {
        let fixed = !self.program.dynamic[atom.rel.index()] && !atom.rel.is_keyword();
        fixed && matches!(atom.args[..], [Term::Var(_)])
    }

    /// Whether the relation is denied only of values that are in the sets.
    fn denied_within(&self, rel: Rel, p: usize, sets: &Sets) -> bool {
        self.program.clauses.iter().all(|clause| {
            let denied = |part: &&BodyLiteral| {
                matches!(&part.literal, Literal::Neg(atom) if atom.rel == rel)
            };
            clause.body.iter().filter(denied).all(|part| {
                let arg = part.literal.atom().map(|atom| &atom.args[p]);
                let holds = |set: &Rel| clause.body.iter().any(|part| {
                    let Literal::Pos(atom) = &part.literal else { return false };
                    !part.guard && atom.rel == *set && atom.args.first() == arg
                });
                matches!(arg, Some(Term::Var(_))) && sets.iter().all(holds)
            })
        })
    }

    fn without(&self, clause: &ProgramClause, renamed: &[Option<Rel>]) -> ProgramClause {
        let of_head = self.sets[clause.head.rel.index()].iter().zip(&clause.head.args);
        let gone: Vec<&Term> = of_head.filter(|(free, _)| free.is_some()).map(|x| x.1).collect();
        let mut body = Vec::new();
        for part in &clause.body {
            let Some(atom) = part.literal.atom() else {
                body.push(part.clone());
                continue;
            };
            if self.is_set(atom) && gone.contains(&&atom.args[0]) {
                continue;
            }
            let shorter = self.shorter(atom, renamed);
            let literal = match &part.literal {
                Literal::Neg(_) => Literal::Neg(shorter),
                _ => Literal::Pos(shorter),
            };
            if let Literal::Pos(_) = literal {
                let of_atom = self.sets[atom.rel.index()].iter().zip(&atom.args);
                for (sets, arg) in of_atom.filter(|(_, arg)| !gone.contains(arg)) {
                    let set = |rel: &Rel| Literal::Pos(Atom { rel: *rel, args: vec![arg.clone()] });
                    let asked = sets.iter().flatten().map(set);
                    body.extend(asked.map(|literal| BodyLiteral { literal, guard: part.guard }));
                }
            }
            body.push(BodyLiteral { literal, guard: part.guard });
        }
        ProgramClause { head: self.shorter(&clause.head, renamed), body, vars: clause.vars }
    }

    /// The atom without its free arguments.
    fn shorter(&self, atom: &Atom, renamed: &[Option<Rel>]) -> Atom {
        let Some(rel) = renamed[atom.rel.index()] else { return atom.clone() };
        let kept = self.sets[atom.rel.index()].iter().zip(&atom.args);
        Atom { rel, args: kept.filter(|(free, _)| free.is_none()).map(|x| x.1.clone()).collect() }
    }
}

fn uses(part: &BodyLiteral, var: u32) -> bool {
    let mut found = false;
    part.literal.for_each_var(&mut |v| found |= v == var);
    found
}

fn mentions(term: &Term, var: u32) -> bool {
    let mut found = false;
    term.for_each_var(&mut |v| found |= v == var);
    found
}
