//! `Table`: rows of text in columns, in the one style of all answers.

use comfy_table::{CellAlignment, presets};
use std::fmt;

pub struct Table {
    inner: comfy_table::Table,
}

impl Table {
    /// An empty table. Columns named in `right` are numbers.
    pub fn new(header: &[&str], right: &[&str]) -> Table {
        let mut inner = comfy_table::Table::new();
        inner.load_style(presets::NOTHING).set_header(header.to_vec());
        for (i, name) in header.iter().enumerate() {
            let column = inner.column_mut(i).expect("a column per name");
            column.set_padding((0, 2));
            if right.contains(name) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        Table { inner }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = impl fmt::Display>) {
        self.inner.add_row(cells.into_iter().map(|cell| cell.to_string()).collect::<Vec<_>>());
    }
}

/// Without the blanks at the ends of lines.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.inner.lines().try_for_each(|line| writeln!(f, "{}", line.trim_end()))
    }
}
