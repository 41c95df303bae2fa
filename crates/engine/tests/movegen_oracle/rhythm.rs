//! Tap rhythms.

use std::collections::BTreeMap;

use maxout_engine::game::Piece;
use maxout_engine::gamepad::{PressStyle, TapRate};
use maxout_engine::movegen::{Start, generate};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::cases::{any_playfield, any_rhythm};
use crate::compare;

#[test]
fn tap_rhythms_at_every_gravity() {
    for (level, text, playfields) in [
        (19, "X.", 100),
        (19, "X....", 100),
        (19, "..X....", 60),
        (29, "X.", 100),
        (29, ".X.X..", 100),
        (18, "X.X..", 60),
        (18, "X...X....", 60),
        (0, "X.X..X...", 6),
    ] {
        let rhythm = text.parse().expect("a rhythm");
        compare(PressStyle::Rhythm(rhythm), level, playfields, u64::from(level) + 600 + text.len() as u64);
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(600);
    for level in [0, 18, 18, 18, 19, 19, 19, 29, 29, 29] {
        compare(PressStyle::Rhythm(any_rhythm(&mut rng)), level, 10, u64::from(level) + 601);
    }
}

#[test]
fn a_rhythm_reaches_nothing_that_taps_at_its_pace_do_not_reach() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(602);
    for (text, hz) in [("X.", 30), (".X", 30), ("X..", 20), ("X....", 12), ("..X....", 9), ("X.X..", 30)] {
        let rhythm = PressStyle::Rhythm(text.parse().expect("a rhythm"));
        let rate = PressStyle::Taps(TapRate::from_hz(hz).expect("a rate within the range"));
        let mut missing = [0; 4];
        for (level, missing) in [0, 18, 19, 29].into_iter().zip(&mut missing) {
            for _ in 0..if level == 0 { 20 } else { 200 } {
                let playfield = any_playfield(&mut rng);
                let start = Start::spawn(Piece::ALL[rng.random_range(0..7)]);
                let soonest = |style| -> BTreeMap<_, _> {
                    let moves = generate(&playfield, &start, level, style);
                    moves.reached().iter().map(|reached| (reached.placement, reached.frames)).collect()
                };
                let (in_rhythm, at_rate) = (soonest(rhythm), soonest(rate));
                for (placement, frames) in &in_rhythm {
                    let sooner = at_rate.get(placement).is_some_and(|soonest| soonest <= frames);
                    assert!(sooner, "{text}: {placement} level {level}\n{playfield:?}");
                }
                *missing += at_rate.len() - in_rhythm.len();
            }
        }
        // At two frames a row each row has one tap of `X.`, as of 30 Hz.
        assert_eq!(missing[2] == 0, matches!(text, "X." | ".X"), "{text}: {missing:?} placements fewer");
        assert!(missing[3] > 0, "{text}: {missing:?} placements fewer");
    }
}
