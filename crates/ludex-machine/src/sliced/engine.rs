//! `SlicedPlan` -> `SlicedEngine`: the parts of every phase as code of one back end, shared by all clones.

use super::backend::{Backend, Host};
use super::executable::Executable;
use super::memory::SlotMemory;
use super::native::{Isa, assemble};
use super::phases::Phases;
use super::plan::{Draw, Legal, Purpose, SlicedPlan, StepPart, StepShape, WordSlot};
use super::portable::{PortableProgram, program};
use super::registers::{Instruction, instructions};
use super::words::Word;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use ludex_reason::Role;
use std::io;
use std::ops::Range;

const PARTS: [StepPart; 4] = [StepPart::End, StepPart::Goals, StepPart::Count, StepPart::Next];

pub struct SlicedEngine {
    pub backend: Backend,
    /// Why it is not the one that was wished for.
    pub instead: Option<String>,
    pub phases: Vec<PhaseInfo>,
    pub initial: Vec<bool>,
    /// Per role the goal values and the work slots of their propositions.
    pub goals: Vec<Vec<(i32, u32)>>,
    /// Per input its role.
    pub movers: Vec<Role>,
    pub shape: StepShape,
    /// The work slot of the first input, where moves are given.
    pub given: u32,
    pub work_slots: usize,
    /// Slots of the next state; none where it takes the place of the present one.
    next_slots: usize,
    /// Groups of lanes that run the same code one after the other, and all lanes of them.
    groups: usize,
    lanes: usize,
    pub size: Size,
    code: Code,
}

/// What a run must know of a phase besides its code.
pub struct PhaseInfo {
    #[cfg(test)]
    pub known: Vec<Option<bool>>,
    /// The bases that are not known, which have slots.
    pub open: Vec<u32>,
    pub draws: Vec<Draw>,
    pub legal: Legal,
    /// By draw, inputs and the work slots that say whether they were made, where samples are asked for.
    pub made: Vec<Vec<(u32, u32)>>,
    /// The bases that goals depend on, where goals are parked.
    pub goal_bases: Vec<u32>,
    /// The first phase with the same goals.
    pub goals: usize,
}

/// What was compiled: cells of all phases and parts, and bytes of machine code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    pub phases: usize,
    pub cells: usize,
    pub code_bytes: usize,
}

enum Code {
    Portable(Vec<[PortableProgram; 4]>),
    /// With the functions of every part.
    Native(Executable, Vec<Range<usize>>),
}

/// More slots than these are not addressed by machine code.
const MOST_SLOTS: usize = 1 << 24;

impl SlicedEngine {
    pub fn new(
        net: &Net,
        phases: &Phases,
        wish: Backend,
        purpose: Purpose,
        budget: &Budget,
    ) -> Result<SlicedEngine, Stop> {
        SlicedEngine::on(Host::default(), net, phases, (wish, 1), purpose, budget)
    }

    /// An engine for a machine, with as many groups of lanes. Where it does not allow the back end that is
    /// wished for, the portable one of the same width stands in, and `instead` says why.
    pub fn on(
        host: Host,
        net: &Net,
        phases: &Phases,
        (wish, groups): (Backend, usize),
        purpose: Purpose,
        budget: &Budget,
    ) -> Result<SlicedEngine, Stop> {
        let missing = wish.missing(host).map(|name| format!("this processor has no {name}"));
        let isa = match wish {
            Backend::Portable(_) => None,
            Backend::Avx2 => Some(Isa::Avx2),
            Backend::Avx512 => Some(Isa::Avx512),
        };
        let instead = match (missing, isa) {
            (None, Some(isa)) => {
                let inputs = if isa == Isa::Avx512 { 3 } else { 2 };
                let plan = SlicedPlan::new(net, phases, inputs, purpose, budget)?;
                match native(net, &plan, (isa, groups), host, budget)? {
                    NativeCode::Made(code, slots) => {
                        return Ok(SlicedEngine::of(net, plan, (wish, groups), None, code, slots));
                    }
                    NativeCode::Refused(why) => Some(why),
                }
            }
            (missing, _) => missing,
        };
        let plan = SlicedPlan::new(net, phases, 2, purpose, budget)?;
        let (code, slots) = portable(&plan, budget)?;
        Ok(SlicedEngine::of(net, plan, (wish.portable(), groups), instead, code, slots))
    }

    fn of(
        net: &Net,
        plan: SlicedPlan,
        (backend, groups): (Backend, usize),
        instead: Option<String>,
        code: Code,
        work_slots: usize,
    ) -> SlicedEngine {
        let size = size(&plan, &code);
        assert!(
            groups == 1 || backend.lanes() * groups > 512,
            "single groups have widths of their own"
        );
        let phases = plan.phases.into_iter().map(|phase| PhaseInfo {
            open: (0..phase.known.len() as u32)
                .filter(|base| phase.known[*base as usize].is_none())
                .collect(),
            #[cfg(test)]
            known: phase.known,
            draws: phase.draws,
            legal: phase.legal,
            made: phase.made,
            goal_bases: phase.goal_bases,
            goals: phase.goals,
        });
        SlicedEngine {
            backend,
            instead,
            phases: phases.collect(),
            initial: net.bases.iter().map(|base| base.initial).collect(),
            goals: plan.goals,
            movers: net.inputs.iter().map(|input| input.role).collect(),
            shape: plan.shape,
            given: plan.given,
            work_slots,
            next_slots: if plan.in_place { 0 } else { net.bases.len() },
            groups,
            lanes: backend.lanes() * groups,
            size,
            code,
        }
    }

    #[inline(always)]
    pub fn run<const W: usize>(&self, phase: usize, part: StepPart, memory: &mut SlotMemory<W>) {
        let phase = if part == StepPart::Goals { self.phases[phase].goals } else { phase };
        match &self.code {
            Code::Portable(programs) => programs[phase][part as usize].run(memory),
            Code::Native(code, parts) => {
                let [now, next, work] = memory.slots();
                let bases = self.initial.len();
                // One branch: small circuits take little longer than a few.
                let fits = (now.len() >= bases)
                    & (next.len() >= self.next_slots)
                    & (work.len() >= self.work_slots)
                    & (Word::<W>::LANES == self.lanes);
                assert!(fits, "memory for the code");
                let functions = parts[PARTS.len() * phase + part as usize].clone();
                // The widths of single groups, whose parts are one function each.
                let groups = if const { W <= 8 } { 1 } else { self.groups };
                let last = if const { W <= 8 } { functions.start + 1 } else { functions.end };
                for function in functions.start..last {
                    for group in 0..groups {
                        // SAFETY: `native` saw that the code touches only slots that were just seen to be
                        // there, and made it for this width and number of groups.
                        unsafe { code.run(function, memory, (group, W / groups)) }
                    }
                }
            }
        }
    }

    pub fn lanes(&self) -> usize {
        self.lanes
    }
}

fn portable(plan: &SlicedPlan, budget: &Budget) -> Result<(Code, usize), Stop> {
    let mut slots = plan.work_slots;
    let mut programs = Vec::new();
    for phase in &plan.phases {
        budget.check()?;
        programs.push(PARTS.map(|part| {
            let made = phase.part(part).map(|(b, number)| program(b, number, plan.work_slots));
            let (program, most) = made.unwrap_or_default();
            slots = slots.max(most);
            program
        }));
    }
    Ok((Code::Portable(programs), slots))
}

/// Machine code with its number of slots, or why there is none.
enum NativeCode {
    Made(Code, usize),
    Refused(String),
}

/// Machine code of all parts.
fn native(
    net: &Net,
    plan: &SlicedPlan,
    (isa, groups): (Isa, usize),
    host: Host,
    budget: &Budget,
) -> Result<NativeCode, Stop> {
    let bases = net.bases.len();
    let mut slots = plan.work_slots;
    let mut bytes = Vec::new();
    let mut entries = Vec::new();
    let mut parts = Vec::new();
    for phase in &plan.phases {
        budget.check()?;
        for part in PARTS {
            let of = |(b, number)| instructions(b, number, isa.target(groups), plan.work_slots);
            let (list, most) = phase.part(part).map(of).unwrap_or_default();
            if bases.max(most) * groups > MOST_SLOTS {
                return Ok(NativeCode::Refused(
                    "its circuits are too large for machine code".into(),
                ));
            }
            let within = |slot: WordSlot| match slot {
                WordSlot::Now(i) => (i as usize) < bases,
                WordSlot::Next(i) => (i as usize) < bases && !plan.in_place,
                WordSlot::Work(i) => (i as usize) < most,
            };
            assert!(list.iter().filter_map(Instruction::slot).all(within), "a slot of the memory");
            slots = slots.max(most);
            let first = entries.len();
            entries.extend(assemble((isa, groups), &list, &mut bytes));
            parts.push(first..entries.len());
        }
    }
    let code = match host.refuses {
        true => Err(io::ErrorKind::PermissionDenied.into()),
        // SAFETY: every entry was just assembled, of instructions that are among what `Backend::missing`
        // found this processor to have.
        false => unsafe { Executable::new(&bytes, entries) },
    };
    Ok(match code {
        Ok(code) => NativeCode::Made(Code::Native(code, parts), slots),
        Err(error) => {
            NativeCode::Refused(format!("the system does not let it run machine code: {error}"))
        }
    })
}

fn size(plan: &SlicedPlan, code: &Code) -> Size {
    Size {
        phases: plan.phases.len(),
        cells: plan.phases.iter().map(|phase| phase.cells()).sum(),
        code_bytes: match code {
            Code::Portable(_) => 0,
            Code::Native(code, _) => code.len(),
        },
    }
}
