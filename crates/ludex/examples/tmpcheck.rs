//! tmp
use ludex::rules::Rules;
use ludex::source::*;
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let v: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect();
    (v[11].parse::<f64>().unwrap() + v[12].parse::<f64>().unwrap()) / 100.0
}
fn main() {
    for a in std::env::args().skip(1) {
        let mut r = Report::default();
        let s =
            Source::from_bytes(a.rsplit('/').next().unwrap(), std::fs::read(&a).unwrap(), &mut r);
        let t = cpu();
        let mut rr = Report::default();
        let ast = ludex::syntax::Ast::parse(&s, None, &mut rr);
        eprintln!("parse {:?} {}", cpu() - t, ast.clauses.len());
        drop(ast);
        let t = cpu();
        let (r, n) = match Rules::read(&s, None) {
            Ok((x, r)) => {
                eprintln!("read undropped {:?}", cpu() - t);
                (r, x.rules.len())
            }
            Err(r) => (r, 0),
        };
        eprintln!("read {:?}", cpu() - t);
        println!("== {a} {n} rules {} complaints", r.complaints.len());
        if r.complaints.len() < 3000 {
            print!("{}", r.render(&s));
        }
    }
}
