//! A part of the paper's Table 1: the same states are visited with the original and the translated
//! rules, as many as independent programs counted.

use super::matches::rules;
use super::translated;
use ludex::budget::Budget;
use ludex::frame::{Basis, Covering};
use ludex::interp::Interp;
use ludex::reason::visit;
use ludex_testing::{shared, shared_text};

/// Rows with more states are left to `ludex bench-frame`.
const MOST: u64 = 10_000;

#[test]
fn states_of_the_table() {
    let Some(table) = shared_text("oracle/minimax.tsv") else { return };
    let budget = Budget::unlimited();
    let mut checked = 0;
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let Some(Ok(count)) = columns.get(5).map(|c| c.parse::<u64>()) else { continue };
        if count > MOST {
            continue;
        }
        let depth: usize = columns[2].parse().unwrap();
        let file = shared(&format!("games/{}", columns[1])).expect("a game of the table");
        let rules = rules(&file).unwrap();
        let mut original = Interp::new(&rules).unwrap();
        assert_eq!(visit(&mut original, depth, &budget), Ok(count), "{}", columns[1]);
        let frame = translated(&rules, Covering::Direct, &Basis::Names);
        let mut updating = Interp::updating(&frame.rules, frame.fnext, &budget).unwrap();
        assert_eq!(visit(&mut updating, depth, &budget), Ok(count), "{}", columns[1]);
        checked += 1;
    }
    assert_eq!(checked, 12, "rows");
}
