//! Instances -> `Ground`: what is decided is taken out, what nobody uses is removed (001, 14.4).

use super::{Ground, GroundAtom};
use crate::instances::{GroundLiteral, Instances, Rows};
use ludex_gdl::budget::{Budget, Stop};
use ludex_gdl::rules::{Rel, Rules};

pub fn simplify(rules: &Rules, found: Instances, budget: &Budget) -> Result<Ground, Stop> {
    let mut state = Propagation::new(&found);
    state.run(&found, budget)?;
    let kept = kept_rules(&found, state);
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
    /// `uses[starts[a]..starts[a + 1]]`: instances with atom `a` in the body, as literals that say
    /// whether it is negated there.
    starts: Vec<u32>,
    uses: Vec<GroundLiteral>,
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
        let mut starts = vec![0u32; atoms + 2];
        instances.literals.iter().for_each(|l| starts[l.atom() + 2] += 1);
        for a in 2..starts.len() {
            starts[a] += starts[a - 1];
        }
        let mut uses = vec![GroundLiteral::new(0, false); instances.literals.len()];
        let mut support = vec![0; atoms];
        for (i, head) in instances.heads.iter().enumerate() {
            support[*head as usize] += 1;
            for l in instances.body(i) {
                let fill = &mut starts[l.atom() + 1];
                uses[*fill as usize] = GroundLiteral::new(i as u32, l.negated());
                *fill += 1;
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
            let (i, negated) = (self.uses[at as usize].atom(), self.uses[at as usize].negated());
            let head = found.rows.heads[i];
            if self.open[i] == DEAD {
                continue;
            }
            if holds != negated {
                self.open[i] -= 1;
                if self.open[i] == 0 {
                    self.decide(head, Truth::Always);
                }
            } else {
                self.open[i] = DEAD;
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
struct KeptRules {
    rules: Rows,
    /// Outputs and given atoms that are not impossible, and all that they need: what an atom needs
    /// comes before it, unless they need each other.
    atoms: Vec<u32>,
    initial: Vec<bool>,
}

/// The rules that an output needs, without decided conditions, each once.
fn kept_rules(found: &Instances, state: Propagation) -> KeptRules {
    let mut left = OpenInstances::new(found, &state);
    let mut seen = vec![false; found.store.atoms.len()];
    let (mut rules, mut atoms) = (Rows::default(), Vec::new());
    let (mut bodies, mut stack) = (Vec::new(), Vec::new());
    for root in 0..seen.len() as u32 {
        let rel = found.store.atoms.rel(root);
        let output = matches!(rel, Rel::NEXT | Rel::LEGAL | Rel::GOAL | Rel::TERMINAL);
        let truth = state.truth[root as usize];
        if truth == Truth::Never || !(output || rel.is_given()) {
            continue;
        }
        if output && truth == Truth::Always {
            rules.push(root, &[]);
        }
        // An atom and whether all it needs has been seen to.
        stack.push((root, false));
        while let Some((a, done)) = stack.pop() {
            if done {
                atoms.push(a);
            } else if !std::mem::replace(&mut seen[a as usize], true) {
                stack.push((a, true));
                left.bodies(a, &mut bodies);
                for body in bodies.iter().map(|range| left.body(*range)) {
                    rules.push(a, body);
                    let new = body.iter().map(|l| l.atom() as u32);
                    stack.extend(new.filter(|n| !seen[*n as usize]).map(|n| (n, false)));
                }
            }
        }
    }
    KeptRules { rules, atoms, initial: state.initial }
}

/// The instances of open atoms that may hold, those of one head side by side, with their open
/// conditions only.
struct OpenInstances {
    /// The instances that give atom `a` are those from `starts[a]` to `starts[a + 1]`.
    starts: Vec<u32>,
    /// `ends[i]`: where the conditions of instance `i` end.
    ends: Vec<u32>,
    literals: Vec<GroundLiteral>,
}

impl OpenInstances {
    fn new(found: &Instances, state: &Propagation) -> OpenInstances {
        let heads = &found.rows.heads;
        let left =
            |i: &usize| state.open[*i] != DEAD && state.truth[heads[*i] as usize] == Truth::Open;
        let mut starts = vec![0u32; found.store.atoms.len() + 2];
        (0..heads.len()).filter(left).for_each(|i| starts[heads[i] as usize + 2] += 1);
        for a in 2..starts.len() {
            starts[a] += starts[a - 1];
        }
        // At first where they are and how many conditions they have.
        let mut ends = vec![0; *starts.last().expect("not empty") as usize];
        let mut fill = starts.clone();
        for i in (0..heads.len()).filter(left) {
            let at = &mut fill[heads[i] as usize + 1];
            ends[*at as usize] = state.open[i];
            *at += 1;
        }
        let mut all = 0;
        for end in &mut ends {
            all += std::mem::replace(end, all);
        }
        let mut literals = vec![GroundLiteral::new(0, false); all as usize];
        for i in (0..heads.len()).filter(left) {
            let fill = &mut starts[heads[i] as usize + 1];
            let at = &mut ends[*fill as usize];
            *fill += 1;
            for l in found.rows.body(i).iter().filter(|l| state.truth[l.atom()] == Truth::Open) {
                literals[*at as usize] = *l;
                *at += 1;
            }
        }
        OpenInstances { starts, ends, literals }
    }

    /// The different bodies of an atom's instances, without contradictions, as ranges.
    fn bodies(&mut self, head: u32, bodies: &mut Vec<(u32, u32)>) {
        let OpenInstances { starts, ends, literals } = self;
        bodies.clear();
        for i in starts[head as usize] as usize..starts[head as usize + 1] as usize {
            let (start, end) = (if i == 0 { 0 } else { ends[i - 1] }, ends[i]);
            let body = &mut literals[start as usize..end as usize];
            body.sort_unstable();
            let body = without_repeated(body);
            if body.windows(2).all(|w| w[0].atom() != w[1].atom()) {
                bodies.push((start, start + body.len() as u32));
            }
        }
        let literals = |range: &(u32, u32)| &literals[range.0 as usize..range.1 as usize];
        bodies.sort_unstable_by(|a, b| literals(a).cmp(literals(b)));
        bodies.dedup_by(|a, b| literals(a) == literals(b));
    }

    fn body(&self, range: (u32, u32)) -> &[GroundLiteral] {
        &self.literals[range.0 as usize..range.1 as usize]
    }
}

/// Moves the different ones of sorted literals to the front, and gives these.
fn without_repeated(body: &mut [GroundLiteral]) -> &[GroundLiteral] {
    let mut kept = body.len().min(1);
    for at in 1..body.len() {
        if body[at] != body[kept - 1] {
            body[kept] = body[at];
            kept += 1;
        }
    }
    &body[..kept]
}

/// Numbers the atoms that are left anew.
fn compact(rules: &Rules, found: Instances, kept: KeptRules) -> Ground {
    let atoms = &found.store.atoms;
    let mut number = vec![NONE; atoms.len()];
    let (mut out, mut args, mut initial) = (Vec::new(), Vec::new(), Vec::new());
    for a in kept.atoms {
        number[a as usize] = out.len() as u32;
        let start = args.len() as u32;
        args.extend_from_slice(atoms.args(a));
        out.push(GroundAtom { rel: atoms.rel(a), start, end: args.len() as u32 });
        initial.push(kept.initial[a as usize]);
    }
    let mut ground_rules = kept.rules;
    ground_rules.heads.iter_mut().for_each(|h| *h = number[*h as usize]);
    for l in &mut ground_rules.literals {
        *l = GroundLiteral::new(number[l.atom()], l.negated());
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
