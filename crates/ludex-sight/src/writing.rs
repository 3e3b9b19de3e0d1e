//! What the editor of the page asks: complaints and colours, layout, explanations, random matches, templates.

use crate::Trouble;
use ludex::budget::Budget;
use ludex::compile::Means;
use ludex::explain;
use ludex::policy::Policy;
use ludex::source::{Report, Severity, Source};
use ludex::syntax::Syntax;
use ludex_answers::{CheckEffort, CheckReport, Fault, Formatted, TrialEffort};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Small games that work, to begin one's own with.
const TEMPLATES: [(&str, &str); 3] = [
    ("board game for two", include_str!("../../ludex-cli/templates/board.kif")),
    ("puzzle", include_str!("../../ludex-cli/templates/puzzle.kif")),
    ("moves at once", include_str!("../../ludex-cli/templates/simultaneous.kif")),
];

/// A text that is being written.
#[derive(Deserialize)]
pub struct DraftText {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub text: String,
    /// `kif` or `infix`: the syntax to write it in; without it the one it is in.
    #[serde(default)]
    pub to: String,
    #[serde(default)]
    pub overwrite: bool,
}

#[derive(Serialize)]
pub struct Template {
    pub name: &'static str,
    pub text: String,
}

pub fn templates() -> Vec<Template> {
    TEMPLATES.map(|(name, text)| Template { name, text: text.replacen("NAME", "mine", 1) }).into()
}

/// The text laid out anew.
pub fn format(draft: &DraftText) -> Result<Formatted, Trouble> {
    let source = Source::new("game", draft.text.as_str());
    let to = match draft.to.as_str() {
        "kif" => Some(Syntax::Kif),
        "infix" => Some(Syntax::Infix),
        _ => None,
    };
    Formatted::of("game", &source, None, to)
        .map_err(|report| Trouble(Fault::of_report(&report, Some(&source), Severity::Error)))
}

/// What the code of a complaint means.
pub fn explained(code: &str) -> Value {
    json!({ "code": code, "text": explain::explain(code) })
}

const MATCHES: usize = 100;
const STEPS: usize = 1_000;

/// What random matches show.
pub fn simulate(draft: &DraftText, budget: &Budget) -> CheckReport {
    let source = Source::new("game", draft.text.as_str());
    let effort = CheckEffort {
        syntax: None,
        errors_only: false,
        policy: Policy::default(),
        trial: Some(TrialEffort { matches: MATCHES, seed: 1, bound: STEPS }),
        noted: Report::default(),
        render: Report::render,
    };
    CheckReport::of("game", &source, &effort, Means::all(budget), &mut |_| ())
}
