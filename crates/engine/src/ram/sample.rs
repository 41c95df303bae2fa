//! RAM of a game under way, for tests.

use super::{Decoder, GameMode, GameModeState, PlayState, RAM_SIZE, Ram, RamMap, RamSnapshot, RenderMode};
use crate::game::Piece;
use crate::game::memory::address::{GAME_MODE, GAME_MODE_STATE, NEXT_PIECE, PAGE, PLAY_STATE, PLAYFIELD, RENDER_MODE};
use crate::game::memory::tile;

/// An empty playfield with a piece under control, changed by the test.
pub(crate) fn ram(change: impl Fn(&mut Ram)) -> Ram {
    let mut ram = [0; RAM_SIZE];
    ram[PLAYFIELD..PLAYFIELD + PAGE].fill(tile::EMPTY);
    ram[GAME_MODE] = GameMode::Play.byte();
    ram[GAME_MODE_STATE] = GameModeState::Running.byte();
    ram[RENDER_MODE] = RenderMode::Play.byte();
    ram[PLAY_STATE] = PlayState::Control.byte();
    ram[NEXT_PIECE] = Piece::O.spawn().id();
    change(&mut ram);
    ram
}

/// The same as a snapshot.
pub(crate) fn snapshot(change: impl Fn(&mut Ram)) -> RamSnapshot {
    Decoder::new(&RamMap::tetris_ntsc()).expect("default map").decode(&ram(change)).expect("possible values")
}
