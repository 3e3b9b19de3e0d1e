//! Nets made for tests: a single choice, a match of a given length, tic-tac-toe, and random gates with
//! recursive components.

use ludex_net::{Base, Gate, Input, Lit, Net};

/// Builds gates with the operands' constants kept: the machine must fold them.
pub struct Maker {
    gates: Vec<Gate>,
    pub bases: Vec<Base>,
    pub inputs: Vec<Input>,
}

impl Maker {
    pub fn new(bases: &[(&str, bool)], inputs: &[(usize, String)]) -> Maker {
        let mut gates = vec![Gate::False];
        gates.extend((0..bases.len() as u32).map(Gate::Base));
        gates.extend((0..inputs.len() as u32).map(Gate::Input));
        let base = |(name, initial): &(&str, bool)| Base {
            name: name.to_string(),
            initial: *initial,
            next: Lit::FALSE,
        };
        let input = |(role, name): &(usize, String)| Input {
            role: *role,
            name: name.clone(),
            legal: Lit::FALSE,
        };
        let (bases, inputs) = (bases.iter().map(base), inputs.iter().map(input));
        Maker { gates, bases: bases.collect(), inputs: inputs.collect() }
    }

    pub fn base(&self, i: usize) -> Lit {
        Lit::new(1 + i, false)
    }

    pub fn input(&self, i: usize) -> Lit {
        Lit::new(1 + self.bases.len() + i, false)
    }

    pub fn gate(&mut self, gate: Gate) -> Lit {
        self.gates.push(gate);
        Lit::new(self.gates.len() - 1, false)
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.gate(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.gate(Gate::Or(a, b))
    }

    pub fn net(self, roles: usize, terminal: Lit, goals: Vec<Vec<(i32, Lit)>>) -> Net {
        Net {
            name: "test".into(),
            roles: (0..roles).map(|r| format!("r{r}")).collect(),
            bases: self.bases,
            inputs: self.inputs,
            gates: self.gates,
            components: Vec::new(),
            terminal,
            goals,
        }
    }
}

/// A small generator for tests.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A match of this many steps in which one role sets or clears a bit in each. Its goal, 100 or 40, is a
/// long function of the bits, so that ends wait until their goals are counted together.
pub fn of_length(steps: usize) -> Net {
    const BITS: usize = 6;
    let names: Vec<String> = (0..BITS + steps + 1).map(|i| format!("b{i}")).collect();
    let bases: Vec<(&str, bool)> =
        names.iter().enumerate().map(|(i, name)| (name.as_str(), i == BITS)).collect();
    let mut maker = Maker::new(&bases, &[(0, "set".into()), (0, "clear".into())]);
    (0..2).for_each(|i| maker.inputs[i].legal = Lit::TRUE);
    for step in 0..steps {
        maker.bases[BITS + step + 1].next = maker.base(BITS + step);
    }
    for bit in 0..BITS {
        let turns = (bit..steps).step_by(BITS).map(|step| maker.base(BITS + step));
        let turns: Vec<Lit> = turns.collect();
        let now = turns.into_iter().fold(Lit::FALSE, |any, turn| maker.or(any, turn));
        let set = maker.and(now, maker.input(0));
        let kept = maker.and(!now, maker.base(bit));
        maker.bases[bit].next = maker.or(set, kept);
    }
    let mut odd = Lit::FALSE;
    for pattern in (0..1usize << BITS).filter(|p| p.wrapping_mul(2654435761) >> 7 & 1 == 1) {
        let lit = |bit: usize| Lit::new(1 + bit, pattern >> bit & 1 == 0);
        let is = (0..BITS).fold(Lit::TRUE, |all, bit| maker.and(all, lit(bit)));
        odd = maker.or(odd, is);
    }
    let terminal = maker.base(BITS + steps);
    maker.net(1, terminal, vec![vec![(100, odd), (40, !odd)]])
}

/// A single step: `moves` legal moves out of `moves` inputs, chosen by base masks that never change;
/// the goal tells which of up to 101 buckets the move was in.
pub fn one_choice(legal: &[bool]) -> Net {
    let inputs: Vec<(usize, String)> = (0..legal.len()).map(|i| (0, format!("m{i}"))).collect();
    let mut bases = vec![("over", false)];
    bases.extend(legal.iter().map(|_| ("chosen", false)));
    let mut maker = Maker::new(&bases, &inputs);
    maker.bases[0].next = Lit::TRUE;
    for (i, legal) in legal.iter().enumerate() {
        maker.inputs[i].legal = if *legal { !maker.base(0) } else { maker.base(0) };
        maker.bases[1 + i].next = maker.input(i);
    }
    let goals = (0..legal.len()).map(|i| (i as i32, maker.base(1 + i))).collect();
    let terminal = maker.base(0);
    maker.net(1, terminal, vec![goals])
}

pub fn tic_tac_toe() -> Net {
    let mut names: Vec<(String, bool)> = Vec::new();
    for mark in ["b", "x", "o"] {
        names.extend((0..9).map(|c| (format!("cell {c} {mark}"), mark == "b")));
    }
    names.extend([("control x".into(), true), ("control o".into(), false)]);
    let bases: Vec<(&str, bool)> = names.iter().map(|(n, i)| (n.as_str(), *i)).collect();
    let mut inputs = Vec::new();
    for role in 0..2 {
        inputs.extend((0..9).map(|c| (role, format!("mark {c}"))));
        inputs.push((role, "noop".into()));
    }
    let mut m = Maker::new(&bases, &inputs);
    for role in 0..2 {
        let control = m.base(27 + role);
        for c in 0..9 {
            m.inputs[10 * role + c].legal = m.and(m.base(c), control);
            let marked = m.and(m.base(c), m.input(10 * role + c));
            m.bases[9 + 9 * role + c].next = m.or(m.base(9 + 9 * role + c), marked);
        }
        m.inputs[10 * role + 9].legal = !control;
        m.bases[27 + role].next = m.base(28 - role);
    }
    for c in 0..9 {
        let marked = m.or(m.input(c), m.input(10 + c));
        m.bases[c].next = m.and(m.base(c), !marked);
    }
    let lines =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let mut won = [Lit::FALSE; 2];
    for (role, won) in won.iter_mut().enumerate() {
        for [a, b, c] in lines {
            let [a, b, c] = [a, b, c].map(|cell| m.base(9 + 9 * role + cell));
            let two = m.and(a, b);
            let line = m.and(two, c);
            *won = m.or(*won, line);
        }
    }
    let mut open = m.base(0);
    for c in 1..9 {
        open = m.or(open, m.base(c));
    }
    let any = m.or(won[0], won[1]);
    let terminal = m.or(any, !open);
    let goals = vec![
        vec![(0, won[1]), (50, !any), (100, won[0])],
        vec![(0, won[0]), (50, !any), (100, won[1])],
    ];
    m.net(2, terminal, goals)
}

/// Random gates, with recursive components, and a clock so that playouts end.
pub fn random_net(seed: u64) -> Net {
    let mut dice = Dice(seed);
    let (roles, bases) = (1 + dice.below(3), 6 + dice.below(20));
    let mut inputs = Vec::new();
    for role in 0..roles {
        inputs.extend((0..1 + dice.below(12)).map(|i| (role, format!("m{i}"))));
    }
    let names: Vec<(&str, bool)> =
        (0..bases).map(|b| ("b", b == 0 || dice.below(3) == 0)).collect();
    let mut m = Maker::new(&names, &inputs);
    let mut components = Vec::new();
    let first = 1 + bases + inputs.len();
    let mut pool: Vec<Lit> = (0..bases).map(|b| m.base(b)).collect();
    random_gates(&mut m, &mut dice, &mut pool, 60, &mut components);
    for i in 0..inputs.len() {
        let legal = pool[dice.below(pool.len())];
        m.inputs[i].legal = if dice.below(4) == 0 { Lit::TRUE } else { legal };
    }
    let state_lits = pool.clone();
    pool.extend((0..inputs.len()).map(|i| m.input(i)));
    pool.extend((0..inputs.len()).map(|i| m.input(i)));
    random_gates(&mut m, &mut dice, &mut pool, 80, &mut components);
    for b in 0..bases {
        m.bases[b].next = match dice.below(8) {
            0 => Lit(dice.below(2) as u32),
            _ => Lit(pool[pool.len() - 1 - dice.below(pool.len() / 2)].0 ^ dice.below(2) as u32),
        };
    }
    // Two bases are a clock of period two, and playouts end by chance.
    m.bases[0].next = m.base(1);
    m.bases[1].next = m.base(0);
    m.bases[1].initial = false;
    let a = state_lits[dice.below(state_lits.len())];
    let b = state_lits[dice.below(state_lits.len())];
    let terminal = m.and(a, b);
    let goal = |dice: &mut Dice| state_lits[dice.below(state_lits.len())];
    let goals = (0..roles).map(|_| vec![(0, goal(&mut dice)), (30, goal(&mut dice))]).collect();
    assert!(first <= m.gates.len());
    let mut net = m.net(roles, terminal, goals);
    net.components = components;
    net
}

fn random_gates(
    m: &mut Maker,
    dice: &mut Dice,
    pool: &mut Vec<Lit>,
    n: usize,
    components: &mut Vec<std::ops::Range<usize>>,
) {
    for _ in 0..n {
        if dice.below(25) == 0 {
            let start = m.gates.len();
            let size = 2 + dice.below(8);
            for _ in 0..size {
                let inner = |dice: &mut Dice| Lit::new(start + dice.below(size), false);
                let a = if dice.below(2) == 0 { inner(dice) } else { pool[dice.below(pool.len())] };
                let b = if dice.below(3) > 0 { inner(dice) } else { pool[dice.below(pool.len())] };
                m.gate(if dice.below(3) == 0 { Gate::LoopAnd(a, b) } else { Gate::LoopOr(a, b) });
            }
            components.push(start..start + size);
            pool.extend((start..start + size).map(|g| Lit::new(g, dice.below(2) == 0)));
            continue;
        }
        let [a, b] = [0, 1].map(|_| Lit(pool[dice.below(pool.len())].0 ^ dice.below(2) as u32));
        let lit = if dice.below(2) == 0 { m.and(a, b) } else { m.or(a, b) };
        pool.push(lit);
    }
}
