//! Ground rules -> circuit: an atom is the disjunction of its rules, a rule the conjunction of its
//! conditions; atoms that depend on each other become a component.

use super::circuit::Circuit;
use super::factor::{disjunction, factored};
use super::{Base, Gate, Input, Lit, Net};
use crate::ground::{Ground, GroundLiteral};
use crate::instances::components;
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Rel, TermId};
use rustc_hash::FxHashMap;

pub fn build(ground: &Ground, budget: &Budget) -> Result<Net, Stop> {
    let leaves = Leaves::new(ground);
    let mut builder = NetBuilder::new(ground, &leaves);
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
    let mut net = builder.net(leaves);
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

/// Per atom, for those of `does` the atom that says that the move is legal.
fn legal_of_moves(ground: &Ground) -> Vec<Option<u32>> {
    let atoms = || ground.atoms.iter().enumerate();
    let legal: FxHashMap<&[TermId], u32> = atoms()
        .filter(|(_, a)| a.rel == Rel::LEGAL)
        .map(|(i, a)| (ground.args(a), i as u32))
        .collect();
    let legal = |a| legal.get(ground.args(a)).copied();
    atoms().map(|(_, a)| if a.rel == Rel::DOES { legal(a) } else { None }).collect()
}

/// Base and input propositions in the order of the net.
struct Leaves {
    bases: Vec<(String, TermId)>,
    inputs: Vec<(usize, String, TermId)>,
}

impl Leaves {
    fn new(ground: &Ground) -> Leaves {
        let of = |rel: Rel| ground.atoms.iter().filter(move |a| a.rel == rel);
        let term = |t: TermId| (ground.term_text(t), t);
        let mut bases: Vec<(String, TermId)> =
            of(Rel::TRUE).map(|a| term(ground.args(a)[0])).collect();
        bases.sort();
        let mut inputs: Vec<(usize, String, TermId)> = of(Rel::DOES)
            .map(|a| {
                let [role, m] = *ground.args(a) else { unreachable!("does has two arguments") };
                let role = ground.roles.iter().position(|r| *r == role).expect("of a role");
                (role, ground.term_text(m), m)
            })
            .collect();
        inputs.sort();
        Leaves { bases, inputs }
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
    base_of: FxHashMap<TermId, usize>,
    input_of: FxHashMap<(TermId, TermId), usize>,
    /// Per atom, for those of `does` the atom of its legality.
    legal: Vec<Option<u32>>,
    /// How often the atoms of a gate stand in bodies.
    uses: Vec<u32>,
    /// Per atom, how often it stands in bodies.
    occurrences: Vec<u32>,
}

impl<'a> NetBuilder<'a> {
    fn new(ground: &'a Ground, leaves: &Leaves) -> NetBuilder<'a> {
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
        let moves = |role| leaves.inputs.iter().filter(|i| i.0 == role).count();
        let moves: Vec<usize> = (0..ground.roles.len()).map(moves).collect();
        let circuit = Circuit::new(leaves.bases.len(), &moves);
        let lits = vec![Lit::FALSE; ground.atoms.len()];
        let mut occurrences = vec![0; ground.atoms.len()];
        bodies.iter().copied().flatten().for_each(|l: &GroundLiteral| occurrences[l.atom()] += 1);
        let (legal, uses) = (legal_of_moves(ground), Vec::new());
        NetBuilder {
            ground,
            circuit,
            lits,
            rules,
            bodies,
            base_of,
            input_of,
            legal,
            uses,
            occurrences,
        }
    }

    fn bodies(&self, atom: usize) -> std::ops::Range<usize> {
        self.rules[atom].0 as usize..self.rules[atom].1 as usize
    }

    fn lit(&self, l: &GroundLiteral) -> Lit {
        let lit = self.lits[l.atom()];
        if l.negated() { !lit } else { lit }
    }

    fn atom(&mut self, atom: usize) {
        let a = &self.ground.atoms[atom];
        let lit = match (a.rel, self.ground.args(a)) {
            (Rel::TRUE, [f]) => Lit::new(1 + self.base_of[f], false),
            // What can never be done is false.
            (Rel::DOES, _)
                if self.legal[atom].is_none_or(|l| self.lits[l as usize] == Lit::FALSE) =>
            {
                Lit::FALSE
            }
            (Rel::DOES, [r, m]) => {
                Lit::new(1 + self.base_of.len() + self.input_of[&(*r, *m)], false)
            }
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

    fn net(self, leaves: Leaves) -> Net {
        let ground = self.ground;
        let (mut next, mut legal) = (FxHashMap::default(), FxHashMap::default());
        let mut goals = vec![Vec::new(); ground.roles.len()];
        let mut initial = FxHashMap::default();
        let mut terminal = Lit::FALSE;
        for (i, atom) in ground.atoms.iter().enumerate() {
            let lit = self.lits[i];
            match (atom.rel, ground.args(atom)) {
                (Rel::TRUE, [f]) => drop(initial.insert(*f, ground.initial[i])),
                (Rel::NEXT, [f]) => drop(next.insert(*f, lit)),
                (Rel::LEGAL, [r, m]) => drop(legal.insert((*r, *m), lit)),
                (Rel::TERMINAL, _) => terminal = lit,
                (Rel::GOAL, [r, v]) => {
                    let role = ground.roles.iter().position(|x| x == r);
                    let value = ground.term_text(*v).parse::<i32>();
                    if let (Some(role), Ok(value), true) = (role, value, lit != Lit::FALSE) {
                        goals[role].push((value, lit));
                    }
                }
                _ => {}
            }
        }
        goals.iter_mut().for_each(|g| g.sort());
        let base = |(name, f): (String, TermId)| Base {
            name,
            initial: initial[&f],
            next: next.get(&f).copied().unwrap_or(Lit::FALSE),
        };
        let input = |(role, name, m): (usize, String, TermId)| Input {
            role,
            name,
            legal: legal.get(&(ground.roles[role], m)).copied().unwrap_or(Lit::FALSE),
        };
        Net {
            name: ground.name.clone(),
            roles: ground.roles.iter().map(|r| ground.term_text(*r)).collect(),
            bases: leaves.bases.into_iter().map(base).collect(),
            inputs: leaves.inputs.into_iter().map(input).collect(),
            gates: self.circuit.gates,
            components: self.circuit.components,
            terminal,
            goals,
        }
    }
}
