//! Places with one name -> `Grid`: `c4` by its letter and number, others in a row or as a graph.

use super::grid::{CELL, Grid, HEX_ROW, Label, Shape, Survey};
use super::order::Order;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

/// A row of places is broken after this many.
const LONGEST_ROW: usize = 16;

impl Survey<'_> {
    pub(super) fn named_places(&self) -> Option<Grid> {
        let edges = self.neighbours();
        match self.split_names() {
            Some(split) => Some(self.by_letter_and_number(&split, &edges)),
            None if edges.is_empty() => Some(self.row()),
            None if self.orders[0].ordered && !self.is_net(&edges) => Some(self.row()),
            None => Some(self.circle(&edges)),
        }
    }

    /// More ways than a line or a circle of places has, but not from each to each.
    fn is_net(&self, edges: &[(String, String)]) -> bool {
        let places = self.places.len();
        edges.len() > places && edges.len() < places * (places - 1) / 2
    }

    /// Pairs of places that a relation of the rules calls neighbours: the one with most pairs.
    fn neighbours(&self) -> Vec<(String, String)> {
        let known: FxHashSet<&String> = self.places.iter().map(|p| &p[0]).collect();
        let pairs = |rows: &Vec<Vec<String>>| {
            let mut found: Vec<(String, String)> = Vec::new();
            for row in rows {
                let places: Vec<&String> = row.iter().filter(|v| known.contains(v)).collect();
                if let [a, b] = places[..]
                    && a != b
                {
                    found.push((a.min(b).clone(), a.max(b).clone()));
                }
            }
            found.sort();
            found.dedup();
            found
        };
        let relations = self.statics.relations.iter().filter(|r| (2..=3).contains(&r.arity));
        let all = relations.map(|r| pairs(&r.rows));
        // The first of the largest ones.
        all.rev().max_by_key(Vec::len).unwrap_or_default()
    }

    /// Names made of letters and a number, with more than one of each.
    fn split_names(&self) -> Option<IndexMap<String, (String, String)>> {
        let split = |name: &String| {
            let at = name.find(|c: char| c.is_ascii_digit()).filter(|at| *at > 0)?;
            let (word, number) = name.split_at(at);
            number.parse::<u32>().ok()?;
            Some((name.clone(), (word.to_string(), number.to_string())))
        };
        let all: Option<IndexMap<String, (String, String)>> =
            self.places.iter().map(|p| split(&p[0])).collect();
        let words = |m: &IndexMap<String, (String, String)>| {
            m.values().map(|v| v.0.clone()).collect::<FxHashSet<_>>().len()
        };
        all.filter(|m| words(m) > 1 && words(m) < m.len())
    }

    /// A row for each word; the rows are centred where that puts neighbours next to each other.
    fn by_letter_and_number(
        &self,
        split: &IndexMap<String, (String, String)>,
        edges: &[(String, String)],
    ) -> Grid {
        let words = Order::new(split.values().map(|v| v.0.as_str()), self.statics);
        let numbers = Order::new(split.values().map(|v| v.1.as_str()), self.statics);
        let column = |name: &String| numbers.index(&split[name].1).expect("listed") as i32;
        let row = |name: &String| words.index(&split[name].0).expect("listed") as i32;
        let aligned = |n: &String| (column(n) * CELL + CELL / 2, row(n) * CELL + CELL / 2);
        let middle = |word: &String| {
            let own = split.iter().filter(|(_, v)| v.0 == *word).map(|(n, _)| column(n));
            (own.clone().min().unwrap_or(0) + own.max().unwrap_or(0)) * CELL / 2
        };
        let centred = |n: &String| {
            let x = column(n) * CELL - middle(&split[n].0) + numbers.len() as i32 * CELL / 2;
            (x, row(n) * HEX_ROW + CELL / 2)
        };
        let near = |at: &dyn Fn(&String) -> (i32, i32)| {
            let short = |(a, b): &&(String, String)| {
                let ((x, y), (u, v)) = (at(a), at(b));
                ((x - u).pow(2) + (y - v).pow(2)) <= (CELL + 10).pow(2)
            };
            edges.iter().filter(short).count()
        };
        let hexagons = !edges.is_empty() && near(&centred) > near(&aligned);
        let mut grid = Grid::empty(if hexagons { Shape::Hexagon } else { Shape::Square });
        for place in self.places {
            let at = if hexagons { centred(&place[0]) } else { aligned(&place[0]) };
            grid.points.insert(place.clone(), at);
        }
        for word in &words.values {
            let own = grid.points.iter().filter(|(p, _)| split[&p[0]].0 == *word);
            let (x, y) = own.map(|(_, at)| *at).min().expect("a place for every word");
            grid.labels.push(Label { x: x - CELL * 4 / 5, y, text: word.clone(), title: false });
        }
        if !hexagons {
            for number in &numbers.values {
                let x = numbers.index(number).expect("listed") as i32 * CELL + CELL / 2;
                grid.labels.push(Label {
                    x,
                    y: -CELL * 3 / 10,
                    text: number.clone(),
                    title: false,
                });
            }
        }
        grid
    }

    /// Places one after the other, named above.
    fn row(&self) -> Grid {
        let mut grid = Grid::empty(Shape::Square);
        for (i, value) in self.orders[0].values.iter().enumerate() {
            let (column, row) = ((i % LONGEST_ROW) as i32, (i / LONGEST_ROW) as i32);
            let (x, y) = (column * CELL + CELL / 2, row * (CELL * 3 / 2) + CELL / 2);
            grid.points.insert(vec![value.clone()], (x, y));
            grid.labels.push(Label { x, y: y - CELL * 7 / 10, text: value.clone(), title: false });
        }
        grid
    }

    /// The one place that is a neighbour of all others: the middle of a wheel.
    fn hub(&self, edges: &[(String, String)]) -> Option<&String> {
        let values = &self.orders[0].values;
        let degree = |v: &String| edges.iter().filter(|(a, b)| a == v || b == v).count();
        let mut hubs = values.iter().filter(|v| degree(v) + 1 == values.len());
        hubs.next().filter(|_| hubs.next().is_none() && values.len() > 4)
    }

    /// Places on a circle, neighbours joined by lines; the middle of a wheel in its middle.
    fn circle(&self, edges: &[(String, String)]) -> Grid {
        let mut grid = Grid::empty(Shape::Node);
        let hub = self.hub(edges);
        let rim: Vec<&String> = self.orders[0].values.iter().filter(|v| Some(*v) != hub).collect();
        let values = ring(&rim, edges).unwrap_or(rim);
        let count = values.len() as f64;
        let radius = (count * 1.5 * f64::from(CELL) / std::f64::consts::TAU).max(130.0);
        let mut at: IndexMap<&String, (i32, i32)> = IndexMap::new();
        if let Some(hub) = hub {
            let middle = radius.round() as i32 + CELL / 2;
            at.insert(hub, (middle, middle));
            grid.points.insert(vec![hub.clone()], (middle, middle));
        }
        for (i, value) in values.into_iter().enumerate() {
            let angle = std::f64::consts::TAU * (i as f64 / count - 0.25);
            let x = (radius * (1.0 + angle.cos())).round() as i32 + CELL / 2;
            let y = (radius * (1.0 + angle.sin())).round() as i32 + CELL / 2;
            at.insert(value, (x, y));
            grid.points.insert(vec![value.clone()], (x, y));
            let length = 55.0 + 10.0 * value.chars().count() as f64;
            let out = 1.0 + length / radius;
            let label = (radius * (1.0 + out * angle.cos()), radius * (1.0 + out * angle.sin()));
            let (x, y) = (label.0.round() as i32 + CELL / 2, label.1.round() as i32 + CELL / 2);
            grid.labels.push(Label { x, y, text: value.clone(), title: false });
        }
        // The points come in the order of the places.
        grid.points.sort_by_key(|p, _| self.orders[0].index(&p[0]));
        let known = |(a, b): &(String, String)| Some((*at.get(a)?, *at.get(b)?));
        grid.edges = edges.iter().filter_map(known).collect();
        grid
    }
}

/// Steps before the search for a ring is given up.
const RING_STEPS: usize = 2_000;

/// All places one after the other along lines, back to the first one.
fn ring<'a>(values: &[&'a String], edges: &[(String, String)]) -> Option<Vec<&'a String>> {
    let joined = |a: &String, b: &String| {
        edges.iter().any(|(x, y)| (x == a && y == b) || (x == b && y == a))
    };
    let mut way: Vec<usize> = vec![0];
    let mut next = 1;
    for _ in 0..RING_STEPS {
        let last = *way.last()?;
        if way.len() == values.len() && joined(values[last], values[0]) {
            return Some(way.into_iter().map(|i| values[i]).collect());
        }
        let free = |i: &usize| !way.contains(i) && joined(values[last], values[*i]);
        match (next..values.len()).find(free) {
            Some(i) => {
                way.push(i);
                next = 1;
            }
            None => next = way.pop()? + 1,
        }
    }
    None
}
