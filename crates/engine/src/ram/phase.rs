//! What the game is doing, as far as a player can tell.

use super::snapshot::RamSnapshot;

/// `gameMode`, `$C0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GameMode {
    /// 0: the first screen after power-on.
    Legal,
    /// 1: title.
    Title,
    /// 2: choice of game type and music.
    GameType,
    /// 3: choice of level.
    LevelMenu,
    /// 4: play, ending and name entry.
    Play,
    /// 5: demo.
    Demo,
    /// 6: the demo is about to start.
    DemoStart,
}

impl GameMode {
    /// The mode of a byte, `None` from 7 on.
    pub const fn from_byte(byte: u8) -> Option<GameMode> {
        Some(match byte {
            0 => GameMode::Legal,
            1 => GameMode::Title,
            2 => GameMode::GameType,
            3 => GameMode::LevelMenu,
            4 => GameMode::Play,
            5 => GameMode::Demo,
            6 => GameMode::DemoStart,
            _ => return None,
        })
    }
}

/// `playState`, `$68`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum PlayState {
    /// 0: the game is over and is being left.
    Leaving,
    /// 1: the piece is under control.
    Control,
    /// 2: landed, waiting to lock.
    Lock,
    /// 3: rows are checked, one a frame.
    RowCheck,
    /// 4: clear animation.
    ClearAnimation,
    /// 5: lines and score are counted.
    Score,
    /// 6: B-type goal check.
    GoalCheck,
    /// 7: two-player garbage.
    Garbage,
    /// 8: waiting to spawn.
    Spawn,
    /// 9: never used by the game.
    Unused,
    /// 10: top-out curtain.
    Curtain,
}

impl PlayState {
    /// The state of a byte, `None` from 11 on.
    pub const fn from_byte(byte: u8) -> Option<PlayState> {
        Some(match byte {
            0 => PlayState::Leaving,
            1 => PlayState::Control,
            2 => PlayState::Lock,
            3 => PlayState::RowCheck,
            4 => PlayState::ClearAnimation,
            5 => PlayState::Score,
            6 => PlayState::GoalCheck,
            7 => PlayState::Garbage,
            8 => PlayState::Spawn,
            9 => PlayState::Unused,
            10 => PlayState::Curtain,
            _ => return None,
        })
    }

    /// The byte in `$68`.
    pub const fn byte(self) -> u8 {
        self as u8
    }
}

/// The situation at a sample.
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
    /// The top-out curtain or what follows it: ending, name entry.
    Topout,
}

/// `renderMode` of a running game.
const RENDER_PLAY: u8 = 3;
/// `renderMode` of a paused game; the curtain's screens have others.
const RENDER_PAUSED: u8 = 0;
/// `gameModeState` at the sample in which a new game has been set up.
const STATE_SET_UP: u8 = 1;
/// `gameModeState` from which on a game runs.
const STATE_RUNNING: u8 = 2;

impl Phase {
    /// The phase of a snapshot.
    pub fn of(snapshot: &RamSnapshot) -> Phase {
        if snapshot.game_mode != GameMode::Play {
            return Phase::Menu(snapshot.game_mode);
        }
        if snapshot.game_mode_state < STATE_SET_UP {
            return Phase::Starting;
        }
        match snapshot.play_state {
            PlayState::Curtain | PlayState::Leaving => Phase::Topout,
            _ if snapshot.render_mode == RENDER_PAUSED => Phase::Paused,
            _ if snapshot.render_mode != RENDER_PLAY => Phase::Topout,
            PlayState::Control if snapshot.game_mode_state == STATE_SET_UP => Phase::Falling,
            // The game is over once the name entry has handed the playfield back.
            _ if snapshot.game_mode_state == STATE_RUNNING + 1 => Phase::Topout,
            PlayState::Control => Phase::Falling,
            _ => Phase::EntryDelay,
        }
    }
}
