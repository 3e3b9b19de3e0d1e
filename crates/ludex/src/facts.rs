//! What a game is made of: boards, symmetries, factors, latches.
