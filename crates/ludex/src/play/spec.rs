//! Text -> `Spec`: a player as the user describes it, such as `mcts,threads=2,symmetry=off`.

use ludex_gdl::source::Misread;
use ludex_search::{LeafWay, Options, SearchMethod};
use std::fmt;
use std::str::FromStr;

/// How a built-in player finds its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// The strongest search.
    Mcts,
    /// Any legal move.
    Random,
    /// Plain UCT, the yardstick.
    Uct,
}

/// A built-in player and its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// The search, or none.
    pub kind: PlayerKind,
    /// Its options.
    pub search: Options,
    /// Goes on thinking while others move.
    pub ponder: bool,
    /// Chance, in `random` and where a search draws.
    pub seed: u64,
}

impl Spec {
    /// With options as they are by default.
    pub fn new(kind: PlayerKind) -> Spec {
        Spec { kind, search: Options::default(), ponder: false, seed: 1 }
    }

    /// The strongest there is.
    pub fn best() -> Spec {
        Spec::new(PlayerKind::Mcts)
    }

    /// How it searches, if it does.
    pub fn options(&self) -> Option<Options> {
        let method = match self.kind {
            PlayerKind::Random => return None,
            PlayerKind::Mcts => SearchMethod::Mcts,
            PlayerKind::Uct => SearchMethod::Uct,
        };
        Some(Options { method, seed: self.seed, ..self.search.clone() })
    }
}

impl FromStr for Spec {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Spec, Misread> {
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let named = PlayerKind::ALL.into_iter().find(|k| k.to_string() == name);
        let names = || PlayerKind::ALL.map(|k| k.to_string()).join(", ");
        let unknown = || format!("there is no player {name}; known are {}", names());
        let mut spec = Spec::new(named.ok_or_else(unknown)?);
        for part in parts {
            let (option, value) = part.split_once('=').unwrap_or((part, "on"));
            spec.set(option.trim(), value.trim())?;
        }
        Ok(spec)
    }
}

impl Spec {
    fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        match option {
            "ponder" => self.ponder = switch(option, value)?,
            "threads" => self.search.threads = threads(value)?,
            "nodes" => self.search.nodes = number(option, value)?,
            "leaves" => self.search.leaves = Some(number(option, value)?),
            "symmetry" => self.search.symmetry = switch(option, value)?,
            "factoring" => self.search.factoring = switch(option, value)?,
            "solver" => self.search.solver = switch(option, value)?,
            "way" => self.search.way = Some(way(value)?),
            "seed" => self.seed = number(option, value)?,
            _ => return Err(format!("a player has no option {option}; known are {OPTIONS}")),
        }
        Ok(())
    }
}

const OPTIONS: &str = "factoring, leaves, nodes, ponder, seed, solver, symmetry, threads, way";

fn switch(option: &str, value: &str) -> Result<bool, String> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(format!("{option} is on or off, not {value}")),
    }
}

fn way(value: &str) -> Result<LeafWay, String> {
    let named = LeafWay::ALL.into_iter().find(|way| way.to_string() == value);
    let names = || LeafWay::ALL.map(|way| way.to_string()).join(", ");
    named.ok_or_else(|| format!("way is one of {}, not {value}", names()))
}

/// More threads than this are a slip, and there may be no room for them.
const MOST_THREADS: usize = 1024;

fn threads(value: &str) -> Result<usize, String> {
    let threads = number("threads", value)?;
    match (1..=MOST_THREADS).contains(&threads) {
        true => Ok(threads),
        false => Err(format!("threads is a number from 1 to {MOST_THREADS}, not {value}")),
    }
}

fn number<T: FromStr>(option: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{option} is a number, not {value}"))
}

impl PlayerKind {
    /// Every kind.
    pub const ALL: [PlayerKind; 3] = [PlayerKind::Mcts, PlayerKind::Random, PlayerKind::Uct];
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            PlayerKind::Mcts => "mcts",
            PlayerKind::Random => "random",
            PlayerKind::Uct => "uct",
        })
    }
}

impl fmt::Display for Spec {
    /// The options that are not as usual.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        let usual = Spec::new(self.kind);
        if self.ponder != usual.ponder {
            write!(f, ",ponder={}", if self.ponder { "on" } else { "off" })?;
        }
        if self.search.threads != usual.search.threads {
            write!(f, ",threads={}", self.search.threads)?;
        }
        if self.search.nodes != usual.search.nodes {
            write!(f, ",nodes={}", self.search.nodes)?;
        }
        if let Some(leaves) = self.search.leaves {
            write!(f, ",leaves={leaves}")?;
        }
        if let Some(way) = self.search.way {
            write!(f, ",way={way}")?;
        }
        let switches = |o: &Options| {
            [("symmetry", o.symmetry), ("factoring", o.factoring), ("solver", o.solver)]
        };
        for ((name, on), usual) in switches(&self.search).into_iter().zip(switches(&usual.search)) {
            if on != usual.1 {
                write!(f, ",{name}={}", if on { "on" } else { "off" })?;
            }
        }
        if self.seed != usual.seed {
            write!(f, ",seed={}", self.seed)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_and_written() {
        for text in [
            "random",
            "random,seed=7",
            "uct,ponder=on,threads=2",
            "mcts,leaves=4,symmetry=off",
            "mcts,factoring=off,solver=off",
            "mcts,way=evaluation",
        ] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        let spaced: Spec = "uct, threads = 2, ponder".parse().unwrap();
        assert_eq!(spaced.to_string(), "uct,ponder=on,threads=2");
        for (text, message) in [
            ("deepblue", "known are mcts, random, uct"),
            ("uct,depth=3", "no option depth"),
            ("uct,threads=many", "a number"),
            ("mcts,threads=0", "from 1 to 1024"),
            ("mcts,threads=1000000000", "from 1 to 1024"),
            ("uct,ponder=maybe", "on or off"),
            ("mcts,way=home", "playouts, decisive, single, evaluation"),
        ] {
            assert!(text.parse::<Spec>().unwrap_err().0.contains(message), "{text}");
        }
    }
}
