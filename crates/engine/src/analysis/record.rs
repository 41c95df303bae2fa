//! A game that somebody played, piece by piece.

use crate::game::{Orientation, Placement, Position};
use crate::gamepad::Buttons;
use crate::planner::Falling;

/// A game of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedGame {
    /// The frame of the recording, counted from 0, in which its first piece is under control.
    pub first_frame: u64,
    /// Level at its start.
    pub start_level: u8,
    /// The pieces that locked, in order.
    pub pieces: Vec<PlayedPiece>,
    /// Did it top out? If not, the recording ends before the game does.
    pub is_topped_out: bool,
    /// Score after the last frame, without the cap where the recording tells it.
    pub score: u64,
    /// Lines after the last frame.
    pub lines: u16,
    /// Level after the last frame.
    pub level: u8,
}

/// A piece from its spawn to its lock.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedPiece {
    /// What the player saw at the spawn: playfield, this piece and the next, level, lines, score.
    pub position: Position,
    /// The piece at the sample of its spawn, and the buttons that were down.
    pub falling: Falling,
    /// The frame of that sample in the recording, counted from 0.
    pub spawn_frame: u64,
    /// The frames in which the piece could be moved, one after the other from `spawn_frame + 1` on;
    /// in the last one it fails to fall, so that it locks. Frames of a pause are left out.
    pub frames: Vec<PlayedFrame>,
    /// Where it locked.
    pub placement: Placement,
}

/// A falling piece at the end of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedFrame {
    /// How it is turned.
    pub orientation: Orientation,
    /// Column of its origin.
    pub x: i8,
    /// Row of its origin.
    pub y: i8,
    /// The buttons that were down; `None` where the recording does not tell.
    pub buttons: Option<Buttons>,
}
