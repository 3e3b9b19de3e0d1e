//! Steps of matches -> `MovePlan`: which arguments of a move are places of a board.
//!
//! A place is what changes: arguments that are a place of a board in every move seen, and at which
//! facts change when it is made. Where arguments are only some coordinates of what changes, the move
//! names a line of places (connect four). In towers the things themselves are the places. Names play no part.

use super::evidence::{DrawnRelation, Fact, SampledStep};
use super::grid::Place;
use super::scene::{BoardPlan, Scene};
use super::towers::Towers;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;

/// For the name and number of arguments of moves: what the arguments mean.
#[derive(Clone, Debug, Default)]
pub struct MovePlan {
    readings: IndexMap<(String, usize), Reading>,
}

/// What the arguments of moves of one name mean.
#[derive(Clone, Debug, Default)]
struct Reading {
    places: Vec<PlaceArguments>,
    /// Arguments that are what stands at a named place before, and after the move, by place.
    pieces: Vec<(usize, usize)>,
    becomes: Vec<(usize, usize)>,
}

/// Arguments that name a place, or some of its coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PlaceArguments {
    board: usize,
    /// An argument of the move and the coordinate that it is.
    of: Vec<(usize, usize)>,
}

/// Places that a move names with some of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPlaces {
    pub board: usize,
    /// One, or those of a line of which the move names only the line.
    pub places: Vec<String>,
    /// It names the place itself and not only a line.
    pub whole: bool,
    /// What the move says that stands there before it.
    pub piece: Option<String>,
    /// What the move says that stands there after it.
    pub becomes: Option<String>,
    /// The arguments that say it, in order.
    pub arguments: Vec<usize>,
}

/// A move that was seen.
struct Case {
    args: Vec<String>,
    before: Vec<Fact>,
    after: Vec<Fact>,
    /// By board: where facts became true or false.
    changed: Vec<FxHashSet<Place>>,
}

/// Where moves can point: at a board, or at the things of towers.
enum Surface<'a> {
    Board(&'a BoardPlan),
    Towers(&'a Towers),
}

impl Surface<'_> {
    /// The number of words that a place has.
    fn coordinates(&self) -> usize {
        match self {
            Surface::Board(board) => board.coordinates(),
            Surface::Towers(_) => 1,
        }
    }

    fn contains(&self, place: &Place) -> bool {
        match self {
            Surface::Board(board) => board.grid.points.contains_key(place),
            Surface::Towers(towers) => {
                matches!(&place[..], [thing] if towers.things.contains(thing))
            }
        }
    }

    /// The names of some places.
    fn names(&self, wanted: impl Fn(&Place) -> bool) -> Vec<String> {
        match self {
            Surface::Board(board) => {
                board.grid.points.keys().filter(|p| wanted(p)).map(|p| p.join(" ")).collect()
            }
            Surface::Towers(towers) => {
                towers.things.iter().filter(|t| wanted(&vec![t.to_string()])).cloned().collect()
            }
        }
    }

    /// The places that a fact is about.
    fn places_of(&self, fact: &Fact) -> Vec<Place> {
        match self {
            Surface::Board(board) => board.place(fact).into_iter().collect(),
            Surface::Towers(towers) if towers.are_told_by(fact) => {
                fact.args.iter().map(|thing| vec![thing.clone()]).collect()
            }
            Surface::Towers(_) => vec![],
        }
    }

    /// What a fact says of its place.
    fn content(&self, fact: &Fact) -> Vec<String> {
        match self {
            Surface::Board(board) => board.content(fact),
            Surface::Towers(_) => vec![],
        }
    }
}

impl Scene {
    /// Boards and towers, in the order in which they are drawn.
    fn surfaces(&self) -> Vec<Surface<'_>> {
        let boards = self.boards.iter().map(Surface::Board);
        boards.chain(self.towers.iter().map(Surface::Towers)).collect()
    }

    /// Learns from steps what the arguments of moves mean.
    pub fn read_moves(&self, steps: &[SampledStep]) -> MovePlan {
        let mut cases: IndexMap<(String, usize), Vec<Case>> = IndexMap::new();
        for step in steps {
            let changed = self.changed(&step.before, &step.after);
            for mv in step.moves.iter().map(|m| Fact::new(m)).filter(|m| !m.args.is_empty()) {
                let read = |facts: &[String]| facts.iter().map(|f| Fact::new(f)).collect();
                let case = Case {
                    args: mv.args,
                    before: read(&step.before),
                    after: read(&step.after),
                    changed: changed.clone(),
                };
                cases.entry((mv.name, case.args.len())).or_default().push(case);
            }
        }
        let surfaces = self.surfaces();
        let reading = |(name, cases): ((String, usize), Vec<Case>)| {
            let reading = Reading::learn(&cases, &surfaces, name.1);
            (name, reading)
        };
        MovePlan { readings: cases.into_iter().map(reading).collect() }
    }

    /// The places that a move names, in the order of its arguments; none if no such move was seen.
    pub fn named_places(&self, plan: &MovePlan, text: &str) -> Option<Vec<NamedPlaces>> {
        let mv = Fact::new(text);
        if mv.args.is_empty() {
            return Some(vec![]);
        }
        let reading = plan.readings.get(&(mv.name, mv.args.len()))?;
        let surfaces = self.surfaces();
        let said = |of: &[(usize, usize)], place: usize| {
            of.iter().find(|(_, p)| *p == place).map(|(a, _)| *a)
        };
        let named = |(i, arguments): (usize, &PlaceArguments)| {
            let (piece, becomes) = (said(&reading.pieces, i), said(&reading.becomes, i));
            let mut own: Vec<usize> = arguments.of.iter().map(|(a, _)| *a).collect();
            own.extend(piece.iter().chain(&becomes));
            own.sort_unstable();
            let word = |a: usize| mv.args[a].clone();
            NamedPlaces {
                board: arguments.board,
                places: arguments.places(&mv.args, &surfaces),
                whole: arguments.is_whole(&surfaces),
                piece: piece.map(word),
                becomes: becomes.map(word),
                arguments: own,
            }
        };
        let all = reading.places.iter().enumerate().map(named);
        Some(all.filter(|n| !n.places.is_empty()).collect())
    }

    /// The places at which facts differ between two states, each with the number of its board.
    pub fn changes(&self, before: &[String], after: &[String]) -> Vec<(usize, String)> {
        let changed = self.changed(before, after);
        let mut found = Vec::new();
        for (b, (surface, changed)) in self.surfaces().iter().zip(&changed).enumerate() {
            let own = surface.names(|p| changed.contains(p));
            found.extend(own.into_iter().map(|name| (b, name)));
        }
        found
    }

    fn changed(&self, before: &[String], after: &[String]) -> Vec<FxHashSet<Place>> {
        let was: FxHashSet<&String> = before.iter().collect();
        let is: FxHashSet<&String> = after.iter().collect();
        let facts: Vec<Fact> = was.symmetric_difference(&is).map(|f| Fact::new(f)).collect();
        let of = |surface: &Surface| {
            let places = facts.iter().flat_map(|f| surface.places_of(f));
            places.filter(|p| surface.contains(p)).collect()
        };
        self.surfaces().iter().map(of).collect()
    }
}

/// The part of the cases in which a place must change to be named by a move, and a line.
const PLACE_CHANGES: f64 = 0.6;
const LINE_CHANGES: f64 = 0.95;

impl Reading {
    fn learn(cases: &[Case], surfaces: &[Surface], arity: usize) -> Reading {
        let mut places = changing(cases, surfaces, arity);
        if places.is_empty() {
            places.extend(line(cases, surfaces, arity));
        }
        // Where a piece only passes nothing changes. One number more is no place.
        let passed = unchanged(cases, surfaces, arity).into_iter();
        let alone = places.is_empty();
        let passed = passed.filter(|p| p.of.len() > 1 || alone);
        places = disjoint(places.into_iter().chain(passed));
        places.sort_by_key(|p| p.of.iter().map(|(a, _)| *a).min());
        let used = |a: &usize| places.iter().any(|p| p.of.iter().any(|(own, _)| own == a));
        let free: Vec<usize> = (0..arity).filter(|a| !used(a)).collect();
        let says = |facts: fn(&Case) -> &Vec<Fact>, a: usize, place: &PlaceArguments| {
            cases.iter().all(|case| place.holds(&case.args, facts(case), surfaces, &case.args[a]))
        };
        let find = |facts: fn(&Case) -> &Vec<Fact>, taken: &[(usize, usize)]| {
            let mut found: Vec<(usize, usize)> = Vec::new();
            for a in free.iter().filter(|a| taken.iter().all(|(t, _)| t != *a)) {
                let at = (0..places.len()).find(|i| says(facts, *a, &places[*i]));
                found.extend(at.map(|i| (*a, i)));
            }
            found
        };
        let pieces = find(|c| &c.before, &[]);
        let becomes = find(|c| &c.after, &pieces);
        Reading { places, pieces, becomes }
    }
}

/// Arguments that are whole places which change.
fn changing(cases: &[Case], surfaces: &[Surface], arity: usize) -> Vec<PlaceArguments> {
    let mut found: Vec<(f64, bool, PlaceArguments)> = Vec::new();
    for (b, surface) in surfaces.iter().enumerate() {
        for args in tuples(arity, surface.coordinates()) {
            let place = |case: &Case| DrawnRelation::part(&case.args, &args);
            if cases.iter().any(|c| !surface.contains(&place(c))) {
                continue;
            }
            let hits = cases.iter().filter(|c| c.changed[b].contains(&place(c))).count();
            let rate = hits as f64 / cases.len() as f64;
            let apart = args.windows(2).any(|w| w[1] != w[0] + 1);
            if rate >= PLACE_CHANGES {
                found.push((rate, apart, PlaceArguments::whole(b, &args)));
            }
        }
    }
    found.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
    disjoint(found.into_iter().map(|f| f.2))
}

/// Neighbouring arguments that are always places, whatever changes.
fn unchanged(cases: &[Case], surfaces: &[Surface], arity: usize) -> Vec<PlaceArguments> {
    let of = |(b, surface): (usize, &Surface)| {
        let places = move |args: &Vec<usize>| {
            let named: IndexSet<Place> =
                cases.iter().map(|c| DrawnRelation::part(&c.args, args)).collect();
            let number = |p: &Place| p.len() == 1 && p[0].parse::<i64>().is_ok();
            named.iter().all(|p| surface.contains(p) && !number(p)) && named.len() > 1
        };
        let windows = windows(arity, surface.coordinates());
        let fitting: Vec<Vec<usize>> = windows.into_iter().filter(places).collect();
        fitting.into_iter().map(move |args| PlaceArguments::whole(b, &args))
    };
    disjoint(surfaces.iter().enumerate().flat_map(of))
}

/// Arguments that are coordinates of what changes.
fn line(cases: &[Case], surfaces: &[Surface], arity: usize) -> Option<PlaceArguments> {
    let of_board = |b: usize| {
        let mut found = PlaceArguments { board: b, of: vec![] };
        for c in 0..surfaces[b].coordinates() {
            let free = (0..arity).filter(|a| found.of.iter().all(|(own, _)| own != a));
            let mut with = free.map(|a| {
                let of = found.of.iter().copied().chain([(a, c)]).collect();
                PlaceArguments { board: b, of }
            });
            let good = |line: &PlaceArguments| line.rate(cases) >= LINE_CHANGES;
            let telling = |line: &PlaceArguments| {
                let (a, _) = *line.of.last().expect("one at least");
                cases.iter().map(|c| &c.args[a]).collect::<FxHashSet<_>>().len() > 1
            };
            if let Some(better) = with.find(|l| telling(l) && good(l)) {
                found = better;
            }
        }
        (!found.of.is_empty()).then_some(found)
    };
    (0..surfaces.len()).filter(|b| surfaces[*b].coordinates() > 1).find_map(of_board)
}

impl PlaceArguments {
    fn whole(board: usize, args: &[usize]) -> PlaceArguments {
        PlaceArguments { board, of: args.iter().copied().zip(0..).collect() }
    }

    fn is_whole(&self, surfaces: &[Surface]) -> bool {
        self.of.len() == surfaces[self.board].coordinates()
    }

    fn fits(&self, args: &[String], place: &Place) -> bool {
        self.of.iter().all(|(a, c)| place.get(*c) == Some(&args[*a]))
    }

    /// How often something changes where these arguments are.
    fn rate(&self, cases: &[Case]) -> f64 {
        let hit = |c: &&Case| c.changed[self.board].iter().any(|p| self.fits(&c.args, p));
        cases.iter().filter(hit).count() as f64 / cases.len() as f64
    }

    fn places(&self, args: &[String], surfaces: &[Surface]) -> Vec<String> {
        surfaces[self.board].names(|p| self.fits(args, p))
    }

    /// Whether a word is part of what stands there.
    fn holds(&self, args: &[String], facts: &[Fact], surfaces: &[Surface], word: &String) -> bool {
        let surface = &surfaces[self.board];
        facts.iter().any(|f| {
            surface.places_of(f).iter().any(|p| self.fits(args, p))
                && surface.content(f).contains(word)
        })
    }
}

/// Those that share no argument with one before them.
fn disjoint(found: impl Iterator<Item = PlaceArguments>) -> Vec<PlaceArguments> {
    let mut kept: Vec<PlaceArguments> = Vec::new();
    for place in found {
        let shares =
            |k: &PlaceArguments| k.of.iter().any(|(a, _)| place.of.iter().any(|o| o.0 == *a));
        if !kept.iter().any(shares) {
            kept.push(place);
        }
    }
    kept
}

/// So many arguments next to each other.
fn windows(arity: usize, size: usize) -> Vec<Vec<usize>> {
    (0..(arity + 1).saturating_sub(size)).map(|from| (from..from + size).collect()).collect()
}

/// Lists of arguments that may be a place: neighbours, and any two where it has two coordinates.
fn tuples(arity: usize, size: usize) -> Vec<Vec<usize>> {
    let mut found = windows(arity, size);
    if size == 2 {
        let pairs = (0..arity).flat_map(|a| (0..arity).map(move |b| vec![a, b]));
        found.extend(pairs.filter(|p| p[0] != p[1] && p[0] + 1 != p[1]));
    }
    found
}
