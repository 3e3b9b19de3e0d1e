//! A question about a game -> an answer of the library, with its text and its pictures.

use crate::pace::MatchPace;
use crate::remarks::remarks;
use crate::{OpenGame, Trouble};
use ludex::Game;
use ludex::budget::Budget;
use ludex::compile::Means;
use ludex::facts::boards::Verify;
use ludex::facts::decide::Effort;
use ludex::facts::property::Property;
use ludex::frame::{Basis, Covering};
use ludex::net::Net;
use ludex::search::solve::Settings;
use ludex::syntax::Syntax;
use ludex_answers::{
    Answer, Boards, DomainCounts, DomainGraphText, FactorEffort, Factors, FrameQuestion,
    FrameRules, GameInfo, GraphStyle, Latches, LatchesAt, NetSize, Pieces, Proved,
    RuleGraphQuestion, RuleGraphText, Solved, Symmetries, SymmetriesAt, SymmetryEffort, Unanswered,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What is asked of a game, or of a position of it.
#[derive(Deserialize)]
pub struct Inquiry {
    pub game: String,
    pub question: String,
    #[serde(default)]
    pub moves: Vec<Vec<String>>,
    /// A property to decide.
    #[serde(default)]
    pub property: String,
}

/// How much a question may take.
#[derive(Clone, Copy)]
pub struct Patience {
    pub seconds: f64,
    /// Bytes of the solver's table.
    pub table: usize,
    /// States that tell how large the trees of factors are.
    pub states: usize,
}

/// An answer, the text that the program prints for it, and pictures of it.
#[derive(Serialize)]
pub struct PageFinding {
    pub answer: Value,
    pub text: String,
    pub pictures: Vec<NamedPicture>,
}

#[derive(Serialize)]
pub struct NamedPicture {
    pub name: String,
    pub svg: String,
}

impl PageFinding {
    fn of(answer: &impl Answer) -> PageFinding {
        let value = serde_json::to_value(answer).expect("answers are plain data");
        PageFinding { answer: value, text: answer.to_string(), pictures: vec![] }
    }
}

/// A question at work: the game, what may be spent, and who hears what is known on the way.
struct Quest<'a> {
    open: &'a OpenGame,
    asked: &'a Inquiry,
    patience: Patience,
    budget: &'a Budget,
    told: &'a dyn Fn(PageFinding),
}

/// Answers a question; `told` hears what is known on the way.
pub fn find(
    open: &OpenGame,
    asked: &Inquiry,
    patience: Patience,
    budget: &Budget,
    told: &dyn Fn(PageFinding),
) -> Result<PageFinding, Trouble> {
    let quest = Quest { open, asked, patience, budget, told };
    let (game, share) = (&open.game, patience.seconds / 3.0);
    Ok(match asked.question.as_str() {
        "info" => PageFinding::of(&GameInfo::of(game, None, Means::all(budget), &mut |a| {
            quest.draft(&a)
        })?),
        "boards" => {
            let told = &mut |a| quest.draft(&a);
            PageFinding::of(&Boards::of(game, Verify::Lemmas, share, budget, told)?)
        }
        "pieces" => PageFinding::of(&Pieces::of(game, share, budget)?),
        "symmetries" => quest.symmetries()?,
        "factors" => quest.factors()?,
        "latches" => PageFinding::of(&Latches::of(game, budget, share)?),
        "final" => {
            let net = net(game, budget)?;
            PageFinding::of(&LatchesAt::of(game, &net, &quest.state_of(&net)?, (budget, share))?)
        }
        "orbits" => {
            let net = net(game, budget)?;
            PageFinding::of(&SymmetriesAt::of(game, &net, &quest.state_of(&net)?, budget)?)
        }
        "proofs" => PageFinding::of(&Proved::of(game, budget, &mut |a| quest.draft(&a))?),
        "property" => PageFinding::of(&quest.decide()?),
        "domains" => PageFinding::of(&DomainCounts::of(game, budget, &mut |a| quest.draft(&a))),
        "domain-graph" => PageFinding::of(&DomainGraphText::of(game, budget)),
        "rule-graph" => {
            let question =
                RuleGraphQuestion { style: GraphStyle::Enhanced, with_init: false, normal: false };
            PageFinding::of(&RuleGraphText::of(game.rules(), &question, budget)?)
        }
        "net" => PageFinding::of(&NetSize::of(game, 0.0, budget, &mut |a| quest.draft(&a))?.0),
        "net-graph" => net_graph(game, budget)?,
        "pace" => {
            let pace = MatchPace::measure(&*net(game, budget)?, budget)?;
            let answer = serde_json::to_value(&pace)?;
            PageFinding { answer, text: pace.text(), pictures: vec![] }
        }
        "frame" => {
            let question = FrameQuestion {
                covering: Covering::Pruned,
                basis: Basis::Names,
                syntax: Syntax::Kif,
                changes: true,
            };
            PageFinding::of(&FrameRules::of(game, &question, budget, &budget.lasting(share))?)
        }
        "solve" => {
            let settings = Settings {
                proof_seconds: share / 2.0,
                bytes: patience.table,
                ..Settings::default()
            };
            let told = &mut |a| quest.draft(&a);
            PageFinding::of(&Solved::of(game, quest.state()?, &settings, budget, told)?)
        }
        "known" => {
            let facts = remarks(open, budget);
            PageFinding {
                answer: json!({ "facts": facts }),
                text: facts.join("\n"),
                pictures: vec![],
            }
        }
        other => {
            return Err(Trouble::new("unknown-question", format!("there is no question {other}")));
        }
    })
}

fn net(game: &Game, budget: &Budget) -> Result<std::sync::Arc<Net>, Trouble> {
    Ok(game.knowledge().net(budget).map_err(Unanswered::from)?)
}

impl Quest<'_> {
    fn draft(&self, answer: &impl Answer) {
        (self.told)(PageFinding::of(answer));
    }

    /// The state of the net after the moves; none at the beginning.
    fn state(&self) -> Result<Option<Vec<bool>>, Trouble> {
        if self.asked.moves.is_empty() {
            return Ok(None);
        }
        let net = net(&self.open.game, self.budget)?;
        self.state_of(&net).map(Some)
    }

    fn state_of(&self, net: &Net) -> Result<Vec<bool>, Trouble> {
        let position = self.open.position(&self.asked.moves, self.budget)?;
        let holds = |name: &String| position.facts().binary_search(name).is_ok();
        Ok(net.bases.iter().map(|base| holds(&base.name)).collect())
    }

    fn factors(&self) -> Result<PageFinding, Trouble> {
        let share = self.patience.seconds / 3.0;
        let effort = FactorEffort {
            states: self.patience.states,
            seconds: share / 2.0,
            leaves: true,
            whole_leaves: false,
            lemma_seconds: share,
        };
        let (game, state) = (&self.open.game, self.state()?);
        let told = &mut |a| self.draft(&a);
        Ok(PageFinding::of(&Factors::of(game, state.as_deref(), &effort, self.budget, told)?))
    }

    /// The symmetries, each with its picture.
    fn symmetries(&self) -> Result<PageFinding, Trouble> {
        let share = self.patience.seconds / 3.0;
        let effort = SymmetryEffort {
            fix_roles: false,
            with_init: false,
            rules_only: false,
            trial_seconds: share / 4.0,
            net_seconds: share,
        };
        let told = &mut |a| self.draft(&a);
        let (answer, found) = Symmetries::of(&self.open.game, effort, self.budget, told)?;
        let mut finding = PageFinding::of(&answer);
        let Some(((found, net), scene)) = found.zip(self.open.scene(self.budget)) else {
            return Ok(finding);
        };
        for (table, description) in found.generators.iter().zip(&found.descriptions) {
            let name = |b: usize| net.bases[b].name.clone();
            let pair = |(b, to): (usize, &u32)| (name(b), name(*to as usize));
            let pairs: Vec<(String, String)> = table.bases.iter().enumerate().map(pair).collect();
            let svg = scene.map(&pairs).map(|p| p.svg()).unwrap_or_default();
            finding.pictures.push(NamedPicture { name: description.to_string(), svg });
        }
        Ok(finding)
    }

    fn decide(&self) -> Result<Proved, Trouble> {
        let game = &self.open.game;
        let property = Property::read(&self.asked.property, game.rules()).map_err(|told| {
            let error = ludex::source::Severity::Error;
            Trouble(ludex_answers::Fault::of_report(&told.1, Some(&told.0), error))
        })?;
        let lemma_seconds = self.patience.seconds / 3.0;
        let effort = Effort { steps: 4, states: 100_000, lemma_seconds };
        Ok(Proved::decide(game, &property, effort, self.budget, &mut |a| self.draft(&a))?)
    }
}

/// Gates of a net that are drawn; of a larger one only its size is told.
const GATES: usize = 5_000;

/// The vertices and edges of a small net.
fn net_graph(game: &Game, budget: &Budget) -> Result<PageFinding, Trouble> {
    let net = net(game, budget)?;
    let size = net.gates.len();
    let text = if size <= GATES { net.dot() } else { String::new() };
    Ok(PageFinding { answer: json!({ "gates": size, "most": GATES }), text, pictures: vec![] })
}
