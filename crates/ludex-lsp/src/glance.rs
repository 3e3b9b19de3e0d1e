//! A text -> `Glance`: the complaints about it and its colours, for an editor that speaks no protocol.

use crate::document::Document;
use crate::layout::painted;
use ludex::source::{Complaint, Severity};
use ludex_answers::Fault;
use serde::Serialize;

/// What an editor shows of a text. Places are in units of UTF-16 from its beginning.
#[derive(Serialize)]
pub struct Glance {
    /// Beginning, end and colour: keyword, variable, relation, function, constant, comment.
    pub colours: Vec<(usize, usize, u32)>,
    pub complaints: Vec<PlacedFault>,
    pub infix: bool,
}

/// A complaint and the text that it is about.
#[derive(Serialize)]
pub struct PlacedFault {
    pub error: bool,
    pub start: usize,
    pub end: usize,
    #[serde(flatten)]
    pub fault: Fault,
}

impl Glance {
    pub fn of(name: &str, text: &str) -> Glance {
        let uri = "file:///game".parse().expect("an address");
        let mut document = Document::new(uri, 0, text.into());
        document.source.name = name.into();
        let mut report = document.report.clone();
        document.policy.apply(&document.source, &mut report);
        let units = Units::of(text);
        let place = |c: &Complaint| c.span.map_or((0, 0), |s| (units.at(s.start), units.at(s.end)));
        let placed = |c: &Complaint| {
            let (start, end) = place(c);
            let fault = Fault::of(c, Some(&document.source));
            PlacedFault { error: c.severity == Severity::Error, start, end, fault }
        };
        let colours = painted(&document).into_iter();
        Glance {
            colours: colours.map(|(s, c)| (units.at(s.start), units.at(s.end), c)).collect(),
            complaints: report.complaints.iter().map(placed).collect(),
            infix: document.is_infix(),
        }
    }
}

/// Bytes of a text -> units of UTF-16.
struct Units(Option<Vec<u32>>);

impl Units {
    fn of(text: &str) -> Units {
        if text.is_ascii() {
            return Units(None);
        }
        let (mut units, mut count) = (Vec::with_capacity(text.len() + 1), 0);
        for c in text.chars() {
            units.extend(std::iter::repeat_n(count, c.len_utf8()));
            count += c.len_utf16() as u32;
        }
        units.push(count);
        Units(Some(units))
    }

    fn at(&self, byte: u32) -> usize {
        match &self.0 {
            None => byte as usize,
            Some(units) => units[(byte as usize).min(units.len() - 1)] as usize,
        }
    }
}
