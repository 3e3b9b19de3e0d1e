//! Translated rules lead to the same states as the original ones.

use super::{read, translated};
use ludex::budget::Budget;
use ludex::frame::{Basis, Covering, Frame, translate};
use ludex::instances::Instances;
use ludex::interp::{FactState, Interp};
use ludex::knowledge::Knowledge;
use ludex::reason::{Move, Random, StateMachine};
use ludex::rules::{Rules, Term};
use ludex::source::Source;
use ludex_testing::{games_in, shared};
use std::path::{Path, PathBuf};

/// Plays random matches, through terminal states, on the original rules, and compares every state.
/// The number of steps compared.
pub fn same_states(rules: &Rules, frames: &[Frame], steps: usize, seed: u64) -> usize {
    let budget = Budget::unlimited();
    let mut original = Interp::new(rules).unwrap();
    let mut updating: Vec<Interp> = frames
        .iter()
        .map(|f| Interp::updating(&f.rules, f.fnext, &budget).unwrap_or_else(|p| panic!("{p}")))
        .collect();
    let mut random = Random::new(seed);
    let (mut state, mut done) = (original.initial(), 0);
    let mut others: Vec<FactState> = updating.iter_mut().map(|u| u.initial()).collect();
    while done < steps {
        for (other, engine) in others.iter().zip(&updating) {
            assert_eq!(facts(&original, &state), facts(engine, other), "{} at {done}", rules.name);
        }
        let Some(joint) = joint(&mut original, &state, &mut random) else { break };
        let next = original.next(&state, &joint);
        assert_eq!(original.problem(), None, "{}", rules.name);
        for (other, engine) in others.iter_mut().zip(&mut updating) {
            let moves: Vec<Move> =
                joint.iter().map(|m| engine.move_of(&original.move_term(*m))).collect();
            *other = engine.next(other, &moves);
        }
        state = next;
        done += 1;
    }
    done
}

fn facts(engine: &Interp, state: &FactState) -> Vec<Term> {
    let mut facts = engine.fact_terms(state);
    facts.sort();
    facts
}

fn joint(game: &mut Interp, state: &FactState, random: &mut Random) -> Option<Vec<Move>> {
    let (roles, mut moves) = (game.roles(), Vec::new());
    let choose = |role| {
        moves.clear();
        game.legal(state, role, &mut moves);
        (!moves.is_empty()).then(|| moves[random.below(moves.len())])
    };
    (0..roles).map(choose).collect()
}

fn all(rules: &Rules) -> Vec<Frame> {
    let mut frames: Vec<Frame> =
        Covering::ALL.map(|c| translated(rules, c, &Basis::Names)).into_iter().collect();
    frames.push(translated(rules, Covering::Direct, &Basis::Heads));
    frames
}

#[test]
fn bundled_games() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut checked = 0;
    for path in files(&folder, 9_000) {
        let rules = rules(&path).unwrap();
        if is_small(&rules) {
            checked += (same_states(&rules, &all(&rules), 40, 3) > 0) as usize;
        }
    }
    assert!(checked >= 33, "{checked} bundled games were checked");
}

/// A sample of the collection: every ninth game of moderate size.
#[test]
fn collected_games() {
    check_collection(9, 10_000, 20);
}

/// Any games: `FRAME_GAMES` holds their paths, one on a line. Proofs get five seconds.
#[test]
#[ignore = "runs what FRAME_GAMES names"]
fn games_by_path() {
    let paths = std::env::var("FRAME_GAMES").unwrap_or_default();
    for path in paths.lines() {
        let Ok(rules) = rules(Path::new(path)) else { continue };
        let (budget, basis) = (Budget::unlimited(), Basis::Names);
        let knowledge = Knowledge::of_rules(rules.clone());
        let grounding = budget.part();
        let watched = grounding.clone();
        std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_secs(5));
            watched.stop(ludex::budget::Stop::Time);
        });
        let frames =
            Covering::ALL.map(|c| translate(&knowledge, c, &basis, &budget, &grounding).unwrap());
        let steps = same_states(&rules, &frames, 40, 5);
        println!("{path}: {steps} steps compared {:?}", frames[2].notes);
    }
}

fn check_collection(every: usize, longest: usize, steps: usize) {
    let Some(folder) = shared("games/collection") else { return };
    let (mut checked, mut compared) = (0, 0);
    for path in files(&folder, longest).into_iter().step_by(every) {
        let Ok(rules) = rules(&path) else { continue };
        let coverings: &[Covering] = if is_small(&rules) { &Covering::ALL } else { &LARGE };
        let frames: Vec<Frame> =
            coverings.iter().map(|c| translated(&rules, *c, &Basis::Names)).collect();
        compared += same_states(&rules, &frames, steps, 5);
        checked += 1;
    }
    assert_eq!((checked, compared), (19, 337), "games and steps");
}

/// What is tried where proofs would take long.
const LARGE: [Covering; 1] = [Covering::Direct];

fn is_small(rules: &Rules) -> bool {
    Instances::within(rules, 50_000, &Budget::unlimited()).is_ok()
}

fn files(folder: &Path, longest: usize) -> Vec<PathBuf> {
    let mut files = games_in(folder);
    files.retain(|p| p.metadata().unwrap().len() as usize <= longest);
    files
}

pub fn rules(path: &Path) -> Result<Rules, String> {
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let source = Source::new(path.to_string_lossy(), text);
    Rules::read(&source, None).map(|r| r.0).map_err(|r| r.render(&source))
}

/// What is printed can be read and run again.
#[test]
fn printed_rules_run() {
    use ludex::syntax::Syntax;
    let game = read("tictactoe-frame.gdl", include_str!("../../../../games/tictactoe-frame.gdl"));
    for covering in Covering::ALL {
        let frame = translated(&game, covering, &Basis::Names);
        for (syntax, file) in [(Syntax::Kif, "t.kif"), (Syntax::Infix, "t.gdl")] {
            let again = read(file, &frame.rules.text(syntax));
            let named = |name: &str| {
                let symbol = again.symbols.find(name);
                let is = |r: &ludex::rules::Relation| Some(r.name) == symbol && r.arity == 1;
                ludex::rules::Rel(again.relations.iter().position(is).unwrap() as u32)
            };
            let fnext = named("fnext");
            let mut engine = Interp::updating(&again, fnext, &Budget::unlimited()).unwrap();
            let mut original = Interp::new(&game).unwrap();
            let counts = ludex::reason::perft(&mut engine, 3, true, &Budget::unlimited()).paths;
            let expected = ludex::reason::perft(&mut original, 3, true, &Budget::unlimited()).paths;
            assert_eq!(counts, expected);
        }
    }
}
