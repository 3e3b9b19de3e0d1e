//! The values of an argument -> their order: by a successor relation of the rules, by number, by letter.

use super::statics::{Static, StaticRelations};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// The values of an argument in the order in which they are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub values: Vec<String>,
    /// They follow each other, so that they can be the lines of a board.
    pub ordered: bool,
}

impl Order {
    pub fn new<'a>(values: impl IntoIterator<Item = &'a str>, statics: &StaticRelations) -> Order {
        let mut values: Vec<String> = values.into_iter().map(String::from).collect();
        values.sort_by(|a, b| natural(a, b));
        values.dedup();
        if values.iter().all(|v| v.parse::<i64>().is_ok()) {
            return Order { ordered: values.len() > 1, values };
        }
        let chain = statics.of_arity(2).find_map(|relation| chain(relation, &values));
        let half_steps = || statics.of_arity(2).find_map(|relation| half_steps(relation, &values));
        let chain = chain.or_else(half_steps);
        match chain {
            Some(values) => Order { values, ordered: true },
            None => Order { ordered: is_series(&values), values },
        }
    }

    pub fn index(&self, value: &str) -> Option<usize> {
        self.values.iter().position(|v| v == value)
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Are they single letters?
    pub fn letters(&self) -> bool {
        self.values.iter().all(|v| is_letter(v))
    }

    /// Are they whole numbers?
    pub fn numbers(&self) -> bool {
        self.values.iter().all(|v| v.parse::<i64>().is_ok())
    }
}

/// The order of people: parts that are numbers by their value, the rest without letter case.
pub fn natural(a: &str, b: &str) -> Ordering {
    let key = |text: &str| {
        let mut parts: Vec<(bool, u64, String)> = Vec::new();
        for c in text.chars() {
            let digit = c.is_ascii_digit();
            match parts.last_mut() {
                Some((was, _, part)) if *was == digit => part.push(c.to_ascii_lowercase()),
                _ => parts.push((digit, 0, c.to_ascii_lowercase().to_string())),
            }
        }
        for (digit, number, part) in &mut parts {
            *number = if *digit { part.parse().unwrap_or(u64::MAX) } else { 0 };
        }
        parts
    };
    match (a.parse::<i64>(), b.parse::<i64>()) {
        (Ok(x), Ok(y)) => x.cmp(&y),
        _ => key(a).cmp(&key(b)).then_with(|| a.cmp(b)),
    }
}

/// All the values one after the other, if the relation leads through them so.
fn chain(relation: &Static, values: &[String]) -> Option<Vec<String>> {
    if values.len() < 2 || relation.rows.len() + 1 < values.len() {
        return None;
    }
    let place: FxHashMap<&str, usize> =
        values.iter().enumerate().map(|(i, v)| (v.as_str(), i)).collect();
    let mut next: Vec<Option<usize>> = vec![None; values.len()];
    let mut first = vec![true; values.len()];
    for row in &relation.rows {
        let (Some(&a), Some(&b)) = (place.get(row[0].as_str()), place.get(row[1].as_str())) else {
            continue;
        };
        if next[a].is_some() || !first[b] || a == b {
            return None;
        }
        next[a] = Some(b);
        first[b] = false;
    }
    let mut at = first.iter().position(|f| *f)?;
    let mut order = vec![at];
    while let Some(b) = next[at] {
        order.push(b);
        at = b;
    }
    if order.len() != values.len() {
        return None;
    }
    // The values come in natural order: a relation that leads down is read upwards.
    let falls = order.windows(2).filter(|w| w[0] > w[1]).count();
    if falls * 2 > order.len() - 1 && is_series(values) {
        order.reverse();
    }
    Some(order.into_iter().map(|i| values[i].clone()).collect())
}

/// All the values in order where the relation leads from each to the next whole step and to half a step:
/// the rows of a board of hexagons take turns with them. Of two equally far on, a letter is the half step:
/// `1 a 2 b 3`.
fn half_steps(relation: &Static, values: &[String]) -> Option<Vec<String>> {
    let index = |v: &String| values.iter().position(|w| w == v);
    let pair = |row: &Vec<String>| Some((index(&row[0])?, index(&row[1])?));
    let steps: Vec<(usize, usize)> = relation.rows.iter().filter_map(pair).collect();
    if values.len() < 5 || steps.len() < values.len() {
        return None;
    }
    // How far on a value is: the longest way to it. In a circle it would grow for ever.
    let mut far = vec![0; values.len()];
    for round in 0..=values.len() {
        let mut changed = false;
        for (a, b) in &steps {
            changed |= far[*b] < far[*a] + 1;
            far[*b] = far[*b].max(far[*a] + 1);
        }
        match changed {
            false => break,
            true if round == values.len() => return None,
            true => {}
        }
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by_key(|v| (far[*v], *v));
    let crowd = order.chunk_by(|a, b| far[*a] == far[*b]).map(<[usize]>::len).max();
    let two = crowd == Some(2) && far.iter().filter(|f| **f == 0).count() == 1;
    two.then(|| order.into_iter().map(|i| values[i].clone()).collect())
}

/// Neighbouring letters, or numbers after the same word.
fn is_series(values: &[String]) -> bool {
    if values.len() < 2 {
        return false;
    }
    let letters: Vec<u8> =
        values.iter().filter(|v| is_letter(v)).map(|v| v.as_bytes()[0] | 32).collect();
    if letters.len() == values.len() {
        return letters.windows(2).all(|w| w[1] == w[0] + 1);
    }
    let word = |v: &str| v.trim_end_matches(|c: char| c.is_ascii_digit()).to_string();
    let first = word(&values[0]);
    values.iter().all(|v| word(v) == first && v.len() > first.len())
}

fn is_letter(value: &str) -> bool {
    value.len() == 1 && value.as_bytes()[0].is_ascii_alphabetic()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statics(rows: &[(&str, &str)]) -> StaticRelations {
        let rows = rows.iter().map(|(a, b)| vec![a.to_string(), b.to_string()]).collect();
        let relation = Static { name: "next".into(), arity: 2, rows };
        StaticRelations { relations: vec![relation], ..StaticRelations::default() }
    }

    fn order(values: &[&str], statics: &StaticRelations) -> (Vec<String>, bool) {
        let order = Order::new(values.iter().copied(), statics);
        (order.values, order.ordered)
    }

    #[test]
    fn a_successor_relation_gives_the_order() {
        let next = statics(&[("top", "middle"), ("middle", "bottom"), ("bottom", "floor")]);
        let (values, ordered) = order(&["bottom", "middle", "top"], &next);
        assert_eq!((values.join(" ").as_str(), ordered), ("top middle bottom", true));
        let (values, ordered) = order(&["bottom", "top"], &next);
        assert_eq!((values.join(" ").as_str(), ordered), ("bottom top", false));
    }

    #[test]
    fn half_steps_come_between() {
        let hexagons =
            statics(&[("1", "2"), ("2", "3"), ("1", "a"), ("2", "b"), ("a", "b"), ("b", "3")]);
        assert_eq!(order(&["1", "2", "3", "a", "b"], &hexagons).0.join(""), "1a2b3");
    }

    #[test]
    fn numbers_and_letters_have_their_own_order() {
        let none = statics(&[]);
        assert_eq!(
            order(&["10", "9", "1"], &none),
            (vec!["1".into(), "9".into(), "10".into()], true)
        );
        assert_eq!(order(&["c10", "c9"], &none), (vec!["c9".into(), "c10".into()], true));
        assert!(order(&["c", "a", "b"], &none).1);
        assert!(!order(&["x", "o", "b"], &none).1);
        assert!(!order(&["1", "2", "b"], &none).1);
    }

    #[test]
    fn a_relation_that_leads_down_is_read_upwards() {
        let down = statics(&[("c", "b"), ("b", "a")]);
        assert_eq!(order(&["a", "b", "c"], &down).0.join(""), "abc");
    }
}
