//! `Evidence` and boards -> `Scene`: the plan of a game's picture; a state -> `Picture`.

use super::blocks;
use super::evidence::{DrawnRelation, Evidence, Fact};
use super::fold::fold;
use super::glyph::{Content, ContentsSeen, Glyphs, is_blank};
use super::grid::{CELL, Grid, Place, Survey};
use super::ground::{self, Backdrop, BoardUse};
use super::hints::{Hints, Votes};
use super::layer::{Layer, layer};
use super::links::Links;
use super::mark::{Colour, Mark};
use super::moves::MovePlan;
use super::order::{Order, natural};
use super::towers::{self, Stacking, Towers};
use super::{Cell, Panel, Picture, Piece, Row};
use indexmap::{IndexMap, IndexSet};
use ludex_facts::boards::Board;
use rustc_hash::FxHashSet;

/// How the states of a game are drawn.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(super) boards: Vec<BoardPlan>,
    /// Relations that say which dots are joined by a line, on the board of the squares between them.
    links: Vec<(usize, Links)>,
    pub(super) towers: Vec<Towers>,
    /// What the arguments of moves mean.
    pub moves: MovePlan,
}

/// A board: relations that are drawn on the same places.
#[derive(Clone, Debug)]
pub(super) struct BoardPlan {
    pub(super) layers: Vec<Drawn>,
    pub(super) grid: Grid,
    ground: Backdrop,
}

/// A relation on a board.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) name: String,
    pub(super) arity: usize,
    pub(super) place: Vec<usize>,
    content: Vec<usize>,
    glyphs: Glyphs,
    /// Arguments that name the cell one line further on each way: the fact is about the corner between.
    beyond: Option<Vec<usize>>,
    /// It says which places are there and free: where neither it nor anything else is true, the place is gone.
    floor: bool,
    /// Told in small letters, because the place holds something else at the same time.
    note: bool,
    /// The content arguments that do not follow from the place.
    told: Vec<usize>,
    /// What is drawn, and by what it is known.
    about: String,
    source: String,
}

/// A layer on its way to a board.
struct Sheet {
    layer: Layer,
    places: IndexSet<Place>,
    glyphs: Glyphs,
}

/// Boards with more places are told as tables.
const MOST_PLACES: usize = 4_000;

impl Scene {
    pub fn new(evidence: &Evidence, boards: &[Board]) -> Scene {
        let all = || 0..evidence.relations.len();
        let stacking: Vec<(usize, Stacking)> =
            all().filter_map(|r| Some((r, Stacking::of(&evidence.relations[r])?))).collect();
        let links: Vec<Links> = evidence.relations.iter().filter_map(Links::of).collect();
        let link = |r: &usize| links.iter().any(|l| l.is_of(&evidence.relations[*r]));
        let layers = all().filter(|r| stacking.iter().all(|s| s.0 != *r) && !link(r));
        let layers = layers.filter_map(|r| layer(evidence, r, boards));
        let mut sheets: Vec<Sheet> = layers.map(|l| Sheet::new(evidence, l)).collect();
        sheets.retain(|s| (2..=MOST_PLACES).contains(&s.places.len()));
        sheets.sort_by_key(|s| s.rank());
        let mut groups: Vec<Vec<Sheet>> = Vec::new();
        for sheet in sheets {
            match groups.iter().position(|g| sheet.joins(g, evidence)) {
                Some(group) => groups[group].push(sheet),
                // A few places of a board are a remark on it, not a board.
                None if groups.iter().any(|g| sheet.is_part_of(&g[0])) => {}
                None => groups.push(vec![sheet]),
            }
        }
        let things = |(r, stacking): &(usize, Stacking)| {
            let relation = &evidence.relations[*r];
            let mut things: Vec<String> =
                relation.orders.iter().flat_map(|o| o.values.clone()).collect();
            things.sort_by(|a, b| natural(a, b));
            things.dedup();
            Towers { name: relation.name.clone(), stacking: *stacking, things }
        };
        let boards: Vec<BoardPlan> = groups.into_iter().filter_map(|g| plan(evidence, g)).collect();
        let on_board = |links: Links| {
            let board = boards.iter().position(|b| links.fits(&b.grid))?;
            Some((board, links))
        };
        let mut scene = Scene {
            links: links.into_iter().filter_map(on_board).collect(),
            towers: stacking.iter().map(things).collect(),
            boards,
            moves: MovePlan::default(),
        };
        scene.moves = scene.read_moves(&evidence.steps);
        scene
    }

    /// Is there a board to draw?
    pub fn has_board(&self) -> bool {
        !self.boards.is_empty() || !self.towers.is_empty()
    }

    /// The picture of a state, given by its facts.
    pub fn picture(&self, facts: &[String]) -> Picture {
        let facts: Vec<Fact> = facts.iter().map(|f| Fact::new(f)).collect();
        let mut drawn: FxHashSet<usize> = FxHashSet::default();
        let mut picture = Picture::default();
        for (b, board) in self.boards.iter().enumerate() {
            let mut panel = board.panel(&facts, &mut drawn);
            for (_, links) in self.links.iter().filter(|l| l.0 == b) {
                links.draw(&facts, &board.grid, &mut panel, &mut drawn);
            }
            picture.panels.push(panel);
            for layer in &board.layers {
                picture.about.push(layer.about.clone());
                let used = |m: &Mark| board_uses(picture.panels.last(), m);
                let legend = layer.glyphs.legend.iter().filter(|(m, _)| used(m)).cloned();
                picture.legend.extend(legend);
                picture.sources.push(layer.source.clone());
            }
        }
        for towers in &self.towers {
            picture.panels.extend(tower_panel(towers, &facts, &mut drawn));
            picture.about.push(format!("{} as towers", towers.name));
            picture.sources.push(format!("{} as towers, as in the states seen", towers.name));
        }
        if self.boards.len() > 1 {
            for (panel, board) in picture.panels.iter_mut().zip(&self.boards) {
                panel.title = board.layers[0].name.clone();
            }
        }
        let rest = facts.iter().enumerate().filter(|(i, _)| !drawn.contains(i)).map(|(_, f)| f);
        let mut told = |fact: &&Fact| {
            let mark = fact.args.last().and_then(|value| self.mark(&vec![value.clone()]));
            mark.is_some_and(|mark| fold(fact, &mark, &mut picture.panels))
        };
        let rest: Vec<&Fact> = rest.filter(|fact| !told(fact)).collect();
        picture.table = self.table(rest.into_iter());
        picture.legend.dedup();
        picture
    }

    fn table<'a>(&self, facts: impl Iterator<Item = &'a Fact>) -> Vec<Row> {
        let mut rows: IndexMap<&str, Vec<&Fact>> = IndexMap::new();
        facts.for_each(|f| rows.entry(&f.name).or_default().push(f));
        let value = |fact: &Fact| (self.mark(&fact.args), fact.args.join(" "));
        let row = |(name, facts): (&str, Vec<&Fact>)| {
            let mut values: Vec<(Option<Mark>, String)> =
                facts.iter().filter(|f| !f.args.is_empty()).map(|f| value(f)).collect();
            values.sort_by(|a, b| natural(&a.1, &b.1));
            Row { name: name.to_string(), values }
        };
        rows.into_iter().map(row).collect()
    }

    /// The mark that a board has for a content, where it shows more than the name.
    fn mark(&self, content: &Content) -> Option<Mark> {
        let layers = self.boards.iter().flat_map(|b| &b.layers);
        let mark = layers.filter_map(|l| l.glyphs.mark(content)).next()?;
        let plain = matches!(
            mark,
            Mark::Blank | Mark::Number(_) | Mark::Tile(_) | Mark::Label(..) | Mark::Heap(_)
        );
        (!plain).then(|| mark.clone())
    }
}

fn board_uses(panel: Option<&Panel>, mark: &Mark) -> bool {
    panel.is_some_and(|p| p.cells.iter().any(|c| c.marks().any(|m| m == mark)))
}

/// The towers of a state as a board.
fn tower_panel(towers: &Towers, facts: &[Fact], drawn: &mut FxHashSet<usize>) -> Option<Panel> {
    let Towers { stacking, things, .. } = towers;
    let own: Vec<usize> = (0..facts.len()).filter(|i| towers.are_told_by(&facts[*i])).collect();
    let pairs: Vec<Vec<String>> = own.iter().map(|i| facts[*i].args.clone()).collect();
    let grid = towers::grid(*stacking, &pairs, things)?;
    drawn.extend(&own);
    let cell = |(place, at): (&Place, &(i32, i32))| {
        let index = things.iter().position(|t| *t == place[0]).unwrap_or(0);
        let colour = Colour::PALETTE[index % Colour::PALETTE.len()];
        let mark = Mark::Label(place[0].clone(), colour);
        let upper = own.iter().find(|i| stacking.upper(&facts[**i].args) == place[0]);
        let fact = upper.map(|i| facts[*i].text()).unwrap_or_default();
        Cell { pieces: vec![Piece { mark, fact }], ..Cell::empty(place, *at) }
    };
    Some(Panel {
        title: String::new(),
        shape: grid.shape,
        ground: Backdrop::Plain,
        cells: grid.points.iter().map(cell).collect(),
        corners: vec![],
        labels: vec![],
        edges: grid.edges,
        frames: vec![],
        arrows: vec![],
    })
}

impl Sheet {
    fn new(evidence: &Evidence, layer: Layer) -> Sheet {
        let relation = &evidence.relations[layer.relation];
        let places = match relation.steady(&layer.place) {
            Some(steady) if !layer.content.is_empty() => steady,
            // Of pieces on free places only some have been seen.
            None if !relation.known && !layer.content.is_empty() && layer.place.len() == 2 => {
                relation.rectangle(&layer.place)
            }
            _ => relation.places(&layer.place),
        };
        let glyphs = if layer.content.is_empty() {
            named_marks(relation, &places)
        } else {
            let contents: Vec<Content> = relation.places(&layer.content).into_iter().collect();
            let moving = relation.unique(&layer.content).0 && relation.unique(&layer.place).1;
            let seen = ContentsSeen {
                fixed: relation.fixed(&layer.place, &layer.content),
                common: relation.common(&layer.content, places.len()),
            };
            Glyphs::new(&relation.name, &contents, &evidence.roles, moving, &seen)
        };
        Sheet { layer, places, glyphs }
    }

    /// Those with more places first; what moves about comes on top.
    fn rank(&self) -> (usize, bool, bool) {
        (usize::MAX - self.places.len(), self.layer.item, self.layer.content.is_empty())
    }

    fn is_part_of(&self, board: &Sheet) -> bool {
        self.places.len() * 4 <= board.places.len()
            && self.places.iter().all(|p| board.places.contains(p))
    }

    /// Whether this is drawn on the same places as the relations of a board.
    fn joins(&self, board: &[Sheet], evidence: &Evidence) -> bool {
        let main = &board[0];
        if self.layer.place.len() != main.layer.place.len() {
            return false;
        }
        let of = |s: &Sheet, i: usize| {
            evidence.relations[s.layer.relation].orders[s.layer.place[i]].values.clone()
        };
        // Walls may stand one line outside of the board.
        let fits = |i: usize| {
            let (known, own) = (of(main, i), of(self, i));
            let shared = own.iter().filter(|v| known.contains(v)).count();
            shared == own.len() || shared * 4 >= 3 * own.len().max(known.len())
        };
        let apart = |other: &Sheet| self.places.iter().all(|p| !other.places.contains(p));
        let rival = |other: &Sheet| {
            let contents = !self.layer.content.is_empty() && !other.layer.content.is_empty();
            let alike = self.glyphs.all().any(|m| other.glyphs.all().any(|n| m == n));
            contents && alike && !self.layer.item && !apart(other)
        };
        (0..self.layer.place.len()).all(fits) && !board.iter().any(rival)
    }
}

/// The mark of a relation without contents: its name says what it is.
fn named_marks(relation: &DrawnRelation, places: &IndexSet<Place>) -> Glyphs {
    let always = relation.states.iter().all(|s| s.len() == places.len());
    let glyphs = Glyphs::of_name(&relation.name);
    let lies = glyphs.all().any(|m| m.lies());
    if always && !lies { Glyphs::floor() } else { glyphs }
}

/// The board on which some relations are drawn.
fn plan(evidence: &Evidence, sheets: Vec<Sheet>) -> Option<BoardPlan> {
    let main = &sheets[0];
    let relation = &evidence.relations[main.layer.relation];
    let places: IndexSet<Place> = sheets.iter().flat_map(|s| s.places.iter().cloned()).collect();
    let orders = (0..main.layer.place.len())
        .map(|i| Order::new(places.iter().map(|p| p[i].as_str()), &evidence.statics))
        .collect();
    let hints = Hints::new(evidence.rules, &relation.name, relation.arity);
    let falls = ground::falls(&main.layer, relation, &main.glyphs);
    let sides = ground::sides(&main.layer, relation, &main.glyphs, &evidence.roles);
    let falling = falls.iter().flatten().count() == 1;
    let ends = if falling { falls } else { sides };
    // Players who begin in opposite corners have no bottom.
    let one = ends.iter().flatten().count() == 1;
    let own = |args: &Vec<usize>| -> Vec<usize> {
        (0..main.layer.place.len()).filter(|i| args.contains(&main.layer.place[*i])).collect()
    };
    let mut votes: Vec<Votes> = main.layer.place.iter().map(|a| hints.votes[*a]).collect();
    if let [_, y] = &mut votes[..] {
        // With walls in the north, rows are counted from the south.
        let mut marks = sheets.iter().flat_map(|s| s.glyphs.all());
        y.up += u32::from(marks.any(|m| matches!(m, Mark::Side(_))));
    }
    let survey = Survey {
        places: &places,
        orders,
        votes,
        together: hints.together.iter().map(|(args, votes)| (own(args), *votes)).collect(),
        ground: if one { ends } else { vec![None; main.layer.place.len()] },
        statics: &evidence.statics,
        corners: &blocks::corners(evidence.rules),
        hints: &|name, arity| Hints::new(evidence.rules, name, arity),
    };
    let grid = survey.grid()?;
    let marks: Vec<&Mark> = sheets.iter().flat_map(|s| s.glyphs.all()).collect();
    let used = BoardUse {
        falling,
        corner: main.uses_corner(evidence, &grid),
        crowded: places[0].len() > 1 && main.held(evidence, 0).len() * 4 > places.len(),
    };
    let ground = Backdrop::new(&marks, grid.shape, used);
    let layers = (0..sheets.len()).map(|i| drawn(evidence, &sheets, i)).collect();
    Some(BoardPlan { layers, grid, ground })
}

fn drawn(evidence: &Evidence, sheets: &[Sheet], number: usize) -> Drawn {
    let sheet = &sheets[number];
    let layer = &sheet.layer;
    let relation = &evidence.relations[layer.relation];
    let beside = |other: &Sheet| number > 0 && sheet.meets(other, evidence);
    let note = !layer.item && !layer.content.is_empty() && sheets[..number].iter().any(beside);
    let known = match &layer.proof {
        Some(proof) => format!("proved: {proof}"),
        None if layer.content.is_empty() => "a relation without contents".into(),
        None if relation.unique(&layer.place).0 => {
            format!("not proved, but so in all {} states seen", relation.states.len())
        }
        None => "a place may hold several".into(),
    };
    let places = sheet.places.len();
    let follows = |a: &usize| {
        let with: Vec<usize> = layer.place.iter().chain([a]).copied().collect();
        relation.places(&with).len() == places
    };
    let told: Vec<usize> = layer.content.iter().copied().filter(|a| !follows(a)).collect();
    let about = format!("{} at {}", relation.name, in_words(&layer.place));
    let beyond = beyond(relation, layer);
    let contents: Vec<Content> = relation.places(&told).into_iter().collect();
    let glyphs = match beyond {
        Some(_) => {
            Glyphs::new(&relation.name, &contents, &evidence.roles, false, &ContentsSeen::default())
        }
        None => sheet.glyphs.clone(),
    };
    Drawn {
        beyond,
        name: relation.name.clone(),
        arity: relation.arity,
        place: layer.place.clone(),
        content: layer.content.clone(),
        glyphs,
        floor: sheet.is_floor(evidence, sheets),
        note,
        told,
        source: format!("{about}: {known}"),
        about,
    }
}

/// For each place argument another that is always its next line, if all have one.
fn beyond(relation: &DrawnRelation, layer: &Layer) -> Option<Vec<usize>> {
    let next = |a: &usize| layer.content.iter().copied().find(|b| relation.is_next(*a, *b));
    (layer.place.len() == 2).then(|| layer.place.iter().map(next).collect())?
}

/// `argument 1` or `arguments 1, 2`.
fn in_words(arguments: &[usize]) -> String {
    let numbers: Vec<String> = arguments.iter().map(|a| (a + 1).to_string()).collect();
    let s = if numbers.len() > 1 { "s" } else { "" };
    format!("argument{s} {}", numbers.join(", "))
}

impl Sheet {
    /// The places that hold more than a blank in a state.
    fn held(&self, evidence: &Evidence, state: usize) -> FxHashSet<Place> {
        let facts = &evidence.relations[self.layer.relation].states[state];
        let shown = |f: &&Vec<String>| {
            let content = DrawnRelation::part(f, &self.layer.content);
            self.glyphs.mark(&content) != Some(&Mark::Blank)
        };
        facts.iter().filter(shown).map(|f| DrawnRelation::part(f, &self.layer.place)).collect()
    }

    /// Whether it says which places are there and free, so that others are gone: a relation without contents
    /// that comes and goes, or blanks that end, where at first something is told of every place. Walls are no squares.
    fn is_floor(&self, evidence: &Evidence, sheets: &[Sheet]) -> bool {
        let told = |sheet: &Sheet, state: usize| -> FxHashSet<Place> {
            let facts = &evidence.relations[sheet.layer.relation].states[state];
            facts.iter().map(|f| DrawnRelation::part(f, &sheet.layer.place)).collect()
        };
        let states = evidence.relations[self.layer.relation].states.len();
        let ends = (0..states).any(|s| told(self, s).len() != self.places.len());
        let mut marks = self.glyphs.all();
        if self.layer.content.is_empty() {
            return ends && marks.all(|m| *m == Mark::Blank);
        }
        let whole = || {
            let first: FxHashSet<Place> = sheets.iter().flat_map(|s| told(s, 0)).collect();
            sheets.iter().flat_map(|s| &s.places).all(|place| first.contains(place))
        };
        let walls = self.glyphs.all().any(|m| matches!(m, Mark::Side(_)));
        ends && !walls && marks.any(|m| *m == Mark::Blank) && whole()
    }

    /// Whether in some state a place has something of both, more than a blank.
    fn meets(&self, other: &Sheet, evidence: &Evidence) -> bool {
        let states = evidence.relations[self.layer.relation].states.len();
        let both = |s: usize| !self.held(evidence, s).is_disjoint(&other.held(evidence, s));
        (0..states).any(both)
    }

    /// Whether something ever stands on a place of the colour of the corner at the bottom left.
    fn uses_corner(&self, evidence: &Evidence, grid: &Grid) -> bool {
        let base = grid.points.values().map(|at| at.1).max().unwrap_or(0);
        let like_corner = |p: &Place| {
            let (x, y) = grid.points.get(p).copied().unwrap_or_default();
            (x.div_euclid(CELL) + (base - y).div_euclid(CELL)) % 2 == 0
        };
        let states = evidence.relations[self.layer.relation].states.len();
        (0..states).any(|s| self.held(evidence, s).iter().any(like_corner))
    }
}

impl BoardPlan {
    /// The number of place arguments.
    pub(super) fn coordinates(&self) -> usize {
        self.layers[0].place.len()
    }

    fn layer(&self, fact: &Fact) -> Option<&Drawn> {
        self.layers.iter().find(|l| l.name == fact.name && l.arity == fact.args.len())
    }

    /// The place of a fact on this board.
    pub(super) fn place(&self, fact: &Fact) -> Option<Place> {
        Some(DrawnRelation::part(&fact.args, &self.layer(fact)?.place))
    }

    /// What a fact of this board says of its place.
    pub(super) fn content(&self, fact: &Fact) -> Vec<String> {
        let layer = self.layer(fact);
        layer.map(|l| DrawnRelation::part(&fact.args, &l.content)).unwrap_or_default()
    }

    /// A fact about the corner between the cell of its place and the one beyond.
    fn corner(&self, fact: &Fact, layer: &Drawn, beyond: &[usize]) -> Option<Cell> {
        let of = |args: &[usize]| self.grid.points.get(&DrawnRelation::part(&fact.args, args));
        let (a, b) = (of(&layer.place)?, of(beyond)?);
        let told = DrawnRelation::part(&fact.args, &layer.told);
        let mark = match layer.glyphs.mark(&told).cloned() {
            Some(Mark::Blank) => return None,
            mark => mark.unwrap_or(Mark::Label(told.join(" "), Colour::Grey)),
        };
        let args = layer.place.iter().zip(beyond).flat_map(|(p, q)| [*p, *q]);
        let place: Vec<String> = args.map(|a| fact.args[a].clone()).collect();
        let pieces = vec![Piece { mark, fact: fact.text() }];
        Some(Cell { pieces, ..Cell::empty(&place, ((a.0 + b.0) / 2, (a.1 + b.1) / 2)) })
    }

    pub(super) fn panel(&self, facts: &[Fact], drawn: &mut FxHashSet<usize>) -> Panel {
        let empty = |(place, at): (&Place, &(i32, i32))| (place.clone(), Cell::empty(place, *at));
        let mut cells: IndexMap<Place, Cell> = self.grid.points.iter().map(empty).collect();
        let mut corners = Vec::new();
        for (i, fact) in facts.iter().enumerate() {
            let Some(layer) = self.layer(fact) else { continue };
            let Some(cell) = cells.get_mut(&DrawnRelation::part(&fact.args, &layer.place)) else {
                continue;
            };
            drawn.insert(i);
            if let Some(beyond) = &layer.beyond {
                corners.extend(self.corner(fact, layer, beyond));
                continue;
            }
            let content = DrawnRelation::part(&fact.args, &layer.content);
            match layer.glyphs.mark(&content).cloned() {
                Some(Mark::Blank) => cell.blanks.push(fact.text()),
                _ if layer.note => cell.notes.extend(note(fact, &layer.told)),
                mark => {
                    let mark = mark.unwrap_or(Mark::Label(content.join(" "), Colour::Grey));
                    cell.pieces.push(Piece { mark, fact: fact.text() });
                }
            }
        }
        if self.layers.iter().any(|l| l.floor) {
            let bare =
                |c: &&mut Cell| c.pieces.is_empty() && c.blanks.is_empty() && c.notes.is_empty();
            let gone = || Piece { mark: Mark::Gone, fact: String::new() };
            cells.values_mut().filter(bare).for_each(|c| c.pieces.push(gone()));
        }
        // What lies on the ground is drawn first.
        cells.values_mut().for_each(|c| c.pieces.sort_by_key(|p| !p.mark.lies()));
        Panel {
            title: String::new(),
            shape: self.grid.shape,
            ground: self.ground,
            cells: cells.into_values().collect(),
            corners,
            labels: self.grid.labels.clone(),
            edges: self.grid.edges.clone(),
            frames: self.grid.frames.clone(),
            arrows: vec![],
        }
    }
}

/// What these arguments of a fact say, unless they say that nothing is there.
fn note(fact: &Fact, told: &[usize]) -> Option<(String, String)> {
    let words: Vec<&str> = told.iter().map(|a| fact.args[*a].as_str()).collect();
    let blank = words.is_empty() || words.iter().any(|w| is_blank(w));
    (!blank).then(|| (words.join(" "), fact.text()))
}
