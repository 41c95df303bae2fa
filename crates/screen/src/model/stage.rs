//! The stages of a run, and what the watcher has chosen to see.

use maxout_engine::ram::{GameMode, Phase};

/// The part of the run that the console is in: menus, a game, its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RunStage {
    /// Before the first frame, and while the screen of a game is drawn.
    #[default]
    PowerOn,
    /// A screen before the game.
    Menu(GameMode),
    /// A game is being played.
    Game,
    /// The game itself is paused.
    GamePaused,
    /// The game has topped out.
    Topout,
}

impl RunStage {
    /// The stage that a phase of the game belongs to.
    pub(crate) fn of(phase: Phase) -> RunStage {
        match phase {
            Phase::Menu(mode) => RunStage::Menu(mode),
            Phase::Starting => RunStage::PowerOn,
            Phase::Falling | Phase::EntryDelay => RunStage::Game,
            Phase::Paused => RunStage::GamePaused,
            Phase::Topout => RunStage::Topout,
        }
    }
}

impl RunStage {
    /// Is the game still to come?
    pub fn is_before_game(self) -> bool {
        matches!(self, RunStage::PowerOn | RunStage::Menu(_))
    }
}

/// Whether the view lets the run go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Status {
    /// The run goes on.
    #[default]
    Running,
    /// The watcher has paused the run.
    Paused,
    /// The run is over.
    Ended,
}

/// What the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Showing {
    /// The playfield, and panels around it.
    #[default]
    Panels,
    /// The console's own picture.
    Screen,
}

impl Showing {
    /// The view that the key for the next view chooses.
    pub const fn next(self) -> Showing {
        match self {
            Showing::Panels => Showing::Screen,
            Showing::Screen => Showing::Panels,
        }
    }
}
