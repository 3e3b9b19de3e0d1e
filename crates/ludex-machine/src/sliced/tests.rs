//! The sliced machine against a plain evaluator of the net, lane by lane and step by step.

mod hosts;
mod nets;

use super::backend::Backend;
use super::engine::SlicedEngine;
use super::lanes::Lanes;
use super::phases::Phases;
use super::*;
use crate::State;
use ludex_gdl::rules::Rules;
use ludex_gdl::source::Source;
use ludex_net::Lit;
use ludex_net::ground::Ground;
use ludex_reason::interp::Interp;
use ludex_reason::{Move, StateMachine};
use nets::{Dice, Maker, of_length, one_choice, random_net, tic_tac_toe};
use std::sync::OnceLock;

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
        let (form, budget) = ((backend, 64 * W / backend.lanes()), Budget::unlimited());
        let (net, phases, purpose) = (self.net, self.phases, Purpose::Playouts);
        let engine = SlicedEngine::on(Host::default(), net, phases, form, purpose, &budget);
        let mut lanes = Lanes::<W>::new(Arc::new(engine.unwrap()));
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

/// The back ends of machine code that this processor has. Of the others their width is run all the same, by
/// the portable one.
fn native() -> Vec<Backend> {
    static NATIVE: OnceLock<Vec<Backend>> = OnceLock::new();
    let find = || {
        let mut all = vec![Backend::Avx512, Backend::Avx2];
        let said =
            |b: &Backend| format!("{b} ({} lanes are run by the portable one, too)", b.lanes());
        all.retain(|b| ludex_testing::processor(&said(b), b.is_available()));
        all
    };
    NATIVE.get_or_init(find).clone()
}

/// The best back end, and the portable one that plays the same matches.
fn both() -> [Backend; 2] {
    [Backend::best(), Backend::best().portable()]
}

/// All back ends with and without phases; those of one width must agree in all counts.
fn check_everywhere(net: &Net, steps: usize, lanes: usize) -> u64 {
    let mut checked = 0;
    for phases in [Phases::find(net), Phases::none(net)] {
        let mut check = Check { net, phases: &phases, steps, lanes, watch: &mut |_, _| {} };
        let (eight, n) = check.run::<8>(Backend::Portable(8));
        let (four, m) = check.run::<4>(Backend::Portable(4));
        let groups = check.run::<16>(Backend::Portable(8)).0;
        checked += n + m + check.run::<1>(Backend::Portable(1)).1;
        for backend in native() {
            assert_eq!(check.run::<16>(backend).0, groups);
            match backend.lanes() {
                512 => assert_eq!(check.run::<8>(backend).0, eight),
                _ => assert_eq!(check.run::<4>(backend).0, four),
            }
        }
    }
    checked
}

#[test]
fn tic_tac_toe_agrees_with_the_evaluator() {
    let net = tic_tac_toe();
    assert_eq!(Phases::find(&net).period(), 2);
    assert!(check_everywhere(&net, 30, 512) > 5000);
    let totals = Sliced::new(&net, Backend::best(), &Budget::unlimited())
        .unwrap()
        .run(1, 100_000, &Budget::unlimited())
        .unwrap();
    assert_eq!((totals.playouts, totals.stuck, totals.overlong), (100_000, 0, 0));
    let share = |k: usize| totals.goals[0][k].1 as f64 / 1e5;
    // x wins 58.49 %, o 28.81 %, 12.70 % are drawn.
    assert!((share(2) - 0.5849).abs() < 0.01 && (share(0) - 0.2881).abs() < 0.01);
    assert!((totals.transitions as f64 / 1e5 - 7.627).abs() < 0.03);
}

#[test]
fn making_code_keeps_to_the_budget() {
    let budget = Budget::unlimited();
    budget.stop(Stop::Time);
    for backend in [Backend::best(), Backend::best().portable(), Backend::Portable(1)] {
        assert_eq!(Sliced::new(&tic_tac_toe(), backend, &budget).err(), Some(Stop::Time));
        let single = Single::new(Arc::new(tic_tac_toe()), backend, &budget);
        assert_eq!(single.err(), Some(Stop::Time));
    }
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
    for backend in [Backend::Portable(1), Backend::best(), Backend::best().portable()] {
        for (moves, legal) in
            [(1, 1), (2, 2), (3, 3), (9, 9), (9, 7), (64, 64), (65, 65), (500, 500), (500, 37)]
        {
            let mut dice = Dice(moves as u64 * 1000 + legal as u64);
            let mut open = vec![false; moves];
            while open.iter().filter(|o| **o).count() < legal {
                open[dice.below(moves)] = true;
            }
            let draws = legal as u64 * 2000;
            let mut sliced =
                Sliced::new(&one_choice(&open), backend, &Budget::unlimited()).unwrap();
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
fn samples_tell_the_worth_of_states_and_of_first_moves() {
    let net = tic_tac_toe();
    let [best, portable] = both();
    for backend in [Backend::Portable(1), Backend::Portable(8), portable, best] {
        let mut sliced = Sliced::of_samples(&net, backend, &Budget::unlimited()).unwrap();
        // Cells 0..9 b, 9..18 x, 18..27 o: x at 0 and 1, o at 3 and 4, x to move and wins at 2; or x
        // at 0, 1 and 8.
        let x_to_move = State(vec![0b111100100 | 0b11 << 9 | 0b11000 << 18 | 1 << 27].into());
        let o_to_move =
            State(vec![0b011100100 | 0b100000011 << 9 | 0b11000 << 18 | 1 << 28].into());
        for (state, role, winning) in [(x_to_move, 0, 2), (o_to_move, 1, 5)] {
            let phase = sliced.phase(&state).unwrap();
            let states = vec![&state; sliced.leaves().min(16)];
            let samples = sliced.sample(7, phase, &states, &Budget::unlimited()).unwrap();
            let bits: Vec<bool> = (0..29).map(|b| state.0[0] >> b & 1 == 1).collect();
            let exact = expected(&net, bits.clone());
            let free: Vec<usize> = (0..9).filter(|c| bits[*c]).collect();
            let mut all = 0.0;
            for Sample { playouts, goals, first, made } in &samples {
                assert_eq!(*playouts, sliced.lanes() as u64 / samples.len() as u64);
                assert_eq!(goals[0] + goals[1], 100.0 * *playouts as f64);
                let mean = goals[0] / *playouts as f64;
                all += mean / samples.len() as f64;
                assert_eq!(first[role].len(), free.len());
                assert!(first[1 - role].len() < 2, "the other waits");
                assert_eq!(first[role].iter().map(|f| f.0).sum::<u64>(), *playouts);
                assert_eq!(first[role].iter().map(|f| f.1).sum::<f64>(), goals[role]);
                let (times, sum) = first[role][free.iter().position(|c| *c == winning).unwrap()];
                assert_eq!(sum, 100.0 * times as f64, "a move that wins");
                for (input, (share, value)) in made.iter().enumerate() {
                    let most = if free.contains(&(input % 10)) { 1.0 } else { 0.0 };
                    assert!((0.0..=most).contains(share), "{share} of {input}");
                    assert!((0.0..=100.0 * share + 0.01).contains(value), "{value} of {input}");
                }
                let (share, value) = made[10 * role + winning];
                assert!(share * *playouts as f32 >= times as f32);
                assert!(value * *playouts as f32 >= sum as f32 - 0.1);
            }
            assert!((all - exact).abs() < 25.0, "{all} {exact}");
            let (chosen, repeated) = sliced.repeats();
            assert!(chosen > sliced.lanes() as u64 && repeated == 0, "{chosen} {repeated}");
        }
    }
}

/// Also those that end just before the budget is looked at.
#[test]
fn every_playout_of_a_sample_has_its_goal() {
    for steps in 1..20 {
        let net = of_length(steps);
        let budget = Budget::unlimited();
        let engine = SlicedEngine::new(
            &net,
            &Phases::none(&net),
            Backend::best(),
            Purpose::Samples,
            &budget,
        );
        assert!(engine.unwrap().shape.parked, "goals wait");
        let bits = (0..net.bases.len()).filter(|b| net.bases[*b].initial);
        let start = State(vec![bits.fold(0, |all, b| all | 1 << b)].into());
        for backend in both() {
            let mut sliced = Sliced::of_samples(&net, backend, &budget).unwrap();
            let phase = sliced.phase(&start).unwrap();
            let samples = sliced.sample(3, phase, &[&start, &start], &budget).unwrap();
            for Sample { playouts, goals, .. } in samples {
                let least = 40.0 * playouts as f64;
                assert!(goals[0] >= least, "{} of {least} after {steps} steps", goals[0]);
            }
            let totals = sliced.run(5, 1000, &budget).unwrap();
            assert_eq!(totals.goals[0].iter().map(|(_, times)| times).sum::<u64>(), 1000);
        }
    }
}

#[test]
fn endless_and_stuck_games_are_reported() {
    let mut maker = Maker::new(&[("a", true)], &[(0, "go".into()), (0, "stay".into())]);
    maker.bases[0].next = Lit::TRUE;
    maker.inputs[0].legal = maker.base(0);
    maker.inputs[1].legal = maker.base(0);
    let mut net = maker.net(1, Lit::FALSE, vec![vec![(100, Lit::TRUE)]]);
    let run = |net: &Net, backend: Backend| {
        let mut sliced = Sliced::new(net, backend, &Budget::unlimited()).unwrap();
        sliced.bound = 50;
        sliced.run(0, 1000, &Budget::unlimited()).unwrap()
    };
    for totals in both().map(|backend| run(&net, backend)) {
        assert_eq!((totals.playouts, totals.overlong, totals.stuck), (0, 1000, 0));
    }
    net.bases[0].next = Lit::FALSE;
    for totals in both().map(|backend| run(&net, backend)) {
        assert_eq!((totals.playouts, totals.overlong, totals.stuck), (0, 0, 1000));
        assert_eq!(totals.transitions, 1000);
    }
}

/// Two roles move stones side by side, each with moves of its own: one may go where it brings nothing, while the other
/// brings a stone to another place.
#[test]
fn what_two_moves_bring_is_kept_apart() {
    const PLACES: usize = 12;
    let numbers: String = (0..PLACES).map(|i| format!("(place {i})")).collect();
    let text = format!(
        "(role a) (role b) {numbers} (init (at 0)) (init (at 1)) (init (at 2))
         (<= (legal a (go ?x ?y)) (place ?x) (place ?y)) (<= (legal b (take ?x ?y)) (place ?x) (place ?y))
         (<= (next (at ?y)) (does a (go ?x ?y)) (true (at ?x)))
         (<= (next (at ?y)) (does b (take ?x ?y)) (true (at ?x)))
         (<= terminal (not (true (at 0))) (not (true (at 1))) (not (true (at 2)))) (goal a 50) (goal b 50)"
    );
    let rules = Rules::read(&Source::new("stones", &text), None).expect("a game").0;
    let budget = Budget::unlimited();
    let ground = Ground::new(&rules, &budget).expect("it is small");
    let net = Net::new(&ground, &budget).expect("it is small");
    assert!(check_everywhere(&net, 10, 64) > 500);
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
        for backend in both() {
            match backend.lanes() {
                512 => check.run::<8>(backend),
                _ => check.run::<4>(backend),
            };
        }
        assert!(seen > 80, "{name}: {seen} steps");
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
