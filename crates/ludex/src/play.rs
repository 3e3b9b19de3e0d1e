//! Matches, players and their clocks.
