//! Frame rules rewritten into fnext rules: the paper's example, corner cases, and the same states as
//! the original rules on matches of the public collection
//! and of made-up games.

mod corners;
mod example;
mod matches;
mod random;
mod table;

use ludex::budget::Budget;
use ludex::frame::{Basis, Covering, Frame, translate};
use ludex::knowledge::Knowledge;
use ludex::rules::Rules;
use ludex::source::Source;

fn read(name: &str, text: &str) -> Rules {
    let source = Source::new(name, text);
    Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source))).0
}

fn translated(rules: &Rules, covering: Covering, basis: &Basis) -> Frame {
    let budget = Budget::unlimited();
    let knowledge = Knowledge::of_rules(rules.clone());
    translate(&knowledge, covering, basis, &budget, &budget).expect("no limit")
}

/// The text of the fnext rules and auxiliary rules, sorted.
fn changes(frame: &Frame) -> Vec<String> {
    let new = frame.rules.rules.iter().filter(|r| frame.is_new(r.head.rel));
    let mut texts: Vec<String> = new.map(|r| frame.rules.rule_text(r)).collect();
    texts.sort();
    texts
}
