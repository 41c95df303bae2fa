//! Where the main program waits for the next interrupt.

use crate::game::crash::{Danger, PassEnd};

/// The main program's place: what it will do in the next frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Booting; `frame` since power-on comes next.
    PowerOn { frame: u8 },
    /// The main loop waits before it enters a screen: an accidental extra frame, see
    /// `Simulation::go_to`.
    Enter(Screen),
    /// A screen is being drawn; `frame` frames after its entry come next.
    Draw { screen: Screen, frame: u8 },
    /// The legal screen sleeps its first 255 frames.
    LegalSleep,
    /// A menu reads the buttons in every frame.
    Menu(Screen),
    /// B-type: one row of garbage a frame.
    Garbage { row: u8 },
    /// Ordinary gameplay.
    Play,
    /// Exactly Left, Right and Down are held: the next frame only finishes this one's work.
    HalfSpeed,
    /// The pass was not over at the sample: what is left of it comes in the next frame.
    Late {
        /// How it ends.
        end: PassEnd,
        /// T, its length.
        cycles: u16,
    },
    /// The game hangs.
    Hanging(Danger),
    /// The game has crashed, in a pass of this length.
    Crashed { cycles: u16 },
    /// Paused.
    Paused,
    /// B-type: the success box is shown, then the screen goes dark, then comes the ending.
    Success { dark: bool },
    /// A-type: the sleep before the ending.
    EndingSleep,
    /// An A-type ending has run for `frames` frames.
    Ending { frames: u16 },
    /// B-type's ending: in a count, `left` steps come after the present one.
    Bonus { phase: Bonus, left: u16 },
    /// The name is entered; next the game is left.
    AfterName,
    /// The game is left; next the level menu is chosen.
    Leave,
}

/// The parts of B-type's ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bonus {
    /// It is drawn.
    Draw,
    /// It is shown without a total.
    Show,
    /// The total is the score.
    Total,
    /// The level's bonus is counted.
    Level,
    /// The pause after it.
    LevelCounted,
    /// The height's bonus is counted.
    Height,
    /// The pause after it, and the wait for Start.
    Counted,
}

/// Screens that take frames to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Screen {
    /// The legal screen.
    Legal,
    /// The title.
    Title,
    /// Choice of game type and music.
    GameType,
    /// Choice of level.
    LevelMenu,
    /// Mode 4 before a game.
    Game,
    /// Mode 4 after a game.
    NameEntry,
}

impl Task {
    /// Is the next frame without an interrupt, because a screen is being drawn?
    pub(super) fn loses_interrupt(self) -> bool {
        match self {
            Task::Play => false,
            Task::PowerOn { frame } => frame < 3 || frame == 4,
            Task::Draw { screen: Screen::LevelMenu | Screen::NameEntry, frame } => frame == 2,
            _ => false,
        }
    }
}

impl Screen {
    /// Frames from the entry to the first frame that reads the buttons.
    pub(super) const fn frames_to_first_look(self) -> u8 {
        match self {
            Screen::Legal | Screen::GameType | Screen::Game => 4,
            Screen::Title | Screen::LevelMenu | Screen::NameEntry => 5,
        }
    }
}
