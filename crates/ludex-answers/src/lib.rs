//! Every answer about a game as a plain struct: `Serialize` for programs, `Display` for people.
//!
//! The program's `--json`, the page, Python and files on disk are this one form; [`schema`] describes
//! it. An answer that a limit cut short is the same struct, partly filled: its [`Account`] says what
//! is missing and why.
//!
//! ```
//! use ludex::{Game, budget::Budget};
//! use ludex_answers::GroundSize;
//!
//! let game = Game::bundled("tictactoe").expect("a bundled game");
//! let size = GroundSize::of(&game, false, &Budget::unlimited()).expect("no limit");
//! assert!(size.account.complete && size.to_string().starts_with("tictactoe"));
//! assert!(serde_json::to_string(&size).expect("plain data").contains("\"rules\":"));
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod account;
mod fault;
mod table;
mod status;
mod families;
mod boards;
mod board_subject;
mod board_watch;
mod factor;
mod factor_matches;
mod theorem;
mod latches;
mod bench;
mod check;
mod domains;
mod draw;
mod expect;
mod export;
mod frame;
mod info;
mod listing;
mod matches;
mod net;
mod rule_instances;
mod paper;
mod perft;
mod pieces;
mod player;
mod projection;
mod prove;
mod replay;
mod report;
mod same;
mod simulate;
mod solve;
mod symmetry;
mod survey;
mod schema;
mod store;

pub use account::{Account, Answer, Meter, StoppedBy, VERSION};
pub use bench::{
    FrameSpeed, RulesUsed, SearchCost, SearchSeconds, SlicedMade, Speed, SymmetrySavings,
    TranslationSeconds,
};
pub use board_subject::BoardSubject;
pub use board_watch::{BoardsInMatch, RefutedInMatch, SeenRelation};
pub use boards::{BaseKind, Boards, BoardsOfRelation, OneProjection, ProjectionStatus, sets};
pub use check::{CheckEffort, CheckReport, Explanation, Noticed, TrialEffort, TrialFigures};
pub use domains::{
    DomainCount, DomainCounts, DomainGraphText, InstanceLists, LargeCount, OwnerKind,
};
pub use draw::Drawing;
pub use expect::{ExpectationReport, NewGame};
pub use export::Exported;
pub use factor::{
    ApartIs, EndedBy, FactorEffort, FactorEnding, FactorSeconds, Factors, GoalStructure, Leaves,
    OneFactor,
};
pub use factor_matches::{FactorMatch, FactorMatches};
pub use families::FactFamily;
pub use fault::{Failed, Fault, FaultFix, Unanswered};
pub use frame::{FrameQuestion, FrameRules, FrameSteps};
pub use info::{FunctionInfo, GameInfo, RelationInfo};
pub use latches::{GoalDecided, GoalStays, LatchSupport, Latches, LatchesAt, Sizes};
pub use listing::{
    Formatted, GameEntry, GameText, GraphStyle, GraphVertex, RuleGraphQuestion, RuleGraphText,
    WrittenIn,
};
pub use matches::{
    ClockSeconds, MatchRecord, MatchSeries, PlayedMatch, PlayerStanding, RecordPlace,
};
pub use net::{GroundSize, NetSize, NetStages};
pub use paper::{PaperItem, PaperReport, PaperTable, PaperVerdict};
pub use perft::PathCounts;
pub use pieces::Pieces;
pub use player::{MoveGrounds, PlayerAddress, PlayerEvent};
pub use projection::ProjectionAt;
pub use prove::{FactKind, Proved, ProvedFact, WeightedFact};
pub use replay::{MoveLine, StateSeen};
pub use report::{AtlasPage, ReportFile, ReportSection};
pub use rule_instances::{InstancesOfRule, RuleInstances};
pub use same::{Comparison, FolderSearch, SameGroup, SameLevel};
pub use schema::{commands, schema, schema_of};
pub use simulate::{MatchPlan, RandomMatches};
pub use solve::{GoalValue, NoValue, NoValueCode, Solved, SolvedFactor, SymmetryUse};
pub use status::{ByRole, Status};
pub use store::{Shelf, Store};
pub use survey::{FactorCounts, LatchCounts, SurveyAnalysis, SurveyRow, SymmetryOrders};
pub use symmetry::{
    FoundOnNet, GeneratorMap, GraphSize, NetGenerator, NetGroup, NetPart, RuleGenerator, RuleGroup,
    Symmetries, SymmetriesAt, SymmetryEffort, order_in_short,
};
pub use table::Table;
pub use theorem::{Dependence, FactorTheorem, IndependentSet, OperandCount, TheoremConditions};
