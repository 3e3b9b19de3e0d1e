//! The program `ludex`.

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(&path).expect("readable");
    let source = ludex::source::Source::new(path, text);
    match ludex::rules::Rules::read(&source, None) {
        Ok((rules, report)) => {
            print!("{rules}");
            eprint!("{}", report.render(&source));
        }
        Err(report) => {
            eprint!("{}", report.render(&source));
            std::process::exit(1)
        }
    }
}
