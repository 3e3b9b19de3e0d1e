//! `BoardSubject`: a game with all that its boards are found in.

use crate::account::Meter;
use crate::boards::{BaseKind, Boards, BoardsOfRelation};
use crate::fault::{Fault, Unanswered};
use ludex::Game;
use ludex_facts::boards::{self, AnyStateNet, Bases, Verify};
use ludex_facts::invariants::Invariants;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use ludex_reason::interp::Problem;
use ludex_search::show;
use std::sync::Arc;

/// A game, its net and its base propositions.
pub struct BoardSubject<'a> {
    pub game: &'a Game,
    pub net: Arc<Net>,
    pub bases: Arc<Bases>,
    budget: &'a Budget,
    meter: Meter<'a>,
}

/// States of a search that are looked at for what is only seen.
const SEARCHED: usize = 2_000;

fn refused(game: &Game, problem: Problem) -> Unanswered {
    match problem {
        Problem::Stopped(stop) => stop.into(),
        problem => {
            let message = format!("{}: {problem}", game.name());
            Fault::new("rules-cannot-run", message).into()
        }
    }
}

impl Boards {
    /// Lemmas may be looked for so many seconds. What is known on the way is shown to `watch`.
    pub fn of(
        game: &Game,
        verify: Verify,
        seconds: f64,
        budget: &Budget,
        watch: &mut dyn FnMut(Boards),
    ) -> Result<Boards, Unanswered> {
        watch(Boards::of_rules(game, verify));
        BoardSubject::new(game, budget)?.boards(verify, seconds, watch)
    }
}

impl<'a> BoardSubject<'a> {
    pub fn new(game: &'a Game, budget: &'a Budget) -> Result<BoardSubject<'a>, Unanswered> {
        let meter = Meter::new(game, budget);
        let net = game.knowledge().net(budget)?;
        let bases = game.knowledge().bases(budget).map_err(|problem| refused(game, problem))?;
        Ok(BoardSubject { game, net, bases, budget, meter })
    }

    /// The boards by the built-in solver; lemmas may be looked for so many seconds. As soon as some are
    /// known they are shown to `watch`.
    pub fn boards(
        &self,
        verify: Verify,
        seconds: f64,
        watch: &mut dyn FnMut(Boards),
    ) -> Result<Boards, Unanswered> {
        let budget = self.budget;
        if verify != Verify::Lemmas {
            let ground = self.game.knowledge().ground(budget)?;
            let (rules, exact) = (self.game.rules(), verify == Verify::Exact);
            let any_state = AnyStateNet::new(rules, &ground, &self.net, &self.bases, budget)?;
            let found = boards::Boards::verify(&self.bases, &any_state, exact, budget)?;
            return Ok(self.told(&found, 0.0));
        }
        let start = self.meter.seconds();
        let knowledge = self.game.knowledge();
        let known = knowledge.invariants_in(budget, seconds, &mut |_| ())?;
        let lemmas = self.meter.seconds() - start;
        let found = knowledge.boards(budget, seconds, &mut |found| {
            // What follows from the groups proved so far is worth having.
            let mut found = found.clone();
            found.stopped = Some(Stop::Time);
            watch(self.told(&found, lemmas));
        });
        let found = found.map_err(|problem| refused(self.game, problem))?;
        let mut found = boards::Boards::clone(&found);
        found.stopped = found.stopped.or(known.stopped);
        if let Err(stop) = found.follow(|seen| show(&self.net, seen, SEARCHED, budget)) {
            found.stopped = Some(stop);
        }
        Ok(self.told(&found, lemmas))
    }

    /// Boards that were found, after so many seconds of search for lemmas.
    pub fn told(&self, found: &boards::Boards, lemma_seconds: f64) -> Boards {
        let untried: &[&str] =
            if found.samples > 0 { &[] } else { &["partial", "sampled", "views"] };
        let base = if found.declared { BaseKind::Declared } else { BaseKind::Reachable };
        Boards {
            game: self.game.name().into(),
            base: Some(base),
            bases: Some(self.bases.facts.len()),
            verify: found.verify,
            relations: found
                .relations
                .iter()
                .map(|r| BoardsOfRelation::told(r, &self.net))
                .collect(),
            views: found.views().to_vec(),
            samples: found.samples,
            searched: found.searched,
            lemma_seconds,
            not_tried: untried.iter().map(|key| key.to_string()).collect(),
            account: self.meter.account().cut_if(&["relations"], found.stopped),
        }
    }

    /// The invariants, where projections are verified with lemmas.
    pub fn lemmas(&self, verify: Verify) -> Result<Option<Arc<Invariants>>, Unanswered> {
        let wanted = verify == Verify::Lemmas;
        let known = || self.game.knowledge().invariants(self.budget);
        Ok(wanted.then(known).transpose()?)
    }

    /// The relation and arguments that a text such as `cell{1,2}` names.
    pub fn projection(&self, text: &str) -> Result<(String, usize, Vec<usize>), Box<Fault>> {
        let bad = |message: String| {
            Box::new(Fault::new("bad-projection", format!("--projection {text}: {message}")))
        };
        let plain = text.trim_matches(['<', '>', ' ']);
        let end = plain.find(['{', ',', ':', ' ']).unwrap_or(plain.len());
        let (name, rest) = (plain[..end].trim(), plain[end..].trim_matches([',', ':', ' ']));
        let inner = rest.strip_prefix('{').and_then(|r| r.strip_suffix('}')).unwrap_or(rest);
        let numbers = inner.split([',', ' ']).filter(|n| !n.is_empty()).map(|n| n.parse().ok());
        let Some(mut places) = numbers.collect::<Option<Vec<usize>>>() else {
            return Err(bad("arguments are given as numbers from 1, as in cell{1,2}".into()));
        };
        places.sort_unstable();
        places.dedup();
        let named = self.bases.relations().filter(|r| r.name.eq_ignore_ascii_case(name));
        let named: Vec<_> = named.collect();
        if named.is_empty() {
            let names: Vec<&str> = self.bases.relations().map(|r| r.name.as_str()).collect();
            let names = names.join(", ");
            return Err(bad(format!(
                "no relation of the state is called {name}; there are {names}"
            )));
        }
        let Some(last) = places.last() else {
            return Err(bad("name at least one argument, as in cell{1,2}".into()));
        };
        match named.iter().find(|r| places[0] >= 1 && *last <= r.arity) {
            Some(relation) => Ok((relation.name.clone(), relation.arity, places)),
            None => Err(bad(format!("{name} has {} arguments, numbered from 1", named[0].arity))),
        }
    }
}
