//! Move generation against a slow, simple search that steps the rules frame by frame.
//!
//! `MAXOUT_FUZZ_SWEEPS` sets the number of cases in which the sweep is compared with the slow search
//! (default: 1,000), `MAXOUT_FUZZ_SEED` their seed.

mod adjust;
mod cases;
mod free;
mod gaps;
mod rhythm;
mod slow;

use std::collections::{BTreeMap, BTreeSet};

use maxout_engine::game::control::ControlOutcome;
use maxout_engine::game::{Gravity, Piece, Placement, Playfield, Ruleset};
use maxout_engine::gamepad::{PressStyle, TapRate};
use maxout_engine::movegen::{Start, generate, sweep, sweep_plateau};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use cases::{any_playfield, any_start, any_style, random_playfield, random_start};
use slow::{Hand, allowed, slow_search};

fn compare(style: PressStyle, gravity: impl Into<Gravity>, playfields: u32, seed: u64) {
    let gravity = gravity.into();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut placements = 0;
    for _ in 0..playfields {
        let playfield = random_playfield(&mut rng);
        for piece in Piece::ALL {
            let start = random_start(&mut rng, &playfield, piece, style);
            let moves = generate(&playfield, &start, gravity, style);
            let fast: BTreeMap<_, _> = moves.reached().iter().map(|r| (r.placement, r.frames)).collect();
            assert_eq!(fast.len(), moves.reached().len(), "a placement is listed once");
            let slow = slow_search(&playfield, &start, gravity, style);
            assert_eq!(fast, slow, "{style:?} {gravity:?} {start:?}\n{playfield:?}");
            // So the timelines below also cover the placements of the sweep.
            let swept: Vec<_> = sweep(&playfield, &start, gravity, style).iter().collect();
            assert!(in_order(&swept) && fast.keys().all(|placement| swept.contains(placement)));
            assert_eq!(swept.len(), fast.len(), "{style:?} {gravity:?} {start:?}\n{playfield:?}");
            placements += fast.len();
            for reached in moves.reached() {
                check_timeline(&playfield, &start, gravity, style, &moves, reached);
            }
        }
    }
    assert!(placements > playfields as usize, "the playfields leave room to move");
}

/// Checks that the timeline obeys the style and locks where and when it promises.
fn check_timeline(
    playfield: &Playfield,
    start: &Start,
    gravity: Gravity,
    style: PressStyle,
    moves: &maxout_engine::movegen::Moves,
    reached: &maxout_engine::movegen::Reached,
) {
    let timeline = moves.timeline(reached);
    assert_eq!(timeline.len() as u32, reached.frames);
    let mut piece = start.piece;
    let mut hand = Hand::at(start, style);
    for (index, &held) in timeline.frames().iter().enumerate() {
        let next =
            allowed(style, start, hand, start.control_frame + index as u32).into_iter().find(|next| next.held == held);
        let next = next.unwrap_or_else(|| panic!("{style:?} does not allow {held} in frame {index} of {timeline:?}"));
        let before = (piece.orientation, piece.x);
        let outcome = piece.step(playfield, held, held.newly_pressed(hand.held), gravity);
        hand = next;
        let moves = (piece.orientation, piece.x) != before;
        assert!(moves || held.is_empty() || style == PressStyle::Gamepad, "{held} in frame {index} moves nothing");
        assert_eq!(outcome == ControlOutcome::Landed, index + 1 == timeline.len(), "{timeline:?}");
    }
    assert_eq!(Placement { orientation: piece.orientation, x: piece.x, y: piece.y }, reached.placement);
}

#[test]
fn even_frames_on_the_plateau() {
    compare(PressStyle::EvenFrames, 19, 400, 1);
}

#[test]
fn even_frames_at_every_gravity() {
    for (level, playfields) in [(0, 10), (5, 20), (9, 30), (10, 30), (13, 30), (18, 60), (29, 100)] {
        compare(PressStyle::EvenFrames, level, playfields, u64::from(level) + 100);
    }
}

#[test]
fn gamepad_on_the_plateau() {
    compare(PressStyle::Gamepad, 19, 40, 2);
}

#[test]
fn gamepad_at_every_gravity() {
    for (level, playfields) in [(0, 1), (9, 2), (13, 4), (18, 8), (29, 40)] {
        compare(PressStyle::Gamepad, level, playfields, u64::from(level) + 200);
    }
}

#[test]
fn taps_at_every_gravity_and_rate() {
    for (level, hz, playfields) in [
        (19, 30, 400),
        (29, 30, 200),
        (18, 30, 60),
        (0, 30, 6),
        (9, 30, 20),
        (19, 20, 60),
        (19, 15, 60),
        (18, 12, 40),
        (29, 10, 60),
        (13, 10, 30),
    ] {
        let rate = TapRate::from_hz(hz).expect("a rate within the range");
        compare(PressStyle::Taps(rate), level, playfields, u64::from(level) + 300 + hz);
    }
}

/// Ordered by row from the top, then by orientation id, then by column from the left.
fn in_order(placements: &[Placement]) -> bool {
    placements.is_sorted_by_key(|placement| (placement.y, placement.orientation, placement.x))
}

/// At two rows a frame the row from which a frame begins is every second one: another half of the
/// playfield for tucks, and every style must fall through the rows between.
#[test]
fn every_style_at_two_rows_a_frame() {
    let gravity = Ruleset::Ksx2.gravity(39);
    let rate = |hz| PressStyle::Taps(TapRate::from_hz(hz).expect("a rate within the range"));
    for (style, playfields) in [
        (PressStyle::EvenFrames, 60),
        (PressStyle::Gamepad, 20),
        (rate(30), 200),
        (rate(20), 60),
        (rate(15), 60),
        (rate(12), 60),
        (rate(10), 60),
        (PressStyle::Rhythm("X.X..".parse().expect("a rhythm")), 60),
        (PressStyle::Rhythm("..X".parse().expect("a rhythm")), 60),
    ] {
        compare(style, gravity, playfields, 700 + u64::from(playfields));
    }
}

/// The levels of KSX2, which before level 39 are those of the original.
const LEVELS: [u8; 14] = [0, 5, 8, 9, 10, 13, 15, 16, 18, 19, 28, 29, 39, 200];

/// The number in an environment variable.
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn the_sweep_finds_what_the_search_finds() {
    const CASES: u32 = 100_000;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(500);
    let (mut placements, mut empty) = (0, 0);
    for _ in 0..CASES {
        let playfield = any_playfield(&mut rng);
        let piece = Piece::ALL[rng.random_range(0..7)];
        let level = LEVELS[rng.random_range(0..LEVELS.len())];
        let gravity = Ruleset::Ksx2.gravity(level);
        // The search for Gamepad takes a hundred times as long as for the other styles.
        let gamepad = rng.random_bool(0.05);
        let style = any_style(&mut rng, gamepad);
        let start = any_start(&mut rng, &playfield, piece, level, style);
        let moves = generate(&playfield, &start, gravity, style);
        let mut searched: Vec<_> = moves.reached().iter().map(|reached| reached.placement).collect();
        searched.sort_by_key(|placement| (placement.y, placement.orientation, placement.x));
        let locks = sweep(&playfield, &start, gravity, style);
        let swept: Vec<_> = locks.iter().collect();
        assert_eq!(swept, searched, "{style:?} level {level} {start:?}\n{playfield:?}");
        assert_eq!((locks.len(), locks.is_empty()), (searched.len(), searched.is_empty()));
        placements += swept.len();
        empty += u32::from(swept.is_empty());
    }
    assert!(placements > 10 * CASES as usize, "the playfields leave room to move: {placements} placements");
    assert!(empty > CASES / 1000, "some pieces have nowhere to go: {empty}");
}

#[test]
fn the_sweep_finds_what_the_slow_search_finds() {
    let cases = setting("MAXOUT_FUZZ_SWEEPS", 1000);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(setting("MAXOUT_FUZZ_SEED", 501));
    let (mut placements, mut spawned) = (0, 0);
    for _ in 0..cases {
        let playfield = any_playfield(&mut rng);
        let piece = Piece::ALL[rng.random_range(0..7)];
        // Nine of ten cases have a fast gravity, because slow gravities take longest.
        let slowest = if rng.random_bool(0.1) { 0 } else { 4 };
        let level = LEVELS[rng.random_range(slowest..LEVELS.len())];
        let gravity = Ruleset::Ksx2.gravity(level);
        let style = any_style(&mut rng, false);
        let start = any_start(&mut rng, &playfield, piece, level, style);
        let slow: BTreeSet<_> = slow_search(&playfield, &start, gravity, style).into_keys().collect();
        let swept: Vec<_> = sweep(&playfield, &start, gravity, style).iter().collect();
        assert!(in_order(&swept));
        assert_eq!(BTreeSet::from_iter(swept), slow, "{style:?} level {level} {start:?}\n{playfield:?}");
        placements += slow.len();

        let spawn = Start::spawn(piece);
        let slow: BTreeSet<_> =
            slow_search(&playfield, &spawn, 19.into(), PressStyle::Taps(TapRate::FASTEST)).into_keys().collect();
        let swept: BTreeSet<_> = sweep_plateau(&playfield, piece).iter().collect();
        assert_eq!(swept, slow, "{piece:?} on the plateau\n{playfield:?}");
        spawned += slow.len();
    }
    println!("{cases} cases with {placements} placements, the same on the plateau with {spawned}");
    assert!(placements as u64 > 8 * cases && spawned as u64 > 8 * cases, "{placements} and {spawned} placements");
}

#[test]
fn a_tuck_and_a_spin_are_found() {
    let tuck = Playfield::drawn(
        "
        ####......
        ..........
        ..........
        ",
    );
    let spin = Playfield::drawn(
        "
        ##..######
        ##....####
        ###.######
        ",
    );
    for style in PressStyle::ALL {
        let find = |playfield, piece: Piece, wanted: Placement| {
            let moves = generate(playfield, &Start::spawn(piece), 19, style);
            moves.reached().iter().any(|reached| reached.placement == wanted)
        };
        let flat = Piece::O.spawn();
        assert!(find(&tuck, Piece::O, Placement { orientation: flat, x: 4, y: 18 }), "{style:?}: O under the overhang");
        // The T points down into the notch, its right arm under the overhang.
        let down = Piece::T.spawn();
        assert!(find(&spin, Piece::T, Placement { orientation: down, x: 3, y: 18 }), "{style:?}: T spin");
    }
}
