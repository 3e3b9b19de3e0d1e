//! The one driver that runs the stages and chooses an engine.
