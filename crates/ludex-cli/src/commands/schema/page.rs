//! The schema of all commands -> a page of docs in Markdown.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

const HEAD: &str = "\
# The JSON of every command

This page is made from the types by `ludex schema --page`; `ludex schema COMMAND` prints the same as JSON Schema.

With `--json` every line is one object. Which keys it has depends on the command; those of
[`Account`](#account) are in every one (but for the states of `replay`), and they are listed there only. Keys may be
added; when one changes its name or type, `version` counts up. What cannot be answered is a [`Failed`](#failed).

| key | what it says |
|---|---|
| `complete` | is nothing missing? |
| `stopped` | the keys whose values are missing, or not all there |
| `stopped_by` | the limit that kept them from being found |
| `cpu_seconds` | what the answer cost |
| `warnings` | the warnings about the rules |
| `version` | the version of the form |

";

/// Keys of `Account`, which every answer has.
const SHARED: [&str; 6] =
    ["complete", "stopped", "stopped_by", "cpu_seconds", "warnings", "version"];

pub fn page(schema: &Value) -> String {
    let types = schema["$defs"].as_object().expect("definitions");
    let commands = schema["commands"].as_object().expect("commands");
    let mut text = HEAD.to_string();
    let mut shown: BTreeSet<&str> = BTreeSet::from(["Failed"]);
    text += "## Commands\n\n| command | its lines |\n|---|---|\n";
    for (command, forms) in commands {
        let names: Vec<&str> = forms_of(forms).collect();
        let links: Vec<String> = names.iter().map(|name| link(name)).collect();
        text += &format!("| `{command}` | {} |\n", links.join(" or "));
    }
    text += "\n## Answers\n\n";
    for name in commands.values().flat_map(forms_of) {
        if shown.insert(name) {
            text += &section(name, &types[name]);
        }
    }
    text += &section("Failed", &types["Failed"]);
    text += "## Parts of answers\n\n";
    for (name, schema) in types.iter().filter(|(name, _)| !shown.contains(name.as_str())) {
        text += &section(name, schema);
    }
    text += &account(&types["Failed"]);
    format!("{}\n", text.trim_end())
}

/// The names of the forms of a command, but for `Failed`.
fn forms_of(forms: &Value) -> impl Iterator<Item = &str> {
    let all = forms["anyOf"].as_array().expect("forms").iter();
    all.filter_map(|form| name_of(form["$ref"].as_str()?)).filter(|name| *name != "Failed")
}

fn name_of(reference: &str) -> Option<&str> {
    reference.strip_prefix("#/$defs/")
}

fn link(name: &str) -> String {
    format!("[`{name}`](#{})", name.to_lowercase())
}

fn section(name: &str, schema: &Value) -> String {
    let mut text = format!("### {name}\n\n");
    if let Some(about) = schema["description"].as_str() {
        text += &format!("{}\n\n", joined(about));
    }
    match (schema["properties"].as_object(), values(schema)) {
        (Some(keys), _) => text + &table(keys, schema, |key| !SHARED.contains(&key)),
        (None, Some(values)) => {
            let line = |(value, about): &(String, String)| format!("- `{value}`{about}\n");
            text + &values.iter().map(line).collect::<String>() + "\n"
        }
        (None, None) => text + &format!("{}\n\n", kind(schema)),
    }
}

/// The keys that every answer has.
fn account(failed: &Value) -> String {
    let keys = failed["properties"].as_object().expect("keys");
    format!(
        "### Account\n\nWhat every answer has.\n\n{}",
        table(keys, failed, |key| SHARED.contains(&key))
    )
}

fn table(keys: &Map<String, Value>, schema: &Value, wanted: impl Fn(&str) -> bool) -> String {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut text = String::from("| key | type | what it is |\n|---|---|---|\n");
    for (key, schema) in keys.iter().filter(|(key, _)| wanted(key)) {
        let optional = if required.contains(&key.as_str()) { "" } else { " (may be left out)" };
        let about = schema["description"].as_str().map(joined).unwrap_or_default();
        text += &format!("| `{key}` | {}{optional} | {about} |\n", kind(schema));
    }
    text + "\n"
}

/// The values of an enum, with what they mean.
fn values(schema: &Value) -> Option<Vec<(String, String)>> {
    if let Some(values) = schema["enum"].as_array() {
        let plain = |v: &Value| Some((v.as_str()?.to_string(), String::new()));
        return values.iter().map(plain).collect();
    }
    let value = |form: &Value| -> Option<Vec<(String, String)>> {
        let about = form["description"].as_str().map(|d| format!(": {}", joined(d)));
        match form["const"].as_str() {
            Some(value) => Some(vec![(value.to_string(), about.unwrap_or_default())]),
            None => values(form),
        }
    };
    let all: Option<Vec<_>> = schema["oneOf"].as_array()?.iter().map(value).collect();
    all.map(|lists| lists.concat())
}

/// A type in words.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(name_of) {
        return link(name);
    }
    if let Some(forms) = schema["anyOf"].as_array() {
        return forms.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    match &schema["type"] {
        Value::Array(types) => {
            let each = types.iter().filter_map(Value::as_str).map(|t| simple(t, schema));
            each.collect::<Vec<_>>().join(" or ")
        }
        Value::String(t) => simple(t, schema),
        _ => "anything".into(),
    }
}

fn simple(name: &str, schema: &Value) -> String {
    match name {
        "array" if schema["prefixItems"].is_array() => {
            let parts = schema["prefixItems"].as_array().into_iter().flatten();
            format!("list ({})", parts.map(kind).collect::<Vec<_>>().join(", "))
        }
        "array" => format!("list of {}", kind(&schema["items"])),
        "object" if schema["additionalProperties"].is_object() => {
            format!("object of {}", kind(&schema["additionalProperties"]))
        }
        "object" => {
            let keys = schema["properties"].as_object().into_iter().flatten();
            let keys: Vec<String> =
                keys.map(|(key, of)| format!("`{key}`: {}", kind(of))).collect();
            format!("object ({})", keys.join(", "))
        }
        other => other.into(),
    }
}

fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
