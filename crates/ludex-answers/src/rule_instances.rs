//! What `ground --by-rule` answers: how many instances every rule has (001, section 14.4).

use crate::account::{Account, Meter, answers};
use crate::domains::LargeCount;
use crate::fault::Unanswered;
use crate::table::Table;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::{Atom, Literal, Rel, Rule, Rules, Symbol, Term, fresh_name};
use ludex_gdl::source::Source;
use ludex_gdl::syntax::Syntax;
use ludex_net::domains::{Count, DomainGraph, DomainOwner, reduced};
use ludex_net::ground::NotGround;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The instances of every rule: by the domains of its variables, without those that `distinct` rules out, and
/// those whose conditions can be computed after the reduction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleInstances {
    pub game: String,
    pub rules: Vec<InstancesOfRule>,
    pub notes: Vec<String>,
    #[serde(flatten)]
    pub account: Account,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InstancesOfRule {
    /// In KIF.
    pub rule: String,
    /// Every variable with what it can be, by the domain graph.
    pub variables: Vec<String>,
    /// The product; none where there is no end.
    pub graph: Option<LargeCount>,
    /// Without instances that violate a `distinct`; none where there are too many to look at.
    pub distinct: Option<LargeCount>,
    /// After the reduction of the domains.
    pub reduced: Option<usize>,
}

answers!(RuleInstances);

/// Combinations of variables that a `distinct` may be tried on.
const MOST: u128 = 2_000_000;

impl RuleInstances {
    /// Of a game, or of a part of one.
    pub fn of(rules: &Rules, budget: &Budget) -> Result<RuleInstances, Unanswered> {
        let meter = Meter::alone(budget);
        let graph = DomainGraph::new(rules);
        let own = || rules.rules.iter().filter(|rule| !rule.body.is_empty());
        let mut found: Vec<InstancesOfRule> = Vec::new();
        for rule in own() {
            budget.check()?;
            found.push(InstancesOfRule::of(rules, &graph, rule));
        }
        let mut notes = Vec::new();
        match counted(rules, &own().collect::<Vec<_>>(), budget) {
            Ok(counts) => {
                found.iter_mut().zip(counts).for_each(|(rule, count)| rule.reduced = Some(count))
            }
            Err(NotGround::Stopped(stop)) => return Err(stop.into()),
            Err(why) => notes.push(format!("the reduction was not computed: {why}")),
        }
        Ok(RuleInstances {
            game: rules.name.clone(),
            rules: found,
            notes,
            account: meter.account(),
        })
    }
}

/// How many instances of these rules can be computed: the game gets a relation for each of them that holds for
/// what its variables are.
fn counted(rules: &Rules, own: &[&Rule], budget: &Budget) -> Result<Vec<usize>, NotGround> {
    let name = fresh_name(&rules.symbols, "instance");
    let head = |number: usize, rule: &Rule| {
        let vars: String = rule.vars.iter().map(|v| format!(" ?{v}")).collect();
        format!("({name}_{number}{vars})")
    };
    let mut text = rules.to_string();
    for (number, rule) in own.iter().enumerate().filter(|(_, rule)| !rule.vars.is_empty()) {
        let body: String =
            rule.body.iter().map(|l| format!(" {}", rules.literal_text(l, rule))).collect();
        text += &format!("\n(<= {}{body})", head(number, rule));
    }
    let source = Source::new(&rules.name, text);
    let longer = Rules::read_part(&source, Some(Syntax::Kif)).expect("printed rules can be read").0;
    let found = reduced(&longer, &DomainGraph::new(&longer), budget)?;
    let count = |(number, rule): (usize, &&Rule)| {
        if rule.vars.is_empty() {
            return 1;
        }
        let wanted = longer.symbols.find(&format!("{name}_{number}"));
        let is = |rel: &usize| Some(longer.relations[*rel].name) == wanted;
        let rel = (0..longer.relations.len()).find(is).expect("it was added");
        found.atoms_of(Rel(rel as u32)).count()
    };
    Ok(own.iter().enumerate().map(count).collect())
}

/// What a variable can be.
type VariableDomain = Vec<(Symbol, u32)>;

impl InstancesOfRule {
    fn of(rules: &Rules, graph: &DomainGraph, rule: &Rule) -> InstancesOfRule {
        let domains: Vec<VariableDomain> =
            (0..rule.vars.len() as u32).map(|v| domain(graph, rule, v)).collect();
        let size = |domain: &VariableDomain| {
            let terms = domain.iter().map(|(f, n)| graph.count(DomainOwner::Function(*f, *n)));
            terms.fold(Count::ZERO, Count::plus)
        };
        let all = domains.iter().map(size).fold(Count::Finite(1), Count::times);
        let text = |(v, domain): (usize, &VariableDomain)| {
            let names: Vec<String> = domain
                .iter()
                .map(|(f, n)| {
                    rules.symbols.name(*f).to_string() + if *n > 0 { "(…)" } else { "" }
                })
                .collect();
            format!("{} in {{{}}}", rule.vars[v], names.join(", "))
        };
        InstancesOfRule {
            rule: rules.rule_text(rule),
            variables: domains.iter().enumerate().map(text).collect(),
            graph: large(all),
            distinct: apart(rule, &domains, &size).and_then(large),
            reduced: None,
        }
    }
}

fn large(count: Count) -> Option<LargeCount> {
    match (count, count.exact()) {
        (_, Some(n)) => Some(LargeCount::Number(n)),
        (Count::Finite(n), None) => Some(LargeCount::Digits(n.to_string())),
        _ => None,
    }
}

/// The intersection of the domains of all places in the conditions where a variable stands.
fn domain(graph: &DomainGraph, rule: &Rule, variable: u32) -> VariableDomain {
    let mut places: Vec<(DomainOwner, u32)> = Vec::new();
    let positive = |l: &Literal| match l {
        Literal::Pos(atom) => Some(atom.clone()),
        _ => None,
    };
    for Atom { rel, args } in rule.body.iter().filter_map(positive) {
        occurrences(DomainOwner::Predicate(rel), &args, variable, &mut places);
    }
    let mut domains = places.iter().map(|(owner, i)| graph.domain(*owner, *i).to_vec());
    let first = domains.next().unwrap_or_default();
    domains.fold(first, |all, domain| all.into_iter().filter(|s| domain.contains(s)).collect())
}

fn occurrences(owner: DomainOwner, args: &[Term], v: u32, places: &mut Vec<(DomainOwner, u32)>) {
    for (i, arg) in args.iter().enumerate() {
        match arg {
            Term::Var(w) if *w == v => places.push((owner, i as u32 + 1)),
            Term::Var(_) => {}
            Term::App(f, inner) => {
                occurrences(DomainOwner::Function(*f, inner.len() as u32), inner, v, places)
            }
        }
    }
}

/// The number of instances that no `distinct` of the rule rules out. Its sides are variables or constants, and
/// the variables in it are constants, else this is not counted.
fn apart(
    rule: &Rule,
    domains: &[VariableDomain],
    size: &impl Fn(&VariableDomain) -> Count,
) -> Option<Count> {
    let mut pairs: Vec<(&Term, &Term)> = Vec::new();
    for literal in &rule.body {
        if let Literal::Distinct(a, b) = literal {
            pairs.push((a, b));
        }
    }
    let simple = |t: &Term| match t {
        Term::Var(v) => domains[*v as usize].iter().all(|(_, arity)| *arity == 0),
        Term::App(_, args) => args.is_empty(),
    };
    if !pairs.iter().all(|(a, b)| simple(a) && simple(b)) {
        return None;
    }
    let asked = |v: &usize| pairs.iter().any(|(a, b)| [a, b].contains(&&&Term::Var(*v as u32)));
    let (own, free): (Vec<usize>, Vec<usize>) = (0..domains.len()).partition(asked);
    let combinations: u128 = own.iter().map(|v| domains[*v].len() as u128).product();
    if combinations > MOST {
        return None;
    }
    let mut at = vec![0; own.len()];
    let mut count = 0;
    for _ in 0..combinations {
        let value = |t: &Term| match t {
            Term::Var(v) => {
                let place = own.iter().position(|w| *w == *v as usize).expect("it is asked");
                domains[*v as usize][at[place]].0
            }
            Term::App(f, _) => *f,
        };
        count += u128::from(pairs.iter().all(|(a, b)| value(a) != value(b)));
        for (place, v) in own.iter().enumerate() {
            at[place] = (at[place] + 1) % domains[*v].len();
            if at[place] > 0 {
                break;
            }
        }
    }
    let rest = free.iter().map(|v| size(&domains[*v])).fold(Count::Finite(1), Count::times);
    Some(rest.times(Count::Finite(count)))
}

impl fmt::Display for RuleInstances {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let header = ["by domains", "distinct", "reduced", "rule"];
        let mut table = Table::new(&header, &header[..3]);
        let text = |n: &Option<LargeCount>, without: &str| match n {
            Some(LargeCount::Number(n)) => n.to_string(),
            Some(LargeCount::Digits(digits)) => digits.clone(),
            None => without.into(),
        };
        for rule in &self.rules {
            let reduced = rule.reduced.map_or("not computed".into(), |n| n.to_string());
            let (all, apart) =
                (text(&rule.graph, "unbounded"), text(&rule.distinct, "not counted"));
            table.row([all, apart, reduced, rule.rule.clone()]);
        }
        write!(f, "{}\n{table}", self.game)?;
        self.notes.iter().try_for_each(|note| writeln!(f, "{note}"))
    }
}
