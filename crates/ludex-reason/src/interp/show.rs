//! The text of a plan: every table with its instructions, and what it was asked and has answered.

use super::Interp;
use super::code::{Arg, Args, Op, Outs, Program, QueryTable};
use std::fmt;

impl fmt::Display for Interp {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (number, (table, memo)) in
            self.program.tables.iter().zip(&self.machine.memos).enumerate()
        {
            let QueryTable { columns, mode, level, .. } = table;
            let name = self.relation_name(table.relation);
            writeln!(
                f,
                "table {number}: {name} given {columns:?}, {mode:?}, {level:?}; asked {}, found {}",
                memo.asked, memo.found
            )?;
            for rule in &table.rules {
                writeln!(f, "  rule")?;
                let mut pc = rule.start as usize;
                loop {
                    let op = self.program.ops[pc];
                    writeln!(f, "    {}", self.op_text(op))?;
                    pc += 1;
                    if matches!(op, Op::Emit { .. }) {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Interp {
    fn relation_name(&self, relation: u32) -> String {
        let name = self.names.get(relation as usize);
        name.map_or(format!("auxiliary {relation}"), |s| self.symbols.name(*s).to_string())
    }

    fn op_text(&self, op: Op) -> String {
        let p: &Program = &self.program;
        let arg = |a: Arg| match a.as_term() {
            Some(term) => self.text(term),
            None => format!("#{}", a.0),
        };
        let args = |a: Args| {
            let args = &p.args[a.start as usize..][..a.len as usize];
            args.iter().map(|a| arg(*a)).collect::<Vec<_>>().join(" ")
        };
        let outs = |o: Outs| {
            let outs = &p.outs[o.start as usize..][..o.len as usize];
            outs.iter().map(|(c, s)| format!("{c}->#{s}")).collect::<Vec<_>>().join(" ")
        };
        let functor = |f: u32| self.symbols.name(self.machine.store.functors[f as usize].symbol);
        let not = |negated: bool| if negated { "not " } else { "" };
        match op {
            Op::Same { a, b, fail } => format!("{} = {} else {fail}", arg(a), arg(b)),
            Op::Differ { a, b, fail } => format!("{} != {} else {fail}", arg(a), arg(b)),
            Op::Build { functor: g, args: a, out } => {
                format!("#{out} = ({} {})", functor(g), args(a))
            }
            Op::Take { slot, functor: g, out, fail } => {
                format!("#{slot} = ({} #{out}..) else {fail}", functor(g))
            }
            Op::Fact { functor: g, args: a, negated, fail } => {
                format!("{}true ({} {}) else {fail}", not(negated), functor(g), args(a))
            }
            Op::FactTerm { arg: a, negated, fail } => {
                format!("{}true {} else {fail}", not(negated), arg(a))
            }
            Op::Does { role, action, negated, fail } => {
                format!("{}does {} {} else {fail}", not(negated), arg(role), arg(action))
            }
            Op::Row { stored, args: a, negated, fail } => {
                format!("{}row {stored} ({}) else {fail}", not(negated), args(a))
            }
            Op::Ask { table, key, negated, fail } => {
                format!(
                    "{}ask {} ({}) else {fail}",
                    not(negated),
                    self.table_name(table),
                    args(key)
                )
            }
            Op::ScanFacts { functor: g, index, key, outs: o, fail } => {
                let columns = &p.indexes[g as usize][index as usize];
                format!(
                    "scan true {} {columns:?} ({}) {} else {fail}",
                    functor(g),
                    args(key),
                    outs(o)
                )
            }
            Op::ScanRows { stored, index, key, outs: o, fail } => {
                let columns = &p.stored[stored as usize].indexes[index as usize].columns;
                format!("scan rows {stored} {columns:?} ({}) {} else {fail}", args(key), outs(o))
            }
            Op::ScanTable { table, key, outs: o, fail } => {
                format!("scan {} ({}) {} else {fail}", self.table_name(table), args(key), outs(o))
            }
            Op::Await { table, key, outs: o, .. } => {
                format!("await {} ({}) {}", self.table_name(table), args(key), outs(o))
            }
            Op::Emit { args: a } => format!("emit ({})", args(a)),
            op => format!("{op:?}"),
        }
    }

    fn table_name(&self, table: u32) -> String {
        format!("{table} {}", self.relation_name(self.program.tables[table as usize].relation))
    }
}
