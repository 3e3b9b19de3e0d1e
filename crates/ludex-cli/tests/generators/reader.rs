//! What `ludex symmetry` tells of a generator, read back: the map of the JSON, and the words.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A role, a fact, or a move of a role, as text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    Role(String),
    Fact(String),
    Move(String, String),
}

type Map = BTreeMap<String, String>;

/// The whole map of a generator of the net.
pub struct Whole {
    roles: Map,
    facts: Map,
    moves: BTreeMap<String, Map>,
}

impl Whole {
    pub fn of(map: &Value) -> Whole {
        let strings = |value: &Value| -> Map {
            let pairs = value.as_object().expect("a map").iter();
            pairs.map(|(from, to)| (from.clone(), to.as_str().unwrap().to_string())).collect()
        };
        let by_role = map["moves"].as_object().expect("moves by role").iter();
        let moves = by_role.map(|(role, map)| (role.clone(), strings(map))).collect();
        let whole = Whole { roles: strings(&map["roles"]), facts: strings(&map["facts"]), moves };
        let images: BTreeSet<Thing> = whole.things().iter().map(|x| whole.image(x)).collect();
        assert!(images.into_iter().eq(whole.things()), "one to one");
        whole
    }

    /// All that is named, in order.
    fn things(&self) -> BTreeSet<Thing> {
        let roles = self.roles.keys().cloned().map(Thing::Role);
        let facts = self.facts.keys().cloned().map(Thing::Fact);
        let of = |(role, map): (&String, &Map)| {
            map.keys().map(|m| Thing::Move(role.clone(), m.clone())).collect::<Vec<_>>()
        };
        roles.chain(facts).chain(self.moves.iter().flat_map(of)).collect()
    }

    pub fn image(&self, of: &Thing) -> Thing {
        let get = |map: &Map, x: &String| map.get(x).unwrap_or(x).clone();
        match of {
            Thing::Role(role) => Thing::Role(get(&self.roles, role)),
            Thing::Fact(fact) => Thing::Fact(get(&self.facts, fact)),
            Thing::Move(role, mv) => {
                let image = self.moves.get(role).map_or(mv.clone(), |map| get(map, mv));
                Thing::Move(get(&self.roles, role), image)
            }
        }
    }

    /// The words say the same, but for so many facts and moves as they say, which they let stay.
    pub fn assert_told(&self, told: &Told, generator: &Value, name: &str) {
        let mut left = (0, 0);
        for thing in self.things() {
            let image = told.image(&thing);
            if image == self.image(&thing) {
                continue;
            }
            match &thing {
                Thing::Role(_) => panic!("{name}: {thing:?}"),
                Thing::Fact(_) => left.0 += 1,
                Thing::Move(..) => left.1 += 1,
            }
            assert!(told.lets_stay(&thing), "{name}: {thing:?} is told to be {image:?}");
        }
        assert_eq!(left, told.left, "{name}: left out");
        assert_eq!(generator["facts_left_out"], left.0);
        assert_eq!(generator["moves_left_out"], left.1);
    }
}

/// Which facts and moves a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    name: String,
    arity: Option<usize>,
    /// The value of an argument, counted from 1.
    given: Option<(usize, String)>,
    /// `facts`, `moves`, a role, or all.
    of: Option<String>,
}

/// The words of a generator.
#[derive(Debug, Default)]
pub struct Told {
    roles: Map,
    /// Functions, or constants of a scrambling, that become others.
    renamed: BTreeMap<Name, String>,
    /// Arguments, counted from 1, and the function and place where they go.
    placed: BTreeMap<(Name, usize), (String, usize)>,
    values: BTreeMap<(Name, usize), Map>,
    /// Single facts and moves.
    single: Map,
    pub left: (usize, usize),
}

impl Told {
    /// Reads the words for a generator of the net, which `words.rs` of `ludex-symmetry` defines.
    pub fn read(text: &str) -> Told {
        let mut told = Told::default();
        for clause in text.split("; ") {
            if let Some(counts) = clause.strip_prefix("and ") {
                told.left = counted(counts);
            } else if let Some(roles) = clause.strip_suffix(" as roles") {
                told.roles = pairs(roles);
            } else if let Some((values, places)) = clause.split_once(" in ") {
                for place in items(places) {
                    let at = place_of(&place);
                    assert!(told.values.insert(at, pairs(values)).is_none(), "{text}");
                }
            } else {
                items(clause).iter().for_each(|chain| told.chain(chain));
            }
        }
        told
    }

    fn chain(&mut self, text: &str) {
        let (chain, of) = match text.rsplit_once(" of ") {
            Some((chain, of)) => (chain, Some(of.to_string())),
            None => (text, None),
        };
        for (from, to) in pairs(chain) {
            let known = if from.starts_with('(') {
                self.single.insert(from, to).is_some()
            } else if is_place(&from) {
                let (mut at, (to, place)) = (place_of(&from), place_of(&to));
                at.0.of = of.clone();
                self.placed.insert(at, (to.name, place)).is_some()
            } else {
                let name = Name { of: of.clone(), ..name_of(&from) };
                self.renamed.insert(name, name_of(&to).name).is_some()
            };
            assert!(!known, "{text} is told twice");
        }
    }

    /// Reads the words for a generator of the rules: constants, functions and arguments. Relations are told as
    /// well, but no state has any.
    pub fn read_scrambling(text: &str) -> Told {
        let mut told = Told::default();
        let chains = items(text).into_iter().filter(|chain| !chain.starts_with("relation "));
        chains.for_each(|chain| told.chain(&chain));
        told
    }

    /// All that a fact or move may be meant by.
    fn families(&self, of: &Thing, name: &str, args: &[String]) -> Vec<Name> {
        let owners: Vec<String> = match of {
            Thing::Move(role, _) => vec!["moves".into(), role.clone()],
            _ => vec!["facts".into()],
        };
        let owners = [None].into_iter().chain(owners.into_iter().map(Some));
        let given = args.iter().enumerate().map(|(i, value)| Some((i + 1, value.clone())));
        let given: Vec<_> = [None].into_iter().chain(given).collect();
        let mut found = Vec::new();
        for of in owners {
            for arity in [None, Some(args.len())] {
                let with = |given: &Option<(usize, String)>| {
                    let (name, of, given) = (name.to_string(), of.clone(), given.clone());
                    Name { name, arity, given, of }
                };
                found.extend(given.iter().map(with));
            }
        }
        found
    }

    pub fn image(&self, of: &Thing) -> Thing {
        let role = |r: &String| self.roles.get(r).unwrap_or(r).clone();
        let single = |text: &str| self.single.get(text).cloned();
        match of {
            Thing::Role(r) => Thing::Role(role(r)),
            Thing::Fact(fact) => {
                let named =
                    if fact.starts_with('(') { fact.clone() } else { format!("(true {fact})") };
                let to = single(&named).map(|to| match parts(&to) {
                    (name, args) if name == "true" => args[0].clone(),
                    _ => to,
                });
                Thing::Fact(to.unwrap_or_else(|| self.term(of, fact)))
            }
            Thing::Move(r, mv) => match single(&format!("(does {r} {mv})")) {
                Some(to) => {
                    let (does, args) = parts(&to);
                    assert_eq!(does, "does");
                    Thing::Move(args[0].clone(), args[1].clone())
                }
                None => Thing::Move(role(r), self.term(of, mv)),
            },
        }
    }

    /// Whether no word is said of it, except about its role.
    pub fn lets_stay(&self, thing: &Thing) -> bool {
        match (thing, self.image(thing)) {
            (Thing::Move(_, m), Thing::Move(_, image)) => *m == image,
            (thing, image) => *thing == image,
        }
    }

    fn term(&self, of: &Thing, text: &str) -> String {
        let (name, args) = parts(text);
        let families = self.families(of, &name, &args);
        let mut to = families.iter().find_map(|f| self.renamed.get(f)).unwrap_or(&name).clone();
        let mut image = args.clone();
        for (i, arg) in args.iter().enumerate() {
            let keys = || families.iter().map(|f| (f.clone(), i + 1));
            let value = keys().find_map(|key| self.values.get(&key)?.get(arg)).unwrap_or(arg);
            match keys().find_map(|key| self.placed.get(&key)) {
                Some((function, place)) => {
                    to = function.clone();
                    image[place - 1] = value.clone();
                }
                None => image[i] = value.clone(),
            }
        }
        term_text(&to, &image)
    }

    /// The image under a generator of the rules, whose words hold wherever their names stand.
    pub fn scrambled(&self, of: &Thing) -> Thing {
        let all = |text: &str| self.everywhere(text);
        match of {
            Thing::Role(role) => Thing::Role(all(role)),
            Thing::Fact(fact) => Thing::Fact(all(fact)),
            Thing::Move(role, mv) => Thing::Move(all(role), all(mv)),
        }
    }

    fn everywhere(&self, text: &str) -> String {
        if let Some(to) = self.single.get(text) {
            return to.clone();
        }
        let (name, args) = parts(text);
        let own = Name { name: name.clone(), arity: None, given: None, of: None };
        let by_arity = Name { arity: Some(args.len()), ..own.clone() };
        let renamed = self.renamed.get(&by_arity).or_else(|| self.renamed.get(&own));
        let to = renamed.unwrap_or(&name).clone();
        let mut image: Vec<String> = args.iter().map(|a| self.everywhere(a)).collect();
        for (i, arg) in image.clone().into_iter().enumerate() {
            let at = |name: &Name| self.placed.get(&(name.clone(), i + 1)).map(|p| p.1);
            let place = at(&by_arity).or_else(|| at(&own)).unwrap_or(i + 1);
            image[place - 1] = arg;
        }
        term_text(&to, &image)
    }
}

/// `3 more facts and 4 more moves`, either part of it alone.
fn counted(text: &str) -> (usize, usize) {
    let mut left = (0, 0);
    for part in text.split(" and ") {
        let (n, what) = part.split_once(" more ").expect("a number");
        match what.trim_end_matches('s') {
            "fact" => left.0 = n.parse().unwrap(),
            "move" => left.1 = n.parse().unwrap(),
            what => panic!("{what}"),
        }
    }
    left
}

/// The parts between commas that are in no parentheses.
fn items(text: &str) -> Vec<String> {
    let (mut found, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        depth += (c == '(') as i32 - (c == ')') as i32;
        match c {
            ',' if depth == 0 => found.push(String::new()),
            _ => found.last_mut().unwrap().push(c),
        }
    }
    found.into_iter().map(|item| item.trim().to_string()).collect()
}

/// The steps of chains: `a ↔ b`, `a → b`, or a cycle `a → b → c → a`.
fn pairs(text: &str) -> Map {
    let mut found = Map::new();
    let mut add = |from: &str, to: &str| {
        assert!(found.insert(from.to_string(), to.to_string()).is_none(), "{text}");
    };
    for chain in items(text) {
        match chain.split_once(" ↔ ") {
            Some((a, b)) => {
                add(a, b);
                add(b, a);
            }
            None => {
                let steps: Vec<&str> = chain.split(" → ").collect();
                assert!(steps.len() > 1, "{chain}");
                steps.windows(2).for_each(|w| add(w[0], w[1]));
            }
        }
    }
    found
}

/// Whether a name is one of an argument, not only of facts with a value.
fn is_place(text: &str) -> bool {
    text.strip_suffix(']').is_some_and(|t| !t.rsplit('[').next().unwrap_or(t).contains('='))
}

/// `cell[1]`, `cell/3[1]`, `cell[3=b][1]`, `cell[1] of x`.
fn place_of(text: &str) -> (Name, usize) {
    let (place, of) = match text.split_once(" of ") {
        Some((place, of)) => (place, Some(of.to_string())),
        None => (text, None),
    };
    let (name, rest) = place.rsplit_once('[').expect("a place");
    let number = rest.strip_suffix(']').expect("a place").parse().expect("a number");
    (Name { of, ..name_of(name) }, number)
}

fn name_of(text: &str) -> Name {
    let (text, given) = match text.strip_suffix(']').and_then(|t| t.rsplit_once('[')) {
        Some((text, given)) => (text, Some(given.split_once('=').expect("a value"))),
        None => (text, None),
    };
    let given = given.map(|(i, value)| (i.parse().expect("a place"), value.to_string()));
    let arity = text.rsplit_once('/').and_then(|(name, n)| Some((name, n.parse().ok()?)));
    let (name, arity) = arity.map_or((text, None), |(name, n)| (name, Some(n)));
    Name { name: name.to_string(), arity, given, of: None }
}

/// The function of a term, and its arguments.
pub fn parts(text: &str) -> (String, Vec<String>) {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return (text.to_string(), vec![]);
    };
    let (mut found, mut depth) = (vec![String::new()], 0);
    for c in inner.chars() {
        depth += (c == '(') as i32 - (c == ')') as i32;
        match c {
            ' ' if depth == 0 => found.push(String::new()),
            _ => found.last_mut().unwrap().push(c),
        }
    }
    if found.len() == 1 {
        // Some games write a name without arguments in parentheses.
        return (text.to_string(), vec![]);
    }
    let name = found.remove(0);
    (name, found)
}

fn term_text(name: &str, args: &[String]) -> String {
    match args {
        [] => name.to_string(),
        args => format!("({name} {})", args.join(" ")),
    }
}
