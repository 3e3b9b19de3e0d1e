//! Relations that are not recursive: negations, disjunctions, projections of what is there.

use super::Maker;

impl Maker {
    pub(super) fn plain_view(&mut self) {
        match self.chance.below(7) {
            0 | 1 => self.negation(),
            2 => self.disjunction(),
            3 => self.projection(),
            4 => self.some_or_none(),
            5 => self.isolated(),
            _ => self.joined(),
        }
    }

    fn negation(&mut self) {
        self.kind("negation");
        let name = self.fresh();
        if self.chance.percent(50) {
            let view = self.view(2).negated(&["?x", "?y"]);
            let guard = self.guard(&["?x", "?y"]);
            self.line(&format!("(<= ({name} ?x ?y) (node ?x) (node ?y) {view}{guard})"));
            self.relation_view(&name, 2);
        } else {
            let view = self.view(1).negated(&["?x"]);
            let guard = self.guard(&["?x"]);
            self.line(&format!("(<= ({name} ?x) (node ?x) {view}{guard})"));
            self.relation_view(&name, 1);
        }
    }

    fn disjunction(&mut self) {
        self.kind("disjunction");
        let name = self.fresh();
        let (a, b) = (self.view(2).at(&["?x", "?y"]), self.view(2).at(&["?y", "?x"]));
        let (u, v) = (self.view(1).at(&["?x"]), self.view(1).at(&["?y"]));
        let not = self.view(2).negated(&["?x", "?y"]);
        let rule = match self.chance.below(5) {
            0 => format!("(or {a} {b})"),
            1 => format!("(or {a} (and {u} {v} (distinct ?x ?y)))"),
            2 => format!("(node ?x) (node ?y) (or {u} {not} {b})"),
            3 => format!("(or {a} {b}) (or {u} {v} {not})"),
            _ => format!("{a} (or {not} (and {v} (or {b} (distinct ?x ?y))))"),
        };
        self.line(&format!("(<= ({name} ?x ?y) {rule})"));
        self.relation_view(&name, 2);
    }

    fn projection(&mut self) {
        let name = self.fresh();
        let args = *self.chance.pick(&[["?x", "?y"], ["?y", "?x"], ["?x", "?x"]]);
        let view = self.view(2).at(&args);
        let guard = self.guard(&["?x"]);
        self.line(&format!("(<= ({name} ?x) {view}{guard})"));
        self.relation_view(&name, 1);
    }

    fn some_or_none(&mut self) {
        let (some, none) = (self.fresh(), self.fresh());
        let condition = self.proposition();
        self.line(&format!("(<= {some} {condition})"));
        self.relation_view(&some, 0);
        if self.chance.percent(60) {
            self.kind("negation");
            let other = self.view(0);
            self.line(&format!("(<= {none} {} (not {some}))", other.at(&[])));
            self.line(&format!("(<= {none} {})", other.negated(&[])));
            self.relation_view(&none, 0);
        }
    }

    /// Nodes that nothing leads to.
    fn isolated(&mut self) {
        self.kind("negation");
        let (led, not) = (self.fresh(), self.fresh());
        let view = self.view(2).at(&["?x", "?y"]);
        self.line(&format!("(<= ({led} ?y) {view})"));
        self.line(&format!("(<= ({not} ?y) (node ?y) (not ({led} ?y)))"));
        self.relation_view(&led, 1);
        self.relation_view(&not, 1);
    }

    fn joined(&mut self) {
        let name = self.fresh();
        let (a, b) = (self.view(2).at(&["?x", "?z"]), self.view(2).at(&["?z", "?y"]));
        let guard = self.guard(&["?x", "?y", "?z"]);
        self.line(&format!("(<= ({name} ?x ?y) {a} {b}{guard})"));
        self.relation_view(&name, 2);
    }
}
