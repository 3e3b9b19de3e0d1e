//! The strata of relations: negation only looks down.

use super::{Literal, Rules};

/// The least stratum of every relation, or none where negation goes round in a circle.
pub fn strata(rules: &Rules) -> Option<Vec<u32>> {
    let n = rules.relations.len();
    let mut strata = vec![0u32; n];
    loop {
        let mut changed = false;
        for rule in &rules.rules {
            let head = rule.head.rel.index();
            for literal in &rule.body {
                let need = match literal {
                    Literal::Pos(a) => strata[a.rel.index()],
                    Literal::Neg(a) => strata[a.rel.index()] + 1,
                    Literal::Distinct(..) => 0,
                };
                if need > strata[head] {
                    strata[head] = need;
                    changed = true;
                    if need as usize > n {
                        return None;
                    }
                }
            }
        }
        if !changed {
            return Some(strata);
        }
    }
}
