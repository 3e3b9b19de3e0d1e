//! What `survey` answers: what all analyses of a game come to, as a row of a table.

use crate::account::{Account, Answer, Meter, answers};
use crate::factor::{ApartIs, FactorEffort, Factors};
use crate::fault::Unanswered;
use crate::prove::FactKind;
use crate::status::Status;
use crate::symmetry::{NetPart, SymmetryEffort};
use crate::{Boards, Latches, Proved, Symmetries};
use indexmap::IndexMap;
use ludex::Game;
use ludex_facts::boards::Verify;
use ludex_gdl::budget::{Budget, Stop};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What all analyses of a game come to, each in the same time. What was not found out in it is missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SurveyRow {
    pub game: String,
    /// Does every match end?
    pub ends: Option<Status>,
    /// If so, after at most so many steps.
    pub bound: Option<usize>,
    /// Relations with a proved board.
    pub boards: Option<usize>,
    pub latches: Option<LatchCounts>,
    pub factors: Option<FactorCounts>,
    pub symmetries: Option<SymmetryOrders>,
    /// Analyses that their time has ended.
    pub cut_short: Vec<String>,
    /// CPU seconds of each analysis.
    pub seconds: IndexMap<String, f64>,
    #[serde(flatten)]
    pub account: Account,
}

/// How many facts are latches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LatchCounts {
    pub positive: usize,
    pub negative: usize,
    pub undecided: usize,
}

/// How a game falls apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactorCounts {
    pub number: usize,
    /// Is it right to search them apart? Of one game alone there is nothing to say.
    pub apart: Option<ApartIs>,
}

/// The orders of the groups of the net, as decimal strings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SymmetryOrders {
    pub all: String,
    pub roles_fixed: String,
    /// Was the search brought to its end?
    pub found_all: bool,
}

answers!(SurveyRow);

/// States in which factors are compared with the whole game.
const STATES: usize = 1_000;

impl SurveyRow {
    /// Each analysis may use so many CPU seconds. What is known on the way is shown to `watch`.
    pub fn of(
        game: &Game,
        seconds: f64,
        budget: &Budget,
        watch: &mut dyn FnMut(SurveyRow),
    ) -> Result<SurveyRow, Unanswered> {
        let meter = Meter::new(game, budget);
        let mut row = SurveyRow { game: game.name().into(), ..SurveyRow::unknown(game.name()) };
        let part = seconds / 3.0;
        let effort =
            SymmetryEffort { trial_seconds: part, net_seconds: part, ..Default::default() };
        let found = row.run("symmetry", seconds, budget, |budget| {
            Ok(Symmetries::of(game, effort, budget, &mut |_| ())?.0)
        })?;
        row.symmetries = found.as_ref().and_then(SymmetryOrders::of);
        watch(row.clone());
        let prove = |budget: &Budget| Proved::of(game, budget, &mut |_| ());
        if let Some(found) = row.run("prove", seconds, budget, prove)? {
            row.note_end(&found);
        }
        watch(row.clone());
        let boards = |budget: &Budget| Boards::of(game, Verify::Lemmas, part, budget, &mut |_| ());
        let found = row.run("boards", seconds, budget, boards)?;
        row.boards = found.map(|b| b.relations.iter().filter(|r| !r.maximal.is_empty()).count());
        watch(row.clone());
        let latches = |budget: &Budget| Latches::of(game, budget, part);
        row.latches = row.run("latches", seconds, budget, latches)?.map(|l| LatchCounts::of(&l));
        watch(row.clone());
        let effort = FactorEffort {
            states: STATES,
            seconds: part,
            leaves: false,
            whole_leaves: false,
            lemma_seconds: part,
        };
        let factors = |budget: &Budget| Factors::of(game, None, &effort, budget, &mut |_| ());
        row.factors = row.run("factor", seconds, budget, factors)?.map(|f| FactorCounts::of(&f));
        row.account = meter.account();
        Ok(row)
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> SurveyRow {
        let account = Account::unknown(&["ends", "boards", "latches", "factors", "symmetries"]);
        SurveyRow { game: game.into(), account, ..SurveyRow::default() }
    }

    /// What an analysis finds in its time; none where that is nothing. Only what ends the whole is a failure.
    fn run<A: Answer>(
        &mut self,
        name: &str,
        seconds: f64,
        budget: &Budget,
        analysis: impl FnOnce(&Budget) -> Result<A, Unanswered>,
    ) -> Result<Option<A>, Unanswered> {
        let start = budget.seconds();
        let found = analysis(&budget.lasting(seconds));
        self.seconds.insert(name.into(), budget.seconds() - start);
        budget.check()?;
        let complete = found.as_ref().is_ok_and(|found| found.account().complete);
        self.cut_short.extend((!complete).then(|| name.to_string()));
        match found {
            Ok(found) => Ok(Some(found)),
            Err(Unanswered::Stopped(Stop::Time) | Unanswered::TooLarge(_)) => Ok(None),
            Err(why) => Err(why),
        }
    }

    fn note_end(&mut self, found: &Proved) {
        let end = found.facts.iter().find(|fact| fact.kind == FactKind::Termination);
        self.ends = end.map(|fact| fact.status);
        self.bound = end.and_then(|fact| fact.bound);
    }

    /// The columns of a row.
    pub const HEADER: &str = "game\tevery match ends\tboards\tlatches\tundecided\tfactors\t\
        symmetries\troles fixed\tcut short";

    /// What many rows come to.
    pub fn summary(rows: &[SurveyRow]) -> String {
        let number = |is: &dyn Fn(&SurveyRow) -> bool| rows.iter().filter(|row| is(row)).count();
        let ends = |status| number(&|row| row.ends == Some(status));
        let apart = |how| number(&|row| row.factors.as_ref().is_some_and(|f| f.apart == Some(how)));
        let latches = |of: &dyn Fn(&LatchCounts) -> usize| -> usize {
            rows.iter().filter_map(|row| row.latches.as_ref()).map(of).sum()
        };
        let (proved, refuted) = (ends(Status::Proved), ends(Status::Refuted));
        let symmetric = |of: &dyn Fn(&SymmetryOrders) -> &str| {
            number(&|row| row.symmetries.as_ref().is_some_and(|s| of(s) != "1"))
        };
        format!(
            "{} games\nevery match ends: proved {proved}, refuted {refuted}, unknown {}\n\
            games with a proved board: {}\n\
            latches: {}, undecided facts {} in {} games\n\
            factors: exact {}, conditional {}, heuristic {}\n\
            games with symmetries: {}, with roles fixed {}\n\
            cut short: {} analyses in {} games\n",
            rows.len(),
            rows.len() - proved - refuted,
            number(&|row| row.boards.is_some_and(|b| b > 0)),
            latches(&|l| l.positive + l.negative),
            latches(&|l| l.undecided),
            number(&|row| row.latches.as_ref().is_some_and(|l| l.undecided > 0)),
            apart(ApartIs::Exact),
            apart(ApartIs::Conditional),
            apart(ApartIs::Heuristic),
            symmetric(&|s| &s.all),
            symmetric(&|s| &s.roles_fixed),
            rows.iter().map(|row| row.cut_short.len()).sum::<usize>(),
            number(&|row| !row.cut_short.is_empty()),
        )
    }
}

impl LatchCounts {
    fn of(found: &Latches) -> LatchCounts {
        LatchCounts {
            positive: found.positive.len(),
            negative: found.negative.len(),
            undecided: found.undecided.len(),
        }
    }
}

impl FactorCounts {
    fn of(found: &Factors) -> FactorCounts {
        let number = found.factors.len().max(1);
        FactorCounts { number, apart: found.exact.filter(|_| number > 1) }
    }
}

impl SymmetryOrders {
    fn of(found: &Symmetries) -> Option<SymmetryOrders> {
        let Some(NetPart::Found(net)) = &found.net else { return None };
        let (all, roles_fixed) = (net.order.clone(), net.order_fixed_roles.clone());
        Some(SymmetryOrders { all, roles_fixed, found_all: net.found_all })
    }
}

/// A row, with tabs between.
impl fmt::Display for SurveyRow {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fn or_dash<T>(value: &Option<T>, text: impl Fn(&T) -> String) -> String {
            value.as_ref().map_or("-".into(), text)
        }
        let ends = match (self.ends, self.bound) {
            (Some(Status::Proved), Some(bound)) => format!("within {bound}"),
            (ends, _) => or_dash(&ends, Status::to_string),
        };
        let orders =
            |of: fn(&SymmetryOrders) -> &String| or_dash(&self.symmetries, |s| of(s).clone());
        let cells = [
            self.game.clone(),
            ends,
            or_dash(&self.boards, usize::to_string),
            or_dash(&self.latches, |l| format!("{}+{}", l.positive, l.negative)),
            or_dash(&self.latches, |l| l.undecided.to_string()),
            or_dash(&self.factors, FactorCounts::to_string),
            orders(|s| &s.all),
            orders(|s| &s.roles_fixed),
            self.cut_short.join(" "),
        ];
        writeln!(f, "{}", cells.join("\t").trim_end())
    }
}

impl fmt::Display for FactorCounts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let how = match self.apart {
            None => "",
            Some(ApartIs::Exact) => " exact",
            Some(ApartIs::Conditional) => " conditional",
            Some(ApartIs::Heuristic) => " heuristic",
        };
        write!(f, "{}{how}", self.number)
    }
}
