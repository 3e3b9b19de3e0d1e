//! Ground rules -> logic: an atom is the disjunction of its rules, a rule the conjunction of its
//! conditions; atoms that depend on each other become a component.

use super::emit::{Component, Emit};
use super::equal::{self, Same};
use super::logic::Logic;
use super::{Base, Input, Lit, Net};
use crate::budget::{Budget, Stop};
use crate::ground::{Ground, Literal};
use crate::instances::components;
use crate::rules::{Rel, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

pub fn build(ground: &Ground, budget: &Budget) -> Result<Net, Stop> {
    let mut known = Known::default();
    loop {
        let leaves = Leaves::new(ground, &known);
        let mut builder = Builder::new(ground, &leaves, &known);
        builder.atoms(budget)?;
        let net = builder.net(&leaves, budget)?;
        if !known.extend(ground, &leaves, &net, budget)? {
            return Ok(net);
        }
    }
}

/// What was found out about bases and inputs: it makes the next build smaller.
#[derive(Default)]
struct Known {
    bases: FxHashMap<TermId, (Option<TermId>, bool)>,
    dead: FxHashSet<(TermId, TermId)>,
    done: bool,
}

impl Known {
    /// Looks at a net for more; false if there is nothing new.
    fn extend(
        &mut self,
        ground: &Ground,
        leaves: &Leaves,
        net: &Net,
        budget: &Budget,
    ) -> Result<bool, Stop> {
        let before = (self.bases.len(), self.dead.len());
        for (input, (role, _, m)) in net.inputs.iter().zip(&leaves.inputs) {
            if input.legal == Lit::FALSE {
                self.dead.insert((ground.roles[*role], *m));
            }
        }
        if !std::mem::replace(&mut self.done, true) {
            for (b, same) in equal::bases(net, budget)?.into_iter().enumerate() {
                match same {
                    Same::No => {}
                    Same::Always(value) => {
                        self.bases.insert(leaves.bases[b].1, (None, value));
                    }
                    Same::As(other, negated) => {
                        let other = leaves.bases[other].1;
                        self.bases.insert(leaves.bases[b].1, (Some(other), negated));
                    }
                }
            }
        }
        Ok(before != (self.bases.len(), self.dead.len()))
    }
}

/// Base and input propositions in the order of the net.
struct Leaves {
    bases: Vec<(String, TermId)>,
    inputs: Vec<(usize, String, TermId)>,
}

impl Leaves {
    fn new(ground: &Ground, known: &Known) -> Leaves {
        let of =
            |rel: Rel| ground.atoms.iter().filter(move |a| a.rel == rel).map(|a| ground.args(a));
        let possible = |f: &TermId| known.bases.get(f) != Some(&(None, false));
        let facts = of(Rel::TRUE).map(|args| args[0]).filter(possible);
        let mut bases: Vec<(String, TermId)> = facts.map(|f| (ground.term_text(f), f)).collect();
        bases.sort();
        let mut inputs: Vec<(usize, String, TermId)> = of(Rel::DOES)
            .filter(|args| !known.dead.contains(&(args[0], args[1])))
            .map(|args| {
                let role = ground.roles.iter().position(|r| *r == args[0]).expect("of a role");
                (role, ground.term_text(args[1]), args[1])
            })
            .collect();
        inputs.sort();
        Leaves { bases, inputs }
    }
}

struct Builder<'a> {
    ground: &'a Ground,
    known: &'a Known,
    logic: Logic,
    components: Vec<Component>,
    /// Per atom, its literal.
    lits: Vec<Lit>,
    /// What the state alone decides: `legal`, `goal` and `terminal`, by atom.
    of_state: FxHashMap<usize, Lit>,
    /// Per atom, its rules: a range of `bodies`.
    rules: Vec<(u32, u32)>,
    bodies: Vec<&'a [Literal]>,
    base_of: FxHashMap<TermId, usize>,
    input_of: FxHashMap<(TermId, TermId), usize>,
    /// No moves are made: what rules say of `does` is false.
    blind: bool,
}

impl<'a> Builder<'a> {
    fn new(ground: &'a Ground, leaves: &Leaves, known: &'a Known) -> Builder<'a> {
        let mut rules = vec![(0, 0); ground.atoms.len()];
        let mut bodies = Vec::new();
        for (head, body) in ground.rules() {
            if rules[head].1 == 0 {
                rules[head].0 = bodies.len() as u32;
            }
            bodies.push(body);
            rules[head].1 = bodies.len() as u32;
        }
        let base_of = leaves.bases.iter().enumerate().map(|(i, b)| (b.1, i)).collect();
        let input = |(i, x): (usize, &(usize, String, TermId))| ((ground.roles[x.0], x.2), i);
        let input_of = leaves.inputs.iter().enumerate().map(input).collect();
        let roles: Vec<usize> = leaves.inputs.iter().map(|i| i.0).collect();
        Builder {
            ground,
            known,
            logic: Logic::new(leaves.bases.len(), ground.roles.len(), &roles),
            components: vec![],
            lits: vec![Lit::FALSE; ground.atoms.len()],
            of_state: FxHashMap::default(),
            rules,
            bodies,
            base_of,
            input_of,
            blind: false,
        }
    }

    /// Builds every atom. What the state alone must decide is built with no moves made; where it does
    /// not look at moves, as it should, that is the same.
    fn atoms(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut edges = self.dependencies();
        let is_of_state = |rel: Rel| matches!(rel, Rel::LEGAL | Rel::GOAL | Rel::TERMINAL);
        let of_state: Vec<usize> =
            (0..edges.len()).filter(|a| is_of_state(self.ground.atoms[*a].rel)).collect();
        self.blind = self.reaches_moves(&edges, &of_state);
        if self.blind {
            self.pass(&edges, budget)?;
            self.of_state = of_state.iter().map(|a| (*a, self.lits[*a])).collect();
            self.blind = false;
        } else {
            self.legal_first(&mut edges);
        }
        self.pass(&edges, budget)?;
        for a in of_state {
            let lit = self.lits[a];
            self.of_state.entry(a).or_insert(lit);
        }
        Ok(())
    }

    fn pass(&mut self, edges: &[Vec<u32>], budget: &Budget) -> Result<(), Stop> {
        for group in components(edges.len(), |a| &edges[a as usize]) {
            budget.check()?;
            let recursive = group.len() > 1 || edges[group[0] as usize].contains(&group[0]);
            if recursive { self.component(&group) } else { self.atom(group[0] as usize) }
        }
        Ok(())
    }

    /// Per atom, the atoms in the bodies of its rules.
    fn dependencies(&self) -> Vec<Vec<u32>> {
        let mut edges = vec![Vec::new(); self.ground.atoms.len()];
        for (head, body) in self.ground.rules() {
            edges[head].extend(body.iter().map(|l| l.atom() as u32));
        }
        edges
    }

    fn reaches_moves(&self, edges: &[Vec<u32>], from: &[usize]) -> bool {
        let mut seen = vec![false; edges.len()];
        let mut stack = from.to_vec();
        while let Some(a) = stack.pop() {
            if self.ground.atoms[a].rel == Rel::DOES {
                return true;
            }
            if !std::mem::replace(&mut seen[a], true) {
                stack.extend(edges[a].iter().map(|b| *b as usize));
            }
        }
        false
    }

    /// Makes every `does` come after its `legal`, so that its conditions are known.
    fn legal_first(&self, edges: &mut [Vec<u32>]) {
        let atoms = || self.ground.atoms.iter().enumerate();
        let legal: FxHashMap<&[TermId], u32> = atoms()
            .filter(|(_, a)| a.rel == Rel::LEGAL)
            .map(|(i, a)| (self.ground.args(a), i as u32))
            .collect();
        for (i, a) in atoms().filter(|(_, a)| a.rel == Rel::DOES) {
            edges[i].extend(legal.get(self.ground.args(a)));
        }
    }

    fn bodies(&self, atom: usize) -> std::ops::Range<usize> {
        self.rules[atom].0 as usize..self.rules[atom].1 as usize
    }

    fn lit(&self, l: &Literal) -> Lit {
        let lit = self.lits[l.atom()];
        if l.negated() { !lit } else { lit }
    }

    fn atom(&mut self, atom: usize) {
        let a = &self.ground.atoms[atom];
        self.lits[atom] = match (a.rel, self.ground.args(a)) {
            (Rel::TRUE, [f]) => self.base(f),
            (Rel::DOES, [r, m]) => self.input(*r, *m),
            (rel, args) => {
                let cube = |b: usize| self.bodies[b].iter().map(|l| self.lit(l)).collect();
                let cubes = self.bodies(atom).map(cube).collect();
                let lit = self.logic.sum(cubes);
                if let (Rel::LEGAL, [r, m], false) = (rel, args, self.blind) {
                    self.legal(*r, *m, lit);
                }
                lit
            }
        };
    }

    fn base(&self, f: &TermId) -> Lit {
        match self.known.bases.get(f) {
            Some((None, value)) => {
                if *value {
                    Lit::TRUE
                } else {
                    Lit::FALSE
                }
            }
            Some((Some(other), negated)) => Lit::new(1 + self.base_of[other], *negated),
            None => Lit::new(1 + self.base_of[f], false),
        }
    }

    fn input(&self, role: TermId, m: TermId) -> Lit {
        match self.input_of.get(&(role, m)) {
            Some(i) if !self.blind => Lit::new(1 + self.base_of.len() + i, false),
            _ => Lit::FALSE,
        }
    }

    fn legal(&mut self, role: TermId, m: TermId, legal: Lit) {
        let input = self.input(role, m);
        match legal {
            _ if input == Lit::FALSE => {}
            Lit::FALSE => self.logic.never(input),
            _ => self.logic.requires(input, legal),
        }
    }

    /// Adds atoms that depend on each other.
    fn component(&mut self, group: &[u32]) {
        for atom in group {
            self.lits[*atom as usize] = self.logic.leaf();
        }
        let inside = |l: &Literal| group.binary_search(&(l.atom() as u32)).is_ok();
        let mut atoms = Vec::new();
        for atom in group {
            let mut cubes = Vec::new();
            let mut mixed: Vec<(Lit, Vec<Lit>)> = Vec::new();
            for b in self.bodies(*atom as usize) {
                let body = self.bodies[b];
                let of = |side: bool| body.iter().filter(move |l| inside(l) == side);
                let outer: Vec<Lit> = of(false).map(|l| self.lit(l)).collect();
                let within: Vec<Lit> = of(true).map(|l| self.lit(l)).collect();
                if within.is_empty() {
                    cubes.push(outer);
                    continue;
                }
                let condition = self.logic.and(outer);
                if condition != Lit::FALSE {
                    mixed.push((condition, within));
                }
            }
            let from_outside = self.logic.sum(cubes);
            atoms.push((self.lits[*atom as usize], from_outside, mixed));
        }
        self.components.push(Component { atoms });
    }

    fn net(self, leaves: &Leaves, budget: &Budget) -> Result<Net, Stop> {
        let ground = self.ground;
        let (mut next, mut legal) = (FxHashMap::default(), FxHashMap::default());
        let (mut initial, mut goals) = (FxHashMap::default(), Vec::new());
        let mut terminal = Lit::FALSE;
        for (i, atom) in ground.atoms.iter().enumerate() {
            match (atom.rel, ground.args(atom)) {
                (Rel::TRUE, [f]) => drop(initial.insert(*f, ground.initial[i])),
                (Rel::NEXT, [f]) => drop(next.insert(*f, self.lits[i])),
                (Rel::LEGAL, [r, m]) => drop(legal.insert((*r, *m), self.of_state[&i])),
                (Rel::TERMINAL, _) => terminal = self.of_state[&i],
                (Rel::GOAL, [r, v]) => {
                    let role = ground.roles.iter().position(|x| x == r);
                    let value = ground.term_text(*v).parse::<i32>();
                    if let (Some(role), Ok(value)) = (role, value) {
                        goals.push((role, value, self.of_state[&i]));
                    }
                }
                _ => {}
            }
        }
        let next_of = |f: &TermId| match self.known.bases.get(f) {
            Some((None, _)) => Lit::TRUE,
            Some((Some(other), negated)) => {
                let lit = next.get(other).copied().unwrap_or(Lit::FALSE);
                if *negated { !lit } else { lit }
            }
            None => next.get(f).copied().unwrap_or(Lit::FALSE),
        };
        let legal_of = |x: &(usize, String, TermId)| {
            legal.get(&(ground.roles[x.0], x.2)).copied().unwrap_or(Lit::FALSE)
        };
        goals.sort();
        let mut outputs: Vec<Lit> = leaves.bases.iter().map(|b| next_of(&b.1)).collect();
        outputs.extend(leaves.inputs.iter().map(legal_of));
        outputs.extend(goals.iter().map(|g| g.2));
        outputs.push(terminal);
        let emit = Emit::new(&self.logic, &self.components, &outputs);
        let (circuit, outputs) =
            emit.circuit(leaves.bases.len(), leaves.inputs.len(), &outputs, budget)?;
        let mut out = outputs.into_iter();
        let mut take = || out.next().expect("as many as were given");
        let base = |(name, f): &(String, TermId)| Base {
            name: name.clone(),
            initial: initial[f],
            next: take(),
        };
        let bases = leaves.bases.iter().map(base).collect();
        let input = |(role, name, _): &(usize, String, TermId)| Input {
            role: *role,
            name: name.clone(),
            legal: take(),
        };
        let inputs = leaves.inputs.iter().map(input).collect();
        let mut by_role = vec![Vec::new(); ground.roles.len()];
        for (role, value, _) in &goals {
            let lit = take();
            if lit != Lit::FALSE {
                by_role[*role].push((*value, lit));
            }
        }
        let mut net = Net {
            name: ground.name.clone(),
            roles: ground.roles.iter().map(|r| ground.term_text(*r)).collect(),
            bases,
            inputs,
            gates: circuit.gates,
            components: circuit.components,
            terminal: take(),
            goals: by_role,
        };
        net.sweep_dead();
        Ok(net)
    }
}
