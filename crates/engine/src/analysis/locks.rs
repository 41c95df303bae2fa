//! The locks of a game that somebody played, as the game scored them.

use super::record::{PlayedGame, PlayedPiece};
use crate::game::Piece;
use crate::game::crash::Lock;
use crate::game::gravity::Gravity;

/// A lock of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedLock {
    /// The number of the piece in the game, from 1.
    pub piece: usize,
    /// Which piece it is.
    pub of: Piece,
    /// The frame in which the piece failed to fall. The score comes 10 to 38 frames later.
    pub frame: u64,
    /// What the length of the score depends on.
    pub lock: Lock,
}

/// The locks of a game. The next box is taken to be shown, and the clears before the recording to be none.
pub fn played_locks(game: &PlayedGame) -> Vec<PlayedLock> {
    let mut clears = [0_u32; 4];
    let mut locks = Vec::with_capacity(game.pieces.len());
    for (index, piece) in game.pieces.iter().enumerate() {
        let position = &piece.position;
        let lock = Lock::planned(&position.playfield, piece.placement, position.progress(), pushdown(piece), clears);
        if let Some(count) = usize::from(lock.rows).checked_sub(1).and_then(|kind| clears.get_mut(kind)) {
            *count += 1;
        }
        let frame = piece.spawn_frame + piece.frames.len() as u64;
        locks.push(PlayedLock { piece: index + 1, of: piece.placement.orientation.piece(), frame, lock });
    }
    locks
}

/// Rows of pushdown at the lock, by the buttons; 0 where the recording does not tell them.
fn pushdown(piece: &PlayedPiece) -> u8 {
    let mut falling = piece.falling.piece;
    let mut held = piece.falling.held;
    let gravity = Gravity::from(piece.position.level);
    for frame in &piece.frames {
        let Some(buttons) = frame.buttons else { return 0 };
        falling.fall_timer = falling.fall_timer.wrapping_add(1);
        falling.control(&piece.position.playfield, buttons, buttons.newly_pressed(held), gravity);
        held = buttons;
    }
    falling.pushdown
}
