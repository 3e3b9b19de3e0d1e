//! The comment of a certificate: who moves, and what is claimed.

use crate::Rejected;
use crate::aiger::{AigerFile, Comment, expect, numbers, wrong};

pub enum CertifiedClaim {
    /// In every state one of these holds.
    Clause(Vec<u32>),
    /// In every state where none of `unless` holds at most one of `lits` does.
    AtMostOne { lits: Vec<u32>, unless: Vec<u32> },
    /// If the first holds before a step the second holds after it.
    Leads(u32, u32),
    /// Exactly one of these holds, and none comes back once it is left: so every match ends.
    Counter(Vec<u32>),
    /// The first of these sums of weights that a step changes falls: so every match ends.
    Falls(Vec<Vec<(i64, u32)>>),
    /// After so many steps every match is over, as three-valued simulation shows.
    Within(usize),
}

pub struct Claims {
    pub game: String,
    /// Steps of the induction.
    pub steps: usize,
    /// The inputs of every role.
    pub roles: Vec<std::ops::Range<usize>>,
    /// With the lines where they stand.
    pub list: Vec<(usize, CertifiedClaim)>,
}

/// More would be no proof but a search.
const MOST_STEPS: usize = 64;

impl Claims {
    pub fn read(circuit: &AigerFile, comment: &Comment) -> Result<Claims, Rejected> {
        let mut claims = Claims { game: String::new(), steps: 1, roles: vec![], list: vec![] };
        let first = comment.first().copied().unwrap_or((1, ""));
        expect(first.0, first.1 == "ludex certificate 1", "`ludex certificate 1` stands here")?;
        for (at, line) in &comment[1..] {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "game" => claims.game = rest.into(),
                "steps" => {
                    let [steps] = numbers(*at, rest)?;
                    claims.steps = steps as usize;
                    let fits = (1..=MOST_STEPS).contains(&claims.steps);
                    expect(*at, fits, "an induction has 1 to 64 steps")?;
                }
                "role" => {
                    let [from, to] = numbers(*at, rest)?;
                    let start = claims.roles.last().map_or(0, |r| r.end);
                    let fits =
                        from as usize == start && from <= to && to as usize <= circuit.inputs;
                    expect(*at, fits, "roles have the inputs one after the other")?;
                    claims.roles.push(from as usize..to as usize);
                }
                _ => {
                    let claim = CertifiedClaim::read(*at, word, rest)?;
                    let has = claim.lits().into_iter().all(|lit| circuit.has(lit));
                    expect(*at, has, "a literal above the largest variable")?;
                    claims.list.push((*at, claim));
                }
            }
        }
        let all = claims.roles.last().map_or(0, |r| r.end) == circuit.inputs;
        expect(first.0, all, "every input is a move of a role")?;
        let outputs = circuit.outputs.len() > circuit.inputs;
        expect(1, outputs, "the outputs are the end, and for every input whether it is legal")?;
        Ok(claims)
    }
}

impl CertifiedClaim {
    fn read(at: usize, word: &str, rest: &str) -> Result<CertifiedClaim, Rejected> {
        Ok(match word {
            "clause" => CertifiedClaim::Clause(lits(at, rest)?),
            "at-most-one" => {
                let (lits_of, unless) = rest.split_once("unless").unwrap_or((rest, ""));
                CertifiedClaim::AtMostOne { lits: lits(at, lits_of)?, unless: lits(at, unless)? }
            }
            "stays" => {
                let [lit] = numbers(at, rest)?;
                CertifiedClaim::Leads(lit, lit)
            }
            "leads" => {
                let [before, after] = numbers(at, rest)?;
                CertifiedClaim::Leads(before, after)
            }
            "counter" => CertifiedClaim::Counter(lits(at, rest)?),
            "falls" => CertifiedClaim::Falls(
                rest.split("then").map(|s| sum(at, s)).collect::<Result<_, _>>()?,
            ),
            "within" => {
                let [steps] = numbers(at, rest)?;
                CertifiedClaim::Within(steps as usize)
            }
            _ => return Err(wrong(at, &format!("there is no claim `{word}`"))),
        })
    }

    fn lits(&self) -> Vec<u32> {
        match self {
            CertifiedClaim::Clause(lits) | CertifiedClaim::Counter(lits) => lits.clone(),
            CertifiedClaim::AtMostOne { lits, unless } => [&lits[..], unless].concat(),
            CertifiedClaim::Leads(before, after) => vec![*before, *after],
            CertifiedClaim::Falls(sums) => sums.iter().flatten().map(|(_, lit)| *lit).collect(),
            CertifiedClaim::Within(_) => vec![],
        }
    }
}

fn lits(at: usize, text: &str) -> Result<Vec<u32>, Rejected> {
    let all = text.split_whitespace().map(str::parse);
    all.collect::<Result<_, _>>().map_err(|_| wrong(at, "a literal is missing"))
}

/// Weights, each before its literal.
fn sum(at: usize, text: &str) -> Result<Vec<(i64, u32)>, Rejected> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pair = |pair: &[&str]| Some((pair.first()?.parse().ok()?, pair.get(1)?.parse().ok()?));
    let pairs = words.chunks(2).map(pair).collect::<Option<_>>();
    pairs.ok_or(wrong(at, "weights stand before their literals"))
}
