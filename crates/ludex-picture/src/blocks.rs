//! Rules that name the corners of blocks -> the blocks of a board, such as the nine of a sudoku.

use super::grid::{Grid, Place};
use super::order::Order;
use indexmap::IndexMap;
use ludex_gdl::rules::{Literal, Rules, Term};

/// For every rule and relation of two arguments the pairs of constants that its conditions name.
pub fn corners(rules: &Rules) -> Vec<Vec<Place>> {
    let mut found = Vec::new();
    for rule in &rules.rules {
        let mut pairs: IndexMap<usize, Vec<Place>> = IndexMap::new();
        for atom in rule.body.iter().filter_map(Literal::atom) {
            let name = |term: &Term| match term {
                Term::App(f, args) if args.is_empty() => Some(rules.symbols.name(*f).to_string()),
                _ => None,
            };
            let names: Option<Place> = atom.args.iter().map(name).collect();
            if let Some(pair) = names.filter(|n| n.len() == 2 && !atom.rel.is_keyword()) {
                pairs.entry(atom.rel.index()).or_default().push(pair);
            }
        }
        found.extend(pairs.into_values().filter(|p| p.len() > 3));
    }
    found
}

/// The frames of blocks, if some corners divide both lines of a board evenly.
pub fn blocks(corners: &[Vec<Place>], orders: &[Order], grid: &Grid) -> Vec<[i32; 4]> {
    let [across, down] = orders else { return vec![] };
    let even = |corners: &Vec<Place>| {
        let (width, height) = (stride(corners, 0, across)?, stride(corners, 1, down)?);
        let blocks = across.len() / width * (down.len() / height);
        (corners.len() == blocks).then_some((width, height))
    };
    let Some((width, height)) = corners.iter().find_map(even) else { return vec![] };
    let block = |place: &Place| {
        let index = |order: &Order, a: usize| order.index(&place[a]).unwrap_or(0);
        (index(across, 0) / width, index(down, 1) / height)
    };
    let all = (0..across.len() / width).flat_map(|x| (0..down.len() / height).map(move |y| (x, y)));
    all.map(|b| grid.around(|place| block(place) == b)).collect()
}

/// The number of lines from one corner to the next, if it is the same for all, and more than one.
fn stride(corners: &[Place], argument: usize, order: &Order) -> Option<usize> {
    let mut at: Vec<usize> =
        corners.iter().map(|c| order.index(&c[argument])).collect::<Option<_>>()?;
    at.sort_unstable();
    at.dedup();
    let stride = order.len() / at.len().max(1);
    let even = at.iter().enumerate().all(|(i, line)| *line == i * stride);
    (even && at.len() > 1 && stride > 1 && stride * at.len() == order.len()).then_some(stride)
}
