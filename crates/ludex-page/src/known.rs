//! A question about a game -> an answer of the library, with its text and its pictures.

use crate::lane::{Errand, Trouble};
use crate::library::{Library, OpenGame};
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
    Answer, Boards, Comparison, DomainCounts, DomainGraphText, FactKind, FactorEffort, Factors,
    FrameQuestion, FrameRules, GameInfo, GraphStyle, Latches, LatchesAt, NetSize, Proved,
    ProvedFact, RuleGraphQuestion, RuleGraphText, SameLevel, Solved, Status, Symmetries,
    SymmetriesAt, SymmetryEffort,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Seconds for each question.
pub const PATIENCE: f64 = 30.0;

/// What is asked of a game, or of a position of it.
#[derive(Deserialize)]
pub struct Asked {
    pub game: String,
    pub question: String,
    #[serde(default)]
    pub moves: Vec<Vec<String>>,
    /// A property to decide.
    #[serde(default)]
    pub property: String,
}

/// An answer, the text that the program prints for it, and pictures of it.
#[derive(Serialize)]
pub struct Known {
    pub answer: Value,
    pub text: String,
    pub pictures: Vec<NamedPicture>,
}

#[derive(Serialize)]
pub struct NamedPicture {
    pub name: String,
    pub svg: String,
}

impl Known {
    fn of(answer: &impl Answer) -> Known {
        let value = serde_json::to_value(answer).expect("answers are plain data");
        Known { answer: value, text: answer.to_string(), pictures: vec![] }
    }
}

/// Answers a question.
pub fn known(library: &Library, asked: &Asked, errand: &Errand) -> Result<Known, Trouble> {
    let open = library.open(&asked.game)?;
    let (game, budget) = (&open.game, &errand.budget);
    let share = PATIENCE / 3.0;
    let means = || Means { whole: budget, grounding: budget };
    Ok(match asked.question.as_str() {
        "info" => Known::of(&GameInfo::of(game, None, means(), &mut |a| draft(errand, &a))?),
        "boards" => {
            let told = &mut |a| draft(errand, &a);
            Known::of(&Boards::of(game, Verify::Lemmas, share, budget, told)?)
        }
        "symmetries" => symmetries(&open, errand)?,
        "factors" => {
            let effort = FactorEffort {
                states: 20_000,
                seconds: share / 2.0,
                leaves: true,
                whole_leaves: false,
                lemma_seconds: share,
            };
            let state = state(&open, asked, budget)?;
            Known::of(&Factors::of(game, state.as_deref(), &effort, budget, &mut |a| {
                draft(errand, &a)
            })?)
        }
        "latches" => Known::of(&Latches::of(game, budget, share)?),
        "final" => {
            let net = game.knowledge().net(budget).map_err(ludex_answers::Unanswered::from)?;
            let state = state(&open, asked, budget)?.unwrap_or_else(|| initial(&net));
            Known::of(&LatchesAt::of(game, &net, &state, budget)?)
        }
        "orbits" => {
            let net = game.knowledge().net(budget).map_err(ludex_answers::Unanswered::from)?;
            let state = state(&open, asked, budget)?.unwrap_or_else(|| initial(&net));
            Known::of(&SymmetriesAt::of(game, &net, &state, budget)?)
        }
        "proofs" => Known::of(&Proved::of(game, budget, &mut |a| draft(errand, &a))?),
        "property" => Known::of(&decide(&open, asked, errand)?),
        "domains" => Known::of(&DomainCounts::of(game, budget, &mut |a| draft(errand, &a))),
        "domain-graph" => Known::of(&DomainGraphText::of(game, budget)),
        "rule-graph" => {
            let question =
                RuleGraphQuestion { style: GraphStyle::Enhanced, with_init: false, normal: false };
            Known::of(&RuleGraphText::of(game.rules(), &question, budget)?)
        }
        "net" => Known::of(&NetSize::of(game, 0.0, budget, &mut |a| draft(errand, &a))?.0),
        "net-graph" => net_graph(&open, budget)?,
        "frame" => {
            let question = FrameQuestion {
                covering: Covering::Pruned,
                basis: Basis::Names,
                syntax: Syntax::Kif,
                changes: true,
            };
            Known::of(&FrameRules::of(game, &question, budget, &budget.lasting(share))?)
        }
        "solve" => {
            let state = state(&open, asked, budget)?;
            let settings =
                Settings { proof_seconds: share / 2.0, bytes: 1 << 28, ..Settings::default() };
            Known::of(&Solved::of(game, state, &settings, budget, &mut |a| draft(errand, &a))?)
        }
        "same" => same(library, &open, errand)?,
        "known" => {
            let facts = open.remarks.get_or_init(|| remarks(&open, budget));
            Known { answer: json!({ "facts": facts }), text: facts.join("\n"), pictures: vec![] }
        }
        other => {
            return Err(Trouble::new("unknown-question", format!("nobody can ask for {other}")));
        }
    })
}

/// What is known on the way.
fn draft(errand: &Errand, answer: &impl Answer) {
    errand.tell("draft", &Known::of(answer));
}

/// The state of the net after the moves; none at the beginning.
fn state(open: &OpenGame, asked: &Asked, budget: &Budget) -> Result<Option<Vec<bool>>, Trouble> {
    if asked.moves.is_empty() {
        return Ok(None);
    }
    let position = open.position(&asked.moves, budget)?;
    let net = open.game.knowledge().net(budget).map_err(ludex_answers::Unanswered::from)?;
    let holds = |name: &String| position.facts().binary_search(name).is_ok();
    Ok(Some(net.bases.iter().map(|base| holds(&base.name)).collect()))
}

fn initial(net: &Net) -> Vec<bool> {
    net.bases.iter().map(|base| base.initial).collect()
}

/// The symmetries, each with its picture.
fn symmetries(open: &OpenGame, errand: &Errand) -> Result<Known, Trouble> {
    let share = PATIENCE / 3.0;
    let effort = SymmetryEffort {
        fix_roles: false,
        with_init: false,
        rules_only: false,
        trial_seconds: share / 4.0,
        net_seconds: share,
    };
    let told = &mut |a| draft(errand, &a);
    let (answer, found) = Symmetries::of(&open.game, effort, &errand.budget, told)?;
    let mut known = Known::of(&answer);
    let Some(((found, net), scene)) = found.zip(open.scene(&errand.budget)) else {
        return Ok(known);
    };
    for (table, description) in found.generators.iter().zip(&found.descriptions) {
        let name = |b: usize| net.bases[b].name.clone();
        let pair = |(b, to): (usize, &u32)| (name(b), name(*to as usize));
        let pairs: Vec<(String, String)> = table.bases.iter().enumerate().map(pair).collect();
        let picture = scene.map(&pairs).map(|p| p.svg()).unwrap_or_default();
        known.pictures.push(NamedPicture { name: description.to_string(), svg: picture });
    }
    Ok(known)
}

fn decide(open: &OpenGame, asked: &Asked, errand: &Errand) -> Result<Proved, Trouble> {
    let read = Property::read(&asked.property, open.game.rules());
    let property = read.map_err(|told| {
        let error = ludex::source::Severity::Error;
        Trouble(ludex_answers::Fault::of_report(&told.1, Some(&told.0), error))
    })?;
    let effort = Effort { steps: 4, states: 100_000, lemma_seconds: PATIENCE / 3.0 };
    Ok(Proved::decide(&open.game, &property, effort, &errand.budget, &mut |a| draft(errand, &a))?)
}

/// Gates of a net that are drawn; of a larger one only its size is told.
const GATES: usize = 400;

/// The vertices and edges of a small net.
fn net_graph(open: &OpenGame, budget: &Budget) -> Result<Known, Trouble> {
    let net = open.game.knowledge().net(budget).map_err(ludex_answers::Unanswered::from)?;
    let size = net.gates.len();
    let text = if size <= GATES { net.dot() } else { String::new() };
    Ok(Known { answer: json!({ "gates": size, "most": GATES }), text, pictures: vec![] })
}

/// Seconds for each remark on a card.
const REMARK: f64 = 1.0;

/// What is found out about a game in a few seconds, for its card.
fn remarks(open: &OpenGame, budget: &Budget) -> Vec<String> {
    let (game, part) = (&open.game, || budget.lasting(REMARK));
    let mut told = Vec::new();
    if let Ok(found) = game.knowledge().symmetries(&part()) {
        let order = found.all.order.to_string();
        told.extend((order != "1").then(|| format!("{order} symmetries")));
    }
    if let Ok(found) = game.knowledge().factors(&part(), REMARK) {
        let factors = found.factors.len();
        told.extend((factors > 1).then(|| format!("{factors} factors")));
    }
    if let Ok(found) = Proved::of(game, &part(), &mut |_| ()) {
        let ends = |f: &ProvedFact| f.kind == FactKind::Termination && f.status == Status::Proved;
        told.extend(found.facts.iter().find(|f| ends(f)).map(|_| "every match ends".to_string()));
    }
    let settings = Settings { proof_seconds: REMARK / 2.0, bytes: 1 << 26, ..Settings::default() };
    if let Ok(found) = Solved::of(game, None, &settings, &part(), &mut |_| ()) {
        let values = serde_json::to_value(&found.values).unwrap_or_default();
        let known: Vec<String> = values.as_object().map_or(vec![], |values| {
            values.iter().filter(|v| v.1.is_number()).map(|(r, v)| format!("{r} {v}")).collect()
        });
        let whole = !known.is_empty() && found.account.complete;
        told.extend(whole.then(|| format!("solved: {}", known.join(", "))));
    }
    told
}

/// The games of the library that are this one in another guise.
fn same(library: &Library, open: &OpenGame, errand: &Errand) -> Result<Known, Trouble> {
    let mut found = Vec::new();
    for entry in library.entries() {
        errand.budget.check()?;
        let Ok(other) = library.open(&entry.id) else { continue };
        if entry.id == open.id || other.game.rules().rules.len() != open.game.rules().rules.len() {
            continue;
        }
        let (a, b) =
            ((open.id.as_str(), &**open.game.rules()), (entry.id.as_str(), &**other.game.rules()));
        let part = errand.budget.lasting(1.0);
        if let Ok(answer) = Comparison::of(a, b, true, &part)
            && answer.same == Some(true)
        {
            found.push((entry.id, answer.level == Some(SameLevel::Rules)));
        }
    }
    let names: Vec<&String> = found.iter().map(|(id, _)| id).collect();
    let text = format!("{names:?}");
    Ok(Known { answer: json!({ "same": names }), text, pictures: vec![] })
}
