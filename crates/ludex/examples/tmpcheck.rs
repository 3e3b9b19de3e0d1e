//! tmp
use ludex::rules::Rules;
use ludex::source::*;
fn main() {
    for a in std::env::args().skip(1) {
        let mut r = Report::default();
        let s =
            Source::from_bytes(a.rsplit('/').next().unwrap(), std::fs::read(&a).unwrap(), &mut r);
        let (r, n) = match Rules::read(&s, None) {
            Ok((x, r)) => (r, x.rules.len()),
            Err(r) => (r, 0),
        };
        println!("== {a} {n} rules");
        print!("{}", r.render(&s));
    }
}
