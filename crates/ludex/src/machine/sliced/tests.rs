//! The sliced machine against a plain evaluator of the net, lane by lane and step by step.

use super::engine::{Backend, Engine};
use super::lanes::Lanes;
use super::phases::Phases;
use super::*;
use crate::game::{Game, Move};
use crate::ground::Ground;
use crate::interp::Interp;
use crate::net::{Base, Gate, Input, Lit};
use crate::rules::Rules;
use crate::source::Source;

// Nets.

/// Builds gates with the operands' constants kept: the machine must fold them.
struct Maker {
    gates: Vec<Gate>,
    bases: Vec<Base>,
    inputs: Vec<Input>,
}

impl Maker {
    fn new(bases: &[(&str, bool)], inputs: &[(usize, String)]) -> Maker {
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

    fn base(&self, i: usize) -> Lit {
        Lit::new(1 + i, false)
    }

    fn input(&self, i: usize) -> Lit {
        Lit::new(1 + self.bases.len() + i, false)
    }

    fn gate(&mut self, gate: Gate) -> Lit {
        self.gates.push(gate);
        Lit::new(self.gates.len() - 1, false)
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.gate(Gate::And(a, b))
    }

    fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.gate(Gate::Or(a, b))
    }

    fn net(self, roles: usize, terminal: Lit, goals: Vec<Vec<(i32, Lit)>>) -> Net {
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
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A single step: `moves` legal moves out of `moves` inputs, chosen by base masks that never change;
/// the goal tells which of up to 101 buckets the move was in.
fn one_choice(legal: &[bool]) -> Net {
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

fn tic_tac_toe() -> Net {
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
fn random_net(seed: u64) -> Net {
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
                m.gate(if dice.below(3) == 0 { Gate::And(a, b) } else { Gate::Or(a, b) });
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

// The plain evaluator.

fn value(values: &[bool], lit: Lit) -> bool {
    Net::holds(values, lit)
}

/// What a checked lane did: it began a playout, or made these inputs true and came to these bases.
enum Seen<'a> {
    Begin,
    Step(&'a [usize], &'a [bool]),
}

/// What is checked: steps, lanes spread over the width, and who else wants to see them.
struct Check<'a> {
    net: &'a Net,
    phases: &'a Phases,
    steps: usize,
    lanes: usize,
    watch: &'a mut dyn FnMut(usize, Seen),
}

/// Goals of checked lanes, by role and value.
type Goals = Vec<Vec<u64>>;

impl Check<'_> {
    /// Steps the lanes and checks each against the evaluator.
    fn run<const W: usize>(&mut self, backend: Backend) -> (Totals, u64) {
        let engine = Arc::new(Engine::new(self.net, self.phases, backend));
        let mut lanes = Lanes::<W>::new(engine);
        lanes.begin(7, u64::MAX, Sliced::BOUND);
        let every = self.lanes >= Lanes::<W>::LANES;
        let stride = Lanes::<W>::LANES.div_ceil(self.lanes);
        let picked: Vec<usize> = (0..Lanes::<W>::LANES).step_by(stride).collect();
        let mut goals: Goals = self.net.goals.iter().map(|g| vec![0; g.len()]).collect();
        let mut checked = 0;
        for _ in 0..self.steps {
            let before: Vec<Option<Vec<bool>>> =
                picked.iter().map(|l| lanes.is_live(*l).then(|| lanes.bases(*l))).collect();
            lanes.advance(1);
            for (&lane, before) in picked.iter().zip(before) {
                checked += self.lane(&mut lanes, lane, before, &mut goals) as u64;
            }
        }
        lanes.settle();
        if every {
            let counted = |role: &Vec<(i32, u64)>| role.iter().map(|(_, n)| *n).collect();
            assert_eq!(lanes.totals.goals.iter().map(counted).collect::<Goals>(), goals);
        }
        (lanes.totals.clone(), checked)
    }

    /// Checks what a lane did in the last step; true if it made a move.
    fn lane<const W: usize>(
        &mut self,
        lanes: &mut Lanes<W>,
        lane: usize,
        before: Option<Vec<bool>>,
        goals: &mut Goals,
    ) -> bool {
        let (net, phase) = (self.net, lanes.last_phase());
        let none = vec![false; net.inputs.len()];
        let mut goes_on = |state: &Vec<bool>| {
            assert!(self.phases.phase_of(|b| state[b]).is_some());
            let values = net.evaluate(state, &none);
            let terminal = value(&values, net.terminal);
            if terminal {
                tally(net, &values, goals);
            }
            !terminal
        };
        let state = match lanes.engine().shape.merged {
            true => self.begun(before, lane, phase).filter(&mut goes_on),
            false => {
                let state = before.filter(&mut goes_on);
                self.begun(state, lane, phase).filter(&mut goes_on)
            }
        };
        let Some(state) = state else {
            assert!(!lanes.is_live(lane), "lane {lane}");
            return false;
        };
        let known = self.phases.values[phase].iter().zip(&state);
        assert!(known.clone().all(|(k, s)| k.is_none_or(|k| k == *s)));
        let made = moves(net, &net.evaluate(&state, &none), lanes, lane);
        assert_eq!(lanes.is_live(lane), made.is_some(), "lane {lane}");
        let Some(made) = made else { return false };
        let mut does = none;
        made.iter().for_each(|i| does[*i] = true);
        let values = net.evaluate(&state, &does);
        let next: Vec<bool> = net.bases.iter().map(|b| value(&values, b.next)).collect();
        assert!(lanes.bases(lane) == next, "lane {lane}");
        (self.watch)(lane, Seen::Step(&made, &next));
        true
    }

    /// The state of a lane after idle lanes were filled.
    fn begun(&mut self, state: Option<Vec<bool>>, lane: usize, phase: usize) -> Option<Vec<bool>> {
        if state.is_none() && phase == 0 {
            (self.watch)(lane, Seen::Begin);
            return Some(self.net.bases.iter().map(|b| b.initial).collect());
        }
        state
    }
}

fn tally(net: &Net, values: &[bool], goals: &mut Goals) {
    for (role, of_role) in net.goals.iter().enumerate() {
        let mut held = (0..of_role.len()).filter(|k| value(values, of_role[*k].1));
        if let (Some(only), None) = (held.next(), held.next()) {
            goals[role][only] += 1;
        }
    }
}

/// The inputs that a lane's ranks stand for; none where a role has no legal move.
fn moves<const W: usize>(
    net: &Net,
    values: &[bool],
    lanes: &mut Lanes<W>,
    lane: usize,
) -> Option<Vec<usize>> {
    let phase = lanes.last_phase();
    let mut ranks = lanes.ranks(lane).into_iter();
    let mut made = Vec::new();
    for role in 0..net.roles.len() {
        let legal: Vec<usize> =
            net.inputs_of(role).filter(|i| value(values, net.inputs[*i].legal)).collect();
        let drawn = lanes.engine().phases[phase].draws.iter().any(|d| d.role == role);
        let rank = if drawn { ranks.next().expect("a rank") as usize } else { 0 };
        assert!(drawn || legal.len() < 2);
        assert!(rank < legal.len() || !lanes.is_live(lane));
        made.push(*legal.get(rank).or(legal.first())?);
    }
    Some(made)
}

/// All back ends with and without phases; those of one width must agree in all counts.
fn check_everywhere(net: &Net, steps: usize, lanes: usize) -> u64 {
    let mut checked = 0;
    for phases in [Phases::find(net), Phases::none(net)] {
        let mut check = Check { net, phases: &phases, steps, lanes, watch: &mut |_, _| {} };
        let (eight, n) = check.run::<8>(Backend::Portable(8));
        let (four, m) = check.run::<4>(Backend::Portable(4));
        checked += n + m + check.run::<1>(Backend::Portable(1)).1;
        if Backend::Avx512.is_available() {
            assert_eq!(check.run::<8>(Backend::Avx512).0, eight);
        }
        if Backend::Avx2.is_available() {
            assert_eq!(check.run::<4>(Backend::Avx2).0, four);
        }
    }
    checked
}

#[test]
fn tic_tac_toe_agrees_with_the_evaluator() {
    let net = tic_tac_toe();
    assert_eq!(Phases::find(&net).period(), 2);
    assert!(check_everywhere(&net, 30, 512) > 5000);
    let totals = Sliced::new(&net, Backend::best()).run(1, 100_000, &Budget::unlimited()).unwrap();
    assert_eq!((totals.playouts, totals.stuck, totals.overlong), (100_000, 0, 0));
    let share = |k: usize| totals.goals[0][k].1 as f64 / 1e5;
    // x wins 58.49 %, o 28.81 %, 12.70 % are drawn.
    assert!((share(2) - 0.5849).abs() < 0.01 && (share(0) - 0.2881).abs() < 0.01);
    assert!((totals.transitions as f64 / 1e5 - 7.627).abs() < 0.03);
}

#[test]
fn random_nets_agree_with_the_evaluator() {
    let mut checked = 0;
    for seed in 0..150 {
        checked += check_everywhere(&random_net(seed), 12, if seed % 10 == 0 { 512 } else { 5 });
    }
    assert!(checked > 1000, "only {checked} steps");
}

/// Every move must come up equally often, whatever the number of moves and of legal ones.
#[test]
fn choices_are_uniform() {
    for backend in [Backend::Portable(1), Backend::best()] {
        for (moves, legal) in
            [(1, 1), (2, 2), (3, 3), (9, 9), (9, 7), (64, 64), (65, 65), (500, 500), (500, 37)]
        {
            let mut dice = Dice(moves as u64 * 1000 + legal as u64);
            let mut open = vec![false; moves];
            while open.iter().filter(|o| **o).count() < legal {
                open[dice.below(moves)] = true;
            }
            let draws = legal as u64 * 2000;
            let mut sliced = Sliced::new(&one_choice(&open), backend);
            let totals = sliced.run(99, draws, &Budget::unlimited()).unwrap();
            assert_eq!(totals.playouts, draws);
            let mut square = 0.0;
            for (i, (_, times)) in totals.goals[0].iter().enumerate() {
                assert!(open[i] || *times == 0);
                if open[i] {
                    square += (*times as f64 - 2000.0).powi(2) / 2000.0;
                }
            }
            let freedom = (legal - 1) as f64;
            let limit = freedom + 4.0 * (2.0 * freedom).sqrt();
            assert!(
                square <= limit,
                "{backend:?}: {moves} moves, {legal} legal: {square} > {limit}"
            );
        }
    }
}

/// The mean goal of the first role under random play, where one role moves at a time.
fn expected(net: &Net, state: Vec<bool>) -> f64 {
    let mut does = vec![false; net.inputs.len()];
    let values = net.evaluate(&state, &does);
    if value(&values, net.terminal) {
        let goal = net.goals[0].iter().find(|(_, lit)| value(&values, *lit));
        return goal.expect("a goal").0 as f64;
    }
    let legal = |role: usize| {
        let mut legal: Vec<usize> = net.inputs_of(role).collect();
        legal.retain(|i| value(&values, net.inputs[*i].legal));
        legal
    };
    let (first, second) = (legal(0), legal(1));
    let mut sum = 0.0;
    for a in &first {
        for b in &second {
            does.fill(false);
            (does[*a], does[*b]) = (true, true);
            let values = net.evaluate(&state, &does);
            sum += expected(net, net.bases.iter().map(|b| value(&values, b.next)).collect());
        }
    }
    sum / (first.len() * second.len()) as f64
}

#[test]
fn playouts_from_states_return_goals() {
    let net = tic_tac_toe();
    let mut sliced = Sliced::new(&net, Backend::best());
    let mut initial = State(vec![0].into());
    for (b, base) in net.bases.iter().enumerate() {
        initial.0[0] |= (base.initial as u64) << b;
    }
    let over = State(vec![0b111100000 | 0b111 << 9 | 0b11000 << 18 | 1 << 28].into());
    let goals = sliced.playouts_from(3, &vec![over; 5], &Budget::unlimited()).unwrap();
    assert_eq!(goals, vec![vec![100, 0]; 5]);
    // x at 0 and 1, o at 3 and 4 or one move later o to move; cells 0..9 b, 9..18 x, 18..27 o.
    let x_wins_next = State(vec![0b111100100 | 0b11 << 9 | 0b11000 << 18 | 1 << 27].into());
    let full =
        State(vec![0b1_0000_0000 | 0b0_1010_0011 << 9 | 0b0_0101_1100 << 18 | 1 << 28].into());
    let states: Vec<State> =
        (0..700).map(|i| [&initial, &x_wins_next, &full][i % 3].clone()).collect();
    let goals = sliced.playouts_from(3, &states, &Budget::unlimited()).unwrap();
    assert_eq!(goals.len(), 700);
    for (i, goals) in goals.iter().enumerate() {
        assert_eq!(goals[0] + goals[1], 100, "state {i}");
    }
    let exact = expected(&net, (0..29).map(|b| x_wins_next.0[0] >> b & 1 == 1).collect());
    let mean = |k: usize| goals.iter().skip(k).step_by(3).map(|g| g[0]).sum::<i64>() as f64 / 233.0;
    assert!((mean(0) - 64.8).abs() < 8.0, "{}", mean(0));
    assert!((mean(1) - exact).abs() < 10.0, "{} {exact}", mean(1));
    assert!(goals.iter().skip(2).step_by(3).all(|g| *g == goals[2]));
}

#[test]
fn endless_and_stuck_games_are_reported() {
    let mut maker = Maker::new(&[("a", true)], &[(0, "go".into()), (0, "stay".into())]);
    maker.bases[0].next = Lit::TRUE;
    maker.inputs[0].legal = maker.base(0);
    maker.inputs[1].legal = maker.base(0);
    let mut net = maker.net(1, Lit::FALSE, vec![vec![(100, Lit::TRUE)]]);
    let mut sliced = Sliced::new(&net, Backend::best());
    sliced.bound = 50;
    let totals = sliced.run(0, 1000, &Budget::unlimited()).unwrap();
    assert_eq!((totals.playouts, totals.overlong, totals.stuck), (0, 1000, 0));
    net.bases[0].next = Lit::FALSE;
    let mut sliced = Sliced::new(&net, Backend::best());
    let totals = sliced.run(0, 1000, &Budget::unlimited()).unwrap();
    assert_eq!((totals.playouts, totals.overlong, totals.stuck), (0, 0, 1000));
    assert_eq!(totals.transitions, 1000);
}

// Games of the collection.

fn collection(name: &str) -> Option<(Rules, Net)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/games/collection");
    let text = std::fs::read_to_string(format!("{root}/{name}.kif")).ok()?;
    let (rules, _) = Rules::read(&Source::new(format!("{name}.kif"), text), None).ok()?;
    let budget = Budget::unlimited();
    let ground = Ground::new(&rules, &budget).ok()?;
    let net = Net::new(&ground, &budget).ok()?;
    Some((rules, net))
}

/// A lane's matches, move for move, on the first-order reasoner.
#[test]
fn lanes_agree_with_the_reasoner() {
    let mut games = 0;
    for name in [
        "ticTacToe",
        "connectFour",
        "breakthrough",
        "nim3",
        "blocks",
        "ticTacToeParallel",
        "pentago",
        "knightsTour",
        "gt_attrition",
        "roshambo2",
        "chomp",
        "lightsOut",
    ] {
        let Some((rules, net)) = collection(name) else { continue };
        let mut interp = Interp::new(&rules).expect("it runs");
        let mut states = vec![None; 512];
        let mut seen = 0;
        let mut watch = |lane: usize, what: Seen| match what {
            Seen::Begin => states[lane] = Some(interp.initial()),
            Seen::Step(made, bases) => {
                let state = states[lane].take().expect("begun");
                let joint: Vec<Move> = (made.iter().enumerate())
                    .map(|(role, input)| {
                        let mut legal = Vec::new();
                        interp.legal(&state, role, &mut legal);
                        assert_eq!(
                            legal.len(),
                            legal.iter().collect::<std::collections::HashSet<_>>().len()
                        );
                        let is = |m: &Move| interp.move_text(role, *m) == net.inputs[*input].name;
                        *legal.iter().find(|m| is(m)).expect("a legal move")
                    })
                    .collect();
                let next = interp.next(&state, &joint);
                let holding = net.bases.iter().zip(bases).filter(|(_, holds)| **holds);
                let mut facts: Vec<String> = holding.map(|(base, _)| base.name.clone()).collect();
                facts.sort();
                assert_eq!(interp.fact_texts(&next), facts, "{name}");
                states[lane] = Some(next);
                seen += 1;
            }
        };
        let phases = Phases::find(&net);
        let mut check =
            Check { net: &net, phases: &phases, steps: 40, lanes: 4, watch: &mut watch };
        match Backend::best().lanes() {
            512 => check.run::<8>(Backend::best()),
            _ => check.run::<4>(Backend::best()),
        };
        assert!(seen > 40, "{name}: {seen} steps");
        games += 1;
    }
    println!("{games} games checked against the reasoner");
}

/// Every back end on games of many kinds, against the plain evaluator.
#[test]
fn games_of_the_collection_agree_with_the_evaluator() {
    let mut games = 0;
    for name in [
        "ticTacToe",
        "connectFour",
        "breakthrough",
        "checkersSmall",
        "reversi",
        "hex",
        "pentago",
        "eightPuzzle",
        "sheepAndWolf",
        "knightThrough",
        "chineseCheckers6",
        "blocks",
        "quad_5x5",
        "atariGo_7x7",
        "racetrackcorridor",
        "ghostMaze2p",
        "wallmaze",
        "firefighter",
        "nineBoardTicTacToe",
        "beatMania",
        "buttons",
        "snakeParallel",
        "cubicup_3player",
    ] {
        let Some((_, net)) = collection(name) else { continue };
        let steps = (2_000_000 / net.gates.len()).clamp(3, 40);
        let checked = check_everywhere(&net, steps, 3);
        assert!(checked > 0, "{name}");
        games += 1;
    }
    println!("{games} games checked against the evaluator");
}
