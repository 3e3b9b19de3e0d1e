//! Prints transitions per CPU second: ours, hand-written, and the ratio, from one run.

mod hand;

fn main() {
    for (name, play) in [
        ("tic-tac-toe", hand::tictactoe::play as fn(u64, u64) -> hand::Count),
        ("connect four 8x6", hand::connectfour::play),
        ("breakthrough 8x8", hand::breakthrough::play),
        ("reversi 8x8", hand::reversi::play),
    ] {
        let start = std::time::Instant::now();
        let mut transitions = 0;
        let mut seed = 0;
        let mut len = 0.0;
        while start.elapsed().as_secs_f64() < 1.0 {
            let c = play(20_000, seed);
            transitions += c.transitions;
            len = c.transitions as f64 / c.playouts as f64;
            seed += 1;
        }
        println!(
            "{name} {:.1} M/s len {len}",
            transitions as f64 / start.elapsed().as_secs_f64() / 1e6
        );
    }
}
