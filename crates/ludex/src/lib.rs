//! Ludex: from the rules of a game in GDL to what it is made of, and to engines that solve and play it.
//!
//! The crates below are listed in reading order, and so are the modules; a crate or module uses only
//! those above it.

pub use ludex_facts as facts;
pub use ludex_facts::prove;
pub use ludex_gdl::{budget, rules, source, syntax};
pub use ludex_machine as machine;
pub use ludex_net as net;
pub use ludex_net::{domains, ground, instances};
pub use ludex_picture as picture;
pub use ludex_reason as reason;
pub use ludex_reason::interp;
pub use ludex_search as search;
pub use ludex_symmetry as symmetry;

pub mod frame;
pub mod compile;
pub mod play;
pub mod qbf;
