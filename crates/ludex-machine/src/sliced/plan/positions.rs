//! Circuits for many positions: what is asked of them, and the steps of moves that are given.
//!
//! The lanes of a question are positions, those of a step are pairs of a position and a joint move, so
//! the two are passes of their own that share nothing. A move is one true slot among those of its role.

use super::*;
use crate::sliced::choice::Picks;

impl PlanBuilder<'_> {
    /// `End` and `Count` in one pass, `Next` in another; `Goals` with the first, or in a third.
    pub(super) fn positions(&self, slots: &mut Slots, first: u32) -> Result<Phase, Stop> {
        let mut phase = Phase { goals: self.phase, ..Phase::new(self.known()) };
        let blocks = self.question(slots, &mut phase)?;
        let parts = [StepPart::End, StepPart::Count, StepPart::Goals];
        phase.place(blocks, if self.with_goals() { &parts } else { &parts[..2] });
        if !self.with_goals() {
            slots.next = first;
            let blocks = self.after(false, true, slots, &mut phase.goal_bases)?;
            phase.place(blocks, &[StepPart::Goals]);
        }
        slots.next = first;
        let blocks = self.given_step(slots, &phase)?;
        phase.place(blocks, &[StepPart::Next]);
        Ok(phase)
    }

    fn with_goals(&self) -> bool {
        self.purpose == Purpose::Environments
    }

    /// Which lanes are terminal, then which moves are legal, and then the goals, where they belong to it.
    fn question(&self, slots: &mut Slots, phase: &mut Phase) -> Result<CodeBlocks, Stop> {
        let net = self.net;
        let mut graph = SlicedGraph::new();
        let bases = base_lits(&mut graph, self.known());
        let mut import = Import::new(net, &bases);
        let legal = net.inputs.iter().map(|input| input.legal);
        let goals = net.goals.iter().flatten().filter(|_| self.with_goals());
        let goals: Vec<Lit> = goals.map(|(_, lit)| *lit).collect();
        let roots = legal.chain([net.terminal]).chain(goals.iter().copied());
        import.count_uses(&roots.collect::<Vec<_>>());
        let mut slot = || WordSlot::Work(slots.take(1));
        let end = import.lit(&mut graph, net.terminal, &mut slot);
        let mut open = Vec::new();
        for role in 0..net.roles.len() {
            open.push(Vec::new());
            for input in net.inputs_of(role) {
                self.budget.check()?;
                let lit = import.lit(&mut graph, net.inputs[input].legal, &mut slot);
                if lit != Lit::FALSE {
                    open[role].push((input as u32, lit));
                }
            }
        }
        let at = self.goals.iter().flatten().map(|(_, at)| WordSlot::Work(*at));
        let goals: Vec<_> =
            goals.iter().map(|lit| import.lit(&mut graph, *lit, &mut slot)).zip(at).collect();
        let mut count = Vec::new();
        for open in open {
            let slots = slots.take(open.len())..;
            phase.legal.push(open.iter().zip(slots).map(|((input, _), at)| (*input, at)).collect());
            let at = phase.legal.last().into_iter().flatten().map(|(_, at)| WordSlot::Work(*at));
            count.extend(open.iter().map(|(_, lit)| *lit).zip(at));
        }
        let parts = [vec![(end, WordSlot::Work(TERMINAL))], count, goals];
        let parts = if self.with_goals() { &parts[..] } else { &parts[..2] };
        Ok(blocks(&graph, parts, self.inputs, &mut || WordSlot::Work(slots.take(1))))
    }

    /// The next state, where the slots of inputs say which moves are made.
    fn given_step(&self, slots: &mut Slots, phase: &Phase) -> Result<CodeBlocks, Stop> {
        let net = self.net;
        let known_next = &self.phases.values[(self.phase + 1) % self.phases.period()];
        let mut graph = SlicedGraph::new();
        let bases = base_lits(&mut graph, self.known());
        let mut import = Import::new(net, &bases);
        (0..net.inputs.len()).for_each(|input| import.set_input(input, Lit::FALSE));
        for open in &phase.legal {
            let given = |(input, _): &(u32, u32)| graph.var(WordSlot::Work(self.given + input));
            let lits: Vec<Lit> = match &open[..] {
                [_] => vec![Lit::TRUE],
                open => open.iter().map(given).collect(),
            };
            open.iter().zip(&lits).for_each(|((i, _), lit)| import.set_input(*i as usize, *lit));
            if lits.len() > 1 {
                graph.exactly_one(&Picks::of(lits));
            }
        }
        let open = || known_next.iter().enumerate().filter(|(_, value)| value.is_none());
        let follow: Vec<Lit> = open().map(|(base, _)| net.bases[base].next).collect();
        import.count_uses(&follow);
        let mut slot = || WordSlot::Work(slots.take(1));
        import.select(&mut graph, &follow, &mut slot);
        let mut next = Vec::new();
        for (base, _) in open() {
            self.budget.check()?;
            let lit = import.lit(&mut graph, net.bases[base].next, &mut slot);
            next.push((lit, WordSlot::Next(base as u32)));
        }
        Ok(blocks(&graph, &[next], self.inputs, &mut slot))
    }
}
