//! MoveSums over moves -> products: one move is made, so what it brings to each of many places is one value.
//!
//! "The piece on the square that the move comes from stands on the square that it goes to" is a sum over the
//! moves, for every square and every piece. But whatever the square, the piece that comes is the one that the
//! move takes along: a sum over the squares that moves come from, once for each piece. Each place has that
//! value where the move goes to it.

use super::*;
use ludex_gdl::digraph::components;

/// A product in the sum of a place: some moves of a choice, and the number of the condition.
struct Brought {
    place: usize,
    moves: Lit,
    condition: usize,
}

/// The sum of a place, and what is left of it.
struct PlaceSum {
    gate: usize,
    left: Vec<Vec<Lit>>,
    values: Vec<Lit>,
}

#[derive(Default)]
struct MoveSums {
    places: Vec<PlaceSum>,
    brought: Vec<Brought>,
    conditions: Vec<(u32, Vec<Lit>)>,
    numbers: FxHashMap<(u32, Vec<Lit>), usize>,
}

impl Import<'_> {
    /// Makes those of the sums that have conditions of moves in common.
    pub fn select(
        &mut self,
        graph: &mut SlicedGraph,
        roots: &[Lit],
        slots: &mut dyn FnMut() -> WordSlot,
    ) {
        let mut sums = MoveSums::default();
        for root in roots.iter().filter(|root| !root.negated()) {
            let (gate, known) = (root.gate(), self.lits[root.gate()].is_some());
            if !known && matches!(self.net.gates[gate], Gate::Or(..)) {
                let terms = self.terms(gate, DEEP);
                for lit in terms.iter().flatten() {
                    self.lit(graph, *lit, slots);
                }
                let map = |term: Vec<Lit>| term.into_iter().map(|lit| self.map(lit)).collect();
                sums.add(graph, gate, terms.into_iter().map(map).collect());
            }
        }
        for class in sums.classes() {
            sums.bring(graph, class);
        }
        for PlaceSum { gate, left, values } in
            sums.places.into_iter().filter(|p| !p.values.is_empty())
        {
            let rest = self.factored(graph, left);
            let lit = values.into_iter().fold(rest, |all, value| graph.or(all, value));
            self.lits[gate] = Some(lit);
            *self.fanout_of_node.entry(lit.gate()).or_default() += self.fanout[gate];
        }
    }
}

impl MoveSums {
    fn add(&mut self, graph: &SlicedGraph, gate: usize, terms: Vec<Vec<Lit>>) {
        let place = self.places.len();
        self.places.push(PlaceSum { gate, left: Vec::new(), values: Vec::new() });
        for mut term in terms.into_iter().filter(|term| !term.contains(&Lit::FALSE)) {
            term.retain(|lit| *lit != Lit::TRUE);
            term.sort_unstable();
            term.dedup();
            let mut of_choice = (0..term.len()).filter(|i| graph.choice_of(term[*i]).is_some());
            match (of_choice.next(), of_choice.next()) {
                (Some(at), None) if term.len() > 1 => {
                    let moves = term.remove(at);
                    let key = (graph.choice_of(moves).expect("just seen"), term);
                    let next = self.conditions.len();
                    let condition = *self.numbers.entry(key.clone()).or_insert(next);
                    if condition == next {
                        self.conditions.push(key);
                    }
                    self.brought.push(Brought { place, moves, condition });
                }
                _ => self.places[place].left.push(term),
            }
        }
    }

    /// Products whose sums have conditions in common. What roles choose side by side is apart: of two moves one may
    /// go to a place, and the other bring something elsewhere.
    fn classes(&mut self) -> Vec<Vec<Brought>> {
        let choices = self.conditions.iter().map(|c| c.0 as usize + 1).max().unwrap_or_default();
        let places = self.places.len() * choices;
        let choice_of: Vec<usize> = self.conditions.iter().map(|c| c.0 as usize).collect();
        let node = |b: &Brought| b.place * choices + choice_of[b.condition];
        let mut edges = vec![Vec::new(); places + self.conditions.len()];
        for brought in &self.brought {
            edges[node(brought)].push((places + brought.condition) as u32);
            edges[places + brought.condition].push(node(brought) as u32);
        }
        let groups = components(edges.len(), |node| &edges[node as usize]);
        let mut classes: Vec<Vec<Brought>> = Vec::new();
        let mut class_of = vec![0; edges.len()];
        for group in groups.iter() {
            group.iter().for_each(|node| class_of[*node as usize] = classes.len());
            classes.push(Vec::new());
        }
        for brought in std::mem::take(&mut self.brought) {
            classes[class_of[node(&brought)]].push(brought);
        }
        classes.retain(|class| !class.is_empty());
        classes
    }

    /// Gives the places of a class their value, where that is less work; other products stay in their sums.
    fn bring(&mut self, graph: &mut SlicedGraph, class: Vec<Brought>) {
        let (mut one, other) = one_condition(graph, class);
        other.into_iter().for_each(|brought| self.leave(brought));
        let before = graph.nodes.len();
        let any = |graph: &mut SlicedGraph, some: &[Brought]| {
            graph.any(&some.iter().map(|brought| brought.moves).collect::<Vec<_>>())
        };
        one.sort_by_key(|brought| brought.condition);
        let mut value = Lit::FALSE;
        for some in one.chunk_by(|a, b| a.condition == b.condition) {
            let moves = any(graph, some);
            let condition = self.conditions[some[0].condition].1.iter();
            let all = condition.fold(moves, |all, lit| graph.and(all, *lit));
            value = graph.or(value, all);
        }
        one.sort_by_key(|brought| brought.place);
        let mut brings = |some: &[Brought]| (some[0].place, any(graph, some));
        let places: Vec<(usize, Lit)> =
            one.chunk_by(|a, b| a.place == b.place).map(&mut brings).collect();
        // A product in a sum takes two nodes.
        if 4 * (graph.nodes.len() - before + places.len()) > 6 * one.len() {
            return one.into_iter().for_each(|brought| self.leave(brought));
        }
        for (place, here) in places {
            self.places[place].values.push(graph.and(here, value));
        }
    }

    fn leave(&mut self, Brought { place, moves, condition }: Brought) {
        let mut term = self.conditions[condition].1.clone();
        term.push(moves);
        self.places[place].left.push(term);
    }
}

/// The products of which no move has two conditions, and the others: those of few moves first.
fn one_condition(graph: &SlicedGraph, mut class: Vec<Brought>) -> (Vec<Brought>, Vec<Brought>) {
    let mut condition_of: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    class.sort_by_key(|brought| graph.moves_of(brought.moves).1.len());
    class.into_iter().partition(|brought| {
        let (choice, moves) = graph.moves_of(brought.moves);
        let moves = || moves.iter().map(|m| (choice, *m));
        let free = moves()
            .all(|key| condition_of.get(&key).is_none_or(|other| *other == brought.condition));
        if free {
            condition_of.extend(moves().map(|key| (key, brought.condition)));
        }
        free
    })
}
