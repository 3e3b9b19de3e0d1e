//! `ludex paper`: what each of the five papers prints, beside what is found here.

mod board_rows;
mod boards;
mod desk;
mod domains;
mod factoring;
mod frame;
mod frame_rows;
mod frame_table;
mod symmetry;
mod symmetry_figure;

use super::draw::{check_free, write_file};
use crate::failure::Failure;
use crate::session::LONG;
use crate::{Outcome, Session};
use desk::Desk;
use ludex_answers::{Meter, PaperReport};
use std::io::Write;
use std::path::PathBuf;

/// Print a paper's tables, figures and examples beside what is found here.
///
/// Each item has the paper's value, ours, whether they agree or why not, and the command that gives it alone.
/// Times are shown side by side.
#[derive(clap::Args)]
#[command(after_help = "\
Games of the papers that are not bundled come from --games, a folder of the public collection; folders \
in it are looked into, too. Without it their items are called missing. With --cache FOLDER every item is \
kept as soon as it is known, so that a run that was ended goes on where it was.

Examples:
  ludex paper
  ludex paper domains
  ludex paper boards --games games
  ludex paper factoring --item latches --json
  ludex paper boards --item 'Example' --svg projections.svg")]
pub struct Args {
    /// The paper, or all; without it the papers are listed.
    #[arg(value_name = "PAPER", value_parser = clap::builder::PossibleValuesParser::new(NAMES))]
    paper: Option<String>,
    /// Where the games of the public collection are; may be given several times.
    #[arg(long, value_name = "FOLDER")]
    games: Vec<PathBuf>,
    /// Only items whose names contain this.
    #[arg(long, value_name = "TEXT")]
    item: Option<String>,
    /// CPU seconds for one item.
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0)]
    seconds: f64,
    /// Draw the picture of the paper into this file: the lattice of projections (boards), what symmetries save
    /// (symmetry), what translated rules gain (frame).
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Also write everything into this file, as a page in Markdown.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite these files if they exist.
    #[arg(long)]
    force: bool,
}

struct Paper {
    name: &'static str,
    title: &'static str,
    report: fn(&mut Desk) -> Outcome,
}

const NAMES: [&str; 6] = ["boards", "domains", "symmetry", "factoring", "frame", "all"];

/// Papers that have a picture here.
const DRAWN: [&str; 3] = [NAMES[0], NAMES[2], NAMES[4]];

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
    if args.svg.is_some() && !DRAWN.contains(&wanted.as_str()) {
        let drawn = DRAWN.join(", ");
        return Err(Failure::Misuse(format!("error: --svg draws one of the papers {drawn}")));
    }
    args.check()?;
    let asked = |paper: &&Paper| wanted == "all" || wanted == paper.name;
    let papers: Vec<&Paper> = PAPERS.iter().filter(asked).collect();
    let names: Vec<String> = papers.iter().map(|paper| paper.name.into()).collect();
    let mut page = String::from(PAGE);
    session.answer_each(&names, LONG, PaperReport::unknown, |name| {
        let paper = papers.iter().find(|paper| paper.name == name).expect("one of the list");
        let budget = session.budget();
        let meter = Meter::alone(&budget);
        let report = PaperReport { title: paper.title.into(), ..PaperReport::unknown(name) };
        let mut desk = Desk::new(session, args, report);
        (paper.report)(&mut desk)?;
        let picture = desk.picture.take();
        let report = PaperReport { account: meter.account(), ..desk.report };
        if let (Some(file), Some(picture)) = (&args.svg, picture) {
            write_file(file, &picture)?;
        }
        page += &report.markdown();
        session.give(report)?;
        // A page of some of the papers is no page.
        match &args.output {
            Some(file) if papers.last().is_some_and(|last| last.name == name) => {
                write_file(file, &format!("{}\n", page.trim_end()))
            }
            _ => Ok(()),
        }
    })
}

impl Args {
    /// What would be noticed only after the work is noticed before it.
    fn check(&self) -> Outcome {
        for folder in &self.games {
            let unreadable = |why| Failure::unreadable(&folder.to_string_lossy(), why);
            std::fs::read_dir(folder).map_err(unreadable)?;
        }
        let files = self.svg.iter().chain(&self.output);
        for file in files {
            check_free(file, self.force)?;
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder {
                std::fs::read_dir(folder)
                    .map_err(|why| Failure::unwritable(file.display(), why))?;
            }
        }
        Ok(())
    }
}

/// How the page begins.
const PAGE: &str = "\
# The five papers

What each of the five papers prints, beside what is found here. This page is written by

```text
ludex paper all --games FOLDER --cache FOLDER --force -o docs/papers.md
```

where the games are those of the public collection and of the paper on boards. *Measured* are times, and what follows \
from times; *stopped* is what took longer than `--seconds`; *missing* is what needs a game that is not public. The last \
column is the command that gives an item alone, for bash; `ludex paper NAME --item TEXT` gives any of them, too.

";

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
