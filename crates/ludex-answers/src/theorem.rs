//! What `factor --theorem` and `factor --paths` answer: the definitions of the paper on factoring, one by one.

use crate::account::{Account, Meter, answers};
use crate::factor::patterns;
use crate::fault::{Fault, Unanswered};
use ludex::Game;
use ludex_facts::independence::{Independence, IndependentParts, PartOperand, Proposition};
use ludex_gdl::budget::Budget;
use ludex_net::Net;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The conditions of Theorem 3.16, checked one by one on the net as it is, and with moves split by what they do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FactorTheorem {
    pub game: String,
    /// With a move as one input, as GDL has it.
    pub as_written: Option<TheoremConditions>,
    /// With moves split by what they do; none where the game does not fall apart that way.
    pub moves_split: Option<TheoremConditions>,
    #[serde(flatten)]
    pub account: Account,
}

/// The sets and conditions of Theorem 3.16.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TheoremConditions {
    /// N_1 to N_n: independent sets, together with `iid`.
    pub sets: Vec<IndependentSet>,
    /// The largest action independent set, as patterns of facts.
    pub iid: Vec<String>,
    /// Are there several sets?
    pub several: bool,
    /// Definition 3.13: from how many operands of Legal paths lead to which sets.
    pub legal: Vec<OperandCount>,
    pub legally_partitionable: bool,
    /// Definition 3.14, by role.
    pub goals: Vec<OperandCount>,
    pub goal_partitionable: bool,
    /// Roles that have moves in several sets, of which GDL lets them make one a step.
    pub one_action: Vec<String>,
    /// All conditions hold.
    pub factorable: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IndependentSet {
    /// Patterns of facts.
    pub facts: Vec<String>,
    pub bases: usize,
    pub inputs: usize,
}

/// Operands that read the same sets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OperandCount {
    /// What they are operands of; one of them as an example.
    pub of: String,
    /// Numbers of sets, from 1; none: IID alone.
    pub sets: Vec<usize>,
    pub operands: usize,
}

/// A directed path between propositions, or that there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Dependence {
    pub game: String,
    pub from: Vec<String>,
    pub to: Vec<String>,
    /// A shortest path; none: the sets are disconnected that way.
    pub path: Option<Vec<String>>,
    /// The smallest independent set that contains `to`.
    pub independent: Vec<String>,
    /// Has it no moves?
    pub action_independent: bool,
    #[serde(flatten)]
    pub account: Account,
}

answers!(FactorTheorem, Dependence);

impl FactorTheorem {
    /// Lemmas may be looked for so many seconds.
    pub fn of(game: &Game, seconds: f64, budget: &Budget) -> Result<FactorTheorem, Unanswered> {
        let meter = Meter::new(game, budget);
        let knowledge = game.knowledge();
        let net = knowledge.net(budget)?;
        let parts = Independence::new(&net, budget)?.parts(budget)?;
        let found = knowledge.factors(budget, seconds)?;
        let split = found.tie.is_none().then(|| {
            let parts = IndependentParts::of_factors(&found);
            TheoremConditions::of(&found.net, &parts, true)
        });
        Ok(FactorTheorem {
            game: game.name().into(),
            as_written: Some(TheoremConditions::of(&net, &parts, false)),
            moves_split: split,
            account: meter.account(),
        })
    }
}

impl TheoremConditions {
    fn of(net: &Net, parts: &IndependentParts, split: bool) -> TheoremConditions {
        let bases_of = |part: Option<usize>| -> Vec<usize> {
            (0..net.bases.len()).filter(|b| parts.of_base[*b] == part).collect()
        };
        let set = |number: usize| {
            let bases = bases_of(Some(number));
            let inputs = parts.of_input.iter().filter(|of| of.contains(&number)).count();
            IndependentSet { facts: patterns(net, &bases), bases: bases.len(), inputs }
        };
        let apart = |operands: &[PartOperand]| operands.iter().all(|o| o.parts.len() <= 1);
        let legal = parts.legal(net, split);
        let roles = || (0..net.roles.len()).filter(|r| Some(*r) != net.chance());
        let goals: Vec<Vec<PartOperand>> = roles().map(|r| parts.goal(net, r)).collect();
        let all: BTreeSet<usize> = (0..parts.count).collect();
        // Every set must have its operand, else there is nothing to win in it.
        let covered = |operands: &Vec<PartOperand>| {
            operands.iter().flat_map(|o| o.parts.iter().copied()).collect::<BTreeSet<_>>() == all
        };
        let goal_partitionable = goals.iter().all(|operands| apart(operands) && covered(operands));
        let torn = |r: &usize| !split && parts.of_role(net, *r).len() > 1;
        let (several, legally_partitionable) = (parts.count > 1, apart(&legal));
        TheoremConditions {
            sets: (0..parts.count).map(set).collect(),
            iid: patterns(net, &bases_of(None)),
            several,
            legal: counted(&legal, |_| "Legal".into()),
            legally_partitionable,
            goals: goals.iter().flat_map(|g| counted(g, |o| o.name.clone())).collect(),
            goal_partitionable,
            one_action: roles().filter(torn).map(|r| net.roles[r].clone()).collect(),
            factorable: several && legally_partitionable && goal_partitionable,
        }
    }
}

fn counted(operands: &[PartOperand], of: impl Fn(&PartOperand) -> String) -> Vec<OperandCount> {
    let mut counts: BTreeMap<(String, &BTreeSet<usize>), usize> = BTreeMap::new();
    operands.iter().for_each(|o| *counts.entry((of(o), &o.parts)).or_insert(0) += 1);
    let told = |((of, sets), operands): ((String, &BTreeSet<usize>), usize)| OperandCount {
        of,
        sets: sets.iter().map(|s| s + 1).collect(),
        operands,
    };
    counts.into_iter().map(told).collect()
}

impl Dependence {
    /// From and to facts or moves, in KIF, or all facts of a relation by its name.
    pub fn of(
        game: &Game,
        from: &str,
        to: &str,
        budget: &Budget,
    ) -> Result<Dependence, Unanswered> {
        let meter = Meter::new(game, budget);
        let net = game.knowledge().net(budget)?;
        let graph = Independence::new(&net, budget)?;
        let (sources, targets) = (propositions(&net, from)?, propositions(&net, to)?);
        let names = |all: &[Proposition]| all.iter().map(|p| name(&net, *p)).collect::<Vec<_>>();
        let closure = graph.closure(&targets);
        Ok(Dependence {
            game: game.name().into(),
            from: names(&sources),
            to: names(&targets),
            path: graph.path(&sources, &targets).map(|path| names(&path)),
            action_independent: !closure.iter().any(|p| matches!(p, Proposition::Input(_))),
            independent: names(&closure),
            account: meter.account(),
        })
    }
}

fn name(net: &Net, of: Proposition) -> String {
    match of {
        Proposition::Base(b) => net.bases[b].name.clone(),
        Proposition::Input(i) => {
            format!("(does {} {})", net.roles[net.inputs[i].role], net.inputs[i].name)
        }
    }
}

fn propositions(net: &Net, text: &str) -> Result<Vec<Proposition>, Box<Fault>> {
    let wanted = ludex_reason::canonical(text.trim());
    let bases = (0..net.bases.len()).map(Proposition::Base);
    let all = bases.chain((0..net.inputs.len()).map(Proposition::Input));
    let fits = |p: &Proposition| {
        let name = ludex_reason::canonical(&name(net, *p));
        name == wanted || name.strip_prefix('(').and_then(|n| n.split(' ').next()) == Some(&wanted)
    };
    let found: Vec<Proposition> = all.filter(fits).collect();
    if found.is_empty() {
        let message =
            format!("{text} is neither a fact nor (does ROLE MOVE) nor a relation of the state");
        return Err(Box::new(Fault::new("unknown-proposition", message)));
    }
    Ok(found)
}

impl fmt::Display for FactorTheorem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(conditions) = &self.as_written {
            write!(f, "{}, a move being one input:\n{conditions}", self.game)?;
        }
        match &self.moves_split {
            Some(conditions) => write!(f, "with moves split by what they do:\n{conditions}"),
            None => writeln!(f, "with moves split by what they do: one game, see `ludex factor`"),
        }
    }
}

impl fmt::Display for TheoremConditions {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let yes = |is: bool| if is { "yes" } else { "no" };
        for (number, set) in self.sets.iter().enumerate() {
            let IndependentSet { facts, bases, inputs } = set;
            let facts = facts.join(" ");
            writeln!(f, "  N_{}: {bases} facts {facts}, read by {inputs} moves", number + 1)?;
        }
        let iid = if self.iid.is_empty() { "empty".into() } else { self.iid.join(" ") };
        writeln!(f, "  IID, the largest action independent set: {iid}")?;
        writeln!(f, "  several independent sets: {} ({})", yes(self.several), self.sets.len())?;
        writeln!(f, "  legally partitionable: {}", yes(self.legally_partitionable))?;
        self.legal.iter().try_for_each(|count| writeln!(f, "    {count}"))?;
        writeln!(f, "  goal partitionable: {}", yes(self.goal_partitionable))?;
        self.goals.iter().try_for_each(|count| writeln!(f, "    {count}"))?;
        writeln!(f, "  conjunctively factorable by Theorem 3.16: {}", yes(self.factorable))?;
        for role in &self.one_action {
            writeln!(
                f,
                "  {role} has moves in several sets; the paper lets it act in each, GDL in one a step"
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for OperandCount {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sets: Vec<String> = self.sets.iter().map(|s| format!("N_{s}")).collect();
        let sets = if sets.is_empty() { "IID alone".into() } else { sets.join(" and ") };
        let s = if self.operands == 1 { "" } else { "s" };
        write!(f, "{}: {} operand{s} on {sets}", self.of, self.operands)
    }
}

impl fmt::Display for Dependence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.path {
            Some(path) => writeln!(f, "path: {}", path.join(" -> "))?,
            None => writeln!(f, "disconnected: no path leads from the first to the second")?,
        }
        let action = if self.action_independent { ", action independent" } else { "" };
        writeln!(f, "smallest independent set with the second{action}:")?;
        self.independent.iter().try_for_each(|name| writeln!(f, "  {name}"))
    }
}
