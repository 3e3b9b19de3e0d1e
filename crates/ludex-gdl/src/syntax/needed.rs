//! What play depends on: clauses of relations that no role, state, move, goal or end asks for are dropped
//! before anything is done with them. Rules may be sent with megabytes of those.

use super::{Ast, List, Name, NodeKind};
use crate::digraph::reached;
use rustc_hash::FxHashMap;

/// What a game player asks for.
const ASKED: [&str; 6] = ["role", "init", "next", "legal", "goal", "terminal"];

impl Ast {
    /// Drops the clauses that play does not depend on. Relations of one name and different arities
    /// count as one.
    pub fn keep_needed(&mut self) {
        let mut relations =
            Relations { numbers: FxHashMap::default(), of: vec![None; self.names()] };
        let mut asked: Vec<Vec<u32>> = Vec::new();
        for clause in &self.clauses {
            let NodeKind::Apply { name, .. } = clause.head.kind else { continue };
            let head = relations.number(self, name) as usize;
            let mut body = Vec::new();
            self.relations(clause.body, &mut body);
            let body = body.into_iter().map(|name| relations.number(self, name));
            asked.resize_with(asked.len().max(head + 1), Vec::new);
            asked[head].extend(body);
        }
        let known = relations.numbers.len();
        asked.resize_with(known, Vec::new);
        let roots = ASKED.iter().filter_map(|name| relations.numbers.get(*name).copied());
        let needed = reached(known, roots, |r| asked[r as usize].iter().copied());
        self.clauses.retain(|clause| match clause.head.kind {
            NodeKind::Apply { name, .. } => {
                relations.of[name.0 as usize].is_none_or(|r| needed[r as usize])
            }
            _ => true,
        });
    }

    /// The names of the relations in formulas.
    fn relations(&self, formulas: List, out: &mut Vec<Name>) {
        for node in self.list(formulas) {
            match node.kind {
                NodeKind::Variable { .. } => {}
                NodeKind::Apply { name, .. } => out.push(name),
                NodeKind::Not(parts) | NodeKind::And(parts) | NodeKind::Or(parts) => {
                    self.relations(parts, out)
                }
            }
        }
    }
}

/// Relations by their names, whose letter case makes no difference.
struct Relations {
    numbers: FxHashMap<String, u32>,
    of: Vec<Option<u32>>,
}

impl Relations {
    fn number(&mut self, ast: &Ast, name: Name) -> u32 {
        *self.of[name.0 as usize].get_or_insert_with(|| {
            let next = self.numbers.len() as u32;
            *self.numbers.entry(ast.name(name).to_lowercase()).or_insert(next)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::source::{Report, Source};
    use crate::syntax::{Ast, NodeKind};

    #[test]
    fn what_nothing_asks_for_is_dropped() {
        let text = "(ROLE r) (idle a) (<= (idle ?x) (used ?x)) (used b) (Seen c) (init (idle a))
            (<= (legal r ?x) (or (not (USED ?x)) (seen ?x))) (<= terminal (true (idle a)))";
        let mut ast = Ast::parse(&Source::new("needed", text), None, &mut Report::default());
        ast.keep_needed();
        let name = |kind: NodeKind| match kind {
            NodeKind::Apply { name, .. } => ast.name(name).to_string(),
            _ => unreachable!("a head"),
        };
        let heads: Vec<String> = ast.clauses.iter().map(|c| name(c.head.kind)).collect();
        assert_eq!(heads, ["ROLE", "used", "Seen", "init", "legal", "terminal"]);
    }
}
