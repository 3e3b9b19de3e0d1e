//! Ground rules -> circuit: an atom is the disjunction of its rules, a rule the conjunction of its
//! conditions; atoms that depend on each other become a component.

use super::circuit::Circuit;
use super::factor::{disjunction, factored};
use super::{Base, Gate, Input, Lit, Net};
use crate::ground::{BasePort, Ground, GroundLiteral, InputPort, Ports};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::digraph::components;
use ludex_gdl::rules::Rel;

pub fn build(ground: &Ground, budget: &Budget) -> Result<Net, Stop> {
    let ports = Ports::new(ground);
    let mut builder = NetBuilder::new(ground, &ports);
    let edges = Dependencies::new(&builder);
    for group in components(ground.atoms.len(), |a| edges.of(a)).iter() {
        budget.check()?;
        let recursive = group.len() > 1 || edges.of(group[0]).contains(&group[0]);
        if recursive {
            builder.component(group);
        } else {
            builder.atom(group[0] as usize);
        }
    }
    let mut net = builder.net(ports);
    net.sweep_dead();
    Ok(net)
}

/// Per atom, the atoms in the bodies of its rules; for a move that it is legal.
struct Dependencies {
    starts: Vec<usize>,
    on: Vec<u32>,
}

impl Dependencies {
    fn new(builder: &NetBuilder) -> Dependencies {
        let (mut starts, mut on) = (vec![0], Vec::new());
        for (atom, legal) in builder.legal.iter().enumerate() {
            on.extend(legal);
            let bodies = &builder.bodies[builder.bodies(atom)];
            on.extend(bodies.iter().copied().flatten().map(|l| l.atom() as u32));
            starts.push(on.len());
        }
        Dependencies { starts, on }
    }

    fn of(&self, atom: u32) -> &[u32] {
        &self.on[self.starts[atom as usize]..self.starts[atom as usize + 1]]
    }
}

struct NetBuilder<'a> {
    ground: &'a Ground,
    circuit: Circuit,
    /// Per atom, its literal.
    lits: Vec<Lit>,
    /// Per atom, its rules: a range of `bodies`.
    rules: Vec<(u32, u32)>,
    bodies: Vec<&'a [GroundLiteral]>,
    /// Per atom, for those of `does` the atom of its legality.
    legal: Vec<Option<u32>>,
    /// How often the atoms of a gate stand in bodies.
    uses: Vec<u32>,
    /// Per atom, how often it stands in bodies.
    occurrences: Vec<u32>,
}

impl<'a> NetBuilder<'a> {
    fn new(ground: &'a Ground, ports: &Ports) -> NetBuilder<'a> {
        let mut rules = vec![(0, 0); ground.atoms.len()];
        let mut bodies = Vec::new();
        for (head, body) in ground.rules() {
            if rules[head].1 == 0 {
                rules[head].0 = bodies.len() as u32;
            }
            bodies.push(body);
            rules[head].1 = bodies.len() as u32;
        }
        let moves = |role| ports.inputs.iter().filter(|i| i.role == role).count();
        let moves: Vec<usize> = (0..ground.roles.len()).map(moves).collect();
        let circuit = Circuit::new(ports.bases.len(), &moves);
        let mut lits = vec![Lit::FALSE; ground.atoms.len()];
        let leaves = ports.bases.iter().map(|b| b.atom).chain(ports.inputs.iter().map(|i| i.atom));
        leaves.enumerate().for_each(|(i, atom)| lits[atom] = Lit::new(1 + i, false));
        let mut legal = vec![None; ground.atoms.len()];
        ports.inputs.iter().for_each(|i| legal[i.atom] = i.legal.map(|l| l as u32));
        let mut occurrences = vec![0; ground.atoms.len()];
        bodies.iter().copied().flatten().for_each(|l: &GroundLiteral| occurrences[l.atom()] += 1);
        let uses = Vec::new();
        NetBuilder { ground, circuit, lits, rules, bodies, legal, uses, occurrences }
    }

    fn bodies(&self, atom: usize) -> std::ops::Range<usize> {
        self.rules[atom].0 as usize..self.rules[atom].1 as usize
    }

    fn lit(&self, l: &GroundLiteral) -> Lit {
        let lit = self.lits[l.atom()];
        if l.negated() { !lit } else { lit }
    }

    fn atom(&mut self, atom: usize) {
        let lit = match self.ground.atoms[atom].rel {
            // What can never be done is false.
            Rel::DOES if self.legal[atom].is_none_or(|l| self.lits[l as usize] == Lit::FALSE) => {
                Lit::FALSE
            }
            Rel::TRUE | Rel::DOES => self.lits[atom],
            _ => {
                let bodies = &self.bodies[self.bodies(atom)];
                let lits = |b: &&[GroundLiteral]| b.iter().map(|l| self.lit(l)).collect();
                if bodies.iter().all(|b| b.len() == 1) {
                    let lits = bodies.iter().map(|b| self.lit(&b[0])).collect();
                    disjunction(&mut self.circuit, lits)
                } else {
                    let terms = bodies.iter().map(lits).collect();
                    factored(&mut self.circuit, terms, &|lit| {
                        self.uses.get(lit.gate()).copied().unwrap_or_default()
                    })
                }
            }
        };
        self.lits[atom] = lit;
        if self.uses.len() <= lit.gate() {
            self.uses.resize(self.circuit.gates.len(), 0);
        }
        self.uses[lit.gate()] += self.occurrences[atom];
    }

    /// Adds atoms that depend on each other: first what comes from outside, then a range of gates
    /// that begins with one gate per atom.
    fn component(&mut self, group: &[u32]) {
        let inside = |l: &GroundLiteral| group.binary_search(&(l.atom() as u32)).is_ok();
        let mut outer = Vec::new();
        for atom in group {
            let mut from_outside = Vec::new();
            let mut mixed: Vec<(Lit, Vec<usize>)> = Vec::new();
            for b in self.bodies(*atom as usize) {
                let body = self.bodies[b];
                let ands = body.iter().filter(|l| !inside(l)).map(|l| self.lit(l)).collect();
                let condition = self.circuit.and_all(ands);
                let within: Vec<usize> =
                    body.iter().filter(|l| inside(l)).map(|l| l.atom()).collect();
                match within.is_empty() {
                    _ if condition == Lit::FALSE => {}
                    true => from_outside.push(condition),
                    false => mixed.push((condition, within)),
                }
            }
            outer.push((self.circuit.or_all(from_outside), mixed));
        }
        let start = self.circuit.gates.len();
        for (i, atom) in group.iter().enumerate() {
            self.lits[*atom as usize] = Lit::new(start + i, false);
            self.circuit.gates.push(Gate::False);
        }
        for (i, (from_outside, mixed)) in outer.into_iter().enumerate() {
            let mut ors = vec![from_outside];
            for (condition, within) in mixed {
                let mut all = condition;
                for atom in within {
                    all = self.circuit.looped(Gate::LoopAnd(all, self.lits[atom]));
                }
                ors.push(all);
            }
            let last = ors.pop().expect("at least one");
            let rest = ors.into_iter().reduce(|a, b| self.circuit.looped(Gate::LoopOr(a, b)));
            self.circuit.gates[start + i] = Gate::LoopOr(rest.unwrap_or(Lit::FALSE), last);
        }
        let end = self.circuit.gates.len();
        self.circuit.components.push(start..end);
    }

    fn net(self, ports: Ports) -> Net {
        let ground = self.ground;
        let lit = |atom: Option<usize>| atom.map_or(Lit::FALSE, |a| self.lits[a]);
        let mut goals = vec![Vec::new(); ground.roles.len()];
        for (role, value, atom) in ports.goals {
            if self.lits[atom] != Lit::FALSE {
                goals[role].push((value, self.lits[atom]));
            }
        }
        goals.iter_mut().for_each(|g| g.sort());
        let base = |b: BasePort| {
            let (initial, next) = (ground.initial[b.atom], lit(b.next));
            Base { name: b.name, initial, next }
        };
        let input = |i: InputPort| Input { role: i.role, name: i.name, legal: lit(i.legal) };
        Net {
            name: ground.name.clone(),
            roles: ground.roles.iter().map(|r| ground.term_text(*r)).collect(),
            bases: ports.bases.into_iter().map(base).collect(),
            inputs: ports.inputs.into_iter().map(input).collect(),
            gates: self.circuit.gates,
            components: self.circuit.components,
            terminal: lit(ports.terminal),
            goals,
        }
    }
}
