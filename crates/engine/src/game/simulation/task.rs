//! Where the main program waits for the next interrupt.

use super::Simulation;
use super::address::{GAME_MODE_STATE, HIDE_NEXT, RENDER_MODE};

/// The main program's place: what it will do in the next frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Booting; `frame` since power-on comes next.
    PowerOn { frame: u8 },
    /// The main loop waits before it enters a screen: an accidental extra frame, see
    /// [`Simulation::go_to`].
    Enter(Screen),
    /// A screen is being drawn; `frame` frames after its entry come next.
    Draw { screen: Screen, frame: u8 },
    /// The legal screen sleeps its first 255 frames.
    LegalSleep,
    /// A menu looks at the buttons in every frame.
    Menu(Screen),
    /// The demo, which is not modelled.
    Demo,
    /// B-type: one row of garbage a frame.
    Garbage { row: u8 },
    /// Ordinary gameplay.
    Play,
    /// Exactly Left, Right and Down are held: the next frame only finishes this one's work.
    HalfSpeed,
    /// Paused.
    Paused,
    /// B-type: the success box is shown, then the screen goes dark, then comes the ending.
    Success { dark: bool },
    /// A-type: the sleep before the ending.
    EndingSleep,
    /// An ending runs since `frames` frames.
    Ending { frames: u16 },
    /// The name is entered; next the game is left.
    AfterName,
    /// The game is left; next the level menu is chosen.
    Leave,
}

/// Screens that take frames to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Screen {
    /// `gameMode` 0
    Legal,
    /// `gameMode` 1
    Title,
    /// `gameMode` 2
    GameType,
    /// `gameMode` 3
    LevelMenu,
    /// `gameMode` 4, before a game
    Game,
    /// `gameMode` 4, after a game
    NameEntry,
}

impl Task {
    /// Is the next frame's interrupt switched off because a screen is being drawn?
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
    /// Frames from the entry to the first frame that looks at the buttons.
    const fn frames_to_first_look(self) -> u8 {
        match self {
            Screen::Legal | Screen::GameType | Screen::Game => 4,
            Screen::Title | Screen::LevelMenu | Screen::NameEntry => 5,
        }
    }
}

impl Simulation {
    /// Runs the main program up to its next wait.
    pub(super) fn resume(&mut self) {
        match self.task {
            Task::Play => self.gameplay_frame(),
            Task::HalfSpeed => self.finish_pass(),
            Task::Paused => self.paused_frame(),
            Task::PowerOn { frame } => self.boot(frame),
            Task::Enter(screen) => self.enter(screen),
            Task::Draw { screen, frame } => self.draw(screen, frame),
            Task::LegalSleep => self.legal_sleep(),
            Task::Menu(screen) => self.menu_frame(screen),
            Task::Demo => self.demo(),
            Task::Garbage { row } => self.garbage_row(row),
            Task::Success { dark } => self.success(dark),
            Task::EndingSleep => self.ending_sleep(),
            Task::Ending { frames } => self.ending(frames),
            Task::AfterName => self.leave_game(),
            Task::Leave => self.choose_level_menu(),
        }
    }

    fn draw(&mut self, screen: Screen, frame: u8) {
        let first_look = screen.frames_to_first_look();
        if screen == Screen::Title && frame + 1 == first_look {
            self.finish_title();
        }
        if frame < first_look {
            self.task = Task::Draw { screen, frame: frame + 1 };
            return;
        }
        match screen {
            Screen::Legal => self.start_legal_sleep(),
            Screen::Game => self.start_game(),
            Screen::LevelMenu => self.open_level_menu(),
            Screen::NameEntry => self.open_name_entry(),
            Screen::Title | Screen::GameType => {}
        }
        if matches!(screen, Screen::Title | Screen::GameType | Screen::LevelMenu | Screen::NameEntry) {
            self.task = Task::Menu(screen);
            self.menu_frame(screen);
        }
    }

    fn menu_frame(&mut self, screen: Screen) {
        match screen {
            Screen::Legal => self.legal(),
            Screen::Title => self.title(),
            Screen::GameType => self.game_type(),
            Screen::LevelMenu => self.level_menu(),
            Screen::NameEntry => self.name_entry(),
            Screen::Game => unreachable!("a game is no menu"),
        }
    }

    /// Enters a screen in this frame.
    pub(super) fn enter(&mut self, screen: Screen) {
        match screen {
            Screen::Legal => self.ram[RENDER_MODE] = 0,
            Screen::Title => {
                self.ram[RENDER_MODE] = 0;
                self.ram[HIDE_NEXT] = 0;
            }
            Screen::GameType | Screen::LevelMenu => self.ram[RENDER_MODE] = 1,
            Screen::NameEntry => self.ram[RENDER_MODE] = 2,
            Screen::Game => {}
        }
        self.task = Task::Draw { screen, frame: 1 };
    }

    /// Changes screen by way of the main loop, which enters the new one at once unless the
    /// CPU's A register happens to equal `gameModeState` (`$A7`); then a frame passes first.
    pub(super) fn go_to(&mut self, screen: Screen, register: u8) {
        if register == self.ram[GAME_MODE_STATE] {
            self.task = Task::Enter(screen);
        } else {
            self.enter(screen);
        }
    }
}
