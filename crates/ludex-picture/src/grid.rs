//! The places of a board -> `Grid`: where each is drawn, in hundredths of a cell.
//!
//! Two place arguments are rows and columns, further ones panels. Where a relation of the rules gives
//! the places other coordinates, those are drawn; where it gives them six neighbours, hexagons.

use super::blocks::blocks;
use super::hints::{Hints, Votes};
use super::order::Order;
use super::statics::StaticRelations;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;

/// The size of a cell.
pub const CELL: i32 = 100;
/// The distance of the rows of hexagons.
pub const HEX_ROW: i32 = 87;
/// The room between panels.
const GAP: i32 = 40;

/// The names of a place: one for each place argument.
pub type Place = Vec<String>;

/// The form of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Square,
    Hexagon,
    /// A point that lines join to others.
    Node,
}

/// A word at a point, for the lines of the board and for panels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub x: i32,
    pub y: i32,
    pub text: String,
    /// A title of a panel rather than the name of a line.
    pub title: bool,
}

/// Where the places of a board are. The points are the middles of cells.
#[derive(Clone, Debug)]
pub struct Grid {
    pub points: IndexMap<Place, (i32, i32)>,
    pub shape: Shape,
    pub labels: Vec<Label>,
    /// Pairs of points that are joined by a line.
    pub edges: Vec<((i32, i32), (i32, i32))>,
    /// Groups of cells with a thick border: left, top, width, height.
    pub frames: Vec<[i32; 4]>,
}

/// What is known of the places besides their names.
pub struct Survey<'a> {
    pub places: &'a IndexSet<Place>,
    /// For every place argument its values.
    pub orders: Vec<Order>,
    /// For every place argument the votes of names.
    pub votes: Vec<Votes>,
    /// Place arguments that rules about rows and columns name together.
    pub together: Vec<(Vec<usize>, Votes)>,
    /// For every place argument: whose side is there, or where things fall to: the end at the bottom.
    pub ground: Vec<Option<LineEnd>>,
    pub statics: &'a StaticRelations,
    /// Places that the rules name together, which may be the corners of blocks.
    pub corners: &'a [Vec<Place>],
    pub hints: &'a dyn Fn(&str, usize) -> Hints,
}

/// The end of a line that belongs at the bottom of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    First,
    Last,
}

/// A line of values that runs over the board, as it is drawn.
struct Axis {
    values: Vec<Vec<String>>,
    /// Drawn from the bottom up.
    up: bool,
}

impl Survey<'_> {
    pub fn grid(&self) -> Option<Grid> {
        match self.orders.len() {
            1 => self.named_places(),
            2..=6 => self.mapped().or_else(|| match self.orders.len() {
                2 => Some(self.flat(&[0], &[1])),
                3 => Some(self.panels()),
                4 => Some(self.square_of_squares()),
                _ => None,
            }),
            _ => None,
        }
    }

    /// Rows and columns, each from one or more place arguments.
    fn flat(&self, first: &[usize], second: &[usize]) -> Grid {
        let (across, down) = self.orient(first, second);
        let point = |place: &Place| self.cell(place, across, down);
        let points: IndexMap<Place, (usize, usize)> =
            self.places.iter().filter_map(|p| Some((p.clone(), point(p)?))).collect();
        let (across, down) = (self.axis(across, false), self.axis(down, true));
        let mut grid = lay_out(&points, &across, &down, self.slant(first, second, &down));
        grid.frames = frames(&across, &down, grid.shape);
        if grid.frames.is_empty() && grid.shape == Shape::Square {
            grid.frames = blocks(self.corners, &self.orders, &grid);
        }
        grid
    }

    /// Column and row of a place, the row counted from the top.
    fn cell(&self, place: &Place, across: &[usize], down: &[usize]) -> Option<(usize, usize)> {
        let index = |args: &[usize]| {
            args.iter().try_fold(0, |sum, a| {
                Some(sum * self.orders[*a].len() + self.orders[*a].index(&place[*a])?)
            })
        };
        let rows: usize = down.iter().map(|a| self.orders[*a].len()).product();
        let row = index(down)?;
        Some((index(across)?, if self.up(down) { rows - 1 - row } else { row }))
    }

    fn axis(&self, args: &[usize], vertical: bool) -> Axis {
        let mut values: Vec<Vec<String>> = vec![vec![]];
        for a in args {
            let longer = |v: &Vec<String>| {
                let more = |w: &String| v.iter().chain([w]).cloned().collect();
                self.orders[*a].values.iter().map(more).collect::<Vec<Vec<String>>>()
            };
            values = values.iter().flat_map(longer).collect();
        }
        Axis { values, up: vertical && self.up(args) }
    }

    /// Which of two (lists of) arguments runs across and which down.
    fn orient<'b>(&self, first: &'b [usize], second: &'b [usize]) -> (&'b [usize], &'b [usize]) {
        let upright = |args: &[usize]| {
            let own = args.iter().map(|a| self.votes[*a]);
            let all = own.chain(self.together.iter().filter(|t| t.0 == args).map(|t| t.1));
            all.map(|v| v.vertical() as i64 - v.across as i64).sum::<i64>()
        };
        let grounded = |args: &[usize]| args.iter().any(|a| self.ground[*a].is_some());
        let letters = |args: &[usize]| args.iter().all(|a| self.orders[*a].letters());
        let names = (upright(first), upright(second));
        let first_down = match () {
            _ if grounded(first) != grounded(second) => grounded(first),
            _ if names.0 != names.1 => names.0 > names.1,
            _ => !letters(first) || letters(second),
        };
        if first_down { (second, first) } else { (first, second) }
    }

    /// Whether a line that runs down the picture is drawn from the bottom up.
    fn up(&self, args: &[usize]) -> bool {
        if let Some(end) = args.iter().find_map(|a| self.ground[*a]) {
            return end == LineEnd::First;
        }
        let votes: Vec<Votes> = args.iter().map(|a| self.votes[*a]).collect();
        let (up, down) = votes.iter().fold((0, 0), |n, v| (n.0 + v.up, n.1 + v.down));
        let others = (0..self.orders.len()).filter(|a| !args.contains(a));
        let letters =
            others.clone().count() > 0 && others.clone().all(|a| self.orders[a].letters());
        match () {
            _ if up != down => up > down,
            // a1 is at the bottom, as on a board of chess.
            _ => letters && args.iter().all(|a| self.orders[*a].numbers()),
        }
    }

    /// One panel for each value of an argument.
    fn panels(&self) -> Grid {
        let same = |a: usize, b: usize| self.orders[a].values == self.orders[b].values;
        let by = match () {
            _ if same(1, 2) || !self.orders[0].ordered => 0,
            _ if same(0, 1) || !self.orders[2].ordered => 2,
            _ if same(0, 2) || !self.orders[1].ordered => 1,
            _ => (0..3).min_by_key(|a| (self.orders[*a].len(), *a)).expect("three"),
        };
        let rest: Vec<usize> = (0..3).filter(|a| *a != by).collect();
        let count = self.orders[by].len();
        let columns = if count <= 4 { count } else { (count as f64).sqrt().ceil() as usize };
        self.tiled(&rest, |place| {
            let panel = self.orders[by].index(&place[by])?;
            let title = self.orders[by].values[panel].clone();
            Some((panel % columns, panel / columns, title))
        })
    }

    /// Four place arguments: two for the panel and two within it, or two for a row and two for a column.
    fn square_of_squares(&self) -> Grid {
        let pair = |args: &[usize]| self.together.iter().any(|t| t.0 == args);
        if pair(&[0, 1]) || pair(&[2, 3]) {
            return self.flat(&[0, 1], &[2, 3]);
        }
        let (across, down) = self.orient(&[2], &[3]);
        let (outer_across, outer_down) = ([across[0] - 2], [down[0] - 2]);
        self.tiled(&[2, 3], |place| {
            let (column, row) = self.cell(place, &outer_across, &outer_down)?;
            Some((column, row, String::new()))
        })
    }

    /// Panels of the rows and columns of two arguments, each put where `panel` says.
    fn tiled(
        &self,
        inner: &[usize],
        panel: impl Fn(&Place) -> Option<(usize, usize, String)>,
    ) -> Grid {
        let (across, down) = self.orient(&inner[..1], &inner[1..]);
        let (columns, rows) = (self.orders[across[0]].len(), self.orders[down[0]].len());
        let mut grid = Grid::empty(Shape::Square);
        let mut seen: IndexMap<(usize, usize), String> = IndexMap::new();
        for place in self.places {
            let (Some((x, y)), Some((px, py, title))) =
                (self.cell(place, across, down), panel(place))
            else {
                continue;
            };
            let room = if title.is_empty() { GAP / 2 } else { GAP + CELL / 2 };
            let left = px as i32 * (columns as i32 * CELL + GAP / 2);
            let top = py as i32 * (rows as i32 * CELL + room);
            let point = (left + x as i32 * CELL + CELL / 2, top + y as i32 * CELL + CELL / 2);
            grid.points.insert(place.clone(), point);
            if seen.insert((px, py), title.clone()).is_none() {
                grid.frames.push([left, top, columns as i32 * CELL, rows as i32 * CELL]);
                let (x, y) = (left + columns as i32 * CELL / 2, top - CELL / 4);
                if !title.is_empty() {
                    grid.labels.push(Label { x, y, text: title, title: true });
                }
            }
        }
        grid
    }

    /// A relation of the rules that gives every place a column and a row of its own.
    fn mapped(&self) -> Option<Grid> {
        let arity = self.orders.len();
        if arity < 3 {
            return None;
        }
        self.statics.of_arity(arity + 2).find_map(|relation| {
            let mut map: IndexMap<&[String], &[String]> = IndexMap::new();
            for row in &relation.rows {
                map.insert(&row[..arity], &row[arity..]);
            }
            let targets: FxHashSet<&[String]> =
                self.places.iter().filter_map(|p| map.get(p.as_slice()).copied()).collect();
            if targets.len() != self.places.len() {
                return None;
            }
            self.map_out(&map, (self.hints)(&relation.name, relation.arity))
        })
    }

    fn map_out(&self, map: &IndexMap<&[String], &[String]>, hints: Hints) -> Option<Grid> {
        let arity = self.orders.len();
        let targets: IndexSet<Place> =
            self.places.iter().map(|p| map[p.as_slice()].to_vec()).collect();
        let order = |a: usize| Order::new(targets.iter().map(|t| t[a].as_str()), self.statics);
        let orders = vec![order(0), order(1)];
        if !orders.iter().all(|o| o.ordered) {
            return None;
        }
        let survey = Survey {
            places: &targets,
            orders,
            votes: hints.votes[arity..].to_vec(),
            together: vec![],
            ground: vec![None, None],
            statics: self.statics,
            corners: &[],
            hints: self.hints,
        };
        let mut grid = survey.flat(&[0], &[1]);
        let points = std::mem::take(&mut grid.points);
        let point = |p: &Place| (p.clone(), points[map[p.as_slice()]]);
        grid.points = self.places.iter().map(point).collect();
        let groups: IndexSet<&String> = self.places.iter().map(|p| &p[0]).collect();
        grid.frames = groups.iter().map(|g| grid.around(|p| p[0] == **g)).collect();
        Some(grid)
    }

    /// How hexagons lean, if a relation of the rules gives the places six neighbours.
    fn slant(&self, first: &[usize], second: &[usize], down: &Axis) -> Option<bool> {
        let ([a], [b]) = (first, second) else { return None };
        let Some(steps) = self.steps(*a, *b) else {
            return self.leans(*a, *b).map(|falling| falling != down.up);
        };
        let both = |dx: i32, dy: i32| steps.contains(&(dx, dy)) || steps.contains(&(-dx, -dy));
        let (falling, rising) = (both(1, -1), both(1, 1));
        let six = both(1, 0) && both(0, 1) && (falling != rising);
        // Drawn from the bottom up, a step down the values is one up the picture.
        six.then_some(falling != down.up)
    }

    /// Whether the places are a hexagon with a slant: each line begins and ends further on than the one before,
    /// but for the ends of the board. Then there are three directions of lines.
    fn leans(&self, a: usize, b: usize) -> Option<bool> {
        let lines = self.orders[a].len();
        let mut ends: Vec<Option<(usize, usize)>> = vec![None; lines];
        for place in self.places {
            let (line, at) = (self.orders[a].index(&place[a])?, self.orders[b].index(&place[b])?);
            let (low, high) = ends[line].unwrap_or((at, at));
            ends[line] = Some((low.min(at), high.max(at)));
        }
        let ends: Vec<(usize, usize)> = ends.into_iter().collect::<Option<_>>()?;
        let cells: usize = ends.iter().map(|(low, high)| high - low + 1).sum();
        let (first, last) = (*ends.first()?, *ends.last()?);
        let inner = &ends[1..ends.len().checked_sub(1)?.max(1)];
        let rising = inner.windows(2).all(|w| w[0].0 <= w[1].0 && w[0].1 <= w[1].1);
        let falling = inner.windows(2).all(|w| w[0].0 >= w[1].0 && w[0].1 >= w[1].1);
        let far = |x: usize, y: usize| x.abs_diff(y) * 3 >= lines;
        let leans = far(first.0, last.0) && far(first.1, last.1) && rising != falling;
        (lines > 4 && cells == self.places.len() && leans).then_some(falling)
    }

    /// The steps between neighbours, if a relation has steps to the next lines only.
    fn steps(&self, a: usize, b: usize) -> Option<FxHashSet<(i32, i32)>> {
        let steps_of = |rows: &Vec<Vec<String>>| {
            let index = |axis: usize, value: &str| self.orders[axis].index(value).map(|i| i as i32);
            let step = |row: &Vec<String>| {
                let at = row.len() - 4;
                let (x, y) = (index(a, &row[at])?, index(b, &row[at + 1])?);
                let (u, v) = (index(a, &row[at + 2])?, index(b, &row[at + 3])?);
                Some((u - x, v - y))
            };
            rows.iter().map(step).collect::<Option<FxHashSet<(i32, i32)>>>()
        };
        let near = |steps: &FxHashSet<(i32, i32)>| {
            let both = |dx, dy| steps.contains(&(dx, dy)) || steps.contains(&(-dx, -dy));
            let short = steps.iter().all(|(x, y)| x.abs() <= 1 && y.abs() <= 1);
            short && both(1, 0) && both(0, 1) && (both(1, 1) != both(1, -1))
        };
        let relations = self.statics.of_arity(4).chain(self.statics.of_arity(5));
        relations.filter_map(|r| steps_of(&r.rows)).find(near)
    }
}

impl Grid {
    pub fn empty(shape: Shape) -> Grid {
        let (points, labels, edges, frames) = (IndexMap::new(), vec![], vec![], vec![]);
        Grid { points, shape, labels, edges, frames }
    }

    /// The rectangle around the cells of some places.
    pub fn around(&self, of: impl Fn(&Place) -> bool) -> [i32; 4] {
        let points: Vec<(i32, i32)> =
            self.points.iter().filter(|(p, _)| of(p)).map(|(_, at)| *at).collect();
        let ends = |part: fn(&(i32, i32)) -> i32| {
            let all = points.iter().map(part);
            (all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
        };
        let ((left, right), (top, bottom)) = (ends(|p| p.0), ends(|p| p.1));
        let half = CELL / 2;
        [left - half, top - half, right - left + CELL, bottom - top + CELL]
    }
}

/// Puts cells by column and row, with the names of the lines along the edges.
fn lay_out(
    cells: &IndexMap<Place, (usize, usize)>,
    across: &Axis,
    down: &Axis,
    slant: Option<bool>,
) -> Grid {
    let mut grid = Grid::empty(if slant.is_some() { Shape::Hexagon } else { Shape::Square });
    let rows = down.values.len() as i32;
    let point = |column: i32, row: i32| match slant {
        None => (column * CELL + CELL / 2, row * CELL + CELL / 2),
        Some(falling) => {
            let shift = if falling { row } else { rows - 1 - row };
            (column * CELL + shift * CELL / 2 + CELL / 2, row * HEX_ROW + CELL / 2)
        }
    };
    for (place, (column, row)) in cells {
        grid.points.insert(place.clone(), point(*column as i32, *row as i32));
    }
    let name = |value: &Vec<String>| value.join(" ");
    // On a board of hexagons lines are named where they begin.
    let hexagons = slant.is_some();
    let first = |of: &dyn Fn(&(usize, usize)) -> Option<usize>| {
        cells.values().filter_map(of).min().filter(|_| hexagons).unwrap_or(0) as i32
    };
    let column_name = |(column, value): (usize, &Vec<String>)| {
        let text = name(value);
        let top = first(&|c| {
            (c.0 == column).then_some(if down.up { rows as usize - 1 - c.1 } else { c.1 })
        });
        let (row, out) = if down.up { (rows - 1 - top, 1) } else { (top, -1) };
        let (x, y) = match top {
            0 => {
                let (x, y) = point(column as i32, row);
                (x, y + out * CELL * 4 / 5)
            }
            _ => point(column as i32, row + out),
        };
        Label { x, y, text, title: false }
    };
    let columns: Vec<Label> = across.values.iter().enumerate().map(column_name).collect();
    for (row, value) in down.values.iter().enumerate() {
        let row = if down.up { rows - 1 - row as i32 } else { row as i32 };
        let (x, y) = point(first(&|c| (c.1 as i32 == row).then_some(c.0)), row);
        let text = name(value);
        let mut x = x - CELL / 2 - 22 - text.chars().count() as i32 * 10;
        let near = |x: i32| columns.iter().any(|l| (l.x - x).abs() < 50 && (l.y - y).abs() < 30);
        while near(x) {
            x -= CELL / 2;
        }
        grid.labels.push(Label { x, y, text, title: false });
    }
    grid.labels.extend(columns);
    grid
}

/// Thick borders where a line is made of two arguments.
fn frames(across: &Axis, down: &Axis, shape: Shape) -> Vec<[i32; 4]> {
    let blocks = |axis: &Axis| {
        let deep = axis.values.first().is_some_and(|v| v.len() > 1);
        let firsts: IndexSet<&String> = axis.values.iter().map(|v| &v[0]).collect();
        if deep { firsts.len() } else { 1 }
    };
    let (columns, rows) = (blocks(across), blocks(down));
    if shape != Shape::Square || columns * rows < 2 {
        return vec![];
    }
    let width = (across.values.len() / columns) as i32 * CELL;
    let height = (down.values.len() / rows) as i32 * CELL;
    let frame =
        |i: usize| [(i % columns) as i32 * width, (i / columns) as i32 * height, width, height];
    (0..columns * rows).map(frame).collect()
}
