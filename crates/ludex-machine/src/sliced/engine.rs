//! `Plan` -> `Engine`: the parts of every phase as code of one back end, shared by all clones.

use super::native::{AHEAD, Isa, assemble};
use super::phases::Phases;
use super::plan::{Draw, Legal, Part, Plan, Purpose, Shape};
use super::portable::{Memory, Program, program};
use super::registers::instructions;
use super::words::Word;
use ludex_gdl::budget::{Budget, Stop};
use ludex_net::Net;
use ludex_reason::Role;

/// How the circuits are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// The interpreter, with this many words of 64 lanes: 1, 4 or 8.
    Portable(usize),
    /// Machine code with 256 lanes.
    Avx2,
    /// Machine code with 512 lanes.
    Avx512,
}

const PARTS: [Part; 4] = [Part::End, Part::Goals, Part::Count, Part::Next];

pub struct Engine {
    pub backend: Backend,
    pub phases: Vec<PhaseInfo>,
    pub initial: Vec<bool>,
    /// Per role the goal values and the work slots of their propositions.
    pub goals: Vec<Vec<(i32, u32)>>,
    /// Per input its role.
    pub movers: Vec<Role>,
    pub shape: Shape,
    pub work_slots: usize,
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
}

/// What was compiled: cells of all phases and parts, and bytes of machine code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    pub phases: usize,
    pub cells: usize,
    pub code_bytes: usize,
}

enum Code {
    Portable(Vec<[Program; 4]>),
    #[cfg(target_arch = "x86_64")]
    Native {
        map: memmap2::Mmap,
        entries: Vec<[usize; 4]>,
    },
}

impl Backend {
    /// The fastest back end of this processor.
    pub fn best() -> Backend {
        #[cfg(target_arch = "x86_64")]
        {
            if Backend::Avx512.is_available() {
                return Backend::Avx512;
            }
            if Backend::Avx2.is_available() {
                return Backend::Avx2;
            }
        }
        Backend::Portable(4)
    }

    pub fn is_available(self) -> bool {
        match self {
            Backend::Portable(_) => true,
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vpopcntdq")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    pub fn lanes(self) -> usize {
        match self {
            Backend::Portable(words) => 64 * words,
            Backend::Avx2 => 256,
            Backend::Avx512 => 512,
        }
    }
}

impl Engine {
    /// Panics where the processor does not have the back end, see `Backend::is_available`.
    pub fn new(
        net: &Net,
        phases: &Phases,
        backend: Backend,
        purpose: Purpose,
        budget: &Budget,
    ) -> Result<Engine, Stop> {
        assert!(backend.is_available(), "this processor has no {backend:?}");
        let inputs = if backend == Backend::Avx512 { 3 } else { 2 };
        let plan = Plan::new(net, phases, inputs, purpose, budget)?;
        let (code, work_slots) = match backend {
            Backend::Portable(_) => portable(&plan, budget)?,
            Backend::Avx2 => native(&plan, Isa::Avx2, budget)?,
            Backend::Avx512 => native(&plan, Isa::Avx512, budget)?,
        };
        let size = size(&plan, &code);
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
        });
        Ok(Engine {
            backend,
            phases: phases.collect(),
            initial: net.bases.iter().map(|base| base.initial).collect(),
            goals: plan.goals,
            movers: net.inputs.iter().map(|input| input.role).collect(),
            shape: plan.shape,
            work_slots,
            size,
            code,
        })
    }

    #[inline(always)]
    pub fn run<const W: usize>(&self, phase: usize, part: Part, memory: &mut Memory<W>) {
        match &self.code {
            Code::Portable(programs) => programs[phase][part as usize].run(memory),
            #[cfg(target_arch = "x86_64")]
            Code::Native { map, entries } => {
                let ahead = |slots: &mut [Word<W>]| slots.as_mut_ptr().wrapping_add(AHEAD as usize);
                let (now, next, work) = (ahead(memory.now), ahead(memory.next), ahead(memory.work));
                // Safety: the code at an entry is a function of this type, made for this processor
                // and this width; it touches slots below the lengths that `Lanes` allocates.
                unsafe {
                    let entry = map.as_ptr().add(entries[phase][part as usize]);
                    let f: extern "sysv64" fn(*mut Word<W>, *mut Word<W>, *mut Word<W>) =
                        std::mem::transmute(entry);
                    f(now, next, work)
                }
            }
        }
    }
}

fn portable(plan: &Plan, budget: &Budget) -> Result<(Code, usize), Stop> {
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

#[cfg(target_arch = "x86_64")]
fn native(plan: &Plan, isa: Isa, budget: &Budget) -> Result<(Code, usize), Stop> {
    let mut slots = plan.work_slots;
    let mut bytes = Vec::new();
    let mut entries = Vec::new();
    for phase in &plan.phases {
        budget.check()?;
        entries.push(PARTS.map(|part| {
            let of = |(b, number)| instructions(b, number, isa.target(), plan.work_slots);
            let (list, most) = phase.part(part).map(of).unwrap_or_default();
            slots = slots.max(most);
            bytes.resize(bytes.len().next_multiple_of(64), 0xCC);
            let entry = bytes.len();
            assemble(isa, &list, &mut bytes);
            entry
        }));
    }
    let mut map = memmap2::MmapMut::map_anon(bytes.len()).expect("memory for machine code");
    map.copy_from_slice(&bytes);
    let map = map.make_exec().expect("pages may become executable");
    Ok((Code::Native { map, entries }, slots))
}

#[cfg(not(target_arch = "x86_64"))]
fn native(_: &Plan, isa: Isa, _: &Budget) -> Result<(Code, usize), Stop> {
    unreachable!("{isa:?} is not available here")
}

fn size(plan: &Plan, code: &Code) -> Size {
    Size {
        phases: plan.phases.len(),
        cells: plan.phases.iter().map(|phase| phase.cells()).sum(),
        code_bytes: match code {
            Code::Portable(_) => 0,
            #[cfg(target_arch = "x86_64")]
            Code::Native { map, .. } => map.len(),
        },
    }
}
