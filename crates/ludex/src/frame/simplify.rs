//! `T_G(a, M)` -> plain rules: quantifiers become auxiliary relations, equations are solved,
//! disjunctions multiplied out, and what no reachable instance satisfies is left away.

use super::joint::Joint;
use super::made::{FrameDraft, VariableNames};
use super::reach::FrameReach;
use super::transition::{Persistence, Transition};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Substitution, Term, equal};
use ludex_gdl::source::Span;
use ludex_symmetry::subsume::subsumes;

/// `fnext(fluent) <- does & true(fluent) & rest`. A role whose move does not matter has no `does`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Simple {
    pub fluent: Term,
    pub does: Vec<Option<Atom>>,
    pub rest: Vec<Literal>,
}

/// A rule that falls into more cases keeps auxiliary relations instead.
const MOST_CASES: usize = 64;

/// What makes one way to persist fail: one of these alternatives, each a conjunction.
type FailureClause = Vec<Vec<Wish>>;

#[derive(Clone)]
enum Wish {
    Equal(Term, Term),
    Literal(Literal),
}

/// A case: what the variables stand for, and the literals that must hold.
#[derive(Clone)]
struct FrameCase {
    by: Substitution,
    literals: Vec<Literal>,
}

enum Outcome {
    Impossible,
    Satisfied,
    New(FrameCase),
}

pub struct Simplifier<'a> {
    pub reach: &'a FrameReach,
    pub made: &'a mut FrameDraft,
    pub budget: &'a Budget,
}

impl Simplifier<'_> {
    /// The plain rules that together say the same, in all reachable states.
    pub fn simplify(&mut self, t: &Transition) -> Result<Vec<Simple>, Stop> {
        let start = FrameCase { by: Substitution::default(), literals: vec![] };
        let inequalities = Joint::inequalities(&t.does).into_iter().map(Wish::Literal).collect();
        let mut clauses = vec![vec![inequalities]];
        for kept in &t.kept {
            clauses.extend(self.clause(t, kept));
        }
        let mut found = Vec::new();
        if !self.cases(t, start.clone(), &clauses, &mut found)? {
            clauses.truncate(1);
            clauses.extend(t.kept.iter().map(|kept| vec![self.whole(t, kept)]));
            found.clear();
            self.cases(t, start, &clauses, &mut found)?;
        }
        let found = found.into_iter().flat_map(|case| self.by_values(t, case));
        let mut simple: Vec<Simple> = found.map(|case| self.rule(t, &case)).collect();
        drop_subsumed(&mut simple);
        Ok(simple)
    }

    /// The alternatives that make a way to persist fail; none where it always fails.
    fn clause(&mut self, t: &Transition, kept: &Persistence) -> Option<FailureClause> {
        let equations: Vec<(Term, Term)> = (0..t.locals)
            .map(|v| (Term::Var(v), kept.by.apply(&Term::Var(v))))
            .filter(|(v, value)| v != value)
            .collect();
        let cond = condition(t, kept)?;
        if equations.iter().any(|(_, value)| has_local(value, t.locals)) {
            return Some(vec![self.whole(t, kept)]);
        }
        let equal = |n: usize| -> Vec<Wish> {
            equations[..n].iter().map(|(a, b)| Wish::Equal(a.clone(), b.clone())).collect()
        };
        let mut clause = FailureClause::new();
        for (i, (a, b)) in equations.iter().enumerate() {
            let mut option = equal(i);
            option.push(Wish::Literal(Literal::Distinct(a.clone(), b.clone())));
            clause.push(option);
        }
        for part in parts(cond, t.locals) {
            let mut option = equal(equations.len());
            option.push(self.negated(t, kept, part));
            clause.push(option);
        }
        Some(clause)
    }

    /// The negation of literals that are joined by quantified variables, or of a single one.
    fn negated(&mut self, t: &Transition, kept: &Persistence, part: Vec<Literal>) -> Wish {
        if let [literal] = part.as_slice()
            && !literal_has_local(literal, t.locals)
        {
            return match literal.clone() {
                Literal::Distinct(a, b) => Wish::Equal(a, b),
                Literal::Pos(a) => Wish::Literal(Literal::Neg(a)),
                Literal::Neg(a) => Wish::Literal(Literal::Pos(a)),
            };
        }
        let mut shared = Vec::new();
        part.iter().for_each(|l| l.for_each_var(&mut |v| shared.push(v)));
        shared.sort_unstable();
        shared.dedup();
        shared.retain(|v| *v < t.locals);
        let mut bound = Vec::new();
        for literal in &part {
            if let Literal::Pos(a) = literal {
                a.for_each_var(&mut |v| bound.push(v));
            }
        }
        let mut body = Vec::new();
        for atom in binders(t) {
            let atom = kept.by.apply_atom(&atom);
            let mut vars = Vec::new();
            atom.for_each_var(&mut |v| vars.push(v));
            if shared.iter().any(|v| !bound.contains(v) && vars.contains(v)) {
                bound.extend(vars);
                body.push(Literal::Pos(atom));
            }
        }
        body.extend(part);
        let args: Vec<Term> = shared.into_iter().map(Term::Var).collect();
        self.not_kept(t, kept, args.clone(), args, body)
    }

    /// A way to persist as one auxiliary relation over the variables it speaks of, negated.
    fn whole(&mut self, t: &Transition, kept: &Persistence) -> Vec<Wish> {
        let mut spoken_of = Vec::new();
        kept.rule.cond.iter().for_each(|l| {
            kept.by.apply_literal(l).for_each_var(&mut |v| spoken_of.push(v));
        });
        for v in 0..t.locals {
            let value = kept.by.apply(&Term::Var(v));
            if value != Term::Var(v) {
                spoken_of.push(v);
                value.for_each_var(&mut |w| spoken_of.push(w));
            }
        }
        spoken_of.sort_unstable();
        spoken_of.dedup();
        spoken_of.retain(|v| *v < t.locals);
        let mut body = Vec::new();
        for atom in binders(t) {
            let mut speaks = false;
            atom.for_each_var(&mut |v| speaks |= spoken_of.contains(&v));
            if speaks {
                body.push(Literal::Pos(kept.by.apply_atom(&atom)));
            }
        }
        body.extend(kept.rule.cond.iter().map(|l| kept.by.apply_literal(l)));
        let args: Vec<Term> = spoken_of.into_iter().map(Term::Var).collect();
        let head = args.iter().map(|t| kept.by.apply(t)).collect();
        vec![self.not_kept(t, kept, args, head, body)]
    }

    fn not_kept(
        &mut self,
        t: &Transition,
        kept: &Persistence,
        args: Vec<Term>,
        head: Vec<Term>,
        body: Vec<Literal>,
    ) -> Wish {
        let vars = VariableNames { moves: t.moves, locals: t.locals, own: &kept.rule.vars };
        let rel = self.made.auxiliary(head, body, vars);
        Wish::Literal(Literal::Neg(Atom { rel, args }))
    }

    /// All cases in which every clause holds. False where there are too many.
    fn cases(
        &self,
        t: &Transition,
        case: FrameCase,
        clauses: &[FailureClause],
        found: &mut Vec<FrameCase>,
    ) -> Result<bool, Stop> {
        self.budget.check()?;
        // 1. Clauses that hold already go; the one with the fewest alternatives is next.
        let mut open: Vec<&FailureClause> = Vec::new();
        let mut best: Option<(usize, Vec<FrameCase>)> = None;
        'clauses: for clause in clauses {
            let mut options = Vec::new();
            for option in clause {
                match self.with(t, &case, option) {
                    Outcome::Impossible => {}
                    Outcome::Satisfied => continue 'clauses,
                    Outcome::New(case) => options.push(case),
                }
            }
            if options.is_empty() {
                return Ok(true);
            }
            if best.as_ref().is_none_or(|(_, b)| options.len() < b.len()) {
                best = Some((open.len(), options));
            }
            open.push(clause);
        }
        // 2. Each of its alternatives is a case.
        let Some((at, options)) = best else {
            found.push(case);
            return Ok(found.len() <= MOST_CASES);
        };
        open.remove(at);
        let open: Vec<FailureClause> = open.into_iter().cloned().collect();
        for option in options {
            if !self.cases(t, option, &open, found)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn with(&self, t: &Transition, case: &FrameCase, option: &[Wish]) -> Outcome {
        let mut new = case.clone();
        let mut changed = false;
        for wish in option {
            match wish {
                Wish::Equal(a, b) => {
                    let (a, b) = (new.by.apply(a), new.by.apply(b));
                    if a == b {
                        continue;
                    }
                    // Of two variables the first is replaced; the fluent's, which have smaller
                    // numbers, stay.
                    let (a, b) = if last_var(&a) < last_var(&b) { (b, a) } else { (a, b) };
                    if !new.by.unify(&a, &b) {
                        return Outcome::Impossible;
                    }
                    changed = true;
                }
                Wish::Literal(literal) => {
                    let literal = new.by.apply_literal(literal);
                    if !new.literals.contains(&literal) && !is_true(&literal) {
                        new.literals.push(literal);
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return Outcome::Satisfied;
        }
        if new.tidy() && self.possible(t, &new) { Outcome::New(new) } else { Outcome::Impossible }
    }

    /// Can the literals over the variables of the fluent, or of a move, be true of any that occur?
    fn possible(&self, t: &Transition, case: &FrameCase) -> bool {
        self.atoms(t, &case.by).iter().all(|(role, term)| {
            let about = self.about(term, &case.literals);
            self.reach.possible(*role, term, &about)
        })
    }

    fn atoms(&self, t: &Transition, by: &Substitution) -> Vec<(Option<usize>, Term)> {
        let moves = t.does.iter().enumerate().map(|(k, a)| (Some(k), by.apply(&a.args[1])));
        std::iter::once((None, by.apply(&t.fluent))).chain(moves).collect()
    }

    /// The literals whose value follows from the instance of a term.
    fn about(&self, term: &Term, literals: &[Literal]) -> Vec<Literal> {
        let mut own = Vec::new();
        term.for_each_var(&mut |v| own.push(v));
        let speaks = |l: &&Literal| {
            let mut all = self.reach.knows(l);
            l.for_each_var(&mut |v| all &= own.contains(&v));
            all
        };
        literals.iter().filter(speaks).cloned().collect()
    }

    fn rule(&self, t: &Transition, case: &FrameCase) -> Simple {
        let atoms = self.atoms(t, &case.by);
        let mut rest = case.literals.clone();
        rest.retain(|l| !atoms.iter().any(|(role, term)| self.always(*role, term, l)));
        rest.sort_unstable();
        Simple {
            fluent: case.by.apply(&t.fluent),
            does: t.does.iter().map(|a| Some(case.by.apply_atom(a))).collect(),
            rest,
        }
    }

    /// A variable for which the literals leave few values has these instead of the literals.
    fn by_values(&self, t: &Transition, case: FrameCase) -> Vec<FrameCase> {
        for (role, term) in self.atoms(t, &case.by) {
            let about = self.about(&term, &case.literals);
            if about.is_empty() {
                continue;
            }
            let Some((v, values)) = self.reach.few_values(role, &term, &about) else { continue };
            let with = |value: Term| {
                let mut case = case.clone();
                (case.by.unify(&Term::Var(v), &value) && case.tidy()).then_some(case)
            };
            let cases = values.into_iter().filter_map(with);
            return cases.flat_map(|case| self.by_values(t, case)).collect();
        }
        vec![case]
    }

    /// Is the literal true of every instance of the term that occurs?
    fn always(&self, role: Option<usize>, term: &Term, literal: &Literal) -> bool {
        if self.about(term, std::slice::from_ref(literal)).is_empty() {
            return false;
        }
        let opposite = match literal.clone() {
            Literal::Pos(a) => Literal::Neg(a),
            Literal::Neg(a) => Literal::Pos(a),
            Literal::Distinct(a, b) => {
                let mut by = Substitution::default();
                let equal = by.unify(&a, &b);
                return !equal || !self.reach.possible(role, &by.apply(term), &[]);
            }
        };
        !self.reach.possible(role, term, &[opposite])
    }
}

impl FrameCase {
    /// Applies the substitution to the literals. False where they contradict each other.
    fn tidy(&mut self) -> bool {
        let mut literals: Vec<Literal> = Vec::new();
        for literal in &self.literals {
            let literal = self.by.apply_literal(literal);
            let contradicted = match &literal {
                Literal::Distinct(a, b) => equal(a, b) == Some(true),
                Literal::Pos(a) => literals.contains(&Literal::Neg(a.clone())),
                Literal::Neg(a) => literals.contains(&Literal::Pos(a.clone())),
            };
            if contradicted {
                return false;
            }
            if !is_true(&literal) && !literals.contains(&literal) {
                literals.push(literal);
            }
        }
        self.literals = literals;
        true
    }
}

fn is_true(literal: &Literal) -> bool {
    matches!(literal, Literal::Distinct(a, b) if equal(a, b) == Some(false))
}

/// `cond_r` under the unifier, without what is true anyway; what it says of moves is compared with
/// the joint move. None where it is false.
fn condition(t: &Transition, kept: &Persistence) -> Option<Vec<Literal>> {
    let mut cond = Vec::new();
    for literal in &kept.rule.cond {
        let literal = match kept.by.apply_literal(literal) {
            Literal::Neg(a) if a.rel == Rel::DOES && a.args[0].is_ground() => {
                let made = t.does.iter().find(|d| d.args[0] == a.args[0]);
                match made {
                    Some(made) => {
                        Literal::Distinct(a.args[1].clone(), kept.by.apply(&made.args[1]))
                    }
                    // A role that is a variable may be this one.
                    None if t.does.iter().any(|d| !d.args[0].is_ground()) => Literal::Neg(a),
                    None => continue,
                }
            }
            literal => literal,
        };
        if let Literal::Distinct(a, b) = &literal {
            match equal(a, b) {
                Some(true) => return None,
                Some(false) => continue,
                None => {}
            }
        }
        if !cond.contains(&literal) {
            cond.push(literal);
        }
    }
    Some(cond)
}

fn last_var(term: &Term) -> Option<u32> {
    let mut last = None;
    term.for_each_var(&mut |v| last = last.max(Some(v)));
    last
}

/// Splits literals so that no two parts share a quantified variable.
fn parts(cond: Vec<Literal>, locals: u32) -> Vec<Vec<Literal>> {
    let mut parts: Vec<(Vec<u32>, Vec<Literal>)> = Vec::new();
    for literal in cond {
        let mut vars = Vec::new();
        literal.for_each_var(&mut |v| vars.extend((v >= locals).then_some(v)));
        let (joined, apart): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|(own, _)| own.iter().any(|v| vars.contains(v)));
        parts = apart;
        let mut literals = Vec::new();
        for (own, part) in joined {
            vars.extend(own);
            literals.extend(part);
        }
        literals.push(literal);
        parts.push((vars, literals));
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

fn has_local(term: &Term, locals: u32) -> bool {
    let mut has = false;
    term.for_each_var(&mut |v| has |= v >= locals);
    has
}

fn literal_has_local(literal: &Literal, locals: u32) -> bool {
    let mut has = false;
    literal.for_each_var(&mut |v| has |= v >= locals);
    has
}

/// `true(f)` and the joint move: they bind the variables that they share with a condition.
fn binders(t: &Transition) -> Vec<Atom> {
    let fact = Atom { rel: Rel::TRUE, args: vec![t.fluent.clone()] };
    std::iter::once(fact).chain(t.does.iter().cloned()).collect()
}

/// A rule that is an instance of another, with the same conditions or more, says nothing new.
pub fn drop_subsumed(rules: &mut Vec<Simple>) {
    let plain: Vec<Rule> = rules.iter().map(Simple::plain).collect();
    let covers = |i: usize, j: usize| subsumes(&plain[i], &plain[j]);
    let redundant =
        |j: usize| (0..rules.len()).any(|i| i != j && covers(i, j) && (i < j || !covers(j, i)));
    let drop: Vec<bool> = (0..rules.len()).map(redundant).collect();
    let mut drop = drop.into_iter();
    rules.retain(|_| drop.next() == Some(false));
}

impl Simple {
    /// The rule as any other.
    fn plain(&self) -> Rule {
        let head = Atom { rel: Rel::NEXT, args: vec![self.fluent.clone()] };
        let does = self.does.iter().flatten().cloned().map(Literal::Pos);
        let body: Vec<Literal> = does.chain(self.rest.iter().cloned()).collect();
        let mut vars = 0;
        self.fluent.for_each_var(&mut |v| vars = vars.max(v + 1));
        body.iter().for_each(|l| l.for_each_var(&mut |v| vars = vars.max(v + 1)));
        Rule { head, body, vars: vec![String::new(); vars as usize], span: Span::default() }
    }
}
