//! Playfields, press styles and starts by chance.

use maxout_engine::game::control::FallingPiece;
use maxout_engine::game::timing::frames_per_row;
use maxout_engine::game::{Obstacles, Piece, Playfield};
use maxout_engine::gamepad::{PressStyle, TapGaps, TapRate, TapRhythm};
use maxout_engine::movegen::Start;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::slow::cycle;

/// Many kinds of playfields: stacks of every height, with holes, overhangs and wells.
pub(crate) fn random_playfield(rng: &mut Xoshiro256PlusPlus) -> Playfield {
    let height = rng.random_range(0..=18);
    let density = rng.random_range(0.2..0.95);
    let mut playfield = Playfield::EMPTY;
    for row in (20 - height)..20 {
        let bits = (0..10).filter(|_| rng.random_bool(density)).fold(0, |bits, column| bits | 1 << column);
        playfield.set_row(row, if bits == 0x3FF { 0x1FF } else { bits });
    }
    if rng.random_bool(0.1) {
        playfield.set(-1, rng.random_range(0..10));
    }
    playfield
}

/// The longest rest between two presses in this style, in frames.
pub(crate) fn longest_rest(style: PressStyle) -> u8 {
    match style {
        PressStyle::Taps(rate) => rate.frames() - 1,
        PressStyle::Gaps(gaps) => gaps.longest() - 1,
        PressStyle::EvenFrames | PressStyle::Gamepad | PressStyle::Rhythm(_) => 0,
    }
}

pub(crate) fn random_start(
    rng: &mut Xoshiro256PlusPlus,
    playfield: &Playfield,
    piece: Piece,
    style: PressStyle,
) -> Start {
    let mut start = Start::spawn(piece);
    if rng.random_bool(0.3) {
        // In the middle of a fall, as after a desync.
        let orientations: Vec<_> = piece.orientations().collect();
        let (orientation, x, y) =
            (orientations[rng.random_range(0..orientations.len())], rng.random_range(0..10), rng.random_range(0..10));
        if playfield.fits(orientation, x, y) {
            let fall_timer = rng.random_range(0..3);
            start.piece = FallingPiece { orientation, x, y, fall_timer, ..start.piece };
            start.control_frame = rng.random_range(0..2 * cycle(style).max(2));
            start.rest = rng.random_range(0..4).min(longest_rest(style));
            start.taps = any_taps(rng, style);
        }
    }
    start.first_press = any_first_press(rng);
    start
}

/// Messy stacks of every height, low clean stacks, and some that reach into the invisible rows.
pub(crate) fn any_playfield(rng: &mut Xoshiro256PlusPlus) -> Playfield {
    let mut playfield = Playfield::EMPTY;
    match rng.random_range(0..3) {
        0 => playfield = random_playfield(rng),
        1 => {
            for column in 0..10 {
                for row in 20 - rng.random_range(0..=6)..20 {
                    playfield.set(row, column);
                }
            }
            for _ in 0..rng.random_range(0..3) {
                let hole = playfield.row(19) & !(1 << rng.random_range(0..10));
                playfield.set_row(19, hole);
            }
        }
        _ => {
            // A shaft in the middle of a stack up to the top, with nooks at its sides.
            let top = rng.random_range(-2..4);
            let density = rng.random_range(0.0..0.5);
            let even = rng.random_bool(0.3);
            for row in top..20 {
                let (left, right) = (rng.random_range(0..5), rng.random_range(6..10));
                let inside = if even { density } else { density * f64::from(row + 2) / 22.0 };
                for column in 0..10 {
                    let wall = column < left || column > right;
                    if rng.random_bool(if wall { 0.9 } else { inside }) {
                        playfield.set(row, column);
                    }
                }
            }
        }
    }
    playfield
}

/// Taps so far, where the style counts them.
fn any_taps(rng: &mut Xoshiro256PlusPlus, style: PressStyle) -> u8 {
    if matches!(style, PressStyle::Gaps(_)) { rng.random_range(0..12) } else { 0 }
}

/// One to eight gaps of 2 to 9 frames, now and then a long one.
pub(crate) fn any_gaps(rng: &mut Xoshiro256PlusPlus) -> TapGaps {
    let longest = if rng.random_bool(0.1) { 60 } else { 9 };
    let gaps: Vec<String> = (0..rng.random_range(1..=8)).map(|_| rng.random_range(2..=longest).to_string()).collect();
    let text = gaps.join("-") + if rng.random() { "+" } else { "" };
    text.parse().expect("gaps")
}

/// A style, most often taps at 30 Hz; Gamepad too where `gamepad` says so.
pub(crate) fn any_style(rng: &mut Xoshiro256PlusPlus, gamepad: bool) -> PressStyle {
    let rate = |hz| PressStyle::Taps(TapRate::from_hz(hz).expect("a rate within the range"));
    match rng.random_range(0..14) {
        0..4 => rate(30),
        4..7 => rate(rng.random_range(10..=30)),
        7 => rate(rng.random_range(1..10)),
        8 if gamepad => PressStyle::Gamepad,
        10..12 => PressStyle::Rhythm(any_rhythm(rng)),
        12.. => PressStyle::Gaps(any_gaps(rng)),
        _ => PressStyle::EvenFrames,
    }
}

/// Most often 0: something may be pressed at once.
fn any_first_press(rng: &mut Xoshiro256PlusPlus) -> u32 {
    match rng.random_range(0..10) {
        0 => rng.random_range(0..12),
        1 => rng.random_range(0..80),
        _ => 0,
    }
}

/// A start at a spawn, blocked or not, or at any place with any fall timer and rest.
pub(crate) fn any_start(
    rng: &mut Xoshiro256PlusPlus,
    playfield: &Playfield,
    piece: Piece,
    level: u8,
    style: PressStyle,
) -> Start {
    let mut start = Start::spawn(piece);
    if rng.random_bool(0.5) {
        let orientations: Vec<_> = piece.orientations().collect();
        for _ in 0..if rng.random_bool(0.8) { 20 } else { 0 } {
            let orientation = orientations[rng.random_range(0..orientations.len())];
            let (x, y) = (rng.random_range(0..10), rng.random_range(0..20));
            if playfield.fits(orientation, x, y) {
                start.piece = FallingPiece { orientation, x, y, ..start.piece };
                break;
            }
        }
        start.piece.fall_timer = rng.random_range(0..=frames_per_row(level));
        start.control_frame = rng.random_range(0..2 * cycle(style).max(2));
        start.rest = rng.random_range(0..=longest_rest(style));
        start.taps = any_taps(rng, style);
    }
    start.first_press = any_first_press(rng);
    start
}

/// A rhythm of 2 to 64 frames, most often a short one, with few or many taps.
pub(crate) fn any_rhythm(rng: &mut Xoshiro256PlusPlus) -> TapRhythm {
    let frames = if rng.random_bool(0.8) { rng.random_range(2..=8) } else { rng.random_range(2..=64) };
    let density = rng.random_range(0.1..0.9);
    let mut text = String::new();
    while text.len() < frames {
        let tap = !text.ends_with('X') && rng.random_bool(density);
        text.push(if tap { 'X' } else { '.' });
    }
    if text.starts_with('X') && text.ends_with('X') || !text.contains('X') {
        text.replace_range(frames - 2.., "X.");
        // The letter before may be an X.
        text = text.replace("XX", ".X");
    }
    let rhythm: TapRhythm = text.parse().expect("no taps in consecutive frames");
    assert_eq!(rhythm.to_string(), text);
    rhythm
}
