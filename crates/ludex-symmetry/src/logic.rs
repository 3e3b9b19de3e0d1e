//! `Ground` or `Net` -> `Logic`: what the ground rules say, as conjunctions of many literals in a normal form.
//!
//! A net's gates have two operands, in an order of their own; symmetries need gates that do not depend
//! on an order. Disjunctions are negated conjunctions, conjunctions inside a conjunction are dissolved,
//! equal ones are one, and literals that follow from the others are dropped. Atoms that depend on each
//! other keep their rules as they are. Literals are those of nets, over nodes instead of gates.

mod counts;
mod ladders;
mod settled;

pub use settled::Settled;

use super::marks::Marks;
use counts::Counts;
use ladders::{Ladder, ladders};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::digraph::components;
use ludex_gdl::rules::{Rel, TermId, is_chance};
use ludex_net::ground::{Ground, GroundLiteral, Ports};
use ludex_net::{Gate, Lit, Net};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogicNode {
    False,
    Base(usize),
    Input(usize),
    /// Sorted, different, none the negation of another.
    And(Box<[Lit]>),
    /// An atom of a recursive component: its rules, each a conjunction.
    Recursive(Vec<Vec<Lit>>),
    /// A set of `Counts`, and how many of its nodes may hold.
    Count(u32, Box<[bool]>),
    /// A value at the top of a `Gathering`.
    Gathering(u32, u32),
}

/// Places in any order, each of which makes one of the steps whose conditions hold there, from a value to the next.
#[derive(Debug)]
pub struct Gathering {
    /// Per place: conditions, and the kinds of steps that they make.
    pub places: Vec<Vec<(Lit, u32)>>,
    /// Kind, value before and value that follows.
    pub steps: Vec<(u32, u32, u32)>,
    pub values: u32,
    pub start: u32,
}

/// The logic of a game. Bases and inputs are numbered as in the net.
pub struct Logic {
    pub roles: Vec<TermId>,
    /// The role that moves by chance, which no other can take.
    pub chance: Option<usize>,
    pub bases: Vec<TermId>,
    pub inputs: Vec<(usize, TermId)>,
    pub initial: Vec<bool>,
    pub settled: Settled,
    pub nodes: Vec<LogicNode>,
    /// The recursive components, as ranges of nodes.
    pub components: Vec<std::ops::Range<usize>>,
    pub index: FxHashMap<Box<[Lit]>, usize>,
    pub(crate) counts: Counts,
    pub gatherings: Vec<Gathering>,
    /// Per base and per input.
    pub next: Vec<Lit>,
    pub legal: Vec<Lit>,
    pub terminal: Lit,
    /// Role, value and condition.
    pub goals: Vec<(usize, i64, Lit)>,
    /// Conjunctions of at most so many literals are dissolved in others.
    dissolved: usize,
    /// The literals of all conjunctions.
    literals: usize,
    /// Sets that are not in use.
    spare: Vec<Marks>,
}

/// A conjunction of more literals is not dissolved in another: a short one always is, a long one unless
/// the logic has more than so many literals then.
const SHORT: usize = 8;
const LONG: usize = 4096;
const LARGE: usize = 4_000_000;

impl Logic {
    /// Of all states.
    pub fn new(ground: &Ground, budget: &Budget) -> Result<Logic, Stop> {
        let ports = Ports::new(ground);
        let settled = Settled::nothing(ports.bases.len(), ports.inputs.len());
        Logic::of_settled(ground, &settled, budget)
    }

    /// Of the states that have what is settled.
    pub fn of_settled(ground: &Ground, settled: &Settled, budget: &Budget) -> Result<Logic, Stop> {
        let (rules, ports) = (whole_rules(ground, budget)?, Ports::new(ground));
        let atoms_of = |bodies: &Vec<Vec<GroundLiteral>>| -> Vec<u32> {
            bodies.iter().flatten().map(|l| l.atom() as u32).collect()
        };
        let edges: Vec<Vec<u32>> = rules.iter().map(atoms_of).collect();
        let groups = components(ground.atoms.len(), |a| &edges[a as usize]);
        let is_recursive =
            |group: &[u32]| group.len() > 1 || edges[group[0] as usize].contains(&group[0]);
        let ladders = ladders(ground, &rules);
        let mut rung_of: FxHashMap<usize, LadderAtom> = FxHashMap::default();
        for (number, ladder) in ladders.iter().enumerate() {
            rung_of.extend(ladder.inner.iter().map(|a| (*a, LadderAtom::Inner)));
            rung_of.extend(ladder.tops.iter().map(|(a, v)| (*a, LadderAtom::Top(number, *v))));
        }
        of_fitting_size(|dissolved| {
            let mut builder = LogicBuilder::new(ground, &ports, settled, dissolved);
            let mut gatherings: Vec<Option<u32>> = vec![None; ladders.len()];
            for group in groups.iter() {
                budget.check()?;
                let atom = group[0] as usize;
                match rung_of.get(&atom) {
                    Some(LadderAtom::Inner) => {}
                    Some(LadderAtom::Top(number, value)) => {
                        let gathering = *gatherings[*number]
                            .get_or_insert_with(|| builder.gathering(&ladders[*number]));
                        builder.top(atom, gathering, *value);
                    }
                    None if is_recursive(group) => builder.component(group, &rules),
                    None => builder.atom(atom, &rules),
                }
                if builder.logic.is_too_large() {
                    return Ok(None);
                }
            }
            Ok(Some(builder.finish(&ports)))
        })
    }

    /// The logic of a net whose rules are not at hand, such as a factor's. Terms are numbers only.
    pub fn of_net(net: &Net, settled: &Settled, budget: &Budget) -> Result<Logic, Stop> {
        of_fitting_size(|dissolved| Logic::through_net(net, settled, dissolved, budget))
    }

    fn through_net(
        net: &Net,
        settled: &Settled,
        dissolved: usize,
        budget: &Budget,
    ) -> Result<Option<Logic>, Stop> {
        let term = |i: usize| TermId(i as u32);
        let mut logic = Logic {
            roles: (0..net.roles.len()).map(term).collect(),
            chance: net.chance(),
            bases: (0..net.bases.len()).map(term).collect(),
            inputs: net.inputs.iter().enumerate().map(|(i, x)| (x.role, term(i))).collect(),
            initial: net.bases.iter().map(|b| b.initial).collect(),
            settled: settled.clone(),
            nodes: vec![],
            components: vec![],
            index: FxHashMap::default(),
            counts: Counts::default(),
            gatherings: vec![],
            next: vec![],
            legal: vec![],
            terminal: Lit::FALSE,
            goals: vec![],
            dissolved,
            literals: 0,
            spare: vec![],
        };
        let mut lits: Vec<Lit> = Vec::with_capacity(net.gates.len());
        let through =
            |lits: &[Lit], l: Lit| if l.negated() { !lits[l.gate()] } else { lits[l.gate()] };
        let mut components = net.components.iter().peekable();
        for (g, gate) in net.gates.iter().enumerate() {
            budget.check()?;
            if logic.is_too_large() {
                return Ok(None);
            }
            if let Some(range) = components.next_if(|c| c.start == g) {
                // All nodes of a component stand side by side before their rules name them.
                let start = logic.nodes.len();
                lits.extend((0..range.len()).map(|i| Lit::new(start + i, false)));
                logic.nodes.resize(start + range.len(), LogicNode::False);
                logic.components.push(start..logic.nodes.len());
            }
            match gate {
                Gate::LoopAnd(a, b) => {
                    let rules = vec![vec![through(&lits, *a), through(&lits, *b)]];
                    logic.nodes[lits[g].gate()] = LogicNode::Recursive(rules);
                }
                Gate::LoopOr(a, b) => {
                    let rules = vec![vec![through(&lits, *a)], vec![through(&lits, *b)]];
                    logic.nodes[lits[g].gate()] = LogicNode::Recursive(rules);
                }
                Gate::And(a, b) => {
                    let lit = logic.and(vec![through(&lits, *a), through(&lits, *b)]);
                    lits.push(lit);
                }
                Gate::Or(a, b) => {
                    let lit = logic.and(vec![!through(&lits, *a), !through(&lits, *b)]);
                    lits.push(!lit);
                }
                Gate::False | Gate::Base(_) | Gate::Input(_) => {
                    let own = Lit::new(logic.nodes.len(), false);
                    lits.push(match gate {
                        Gate::Base(b) => value_or(settled.bases[*b as usize], own),
                        Gate::Input(i) => value_or(settled.inputs[*i as usize], own),
                        _ => own,
                    });
                    logic.nodes.push(match gate {
                        Gate::Base(b) => LogicNode::Base(*b as usize),
                        Gate::Input(i) => LogicNode::Input(*i as usize),
                        _ => LogicNode::False,
                    });
                }
            }
        }
        logic.next = net.bases.iter().map(|b| through(&lits, b.next)).collect();
        logic.legal = net.inputs.iter().map(|i| through(&lits, i.legal)).collect();
        logic.terminal = through(&lits, net.terminal);
        for (role, goals) in net.goals.iter().enumerate() {
            let goal = |(v, l): &(i32, Lit)| (role, *v as i64, through(&lits, *l));
            logic.goals.extend(goals.iter().map(goal).filter(|g| g.2 != Lit::FALSE));
        }
        logic.goals.sort_unstable();
        logic.settle();
        Ok(Some(logic))
    }

    /// What is settled has nothing to become, and what is never made is never legal.
    fn settle(&mut self) {
        for (next, settled) in self.next.iter_mut().zip(&self.settled.bases) {
            *next = value_or(*settled, *next);
        }
        for (legal, settled) in self.legal.iter_mut().zip(&self.settled.inputs) {
            *legal = if *settled == Some(false) { Lit::FALSE } else { *legal };
        }
    }

    /// The nodes that some output depends on, with all leaves.
    pub fn live(&self) -> Vec<bool> {
        let leaves = 1 + self.bases.len() + self.inputs.len();
        let mut live: Vec<bool> = (0..self.nodes.len()).map(|n| n < leaves).collect();
        let goals = self.goals.iter().map(|g| g.2);
        let outputs = self.next.iter().chain(&self.legal).copied().chain(goals);
        let mut open: Vec<usize> = outputs.chain([self.terminal]).map(Lit::gate).collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut live[node], true) {
                continue;
            }
            match &self.nodes[node] {
                LogicNode::And(lits) => open.extend(lits.iter().map(|l| l.gate())),
                LogicNode::Recursive(rules) => {
                    open.extend(rules.iter().flatten().map(|l| l.gate()))
                }
                LogicNode::Count(set, _) => open.extend(self.counts.sets[*set as usize].iter()),
                LogicNode::Gathering(gathering, _) => {
                    open.extend(self.gatherings[*gathering as usize].nodes())
                }
                _ => {}
            }
        }
        live
    }

    /// Whether there is only one way to go on with a map of bases and inputs: not so where atoms depend on
    /// each other, or where values of gatherings may be exchanged.
    pub(crate) fn follows_leaves(&self) -> bool {
        self.components.is_empty() && self.gatherings.is_empty()
    }
}

impl Gathering {
    /// The nodes that its conditions are.
    pub fn nodes(&self) -> impl Iterator<Item = usize> {
        self.places.iter().flatten().map(|(condition, _)| condition.gate())
    }
}

fn value_or(settled: Option<bool>, lit: Lit) -> Lit {
    match settled {
        Some(true) => Lit::TRUE,
        Some(false) => Lit::FALSE,
        None => lit,
    }
}

/// Makes a logic in which long conjunctions are dissolved, or, if that gives none, only short ones.
fn of_fitting_size(make: impl Fn(usize) -> Result<Option<Logic>, Stop>) -> Result<Logic, Stop> {
    match make(LONG)? {
        Some(logic) => Ok(logic),
        None => Ok(make(SHORT)?.expect("any size will do")),
    }
}

/// Rules whose parts stand for more bodies are left in parts, and more of them where all rules
/// together would be more than this many bodies and so many times longer.
const BODIES: usize = 2_000;
const ALL_BODIES: usize = 1_000_000;
const GROWTH: usize = 2;

/// The bodies of every atom's rules. Rules that grounding has split into parts are whole again, as far
/// as that is not too long: how they were split depends on the order in which they are written.
fn whole_rules(ground: &Ground, budget: &Budget) -> Result<Vec<Vec<Vec<GroundLiteral>>>, Stop> {
    let mut rules: Vec<Vec<Vec<GroundLiteral>>> = vec![Vec::new(); ground.atoms.len()];
    for (head, body) in ground.rules() {
        rules[head].push(body.to_vec());
    }
    let is_part: Vec<bool> = ground.atoms.iter().map(|a| ground.is_part(a)).collect();
    if !is_part.contains(&true) {
        return Ok(rules);
    }
    let counts = body_counts(&rules, &is_part);
    let own = |atom: usize| rules[atom].len();
    let is_short = |atom: usize, more: usize| !is_part[atom] && counts[atom] <= own(atom) + more;
    let total = |more: usize| -> usize {
        let of = |atom| if is_short(atom, more) { counts[atom] } else { own(atom) };
        (0..rules.len()).map(of).sum()
    };
    let most = ALL_BODIES.max(GROWTH * total(0));
    let mut more = BODIES;
    while total(more) > most {
        more /= 2;
    }
    let mut whole = rules.clone();
    for atom in (0..rules.len()).filter(|&a| is_short(a, more)) {
        budget.check()?;
        whole[atom] = without_parts(&rules[atom], &rules, &is_part);
    }
    Ok(whole)
}

/// How many bodies every atom's rules are without parts.
fn body_counts(rules: &[Vec<Vec<GroundLiteral>>], is_part: &[bool]) -> Vec<usize> {
    let parts = |body: &Vec<GroundLiteral>| part_literals(body, is_part).collect::<Vec<u32>>();
    let edges: Vec<Vec<u32>> = rules.iter().map(|r| r.iter().flat_map(parts).collect()).collect();
    let mut counts = vec![0usize; rules.len()];
    for atom in components(rules.len(), |a| &edges[a as usize]).iter().flatten().copied() {
        let product = |body: &Vec<GroundLiteral>| {
            let parts = part_literals(body, is_part).map(|part| counts[part as usize]);
            parts.fold(1, usize::saturating_mul)
        };
        counts[atom as usize] =
            rules[atom as usize].iter().map(product).fold(0, usize::saturating_add);
    }
    counts
}

fn part_literals<'a>(body: &'a [GroundLiteral], is_part: &'a [bool]) -> impl Iterator<Item = u32> {
    let is_part = |l: &&GroundLiteral| !l.negated() && is_part[l.atom()];
    body.iter().filter(is_part).map(|l| l.atom() as u32)
}

/// The bodies with the rules of their parts put in.
fn without_parts(
    bodies: &[Vec<GroundLiteral>],
    rules: &[Vec<Vec<GroundLiteral>>],
    is_part: &[bool],
) -> Vec<Vec<GroundLiteral>> {
    let mut open = bodies.to_vec();
    let mut done = Vec::new();
    while let Some(body) = open.pop() {
        let part = body.iter().position(|l| !l.negated() && is_part[l.atom()]);
        let Some(at) = part else {
            done.push(body);
            continue;
        };
        for inner in &rules[body[at].atom()] {
            let rest = body.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, l)| *l);
            open.push(rest.chain(inner.iter().copied()).collect());
        }
    }
    done
}

/// An atom of a ladder: one that only the ladder asks, or a value at the top of one.
enum LadderAtom {
    Inner,
    Top(usize, u32),
}

struct LogicBuilder<'a> {
    ground: &'a Ground,
    logic: Logic,
    /// Per atom.
    lits: Vec<Lit>,
}

impl<'a> LogicBuilder<'a> {
    /// Bases and inputs as in the net.
    fn new(
        ground: &'a Ground,
        ports: &Ports,
        settled: &Settled,
        dissolved: usize,
    ) -> LogicBuilder<'a> {
        let mut lits = vec![Lit::FALSE; ground.atoms.len()];
        let leaves = ports.bases.iter().map(|b| b.atom).chain(ports.inputs.iter().map(|i| i.atom));
        let known = settled.bases.iter().chain(&settled.inputs);
        for (i, (atom, known)) in leaves.zip(known).enumerate() {
            lits[atom] = value_or(*known, Lit::new(1 + i, false));
        }
        let bases = (0..ports.bases.len()).map(LogicNode::Base);
        let inputs = (0..ports.inputs.len()).map(LogicNode::Input);
        let logic = Logic {
            roles: ground.roles.clone(),
            chance: ground.roles.iter().position(|r| is_chance(&ground.term_text(*r))),
            initial: ports.bases.iter().map(|b| ground.initial[b.atom]).collect(),
            next: vec![],
            legal: vec![],
            bases: ports.bases.iter().map(|b| b.term).collect(),
            inputs: ports.inputs.iter().map(|i| (i.role, i.term)).collect(),
            nodes: std::iter::once(LogicNode::False).chain(bases).chain(inputs).collect(),
            components: vec![],
            index: FxHashMap::default(),
            counts: Counts::default(),
            gatherings: vec![],
            settled: settled.clone(),
            terminal: Lit::FALSE,
            goals: vec![],
            dissolved,
            literals: 0,
            spare: vec![],
        };
        LogicBuilder { ground, logic, lits }
    }

    fn lit(&self, l: &GroundLiteral) -> Lit {
        let lit = self.lits[l.atom()];
        if l.negated() { !lit } else { lit }
    }

    fn atom(&mut self, atom: usize, rules: &[Vec<Vec<GroundLiteral>>]) {
        if matches!(self.ground.atoms[atom].rel, Rel::TRUE | Rel::DOES) {
            return;
        }
        let mut none = Vec::new();
        for body in &rules[atom] {
            let body = body.iter().map(|l| self.lit(l)).collect();
            none.push(!self.logic.and(body));
        }
        self.lits[atom] = !self.logic.and(none);
    }

    /// A ladder, all of whose conditions are nodes already.
    fn gathering(&mut self, ladder: &Ladder) -> u32 {
        let mut places = Vec::new();
        for rung in &ladder.rungs {
            let mut place = Vec::new();
            for (condition, kind) in rung {
                let lits = condition.iter().map(|l| self.lit(l)).collect();
                let condition = self.logic.and(lits);
                place.extend((condition != Lit::FALSE).then_some((condition, *kind)));
            }
            places.push(place);
        }
        let (steps, values, start) = (ladder.steps.clone(), ladder.values, ladder.start);
        self.logic.gatherings.push(Gathering { places, steps, values, start });
        self.logic.gatherings.len() as u32 - 1
    }

    fn top(&mut self, atom: usize, gathering: u32, value: u32) {
        self.lits[atom] = Lit::new(self.logic.nodes.len(), false);
        self.logic.nodes.push(LogicNode::Gathering(gathering, value));
    }

    fn component(&mut self, group: &[u32], rules: &[Vec<Vec<GroundLiteral>>]) {
        let start = self.logic.nodes.len();
        for (i, &atom) in group.iter().enumerate() {
            self.lits[atom as usize] = Lit::new(start + i, false);
            self.logic.nodes.push(LogicNode::Recursive(vec![]));
        }
        for (i, &atom) in group.iter().enumerate() {
            let body = |body: &Vec<GroundLiteral>| -> Vec<Lit> {
                let mut lits: Vec<Lit> = body.iter().map(|l| self.lit(l)).collect();
                lits.sort_unstable();
                lits.dedup();
                lits.retain(|l| *l != Lit::TRUE);
                lits
            };
            let mut all: Vec<Vec<Lit>> = rules[atom as usize].iter().map(body).collect();
            all.retain(|b| !b.contains(&Lit::FALSE));
            all.sort_unstable();
            all.dedup();
            self.logic.nodes[start + i] = LogicNode::Recursive(all);
        }
        self.logic.components.push(start..self.logic.nodes.len());
    }

    fn finish(mut self, ports: &Ports) -> Logic {
        let lit = |atom: Option<usize>| atom.map_or(Lit::FALSE, |a| self.lits[a]);
        self.logic.next = ports.bases.iter().map(|b| lit(b.next)).collect();
        self.logic.legal = ports.inputs.iter().map(|i| lit(i.legal)).collect();
        self.logic.terminal = lit(ports.terminal);
        let goals = ports.goals.iter().map(|(r, v, atom)| (*r, *v as i64, self.lits[*atom]));
        self.logic.goals = goals.filter(|g| g.2 != Lit::FALSE).collect();
        self.logic.goals.sort_unstable();
        self.logic.settle();
        self.logic
    }
}

impl Logic {
    /// The conjunction in normal form.
    pub fn and(&mut self, lits: Vec<Lit>) -> Lit {
        let Some(lits) = self.reduced(lits) else { return Lit::FALSE };
        match lits.as_slice() {
            [] => Lit::TRUE,
            [only] => *only,
            _ => self.node(lits),
        }
    }

    fn is_too_large(&self) -> bool {
        self.dissolved > SHORT && self.literals > LARGE
    }

    fn node(&mut self, lits: Vec<Lit>) -> Lit {
        match self.count(&lits) {
            Some(count) => count,
            None => self.conjunction_node(lits),
        }
    }

    /// The conjunction of literals in normal form, whatever it may count.
    pub(crate) fn conjunction_node(&mut self, lits: Vec<Lit>) -> Lit {
        let lits: Box<[Lit]> = lits.into();
        if let Some(&node) = self.index.get(&lits) {
            return Lit::new(node, false);
        }
        let node = self.nodes.len();
        self.literals += lits.len();
        self.nodes.push(LogicNode::And(lits.clone()));
        self.index.insert(lits, node);
        Lit::new(node, false)
    }

    /// The literals dissolved and sorted, without repetitions and what follows from others; none if
    /// they contradict each other.
    pub(crate) fn reduced(&mut self, lits: Vec<Lit>) -> Option<Vec<Lit>> {
        let mut set = self.spare.pop().unwrap_or_default();
        set.clear();
        let reduced = self.reduce(lits, &mut set).map(|()| set.sorted());
        self.spare.push(set);
        reduced
    }

    fn reduce(&mut self, lits: Vec<Lit>, set: &mut Marks) -> Option<()> {
        self.dissolve(lits, set)?;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for lit in set.sorted().into_iter().filter(|l| l.negated()) {
                if let Some(new) = self.shortened(lit, set) {
                    set.remove(lit);
                    self.dissolve(vec![new], set)?;
                    changed = true;
                }
            }
        }
        Some(())
    }

    /// Adds literals to a set; none if they contradict it.
    fn dissolve(&self, mut open: Vec<Lit>, set: &mut Marks) -> Option<()> {
        while let Some(lit) = open.pop() {
            match &self.nodes[lit.gate()] {
                LogicNode::False if lit == Lit::FALSE => return None,
                LogicNode::False => {}
                LogicNode::And(inner) if !lit.negated() && inner.len() <= self.dissolved => {
                    open.extend_from_slice(inner)
                }
                _ if set.contains(!lit) => return None,
                _ => set.insert(lit),
            }
        }
        Some(())
    }

    /// What is left of a negated conjunction of the set that the other literals make shorter.
    fn shortened(&mut self, lit: Lit, set: &Marks) -> Option<Lit> {
        let LogicNode::And(inner) = &self.nodes[lit.gate()] else { return None };
        if inner.iter().any(|l| set.contains(!*l)) {
            return Some(Lit::TRUE);
        }
        if !inner.iter().any(|l| set.contains(*l)) {
            return None;
        }
        let rest: Vec<Lit> = inner.iter().copied().filter(|l| !set.contains(*l)).collect();
        Some(!self.and(rest))
    }
}
