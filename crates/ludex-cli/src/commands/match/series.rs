//! `Series`: which players sit where in each match, and the files that hold the matches.

use super::{Args, match_id, rules_digest};
use crate::Session;
use crate::failure::{Failure, Outcome};
use crate::players::Who;
use ludex::play::{Record, Seated};
use ludex::reason::Random;
use ludex::rules::{Rules, is_chance};
use ludex_answers::MatchRecord;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

pub struct Series<'a> {
    args: &'a Args,
    game: String,
    /// The digest of the rules, part of the names of files.
    digest: String,
    roles: Vec<String>,
    /// The roles that the program does not play itself.
    open: usize,
}

impl<'a> Series<'a> {
    pub fn new(args: &'a Args, rules: &Rules, roles: Vec<String>) -> Result<Series<'a>, Failure> {
        let open = roles.iter().filter(|r| !is_chance(r)).count();
        if args.players.len() != open {
            let names: Vec<&str> =
                roles.iter().filter(|r| !is_chance(r)).map(String::as_str).collect();
            let chance = if open < roles.len() { "; random moves by chance" } else { "" };
            return Err(Failure::Misuse(format!(
                "error: {} has {open} roles to play ({}{chance}), and {} players were given: repeat --player",
                rules.name,
                names.join(", "),
                args.players.len()
            )));
        }
        if let Some(folder) = &args.output {
            fs::create_dir_all(folder).map_err(|e| unwritable(folder, &e))?;
        }
        Ok(Series { args, game: rules.name.clone(), digest: rules_digest(rules), roles, open })
    }

    /// The player of every role; none is the program itself. Players move on by one seat a match.
    pub fn seats(&self, number: usize) -> Vec<Option<usize>> {
        let shift = if self.args.no_swap { 0 } else { number };
        let mut seat = 0;
        let each = self.roles.iter().map(|role| {
            if is_chance(role) {
                return None;
            }
            seat += 1;
            Some((seat - 1 + shift) % self.open)
        });
        each.collect()
    }

    /// The record of a match before it is played.
    pub fn record(&self, number: usize) -> Record {
        let seats = self.seats(number);
        let seated = self.roles.iter().zip(&seats).map(|(role, seat)| {
            let who = seat.map(|p| &self.args.players[p]);
            let player = who.map_or("chance".into(), Who::to_string);
            Seated { role: role.clone(), player, human: who == Some(&Who::Human) }
        });
        let id = match_id(&self.game, number + 1);
        Record {
            token: token(&id, self.args.seed),
            id,
            game: self.game.clone(),
            seats: seated.collect(),
            start_clock: self.args.start_clock.as_secs_f64(),
            play_clock: self.args.play_clock.as_secs_f64(),
            scrambled: self.args.scramble,
            ..Record::default()
        }
    }

    pub fn file(&self, number: usize) -> Option<PathBuf> {
        let name = format!("{}-{}-{:04}.json", self.game, &self.digest[..6], number + 1);
        self.args.output.as_ref().map(|folder| folder.join(name))
    }

    /// The record of a match that has been played before.
    pub fn find(&self, number: usize, session: &Session) -> Result<Option<Record>, Failure> {
        session.budget().check()?;
        let Some(file) = self.file(number).filter(|file| file.exists()) else { return Ok(None) };
        let bad = |why: &str| {
            let file = file.display();
            Failure::input("other-match", format!("{file} {why}; give another folder with -o"))
        };
        let text = fs::read_to_string(&file).map_err(|e| bad(&format!("cannot be read: {e}")))?;
        let found: serde_json::Result<MatchRecord> = serde_json::from_str(&text);
        let found = found.map_err(|e| match e.is_data() {
            true => bad("is not a record of a match"),
            false => bad("is not JSON"),
        })?;
        let found = found.record();
        let planned = self.record(number);
        let same = found.seats == planned.seats
            && found.start_clock == planned.start_clock
            && found.play_clock == planned.play_clock
            && found.scrambled == planned.scrambled;
        if same { Ok(Some(found)) } else { Err(bad("is of a match of other players or clocks")) }
    }

    /// Writes the record and the log beside it. What is there stays.
    pub fn save(&self, number: usize, played: &Record) -> Outcome {
        let Some(file) = self.file(number) else { return Ok(()) };
        let text = serde_json::to_string(&MatchRecord::of(played)).expect("records are plain data");
        let text = text + "\n";
        // The record comes last: where it is, all of the match is.
        write_new(&file.with_extension("txt"), &played.to_string(), true)?;
        write_new(&file, &text, false)
    }
}

/// A file appears with all of its text or not at all.
fn write_new(file: &Path, text: &str, again: bool) -> Outcome {
    if file.exists() && !again {
        return Err(Failure::input("exists", format!("{} exists already", file.display())));
    }
    let part = file.with_extension("part");
    let write = || {
        let mut out = OpenOptions::new().write(true).create(true).truncate(true).open(&part)?;
        out.write_all(text.as_bytes())?;
        fs::rename(&part, file)
    };
    write().map_err(|e| unwritable(file, &e))
}

fn unwritable(file: &Path, error: &std::io::Error) -> Failure {
    Failure::unwritable(file.display(), error)
}

/// A word of 32 letters.
fn token(id: &str, seed: u64) -> String {
    let mixed = id.bytes().fold(seed, |sum, b| sum.wrapping_mul(1_000_003) ^ u64::from(b));
    let mut random = Random::new(mixed);
    (0..32).map(|_| (b'a' + random.below(26) as u8) as char).collect()
}
