//! Moves made at the same time: what a table of payoffs is worth.
//!
//! Where two roles choose and what one gets the other loses, the value is that of the matrix game, with
//! mixed moves, by the simplex method over whole numbers: exact. Otherwise moves that are worse than
//! another whatever the others do are struck out as long as there are any; a single cell that is left is
//! what reasonable roles play. Anything else has no one value.

use super::Value;
use ludex_gdl::budget::{Budget, Stop};
use num_bigint::BigInt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// By the best mixed moves of a game of constant sum.
    Mixed,
    /// By striking out dominated moves.
    Dominance,
}

/// What a table is worth, and how it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixDecision {
    pub how: How,
    /// What every role of the game gets.
    pub values: Vec<Value>,
    /// Per chooser the chance that it gives to each of its moves.
    pub chances: Vec<Vec<Value>>,
}

impl Payoffs {
    /// How the table is decided, if it is.
    pub fn decide(&self, budget: &Budget) -> Result<Option<MatrixDecision>, Stop> {
        Ok(match self.constant_sum() {
            Some(sum) => {
                let [a, b] = self.choosers[..] else { unreachable!("two choose") };
                let row = |i: usize| {
                    self.cells[i * self.moves[1]..][..self.moves[1]].iter().map(|c| c[a].clone())
                };
                let matrix: Vec<Vec<Value>> =
                    (0..self.moves[0]).map(|i| row(i).collect()).collect();
                let game = matrix_game(&matrix, budget)?;
                let mut values = self.cells[0].clone();
                values[b] = sum - &game.value;
                values[a] = game.value;
                Some(MatrixDecision {
                    how: How::Mixed,
                    values,
                    chances: vec![game.rows, game.columns],
                })
            }
            None => self.dominance().map(|chosen| {
                let chances = chosen.iter().zip(&self.moves).map(|(m, n)| certain(*m, *n));
                MatrixDecision {
                    how: How::Dominance,
                    values: self.cells[self.index(&chosen)].clone(),
                    chances: chances.collect(),
                }
            }),
        })
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

    /// The moves that are left, one of every chooser, when dominated ones are struck out.
    fn dominance(&self) -> Option<Vec<usize>> {
        let mut left: Vec<Vec<usize>> = self.moves.iter().map(|n| (0..*n).collect()).collect();
        loop {
            let found = (0..left.len()).find_map(|k| Some((k, self.dominated(&left, k)?)));
            let Some((k, at)) = found else { break };
            left[k].remove(at);
        }
        let only = left.iter().all(|l| l.len() == 1);
        only.then(|| left.iter().map(|l| l[0]).collect())
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

/// The chances of `n` moves of which one is made for certain.
fn certain(m: usize, n: usize) -> Vec<Value> {
    (0..n).map(|k| Value::from_integer(((k == m) as i32).into())).collect()
}

/// The solution of a matrix game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatrixGame {
    /// What the role that chooses the row gets.
    pub value: Value,
    /// The chance of each row, and of each column.
    pub rows: Vec<Value>,
    pub columns: Vec<Value>,
}

/// Solves the game in which one role chooses the row and wants much, another the column and wants little.
pub fn matrix_game(matrix: &[Vec<Value>], budget: &Budget) -> Result<MatrixGame, Stop> {
    let (m, n) = (matrix.len(), matrix[0].len());
    let worst = |i: usize| matrix[i].iter().min().expect("a column");
    let best = |j: usize| matrix.iter().map(|row| &row[j]).max().expect("a row");
    let row = (0..m).rev().max_by_key(|i| worst(*i)).expect("a row");
    let column = (0..n).min_by_key(|j| best(*j)).expect("a column");
    if worst(row) == best(column) {
        let value = worst(row).clone();
        return Ok(MatrixGame { value, rows: certain(row, m), columns: certain(column, n) });
    }
    // Entries are made positive, so that the value is, and whole.
    let entries = || matrix.iter().flatten();
    let one = Value::from_integer(1.into());
    let shift = one - entries().min().expect("an entry");
    let mut scale = BigInt::from(1);
    for entry in entries() {
        scale *= (entry * &scale).denom().clone();
    }
    let whole = |x: &Value| ((x + &shift) * &scale).to_integer();
    let whole: Vec<Vec<BigInt>> =
        matrix.iter().map(|row| row.iter().map(whole).collect()).collect();
    let (rows, columns, by) = simplex(&whole, budget)?;
    let sum: BigInt = columns.iter().sum();
    let chances =
        |parts: Vec<BigInt>| parts.into_iter().map(|part| Value::new(part, sum.clone())).collect();
    let value = Value::new(by, &sum * scale) - shift;
    Ok(MatrixGame { value, rows: chances(rows), columns: chances(columns) })
}

/// The y, not negative, of the greatest sum with matrix · y at most 1 in every row; before it the x of the
/// least sum with x · matrix at least 1 in every column. The sums are equal, and all is to be divided by the
/// number told last. (Bland's rule: the first column that helps, the first row that limits it; so it ends.
/// What is divided by the pivot before is divisible by it, so that numbers stay whole and short.)
fn simplex(
    matrix: &[Vec<BigInt>],
    budget: &Budget,
) -> Result<(Vec<BigInt>, Vec<BigInt>, BigInt), Stop> {
    let (zero, one) = (BigInt::from(0), BigInt::from(1));
    let (m, n) = (matrix.len(), matrix[0].len());
    // Rows with slack variables and the right side; the last row is what is to become great.
    let mut rows: Vec<Vec<BigInt>> = Vec::new();
    for (i, row) in matrix.iter().enumerate() {
        let slack = (0..m).map(|k| BigInt::from((k == i) as u8));
        rows.push(row.iter().cloned().chain(slack).chain([one.clone()]).collect());
    }
    let mut goal = vec![-one.clone(); n];
    goal.extend(vec![zero.clone(); m + 1]);
    let mut basis: Vec<usize> = (n..n + m).collect();
    let mut by = one;
    while let Some(enter) = (0..n + m).find(|j| goal[*j] < zero) {
        budget.check()?;
        let limits = (0..m).filter(|i| rows[*i][enter] > zero);
        let pivot = limits.min_by(|a, b| {
            let ratio = |i: usize, other: usize| &rows[i][n + m] * &rows[other][enter];
            ratio(*a, *b).cmp(&ratio(*b, *a)).then(basis[*a].cmp(&basis[*b]))
        });
        let pivot = pivot.expect("the sum is bounded: all entries are positive");
        let chosen = rows[pivot].clone();
        let others = rows.iter_mut().enumerate().filter(|(i, _)| *i != pivot).map(|r| r.1);
        for row in others.chain([&mut goal]) {
            let factor = row[enter].clone();
            for (x, c) in row.iter_mut().zip(&chosen) {
                *x = (&*x * &chosen[enter] - &factor * c) / &by;
            }
        }
        by = chosen[enter].clone();
        basis[pivot] = enter;
    }
    let mut columns = vec![zero; n];
    for (row, variable) in rows.iter().zip(basis).filter(|(_, variable)| *variable < n) {
        columns[variable] = row[n + m].clone();
    }
    Ok((goal[n..n + m].to_vec(), columns, by))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[i32]]) -> Vec<Vec<Value>> {
        let value = |x: &i32| Value::from_integer((*x).into());
        rows.iter().map(|row| row.iter().map(value).collect()).collect()
    }

    /// The value, if no row helps against the chances of the columns and no column against the rows'.
    fn value(rows: &[&[i32]]) -> String {
        let matrix = table(rows);
        let game = matrix_game(&matrix, &Budget::unlimited()).expect("no limit");
        let mean = |chances: &[Value], payoffs: &mut dyn Iterator<Item = &Value>| {
            assert_eq!(chances.iter().sum::<Value>(), Value::from_integer(1.into()));
            assert!(chances.iter().all(|c| *c >= Value::from_integer(0.into())));
            chances.iter().zip(payoffs).map(|(c, p)| c * p).sum::<Value>()
        };
        for row in &matrix {
            assert!(mean(&game.columns, &mut row.iter()) <= game.value);
        }
        for j in 0..rows[0].len() {
            assert!(mean(&game.rows, &mut matrix.iter().map(|row| &row[j])) >= game.value);
        }
        game.value.to_string()
    }

    #[test]
    fn matrix_games_are_solved() {
        assert_eq!(value(&[&[0, 100], &[100, 0]]), "50");
        assert_eq!(value(&[&[50, 0, 100], &[100, 50, 0], &[0, 100, 50]]), "50");
        assert_eq!(value(&[&[3, 1], &[0, 2]]), "3/2");
        assert_eq!(value(&[&[2, -1, 6], &[0, 1, -1], &[-2, 2, 1]]), "1/2");
        assert_eq!(value(&[&[4, 5], &[1, 9]]), "4");
        let mut random = ludex_reason::Random::new(1);
        for (m, n) in (0..200).map(|k| (1 + k % 5, 1 + k % 7)) {
            let entry = |_| random.below(9) as i32;
            let entries: Vec<i32> = (0..m * n).map(entry).collect();
            value(&entries.chunks(n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn dominated_moves_are_struck_out() {
        let budget = Budget::unlimited();
        // The prisoners' dilemma: both confess.
        let cell = |a: i32, b: i32| table(&[&[a, b]]).remove(0);
        let cells = vec![cell(3, 3), cell(0, 5), cell(5, 0), cell(1, 1)];
        let payoffs = Payoffs { moves: vec![2, 2], cells, choosers: vec![0, 1] };
        let chances = vec![certain(1, 2), certain(1, 2)];
        let decision = MatrixDecision { how: How::Dominance, values: cell(1, 1), chances };
        assert_eq!(payoffs.decide(&budget), Ok(Some(decision)));
        let cells = vec![cell(2, 1), cell(0, 0), cell(0, 0), cell(1, 2)];
        let payoffs = Payoffs { moves: vec![2, 2], cells, choosers: vec![0, 1] };
        assert_eq!(payoffs.decide(&budget), Ok(None));
    }
}
