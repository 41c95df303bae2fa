//! Taps whose gaps change from tap to tap.

use std::collections::BTreeMap;

use maxout_engine::game::{Gravity, Piece, Placement, Playfield, Ruleset};
use maxout_engine::gamepad::{PressStyle, TapGaps, TapRate};
use maxout_engine::movegen::{Start, generate};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::cases::{any_gaps, any_playfield};
use crate::compare;

fn style(text: &str) -> PressStyle {
    PressStyle::Gaps(text.parse().expect("gaps"))
}

#[test]
fn gaps_at_every_gravity() {
    for (level, text, playfields) in [
        (19, "2+", 20),
        (19, "2-3", 40),
        (29, "2-3", 40),
        (18, "2-3", 40),
        (39, "2-3", 40),
        (19, "2-2-2-5+", 40),
        (29, "2-2-2-5+", 40),
        (39, "2-2-2-5+", 40),
        (18, "5-2", 40),
        (29, "7-2-3", 60),
        (0, "2-2-2-5+", 2),
    ] {
        compare(style(text), Ruleset::Ksx2.gravity(level), playfields, u64::from(level) + 800);
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(800);
    for level in [18, 18, 19, 19, 29, 29, 39, 39] {
        let gaps = PressStyle::Gaps(any_gaps(&mut rng));
        compare(gaps, Ruleset::Ksx2.gravity(level), 10, u64::from(level) + 801);
    }
}

/// For each placement, the frames to its earliest lock.
fn soonest(playfield: &Playfield, start: &Start, gravity: Gravity, style: PressStyle) -> BTreeMap<Placement, u32> {
    let moves = generate(playfield, start, gravity, style);
    moves.reached().iter().map(|reached| (reached.placement, reached.frames)).collect()
}

#[test]
fn equal_gaps_are_a_rate_and_slow5_lies_between_fast_and_slow() {
    let rate = |hz| PressStyle::Taps(TapRate::from_hz(hz).expect("a rate within the range"));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(802);
    let (mut more_than_rhythm, mut more_than_slow) = (0, 0);
    for case in 0..300 {
        let playfield = any_playfield(&mut rng);
        let start = Start::spawn(Piece::ALL[rng.random_range(0..7)]);
        let gravity = Ruleset::Ksx2.gravity([18, 19, 29, 39][case % 4]);
        let reach = |style| soonest(&playfield, &start, gravity, style);
        // Equal gaps are a rate.
        assert_eq!(reach(style("2+")), reach(rate(30)));
        assert_eq!(reach(style("4-4")), reach(rate(15)));
        // Gaps in turn may begin with any frame, a rhythm only with its own.
        let in_rhythm = reach(PressStyle::Rhythm("X.X..".parse().expect("a rhythm")));
        more_than_rhythm += reach(style("2-3")).keys().filter(|placement| !in_rhythm.contains_key(placement)).count();
        // Slow from the fifth tap on lies between fast and slow throughout.
        let [fast, slow5, slow] = [rate(30), PressStyle::Gaps(TapGaps::SLOW5), rate(12)].map(reach);
        assert!(slow.keys().all(|placement| slow5.contains_key(placement)), "{playfield:?}");
        assert!(slow5.keys().all(|placement| fast.contains_key(placement)), "{playfield:?}");
        more_than_slow += slow5.len() - slow.len();
    }
    assert!(more_than_rhythm > 100 && more_than_slow > 100, "{more_than_rhythm} {more_than_slow}");
}
