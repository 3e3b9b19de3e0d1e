//! Every generator of every group of symmetries, applied to every state that is reached.

use crate::graph::{Node, Seen};
use crate::rules::Term;
use crate::subject::{Failure, Subject, failed, refused};
use ludex::budget::Budget;
use ludex::rules::Rules;
use ludex::symmetry::{
    KeptStructure, RuleSymmetries, Scrambling, SymmetryMap, SymmetryQuestion, of_rules,
};

const PART: &str = "symmetries";

pub fn symmetries(subject: &Subject) -> Result<(), Failure> {
    let budget = Budget::unlimited();
    let rules = of_rules(&subject.rules, &SymmetryQuestion::default(), &budget, &budget);
    let found = rules.map_err(|stop| refused(PART, stop))?.found;
    for generator in &found.generators {
        let map = OfTerms { subject, rules: &subject.rules, found: &found, generator };
        check(subject, &map, &format!("of the rules, {generator}"))?;
    }
    for initial in [false, true] {
        let kept = KeptStructure { roles: false, initial };
        let net = subject.knowledge.symmetries_told(&found, kept, &budget, f64::INFINITY);
        let net = net.map_err(|why| refused(PART, why))?;
        for table in net.generators.iter().chain(&net.state_generators) {
            check(subject, &OfTable { subject, table }, &format!("of the net, {table:?}"))?;
        }
    }
    Ok(())
}

/// A map of roles, facts and moves; none where the image is nothing that the game has.
trait Map {
    fn role(&self, role: usize) -> Option<usize>;
    fn fact(&self, text: &str) -> Option<String>;
    fn action(&self, role: usize, text: &str) -> Option<String>;
}

struct OfTable<'a> {
    subject: &'a Subject,
    table: &'a SymmetryMap,
}

impl Map for OfTable<'_> {
    fn role(&self, role: usize) -> Option<usize> {
        Some(self.table.roles[role] as usize)
    }

    fn fact(&self, text: &str) -> Option<String> {
        let bases = &self.subject.net().bases;
        let base = bases.iter().position(|b| b.name == text)?;
        Some(bases[self.table.bases[base] as usize].name.clone())
    }

    fn action(&self, role: usize, text: &str) -> Option<String> {
        let inputs = &self.subject.net().inputs;
        let input = inputs.iter().position(|i| i.role == role && i.name == text)?;
        Some(inputs[self.table.inputs[input] as usize].name.clone())
    }
}

struct OfTerms<'a> {
    subject: &'a Subject,
    rules: &'a Rules,
    found: &'a RuleSymmetries,
    generator: &'a Scrambling,
}

impl OfTerms<'_> {
    fn term(&self, term: &Term) -> Option<ludex::rules::Term> {
        let Term::App(name, args) = term else { return None };
        let args = args.iter().map(|t| self.term(t)).collect::<Option<_>>()?;
        Some(ludex::rules::Term::App(self.rules.symbols.find(name)?, args))
    }

    fn text(&self, term: &ludex::rules::Term) -> String {
        let ludex::rules::Term::App(name, args) = term else { panic!("a ground term") };
        let name = self.rules.symbols.name(*name);
        let args: Vec<String> = args.iter().map(|t| format!(" {}", self.text(t))).collect();
        if args.is_empty() { name.into() } else { format!("({name}{})", args.concat()) }
    }
}

impl Map for OfTerms<'_> {
    fn role(&self, role: usize) -> Option<usize> {
        let image = self.fact(&self.subject.graph.roles[role])?;
        self.subject.graph.roles.iter().position(|r| *r == image)
    }

    fn fact(&self, text: &str) -> Option<String> {
        let term = self.term(&Term::read(text))?;
        Some(self.text(&self.generator.ground_term(&term, &self.found.normal.opaque)))
    }

    fn action(&self, _: usize, text: &str) -> Option<String> {
        self.fact(text)
    }
}

fn check(subject: &Subject, map: &impl Map, what: &str) -> Result<(), Failure> {
    let roles: Option<Vec<usize>> = (0..subject.graph.roles.len()).map(|r| map.role(r)).collect();
    let wrong = |why: &str| failed(PART, format!("{what}: {why}"));
    let roles = roles.ok_or_else(|| wrong("a role goes elsewhere"))?;
    for (node, seen) in subject.graph.proper() {
        // Facts that no rule can make are nothing that a game says anything about.
        let Some(image) = moved(subject, map, &node.facts) else { continue };
        let (values, there) = subject.look(&image);
        let expected = turned(seen, map, &roles).ok_or_else(|| wrong("a move goes elsewhere"))?;
        if there.seen != expected {
            let why = format!("{:?} is seen where {expected:?} belongs", there.seen);
            return Err(wrong(&format!("in {:?}: {why}", node.facts)));
        }
        if !seen.terminal && !commutes(subject, map, &roles, node, seen, &values) {
            return Err(wrong(&format!("after moves in {:?}", node.facts)));
        }
    }
    Ok(())
}

fn moved(subject: &Subject, map: &impl Map, facts: &[String]) -> Option<Vec<u32>> {
    let images: Option<Vec<String>> = facts.iter().map(|f| map.fact(f)).collect();
    subject.naive.facts_of(images?.iter().map(String::as_str))
}

/// What must be seen in the image of a state.
fn turned(seen: &Seen, map: &impl Map, roles: &[usize]) -> Option<Seen> {
    let mut image = seen.clone();
    for (role, to) in roles.iter().enumerate() {
        let moves: Option<Vec<String>> =
            seen.legal[role].iter().map(|m| map.action(role, m)).collect();
        image.legal[*to] = moves?;
        image.legal[*to].sort();
        image.goals[*to] = seen.goals[role];
    }
    Some(image)
}

/// Whether moves in the image of a state lead to the images of the states after them.
fn commutes(
    subject: &Subject,
    map: &impl Map,
    roles: &[usize],
    node: &Node,
    seen: &Seen,
    values: &[bool],
) -> bool {
    let naive = &subject.naive;
    node.steps.iter().all(|step| {
        let mut joint = vec![0; roles.len()];
        for (role, rank) in step.joint.iter().enumerate() {
            let text = map.action(role, &seen.legal[role][*rank]);
            let legal = naive.legal(values, roles[role]);
            let image = legal.into_iter().find(|m| Some(naive.ground.terms.text(*m)) == text);
            joint[roles[role]] = image.expect("the legal moves were compared");
        }
        moved(subject, map, &subject.graph.states[step.to].facts)
            == Some(naive.next(values, &joint))
    })
}
