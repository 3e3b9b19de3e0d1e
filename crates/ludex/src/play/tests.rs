//! Seats and the referee, with clocks that are raised by hand.

use super::*;
use crate::compile::{Engine, Means, compile};
use ludex_gdl::budget::{Budget, Memory, Stop};
use ludex_gdl::rules::Rules;
use ludex_gdl::source::Source;
use ludex_knowledge::Knowledge;
use ludex_reason::View;
use ludex_search::Experience;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Two roles count down in turn; each takes 1 or 2, and who takes the last wins.
const NIM: &str = "(role a) (role b) (role random) (init (left 5)) (init (control a))
    (other a b) (other b a) (minus 5 1 4) (minus 4 1 3) (minus 3 1 2) (minus 2 1 1) (minus 1 1 0)
    (minus 5 2 3) (minus 4 2 2) (minus 3 2 1) (minus 2 2 0)
    (<= (legal ?r (take ?n)) (true (control ?r)) (true (left ?l)) (minus ?l ?n ?m))
    (<= (legal ?r noop) (other ?r ?o) (true (control ?o)))
    (legal random (flip heads)) (legal random (flip tails))
    (<= (next (left ?m)) (does ?r (take ?n)) (true (left ?l)) (minus ?l ?n ?m))
    (<= (next (control ?o)) (true (control ?r)) (other ?r ?o))
    (<= terminal (true (left 0)))
    (<= (goal ?r 100) (true (left 0)) (other ?r ?o) (true (control ?o)))
    (<= (goal ?r 0) (true (left 0)) (true (control ?r)))
    (goal random 0)";

fn rules() -> Rules {
    Rules::read(&Source::new("nim", NIM), None).map_err(|r| r.complaints).unwrap().0
}

fn seat(role: &str, player: &str) -> Seat {
    seat_within(Memory::unlimited(&Budget::unlimited()), role, player)
}

fn seat_within(memory: Memory, role: &str, player: &str) -> Seat {
    let opening = Opening {
        rules: Box::new(|| Ok(rules())),
        known: None,
        role: role.into(),
        player: player.parse().unwrap(),
        grounding: memory.growth.clone(),
        memory,
        memories: None,
    };
    Seat::new(opening)
}

fn history(moves: &[[&str; 3]]) -> Vec<Vec<String>> {
    moves.iter().map(|joint| joint.iter().map(|m| m.to_string()).collect()).collect()
}

#[test]
fn a_seat_answers_after_any_history() {
    let seat = seat("A", "random");
    let clock = Clock::unlimited();
    seat.ready(&clock).unwrap();
    let legal = ["(take 1)".to_string(), "(take 2)".to_string()];
    assert!(seat.ask(vec![], &clock).is_some_and(|m| legal.contains(&m)));
    let first = [["(take 2)", "noop", "(flip heads)"]];
    assert_eq!(seat.ask(history(&first), &clock).as_deref(), Some("noop"));
    let second = [["(TAKE 2)", "noop", "(flip tails)"], ["noop", "(take 2)", "(flip tails)"]];
    assert_eq!(seat.ask(history(&second), &clock).as_deref(), Some("(take 1)"));
    // Back, and back to the beginning.
    assert_eq!(seat.ask(history(&second[..1]), &clock).as_deref(), Some("noop"));
    assert!(seat.ask(vec![], &clock).is_some_and(|m| legal.contains(&m)));
    // A move that is not legal: it answers where it stands.
    let wrong = history(&[["(take 7)", "noop", "(flip heads)"]]);
    assert!(seat.ask(wrong, &clock).is_some_and(|m| legal.contains(&m)));
}

#[test]
fn a_seat_plays_on_without_memory() {
    for player in ["random", "mcts", "uct,ponder"] {
        // Before there is an engine, and once all are ready.
        for early in [true, false] {
            let memory = Memory::unlimited(&Budget::unlimited());
            if early {
                memory.growth.stop(Stop::Memory);
            }
            let seat = seat_within(memory.clone(), "a", player);
            let clock = Clock::unlimited();
            clock.think.stop(Stop::Time);
            seat.ready(&Clock::unlimited()).unwrap();
            memory.growth.stop(Stop::Memory);
            let first = seat.ask(vec![], &clock);
            assert!(first.is_some_and(|m| m.starts_with("(take ")), "{player}");
            memory.whole.stop(Stop::Memory);
            let moves =
                [["(take 2)", "noop", "(flip tails)"], ["noop", "(take 1)", "(flip tails)"]];
            let second = seat.ask(history(&moves), &Clock::unlimited());
            assert!(second.is_some_and(|m| m.starts_with("(take ")), "{player}");
        }
    }
}

#[test]
fn nothing_of_a_seat_is_left_after_its_end() {
    let seat = seat("a", "mcts,ponder");
    seat.ready(&Clock::unlimited()).unwrap();
    let trace = seat.trace();
    assert!(!trace.is_gone());
    drop(seat);
    while !trace.is_gone() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Experiences by the names of games, and how many were found again.
#[derive(Default)]
struct Notebook(Mutex<(BTreeMap<String, Experience>, usize)>);

impl Memories for Notebook {
    fn recall(&self, game: &str) -> Option<Experience> {
        let mut notes = self.0.lock().unwrap();
        let known = notes.0.get(game).cloned();
        notes.1 += known.is_some() as usize;
        known
    }

    fn keep(&self, game: &str, experience: &Experience) {
        self.0.lock().unwrap().0.insert(game.into(), experience.clone());
    }
}

#[test]
fn a_game_is_known_again_in_another_guise() {
    let notebook = Arc::new(Notebook::default());
    for seed in [None, Some(3)] {
        let mut disguise = Disguise::new(seed.unwrap_or(0));
        let mut told = |text: &str| seed.map_or(text.into(), |_| disguise.hide(text));
        let (text, role): (String, String) = (told(NIM), told("a"));
        let read =
            move || Rules::read(&Source::new("guise", text), None).map_err(|_| String::new());
        let memory = Memory::unlimited(&Budget::unlimited());
        let seat = Seat::new(Opening {
            rules: Box::new(|| Ok(read()?.0)),
            known: None,
            role,
            player: "mcts".parse().unwrap(),
            grounding: memory.growth.clone(),
            memory,
            memories: Some(notebook.clone()),
        });
        seat.ready(&Clock::unlimited()).unwrap();
        assert!(first_move(&seat, &Clock::unlimited()).is_some());
        let trace = seat.trace();
        drop(seat);
        while !trace.is_gone() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }
    let notes = notebook.0.lock().unwrap();
    assert_eq!((notes.0.len(), notes.1), (1, 1));
    assert!(notes.0.values().all(|experience| *experience != Experience::default()));
}

/// The answer in the first state, when the clock ends after a moment.
fn first_move(seat: &Seat, clock: &Clock) -> Option<String> {
    std::thread::scope(|scope| {
        let answer = scope.spawn(|| seat.ask(vec![], clock));
        std::thread::sleep(std::time::Duration::from_millis(100));
        clock.think.stop(Stop::Time);
        answer.join().unwrap()
    })
}

#[test]
fn a_search_ends_when_its_clock_does() {
    let seat = seat("a", "uct");
    seat.ready(&Clock::unlimited()).unwrap();
    let clock = Clock::unlimited();
    let first = first_move(&seat, &clock);
    assert_eq!(first.as_deref(), Some("(take 2)"), "2 leaves 3, which loses");
    let thoughts = seat.thoughts(vec![], &clock);
    assert!(
        thoughts.contains("(take 1)") && thoughts.contains("expected: (take 2) / noop /"),
        "{thoughts}"
    );
}

#[test]
fn a_question_asked_twice_gets_its_answer_twice() {
    let seat = seat("a", "uct");
    let clock = Clock::unlimited();
    std::thread::scope(|scope| {
        let answers = [(); 2].map(|()| scope.spawn(|| seat.ask(vec![], &clock)));
        std::thread::sleep(std::time::Duration::from_millis(100));
        let waiting = answers.iter().filter(|a| !a.is_finished()).count();
        seat.ready(&Clock::unlimited()).unwrap();
        clock.think.stop(Stop::Time);
        assert_eq!(waiting, 2, "neither ends the other");
        assert!(answers.into_iter().all(|answer| answer.join().unwrap().is_some()));
    });
}

#[test]
fn a_seat_without_a_game_says_so() {
    let clock = Clock::unlimited();
    assert_eq!(
        seat("nobody", "random").ready(&clock),
        Err(NotReady("there is no role nobody".into()))
    );
    let budget = Budget::unlimited();
    for (rules, why) in [
        (Box::new(|| Err("no rules".into())) as Box<dyn FnOnce() -> _ + Send>, "no rules"),
        (Box::new(|| panic!("as expected by a test")), "reading the rules panicked"),
    ] {
        let player = "random".parse().unwrap();
        let (role, grounding) = ("a".into(), budget.fresh());
        let memory = Memory::unlimited(&budget);
        let seat = Seat::new(Opening {
            rules,
            known: None,
            role,
            player,
            grounding,
            memory,
            memories: None,
        });
        assert_eq!(seat.ready(&clock), Err(NotReady(why.into())));
        assert_eq!(seat.ask(vec![], &clock), None);
    }
}

/// Answers what it was told to, then the first legal move.
struct Script(Vec<Result<&'static str, MoveFault>>, usize);

impl Player for Script {
    fn start(&mut self, _: &Clock) -> Result<(), MoveFault> {
        Ok(())
    }

    fn play(&mut self, seen: &View, _: &[Vec<String>], _: &Clock) -> Result<String, MoveFault> {
        match self.0.is_empty() {
            true => Ok(seen.legal[self.1][0].1.clone()),
            false => self.0.remove(0).map(String::from),
        }
    }

    fn stop(&mut self, _: &[Vec<String>], _: bool) {}
}

#[derive(Default)]
struct Quiet(Mutex<Vec<String>>);

impl RefereeHost for Quiet {
    fn clock(&self, _: f64) -> Clock {
        Clock::unlimited()
    }
    fn now(&self) -> u64 {
        7
    }
    fn check(&self) -> Result<(), Stop> {
        Ok(())
    }
    fn turn(&self, record: &Record) {
        self.0.lock().unwrap().push(record.turn(record.moves.len() - 1));
    }
}

fn lead(a: Vec<Result<&'static str, MoveFault>>, bound: usize) -> (Record, Vec<String>) {
    let seat = |role: &str| Seated { role: role.into(), player: "script".into(), human: false };
    let seats = vec![seat("a"), seat("b"), seat("random")];
    let host = Quiet::default();
    let players: Vec<Option<Box<dyn Player>>> =
        vec![Some(Box::new(Script(a, 0))), Some(Box::new(Script(vec![], 1))), None];
    let record = Record { seats, ..Record::default() };
    let referee = Referee { host: &host, record, players, seed: 1, bound };
    let budget = Budget::unlimited();
    let mut compiled =
        compile(Arc::new(Knowledge::of_rules(rules())), Some(Engine::Interp), Means::all(&budget))
            .unwrap();
    (compiled.run(referee).unwrap(), host.0.into_inner().unwrap())
}

#[test]
fn faults_get_a_random_legal_move() {
    let faults =
        vec![Err(MoveFault::TimeOut), Ok("(take 9)"), Err(MoveFault::Connection("gone".into()))];
    let (record, told) = lead(faults, 100);
    assert!(record.completed && record.aborted.is_none());
    let errors: Vec<&str> = record.errors.iter().take(3).map(|e| e[0].as_str()).collect();
    assert_eq!(errors, ["TO", "IL (take 9)", "CE"]);
    assert_eq!(record.faults(0), 3);
    assert!(record.moves.iter().all(|joint| joint[2].starts_with("(flip ")));
    assert!(told[0].contains("a (take ") && told[0].contains(" [TO], b noop"), "{told:?}");
    assert_eq!(record.states.len(), record.moves.len() + 1);
    let sum: i32 = record.goals.iter().flatten().sum();
    assert_eq!(sum, 100);
    let log = record.to_string();
    assert!(log.contains("over: a (script) ") && log.contains("random (script) 0"), "{log}");
}

#[test]
fn a_person_takes_moves_back_and_leaves() {
    let wishes = vec![
        Ok("(take 1)"),
        Ok("noop"),
        Err(MoveFault::Back),
        Ok("(take 2)"),
        Err(MoveFault::Left),
    ];
    let (record, _) = lead(wishes, 100);
    assert_eq!(record.moves.len(), 1);
    assert_eq!(record.moves[0][0], "(take 2)");
    assert_eq!((record.states.len(), record.errors.len()), (2, 1));
    assert_eq!(record.aborted.as_deref(), Some("the match was left"));
    assert!(!record.completed && record.goals.is_empty());
}

#[test]
fn a_match_without_end_is_aborted() {
    let (record, _) = lead(vec![], 2);
    assert_eq!(record.aborted.as_deref(), Some("it is not over after 2 moves"));
    assert_eq!(record.moves.len(), 2);
}

#[test]
fn standings_count_matches_that_ended() {
    let (record, _) = lead(vec![Ok("(take 2)")], 100);
    let mut standings = Standings::new(&["x".into(), "y".into()]);
    standings.add(&record, &[Some(1), Some(0), None]);
    standings.add(&record, &[Some(0), Some(1), None]);
    let [x, y] = &standings.players[..] else { panic!("two players") };
    assert_eq!((x.matches, x.wins, x.losses), (2, 1, 1));
    assert_eq!(x.mean_goal(), Some(50.0));
    assert_eq!(y.score(), Some(0.5));
}
