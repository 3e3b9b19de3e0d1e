//! `ludex atlas`: a page for every game of a folder, and an index of them.
//!
//! Every page is made by a run of `ludex report` of its own, so that a game that takes all its memory or time
//! takes nothing from the others. Beside each page lies what it came to, with a key of the rules and options:
//! a page whose key is the same is kept.

mod index;

use crate::commands::same::games_in;
use crate::failure::Failure;
use crate::session::LONG;
use crate::{Outcome, Session};
use ludex::budget::Budget;
use ludex::reason::digest;
use ludex_answers::{Account, AtlasPage, ReportFile};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

/// Write a site with a page for every game of a folder, and an index.
#[derive(clap::Args)]
#[command(after_help = "\
Every page is what `ludex report` writes. Games are worked on side by side, as many as there are cores, each \
within limits of its own. A run that was stopped goes on where it was: pages of rules that have not changed \
are kept.

Examples:
  ludex atlas games --seconds 0.5 -o site")]
pub struct Args {
    /// Folders with games, or files.
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// The folder to write to.
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// CPU seconds for each part of a page.
    #[arg(long, value_name = "S", default_value_t = 4.0)]
    seconds: f64,
    /// Games that are worked on at the same time; without it as many as there are cores.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Make all pages anew.
    #[arg(long)]
    force: bool,
}

/// A game of the atlas.
struct Entry {
    file: PathBuf,
    /// The name of its page, without an ending: letters, digits and a few signs.
    page: String,
}

/// What lies beside a page.
#[derive(Serialize, Deserialize)]
struct Beside {
    key: String,
    report: ReportFile,
}

/// What became of a game.
#[derive(Clone)]
enum Made {
    Page { report: Box<ReportFile>, kept: bool },
    Failed(String),
}

/// The pages as they come in.
struct Progress {
    made: Mutex<Vec<Option<Made>>>,
    turned: Condvar,
    next: AtomicUsize,
}

/// A page may take so much longer by the clock than a part has CPU time, and so many seconds more, on a busy machine.
const PATIENCE: f64 = 60.0;
const WAIT: f64 = 60.0;
const TICK: Duration = Duration::from_millis(20);

pub fn run(args: &Args, session: &Session) -> Outcome {
    let entries = entries(&args.folders)?;
    let bad = |e| Failure::unwritable(args.output.display(), e);
    std::fs::create_dir_all(&args.output).map_err(bad)?;
    let made = Mutex::new(vec![None; entries.len()]);
    let progress = Progress { made, turned: Condvar::new(), next: AtomicUsize::new(0) };
    let names: Vec<String> = entries.iter().map(|e| e.file.display().to_string()).collect();
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let whole = session.budget();
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.unwrap_or(cores).clamp(1, entries.len().max(1)) {
            scope.spawn(|| args.work(&entries, &progress, &whole));
        }
        let mut at = 0;
        let told = session.answer_each(&names, LONG, AtlasPage::unknown, |_| {
            at += 1;
            let made = progress.wait(at - 1, &whole)?;
            session.give(entries[at - 1].told(&made, &args.output))?;
            if let Made::Failed(_) = made { Err(Failure::Refuted) } else { Ok(()) }
        });
        let made = progress.made.lock().expect("no panic while held").clone();
        let pages = entries.iter().zip(&made).filter_map(|(entry, made)| match made {
            Some(Made::Page { report, .. }) => Some((entry.page.as_str(), report.as_ref())),
            _ => None,
        });
        let failed = entries.iter().zip(&made).filter_map(|(entry, made)| match made {
            Some(Made::Failed(why)) => Some((entry.page.as_str(), why.as_str())),
            _ => None,
        });
        let index = index::page(&pages.collect::<Vec<_>>(), &failed.collect::<Vec<_>>());
        super::draw::write_file(&args.output.join("index.html"), &index)?;
        told
    })
}

/// The games in the order of their names, each with a page of its own.
fn entries(folders: &[PathBuf]) -> Result<Vec<Entry>, Failure> {
    let mut files = Vec::new();
    for folder in folders {
        match folder.is_dir() {
            true => files.extend(games_in(folder)?),
            false => files.push(folder.clone()),
        }
    }
    let mut taken: BTreeSet<String> = BTreeSet::from(["index".to_string()]);
    let entry = |file: PathBuf| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let name: String = name.chars().map(plain).collect();
        let numbered = (2..).map(|n| format!("{name}-{n}"));
        let mut free = std::iter::once(name.clone()).chain(numbered);
        let page = free.find(|p| taken.insert(p.to_lowercase())).expect("numbers do not end");
        Entry { file, page }
    };
    Ok(files.into_iter().map(entry).collect())
}

impl Progress {
    /// Waits for a page.
    fn wait(&self, number: usize, budget: &Budget) -> Result<Made, Failure> {
        let mut made = self.made.lock().expect("no panic while held");
        loop {
            if let Some(made) = &made[number] {
                return Ok(made.clone());
            }
            budget.check()?;
            made = self.turned.wait_timeout(made, TICK).expect("no panic while held").0;
        }
    }
}

impl Entry {
    fn told(&self, made: &Made, folder: &Path) -> AtlasPage {
        let game = self.file.display().to_string();
        match made {
            Made::Failed(why) => {
                AtlasPage { game, failed: Some(why.clone()), ..AtlasPage::default() }
            }
            Made::Page { report, kept } => AtlasPage {
                game: report.game.clone(),
                file: Some(folder.join(format!("{}.html", self.page)).display().to_string()),
                kept: *kept,
                failed: None,
                account: Account { warnings: vec![], ..report.account.clone() },
            },
        }
    }
}

impl Args {
    /// Makes one page after the other until none is left.
    fn work(&self, entries: &[Entry], progress: &Progress, budget: &Budget) {
        loop {
            let number = progress.next.fetch_add(1, Relaxed);
            let Some(entry) = entries.get(number) else { return };
            if budget.check().is_err() {
                return;
            }
            let made = self.page(entry, budget).unwrap_or_else(Made::Failed);
            progress.made.lock().expect("no panic while held")[number] = Some(made);
            progress.turned.notify_all();
        }
    }

    /// The page of a game: kept, or made anew.
    fn page(&self, entry: &Entry, budget: &Budget) -> Result<Made, String> {
        let bytes = std::fs::read(&entry.file).map_err(|e| format!("cannot be read: {e}"))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let key = digest(vec![text, env!("CARGO_PKG_VERSION").into(), self.seconds.to_string()]);
        let file = |ending: &str| self.output.join(format!("{}.{ending}", entry.page));
        let kept = std::fs::read_to_string(file("json")).ok();
        let kept = kept.and_then(|text| serde_json::from_str::<Beside>(&text).ok());
        let whole = file("html").is_file() && file("svg").is_file() && !self.force;
        if let Some(beside) = kept.filter(|k| k.key == key && whole) {
            return Ok(Made::Page { report: Box::new(beside.report), kept: true });
        }
        let report = self.report(&entry.file, &file("html"), &file("svg"), budget)?;
        let beside = Beside { key, report };
        let text = serde_json::to_string(&beside).expect("answers are plain data");
        std::fs::write(file("json"), text).map_err(|e| format!("cannot be written: {e}"))?;
        Ok(Made::Page { report: Box::new(beside.report), kept: false })
    }

    /// Runs `ludex report`.
    fn report(
        &self,
        game: &Path,
        page: &Path,
        picture: &Path,
        budget: &Budget,
    ) -> Result<ReportFile, String> {
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut command = Command::new(program);
        command.arg("report").arg(game).arg("-o").arg(page).arg("--picture").arg(picture);
        command.args(["--force", "--json", "--seconds", &self.seconds.to_string()]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| e.to_string())?;
        let (out, err) = (read(child.stdout.take()), read(child.stderr.take()));
        let ended = self.await_end(&mut child, budget);
        let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
        ended?;
        let report =
            out.lines().rev().find_map(|line| serde_json::from_str::<ReportFile>(line).ok());
        let report = report.filter(|_| page.is_file());
        report.ok_or_else(|| err.lines().next().unwrap_or("no page was made").to_string())
    }

    fn await_end(&self, child: &mut Child, budget: &Budget) -> Result<(), String> {
        let limit = Duration::from_secs_f64(WAIT + PATIENCE * self.seconds);
        let start = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(_)) => return Ok(()),
                Ok(None) if budget.check().is_ok() && start.elapsed() < limit => {
                    std::thread::sleep(TICK);
                }
                _ => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err("it did not end in time".into());
                }
            }
        }
    }
}

/// Reads a stream to its end beside the work.
fn read(stream: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
