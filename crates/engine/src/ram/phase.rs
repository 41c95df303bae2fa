//! What the game is doing, as far as a player can tell.

use crate::game::memory::{GameMode, GameModeState, PlayState, RenderMode};

/// What the game is doing at the end of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// A screen before the game: legal, title, game type, level menu, demo.
    Menu(GameMode),
    /// The screen of a new game is being drawn.
    Starting,
    /// The next frame is a control frame of the falling piece.
    Falling,
    /// Between lock and spawn (ARE), row clears included.
    EntryDelay,
    /// Paused.
    Paused,
    /// The topout curtain or what follows it: ending, name entry.
    Topout,
}

impl Phase {
    /// The phase that these four values mean.
    pub(super) fn of(mode: GameMode, state: GameModeState, render: RenderMode, play: PlayState) -> Phase {
        if mode != GameMode::Play {
            return Phase::Menu(mode);
        }
        if state == GameModeState::Draw {
            return Phase::Starting;
        }
        match play {
            PlayState::Curtain | PlayState::Leaving => Phase::Topout,
            _ if render == RenderMode::Still => Phase::Paused,
            _ if render != RenderMode::Play => Phase::Topout,
            PlayState::Control if state == GameModeState::SetUp => Phase::Falling,
            // The game is over once the name entry has handed the playfield back.
            _ if state == GameModeState::Leaving => Phase::Topout,
            PlayState::Control => Phase::Falling,
            _ => Phase::EntryDelay,
        }
    }
}
