//! Words that several answers share.

use indexmap::IndexMap;
use ludex_facts::boards;
use ludex_facts::prove::Verdict;
use ludex_net::Net;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is known of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Proved,
    Refuted,
    Unknown,
}

/// Something for every role, in role order.
pub type ByRole<T> = IndexMap<String, T>;

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Status::Proved => "proved",
            Status::Refuted => "refuted",
            Status::Unknown => "unknown",
        })
    }
}

impl From<&Verdict> for Status {
    fn from(verdict: &Verdict) -> Status {
        match verdict {
            Verdict::Proved { .. } => Status::Proved,
            Verdict::Refuted { .. } => Status::Refuted,
            Verdict::Unknown { .. } => Status::Unknown,
        }
    }
}

impl From<&boards::ProjectionVerdict> for Status {
    fn from(answer: &boards::ProjectionVerdict) -> Status {
        match answer.status() {
            "proved" => Status::Proved,
            "refuted" => Status::Refuted,
            _ => Status::Unknown,
        }
    }
}

/// The names of bases.
pub fn base_names(net: &Net, bases: &[usize]) -> Vec<String> {
    bases.iter().map(|b| net.bases[*b].name.clone()).collect()
}

/// The names of joint moves, given as inputs in role order.
pub fn joint_names(net: &Net, moves: &[Vec<usize>]) -> Vec<Vec<String>> {
    let text = |i: &usize| net.inputs[*i].name.clone();
    moves.iter().map(|joint| joint.iter().map(text).collect()).collect()
}

/// For keys that are left out where they say nothing.
pub fn is_false(flag: &bool) -> bool {
    !flag
}
