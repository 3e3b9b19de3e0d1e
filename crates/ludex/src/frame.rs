//! Frame rules rewritten into rules for what becomes false (paper 004).
