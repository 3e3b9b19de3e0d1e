//! `Rules` -> whether terms may grow without end when states and moves feed each other.
//!
//! Every argument of a relation, of a fact and of a move is a place with a rank: how deep the terms are that
//! come there. A rule carries what a variable stands for from the places of its body, the shallowest of which
//! bounds it, to those of its head, deeper by the functions around it. Where ranks do not settle, nothing
//! bounds the terms (argument restriction, Lierler and Lifschitz, "One more decidable class of finitely
//! ground programs", 2009).

use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Symbol, Term};
use rustc_hash::FxHashMap;

/// A relation, the function of a fact or move, and an argument of it. Without an argument: all of the
/// fact or move.
type TermPlace = (Rel, Option<(Symbol, usize)>, Option<usize>);

/// Where a variable stands, and how many functions are around it there.
type Occurrence = (usize, usize);

/// Could larger and larger terms become true, as far as the rules show?
pub fn is_endless(rules: &Rules) -> bool {
    let mut flow = Flow::default();
    let carries = rules.rules.iter().filter(|r| !r.body.is_empty() && !copies(r));
    let links: Vec<Vec<Link>> = carries.map(|rule| flow.links(rule)).collect();
    let deepest = links.iter().flatten().flat_map(|l| &l.to).map(|to| to.1).max();
    let bound = flow.places.len() * deepest.unwrap_or(0);
    let mut changed = bound > 0;
    while std::mem::take(&mut changed) {
        for link in links.iter().flatten() {
            changed |= flow.carry(link);
        }
        if flow.ranks.iter().any(|rank| *rank > bound) {
            return true;
        }
    }
    false
}

/// A rule that keeps a fact, whatever it is.
fn copies(rule: &Rule) -> bool {
    let whole = |a: &Atom| matches!(a.args[..], [Term::Var(_)]);
    let same = |l: &Literal| matches!(l, Literal::Pos(a) if a.rel == Rel::TRUE && a.args == rule.head.args);
    rule.head.rel == Rel::NEXT && whole(&rule.head) && rule.body.iter().any(same)
}

/// What a rule does with one variable.
struct Link {
    from: Vec<Occurrence>,
    to: Vec<Occurrence>,
}

#[derive(Default)]
struct Flow {
    places: FxHashMap<TermPlace, usize>,
    ranks: Vec<usize>,
    /// Per place the places of all functions, where it stands for any of them.
    parts: FxHashMap<usize, Vec<usize>>,
}

impl Flow {
    fn links(&mut self, rule: &Rule) -> Vec<Link> {
        let mut links: Vec<Link> = Vec::new();
        links.resize_with(rule.vars.len(), || Link { from: vec![], to: vec![] });
        self.occurrences(&rule.head, &mut |v, at| links[v].to.push(at));
        for literal in &rule.body {
            if let Literal::Pos(atom) = literal {
                self.occurrences(atom, &mut |v, at| links[v].from.push(at));
            }
        }
        // What has no value here is complained about elsewhere.
        links.retain(|l| !l.from.is_empty() && !l.to.is_empty());
        links
    }

    fn occurrences(&mut self, atom: &Atom, note: &mut impl FnMut(usize, Occurrence)) {
        let (rel, last) = match atom.rel {
            Rel::TRUE | Rel::NEXT | Rel::INIT => (Rel::TRUE, Some(0)),
            Rel::DOES | Rel::LEGAL => (Rel::DOES, Some(1)),
            rel => (rel, None),
        };
        for (i, term) in atom.args.iter().enumerate() {
            match term {
                Term::App(f, args) if Some(i) == last => {
                    let whole = self.place((rel, None, None));
                    for (j, arg) in args.iter().enumerate() {
                        let place = self.place((rel, Some((*f, args.len())), Some(j)));
                        let parts = self.parts.entry(whole).or_default();
                        if !parts.contains(&place) {
                            parts.push(place);
                        }
                        variables(arg, 0, &mut |v, depth| note(v, (place, depth)));
                    }
                }
                term => {
                    let argument = if Some(i) == last { None } else { Some(i) };
                    let place = self.place((rel, None, argument));
                    variables(term, 0, &mut |v, depth| note(v, (place, depth)));
                }
            }
        }
    }

    fn place(&mut self, place: TermPlace) -> usize {
        let new = self.ranks.len();
        let number = *self.places.entry(place).or_insert(new);
        if number == new {
            self.ranks.push(0);
        }
        number
    }

    /// The depth of the terms of a place; of whole facts and moves one more than of their arguments.
    fn rank(&self, place: usize) -> usize {
        let parts = self.parts.get(&place).into_iter().flatten();
        parts.map(|p| self.ranks[*p] + 1).fold(self.ranks[place], usize::max)
    }

    /// True where a rank has grown.
    fn carry(&mut self, link: &Link) -> bool {
        let bounds =
            link.from.iter().map(|(place, depth)| self.rank(*place).saturating_sub(*depth));
        let bound = bounds.min().expect("a variable with a value");
        let mut changed = false;
        for (place, depth) in &link.to {
            let mut raise = |place: usize, to: usize| {
                changed |= self.ranks[place] < to;
                self.ranks[place] = self.ranks[place].max(to);
            };
            match self.parts.get(place) {
                Some(parts) => parts.iter().for_each(|p| raise(*p, bound.saturating_sub(1))),
                None => raise(*place, bound + depth),
            }
        }
        changed
    }
}

fn variables(term: &Term, depth: usize, note: &mut impl FnMut(usize, usize)) {
    match term {
        Term::Var(v) => note(*v as usize, depth),
        Term::App(_, args) => args.iter().for_each(|t| variables(t, depth + 1, note)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_gdl::source::Source;

    fn endless(rules: &str) -> bool {
        let text = format!("(role r) (legal r go) terminal (goal r 0) (init (n z)) {rules}");
        let source = Source::new("growth", text);
        is_endless(
            &Rules::read(&source, None).unwrap_or_else(|r| panic!("{}", r.render(&source))).0,
        )
    }

    #[test]
    fn terms_grow_by_way_of_states_and_moves() {
        assert!(endless("(<= (next (n (s ?x))) (true (n ?x)))"));
        assert!(endless(
            "(<= (legal r (up (s ?x))) (true (n ?x))) (<= (next (n ?x)) (does r (up ?x)))"
        ));
        assert!(endless(
            "(<= (next (n ?x)) (p ?x)) (<= (p (c a ?x)) (true (n ?x))) (<= (p (c b ?x)) (true (n ?x)))"
        ));
        assert!(endless("(<= (next (n (n ?x))) (true ?x))"));
    }

    #[test]
    fn terms_that_something_bounds_do_not_grow() {
        assert!(!endless("(<= (next (n (s ?x))) (true (n ?x)) (few ?x)) (few z) (few (s z))"));
        assert!(!endless("(<= (next (n ?x)) (true (n (s ?x))))"));
        assert!(!endless(
            "(<= (next (n (s ?x))) (true (n (s ?x)))) (<= (next (m (s ?x))) (true (n ?x)))"
        ));
        assert!(!endless("(<= (next ?f) (true ?f)) (<= (next (m (s ?x))) (true (n ?x)))"));
        assert!(!endless(
            "(<= (next (m (s ?x))) (true (n ?x))) (<= (next (n ?x)) (p ?x) (true (m ?y))) (p a)"
        ));
    }
}
