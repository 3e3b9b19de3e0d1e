//! A seed -> `Game`: made-up games of a few nodes, links and marks, full of recursion.
//!
//! Relations come one after the other and ask only for those before them or, without negation, for their
//! own group; so negation never goes round in a circle.

mod play;
mod recursion;
mod soup;
mod views;

use crate::chance::Chance;
use crate::graph::{Extent, Graph};
use crate::naive::Naive;
use crate::rules::{Game, Name};

/// A relation as a condition: text with `{0}`, `{1}`, … for its arguments.
#[derive(Clone, Debug)]
struct View {
    text: String,
    arity: usize,
}

/// How the roles move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// All at the same time.
    Together,
    /// One after the other.
    Turns,
}

struct Maker {
    chance: Chance,
    text: String,
    kinds: Vec<Name>,
    /// What may stand in a condition, in the order of making.
    views: Vec<View>,
    /// Those of them that recursion makes.
    recursive: Vec<View>,
    /// Nodes as they are written.
    nodes: Vec<&'static str>,
    roles: usize,
    order: Order,
    steps: bool,
    made: usize,
}

const NODES: [&[&str]; 4] =
    [&["a", "b", "c"], &["a", "b"], &["a", "b", "c", "d"], &["a", "b", "(f a)", "(f b)"]];

/// The game of a seed.
pub fn game(seed: u64) -> Game {
    lively(seed, 3, one)
}

/// Of a few games that are tried the first one in which something happens.
pub fn lively(seed: u64, tries: u64, one: fn(u64) -> Game) -> Game {
    let tried = (0..tries).map(|i| one(seed.wrapping_mul(tries).wrapping_add(i)));
    let mut last = None;
    for mut game in tried {
        game.seed = seed;
        let lively = happens(&game);
        last = Some(game);
        if lively {
            break;
        }
    }
    last.expect("at least one")
}

/// Whether play goes through a few states.
fn happens(game: &Game) -> bool {
    let naive = Naive::new(game).expect("rules with a meaning");
    let graph = Graph::new(&naive, Extent { states: 4, beyond: 0, joints: 4 });
    graph.proper().count() >= 4
}

fn one(seed: u64) -> Game {
    let mut maker = Maker::new(seed);
    maker.board();
    match maker.chance.below(4) {
        0 => maker.soup(),
        1 => {
            maker.relations();
            maker.soup();
        }
        _ => maker.relations(),
    }
    maker.play();
    let Maker { text, mut kinds, .. } = maker;
    let Game { rules, .. } = Game::read(&text);
    kinds.extend(crate::kinds::of_rules(&rules));
    kinds.sort_unstable();
    kinds.dedup();
    Game { seed, kinds, rules }
}

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut chance = Chance::new(seed);
        let nodes = NODES[chance.below(NODES.len())].to_vec();
        let roles = *chance.pick(&[1, 1, 2, 2, 2, 3]);
        let order = *chance.pick(&[Order::Together, Order::Turns]);
        let steps = chance.percent(60);
        let mut maker = Maker {
            chance,
            text: String::new(),
            kinds: vec![],
            views: vec![],
            recursive: vec![],
            nodes,
            roles,
            order,
            steps,
            made: 0,
        };
        maker.kind(["", "one role", "two roles", "three roles"][roles]);
        if roles > 1 {
            maker.kind(if order == Order::Together { "moves at once" } else { "turns" });
        }
        if maker.nodes.contains(&"(f a)") {
            maker.kind("functions in states");
        }
        maker
    }

    fn kind(&mut self, kind: Name) {
        self.kinds.push(kind);
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A name that is not in use.
    fn fresh(&mut self) -> String {
        self.made += 1;
        format!("p{}", self.made)
    }

    fn node(&mut self) -> &'static str {
        self.nodes[self.chance.below(self.nodes.len())]
    }

    fn add_view(&mut self, text: String, arity: usize) -> View {
        let view = View { text, arity };
        self.views.push(view.clone());
        view
    }

    /// A new relation as a condition.
    fn relation_view(&mut self, name: &str, arity: usize) -> View {
        let text = match arity {
            0 => name.to_string(),
            _ => {
                let args: String = (0..arity).map(|i| format!(" {{{i}}}")).collect();
                format!("({name}{args})")
            }
        };
        self.add_view(text, arity)
    }

    fn recursive_view(&mut self, name: &str, arity: usize) -> View {
        let view = self.relation_view(name, arity);
        self.recursive.push(view.clone());
        view
    }

    /// A view of this arity; every second time one that recursion makes, where there is one.
    fn view(&mut self, arity: usize) -> View {
        let fits = |v: &&View| v.arity == arity;
        let recursive: Vec<View> = self.recursive.iter().filter(fits).cloned().collect();
        if !recursive.is_empty() && self.chance.percent(50) {
            return self.chance.pick(&recursive).clone();
        }
        let all: Vec<View> = self.views.iter().filter(fits).cloned().collect();
        self.chance.pick(&all).clone()
    }

    /// Roles, nodes, and what is true at first.
    fn board(&mut self) {
        for role in 0..self.roles {
            self.line(&format!("(role r{role})"));
        }
        for node in self.nodes.clone() {
            self.line(&format!("(node {node})"));
        }
        self.add_view("(node {0})".into(), 1);
        for plain in self.nodes.clone().into_iter().filter(|n| !n.starts_with('(')) {
            self.line(&format!("(plain {plain})"));
        }
        for _ in 0..self.chance.between(1, 4) {
            let (x, y) = (self.node(), self.node());
            self.line(&format!("(edge {x} {y})"));
        }
        self.add_view("(edge {0} {1})".into(), 2);
        for _ in 0..self.chance.between(1, 5) {
            let (x, y) = (self.node(), self.node());
            self.line(&format!("(init (link {x} {y}))"));
        }
        self.add_view("(true (link {0} {1}))".into(), 2);
        self.add_view("(true (link {0} {1}))".into(), 2);
        for _ in 0..self.chance.below(3) {
            let x = self.node();
            self.line(&format!("(init (mark {x}))"));
        }
        self.add_view("(true (mark {0}))".into(), 1);
        if self.chance.percent(40) {
            self.line("(init flag)");
        }
        self.add_view("(true flag)".into(), 0);
    }
}

impl View {
    fn at(&self, args: &[&str]) -> String {
        let mut text = self.text.clone();
        for (i, arg) in args.iter().enumerate() {
            text = text.replace(&format!("{{{i}}}"), arg);
        }
        text
    }

    /// Its negation. What anybody does becomes what the first role does, so that no variable is unsafe.
    fn negated(&self, args: &[&str]) -> String {
        let safe = self.text.replace("?r", "r0").replace("?w", "a").replace("?t", "z");
        format!("(not {})", View { text: safe, arity: self.arity }.at(args))
    }
}
