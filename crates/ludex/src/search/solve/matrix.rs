//! Moves made at the same time: what a table of payoffs is worth.
//!
//! Where two roles choose and what one gets the other loses, the value is that of the matrix game, with
//! mixed moves, by the simplex method over rational numbers: exact. Otherwise moves that are worse than
//! another whatever the others do are struck out as long as there are any; a single cell that is left is
//! what reasonable roles play. Anything else has no one value.

use super::Value;

/// Payoffs of all combinations of the choosers' moves, the last chooser's moves going round fastest.
pub struct Payoffs {
    /// The number of moves of every chooser.
    pub moves: Vec<usize>,
    /// Per combination what every role of the game gets.
    pub cells: Vec<Vec<Value>>,
    /// The roles that choose.
    pub choosers: Vec<usize>,
}

/// How a table was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By the best mixed moves of a game of constant sum.
    Mixed,
    /// By striking out dominated moves.
    Dominance,
}

impl Payoffs {
    /// What every role gets, or none.
    pub fn value(&self) -> Option<(Vec<Value>, How)> {
        match self.constant_sum() {
            Some(sum) => {
                let [a, b] = self.choosers[..] else { unreachable!("two choose") };
                let row = |i: usize| {
                    self.cells[i * self.moves[1]..][..self.moves[1]].iter().map(|c| c[a].clone())
                };
                let matrix: Vec<Vec<Value>> =
                    (0..self.moves[0]).map(|i| row(i).collect()).collect();
                let mut values = self.cells[0].clone();
                values[a] = matrix_game(&matrix);
                values[b] = sum - &values[a];
                Some((values, How::Mixed))
            }
            None => self.dominance().map(|cell| (self.cells[cell].clone(), How::Dominance)),
        }
    }

    /// What the two choosers get together, if it is always the same and nobody else is concerned.
    fn constant_sum(&self) -> Option<Value> {
        let [a, b] = self.choosers[..] else { return None };
        let first = &self.cells[0];
        let sum = &first[a] + &first[b];
        let rest = |cell: &Vec<Value>| {
            (0..cell.len()).filter(|r| *r != a && *r != b).all(|r| cell[r] == first[r])
        };
        self.cells.iter().all(|c| &c[a] + &c[b] == sum && rest(c)).then_some(sum)
    }

    /// The one cell that is left when dominated moves are struck out.
    fn dominance(&self) -> Option<usize> {
        let mut left: Vec<Vec<usize>> = self.moves.iter().map(|n| (0..*n).collect()).collect();
        loop {
            let found = (0..left.len()).find_map(|k| Some((k, self.dominated(&left, k)?)));
            let Some((k, at)) = found else { break };
            left[k].remove(at);
        }
        let only = left.iter().all(|l| l.len() == 1);
        only.then(|| self.index(&left.iter().map(|l| l[0]).collect::<Vec<_>>()))
    }

    /// A move of a chooser that another one of it beats strictly, as a place in its list.
    fn dominated(&self, left: &[Vec<usize>], k: usize) -> Option<usize> {
        let role = self.choosers[k];
        let rows: Vec<Vec<&Value>> = left[k]
            .iter()
            .map(|m| self.combinations(left, k, *m).map(|c| &self.cells[c][role]).collect())
            .collect();
        let beats = |a: &Vec<&Value>, b: &Vec<&Value>| a.iter().zip(b).all(|(x, y)| x > y);
        (0..rows.len()).find(|m| rows.iter().any(|other| beats(other, &rows[*m])))
    }

    fn combinations<'a>(
        &'a self,
        left: &'a [Vec<usize>],
        k: usize,
        m: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let count: usize =
            left.iter().enumerate().filter(|(j, _)| *j != k).map(|l| l.1.len()).product();
        (0..count).map(move |mut n| {
            let pick = |(j, list): (usize, &Vec<usize>)| match j == k {
                true => m,
                false => {
                    let at = n % list.len();
                    n /= list.len();
                    list[at]
                }
            };
            let chosen: Vec<usize> = left.iter().enumerate().map(pick).collect();
            self.index(&chosen)
        })
    }

    fn index(&self, chosen: &[usize]) -> usize {
        chosen.iter().zip(&self.moves).fold(0, |at, (m, n)| at * n + m)
    }
}

/// The value of a matrix game for the role that chooses the row.
pub fn matrix_game(matrix: &[Vec<Value>]) -> Value {
    let columns = 0..matrix[0].len();
    let worst = |row: &Vec<Value>| row.iter().min().expect("a column").clone();
    let best = |j: usize| matrix.iter().map(|row| &row[j]).max().expect("a row").clone();
    let low = matrix.iter().map(worst).max().expect("a row");
    let high = columns.map(best).min().expect("a column");
    if low == high {
        return low;
    }
    // All entries are made positive, so that the value is.
    let least = matrix.iter().flatten().min().expect("an entry").clone();
    let one = Value::from_integer(1.into());
    let shift = &one - &least;
    let positive: Vec<Vec<Value>> =
        matrix.iter().map(|row| row.iter().map(|x| x + &shift).collect()).collect();
    one / simplex(&positive) - shift
}

/// The greatest sum of y with matrix · y at most 1 in every row and y not negative. (Bland's rule: the
/// first column that helps, the first row that limits it; so it ends.)
fn simplex(matrix: &[Vec<Value>]) -> Value {
    let zero = Value::from_integer(0.into());
    let one = Value::from_integer(1.into());
    let (m, n) = (matrix.len(), matrix[0].len());
    // Rows with slack variables and the right side; the last row is what is to become great.
    let mut rows: Vec<Vec<Value>> = Vec::new();
    for (i, row) in matrix.iter().enumerate() {
        let slack = (0..m).map(|k| if k == i { one.clone() } else { zero.clone() });
        rows.push(row.iter().cloned().chain(slack).chain([one.clone()]).collect());
    }
    let mut goal: Vec<Value> = vec![-one.clone(); n];
    goal.extend(vec![zero.clone(); m + 1]);
    let mut basis: Vec<usize> = (n..n + m).collect();
    while let Some(enter) = (0..n + m).find(|j| goal[*j] < zero) {
        let ratio = |i: usize| &rows[i][n + m] / &rows[i][enter];
        let limits = (0..m).filter(|i| rows[*i][enter] > zero);
        let pivot = limits.min_by(|a, b| (ratio(*a), basis[*a]).cmp(&(ratio(*b), basis[*b])));
        let pivot = pivot.expect("the sum is bounded: all entries are positive");
        let by = rows[pivot][enter].clone();
        rows[pivot].iter_mut().for_each(|x| *x = &*x / &by);
        let chosen = rows[pivot].clone();
        let others = rows.iter_mut().enumerate().filter(|(i, _)| *i != pivot).map(|r| r.1);
        for row in others.chain([&mut goal]) {
            let factor = row[enter].clone();
            if factor != zero {
                row.iter_mut().zip(&chosen).for_each(|(x, c)| *x = &*x - &factor * c);
            }
        }
        basis[pivot] = enter;
    }
    goal[n + m].clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[i32]]) -> Vec<Vec<Value>> {
        let value = |x: &i32| Value::from_integer((*x).into());
        rows.iter().map(|row| row.iter().map(value).collect()).collect()
    }

    #[test]
    fn values_of_matrix_games() {
        let value = |a: i32, b: i32| Value::new(a.into(), b.into());
        assert_eq!(matrix_game(&table(&[&[0, 100], &[100, 0]])), value(50, 1));
        assert_eq!(
            matrix_game(&table(&[&[50, 0, 100], &[100, 50, 0], &[0, 100, 50]])),
            value(50, 1)
        );
        assert_eq!(matrix_game(&table(&[&[3, 1], &[0, 2]])), value(3, 2));
        assert_eq!(matrix_game(&table(&[&[2, -1, 6], &[0, 1, -1], &[-2, 2, 1]])), value(1, 2));
        assert_eq!(matrix_game(&table(&[&[4, 5], &[1, 9]])), value(4, 1));
    }

    #[test]
    fn dominated_moves_are_struck_out() {
        // The prisoners' dilemma: both confess.
        let cell = |a: i32, b: i32| table(&[&[a, b]]).remove(0);
        let cells = vec![cell(3, 3), cell(0, 5), cell(5, 0), cell(1, 1)];
        let payoffs = Payoffs { moves: vec![2, 2], cells, choosers: vec![0, 1] };
        assert_eq!(payoffs.value(), Some((cell(1, 1), How::Dominance)));
        let cells = vec![cell(2, 1), cell(0, 0), cell(0, 0), cell(1, 2)];
        let payoffs = Payoffs { moves: vec![2, 2], cells, choosers: vec![0, 1] };
        assert_eq!(payoffs.value(), None);
    }
}
