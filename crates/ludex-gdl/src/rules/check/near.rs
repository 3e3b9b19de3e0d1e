//! Names that are a slip of the pen away from each other.

use strsim::osa_distance;

/// The number of slips between two names, letter case aside, if they are few for names of this length:
/// a letter too many, too few, another or exchanged with its neighbour. Names that differ in their
/// numbers only, such as `row1` and `row2`, are meant to be different.
pub fn near(a: &str, b: &str) -> Option<usize> {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let shorter = a.chars().count().min(b.chars().count());
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    if shorter < 3 || a == b {
        return None;
    }
    if letters(&a) == letters(&b) {
        // Only other signs differ: `next-cell`, `next_cell` are near, `row1`, `row2` are not.
        let digits = |text: &str| text.chars().filter(|c| c.is_numeric()).collect::<String>();
        return (digits(&a) == digits(&b)).then_some(1);
    }
    let most = match shorter {
        ..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let slips = osa_distance(&a, &b);
    // Two slips in four letters leave hardly anything in common.
    let fits = slips <= most && (slips == 1 || a.chars().next() == b.chars().next() || shorter > 5);
    fits.then_some(slips)
}

/// The name that was likely meant: the fewest slips away, then at the same arity, then the most used.
pub fn meant<'a>(
    name: &str,
    arity: usize,
    known: impl Iterator<Item = (&'a str, usize, usize)>,
) -> Option<&'a str> {
    let rated = known.filter_map(|(other, other_arity, count)| {
        let slips = near(name, other)?;
        Some(((slips + usize::from(other_arity != arity), usize::MAX - count, other), other))
    });
    rated.min().map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_near_and_numbers_are_not() {
        for (a, b) in [("occupid", "occupied"), ("cel", "cell"), ("nxet", "next"), ("ture", "true")]
        {
            assert!(near(a, b).is_some(), "{a} {b}");
        }
        assert_eq!(near("next-cell", "next_cell"), Some(1));
        for (a, b) in [("row1", "row2"), ("x", "y"), ("ab", "abc"), ("line", "cell"), ("a", "a")] {
            assert!(near(a, b).is_none(), "{a} {b}");
        }
    }

    #[test]
    fn the_same_arity_is_preferred() {
        let known = [("cells", 1, 9), ("call", 3, 2), ("line", 3, 9)];
        assert_eq!(meant("cell", 3, known.into_iter()), Some("call"));
        assert_eq!(meant("zzz", 3, known.into_iter()), None);
    }
}
