//! `Net` and a property -> proved, refuted or unknown.
