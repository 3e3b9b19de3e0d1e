//! `Aig` of a game for one role -> PDDL: an action a move, conditional effects, derived predicates for what
//! several formulas share. The domain comes first, then the problem: to end with the best goal.

use super::NotExported;
use super::aig::Aig;
use ludex_gdl::budget::Budget;
use ludex_gdl::rules::is_chance;
use ludex_net::{Gate, Lit};
use rustc_hash::FxHashSet;
use std::fmt::Write;

pub fn text(mut aig: Aig, budget: &Budget) -> Result<String, NotExported> {
    let net = aig.net.clone();
    let [role] = &net.roles[..] else {
        let roles = net.roles.join(", ");
        return Err(NotExported::Unfit(format!("a plan is for one role; here play {roles}")));
    };
    if is_chance(role) {
        return Err(NotExported::Unfit("the only role, random, moves by chance".into()));
    }
    let over = aig.of(net.terminal);
    let goal = net.goals[0].last().map_or(Lit::FALSE, |(_, lit)| aig.of(*lit));
    let goal = aig.and(over, goal);
    let mut actions = Vec::new();
    for i in 0..net.inputs.len() {
        let legal = aig.of(net.inputs[i].legal);
        let allowed = aig.and(legal, !over);
        let at = aig.copy(budget, |aig, gate| match gate {
            Gate::Base(b) => aig.latch(b as usize),
            Gate::Input(j) => {
                if j as usize == i {
                    Lit::TRUE
                } else {
                    Lit::FALSE
                }
            }
            _ => unreachable!("a leaf"),
        })?;
        let next = net.bases.iter().map(|base| {
            let lit = at[base.next.gate()];
            if base.next.negated() { !lit } else { lit }
        });
        let changes = next.enumerate().filter(|(b, next)| *next != aig.latch(*b)).collect();
        actions.push(Action { name: word(&net.inputs[i].name), allowed, changes });
    }
    Ok(Planning { shared: shared(&aig, &actions, goal), aig, actions, goal }.to_string())
}

struct Action {
    name: String,
    allowed: Lit,
    /// The facts that may change, and what they become.
    changes: Vec<(usize, Lit)>,
}

struct Planning {
    aig: Aig,
    actions: Vec<Action>,
    goal: Lit,
    /// Gates that are predicates of their own.
    shared: FxHashSet<usize>,
}

/// The gates that are needed and read more than once.
fn shared(aig: &Aig, actions: &[Action], goal: Lit) -> FxHashSet<usize> {
    let roots = actions.iter().flat_map(|a| {
        // What becomes of a fact is asked twice: whether it comes true, and whether it comes false.
        let changes = a.changes.iter().flat_map(|(_, next)| [*next, *next]);
        changes.chain([a.allowed])
    });
    let mut reads = vec![0u32; aig.first() + aig.ands.len()];
    roots.chain([goal]).for_each(|lit| reads[lit.gate()] += 1);
    for i in (0..aig.ands.len()).rev() {
        if reads[aig.first() + i] > 0 {
            let (a, b) = aig.ands[i];
            [a, b].into_iter().for_each(|lit| reads[lit.gate()] += 1);
        }
    }
    (aig.first()..reads.len()).filter(|g| reads[*g] > 1).collect()
}

impl Planning {
    fn formula(&self, lit: Lit) -> String {
        let g = lit.gate();
        let (inputs, first) = (self.aig.net.inputs.len(), self.aig.first());
        let plain = match g {
            0 => return if lit.negated() { "(and)" } else { "(or)" }.into(),
            g if g < first => format!("({})", word(&self.aig.net.bases[g - 1 - inputs].name)),
            g if self.shared.contains(&g) => format!("(g{g})"),
            g => self.conjunction(g),
        };
        if lit.negated() { format!("(not {plain})") } else { plain }
    }

    fn conjunction(&self, gate: usize) -> String {
        let (a, b) = self.aig.ands[gate - self.aig.first()];
        format!("(and {} {})", self.formula(a), self.formula(b))
    }

    fn effect(&self, (base, next): (usize, Lit)) -> String {
        let fact = format!("({})", word(&self.aig.net.bases[base].name));
        match next {
            Lit::TRUE => fact,
            Lit::FALSE => format!("(not {fact})"),
            next => format!(
                "(when {} {fact}) (when {} (not {fact}))",
                self.formula(next),
                self.formula(!next)
            ),
        }
    }
}

impl std::fmt::Display for Planning {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let name = word(&self.aig.net.name);
        writeln!(f, "(define (domain {name})")?;
        writeln!(f, "(:requirements :adl :derived-predicates)\n(:predicates")?;
        let mut gates: Vec<usize> = self.shared.iter().copied().collect();
        gates.sort_unstable();
        self.aig.net.bases.iter().try_for_each(|base| writeln!(f, "  ({})", word(&base.name)))?;
        gates.iter().try_for_each(|g| writeln!(f, "  (g{g})"))?;
        writeln!(f, ")")?;
        for g in gates {
            writeln!(f, "(:derived (g{g}) {})", self.conjunction(g))?;
        }
        for action in &self.actions {
            if action.allowed == Lit::FALSE {
                continue;
            }
            writeln!(f, "(:action {}\n :parameters ()", action.name)?;
            writeln!(f, " :precondition {}\n :effect (and", self.formula(action.allowed))?;
            action.changes.iter().try_for_each(|c| writeln!(f, "  {}", self.effect(*c)))?;
            writeln!(f, " ))")?;
        }
        writeln!(f, ")\n\n(define (problem best-goal-of-{name})\n(:domain {name})\n(:init")?;
        let initial = self.aig.net.bases.iter().filter(|base| base.initial);
        initial.into_iter().try_for_each(|base| writeln!(f, "  ({})", word(&base.name)))?;
        writeln!(f, ")\n(:goal {}))", self.formula(self.goal))
    }
}

/// `(cell 1 1 b)` as one word of letters, digits, hyphens. Names that differ stay different.
fn word(name: &str) -> String {
    let mut out = String::from("f-");
    for c in name.to_lowercase().chars() {
        match c {
            '(' | ')' => {}
            ' ' => out.push('-'),
            c if c.is_ascii_alphanumeric() => out.push(c),
            c => write!(out, "_{:x}_", c as u32).expect("a string takes all"),
        }
    }
    out
}
