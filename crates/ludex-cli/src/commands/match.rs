//! `ludex match`: matches between players, as a game server leads them, and who is the better one.

mod series;

use crate::engine::EngineArg;
use crate::failure::Failure;
use crate::limits;
use crate::players::hosting::{Hosting, now};
use crate::players::human::{Drawing, say};
use crate::players::{PLAYERS, Setting, Who};
use crate::{Outcome, Session};
use ludex::budget::Proving;
use ludex::compile::Compiled;
use ludex::play::{Record, Referee, Standings};
use ludex::reason::digest;
use ludex::syntax::Syntax;
use ludex_answers::{Account, MatchRecord, MatchSeries, Meter, PlayerStanding, RecordPlace};
use series::Series;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Play matches between players, with clocks, records, intervals and Elo.
#[derive(clap::Args)]
#[command(after_help = format!("\
Give as many players as the game has roles; a role called random is played by the program. All roles \
are asked at the same time. Who answers too late, cannot be reached or makes an illegal move gets a \
random legal one, and the record says TO, CE or IL and the move. With more than one match the players \
change their roles in turn.

With -o every match is a file of the folder, its record as JSON beside a log; what is there already is \
counted and not played again, so that a series can go on where it was stopped.

{PLAYERS}

Examples:
  ludex match tictactoe --player mcts --player random
  ludex match connectfour --player mcts --player uct --matches 20 --play-clock 1s -o results
  ludex match breakthrough --player http://localhost:9147 --player human"))]
pub struct Args {
    /// A file, the name of a bundled game, or - for standard input.
    game: String,
    /// Who plays, once for every role.
    #[arg(long = "player", short, value_name = "PLAYER", required = true)]
    players: Vec<Who>,
    /// The number of matches.
    #[arg(long, short = 'n', default_value_t = 1)]
    matches: usize,
    /// The time to prepare.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = limits::time)]
    start_clock: Duration,
    /// The time for a move.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = limits::time)]
    play_clock: Duration,
    /// The folder for records; it is created if it does not exist.
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Let the players keep their roles.
    #[arg(long)]
    no_swap: bool,
    /// Scramble all names for remote players, as game servers do.
    #[arg(long)]
    scramble: bool,
    /// The seed for chance.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Abort a match after this many joint moves.
    #[arg(long, value_name = "STEPS", default_value_t = 1000)]
    bound: usize,
    #[command(flatten)]
    engine: EngineArg,
}

/// The picture for a person is planned within this time.
const DRAWING: Duration = Duration::from_secs(2);

pub fn run(args: &Args, session: &Session) -> Outcome {
    let (game, budget) = (session.load(&args.game)?, session.budget());
    let meter = Meter::new(&game, &budget);
    let mut compiled = args.engine.compile_game(&game, session)?;
    let roles = compiled.roles()?;
    let series = Series::new(args, &compiled.rules, roles)?;
    let drawing = Drawing::default();
    if args.players.contains(&Who::Human) {
        let looking = session.lasting(DRAWING);
        drawing.set(compiled.scene(&looking, Proving(&session.lasting(DRAWING)))?);
    }
    let names: Vec<String> = args.players.iter().map(Who::to_string).collect();
    let mut told = Told { standings: Standings::new(&names), records: vec![], aborted: 0 };
    session.budget().begin("matches", args.matches as u64);
    let outcome = (0..args.matches).try_for_each(|number| {
        let seats = series.seats(number);
        let found = series.find(number, session)?;
        let record = match found {
            Some(record) => record,
            None => {
                let record = args.play(number, &series, &mut compiled, &drawing, session)?;
                series.save(number, &record)?;
                record
            }
        };
        session.budget().advance(1);
        told.add(record, &seats, series.file(number));
        args.show_ending(number, &told, session)
    });
    let stop = match &outcome {
        Ok(()) => None,
        Err(Failure::Stopped(stop)) => Some(*stop),
        Err(_) => return outcome,
    };
    session.give(told.series(game.name(), meter.account().cut_if(&["matches"], stop)))
}

/// What came of the matches so far.
struct Told {
    standings: Standings,
    /// With the files they are in.
    records: Vec<(Record, Option<PathBuf>)>,
    aborted: usize,
}

impl Told {
    fn add(&mut self, record: Record, seats: &[Option<usize>], file: Option<PathBuf>) {
        match record.completed {
            true => self.standings.add(&record, seats),
            false => self.aborted += 1,
        }
        self.records.push((record, file));
    }

    fn series(&self, game: &str, account: Account) -> MatchSeries {
        let place = |(record, file): &(Record, Option<PathBuf>)| match file {
            Some(file) => RecordPlace::File(file.display().to_string()),
            None => RecordPlace::Record(Box::new(MatchRecord::of(record))),
        };
        MatchSeries {
            game: game.into(),
            matches: self.records.len(),
            aborted: self.aborted,
            standings: self.standings.players.iter().map(PlayerStanding::of).collect(),
            records: self.records.iter().map(place).collect(),
            account,
        }
    }
}

impl Args {
    fn play(
        &self,
        number: usize,
        series: &Series,
        compiled: &mut Compiled,
        drawing: &Drawing,
        session: &Session,
    ) -> Result<Record, Failure> {
        let record = series.record(number);
        let seed = self.seed.wrapping_add(number as u64);
        let rules = compiled.rules.clone();
        let setting = Setting {
            session,
            rules: &rules,
            drawing: drawing.clone(),
            seed,
            undo: false,
            known: None,
        };
        let seats = series.seats(number);
        let seated = seats.iter().enumerate();
        let players = seated
            .map(|(role, seat)| seat.map(|p| setting.player(&self.players[p], role, &record)));
        let players = players.collect();
        let single = self.matches == 1;
        let show = |record: &Record| {
            if single {
                // Somebody who cannot be told is told so at the end.
                let _ = say(session, &record.turn(record.moves.len() - 1));
                let _ = session.out().flush();
            }
        };
        let host = Hosting { session, show };
        let referee = Referee { host: &host, record, players, seed, bound: self.bound };
        let record = compiled.run(referee)?;
        session.budget().check()?;
        Ok(record)
    }

    fn show_ending(&self, number: usize, told: &Told, session: &Session) -> Outcome {
        if session.json {
            return Ok(());
        }
        let (record, file) = told.records.last().expect("a match was told");
        let file = file.as_ref().map_or(String::new(), |f| format!("  {}", f.display()));
        let (ending, moves) = (record.ending(), record.moves.len());
        say(session, &format!("match {} ({moves} moves): {ending}{file}", number + 1))?;
        Ok(session.out().flush()?)
    }
}

/// The rules, whatever their layout.
fn rules_digest(rules: &ludex::rules::Rules) -> String {
    digest(rules.text(Syntax::Kif).lines().map(str::to_lowercase).collect())
}

fn match_id(game: &str, number: usize) -> String {
    let word: String = game.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    format!("{word}.{}.{number}", now())
}
