//! Subsumption of rules: whether one rule says all that another says.

use ludex_gdl::rules::{Atom, Literal, Rule, Term};
use rustc_hash::FxHashSet;

/// Beyond this many steps two rules count as unrelated.
const MAX_STEPS: usize = 2_000;

/// Whether some substitution turns `general` into a rule with the head of `special` and literals of
/// its body only, so that `special` can be dropped.
pub fn subsumes(general: &Rule, special: &Rule) -> bool {
    if general.body.len() > special.body.len() {
        return false;
    }
    let mut matcher = Matcher { bound: vec![None; general.vars.len()], trail: vec![], steps: 0 };
    matcher.atom(&general.head, &special.head) && matcher.body(&general.body, &special.body)
}

/// Whether both lists hold the same different variables.
pub(crate) fn is_variable_renaming(a: &[Term], b: &[Term]) -> bool {
    let vars = |terms: &[Term]| -> Option<FxHashSet<u32>> {
        let var = |t: &Term| if let Term::Var(v) = t { Some(*v) } else { None };
        let set: FxHashSet<u32> = terms.iter().map(var).collect::<Option<_>>()?;
        (set.len() == terms.len()).then_some(set)
    };
    matches!((vars(a), vars(b)), (Some(x), Some(y)) if x == y)
}

struct Matcher<'a> {
    bound: Vec<Option<&'a Term>>,
    trail: Vec<u32>,
    steps: usize,
}

impl<'a> Matcher<'a> {
    /// Finds a literal of `special` for every literal of `general`.
    fn body(&mut self, general: &[Literal], special: &'a [Literal]) -> bool {
        let Some((first, rest)) = general.split_first() else { return true };
        for literal in special {
            for flipped in [false, true] {
                self.steps += 1;
                let mark = self.trail.len();
                if self.steps < MAX_STEPS
                    && self.literal(first, literal, flipped)
                    && self.body(rest, special)
                {
                    return true;
                }
                self.undo(mark);
            }
        }
        false
    }

    fn literal(&mut self, g: &Literal, s: &'a Literal, flipped: bool) -> bool {
        match (g, s) {
            (Literal::Pos(a), Literal::Pos(b)) | (Literal::Neg(a), Literal::Neg(b)) => {
                !flipped && self.atom(a, b)
            }
            (Literal::Distinct(a, b), Literal::Distinct(x, y)) => {
                let (x, y) = if flipped { (y, x) } else { (x, y) };
                self.term(a, x) && self.term(b, y)
            }
            _ => false,
        }
    }

    fn atom(&mut self, g: &Atom, s: &'a Atom) -> bool {
        g.rel == s.rel && g.args.iter().zip(&s.args).all(|(a, b)| self.term(a, b))
    }

    fn term(&mut self, g: &Term, s: &'a Term) -> bool {
        match (g, s) {
            (Term::Var(v), _) => match self.bound[*v as usize] {
                Some(t) => t == s,
                None => {
                    self.bound[*v as usize] = Some(s);
                    self.trail.push(*v);
                    true
                }
            },
            (Term::App(f, xs), Term::App(h, ys)) => {
                f == h && xs.len() == ys.len() && xs.iter().zip(ys).all(|(a, b)| self.term(a, b))
            }
            _ => false,
        }
    }

    fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            let v = self.trail.pop().expect("longer than the mark");
            self.bound[v as usize] = None;
        }
    }
}
