//! Environments side by side: every lane goes through the states that the reasoner goes through.

use ludex::Game;
use ludex::budget::Budget;
use ludex::game::Bundled;
use ludex::interp::Interp;
use ludex::machine::sliced::{Backend, EnvCircuits};
use ludex::machine::{
    Autoreset, EnvFault, EnvMoves, EnvPolicy, EnvRows, EnvScores, EnvSettings, Environments,
    Illegal, MaskOf, RowForm,
};
use ludex::net::Net;
use ludex::reason::{Random, StateMachine, View, view};
use std::sync::Arc;

fn settings(net: &Net, autoreset: Autoreset) -> EnvSettings {
    EnvSettings {
        columns: (0..net.bases.len() as u32).collect(),
        observation: RowForm::Bytes,
        mask: RowForm::Bytes,
        mask_of: MaskOf::All,
        at_once: true,
        autoreset,
        illegal: Illegal::Error,
        reward: (0.0, 100.0),
        max_steps: None,
    }
}

/// What environments show, with memory of its own.
struct Seen {
    observation: Vec<u8>,
    mask: Vec<u8>,
    reward: Vec<f32>,
    terminated: Vec<u8>,
    truncated: Vec<u8>,
    player: Vec<u8>,
    made: Vec<i32>,
}

impl Seen {
    fn new(envs: &Environments) -> Seen {
        let (n, players) = (envs.count(), envs.players().len());
        Seen {
            observation: vec![9; n * envs.net().bases.len()],
            mask: vec![9; n * players * envs.circuits().actions()],
            reward: vec![9.0; n * players],
            terminated: vec![9; n],
            truncated: vec![9; n],
            player: vec![9; n],
            made: vec![-1; n * players],
        }
    }

    fn rows(&mut self) -> EnvRows<'_> {
        EnvRows {
            observation: &mut self.observation,
            last: &mut [],
            mask: &mut self.mask,
            reward: &mut self.reward,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            player: &mut self.player,
            made: &mut self.made,
        }
    }
}

/// A match by the reasoner beside a lane.
struct Beside {
    interp: Interp,
    state: <Interp as StateMachine>::State,
}

impl Beside {
    fn new(game: &Game) -> Beside {
        let mut interp = Interp::new(game.rules()).expect("rules that can be run");
        Beside { state: interp.initial(), interp }
    }

    fn view(&mut self) -> View {
        view(&mut self.interp, &self.state)
    }

    fn step(&mut self, made: &[String]) {
        let seen = self.view();
        let find = |(legal, text): (&Vec<_>, &String)| {
            let legal: &Vec<(ludex::reason::Move, String)> = legal;
            legal.iter().find(|(_, name)| name == text).expect("a legal move").0
        };
        let joint: Vec<_> = seen.legal.iter().zip(made).map(find).collect();
        self.state = self.interp.next(&self.state, &joint);
    }
}

/// Compares what a lane shows with what the reasoner says of the state.
fn compare(envs: &Environments, seen: &Seen, lane: usize, view: &View) {
    let (net, players) = (envs.net(), envs.players());
    let bases = net.bases.len();
    let row = &seen.observation[lane * bases..][..bases];
    let mut facts: Vec<&String> =
        net.bases.iter().zip(row).filter(|(_, bit)| **bit == 1).map(|(b, _)| &b.name).collect();
    facts.sort();
    assert_eq!(facts, view.facts.iter().collect::<Vec<_>>(), "{} lane {lane}", net.name);
    assert_eq!(seen.terminated[lane] == 1, view.terminal, "{} lane {lane}", net.name);
    let actions = envs.circuits().actions();
    for (place, role) in players.iter().enumerate() {
        let mask = &seen.mask[(lane * players.len() + place) * actions..][..actions];
        let inputs = net.inputs_of(*role);
        let mut legal: Vec<&String> = inputs
            .clone()
            .zip(mask)
            .filter(|(_, m)| **m == 1)
            .map(|(i, _)| &net.inputs[i].name)
            .collect();
        legal.sort();
        let mut expected: Vec<&String> = view.legal[*role].iter().map(|(_, text)| text).collect();
        expected.sort();
        if !view.terminal {
            assert_eq!(legal, expected, "{} lane {lane} {role}", net.name);
        }
    }
}

/// Plays steps in all environments; the reasoner follows some of the lanes. The number of matches that ended.
fn follow(game: &Game, circuits: &Arc<EnvCircuits>, autoreset: Autoreset, steps: usize) -> usize {
    let net = circuits.net().clone();
    let count = circuits.lanes() + 70;
    let mut envs = Environments::new(circuits.clone(), settings(&net, autoreset), count, 5, 1);
    let mut seen = Seen::new(&envs);
    envs.look(&mut seen.rows());
    let lanes = [0, 1, 63, 64, circuits.lanes() - 1, circuits.lanes(), count - 1];
    let mut beside: Vec<Beside> = lanes.iter().map(|_| Beside::new(game)).collect();
    let mut over = vec![false; lanes.len()];
    let mut ended = 0;
    let chance = net.chance();
    for step in 0..steps {
        // Without chance the moves are given, every other time.
        if chance.is_none() && step % 2 == 0 {
            let mut actions = vec![0; envs.moves_a_step()];
            envs.choose(EnvPolicy::Random, &mut actions).expect("the right number");
            envs.step(EnvMoves::Given(&actions), &mut seen.rows()).expect("legal moves");
        } else {
            envs.step(EnvMoves::Drawn, &mut seen.rows()).expect("legal moves");
        }
        for (k, lane) in lanes.iter().enumerate() {
            let match_ = &mut beside[k];
            if over[k] && autoreset == Autoreset::Next {
                match_.state = match_.interp.initial();
                over[k] = false;
            } else if !over[k] && chance.is_none() {
                let players = envs.players();
                let made: Vec<String> = players
                    .iter()
                    .enumerate()
                    .map(|(place, role)| {
                        let action = seen.made[lane * players.len() + place] as usize;
                        net.inputs[net.inputs_of(*role).start + action].name.clone()
                    })
                    .collect();
                match_.step(&made);
            } else if chance.is_some() {
                // Chance is not told: the state is taken over, and only looked at.
                continue;
            }
            let view = match_.view();
            if autoreset != Autoreset::Same || !view.terminal {
                compare(&envs, &seen, *lane, &view);
            }
            if view.terminal && !over[k] {
                ended += 1;
                for (place, role) in envs.players().iter().enumerate() {
                    let reward = seen.reward[lane * envs.players().len() + place];
                    assert_eq!(reward, view.goals[*role].unwrap_or(0) as f32, "{}", net.name);
                }
                over[k] = autoreset != Autoreset::Same;
                if autoreset == Autoreset::Same {
                    match_.state = match_.interp.initial();
                    assert_eq!(seen.terminated[*lane], 1);
                }
            }
        }
    }
    ended
}

fn circuits(game: &Game, backend: Backend) -> Arc<EnvCircuits> {
    let net = game.knowledge().net(&Budget::unlimited()).expect("a network");
    Arc::new(EnvCircuits::new(net, backend, &Budget::unlimited()).expect("no limit"))
}

#[test]
fn every_lane_plays_as_the_reasoner_does() {
    let mut ended = 0;
    for name in ["tictactoe", "connectfour", "rockpaperscissors", "breakthrough", "eightpuzzle"] {
        let Some(bundled) = Bundled::find(name) else { continue };
        let game = Game::bundled(bundled.name()).unwrap();
        for autoreset in [Autoreset::Next, Autoreset::Same, Autoreset::Off] {
            ended += follow(&game, &circuits(&game, Backend::best()), autoreset, 60);
        }
    }
    assert!(ended > 50, "{ended} matches ended");
}

#[test]
fn all_bundled_games_are_environments() {
    // Chess alone would take as long as all others.
    for bundled in Bundled::all().filter(|bundled| bundled.name() != "chess") {
        let game = Game::bundled(bundled.name()).unwrap();
        follow(&game, &circuits(&game, Backend::best()), Autoreset::Next, 12);
    }
}

#[test]
fn a_seed_gives_the_same_run_on_any_number_of_threads_and_back_end() {
    let game = Game::bundled("connectfour").unwrap();
    let run = |backend: Backend, threads: usize| {
        let circuits = circuits(&game, backend);
        let net = circuits.net().clone();
        let wanted = settings(&net, Autoreset::Next);
        let mut envs = Environments::new(circuits, wanted, 1500, 3, threads);
        let mut seen = Seen::new(&envs);
        envs.look(&mut seen.rows());
        for _ in 0..50 {
            envs.step(EnvMoves::Drawn, &mut seen.rows()).unwrap();
        }
        let totals = envs.rollout(300, &Budget::unlimited()).unwrap();
        envs.look(&mut seen.rows());
        (seen.observation, seen.mask, totals)
    };
    let best = Backend::best();
    let alone = run(best, 1);
    assert!(alone == run(best, 3) && alone == run(best.portable(), 2));
    let totals = alone.2;
    assert!(totals.playouts > 10_000 && totals.transitions > 300_000, "{totals:?}");
}

#[test]
fn states_are_saved_and_restored() {
    let game = Game::bundled("breakthrough").unwrap();
    let circuits = circuits(&game, Backend::best());
    let wanted = settings(circuits.net(), Autoreset::Off);
    let mut envs = Environments::new(circuits, wanted, 300, 3, 1);
    let mut seen = Seen::new(&envs);
    let mut random = Random::new(1);
    envs.look(&mut seen.rows());
    for _ in 0..random.below(60) + 60 {
        envs.step(EnvMoves::Drawn, &mut seen.rows()).unwrap();
    }
    let (states, observation, mask) = (envs.states(), seen.observation.clone(), seen.mask.clone());
    envs.reset(None, Some(4), &mut seen.rows());
    assert_ne!(seen.observation, observation);
    envs.set_states(&states, &mut seen.rows()).unwrap();
    assert!(seen.observation == observation && seen.mask == mask && envs.states() == states);
}

#[test]
fn scores_are_one_for_each_action() {
    let game = Game::bundled("tictactoe").unwrap();
    let circuits = circuits(&game, Backend::best());
    let all = circuits.actions();
    let settings = settings(circuits.net(), Autoreset::Next);
    let mut envs = Environments::new(circuits, settings, 70, 5, 1);
    envs.look(&mut EnvRows::default());
    let mut actions = vec![-1; envs.moves_a_step()];
    for (count, fits) in [(0, false), (1, false), (all, true), (all + 1, false), (70 * all, true)] {
        for epsilon in [None, Some(0.5)] {
            let scores = vec![1.0; count];
            let policy = EnvPolicy::Scored(EnvScores { scores: &scores, epsilon });
            let chosen = envs.choose(policy, &mut actions);
            let wrong = EnvFault::Count { given: count, expected: all };
            assert_eq!(chosen, if fits { Ok(()) } else { Err(wrong) });
        }
    }
}

#[test]
fn a_wrong_move_has_the_number_of_its_environment() {
    let game = Game::bundled("tictactoe").unwrap();
    let circuits = circuits(&game, Backend::best());
    for threads in [1, 3] {
        let wanted = EnvSettings { at_once: false, ..settings(circuits.net(), Autoreset::Next) };
        let mut envs = Environments::new(circuits.clone(), wanted, 1500, 3, threads);
        envs.look(&mut EnvRows::default());
        let mut chosen = vec![0; 1500];
        envs.choose(EnvPolicy::Random, &mut chosen).unwrap();
        for wrong in [&[0][..], &[700], &[1200, 1499]] {
            let mut actions = chosen.clone();
            wrong.iter().for_each(|lane| actions[*lane] = 99);
            let step = envs.step(EnvMoves::Given(&actions), &mut EnvRows::default());
            let Err(EnvFault::Illegal(told)) = step else { panic!("{step:?}") };
            assert_eq!((told.environment, told.action), (wrong[0], 99));
        }
        envs.step(EnvMoves::Given(&chosen), &mut EnvRows::default()).expect("nothing was done");
    }
}
