//! Rules at random: heads, conditions, repeated variables, constants and wrapped terms as they come.

use super::{Maker, View};
use crate::rules::{Atom, Game, Literal, Rule, Term};

const VARIABLES: [&str; 4] = ["?x", "?y", "?z", "?u"];

impl Maker {
    /// A group or two of relations that ask for each other.
    pub(super) fn soup(&mut self) {
        self.kind("rules at random");
        for _ in 0..self.chance.between(1, 2) {
            let arities: Vec<usize> = (0..self.chance.between(1, 3))
                .map(|_| *self.chance.pick(&[0, 1, 1, 2, 2, 3]))
                .collect();
            let group: Vec<(String, usize)> =
                arities.into_iter().map(|arity| (self.fresh(), arity)).collect();
            let first = self.views.len();
            for (name, arity) in &group {
                self.recursive_view(name, *arity);
            }
            for (name, arity) in &group {
                for _ in 0..self.chance.between(1, 3) {
                    let rule = self.rule_at_random(name, *arity, first);
                    self.line(&rule);
                }
            }
        }
    }

    /// A condition whose arguments are variables, values or wrapped variables.
    fn condition(&mut self, view: &View) -> String {
        let args: Vec<String> = (0..view.arity)
            .map(|_| {
                let v = *self.chance.pick(&VARIABLES);
                match self.chance.below(12) {
                    0 => self.node().to_string(),
                    1 => format!("(f {v})"),
                    _ => v.to_string(),
                }
            })
            .collect();
        view.at(&args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// A safe rule; what is negated was made before the view with this number.
    fn rule_at_random(&mut self, name: &str, arity: usize, first: usize) -> String {
        let mut body: Vec<String> = Vec::new();
        for _ in 0..self.chance.between(1, 3) {
            let own = first + self.chance.below(self.views.len() - first);
            let any = self.chance.below(self.views.len());
            let view = self.views[if self.chance.percent(35) { own } else { any }].clone();
            body.push(self.condition(&view));
        }
        let bound = bound(&body.join(" "));
        let safe = |maker: &mut Maker| match bound.is_empty() || maker.chance.percent(15) {
            true => maker.node().to_string(),
            false => maker.chance.pick(&bound).clone(),
        };
        if self.chance.percent(30) {
            let view = self.views[self.chance.below(first)].clone();
            let args: Vec<String> = (0..view.arity).map(|_| safe(self)).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            body.push(view.negated(&args));
            self.kind("negation");
        }
        if self.chance.percent(20) {
            body.push(format!("(distinct {} {})", safe(self), safe(self)));
        }
        let args: Vec<String> = (0..arity).map(|_| safe(self)).collect();
        let head = match arity {
            0 => name.to_string(),
            _ => format!("({name} {})", args.join(" ")),
        };
        format!("(<= {head} {})", body.join(" "))
    }
}

/// The variables of a body without negations.
fn bound(body: &str) -> Vec<String> {
    let rule = &Game::read(&format!("(<= head {body})")).rules[0];
    let Rule { body, .. } = rule;
    let atoms =
        body.iter().filter_map(|l| if let Literal::Is(atom) = l { Some(atom) } else { None });
    let mut found = Vec::new();
    atoms.for_each(|Atom { args, .. }| args.iter().for_each(|t| variables(t, &mut found)));
    found.sort();
    found.dedup();
    found
}

fn variables(term: &Term, found: &mut Vec<String>) {
    match term {
        Term::Var(v) => found.push(format!("?{v}")),
        Term::App(_, args) => args.iter().for_each(|t| variables(t, found)),
    }
}
