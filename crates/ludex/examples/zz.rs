//! Timing.
use ludex::budget::*;
use ludex::facts::boards::Boards;
use ludex::facts::invariants::*;
use ludex::ground::Ground;
use ludex::net::Net;
use ludex::rules::Rules;
use ludex::source::Source;
use std::sync::Arc;
use std::time::Instant;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path).unwrap();
        let source = Source::new(path.clone(), String::from_utf8_lossy(&text));
        let Ok((rules, _)) = Rules::read(&source, None) else {
            println!("{path} bad");
            continue;
        };
        let budget = Budget::unlimited();
        let b = budget.clone();
        let done = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let d = done.clone();
        std::thread::spawn(move || {
            for _ in 0..200 {
                std::thread::sleep(std::time::Duration::from_millis(50));
                if d.load(std::sync::atomic::Ordering::Relaxed) {
                    return;
                }
            }
            b.stop(Stop::Time)
        });
        let t = Instant::now();
        let Ok(ground) = Ground::new(&rules, &budget) else {
            println!("{path} not ground");
            continue;
        };
        let Ok(net) = Net::new(&ground, &budget) else {
            println!("{path} no net");
            continue;
        };
        let net = Arc::new(net);
        let g = t.elapsed().as_secs_f64();
        let inv = Invariants::find(&net, &budget);
        let i = t.elapsed().as_secs_f64();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        match inv {
            Err(_) => println!("{path} {g:.2} gates {} STOP {i:.2}", net.gates.len()),
            Ok(inv) => {
                let boards = Boards::find(&net, &inv, &budget).unwrap();
                let best =
                    boards.best().map(|b| format!("{} {:?} {:?}", b.relation, b.places, b.kind));
                println!(
                    "{path} {g:.2} gates {} inv {:.2} found {} {:?}",
                    net.gates.len(),
                    i - g,
                    inv.found.len(),
                    best
                );
            }
        }
    }
}
