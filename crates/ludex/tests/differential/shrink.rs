//! A game that fails -> a smaller one that fails in the same part.

use crate::parts::{Part, ask};
use crate::rules::{Game, Literal, Rule};
use crate::subject::{Failure, Subject};

/// How the game fails in this part, if it does.
pub fn failure(game: &Game, part: &Part) -> Option<Failure> {
    match Subject::new(game) {
        Ok(subject) => ask(part, &subject).err(),
        Err(failure) => Some(failure),
    }
}

/// Leaves out rules, then conditions, as long as the game fails.
pub fn shrink(game: &Game, failed: &Failure, part: &Part) -> Game {
    let fails = |game: &Game| failure(game, part).is_some_and(|f| f.part == failed.part);
    let mut least = game.clone();
    loop {
        let before = least.to_string().len();
        without_rules(&mut least, &fails);
        without_conditions(&mut least, &fails);
        if least.to_string().len() == before {
            return least;
        }
    }
}

/// Leaves out runs of rules, long ones first.
fn without_rules(least: &mut Game, fails: &impl Fn(&Game) -> bool) {
    let mut run = least.rules.len() / 2;
    while run > 0 {
        let mut at = 0;
        while at < least.rules.len() {
            let mut less = least.clone();
            less.rules.drain(at..(at + run).min(less.rules.len()));
            match fails(&less) {
                true => *least = less,
                false => at += run,
            }
        }
        run /= 2;
    }
}

fn without_conditions(least: &mut Game, fails: &impl Fn(&Game) -> bool) {
    for at in 0..least.rules.len() {
        let mut condition = 0;
        while condition < least.rules[at].body.len() {
            let smaller = smaller(&least.rules[at], condition);
            let less = smaller.into_iter().find_map(|rule| {
                let mut less = least.clone();
                less.rules[at] = rule;
                fails(&less).then_some(less)
            });
            match less {
                Some(less) => *least = less,
                None => condition += 1,
            }
        }
    }
}

/// The rule without a condition, or with one case of it only.
fn smaller(rule: &Rule, condition: usize) -> Vec<Rule> {
    let with = |other: &[Literal]| {
        let mut rule = rule.clone();
        rule.body.splice(condition..=condition, other.iter().cloned());
        rule
    };
    let mut rules = vec![with(&[])];
    if let Literal::Or(cases) = &rule.body[condition] {
        rules.extend(cases.iter().map(|case| with(case)));
    }
    rules
}
