//! What `ground` and `net` answer: the sizes of the ground rules and of the network.

use crate::account::{Account, Meter, answers};
use crate::fault::Unanswered;
use ludex::Game;
use ludex_gdl::budget::Budget;
use ludex_net::Net;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The size of the ground rules of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GroundSize {
    pub game: String,
    pub rules: Option<usize>,
    /// Conditions of all rules.
    pub literals: Option<usize>,
    pub atoms: Option<usize>,
    /// CPU seconds of grounding.
    pub seconds: Option<f64>,
    /// The rules themselves, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(flatten)]
    pub account: Account,
}

/// The size of the propositional network of a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NetSize {
    pub game: String,
    /// Facts of states.
    pub bases: Option<usize>,
    /// Moves.
    pub inputs: Option<usize>,
    pub views: Option<usize>,
    pub gates: Option<usize>,
    pub depth: Option<usize>,
    pub recursive_components: Option<usize>,
    pub ground_rules: Option<usize>,
    pub stages: NetStages,
    #[serde(flatten)]
    pub account: Account,
}

/// CPU seconds by stage.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NetStages {
    pub read: Option<f64>,
    pub ground: Option<f64>,
    pub net: Option<f64>,
}

answers!(GroundSize, NetSize);

impl GroundSize {
    /// With the text of the rules where `print` asks for it.
    pub fn of(game: &Game, print: bool, budget: &Budget) -> Result<GroundSize, Unanswered> {
        let meter = Meter::new(game, budget);
        let ground = game.knowledge().ground(budget)?;
        Ok(GroundSize {
            game: ground.name.clone(),
            rules: Some(ground.len()),
            literals: Some(ground.rules().map(|(_, body)| body.len()).sum()),
            atoms: Some(ground.atoms.len()),
            seconds: Some(meter.seconds()),
            text: print.then(|| ground.to_string()),
            account: meter.account(),
        })
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> GroundSize {
        let account = Account::unknown(&["rules", "literals", "atoms"]);
        GroundSize { game: game.into(), account, ..GroundSize::default() }
    }
}

const OF_NET: [&str; 5] = ["bases", "inputs", "gates", "depth", "recursive_components"];

impl NetSize {
    /// Reading the rules took so many seconds. What is known on the way is shown to `watch`.
    pub fn of(
        game: &Game,
        read: f64,
        budget: &Budget,
        watch: &mut dyn FnMut(NetSize),
    ) -> Result<(NetSize, Arc<Net>), Unanswered> {
        let meter = Meter::new(game, budget);
        let ground = game.knowledge().ground(budget)?;
        let grounded = meter.seconds();
        let known = NetSize {
            game: game.name().into(),
            views: Some(ground.view_count()),
            ground_rules: Some(ground.len()),
            stages: NetStages { read: Some(read), ground: Some(grounded), net: None },
            account: meter.draft(&OF_NET),
            ..NetSize::default()
        };
        watch(known.clone());
        let net = game.knowledge().net(budget)?;
        let size = NetSize {
            bases: Some(net.bases.len()),
            inputs: Some(net.inputs.len()),
            gates: Some(net.gate_count()),
            depth: Some(net.depth()),
            recursive_components: Some(net.components.len()),
            stages: NetStages { net: Some(meter.seconds() - grounded), ..known.stages },
            account: meter.account(),
            ..known
        };
        Ok((size, net))
    }

    /// One of which nothing is known.
    pub fn unknown(game: &str) -> NetSize {
        let parts = [&OF_NET[..], &["views", "ground_rules", "stages"]].concat();
        NetSize { game: game.into(), account: Account::unknown(&parts), ..NetSize::default() }
    }
}

impl fmt::Display for GroundSize {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(text) = &self.text {
            return f.write_str(text);
        }
        let [rules, literals, atoms] =
            [self.rules, self.literals, self.atoms].map(|n| n.unwrap_or(0));
        let name = &self.game;
        writeln!(f, "{name}: {rules} ground rules with {literals} conditions over {atoms} atoms")
    }
}

impl fmt::Display for NetSize {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let number = |n: Option<usize>| n.unwrap_or(0);
        let (name, views) = (&self.game, number(self.views));
        let Some(bases) = self.bases else {
            let rules = number(self.ground_rules);
            return writeln!(f, "{name}: {rules} ground rules, {views} views; net stopped");
        };
        let NetStages { read, ground, net } = &self.stages;
        let [read, ground, net] = [read, ground, net].map(|s| s.unwrap_or(0.0));
        writeln!(
            f,
            "{name}: {bases} bases, {} inputs, {views} views, {} gates, depth {}, {} recursive \
             components ({:.3} s: {read:.3} read, {ground:.3} ground, {net:.3} net)",
            number(self.inputs),
            number(self.gates),
            number(self.depth),
            number(self.recursive_components),
            read + ground + net,
        )
    }
}
