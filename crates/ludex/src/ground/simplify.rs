//! Instances -> `Ground`: what is decided is taken out, what nobody uses is removed (001, 14.4).

use super::{Atom, Ground};
use crate::budget::{Budget, Stop};
use crate::instances::{Instances, Literal, Rows};
use crate::rules::{Rel, Rules};

pub fn simplify(rules: &Rules, found: Instances, budget: &Budget) -> Result<Ground, Stop> {
    let mut state = Propagation::new(&found);
    state.run(&found, budget)?;
    let mut kept = kept_rules(&found, &state);
    remove_unused(&mut kept, &found);
    budget.check()?;
    Ok(compact(rules, found, kept))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Open,
    Always,
    Never,
}

/// Which atoms always or never hold, found by passing on what is decided.
struct Propagation {
    truth: Vec<Truth>,
    /// Per instance: conditions not yet known to hold; `DEAD` if one never holds.
    open: Vec<u32>,
    /// Per atom: instances that may still give it.
    support: Vec<u32>,
    /// `uses[starts[a]..starts[a + 1]]`: instances with atom `a` in the body, and whether negated.
    starts: Vec<usize>,
    uses: Vec<(u32, bool)>,
    /// `true(f)` of `next(f)`, `does(r, m)` of `legal(r, m)`.
    partner: Vec<u32>,
    initial: Vec<bool>,
    decided: Vec<u32>,
}

const DEAD: u32 = u32::MAX;
const NONE: u32 = u32::MAX;

impl Propagation {
    fn new(found: &Instances) -> Propagation {
        let (atoms, instances) = (found.store.atoms.len(), &found.rows);
        let mut starts = vec![0usize; atoms + 1];
        instances.literals.iter().for_each(|l| starts[l.atom() + 1] += 1);
        for a in 0..atoms {
            starts[a + 1] += starts[a];
        }
        let (mut fill, mut uses) = (starts.clone(), vec![(0, false); instances.literals.len()]);
        let mut support = vec![0; atoms];
        for (i, head) in instances.heads.iter().enumerate() {
            support[*head as usize] += 1;
            for l in instances.body(i) {
                uses[fill[l.atom()]] = (i as u32, l.negated());
                fill[l.atom()] += 1;
            }
        }
        let open = (0..instances.heads.len()).map(|i| instances.body(i).len() as u32).collect();
        let (partner, initial) = partners(found);
        let truth = vec![Truth::Open; atoms];
        Propagation { truth, open, support, starts, uses, partner, initial, decided: vec![] }
    }

    fn run(&mut self, found: &Instances, budget: &Budget) -> Result<(), Stop> {
        let atoms = &found.store.atoms;
        for a in 0..atoms.len() as u32 {
            let given = matches!(atoms.rel(a), Rel::TRUE | Rel::DOES);
            if !atoms.derived(a) {
                self.decide(a, Truth::Never);
            } else if !given && self.support[a as usize] == 0 {
                // Derived without an instance: static.
                self.decide(a, Truth::Always);
            }
        }
        for (i, head) in found.rows.heads.iter().enumerate() {
            if self.open[i] == 0 {
                self.decide(*head, Truth::Always);
            }
        }
        while let Some(atom) = self.decided.pop() {
            budget.check()?;
            self.pass_on(atom, found);
        }
        Ok(())
    }

    fn decide(&mut self, atom: u32, truth: Truth) {
        let old = &mut self.truth[atom as usize];
        if *old == Truth::Open {
            *old = truth;
            self.decided.push(atom);
        }
    }

    fn pass_on(&mut self, atom: u32, found: &Instances) {
        let holds = self.truth[atom as usize] == Truth::Always;
        for at in self.starts[atom as usize]..self.starts[atom as usize + 1] {
            let (i, negated) = self.uses[at];
            let head = found.rows.heads[i as usize];
            if self.open[i as usize] == DEAD {
                continue;
            }
            if holds != negated {
                self.open[i as usize] -= 1;
                if self.open[i as usize] == 0 {
                    self.decide(head, Truth::Always);
                }
            } else {
                self.open[i as usize] = DEAD;
                self.support[head as usize] -= 1;
                if self.support[head as usize] == 0 {
                    self.decide(head, Truth::Never);
                }
            }
        }
        let partner = self.partner[atom as usize];
        if partner == NONE {
            return;
        }
        let initial = self.initial[partner as usize];
        match (found.store.atoms.rel(atom), holds) {
            (Rel::NEXT, true) if initial => self.decide(partner, Truth::Always),
            (Rel::NEXT, false) if !initial => self.decide(partner, Truth::Never),
            (Rel::LEGAL, false) => self.decide(partner, Truth::Never),
            _ => {}
        }
    }
}

/// `true(f)` for every `next(f)`, `does(r, m)` for every `legal(r, m)`; and which facts are initial.
fn partners(found: &Instances) -> (Vec<u32>, Vec<bool>) {
    let atoms = &found.store.atoms;
    let mut partner = vec![NONE; atoms.len()];
    let mut initial = vec![false; atoms.len()];
    let link = |rel: Rel, to: Rel, f: &mut dyn FnMut(u32, u32)| {
        for a in found.store.derived(rel) {
            if let Some(p) = atoms.find(to, atoms.args(*a)) {
                f(*a, p);
            }
        }
    };
    link(Rel::INIT, Rel::TRUE, &mut |_, p| initial[p as usize] = true);
    link(Rel::NEXT, Rel::TRUE, &mut |a, p| partner[a as usize] = p);
    link(Rel::LEGAL, Rel::DOES, &mut |a, p| partner[a as usize] = p);
    (partner, initial)
}

/// Rules and atoms that are left, still by the numbers of the evaluation.
struct Kept {
    rules: Rows,
    /// Atoms that are outputs or given, and not impossible.
    roots: Vec<u32>,
    initial: Vec<bool>,
}

/// The rules without decided conditions, each once, sorted by head.
fn kept_rules(found: &Instances, state: &Propagation) -> Kept {
    let instances = &found.rows;
    let atoms = &found.store.atoms;
    let truth = |a: usize| state.truth[a];
    let alive = |i: &u32| {
        state.open[*i as usize] != DEAD
            && truth(instances.heads[*i as usize] as usize) == Truth::Open
    };
    let mut order: Vec<u32> = (0..instances.heads.len() as u32).filter(alive).collect();
    order.sort_by_key(|i| instances.heads[*i as usize]);
    let mut rules = Rows::default();
    let mut bodies: Vec<Vec<Literal>> = Vec::new();
    for group in order.chunk_by(|a, b| instances.heads[*a as usize] == instances.heads[*b as usize])
    {
        bodies.clear();
        for i in group {
            let open = |l: &&Literal| truth(l.atom()) == Truth::Open;
            let mut body: Vec<Literal> =
                instances.body(*i as usize).iter().filter(open).copied().collect();
            body.sort_unstable();
            body.dedup();
            if body.windows(2).all(|w| w[0].atom() != w[1].atom()) {
                bodies.push(body);
            }
        }
        bodies.sort();
        bodies.dedup();
        for body in &bodies {
            rules.push(instances.heads[group[0] as usize], body);
        }
    }
    let mut roots = Vec::new();
    for a in 0..atoms.len() as u32 {
        match (atoms.rel(a), truth(a as usize)) {
            (_, Truth::Never) => {}
            (Rel::NEXT | Rel::LEGAL | Rel::GOAL | Rel::TERMINAL, Truth::Always) => {
                rules.push(a, &[]);
                roots.push(a);
            }
            (Rel::NEXT | Rel::LEGAL | Rel::GOAL | Rel::TERMINAL, _) => roots.push(a),
            (Rel::TRUE | Rel::DOES, _) => roots.push(a),
            _ => {}
        }
    }
    let initial = state.initial.clone();
    Kept { rules, roots, initial }
}

/// Removes the rules of atoms that no output needs.
fn remove_unused(kept: &mut Kept, found: &Instances) {
    let n = found.store.atoms.len();
    let mut of_head = vec![(0u32, 0u32); n];
    for (i, head) in kept.rules.heads.iter().enumerate() {
        let range = &mut of_head[*head as usize];
        if range.1 == 0 {
            range.0 = i as u32;
        }
        range.1 = i as u32 + 1;
    }
    let mut used = vec![false; n];
    let mut stack = kept.roots.clone();
    while let Some(a) = stack.pop() {
        if std::mem::replace(&mut used[a as usize], true) {
            continue;
        }
        for i in of_head[a as usize].0..of_head[a as usize].1 {
            stack.extend(kept.rules.body(i as usize).iter().map(|l| l.atom() as u32));
        }
    }
    let mut rules = Rows::default();
    for (i, head) in kept.rules.heads.iter().enumerate() {
        if used[*head as usize] {
            rules.push(*head, kept.rules.body(i));
        }
    }
    kept.rules = rules;
}

/// Numbers the atoms that are left anew.
fn compact(rules: &Rules, found: Instances, kept: Kept) -> Ground {
    let atoms = &found.store.atoms;
    let mut used = vec![false; atoms.len()];
    kept.roots.iter().for_each(|a| used[*a as usize] = true);
    kept.rules.heads.iter().for_each(|a| used[*a as usize] = true);
    kept.rules.literals.iter().for_each(|l| used[l.atom()] = true);
    let mut number = vec![NONE; atoms.len()];
    let (mut out, mut args, mut initial) = (Vec::new(), Vec::new(), Vec::new());
    for a in (0..atoms.len()).filter(|a| used[*a]) {
        number[a] = out.len() as u32;
        let start = args.len() as u32;
        args.extend_from_slice(atoms.args(a as u32));
        out.push(Atom { rel: atoms.rel(a as u32), start, end: args.len() as u32 });
        initial.push(kept.initial[a]);
    }
    let mut ground_rules = kept.rules;
    ground_rules.heads.iter_mut().for_each(|h| *h = number[*h as usize]);
    for l in &mut ground_rules.literals {
        *l = Literal::new(number[l.atom()], l.negated());
    }
    let roles = found.store.derived(Rel::ROLE).iter().map(|a| atoms.args(*a)[0]).collect();
    Ground {
        name: rules.name.clone(),
        symbols: rules.symbols.clone(),
        roles,
        atoms: out,
        args,
        rules: ground_rules,
        initial,
        relations: rules.relations.clone(),
        terms: found.store.terms,
    }
}
