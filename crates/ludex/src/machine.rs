//! `Net` -> machines: the scalar and the sliced engine.
