//! `Orders`: in which order the literals of a clause are best evaluated, and what that will cost.
//!
//! Costs are guessed from sampled states, stored relations and what tables have answered; what a
//! derived relation costs is guessed from the orders of its own clauses. Guesses go wrong, so there
//! are several ways to make orders, and the caller measures which is best for a game.

use super::code::{Stored, Validity};
use super::prepare::{Condition, Goal, Pattern, Prepared, PreparedClause};
use super::sizes::{RelationSizes, Spread};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How an order is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The literal with the fewest expected matches comes next.
    Fewest,
    /// The literal that reduces (or does not grow) the matches most for its cost comes next.
    Rank,
    /// Both of these, begun with every literal that can come first; the cheapest order is taken.
    Search,
}

/// Longer bodies get one greedy order.
const LONG_BODY: usize = 24;
/// Derived relations below derived relations are not looked at deeper than this.
const DEEPEST: usize = 100;

/// How a relation is best asked with some columns given: the order of each clause, the cost of a
/// question and the number of answers.
pub struct Planned {
    pub orders: Vec<Vec<usize>>,
    pub cost: f64,
    pub rows: f64,
}

/// A relation, the given columns, and whether only existence is asked for.
type TableQuestion = (u32, Vec<usize>, bool);

pub struct Orders<'a> {
    pub prepared: &'a Prepared,
    /// By relation: its number in `rows`.
    pub stored: &'a [Option<u32>],
    rows: &'a [Stored],
    sizes: &'a RelationSizes,
    strategy: Strategy,
    planned: RefCell<FxHashMap<TableQuestion, Option<Rc<Planned>>>>,
    spreads: RefCell<FxHashMap<(u32, Vec<usize>), Spread>>,
    nesting: Cell<usize>,
}

/// What doing a literal next costs for every partial match, and by what it multiplies them.
/// `once` is paid only the first time.
struct LiteralCost {
    cost: f64,
    factor: f64,
    once: f64,
}

impl<'a> Orders<'a> {
    pub fn new(
        prepared: &'a Prepared,
        stored: &'a [Option<u32>],
        rows: &'a [Stored],
        sizes: &'a RelationSizes,
        strategy: Strategy,
    ) -> Orders<'a> {
        let (planned, spreads) = Default::default();
        Orders { prepared, stored, rows, sizes, strategy, planned, spreads, nesting: Cell::new(0) }
    }

    pub fn of(&self, relation: u32, columns: &[usize], exists: bool) -> Rc<Planned> {
        self.find(relation, columns, exists).expect("not asked from inside itself")
    }

    /// None while the same question is being looked at, or too deep below another.
    fn find(&self, relation: u32, columns: &[usize], exists: bool) -> Option<Rc<Planned>> {
        let key = (relation, columns.to_vec(), exists);
        if let Some(planned) = self.planned.borrow().get(&key) {
            return planned.clone();
        }
        if self.nesting.get() >= DEEPEST {
            return None;
        }
        self.planned.borrow_mut().insert(key.clone(), None);
        self.nesting.set(self.nesting.get() + 1);
        let planned = Rc::new(self.plan(relation, columns, exists));
        self.nesting.set(self.nesting.get() - 1);
        self.planned.borrow_mut().insert(key, Some(planned.clone()));
        Some(planned)
    }

    fn plan(&self, relation: u32, columns: &[usize], exists: bool) -> Planned {
        let mut planned = Planned { orders: Vec::new(), cost: 5.0, rows: 0.0 };
        for clause in &self.prepared.relations[relation as usize].clauses {
            let walk = self.order(clause, relation, columns, exists);
            planned.cost += walk.cost;
            planned.rows += walk.matches;
            planned.orders.push(walk.order);
        }
        if exists {
            planned.rows = planned.rows.min(1.0);
        }
        planned
    }

    fn order<'c>(
        &'c self,
        clause: &'c PreparedClause,
        relation: u32,
        columns: &'c [usize],
        exists: bool,
    ) -> Walk<'c> {
        let start = Walk::new(self, clause, relation, columns, exists);
        let mut firsts = start.candidates();
        if self.strategy != Strategy::Search || firsts.len() > LONG_BODY || firsts.is_empty() {
            firsts = vec![usize::MAX];
        }
        let ways: &[bool] = match self.strategy {
            Strategy::Fewest => &[false],
            Strategy::Rank => &[true],
            Strategy::Search => &[false, true],
        };
        let walks = firsts.into_iter().flat_map(|first| {
            let start = &start;
            ways.iter().map(move |by_rank| {
                let mut walk = start.clone();
                walk.go(first, *by_rank);
                walk
            })
        });
        walks.min_by(|a, b| a.cost.total_cmp(&b.cost)).expect("at least one")
    }

    /// Can the literal be done with these variables bound?
    fn ready(&self, condition: &Condition, bound: &[bool]) -> bool {
        match condition {
            Condition::Pos(goal) => self.prepared.ready(goal, bound),
            c => c.all_vars(bound),
        }
    }

    fn effect(&self, condition: &Condition, bound: &[bool], relation: u32) -> LiteralCost {
        let test = |cost, factor| LiteralCost { cost, factor, once: 0.0 };
        match condition {
            Condition::Distinct(..) => test(0.5, 0.9),
            Condition::Neg(goal) => {
                let effect = self.effect_of(goal, bound, relation);
                LiteralCost { factor: 1.0 - effect.factor.min(0.95), ..effect }
            }
            Condition::Pos(goal) => self.effect_of(goal, bound, relation),
        }
    }

    fn effect_of(&self, goal: &Goal, bound: &[bool], relation: u32) -> LiteralCost {
        let plain = |cost, factor| LiteralCost { cost, factor, once: 0.0 };
        match goal {
            Goal::True(Pattern::App(f, args)) => self.scan(u32::MAX - f, args, bound),
            Goal::True(p) if p.all_vars(bound) => plain(1.0, 0.5),
            Goal::True(_) => plain(2.0 * self.sizes.state(), self.sizes.state()),
            Goal::Does(r, m) if r.all_vars(bound) && m.all_vars(bound) => plain(1.0, 0.1),
            Goal::Does(r, _) if r.all_vars(bound) => plain(1.0, 0.5),
            Goal::Does(..) => plain(3.0, 0.8),
            Goal::Relation(q, args) => match self.stored[*q as usize] {
                Some(stored) => self.scan(stored, args, bound),
                None => self.effect_of_relation(*q, args, bound, relation),
            },
        }
    }

    /// A literal over stored rows, or (counted from the top) over the true facts of a functor.
    fn scan(&self, source: u32, args: &[Pattern], bound: &[bool]) -> LiteralCost {
        let given = given(args, bound);
        let full = given.len() == args.len();
        let mut spreads = self.spreads.borrow_mut();
        let spread = spreads.entry((source, given)).or_insert_with_key(|(_, given)| {
            match self.rows.get(source as usize) {
                Some(stored) => Spread::of([&stored.tuples], given),
                None => self.sizes.facts(u32::MAX - source, given),
            }
        });
        if full {
            return LiteralCost { cost: 2.0, factor: spread.hits.clamp(0.01, 0.95), once: 0.0 };
        }
        let factor = spread.matches * spread.hits.sqrt();
        LiteralCost { cost: 3.0 + 2.0 * factor, factor, once: 0.0 }
    }

    fn effect_of_relation(
        &self,
        q: u32,
        args: &[Pattern],
        bound: &[bool],
        relation: u32,
    ) -> LiteralCost {
        let given = given(args, bound);
        let full = given.len() == args.len();
        let r = &self.prepared.relations[q as usize];
        let inside =
            r.recursive && r.component == self.prepared.relations[relation as usize].component;
        let planned = if inside { None } else { self.find(q, &given, full && !r.recursive) };
        let guess = 3f64.powi((args.len() - given.len()).min(6) as i32);
        let (cost, rows) = planned.map_or((10.0 * guess, guess), |p| (p.cost, p.rows));
        let seen = self.sizes.answers(q, &given).unwrap_or(rows);
        let factor = if full { seen.clamp(0.05, 0.9) } else { seen };
        match (r.level, given.is_empty()) {
            (Validity::Static, _) | (_, true) => {
                LiteralCost { cost: 4.0 + 2.0 * seen, factor, once: cost }
            }
            _ => LiteralCost { cost: 4.0 + 2.0 * seen + 0.7 * cost, factor, once: 0.0 },
        }
    }
}

/// An order in the making.
#[derive(Clone)]
struct Walk<'c> {
    orders: &'c Orders<'c>,
    clause: &'c PreparedClause,
    relation: u32,
    columns: &'c [usize],
    exists: bool,
    order: Vec<usize>,
    left: Vec<usize>,
    bound: Vec<bool>,
    /// By variable: how many scans must stay open to keep it.
    depth_of: Vec<usize>,
    /// Partial matches expected before each open scan, and now.
    before: Vec<f64>,
    matches: f64,
    cost: f64,
}

impl<'c> Walk<'c> {
    fn new(
        orders: &'c Orders<'c>,
        clause: &'c PreparedClause,
        relation: u32,
        columns: &'c [usize],
        exists: bool,
    ) -> Walk<'c> {
        let mut bound = vec![false; clause.vars];
        let mut matches = 1.0;
        for c in columns {
            clause.head[*c].vars(&mut |v| bound[v] = true);
            matches *= match clause.head[*c] {
                Pattern::Var(_) => 1.0,
                _ => 0.5,
            };
        }
        Walk {
            orders,
            clause,
            relation,
            columns,
            exists,
            order: Vec::new(),
            left: (0..clause.body.len()).collect(),
            bound,
            depth_of: vec![0; clause.vars],
            before: Vec::new(),
            matches,
            cost: 2.0,
        }
    }

    /// The literals that can come next.
    fn candidates(&self) -> Vec<usize> {
        let body = &self.clause.body;
        let ready = |i: &&usize| self.orders.ready(&body[**i], &self.bound);
        let is_pos = |i: &&usize| matches!(body[**i], Condition::Pos(_));
        let ready: Vec<usize> = self.left.iter().filter(ready).copied().collect();
        match ready.is_empty() {
            false => ready,
            true => self.left.iter().filter(is_pos).copied().collect(),
        }
    }

    /// Orders all literals, beginning with `first` if that is one.
    fn go(&mut self, first: usize, by_rank: bool) {
        if let Some(driver) = self.driver() {
            self.take(driver);
        } else if first != usize::MAX {
            self.take(first);
        }
        loop {
            let candidates = self.candidates();
            let value = |i: &usize| {
                let e = self.effect(*i);
                if by_rank {
                    (e.factor - 1.0) / (e.cost + e.once)
                } else {
                    e.factor.max(0.9) + 0.001 * e.cost
                }
            };
            let best = candidates.iter().map(|i| (*i, value(i))).min_by(|a, b| a.1.total_cmp(&b.1));
            match best {
                Some((best, _)) => self.take(best),
                None => break,
            }
        }
        self.order.append(&mut self.left);
        self.cost += 3.0 * self.matches;
    }

    /// In a recursive relation asked without a key the new answers drive the rule.
    fn driver(&self) -> Option<usize> {
        let relations = &self.orders.prepared.relations;
        let r = &relations[self.relation as usize];
        let inside = |c: &Condition| match c {
            Condition::Pos(Goal::Relation(q, _)) => relations[*q as usize].component == r.component,
            _ => false,
        };
        let open = r.recursive && self.columns.is_empty();
        self.left.iter().copied().find(|i| open && inside(&self.clause.body[*i]))
    }

    fn effect(&self, i: usize) -> LiteralCost {
        self.orders.effect(&self.clause.body[i], &self.bound, self.relation)
    }

    fn take(&mut self, i: usize) {
        let effect = self.effect(i);
        self.left.retain(|j| *j != i);
        self.order.push(i);
        self.cost += effect.once + self.matches * effect.cost;
        let condition = &self.clause.body[i];
        if !condition.all_vars(&self.bound) {
            self.before.push(self.matches);
            let (bound, depth_of, depth) = (&mut self.bound, &mut self.depth_of, self.before.len());
            condition.vars(&mut |v| {
                if !std::mem::replace(&mut bound[v], true) {
                    depth_of[v] = depth;
                }
            });
        }
        self.matches *= effect.factor;
        self.commit();
    }

    /// Scans that bind nothing needed any more are left at their first match.
    fn commit(&mut self) {
        let mut depth = 0;
        let mut need = |v: usize| {
            if self.bound[v] {
                depth = depth.max(self.depth_of[v]);
            }
        };
        self.left.iter().for_each(|i| self.clause.body[*i].vars(&mut need));
        if !self.exists {
            let head = self.clause.head.iter().enumerate();
            head.filter(|(c, _)| !self.columns.contains(c)).for_each(|(_, p)| p.vars(&mut need));
        }
        if depth < self.before.len() {
            self.matches = self.matches.min(self.before[depth]);
            self.before.truncate(depth);
        }
    }
}

fn given(args: &[Pattern], bound: &[bool]) -> Vec<usize> {
    (0..args.len()).filter(|i| args[*i].all_vars(bound)).collect()
}
