//! `Table` -> words: what a symmetry does to the arguments of facts and moves, and what it is on a board.

use super::logic::Logic;
use super::table::Table;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Symbol, Term};
use ludex_net::ground::Ground;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

/// What kind of symmetry it is, as far as it can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Reflection,
    DiagonalReflection,
    HalfTurn,
    QuarterTurn,
    Lines,
    Objects,
    Other,
}

/// What a symmetry does, for people.
#[derive(Clone, Debug)]
pub struct Description {
    pub kind: Kind,
    /// Roles are exchanged as well.
    pub roles: bool,
    pub text: String,
}

/// What happens to the facts or moves of one function: its image, where its arguments go, and how
/// the values of every argument change.
#[derive(Clone, Debug)]
struct Shape {
    from: (Symbol, usize),
    to: Symbol,
    place: Vec<usize>,
    values: Vec<BTreeMap<String, String>>,
}

/// Describes the symmetries in order.
pub fn describe(
    tables: &[Table],
    ground: &Ground,
    logic: &Logic,
    budget: &Budget,
) -> Result<Vec<Description>, Stop> {
    let bases: Vec<Term> = logic.bases.iter().map(|t| ground.to_term(*t)).collect();
    let inputs: Vec<Term> = logic.inputs.iter().map(|i| ground.to_term(i.1)).collect();
    let each = |table| {
        budget.check()?;
        Ok(describe_one(table, ground, logic, &bases, &inputs))
    };
    tables.iter().map(each).collect()
}

fn describe_one(
    table: &Table,
    ground: &Ground,
    logic: &Logic,
    bases: &[Term],
    inputs: &[Term],
) -> Description {
    let describer = Describer { ground };
    let mut shapes = describer.shapes(bases, &table.bases);
    let board = shapes.as_ref().and_then(|s| describer.board(s));
    let moves = describer.shapes(inputs, &table.inputs);
    if let (Some(shapes), Some(moves)) = (&mut shapes, moves) {
        shapes.extend(moves);
    }
    let mut parts: Vec<String> = Vec::new();
    let role = |r: usize| ground.term_text(logic.roles[r]);
    parts.extend(cycles(&table.roles, &role));
    match &shapes {
        Some(shapes) => parts.extend(describer.text(shapes)),
        None => parts.push(describer.sample(bases, table)),
    }
    let roles = !table.fixes_roles();
    let kind = match board {
        Some(kind) => kind,
        None if is_exchange(table) => Kind::Objects,
        None => Kind::Other,
    };
    Description { kind, roles, text: parts.join(", ") }
}

fn is_exchange(table: &Table) -> bool {
    let involution = |p: &[u32]| p.iter().enumerate().all(|(i, &x)| p[x as usize] as usize == i);
    involution(&table.bases) && involution(&table.inputs)
}

/// The arguments of a term, and the image of the term.
type Pair<'a> = (&'a [Term], &'a Term);

struct Describer<'a> {
    ground: &'a Ground,
}

impl Describer<'_> {
    fn text_of(&self, t: &Term) -> String {
        match t {
            Term::App(f, args) if args.is_empty() => self.ground.symbols.name(*f).to_string(),
            Term::App(f, args) => {
                let args: String = args.iter().map(|a| format!(" {}", self.text_of(a))).collect();
                format!("({}{args})", self.ground.symbols.name(*f))
            }
            Term::Var(_) => unreachable!("ground"),
        }
    }

    /// One shape per function, if the map can be told so.
    fn shapes(&self, terms: &[Term], images: &[u32]) -> Option<Vec<Shape>> {
        let mut by_function: BTreeMap<(Symbol, usize), Vec<Pair>> = BTreeMap::new();
        for (t, &to) in terms.iter().zip(images) {
            let Term::App(f, args) = t else { return None };
            by_function.entry((*f, args.len())).or_default().push((args, &terms[to as usize]));
        }
        by_function.into_iter().map(|(from, pairs)| self.shape(from, &pairs)).collect()
    }

    fn shape(&self, from: (Symbol, usize), pairs: &[Pair]) -> Option<Shape> {
        let Term::App(to, _) = pairs.first()?.1 else { return None };
        let same = |t: &Term| matches!(t, Term::App(g, a) if g == to && a.len() == from.1);
        if !pairs.iter().all(|p| same(p.1)) || from.1 > 5 {
            return None;
        }
        places(from.1).into_iter().find_map(|place| {
            let values = self.values(&place, pairs)?;
            Some(Shape { from, to: *to, place, values })
        })
    }

    /// How each argument's values change if the arguments go to these places; none if they do not so.
    fn values(&self, place: &[usize], pairs: &[Pair]) -> Option<Vec<BTreeMap<String, String>>> {
        let mut values: Vec<FxHashMap<&Term, &Term>> = vec![FxHashMap::default(); place.len()];
        for (args, image) in pairs {
            let Term::App(_, out) = image else { return None };
            for (i, arg) in args.iter().enumerate() {
                let to = &out[place[i]];
                if *values[i].entry(arg).or_insert(to) != to {
                    return None;
                }
            }
        }
        let texts = |map: FxHashMap<&Term, &Term>| {
            map.into_iter().map(|(x, y)| (self.text_of(x), self.text_of(y))).collect()
        };
        Some(values.into_iter().map(texts).collect())
    }

    fn text(&self, shapes: &[Shape]) -> Vec<String> {
        let mut changes: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut parts = Vec::new();
        for shape in shapes {
            let name = self.ground.symbols.name(shape.from.0);
            if shape.to != shape.from.0 {
                parts.push(format!("{name} → {}", self.ground.symbols.name(shape.to)));
            }
            let place: Vec<u32> = shape.place.iter().map(|&p| p as u32).collect();
            parts.extend(cycles(&place, &|i| format!("{name}[{}]", i + 1)));
            for (i, map) in shape.values.iter().enumerate() {
                if let Some(text) = value_text(map) {
                    changes.entry(text).or_default().push(format!("{name}[{}]", i + 1));
                }
            }
        }
        parts.extend(changes.into_iter().map(|(text, places)| {
            let shown = places.iter().take(6).cloned().collect::<Vec<_>>().join(", ");
            let more = if places.len() > 6 { ", …" } else { "" };
            format!("{text} in {shown}{more}")
        }));
        parts
    }

    /// The first facts that move, and how many do.
    fn sample(&self, bases: &[Term], table: &Table) -> String {
        let moved: Vec<usize> =
            (0..bases.len()).filter(|&i| table.bases[i] as usize != i).collect();
        let show = |&i: &usize| {
            let to = &bases[table.bases[i] as usize];
            format!("{} → {}", self.text_of(&bases[i]), self.text_of(to))
        };
        let shown: Vec<String> = moved.iter().take(3).map(show).collect();
        let inputs = table.inputs.iter().enumerate().filter(|(i, x)| *i != **x as usize).count();
        format!("{} of {} facts and {inputs} moves: {}", moved.len(), bases.len(), shown.join(", "))
    }

    /// The kind of symmetry on the facts with two coordinates, if such facts are moved.
    fn board(&self, shapes: &[Shape]) -> Option<Kind> {
        let cells = |s: &&Shape| s.from.1 >= 2 && s.to == s.from.0;
        let size = |s: &&Shape| s.values[0].len() * s.values[1].len();
        let moved = |s: &&Shape| !is_still(s);
        let shape = shapes.iter().filter(cells).filter(moved).max_by_key(size)?;
        let [x, y] = [&shape.values[0], &shape.values[1]];
        if x.len() < 2 || y.len() < 2 {
            return None;
        }
        let (still_x, still_y) = (is_identity(x), is_identity(y));
        match shape.place[..2] {
            [0, 1] => match (reverses(x), reverses(y)) {
                (true, true) => Some(Kind::HalfTurn),
                (true, false) if still_y => Some(Kind::Reflection),
                (false, true) if still_x => Some(Kind::Reflection),
                _ if still_x && still_y => None,
                _ => Some(Kind::Lines),
            },
            [1, 0] => {
                let back = |(a, b): (&String, &String)| y.get(b) == Some(a);
                let involution = x.iter().all(back);
                Some(if involution { Kind::DiagonalReflection } else { Kind::QuarterTurn })
            }
            _ => None,
        }
    }
}

fn is_still(shape: &Shape) -> bool {
    shape.place.iter().enumerate().all(|(i, &p)| i == p) && shape.values.iter().all(is_identity)
}

fn is_identity(map: &BTreeMap<String, String>) -> bool {
    map.iter().all(|(a, b)| a == b)
}

/// Whether the map turns the order of its values round.
fn reverses(map: &BTreeMap<String, String>) -> bool {
    let mut values: Vec<&String> = map.keys().collect();
    values.sort_by(|a, b| natural(a, b));
    let back = values.iter().rev();
    values.len() > 1 && values.iter().zip(back).all(|(a, b)| map.get(*a) == Some(b))
}

fn natural(a: &str, b: &str) -> Ordering {
    match (a.parse::<i64>(), b.parse::<i64>()) {
        (Ok(x), Ok(y)) => x.cmp(&y),
        _ => (a.len(), a).cmp(&(b.len(), b)),
    }
}

fn value_text(map: &BTreeMap<String, String>) -> Option<String> {
    let mut values: Vec<&String> = map.keys().collect();
    values.sort_by(|a, b| natural(a, b));
    let closed = map.values().all(|v| map.contains_key(v));
    if !closed {
        let pair = |v: &&String| format!("{v} → {}", map[*v]);
        return Some(values.iter().map(pair).collect::<Vec<_>>().join(", "));
    }
    let number = |v: &String| values.iter().position(|w| *w == v).expect("closed") as u32;
    let images: Vec<u32> = values.iter().map(|v| number(&map[*v])).collect();
    let found: Vec<String> = cycles(&images, &|i| values[i].clone());
    (!found.is_empty()).then(|| found.join(", "))
}

/// The cycles of a permutation, in words.
fn cycles(images: &[u32], name: &dyn Fn(usize) -> String) -> Vec<String> {
    let all = ludex_graph::Perm(images.to_vec()).cycles();
    let text = |c: &Vec<u32>| {
        let names: Vec<String> = c.iter().map(|&i| name(i as usize)).collect();
        match names.len() {
            2 => format!("{} ↔ {}", names[0], names[1]),
            _ => format!("{} → {}", names.join(" → "), names[0]),
        }
    };
    all.iter().map(text).collect()
}

/// All orders of `n` places, the plain one first.
fn places(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for i in 0..n {
        let longer = |p: &Vec<usize>| {
            (0..=i)
                .rev()
                .map(|at| {
                    let mut q = p.clone();
                    q.insert(at, i);
                    q
                })
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Kind::Reflection => "reflection of the board",
            Kind::DiagonalReflection => "reflection in a diagonal",
            Kind::HalfTurn => "rotation by half a turn",
            Kind::QuarterTurn => "rotation by a quarter turn",
            Kind::Lines => "exchange of lines of the board",
            Kind::Objects => "exchange of objects",
            Kind::Other => "symmetry",
        })
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let roles = if self.roles { " and exchange of roles" } else { "" };
        write!(f, "{}{roles}: {}", self.kind, self.text)
    }
}
