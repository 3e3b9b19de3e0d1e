//! `ludex boards`: the boards of a game, from invariant projections.

mod clingo;
mod table;

use crate::failure::Failure;
use crate::session::{NONE, NOT_TRIED, Plan, STOPPED};
use crate::{Outcome, Session};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ludex::Game;
use ludex::budget::Stop;
use ludex::domains::{DomainGraph, DomainOwner};
use ludex::facts::boards::{
    AnyStateNet, Bases, Board, Boards, Projection, ProjectionVerdict, RelationBoards, Verify,
    program, set,
};
use ludex::facts::invariants::Invariants;
use ludex::ground::NotGround;
use ludex::interp::Problem;
use ludex::net::Net;
use ludex::rules::{Rel, Rules};
use ludex::search::show;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;

/// Show the boards of a game: arguments of the state's relations that stay the same all match.
#[derive(clap::Args)]
#[command(after_help = "\
The projection <r,{1,2}> of a relation r on its arguments 1 and 2 is invariant if it gives the same set \
in every reachable state; maximal ones are boards. A partial board has at most one fact for each place. \
What is only seen in samples is marked so.

--verify literal is the paper's program as printed (any state, at most one action a role), exact has \
exactly one action a role, lemmas (the default) adds all that was proved of the game before.

Examples:
  ludex boards tictactoe
  ludex boards connectfour --all
  ludex boards tictactoe --verify literal --json
  ludex boards tictactoe --projection 'cell{1,2}' --asp | clingo
  ludex boards --table FOLDER")]
pub struct Args {
    /// Files, names of bundled games, or - for standard input.
    #[arg(value_name = "GAME", required_unless_present = "table")]
    games: Vec<String>,
    /// How a projection is verified; without it with lemmas (and --asp writes the literal program).
    #[arg(long, value_name = "HOW", value_parser = verify_parser())]
    verify: Option<Verify>,
    /// Show every projection that was verified and what came out.
    #[arg(long)]
    all: bool,
    /// Only this projection, such as 'cell{1,2}'.
    #[arg(long, value_name = "PROJECTION")]
    projection: Option<String>,
    /// Print the program of the paper's Figure 4 for the projection.
    #[arg(long, requires = "projection")]
    asp: bool,
    /// Verify with this program instead of the solver that is built in.
    #[arg(long, value_name = "SOLVER", value_parser = ["clingo"])]
    solver: Option<String>,
    /// Print the paper's Table 1 for the games in a folder, beside the paper's figures.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["games", "projection", "solver"])]
    table: Option<String>,
}

/// States of a search that are looked at for what is only seen.
const SEARCHED: usize = 2_000;

fn verify_parser() -> impl TypedValueParser<Value = Verify> {
    let values = PossibleValuesParser::new(["literal", "exact", "lemmas"]);
    values.map(|name| name.parse().expect("a name of the list"))
}

const PLAN: Plan = Plan::soon(&["relations", "views"]);

pub fn run(args: &Args, session: &Session) -> Outcome {
    if let Some(folder) = &args.table {
        return table::run(folder, session);
    }
    session.each(&args.games, &PLAN, |game| {
        let game = session.load(game)?;
        args.sketch(game.rules(), session)?;
        let subject = Subject::new(game, session)?;
        match &args.projection {
            Some(projection) => args.one(projection, &subject, session),
            None => args.every(&subject, session),
        }
    })
}

/// A game with all that its boards are found in.
struct Subject {
    game: Game,
    rules: Arc<Rules>,
    net: Arc<Net>,
    bases: Arc<Bases>,
}

fn failure(rules: &Rules, problem: Problem) -> Failure {
    match problem {
        Problem::Stopped(stop) => stop.into(),
        _ => Failure::Input(format!("error: {}: {problem}", rules.name)),
    }
}

impl Subject {
    fn new(game: Game, session: &Session) -> Result<Subject, Failure> {
        let (rules, net) = (game.rules().clone(), session.net(&game)?);
        let bases = game.knowledge().bases(&session.budget());
        let bases = bases.map_err(|problem| failure(&rules, problem))?;
        Ok(Subject { game, rules, net, bases })
    }

    fn any_state(&self, session: &Session) -> Result<AnyStateNet, NotGround> {
        let (rules, budget) = (&self.rules, session.budget());
        let ground = self.game.knowledge().ground(&budget)?;
        AnyStateNet::new(rules, &ground, &self.net, &self.bases, &budget)
    }

    /// The boards by the built-in solver, with the seconds that the lemmas took. As soon as some are known
    /// they are shown to `draft`.
    fn boards(
        &self,
        verify: Verify,
        session: &Session,
        draft: impl Fn(&Boards) -> Outcome,
    ) -> Result<(Boards, f64), Failure> {
        let budget = session.budget();
        let start = budget.seconds();
        if verify != Verify::Lemmas {
            let any_state = self.any_state(session)?;
            let exact = verify == Verify::Exact;
            return Ok((Boards::verify(&self.bases, &any_state, exact, &budget)?, 0.0));
        }
        let known = self.game.knowledge().invariants_in(&budget, session.share(), &mut |_| ())?;
        let (lemmas, mut drafted) = (budget.seconds() - start, Ok(()));
        let found = self.game.knowledge().boards(&budget, session.share(), &mut |known| {
            // What follows from the groups proved so far is worth having.
            let mut known = known.clone();
            known.stopped = Some(Stop::Time);
            drafted = draft(&known);
        });
        drafted?;
        let mut found = Boards::clone(&*found.map_err(|problem| failure(&self.rules, problem))?);
        found.stopped = found.stopped.or(known.stopped);
        if let Err(stop) = found.follow(|seen| show(&self.net, seen, SEARCHED, &budget)) {
            found.stopped = Some(stop);
        }
        Ok((found, lemmas))
    }

    /// The invariants, where projections are verified with lemmas.
    fn lemmas(
        &self,
        verify: Verify,
        session: &Session,
    ) -> Result<Option<Arc<Invariants>>, Failure> {
        let wanted = verify == Verify::Lemmas;
        let known = || self.game.knowledge().invariants(&session.budget());
        Ok(wanted.then(known).transpose()?)
    }

    /// The relation and arguments that a text such as `cell{1,2}` names.
    fn projection(&self, text: &str) -> Result<(String, usize, Vec<usize>), Failure> {
        let bad =
            |message: String| Failure::Input(format!("error: --projection {text}: {message}"));
        let plain = text.trim_matches(['<', '>', ' ']);
        let end = plain.find(['{', ',', ':', ' ']).unwrap_or(plain.len());
        let (name, rest) = (plain[..end].trim(), plain[end..].trim_matches([',', ':', ' ']));
        let inner = rest.strip_prefix('{').and_then(|r| r.strip_suffix('}')).unwrap_or(rest);
        let numbers = inner.split([',', ' ']).filter(|n| !n.is_empty()).map(|n| n.parse().ok());
        let Some(mut places) = numbers.collect::<Option<Vec<usize>>>() else {
            return Err(bad("arguments are given as numbers from 1, as in cell{1,2}".into()));
        };
        places.sort_unstable();
        places.dedup();
        let named = self.bases.relations().filter(|r| r.name.eq_ignore_ascii_case(name));
        let named: Vec<_> = named.collect();
        if named.is_empty() {
            let names: Vec<&str> = self.bases.relations().map(|r| r.name.as_str()).collect();
            let names = names.join(", ");
            return Err(bad(format!(
                "no relation of the state is called {name}; there are {names}"
            )));
        }
        if places.is_empty() {
            return Err(bad("name at least one argument, as in cell{1,2}".into()));
        }
        let last = *places.last().expect("not empty");
        let fits = named.iter().find(|r| places[0] >= 1 && last <= r.arity);
        match fits {
            Some(relation) => Ok((relation.name.clone(), relation.arity, places)),
            None => Err(bad(format!("{name} has {} arguments, numbered from 1", named[0].arity))),
        }
    }
}

impl Args {
    fn verify(&self) -> Verify {
        self.verify.unwrap_or(Verify::Lemmas)
    }

    /// Drafts what the rules tell: the relations of the state.
    fn sketch(&self, rules: &Rules, session: &Session) -> Outcome {
        let graph = DomainGraph::new(rules);
        let facts = graph.domain(DomainOwner::Predicate(Rel::TRUE), 1);
        let mut relations: Vec<(&str, u32)> =
            facts.iter().filter(|r| r.1 > 0).map(|r| (rules.symbols.name(r.0), r.1)).collect();
        relations.sort_unstable();
        let object = || {
            let relations = relations.iter().map(|(name, arity)| {
                json!({"relation": name, "arity": arity, "calls": 0, "seconds": 0.0,
                    "maximal": [], "partial": [], "stopped": true})
            });
            json!({"game": rules.name, "verify": self.verify().to_string(),
                "relations": relations.collect::<Vec<_>>(), "views": [],
                "stopped": ["relations", "views"]})
        };
        let print = |session: &Session| {
            let name = &rules.name;
            writeln!(session.out(), "{name}: base propositions {STOPPED}")?;
            let mut table =
                session.table(&["relation", "arity", "invariant", "partial"], &["arity"]);
            for (name, arity) in &relations {
                table.add_row([name, arity.to_string().as_str(), STOPPED, STOPPED]);
            }
            session.print_table(&table)
        };
        session.draft(&(object, print))
    }

    fn every(&self, subject: &Subject, session: &Session) -> Outcome {
        let budget = session.budget();
        let start = budget.seconds();
        let draft = |boards: &Boards| {
            let seconds = budget.seconds() - start;
            let object = || object(subject, boards, seconds, seconds);
            session.draft(&(object, |session: &Session| self.print(subject, boards, session)))
        };
        let (boards, lemmas) = match self.solver {
            Some(_) => (clingo::boards(subject, self.verify(), session)?, 0.0),
            None => subject.boards(self.verify(), session, draft)?,
        };
        let seconds = budget.seconds() - start;
        let object = || object(subject, &boards, lemmas, seconds);
        session.tell(&(object, |session: &Session| self.print(subject, &boards, session)))?;
        boards.stopped.map_or(Ok(()), |stop| Err(stop.into()))
    }

    /// One projection: its program, or what is found out about it.
    fn one(&self, text: &str, subject: &Subject, session: &Session) -> Outcome {
        let (relation, arity, places) = subject.projection(text)?;
        if self.asp {
            let Subject { rules, net, bases, .. } = subject;
            let verify = self.verify.unwrap_or(Verify::Literal);
            let lemmas = subject.lemmas(verify, session)?;
            let assumed = clingo::assumed(verify, lemmas.as_deref());
            let text = program(rules, net, bases, (&relation, arity), &places, assumed);
            return Ok(write!(session.out(), "{text}")?);
        }
        let (boards, _) = match self.solver {
            Some(_) => (clingo::boards(subject, self.verify(), session)?, 0.0),
            None => subject.boards(self.verify(), session, |_| Ok(()))?,
        };
        let of = boards.relations.iter().find(|r| r.relation == relation && r.arity == arity);
        let of = of.expect("a relation of the state");
        let (status, mut told) = answer(of, &places, &subject.net);
        if status == "unknown" && boards.stopped.is_some() {
            told = STOPPED.into();
        }
        match session.json {
            true => session.line(&json!({
                "game": subject.rules.name,
                "relation": relation,
                "places": places,
                "status": status,
                "why": told,
            }))?,
            false => writeln!(session.out(), "<{relation},{}>: {told}", set(&places))?,
        }
        match (status, boards.stopped) {
            ("refuted", _) => Err(Failure::Refuted),
            ("unknown", Some(stop)) => Err(stop.into()),
            _ => Ok(()),
        }
    }

    fn print(&self, subject: &Subject, boards: &Boards, session: &Session) -> Outcome {
        let count = subject.bases.facts.len();
        let what = if boards.declared { "declared" } else { "reachable" };
        let name = &subject.rules.name;
        writeln!(session.out(), "{name}: {count} {what} base propositions")?;
        let header = ["relation", "arity", "calls", "seconds", "invariant", "partial", "only seen"];
        let mut table = session.table(&header, &["arity", "calls", "seconds"]);
        // Without samples nothing but invariant projections is looked for.
        let rest = |r: &RelationBoards, list: &[Vec<usize>]| match boards.samples {
            0 => NOT_TRIED.into(),
            _ => sets(list, r.stopped),
        };
        for r in &boards.relations {
            let seen: Vec<Vec<usize>> =
                r.sampled.iter().filter(|s| !r.maximal.contains(s)).cloned().collect();
            table.add_row([
                r.relation.clone(),
                r.arity.to_string(),
                r.calls.to_string(),
                format!("{:.3}", r.seconds),
                sets(&r.maximal, r.stopped),
                rest(r, &r.partial),
                rest(r, &seen),
            ]);
        }
        session.print_table(&table)?;
        if self.all {
            print_all(subject, boards, session)?;
        }
        let mut out = session.out();
        if boards.stopped.is_some() {
            writeln!(out, "further proofs: {STOPPED}")?;
        }
        if boards.verify != Verify::Lemmas {
            return Ok(());
        }
        let (played, searched) = (boards.samples, boards.searched);
        let no_proof = |r: &RelationBoards| r.sampled.iter().any(|s| !r.maximal.contains(s));
        if boards.relations.iter().any(no_proof) {
            let states = format!("{played} states of random matches and {searched} of a search");
            writeln!(out, "only seen: true in {states}, not proved")?;
        }
        // Another solver finds the projections, but not what else a view tells.
        match boards.views().is_empty() {
            true if boards.relations.iter().any(|r| !r.maximal.is_empty()) => {}
            true if boards.stopped.is_some() => writeln!(out, "no board so far")?,
            true => writeln!(out, "no board")?,
            false => writeln!(out, "views, best first")?,
        }
        Ok(boards.views().iter().try_for_each(|view| writeln!(out, "  {view}"))?)
    }
}

fn print_all(subject: &Subject, boards: &Boards, session: &Session) -> Outcome {
    let mut out = session.out();
    writeln!(out, "projections")?;
    for r in &boards.relations {
        for p in &r.projections {
            let why = explained(&p.answer, &subject.net);
            writeln!(out, "  <{},{}>: {why}", r.relation, set(&p.places))?;
        }
    }
    Ok(())
}

/// The status of a projection and why. One that was not verified contains one that is not invariant,
/// and so is not invariant, too, if that is refuted (Theorem 2).
fn answer(of: &RelationBoards, places: &[usize], net: &Net) -> (&'static str, String) {
    if let Some(p) = of.projections.iter().find(|p| p.places == places) {
        return (p.answer.status(), explained(&p.answer, net));
    }
    let within = |p: &&Projection| p.places.iter().all(|a| places.contains(a));
    let open = of.projections.iter().filter(within).filter(|p| !p.answer.is_invariant());
    let part = open.min_by_key(|p| p.answer.status() != "refuted");
    part.map_or(("unknown", "not verified".into()), |p| {
        let why = explained(&p.answer, net);
        let part = format!("<{},{}>", of.relation, set(&p.places));
        (
            p.answer.status(),
            format!("{}, for it contains {part}, which is {why}", p.answer.status()),
        )
    })
}

/// What was found out, with the line of play that refutes.
fn explained(answer: &ProjectionVerdict, net: &Net) -> String {
    match answer {
        ProjectionVerdict::Refuted { moves } => {
            let line: Vec<String> = texts(net, moves).iter().map(|j| j.join(" ")).collect();
            format!("{answer}: {}", line.join("; "))
        }
        answer => answer.to_string(),
    }
}

fn texts(net: &Net, moves: &[Vec<usize>]) -> Vec<Vec<String>> {
    let text = |i: &usize| net.inputs[*i].name.clone();
    moves.iter().map(|joint| joint.iter().map(text).collect()).collect()
}

fn sets(sets: &[Vec<usize>], stopped: bool) -> String {
    let texts: Vec<String> = sets.iter().map(|s| set(s)).collect();
    match (sets, stopped) {
        ([], true) => STOPPED.into(),
        ([], false) => NONE.into(),
        _ => texts.join(" "),
    }
}

fn object(subject: &Subject, boards: &Boards, lemmas: f64, seconds: f64) -> Value {
    let projection = |p: &Projection| {
        let mut object =
            json!({"places": p.places, "status": p.answer.status(), "why": p.answer.to_string()});
        if let ProjectionVerdict::Refuted { moves } = &p.answer {
            object["moves"] = json!(texts(&subject.net, moves));
        }
        object
    };
    let relation = |r: &RelationBoards| {
        json!({
            "relation": r.relation,
            "arity": r.arity,
            "calls": r.calls,
            "seconds": r.seconds,
            "longest": r.longest,
            "maximal": r.maximal,
            "partial": r.partial,
            "sampled": r.sampled,
            "stopped": r.stopped,
            "projections": r.projections.iter().map(projection).collect::<Vec<_>>(),
        })
    };
    json!({
        "game": subject.rules.name,
        "base": if boards.declared { "declared" } else { "reachable" },
        "verify": boards.verify.to_string(),
        "relations": boards.relations.iter().map(relation).collect::<Vec<_>>(),
        "views": boards.views().iter().map(view).collect::<Vec<_>>(),
        "samples": boards.samples,
        "searched": boards.searched,
        "lemma_seconds": lemmas,
        "cpu_seconds": seconds,
        "stopped": boards.stopped.iter().map(|_| "relations").collect::<Vec<_>>(),
        "not_tried": if boards.samples > 0 { vec![] } else { vec!["partial", "sampled", "views"] },
    })
}

fn view(board: &Board) -> Value {
    json!({
        "relation": board.relation,
        "arity": board.arity,
        "places": board.places,
        "contents": board.contents,
        "kind": board.kind.name(),
        "size": board.size,
        "one_fact_a_place": board.single,
        "most_seen": board.most_seen,
        "configuration": board.configuration,
        "proof": board.proof,
    })
}
