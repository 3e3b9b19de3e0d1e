//! Conjunctions that count -> `Count` nodes: which numbers of some nodes must hold, whatever their order.
//!
//! Rules count facts one after the other, in an order of their own, which hides that the facts can be
//! exchanged. A step of such a ladder asks one node more: where it holds, one function of the number
//! of the others decides, where it does not, another. If both agree on every total, the
//! whole is a function of the number of all of them. Conjunctions that are found to be such
//! functions become nodes that have a set and the numbers that will do, so that ladders in any order are one node.

use super::{Logic, LogicNode};
use ludex_net::Lit;
use rustc_hash::FxHashMap;

/// How many of a set's nodes hold, as numbers that will do: from none to all of them.
type Numbers = Box<[bool]>;

/// The sets that are counted, and the nodes that count them.
#[derive(Default)]
pub struct Counts {
    pub sets: Vec<Box<[usize]>>,
    numbers: FxHashMap<Box<[usize]>, u32>,
    nodes: FxHashMap<(u32, Numbers), usize>,
}

/// A function of the number of nodes of a set that hold.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Counted {
    Always(bool),
    /// Sorted nodes, and which numbers of them will do.
    Number(Box<[usize]>, Numbers),
}

/// Conjunctions with more operands are no steps of a ladder.
const MOST_OPERANDS: usize = 4;
/// Operands inside those of a ladder's first step, at most.
const FIRST_STEP: usize = 12;
/// Ways in which two numbers can have a sum, at most.
const MOST_SUMMANDS: usize = 66;
/// Sets of more nodes are not counted.
const LARGEST_SET: usize = 1_000;

impl Counts {
    fn set(&mut self, nodes: &[usize]) -> u32 {
        if let Some(number) = self.numbers.get(nodes) {
            return *number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(nodes.into());
        self.numbers.insert(nodes.into(), number);
        number
    }

    /// The node that counts these nodes, sorted, and is true for these numbers.
    pub fn find(&self, nodes: &[usize], numbers: &[bool]) -> Option<usize> {
        let set = *self.numbers.get(nodes)?;
        self.nodes.get(&(set, numbers.into())).copied()
    }
}

impl Logic {
    /// What a conjunction is if it only counts.
    pub(crate) fn count(&mut self, lits: &[Lit]) -> Option<Lit> {
        let mut found = None;
        if lits.len() <= MOST_OPERANDS && self.may_be_step(lits) {
            let mut asked = self.candidates(lits).into_iter();
            found = self.conjunction(lits, None);
            found = found.or_else(|| asked.find_map(|node| self.step(lits, node)));
        }
        let found = found.or_else(|| self.sum(lits))?;
        Some(self.counting_node(found))
    }

    /// What a conjunction is if it asks for the sum of two numbers: how many nodes of one set hold and how
    /// many of another, such as two columns of a board.
    fn sum(&self, lits: &[Lit]) -> Option<Counted> {
        if lits.len() > MOST_SUMMANDS || !lits.iter().any(|l| self.has_count(*l)) {
            return None;
        }
        let mut regions: Vec<(bool, Vec<Counted>)> = Vec::new();
        for lit in lits {
            let numbers = match &self.nodes[lit.gate()] {
                LogicNode::And(inner) => self.numbers(inner)?,
                _ => vec![self.counted(Lit::new(lit.gate(), false), None)?],
            };
            regions.push((lit.negated(), numbers));
        }
        let [a, b] = two_sets(&regions)?;
        let of = |counted: &Counted, x: usize, y: usize| match counted {
            Counted::Always(value) => *value,
            Counted::Number(set, numbers) => numbers[if *set == a { x } else { y }],
        };
        let holds = |x: usize, y: usize| {
            regions.iter().all(|(not, all)| all.iter().all(|c| of(c, x, y)) != *not)
        };
        let first = |sum: usize| holds(sum.min(a.len()), sum - sum.min(a.len()));
        let numbers: Vec<bool> = (0..=a.len() + b.len()).map(first).collect();
        let mut all = (0..=a.len()).flat_map(|x| (0..=b.len()).map(move |y| (x, y)));
        if !all.all(|(x, y)| holds(x, y) == numbers[x + y]) {
            return None;
        }
        let mut nodes: Vec<usize> = a.iter().chain(&b).copied().collect();
        nodes.sort_unstable();
        Some(Counted::Number(nodes.into(), numbers.into()).settled())
    }

    /// Whether a literal is a negated conjunction with a count in it.
    fn has_count(&self, lit: Lit) -> bool {
        let is_count = |l: &Lit| matches!(self.nodes[l.gate()], LogicNode::Count(..));
        let LogicNode::And(inner) = &self.nodes[lit.gate()] else { return false };
        lit.negated() && inner.iter().rev().take(MOST_OPERANDS).any(is_count)
    }

    /// What a conjunction asks of numbers: facts that all hold, or all do not, are asked together.
    fn numbers(&self, lits: &[Lit]) -> Option<Vec<Counted>> {
        let (mut found, mut facts): (Vec<Counted>, [Vec<usize>; 2]) = Default::default();
        for lit in lits {
            match &self.nodes[lit.gate()] {
                LogicNode::Base(_) | LogicNode::Input(_) => {
                    facts[lit.negated() as usize].push(lit.gate())
                }
                _ => found.push(self.counted(*lit, None)?),
            }
            if found.len() > 2 || facts.iter().any(|all| all.len() > LARGEST_SET) {
                return None;
            }
        }
        let [hold, fail] = facts;
        found.extend((!hold.is_empty()).then(|| Counted::every(hold, true)));
        found.extend((!fail.is_empty()).then(|| Counted::every(fail, false)));
        Some(found)
    }

    /// Whether to look closer: some operand is more than facts, and it counts already or is so short that
    /// a ladder may begin here.
    fn may_be_step(&self, lits: &[Lit]) -> bool {
        let is_count = |l: &Lit| matches!(self.nodes[l.gate()], LogicNode::Count(..));
        let (mut more, mut counts, mut size) = (false, false, 0);
        for lit in lits {
            counts |= is_count(lit);
            if let LogicNode::And(inner) = &self.nodes[lit.gate()] {
                more |= lit.negated();
                size += inner.len();
                // The latest nodes are the last operands.
                counts |= inner.iter().rev().take(MOST_OPERANDS).any(is_count);
            }
        }
        counts || more && size <= FIRST_STEP
    }

    /// The nodes that a step of a ladder may ask: operands of its shortest alternative.
    fn candidates(&self, lits: &[Lit]) -> Vec<usize> {
        let inner = |l: &Lit| match &self.nodes[l.gate()] {
            LogicNode::And(inner) => Some(inner),
            _ => None,
        };
        let shortest = lits.iter().filter_map(inner).min_by_key(|inner| inner.len());
        let leaf = |l: &&Lit| self.is_counted(l.gate());
        shortest.into_iter().flatten().filter(leaf).take(MOST_OPERANDS).map(|l| l.gate()).collect()
    }

    /// Nodes that ladders count: facts, moves, and conjunctions that are not themselves counts.
    fn is_counted(&self, node: usize) -> bool {
        matches!(self.nodes[node], LogicNode::Base(_) | LogicNode::Input(_) | LogicNode::And(_))
    }

    /// The conjunction as a function of the number of all nodes, one of which is asked first.
    fn step(&self, lits: &[Lit], asked: usize) -> Option<Counted> {
        let with = self.conjunction(lits, Some((asked, true)))?;
        let without = self.conjunction(lits, Some((asked, false)))?;
        let set = match (&with, &without) {
            (Counted::Number(a, _), Counted::Number(b, _)) if a != b => return None,
            (Counted::Number(set, _), _) | (_, Counted::Number(set, _)) => set.clone(),
            _ => return None,
        };
        let size = set.len();
        let numbers = |c: Counted| match c {
            Counted::Always(value) => vec![value; size + 1].into(),
            Counted::Number(_, numbers) => numbers,
        };
        let (with, without): (Numbers, Numbers) = (numbers(with), numbers(without));
        if set.contains(&asked) || size == LARGEST_SET || with[..size] != without[1..] {
            return None;
        }
        let all = without.iter().take(1).chain(with.iter()).copied().collect();
        let mut nodes: Vec<usize> = set.iter().copied().chain([asked]).collect();
        nodes.sort_unstable();
        Some(Counted::Number(nodes.into(), all))
    }

    /// A conjunction as a function of a number, where one node may be known.
    fn conjunction(&self, lits: &[Lit], known: Option<(usize, bool)>) -> Option<Counted> {
        let mut all = Counted::Always(true);
        for lit in lits {
            all = all.and(self.counted(*lit, known)?)?;
        }
        Some(all)
    }

    fn counted(&self, lit: Lit, known: Option<(usize, bool)>) -> Option<Counted> {
        let node = lit.gate();
        let plain = match &self.nodes[node] {
            _ if known.is_some_and(|k| k.0 == node) => Counted::Always(known?.1),
            LogicNode::False => Counted::Always(false),
            LogicNode::Count(set, numbers) => {
                let nodes = self.counts.sets[*set as usize].clone();
                Counted::Number(nodes, numbers.clone()).given(known)
            }
            LogicNode::And(inner) if inner.len() <= LARGEST_SET => self.operands(inner, known)?,
            LogicNode::Base(_) | LogicNode::Input(_) => Counted::one(node),
            LogicNode::And(_) | LogicNode::Recursive(_) | LogicNode::Gathering(..) => return None,
        };
        Some(if lit.negated() { plain.not() } else { plain })
    }

    /// The operands of a conjunction inside the one that is looked at: not looked into any more, but
    /// for conjunctions of facts.
    fn operands(&self, inner: &[Lit], known: Option<(usize, bool)>) -> Option<Counted> {
        let mut facts: [Vec<usize>; 2] = Default::default();
        let mut all = Counted::Always(true);
        for lit in inner {
            let node = lit.gate();
            match &self.nodes[node] {
                LogicNode::Base(_) | LogicNode::Input(_) if known.is_none_or(|k| k.0 != node) => {
                    facts[lit.negated() as usize].push(node)
                }
                LogicNode::And(deep) if known.is_none_or(|k| k.0 != node) => {
                    let only_facts =
                        deep.iter().all(|l| !matches!(self.nodes[l.gate()], LogicNode::And(_)));
                    if !only_facts {
                        return None;
                    }
                    all = all.and(self.counted(*lit, known)?)?;
                }
                _ => all = all.and(self.counted(*lit, known)?)?,
            }
        }
        let [hold, fail] = facts;
        match (hold.is_empty(), fail.is_empty()) {
            (true, true) => Some(all),
            (false, true) => all.and(Counted::every(hold, true)),
            (true, false) => all.and(Counted::every(fail, false)),
            (false, false) => None,
        }
    }

    /// A node for what is counted. Conjunctions of the set's nodes or of their negations stay such.
    fn counting_node(&mut self, counted: Counted) -> Lit {
        let (set, numbers) = match counted {
            Counted::Always(true) => return Lit::TRUE,
            Counted::Always(false) => return Lit::FALSE,
            Counted::Number(set, numbers) => (set, numbers),
        };
        if numbers[0] && !is_one(&numbers, 0) {
            let others = numbers.iter().map(|n| !n).collect();
            return !self.counting_node(Counted::Number(set, others));
        }
        let last = numbers.len() - 1;
        let ones = || set.iter().map(|n| Lit::new(*n, false));
        if is_one(&numbers, last) {
            return self.conjoin(ones().collect());
        }
        if is_one(&numbers, 0) {
            return self.conjoin(ones().map(|l| !l).collect());
        }
        if numbers[1..].iter().all(|n| *n) && !numbers[0] {
            return !self.conjoin(ones().map(|l| !l).collect());
        }
        let set = self.counts.set(&set);
        if let Some(node) = self.counts.nodes.get(&(set, numbers.clone())) {
            return Lit::new(*node, false);
        }
        let node = self.nodes.len();
        self.nodes.push(LogicNode::Count(set, numbers.clone()));
        self.counts.nodes.insert((set, numbers), node);
        Lit::new(node, false)
    }

    /// The conjunction in normal form; it is not asked again what it counts.
    fn conjoin(&mut self, lits: Vec<Lit>) -> Lit {
        match self.reduced(lits) {
            None => Lit::FALSE,
            Some(lits) if lits.is_empty() => Lit::TRUE,
            Some(lits) if lits.len() == 1 => lits[0],
            Some(lits) => self.conjunction_node(lits),
        }
    }
}

/// The two sets of which numbers are asked, if they have nothing in common.
fn two_sets(regions: &[(bool, Vec<Counted>)]) -> Option<[Box<[usize]>; 2]> {
    let mut sets: Vec<&Box<[usize]>> = Vec::new();
    for counted in regions.iter().flat_map(|region| &region.1) {
        if let Counted::Number(set, _) = counted
            && !sets.contains(&set)
        {
            sets.push(set);
        }
    }
    let [a, b] = sets[..] else { return None };
    let apart = a.iter().all(|n| b.binary_search(n).is_err());
    (apart && a.len() + b.len() <= LARGEST_SET).then(|| [a.clone(), b.clone()])
}

impl Counted {
    fn one(node: usize) -> Counted {
        Counted::Number([node].into(), [false, true].into())
    }

    /// All these nodes have this value.
    fn every(mut nodes: Vec<usize>, value: bool) -> Counted {
        nodes.sort_unstable();
        let wanted = if value { nodes.len() } else { 0 };
        let numbers = (0..=nodes.len()).map(|n| n == wanted).collect();
        Counted::Number(nodes.into(), numbers)
    }

    fn not(self) -> Counted {
        match self {
            Counted::Always(value) => Counted::Always(!value),
            Counted::Number(set, numbers) => {
                Counted::Number(set, numbers.iter().map(|n| !n).collect())
            }
        }
    }

    /// Both; none where they speak of different sets.
    fn and(self, other: Counted) -> Option<Counted> {
        Some(match (self, other) {
            (Counted::Always(false), _) | (_, Counted::Always(false)) => Counted::Always(false),
            (Counted::Always(true), other) | (other, Counted::Always(true)) => other,
            (Counted::Number(a, x), Counted::Number(b, y)) if a == b => {
                let both = x.iter().zip(&y).map(|(x, y)| *x && *y).collect();
                Counted::Number(a, both).settled()
            }
            (Counted::Number(a, x), Counted::Number(b, y)) => {
                let apart = !a.iter().any(|n| b.contains(n));
                let value = match (is_one(&x, a.len()), is_one(&y, b.len())) {
                    (true, true) => true,
                    _ if is_one(&x, 0) && is_one(&y, 0) => false,
                    _ => return None,
                };
                apart.then(|| Counted::every(a.iter().chain(&b).copied().collect(), value))?
            }
        })
    }

    /// What is left of it where a node is known.
    fn given(self, known: Option<(usize, bool)>) -> Counted {
        let (Counted::Number(set, numbers), Some((node, value))) = (&self, known) else {
            return self;
        };
        let Ok(at) = set.binary_search(&node) else { return self };
        let rest: Vec<usize> = set.iter().copied().filter(|n| *n != set[at]).collect();
        let left = numbers[value as usize..][..set.len()].into();
        Counted::Number(rest.into(), left).settled()
    }

    /// Numbers of nothing, or that are all alike, are no numbers.
    fn settled(self) -> Counted {
        match &self {
            Counted::Number(_, numbers) if numbers.iter().all(|n| *n == numbers[0]) => {
                Counted::Always(numbers[0])
            }
            _ => self,
        }
    }
}

/// Whether one number alone will do.
fn is_one(numbers: &[bool], number: usize) -> bool {
    numbers.iter().enumerate().all(|(n, will_do)| *will_do == (n == number))
}
