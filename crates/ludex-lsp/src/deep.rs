//! What takes longer than an answer may: domains and the first state, found beside the server under a budget.

use crate::document::Document;
use ludex::budget::{Budget, Stop};
use ludex::domains::{DomainGraph, DomainOwner};
use ludex::interp::Interp;
use ludex::reason::{StateMachine, first_state};
use ludex::rules::{Rel, Rules};
use ludex::source::Report;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Seconds that it may take.
const SECONDS: f64 = 3.0;
/// The constants of a domain that are kept.
const CONSTANTS: usize = 200;

/// What is known of the rules beyond their text.
#[derive(Default)]
pub struct Deep {
    /// By name and arity: the domain of each argument, as constants and functions.
    pub domains: BTreeMap<(String, usize), Vec<Vec<String>>>,
    /// By role: its name and the number of its legal moves in the first state.
    pub legal: Vec<(String, usize)>,
    /// Complaints with those about the first state.
    pub report: Report,
    /// Why something is missing.
    pub stopped: Option<String>,
}

/// Seconds since the first call: the clock of the budgets.
pub fn clock() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// A budget that ends by itself after a while, or when the caller stops it.
pub fn budget() -> Budget {
    let whole = Budget::new(clock);
    let part = whole.lasting(SECONDS);
    let watched = whole.clone();
    let ended = part.clone();
    // The thread ends soon after the time is up, whether the work has ended or not.
    std::thread::spawn(move || {
        let from = clock();
        while clock() < from + SECONDS + 0.1 && ended.check().is_ok() {
            std::thread::sleep(Duration::from_millis(20));
            watched.enforce(0);
        }
    });
    part
}

/// Stops work that nobody waits for any more.
pub fn cancel(budget: &Budget) {
    budget.stop(Stop::Interrupted);
}

/// The rules of a document and its complaints: all that the work needs of it.
pub struct Task {
    rules: Rules,
    report: Report,
}

impl Task {
    pub fn of(document: &Document) -> Option<Task> {
        let rules = document.rules.clone()?;
        Some(Task { rules, report: document.report.clone() })
    }

    pub fn run(self, budget: &Budget) -> Deep {
        let Task { rules, mut report } = self;
        let mut deep = Deep { domains: domains(&rules), ..Deep::default() };
        let looked = first_state(&rules, &mut report, budget);
        let legal = looked.and_then(|()| legal(&rules, budget));
        match legal {
            Ok(legal) => deep.legal = legal,
            Err(problem) => deep.stopped = Some(problem.to_string()),
        }
        deep.report = report;
        deep
    }
}

fn legal(rules: &Rules, budget: &Budget) -> Result<Vec<(String, usize)>, ludex::interp::Problem> {
    let mut game = Interp::hasty(rules, budget)?;
    let initial = game.initial();
    let counts = (0..game.roles())
        .map(|role| {
            let mut moves = Vec::new();
            game.legal(&initial, role, &mut moves);
            (game.role_text(role), moves.len())
        })
        .collect();
    game.problem().map_or(Ok(counts), Err)
}

fn domains(rules: &Rules) -> BTreeMap<(String, usize), Vec<Vec<String>>> {
    let graph = DomainGraph::new(rules);
    let mut domains = BTreeMap::new();
    for owner in graph.owners() {
        let (name, arity) = match owner {
            DomainOwner::Predicate(rel) if is_own(rules, rel) => {
                let relation = rules.relation(rel);
                (rules.symbols.name(relation.name), relation.arity)
            }
            DomainOwner::Predicate(_) => continue,
            DomainOwner::Function(symbol, arity) => (rules.symbols.name(symbol), arity as usize),
        };
        let text = |(symbol, arity): &(ludex::rules::Symbol, u32)| match arity {
            0 => rules.symbols.name(*symbol).to_string(),
            n => format!("{}/{n}", rules.symbols.name(*symbol)),
        };
        let argument = |at: usize| {
            let domain = graph.domain(owner, at as u32 + 1).iter();
            domain.take(CONSTANTS).map(text).collect()
        };
        domains.insert((name.to_lowercase(), arity), (0..arity).map(argument).collect());
    }
    domains
}

fn is_own(rules: &Rules, rel: Rel) -> bool {
    !rules.relation(rel).auxiliary
}
