//! Texts that people write: settings, RAM maps, weights, schedules.

use maxout_engine::judge::handmade::{Notes, WeightSet};
use maxout_engine::ram::{Decoder, RamMap};
use maxout_lab::train::td::Schedule;

use crate::check;
use crate::config::Config;

/// What readers of text are given: all but what is not UTF-8, which is refused while the file is read.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}

/// The settings of the program.
pub(crate) fn config(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    match Config::from_toml(text) {
        Ok(config) => {
            let written = toml::to_string(&config).expect("settings are TOML");
            assert_eq!(Config::from_toml(&written), Ok(config), "{written}");
        }
        Err(problem) => check::words(&problem),
    }
}

/// A RAM map.
pub(crate) fn ram_map(bytes: &[u8]) {
    let Some(map) = text(bytes).and_then(|text| check::read(RamMap::from_toml(text))) else { return };
    let written = map.to_toml();
    assert_eq!(RamMap::from_toml(&written).expect("a map that was written can be read"), map);
    if let Some(decoder) = check::read(Decoder::new(&map)) {
        for byte in [0, 1, 0x13, 0xFF] {
            check::read(decoder.decode(&[byte; 2048]));
        }
    }
}

/// Weights of a hand-made evaluator.
pub(crate) fn weights(bytes: &[u8]) {
    let Some(set) = text(bytes).and_then(|text| check::read(WeightSet::from_toml(text))) else { return };
    let written = set.to_toml(&Notes::default());
    let again = WeightSet::from_toml(&written).expect("weights that were written can be read");
    assert_eq!(again, set);
    let bits = |set: &WeightSet| set.values().iter().map(|value| value.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&again), bits(&set));
    assert_eq!(set.evaluator().name(), set.evaluator_name());
}

/// The schedule of a training.
pub(crate) fn schedule(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let schedule = match Schedule::from_toml(text) {
        Ok(schedule) => schedule,
        Err(problem) => return check::words(&problem),
    };
    let written = toml::to_string(&schedule).expect("a schedule is TOML");
    assert_eq!(Schedule::from_toml(&written).as_ref(), Ok(&schedule), "{written}");
    let pieces = schedule.pieces();
    for placed in [0, 1, pieces / 2, pieces - 1, pieces, pieces.saturating_add(1)] {
        let (_, rates) = schedule.at(placed);
        assert!((0.0..1.0).contains(&rates.discount), "{rates:?} after {placed} pieces");
        assert!((1..=schedule.phases.len()).contains(&schedule.phase(placed)));
    }
    assert_eq!(schedule.differs(&schedule, pieces), None);
}
