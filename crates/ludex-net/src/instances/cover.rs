//! A program -> the same program with "some other than these" asked for in blocks.
//!
//! "A piece that is not on c threatens k" has an instance for every c, every k and every other place of
//! the piece. So the places are put into blocks of two, these into blocks of two, and so on: whether
//! some piece in a block threatens k is asked once for all c, and a few blocks cover all places but c.

use super::Instances;
use super::program::{BodyLiteral, GroundingProgram, ProgramClause, ProgramDraft, map_literal};
use super::split::{VarSet, split};
use ludex_gdl::rules::{Atom, Literal, Rel, Term, TermId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Fixed relations with fewer atoms stay, and those that allow a smaller share than one of so many;
/// others too, unless blocks are this many times fewer.
const LEAST_ATOMS: usize = 1_000;
const LEAST_SHARE: usize = 2;
const GAIN: usize = 3;

/// Clauses `head :- choice(C, E), t(E, R)` that differ in t only: head and choice. The first variables
/// are those of the head.
#[derive(PartialEq, Eq, Hash, Clone)]
struct ChoiceQuestion {
    head: Atom,
    choice: Atom,
    head_vars: u32,
}

/// The fixed relations that stand for a choice in some clause.
pub fn choices(program: &GroundingProgram) -> Vec<Rel> {
    program.clauses.iter().filter_map(|c| Some(question(program, c)?.0.choice.rel)).collect()
}

/// Adds the program's clauses to `made`; `fixed` are the atoms of the choices.
pub fn cover(program: &GroundingProgram, fixed: &Instances, made: &mut ProgramDraft) {
    let mut blocks: FxHashMap<ChoiceQuestion, Option<Rel>> = FxHashMap::default();
    for clause in &program.clauses {
        let Some((question, others)) = question(program, clause) else {
            made.clauses.push(clause.clone());
            continue;
        };
        let places = question.places();
        let single = blocks.entry(question.clone()).or_insert_with(|| {
            let levels = levels(fixed, &question, &places)?;
            Some(question.ask(&places, levels, made))
        });
        match single {
            Some(rel) => {
                let head = Atom { rel: *rel, args: places.asked() };
                split(ProgramClause { head, body: others, vars: clause.vars }, made);
            }
            None => made.clauses.push(clause.clone()),
        }
    }
}

/// The question of a clause, if it asks one, and its other conditions; variables renamed.
fn question(
    program: &GroundingProgram,
    clause: &ProgramClause,
) -> Option<(ChoiceQuestion, Vec<BodyLiteral>)> {
    let at = clause.body.iter().position(|part| is_choice(program, clause, part))?;
    let Literal::Pos(choice) = &clause.body[at].literal else { return None };
    let mut names: Vec<u32> = Vec::new();
    let mut note = |literal: &Literal| {
        literal.for_each_var(&mut |v| {
            if !names.contains(&v) {
                names.push(v)
            }
        });
        names.len() as u32
    };
    let head_vars = note(&Literal::Pos(clause.head.clone()));
    note(&clause.body[at].literal);
    clause.body.iter().for_each(|p| _ = note(&p.literal));
    let rename = |v: u32| Term::Var(names.iter().position(|n| *n == v).expect("noted") as u32);
    let atom = |a: &Atom| match map_literal(&Literal::Pos(a.clone()), &rename) {
        Literal::Pos(atom) => atom,
        _ => unreachable!("as it was"),
    };
    let mut others = clause.body.clone();
    others.remove(at);
    others.iter_mut().for_each(|p| p.literal = map_literal(&p.literal, &rename));
    Some((ChoiceQuestion { head: atom(&clause.head), choice: atom(choice), head_vars }, others))
}

/// Whether a condition is fixed, and only it joins variables of the head to those that it chooses.
fn is_choice(program: &GroundingProgram, clause: &ProgramClause, part: &BodyLiteral) -> bool {
    let Literal::Pos(atom) = &part.literal else { return false };
    if part.guard || program.dynamic[atom.rel.index()] || atom.rel.is_keyword() {
        return false;
    }
    let variable =
        |(i, t): (usize, &Term)| matches!(t, Term::Var(_)) && !atom.args[..i].contains(t);
    let others = clause.body.iter().filter(|p| *p != part);
    let (positive, rest): (Vec<&BodyLiteral>, Vec<&BodyLiteral>) =
        others.partition(|p| matches!(p.literal, Literal::Pos(_)));
    let union = |parts: &[&BodyLiteral]| {
        parts.iter().fold(VarSet::default(), |all, p| all.union(&VarSet::of(p)))
    };
    let (bound, tested) = (union(&positive), union(&rest));
    let head =
        VarSet::of(&BodyLiteral { literal: Literal::Pos(clause.head.clone()), guard: false });
    let own = VarSet::of(part);
    let (given, chosen) = (own.intersect(&head), own.minus(&head));
    atom.args.iter().enumerate().all(variable)
        && given.count() > 0
        && chosen.count() > 0
        && given.intersect(&bound.union(&tested)).count() == 0
        && chosen.minus(&bound).count() == 0
        && head.minus(&given).minus(&bound).count() == 0
}

/// Which variables of a question are which.
struct QuestionVariables {
    /// Positions in the choice of what the head gives, and of what is chosen.
    given: Vec<usize>,
    chosen: Vec<usize>,
    /// The variables chosen, and those of the head that are not given.
    e: Vec<u32>,
    rest: Vec<u32>,
}

impl QuestionVariables {
    /// The arguments of "some of these, for the rest".
    fn asked(&self) -> Vec<Term> {
        self.e.iter().chain(&self.rest).map(|v| Term::Var(*v)).collect()
    }
}

impl ChoiceQuestion {
    fn places(&self) -> QuestionVariables {
        let var = |t: &Term| match t {
            Term::Var(v) => *v,
            _ => unreachable!("a choice has variables only"),
        };
        let vars: Vec<u32> = self.choice.args.iter().map(var).collect();
        let (given, chosen): (Vec<usize>, Vec<usize>) =
            (0..vars.len()).partition(|i| vars[*i] < self.head_vars);
        let e = chosen.iter().map(|i| vars[*i]).collect();
        let rest = (0..self.head_vars).filter(|v| !vars.contains(v)).collect();
        QuestionVariables { given, chosen, e, rest }
    }

    /// Adds the clauses that answer the question in blocks; the relation for blocks of one.
    fn ask(
        &self,
        places: &QuestionVariables,
        levels: Vec<BlockLevel>,
        made: &mut ProgramDraft,
    ) -> Rel {
        let single = made.fresh();
        let mut some = single;
        let first = (places.e.len() + places.given.len() + places.rest.len()) as u32;
        let outer = Vec::from_iter((first..first + places.e.len() as u32).map(Term::Var));
        let clause = |head: Atom, body: [Atom; 2], made: &mut ProgramDraft| {
            let part = |a| BodyLiteral { literal: Literal::Pos(a), guard: false };
            let body = body.into_iter().map(part).collect();
            made.clauses.push(ProgramClause { head, body, vars: first + places.e.len() as u32 });
        };
        for level in levels {
            if !level.inside.is_empty() {
                let below = Atom { rel: some, args: places.asked() };
                some = made.fresh();
                let pair = below.args[..outer.len()].iter().chain(&outer).cloned().collect();
                let inside = Atom { rel: made.blocks(level.inside), args: pair };
                let mut args = places.asked();
                args[..outer.len()].clone_from_slice(&outer);
                clause(Atom { rel: some, args }, [below, inside], made);
            }
            let cover = Atom { rel: made.blocks(level.cover), args: self.choice.args.clone() };
            clause(self.head.clone(), [Atom { rel: some, args: places.asked() }, cover], made);
        }
        single
    }
}

/// Blocks of one size, each named by its first element.
#[derive(Default)]
struct BlockLevel {
    /// A block of the level below and the block that it is in.
    inside: Vec<Vec<Term>>,
    /// The atoms of the choice that these blocks stand for.
    cover: Vec<Vec<Term>>,
}

/// The blocks of a question, smallest first. None where they do not pay.
fn levels(
    fixed: &Instances,
    question: &ChoiceQuestion,
    places: &QuestionVariables,
) -> Option<Vec<BlockLevel>> {
    let atoms: Vec<&[TermId]> = fixed.atoms_of(question.choice.rel).collect();
    let pick = |atom: &[TermId], places: &[usize]| -> Vec<TermId> {
        places.iter().map(|p| atom[*p]).collect()
    };
    let different = |places: &[usize]| {
        let all: BTreeSet<Vec<TermId>> = atoms.iter().map(|a| pick(a, places)).collect();
        Vec::from_iter(all)
    };
    let (givens, elements) = (different(&places.given), different(&places.chosen));
    if atoms.len() < LEAST_ATOMS || atoms.len() * LEAST_SHARE < givens.len() * elements.len() {
        return None;
    }
    let mut allowed = vec![vec![false; elements.len()]; givens.len()];
    for atom in &atoms {
        let given = givens.binary_search(&pick(atom, &places.given)).expect("one of them");
        let at = elements.binary_search(&pick(atom, &places.chosen)).expect("one of them");
        allowed[given][at] = true;
    }
    let term = |t: &TermId| fixed.terms().to_term(*t);
    let mut levels = Vec::new();
    for height in 0..elements.len().next_power_of_two().trailing_zeros() + 1 {
        let size = 1usize << height;
        let mut level = BlockLevel::default();
        let block = |at: usize| elements[at / size * size].iter().map(term);
        if height > 0 {
            let below = (0..elements.len()).step_by(size / 2);
            level.inside =
                below.map(|b| elements[b].iter().map(term).chain(block(b)).collect()).collect();
        }
        for (given, allowed) in givens.iter().zip(&allowed) {
            let all = |size: usize, at: usize| {
                let block = &allowed[at / size * size..elements.len().min(at / size * size + size)];
                !block.contains(&false)
            };
            let largest = |at: usize| size >= elements.len() || !all(2 * size, at);
            let blocks = (0..elements.len()).step_by(size);
            for b in blocks.filter(|b| all(size, *b) && largest(*b)) {
                let mut atom = vec![None; question.choice.args.len()];
                places.given.iter().zip(given).for_each(|(p, t)| atom[*p] = Some(term(t)));
                places.chosen.iter().zip(block(b)).for_each(|(p, t)| atom[*p] = Some(t));
                level.cover.push(atom.into_iter().map(|t| t.expect("given or chosen")).collect());
            }
        }
        levels.push(level);
    }
    while levels.last().is_some_and(|l| l.cover.is_empty()) {
        levels.pop();
    }
    let blocks: usize = levels.iter().map(|l| l.cover.len()).sum();
    (blocks * GAIN <= atoms.len()).then_some(levels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instances::program::Scope;
    use ludex_gdl::budget::Budget;
    use ludex_gdl::rules::Rules;
    use ludex_gdl::source::Source;

    /// Squares on a ring. A piece reaches some, also where the piece on a given square is gone; `from`
    /// and `low` allow all squares to some, and few to others.
    fn ring(squares: usize) -> Rules {
        let places = (0..squares).map(|s| format!("(place {s})\n"));
        let near = (0..squares).flat_map(|s| (1..20).map(move |d| (s, (s + d) % squares)));
        let near = near.map(|(s, t)| format!("(near {s} {t})\n"));
        let low = (0..squares).flat_map(|s| (0..=s).map(move |t| format!("(low {t} {s})\n")));
        let text = places.chain(near).chain(low).collect::<String>()
            + "(role r) (init (at 0)) (init (at 7)) (init (hit 9))
               (<= (other ?c ?u) (place ?c) (place ?u) (distinct ?c ?u))
               (<= (from ?c ?u) (other ?c ?u)) (from 3 3)
               (<= (reached ?c ?k) (true (at ?u)) (other ?c ?u) (near ?u ?k))
               (<= (reached ?d ?k) (other ?d ?v) (true (hit ?v)) (near ?v ?k) (not (true (at ?k))))
               (<= (seen ?c) (from ?c ?u) (true (at ?u)))
               (<= (under ?c) (low ?c ?u) (true (hit ?u)))
               (<= (legal r (go ?c ?k)) (true (at ?c)) (reached ?c ?k) (seen ?c))
               (<= (next (at ?k)) (does r (go ?c ?k))) (<= (next (hit ?k)) (under ?k))
               (<= terminal (reached 3 12)) (goal r 100)";
        let source = Source::new("ring.kif", text);
        Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source))).0
    }

    /// Per atom of a relation of the rules, the facts and moves that its derivations use in the end.
    fn supports(rules: &Rules, found: &Instances) -> BTreeSet<String> {
        let store = &found.store;
        let name = |a: usize| {
            let args = store.atoms.args(a as u32).iter();
            let args: Vec<String> =
                args.map(|t| found.terms().text(&rules.symbols, *t, true)).collect();
            format!("{:?} {}", store.atoms.rel(a as u32), args.join(" "))
        };
        let made = |a: usize| store.atoms.rel(a as u32).index() >= rules.relations.len();
        let mut used: Vec<BTreeSet<String>> = vec![BTreeSet::new(); store.atoms.len()];
        for _ in 0..12 {
            for (i, head) in found.rows.heads.iter().enumerate() {
                for literal in found.rows.body(i) {
                    let below = match made(literal.atom()) {
                        true => used[literal.atom()].clone(),
                        false => [format!("{}{}", literal.negated(), name(literal.atom()))].into(),
                    };
                    used[*head as usize].extend(below);
                }
            }
        }
        let own = (0..used.len()).filter(|a| !made(*a));
        own.map(|a| format!("{} <= {:?}", name(a), used[a])).collect()
    }

    #[test]
    fn blocks_say_the_same_in_fewer_instances() {
        let rules = ring(60);
        let budget = Budget::unlimited();
        let program = GroundingProgram::new(&rules, Scope::Game, &budget).expect("safe");
        let covered = program.covered(&budget).expect("no limit").expect("choices");
        let [plain, blocks] =
            [&program, &covered].map(|p| Instances::of(p, &budget).expect("small"));
        let [rows, fewer] = [&plain, &blocks].map(|found| found.rows.heads.len());
        assert!(fewer * 2 < rows, "{fewer} instances in place of {rows}");
        assert_eq!(supports(&rules, &plain), supports(&rules, &blocks));
    }
}
