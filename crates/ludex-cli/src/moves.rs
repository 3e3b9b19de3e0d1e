//! Joint moves as files and as text, and the state of a net after them.

use crate::failure::Failure;
use ludex::net::Net;
use ludex::reason::canonical;
use ludex_answers::Fault;

/// Joint moves, each a text in which tabs are between moves.
pub struct JointMoves {
    pub joints: Vec<String>,
    /// Where they are from.
    place: String,
}

impl JointMoves {
    /// From a file, one line each, or from the text itself, with semicolons between.
    pub fn read(text: &str) -> Result<JointMoves, Failure> {
        let unreadable = |e| Failure::unreadable(text, e);
        let joints = match text {
            "-" => lines(&std::io::read_to_string(std::io::stdin()).map_err(unreadable)?),
            file if std::path::Path::new(file).is_file() => {
                lines(&std::fs::read_to_string(file).map_err(unreadable)?)
            }
            moves => moves.split(';').map(String::from).collect(),
        };
        Ok(JointMoves { joints, place: text.into() })
    }

    /// Those that are not empty, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str)> {
        let joints = self.joints.iter().map(String::as_str).enumerate();
        joints.filter(|(_, joint)| !joint.trim().is_empty())
    }

    /// What is wrong with one of them.
    pub fn fault(&self, number: usize, why: String) -> Failure {
        // The name of a file that is not there reads as a move.
        let is_name = self.joints == [self.place.as_str()] && !self.place.contains('(');
        let why = if is_name { format!("{why}; no file has this name") } else { why };
        Fault::at("illegal-move", &self.place, number + 1, why).into()
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(String::from).collect()
}

/// The state after joint moves: a file of them, or the text itself.
pub fn after(net: &Net, moves: &str) -> Result<Vec<bool>, Failure> {
    let given = JointMoves::read(moves)?;
    let mut state: Vec<bool> = net.bases.iter().map(|b| b.initial).collect();
    for (i, line) in given.iter() {
        let bad = |why: String| given.fault(i, why);
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
        format!("{given} moves for the roles {roles}; separate the moves by tabs")
    })
}
