//! What `symmetry` answers: the symmetries of a game, found in its rules and in its net.

use crate::account::{Account, Meter, StoppedBy, answers};
use crate::fault::Unanswered;
use crate::status::ByRole;
use indexmap::IndexMap;
use ludex::Game;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use ludex_net::ground::NotGround;
use ludex_symmetry::describe::Description;
use ludex_symmetry::position::SymmetricPosition;
use ludex_symmetry::{
    KeptStructure, Logic, OfNet, OfRules, SymmetryMap, SymmetryQuestion, of_rules,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The symmetries of a game: generators and order of the group, from its rules and its net.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Symmetries {
    pub game: String,
    pub rules: Option<RuleGroup>,
    pub net: Option<NetPart>,
    /// Keys of which nothing was tried.
    pub not_tried: Vec<String>,
    #[serde(flatten)]
    pub account: Account,
}

/// Symmetries of the rules: maps of names and argument positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleGroup {
    /// The number of symmetries, as a decimal string.
    pub order: String,
    /// The number of those that leave every role alone.
    pub order_fixed_roles: String,
    pub generators: Vec<RuleGenerator>,
    /// The order of the rules as they are written.
    pub order_as_written: String,
    /// The order of their normal form.
    pub order_normalised: String,
    /// What the normal form changes.
    pub notes: Vec<String>,
    /// States in which all generators were tried.
    pub states_tried: usize,
    /// Generators that were tried at all.
    pub generators_tried: usize,
    pub graph: GraphSize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleGenerator {
    pub text: String,
    /// Every moved symbol and argument position by name.
    pub cycles: Vec<Vec<String>>,
}

/// The size of a rule graph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GraphSize {
    pub vertices: usize,
    pub edges: usize,
}

/// Symmetries of the ground game, or why there are none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NetPart {
    Found(NetGroup),
    Failed { error: String },
}

/// Symmetries of the ground game: maps of facts and moves. Each is proved, since it maps the ground rules onto themselves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NetGroup {
    /// The number of symmetries, as a decimal string.
    pub order: String,
    /// The number of those that leave every role alone.
    pub order_fixed_roles: String,
    pub generators: Vec<NetGenerator>,
    /// Generators of the rules.
    pub rule_generators: usize,
    /// Those that lead to no facts that never occur.
    pub rule_generators_acting: usize,
    /// Are these symmetries of the net?
    pub contains_rules: bool,
    /// Random states in which every generator was tried.
    pub states_tried: usize,
    /// Was the search brought to its end? Else the order is a lower bound.
    pub found_all: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NetGenerator {
    #[serde(flatten)]
    pub description: Description,
    pub map: GeneratorMap,
}

/// The image of every role, of every fact, and of every move by role; what is not named stays as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GeneratorMap {
    pub roles: IndexMap<String, String>,
    pub facts: IndexMap<String, String>,
    pub moves: ByRole<IndexMap<String, String>>,
}

/// The symmetries of one position, and its classes of symmetric joint moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SymmetriesAt {
    pub game: String,
    pub facts: Vec<String>,
    /// The number of symmetries that keep the position and every role, as a decimal string.
    pub order: String,
    /// Classes of joint moves.
    pub orbits: Vec<Vec<Vec<String>>>,
    /// There are too many joint moves to list.
    pub cut: bool,
    #[serde(flatten)]
    pub account: Account,
}

answers!(Symmetries, SymmetriesAt);

/// What to look for.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymmetryEffort {
    /// Only symmetries that leave every role itself.
    pub fix_roles: bool,
    /// Only symmetries of the initial state.
    pub with_init: bool,
    /// Look at the rules only.
    pub rules_only: bool,
    /// Seconds for trying the generators of the rules with the reasoner.
    pub trial_seconds: f64,
    /// Seconds for the search on the net.
    pub net_seconds: f64,
}

/// Where all generators together have more images, only those are named that are something else.
const MOST_NAMED: usize = 1_000_000;

/// The symmetries of the net as they were found, for pictures of them.
pub type FoundOnNet = Option<(OfNet, Arc<Net>)>;

impl Symmetries {
    /// What is known on the way is shown to `watch`.
    pub fn of(
        game: &Game,
        question: SymmetryEffort,
        budget: &Budget,
        watch: &mut dyn FnMut(Symmetries),
    ) -> Result<(Symmetries, FoundOnNet), Unanswered> {
        let meter = Meter::new(game, budget);
        let SymmetryEffort { fix_roles, with_init, rules_only, .. } = question;
        let of_rules = of_rules(
            game.rules(),
            &SymmetryQuestion { with_init, fix_roles, ..SymmetryQuestion::default() },
            budget,
            &budget.lasting(question.trial_seconds),
        )?;
        let mut answer = Symmetries {
            game: game.name().into(),
            rules: Some(RuleGroup::told(&of_rules)),
            ..Symmetries::default()
        };
        if rules_only {
            (answer.not_tried, answer.account) = (vec!["net".into()], meter.account());
            return Ok((answer, None));
        }
        answer.net = Some(NetPart::Failed { error: "stopped".into() });
        answer.account = meter.draft(&["net"]);
        watch(answer.clone());
        let found = on_net(game, &of_rules, question, budget);
        let stop = budget.check().err();
        let (net, by) = match &found {
            Ok((found, net)) => {
                let by = stop.or((!found.complete).then_some(Stop::Time)).map(Into::into);
                (NetPart::Found(NetGroup::told(found, net)), by)
            }
            Err((error, by)) => (NetPart::Failed { error: error.clone() }, Some(*by)),
        };
        answer.net = Some(net);
        let stopped: &[&str] = if by.is_some() { &["net"] } else { &[] };
        answer.account = meter.account().cut(stopped, by);
        Ok((answer, found.ok()))
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> Symmetries {
        let account = Account::unknown(&["rules", "net"]);
        Symmetries { game: game.into(), account, ..Symmetries::default() }
    }

    /// The columns of `row`.
    pub const HEADER: &str = "game\trules\trules, roles fixed\tnet\tnet, roles fixed";

    /// The orders, with tabs between.
    pub fn row(&self) -> String {
        let rules = self.rules.as_ref().map_or(["stopped"; 2].join("\t"), |rules| {
            format!("{}\t{}", rules.order, rules.order_fixed_roles)
        });
        let net = match &self.net {
            None => ["not tried"; 2].join("\t"),
            Some(NetPart::Found(net)) => format!("{}\t{}", net.order, net.order_fixed_roles),
            Some(NetPart::Failed { .. }) => ["stopped"; 2].join("\t"),
        };
        format!("{}\t{rules}\t{net}", self.game)
    }
}

/// The symmetries of the net, or what kept them from being found.
fn on_net(
    game: &Game,
    rules: &OfRules,
    question: SymmetryEffort,
    budget: &Budget,
) -> Result<(OfNet, Arc<Net>), (String, StoppedBy)> {
    let keep = KeptStructure { roles: question.fix_roles, initial: question.with_init };
    let failed = |why: NotGround| {
        let by = match &why {
            NotGround::Stopped(stop) => (*stop).into(),
            _ => StoppedBy::Size,
        };
        (why.to_string(), by)
    };
    let net = game.knowledge().net(budget).map_err(failed)?;
    let found = game.knowledge().symmetries_told(&rules.found, keep, budget, question.net_seconds);
    let found = found.map_err(|why| match why {
        NotGround::Stopped(stop) => {
            let at = budget.seconds();
            let why =
                format!("{stop} in the search for symmetries of the net, after {at:.0} seconds");
            (why, stop.into())
        }
        why => failed(why),
    })?;
    Ok((found, net))
}

impl RuleGroup {
    fn told(of: &OfRules) -> RuleGroup {
        let generators = of.found.generators.iter();
        let generators =
            generators.map(|g| RuleGenerator { text: g.to_string(), cycles: g.cycles.clone() });
        RuleGroup {
            order: of.order.to_string(),
            order_fixed_roles: of.order_fixed_roles.to_string(),
            generators: generators.collect(),
            order_as_written: of.as_written.to_string(),
            order_normalised: of.normalised.to_string(),
            notes: match of.normalised > of.as_written {
                true => of.found.normal.notes.clone(),
                false => vec![],
            },
            states_tried: of.tried.states,
            generators_tried: of.tried.generators,
            graph: GraphSize { vertices: of.found.size.0, edges: of.found.size.1 },
        }
    }
}

impl NetGroup {
    fn told(found: &OfNet, net: &Net) -> NetGroup {
        let size = (net.roles.len() + net.bases.len() + net.inputs.len()) * found.generators.len();
        let generator = |(description, table): (&Description, &SymmetryMap)| NetGenerator {
            description: description.clone(),
            map: GeneratorMap::told(table, net, size <= MOST_NAMED),
        };
        NetGroup {
            order: found.order.to_string(),
            order_fixed_roles: found.order_fixed_roles.to_string(),
            generators: found.descriptions.iter().zip(&found.generators).map(generator).collect(),
            rule_generators: found.of_rules.len(),
            rule_generators_acting: found.of_rules.iter().flatten().count(),
            contains_rules: found.contains_rules,
            states_tried: found.states_tried,
            found_all: found.complete,
        }
    }
}

impl GeneratorMap {
    fn told(table: &SymmetryMap, net: &Net, all: bool) -> GeneratorMap {
        type Named<'a> = &'a mut dyn Iterator<Item = usize>;
        let part = |images: &[u32], of: Named, name: &dyn Fn(usize) -> String| {
            let named = of.filter(|&i| all || images[i] as usize != i);
            named.map(|i| (name(i), name(images[i] as usize))).collect::<IndexMap<_, _>>()
        };
        let moves = |role: usize| {
            let name = |i: usize| net.inputs[i].name.clone();
            // Moves that are never made stay where they are, even where their roles do not.
            let image_role = |i: usize| net.inputs[table.inputs[i] as usize].role;
            let fits = |i: &usize| image_role(*i) == table.roles[role] as usize;
            let mut own = net.inputs_of(role).filter(fits);
            (net.roles[role].clone(), part(&table.inputs, &mut own, &name))
        };
        GeneratorMap {
            roles: part(&table.roles, &mut (0..net.roles.len()), &|r| net.roles[r].clone()),
            facts: part(&table.bases, &mut (0..net.bases.len()), &|b| net.bases[b].name.clone()),
            moves: (0..net.roles.len()).map(moves).collect(),
        }
    }
}

impl SymmetriesAt {
    /// Of the position that a state of the game's net is.
    pub fn of(
        game: &Game,
        net: &Net,
        state: &[bool],
        budget: &Budget,
    ) -> Result<SymmetriesAt, Unanswered> {
        let meter = Meter::new(game, budget);
        let mut logic = game.knowledge().logic(budget)?;
        if !logic.settled.agrees(state) {
            // No match comes here, so that what never changes in matches may have any value.
            logic = Arc::new(Logic::new(&*game.knowledge().ground(budget)?, budget)?);
        }
        let position = SymmetricPosition::new(&logic, net, state, budget)?;
        let joint = |moves: &Vec<u32>| -> Vec<String> {
            moves.iter().map(|&m| net.inputs[m as usize].name.clone()).collect()
        };
        let orbit = |orbit: &Vec<Vec<u32>>| orbit.iter().map(joint).collect();
        let facts = (0..state.len()).filter(|&b| state[b]).map(|b| net.bases[b].name.clone());
        Ok(SymmetriesAt {
            game: game.name().into(),
            facts: facts.collect(),
            order: position.order.to_string(),
            orbits: position.orbits.iter().map(orbit).collect(),
            cut: position.cut,
            account: meter.account(),
        })
    }
}

/// `8 symmetries, 4 with every role fixed`.
struct GroupOrders<'a>(&'a str, &'a str);

impl fmt::Display for GroupOrders<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let symmetries = if self.0 == "1" { "symmetry" } else { "symmetries" };
        write!(f, "{} {symmetries}, {} with every role fixed", self.0, self.1)
    }
}

/// Longer numbers are told in short.
const DIGITS: usize = 12;

/// The order of a group as it fits on a card: `5.6e127` for a number of 128 digits.
pub fn order_in_short(order: &str) -> String {
    match order.len() {
        0..=DIGITS => order.into(),
        digits => format!("{}.{}e{}", &order[..1], &order[1..2], digits - 1),
    }
}

/// Changes of the normal form that are shown to people.
const SHOWN: usize = 10;

impl fmt::Display for Symmetries {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}", self.game)?;
        self.rules.iter().try_for_each(|rules| write!(f, "{rules}"))?;
        match &self.net {
            None => writeln!(f, "net: not tried"),
            Some(NetPart::Failed { error }) => writeln!(f, "net: {error}"),
            Some(NetPart::Found(net)) => write!(f, "{net}"),
        }
    }
}

impl fmt::Display for RuleGroup {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "rules: {}", GroupOrders(&self.order, &self.order_fixed_roles))?;
        if !self.notes.is_empty() {
            let written = &self.order_as_written;
            writeln!(f, "  (as written they show {written}; in normal form more)")?;
            self.notes.iter().take(SHOWN).try_for_each(|n| writeln!(f, "    {n}"))?;
        }
        self.generators.iter().try_for_each(|g| writeln!(f, "  {}", g.text))
    }
}

impl fmt::Display for NetGroup {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let orders = GroupOrders(&self.order, &self.order_fixed_roles);
        match self.found_all {
            true => writeln!(f, "net: {orders}")?,
            false => writeln!(f, "net: at least {orders}, then stopped")?,
        }
        self.generators.iter().try_for_each(|g| writeln!(f, "  {}", g.description))?;
        let away = self.rule_generators - self.rule_generators_acting;
        if away > 0 {
            writeln!(f, "  {away} of the rules' generators lead to facts that never occur")?;
        }
        if !self.generators.is_empty() {
            let states = self.states_tried;
            writeln!(
                f,
                "  each maps the ground rules onto themselves; tried in {states} random states, too"
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for SymmetriesAt {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}: {}", self.game, self.facts.join(" "))?;
        writeln!(f, "symmetries that keep the position and every role: {}", self.order)?;
        if self.cut {
            return writeln!(f, "there are too many joint moves to list");
        }
        let all: usize = self.orbits.iter().map(Vec::len).sum();
        writeln!(f, "{all} joint moves in {} classes:", self.orbits.len())?;
        for orbit in &self.orbits {
            let shown: Vec<String> = orbit.iter().map(|j| j.join(" ")).collect();
            writeln!(f, "  {}", shown.join(" | "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::order_in_short;

    #[test]
    fn large_orders_are_told_in_short() {
        assert_eq!(order_in_short("80640"), "80640");
        assert_eq!(order_in_short("123456789012"), "123456789012");
        assert_eq!(order_in_short("5634208228761"), "5.6e12");
    }
}
