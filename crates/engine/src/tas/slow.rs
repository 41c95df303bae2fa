//! The slow movement search: every set of buttons in every frame, on the rule of one frame.

use std::collections::{BTreeMap, BTreeSet};

use crate::game::control::{ControlOutcome, FallingPiece};
use crate::game::{Piece, Placement, Playfield};
use crate::gamepad::Buttons;

/// The earliest lock of every placement within `most` frames. Up and the first half of the timer's
/// history are no part of it: `buttons` are those that may be down.
pub(super) fn earliest(
    field: &Playfield,
    piece: Piece,
    (das, hangs): (u8, bool),
    level: u8,
    buttons: u8,
    most: u32,
) -> BTreeMap<Placement, u32> {
    let orientation = piece.spawn();
    let spawned = if hangs { FallingPiece::first(orientation, das) } else { FallingPiece::spawned(orientation, das) };
    let sets: Vec<u8> = (0..=255_u8).filter(|set| set & !buttons == 0).collect();
    let key = |piece: &FallingPiece, held: u8| {
        (piece.orientation.id(), piece.x, piece.y, piece.fall_timer, piece.das, piece.autorepeat_y, held)
    };
    let mut layer = BTreeMap::new();
    for &held in &sets {
        layer.insert(key(&spawned, held), spawned);
    }
    let mut earliest = BTreeMap::new();
    for frame in 1..=most {
        let mut next = BTreeMap::new();
        for (&(.., before), falling) in &layer {
            for &held in &sets {
                let mut moved = FallingPiece { pushdown: 0, ..*falling };
                let (held, before) = (Buttons::from_bits(held), Buttons::from_bits(before));
                let outcome = moved.step(field, held, held.newly_pressed(before), level);
                if outcome == ControlOutcome::Falling {
                    next.insert(key(&moved, held.bits()), moved);
                } else if crate::game::Obstacles::fits(field, moved.orientation, moved.x, moved.y) {
                    let placement = Placement { orientation: moved.orientation, x: moved.x, y: moved.y };
                    earliest.entry(placement).or_insert(frame);
                }
            }
        }
        let kept: BTreeSet<_> = next.keys().copied().collect();
        if kept.is_empty() {
            break;
        }
        layer = next;
    }
    earliest
}
