//! Facts that the notes of a board tell already: `(owner 3 red)` where every 3 stands at something red.

use super::evidence::Fact;
use super::mark::Mark;
use super::{Cell, Panel};

/// Puts a fact of two arguments to the notes that tell it, on boards where each place with the first as a note
/// shows the mark of the second; whether there are any.
pub fn fold(fact: &Fact, mark: &Mark, panels: &mut [Panel]) -> bool {
    let [key, _] = &fact.args[..] else { return false };
    let noted = |cell: &Cell| cell.notes.iter().any(|(word, _)| word == key);
    let cells = || panels.iter().flat_map(|p| &p.cells).filter(|c| noted(c));
    if cells().next().is_none() || !cells().all(|c| c.marks().any(|m| m == mark)) {
        return false;
    }
    let cells = panels.iter_mut().flat_map(|p| &mut p.cells);
    for (word, told) in cells.flat_map(|c| &mut c.notes) {
        if word == key {
            told.extend([" ", &fact.text()]);
        }
    }
    true
}
