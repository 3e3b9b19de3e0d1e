//! How a made-up game is played: moves, ends, goals, and what moves change.

use super::{Maker, Order, View};

impl Maker {
    pub(super) fn play(&mut self) {
        if self.chance.percent(10) {
            self.growth();
        }
        let moves = self.legal();
        self.ends();
        self.goals();
        self.changes(&moves);
    }

    /// A term of the state that grows with every step: a little, or as long as play goes on.
    fn growth(&mut self) {
        self.line("(init (tower z))");
        if self.chance.percent(70) {
            self.kind("terms that grow to a bound");
            self.line("(<= (next (tower (s ?t))) (true (tower ?t)) (small ?t))");
            self.line("(<= (next (tower ?t)) (true (tower ?t)) (not (small ?t)))");
            self.line("(small z) (small (s z)) (small (s (s z)))");
        } else {
            self.kind("terms without a bound");
            self.line("(<= (next (tower (s ?t))) (true (tower ?t)))");
        }
        self.add_view("(true (tower (s (s ?t))))".into(), 0);
    }

    /// Rules for moves; as views what is done, by arity.
    fn legal(&mut self) -> Vec<View> {
        let mut moves: Vec<View> = Vec::new();
        for _ in 0..self.chance.between(1, 3) {
            let turn = match self.order {
                Order::Turns => "(true (control ?r))",
                Order::Together => "(role ?r)",
            };
            let turn = match self.chance.percent(20) {
                true => turn.replace("?r", "r0") + " (role ?r)",
                false => turn.to_string(),
            };
            let (action, condition, arity) = self.action();
            let guard = self.guard(&["?x", "?y"][..arity]);
            self.line(&format!("(<= (legal ?r {action}) {turn} {condition}{guard})"));
            let done = action.replace("?x", "{0}").replace("?y", "{1}");
            moves.push(View { text: format!("(does ?r {done})"), arity });
            if self.chance.percent(30) {
                let role = self.chance.below(self.roles);
                moves.push(View { text: format!("(does r{role} {done})"), arity });
            }
        }
        self.waiting();
        moves
    }

    /// A move, when it is legal, and the number of its variables.
    fn action(&mut self) -> (String, String, usize) {
        if self.chance.percent(25) {
            self.kind("functions in moves");
        }
        match self.chance.below(7) {
            0 | 1 => ("(cut ?x ?y)".into(), self.view(2).at(&["?x", "?y"]), 2),
            2 => {
                let view = self.view(2).negated(&["?x", "?y"]);
                ("(join ?x ?y)".into(), format!("(node ?x) (node ?y) {view}"), 2)
            }
            3 => ("(take ?x)".into(), self.view(1).at(&["?x"]), 1),
            4 => {
                let view = self.view(1).negated(&["?x"]);
                ("(put ?x)".into(), format!("(node ?x) {view}"), 1)
            }
            5 => {
                self.kind("functions in moves");
                ("(go (from ?x) (to ?y))".into(), self.view(2).at(&["?x", "?y"]), 2)
            }
            _ => ("press".into(), self.view(0).at(&[]), 0),
        }
    }

    /// Who is not to move waits; who has nothing to do may be stuck.
    fn waiting(&mut self) {
        match self.order {
            Order::Together if self.chance.percent(60) => {
                self.line("(<= (legal ?r wait) (role ?r))");
            }
            Order::Together => {
                if self.chance.percent(50) {
                    let condition = self.proposition();
                    self.line(&format!("(<= (legal ?r wait) (role ?r) {condition})"));
                }
            }
            Order::Turns => {
                self.line("(init (control r0))");
                for role in 0..self.roles {
                    let next = (role + 1) % self.roles;
                    self.line(&format!("(<= (next (control r{next})) (true (control r{role})))"));
                }
                self.line("(<= (legal ?r wait) (role ?r) (not (true (control ?r))))");
                if self.chance.percent(60) {
                    self.line("(<= (legal ?r pass) (true (control ?r)))");
                }
            }
        }
    }

    fn ends(&mut self) {
        if self.steps {
            let last = self.chance.between(2, 5);
            self.line("(init (step 0))");
            (0..last).for_each(|i| self.line(&format!("(after {i} {})", i + 1)));
            self.line("(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))");
            self.line(&format!("(<= terminal (true (step {last})))"));
            if self.chance.percent(40) {
                return;
            }
        } else {
            self.kind("without a clock");
        }
        for _ in 0..self.chance.between(1, 2) {
            let condition = self.proposition();
            let view = self.view(0);
            let rule = match self.chance.below(4) {
                0 => format!("(<= terminal {})", view.negated(&[])),
                1 => format!("(<= terminal {} {condition})", view.at(&[])),
                _ => format!("(<= terminal {condition})"),
            };
            self.line(&rule);
        }
    }

    fn goals(&mut self) {
        let (a, b) = (self.proposition(), self.proposition());
        let (won, held) = (self.fresh(), self.fresh());
        self.line(&format!("(<= {won} {a})"));
        self.line(&format!("(<= {held} {b})"));
        let opposed = self.roles == 2 && self.chance.percent(50);
        if opposed {
            self.kind("opposed goals");
        }
        let style = self.chance.below(6);
        if style == 5 {
            return self.worth();
        }
        for role in 0..self.roles {
            let turned = opposed && role == 1;
            let worth = |value: usize| if turned { 100 - value } else { value };
            let goal = |value: usize| format!("(goal r{role} {})", worth(value));
            let low = if opposed || role == 0 { 0 } else { 10 * role };
            match style {
                0 | 1 => {
                    self.line(&format!("(<= {} {won})", goal(100)));
                    self.line(&format!("(<= {} (not {won}))", goal(low)));
                }
                2 | 3 => {
                    self.line(&format!("(<= {} {won})", goal(100)));
                    self.line(&format!("(<= {} (not {won}) {held})", goal(50)));
                    self.line(&format!("(<= {} (not {won}) (not {held}))", goal(low)));
                }
                _ => {
                    // Several goals, or none, now and then.
                    self.kind("goals without order");
                    self.line(&format!("(<= {} {won})", goal(70)));
                    self.line(&format!("(<= {} {held})", goal(low)));
                    self.line(&format!("(<= {} terminal (not {held}))", goal(30)));
                }
            }
        }
    }

    /// Goals that the nodes say.
    fn worth(&mut self) {
        self.kind("goals by value");
        for (i, node) in self.nodes.clone().into_iter().enumerate() {
            self.line(&format!("(worth {node} {})", 20 * i));
        }
        let (first, then) = (self.view(1), self.view(1));
        for role in 0..self.roles {
            let view = if role == 0 { &first } else { &then };
            self.line(&format!("(<= (goal r{role} ?v) (worth ?x ?v) {})", view.at(&["?x"])));
        }
    }

    /// What moves bring about, and by way of what.
    fn changes(&mut self, moves: &[View]) {
        self.views.extend(moves.iter().cloned());
        // Twice, so that they are drawn more often.
        self.views.extend(moves.iter().cloned());
        if moves.iter().all(|m| m.arity != 1) {
            let any = moves.iter().find(|m| m.arity == 2).map(|m| m.at(&["{0}", "?w"]));
            self.views.extend(any.map(|text| View { text, arity: 1 }));
        }
        if self.chance.percent(45) {
            let known = self.recursive.len();
            self.relations();
            if self.chance.percent(30) {
                self.soup();
            }
            // What is new is what changes should ask for.
            self.recursive.drain(..known);
        }
        self.links();
        self.marks();
        self.effects(moves);
        let condition = self.proposition();
        self.line(&format!("(<= (next flag) {condition})"));
        if self.chance.percent(50) {
            let x = self.node();
            let guard = self.view(1).negated(&[x]);
            self.line(&format!("(<= (next flag) (true flag) {guard})"));
        }
    }

    /// What one would expect of the moves there are.
    fn effects(&mut self, moves: &[View]) {
        for (action, effect) in [
            ("join", "(<= (next (link ?x ?y)) (does ?r (join ?x ?y)))"),
            ("put", "(<= (next (mark ?x)) (does ?r (put ?x)))"),
            ("go", "(<= (next (mark ?y)) (does ?r (go (from ?x) (to ?y))))"),
            ("cut", "(<= (next (mark ?x)) (does ?r (cut ?x ?y)))"),
            ("press", "(<= (next flag) (does ?r press))"),
        ] {
            if moves.iter().any(|m| m.text.contains(action)) && self.chance.percent(60) {
                self.line(effect);
            }
        }
    }

    fn links(&mut self) {
        let args = ["?x", "?y"];
        let gone = match self.chance.below(4) {
            0 => "",
            1 | 2 => &self.view(2).negated(&args),
            _ => self.chance.pick(&["(not (does r0 (cut ?x ?y)))", "(not (does r0 (take ?x)))"]),
        };
        self.line(&format!("(<= (next (link ?x ?y)) (true (link ?x ?y)) {gone})"));
        let more = self.view(2).at(&args);
        let guard = self.guard(&args);
        self.line(&format!("(<= (next (link ?x ?y)) {more}{guard})"));
    }

    fn marks(&mut self) {
        let gone = match self.chance.below(4) {
            0 => String::new(),
            1 | 2 => self.view(1).negated(&["?x"]),
            // Only what is marked anew.
            _ => "(plain none)".into(),
        };
        self.line(&format!("(<= (next (mark ?x)) (true (mark ?x)) {gone})"));
        let more = self.view(1).at(&["?x"]);
        let guard = self.guard(&["?x"]);
        self.line(&format!("(<= (next (mark ?x)) {more}{guard})"));
        if self.nodes.contains(&"(f a)") && self.chance.percent(30) {
            self.line("(<= (next (mark (f ?x))) (true (mark ?x)) (plain ?x))");
        }
    }
}
