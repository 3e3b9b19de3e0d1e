//! `Certificate`: what is proved of a game, written so that somebody else can check it.
//!
//! It is a text in the format AIGER (`aag`): the net as and-gates, its facts as latches, its moves as inputs, and
//! `terminal`, `legal` and `goal` as outputs. The comment at its end has the claims, over literals of that file.
//! Claims about states are inductive all together: they hold at first, and where all of them hold in so
//! many states one after the other they hold in the next. A step leads from a state that is not terminal by one legal
//! move for each role. `docs/certificates.md` has the whole format; the crate `ludex-checker` reads it.

use crate::invariants::{Invariant, InvariantKind, Invariants, Ranking};
use crate::lemmas::Author;
use crate::prove::Verdict;
use ludex_net::{Gate, Lit, Net};
use std::fmt::Write;

/// A certificate of the facts that are proved of a game.
pub struct Certificate {
    pub text: String,
    /// Proved facts that it has, and those that cannot be said in it.
    pub facts: usize,
    pub left_out: usize,
}

/// Pairs of facts of one claim, and combinations of goals.
const MOST_CLAUSES: usize = 20_000;

impl Certificate {
    /// None where the net has loops, for which the format has no word.
    pub fn of(found: &Invariants) -> Option<Certificate> {
        let net = &found.net;
        let circuit = Aiger::of(net)?;
        let mut certificate = Certificate { text: String::new(), facts: 0, left_out: 0 };
        let (mut claims, mut steps) = (Vec::new(), 1);
        for invariant in &found.found {
            let Verdict::Proved { k, .. } = invariant.verdict else { continue };
            match circuit.claims(found, invariant) {
                Some(of_it) => {
                    claims.extend(of_it);
                    steps = steps.max(k);
                    certificate.facts += 1;
                }
                None => certificate.left_out += 1,
            }
        }
        certificate.text = circuit.text(net, steps, &claims);
        Some(certificate)
    }
}

/// The net over literals of AIGER: twice the variable, plus one where negated.
struct Aiger {
    /// By gate of the net.
    lits: Vec<u32>,
    /// And-gates: their literal and two operands.
    ands: Vec<[u32; 3]>,
}

impl Aiger {
    fn of(net: &Net) -> Option<Aiger> {
        let (inputs, bases) = (net.inputs.len() as u32, net.bases.len() as u32);
        let mut circuit = Aiger { lits: Vec::with_capacity(net.gates.len()), ands: vec![] };
        for gate in &net.gates {
            let lit = match gate {
                Gate::False => 0,
                Gate::Input(i) => 2 * (1 + *i),
                Gate::Base(b) => 2 * (1 + inputs + *b),
                Gate::And(a, b) => circuit.and(inputs + bases, circuit.lit(*a), circuit.lit(*b)),
                Gate::Or(a, b) => {
                    circuit.and(inputs + bases, circuit.lit(!*a), circuit.lit(!*b)) ^ 1
                }
                Gate::LoopAnd(..) | Gate::LoopOr(..) => return None,
            };
            circuit.lits.push(lit);
        }
        Some(circuit)
    }

    fn and(&mut self, leaves: u32, a: u32, b: u32) -> u32 {
        let lit = 2 * (1 + leaves + self.ands.len() as u32);
        self.ands.push([lit, a.max(b), a.min(b)]);
        lit
    }

    fn lit(&self, lit: Lit) -> u32 {
        self.lits[lit.gate()] ^ lit.negated() as u32
    }

    fn base(&self, net: &Net, base: usize) -> u32 {
        self.lit(net.base_lit(base))
    }

    /// The whole text.
    fn text(&self, net: &Net, steps: usize, claims: &[String]) -> String {
        let goals: usize = net.goals.iter().map(Vec::len).sum();
        let outputs = 1 + net.inputs.len() + goals;
        let (inputs, latches, ands) = (net.inputs.len(), net.bases.len(), self.ands.len());
        let mut text =
            format!("aag {} {inputs} {latches} {outputs} {ands}\n", inputs + latches + ands);
        let mut line = |of: String| text.push_str(&(of + "\n"));
        (0..inputs).for_each(|i| line((2 * (1 + i)).to_string()));
        for (b, base) in net.bases.iter().enumerate() {
            let (own, next) = (self.base(net, b), self.lit(base.next));
            line(format!("{own} {next} {}", base.initial as u8));
        }
        line(self.lit(net.terminal).to_string());
        net.inputs.iter().for_each(|i| line(self.lit(i.legal).to_string()));
        net.goals.iter().flatten().for_each(|g| line(self.lit(g.1).to_string()));
        self.ands.iter().for_each(|[lit, a, b]| line(format!("{lit} {a} {b}")));
        let role = |r: usize| &net.roles[r];
        for (i, input) in net.inputs.iter().enumerate() {
            line(format!("i{i} {} {}", role(input.role), input.name));
        }
        net.bases.iter().enumerate().for_each(|(b, base)| line(format!("l{b} {}", base.name)));
        line("o0 terminal".into());
        for (i, input) in net.inputs.iter().enumerate() {
            line(format!("o{} legal {} {}", 1 + i, role(input.role), input.name));
        }
        let all = net.goals.iter().enumerate().flat_map(|(r, g)| g.iter().map(move |g| (r, g.0)));
        for (n, (r, value)) in all.enumerate() {
            line(format!("o{} goal {} {value}", 1 + inputs + n, role(r)));
        }
        line(format!("c\nludex certificate 1\ngame {}\nsteps {steps}", net.name));
        for r in 0..net.roles.len() {
            let own = net.inputs_of(r);
            line(format!("role {} {}", own.start, own.end));
        }
        claims.iter().for_each(|claim| line(claim.clone()));
        text
    }

    /// What an invariant says, as claims; none where there is no claim that says it.
    fn claims(&self, found: &Invariants, invariant: &Invariant) -> Option<Vec<String>> {
        let (net, about) = (&*found.net, &invariant.about);
        let facts = |bases: &[usize]| bases.iter().map(|b| self.base(net, *b)).collect::<Vec<_>>();
        let not = |lits: Vec<u32>| lits.into_iter().map(|l| l ^ 1).collect::<Vec<_>>();
        let legal = |role: usize| -> Vec<u32> {
            net.inputs_of(role).map(|i| self.lit(net.inputs[i].legal)).collect()
        };
        let over = self.lit(net.terminal);
        Some(match invariant.kind {
            InvariantKind::AtMostOne => vec![at_most_one(&facts(about), &[])],
            InvariantKind::AtLeastOne | InvariantKind::SomeOf | InvariantKind::AlwaysTrue => {
                vec![clause(&facts(about))]
            }
            InvariantKind::ExactlyOne => {
                vec![at_most_one(&facts(about), &[]), clause(&facts(about))]
            }
            InvariantKind::AlwaysFalse => vec![clause(&not(facts(about)))],
            InvariantKind::Equivalent => {
                let [a, b] = [about[0], about[1]].map(|b| self.base(net, b));
                vec![clause(&[a ^ 1, b]), clause(&[a, b ^ 1])]
            }
            InvariantKind::Implies => {
                vec![clause(&[self.base(net, about[0]) ^ 1, self.base(net, about[1])])]
            }
            InvariantKind::OnlyWith(count) => {
                let (of, other) = about.split_at(count);
                let other = facts(other);
                let only = |b: u32| clause(&[&[b ^ 1], &other[..]].concat());
                facts(of).into_iter().map(only).collect()
            }
            InvariantKind::NeverWith(count) => {
                let (of, other) = about.split_at(count);
                let (of, other) = (facts(of), facts(other));
                let pairs = of.iter().flat_map(|a| other.iter().map(move |b| [a ^ 1, b ^ 1]));
                let few = of.len() * other.len() <= MOST_CLAUSES;
                few.then(|| pairs.map(|pair| clause(&pair)).collect())?
            }
            InvariantKind::Persistent => vec![format!("stays {}", self.base(net, about[0]))],
            InvariantKind::NeverReturns => vec![format!("stays {}", self.base(net, about[0]) ^ 1)],
            InvariantKind::Turn => vec![at_most_one(&legal(about[0]), &facts(&about[1..]))],
            InvariantKind::Alternation => {
                let order = facts(about);
                let next = order.iter().cycle().skip(1);
                order.iter().zip(next).map(|(a, b)| format!("leads {a} {b}")).collect()
            }
            InvariantKind::Mobility => vec![clause(&[&[over], &legal(about[0])[..]].concat())],
            InvariantKind::OneGoal => {
                let goals: Vec<u32> = net.goals[about[0]].iter().map(|g| self.lit(g.1)).collect();
                let some = clause(&[&[over ^ 1], &goals[..]].concat());
                vec![some, at_most_one(&goals, &[over ^ 1])]
            }
            InvariantKind::ConstantSum(sum) => self.sum(net, sum)?,
            InvariantKind::Termination(steps) if invariant.by == Author::Structure => {
                vec![format!("within {steps}")]
            }
            InvariantKind::Termination(_) => match &found.ranking {
                // It takes several steps, for which there is no claim.
                _ if invariant.verdict.k() > 1 => return None,
                Some(ranking) => vec![self.ranking(net, ranking)],
                None if found.proved_groups().any(|(g, one)| one && g.bases == *about) => {
                    vec![format!("counter {}", list(&facts(about)))]
                }
                None => vec![self.ranking(net, &changing_once(found, about))],
            },
        })
    }

    /// No combination of goals adds up to another number.
    fn sum(&self, net: &Net, sum: i32) -> Option<Vec<String>> {
        let mut rows: Vec<(i32, Vec<u32>)> = vec![(0, vec![self.lit(net.terminal) ^ 1])];
        for goals in &net.goals {
            let with = |(value, lits): &(i32, Vec<u32>)| -> Vec<(i32, Vec<u32>)> {
                let more = |g: &(i32, Lit)| (value + g.0, [&lits[..], &[self.lit(!g.1)]].concat());
                goals.iter().map(more).collect()
            };
            rows = rows.iter().flat_map(with).collect();
            if rows.len() > MOST_CLAUSES {
                return None;
            }
        }
        Some(rows.iter().filter(|row| row.0 != sum).map(|row| clause(&row.1)).collect())
    }

    fn ranking(&self, net: &Net, ranking: &Ranking) -> String {
        let mut text = String::from("falls");
        for (n, sum) in ranking.sums.iter().enumerate() {
            text.push_str(if n > 0 { " then" } else { "" });
            for (base, weight) in sum {
                write!(text, " {weight} {}", self.base(net, *base)).expect("texts take all");
            }
        }
        text
    }
}

/// Facts that change only once, and of which one always does, as weights: their sum falls.
fn changing_once(found: &Invariants, about: &[usize]) -> Ranking {
    let weight = |b: &usize| {
        let stays = found.proved(InvariantKind::Persistent, &[*b]);
        (*b, if stays { -1 } else { 1 })
    };
    Ranking { sums: vec![about.iter().map(weight).collect()], steps: 1 }
}

fn list(lits: &[u32]) -> String {
    lits.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}

fn clause(lits: &[u32]) -> String {
    format!("clause {}", list(lits))
}

fn at_most_one(lits: &[u32], unless: &[u32]) -> String {
    let unless =
        if unless.is_empty() { String::new() } else { format!(" unless {}", list(unless)) };
    format!("at-most-one {}{unless}", list(lits))
}
