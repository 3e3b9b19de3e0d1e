//! A program -> the same program with heavy relations derived only where a rule asks for them.
//!
//! A relation such as "the king on (x, y) is threatened if the piece on (u, v) were gone" has far more
//! derivable atoms than any rule ever asks for. Each heavy relation gets a relation of what is needed of
//! it (the magic sets of deductive databases), derived from the other conditions of the asking rule
//! and used as a guard.

use super::program::{BodyLiteral, GroundingProgram, ProgramClause, ProgramDraft};
use super::split::{VarSet, split};
use ludex_gdl::rules::{Atom, Literal, Rel, Term};

/// Adds the program's clauses to `made`, those of heavy relations with a guard.
pub fn restrict(program: &GroundingProgram, heavy: &[bool], made: &mut ProgramDraft) {
    let needs = Needs::new(program, heavy);
    let rels: Vec<Option<Rel>> =
        needs.positions.iter().map(|p| p.as_ref().map(|_| made.fresh())).collect();
    for clause in &program.clauses {
        let need = needs.need(&clause.head, &rels);
        for (at, part) in clause.body.iter().enumerate() {
            let (Literal::Pos(atom) | Literal::Neg(atom)) = &part.literal else { continue };
            if let Some(head) = needs.need(atom, &rels) {
                let body = needs.asking(clause, at, &head, need.as_ref());
                split(ProgramClause { head, body, vars: clause.vars }, made);
            }
        }
        let mut clause = clause.clone();
        if let Some(need) = need {
            clause.body.push(BodyLiteral { literal: Literal::Pos(need), guard: true });
        }
        made.clauses.push(clause);
    }
}

/// Per heavy relation, the arguments that every rule which asks for it can supply.
struct Needs<'a> {
    /// Rules do not supply blocks: there are more of them than it pays to ask for apart.
    blocks: &'a [Rel],
    positions: Vec<Option<Vec<usize>>>,
}

impl Needs<'_> {
    fn new<'a>(program: &'a GroundingProgram, heavy: &[bool]) -> Needs<'a> {
        let mut positions: Vec<Option<Vec<usize>>> = vec![None; program.relations];
        for clause in program.clauses.iter().filter(|c| heavy[c.head.rel.index()]) {
            positions[clause.head.rel.index()] = Some((0..clause.head.args.len()).collect());
        }
        let mut needs = Needs { blocks: &program.blocks, positions };
        while needs.shrink(program) {}
        needs
    }

    /// Takes away the arguments that some asking rule cannot supply; true if there were any.
    fn shrink(&mut self, program: &GroundingProgram) -> bool {
        let mut changed = false;
        for clause in &program.clauses {
            for part in &clause.body {
                let (Literal::Pos(atom) | Literal::Neg(atom)) = &part.literal else { continue };
                let Some(positions) = &self.positions[atom.rel.index()] else { continue };
                let supplied = self.supplied(clause);
                let keep: Vec<usize> = positions
                    .iter()
                    .copied()
                    .filter(|p| vars(&atom.args[*p]).minus(&supplied).count() == 0)
                    .collect();
                if keep.len() < positions.len() {
                    self.positions[atom.rel.index()] = (!keep.is_empty()).then_some(keep);
                    changed = true;
                }
            }
        }
        changed
    }

    /// The variables bound by what was asked of the head and by conditions that are not heavy.
    fn supplied(&self, clause: &ProgramClause) -> VarSet {
        let asked = self.positions[clause.head.rel.index()].iter().flatten();
        let head = asked.map(|p| vars(&clause.head.args[*p]));
        let body = clause.body.iter().filter(|p| self.is_light(p)).map(VarSet::of);
        head.chain(body).fold(VarSet::default(), |a, s| a.union(&s))
    }

    fn is_light(&self, part: &BodyLiteral) -> bool {
        let light = |rel: Rel| self.positions[rel.index()].is_none() && !self.blocks.contains(&rel);
        matches!(&part.literal, Literal::Pos(a) if light(a.rel))
    }

    /// What is needed of an atom.
    fn need(&self, atom: &Atom, rels: &[Option<Rel>]) -> Option<Atom> {
        let positions = self.positions[atom.rel.index()].as_ref()?;
        let args = positions.iter().map(|p| atom.args[*p].clone()).collect();
        Some(Atom { rel: rels[atom.rel.index()]?, args })
    }

    /// The conditions under which a clause asks for an atom: those connected to its variables.
    fn asking(
        &self,
        clause: &ProgramClause,
        at: usize,
        head: &Atom,
        need: Option<&Atom>,
    ) -> Vec<BodyLiteral> {
        let need = need.map(|n| BodyLiteral { literal: Literal::Pos(n.clone()), guard: true });
        let light = clause.body.iter().enumerate().filter(|(i, p)| *i != at && self.is_light(p));
        let mut rest: Vec<BodyLiteral> =
            light.map(|(_, p)| BodyLiteral { guard: true, ..p.clone() }).collect();
        rest.extend(need);
        let mut wanted = head.args.iter().fold(VarSet::default(), |a, t| a.union(&vars(t)));
        let mut body = Vec::new();
        loop {
            let (near, far): (Vec<BodyLiteral>, Vec<BodyLiteral>) =
                rest.into_iter().partition(|p| VarSet::of(p).intersect(&wanted).count() > 0);
            if near.is_empty() {
                break;
            }
            wanted = near.iter().fold(wanted, |a, p| a.union(&VarSet::of(p)));
            body.extend(near);
            rest = far;
        }
        for part in &clause.body {
            if matches!(part.literal, Literal::Distinct(..))
                && VarSet::of(part).minus(&wanted).count() == 0
            {
                body.push(BodyLiteral { guard: true, ..part.clone() });
            }
        }
        body
    }
}

fn vars(term: &Term) -> VarSet {
    let mut vars = Vec::new();
    term.for_each_var(&mut |v| vars.push(v));
    vars.into_iter().collect()
}
