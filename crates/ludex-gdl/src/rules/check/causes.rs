//! Which complaints follow from which: a slip of the pen, told once, with all that comes of it.

use crate::source::{Complaint, Report, Severity};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// What complaints are about, by their numbers in the report.
#[derive(Default)]
pub struct Threads {
    /// A complaint and the name, in lower case, that it is about.
    about: Vec<(usize, String)>,
    /// A complaint and the one that it follows from.
    after: Vec<(usize, usize)>,
    /// A slip, and a name all complaints about which follow from it.
    slips: Vec<(String, String)>,
}

impl Threads {
    pub fn about(&mut self, complaint: usize, name: &str) {
        self.about.push((complaint, name.to_lowercase()));
    }

    pub fn after(&mut self, complaint: usize, cause: usize) {
        self.after.push((complaint, cause));
    }

    pub fn slip(&mut self, slip: &str, meant: &str) {
        self.slips.push((slip.to_lowercase(), meant.to_lowercase()));
    }

    /// Whether something was said about a name.
    pub fn is_told(&self, name: &str) -> bool {
        self.about.iter().any(|(_, about)| about.eq_ignore_ascii_case(name))
    }

    /// For each complaint the one that it follows from.
    fn causes(&self, complaints: &[Complaint]) -> Vec<Option<usize>> {
        let mut causes = vec![None; complaints.len()];
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (complaint, name) in &self.about {
            by_name.entry(name).or_default().push(*complaint);
        }
        let first = |of: &[usize]| {
            let rank = |c: &&usize| {
                let complaint = &complaints[**c];
                let place = complaint.span.map(|s| s.start);
                let declared = complaint.code.starts_with("outside-");
                (rank(complaint), complaint.fix.is_none(), place, declared)
            };
            of.iter().min_by_key(rank).copied()
        };
        let mut join = |group: &[usize], root: usize| {
            for c in group.iter().filter(|c| **c != root) {
                causes[*c].get_or_insert(root);
            }
        };
        // A slip explains more than what follows from what.
        for (slip, meant) in &self.slips {
            let Some(group) = by_name.get(slip.as_str()) else { continue };
            let Some(root) = first(group) else { continue };
            join(group, root);
            by_name.get(meant.as_str()).into_iter().for_each(|group| join(group, root));
        }
        self.after.iter().for_each(|(c, cause)| join(&[*c], *cause));
        for group in by_name.values() {
            first(group).into_iter().for_each(|root| join(group, root));
        }
        causes
    }
}

/// Of several complaints about one name, which comes first.
fn rank(complaint: &Complaint) -> usize {
    match complaint.code {
        "odd-arity" | "bare-variable" | "hidden-character" => 0,
        // Something was left out around it.
        "unused-relation" if complaint.fix.is_some() => 1,
        "undefined-relation" | "odd-name" | "unknown-role" => 1,
        _ if complaint.code.starts_with("missing-") => 1,
        "never-fires" | "not-kept" | "not-ended" | "outside-base" | "outside-input" => 2,
        "unused-relation" => 3,
        _ => 4,
    }
}

/// Hangs every complaint below the one that it follows from in the end, which is then at least as bad.
pub fn arrange(report: &mut Report, threads: &Threads) {
    let causes = threads.causes(&report.complaints);
    let roots = roots(&causes);
    let mut all: Vec<Option<Complaint>> = report.complaints.drain(..).map(Some).collect();
    let mut follows: Vec<Vec<Complaint>> = all.iter().map(|_| vec![]).collect();
    for (c, root) in roots.iter().enumerate().filter(|(c, root)| c != *root) {
        follows[*root].extend(all[c].take());
    }
    for (complaint, follows) in all.into_iter().zip(follows) {
        let Some(mut complaint) = complaint else { continue };
        if follows.iter().any(|c| c.severity == Severity::Error) {
            complaint.severity = Severity::Error;
        }
        complaint.follows = follows;
        report.complaints.push(complaint);
    }
}

/// For each complaint the end of its chain of causes; in a circle, the first of the circle.
fn roots(causes: &[Option<usize>]) -> Vec<usize> {
    let mut roots = vec![None; causes.len()];
    let mut walk_of = vec![None; causes.len()];
    for of in 0..causes.len() {
        let (mut path, mut at) = (vec![], of);
        let root = loop {
            if let Some(root) = roots[at] {
                break root;
            }
            if walk_of[at].replace(of) == Some(of) {
                let circle = path.iter().skip_while(|c| **c != at);
                break *circle.min().expect("the walk has been at this complaint");
            }
            path.push(at);
            match causes[at] {
                Some(cause) => at = cause,
                None => break at,
            }
        };
        path.iter().for_each(|c| roots[*c] = Some(root));
    }
    roots.into_iter().map(|root| root.expect("a walk began at every complaint")).collect()
}

/// Puts errors first, then what is likely to matter, then the rest, each in the order of the source, and
/// drops repetitions: a clause with `or` has become several rules that may all have the same fault.
pub fn in_order(report: &mut Report) {
    let place = |c: &Complaint| c.span.map_or((u32::MAX, 0), |s| (s.start, s.end));
    report.complaints.sort_by_key(|c| (tier(c), place(c)));
    let mut seen = FxHashSet::default();
    let mut fresh =
        |c: &Complaint| seen.insert((c.code, c.span.map(|s| s.start), c.message.clone()));
    report.complaints.retain(&mut fresh);
    for complaint in &mut report.complaints {
        complaint.follows.sort_by_key(place);
        complaint.follows.retain(&mut fresh);
    }
}

/// Whether a complaint may be why a game does not work.
pub fn is_cause(complaint: &Complaint) -> bool {
    tier(complaint) < 4
}

/// Whether all else may come of a complaint: an error, or something that is read as nobody meant it.
pub fn is_root(complaint: &Complaint) -> bool {
    tier(complaint) < 2
}

/// How much a complaint matters to whoever wants the game to work.
fn tier(complaint: &Complaint) -> usize {
    match complaint.code {
        _ if complaint.severity == Severity::Error => 0,
        // What is written there is not what was meant: all else may come of it.
        "missing-init" | "missing-next" | "lonely-name" | "comma-in-name" | "quoted-name"
        | "hidden-character" | "capital-letter" | "keyword-in-term" | "odd-arity"
        | "bare-variable" | "odd-variable" | "broken-chain" | "unknown-role" | "distinct-never" => {
            1
        }
        _ if complaint.fix.is_some() => 2,
        _ if !complaint.follows.is_empty() => 3,
        "undefined-relation" | "odd-name" | "never-fires" | "not-kept" | "idle-condition"
        | "role-without-moves" | "role-without-goal" | "goal-value" | "unused-input"
        | "outside-base" | "outside-input" | "not-ended" | "not-changed" | "all-in-control"
        | "odd-goal" => 3,
        "missing-base" | "missing-input" | "function-and-relation" => 5,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn report(codes: &[&'static str]) -> Report {
        let mut report = Report::default();
        for (at, code) in codes.iter().enumerate() {
            let span = Span { start: at as u32, end: at as u32 };
            report.warning(code, span, format!("{code} {at}"));
        }
        report
    }

    #[test]
    fn a_slip_takes_all_that_follows_from_it() {
        let mut report = report(&["never-fires", "unused-relation", "undefined-relation", "other"]);
        let mut threads = Threads::default();
        threads.about(1, "occupied");
        threads.about(2, "Occupid");
        threads.slip("occupid", "occupied");
        threads.after(0, 2);
        arrange(&mut report, &threads);
        in_order(&mut report);
        let codes: Vec<&str> = report.complaints.iter().map(|c| c.code).collect();
        assert_eq!(codes, ["undefined-relation", "other"]);
        assert_eq!(report.complaints[0].follows.len(), 2);
    }

    #[test]
    fn circles_have_one_root_and_nothing_is_lost() {
        let mut report = report(&["a", "b", "c", "d"]);
        let mut threads = Threads::default();
        [(0, 1), (1, 2), (2, 1), (3, 3)].iter().for_each(|(c, of)| threads.after(*c, *of));
        arrange(&mut report, &threads);
        let told: Vec<(&str, usize)> =
            report.complaints.iter().map(|c| (c.code, c.follows.len())).collect();
        assert_eq!(told, [("b", 2), ("d", 0)]);
    }

    #[test]
    fn all_of_a_long_chain_follows_from_its_end() {
        const LENGTH: usize = 200_000;
        let mut report = report(&vec!["never-fires"; LENGTH]);
        let mut threads = Threads::default();
        (1..LENGTH).for_each(|c| threads.after(c - 1, c));
        arrange(&mut report, &threads);
        let [end] = &report.complaints[..] else { panic!("several complaints have no cause") };
        assert_eq!((end.message.as_str(), end.follows.len()), ("never-fires 199999", LENGTH - 1));
    }
}
