//! `Rules` -> `Ground`: the ground instances of the rules, simplified.
