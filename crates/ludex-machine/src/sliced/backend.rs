//! `Backend`: how circuits are computed, and what of that a machine allows.
//!
//! What a back end needs of a processor is listed once. The same list is asked of the processor and given to
//! the compiler for what it compiles around the code of the back end, so that neither can need what was not
//! found.

use std::fmt;

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

/// Hands the features that a back end needs to a macro, with more for it. Those that are implied by others
/// are listed, too: the compiler may use them.
macro_rules! avx2 {
    ($with:ident $($more:tt)*) => {
        $with! { ["sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "avx" "avx2" "bmi1" "bmi2"] $($more)* }
    };
}
macro_rules! avx512 {
    ($with:ident $($more:tt)*) => {
        $with! {
            [
                "sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "avx" "avx2" "bmi1" "bmi2" "fma" "f16c"
                "avx512f" "avx512dq" "avx512bw" "avx512vl" "avx512vpopcntdq"
            ]
            $($more)*
        }
    };
}

/// A function compiled for a processor with all of some features.
#[cfg(target_arch = "x86_64")]
macro_rules! compiled_for {
    ([$($feature:tt)*] $($function:tt)*) => {
        $(#[target_feature(enable = $feature)])*
        $($function)*
    };
}

/// Features by name, and whether this processor (and its system) has them.
#[cfg(target_arch = "x86_64")]
macro_rules! detected {
    ([$($feature:tt)*]) => { vec![$(($feature, is_x86_feature_detected!($feature))),*] };
}
#[cfg(not(target_arch = "x86_64"))]
macro_rules! detected {
    ([$($feature:tt)*]) => { vec![("x86-64 code", false), $(($feature, false)),*] };
}

#[cfg(target_arch = "x86_64")]
pub(super) use compiled_for;
#[cfg(target_arch = "x86_64")]
pub(super) use {avx2, avx512};

/// The machine that code is made for; a test can take something away from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Host {
    /// A feature that the processor is taken to lack.
    pub lacks: Option<&'static str>,
    /// Memory does not become executable.
    pub refuses: bool,
}

impl Backend {
    /// The fastest back end of this processor. Where it has none of its own the portable one stands in.
    pub fn best() -> Backend {
        if Backend::Avx512.is_available() { Backend::Avx512 } else { Backend::Avx2 }
    }

    /// Whether the processor has all that the back end needs.
    pub(crate) fn is_available(self) -> bool {
        self.missing(Host::default()).is_none()
    }

    /// What the processor would need for the back end, by name, and whether it has it.
    pub fn needs(self) -> Vec<(&'static str, bool)> {
        match self {
            Backend::Portable(_) => vec![],
            Backend::Avx2 => avx2!(detected),
            Backend::Avx512 => avx512!(detected),
        }
    }

    /// The first of them that a machine does not have.
    pub(super) fn missing(self, host: Host) -> Option<&'static str> {
        let lacks = |(name, there): &(&'static str, bool)| !there || host.lacks == Some(*name);
        self.needs().into_iter().find(lacks).map(|(name, _)| name)
    }

    /// The back end that plays the same matches on every machine.
    pub fn portable(self) -> Backend {
        Backend::Portable(self.lanes() / 64)
    }

    pub fn lanes(self) -> usize {
        match self {
            Backend::Portable(words) => 64 * words,
            Backend::Avx2 => 256,
            Backend::Avx512 => 512,
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Backend::Portable(_) => "portable",
            Backend::Avx2 => "AVX2",
            Backend::Avx512 => "AVX-512",
        })
    }
}
