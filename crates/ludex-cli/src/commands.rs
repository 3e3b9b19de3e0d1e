//! The commands: each is one file with `Args` and `run`, one `mod` line and one line of the list.

use crate::{Outcome, Session};

pub mod check;
pub mod bench;
pub mod boards;
pub mod bench_frame;
pub mod bench_symmetry;
pub mod completions;
pub mod domains;
pub mod draw;
pub mod factor;
pub mod fmt;
pub mod frame;
pub mod games;
pub mod ground;
pub mod info;
pub mod latches;
pub mod lsp;
pub mod man;
pub mod r#match;
pub mod net;
pub mod new;
pub mod paper;
pub mod perft;
pub mod play;
pub mod player;
pub mod prove;
pub mod qbf;
pub mod replay;
pub mod rulegraph;
pub mod same;
pub mod schema;
pub mod simulate;
pub mod solve;
pub mod symmetry;
pub mod test;

commands! {
    Check: check,
    Bench: bench,
    Boards: boards,
    BenchFrame: bench_frame,
    BenchSymmetry: bench_symmetry,
    Completions: completions,
    Domains: domains,
    Draw: draw,
    Factor: factor,
    Fmt: fmt,
    Frame: frame,
    Games: games,
    Ground: ground,
    Info: info,
    Latches: latches,
    Lsp: lsp,
    Man: man,
    Match: r#match,
    Net: net,
    New: new,
    Paper: paper,
    Perft: perft,
    Play: play,
    Player: player,
    Prove: prove,
    Qbf: qbf,
    Replay: replay,
    Rulegraph: rulegraph,
    Same: same,
    Schema: schema,
    Simulate: simulate,
    Solve: solve,
    Symmetry: symmetry,
    Test: test,
}

macro_rules! commands {
    ($($variant:ident: $module:ident,)*) => {
        #[derive(clap::Subcommand)]
        pub enum Command {
            $($variant($module::Args),)*
        }

        impl Command {
            pub fn run(&self, session: &Session) -> Outcome {
                match self {
                    $(Command::$variant(args) => $module::run(args, session),)*
                }
            }
        }
    };
}
use commands;
