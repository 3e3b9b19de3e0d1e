//! The analyses as stages over one base of lemmas: each uses what is there and adds what it proves.

use crate::{Grounded, Knowledge, Made};
use ludex_facts::boards::{Bases, Boards, ProjectionVerdict};
use ludex_facts::decide::play;
use ludex_facts::factor::{Exactness, Factors};
use ludex_facts::invariants::Invariants;
use ludex_facts::latches::Latches;
use ludex_facts::lemmas::{KeptLemma, Lemmas};
use ludex_facts::samples::Samples;
use ludex_facts::turns::TurnOrder;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use ludex_net::ground::NotGround;
use ludex_reason::interp::{Interp, Problem};
use std::sync::Arc;

impl Knowledge {
    /// What is proved by now, by whom, and what it rests on.
    pub fn lemmas(&self, budget: &Budget) -> Grounded<Lemmas> {
        let net = self.net(budget)?;
        let mut lemmas = self.lemmas.lock().expect("no panic while held");
        Ok(lemmas.get_or_insert_with(|| self.first_lemmas(net)).clone())
    }

    /// Those of an earlier run of a program.
    fn first_lemmas(&self, net: Arc<Net>) -> Arc<Lemmas> {
        let mut lemmas = Lemmas::new(net);
        let kept = std::mem::take(&mut *self.recalled.lock().expect("no panic while held"));
        lemmas.recall(&kept);
        Arc::new(lemmas)
    }

    /// Takes over lemmas of an earlier run of a program, which must be of the same rules.
    pub fn recall(&self, kept: Vec<KeptLemma>) {
        match &mut *self.lemmas.lock().expect("no panic while held") {
            Some(lemmas) => Arc::make_mut(lemmas).recall(&kept),
            None => *self.recalled.lock().expect("no panic while held") = kept,
        }
    }

    /// The same where something has been proved; nothing is made for it.
    pub fn known(&self) -> Option<Arc<Lemmas>> {
        self.lemmas.lock().expect("no panic while held").clone()
    }

    /// Adds to the base.
    fn learn(&self, net: Arc<Net>, teach: impl FnOnce(&mut Lemmas)) {
        let mut lemmas = self.lemmas.lock().expect("no panic while held");
        teach(Arc::make_mut(lemmas.get_or_insert_with(|| self.first_lemmas(net))));
    }

    /// States of random matches.
    fn samples(&self, budget: &Budget) -> Grounded<Samples> {
        let net = self.net(budget)?;
        self.samples.get(budget, |_| Ok(Made::Complete(Samples::usual(&net, budget)?)))
    }

    /// What holds in every reachable state, as far as it is proved by the end of the budget.
    pub fn invariants(&self, budget: &Budget) -> Grounded<Invariants> {
        self.invariants_in(budget, f64::INFINITY, &mut |_| ())
    }

    /// The same in so many seconds of proofs; on the way they are shown to `watch`.
    pub fn invariants_in(
        &self,
        budget: &Budget,
        seconds: f64,
        watch: &mut dyn FnMut(&Invariants),
    ) -> Grounded<Invariants> {
        let (net, samples) = (self.net(budget)?, self.samples(budget)?);
        self.latches_seen(budget)?;
        self.invariants.get(budget, |before| {
            let known = self.lemmas(budget)?;
            let found = match before {
                Some(before) => before.go_on(&known, budget, seconds, watch),
                None => Invariants::lasting(&known, samples, budget, seconds, watch),
            };
            self.learn(net, |lemmas| found.teach(lemmas));
            Ok(match found.stopped {
                Some(_) => Made::Partial(found),
                None => Made::Complete(found),
            })
        })
    }

    /// The same until it is known whether every match ends.
    pub fn ends(&self, budget: &Budget) -> Grounded<Invariants> {
        let part = budget.part();
        self.invariants_in(&part, f64::INFINITY, &mut |found| {
            if found.ends().is_some() {
                part.stop(Stop::Time);
            }
        })
    }

    /// Who has a choice when, as far as it is proved by the end of the budget.
    pub fn turns(&self, budget: &Budget) -> Result<TurnOrder, NotGround> {
        Ok(TurnOrder::of(&*self.invariants(budget)?))
    }

    /// The latches that the structure of the net shows, or more where more are known.
    pub fn latches_seen(&self, budget: &Budget) -> Grounded<Latches> {
        if let Some(found) = self.latches.peek() {
            return Ok(found);
        }
        let (net, samples) = (self.net(budget)?, self.samples(budget)?);
        self.latches.get(budget, |before| {
            let found = match before {
                Some(before) => Latches::clone(&before),
                None => Latches::by_structure(&net, &samples, budget)?,
            };
            self.learn(net, |lemmas| found.teach(lemmas));
            Ok(Made::of(found.undecided.is_empty(), found))
        })
    }

    /// The latches, by structure and by induction. Lemmas may be looked for so many seconds, and used as long.
    pub fn latches(&self, budget: &Budget, seconds: f64) -> Grounded<Latches> {
        let seen = self.latches_seen(budget)?;
        if seen.undecided.is_empty() {
            return Ok(seen);
        }
        let found = self.induced_latches(&seen, budget, seconds);
        match (found, budget.check()) {
            (Err(NotGround::Stopped(stop)), _) | (Ok(_), Err(stop)) => {
                let mut known = Latches::clone(&self.latches.peek().unwrap_or(seen));
                known.stopped = Some(stop);
                Ok(Arc::new(known))
            }
            (found, _) => found,
        }
    }

    fn induced_latches(
        &self,
        seen: &Arc<Latches>,
        budget: &Budget,
        seconds: f64,
    ) -> Grounded<Latches> {
        let known = self.invariants_in(budget, seconds, &mut |_| ())?;
        let net = self.net(budget)?;
        self.latches.get(budget, |before| {
            let found = Latches::clone(before.as_ref().unwrap_or(seen));
            let found = found.by_induction(&mut Invariants::clone(&known), seconds, budget);
            self.learn(net, |lemmas| found.teach(lemmas));
            Ok(Made::of(found.stopped.is_none(), found))
        })
    }

    /// The base propositions of which boards are projections.
    pub fn bases(&self, budget: &Budget) -> Result<Arc<Bases>, Problem> {
        let net = self.net(budget).map_err(|why| Problem::Stopped(why.stop()))?;
        self.bases.get(budget, |_| {
            Ok(Made::Complete(match &self.rules {
                Some(rules) => Bases::new(rules, &net, budget)?,
                None => Bases::reachable(&net),
            }))
        })
    }

    /// The boards. Lemmas may be looked for so many seconds; before projections are verified, those that
    /// follow from the lemmas are shown to `watch`.
    pub fn boards(
        &self,
        budget: &Budget,
        seconds: f64,
        watch: &mut dyn FnMut(&Boards),
    ) -> Result<Arc<Boards>, Problem> {
        let bases = self.bases(budget)?;
        let stopped = |why: NotGround| Problem::Stopped(why.stop());
        let known = self.invariants_in(budget, seconds, &mut |_| ()).map_err(stopped)?;
        let net = known.net.clone();
        let mut first = Boards::find(&net, &known, &budget.fresh())?;
        first.stopped = budget.check().err();
        if first.stopped.is_some() {
            return Ok(self.boards.peek().unwrap_or(Arc::new(first)));
        }
        watch(&first);
        self.boards.get(budget, |before| {
            let mut known = Invariants::clone(&known);
            let mut found = Boards::decide(&bases, &mut known, before.as_deref(), budget);
            self.learn(net.clone(), |lemmas| known.teach(lemmas));
            self.confirm(&mut found, &net, budget);
            found.stopped = found.stopped.or(known.stopped);
            Ok(Made::of(found.stopped.is_none(), found))
        })
    }

    /// A refuted projection is one only if the reference reasoner can play the line.
    fn confirm(&self, boards: &mut Boards, net: &Net, budget: &Budget) {
        let Some(rules) = &self.rules else { return };
        let mut interp = None;
        for projection in boards.relations.iter_mut().flat_map(|r| &mut r.projections) {
            let ProjectionVerdict::Refuted { moves } = &projection.answer else { continue };
            let interp = interp.get_or_insert_with(|| Interp::hasty(rules, budget).ok());
            let text = |i: &usize| net.inputs[*i].name.clone();
            let line: Vec<Vec<String>> =
                moves.iter().map(|joint| joint.iter().map(text).collect()).collect();
            if interp.as_mut().and_then(|i| play(i, &line)).is_none() {
                projection.answer = ProjectionVerdict::Unknown;
            }
        }
    }

    /// The factors of the game from its first state on. Where searching apart is not known to be exact, lemmas
    /// may be looked for so many seconds, and it is asked once more, now and later.
    pub fn factors(&self, budget: &Budget, seconds: f64) -> Grounded<Factors> {
        let net = self.net(budget)?;
        self.factors.get(budget, |_| {
            let state: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
            let found = self.factors_from(&state, budget, seconds)?;
            Ok(Made::of(is_settled(&found) || self.is_proved_out(), found))
        })
    }

    /// Have all invariants that can be found been found?
    fn is_proved_out(&self) -> bool {
        self.invariants.peek().is_some_and(|known| known.stopped.is_none())
    }

    /// The same from a reachable state on.
    pub fn factors_from(
        &self,
        state: &[bool],
        budget: &Budget,
        seconds: f64,
    ) -> Result<Factors, NotGround> {
        let net = self.net(budget)?;
        let known = self.lemmas(budget)?;
        let found = Factors::explained(&net, state, &known, budget)?;
        if is_settled(&found) {
            return Ok(found);
        }
        self.invariants_in(budget, seconds, &mut |_| ())?;
        let more = self.lemmas(budget)?;
        match more.len() > known.len() {
            true => Ok(Factors::explained(&net, state, &more, budget).unwrap_or(found)),
            false => Ok(found),
        }
    }
}

/// More lemmas say no more of factors: there is one, or searching them apart is exact.
fn is_settled(found: &Factors) -> bool {
    found.factors.len() < 2 || matches!(found.exact, Exactness::Exact)
}
