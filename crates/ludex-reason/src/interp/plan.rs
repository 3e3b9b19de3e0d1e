//! `Prepared` -> `Program`: for every table the order of the literals and the instructions.
//!
//! What comes after the last scan that binds a variable still needed is
//! a question of existence and is left at its first success (`Commit`).

use super::code::*;
use super::order::Orders;
use super::prepare::{Condition, Goal, Pattern, Prepared, PreparedClause};
use super::store::Functor;
use super::update::Update;
use ludex_gdl::rules::Rel;
use rustc_hash::FxHashMap;

pub struct Planner<'a> {
    pub(super) prepared: &'a Prepared,
    /// By relation: its number in `Program::stored`.
    stored: &'a [Option<u32>],
    orders: &'a Orders<'a>,
    pub(super) program: Program,
    tables: FxHashMap<(u32, Vec<usize>, bool), u32>,
    pending: Vec<u32>,
}

impl<'a> Planner<'a> {
    /// `rows` are those that the orders were made for.
    pub fn new(orders: &'a Orders<'a>, rows: Vec<Stored>, functors: &[Functor]) -> Planner<'a> {
        let (prepared, stored) = (orders.prepared, orders.stored);
        let program = Program {
            ops: vec![Op::Halt],
            stored: rows,
            widths: functors.iter().map(|f| f.tuples.width() as u32).collect(),
            indexes: vec![Vec::new(); functors.len()],
            arities: prepared.relations.iter().map(|r| r.arity).collect(),
            ..Program::default()
        };
        let tables = FxHashMap::default();
        Planner { prepared, stored, orders, program, tables, pending: Vec::new() }
    }

    /// The table that answers a relation from these columns, for `exists` only whether.
    pub fn table(&mut self, relation: u32, columns: &[usize], exists: bool) -> u32 {
        let r = &self.prepared.relations[relation as usize];
        let exists = !r.recursive && (exists || columns.len() == r.arity);
        let next = self.program.tables.len() as u32;
        let table = *self.tables.entry((relation, columns.to_vec(), exists)).or_insert(next);
        if table == next {
            let mode = match (r.recursive, exists) {
                (true, _) => Mode::Recursive,
                (_, true) => Mode::Exists,
                _ => Mode::All,
            };
            let columns = columns.to_vec();
            let (rules, split) = (Vec::new(), None);
            let level = r.level;
            self.program.tables.push(QueryTable { relation, columns, mode, level, rules, split });
            self.pending.push(table);
        }
        table
    }

    /// The tables of `next` or `fnext`.
    pub fn update(&mut self, rel: Rel) -> Update {
        let moving = self.table(rel.0, &[], false);
        let still = self.prepared.splits.iter().find(|s| s.0 == rel).map(|s| s.1);
        let still = still.map(|part| self.table(part, &[], false));
        if let Some(still) = still {
            for (table, group) in [(moving, UpdateGroup::Moving), (still, UpdateGroup::Still)] {
                self.program.tables[table as usize].split = Some(group);
                self.program.split[group as usize].push(table);
            }
        }
        Update { moving, still }
    }

    /// Compiles the rules of all tables that were asked for, and of those that they ask.
    pub fn finish(mut self) -> Program {
        while let Some(table) = self.pending.pop() {
            let QueryTable { relation, columns, mode, .. } =
                self.program.tables[table as usize].clone();
            let prepared = self.prepared;
            let planned = self.orders.of(relation, &columns, mode == Mode::Exists);
            let clauses = &prepared.relations[relation as usize].clauses;
            for (clause, order) in clauses.iter().zip(&planned.orders) {
                let start = self.program.ops.len();
                let mut rule = RulePlan::new(&mut self, clause, table);
                match rule.compile(order, &columns) {
                    Some(()) => {
                        let entry = EntryPoint { start: start as u32, slots: rule.slots };
                        if self.program.tables[table as usize].split.is_some() {
                            self.split(start);
                        }
                        self.program.tables[table as usize].rules.push(entry);
                    }
                    None => self.program.ops.truncate(start),
                }
            }
        }
        self.program
    }

    fn fact_index(&mut self, functor: u32, columns: &[usize]) -> u32 {
        let lists = &mut self.program.indexes[functor as usize];
        if let Some(i) = lists.iter().position(|c| c == columns) {
            return i as u32;
        }
        lists.push(columns.to_vec());
        lists.len() as u32 - 1
    }
}

struct RulePlan<'p, 'a> {
    planner: &'p mut Planner<'a>,
    clause: &'a PreparedClause,
    relation: u32,
    mode: Mode,
    /// By variable: its slot and how many scans must stay open to keep its value.
    bound: Vec<bool>,
    slot: Vec<u32>,
    depth_of: Vec<u32>,
    depth: u32,
    slots: u32,
}

impl<'p, 'a> RulePlan<'p, 'a> {
    fn new(
        planner: &'p mut Planner<'a>,
        clause: &'a PreparedClause,
        table: u32,
    ) -> RulePlan<'p, 'a> {
        let t = &planner.program.tables[table as usize];
        let (relation, mode, slots) = (t.relation, t.mode, t.columns.len() as u32);
        let n = clause.vars;
        let (bound, slot, depth_of) = (vec![false; n], vec![0; n], vec![0; n]);
        RulePlan { planner, clause, relation, mode, bound, slot, depth_of, depth: 0, slots }
    }

    /// None where the rule can give nothing under this key.
    fn compile(&mut self, order: &[usize], columns: &[usize]) -> Option<()> {
        for (i, c) in columns.iter().enumerate() {
            self.unify(&self.clause.head[*c], i as u32, 0);
        }
        let clause = self.clause;
        let body: Vec<&Condition> = order.iter().map(|i| &clause.body[*i]).collect();
        for (i, condition) in body.iter().enumerate() {
            let rest = &body[i + 1..];
            self.condition(condition, rest, columns)?;
            self.commit(rest, columns);
        }
        self.emit()
    }

    fn op(&mut self, op: Op) {
        self.planner.program.ops.push(op);
    }

    /// Is the relation computed together with that of this table?
    fn inside(&self, q: u32) -> bool {
        let relations = &self.planner.prepared.relations;
        let (q, r) = (&relations[q as usize], &relations[self.relation as usize]);
        r.recursive && q.component == r.component
    }

    fn given(&self, args: &[Pattern]) -> Vec<usize> {
        (0..args.len()).filter(|i| args[*i].all_vars(&self.bound)).collect()
    }

    /// How many scans must stay open to keep the variables of these patterns.
    fn fail<'b>(&self, patterns: impl IntoIterator<Item = &'b Pattern>) -> u32 {
        let mut fail = 0;
        for p in patterns {
            p.vars(&mut |v| {
                if self.bound[v] {
                    fail = fail.max(self.depth_of[v])
                }
            });
        }
        fail
    }

    fn condition(
        &mut self,
        condition: &Condition,
        rest: &[&Condition],
        columns: &[usize],
    ) -> Option<()> {
        match condition {
            // A variable that nothing binds differs from everything.
            Condition::Distinct(..) if !condition.all_vars(&self.bound) => {}
            Condition::Distinct(a, b) => {
                let fail = self.fail([a, b]);
                let (a, b) = (self.arg(a), self.arg(b));
                self.op(Op::Differ { a, b, fail });
            }
            // An unbound variable under a negation: the rule cannot be used with this key.
            Condition::Neg(_) if !condition.all_vars(&self.bound) => return None,
            Condition::Neg(goal) => self.test(goal, true),
            Condition::Pos(Goal::Relation(q, args)) if self.inside(*q) => self.await_(*q, args),
            Condition::Pos(goal) if condition.all_vars(&self.bound) => self.test(goal, false),
            Condition::Pos(goal) => self.scan(goal, rest, columns),
        }
        Some(())
    }

    fn test(&mut self, goal: &Goal, negated: bool) {
        match goal {
            Goal::True(p) => {
                let fail = self.fail([p]);
                if let Pattern::App(functor, args) = p {
                    let args = self.args(args);
                    self.op(Op::Fact { functor: *functor, args, negated, fail });
                } else {
                    let arg = self.arg(p);
                    self.op(Op::FactTerm { arg, negated, fail });
                }
            }
            Goal::Does(r, m) => {
                let fail = self.fail([r, m]);
                let (role, action) = (self.arg(r), self.arg(m));
                self.op(Op::Does { role, action, negated, fail });
            }
            Goal::Relation(q, args) => {
                let fail = self.fail(args);
                let key = self.args(args);
                let all: Vec<usize> = (0..args.len()).collect();
                match self.planner.stored[*q as usize] {
                    Some(stored) => self.op(Op::Row { stored, args: key, negated, fail }),
                    None => {
                        let table = self.planner.table(*q, &all, true);
                        self.op(Op::Ask { table, key, negated, fail });
                    }
                }
            }
        }
    }

    fn scan(&mut self, goal: &Goal, rest: &[&Condition], columns: &[usize]) {
        match goal {
            Goal::True(Pattern::App(functor, args)) => {
                let given = self.given(args);
                let (key, fail) = self.key(args, &given);
                let index = self.planner.fact_index(*functor, &given);
                let (outs, taken) = self.outs(args, &given);
                self.op(Op::ScanFacts { functor: *functor, index, key, outs, fail });
                self.open(args, &taken);
            }
            Goal::True(p) => {
                let out = self.new_slots(1);
                self.op(Op::ScanState { out });
                self.open(std::slice::from_ref(p), &[(0, out)]);
            }
            Goal::Does(r, m) if r.all_vars(&self.bound) => {
                let fail = self.fail([r]);
                let role = self.arg(r);
                let out = self.new_slots(1);
                self.op(Op::ScanDoes { role, out, fail });
                self.unify(m, out, fail);
            }
            Goal::Does(r, m) => {
                let role_out = self.new_slots(2);
                self.op(Op::ScanRoles { role_out, out: role_out + 1 });
                self.open(&[r.clone(), m.clone()], &[(0, role_out), (1, role_out + 1)]);
            }
            Goal::Relation(q, args) => self.scan_relation(*q, args, rest, columns),
        }
    }

    fn scan_relation(&mut self, q: u32, args: &[Pattern], rest: &[&Condition], columns: &[usize]) {
        let given = self.given(args);
        let (key, fail) = self.key(args, &given);
        if let Some(stored) = self.planner.stored[q as usize] {
            let index = self.planner.program.stored[stored as usize].index(&given);
            let (outs, taken) = self.outs(args, &given);
            self.op(Op::ScanRows { stored, index, key, outs, fail });
            return self.open(args, &taken);
        }
        if self.unneeded(args, rest, columns) {
            let table = self.planner.table(q, &given, true);
            return self.op(Op::Ask { table, key, negated: false, fail });
        }
        let table = self.planner.table(q, &given, false);
        let (outs, taken) = self.outs(args, &given);
        self.op(Op::ScanTable { table, key, outs, fail });
        self.open(args, &taken);
    }

    /// Are the unbound arguments different variables that nothing else asks for?
    fn unneeded(&self, args: &[Pattern], rest: &[&Condition], columns: &[usize]) -> bool {
        let needed = self.needed(rest, columns);
        let mut seen = vec![false; self.bound.len()];
        args.iter().all(|p| match p {
            Pattern::Var(v) if !self.bound[*v] => {
                !needed[*v] && !std::mem::replace(&mut seen[*v], true)
            }
            p => p.all_vars(&self.bound),
        })
    }

    fn await_(&mut self, q: u32, args: &[Pattern]) {
        // No term is built to ask for: `p(x) :- p(f(x))` would ask for ever.
        let mut given = self.given(args);
        given.retain(|c| !matches!(args[*c], Pattern::App(..)));
        let (key, _) = self.key(args, &given);
        let table = self.planner.table(q, &given, false);
        let (outs, taken) = self.outs(args, &given);
        // What is alive is copied, so on resumption this is the first scan of the rule.
        self.depth_of.fill(0);
        self.depth = 0;
        let live = self.slots;
        self.op(Op::Await { table, key, outs, live });
        self.open(args, &taken);
    }

    /// The values of the given columns, and what to do when nothing matches.
    fn key(&mut self, args: &[Pattern], given: &[usize]) -> (Args, u32) {
        let fail = self.fail(given.iter().map(|c| &args[*c]));
        let key: Vec<Pattern> = given.iter().map(|c| args[*c].clone()).collect();
        (self.args(&key), fail)
    }

    /// A slot for every column that is not given.
    fn outs(&mut self, args: &[Pattern], given: &[usize]) -> (Outs, Vec<(usize, u32)>) {
        let taken: Vec<(usize, u32)> = (0..args.len())
            .filter(|c| !given.contains(c))
            .map(|c| (c, self.new_slots(1)))
            .collect();
        let outs = &mut self.planner.program.outs;
        let range = Outs { start: outs.len() as u32, len: taken.len() as u32 };
        outs.extend(taken.iter().map(|(c, s)| (*c as u32, *s)));
        (range, taken)
    }

    /// After a scan: its columns are bound.
    fn open(&mut self, args: &[Pattern], taken: &[(usize, u32)]) {
        self.depth += 1;
        for (column, slot) in taken {
            self.unify(&args[*column], *slot, self.depth);
        }
    }

    /// The value of a slot, kept by `depth` scans, must match the pattern.
    fn unify(&mut self, pattern: &Pattern, slot: u32, depth: u32) {
        match pattern {
            Pattern::Var(v) if self.bound[*v] => {
                let fail = depth.max(self.depth_of[*v]);
                let (a, b) = (Arg::slot(slot), Arg::slot(self.slot[*v]));
                self.op(Op::Same { a, b, fail });
            }
            Pattern::Var(v) => {
                (self.bound[*v], self.slot[*v], self.depth_of[*v]) = (true, slot, depth);
            }
            Pattern::Term(t) => {
                self.op(Op::Same { a: Arg::slot(slot), b: Arg::term(*t), fail: depth })
            }
            Pattern::App(functor, args) => {
                let out = self.new_slots(args.len() as u32);
                self.op(Op::Take { slot, functor: *functor, out, fail: depth });
                for (i, p) in args.iter().enumerate() {
                    self.unify(p, out + i as u32, depth);
                }
            }
        }
    }

    fn new_slots(&mut self, n: u32) -> u32 {
        self.slots += n;
        self.slots - n
    }

    fn args(&mut self, patterns: &[Pattern]) -> Args {
        let values: Vec<Arg> = patterns.iter().map(|p| self.arg(p)).collect();
        let args = &mut self.planner.program.args;
        let range = Args { start: args.len() as u32, len: values.len() as u32 };
        args.extend(values);
        range
    }

    /// The value of a pattern whose variables are bound; others stand for anything.
    fn arg(&mut self, pattern: &Pattern) -> Arg {
        match pattern {
            Pattern::Var(v) if self.bound[*v] => Arg::slot(self.slot[*v]),
            Pattern::Var(_) => Arg::term(self.planner.prepared.any),
            Pattern::Term(t) => Arg::term(*t),
            Pattern::App(functor, args) => {
                let args = self.args(args);
                let out = self.new_slots(1);
                self.op(Op::Build { functor: *functor, args, out });
                Arg::slot(out)
            }
        }
    }

    /// The variables that what is still to do asks for.
    fn needed(&self, rest: &[&Condition], columns: &[usize]) -> Vec<bool> {
        let mut needed = vec![false; self.bound.len()];
        rest.iter().for_each(|c| c.vars(&mut |v| needed[v] = true));
        if self.mode != Mode::Exists {
            for (i, p) in self.clause.head.iter().enumerate() {
                if !columns.contains(&i) {
                    p.vars(&mut |v| needed[v] = true);
                }
            }
        }
        needed
    }

    fn commit(&mut self, rest: &[&Condition], columns: &[usize]) {
        let needed = self.needed(rest, columns);
        let vars = (0..needed.len()).filter(|v| needed[*v] && self.bound[*v]);
        let depth = vars.map(|v| self.depth_of[v]).max().unwrap_or(0);
        if depth < self.depth {
            self.op(Op::Commit { depth });
            self.depth = depth;
        }
    }

    fn emit(&mut self) -> Option<()> {
        let prepared = self.planner.prepared;
        let auxiliary = prepared.relations[self.relation as usize].auxiliary;
        let free = auxiliary || self.mode == Mode::Exists;
        if !free && !self.clause.head.iter().all(|p| p.all_vars(&self.bound)) {
            return None;
        }
        let head = &self.clause.head;
        let args = if self.mode == Mode::Exists { Args::default() } else { self.args(head) };
        self.op(Op::Emit { args });
        Some(())
    }
}
