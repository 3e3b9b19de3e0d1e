//! Pictures of states: a board that nobody had to draw.
//!
//! `Scene::new` plans the picture of a game once, from its rules, the boards that are proved and some
//! states; `Scene::picture` draws a state as plain data, which prints itself as text and as SVG.
//!
//! `Compiled::scene` (`ludex/compile/scene.rs`) plans the picture of a game once; `Scene::picture`
//! then draws any state, given as facts. The plan is made of looks and of proofs: `layer.rs` takes
//! the place arguments of a relation from the boards that are proved, else from sampled states and
//! from the order of the values (`order.rs`: a successor relation of the rules, numbers, letters).
//! Relations that share their places become layers of one board; a relation without contents is
//! itself what is there. `grid.rs` puts the places: rows and columns, panels for further arguments,
//! another relation's coordinates where the rules have them, hexagons where a relation has six
//! neighbours; `names.rs` the places with one name. Which way is up follows from where things fall,
//! where the first player begins (`ground.rs`), and the names that the author chose (`hints.rs`).
//! `glyph.rs` reads the names of contents, `blocks.rs` finds blocks whose corners the rules name
//! (sudoku), `links.rs` lines between dots (dots and boxes). `moves.rs` finds which arguments of moves are
//! places. A picture never says what is proved,
//! since that depends on time: the command does. Pieces are drawn with lines and curves
//! (`shapes.rs`), no fonts are needed.
//!
//! ```
//! use ludex_gdl::{budget::Budget, rules::Rules, source::Source};
//! use ludex_picture::{Evidence, Scene, StaticRelations, sample};
//! use ludex_reason::interp::Interp;
//!
//! # let lamp = "(role you) (init off) (legal you press) (<= (next on) (does you press))
//! #     (<= terminal (true on)) (<= (goal you 100) (true on))";
//! let rules = Rules::read(&Source::new("lamp", lamp), None).expect("a game").0;
//! let statics = StaticRelations::new(&rules, &Budget::unlimited());
//! let mut game = Interp::new(&rules).expect("it can be played");
//! let seen = sample(&mut game, &Budget::unlimited());
//! let evidence = Evidence::new(&rules, statics, vec!["you".into()], vec![], &seen);
//! println!("{}", Scene::new(&evidence, &[]).picture(&seen.states[0]));
//! ```

// No clocks, files, environment or chance of its own: see clippy.toml.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod blocks;
mod evidence;
mod fold;
mod glyph;
mod grid;
mod ground;
mod hints;
mod layer;
mod links;
mod map;
mod mark;
mod moves;
mod names;
mod order;
mod page;
mod scene;
mod shapes;
mod statics;
mod svg;
mod text;
mod towers;

pub use evidence::{Evidence, SampledPlay, SampledStep, sample};
pub use grid::{Label, Shape};
pub use ground::Backdrop;
pub use mark::{Colour, Man, Mark, Way};
pub use moves::{MovePlan, NamedPlaces};
pub use order::{Order, natural};
pub use page::{frames, page, strip};
pub use scene::Scene;
pub use shapes::escape;
pub use statics::StaticRelations;

/// A state as a picture. Points are in hundredths of a cell.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// A line above the picture; may be empty.
    pub caption: String,
    pub panels: Vec<Panel>,
    /// The facts that are on no board, by relation.
    pub table: Vec<Row>,
    /// Marks that do not speak for themselves.
    pub legend: Vec<(Mark, String)>,
    /// What the boards are: `cell at arguments 1, 2`.
    pub about: Vec<String>,
    /// The same with what it is known by. Since that can depend on time, no picture says it.
    pub sources: Vec<String>,
}

/// A board.
#[derive(Clone, Debug)]
pub struct Panel {
    pub title: String,
    pub shape: Shape,
    pub ground: Backdrop,
    pub cells: Vec<Cell>,
    /// What stands at corners where four cells meet.
    pub corners: Vec<Cell>,
    pub labels: Vec<Label>,
    /// Pairs of points that are joined by a line.
    pub edges: Vec<((i32, i32), (i32, i32))>,
    /// Groups of cells with a thick border: left, top, width, height.
    pub frames: Vec<[i32; 4]>,
    pub arrows: Vec<Arrow>,
}

/// An arrow from the middle of one cell to that of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub from: (i32, i32),
    pub to: (i32, i32),
    /// It leads back as well.
    pub both: bool,
    pub colour: Colour,
}

/// A place of a board and what is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The names of the place.
    pub place: String,
    /// The middle of the cell.
    pub at: (i32, i32),
    pub pieces: Vec<Piece>,
    /// The facts that say that nothing is there.
    pub blanks: Vec<String>,
    /// Small words in a corner, each with the facts that it tells.
    pub notes: Vec<(String, String)>,
}

/// A fact as it is drawn at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub mark: Mark,
    pub fact: String,
}

impl Cell {
    fn empty(place: &[String], at: (i32, i32)) -> Cell {
        Cell { place: place.join(" "), at, pieces: vec![], blanks: vec![], notes: vec![] }
    }

    pub fn marks(&self) -> impl Iterator<Item = &Mark> {
        self.pieces.iter().map(|p| &p.mark)
    }
}

/// The facts of a relation that is on no board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    /// The arguments of each fact, with a mark where a board has one for them.
    pub values: Vec<(Option<Mark>, String)>,
}

impl Row {
    /// The fact with these arguments.
    fn fact(&self, arguments: &str) -> String {
        if arguments.is_empty() {
            self.name.clone()
        } else {
            format!("({} {arguments})", self.name)
        }
    }
}
