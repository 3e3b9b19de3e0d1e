//! `ludex play`: a person plays in the terminal, the other roles move at random.

use crate::engine::EngineArg;
use crate::failure::Failure;
use crate::{Outcome, Session};
use ludex::compile::Job;
use ludex::game::{Game, Move, Random, Role, View, find_move, view};
use serde_json::{Map, Value, json};
use std::io::Write;

/// Play a game in the terminal; the other roles move at random.
#[derive(clap::Args)]
#[command(after_help = "\
At the prompt type the number of a move, the move itself, such as (mark 1 1) or mark(1,1), or one of
  help    what can be typed
  state   the facts of the state
  quit    leave the match (as does the end of input)

Examples:
  ludex play tictactoe
  ludex play tictactoe --role o --seed 7")]
pub struct Args {
    /// A file, the name of a bundled game; standard input is for your moves.
    game: String,
    /// The role you play; without it the first one.
    #[arg(long)]
    role: Option<String>,
    /// The same seed and the same moves give the same match.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    engine: EngineArg,
}

pub fn run(args: &Args, session: &Session) -> Outcome {
    if args.game == "-" {
        let why = "error: play reads your moves from standard input, so give the game as a file";
        return Err(Failure::Misuse(why.into()));
    }
    let mut compiled = args.engine.compile(&args.game, session)?;
    compiled.run(Match { args, session })?
}

struct Match<'a> {
    args: &'a Args,
    session: &'a Session,
}

/// What the person wants.
enum Wish {
    Play(Move),
    Leave,
}

impl Job for Match<'_> {
    type Answer = Outcome;

    fn run<G: Game>(self, game: &mut G) -> Outcome {
        let mut random = Random::new(self.args.seed);
        let mut state = game.initial();
        let mut seen = view(game, &state);
        let own = self.role(&seen)?;
        let mut played: Vec<Vec<String>> = Vec::new();
        self.say(&format!("You play {}. Type help for help.", seen.roles[own]))?;
        while !seen.terminal {
            self.session.budget.check()?;
            self.say("")?;
            let Some(joint) = self.joint(&seen, own, &mut random)? else { break };
            let texts = joint.iter().enumerate().map(|(role, m)| game.move_text(role, *m));
            played.push(texts.collect());
            self.say(&by_role(&seen, &played[played.len() - 1]))?;
            state = game.next(&state, &joint);
            seen = view(game, &state);
        }
        self.session.budget.check()?;
        self.finish(&seen, &played)
    }
}

impl Match<'_> {
    fn role(&self, seen: &View) -> Result<Role, Failure> {
        let Some(name) = &self.args.role else { return Ok(0) };
        let roles = seen.roles.join(", ");
        let unknown = || format!("error: there is no role {name}; the roles are {roles}");
        let found = seen.roles.iter().position(|r| r.eq_ignore_ascii_case(name));
        found.ok_or_else(|| Failure::Misuse(unknown()))
    }

    /// Text for the person; with --json standard output is kept for the result.
    fn say(&self, text: &str) -> Outcome {
        match self.session.json {
            true => Ok(writeln!(anstream::stderr(), "{text}")?),
            false => Ok(writeln!(self.session.out(), "{text}")?),
        }
    }

    /// The person's move and random ones, or none if the match cannot go on.
    fn joint(
        &self,
        seen: &View,
        own: Role,
        random: &mut Random,
    ) -> Result<Option<Vec<Move>>, Failure> {
        if let Some(role) = seen.legal.iter().position(Vec::is_empty) {
            self.say(&format!("{} has no legal move.", seen.roles[role]))?;
            return Ok(None);
        }
        let mut joint: Vec<Move> =
            seen.legal.iter().map(|legal| legal[random.below(legal.len())].0).collect();
        match self.ask(seen, own)? {
            Wish::Play(m) => joint[own] = m,
            Wish::Leave => return Ok(None),
        }
        Ok(Some(joint))
    }

    fn ask(&self, seen: &View, own: Role) -> Result<Wish, Failure> {
        let legal = &seen.legal[own];
        if let [(only, _)] = legal.as_slice() {
            return Ok(Wish::Play(*only));
        }
        self.say(&seen.facts.join(" "))?;
        self.show_moves(legal)?;
        loop {
            let Some(line) = self.session.read_line(&format!("{}> ", seen.roles[own]))? else {
                self.say("")?;
                return Ok(Wish::Leave);
            };
            match line.trim() {
                "" => {}
                "help" | "?" => self.help(legal)?,
                "state" => self.say(&seen.facts.join(" "))?,
                "quit" | "exit" => return Ok(Wish::Leave),
                text => match understand(legal, text) {
                    Some(m) => return Ok(Wish::Play(m)),
                    None => self.say(&format!(
                        "`{text}` is not a legal move: type a number from 1 to {}, a move, or help",
                        legal.len()
                    ))?,
                },
            }
        }
    }

    fn help(&self, legal: &[(Move, String)]) -> Outcome {
        self.say("Type the number of a move or the move; state shows the facts, quit leaves.")?;
        self.show_moves(legal)
    }

    fn show_moves(&self, legal: &[(Move, String)]) -> Outcome {
        let mut numbered = legal.iter().enumerate();
        numbered.try_for_each(|(i, (_, text))| self.say(&format!("{:>4}  {text}", i + 1)))
    }

    /// Tells how it ended, and with --json the whole match.
    fn finish(&self, seen: &View, played: &[Vec<String>]) -> Outcome {
        if self.session.json {
            let goals = seen.roles.iter().cloned().zip(seen.goals.iter().map(|g| json!(g)));
            let goals: Map<String, Value> = goals.collect();
            let (moves, terminal) = (played, seen.terminal);
            return self.session.line(&json!({
                "roles": seen.roles, "moves": moves, "terminal": terminal, "goals": goals,
            }));
        }
        if !seen.terminal {
            return self.say("The match was left.");
        }
        self.say(&format!("\n{}", seen.facts.join(" ")))?;
        let goals = seen.goals.iter().map(|g| g.map_or("no goal".into(), |g| g.to_string()));
        self.say(&format!(
            "The match is over. Goals: {}",
            by_role(seen, &goals.collect::<Vec<_>>())
        ))
    }
}

/// `x: (mark 1 1)   o: noop`
fn by_role(seen: &View, texts: &[String]) -> String {
    let each = seen.roles.iter().zip(texts).map(|(role, text)| format!("{role}: {text}"));
    each.collect::<Vec<_>>().join("   ")
}

/// A number of the list, or a move as text. A move whose text is a number wins over the list.
fn understand(legal: &[(Move, String)], text: &str) -> Option<Move> {
    let by_number = || legal.get(text.parse::<usize>().ok()?.checked_sub(1)?).map(|(m, _)| *m);
    find_move(legal, text).or_else(by_number)
}
