//! Who plays a role, as the user says it: `random`, `mcts,threads=2`, `human` or `http://host:port`.

pub mod hosting;
pub mod human;
pub mod preparing;

use crate::Session;
use human::{Drawing, Human};
use ludex::knowledge::Knowledge;
use ludex::play::{Builtin, Disguise, Opening, Player, Record, Spec};
use ludex::rules::Rules;
use ludex::source::Misread;
use ludex::syntax::Syntax;
use ludex_web::{Address, Remote};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// What `--player` takes.
pub const PLAYERS: &str = "\
Players are
  mcts                the strongest search
  random              any legal move
  uct                 plain tree search with random playouts, the yardstick
  human               you, in this terminal
  http://host:port    a program that speaks the protocol of general game playing
The built-in ones take options after commas: seed=N, threads=N, nodes=N (states kept in memory), \
ponder (go on thinking while others move); mcts also symmetry=off, solver=off (no exact search beside it), \
factoring=off (the solver does not search independent parts apart), leaves=N (states that share a \
pass of playouts, 0 for single playouts) and way=W (what tells the worth of new states: playouts, decisive, \
single or evaluation; without it what wins in matches of its own). For example: mcts,threads=2,ponder";

#[derive(Clone, Debug, PartialEq)]
pub enum Who {
    Builtin(Spec),
    Human,
    Remote(Address, String),
}

impl FromStr for Who {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Who, Misread> {
        match text {
            "human" => Ok(Who::Human),
            text if text.starts_with("http:") => Ok(Who::Remote(text.parse()?, text.into())),
            text => match text.parse() {
                Ok(spec) => Ok(Who::Builtin(spec)),
                Err(why) => Err(Misread(format!("{why}; or human, or http://host:port"))),
            },
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Who::Builtin(spec) => write!(f, "{spec}"),
            Who::Human => f.write_str("human"),
            Who::Remote(_, text) => f.write_str(text),
        }
    }
}

/// What players of a match have in common.
pub struct Setting<'a> {
    pub session: &'a Session,
    pub rules: &'a Rules,
    pub drawing: Drawing,
    /// Makes the chance of built-in players another one in every match.
    pub seed: u64,
    /// A person may take moves back.
    pub undo: bool,
    /// What is known of the game, where the built-in players need not find it out by themselves.
    pub known: Option<Arc<Knowledge>>,
}

impl<'a> Setting<'a> {
    /// The player of a role of the match that a record will be of.
    pub fn player(&self, who: &Who, role: usize, record: &Record) -> Box<dyn Player + 'a> {
        let name = record.seats[role].role.clone();
        match who {
            Who::Builtin(spec) => {
                let opening = self.opening(name, spec.clone(), role as u64);
                Box::new(Builtin::new(opening))
            }
            Who::Human => {
                let advisor = self.opening(name.clone(), Spec::best(), role as u64);
                Box::new(Human::new(self, role, advisor, record.play_clock))
            }
            Who::Remote(address, _) => Box::new(Remote {
                address: address.clone(),
                id: record.id.clone(),
                role: name,
                rules: self.rules.text(Syntax::Kif).replace('\n', " "),
                start_clock: record.start_clock,
                play_clock: record.play_clock,
                disguise: record.scrambled.then(|| Disguise::new(self.seed)),
            }),
        }
    }

    fn opening(&self, role: String, player: Spec, number: u64) -> Opening {
        let rules = self.rules.clone();
        let seed = player.seed.wrapping_add(self.seed.wrapping_mul(1009)).wrapping_add(number);
        Opening {
            rules: Box::new(move || Ok(rules)),
            known: self.known.clone(),
            role,
            player: Spec { seed, ..player },
            grounding: self.session.grounding(),
            memory: self.session.memory_of_matches()(),
            memories: None,
        }
    }
}
