//! `T_G(a, M)`: the first-order fnext rule of an atom for a general joint move.

use super::joint::Joint;
use super::rule::{FrameRule, subsumes};
use super::unifiers::unifiers;
use ludex_gdl::rules::{Atom, Rel, Rule, Rules, Substitution, Term, renumber};
use ludex_gdl::source::Span;

/// `fnext(f) <- true(f) & M & I_M & and of not exists x (cond_r & Eq(phi))`.
///
/// Variables: those of the fluent come first, those of the joint move from `moves` on, those of the
/// frame rules from `locals` on.
pub struct Transition {
    /// The fact that may become false.
    pub fluent: Term,
    /// The joint move.
    pub does: Vec<Atom>,
    /// The ways to persist.
    pub kept: Vec<Persistence>,
    /// The variables of the fact have smaller numbers.
    pub moves: u32,
    /// Those of the joint move have smaller numbers.
    pub locals: u32,
}

/// One way to persist: a frame rule, its variables numbered from `locals` on, and a most general
/// unifier.
pub struct Persistence {
    /// The frame rule.
    pub rule: FrameRule,
    /// What makes it fit.
    pub by: Substitution,
}

impl Transition {
    /// `moves`: the number of variables of the fluent, which are numbered from 0.
    /// `vars`: variables of the joint move have smaller numbers.
    pub fn new(
        frames: &[FrameRule],
        fluent: &Term,
        moves: u32,
        joint: &Joint,
        vars: u32,
    ) -> Transition {
        let mut does = joint.does.clone();
        for atom in &mut does {
            atom.args.iter_mut().for_each(|t| renumber(t, &mut |v| *v += moves));
        }
        let locals = moves + vars;
        let mut kept = Vec::new();
        for rule in frames_for(frames, fluent) {
            let rule = rule.shifted(locals);
            let found = unifiers(&rule, fluent, &does);
            kept.extend(found.into_iter().map(|by| Persistence { rule: rule.clone(), by }));
        }
        Transition { fluent: fluent.clone(), does, kept, moves, locals }
    }

    /// `Eq(phi)` of one way to persist, in KIF.
    pub fn equations(&self, rules: &Rules, kept: &Persistence) -> Vec<String> {
        let mut vars = names(self.moves, self.locals);
        vars.extend(kept.rule.vars.iter().cloned());
        let head = Atom { rel: Rel::TRUE, args: vec![self.fluent.clone()] };
        kept.equations(
            rules,
            &Rule { head, body: vec![], vars, span: Span::default() },
            self.locals,
        )
    }

    /// In KIF with `exists` and `=`, as the definition reads.
    pub fn text(&self, rules: &Rules) -> String {
        let longest = self.kept.iter().map(|k| k.rule.vars.len()).max().unwrap_or(0);
        let mut names = names(self.moves, self.locals);
        names.resize(self.locals as usize + longest, String::new());
        let mut rule = Rule {
            head: Atom { rel: Rel::TRUE, args: vec![self.fluent.clone()] },
            body: vec![],
            vars: names,
            span: Span::default(),
        };
        let mut out = format!(
            "(<= (fnext {})\n    {}",
            rules.term_text(&self.fluent, &rule),
            rules.atom_text(&rule.head, &rule)
        );
        for atom in &self.does {
            out += &format!("\n    {}", rules.atom_text(atom, &rule));
        }
        for literal in Joint::inequalities(&self.does) {
            out += &format!("\n    {}", rules.literal_text(&literal, &rule));
        }
        for kept in &self.kept {
            let own = kept.rule.vars.iter().cloned();
            rule.vars.splice(self.locals as usize..self.locals as usize + own.len(), own);
            out += &format!("\n    {}", kept.text(rules, &rule, self.locals));
        }
        out + ")"
    }
}

impl Persistence {
    /// `rule` has the names of all variables.
    fn text(&self, rules: &Rules, rule: &Rule, locals: u32) -> String {
        let own = locals..locals + self.rule.vars.len() as u32;
        let exists: Vec<String> = own.map(|v| format!("?{}", rule.vars[v as usize])).collect();
        let mut parts: Vec<String> =
            self.rule.cond.iter().map(|l| rules.literal_text(l, rule)).collect();
        parts.extend(self.equations(rules, rule, locals));
        format!("(not (exists ({}) (and {})))", exists.join(" "), parts.join(" "))
    }
}

impl Persistence {
    /// The variables that the unifier replaces, those of the frame rule first.
    fn equations(&self, rules: &Rules, rule: &Rule, locals: u32) -> Vec<String> {
        let own = locals..locals + self.rule.vars.len() as u32;
        let replaced = own.chain(0..locals).filter_map(|v| {
            let (var, value) = (Term::Var(v), self.by.apply(&Term::Var(v)));
            let (name, text) = (rules.term_text(&var, rule), rules.term_text(&value, rule));
            (var != value).then(|| format!("(= {name} {text})"))
        });
        replaced.collect()
    }
}

/// `Fr_G(a)`: the frame rules whose head the atom subsumes.
pub fn frames_for<'r>(
    frames: &'r [FrameRule],
    fluent: &'r Term,
) -> impl Iterator<Item = &'r FrameRule> {
    frames.iter().filter(move |r| subsumes([(fluent, &r.fluent)]))
}

/// Names for the variables of a fluent and of a joint move, as the paper writes them.
pub fn names(moves: u32, locals: u32) -> Vec<String> {
    let fluent = |i: u32| match moves {
        0..=3 => ["X", "Y", "Z"][i as usize].to_string(),
        _ => format!("X{}", i + 1),
    };
    let action = |i: u32| match i {
        0..=22 => char::from(b'A' + i as u8).to_string(),
        _ => format!("A{i}"),
    };
    (0..moves).map(fluent).chain((0..locals - moves).map(action)).collect()
}
