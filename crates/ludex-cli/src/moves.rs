//! Files of joint moves, and the state of a net after them.

use crate::failure::Failure;
use ludex::game::canonical;
use ludex::net::Net;

/// The state after the joint moves of a file: one line each, moves with tabs between.
pub fn after(net: &Net, file: &str) -> Result<Vec<bool>, Failure> {
    let text = match file {
        "-" => std::io::read_to_string(std::io::stdin()),
        file => std::fs::read_to_string(file),
    };
    let text = text.map_err(|e| Failure::Input(format!("error: {file} cannot be read: {e}")))?;
    let mut state: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let bad = |m: String| Failure::Input(format!("{file}:{}: error: {m}", i + 1));
        let moves: Vec<String> = line.split('\t').map(canonical).collect();
        if moves.len() != net.roles.len() {
            let (given, roles) = (moves.len(), net.roles.join(", "));
            return Err(bad(format!(
                "{given} moves for the roles {roles}; put tabs between moves"
            )));
        }
        let values = net.evaluate(&state, &vec![false; net.inputs.len()]);
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
