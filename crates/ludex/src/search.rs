//! `Game`, facts and a budget -> a choice.
