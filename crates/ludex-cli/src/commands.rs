//! The commands: each is one file with `Args` and `run`, one `mod` line and one line of the list.

use crate::{Outcome, Session};

pub mod atlas;
pub mod check;
pub mod bench;
pub mod boards;
pub mod bench_frame;
pub mod bench_symmetry;
pub mod completions;
pub mod domains;
pub mod draw;
pub mod export;
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
pub mod pieces;
pub mod play;
pub mod player;
pub mod prove;
pub mod qbf;
pub mod replay;
pub mod report;
pub mod rulegraph;
pub mod same;
pub mod schema;
pub mod serve;
pub mod simulate;
pub mod solve;
pub mod survey;
pub mod symmetry;
pub mod test;

commands! {
    "Write a game" {
        New: new,
        Check: check,
        Fmt: fmt,
        Test: test,
        Lsp: lsp,
        Games: games,
    }
    "Play and see it" {
        Play: play,
        Serve: serve,
        Draw: draw,
        Match: r#match,
        Player: player,
        Replay: replay,
    }
    "Look into it" {
        Info: info,
        Solve: solve,
        Prove: prove,
        Symmetry: symmetry,
        Same: same,
        Factor: factor,
        Latches: latches,
        Boards: boards,
        Pieces: pieces,
        Survey: survey,
        Report: report,
        Atlas: atlas,
        Export: export,
        Domains: domains,
        Ground: ground,
        Net: net,
    }
    "Measure" {
        Bench: bench,
        Perft: perft,
        Simulate: simulate,
    }
    "From the papers" {
        Paper: paper,
        Frame: frame,
        Rulegraph: rulegraph,
        Qbf: qbf,
        BenchFrame: bench_frame,
        BenchSymmetry: bench_symmetry,
    }
    "The program itself" {
        Schema: schema,
        Completions: completions,
        Man: man,
    }
}

/// The commands with what each does, in groups.
pub fn grouped(program: &clap::Command) -> String {
    let mut commands = program.get_subcommands().filter(|c| c.get_name() != "help");
    let mut out = String::new();
    for (title, size) in GROUPS {
        out.push_str(&format!("{title}:\n"));
        for command in commands.by_ref().take(*size) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            out.push_str(&format!("  {:<15} {}\n", command.get_name(), about));
        }
        out.push('\n');
    }
    out
}

macro_rules! commands {
    ($($title:literal { $($variant:ident: $module:ident,)* })*) => {
        #[derive(clap::Subcommand)]
        pub enum Command {
            $($($variant($module::Args),)*)*
        }

        /// The titles of the groups and how many commands each has, in the order of `Command`.
        const GROUPS: &[(&str, usize)] = &[$(($title, [$(stringify!($variant)),*].len())),*];

        impl Command {
            pub fn run(&self, session: &Session) -> Outcome {
                match self {
                    $($(Command::$variant(args) => $module::run(args, session),)*)*
                }
            }
        }
    };
}
use commands;
