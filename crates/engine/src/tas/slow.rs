//! The slow movement search: every set of buttons in every frame, on the rule of one frame.

use std::collections::{BTreeMap, BTreeSet};

use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::{Piece, Placement, Playfield};
use crate::gamepad::Buttons;

/// The earliest lock of every placement within `most` frames. Up and the first half of the timer's
/// history are no part of it: `buttons` are those that may be down. `stops`: Start may stop the piece once.
pub(super) fn earliest(
    field: &Playfield,
    piece: Piece,
    (das, hangs): (u8, bool),
    level: u8,
    (buttons, stops): (u8, bool),
    most: u32,
) -> BTreeMap<Placement, u32> {
    let orientation = piece.spawn();
    let spawned = if hangs { FallingPiece::first(orientation, das) } else { FallingPiece::spawned(orientation, das) };
    let sets: Vec<u8> = (0..=255_u8).filter(|set| set & !buttons == 0).collect();
    let key = |piece: &FallingPiece, held: u8, stopped: bool| {
        (piece.orientation.id(), piece.x, piece.y, piece.fall_timer, piece.das, piece.autorepeat_y, stopped, held)
    };
    let mut layer = BTreeMap::new();
    for &held in &sets {
        layer.insert(key(&spawned, held, false), spawned);
    }
    let mut earliest = BTreeMap::new();
    // Pieces that are stopped in a frame and go on in the third frame after it.
    let mut waiting = [BTreeMap::new(), BTreeMap::new(), BTreeMap::new()];
    for frame in 1..=most {
        let mut next = std::mem::take(&mut waiting[0]);
        waiting.rotate_left(1);
        for (&(.., stopped, before), falling) in &layer {
            for &held in &sets {
                let mut moved = FallingPiece { pushdown: 0, ..*falling };
                let (held, before) = (Buttons::from_bits(held), Buttons::from_bits(before));
                let outcome = moved.step(field, held, held.newly_pressed(before), level);
                if outcome == ControlOutcome::Falling {
                    next.insert(key(&moved, held.bits(), stopped), moved);
                    // Start is new in this frame, not in the next, new again in the second; the other buttons
                    // of that frame were down in the one before it.
                    if stops && !stopped && !hangs {
                        for &held in sets.iter().filter(|&&still| still & !held.bits() == 0) {
                            waiting[1].insert(key(&moved, held, true), moved);
                        }
                    }
                } else if crate::game::Obstacles::fits(field, moved.orientation, moved.x, moved.y) {
                    let placement = Placement { orientation: moved.orientation, x: moved.x, y: moved.y };
                    earliest.entry(placement).or_insert(frame);
                }
            }
        }
        let kept: BTreeSet<_> = next.keys().copied().collect();
        if kept.is_empty() && waiting.iter().all(BTreeMap::is_empty) {
            break;
        }
        layer = next;
    }
    earliest
}
