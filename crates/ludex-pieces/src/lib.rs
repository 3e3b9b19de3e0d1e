//! Boards and sampled states -> what the pieces on the boards do: how they move, take, turn into others, are set.
//!
//! `field.rs` makes boards of the relations that share their places, `lattice.rs` points of the places.
//! `watch.rs` makes all legal moves in states of random matches, side by side; `sightings.rs` tells for each
//! what moved where and what was taken; `ways.rs` counts how often each way was gone and how often the board would have
//! allowed it; `moves.rs` tells ways that are alike as one, `reach.rs` walks over the empty board, and
//! `words.rs` puts it into words. Nothing hangs on names. All of it is seen, not proved: each
//! statement has its counts. The boards are proved where `BoardKind` says so.
//!
//! ```
//! # use ludex_facts::boards::{Board, BoardKind};
//! use ludex_facts::samples::Samples;
//! use ludex_gdl::{budget::Budget, rules::Rules, source::Source};
//! use ludex_machine::Batch;
//! use ludex_net::{Net, ground::Ground};
//! use ludex_picture::StaticRelations;
//! use ludex_pieces::SeenPieces;
//!
//! # let text = "(role you) (line 1) (line 2) (<= (init (cell ?x ?y empty)) (line ?x) (line ?y))
//! #     (<= (legal you (put ?x ?y)) (true (cell ?x ?y empty))) (<= open (true (cell ?x ?y empty)))
//! #     (<= (next (cell ?x ?y stone)) (does you (put ?x ?y)))
//! #     (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (does you (put ?x ?y))))
//! #     (<= terminal (not open)) (goal you 100)";
//! # let (places, contents, kind) = (vec![1, 2], vec![3], BoardKind::Seen);
//! # let (relation, proof) = ("cell".into(), String::new());
//! # let board = Board { relation, arity: 3, places, contents, kind, size: 4, single: true, most_seen: 1,
//! #     configuration: false, proof };
//! let any = Budget::unlimited();
//! let rules = Rules::read(&Source::new("stones", text), None).expect("a game").0;
//! let ground = Ground::new(&rules, &any).expect("a small game");
//! let net = std::sync::Arc::new(Net::new(&ground, &any).expect("no limit"));
//! let samples = Samples::usual(&net, &any).expect("no limit");
//! let mut batch = Batch::new(net, &any).expect("no limit");
//! let boards = (&[board][..], &StaticRelations::new(&rules, &any));
//! let found = SeenPieces::new(&mut batch, &samples, boards, &any, &any).expect("no limit");
//! assert_eq!(found.boards[0].pieces[0].text, "is set on any empty place");
//! ```

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
    /// Moves are made as long as `watching` lasts.
    pub fn new(
        batch: &mut Batch,
        samples: &Samples,
        (views, statics): (&[Board], &StaticRelations),
        watching: &Budget,
        budget: &Budget,
    ) -> Result<SeenPieces, Stop> {
        let net = batch.net().clone();
        let watched = WatchedMoves::new(&net, samples, batch, watching)?;
        let (states, moves) = (watched.states.len(), watched.transitions());
        let mut seen = SeenPieces { boards: vec![], states, moves, stopped: watched.stopped };
        for field in field::fields(&net, views, statics) {
            let scout = Scout::new(&field, &watched, samples, net.roles.len());
            if !scout.chosen {
                continue;
            }
            match kinds::board(&scout, &watched, samples, &net.roles, budget) {
                Ok(board) => seen.boards.push(board),
                Err(stop) => {
                    seen.stopped = Some(stop);
                    break;
                }
            }
        }
        Ok(seen)
    }
}
