//! Boards and sampled states -> what the pieces on the boards do: how they move, take, turn into others, are set.
//!
//! `field.rs` makes boards of the relations that share their places, `lattice.rs` points of the places.
//! `watch.rs` makes all legal moves in states of random matches, side by side; `sightings.rs` tells for each
//! what moved where and what was taken; `ways.rs` counts how often each way was gone and how often the board would have
//! allowed it; `moves.rs` tells ways that are alike as one, `reach.rs` walks over the empty board, and
//! `words.rs` puts it into words. Nothing hangs on names. All of it is seen, not proved: each
//! statement has its counts. The boards are proved where `BoardKind` says so.

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod lattice;
mod field;
mod watch;
mod sightings;
mod ways;
mod moves;
mod reach;
mod piece;
mod words;
mod kinds;

pub use moves::{Between, CaptureUse, PieceMove, PlaceRule};
pub use piece::{Becoming, PieceBoard, PieceCount, PieceKind, Setting, SettingRule, Taking};
pub use reach::MoveReach;
pub use ways::Manner;

use ludex_facts::boards::Board;
use ludex_facts::samples::Samples;
use ludex_gdl::budget::{Budget, Stop};
use ludex_machine::Batch;
use ludex_picture::StaticRelations;
use sightings::Scout;
use watch::WatchedMoves;

/// What was seen of the pieces of a game.
#[derive(Clone, Debug, Default)]
pub struct SeenPieces {
    pub boards: Vec<PieceBoard>,
    /// The states all of whose moves were made, and those moves.
    pub states: usize,
    pub moves: usize,
    pub stopped: Option<Stop>,
}

impl SeenPieces {
    /// What the pieces on these boards do. Boards on which nothing hangs on a choice, such as counters, are left out.
    pub fn new(
        batch: &mut Batch,
        samples: &Samples,
        views: &[Board],
        statics: &StaticRelations,
        budget: &Budget,
    ) -> Result<SeenPieces, Stop> {
        let net = batch.net().clone();
        let watched = WatchedMoves::new(&net, samples, batch, budget)?;
        let mut boards = Vec::new();
        for field in field::fields(&net, views, statics) {
            let scout = Scout::new(&field, &watched, samples, net.roles.len());
            if scout.chosen {
                boards.push(kinds::board(&scout, &watched, samples, &net.roles));
            }
        }
        let (states, moves) = (watched.states.len(), watched.transitions());
        Ok(SeenPieces { boards, states, moves, stopped: watched.stopped })
    }
}
