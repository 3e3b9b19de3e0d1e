//! Machine code -> `Executable`: pages that may be run, where there is such code and the system allows it.

#[cfg(not(target_arch = "x86_64"))]
pub use of_none::Executable;
#[cfg(target_arch = "x86_64")]
pub use of_processor::Executable;

#[cfg(target_arch = "x86_64")]
mod of_processor {
    use crate::sliced::memory::SlotMemory;
    use crate::sliced::native::AHEAD;
    use crate::sliced::words::Word;
    use std::io;

    /// Functions over the slots of a run.
    pub struct Executable {
        map: memmap2::Mmap,
        /// Where the functions begin.
        entries: Vec<usize>,
    }

    impl Executable {
        /// # Safety
        /// At every entry there is a function as `assemble` makes them. It needs nothing that this processor
        /// does not have.
        pub unsafe fn new(code: &[u8], entries: Vec<usize>) -> io::Result<Executable> {
            assert!(entries.iter().all(|entry| *entry < code.len()), "entries are in the code");
            let mut map = memmap2::MmapMut::map_anon(code.len())?;
            map.copy_from_slice(code);
            Ok(Executable { map: map.make_exec()?, entries })
        }

        /// Runs a function for one group of the lanes, which has `words` in every slot.
        ///
        /// # Safety
        /// The function touches no slot beyond those of the memory, and takes them to be as wide as these.
        #[inline(always)]
        pub unsafe fn run<const W: usize>(
            &self,
            function: usize,
            memory: &mut SlotMemory<W>,
            (group, words): (usize, usize),
        ) {
            let distance = (AHEAD as usize + group) * words;
            let ahead = |slots: &mut [Word<W>]| {
                slots.as_mut_ptr().cast::<u64>().wrapping_add(distance).cast::<Word<W>>()
            };
            let [now, next, work] = memory.slots().map(ahead);
            let entry = self.map.as_ptr().wrapping_add(self.entries[function]);
            // SAFETY: `new` saw that entries are in the code, and was promised a function of this type at every
            // entry, for this processor. Its loads are of aligned words, which those of a `SlotMemory` are. The
            // rest is promised by the caller.
            unsafe {
                let f: extern "sysv64" fn(*mut Word<W>, *mut Word<W>, *mut Word<W>) =
                    std::mem::transmute(entry);
                f(now, next, work)
            }
        }

        pub fn len(&self) -> usize {
            self.map.len()
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod of_none {
    use crate::sliced::memory::SlotMemory;
    use std::io;

    /// There is none.
    pub enum Executable {}

    impl Executable {
        /// # Safety
        /// There is nothing to promise.
        pub unsafe fn new(_: &[u8], _: Vec<usize>) -> io::Result<Executable> {
            Err(io::ErrorKind::Unsupported.into())
        }

        /// # Safety
        /// There is nothing to promise.
        pub unsafe fn run<const W: usize>(
            &self,
            _: usize,
            _: &mut SlotMemory<W>,
            _: (usize, usize),
        ) {
            match *self {}
        }

        pub fn len(&self) -> usize {
            match *self {}
        }
    }
}
