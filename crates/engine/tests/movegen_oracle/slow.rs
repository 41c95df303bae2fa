//! A slow, simple search that steps the rules frame by frame.

use std::collections::{BTreeMap, HashSet};

use maxout_engine::game::control::{ControlOutcome, FallingPiece};
use maxout_engine::game::{Gravity, Obstacles, Placement, Playfield};
use maxout_engine::gamepad::{Buttons, PressStyle, TapGaps};
use maxout_engine::movegen::Start;

/// The buttons that each press style may hold in a frame, written as simply as possible.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Hand {
    pub(crate) held: Buttons,
    /// Frames that Down has been down: 0, 1, 2, then 3 and 2 in turn.
    pub(crate) down: u8,
    /// Frames before the next tap may come.
    pub(crate) rest: u8,
    /// Taps so far, of a style that counts them; past the last gap those that act alike are one number.
    pub(crate) taps: u8,
}

pub(crate) const IDLE: Hand = Hand { held: Buttons::NONE, down: 0, rest: 0, taps: 0 };

impl Hand {
    pub(crate) fn at(start: &Start, style: PressStyle) -> Hand {
        let taps = if let PressStyle::Gaps(gaps) = style { alike(gaps, start.taps) } else { 0 };
        Hand { rest: start.rest, taps, ..IDLE }
    }
}

/// The gaps in frames, and whether only the last is repeated, read from the text.
fn gaps_of(gaps: TapGaps) -> (Vec<u8>, bool) {
    let text = gaps.to_string();
    let list = text.trim_end_matches('+');
    (list.split('-').map(|gap| gap.parse().expect("frames")).collect(), list != text)
}

/// The least number of taps after which the same gaps follow.
fn alike(gaps: TapGaps, taps: u8) -> u8 {
    let (list, repeats_last) = gaps_of(gaps);
    if repeats_last { taps.min(list.len() as u8 - 1) } else { taps % list.len() as u8 }
}

const SHIFTS: [Buttons; 3] = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT];
const ROTATIONS: [Buttons; 3] = [Buttons::NONE, Buttons::A, Buttons::B];

pub(crate) fn allowed(style: PressStyle, start: &Start, hand: Hand, control_frame: u32) -> Vec<Hand> {
    if control_frame < start.first_press {
        return vec![Hand { rest: hand.rest.saturating_sub(1), taps: hand.taps, ..IDLE }];
    }
    let mut hands = Vec::new();
    match style {
        PressStyle::EvenFrames => {
            hands.push(IDLE);
            if control_frame.is_multiple_of(2) {
                for held in [Buttons::LEFT, Buttons::RIGHT, Buttons::A, Buttons::B] {
                    hands.push(Hand { held, ..IDLE });
                }
            }
        }
        PressStyle::Gamepad => {
            for shift in SHIFTS {
                for rotation in ROTATIONS {
                    for down in [false, true] {
                        let again = (!shift.is_empty() && hand.held.intersects(Buttons::LEFT | Buttons::RIGHT))
                            || (!rotation.is_empty() && hand.held.intersects(Buttons::A | Buttons::B));
                        let sideways_while_down = down && !shift.is_empty();
                        let released_too_early = !down && matches!(hand.down, 1 | 2);
                        if again || sideways_while_down || released_too_early {
                            continue;
                        }
                        let count = match (down, hand.down) {
                            (false, _) => 0,
                            (true, 3) => 2,
                            (true, frames) => frames + 1,
                        };
                        let held = shift | rotation | if down { Buttons::DOWN } else { Buttons::NONE };
                        hands.push(Hand { held, down: count, ..IDLE });
                    }
                }
            }
        }
        PressStyle::Taps(rate) => {
            hands.push(Hand { rest: hand.rest.saturating_sub(1), ..IDLE });
            if hand.rest == 0 {
                for shift in SHIFTS {
                    hands.extend(
                        ROTATIONS.iter().filter(|rotation| !(shift | **rotation).is_empty()).map(|&rotation| Hand {
                            held: shift | rotation,
                            rest: rate.frames() - 1,
                            ..IDLE
                        }),
                    );
                }
            }
        }
        PressStyle::Gaps(gaps) => {
            hands.push(Hand { rest: hand.rest.saturating_sub(1), taps: hand.taps, ..IDLE });
            if hand.rest == 0 {
                let rest = gaps_of(gaps).0[usize::from(hand.taps)] - 1;
                let taps = alike(gaps, hand.taps + 1);
                for shift in SHIFTS {
                    let presses = ROTATIONS.map(|rotation| shift | rotation);
                    let presses = presses.into_iter().filter(|held| !held.is_empty());
                    hands.extend(presses.map(|held| Hand { held, rest, taps, ..IDLE }));
                }
            }
        }
        PressStyle::Rhythm(rhythm) => {
            hands.push(IDLE);
            let letters = rhythm.to_string().into_bytes();
            if letters[control_frame as usize % letters.len()] == b'X' {
                for shift in SHIFTS {
                    let presses = ROTATIONS.map(|rotation| shift | rotation);
                    hands.extend(presses.into_iter().filter(|held| !held.is_empty()).map(|held| Hand { held, ..IDLE }));
                }
            }
        }
    }
    hands
}

/// Frames after which the style allows the same presses again.
pub(crate) fn cycle(style: PressStyle) -> u32 {
    match style {
        PressStyle::EvenFrames => 2,
        PressStyle::Gamepad | PressStyle::Taps(_) | PressStyle::Gaps(_) => 1,
        PressStyle::Rhythm(rhythm) => rhythm.to_string().len() as u32,
    }
}

/// For each placement, the frames to its earliest lock.
pub(crate) fn slow_search(
    playfield: &Playfield,
    start: &Start,
    gravity: Gravity,
    style: PressStyle,
) -> BTreeMap<Placement, u32> {
    let first = Hand::at(start, style);
    let mut seen = HashSet::from([(start.piece, first, start.control_frame % cycle(style))]);
    let mut layer = vec![(start.piece, first)];
    let mut found = BTreeMap::new();
    for frames in 1.. {
        if layer.is_empty() {
            break;
        }
        let control_frame = start.control_frame + frames - 1;
        let mut next = Vec::new();
        for (piece, hand) in layer {
            for new_hand in allowed(style, start, hand, control_frame) {
                let mut piece: FallingPiece = piece;
                let pressed = new_hand.held.newly_pressed(hand.held);
                let before = (piece.orientation, piece.x);
                let outcome = piece.step(playfield, new_hand.held, pressed, gravity);
                // A tap that moves nothing is none.
                let moves = (piece.orientation, piece.x) != before;
                if matches!(style, PressStyle::Gaps(_)) && !moves && !new_hand.held.is_empty() {
                    continue;
                }
                if outcome == ControlOutcome::Landed {
                    if playfield.fits(piece.orientation, piece.x, piece.y) {
                        let placement = Placement { orientation: piece.orientation, x: piece.x, y: piece.y };
                        found.entry(placement).or_insert(frames);
                    }
                    continue;
                }
                // Neither counter moves a piece if directions are only tapped.
                (piece.das, piece.pushdown) = (0, 0);
                if seen.insert((piece, new_hand, (control_frame + 1) % cycle(style))) {
                    next.push((piece, new_hand));
                }
            }
        }
        layer = next;
    }
    found
}
