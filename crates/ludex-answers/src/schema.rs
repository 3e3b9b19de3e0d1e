//! The JSON Schema of all answers, made from their types.

use crate::*;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

/// The forms that the answers of a command have, beside `Failed`, which any may have.
type Forms = fn(&mut SchemaGenerator) -> Vec<schemars::Schema>;

macro_rules! forms {
    ($($answer:ty),*) => {
        |generator| vec![$(generator.subschema_for::<$answer>()),*]
    };
}

const FORMS: [(&str, Forms); 36] = [
    ("atlas", forms!(AtlasPage)),
    ("bench", forms!(Speed)),
    ("bench-frame", forms!(FrameSpeed)),
    ("bench-symmetry", forms!(SymmetrySavings)),
    ("boards", forms!(Boards, OneProjection, ProjectionAt, BoardsInMatch)),
    ("check", forms!(CheckReport, Explanation)),
    ("domains", forms!(DomainCounts, DomainGraphText, InstanceLists)),
    ("draw", forms!(Drawing)),
    ("export", forms!(Exported)),
    ("factor", forms!(Factors, FactorMatches, FactorTheorem, Dependence)),
    ("fmt", forms!(Formatted)),
    ("frame", forms!(FrameRules, FrameSteps)),
    ("games", forms!(GameEntry, GameText)),
    ("ground", forms!(GroundSize, RuleInstances)),
    ("info", forms!(GameInfo)),
    ("latches", forms!(Latches, LatchesAt)),
    ("match", forms!(MatchSeries)),
    ("net", forms!(NetSize)),
    ("new", forms!(NewGame)),
    ("paper", forms!(PaperReport)),
    ("perft", forms!(PathCounts)),
    ("pieces", forms!(Pieces)),
    ("play", forms!(PlayedMatch)),
    ("player", forms!(PlayerAddress, PlayerEvent)),
    ("prove", forms!(Proved)),
    ("qbf", forms!(GameText)),
    ("replay", forms!(StateSeen)),
    ("report", forms!(ReportFile)),
    ("rulegraph", forms!(RuleGraphText)),
    ("same", forms!(Comparison, FolderSearch, SameGroup)),
    ("serve", forms!(PlayerAddress)),
    ("simulate", forms!(RandomMatches)),
    ("solve", forms!(Solved)),
    ("survey", forms!(SurveyRow)),
    ("symmetry", forms!(Symmetries, SymmetriesAt)),
    ("test", forms!(ExpectationReport)),
];

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The commands that answer in JSON.
pub fn commands() -> impl Iterator<Item = &'static str> {
    FORMS.iter().map(|(name, _)| *name)
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().for_serialize().into_generator()
}

/// What a line of a command can be.
fn any_of(forms: Forms, generator: &mut SchemaGenerator) -> Value {
    let mut any = forms(generator);
    any.push(generator.subschema_for::<Failed>());
    json!({"anyOf": any})
}

/// The schema of the lines that a command prints; none where there is no such command.
pub fn schema_of(command: &str) -> Option<Value> {
    let (name, forms) = FORMS.into_iter().find(|(name, _)| *name == command)?;
    let mut generator = generator();
    let any = any_of(forms, &mut generator);
    Some(json!({
        "$schema": DIALECT,
        "title": format!("ludex {name} --json"),
        "anyOf": any["anyOf"],
        "$defs": generator.take_definitions(true),
    }))
}

/// The schemas of all commands, under `commands`.
pub fn schema() -> Value {
    let mut generator = generator();
    let commands: Map<String, Value> = FORMS
        .into_iter()
        .map(|(name, forms)| (name.into(), any_of(forms, &mut generator)))
        .collect();
    json!({
        "$schema": DIALECT,
        "title": "ludex --json",
        "version": VERSION,
        "commands": commands,
        "$defs": generator.take_definitions(true),
    })
}
