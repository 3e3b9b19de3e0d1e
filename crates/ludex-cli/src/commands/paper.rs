//! `ludex paper`: what each of the five papers prints, beside what is found here.

mod boards;
mod desk;
mod domains;
mod factoring;
mod frame;
mod symmetry;

use crate::session::LONG;
use crate::{Outcome, Session};
use desk::Desk;
use ludex::answers::{Meter, PaperReport};
use std::io::Write;
use std::path::PathBuf;

/// Print what a paper prints beside what is found here.
///
/// Tables, figures, examples and exercises: each item has the paper's value, ours, whether they agree or why not, and the command that gives it
/// alone. Times are told side by side.
#[derive(clap::Args)]
#[command(after_help = "\
Games of the papers that are not bundled come from --games, a folder of the public collection; folders \
in it are looked into, too. Without it their items are called missing.

Examples:
  ludex paper
  ludex paper domains
  ludex paper boards --games games
  ludex paper factoring --item latches --json")]
pub struct Args {
    /// The paper, or all; without it the papers are listed.
    #[arg(value_name = "PAPER", value_parser = clap::builder::PossibleValuesParser::new(NAMES))]
    paper: Option<String>,
    /// Where the games of the public collection are.
    #[arg(long, value_name = "FOLDER")]
    games: Option<PathBuf>,
    /// Only items whose names contain this.
    #[arg(long, value_name = "TEXT")]
    item: Option<String>,
    /// CPU seconds for one item.
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0)]
    seconds: f64,
}

struct Paper {
    name: &'static str,
    title: &'static str,
    report: fn(&mut Desk) -> Outcome,
}

const NAMES: [&str; 6] = ["boards", "domains", "symmetry", "factoring", "frame", "all"];

const PAPERS: [Paper; 5] = [
    Paper {
        name: NAMES[0],
        title: "Mohapatra, Decoster, Agarwal, Genesereth: Invariant Projections in Games (2016)",
        report: boards::report,
    },
    Paper {
        name: NAMES[1],
        title: "Genesereth, Thielscher: General Game Playing, chapter 14, Analyzing Games with Logic",
        report: domains::report,
    },
    Paper {
        name: NAMES[2],
        title: "Schiffel: Symmetry Detection in General Game Playing (2010)",
        report: symmetry::report,
    },
    Paper {
        name: NAMES[3],
        title: "Cox, Schkufza, Madsen, Genesereth: Factoring General Games using Propositional \
                Automata (2009)",
        report: factoring::report,
    },
    Paper {
        name: NAMES[4],
        title: "Romero, Saffidine, Thielscher: Solving the Inferential Frame Problem in the General \
                Game Description Language (2014)",
        report: frame::report,
    },
];

pub fn run(args: &Args, session: &Session) -> Outcome {
    let Some(wanted) = &args.paper else { return list(session) };
    let asked = |paper: &&Paper| wanted == "all" || wanted == paper.name;
    let papers: Vec<&Paper> = PAPERS.iter().filter(asked).collect();
    let names: Vec<String> = papers.iter().map(|paper| paper.name.into()).collect();
    session.answer_each(&names, LONG, PaperReport::unknown, |name| {
        let paper = papers.iter().find(|paper| paper.name == name).expect("one of the list");
        let budget = session.budget();
        let meter = Meter::alone(&budget);
        let report = PaperReport { title: paper.title.into(), ..PaperReport::unknown(name) };
        let mut desk = Desk::new(session, args, report);
        (paper.report)(&mut desk)?;
        session.give(PaperReport { account: meter.account(), ..desk.report })
    })
}

fn list(session: &Session) -> Outcome {
    for paper in &PAPERS {
        let report = PaperReport {
            paper: paper.name.into(),
            title: paper.title.into(),
            ..PaperReport::default()
        };
        match session.json {
            true => session.give_part(&report)?,
            false => writeln!(session.out(), "ludex paper {:10} {}", paper.name, paper.title)?,
        }
    }
    Ok(())
}
