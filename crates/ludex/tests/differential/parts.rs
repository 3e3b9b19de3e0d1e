//! The parts of the library that are compared, by name.

use crate::subject::{Failure, Subject, failed};
use crate::{boards, engines, factors, invariants, latches, properties, solving, symmetries};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A part of the library: its name, whether it works on the net, and the comparison.
#[derive(Clone, Copy)]
pub struct Part {
    pub name: &'static str,
    on_net: bool,
    compare: fn(&Subject) -> Result<(), Failure>,
}

const fn reasoner(name: &'static str, compare: fn(&Subject) -> Result<(), Failure>) -> Part {
    Part { name, on_net: false, compare }
}

const fn of_net(name: &'static str, compare: fn(&Subject) -> Result<(), Failure>) -> Part {
    Part { name, on_net: true, compare }
}

pub const ALL: [Part; 18] = [
    reasoner("interp", engines::interp),
    reasoner("interp in haste", engines::hasty),
    reasoner("frame, generic", engines::frame_generic),
    reasoner("frame, direct", engines::frame_direct),
    reasoner("frame, pruned", engines::frame_pruned),
    of_net("scalar", engines::scalar),
    of_net("sliced", engines::sliced),
    of_net("sliced, portable", engines::portable),
    of_net("many positions", engines::batch),
    of_net("many positions, portable", engines::batch_portable),
    of_net("boards", boards::boards),
    of_net("latches", latches::latches),
    of_net("folding", latches::folding),
    of_net("factors", factors::factors),
    of_net("lemmas", invariants::lemmas),
    of_net("symmetries", symmetries::symmetries),
    of_net("solve", solving::solving),
    of_net("properties", properties::properties),
];

/// Asks one part; a panic is a failure, too.
pub fn ask(part: &Part, subject: &Subject) -> Result<(), Failure> {
    if part.on_net && subject.net.is_none() {
        return Ok(());
    }
    let answer = catch_unwind(AssertUnwindSafe(|| (part.compare)(subject)));
    answer.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|t| t.to_string()));
        Err(failed(part.name, format!("panic: {}", text.unwrap_or_default())))
    })
}
