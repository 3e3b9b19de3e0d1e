//! `Rules` -> `Domains`: domain graph, reduced domains, reachable instances (paper 001).
