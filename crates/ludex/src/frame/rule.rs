//! Frame rules: `next(f) <- true(f) & does_r & cond_r`.

use ludex_gdl::rules::{Atom, Literal, Rel, Rules, Term};
use ludex_gdl::rules::{renumber, renumber_literal};

/// A rule by which a fact stays true.
#[derive(Clone, Debug)]
pub struct FrameRule {
    /// Its number in `Rules`; the cases of an unfolded rule share one.
    pub number: usize,
    /// The fact.
    pub fluent: Term,
    /// The positive conditions on moves.
    pub does: Vec<Atom>,
    /// What is left of the body without `true(f)` and `does`.
    pub cond: Vec<Literal>,
    /// The names of its variables.
    pub vars: Vec<String>,
}

impl FrameRule {
    /// All frame rules of a game, in order.
    pub fn all(rules: &Rules) -> Vec<FrameRule> {
        (0..rules.rules.len()).filter_map(|number| FrameRule::new(rules, number)).collect()
    }

    fn new(rules: &Rules, number: usize) -> Option<FrameRule> {
        let rule = &rules.rules[number];
        if rule.head.rel != Rel::NEXT {
            return None;
        }
        let fluent = rule.head.args[0].clone();
        let mut frame =
            FrameRule { number, fluent, does: vec![], cond: vec![], vars: rule.vars.clone() };
        let mut persists = false;
        for literal in &rule.body {
            match literal {
                Literal::Pos(a) if a.rel == Rel::TRUE && a.args[0] == frame.fluent => {
                    persists = true
                }
                Literal::Pos(a) if a.rel == Rel::DOES => frame.does.push(a.clone()),
                other => frame.cond.push(other.clone()),
            }
        }
        persists.then_some(frame)
    }

    /// The same rule with its variables numbered from `by` on.
    pub fn shifted(&self, by: u32) -> FrameRule {
        let mut rule = self.clone();
        let mut add = |v: &mut u32| *v += by;
        renumber(&mut rule.fluent, &mut add);
        for atom in &mut rule.does {
            atom.args.iter_mut().for_each(|t| renumber(t, &mut add));
        }
        rule.cond.iter_mut().for_each(|l| renumber_literal(l, &mut add));
        rule
    }
}

/// `a` subsumes `b`: values for the variables of `a` make it `b`, whose variables stand for themselves.
pub fn subsumes<'t>(pairs: impl IntoIterator<Item = (&'t Term, &'t Term)>) -> bool {
    let mut values: Vec<(u32, &Term)> = Vec::new();
    pairs.into_iter().all(|(a, b)| matches(a, b, &mut values))
}

fn matches<'t>(a: &Term, b: &'t Term, values: &mut Vec<(u32, &'t Term)>) -> bool {
    match (a, b) {
        (Term::Var(v), _) => match values.iter().find(|(w, _)| w == v) {
            Some((_, value)) => *value == b,
            None => {
                values.push((*v, b));
                true
            }
        },
        (Term::App(f, xs), Term::App(g, ys)) => {
            f == g && xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| matches(x, y, values))
        }
        (Term::App(..), Term::Var(_)) => false,
    }
}
