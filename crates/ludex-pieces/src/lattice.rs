//! `Lattice`: the places of a board as points, so that a move is a direction and a number of steps.

use indexmap::IndexSet;
use ludex_picture::{Order, StaticRelations};
use rustc_hash::FxHashMap;

/// A direction: the shortest vector along it, by place argument.
pub type Direction = Vec<i32>;

pub struct Lattice {
    /// The values of each place argument in their order.
    pub orders: Vec<Order>,
    points: Vec<Vec<i32>>,
    numbers: FxHashMap<Vec<i32>, usize>,
}

impl Lattice {
    pub fn new(places: &IndexSet<Vec<String>>, statics: &StaticRelations) -> Lattice {
        let arguments = places.first().map_or(0, Vec::len);
        let order = |a: usize| Order::new(places.iter().map(|p| p[a].as_str()), statics);
        let orders: Vec<Order> = (0..arguments).map(order).collect();
        let index = |(order, value): (&Order, &String)| order.index(value).expect("a value") as i32;
        let point = |p: &Vec<String>| orders.iter().zip(p).map(index).collect();
        let points: Vec<Vec<i32>> = places.iter().map(point).collect();
        let numbers = points.iter().cloned().zip(0..).collect();
        Lattice { orders, points, numbers }
    }

    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Arguments along which one can go.
    pub fn axes(&self) -> Vec<usize> {
        let goes = |a: &usize| self.orders[*a].ordered && self.orders[*a].len() > 1;
        (0..self.orders.len()).filter(goes).collect()
    }

    /// The coordinate of a place.
    pub fn at(&self, place: usize, axis: usize) -> i32 {
        self.points[place][axis]
    }

    /// The place so many steps away.
    pub fn step(&self, from: usize, direction: &[i32], steps: i32) -> Option<usize> {
        let along = self.points[from].iter().zip(direction).map(|(at, d)| at + d * steps);
        self.numbers.get(&along.collect::<Vec<i32>>()).copied()
    }

    /// The direction and the number of steps from one place to another; none where arguments differ whose
    /// values have no order.
    pub fn way(&self, from: usize, to: usize) -> Option<(Direction, i32)> {
        let pairs = self.points[from].iter().zip(&self.points[to]);
        let vector: Vec<i32> = pairs.map(|(a, b)| b - a).collect();
        let lost = |(d, order): (&i32, &Order)| *d != 0 && !order.ordered;
        let steps = vector.iter().fold(0, |g, d| gcd(g, d.abs()));
        if steps == 0 || vector.iter().zip(&self.orders).any(lost) {
            return None;
        }
        Some((vector.into_iter().map(|d| d / steps).collect(), steps))
    }

    /// The places strictly between.
    pub fn between<'a>(
        &'a self,
        from: usize,
        (direction, steps): (&'a [i32], i32),
    ) -> impl Iterator<Item = usize> + 'a {
        (1..steps).filter_map(move |i| self.step(from, direction, i))
    }
}

fn gcd(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
