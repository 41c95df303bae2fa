//! The locks of recorded games against the RAM of the original.

use std::path::Path;

use maxout_engine::analysis::played_locks;
use maxout_engine::game::crash::Lock;
use maxout_formats::PlayedStep;
use maxout_formats::games::GameCollector;
use maxout_formats::trace::TraceReader;

use crate::decoder;

/// What is known of a lock from the pieces alone: whether the screen flashes and whether Select is pressed are
/// not.
fn known(lock: Lock) -> Lock {
    Lock { flash: false, select: false, next_hidden: false, ..lock }
}

/// The locks of a recording by its pieces and by its RAM: their number, and how many had pushdown points.
fn locks(name: &str) -> (usize, usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    let mut trace = TraceReader::open(root.join(format!("{name}.trace.zst"))).expect("a trace");
    let decoder = decoder();
    let mut games = GameCollector::default();
    let mut truth = Vec::new();
    while let Some(row) = trace.next_row().expect("a row") {
        let snapshot = decoder.decode(&row.ram).expect("RAM of the game");
        let polled = snapshot.held_buttons == row.buttons;
        games.step(&PlayedStep::Frame { buttons: row.buttons, polled, writes: &[], snapshot: &snapshot });
        truth.extend(Lock::next(&row.ram).filter(|_| row.is_in_game()).map(known));
    }
    let found: Vec<Lock> = games.finish().games.iter().flat_map(played_locks).map(|it| known(it.lock)).collect();
    for (index, (found, truth)) in found.iter().zip(&truth).enumerate() {
        assert_eq!(found, truth, "{name}, lock {index}");
        assert_eq!(found.cycles(), truth.cycles());
    }
    assert!(found.len() <= truth.len() && truth.len() <= found.len() + 1, "{} of {}", found.len(), truth.len());
    (found.len(), found.iter().filter(|lock| lock.pushdown >= 2).count())
}

#[test]
fn the_locks_of_recorded_games_are_those_of_ram() {
    let [level_19, pushed] = ["d05_level19_bot", "d12_pushdown_score"].map(locks);
    assert_eq!((level_19, pushed), ((335, 23), (194, 194)));
    // With pauses, and with frames at half speed.
    let [mashed, chaos] = ["d06_level19_mash", "d11_level15_chaos"].map(locks);
    assert_eq!((mashed, chaos), ((122, 2), (131, 56)));
}
