//! The paper on symmetries: its tic-tac-toe, the two limits that it names, and Figure 1.

use super::desk::{Claim, Desk, Found, claim, yes};
use super::symmetry_figure::figure;
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::Game;
use ludex::budget::Budget;
use ludex::rules::Rules;
use ludex::source::Source;
use ludex_answers::{
    GraphStyle, NetPart, RuleGraphQuestion, RuleGraphText, RuleGroup, Symmetries, SymmetriesAt,
    SymmetryEffort,
};
use std::collections::{BTreeMap, BTreeSet};

const GAME: &str = "tictactoe-symmetry";

pub fn report(desk: &mut Desk) -> Outcome {
    graph(desk)?;
    group(desk)?;
    maps(desk)?;
    sequences(desk)?;
    dynamic(desk)?;
    tautology(desk)?;
    nested_term(desk)?;
    figure(desk)
}

/// The enhanced rule graph of the rule whose graph the paper draws.
fn graph(desk: &mut Desk) -> Outcome {
    const RULE: &str = "next(cell(M,N,x)) :- does(xplayer,mark(M,N))";
    let alone = format!("echo '{RULE}' | ludex rulegraph - --json");
    let claim = claim(
        "vertices and edges of the rule graph of a rule of next, by the definition",
        "22 and 30",
        &alone,
    );
    desk.compare(claim, |_, budget| {
        let source = Source::new("a rule", RULE);
        let rules = Rules::read_part(&source, None);
        let rules = rules.map_err(|report| Failure::faulty(&report, &source))?.0;
        let (style, with_init, normal) = (GraphStyle::Enhanced, true, false);
        let question = RuleGraphQuestion { style, with_init, normal };
        let graph = RuleGraphText::of(&rules, &question, budget)?;
        Ok(Found::Value(format!("{} and {}", graph.vertices.len(), graph.edges.len())))
    })
}

/// Games that differ in the initial state only have the same symmetries.
fn dynamic(desk: &mut Desk) -> Outcome {
    const MARKED: &str = "sed 's/init(cell(a,1,blank))/init(cell(a,1,x))/'";
    let marked = |text: &str| text.replace("init(cell(a,1,blank))", "init(cell(a,1,x))");
    for (what, option, with_init, paper) in [
        ("symmetries with a mark in a corner at first", "", false, "8"),
        ("of these, symmetries of the initial state", " --with-init", true, "2"),
    ] {
        let alone =
            format!("ludex games {GAME} | {MARKED} | ludex symmetry - --rules-only{option}");
        desk.compare(claim(what, paper, &alone), |session, budget| {
            let effort =
                SymmetryEffort { rules_only: true, with_init, ..SymmetryEffort::default() };
            let game = changed(session, marked)?;
            let (found, _) = Symmetries::of(&game, effort, budget, &mut |_| ())?;
            Ok(Found::Value(found.rules.expect("asked for").order_fixed_roles))
        })?;
    }
    Ok(())
}

fn group(desk: &mut Desk) -> Outcome {
    let alone = format!("ludex symmetry {GAME}");
    desk.compare(claim("symmetries of tic-tac-toe", "8", &alone), |session, budget| {
        let found = of_rules(&session.load(GAME)?, budget)?;
        Ok(Found::Value(found.order_fixed_roles))
    })
}

/// Reflections are maps of constants, a quarter turn exchanges arguments as well.
fn maps(desk: &mut Desk) -> Outcome {
    let alone = format!("ludex symmetry {GAME} --rules-only");
    let items: [(&str, &[(&str, &str)]); 3] = [
        (
            "exchanging a and c alone is a symmetry",
            &[("a", "c"), ("1", "1"), ("cell[1]", "cell[1]")],
        ),
        (
            "exchanging 1 and 3 alone is a symmetry",
            &[("1", "3"), ("a", "a"), ("cell[1]", "cell[1]")],
        ),
        (
            "a quarter turn exchanges the arguments of cell",
            &[("a", "3"), ("3", "c"), ("c", "1"), ("1", "a"), ("cell[1]", "cell[2]")],
        ),
    ];
    for (item, wanted) in items {
        desk.compare(claim(item, "yes", &alone), |session, budget| {
            let found = of_rules(&session.load(GAME)?, budget)?;
            let generators: Vec<Map> = found.generators.iter().map(|g| map(&g.cycles)).collect();
            let is = |map: &Map| wanted.iter().all(|(from, to)| image(map, from) == *to);
            Ok(Found::Value(yes(generated(&generators).iter().any(is))))
        })?;
    }
    Ok(())
}

/// Where names go; those that are not there stay.
type Map = BTreeMap<String, String>;

fn map(cycles: &[Vec<String>]) -> Map {
    let cycle = |names: &Vec<String>| {
        let next = names.iter().cycle().skip(1).cloned();
        names.iter().cloned().zip(next).collect::<Vec<_>>()
    };
    cycles.iter().flat_map(cycle).collect()
}

fn image<'m>(map: &'m Map, name: &'m str) -> &'m str {
    map.get(name).map_or(name, String::as_str)
}

/// All maps that some maps generate.
fn generated(generators: &[Map]) -> BTreeSet<Map> {
    let mut all = BTreeSet::from([Map::new()]);
    let mut open = vec![Map::new()];
    while let Some(one) = open.pop() {
        for next in generators {
            let names = one.keys().chain(next.keys());
            let then = names.map(|name| (name.clone(), image(next, image(&one, name)).to_string()));
            let then: Map = then.filter(|(from, to)| from != to).collect();
            if all.insert(then.clone()) {
                open.push(then);
            }
        }
    }
    all
}

/// A corner, the centre and an edge, and the same with corner and edge exchanged: their first moves are not
/// symmetric, but they lead to one state.
fn sequences(desk: &mut Desk) -> Outcome {
    let alone = format!("ludex symmetry {GAME} --moves ''");
    let item = "two sequences of moves that are not symmetric lead to symmetric states";
    desk.compare(claim(item, "yes", &alone), |session, budget| {
        let game = session.load(GAME)?;
        let net = game.knowledge().net(budget)?;
        let first: Vec<bool> = net.bases.iter().map(|base| base.initial).collect();
        let classes = SymmetriesAt::of(&game, &net, &first, budget)?.orbits;
        let class = |text: &str| classes.iter().position(|c| c.iter().any(|j| j[0] == text));
        let start = game.position(budget)?;
        let after = |moves: [&str; 3]| {
            let last = moves.iter().try_fold(start.clone(), |here, m| here.after(&[*m]));
            last.expect("legal").facts().to_vec()
        };
        let apart = class("(mark a 1)") != class("(mark a 2)");
        let (one, other) = (["a 1", "b 2", "a 2"], ["a 2", "b 2", "a 1"]);
        Ok(Found::Value(yes(apart && after(one) == after(other))))
    })
}

/// A rule that never fires hides the exchange of a and c from the rule graph.
fn tautology(desk: &mut Desk) -> Outcome {
    let claim = Claim {
        why: "rules are read without conditions that are decided, so this one is gone before a graph is \
              drawn, and the symmetry is found",
        ..claim(
            "with p(a) :- a \\= a, from the rules as written",
            "fewer than without it",
            &format!(
                "(ludex games {GAME}; echo 'p(a) :- a \\= a.') | ludex symmetry - --rules-only --json"
            ),
        )
    };
    desk.compare(claim, |session, budget| {
        written(session, |text| format!("{text}\np(a) :- a \\= a.\n"), budget)
    })
}

/// With f(a) for a the rule graph loses symmetries that the ground game has.
fn nested_term(desk: &mut Desk) -> Outcome {
    let nesting = format!("ludex games {GAME} | sed 's/cell(a,/cell(f(a),/g' | ludex symmetry -");
    let alone = &format!("{nesting} --json");
    let nested = |text: &str| text.replace("cell(a,", "cell(f(a),");
    desk.compare(
        claim("with f(a) for a, from the rules as written", "fewer than without it", alone),
        |session, budget| written(session, nested, budget),
    )?;
    desk.compare(claim("with f(a) for a, from the ground game", "8", alone), |session, budget| {
        let effort = SymmetryEffort { net_seconds: budget.allowed(), ..SymmetryEffort::default() };
        let (found, _) = Symmetries::of(&changed(session, nested)?, effort, budget, &mut |_| ())?;
        let NetPart::Found(net) = found.net.expect("asked for") else {
            return Err(Failure::TooLarge("the net was not searched".into()));
        };
        Ok(Found::Value(net.order_fixed_roles))
    })
}

/// Symmetries of the rules as written, with a change of their text and without it.
fn written(
    session: &Session,
    change: impl Fn(&str) -> String,
    budget: &Budget,
) -> Result<Found, Failure> {
    let with = of_rules(&changed(session, change)?, budget)?.order_as_written;
    let without = of_rules(&session.load(GAME)?, budget)?.order_as_written;
    let is_fewer = (with.len(), &with) < (without.len(), &without);
    Ok(Found::Judged(format!("{with}, without it {without}"), is_fewer))
}

fn of_rules(game: &Game, budget: &Budget) -> Result<RuleGroup, Failure> {
    let effort = SymmetryEffort { rules_only: true, ..SymmetryEffort::default() };
    let (found, _) = Symmetries::of(game, effort, budget, &mut |_| ())?;
    Ok(found.rules.expect("asked for"))
}

/// The paper's tic-tac-toe with another text.
fn changed(session: &Session, change: impl Fn(&str) -> String) -> Result<Game, Failure> {
    let source = Source::new(GAME, change(&session.source(GAME)?.text));
    Game::read(source, None).map_err(|why| Failure::faulty(&why.report, &why.source))
}
