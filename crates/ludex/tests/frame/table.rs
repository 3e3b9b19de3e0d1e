//! A part of the paper's Table 1: the same states are visited with the original and the translated
//! rules, as many as independent programs counted.

use super::matches::rules;
use super::translated;
use ludex::budget::Budget;
use ludex::frame::{Basis, Covering};
use ludex::interp::Interp;
use ludex::reason::visit;
use std::path::Path;

/// Rows with more states are left to `ludex bench-frame`.
const MOST: u64 = 10_000;

#[test]
fn states_of_the_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let Ok(table) = std::fs::read_to_string(folder.join("oracle/minimax.tsv")) else {
        return println!("no folder {}: no game was checked", folder.display());
    };
    let budget = Budget::unlimited();
    let mut checked = 0;
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let Some(Ok(count)) = columns.get(5).map(|c| c.parse::<u64>()) else { continue };
        if count > MOST {
            continue;
        }
        let depth: usize = columns[2].parse().unwrap();
        let rules = rules(&folder.join("games").join(columns[1])).unwrap();
        let mut original = Interp::new(&rules).unwrap();
        assert_eq!(visit(&mut original, depth, &budget), Ok(count), "{}", columns[1]);
        let frame = translated(&rules, Covering::Direct, &Basis::Names);
        let mut updating = Interp::updating(&frame.rules, frame.fnext, &budget).unwrap();
        assert_eq!(visit(&mut updating, depth, &budget), Ok(count), "{}", columns[1]);
        checked += 1;
    }
    println!("{checked} rows were checked");
    assert!(checked > 5);
}
