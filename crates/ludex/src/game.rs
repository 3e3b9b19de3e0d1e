//! [`Game`]: the one door. A game and all that is known of it.

mod background;
mod bundled;
mod glimpse;
mod moves;
mod planes;
mod position;
mod search;

pub use background::{Solving, Thinking};
pub use bundled::Bundled;
pub use glimpse::Glimpse;
pub use moves::{BoardPlace, MovePlaces, MoveStep, NamedBy};
pub use planes::{Plane, Planes};
pub use position::{Faulty, Position};
pub use search::{Search, Thought, ThoughtMove};

use crate::compile::{Compiled, Engine, Means, Refusal, batch, compile};
use crate::frame::{Basis, Covering, Frame, translate};
use ludex_gdl::budget::{Budget, Proving, Stop};
use ludex_gdl::rules::Rules;
use ludex_gdl::source::{Report, Source};
use ludex_gdl::syntax::Syntax;
use ludex_knowledge::{Knowledge, Made, Stage};
use ludex_machine::Batch;
use ludex_machine::sliced::EnvCircuits;
use ludex_picture::Scene;
use ludex_reason::digest;
use std::fmt;
use std::sync::{Arc, Mutex};

/// The rules of a game and all that is found out about them, each made once and kept. Clones share
/// everything, also between threads.
#[derive(Clone)]
pub struct Game {
    inner: Arc<Inner>,
}

struct Inner {
    source: Source,
    report: Report,
    knowledge: Arc<Knowledge>,
    engine: Stage<Mutex<Compiled>>,
    scene: Stage<Scene>,
    /// By covering.
    frames: [Stage<Frame>; 3],
}

/// Grounding for positions may last so long, or a third of the time there is.
const GROUNDING_SECONDS: f64 = 20.0;
/// Proofs of boards may last so long: whoever wants to see a position does not wait for more.
const PROVING_SECONDS: f64 = 1.0;

/// Rules that cannot be read: all that is wrong with them, each with its place.
pub struct Unreadable {
    /// The text that was read.
    pub source: Source,
    /// What is wrong with it.
    pub report: Report,
}

/// There is no bundled game of this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The name that was asked for.
    pub name: String,
}

impl Game {
    /// A game from its rules in KIF or infix; the name is for messages.
    pub fn from_text(name: &str, rules: &str) -> Result<Game, Unreadable> {
        Game::read(Source::new(name, rules), None)
    }

    /// A game from a text in a given syntax, or in the one that is recognised.
    pub fn read(source: Source, syntax: Option<Syntax>) -> Result<Game, Unreadable> {
        Game::read_noted(source, syntax, Report::default())
    }

    /// The same, with the warnings about the bytes of the text.
    pub fn read_noted(
        source: Source,
        syntax: Option<Syntax>,
        mut noted: Report,
    ) -> Result<Game, Unreadable> {
        match Rules::read(&source, syntax) {
            Ok((rules, report)) => {
                noted.complaints.extend(report.complaints);
                Ok(Game::new(source, rules, noted))
            }
            Err(report) => {
                noted.complaints.extend(report.complaints);
                Err(Unreadable { source, report: noted })
            }
        }
    }

    /// A game that comes with the library.
    pub fn bundled(name: &str) -> Result<Game, Unknown> {
        let found = Bundled::find(name).ok_or_else(|| Unknown { name: name.into() })?;
        Ok(found.open())
    }

    /// A game from a file, or one that comes with the library, by its name.
    #[allow(clippy::disallowed_methods, reason = "the caller names the file")]
    pub fn open(name: &str) -> Result<Game, NotOpened> {
        match Bundled::find(name) {
            Some(bundled) if !std::path::Path::new(name).is_file() => Ok(bundled.open()),
            _ => {
                let bytes = std::fs::read(name).map_err(NotOpened::File)?;
                let mut report = Report::default();
                let source = Source::from_bytes(name, bytes, &mut report);
                match report.has_errors() {
                    true => Err(NotOpened::Rules(Unreadable { source, report })),
                    false => Game::read_noted(source, None, report).map_err(NotOpened::Rules),
                }
            }
        }
    }

    fn new(source: Source, rules: Rules, report: Report) -> Game {
        let inner = Inner {
            source,
            report,
            knowledge: Arc::new(Knowledge::of_rules(rules)),
            engine: Stage::new("engine"),
            scene: Stage::new("scene"),
            frames: Covering::ALL.map(|_| Stage::new("frame")),
        };
        Game { inner: Arc::new(inner) }
    }

    /// The name of the game, for messages.
    pub fn name(&self) -> &str {
        &self.rules().name
    }

    /// The text that it was read from.
    pub fn source(&self) -> &Source {
        &self.inner.source
    }

    /// The warnings about the rules.
    pub fn report(&self) -> &Report {
        &self.inner.report
    }

    /// The rules, checked.
    pub fn rules(&self) -> &Arc<Rules> {
        self.inner.knowledge.rules()
    }

    /// The stages and analyses.
    pub fn knowledge(&self) -> &Arc<Knowledge> {
        &self.inner.knowledge
    }

    /// An engine of one's own for hot loops: the one wished for, or the fastest.
    pub fn compile(&self, wish: Option<Engine>, means: Means) -> Result<Compiled, Refusal> {
        compile(self.knowledge().clone(), wish, means)
    }

    /// Machines of one's own for many positions at once: successors, ends, goals and legal moves.
    pub fn batch(&self, budget: &Budget) -> Result<Batch, Refusal> {
        batch(self.knowledge(), budget)
    }

    /// The circuits of environments for learners: many matches side by side, moves given from outside or drawn.
    pub fn environments(&self, budget: &Budget) -> Result<Arc<EnvCircuits>, Refusal> {
        Ok(self.knowledge().environments(budget)?)
    }

    /// A state as planes of the game's board. The board may be looked for so many seconds.
    pub fn planes(&self, budget: &Budget, seconds: f64) -> Result<Planes, Refusal> {
        let net = self.knowledge().net(budget)?;
        let boards = self.knowledge().boards(budget, seconds, &mut |_| ())?;
        Ok(Planes::new(&net, boards.views().first()))
    }

    /// The initial position, on the fastest engine.
    pub fn position(&self, budget: &Budget) -> Result<Position, Refusal> {
        Position::initial(self, self.engine(budget)?)
    }

    /// The initial position on an engine of its own, the one that was wished for.
    pub fn position_on(&self, engine: Engine, budget: &Budget) -> Result<Position, Refusal> {
        let means = Means { whole: budget, grounding: &budget.lasting(GROUNDING_SECONDS) };
        Position::initial(self, Arc::new(Mutex::new(self.compile(Some(engine), means)?)))
    }

    /// The engine that all positions share.
    fn engine(&self, budget: &Budget) -> Result<Arc<Mutex<Compiled>>, Refusal> {
        self.inner.engine.get(budget, |_| {
            // If the rules do not fit in a network by then, the reasoner runs them.
            let seconds = GROUNDING_SECONDS.min(budget.allowed() / 3.0);
            let means = Means { whole: budget, grounding: &budget.lasting(seconds) };
            Ok(Made::Complete(Mutex::new(self.compile(None, means)?)))
        })
    }

    /// How its states are drawn.
    pub fn scene(&self, budget: &Budget) -> Result<Arc<Scene>, Refusal> {
        let engine = self.engine(budget)?;
        self.inner.scene.get(budget, |_| {
            let mut engine = engine.lock().expect("no panic while held");
            let proving = budget.lasting(PROVING_SECONDS);
            Ok(Made::Complete(engine.scene(budget, Proving(&proving))?))
        })
    }

    /// What tells the rules apart, whatever their layout.
    pub fn digest(&self) -> String {
        digest(self.rules().text(Syntax::Kif).lines().map(str::to_lowercase).collect())
    }

    /// The frame rules of all fluents rewritten into rules for what becomes false. Pruning needs a network.
    pub fn frame(&self, covering: Covering, means: Means) -> Result<Arc<Frame>, Stop> {
        self.inner.frames[covering as usize].get(means.whole, |_| {
            let Means { whole, grounding } = means;
            let frame = translate(self.knowledge(), covering, &Basis::Names, whole, grounding)?;
            Ok(Made::of(frame.stopped.is_none(), frame))
        })
    }

    /// The name of every stage, and how often it was worked on.
    pub fn runs(&self) -> Vec<(&'static str, usize)> {
        let mut runs = self.knowledge().runs();
        runs.extend([self.inner.engine.runs(), self.inner.scene.runs()]);
        runs.extend(self.inner.frames.iter().map(Stage::runs));
        runs
    }
}

/// A game that could not be opened.
#[derive(Debug)]
pub enum NotOpened {
    /// The file cannot be read.
    File(std::io::Error),
    /// Its rules cannot.
    Rules(Unreadable),
}

impl fmt::Display for NotOpened {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            NotOpened::File(why) => why.fmt(f),
            NotOpened::Rules(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for NotOpened {}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.report.render(&self.source))
    }
}

impl fmt::Debug for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Unreadable {}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "no bundled game is called {}", self.name)
    }
}

impl std::error::Error for Unknown {}
