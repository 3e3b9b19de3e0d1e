//! Machines that do not allow the code of a back end: the portable one plays the same matches there.

use super::super::backend::Host;
use super::*;

/// Plays with an engine of a machine that lacks something.
fn played_on(host: Host, wish: Backend) -> (Totals, Backend, Option<String>) {
    fn play<const W: usize>(engine: SlicedEngine) -> Totals {
        let mut lanes = Lanes::<W>::new(Arc::new(engine));
        lanes.begin(3, 5_000, Sliced::BOUND);
        while !lanes.is_done() {
            lanes.advance(STEPS);
        }
        lanes.totals.clone()
    }
    let (net, budget) = (tic_tac_toe(), Budget::unlimited());
    let phases = Phases::find(&net);
    let engine =
        SlicedEngine::on(host, &net, &phases, (wish, 1), Purpose::Playouts, &budget).unwrap();
    let (backend, instead) = (engine.backend, engine.instead.clone());
    let totals = match backend.lanes() {
        256 => play::<4>(engine),
        _ => play::<8>(engine),
    };
    (totals, backend, instead)
}

#[test]
fn a_machine_that_lacks_anything_runs_the_portable_back_end() {
    for wish in [Backend::Avx2, Backend::Avx512] {
        let (expected, ..) = played_on(Host::default(), wish.portable());
        assert_eq!(expected.playouts, 5_000);
        assert!(wish.needs().len() > 8);
        for (feature, _) in wish.needs() {
            let host = Host { lacks: Some(feature), ..Host::default() };
            let (totals, backend, instead) = played_on(host, wish);
            assert_eq!((&totals, backend), (&expected, wish.portable()), "{feature}");
            assert!(instead.unwrap().starts_with("this processor has no "));
        }
        let refusing = Host { refuses: true, ..Host::default() };
        let (totals, backend, instead) = played_on(refusing, wish);
        assert_eq!((&totals, backend), (&expected, wish.portable()));
        let why = if wish.is_available() { "machine code: permission denied" } else { "has no" };
        assert!(instead.as_ref().is_some_and(|i| i.contains(why)), "{instead:?}");
        // And with all of it the same matches are played.
        let (totals, backend, instead) = played_on(Host::default(), wish);
        assert_eq!((&totals, instead.is_none()), (&expected, wish.is_available()));
        assert_eq!(backend == wish, wish.is_available());
    }
}
