//! `Rules` -> `Interp`: the first-order reasoner, the meaning of GDL in this project.
