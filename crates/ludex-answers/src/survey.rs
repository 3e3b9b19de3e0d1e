//! What `survey` answers: what all analyses of a game come to, as a row of a table.

use crate::account::{Account, Meter, answers};
use crate::factor::{ApartIs, FactorEffort, Factors};
use crate::fault::Unanswered;
use crate::status::Status;
use crate::symmetry::{NetPart, SymmetryEffort};
use crate::{Boards, Latches, Symmetries};
use indexmap::IndexMap;
use ludex::Game;
use ludex_facts::boards::Verify;
use ludex_facts::invariants::{InvariantKind, Invariants};
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

/// What can be asked of every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurveyAnalysis {
    Symmetry,
    /// Does every match end?
    Ends,
    Boards,
    Latches,
    Factor,
}

impl SurveyAnalysis {
    /// In the order in which they are made.
    pub const ALL: [SurveyAnalysis; 5] = [
        SurveyAnalysis::Symmetry,
        SurveyAnalysis::Ends,
        SurveyAnalysis::Boards,
        SurveyAnalysis::Latches,
        SurveyAnalysis::Factor,
    ];

    pub fn name(self) -> &'static str {
        match self {
            SurveyAnalysis::Symmetry => "symmetry",
            SurveyAnalysis::Ends => "ends",
            SurveyAnalysis::Boards => "boards",
            SurveyAnalysis::Latches => "latches",
            SurveyAnalysis::Factor => "factor",
        }
    }
}

/// States in which factors are compared with the whole game.
const STATES: usize = 1_000;

impl SurveyRow {
    /// Each of these analyses may use so many CPU seconds. What is known on the way is shown to `watch`.
    pub fn of(
        game: &Game,
        analyses: &[SurveyAnalysis],
        seconds: f64,
        budget: &Budget,
        watch: &mut dyn FnMut(SurveyRow),
    ) -> Result<SurveyRow, Unanswered> {
        let meter = Meter::new(game, budget);
        let mut row = SurveyRow::unknown(game.name());
        for analysis in SurveyAnalysis::ALL.iter().filter(|a| analyses.contains(a)) {
            let start = budget.seconds();
            let complete = row.add(*analysis, game, seconds, &budget.lasting(seconds));
            row.seconds.insert(analysis.name().into(), budget.seconds() - start);
            budget.check()?;
            match complete {
                Ok(true) => {}
                Ok(false) | Err(Unanswered::Stopped(Stop::Time) | Unanswered::TooLarge(_)) => {
                    row.cut_short.push(analysis.name().into())
                }
                Err(why) => return Err(why),
            }
            watch(row.clone());
        }
        row.account = meter.account();
        Ok(row)
    }

    /// Adds what an analysis finds; whether that is all.
    fn add(
        &mut self,
        analysis: SurveyAnalysis,
        game: &Game,
        seconds: f64,
        budget: &Budget,
    ) -> Result<bool, Unanswered> {
        let part = seconds / 3.0;
        Ok(match analysis {
            SurveyAnalysis::Symmetry => {
                let (trial_seconds, net_seconds) = (part, part);
                let effort = SymmetryEffort { trial_seconds, net_seconds, ..Default::default() };
                let found = Symmetries::of(game, effort, budget, &mut |_| ())?.0;
                self.symmetries = SymmetryOrders::of(&found);
                found.account.complete
            }
            SurveyAnalysis::Ends => self.add_end(game, budget)?,
            SurveyAnalysis::Boards => {
                let found = Boards::of(game, Verify::Lemmas, part, budget, &mut |_| ())?;
                let with = found.relations.iter().filter(|r| !r.maximal.is_empty());
                self.boards = Some(with.count());
                found.account.complete
            }
            SurveyAnalysis::Latches => {
                let found = Latches::of(game, budget, part)?;
                self.latches = Some(LatchCounts::of(&found));
                found.account.complete
            }
            SurveyAnalysis::Factor => {
                let effort = FactorEffort {
                    states: STATES,
                    seconds: part,
                    leaves: false,
                    whole_leaves: false,
                    lemma_seconds: part,
                };
                let found = Factors::of(game, None, &effort, budget, &mut |_| ())?;
                self.factors = Some(FactorCounts::of(&found));
                found.account.complete
            }
        })
    }

    fn add_end(&mut self, game: &Game, budget: &Budget) -> Result<bool, Unanswered> {
        let mut found = Invariants::clone(&*game.knowledge().ends(budget)?);
        found.confirm(game.rules(), budget);
        let Some(end) = found.ends() else { return Ok(false) };
        self.ends = Some(Status::from(&end.verdict));
        if let (InvariantKind::Termination(bound), Some(Status::Proved)) = (end.kind, self.ends) {
            self.bound = (bound < usize::MAX).then_some(bound);
        }
        Ok(true)
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> SurveyRow {
        let account = Account::unknown(&["ends", "boards", "latches", "factors", "symmetries"]);
        SurveyRow { game: game.into(), account, ..SurveyRow::default() }
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
