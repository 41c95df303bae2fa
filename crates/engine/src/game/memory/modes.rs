//! The values of the bytes that say what the game is doing.

use std::fmt;

/// An enum whose variants are values of one byte of RAM.
macro_rules! byte_values {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $value:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$variant_doc])* $variant = $value,)*
        }

        impl $name {
            /// All values, in the order of their bytes.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The value of a byte; `None` for bytes that the game never writes there.
            pub const fn from_byte(byte: u8) -> Option<$name> {
                match byte {
                    $($value => Some($name::$variant),)*
                    _ => None,
                }
            }

            /// The byte in RAM.
            pub const fn byte(self) -> u8 {
                self as u8
            }
        }
    };
}

byte_values! {
    /// `gameMode`, `$C0`: the screen.
    GameMode {
        /// The first screen after power-on.
        Legal = 0,
        /// Title.
        Title = 1,
        /// Choice of game type and music.
        GameType = 2,
        /// Choice of level.
        LevelMenu = 3,
        /// Play, ending and name entry.
        Play = 4,
        /// Demo.
        Demo = 5,
        /// The demo is about to start.
        DemoStart = 6,
    }
}

byte_values! {
    /// `gameModeState`, `$A7`: the step inside modes 4 and 5. In play, steps 2 to 8 run in one
    /// frame, and step 8 leaves the value at 2.
    GameModeState {
        /// The screen of a new game is drawn.
        Draw = 0,
        /// The game is set up.
        SetUp = 1,
        /// The play update comes next: the value at every ordinary sample in play.
        Running = 2,
        /// The game is over: the value during name entry and on the way to the level menu.
        Leaving = 3,
        /// The play update. Seen only while it waits for an ending.
        PlayUpdate = 4,
        /// The second player's play update.
        SecondPlayer = 5,
        /// The check for the reset combination. Stays until the next game after a reset.
        ResetCheck = 6,
        /// The check for a pause. Seen while paused and at half speed.
        PauseCheck = 7,
        /// The end of the frame.
        End = 8,
    }
}

byte_values! {
    /// `renderMode`, `$BD`: what the interrupt draws.
    RenderMode {
        /// Legal screen, title, pause: nothing.
        Still = 0,
        /// Game type and level menu.
        Menu = 1,
        /// Name entry.
        NameEntry = 2,
        /// A running game.
        Play = 3,
        /// An ending.
        Ending = 4,
    }
}

byte_values! {
    /// `gameType`, `$C1`.
    GameType {
        /// A-type: play until the topout.
        A = 0,
        /// B-type: clear 25 lines.
        B = 1,
    }
}

impl fmt::Display for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameType::A => "A-type",
            GameType::B => "B-type",
        })
    }
}

byte_values! {
    /// `playState`, `$68`: the step of the play update.
    PlayState {
        /// The game is over and is being left.
        Leaving = 0,
        /// The piece is under control.
        Control = 1,
        /// Landed, waiting to lock.
        Lock = 2,
        /// Rows are checked, one a frame.
        RowCheck = 3,
        /// Clear animation.
        ClearAnimation = 4,
        /// Lines and score are counted.
        Score = 5,
        /// B-type goal check.
        GoalCheck = 6,
        /// Two-player garbage.
        Garbage = 7,
        /// Waiting to spawn.
        Spawn = 8,
        /// Never used by the game.
        Unused = 9,
        /// Topout curtain.
        Curtain = 10,
    }
}

impl PlayState {
    /// Is this a state of the entry delay, from the landing to the next spawn?
    pub const fn is_entry_delay(self) -> bool {
        let state = self as u8;
        PlayState::Lock as u8 <= state && state <= PlayState::Spawn as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_byte_and_no_other() {
        for byte in 0..=u8::MAX {
            assert_eq!(GameMode::from_byte(byte).map(GameMode::byte), (byte <= 6).then_some(byte));
            assert_eq!(GameModeState::from_byte(byte).map(GameModeState::byte), (byte <= 8).then_some(byte));
            assert_eq!(RenderMode::from_byte(byte).map(RenderMode::byte), (byte <= 4).then_some(byte));
            assert_eq!(GameType::from_byte(byte).map(GameType::byte), (byte <= 1).then_some(byte));
            assert_eq!(PlayState::from_byte(byte).map(PlayState::byte), (byte <= 10).then_some(byte));
        }
    }

    #[test]
    fn the_entry_delay_lasts_from_landing_to_spawn() {
        let states: Vec<u8> =
            PlayState::ALL.iter().filter(|state| state.is_entry_delay()).map(|state| state.byte()).collect();
        assert_eq!(states, [2, 3, 4, 5, 6, 7, 8]);
    }
}
