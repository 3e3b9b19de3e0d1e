//! Any bytes that pass the checks are a game that can be played a few steps without a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ludex::budget::Budget;
use ludex::reason::{Random, playout};
use ludex::interp::Interp;
use ludex::rules::Rules;
use ludex::source::{Report, Source};

const STEPS: usize = 5;

fuzz_target!(|bytes: &[u8]| {
    let mut report = Report::default();
    let source = Source::from_bytes("fuzz", bytes.to_vec(), &mut report);
    let Ok((rules, _)) = Rules::read(&source, None) else { return };
    let Ok(mut game) = Interp::new(&rules) else { return };
    let mut random = Random::new(bytes.len() as u64);
    let played = playout(&mut game, &mut random, STEPS, &Budget::unlimited());
    assert!(played.is_ok(), "nothing stops an unlimited budget");
});
