//! A block -> `Net`: each factor as a game of its own, with the maps from the whole game's moves.
//!
//! The moves of a factor are the parts that the whole game's moves are to it: moves that are the same to it in
//! every phase become one, named by what they have in common. A part that leaves the factor alone is a
//! move, too: to play elsewhere.

use super::Analysis;
use super::aims::{self, project};
use super::blocks::{BaseBlocks, support};
use super::goals::Aims;
use super::kind::chooses;
use super::worth::{FactorWorth, Ranked};
use crate::fluents::parts as words;
use ludex_net::circuit::Circuit;
use ludex_net::fold::{constant, copy, through};
use ludex_net::{Base, Input, Lit, Net};
use rustc_hash::FxHashMap;

/// A factor: part of the whole game, and a game.
#[derive(Clone)]
pub struct Factor {
    /// Bases of the whole net that belong to this factor alone.
    pub bases: Vec<usize>,
    /// Does any goal or the end depend on it?
    pub relevant: bool,
    /// The factor with the shared bases as a game.
    pub net: Net,
    /// For every base of the factor's net its number in the whole net.
    pub whole_bases: Vec<usize>,
    /// For every input of the whole net its part in this factor; none where it is never legal.
    pub part_of: Vec<Option<usize>>,
    /// Inputs of the factor's net that leave it alone.
    pub elsewhere: Vec<bool>,
}

/// Moves of a role that are the same to a factor.
struct Class {
    role: usize,
    name: String,
    members: Vec<usize>,
    elsewhere: bool,
}

/// A block cut out of the net, before it has an end and goals.
pub struct CutOut {
    bases: Vec<usize>,
    /// Its bases and the shared ones.
    kept: Vec<usize>,
    classes: Vec<Class>,
    leaves: Vec<Lit>,
    legal: Vec<Lit>,
    /// What the gates of the whole net are in the circuit, others' bases being as they are at first.
    pub became: Vec<Lit>,
    pub circuit: Circuit,
}

impl CutOut {
    /// The game without the shared bases that nothing in it reads, and what bases it has.
    fn net(
        self,
        net: &Net,
        name: String,
        terminal: Lit,
        goals: Vec<Vec<(i32, Lit)>>,
    ) -> (Net, Vec<usize>) {
        let input = |(c, legal): (&Class, Lit)| Input { role: c.role, name: c.name.clone(), legal };
        let base = |b: &usize| Base {
            next: through(&self.became, net.bases[*b].next),
            ..net.bases[*b].clone()
        };
        let mut game = Net {
            name,
            roles: net.roles.clone(),
            bases: self.kept.iter().map(base).collect(),
            inputs: self.classes.iter().zip(self.legal).map(input).collect(),
            terminal,
            goals,
            components: self.circuit.components,
            gates: self.circuit.gates,
        };
        game.sweep_dead();
        needed(game, self.kept, &self.bases)
    }
}

impl Analysis {
    /// `listed`: which outcomes of which blocks are over, where that is not to be read from the end itself.
    pub fn game(
        &mut self,
        net: &Net,
        root: usize,
        number: usize,
        aims: &Aims,
        listed: Option<&FactorWorth>,
    ) -> Factor {
        let mut cut = self.cut_out(net, root);
        let (circuit, became) = (&mut cut.circuit, &cut.became);
        let own = listed.and_then(|ends| ends.ranks.iter().find(|ranked| ranked.0 == root));
        let terminal = match own {
            Some(ranked) => Some(over(ranked, circuit, became)),
            None => project(net, net.terminal, root, &mut self.blocks, circuit, became),
        };
        let goals = aims.goals_of(net, root, &mut self.blocks, circuit, &cut.leaves, became);
        let mut part_of = vec![None; net.inputs.len()];
        for (i, class) in cut.classes.iter().enumerate() {
            class.members.iter().for_each(|m| part_of[*m] = Some(i));
        }
        let elsewhere = cut.classes.iter().map(|c| c.elsewhere).collect();
        let relevant = super::kind::relevant(net, &mut self.blocks).contains(&root);
        let (bases, name) = (cut.bases.clone(), format!("{} {}", net.name, number));
        let (net, whole_bases) = cut.net(net, name, terminal.unwrap_or(Lit::FALSE), goals);
        Factor { bases, relevant, net, whole_bases, part_of, elsewhere }
    }

    /// A block as a game that goes on until the whole is sure to be over. The goals of its first role
    /// are conditions of the whole, by number.
    pub fn probe(&mut self, net: &Net, root: usize, gates: &[usize]) -> Net {
        let mut cut = self.cut_out(net, root);
        let conditions = gates.iter().map(|g| cut.became[*g]).enumerate();
        let mut goals = vec![vec![]; net.roles.len()];
        goals[0] = conditions.map(|(i, lit)| (i as i32, lit)).collect();
        let over = aims::sure(net, net.terminal, root, &mut self.blocks, &mut cut);
        cut.net(net, net.name.clone(), over, goals).0
    }

    /// The bases of the whole that matter in a block.
    pub(crate) fn probe_reads(&mut self, net: &Net, root: usize) -> Vec<usize> {
        let mut cut = self.cut_out(net, root);
        let over =
            project(net, net.terminal, root, &mut self.blocks, &mut cut.circuit, &cut.became);
        cut.net(net, net.name.clone(), over.unwrap_or(Lit::FALSE), vec![vec![]; net.roles.len()]).1
    }

    /// The physics of a block and the legality of its moves.
    fn cut_out(&mut self, net: &Net, root: usize) -> CutOut {
        let own =
            |b: &usize, blocks: &mut BaseBlocks| !blocks.is_shared(*b) && blocks.find(*b) == root;
        let bases: Vec<usize> = (0..net.bases.len()).filter(|b| own(b, &mut self.blocks)).collect();
        let kept: Vec<usize> = (0..net.bases.len())
            .filter(|b| self.blocks.is_shared(*b) || bases.binary_search(b).is_ok())
            .collect();
        let classes = self.classes(net, root);
        let moves = |r| classes.iter().filter(|c| c.role == r).count();
        let moves: Vec<usize> = (0..net.roles.len()).map(moves).collect();
        let mut circuit = Circuit::new(kept.len(), &moves);
        // What the leaves of the whole net are here: only one move of a class is ever made.
        let mut leaves: Vec<Lit> = vec![Lit::FALSE; 1 + net.bases.len() + net.inputs.len()];
        for (b, base) in net.bases.iter().enumerate() {
            leaves[1 + b] = match kept.binary_search(&b) {
                Ok(new) => Lit::new(1 + new, false),
                Err(_) => constant(base.initial),
            };
        }
        for (i, class) in classes.iter().enumerate() {
            leaves[1 + net.bases.len() + class.members[0]] = Lit::new(1 + kept.len() + i, false);
        }
        let (cut, first) = (self.cut, self.first);
        let given = |g: usize| match cut {
            Some(cut) if cut.gate() == g && first != Some(root) => Some(constant(!cut.negated())),
            _ => leaves.get(g).copied(),
        };
        let became = copy(net, &mut circuit, given);
        let legal = self.legal(root, &classes, &leaves, &became, &mut circuit);
        CutOut { bases, kept, classes, leaves, became, legal, circuit }
    }

    /// The classes of moves, by role and name.
    fn classes(&self, net: &Net, root: usize) -> Vec<Class> {
        let mut keys: Vec<Vec<(u32, u32)>> = vec![vec![]; net.inputs.len()];
        for parts in &self.parts {
            let mut part: FxHashMap<usize, (u32, u32)> = FxHashMap::default();
            let mut times: FxHashMap<&[Lit], u32> = FxHashMap::default();
            for ((input, row), time) in parts.inputs.iter().zip(&parts.rows).zip(&parts.times) {
                let own = row.iter().find(|e| e.0 == root).map_or(0, |e| e.1);
                let next = times.len() as u32;
                part.insert(*input, (own, *times.entry(time).or_insert(next)));
            }
            for i in net.inputs_of(parts.role) {
                keys[i].push(part.get(&i).copied().unwrap_or((NEVER, 0)));
            }
        }
        let mut members: FxHashMap<ClassKey, Vec<usize>> = FxHashMap::default();
        for (i, key) in keys.iter().enumerate().filter(|(_, k)| k.iter().any(|p| p.0 != NEVER)) {
            members.entry((net.inputs[i].role, key)).or_default().push(i);
        }
        let classes = members.into_iter().map(|(key, members)| class(net, key, members)).collect();
        let one_by_one = net.roles.len() == 1 || self.cut.is_some();
        let by_choice = one_by_one || self.parts.iter().any(chooses);
        let mut classes = if by_choice { plain(classes) } else { absorbed(classes) };
        classes.sort_by(|a, b| (a.role, a.members[0]).cmp(&(b.role, b.members[0])));
        unique_names(net, &mut classes);
        classes.sort_by(|a, b| (a.role, &a.name).cmp(&(b.role, &b.name)));
        classes
    }

    /// A part is legal in a phase if its conditions in this factor hold.
    fn legal(
        &mut self,
        root: usize,
        classes: &[Class],
        leaves: &[Lit],
        became: &[Lit],
        circuit: &mut Circuit,
    ) -> Vec<Lit> {
        let mut legal = vec![Lit::FALSE; classes.len()];
        for p in 0..self.phases.len() {
            let phase = &self.phases[p];
            let mut guard: Vec<Lit> = phase
                .known
                .iter()
                .map(|(b, holds)| if *holds { leaves[1 + b] } else { !leaves[1 + b] })
                .collect();
            if let Some(cut) = self.cut {
                let after = self.is_after(p);
                if (self.first == Some(root)) == after {
                    continue;
                }
                guard.extend((!after).then(|| !through(became, cut)));
            }
            let guard = circuit.and_all(guard);
            let here = copy(&phase.net, circuit, |g| leaves.get(g).copied());
            for (c, class) in classes.iter().enumerate() {
                let lit = phase.net.inputs[class.members[0]].legal;
                if lit == Lit::FALSE {
                    continue;
                }
                let mut all = vec![guard];
                for part in phase.net.conjuncts(lit) {
                    let on = support(&phase.net.gates, part);
                    let on = on.into_iter().find(|b| !self.blocks.is_shared(*b));
                    if on.is_none_or(|b| self.blocks.find(b) == root) {
                        all.push(through(&here, part));
                    }
                }
                let all = circuit.and_all(all);
                legal[c] = circuit.or(legal[c], all);
            }
        }
        legal
    }
}

/// That a block has an outcome with which it is over.
fn over((_, gates, ranks): &Ranked, circuit: &mut Circuit, became: &[Lit]) -> Lit {
    let mut ends: Vec<&Vec<bool>> =
        ranks.iter().filter(|(_, rank)| **rank > 0).map(|(outcome, _)| outcome).collect();
    ends.sort();
    let lit = |(g, holds): (&usize, &bool)| through(became, Lit::new(*g, !holds));
    let mut all = Vec::new();
    for outcome in ends {
        let lits = gates.iter().zip(outcome).map(lit).collect();
        all.push(circuit.and_all(lits));
    }
    circuit.or_all(all)
}

/// A role, and per phase what a move is to a block there, and when.
type ClassKey<'k> = (usize, &'k [(u32, u32)]);
/// In a phase in which a move is not possible.
const NEVER: u32 = u32::MAX;

fn class<'k>(
    net: &Net,
    (role, key): ClassKey<'k>,
    members: Vec<usize>,
) -> (&'k [(u32, u32)], Class) {
    let elsewhere = key.iter().all(|part| part.0 == 0 || part.0 == NEVER);
    (key, Class { role, name: name(net, &members), members, elsewhere })
}

fn plain(classes: Vec<(&[(u32, u32)], Class)>) -> Vec<Class> {
    classes.into_iter().map(|(_, class)| class).collect()
}

/// Moves that are the same as others wherever they are possible at all go with those: who can only do one thing
/// in a factor has no choice there.
fn absorbed(mut classes: Vec<(&[(u32, u32)], Class)>) -> Vec<Class> {
    let never = |key: &[(u32, u32)]| key.iter().filter(|part| part.0 == NEVER).count();
    classes.sort_by_key(|(key, class)| (never(key), class.members[0]));
    let covers =
        |a: &[(u32, u32)], b: &[(u32, u32)]| a.iter().zip(b).all(|(a, b)| b.0 == NEVER || a == b);
    let mut kept: Vec<(&[(u32, u32)], Class)> = Vec::new();
    for (key, class) in classes {
        match kept.iter_mut().find(|(k, c)| c.role == class.role && covers(k, key)) {
            Some((_, all)) => all.members.extend(class.members),
            None => kept.push((key, class)),
        }
    }
    plain(kept)
}

/// What moves have in common: arguments that differ become `*`; moves of different forms stand side
/// by side.
fn name(net: &Net, members: &[usize]) -> String {
    let all: Vec<(String, Vec<String>)> =
        members.iter().map(|i| words(&net.inputs[*i].name)).collect();
    if let [only] = members {
        return net.inputs[*only].name.clone();
    }
    if all.iter().all(|w| w.0 == all[0].0 && w.1.len() == all[0].1.len() && !w.1.is_empty()) {
        let arg = |a: usize| match all.iter().all(|w| w.1[a] == all[0].1[a]) {
            true => all[0].1[a].clone(),
            false => "*".into(),
        };
        let args: Vec<String> = (0..all[0].1.len()).map(arg).collect();
        return format!("({} {})", all[0].0, args.join(" "));
    }
    let names: Vec<&str> = members.iter().map(|i| net.inputs[*i].name.as_str()).collect();
    match names.len() {
        0..=6 => names.join("|"),
        n => format!("{}|… {n} moves", names[..3].join("|")),
    }
}

/// Classes of a role that would have one name are named by all their members.
fn unique_names(net: &Net, classes: &mut [Class]) {
    let mut count: FxHashMap<(usize, String), usize> = FxHashMap::default();
    for class in classes.iter() {
        *count.entry((class.role, class.name.clone())).or_default() += 1;
    }
    for class in classes.iter_mut().filter(|c| count[&(c.role, c.name.clone())] > 1) {
        let names: Vec<&str> = class.members.iter().map(|i| net.inputs[*i].name.as_str()).collect();
        class.name = names.join("|");
    }
}

/// The game without the shared bases that nothing in it reads.
fn needed(game: Net, kept: Vec<usize>, own: &[usize]) -> (Net, Vec<usize>) {
    let outputs = game.inputs.iter().map(|i| i.legal).chain([game.terminal]);
    let outputs = outputs.chain(game.goals.iter().flatten().map(|g| g.1));
    let mut open: Vec<usize> = outputs.flat_map(|l| support(&game.gates, l)).collect();
    open.extend((0..kept.len()).filter(|b| own.binary_search(&kept[*b]).is_ok()));
    let mut read = vec![false; kept.len()];
    while let Some(b) = open.pop() {
        if !std::mem::replace(&mut read[b], true) {
            open.extend(support(&game.gates, game.bases[b].next));
        }
    }
    let known: Vec<Option<bool>> =
        (0..kept.len()).map(|b| (!read[b]).then_some(game.bases[b].initial)).collect();
    let folded = game.fold(&known, &vec![None; game.inputs.len()]);
    (folded.net, folded.bases.into_iter().map(|b| kept[b]).collect())
}
