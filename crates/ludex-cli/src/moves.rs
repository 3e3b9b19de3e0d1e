//! Files of joint moves, and the state of a net after them.

use crate::failure::Failure;
use ludex::net::Net;
use ludex::reason::canonical;
use ludex_answers::Fault;

/// The state after the joint moves of a file: one line each, moves with tabs between.
pub fn after(net: &Net, file: &str) -> Result<Vec<bool>, Failure> {
    let text = match file {
        "-" => std::io::read_to_string(std::io::stdin()),
        file => std::fs::read_to_string(file),
    };
    let text = text.map_err(|e| Failure::unreadable(file, e))?;
    played(net, text.lines(), file)
}

/// The same from a file, or from the text itself: joint moves with semicolons between.
pub fn after_text(net: &Net, text: &str) -> Result<Vec<bool>, Failure> {
    match text == "-" || std::path::Path::new(text).is_file() {
        true => after(net, text),
        false => played(net, text.split(';'), "--from"),
    }
}

fn played<'t>(
    net: &Net,
    joints: impl Iterator<Item = &'t str>,
    place: &str,
) -> Result<Vec<bool>, Failure> {
    let mut state: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
    for (i, line) in joints.enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let bad = |m: String| Failure::from(Fault::at("illegal-move", place, i + 1, m));
        let values = net.evaluate(&state, &vec![false; net.inputs.len()]);
        let given: Vec<String> = line.split('\t').map(canonical).collect();
        let moves = match given.len() == net.roles.len() {
            true => given,
            false => with_forced(net, &values, &given).map_err(bad)?,
        };
        let mut joint = Vec::new();
        for (role, text) in moves.iter().enumerate() {
            let legal = |&i: &usize| {
                Net::holds(&values, net.inputs[i].legal) && canonical(&net.inputs[i].name) == *text
            };
            let found = net.inputs_of(role).find(legal);
            let why = || bad(format!("`{text}` is not a legal move of {}", net.roles[role]));
            joint.push(found.ok_or_else(why)?);
        }
        state = net.successor(&state, &joint);
    }
    Ok(state)
}

/// The moves of all roles, given those of the roles that have a choice.
fn with_forced(net: &Net, values: &[bool], given: &[String]) -> Result<Vec<String>, String> {
    let legal = |r: usize| -> Vec<usize> {
        net.inputs_of(r).filter(|i| Net::holds(values, net.inputs[*i].legal)).collect()
    };
    let mut left = given.iter();
    let mut moves = Vec::new();
    for role in 0..net.roles.len() {
        moves.push(match legal(role)[..] {
            [only] => Some(canonical(&net.inputs[only].name)),
            _ => left.next().cloned(),
        });
    }
    let all: Option<Vec<String>> = moves.into_iter().collect();
    all.filter(|_| left.next().is_none()).ok_or_else(|| {
        let (given, roles) = (given.len(), net.roles.join(", "));
        format!("{given} moves for the roles {roles}; put tabs between moves")
    })
}
