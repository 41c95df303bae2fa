//! RAM as typed values.

use super::phase::Phase;
use crate::game::control::FallingPiece;
use crate::game::memory::{GameMode, GameModeState, GameType, PlayState, RenderMode};
use crate::game::randomizer::Randomizer;
use crate::game::{Generator, Orientation, Piece, Playfield, Position, ROWS, WIDTH};
use crate::gamepad::Buttons;

/// The values of one frame that a player or a spectator needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RamSnapshot {
    /// The screen.
    pub game_mode: GameMode,
    /// Step inside the mode.
    pub game_mode_state: GameModeState,
    /// What the interrupt draws.
    pub render_mode: RenderMode,
    /// A-type or B-type.
    pub game_type: GameType,
    /// Level menu: 0 = level, 1 = height is being chosen.
    pub selecting_height: u8,
    /// Step of the play update.
    pub play_state: PlayState,
    /// The falling piece; `None` while hidden.
    pub piece: Option<Orientation>,
    /// Column of its origin.
    pub x: i8,
    /// Row of its origin.
    pub y: i8,
    /// The piece in the next box.
    pub next: Option<Piece>,
    /// Is the next box hidden?
    pub next_hidden: bool,
    /// Level.
    pub level: u8,
    /// Chosen start level.
    pub start_level: u8,
    /// Lines cleared.
    pub lines: u16,
    /// Score as the game counts it, 0 to 999,999.
    pub score: u32,
    /// Frames since the last drop.
    pub fall_timer: u8,
    /// DAS counter.
    pub das: u8,
    /// Pushdown counter.
    pub autorepeat_y: u8,
    /// Rows of the present pushdown.
    pub pushdown: u8,
    /// Next row to be sent to the screen; `$20` = all sent.
    pub vram_row: u8,
    /// Rows completed by the present lock.
    pub completed_lines: u8,
    /// Step of the clear animation.
    pub row_y: u8,
    /// Row of the topout curtain.
    pub curtain_row: u8,
    /// Random number, the byte of `$17` in the upper half.
    pub rng: u16,
    /// Orientation id of the last piece drawn.
    pub spawn_id: u8,
    /// Draws since power-on, modulo 256.
    pub spawn_count: u8,
    /// Interrupts since power-on.
    pub frame_counter: u16,
    /// Buttons newly pressed at the last poll.
    pub new_buttons: Buttons,
    /// Buttons down at the last poll.
    pub held_buttons: Buttons,
    /// Pieces that became current: T J Z O S L I.
    pub statistics: [u16; Piece::COUNT],
    /// Occupied cells, hidden rows -1 and -2 included.
    pub playfield: Playfield,
    /// The tiles of the 200 visible cells, row by row.
    pub tiles: [u8; ROWS * WIDTH],
}

impl RamSnapshot {
    /// What the game is doing.
    pub fn phase(&self) -> Phase {
        Phase::of(self.game_mode, self.game_mode_state, self.render_mode, self.play_state)
    }

    /// What a player looks at. `None` while the falling or the next piece is hidden.
    pub fn position(&self) -> Option<Position> {
        Some(Position {
            playfield: self.playfield,
            piece: self.piece?.piece(),
            next: self.next?,
            level: self.level,
            lines: self.lines,
            score: self.score,
        })
    }

    /// The piece generator; `None` where it would stand still, as in a RAM map that does not show it.
    pub fn generator(&self) -> Option<Generator> {
        (self.rng != 0).then(|| Generator {
            randomizer: Randomizer::from_bytes(self.rng.to_be_bytes()),
            spawn_count: self.spawn_count,
            frame_counter: self.frame_counter as u8,
        })
    }

    /// The falling piece with its counters, `None` while hidden.
    pub fn falling_piece(&self) -> Option<FallingPiece> {
        Some(FallingPiece {
            orientation: self.piece?,
            x: self.x,
            y: self.y,
            fall_timer: self.fall_timer,
            das: self.das,
            autorepeat_y: self.autorepeat_y,
            pushdown: self.pushdown,
        })
    }
}
