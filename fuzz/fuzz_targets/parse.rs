//! Any bytes are read without a panic, in both syntaxes; what can be read survives being printed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ludex::source::{Report, Source};
use ludex::syntax::{Ast, Syntax};

fuzz_target!(|bytes: &[u8]| {
    let mut report = Report::default();
    let source = Source::from_bytes("fuzz", bytes.to_vec(), &mut report);
    for syntax in [None, Some(Syntax::Kif), Some(Syntax::Infix)] {
        let mut report = Report::default();
        let ast = Ast::parse(&source, syntax, &mut report);
        report.render(&source);
        if !report.has_errors() {
            reread(&ast, &source);
        }
    }
});

fn reread(ast: &Ast, source: &Source) {
    for syntax in [Syntax::Kif, Syntax::Infix] {
        let text = Source::new("printed", ast.format(source, syntax));
        let mut report = Report::default();
        let again = Ast::parse(&text, Some(syntax), &mut report);
        assert!(!report.has_errors(), "{}", report.render(&text));
        assert_eq!(again.clauses.len(), ast.clauses.len());
        assert_eq!(again.text(Syntax::Kif).to_lowercase(), ast.text(Syntax::Kif).to_lowercase());
    }
}
