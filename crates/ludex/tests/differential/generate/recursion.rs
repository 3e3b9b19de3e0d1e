//! Recursive relations: closures of all kinds, mutual recursion, loops of propositions.

use super::Maker;

impl Maker {
    /// A few relations, most of them recursive.
    pub(super) fn relations(&mut self) {
        for _ in 0..self.chance.between(1, 4) {
            match self.chance.below(16) {
                0 | 1 => self.symmetric(),
                2 | 3 => self.linear(),
                4 | 5 => self.nonlinear(),
                6 => self.equivalence(),
                7 | 8 => self.reached(),
                9 => self.even_and_odd(),
                10 => self.mutual(),
                11 => self.both_needed(),
                12 => self.loop_of_propositions(),
                13 => self.through_constants(),
                14 => self.triples(),
                _ => self.through_functions(),
            }
            if self.chance.percent(60) {
                self.plain_view();
            }
        }
    }

    /// Where a recursion begins: one or two conditions.
    fn base(&mut self, name: &str, arity: usize) {
        let args = &["?x", "?y", "?z"][..arity];
        let head = format!("({name} {})", args.join(" "));
        for _ in 0..1 + self.chance.percent(20) as usize {
            let view = self.view(arity).at(args);
            let guard = self.guard(args);
            self.line(&format!("(<= {head} {view}{guard})"));
        }
    }

    /// Now and then one more condition on bound variables, maybe a negated one.
    pub(super) fn guard(&mut self, bound: &[&str]) -> String {
        if bound.is_empty() || !self.chance.percent(25) {
            return String::new();
        }
        let arg = |maker: &mut Maker| match maker.chance.percent(85) {
            true => maker.chance.pick(bound).to_string(),
            false => maker.node().to_string(),
        };
        let (x, y) = (arg(self), arg(self));
        match self.chance.below(4) {
            0 => format!(" (distinct {x} {y})"),
            1 => {
                self.kind("negation");
                format!(" {}", self.view(1).negated(&[&x]))
            }
            2 => {
                self.kind("negation");
                format!(" {}", self.view(2).negated(&[&x, &y]))
            }
            _ => format!(" {}", self.view(1).at(&[&x])),
        }
    }

    fn symmetric(&mut self) {
        self.kind("symmetric closure");
        let name = self.fresh();
        self.base(&name, 2);
        let guard = self.guard(&["?x", "?y"]);
        self.line(&format!("(<= ({name} ?x ?y) ({name} ?y ?x){guard})"));
        self.recursive_view(&name, 2);
    }

    fn linear(&mut self) {
        self.kind("linear recursion");
        let name = self.fresh();
        self.base(&name, 2);
        let guard = self.guard(&["?x", "?y", "?z"]);
        let (first, then) = (self.view(2), self.view(2));
        if self.chance.percent(70) {
            let step = then.at(&["?y", "?z"]);
            self.line(&format!("(<= ({name} ?x ?z) ({name} ?x ?y) {step}{guard})"));
        } else {
            let step = first.at(&["?x", "?y"]);
            self.line(&format!("(<= ({name} ?x ?z) {step} ({name} ?y ?z){guard})"));
        }
        self.recursive_view(&name, 2);
    }

    fn nonlinear(&mut self) {
        self.kind("nonlinear recursion");
        let name = self.fresh();
        self.base(&name, 2);
        let guard = self.guard(&["?x", "?y", "?z"]);
        self.line(&format!("(<= ({name} ?x ?z) ({name} ?x ?y) ({name} ?y ?z){guard})"));
        self.recursive_view(&name, 2);
    }

    fn equivalence(&mut self) {
        self.kind("symmetric closure");
        self.kind("nonlinear recursion");
        let name = self.fresh();
        self.base(&name, 2);
        self.line(&format!("(<= ({name} ?x ?y) ({name} ?y ?x))"));
        self.line(&format!("(<= ({name} ?x ?z) ({name} ?x ?y) ({name} ?y ?z))"));
        if self.chance.percent(30) {
            self.line(&format!("(<= ({name} ?x ?x) ({name} ?x ?y))"));
        }
        self.recursive_view(&name, 2);
    }

    fn reached(&mut self) {
        self.kind("linear recursion");
        let name = self.fresh();
        match self.chance.percent(40) {
            true => {
                let (x, condition) = (self.node(), self.view(0));
                let condition = condition.at(&[]);
                self.line(&format!("(<= ({name} {x}) {condition})"));
            }
            false => self.base(&name, 1),
        }
        let step = self.view(2).at(&["?x", "?y"]);
        let guard = self.guard(&["?x", "?y"]);
        self.line(&format!("(<= ({name} ?y) ({name} ?x) {step}{guard})"));
        self.recursive_view(&name, 1);
    }

    fn even_and_odd(&mut self) {
        self.kind("mutual recursion");
        let (odd, even) = (self.fresh(), self.fresh());
        self.base(&odd, 2);
        let step = self.view(2).at(&["?y", "?z"]);
        self.line(&format!("(<= ({even} ?x ?z) ({odd} ?x ?y) {step})"));
        self.line(&format!("(<= ({odd} ?x ?z) ({even} ?x ?y) {step})"));
        self.recursive_view(&odd, 2);
        self.recursive_view(&even, 2);
    }

    /// Nodes that are held by links that are held by nodes.
    fn mutual(&mut self) {
        self.kind("mutual recursion");
        let (point, line) = (self.fresh(), self.fresh());
        self.base(&point, 1);
        let (way, other) = (self.view(2).at(&["?x", "?y"]), self.view(2).at(&["?x", "?y"]));
        let guard = self.guard(&["?x", "?y"]);
        self.line(&format!("(<= ({line} ?x ?y) {way} ({point} ?x){guard})"));
        self.line(&format!("(<= ({point} ?y) ({line} ?x ?y))"));
        if self.chance.percent(50) {
            self.line(&format!("(<= ({line} ?y ?x) {other} ({line} ?x ?y) ({point} ?y))"));
        }
        self.recursive_view(&point, 1);
        self.recursive_view(&line, 2);
    }

    /// A node that two others carry.
    fn both_needed(&mut self) {
        self.kind("nonlinear recursion");
        let name = self.fresh();
        self.base(&name, 1);
        let (a, b) = (self.view(2).at(&["?x", "?y"]), self.view(2).at(&["?x", "?z"]));
        let apart = if self.chance.percent(60) { " (distinct ?y ?z)" } else { "" };
        self.line(&format!("(<= ({name} ?x) {a} {b} ({name} ?y) ({name} ?z){apart})"));
        self.recursive_view(&name, 1);
    }

    fn loop_of_propositions(&mut self) {
        self.kind("loops of propositions");
        let names: Vec<String> = (0..self.chance.between(1, 3)).map(|_| self.fresh()).collect();
        for (i, name) in names.iter().enumerate() {
            let next = &names[(i + 1) % names.len()];
            let x = self.node();
            let guard = if self.chance.percent(30) { self.guard(&[x]) } else { String::new() };
            self.line(&format!("(<= {name} {next}{guard})"));
        }
        for _ in 0..self.chance.between(1, 2) {
            let condition = self.proposition();
            let name = self.chance.pick(&names).clone();
            self.line(&format!("(<= {name} {condition})"));
        }
        for name in &names {
            self.recursive_view(name, 0);
        }
    }

    /// A condition without variables, or with one that stands for any.
    pub(super) fn proposition(&mut self) -> String {
        let (x, y) = (self.node(), self.node());
        let arity = self.chance.below(3);
        let args = match (arity, self.chance.below(4)) {
            (1, 0) => vec!["?x"],
            (2, 0) => vec!["?x", y],
            (2, 1) => vec!["?x", "?x"],
            _ => [x, y][..arity].to_vec(),
        };
        // What never changes decides little.
        let mut view = self.view(arity);
        if ["(node", "(edge"].iter().any(|fixed| view.text.starts_with(fixed)) {
            view = self.view(arity);
        }
        view.at(&args)
    }

    /// Single nodes that hold each other.
    fn through_constants(&mut self) {
        self.kind("loops of constants");
        let name = self.fresh();
        for _ in 0..self.chance.between(2, 4) {
            let (x, y, z) = (self.node(), self.node(), self.node());
            let more = match self.chance.below(3) {
                0 => format!(" ({name} {z})"),
                1 => format!(" {}", self.view(1).at(&[z])),
                _ => String::new(),
            };
            self.line(&format!("(<= ({name} {x}) ({name} {y}){more})"));
        }
        self.base(&name, 1);
        self.recursive_view(&name, 1);
    }

    fn triples(&mut self) {
        self.kind("recursion over triples");
        let name = self.fresh();
        let (a, b) = (self.view(2).at(&["?x", "?y"]), self.view(2).at(&["?y", "?z"]));
        self.line(&format!("(<= ({name} ?x ?y ?z) {a} {b})"));
        match self.chance.below(3) {
            0 => self.line(&format!("(<= ({name} ?y ?z ?x) ({name} ?x ?y ?z))")),
            1 => self.line(&format!(
                "(<= ({name} ?x ?z ?y) ({name} ?x ?y ?u) {})",
                b.replace("?y", "?u")
            )),
            _ => self.line(&format!("(<= ({name} ?x ?y ?u) ({name} ?x ?y ?z) ({name} ?y ?z ?u))")),
        }
        let pairs = self.fresh();
        let line = self.chance.pick(&["?x ?y ?z", "?x ?z ?y", "?z ?x ?y"]).to_string();
        self.line(&format!("(<= ({pairs} ?x ?y) ({name} {line}))"));
        self.recursive_view(&pairs, 2);
    }

    /// Terms that are built and taken apart in the recursion.
    fn through_functions(&mut self) {
        self.kind("functions in recursion");
        let name = self.fresh();
        let start = self.view(1).at(&["?x"]);
        let way = self.view(2).at(&["?x", "?y"]);
        self.line(&format!("(<= ({name} (g ?x)) {start} (node ?x))"));
        match self.chance.below(3) {
            0 => self.line(&format!("(<= ({name} (g ?y)) ({name} (g ?x)) {way} (node ?y))")),
            1 => {
                self.line(&format!("(<= ({name} (h ?x ?y)) ({name} (g ?x)) {way} (node ?y))"));
                self.line(&format!("(<= ({name} (g ?y)) ({name} (h ?x ?y)) (node ?y))"));
            }
            _ => self.line(&format!("(<= ({name} ?y) ({name} (g ?x)) {way} (plain ?y))")),
        }
        let out = self.fresh();
        match self.chance.percent(70) {
            true => self.line(&format!("(<= ({out} ?x) ({name} (g ?x)))")),
            false => self.line(&format!("(<= ({out} ?x) (node ?x) (not ({name} (g ?x))))")),
        }
        self.recursive_view(&out, 1);
    }
}
