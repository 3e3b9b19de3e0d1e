//! What facts say of things in matches: a thing that had one value has two after a move, or none.

use super::course::{FactCourse, FactShape, args, kind, made, name};
use ludex_gdl::rules::{Literal, Rel, Rule, Rules, Term};
use ludex_gdl::source::{Report, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many states of every match are looked at.
const LOOKED: usize = 20;
/// So many facts are a board.
const BOARD: usize = 3;

/// Looks at matches that all begin in the same state.
pub fn facts(rules: &Rules, roles: &[Term], courses: &[FactCourse], report: &mut Report) {
    let seen = ValueWatch { rules, roles, courses };
    let mut kinds: Vec<FactShape> = seen.first().iter().filter_map(kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for of in &kinds {
        let found = seen.mostly_lost(*of).or_else(|| seen.role_without(*of));
        let found = found.or_else(|| seen.two_at_once(*of)).or_else(|| seen.emptied(*of));
        let found = found.or_else(|| seen.short_lived(*of));
        found.into_iter().for_each(|found| seen.tell(*of, found, report));
    }
    for (i, a) in kinds.iter().enumerate() {
        for b in kinds[i + 1..].iter().filter(|b| b.1 == a.1 && a.1 > 0) {
            let found = seen.both_kinds(*a, *b).or_else(|| seen.same_kinds(*a, *b));
            found.into_iter().for_each(|(of, found)| seen.tell(of, found, report));
        }
    }
}

struct ValueWatch<'a> {
    rules: &'a Rules,
    roles: &'a [Term],
    courses: &'a [FactCourse],
}

/// A code, a message and what to do.
type LostValue = (&'static str, String, String);

impl ValueWatch<'_> {
    fn first(&self) -> &[Term] {
        &self.courses[0].states[0]
    }

    fn name(&self, of: FactShape) -> &str {
        name(self.rules, of)
    }

    fn tell(&self, of: FactShape, (code, message, hint): LostValue, report: &mut Report) {
        let span = made(self.rules, Rel::NEXT, of).or(made(self.rules, Rel::INIT, of));
        report.push(Severity::Warning, code, span, message).hint(hint);
    }

    /// Whether at least half of the matches are so after their first move.
    fn soon(&self, is: impl Fn(&[Term]) -> bool) -> bool {
        let so = self.courses.iter().filter(|c| c.states.get(1).is_some_and(|state| is(state)));
        so.count() * 2 >= self.courses.len()
    }

    fn next(&self, of: FactShape) -> impl Iterator<Item = &Rule> {
        let makes = move |rule: &&Rule| rule.head.args.first().and_then(kind) == Some(of);
        self.rules.defining(Rel::NEXT).filter(makes)
    }

    /// Whether a rule for such facts asks for them.
    fn is_framed(&self, of: FactShape) -> bool {
        let mut asked = self.next(of).flat_map(|rule| &rule.body).filter_map(Literal::atom);
        asked.any(|a| a.rel == Rel::TRUE && a.args.first().and_then(kind) == Some(of))
    }

    /// Whether something is so only where such a fact is not.
    fn is_denied(&self, of: FactShape) -> bool {
        self.rules.rules.iter().flat_map(|rule| &rule.body).any(|literal| match literal {
            Literal::Neg(a) => a.rel == Rel::TRUE && a.args.first().and_then(kind) == Some(of),
            _ => false,
        })
    }

    /// Whether these facts say something of roles.
    fn of_roles(&self, of: FactShape) -> bool {
        of_kind(self.first(), of).all(|fact| args(fact).iter().any(|a| self.roles.contains(a)))
    }

    /// Most facts of a board are gone after every first move.
    fn mostly_lost(&self, of: FactShape) -> Option<LostValue> {
        let first: FxHashSet<&Term> = of_kind(self.first(), of).collect();
        let gone = |state: &Vec<Term>| {
            let kept = of_kind(state, of).filter(|f| first.contains(f)).count();
            of_kind(state, of).count() * 2 < first.len() && kept * 2 < first.len()
        };
        let second: Option<Vec<&Vec<Term>>> =
            self.courses.iter().map(|c| c.states.get(1)).collect();
        let second =
            second.filter(|second| first.len() >= BOARD && second.iter().all(|s| gone(s)))?;
        let left = second.iter().map(|state| of_kind(state, of).count()).max()?;
        let (name, all) = (self.name(of), first.len());
        Some((
            "not-kept",
            format!(
                "{name} is not kept: of {all} facts in the first state {left} are left after a move, at most"
            ),
            keep(name),
        ))
    }

    /// Every role has one value at first, and after a move one of them has none.
    fn role_without(&self, of: FactShape) -> Option<LostValue> {
        if !self.has_each_role(of) {
            return None;
        }
        let without = |state: &[Term]| {
            let now = values(state, of);
            self.roles.iter().any(|role| !now.contains_key(&vec![role]))
        };
        let name = self.name(of);
        self.soon(without).then(|| {
            (
                "not-kept",
                format!("after a move a role has no {name} any more, and each had one at first"),
                format!("say what {name} is after every move, also where it does not change"),
            )
        })
    }

    /// Whether each of several roles has one value at first, and nobody else.
    fn has_each_role(&self, of: FactShape) -> bool {
        let first = values(self.first(), of);
        let each = self.roles.iter().all(|role| first.get(&vec![role]) == Some(&1));
        of.1 == 2 && self.roles.len() > 1 && each && first.len() == self.roles.len()
    }

    /// Things that have one value each at first have two after a move.
    fn two_at_once(&self, of: FactShape) -> Option<LostValue> {
        let before = values(self.first(), of);
        if of.1 < 2 || before.len() < 2 || before.values().any(|n| *n > 1) {
            return None;
        }
        let doubled = |state: &[Term]| {
            let now = values(state, of);
            before.keys().any(|key| now.get(key).is_some_and(|n| *n > 1))
        };
        // Places that were passed are no values, and one player may let lamps go out one by one.
        let passed = of.1 == 2 && self.is_denied(of);
        let lamps = self.roles.len() == 1 && !self.keeps_any(of);
        let later = |c: &&FactCourse| c.states.iter().skip(1).take(LOOKED).any(|s| doubled(s));
        let found = match self.has_each_role(of) {
            true => self.courses.iter().filter(later).count() * 2 >= self.courses.len(),
            false => !lamps && self.soon(doubled),
        };
        let found = found && !passed;
        let name = self.name(of);
        found.then(|| {
            (
                "not-ended",
                format!("after a move {name} has two values for one thing, which had one at first"),
                format!("a rule keeps the old fact {name} where another one makes a new one"),
            )
        })
    }

    /// A place of a board that has a value for each place at first has none after a move of the only player: between
    /// several pieces are taken, but where a rule says that a place is empty now. Where pieces come to other places a place
    /// without a value is empty.
    fn emptied(&self, of: FactShape) -> Option<LostValue> {
        let before = values(self.first(), of);
        let kinds: FxHashSet<_> = of_kind(self.first(), of).map(|fact| args(fact).last()).collect();
        let sizes = (0..of.1.saturating_sub(1)).map(|at| {
            let seen: FxHashSet<&Term> = before.keys().map(|key| key[at]).collect();
            seen.len()
        });
        let full = kinds.len() > 1 || before.len() == sizes.product::<usize>();
        let taken = self.roles.len() > 1 && !self.tells_blanks(of);
        let several = before.values().any(|n| *n > 1);
        if of.1 < 3 || before.len() <= BOARD || !full || several || taken {
            return None;
        }
        let mut later = self.courses.iter().flat_map(|c| c.states.iter().take(LOOKED));
        if later.any(|state| values(state, of).keys().any(|key| !before.contains_key(key))) {
            return None;
        }
        // Squares may well be taken out of a board, one with each move.
        let most = usize::from(self.roles.len() > 1);
        let hole = |state: &[Term]| {
            let now = values(state, of);
            before.keys().filter(|key| !now.contains_key(*key)).count() > most
        };
        let name = self.name(of);
        self.soon(hole).then(|| {
            (
                "not-kept",
                format!("after a move {name} has no value for a place, and each had one at first"),
                format!("say what {name} is after every move, also where it does not change"),
            )
        })
    }

    /// Whether a rule keeps a value that several places have at first, and no role speaks of: places are empty by it.
    fn tells_blanks(&self, of: FactShape) -> bool {
        let first = |value: &Term| {
            of_kind(self.first(), of).filter(|fact| args(fact).last() == Some(value)).count()
        };
        self.next(of).any(|rule| {
            let head = &rule.head.args[0];
            let value = args(head).last().filter(|v| v.is_ground() && !self.roles.contains(v));
            let mut asked = rule.body.iter().filter_map(Literal::atom);
            let kept = asked.any(|a| a.rel == Rel::TRUE && a.args[0] == *head);
            kept && value.is_some_and(|value| first(value) >= BOARD)
        })
    }

    /// Whether a rule keeps such facts with any value.
    fn keeps_any(&self, of: FactShape) -> bool {
        self.next(of).any(|rule| {
            let head = &rule.head.args[0];
            let asked = rule.body.iter().filter_map(Literal::atom);
            let keeps = asked.filter(|a| a.rel == Rel::TRUE).any(|a| a.args[0] == *head);
            keeps && matches!(args(head).last(), Some(Term::Var(_)))
        })
    }

    /// Facts that come in other numbers from move to move, none of which lasts, without a rule to keep them.
    fn short_lived(&self, of: FactShape) -> Option<LostValue> {
        let lasts = |course: &FactCourse| {
            let stays = |w: &[Vec<Term>]| {
                of_kind(&w[0], of).any(|fact| w[1..].iter().all(|state| state.contains(fact)))
            };
            course.states.windows(3).take(LOOKED).any(stays)
        };
        if of.1 == 0 || self.is_framed(of) || self.courses.iter().any(lasts) {
            return None;
        }
        let states = self.courses.iter().flat_map(|c| c.states.iter().take(LOOKED));
        let counts: FxHashSet<usize> = states.map(|state| of_kind(state, of).count()).collect();
        let name = self.name(of);
        (counts.len() > 1 && counts.iter().any(|n| *n > 1)).then(|| {
            (
                "not-kept",
                format!("no fact {name} stays true for two moves: no rule for next keeps it"),
                keep(name),
            )
        })
    }

    /// What two kinds say excludes each other at first, and not after a move.
    fn both_kinds(&self, a: FactShape, b: FactShape) -> Option<(FactShape, LostValue)> {
        let both = |state: &[Term]| {
            let of_a: FxHashSet<&[Term]> = of_kind(state, a).map(args).collect();
            of_kind(state, b).any(|fact| of_a.contains(args(fact)))
        };
        let first = self.first();
        let several = of_kind(first, a).count() + of_kind(first, b).count() >= BOARD;
        let exclude = several && !self.of_roles(a) && !self.of_roles(b) && !both(first);
        let (one, other) = (self.name(a), self.name(b));
        (exclude && self.soon(both)).then(|| {
            // The one that is kept whatever happens.
            let blind = |of: &FactShape| {
                self.next(*of).any(|rule| rule.body.len() == 1 && self.is_framed(*of))
            };
            let at = [a, b].into_iter().find(blind).unwrap_or(a);
            let finding = (
                "not-ended",
                format!(
                    "after a move one thing is both {one} and {other}, which nothing is at first"
                ),
                format!("keep {one} only where no move makes it {other}, and the other way round"),
            );
            (at, finding)
        })
    }

    /// One kind always says the same as another, where moves ask that it is not there: it was to be kept.
    fn same_kinds(&self, a: FactShape, b: FactShape) -> Option<(FactShape, LostValue)> {
        let forgets = |of: &FactShape| !self.is_framed(*of) && self.is_denied(*of);
        let lost = [a, b].into_iter().find(forgets)?;
        let same = |state: &Vec<Term>| {
            let set = |of| -> FxHashSet<&[Term]> { of_kind(state, of).map(args).collect() };
            set(a) == set(b)
        };
        let mut states = self.courses.iter().flat_map(|c| c.states.iter().take(LOOKED));
        let name = self.name(lost);
        states.all(same).then(|| {
            let finding = (
                "not-kept",
                format!("{name} is lost after one move: no rule for next keeps it"),
                keep(name),
            );
            (lost, finding)
        })
    }
}

fn of_kind(state: &[Term], of: FactShape) -> impl Iterator<Item = &Term> + Clone {
    state.iter().filter(move |fact| kind(fact) == Some(of))
}

/// How many facts of a kind there are for every choice of the arguments but the last.
fn values(state: &[Term], of: FactShape) -> FxHashMap<Vec<&Term>, usize> {
    let mut count = FxHashMap::default();
    for fact in of_kind(state, of) {
        let things = args(fact).split_last().map_or(&[][..], |(_, things)| things);
        *count.entry(things.iter().collect()).or_default() += 1;
    }
    count
}

/// What to do where facts are lost.
fn keep(name: &str) -> String {
    format!(
        "a fact stays true only if a rule says so: next({name}…) where true({name}…) and nothing changes it"
    )
}
