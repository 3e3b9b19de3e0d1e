//! A map of facts to facts -> `Picture`: where the places of the board go, as arrows or numbered circles.

use super::evidence::Fact;
use super::grid::Place;
use super::mark::{Colour, Mark};
use super::scene::{BoardPlan, Scene};
use super::{Arrow, Picture, Piece};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

/// With more places that move, circles of places are numbered instead.
const MOST_ARROWS: usize = 40;

impl Scene {
    /// Draws where a one-to-one map of facts takes the places of the boards; none if it moves none.
    pub fn map(&self, pairs: &[(String, String)]) -> Option<Picture> {
        let pairs: Vec<(Fact, Fact)> =
            pairs.iter().map(|(a, b)| (Fact::new(a), Fact::new(b))).collect();
        let mut picture = Picture::default();
        for board in &self.boards {
            let circles = board.circles(&pairs);
            let moved: usize = circles.iter().map(Vec::len).sum();
            if moved == 0 {
                continue;
            }
            let mut panel = board.panel(&[], &mut FxHashSet::default());
            for (i, circle) in circles.iter().enumerate() {
                let colour = Colour::PALETTE[i % Colour::PALETTE.len()];
                let points: Vec<(i32, i32)> =
                    circle.iter().filter_map(|p| board.grid.points.get(p).copied()).collect();
                if moved <= MOST_ARROWS {
                    panel.arrows.extend(arrows(&points, colour));
                } else {
                    let label = Mark::Label((i + 1).to_string(), colour);
                    let own = panel.cells.iter_mut().filter(|c| points.contains(&c.at));
                    own.for_each(|c| {
                        c.pieces = vec![Piece { mark: label.clone(), fact: String::new() }]
                    });
                }
            }
            picture.panels.push(panel);
        }
        (!picture.panels.is_empty()).then_some(picture)
    }
}

/// Arrows round a circle of points; one with two heads between two.
fn arrows(points: &[(i32, i32)], colour: Colour) -> Vec<Arrow> {
    if let [from, to] = points[..] {
        return vec![Arrow { from, to, both: true, colour }];
    }
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| Arrow { from: *a, to: *b, both: false, colour }).collect()
}

impl BoardPlan {
    /// The circles in which places of the board move, in the order of the places.
    fn circles(&self, pairs: &[(Fact, Fact)]) -> Vec<Vec<Place>> {
        let mut next: IndexMap<Place, Option<Place>> = IndexMap::new();
        for (from, to) in pairs {
            if let (Some(from), Some(to)) = (self.place(from), self.place(to)) {
                let known = next.entry(from).or_insert_with(|| Some(to.clone()));
                // Contents that go different ways: no map of places.
                if known.as_ref() != Some(&to) {
                    *known = None;
                }
            }
        }
        let mut seen: FxHashSet<&Place> = FxHashSet::default();
        let mut circles = Vec::new();
        for place in self.grid.points.keys() {
            let mut circle: Vec<Place> = Vec::new();
            let mut at = place;
            while let Some(Some(to)) = next.get(at)
                && to != at
                && seen.insert(at)
            {
                circle.push(at.clone());
                at = to;
            }
            if circle.len() > 1 {
                circles.push(circle);
            }
        }
        circles
    }
}
