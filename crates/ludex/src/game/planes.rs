//! `Net` and a board -> `Planes`: a state as layers of the board, for learners.

use ludex_facts::boards::Board;
use ludex_net::Net;
use std::cmp::Ordering;

/// How a state is shown as planes of height and width: what each of them means, and where each fact stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planes {
    /// The number of rows and columns of the board.
    pub height: usize,
    /// Columns of the board.
    pub width: usize,
    /// One after the other.
    pub planes: Vec<Plane>,
    /// By plane, row and column the number of the base, or none.
    pub bases: Vec<Option<u32>>,
}

/// What a plane shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plane {
    /// The facts of a relation on the board, with what they say of a place.
    Board {
        /// Such as `(cell * * x)`.
        facts: String,
    },
    /// One fact that is true or not, the same everywhere.
    Whole {
        /// The fact.
        fact: String,
    },
    /// Facts that stand on no board, one in each place.
    Rest {
        /// Their names, row by row.
        facts: Vec<String>,
    },
}

/// Relations with at most so many facts have planes of their own.
const FEW: usize = 4;
/// A longer side of a board is none.
const LONGEST: usize = 256;

impl Planes {
    /// Of a view of the state as a board; without one, or with one that has no rows and columns, of facts alone.
    pub fn new(net: &Net, board: Option<&Board>) -> Planes {
        let facts: Vec<Vec<String>> = net.bases.iter().map(|base| words(&base.name)).collect();
        let grid = board.and_then(|board| PlaneGrid::of(board, &facts));
        let (height, width) = grid.as_ref().map_or((1, 1), |g| (g.rows.len(), g.columns.len()));
        let mut made = Planes { height, width, planes: vec![], bases: vec![] };
        let mut off: Vec<usize> = (0..facts.len()).collect();
        if let Some(grid) = &grid {
            off.retain(|base| grid.place(&facts[*base]).is_none());
            made.add_board(grid, &facts);
        }
        made.add_others(net, &facts, &off, grid.is_some());
        made
    }

    /// The columns of an observation that shows them.
    pub fn columns(&self) -> Vec<u32> {
        self.bases.iter().map(|base| base.unwrap_or(ludex_machine::EnvSettings::NOTHING)).collect()
    }

    fn area(&self) -> usize {
        self.height * self.width
    }

    fn add_board(&mut self, grid: &PlaneGrid, facts: &[Vec<String>]) {
        for content in &grid.contents {
            let mut plane = vec![None; self.area()];
            for (base, fact) in facts.iter().enumerate() {
                if let Some((row, column)) =
                    grid.place(fact).filter(|_| grid.content(fact) == *content)
                {
                    plane[row * self.width + column] = Some(base as u32);
                }
            }
            self.planes.push(Plane::Board { facts: grid.name(content) });
            self.bases.extend(plane);
        }
    }

    fn add_others(&mut self, net: &Net, facts: &[Vec<String>], off: &[usize], on_board: bool) {
        let of_relation =
            |base: &usize| off.iter().filter(|other| facts[**other][0] == facts[*base][0]).count();
        let (few, many): (Vec<usize>, Vec<usize>) =
            off.iter().partition(|base| !on_board || of_relation(base) <= FEW);
        for base in few {
            self.planes.push(Plane::Whole { fact: net.bases[base].name.clone() });
            self.bases.extend(vec![Some(base as u32); self.area()]);
        }
        for some in many.chunks(self.area()) {
            let names = some.iter().map(|base| net.bases[*base].name.clone());
            self.planes.push(Plane::Rest { facts: names.collect() });
            self.bases.extend(some.iter().map(|base| Some(*base as u32)));
            self.bases.extend(vec![None; self.area() - some.len()]);
        }
    }
}

/// The rows and columns of a board, and what its places can hold.
struct PlaneGrid {
    relation: String,
    arity: usize,
    /// The arguments that are row and column, from 1.
    across: (usize, usize),
    rows: Vec<String>,
    columns: Vec<String>,
    contents: Vec<Vec<String>>,
}

impl PlaneGrid {
    /// The first two arguments of a place are column and row, as x and y are.
    fn of(board: &Board, facts: &[Vec<String>]) -> Option<PlaneGrid> {
        let (column, row) = match board.places[..] {
            [only] => (only, 0),
            [first, second, ..] => (first, second),
            [] => return None,
        };
        let of = |fact: &&Vec<String>| fact[0] == board.relation && fact.len() == board.arity + 1;
        let values = |argument: usize| match argument {
            0 => vec![String::new()],
            argument => {
                sorted(facts.iter().filter(of).map(|fact| fact[argument].clone()).collect())
            }
        };
        let (rows, columns) = (values(row), values(column));
        let mut grid = PlaneGrid {
            relation: board.relation.clone(),
            arity: board.arity,
            across: (row, column),
            rows,
            columns,
            contents: vec![],
        };
        let mut contents: Vec<_> = facts.iter().filter(of).map(|fact| grid.content(fact)).collect();
        contents.sort();
        contents.dedup();
        grid.contents = contents;
        let sides = [grid.rows.len(), grid.columns.len()];
        (!grid.contents.is_empty() && sides.iter().all(|n| (1..=LONGEST).contains(n)))
            .then_some(grid)
    }

    fn is_other(&self, argument: usize) -> bool {
        argument != self.across.0 && argument != self.across.1
    }

    /// What a fact says of its place: its other arguments.
    fn content(&self, fact: &[String]) -> Vec<String> {
        (1..fact.len()).filter(|a| self.is_other(*a)).map(|a| fact[a].clone()).collect()
    }

    fn place(&self, fact: &[String]) -> Option<(usize, usize)> {
        if fact[0] != self.relation || fact.len() != self.arity + 1 {
            return None;
        }
        let of = |values: &[String], argument: usize| match argument {
            0 => Some(0),
            argument => values.iter().position(|value| *value == fact[argument]),
        };
        Some((of(&self.rows, self.across.0)?, of(&self.columns, self.across.1)?))
    }

    fn name(&self, content: &[String]) -> String {
        let mut content = content.iter();
        let mut name = format!("({}", self.relation);
        for argument in 1..=self.arity {
            name.push(' ');
            let other = if self.is_other(argument) { content.next() } else { None };
            name.push_str(other.map_or("*", String::as_str));
        }
        name + ")"
    }
}

/// Numbers by value, before other names.
fn sorted(mut values: Vec<String>) -> Vec<String> {
    let order = |a: &String, b: &String| match (a.parse::<i64>(), b.parse::<i64>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => a.cmp(b),
    };
    values.sort_by(order);
    values.dedup();
    values
}

/// The relation of a fact and its arguments, each as text.
fn words(fact: &str) -> Vec<String> {
    let inner = fact.strip_prefix('(').and_then(|f| f.strip_suffix(')')).unwrap_or(fact);
    let (mut depth, mut found) = (0, vec![String::new()]);
    for c in inner.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        found.last_mut().expect("begun").push(c);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_has_its_relation_and_arguments() {
        assert_eq!(words("(cell 1 (f a b) x)"), ["cell", "1", "(f a b)", "x"]);
        assert_eq!(words("off"), ["off"]);
        let names = ["10", "b", "2", "a"].map(String::from).to_vec();
        assert_eq!(sorted(names), ["2", "10", "a", "b"]);
    }
}
