//! `Record` <-> JSON with the keys that game servers use, and a few of our own.

use ludex::play::{Record, Seated};
use serde_json::{Value, json};

pub fn json(record: &Record) -> Value {
    let names: Vec<&String> = record.seats.iter().map(|s| &s.player).collect();
    let roles: Vec<&String> = record.seats.iter().map(|s| &s.role).collect();
    let human: Vec<bool> = record.seats.iter().map(|s| s.human).collect();
    let state = |facts: &Vec<String>| format!("( {} )", facts.join(" "));
    json!({
        "matchId": record.id,
        "randomToken": record.token,
        "startTime": record.start_time,
        "gameMetaURL": record.game,
        "isCompleted": record.completed,
        "isAborted": record.aborted.is_some(),
        "states": record.states.iter().map(state).collect::<Vec<_>>(),
        "moves": record.moves,
        "stateTimes": record.state_times,
        "errors": record.errors,
        "goalValues": record.goals,
        "previewClock": 0,
        "startClock": number(record.start_clock),
        "playClock": number(record.play_clock),
        "playerNamesFromHost": names,
        "isPlayerHuman": human,
        "tournamentNameFromHost": "",
        "scrambled": record.scrambled,
        // Not of the standard.
        "roles": roles,
        "startErrors": record.errors_at_start,
        "abortedBecause": record.aborted,
    })
}

/// Whole seconds as whole numbers.
fn number(seconds: f64) -> Value {
    if seconds.fract() == 0.0 { json!(seconds as u64) } else { json!(seconds) }
}

/// What a series counts; none where it is no record.
pub fn read(value: &Value) -> Option<Record> {
    let texts = |v: &Value| -> Option<Vec<String>> {
        v.as_array()?.iter().map(|t| t.as_str().map(String::from)).collect()
    };
    let lists =
        |v: &Value| -> Option<Vec<Vec<String>>> { v.as_array()?.iter().map(texts).collect() };
    let names = texts(&value["playerNamesFromHost"])?;
    let humans = value["isPlayerHuman"].as_array()?.iter().map(|h| h.as_bool().unwrap_or(false));
    let seats = texts(&value["roles"])?.into_iter().zip(names).zip(humans);
    let goal = |g: &Value| g.as_i64().map(|g| g as i32);
    Some(Record {
        id: value["matchId"].as_str()?.into(),
        token: value["randomToken"].as_str()?.into(),
        game: value["gameMetaURL"].as_str()?.into(),
        start_time: value["startTime"].as_u64()?,
        seats: seats.map(|((role, player), human)| Seated { role, player, human }).collect(),
        start_clock: value["startClock"].as_f64()?,
        play_clock: value["playClock"].as_f64()?,
        scrambled: value["scrambled"].as_bool()?,
        completed: value["isCompleted"].as_bool()?,
        aborted: value["abortedBecause"].as_str().map(String::from),
        states: vec![],
        state_times: vec![],
        moves: lists(&value["moves"])?,
        errors: lists(&value["errors"])?,
        errors_at_start: texts(&value["startErrors"])?,
        goals: value["goalValues"].as_array()?.iter().map(goal).collect(),
    })
}
